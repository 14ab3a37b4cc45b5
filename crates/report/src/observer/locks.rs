//! [`LockFigures`]: the cost of Locks.

use acrasin_runtime::exclusion::{AlgorithmLabels, Anomaly, Guarantee, NOTES_MAX, Role, Status};
use acrasin_runtime::{CriticalSection, Event, NodeId, Observer, World, pack_fields, saved_fields};

use crate::record::{Figure, Section, SectionName};
use crate::summary::Distribution;
use crate::value::Value;

/// Measures the cost of Locks: announcements, rounds, messages, and the time that nodes wait.
///
/// A Lock's *rounds* are those from its call to its return. Its *messages* are those between its initiator and
/// neighbours, from Lock to the completed Unlock. Messages of a node to itself are not counted, nor are messages whose
/// initiator is unknown. *Announcements* are events that the algorithm reports, named by its [`AlgorithmLabels`]. Local
/// mutual exclusion reports trials, at least one per Lock, and late rejections.
#[derive(Clone, Debug)]
pub struct LockFigures {
    rounds: u64,
    now: Vec<Ongoing>,
    /// If the last action was a call to Lock: the round of the acting node's call before it.
    before_call: Option<u64>,
    granted: u64,
    released: u64,
    ignored_calls: u64,
    /// The number of announcements over all Locks, by index of the announcement.
    notes: [u64; NOTES_MAX],
    /// For each announcement, the distribution of its number per Lock.
    per_lock: [Distribution; NOTES_MAX],
    wait: Distribution,
    messages: Distribution,
    size: Distribution,
    /// The sum over rounds of the number of nodes that hold a lock set.
    holder_rounds: u128,
    /// The sum over rounds of the number of nodes in lock sets.
    held_rounds: u128,
    seen_rounds: u64,
}

saved_fields!(LockFigures {
    rounds,
    now fixed,
    before_call,
    granted,
    released,
    ignored_calls,
    notes,
    per_lock,
    wait,
    messages,
    size,
    holder_rounds,
    held_rounds,
    seen_rounds,
});

/// The current Lock of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Ongoing {
    called: u64,
    notes: [u32; NOTES_MAX],
    messages: u32,
}

pack_fields!(Ongoing { called, notes, messages });

