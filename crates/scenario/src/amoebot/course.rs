//! A run of amoebots: what the loop of all runs needs to know of it, in whatever way they act.

use std::borrow::Cow;
use std::cell::Cell;
use std::convert::Infallible;

use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::start::Drawing;
use acrasin_process::{Awaited, Ending, Goal, Measure, Progress, StopBound, StopGoal, StopRule};
use acrasin_report::record::{Exit, Figure, Section, SectionName};

use super::AmoebotPlan;
use super::figures::{SHAPE_COLUMNS, measures, shape};
use super::scenario::Stop;
use crate::document::quantity::Count;
use crate::document::stop::Every;
use crate::run::{Course, Drive, Filmed, Finished, Job, RunError, Sampler, Snapshot, Watch};

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
    fn look_back(&mut self, reached: Ending) -> Ending {
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

/// Observes a run after chosen numbers of steps, and may end it.
pub(super) trait StepObserver {
    /// How many steps of a run with this many it lets happen before it looks.
    fn distance(&self, steps: u64) -> u64;

    /// Looks at the run, which had `before` steps and was to make `most`.
    ///
    /// # Errors
    ///
    /// What it has seen cannot be written.
    fn observe(&mut self, run: &dyn AmoebotRun, before: u64, most: u64) -> Result<(), String>;

    /// Whether the run is over; `has_terminated` says whether it is without the observer.
    fn is_over(&self, has_terminated: bool) -> bool {
        has_terminated
    }

    /// The ending that the observer gives to the last configuration, with this digest; `None` to leave it to the run.
    fn ending(&self, reached: &Ending, digest: &str) -> Option<Ending> {
        let _ = (reached, digest);
        None
    }
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
    drive_observed(plan, job, run, None)
}

/// The same with an observer of steps.
pub(super) fn drive_observed<'a>(
    plan: &'a AmoebotPlan,
    job: &Job<'a>,
    run: &'a mut dyn AmoebotRun,
    observer: Option<&'a mut dyn StepObserver>,
) -> Result<Finished, RunError> {
    let mut columns = run.columns();
    let of_shape = SHAPE_COLUMNS.iter().enumerate();
    let measured: Vec<usize> = of_shape
        .filter(|(_, name)| plan.counts_shape && !columns.iter().any(|column| column == *name))
        .map(|(measure, _)| measure)
        .collect();
    columns.extend(measured.iter().map(|&measure| SHAPE_COLUMNS[measure].to_owned()));
    let mut manifest = plan.header.manifest(job.seed);
    manifest.further.push(Figure::new("algorithm", "algorithm", plan.algorithm.title()));
    let drive = Drive {
        watch: job.watch,
        is_watched_at_once: true,
        sampler: Some(Sampler::new(Every::Steps(Count(plan.counts_every)), columns, 1).exact()),
        pictures_at: &plan.pictures_at,
        repetition: job.repetition,
        manifest,
    };
    let (rule, settled) = (rule(plan), Cell::new(None));
    drive.run(&mut Planned {
        plan,
        rule,
        seed: job.seed,
        run,
        observer,
        measured,
        is_broken: false,
        settled,
        watch: job.watch,
        is_cut_short: false,
    })
}

/// When a run ends that does not terminate before.
fn rule(plan: &AmoebotPlan) -> StopRule<Infallible> {
    let bound = |steps: u64| StopBound::Count(Measure::Steps, steps);
    let goals = match plan.stop {
        Stop::Steps(steps) => vec![StopGoal::Bound(bound(*steps))],
        Stop::Terminated => Vec::new(),
    };
    let limits = plan.steps_max.map(bound).into_iter().collect();
    StopRule { goals, limits, trace_end: None, awaited: Awaited::End }
}

/// A run and what the plan says of its end.
struct Planned<'a> {
    plan: &'a AmoebotPlan,
    rule: StopRule<Infallible>,
    seed: u64,
    run: &'a mut dyn AmoebotRun,
    observer: Option<&'a mut dyn StepObserver>,
    /// Which measures of the shape are counted: those that the run does not count itself.
    measured: Vec<usize>,
    is_broken: bool,
    /// How far it was on the way to its end at its last count, and the effort after which it is counted again.
    settled: Cell<Option<(u64, Option<f64>)>>,
    watch: &'a dyn Watch,
    is_cut_short: bool,
}

/// Who has done its part is counted once for so many steps of each amoebot: a look at all costs less than a step of all.
const STEPS_A_COUNT: u64 = 128;

