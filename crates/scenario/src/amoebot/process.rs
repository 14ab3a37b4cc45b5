//! Runs of amoebots under any engine.

use std::borrow::Cow;
use std::cell::Cell;
use std::io;

use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::start::Drawing;
use acrasin_process::{Awaited, Ending, Measure, Process, Progress, StopBound, StopGoal, StopRule};
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::Digest;

use super::AmoebotPlan;
use super::figures::{SHAPE_COLUMNS, measures, shape};
use super::scenario::AmoebotStop;
use crate::document::quantity::Count;
use crate::document::stop::SampleInterval;
use crate::predicate::BoundPredicate;
use crate::run::{
    CountConditions, CountStop, Drive, Filmed, Finished, Job, Presentation, ProcessRun, RunControl, RunError,
    Sampler, Snapshot, has_time_for_figures,
};

/// A process that moves amoebots, with its drawings and figures.
pub(super) trait AmoebotProcess: Process {
    /// The number of amoebots inside an action. Meanwhile safety properties of the algorithm need not hold.
    fn inside(&self) -> usize {
        0
    }

    /// A violation of a safety property of the algorithm, if there is one now. May take long.
    fn fault(&self) -> Option<String> {
        None
    }

    /// The fraction of amoebots that have reached their final state, if the algorithm can tell. Cost: O(n).
    fn settled(&self) -> Option<f64> {
        None
    }

    /// The names of [`counts`](Process::counts).
    fn columns(&self) -> Vec<String>;

    /// The occupied cells.
    fn cells(&self) -> Vec<acrasin_amoebot::Cell>;

    /// A picture of the amoebots.
    ///
    /// # Errors
    ///
    /// There are too many amoebots to be visible, or they are too far apart.
    fn picture(&self) -> Result<Picture, PictureError>;

    /// A drawing from which a run can start. `None` if there are no marks for the amoebots, if the area is too large,
    /// or once `has_time` returns false.
    fn drawing(&self, has_time: &dyn Fn() -> bool) -> Option<Drawing>;

    /// The [`digest`](Process::digest), or `None` once `has_time` returns false.
    fn digest_while(&self, has_time: &dyn Fn() -> bool) -> Option<u128> {
        has_time().then(|| self.digest())
    }

    /// The run as a source for films, amoebot by amoebot.
    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        None
    }

    /// The section of the record on completed work.
    fn work(&self) -> Section;

    /// Further sections at the end of the record.
    fn further(&self) -> Vec<Section>;

    /// The number of edges between unlike colours, for a chain with colours.
    fn unlike_edges(&self) -> Option<u64> {
        None
    }
}

/// An observer that can end the run. It chooses after how many steps it is called next.
pub(super) trait StepObserver {
    /// The number of steps until the next observation of a run that has made `steps`.
    fn distance(&self, steps: u64) -> u64;

    /// Observes the process. The last call started at step `before` and could run up to step `most`.
    ///
    /// # Errors
    ///
    /// The observation cannot be written.
    fn observe(&mut self, process: &dyn AmoebotProcess, before: u64, most: u64) -> io::Result<()>;

    /// The ending of a run that the observer ends, although the process could continue.
    fn over(&self) -> Option<Ending> {
        None
    }

    /// The ending that the observer assigns to the last configuration, with this digest; `None` to keep that of the
    /// run.
    fn ending(&self, reached: &Ending, digest: Digest) -> Option<Ending> {
        let _ = (reached, digest);
        None
    }
}

/// Drives a run to its end. Compiled once, not for every algorithm.
pub(super) fn drive(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    process: &mut dyn AmoebotProcess,
) -> Result<Finished, RunError> {
    drive_observed(plan, job, process, None)
}

/// Drives a run to its end with an observer of steps.
pub(super) fn drive_observed<'a>(
    plan: &'a AmoebotPlan,
    job: &Job<'a>,
    process: &'a mut (dyn AmoebotProcess + 'a),
    observer: Option<&'a mut dyn StepObserver>,
) -> Result<Finished, RunError> {
    #[cfg(test)]
    crate::run::probe::visit(process);
    let mut columns = process.columns();
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
        sampler: Some(Sampler::new(SampleInterval::Steps(Count(plan.counts_every)), columns, 1).exact()),
        pictures_at: &plan.pictures_at,
        repetition: job.repetition,
        manifest,
    };
    let (rule, conditions) = (rule(plan), CountConditions::new(&[], None));
    let stop = CountStop::new(&*process, (&rule, &conditions), None);
    let (settled, watch) = (Cell::new(None), job.watch);
    let view = AmoebotView { plan, observer, measured, settled, watch, is_cut_short: false };
    drive.run(&mut ProcessRun::new(process, stop, view))
}

/// The stop rule of a run that does not terminate earlier.
fn rule(plan: &AmoebotPlan) -> StopRule<BoundPredicate> {
    let bound = |steps: u64| StopBound::Count(Measure::Steps, steps);
    let goals = match plan.stop {
        AmoebotStop::Steps(steps) => vec![StopGoal::Bound(bound(*steps))],
        AmoebotStop::Terminated => Vec::new(),
    };
    let limits = plan.steps_max.map(bound).into_iter().collect();
    StopRule { goals, limits, trace_end: None, awaited: Awaited::End }
}

