//! [`Round`]: checks a cycle of an infinite run on which a node waits forever.

use acrasin_runtime::exclusion::{Exclusion, Stamps};
use acrasin_runtime::{CriticalSection, Digest, NodeId, StepOf, World};

use super::duty::{DueStep, due, waits};

/// Checks that steps form a cycle of a weakly fair run on which a node waits.
///
/// A cycle must satisfy three conditions. Its last configuration equals the first, up to clock values. The node waits
/// throughout. Every duty that is open in all configurations is fulfilled at some step. Then the same steps can be
/// repeated forever. An empty cycle means that no duty is open.
#[derive(Clone, Debug)]
pub struct Round<E: Exclusion> {
    waiting: NodeId,
    start: Digest,
    /// Duties that were open in every configuration so far and have not been fulfilled, each with a step that would
    /// fulfil it.
    open: Vec<(DueStep<E::Action>, StepOf<E>)>,
}

impl<E: Exclusion + Clone> Round<E> {
    /// Begins a cycle at this world, during which node `waiting` waits. Cost of this and each later call: O(nodes +
    /// messages).
    ///
    /// # Errors
    ///
    /// An error message if there is no such node, or it does not wait.
    pub fn begin<S: CriticalSection + Clone>(world: &World<E, S>, waiting: NodeId) -> Result<Self, String> {
        let nodes = world.topology().node_count();
        if waiting.0 >= nodes {
            return Err(format!("there is no node {waiting}: 0 to {} are accepted", nodes - 1));
        }
        let round = Self { waiting, start: kept(world), open: all_due(world) };
        round.looked_at(world)?;
        Ok(round)
    }

    /// Records that `step` was taken and led to this world.
    ///
    /// # Errors
    ///
    /// An error message if the node no longer waits.
    pub fn step<S: CriticalSection>(&mut self, step: &StepOf<E>, world: &World<E, S>) -> Result<(), String> {
        self.looked_at(world)?;
        let (done, now) = (due(world.exclusion(), step), all_due(world));
        self.open.retain(|(open, _)| Some(*open) != done && now.iter().any(|(due_now, _)| due_now == open));
        Ok(())
    }

    /// Whether the cycle can end here: the configuration equals the first one, and no duty was open throughout without
    /// being fulfilled.
    #[must_use]
    pub fn closes<S: CriticalSection + Clone>(&self, world: &World<E, S>) -> bool {
        self.open.is_empty() && kept(world) == self.start
    }

    /// The node that waits forever.
    #[must_use]
    pub fn waiting(&self) -> NodeId {
        self.waiting
    }

    /// Checks that the cycle is complete at this world.
    ///
    /// # Errors
    ///
    /// An error message if the configuration differs from the first one, or a duty was open throughout and never
    /// fulfilled.
    pub fn end<S: CriticalSection + Clone>(self, world: &World<E, S>) -> Result<(), String> {
        let end = kept(world);
        if end != self.start {
            let start = self.start;
            return Err(format!(
                "the cycle ends in another configuration: digest {end}, at its start {start}"
            ));
        }
        match self.open.first() {
            None => Ok(()),
            Some((_, step)) => Err(format!(
                "the cycle is not fair: step ({step}) is due throughout the cycle and never taken"
            )),
        }
    }

    fn looked_at<S: CriticalSection>(&self, world: &World<E, S>) -> Result<(), String> {
        let waiting = self.waiting;
        match waits(world, waiting) {
            true => Ok(()),
            false => Err(format!("node {waiting} should wait throughout the cycle, but does not wait here")),
        }
    }
}

/// The digest of the configuration with normalised time stamps. Configurations that differ only in clock values have
/// equal digests.
fn kept<E: Exclusion + Clone, S: CriticalSection + Clone>(world: &World<E, S>) -> Digest {
    match world.clone().with_stamps(Stamps::Normalised) {
        Some(mut normalised) => {
            normalised.normalise();
            normalised.digest()
        }
        None => world.digest(),
    }
}

fn all_due<E: Exclusion, S: CriticalSection>(world: &World<E, S>) -> Vec<(DueStep<E::Action>, StepOf<E>)> {
    let (mut steps, mut delayed) = (Vec::new(), Vec::new());
    world.offered(&mut steps);
    world.delayed(&mut delayed);
    let steps = steps.into_iter().chain(delayed);
    steps.filter_map(|step| Some((due(world.exclusion(), &step)?, step))).collect()
}
