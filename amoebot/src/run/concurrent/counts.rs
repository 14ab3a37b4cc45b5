//! [`ConcurrentCounts`]: counters of a concurrent run.

acrasin_runtime::pack_fields!(ConcurrentCounts {
    steps,
    waits,
    locks,
    lock_failures,
    awakenings,
    disabled,
    actions,
    moves,
    expand_failures,
    invalid,
    width,
    rounds,
});

/// Counters of a concurrent run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ConcurrentCounts {
    /// The number of steps of amoebots.
    pub steps: u64,
    /// The number of steps in which an amoebot waited for its Lock or Unlock.
    pub waits: u64,
    /// The number of Locks that were granted.
    pub locks: u64,
    /// The number of Lock calls that failed.
    pub lock_failures: u64,
    /// The number of activations in which an amoebot, after its Lock, only woke its neighbours.
    pub awakenings: u64,
    /// The number of activations that found no enabled action.
    pub disabled: u64,
    /// The number of completed actions.
    pub actions: u64,
    /// The number of movements; a handover is two.
    pub moves: u64,
    /// The number of failed expansions.
    pub expand_failures: u64,
    /// The number of aborted actions; 0 for a valid algorithm under locks.
    pub invalid: u64,
    /// The maximum number of amoebots inside an action at the same time. An action lasts from Lock to Unlock.
    pub width: usize,
    /// The number of completed asynchronous rounds. A round ends once every amoebot that was busy at its start has
    /// written or has found no enabled action.
    pub rounds: u64,
}
