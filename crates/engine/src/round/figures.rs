//! [`Figures`]: counters of rounds.

use std::ops::AddAssign;

use acrasin_runtime::pack_fields;

/// Counters, summed over rounds. All counters are integers, so they are the same for any number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Figures {
    /// The number of rounds.
    pub rounds: u64,
    /// The number of macro activations, including those without effect.
    pub activations: u64,
    /// The number of calls to Lock.
    pub calls: u64,
    /// The number of competition trials begun.
    pub trials: u64,
    /// The number of Locks that succeeded.
    pub grants: u64,
    /// The number of completed Unlocks.
    pub releases: u64,
    /// The number of first requests that were rejected at once (repair R1).
    pub late_rejections: u64,
    /// The number of messages sent, including those of nodes to themselves.
    pub messages: u64,
    /// The number of messages that nodes sent to themselves.
    pub self_messages: u64,
}

pack_fields!(Figures {
    rounds,
    activations,
    calls,
    trials,
    grants,
    releases,
    late_rejections,
    messages,
    self_messages,
});

/// The largest count that is restored. A run that handles 2^33 nodes a second reaches it after 17 years, and sums of
/// two such counts do not overflow.
const COUNT_MAX: u128 = 1 << 62;

/// The most events of one kind in a macro activation, for each port of the node and for the node itself.
const EVENTS_MAX: u128 = 16;

impl Figures {
    /// Whether rounds of `nodes` nodes with up to `ports` ports, from the start on, can have these figures. Restored
    /// figures are checked, because later rounds add to them.
    pub(crate) fn is_possible(&self, nodes: u32, ports: u16) -> bool {
        self.is_bounded(nodes, ports)
            && self.grants <= self.calls
            && self.releases <= self.grants
            && self.self_messages <= self.messages
    }

    /// Whether no count exceeds what the activations of `rounds` rounds allow.
    pub(crate) fn is_bounded(&self, nodes: u32, ports: u16) -> bool {
        let Self { rounds, activations, calls, trials, grants, releases, late_rejections, .. } = *self;
        let turns = u128::from(rounds) * u128::from(nodes);
        let events_max = turns.saturating_mul(EVENTS_MAX * (u128::from(ports) + 1)).min(COUNT_MAX);
        let events = [calls, trials, grants, releases, late_rejections, self.messages, self.self_messages];
        u128::from(rounds) <= COUNT_MAX
            && u128::from(activations) <= turns.min(COUNT_MAX)
            && events.into_iter().all(|count| u128::from(count) <= events_max)
    }
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        let Self {
            rounds,
            activations,
            calls,
            trials,
            grants,
            releases,
            late_rejections,
            messages,
            self_messages,
        } = other;
        self.rounds += rounds;
        self.activations += activations;
        self.calls += calls;
        self.trials += trials;
        self.grants += grants;
        self.releases += releases;
        self.late_rejections += late_rejections;
        self.messages += messages;
        self.self_messages += self_messages;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_has_a_bound() {
        let most = Figures {
            rounds: 10,
            activations: 50,
            calls: 4000,
            trials: 4000,
            grants: 4000,
            releases: 4000,
            late_rejections: 4000,
            messages: 4000,
            self_messages: 4000,
        };
        assert!(most.is_possible(5, 4));
        assert!(Figures::default().is_possible(5, 4));
        let changes: [fn(&mut Figures); 12] = [
            |figures| figures.rounds = 9,
            |figures| figures.rounds = u64::MAX,
            |figures| figures.activations = 51,
            |figures| figures.calls = 4001,
            |figures| figures.calls = 3999,
            |figures| figures.trials = 4001,
            |figures| (figures.calls, figures.grants) = (4001, 4001),
            |figures| figures.grants = 3999,
            |figures| figures.late_rejections = u64::MAX,
            |figures| figures.messages = 4001,
            |figures| figures.messages = 3999,
            |figures| *figures = Figures { rounds: u64::MAX, ..Figures::default() },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut figures = most;
            change(&mut figures);
            assert!(!figures.is_possible(5, 4), "change {number}");
        }
    }
}
