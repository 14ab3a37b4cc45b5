//! Sets of transitions that die out.

/// The states with nonzero weights, each with its weight.
pub(crate) type Weights = Vec<(usize, i128)>;

/// A set of transitions, or of short sequences of them, that dies out: its members occur only finitely often.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) weights: Weights,
    pub(crate) items: Vec<Vec<usize>>,
    pub(crate) dead: Vec<usize>,
}
