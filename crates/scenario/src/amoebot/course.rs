//! A run of amoebots: what the loop of all runs needs to know of it, in whatever way they act.

use std::borrow::Cow;
use std::cell::Cell;

use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::start::Drawing;
use acrasin_report::record::{Exit, Figure, Outcome, Section, SectionName};

use super::AmoebotPlan;
use super::figures::{SHAPE_COLUMNS, measures, shape};
use super::scenario::Stop;
use crate::document::quantity::Count;
use crate::document::stop::Every;
use crate::run::{At, Course, Drive, Filmed, Finished, Job, RunError, Sampler, Snapshot};

/// A run of amoebots: step by step, and what it has come to.
pub(super) trait AmoebotRun {
    /// Goes on for so many steps, fewer if it terminates.
    ///
    /// # Errors
    ///
    /// It cannot go on.
    fn advance(&mut self, steps: u64) -> Result<(), String>;

    /// How far it is.
    fn headway(&self) -> Headway;

    /// How many amoebots a step is work for.
    fn width(&self) -> u64 {
        1
    }

    /// Whether the goal of the algorithm is reached.
    fn is_finished(&self) -> bool {
        false
    }

    /// The action that could not be done, and has ended the run.
    fn failed(&self) -> Option<String> {
        None
    }

    /// What is that should be at no moment. It may take long.
    fn fault(&self) -> Option<String> {
        None
    }

    /// The share of the amoebots that have done their part, if that is known of the algorithm. O(n).
    fn settled(&self) -> Option<f64> {
        None
    }

    /// The names of [`counts`](Self::counts).
    fn columns(&self) -> Vec<String>;

    /// What is counted over time.
    fn counts(&self) -> Vec<u64>;

    /// The occupied cells.
    fn cells(&self) -> Vec<acrasin_amoebot::Cell>;

    /// A picture.
    ///
    /// # Errors
    ///
    /// There are more amoebots than one can see, or they are too far apart.
    fn picture(&self) -> Result<Picture, PictureError>;

    /// A drawing to start from; `None` of what has no marks or too large an area.
    fn drawing(&self) -> Option<Drawing>;

    /// The same run, to be looked at amoebot by amoebot.
    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        None
    }

    /// Judges it from its end, once; whatever was reached, it may have gone wrong on the way.
    fn look_back(&mut self, reached: Outcome) -> Outcome {
        reached
    }

    /// What was done.
    fn work(&self) -> Section;

    /// What else there is to say at the end.
    fn further(&self) -> Vec<Section>;

    /// Of a chain with colours.
    fn unlike_edges(&self) -> Option<u64> {
        None
    }

    /// The digest of the last configuration.
    fn digest(&self) -> String;
}

/// How far a run of amoebots is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Headway {
    pub(super) steps: u64,
    pub(super) rounds: u64,
    pub(super) locks: u64,
    pub(super) has_terminated: bool,
    /// Its log is as long as it may be.
    pub(super) is_full: bool,
    /// Amoebots inside an action, where an algorithm promises nothing.
    pub(super) inside: usize,
}

/// Drives a run to its end. It is compiled once, and not for every algorithm.
pub(super) fn drive(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    run: &mut dyn AmoebotRun,
) -> Result<Finished, RunError> {
    let mut columns = run.columns();
    let of_shape = SHAPE_COLUMNS.iter().enumerate();
    let measured: Vec<usize> = of_shape
        .filter(|(_, name)| plan.counts_shape && !columns.iter().any(|column| column == *name))
        .map(|(measure, _)| measure)
        .collect();
    columns.extend(measured.iter().map(|&measure| SHAPE_COLUMNS[measure].to_owned()));
    let mut manifest = plan.source.manifest(plan.title(), job.seed);
    manifest.further.push(Figure::new("algorithm", "algorithm", plan.algorithm.title()));
    let drive = Drive {
        watch: job.watch,
        is_watched_at_once: true,
        sampler: Some(Sampler::new(Every::Steps(Count(plan.counts_every)), columns, 1).exact()),
        pictures_at: &plan.pictures_at,
        repetition: job.repetition,
        manifest,
    };
    let settled = Cell::new(None);
    drive.run(&mut Planned { plan, seed: job.seed, run, measured, is_broken: false, settled })
}

/// A run and what the plan says of its end.
struct Planned<'a> {
    plan: &'a AmoebotPlan,
    seed: u64,
    run: &'a mut dyn AmoebotRun,
    /// Which measures of the shape are counted: those that the run does not count itself.
    measured: Vec<usize>,
    is_broken: bool,
    /// How far it was on the way to its end at its last count, and the effort after which it is counted again.
    settled: Cell<Option<(u64, Option<f64>)>>,
}

/// Who has done its part is counted once for so many steps of each amoebot: a look at all costs less than a step of all.
const STEPS_A_COUNT: u64 = 128;

impl Planned<'_> {
    fn stop(&self) -> Option<u64> {
        match self.plan.stop {
            Stop::Steps(steps) => Some(*steps),
            Stop::Terminated => None,
        }
    }

    /// The most steps.
    fn bound(&self) -> u64 {
        self.stop().unwrap_or(u64::MAX).min(self.plan.steps_max.unwrap_or(u64::MAX))
    }

    fn end(&self) -> Option<End> {
        let Headway { steps, has_terminated, is_full, inside, .. } = self.run.headway();
        // Faults are looked for at the moments of pictures only.
        if self.plan.pictures_at.binary_search(&steps).is_ok() && inside == 0 && self.run.fault().is_some() {
            return Some(End::Broken);
        }
        if self.run.failed().is_some() {
            return Some(End::Failed);
        }
        if has_terminated {
            return Some(End::Terminated);
        }
        if self.stop().is_some_and(|stop| steps >= stop) {
            return Some(End::Steps);
        }
        if self.plan.steps_max.is_some_and(|most| steps >= most) {
            return Some(End::Limit);
        }
        is_full.then_some(End::Full)
    }
}

