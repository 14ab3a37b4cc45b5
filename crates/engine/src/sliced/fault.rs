//! Deliberate faults that the tests must detect.

/// A fault, selected at compile time. Production code is compiled with [`SlicedFault::None`] and contains no code for
/// faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(test), allow(dead_code))]
pub(super) enum SlicedFault {
    None,
    /// The last of 64 nodes has no eastern neighbour.
    WordsApart,
    /// Rows do not wrap around: the last 64 nodes of a row are followed by the same 64 nodes.
    RowsOpen,
    /// Bands side by side are not connected: the last word of a band is followed by its own first word.
    ColumnsApart,
    /// Bands above one another are not connected: the last row of a band is followed by its own first row.
    BandsApart,
    /// Replies are read as if the neighbour's port for the edge had the same number.
    SamePortBack,
    /// First requests that arrive during a competition wait, as in the published rules without R1.
    LateRequestsWait,
    /// Prepare messages are answered even while candidates compete, instead of being put on hold.
    HoldsIgnored,
    /// If several competitors have the highest priority, each of them wins.
    TiesAreWon,
    /// A node lets a competitor win although it is locked.
    LockIgnored,
    /// A trial is decided before all candidates have sent their priorities.
    DecidesEarly,
    /// The result of a trial is kept after the acknowledgement of set-lock.
    ResultsStay,
    /// A defeat at the neighbour on port 2 does not count.
    OneDefeatForgiven,
    /// The lowest bit of a priority is ignored.
    LowBitLost,
    /// Inactive nodes receive on port 1.
    AsleepReceives,
    /// Inactive nodes draw their first priority.
    AsleepDraws,
    /// Every idle active node calls Lock, regardless of whether it wants a lock.
    WantingIgnored,
}

impl SlicedFault {
    /// Whether two faults are equal, in constant expressions.
    #[inline(always)]
    pub(super) const fn is(self, other: Self) -> bool {
        self as u8 == other as u8
    }
}
