//! [`Traced`]: an element of a list of steps.

use acrasin_runtime::StepOf;
use acrasin_runtime::exclusion::Exclusion;

use crate::wrong::Wrong;

/// A step with the picks made inside it.
#[derive(Debug)]
pub struct Traced<E: Exclusion = Wrong> {
    /// The step that was taken.
    pub step: StepOf<E>,
    /// The picks made inside the step.
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
