//! [`CircuitRules`]: deviations from the rules of circuits.

/// Deviating rules: wrong variants that checks must catch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CircuitRules {
    /// Whether pin `g` of one side is linked with pin `g` of the other side.
    pub same_numbers_are_linked: bool,
    /// Whether the least message of a circuit is received, instead of the greatest.
    pub least_message_wins: bool,
    /// Whether an amoebot whose form changes keeps its sets.
    pub sets_survive_movements: bool,
}
