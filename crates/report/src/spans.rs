//! [`Spans`]: the times at which nodes are in their critical sections.

use std::fmt::Write as _;

use acrasin_runtime::{pack_fields, saved_fields};

use crate::table::csv_quoted;

/// Maximum spans kept: a picture has no room for more.
pub const SPANS_MAX: usize = 100_000;

/// The spans of time in which nodes were in their critical sections, ordered by the time at which the node left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spans {
    time_label: String,
    since: Vec<Option<u64>>,
    spans: Vec<Span>,
    left_out: u64,
    last: u64,
    /// The names that the nodes have in the file of their graph.
    names: Option<Vec<String>>,
}

/// One stay of a node in its critical section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The number of the node, from 0.
    pub node: u32,
    /// The time at which the node entered.
    pub from: u64,
    /// The time at which the node left, or the end of the run if it did not leave.
    pub to: u64,
}

pack_fields!(Span { node, from, to });
saved_fields!(Spans { since fixed, spans, left_out, last });

impl Spans {
    /// Spans from time 0. `time_label` names the time axis; `inside` says for each node whether it starts in its
    /// critical section.
    #[must_use]
    pub fn new(time_label: impl Into<String>, inside: impl IntoIterator<Item = bool>) -> Self {
        let since = inside.into_iter().map(|inside| inside.then_some(0)).collect();
        Self { time_label: time_label.into(), since, spans: Vec::new(), left_out: 0, last: 0, names: None }
    }

    /// Sets the names that the nodes have in the file of their graph.
    #[must_use]
    pub fn with_names(self, names: Option<Vec<String>>) -> Self {
        Self { names, ..self }
    }

    /// The name of the time axis.
    #[must_use]
    pub fn time_label(&self) -> &str {
        &self.time_label
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.since.len() as u32
    }

    /// The time at which the run ended.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The number of stays that were not kept, because [`SPANS_MAX`] others had ended before.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// All kept stays.
    pub fn iter(&self) -> impl Iterator<Item = Span> + '_ {
        self.spans.iter().copied()
    }

    /// Records that a node enters its critical section.
    ///
    /// # Panics
    ///
    /// This method and [`leave`](Self::leave) panic if there is no such node.
    pub fn enter(&mut self, node: u32, now: u64) {
        self.since[node as usize].get_or_insert(now);
    }

    /// Records that a node leaves its critical section. No effect if the node is not in it.
    pub fn leave(&mut self, node: u32, now: u64) {
        let Some(from) = self.since[node as usize].take() else { return };
        if self.spans.len() < SPANS_MAX {
            self.spans.push(Span { node, from, to: now });
        } else {
            self.left_out += 1;
        }
    }

    /// Ends the run: the stays of all nodes in their critical sections end now.
    pub fn end(&mut self, now: u64) {
        self.last = now;
        for node in 0..self.nodes() {
            self.leave(node, now);
        }
    }

    /// Rows `node,from,to`, and `name` if nodes have names.
    ///
    /// ```
    /// let mut spans = acrasin_report::spans::Spans::new("steps", [false, true]);
    /// spans.enter(0, 3);
    /// spans.end(5);
    /// assert_eq!(spans.to_csv(), "node,from,to\n0,3,5\n1,0,5\n");
    /// let named = spans.with_names(Some(vec!["a, b".to_owned(), "c".to_owned()]));
    /// assert_eq!(named.to_csv(), "node,from,to,name\n0,3,5,\"a, b\"\n1,0,5,c\n");
    /// ```
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = format!("node,from,to{}\n", if self.names.is_some() { ",name" } else { "" });
        for &Span { node, from, to } in &self.spans {
            let _ = match &self.names {
                None => writeln!(text, "{node},{from},{to}"),
                Some(names) => writeln!(text, "{node},{from},{to},{}", csv_quoted(&names[node as usize])),
            };
        }
        text
    }
}
