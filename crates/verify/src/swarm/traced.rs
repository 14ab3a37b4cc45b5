//! What a list of steps is made of.

use acrasin_runtime::Step;
use acrasin_runtime::exclusion::local::{Action, Message};

/// A step and the choices made inside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traced {
    /// What happens.
    pub step: Step<Action, Message>,
    /// The priorities drawn.
    pub picks: Vec<u32>,
}
