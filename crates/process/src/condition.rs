//! [`Condition`]: a condition on counts.

/// A condition on how many entities are in each counted class.
///
/// ```
/// use acrasin_process::Condition;
///
/// /// Half of the agents or more are in state 1.
/// struct Half;
///
/// impl Condition for Half {
///     fn holds(&self, counts: &[u64]) -> bool {
///         2 * counts[1] >= counts.iter().sum()
///     }
/// }
/// assert!(Half.holds(&[3, 3]) && Half.possible(&[0, 0], &[9, 9]));
/// ```
pub trait Condition {
    /// Whether it holds for these counts.
    fn holds(&self, counts: &[u64]) -> bool;

    /// Whether it can begin to hold only at an interaction that leaves at most one agent in a state that it
    /// took one from. `false` is always correct; `true` saves evaluations after all other interactions.
    fn is_of_last_agents(&self) -> bool {
        false
    }

    /// Whether it can hold for counts from `least` to `most`, class by class. `true` is always correct. A
    /// certain `false` saves evaluations at single interactions, because runs ask for whole stretches.
    fn possible(&self, _least: &[u64], _most: &[u64]) -> bool {
        true
    }
}
