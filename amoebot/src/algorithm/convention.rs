//! Conventions that the concurrency framework requires of an algorithm.

/// A convention that an algorithm can satisfy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Convention {
    /// An enabled action is never aborted if one amoebot acts at a time.
    Validity,
    /// An action computes from the amoebot and its neighbours, and then moves at most once.
    PhaseStructure,
    /// An amoebot that expands next to an acting amoebot does not change the effect of the action.
    Monotonicity,
    /// No amoebot ever moves. Monotonicity then holds trivially.
    Static,
}

impl Convention {
    /// All conventions. Most algorithms in which no amoebot moves satisfy them.
    pub const ALL: &'static [Self] =
        &[Self::Validity, Self::PhaseStructure, Self::Monotonicity, Self::Static];
    /// The conventions that the framework requires.
    pub const FRAMEWORK: &'static [Self] = &[Self::Validity, Self::PhaseStructure, Self::Monotonicity];
    /// The conventions that the framework requires, without monotonicity.
    pub const NOT_MONOTONE: &'static [Self] = &[Self::Validity, Self::PhaseStructure];
}