impl Course for Planned<'_> {
    type Error = RunError;

    fn at(&self) -> At {
        let Headway { steps, rounds, locks, .. } = self.run.headway();
        At { rounds, steps, locks, ..At::START }
    }

    fn fraction(&self, at: &At) -> Option<f64> {
        let bound = self.bound();
        let bounded = (bound < u64::MAX).then(|| at.steps as f64 / bound as f64);
        let effort = self.effort(at);
        let (_, settled) = self.settled.get().filter(|(next, _)| effort < *next).unwrap_or_else(|| {
            let next = effort.saturating_add(STEPS_A_COUNT.saturating_mul(self.plan.count as u64));
            let counted = (next, self.run.settled());
            self.settled.set(Some(counted));
            counted
        });
        bounded.into_iter().chain(settled).reduce(f64::max)
    }

    fn effort(&self, at: &At) -> u64 {
        at.steps.saturating_mul(self.run.width())
    }

    fn verdict(&mut self, _: &At) -> Option<Outcome> {
        let end = self.end()?;
        self.is_broken = end == End::Broken;
        if let (End::Failed, Some(failed)) = (end, self.run.failed()) {
            return Some(Outcome::new("violation", failed, Exit::Failed));
        }
        Some(outcome(end, self.plan.algorithm.title(), &|| self.run.is_finished()))
    }

    fn advance(&mut self, most: u64) -> Result<Option<Outcome>, RunError> {
        let most = most.min(self.bound() - self.run.headway().steps);
        self.run.advance(most).map_err(|message| AmoebotPlan::drawn(self.seed, message))?;
        Ok(None)
    }

    /// Zeros of a shape too wide to be measured.
    fn counts(&self) -> Cow<'_, [u64]> {
        let mut row = self.run.counts();
        if !self.measured.is_empty() {
            let measures = measures(&self.run.cells()).unwrap_or_default();
            row.extend(self.measured.iter().map(|&measure| measures[measure]));
        }
        row.into()
    }

    fn snapshot(&self, name: String) -> Option<Snapshot> {
        let steps = self.run.headway().steps;
        let title = format!(
            "{}: {}",
            self.plan.title,
            if steps == 0 { "start".to_owned() } else { format!("step {steps}") }
        );
        let (picture, undrawn, is_drawing) = match self.run.picture() {
            Ok(picture) => (Some(picture.titled(title)), None, true),
            // A drawing would be mostly blank, and as wide as the amoebots are apart.
            Err(error) => (None, Some(error.to_string()), !matches!(error, PictureError::TooSpread { .. })),
        };
        let drawing = is_drawing.then(|| self.run.drawing()).flatten();
        Some(Snapshot { name, picture, undrawn, drawing })
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.run.filmed()
    }

    fn awaited(&self) -> &'static str {
        "the end"
    }

    fn conclude(&mut self, reached: Outcome) -> Result<Outcome, RunError> {
        let outcome = self.run.look_back(reached);
        let is_open = self.is_broken || outcome.exit != Exit::Failed;
        Ok(match self.run.fault() {
            Some(fault) if is_open => Outcome::new("violation", fault, Exit::Failed),
            _ => outcome,
        })
    }

    fn sections(&self) -> Vec<Section> {
        let Self { plan, run, .. } = self;
        let mut sections = vec![run.work()];
        sections.extend(run.further());
        sections.push(shape(plan.count, &run.cells(), run.unlike_edges()));
        let mut digest = Section::of(SectionName::Digest);
        digest.push(Figure::new("configuration", "last configuration", run.digest()));
        sections.push(digest);
        sections
    }
}

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Terminated,
    Steps,
    Limit,
    Full,
    /// An action could not be done.
    Failed,
    /// Something is that should be at no moment.
    Broken,
}

/// The outcome, if nothing was found to be wrong; `is_finished` tells whether the goal is reached.
fn outcome(end: End, name: &str, is_finished: &dyn Fn() -> bool) -> Outcome {
    match end {
        End::Terminated if is_finished() => {
            Outcome::new("terminated", format!("{name} has terminated, and its goal is reached"), Exit::Done)
        }
        End::Terminated => {
            let reason = format!("{name} has terminated, but its goal is not reached");
            Outcome::new("wrong end", reason, Exit::Failed)
        }
        End::Steps => Outcome::new("steps", "all steps are done", Exit::Done),
        End::Limit => {
            Outcome::new("limit", "the limit on steps was reached before the end", Exit::BudgetExhausted)
        }
        End::Full => Outcome::new("limit", "the log of all actions is full", Exit::BudgetExhausted),
        End::Failed => Outcome::new("violation", "an action cannot be done", Exit::Failed),
        End::Broken => Outcome::new("violation", "something is that should be at no moment", Exit::Failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_without_the_goal_is_a_failure() {
        let exit = |end, is_finished| outcome(end, "erosion", &|| is_finished).exit;
        assert_eq!(exit(End::Terminated, true), Exit::Done);
        assert_eq!(exit(End::Terminated, false), Exit::Failed);
        assert_eq!(exit(End::Steps, false), Exit::Done);
        assert_eq!(exit(End::Limit, true), Exit::BudgetExhausted);
        assert_eq!(exit(End::Full, true), Exit::BudgetExhausted);
        assert_eq!(exit(End::Broken, true), Exit::Failed);
        assert_eq!(exit(End::Failed, true), Exit::Failed);
    }
}
