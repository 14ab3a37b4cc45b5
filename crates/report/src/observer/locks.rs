//! What the Locks of a run cost.

use acrasin_runtime::exclusion::local::{Action, Local, Message, Note};
use acrasin_runtime::exclusion::{Anomaly, Role, Status};
use acrasin_runtime::{CriticalSection, Event, Observer, World};

use crate::record::{Figure, Section, SectionName};
use crate::summary::Distribution;
use crate::value::Value;

/// Trials, rounds and messages per Lock, and how the nodes wait.
///
/// A Lock's *rounds* are those from the round in which Lock was called to the round in which it returned. Its
/// *messages* are those that its initiator sent to neighbours or got from them from Lock to the completed Unlock;
/// messages of a node to itself are not counted. *Trials* are competition trials, at least one a Lock.
#[derive(Clone, Debug)]
pub struct LockFigures {
    rounds: u64,
    now: Vec<Ongoing>,
    /// While the last action was a call to Lock: when its node had called before.
    before_call: Option<u64>,
    granted: u64,
    released: u64,
    late_rejections: u64,
    ignored_calls: u64,
    trials: Distribution,
    wait: Distribution,
    messages: Distribution,
    size: Distribution,
    /// Sums over the rounds of the nodes that hold a lock set, and that are held.
    holder_rounds: u128,
    held_rounds: u128,
    seen_rounds: u64,
}

/// The Lock that a node is at.
#[derive(Clone, Copy, Debug, Default)]
struct Ongoing {
    called: u64,
    trials: u32,
    messages: u32,
}

impl LockFigures {
    /// For a run of so many nodes, from its start.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self {
            rounds: 0,
            now: vec![Ongoing::default(); nodes as usize],
            before_call: None,
            granted: 0,
            released: 0,
            late_rejections: 0,
            ignored_calls: 0,
            trials: Distribution::new(),
            wait: Distribution::new(),
            messages: Distribution::new(),
            size: Distribution::new(),
            holder_rounds: 0,
            held_rounds: 0,
            seen_rounds: 0,
        }
    }

    /// Locks that have succeeded.
    #[must_use]
    pub fn granted(&self) -> u64 {
        self.granted
    }

    /// Trials by Lock.
    #[must_use]
    pub fn trials(&self) -> &Distribution {
        &self.trials
    }

    /// The longest that a node has waited for a Lock, in rounds, those that still wait included.
    #[must_use]
    pub fn longest_wait<S: CriticalSection>(&self, world: &World<Local, S>) -> u64 {
        let waiting = world.topology().nodes().filter(|&node| world.status(node) == Status::Waiting);
        let longest = waiting.map(|node| self.rounds.saturating_sub(self.now[node.index()].called)).max();
        longest.max(self.wait.max()).unwrap_or(0)
    }

    /// The share of node-rounds spent in somebody's lock set, as (holders, all members); `None` before the first round.
    #[must_use]
    pub fn shares(&self) -> Option<(f64, f64)> {
        let all = self.seen_rounds as f64 * self.now.len() as f64;
        (all > 0.0).then(|| (self.holder_rounds as f64 / all, self.held_rounds as f64 / all))
    }

    /// The figures as a section of a record.
    #[must_use]
    pub fn section<S: CriticalSection>(&self, world: &World<Local, S>) -> Section {
        let mut section = Section::of(SectionName::Locks);
        section.push(Figure::new("completed", "Locks completed", self.granted));
        section.push(Figure::new("released", "Unlocks completed", self.released));
        section.push(Figure::spread("trials", "trials per Lock", &self.trials));
        section.push(Figure::spread("rounds", "rounds per Lock", &self.wait));
        section.push(Figure::spread("messages", "messages per Lock", &self.messages));
        section.push(Figure::spread("members", "nodes in a lock set", &self.size));
        section.push(Figure::new("late_rejections", "late rejections", self.late_rejections));
        section.push(Figure::new("ignored_calls", "ignored calls", self.ignored_calls));
        let shares = self.shares();
        let share = |value: Option<f64>| value.map_or(Value::Missing, Value::Share);
        section.push(Figure::new(
            "holding",
            "share of nodes that hold a lock set",
            share(shares.map(|s| s.0)),
        ));
        section.push(Figure::new("held", "share of nodes in a lock set", share(shares.map(|s| s.1))));
        section.push(Figure::new("longest_wait", "longest wait", self.longest_wait(world)).unit("rounds"));
        section.push(Figure::new("waiting", "nodes still waiting", u64::from(world.outstanding())));
        section
    }
}

impl<S: CriticalSection> Observer<Local, S> for LockFigures {
    fn event(&mut self, event: &Event<'_, Local, S>) {
        match *event {
            Event::Executed { node, action: Action::InitLock } => {
                // If the call turns out to be ignored, the `Anomaly` that follows takes this back.
                let called = &mut self.now[node.index()].called;
                self.before_call = Some(std::mem::replace(called, self.rounds));
            }
            Event::Executed { .. } => self.before_call = None,
            Event::Sent { from, to, message } if from != to => {
                let initiator = match message.role() {
                    Role::Initiator => from,
                    Role::Participant => to,
                };
                self.now[initiator.index()].messages += 1;
                debug_assert_eq!(message.role() == Role::Participant, is_reply(message));
            }
            Event::Noted { node, note: Note::Trial } => self.now[node.index()].trials += 1,
            Event::Noted { note: Note::LateRejection, .. } => self.late_rejections += 1,
            Event::Granted { node, lock_set } => {
                let ongoing = self.now[node.index()];
                self.granted += 1;
                self.trials.record(u64::from(ongoing.trials));
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

    fn round(&mut self, world: &World<Local, S>, rounds: u64) {
        // Rounds that were skipped because no node could act count as this one.
        let passed = u128::from(rounds - self.rounds);
        self.rounds = rounds;
        self.seen_rounds = rounds;
        self.holder_rounds += passed * u128::from(world.holders());
        self.held_rounds += passed * u128::from(world.held());
    }
}

fn is_reply(message: Message) -> bool {
    matches!(message, Message::Ready | Message::Win(_) | Message::AckLock | Message::AckUnlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_runtime::execution::{Execution, Progress};
    use acrasin_runtime::scheduler::{Activation, SemiSynchronous};
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
        while execution.advance(&mut choices, &mut figures) == Progress::Advanced {
            let (holders, members) = figures.shares().unwrap();
            assert!(holders <= members && members <= 1.0);
        }
        assert_eq!((figures.granted, figures.released), (40, 40));
        // d (6 + 2 T) summed over the Locks, d = 2.
        assert_eq!(figures.messages.sum(), 2 * (6 * 40 + 2 * figures.trials.sum()));
        assert_eq!(figures.size.min(), Some(3));
        assert_eq!(figures.longest_wait(execution.world()), figures.wait.max().unwrap());
        assert!(
            figures.wait.min().unwrap() >= 8,
            "prepare, ready, request, win, set-lock and ack take their rounds"
        );
    }
}
