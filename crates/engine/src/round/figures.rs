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
