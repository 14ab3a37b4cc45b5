//! Random walks through an instance that is too large to explore. They can find failures, but prove nothing.

use std::ops::ControlFlow;

use acrasin_runtime::choice::{Recorded, Scripted, derived_seed, pick_index};
use acrasin_runtime::exclusion::{Channels, Guarantee};
use acrasin_runtime::{Decision, Seeded, Step, StepOf, World};

use super::check::{PropertyVerdict, Verdict, Witness};
use super::instance::{Explored, ExploredSection};
use super::liveness::LOCKOUT_FREE;
use super::model::LockModel;
use crate::properties::{Sources, dead, promise, promises_of};

/// The maximum number of candidate runs that are tried while a run is shortened.
const TRIES_MAX: u64 = 200_000;

/// The maximum number of steps by which a shortened run is continued in search of a dead configuration.
const REST_MAX: usize = 2_000;

/// The number and length of walks, and the failure to look for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walks {
    /// The number of walks. Each has an independent random stream.
    pub walks: u64,
    /// The maximum number of steps of a walk.
    pub steps: u64,
    /// The seed of all draws.
    pub seed: u64,
    /// The property to look for; `None` for all properties that a single configuration can break. A walk ignores other
    /// failures, but ends at a broken promise. For [`LOCKOUT_FREE`] walks look for a cycle on which a node waits.
    pub only: Option<String>,
}

/// The result of random walks.
#[derive(Clone, PartialEq, Debug)]
pub struct Walked<W> {
    /// The number of walks that were started.
    pub walks: u64,
    /// The number of steps in all walks.
    pub steps: u64,
    /// The first failure found, with a shortened run to it. There may be shorter ones.
    pub found: Option<PropertyVerdict<W>>,
}

/// Steps, each with the picks made in it.
pub(super) type PickedSteps<E> = Vec<(StepOf<E>, Vec<u32>)>;

/// A broken property: its name, its source, and a description.
type WalkFailure = (&'static str, &'static str, String);