/// Makes the sections of a record and the data of a film for amoebots.
struct AmoebotView<'a> {
    plan: &'a AmoebotPlan,
    observer: Option<&'a mut dyn StepObserver>,
    /// Indices of the sampled shape measures that the process does not count itself.
    measured: Vec<usize>,
    /// The effort of the run at which settled amoebots are counted next, in steps of one amoebot, and the last counted
    /// fraction.
    settled: Cell<Option<(u64, Option<f64>)>>,
    watch: &'a dyn RunControl,
    is_cut_short: bool,
}

/// The number of steps per amoebot between two counts of settled amoebots. A count costs less than one step of every
/// amoebot.
const STEPS_A_COUNT: u64 = 128;

/// The maximum number of amoebots that are drawn and examined when a run is interrupted or out of time. For a million
/// amoebots, each of the two takes more than 0.1 s.
pub(super) const EXAMINED_AFTER_A_CUT: usize = 1 << 17;

impl AmoebotView<'_> {
    /// Whether there is time for figures and drawings of all amoebots.
    fn has_time(&self) -> bool {
        has_time_for_figures(self.watch, self.is_cut_short)
    }

    /// Whether computations over all amoebots that cannot be interrupted are made.
    fn examines(&self) -> bool {
        self.has_time() && !(self.is_cut_short && self.plan.count > EXAMINED_AFTER_A_CUT)
    }
}

impl<'a> Presentation<dyn AmoebotProcess + 'a> for AmoebotView<'_> {
    fn sections(&self, process: &(dyn AmoebotProcess + 'a)) -> Vec<Section> {
        let mut sections = vec![process.work()];
        if self.examines() {
            sections.extend(process.further());
        }
        let mut digest = Section::of(SectionName::Digest);
        let has_time = || self.examines();
        let configuration = process.digest_while(&has_time).map(|digest| Digest(digest).to_string());
        digest.push(Figure::new("configuration", "last configuration", configuration));
        let cells = self.examines().then(|| process.cells());
        sections.push(shape(self.plan.count, cells, process.unlike_edges(), &has_time));
        sections.push(digest);
        sections
    }

    /// The counts of the process, then the measures of the shape. Measures are 0 if the shape is too wide to be
    /// measured.
    fn counts<'p>(&self, process: &'p (dyn AmoebotProcess + 'a)) -> Cow<'p, [u64]> {
        let counts = process.counts();
        if self.measured.is_empty() {
            return counts;
        }
        let mut counts = counts.into_owned();
        let measures = measures(process.cells(), &|| true).unwrap_or_default();
        counts.extend(self.measured.iter().map(|&measure| measures[measure]));
        counts.into()
    }

    fn filmed(
        &mut self,
        process: &mut (dyn AmoebotProcess + 'a),
        show: &mut dyn FnMut(&mut dyn Filmed),
    ) -> bool {
        process.filmed().map(show).is_some()
    }

    fn snapshot(&self, process: &(dyn AmoebotProcess + 'a), name: String) -> Option<Snapshot> {
        let steps = process.progress().steps;
        let title = format!(
            "{}: {}",
            self.plan.header.title,
            if steps == 0 { "start".to_owned() } else { format!("step {steps}") }
        );
        if !self.examines() {
            let undrawn = Some("there was no time to draw it".to_owned());
            return Some(Snapshot { name, is_reached: true, picture: None, undrawn, drawing: None });
        }
        let (picture, undrawn, is_drawing) = match process.picture() {
            Ok(picture) => (Some(picture.with_title(title)), None, true),
            // If the amoebots are too far apart, a drawing would be mostly blank, and as wide as their distance.
            Err(error) => (None, Some(error.to_string()), !matches!(error, PictureError::TooSpread { .. })),
        };
        let drawing = is_drawing.then(|| process.drawing(&|| self.has_time())).flatten();
        Some(Snapshot { name, is_reached: true, picture, undrawn, drawing })
    }

    fn fraction(&self, process: &(dyn AmoebotProcess + 'a), _: &Progress) -> Option<f64> {
        let effort = process.effort();
        let counted = self.settled.get().filter(|(next, _)| effort < *next).unwrap_or_else(|| {
            let next = effort.saturating_add(STEPS_A_COUNT.saturating_mul(self.plan.count as u64));
            (next, process.settled())
        });
        self.settled.set(Some(counted));
        counted.1
    }

    fn reach(&self, progress: &Progress) -> u64 {
        self.observer.as_ref().map_or(u64::MAX, |observer| observer.distance(progress.steps))
    }

    fn observe(
        &mut self,
        process: &(dyn AmoebotProcess + 'a),
        before: u64,
        most: u64,
    ) -> Result<(), RunError> {
        let Some(observer) = &mut self.observer else { return Ok(()) };
        observer.observe(process, before, most).map_err(RunError::recording)
    }

    /// The ending if a safety property is violated. It is only tested after the steps at which pictures are made.
    fn ending(&mut self, process: &(dyn AmoebotProcess + 'a), progress: &Progress) -> Option<Ending> {
        let is_due = self.plan.pictures_at.binary_search(&progress.steps).is_ok() && process.inside() == 0;
        let fault = if is_due { process.fault() } else { None };
        let over = || self.observer.as_ref().and_then(|observer| observer.over());
        fault.map(Ending::Violated).or_else(over)
    }

    fn finish(
        &mut self,
        process: &mut (dyn AmoebotProcess + 'a),
        reached: Ending,
    ) -> Result<Ending, RunError> {
        let observer = self.observer.as_ref();
        let observed = observer.and_then(|observer| observer.ending(&reached, Digest(process.digest())));
        let ending = process.finish(observed.unwrap_or(reached)).map_err(RunError::recording)?;
        self.is_cut_short = ending.is_cut_short();
        Ok(ending)
    }
}