impl LockFigures {
    /// Creates the observer of a run with this number of nodes, before the first step.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self {
            rounds: 0,
            now: vec![Ongoing::default(); nodes as usize],
            before_call: None,
            granted: 0,
            released: 0,
            ignored_calls: 0,
            notes: [0; NOTES_MAX],
            per_lock: std::array::from_fn(|_| Distribution::new()),
            wait: Distribution::new(),
            messages: Distribution::new(),
            size: Distribution::new(),
            holder_rounds: 0,
            held_rounds: 0,
            seen_rounds: 0,
        }
    }

    /// The number of successful Locks.
    #[must_use]
    pub fn granted(&self) -> u64 {
        self.granted
    }

    /// The number of announcements with this index in [`AlgorithmLabels::NOTES`] per Lock, as a distribution over
    /// Locks.
    #[must_use]
    pub fn announced(&self, note: usize) -> &Distribution {
        &self.per_lock[note]
    }

    /// The number of announcements with this index in [`AlgorithmLabels::NOTES`] by the last Lock of a node.
    #[must_use]
    pub fn announced_now(&self, node: NodeId, note: usize) -> u32 {
        self.now[node.index()].notes[note]
    }

    /// The longest wait for a Lock, in rounds, including nodes that still wait.
    #[must_use]
    pub fn longest_wait<E: AlgorithmLabels, S: CriticalSection>(&self, world: &World<E, S>) -> u64 {
        let waiting = world.topology().nodes().filter(|&node| world.status(node) == Status::Waiting);
        let longest = waiting.map(|node| self.rounds.saturating_sub(self.now[node.index()].called)).max();
        longest.max(self.wait.max()).unwrap_or(0)
    }

    /// The fraction of node-rounds in which the node holds a lock set, and the fraction in which the node is in a lock
    /// set. `None` before the first round.
    #[must_use]
    pub fn shares(&self) -> Option<(f64, f64)> {
        let all = self.seen_rounds as f64 * self.now.len() as f64;
        (all > 0.0).then(|| (self.holder_rounds as f64 / all, self.held_rounds as f64 / all))
    }

    /// The figures as a section of a record.
    #[must_use]
    pub fn section<E: AlgorithmLabels, S: CriticalSection>(&self, world: &World<E, S>) -> Section {
        let mut section = Section::of(SectionName::Locks);
        section.push(Figure::new("completed", "Locks completed", self.granted));
        section.push(Figure::new("released", "Unlocks completed", self.released));
        for (words, announced) in E::NOTES.iter().zip(&self.per_lock) {
            if let Some(per_lock) = words.per_lock {
                section.push(Figure::spread(words.key, per_lock, announced));
            }
        }
        section.push(Figure::spread("rounds", "rounds per Lock", &self.wait));
        if E::ROLE.is_some() {
            section.push(Figure::spread("messages", "messages per Lock", &self.messages));
        }
        let has_lock_sets = world.exclusion().promises() == Guarantee::DisjointLockSets;
        if has_lock_sets {
            section.push(Figure::spread("members", "nodes in a lock set", &self.size));
        }
        for (words, &count) in E::NOTES.iter().zip(&self.notes).filter(|(words, _)| words.per_lock.is_none())
        {
            section.push(Figure::new(words.key, words.total, count));
        }
        section.push(Figure::new("ignored_calls", "ignored calls", self.ignored_calls));
        let shares = self.shares();
        let share = |value: Option<f64>| value.map_or(Value::Missing, Value::Share);
        let holding =
            if has_lock_sets { "share of nodes that hold a lock set" } else { "share of nodes inside" };
        section.push(Figure::new("holding", holding, share(shares.map(|s| s.0))));
        if has_lock_sets {
            section.push(Figure::new("held", "share of nodes in a lock set", share(shares.map(|s| s.1))));
        }
        section
            .push(Figure::new("longest_wait", "longest wait", self.longest_wait(world)).with_unit("rounds"));
        section.push(Figure::new("waiting", "nodes still waiting", u64::from(world.outstanding())));
        section
    }

    /// Records an event that occurs only a few times per Lock.
    #[inline(never)] // Keeps the code for every step small enough to inline.
    fn of_a_lock<E: AlgorithmLabels, S: CriticalSection>(&mut self, event: &Event<'_, E, S>) {
        match *event {
            Event::Granted { node, lock_set } => {
                let ongoing = self.now[node.index()];
                self.granted += 1;
                for (place, _) in E::NOTES.iter().enumerate().filter(|(_, words)| words.per_lock.is_some()) {
                    self.per_lock[place].record(u64::from(ongoing.notes[place]));
                }
                self.wait.record(self.rounds - ongoing.called);
                self.size.record(lock_set.len() as u64);
            }
            Event::Released { node } => {
                self.released += 1;
                let ongoing = std::mem::take(&mut self.now[node.index()]);
                self.messages.record(u64::from(ongoing.messages));
            }
            Event::Anomaly { node, anomaly: Anomaly::IgnoredCall } => {
                self.ignored_calls += 1;
                if let Some(called) = self.before_call.take() {
                    self.now[node.index()].called = called;
                }
            }
            _ => {}
        }
    }
}

impl<E: AlgorithmLabels, S: CriticalSection> Observer<E, S> for LockFigures {
    #[inline]
    fn event(&mut self, event: &Event<'_, E, S>) {
        match *event {
            Event::Executed { node, action } if action == E::LOCK => {
                // If the call is ignored, the following `Anomaly` undoes this.
                let called = &mut self.now[node.index()].called;
                self.before_call = Some(std::mem::replace(called, self.rounds));
            }
            Event::Executed { .. } => self.before_call = None,
            Event::Sent { from, to, message } if from != to => {
                if let Some(role) = E::ROLE {
                    let initiator = match role(message) {
                        Role::Initiator => from,
                        Role::Participant => to,
                    };
                    self.now[initiator.index()].messages += 1;
                }
            }
            Event::Noted { node, note } => {
                self.notes[E::note(note)] += 1;
                self.now[node.index()].notes[E::note(note)] += 1;
            }
            Event::Granted { .. } | Event::Released { .. } | Event::Anomaly { .. } => self.of_a_lock(event),
            _ => {}
        }
    }