impl<E: Explored, S: ExploredSection> LockModel<'_, E, S> {
    /// Walks from the start until a property is broken, and shortens the run to it. Each step is drawn uniformly from
    /// all possible steps. The same arguments give the same run. Cost: the steps of the walks, and for shortening up to
    /// 200 000 runs, none longer than the failed walk.
    pub fn walk(
        &self,
        walks: &Walks,
        mut progress: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Walked<Witness<E>> {
        let mut walked = Walked { walks: 0, steps: 0, found: None };
        for number in 0..walks.walks {
            if progress(number).is_break() {
                break;
            }
            walked.walks += 1;
            let mut choices = Recorded::new(Seeded::new(derived_seed(walks.seed, number)));
            if walks.only.as_deref() == Some(LOCKOUT_FREE) {
                let (steps, lasso) = self.go_round(walks.steps, &mut choices);
                walked.steps += steps;
                let Some(lasso) = lasso else { continue };
                let witness = self.shortened_lasso(lasso, || progress(number)).witness();
                let source = Sources::of(self.promises()).lockout;
                let verdict = Verdict::Broken(witness);
                walked.found = Some(PropertyVerdict { property: LOCKOUT_FREE, source, verdict });
                break;
            }
            let (run, seen) = self.wander(walks, &mut choices);
            walked.steps += run.len() as u64;
            if let Some((property, source, _)) = seen {
                let steps = self.shortened(run, property, || progress(number));
                let text = self.end_of(&steps, property).map_or_else(String::new, |(_, _, text)| text);
                let round = steps.len();
                let verdict = Verdict::Broken(Witness { text, count: 1, steps, round, waits: None });
                walked.found = Some(PropertyVerdict { property, source, verdict });
                break;
            }
        }
        walked
    }

    fn promises(&self) -> Guarantee {
        self.instance.exclusion.promises()
    }

    /// The property that a configuration breaks, if any. If `only` is given, checks only this property. `own` is the
    /// number of steps that the nodes can take.
    fn seen(&self, world: &World<E, S>, own: usize, only: Option<&str>) -> Option<WalkFailure> {
        let is_asked = |name: &str| only.is_none_or(|only| only == name);
        let guarantee = world.exclusion().promises();
        if let Err(violation) = world.check() {
            let property = promise(&violation);
            let source = promises_of(guarantee).iter().find(|(name, _)| *name == property)?.1;
            return is_asked(property).then(|| (property, source, violation.to_string()));
        }
        let mut asked = self.properties().iter().filter(|property| is_asked(property.name()));
        let broken = asked.find_map(|property| {
            let text = property.check(world).err()?;
            Some((property.name(), property.source(), text))
        });
        broken.or_else(|| {
            let text = dead::check(world, own).err().filter(|_| is_asked(dead::NAME))?;
            Some((dead::NAME, Sources::of(guarantee).dead, text))
        })
    }

    fn wander(&self, walks: &Walks, choices: &mut Recorded<Seeded>) -> (PickedSteps<E>, Option<WalkFailure>) {
        let (mut world, mut left) = (self.first.clone(), self.budget());
        let (mut run, mut steps) = (Vec::new(), Vec::new());
        loop {
            let own = self.steps(&world, left, &mut steps);
            if let Some(seen) = self.seen(&world, own, walks.only.as_deref()) {
                return (run, Some(seen));
            }
            if run.len() as u64 >= walks.steps || world.violation().is_some() {
                return (run, None);
            }
            let Some(at) = pick_index(choices, steps.len(), Decision::Activation) else { return (run, None) };
            let step = steps[at];
            choices.clear();
            world.apply(&step, choices, &mut ()).expect("an offered step can be taken");
            run.push((step, choices.take()));
            left = left.after(&step);
        }
    }

    /// The failure in the last configuration of a run, if that configuration breaks `property`.
    fn end_of(&self, run: &PickedSteps<E>, property: &str) -> Option<WalkFailure> {
        let (mut world, mut left) = (self.first.clone(), self.budget());
        for (step, picks) in run {
            world.apply(step, &mut Scripted::new(picks), &mut ()).ok()?;
            left = left.after(step);
        }
        let own = self.steps(&world, left, &mut Vec::new());
        self.seen(&world, own, Some(property))
    }

    /// Returns `step` itself if it is among the possible steps `offered`. Otherwise, on a FIFO channel, the receipt of
    /// the message at the head.
    pub(super) fn alike(&self, step: &StepOf<E>, offered: &[StepOf<E>]) -> Option<StepOf<E>> {
        let in_order = self.instance.exclusion.assumes().channels == Channels::Fifo;
        let is_alike = |other: &&StepOf<E>| match (step, other) {
            (Step::Receive { node, port, .. }, Step::Receive { node: to, port: by, .. })
            | (Step::Leave { node, port, .. }, Step::Leave { node: to, port: by, .. }) => {
                in_order && (node, port) == (to, by)
            }
            _ => false,
        };
        offered.iter().find(|other| *other == step).or_else(|| offered.iter().find(is_alike)).copied()
    }

    /// Takes the steps in order and skips those that are not possible; on a FIFO channel the message at the head
    /// replaces the listed one. Returns the run up to the failure of `property`, if it occurs.
    fn retaken(&self, steps: &[(StepOf<E>, Vec<u32>)], property: &str) -> Option<PickedSteps<E>> {
        let (mut world, mut left) = (self.first.clone(), self.budget());
        let (mut run, mut offered) = (Vec::new(), Vec::new());
        let mut listed = steps.iter();
        // A run that should end dead is continued: the remaining messages are received.
        let mut rest = if property == dead::NAME { REST_MAX } else { 0 };
        loop {
            let own = self.steps(&world, left, &mut offered);
            if self.seen(&world, own, Some(property)).is_some() {
                return Some(run);
            }
            if world.violation().is_some() {
                return None;
            }
            let next = listed.find_map(|(step, picks)| Some((self.alike(step, &offered)?, picks.clone())));
            let is_call = |step: &StepOf<E>| matches!(step, Step::Lock { .. } | Step::Unlock { .. });
            let (step, picks) = match next {
                Some(next) => next,
                None => {
                    rest = rest.checked_sub(1)?;
                    (*offered[..own].iter().find(|step| !is_call(step))?, Vec::new())
                }
            };
            world.apply(&step, &mut Scripted::new(&picks), &mut ()).ok()?;
            left = left.after(&step);
            run.push((step, picks));
        }
    }

    /// Delta debugging (Zeller, Hildebrandt 2002): removes parts of the run while the rest still breaks the same
    /// property at the end. If `progress` returns `Break`, returns the shortest run so far.
    fn shortened(
        &self,
        run: PickedSteps<E>,
        property: &str,
        mut progress: impl FnMut() -> ControlFlow<()>,
    ) -> PickedSteps<E> {
        let mut best = run;
        let mut tries = TRIES_MAX;
        loop {
            let before = best.len();
            let mut size = (best.len() / 2).max(1);
            loop {
                let mut end = best.len();
                while end > 0 && tries > 0 {
                    if progress().is_break() {
                        return best;
                    }
                    let start = end.saturating_sub(size);
                    let kept = [&best[..start], &best[end..]].concat();
                    tries -= 1;
                    if let Some(shorter) = self.retaken(&kept, property).filter(|run| run.len() < best.len())
                    {
                        best = shorter;
                    }
                    end = start.min(best.len());
                }
                if size == 1 {
                    break;
                }
                size /= 2;
            }
            if best.len() == before || tries == 0 {
                return best;
            }
        }
    }
}
