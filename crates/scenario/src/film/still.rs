//! One moment of a run, from the run itself.

use acrasin_report::film::{Configuration, Head};

use crate::run::{Eye, Filmed, Look};

/// Waits for moments, and sees everything then: no film is made and none is read.
#[derive(Debug)]
pub struct Stills {
    /// The remaining moments, the next one last.
    at: Vec<u64>,
    seen: Vec<Seen>,
    last: u64,
}

/// A configuration at a requested moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// The description of the nodes.
    pub head: Head,
    /// The moment.
    pub moment: u64,
    /// Everything.
    pub configuration: Configuration,
}

impl Stills {
    /// After so many steps each; the same moment twice is one. A run that passes over a moment is seen at the next.
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
    /// The run is over before the last of the moments; how many steps it has.
    pub fn seen(self) -> Result<Vec<Seen>, u64> {
        if self.at.is_empty() { Ok(self.seen) } else { Err(self.last) }
    }
}

impl Eye for Stills {
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

/// Everything, node by node.
pub(super) fn whole(run: &dyn Filmed, head: &Head) -> Configuration {
    let mut configuration = Configuration {
        columns: head.columns.iter().map(|_| Vec::with_capacity(head.nodes as usize)).collect(),
        ..Configuration::default()
    };
    let mut look = Look::default();
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