    fn round(&mut self, world: &World<E, S>, rounds: u64) {
        // Skipped rounds, in which no node could act, have the same numbers of nodes as this round.
        let passed = u128::from(rounds - self.rounds);
        self.rounds = rounds;
        self.seen_rounds = rounds;
        self.holder_rounds += passed * u128::from(world.holders());
        self.held_rounds += passed * u128::from(world.held());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::MessageFigures;
    use acrasin_runtime::exclusion::local::Local;
    use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
    use acrasin_runtime::exclusion::{InitialKnowledge, RootedTree};
    use acrasin_runtime::execution::{Advance, Execution};
    use acrasin_runtime::scheduler::{Activation, SemiSynchronous, Sequential};
    use acrasin_runtime::{Demand, FixedProbability, LockOnly, LockSetRule, Seeded, Setup, Timing, Topology};

    #[test]
    fn every_lock_obeys_the_message_identity_and_shares_are_consistent() {
        let edges: Vec<(u32, u32)> = (0..8).map(|i| (i, (i + 1) % 8)).collect();
        let world = World::new(Setup {
            exclusion: Local::new(2),
            section: LockOnly,
            topology: Topology::from_edges(8, 2, &edges).unwrap(),
            states: vec![Demand::Times(5); 8],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        });
        let scheduler = SemiSynchronous::new(Activation::Random(FixedProbability::HALF));
        let mut execution = Execution::new(world, Box::new(scheduler));
        let (mut figures, mut choices) = (LockFigures::new(8), Seeded::new(3));
        while execution.advance(&mut choices, &mut figures) == Advance::Advanced {
            let (holders, members) = figures.shares().unwrap();
            assert!(holders <= members && members <= 1.0);
        }
        assert_eq!((figures.granted, figures.released), (40, 40));
        // The sum over Locks of d (6 + 2 T), d = 2.
        assert_eq!(figures.messages.sum(), 2 * (6 * 40 + 2 * figures.per_lock[0].sum()));
        assert_eq!(figures.size.min(), Some(3));
        assert_eq!(figures.longest_wait(execution.world()), figures.wait.max().unwrap());
        assert!(
            figures.wait.min().unwrap() >= 8,
            "prepare, ready, request, win, set-lock and ack take their rounds"
        );
    }

    #[test]
    fn another_algorithm_is_counted_in_its_own_words() {
        let path = Topology::from_edges(3, 2, &[(0, 1), (1, 2)]).unwrap();
        let setup = Setup {
            exclusion: TreeToken::new(SchemeRule::Raymond),
            section: LockOnly,
            topology: path,
            states: vec![Demand::Times(4); 3],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        };
        let seating = InitialKnowledge::from_tree(RootedTree::new(&[None, Some(0), Some(1)]).unwrap());
        let mut execution =
            Execution::new(World::with_knowledge(setup, &seating).unwrap(), Box::new(Sequential::new()));
        let mut observers = (LockFigures::new(3), MessageFigures::new());
        let mut choices = Seeded::new(3);
        while execution.advance(&mut choices, &mut observers) == Advance::Advanced {}
        let (locks, messages) = observers;
        let keys = |section: &Section| -> Vec<String> {
            section.figures().iter().map(|figure| figure.key().to_owned()).collect()
        };
        // Nothing about trials, lock sets, or attributed messages.
        let of_locks = [
            "completed",
            "released",
            "rounds",
            "loans",
            "asked",
            "ignored_calls",
            "holding",
            "longest_wait",
            "waiting",
        ];
        assert_eq!(keys(&locks.section(execution.world())), of_locks);
        let of_messages = keys(&messages.messages::<TreeToken>());
        assert_eq!(of_messages[..4], ["to_neighbours", "to_self", "request", "token"]);
        assert!(of_messages.contains(&"action_enter_cs".to_owned()), "{of_messages:?}");
        assert_eq!((locks.granted, locks.released), (12, 12));
    }
}
