//! Random walks that look for a cycle on which a node waits forever.

use acrasin_catalogue::counted;
use std::ops::ControlFlow;

use acrasin_runtime::choice::{Recorded, Scripted, pick_index};
use acrasin_runtime::{Decision, NodeId, Seeded, World};

use super::check::Witness;
use super::instance::{Explored, ExploredSection};
use super::model::LockModel;
use super::round::Round;
use super::trace::node_name;
use super::walks::PickedSteps;

/// The maximum number of candidate lassos that are tried while a lasso is shortened.
const TRIES_MAX: u64 = 20_000;

/// The number of steps after which the marked configuration is replaced for the first time; the number doubles each
/// time.
const FIRST_WAIT: usize = 64;

/// A path to a configuration, and a cycle from it on which a node waits throughout.
pub(super) struct Lasso<E: Explored> {
    there: PickedSteps<E>,
    round: PickedSteps<E>,
    waits: NodeId,
}

impl<E: Explored> Lasso<E> {
    pub(super) fn witness(self) -> Witness<E> {
        let Self { there, round, waits } = self;
        let name = node_name(waits);
        let text = format!(
            "{name} waits, and one cycle takes {}, with every due step",
            counted(round.len(), "step")
        );
        let at = there.len();
        let steps = [there, round].concat();
        Witness { text, count: 1, steps, round: at, waits: Some(waits) }
    }
}

impl<E: Explored, S: ExploredSection> LockModel<'_, E, S> {
    /// Walks up to `most` steps, each drawn uniformly from the nodes' own steps, until the marked configuration recurs.
    /// A node must wait throughout the cycle, and every duty must be fulfilled on it. The marked configuration is
    /// replaced at doubling intervals (Brent 1980). Returns the number of steps, and the lasso if one was found.
    pub(super) fn go_round(&self, most: u64, choices: &mut Recorded<Seeded>) -> (u64, Option<Lasso<E>>) {
        let mut world = self.first.clone();
        let (mut run, mut steps): (PickedSteps<E>, _) = (Vec::new(), Vec::new());
        let mut rounds = self.rounds(&world);
        let (mut marked, mut patience) = (0, FIRST_WAIT);
        while (run.len() as u64) < most && world.violation().is_none() {
            if rounds.is_empty() || run.len() - marked >= patience {
                patience = if rounds.is_empty() { patience } else { patience.saturating_mul(2) };
                (rounds, marked) = (self.rounds(&world), run.len());
            }
            let own = self.steps(&world, self.budget(), &mut steps);
            let Some(at) = pick_index(choices, own, Decision::Activation) else { break };
            let step = steps[at];
            choices.clear();
            world.apply(&step, choices, &mut ()).expect("an offered step can be taken");
            run.push((step, choices.take()));
            rounds.retain_mut(|round| round.step(&step, &world).is_ok());
            if let Some(round) = rounds.iter().find(|round| round.closes(&world)) {
                let (waits, taken) = (round.waiting(), run.len() as u64);
                let round = run.split_off(marked);
                return (taken, Some(Lasso { there: run, round, waits }));
            }
        }
        (run.len() as u64, None)
    }

    /// Starts a candidate cycle at this configuration for each waiting node.
    fn rounds(&self, world: &World<E, S>) -> Vec<Round<E>> {
        world.topology().nodes().filter_map(|node| Round::begin(world, node).ok()).collect()
    }

    /// Takes the steps of `listed` in order, and skips those that are not possible. Returns the steps taken.
    fn taken(&self, world: &mut World<E, S>, listed: &PickedSteps<E>) -> PickedSteps<E> {
        let (mut run, mut offered) = (Vec::new(), Vec::new());
        for (step, picks) in listed {
            self.steps(world, self.budget(), &mut offered);
            let Some(step) = self.alike(step, &offered) else { continue };
            if world.apply(&step, &mut Scripted::new(picks), &mut ()).is_ok() {
                run.push((step, picks.clone()));
            }
        }
        run
    }

    /// The lasso that these steps form, without the impossible ones; `None` if they form none.
    fn relaid(&self, there: &PickedSteps<E>, round: &PickedSteps<E>, waits: NodeId) -> Option<Lasso<E>> {
        let mut world = self.first.clone();
        let there = self.taken(&mut world, there);
        let mut looks = Round::begin(&world, waits).ok()?;
        let (mut offered, mut taken) = (Vec::new(), PickedSteps::<E>::new());
        for (step, picks) in round {
            self.steps(&world, self.budget(), &mut offered);
            let Some(step) = self.alike(step, &offered) else { continue };
            world.apply(&step, &mut Scripted::new(picks), &mut ()).ok()?;
            looks.step(&step, &world).ok()?;
            taken.push((step, picks.clone()));
        }
        looks.end(&world).ok()?;
        (!taken.is_empty() && world.violation().is_none()).then_some(Lasso { there, round: taken, waits })
    }

    /// Delta debugging: removes parts of the path and of the cycle while the rest is still a lasso.
    pub(super) fn shortened_lasso(
        &self,
        lasso: Lasso<E>,
        mut progress: impl FnMut() -> ControlFlow<()>,
    ) -> Lasso<E> {
        let mut best = lasso;
        let mut tries = TRIES_MAX;
        loop {
            let before = best.there.len() + best.round.len();
            let mut size = (before / 2).max(1);
            loop {
                for of_round in [true, false] {
                    let len = |lasso: &Lasso<E>| if of_round { lasso.round.len() } else { lasso.there.len() };
                    let mut end = len(&best);
                    while end > 0 && tries > 0 {
                        if progress().is_break() {
                            return best;
                        }
                        let start = end.saturating_sub(size);
                        let list = if of_round { &best.round } else { &best.there };
                        let kept = [&list[..start], &list[end..]].concat();
                        let (there, round) =
                            if of_round { (&best.there, &kept) } else { (&kept, &best.round) };
                        tries -= 1;
                        let all = best.there.len() + best.round.len();
                        let found = self.relaid(there, round, best.waits);
                        if let Some(shorter) = found.filter(|new| new.there.len() + new.round.len() < all) {
                            best = shorter;
                        }
                        end = start.min(len(&best));
                    }
                }
                if size == 1 {
                    break;
                }
                size /= 2;
            }
            if best.there.len() + best.round.len() == before || tries == 0 {
                return best;
            }
        }
    }
}
