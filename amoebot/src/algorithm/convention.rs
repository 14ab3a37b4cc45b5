//! What the concurrency framework asks of an algorithm.

/// A convention that an algorithm can meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Convention {
    /// If one amoebot acts at a time, an enabled action is never aborted.
    Validity,
    /// An action computes from what the amoebot and its neighbours are, and then moves at most once.
    PhaseStructure,
    /// Who comes beside an amoebot by Expand while it acts makes no difference.
    Monotonicity,
    /// No amoebot ever moves. Then monotonicity holds trivially.
    Static,
}

impl Convention {
    /// All of them, as most algorithms meet them in which no amoebot moves.
    pub const ALL: &'static [Self] =
        &[Self::Validity, Self::PhaseStructure, Self::Monotonicity, Self::Static];
    /// What the framework asks for.
    pub const FRAMEWORK: &'static [Self] = &[Self::Validity, Self::PhaseStructure, Self::Monotonicity];
    /// All that the framework asks for but monotonicity.
    pub const NOT_MONOTONE: &'static [Self] = &[Self::Validity, Self::PhaseStructure];
}
