//! What an entry into a critical section costs, and who enters how often.

use acrasin_runtime::exclusion::{Vocabulary, WORDS_MAX};
use acrasin_runtime::{CriticalSection, Event, Observer, World};

use crate::record::{Figure, Section};
use crate::summary::Distribution;
use crate::value::Value;

/// Messages per entry by kind, those of nodes to themselves left out, and entries by node.
///
/// Per entry is all that was sent by the entries made: of a run in which many wait at once no message is one entry's alone.
/// Requests per entry are the hops of a request where each hop is a message, as along a tree. Waiting is counted in rounds, from a
/// call to its completion: to enter, and to leave, which is what waits under mutual inclusion.
///
/// ```
/// use acrasin_report::observer::EntryFigures;
/// use acrasin_runtime::exclusion::tree_token::{Rule, TreeToken};
/// use acrasin_runtime::exclusion::{RootedTree, Seating};
/// use acrasin_runtime::execution::{Execution, Progress};
/// use acrasin_runtime::scheduler::Sequential;
/// use acrasin_runtime::{Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology, World};
/// let setup = Setup {
///     exclusion: TreeToken::new(Rule::Raymond),
///     section: LockOnly,
///     topology: Topology::from_edges(3, 2, &[(0, 1), (1, 2)])?,
///     // Node 2 alone enters, once, two edges from the token.
///     states: vec![Demand::Times(0), Demand::Times(0), Demand::Times(1)],
///     lock_set: LockSetRule::Neighbourhood,
///     timing: Timing::AtOnce,
/// };
/// let seating = Seating::on(RootedTree::new(&[None, Some(0), Some(1)])?);
/// let mut run = Execution::new(World::seated(setup, &seating)?, Box::new(Sequential::new()));
/// let (mut figures, mut choices) = (EntryFigures::new(3), Seeded::new(1));
/// while run.advance(&mut choices, &mut figures) == Progress::Advanced {}
/// assert_eq!(figures.entries(), [0, 0, 1]);
/// assert_eq!(figures.messages_per_entry(), Some(4.0), "2 d for a node at depth d");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EntryFigures {
    entries: Vec<u64>,
    messages: [u64; WORDS_MAX],
    rounds: u64,
    /// By node: the round of its last call.
    called: Vec<u64>,
    entering: Distribution,
    leaving: Distribution,
}

impl EntryFigures {
    /// For a run of so many nodes, from its start.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self {
            entries: vec![0; nodes as usize],
            messages: [0; WORDS_MAX],
            rounds: 0,
            called: vec![0; nodes as usize],
            entering: Distribution::new(),
            leaving: Distribution::new(),
        }
    }

    /// How often each node has entered.
    #[must_use]
    pub fn entries(&self) -> &[u64] {
        &self.entries
    }

    /// Messages between nodes by entries; `None` before the first entry.
    #[must_use]
    pub fn messages_per_entry(&self) -> Option<f64> {
        self.per_entry(self.messages.iter().sum())
    }

    /// The least and the largest share of a node in all entries; `None` before the first entry.
    #[must_use]
    pub fn shares(&self) -> Option<(f64, f64)> {
        let share = |entries: Option<&u64>| self.per_entry(*entries?);
        Some((share(self.entries.iter().min())?, share(self.entries.iter().max())?))
    }

    fn per_entry(&self, count: u64) -> Option<f64> {
        let entries: u64 = self.entries.iter().sum();
        (entries > 0).then(|| count as f64 / entries as f64)
    }

    /// The figures as a section of a record, kinds in the words of the algorithm.
    #[must_use]
    pub fn section<E: Vocabulary>(&self) -> Section {
        let mut section = Section::new("entries", "Entries");
        let mut by_node = Distribution::new();
        self.entries.iter().for_each(|&entries| by_node.record(entries));
        section.push(Figure::spread("by_node", "entries of a node", &by_node));
        section.push(Figure::spread("wait_to_enter", "rounds of waiting to enter", &self.entering));
        section.push(Figure::spread("wait_to_leave", "rounds of waiting to leave", &self.leaving));
        let real = |value: Option<f64>| value.map_or(Value::Missing, Value::Real);
        section.push(Figure::new("messages", "messages per entry", real(self.messages_per_entry())));
        for (kind, &count) in E::KINDS.iter().zip(&self.messages) {
            let key = kind.replace([' ', '-'], "_");
            section.push(Figure::new(key, format!("{kind} per entry"), real(self.per_entry(count))));
        }
        let share = |value: Option<f64>| value.map_or(Value::Missing, Value::Share);
        let shares = self.shares();
        section.push(Figure::new("share_least", "least share of a node", share(shares.map(|s| s.0))));
        section.push(Figure::new("share_most", "largest share of a node", share(shares.map(|s| s.1))));
        section
    }
}

