//! The end of a run that goes on for ever: once round, by which a node is kept waiting.

use acrasin_runtime::exclusion::{Exclusion, Stamps};
use acrasin_runtime::{CriticalSection, Digest, NodeId, StepOf, World};

use super::duty::{Due, due, waits};

/// Looks at the steps of a round: the configuration at its end is the one at its start, but for how far clocks are; the node
/// waits all the way; and what is due in every configuration is done, so that the same steps again and again are a weakly fair
/// run. A round without a step is that nothing is due.
#[derive(Clone, Debug)]
pub struct Round<E: Exclusion> {
    waiting: NodeId,
    start: Digest,
    /// What was due in every configuration so far and was not done.
    open: Vec<(Due<E::Action>, StepOf<E>)>,
}

impl<E: Exclusion + Clone> Round<E> {
    /// A round that begins here and keeps `waiting` waiting. Cost of each look: O(nodes + messages).
    ///
    /// # Errors
    ///
    /// There is no such node, or it does not wait.
    pub fn begin<S: CriticalSection + Clone>(world: &World<E, S>, waiting: NodeId) -> Result<Self, String> {
        let nodes = world.topology().node_count();
        if waiting.0 >= nodes {
            return Err(format!("there is no node {waiting}: 0 to {} are accepted", nodes - 1));
        }
        let round = Self { waiting, start: kept(world), open: all_due(world) };
        round.looked_at(world)?;
        Ok(round)
    }

    /// The next step was taken, and led to this world.
    ///
    /// # Errors
    ///
    /// The node does not wait any more.
    pub fn step<S: CriticalSection>(&mut self, step: &StepOf<E>, world: &World<E, S>) -> Result<(), String> {
        self.looked_at(world)?;
        let (done, now) = (due(world.exclusion(), step), all_due(world));
        self.open.retain(|(open, _)| Some(*open) != done && now.iter().any(|(due_now, _)| due_now == open));
        Ok(())
    }

    /// Whether the round could be over here: the configuration is the one at its start, and nothing is put off for ever.
    #[must_use]
    pub fn closes<S: CriticalSection + Clone>(&self, world: &World<E, S>) -> bool {
        self.open.is_empty() && kept(world) == self.start
    }

    /// Who waits.
    #[must_use]
    pub fn waiting(&self) -> NodeId {
        self.waiting
    }

    /// The round is over.
    ///
    /// # Errors
    ///
    /// The configuration is another than at the start, or something is due all the way and never done.
    pub fn end<S: CriticalSection + Clone>(self, world: &World<E, S>) -> Result<(), String> {
        let end = kept(world);
        if end != self.start {
            let start = self.start;
            return Err(format!(
                "the round ends in another configuration: digest {end}, at its start {start}"
            ));
        }
        match self.open.first() {
            None => Ok(()),
            Some((_, step)) => {
                Err(format!("the round is not fair: ({step}) is due all the way and never done"))
            }
        }
    }

    fn looked_at<S: CriticalSection>(&self, world: &World<E, S>) -> Result<(), String> {
        let waiting = self.waiting;
        match waits(world, waiting) {
            true => Ok(()),
            false => Err(format!("node {waiting} is to wait all the way round, and does not wait here")),
        }
    }
}

/// The digest of the configuration that is kept of all that behave alike.
fn kept<E: Exclusion + Clone, S: CriticalSection + Clone>(world: &World<E, S>) -> Digest {
    match world.clone().with_stamps(Stamps::Normalised) {
        Some(mut normalised) => {
            normalised.normalise();
            normalised.digest()
        }
        None => world.digest(),
    }
}

fn all_due<E: Exclusion, S: CriticalSection>(world: &World<E, S>) -> Vec<(Due<E::Action>, StepOf<E>)> {
    let (mut steps, mut delayed) = (Vec::new(), Vec::new());
    world.offered(&mut steps);
    world.delayed(&mut delayed);
    let steps = steps.into_iter().chain(delayed);
    steps.filter_map(|step| Some((due(world.exclusion(), &step)?, step))).collect()
}
