//! Random walks through an instance that is too large to be explored: they find, and prove nothing.

use std::ops::ControlFlow;

use acrasin_runtime::choice::{Recorded, Scripted, derived_seed, pick_index};
use acrasin_runtime::exclusion::{Channels, Guarantee};
use acrasin_runtime::{Decision, Seeded, Step, StepOf, World};

use super::check::{Answer, Verdict, Witness};
use super::instance::{Explored, ExploredSection};
use super::liveness::LOCKOUT_FREE;
use super::model::Locks;
use crate::properties::{Sources, dead, promise, promises_of};

/// Lists that are tried while a run is made short.
const TRIES_MAX: u64 = 200_000;

/// Steps that a shortened list is carried on with, where it should end dead.
const REST_MAX: usize = 2_000;

/// How far to walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walks {
    /// How many walks. Each has a stream of draws of its own.
    pub walks: u64,
    /// The steps of a walk.
    pub steps: u64,
    /// Of all draws.
    pub seed: u64,
    /// The property that is looked for; any that one configuration can break if none is named. A walk goes on past others, and
    /// ends at a broken promise. For [`LOCKOUT_FREE`] it looks for a way round on which a node waits.
    pub only: Option<String>,
}

/// What walks have come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Walked<W> {
    /// How many were begun.
    pub walks: u64,
    /// The steps of all of them.
    pub steps: u64,
    /// The first property that was seen broken, with a run to it, made short: not a shortest one.
    pub found: Option<Answer<W>>,
}

/// Steps with what was drawn in them.
pub(super) type Run<E> = Vec<(StepOf<E>, Vec<u32>)>;

/// A property, the lemma it stands for, and what was seen.
type Seen = (&'static str, &'static str, String);

impl<E: Explored, S: ExploredSection> Locks<'_, E, S> {
    /// Walks from the start, each next step drawn uniformly from all that can happen, until something is broken, and makes
    /// the run to it short. The same walks give the same run. Cost: what the steps cost, and up to 200 000 runs of the
    /// length of the walk that is made short.
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
                walked.found = Some(Answer { property: LOCKOUT_FREE, source, verdict });
                break;
            }
            let (run, seen) = self.wander(walks, &mut choices);
            walked.steps += run.len() as u64;
            if let Some((property, source, _)) = seen {
                let steps = self.shortened(run, property, || progress(number));
                let text = self.end_of(&steps, property).map_or_else(String::new, |(_, _, text)| text);
                let round = steps.len();
                let verdict = Verdict::Broken(Witness { text, count: 1, steps, round, waits: None });
                walked.found = Some(Answer { property, source, verdict });
                break;
            }
        }
        walked
    }

    fn promises(&self) -> Guarantee {
        self.instance.exclusion.promises()
    }

    /// What of `only`, or of all, is wrong with a configuration; `own` is how many steps its nodes can take.
    fn seen(&self, world: &World<E, S>, own: usize, only: Option<&str>) -> Option<Seen> {
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

    fn wander(&self, walks: &Walks, choices: &mut Recorded<Seeded>) -> (Run<E>, Option<Seen>) {
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

    /// What is broken at the end of a run.
    fn end_of(&self, run: &Run<E>, property: &str) -> Option<Seen> {
        let (mut world, mut left) = (self.first.clone(), self.budget());
        for (step, picks) in run {
            world.apply(step, &mut Scripted::new(picks), &mut ()).ok()?;
            left = left.after(step);
        }
        let own = self.steps(&world, left, &mut Vec::new());
        self.seen(&world, own, Some(property))
    }

    /// The step itself, if it can be taken, or the one that stands for it: of a channel first in, first out the message that is next.
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

    /// Takes these steps as far as they can be taken: what cannot happen is left out, of a channel first in, first out the
    /// message that is next stands for the one that was. The run until `property` is broken, if it is.
    fn retaken(&self, steps: &[(StepOf<E>, Vec<u32>)], property: &str) -> Option<Run<E>> {
        let (mut world, mut left) = (self.first.clone(), self.budget());
        let (mut run, mut offered) = (Vec::new(), Vec::new());
        let mut listed = steps.iter();
        // A list that should end dead is carried on: messages that are left are received.
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

    /// Delta debugging (Zeller, Hildebrandt 2002): parts are left out while the same property is broken in the end. When
    /// `progress` says that it is enough, the run is as short as it has become.
    fn shortened(
        &self,
        run: Run<E>,
        property: &str,
        mut progress: impl FnMut() -> ControlFlow<()>,
    ) -> Run<E> {
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
