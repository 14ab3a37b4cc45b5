//! Deliberate mistakes, which the tests must notice.

/// A mistake. It is a constant of the code that is compiled: production code is compiled with [`Fault::None`], and
/// nothing of the others is in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(test), allow(dead_code))]
pub(super) enum Fault {
    None,
    /// The last node of 64 has no eastern neighbour.
    WordsApart,
    /// Rows do not wrap: behind the last 64 nodes of a row come the same 64 nodes.
    RowsOpen,
    /// Bands do not go on in those beside them: behind the last word of a band comes its first.
    ColumnsApart,
    /// Bands do not go on in one another: behind the last row of a band comes its first.
    BandsApart,
    /// Replies are read as if the neighbour's port had the same number.
    SamePortBack,
    /// First requests that come too late wait (the published rules, without R1).
    LateRequestsWait,
    /// Prepares are answered while candidates compete.
    NobodyOnHold,
    /// Of several highest priorities each wins.
    TiesAreWon,
    /// A locked node still lets somebody win.
    LockIgnored,
    /// A round is decided though a candidate owes its priority.
    DecidesEarly,
    /// The result of a trial outlives the acknowledgement of set-lock.
    ResultsStay,
    /// A defeat at port 2 does not count.
    OneDefeatForgiven,
    /// The lowest bit of a priority does not count.
    LowBitLost,
    /// Nodes that are not active receive on port 1.
    AsleepReceives,
    /// Nodes that are not active draw their first priority.
    AsleepDraws,
    /// Whoever is idle and active calls Lock.
    WantingIgnored,
}

impl Fault {
    /// Whether this is `other`.
    #[inline(always)]
    pub(super) const fn is(self, other: Self) -> bool {
        self as u8 == other as u8
    }
}
