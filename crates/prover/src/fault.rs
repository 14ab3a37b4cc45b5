//! Faults that tests plant in the search, to show that the checker of certificates refuses what follows from them.

/// A fault of the search. Without tests nothing plants one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlantedFault {
    /// The first case of a siphon has the wrong sign.
    SiphonSign,
    /// The first case of a trap has the wrong sign.
    TrapSign,
    /// A siphon has no case in which it is occupied at the start.
    SiphonStart,
    /// A trap has no case in which it was never occupied.
    TrapNever,
    /// An entry has no case in which the set is occupied at the start.
    EntryStart,
    /// An exit has no case in which the set is occupied at the end.
    ExitEnd,
    /// One more agent in each state must be missing for a transition that is disabled.
    DisabledLate,
    /// Layers with proofs have none.
    UnprovedLayer,
    /// The flow is over live transitions only.
    LiveFlow,
    /// No agent may be in a state a if {a, a} is dead.
    NoSingle,
    /// Populations have 3 and more agents.
    ThreeAgents,
    /// Occupied states have two or more agents.
    OccupiedTwice,
    /// Only the first state with a wrong output is wrong.
    FirstWrong,
    /// Strict comparisons lose 2.
    StrictTwice,
    /// Quotients of remainders are not negative.
    NaturalQuotient,
    /// Transitions that keep a rank die with those that lower it.
    LevelRank,
    /// Live transitions may raise a rank.
    RaisedRank,
    /// Layers need no closure.
    OpenLayer,
    /// One agent is enough to enable a pair of equal states.
    OneIsPair,
    /// One state of a dead pair is always empty, even if the other is not occupied.
    EmptyPair,
    /// States may be split though live transitions change their counts.
    ChangingSplit,
    /// The child in which a state is empty is that in which it is occupied.
    SameChild,
    /// Constants of cuts are rounded down and then lowered.
    LoweredCut,
    /// One side is left out.
    OneSide,
    /// Numbers of constraints begin one later.
    LateNumbers,
}