impl Planned<'_> {
    fn headway(&self) -> Headway {
        let headway = self.run.headway();
        let has_terminated = self
            .observer
            .as_ref()
            .map_or(headway.has_terminated, |observer| observer.is_over(headway.has_terminated));
        Headway { has_terminated, ..headway }
    }

    /// Whether there is time for figures and drawings of all amoebots.
    fn has_time(&self) -> bool {
        !self.is_cut_short || self.watch.has_time()
    }

    /// The most steps.
    fn bound(&self) -> u64 {
        self.rule.least(Measure::Steps).unwrap_or(u64::MAX)
    }
}

impl Course for Planned<'_> {
    type Error = RunError;

    fn at(&self) -> Progress {
        let Headway { steps, rounds, locks, .. } = self.run.headway();
        Progress { rounds, steps, locks, ..Progress::START }
    }

    fn fraction(&self, at: &Progress) -> Option<f64> {
        let bounded = self.rule.fraction(at);
        let effort = self.effort(at);
        let (_, settled) = self.settled.get().filter(|(next, _)| effort < *next).unwrap_or_else(|| {
            let next = effort.saturating_add(STEPS_A_COUNT.saturating_mul(self.plan.count as u64));
            let counted = (next, self.run.settled());
            self.settled.set(Some(counted));
            counted
        });
        bounded.into_iter().chain(settled).reduce(f64::max)
    }

    fn effort(&self, at: &Progress) -> u64 {
        at.steps.saturating_mul(self.run.width())
    }

    fn ending(&mut self, at: &Progress) -> Option<Ending> {
        let Headway { steps, has_terminated, is_full, inside, .. } = self.headway();
        // Faults are looked for at the moments of pictures only.
        if self.plan.pictures_at.binary_search(&steps).is_ok() && inside == 0 {
            let fault = self.run.fault();
            self.is_broken = fault.is_some();
            if let Some(fault) = fault {
                return Some(Ending::Violated(fault));
            }
        }
        if let Some(failed) = self.run.failed() {
            return Some(Ending::Violated(failed));
        }
        if has_terminated {
            let title = self.plan.algorithm.title().to_owned();
            return Some(if self.run.is_finished() {
                Ending::Reached(Goal::Terminated(title))
            } else {
                Ending::WrongEnd(title)
            });
        }
        self.rule.ending(at, |_, _| false).or_else(|| is_full.then_some(Ending::LogFull))
    }

    fn advance(&mut self, most: u64) -> Result<Option<Ending>, RunError> {
        let steps = self.run.headway().steps;
        let distance = self.observer.as_ref().map_or(u64::MAX, |observer| observer.distance(steps));
        let most = most.min(self.bound() - steps).min(distance);
        let drawn = |message: String| AmoebotPlan::drawn(self.seed, message);
        self.run.advance(most).map_err(drawn)?;
        if let Some(observer) = &mut self.observer {
            observer.observe(self.run, steps, most).map_err(drawn)?;
        }
        Ok(None)
    }

    /// Zeros of a shape too wide to be measured.
    fn counts(&self) -> Cow<'_, [u64]> {
        let mut row = self.run.counts();
        if !self.measured.is_empty() {
            let measures = measures(&self.run.cells(), || true).unwrap_or_default();
            row.extend(self.measured.iter().map(|&measure| measures[measure]));
        }
        row.into()
    }

    fn snapshot(&self, name: String) -> Option<Snapshot> {
        let steps = self.run.headway().steps;
        let title = format!(
            "{}: {}",
            self.plan.header.title,
            if steps == 0 { "start".to_owned() } else { format!("step {steps}") }
        );
        if !self.has_time() {
            let undrawn = Some("there was no time to draw it".to_owned());
            return Some(Snapshot { name, picture: None, undrawn, drawing: None });
        }
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

    fn awaited(&self) -> Awaited {
        self.rule.awaited
    }

    fn conclude(&mut self, reached: Ending) -> Result<Ending, RunError> {
        let observed =
            self.observer.as_ref().and_then(|observer| observer.ending(&reached, &self.run.digest()));
        let ending = observed.unwrap_or_else(|| self.run.look_back(reached));
        let is_open = self.is_broken || ending.exit() != Exit::Failed;
        self.is_cut_short = ending.is_cut_short();
        Ok(match self.run.fault() {
            Some(fault) if is_open => Ending::Violated(fault),
            _ => ending,
        })
    }

    fn sections(&self) -> Vec<Section> {
        let Self { plan, run, .. } = self;
        let mut sections = vec![run.work()];
        sections.extend(run.further());
        let mut digest = Section::of(SectionName::Digest);
        let configuration = self.has_time().then(|| run.digest());
        digest.push(Figure::new("configuration", "last configuration", configuration));
        let cells = self.has_time().then(|| run.cells());
        sections.push(shape(plan.count, cells.as_deref(), run.unlike_edges(), || self.has_time()));
        sections.push(digest);
        sections
    }
}
