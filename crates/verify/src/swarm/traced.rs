//! What a list of steps is made of.

use acrasin_runtime::StepOf;
use acrasin_runtime::exclusion::Exclusion;

use crate::wrong::Wrong;

/// A step and the choices made inside it.
#[derive(Debug)]
pub struct Traced<E: Exclusion = Wrong> {
    /// What happens.
    pub step: StepOf<E>,
    /// What was drawn inside it.
    pub picks: Vec<u32>,
}

impl<E: Exclusion> Clone for Traced<E> {
    fn clone(&self) -> Self {
        Self { step: self.step, picks: self.picks.clone() }
    }
}

impl<E: Exclusion> PartialEq for Traced<E> {
    fn eq(&self, other: &Self) -> bool {
        (&self.step, &self.picks) == (&other.step, &other.picks)
    }
}

impl<E: Exclusion> Eq for Traced<E> {}
