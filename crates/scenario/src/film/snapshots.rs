//! Single moments of a run, observed during the run.

use acrasin_report::film::{FrameConfiguration, Head};

use crate::run::{Filmed, NodeView, TraceObserver};

/// An observer that copies the whole configuration at chosen moments. It needs no film.
#[derive(Debug)]
pub struct SnapshotCollector {
    /// The remaining moments in descending order, so that the next one is last.
    at: Vec<u64>,
    seen: Vec<Seen>,
    last: u64,
}

/// The configuration at a requested moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// The description of the nodes.
    pub head: Head,
    /// The number of steps before this moment.
    pub moment: u64,
    /// The configuration of all nodes.
    pub configuration: FrameConfiguration,
}

impl SnapshotCollector {
    /// Requests the configurations after these numbers of steps; duplicates count once. A moment that the run skips is
    /// observed at the next step.
    #[must_use]
    pub fn new(at: impl IntoIterator<Item = u64>) -> Self {
        let mut at: Vec<u64> = at.into_iter().collect();
        at.sort_unstable_by(|a, b| b.cmp(a));
        at.dedup();
        Self { at, seen: Vec::new(), last: 0 }
    }

    /// Returns the configurations at the requested moments.
    ///
    /// # Errors
    ///
    /// The run ended before the last requested moment. The error is the number of steps of the run.
    pub fn seen(self) -> Result<Vec<Seen>, u64> {
        if self.at.is_empty() { Ok(self.seen) } else { Err(self.last) }
    }
}

impl TraceObserver for SnapshotCollector {
    fn see(&mut self, run: &mut dyn Filmed) {
        self.last = run.moment();
        while let Some(&next) = self.at.last() {
            if next > self.last {
                break;
            }
            let head = run.head();
            let configuration = whole(run, &head);
            self.seen.push(Seen { head, moment: self.last, configuration });
            self.at.pop();
        }
    }

    fn reach(&self) -> u64 {
        self.at.last().map_or(u64::MAX, |next| next.saturating_sub(self.last).max(1))
    }

    fn is_done(&self) -> bool {
        self.at.is_empty()
    }
}

/// The configuration of all nodes.
pub(super) fn whole(run: &dyn Filmed, head: &Head) -> FrameConfiguration {
    let mut configuration = FrameConfiguration {
        columns: head.columns.iter().map(|_| Vec::with_capacity(head.nodes as usize)).collect(),
        ..FrameConfiguration::default()
    };
    let mut look = NodeView::default();
    for node in 0..head.nodes {
        look.clear();
        run.look(node, &mut look);
        assert_eq!(look.values.len(), head.columns.len(), "a value for each column");
        for (column, value) in configuration.columns.iter_mut().zip(look.values.drain(..)) {
            column.push(value);
        }
        let higher = look.neighbours.iter().filter(|&&other| other > node);
        configuration.edges.extend(higher.map(|&other| (node, other)));
        configuration.messages.extend(look.messages.iter().copied());
    }
    configuration
}