impl<E: Vocabulary, S: CriticalSection> Observer<E, S> for EntryFigures {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
        match *event {
            Event::Sent { from, to, message } if from != to => self.messages[E::kind(message)] += 1,
            Event::Executed { node, action } if action == E::LOCK || action == E::UNLOCK => {
                self.called[node.index()] = self.rounds;
            }
            Event::Granted { node, .. } => {
                self.entries[node.index()] += 1;
                self.entering.record(self.rounds - self.called[node.index()]);
            }
            Event::Released { node } => self.leaving.record(self.rounds - self.called[node.index()]),
            _ => {}
        }
    }

    fn round(&mut self, _world: &World<E, S>, rounds: u64) {
        self.rounds = rounds;
    }
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::exclusion::tree_token::{Rule, TreeToken};
    use acrasin_runtime::exclusion::{RootedTree, Seating};
    use acrasin_runtime::execution::Execution;
    use acrasin_runtime::scheduler::RoundRobin;
    use acrasin_runtime::{Demand, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology};

    use super::*;

    #[test]
    fn nothing_has_no_mean() {
        let figures = EntryFigures::new(2);
        assert_eq!((figures.messages_per_entry(), figures.shares()), (None, None));
    }

    /// Specification A-10: on a path of proxies under permanent demand a node has about half of the entries of its father.
    #[test]
    fn deep_proxies_enter_seldom_and_transit_nodes_evenly() {
        let shares = |rule| {
            let edges: Vec<(u32, u32)> = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))).collect();
            let setup = Setup {
                exclusion: TreeToken::new(rule),
                section: LockOnly,
                topology: Topology::from_edges(6, 5, &edges).unwrap(),
                states: vec![Demand::Forever; 6],
                lock_set: LockSetRule::Neighbourhood,
                timing: Timing::AtOnce,
            };
            let fathers: Vec<Option<u32>> = (0..6).map(|node: u32| node.checked_sub(1)).collect();
            let seating = Seating::on(RootedTree::new(&fathers).unwrap());
            let world = World::seated(setup, &seating).unwrap();
            let mut run = Execution::new(world, Box::new(RoundRobin::new()));
            let (mut figures, mut choices) = (EntryFigures::new(6), Seeded::new(2));
            for _ in 0..40_000 {
                run.advance(&mut choices, &mut figures);
            }
            let section = figures.section::<TreeToken>();
            let keys: Vec<&str> = section.figures().iter().map(Figure::key).collect();
            assert_eq!(
                keys,
                [
                    "by_node",
                    "wait_to_enter",
                    "wait_to_leave",
                    "messages",
                    "request",
                    "token",
                    "share_least",
                    "share_most"
                ]
            );
            figures.shares().unwrap()
        };
        let (least, most) = shares(Rule::AllProxy);
        assert!(least < 0.05 && most > 0.4, "{least} {most}");
        let (least, most) = shares(Rule::AllTransit);
        assert!(least > 0.14 && most < 0.19, "{least} {most}");
    }
}
