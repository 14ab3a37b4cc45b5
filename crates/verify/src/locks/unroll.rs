//! Converts the moves of an exploration back to the steps of a run.

use acrasin_runtime::choice::{Enumerated, Scripted};
use acrasin_runtime::exclusion::Stamps;
use acrasin_runtime::{Naming, Step, StepOf, World};

use super::instance::{Explored, ExploredSection};
use super::model::LockModel;
use acrasin_explore::{Model as _, MoveId, Trace};

/// Takes the possible step that equals `step` up to the time stamps of its message. There is only one such step,
/// because channels are FIFO.
fn take_alike<E: Explored, S: ExploredSection>(
    world: &mut World<E, S>,
    step: StepOf<E>,
    picks: &[u32],
) -> StepOf<E> {
    let mut offered = Vec::new();
    world.offered(&mut offered);
    let is_alike = |other: &StepOf<E>| match (other, &step) {
        (Step::Receive { node, port, .. }, Step::Receive { node: to, port: by, .. })
        | (Step::Leave { node, port, .. }, Step::Leave { node: to, port: by, .. }) => {
            (node, port) == (to, by)
        }
        (other, step) => other == step,
    };
    let alike = offered.into_iter().find(is_alike).unwrap_or(step);
    world.apply(&alike, &mut Scripted::new(picks), &mut ()).expect("a move of this model, with other stamps");
    alike
}

impl<E: Explored, S: ExploredSection> LockModel<'_, E, S> {
    /// The steps of the run given by a trace and one more move, with their picks.
    ///
    /// The result is a run of the instance itself, with or without reductions. Under symmetry reduction a move of the
    /// trace refers to the stored configuration. The renamings along the trace are composed, to translate the move to
    /// the configuration of the run.
    ///
    /// # Panics
    ///
    /// Panics if the trace does not belong to this model.
    #[must_use]
    pub fn unroll(&self, trace: &Trace, last: Option<MoveId>) -> Vec<(StepOf<E>, Vec<u32>)> {
        let mut workbench = self.workbench();
        let mut packed = Vec::new();
        let kept = self.pack(&self.start, self.budget(), &mut packed);
        // Maps names of the stored configuration to those of the run.
        let mut names = kept.map_or_else(|| Naming::identity(self.instance.nodes), Naming::inverse);
        let mut run = Vec::new();
        // The world of the run itself, if stored configurations have normalised stamps.
        let mut real = (self.instance.exclusion.stamps() == Stamps::Normalised).then(|| self.first.clone());
        for id in trace.moves.iter().copied().chain(last) {
            let mut steps = Vec::new();
            let mut choices = Enumerated::new();
            let mut outcome = 0;
            let step = loop {
                self.unpack(&mut workbench, &packed);
                self.steps(&workbench.world, workbench.budget, &mut steps);
                let step = steps[usize::from(id.step)];
                workbench.world.apply(&step, &mut choices, &mut ()).expect("a move of this model");
                if outcome == id.place() {
                    let picks: Vec<u32> = choices.picks().collect();
                    let step_of_run = match &mut real {
                        None => names.step(step),
                        Some(world) => take_alike(world, step, &picks),
                    };
                    run.push((step_of_run, picks));
                    workbench.world.normalise();
                    break step;
                }
                outcome += 1;
                assert!(choices.advance(), "the outcome is one of this step");
            };
            packed.clear();
            if let Some(kept) = self.pack_after(&workbench, &step, &mut packed) {
                names = kept.inverse().then(&names);
            }
        }
        run
    }
}
