//! Faults that tests plant in the search, to show that the checker of certificates refuses the resulting certificates.

/// A fault of the search. Only tests plant faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlantedFault {
    /// The first case of a siphon has the wrong sign.
    SiphonSign,
    /// The first case of a trap has the wrong sign.
    TrapSign,
    /// The case in which a siphon is occupied at the start is left out.
    SiphonStart,
    /// The case in which a trap was never occupied is left out.
    TrapNever,
    /// The case of an entry in which the set is occupied at the start is left out.
    EntryStart,
    /// The case of an exit in which the set is occupied at the end is left out.
    ExitEnd,
    /// A trap of a part of the run is compared with the final configuration.
    PartTrapEnd,
    /// The case in which a trap was never occupied in a part of the run is left out.
    PartTrapNever,
    /// A transition counts as disabled only if one more agent is missing in each state.
    DisabledLate,
    /// Layers that need proofs are written without them.
    UnprovedLayer,
    /// Only live transitions have a flow, although dead ones may fire before the bottom component.
    LiveFlow,
    /// If the pair {a, a} is dead, no agent may be in state a.
    NoSingle,
    /// Populations are assumed to have three or more agents.
    ThreeAgents,
    /// Occupied states have two or more agents.
    OccupiedTwice,
    /// Only the first state with a wrong output counts as wrong.
    FirstWrong,
    /// Strict comparisons are tightened by 2 instead of 1.
    StrictTwice,
    /// The integer quotient that encodes a `mod` term is assumed to be at least 0; it may be negative.
    NaturalQuotient,
    /// Transitions that do not change a rank count as dead, like the transitions that lower it.
    LevelRank,
    /// A rank is accepted although live transitions raise it.
    RaisedRank,
    /// Layers are not checked to be closed.
    OpenLayer,
    /// One agent counts as enough to enable a pair of equal states.
    OneIsPair,
    /// One state of a dead pair counts as empty, even if the other is not known to be occupied.
    EmptyPair,
    /// A node may be split on a state even if live transitions change its count.
    ChangingSplit,
    /// Both cases of a split, in which the state is empty or occupied, get the same child.
    SameChild,
    /// Constants of cuts are rounded down and then lowered.
    LoweredCut,
    /// The certificate proves only one side of the claim.
    OneSide,
    /// The numbers of constraints are too large by one.
    LateNumbers,
}
