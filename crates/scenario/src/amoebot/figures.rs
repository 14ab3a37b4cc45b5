//! The record of a run, its counts over time, its pictures; and the loop that all ways of running share.

use acrasin_amoebot::picture::{AMOEBOTS_MAX, Picture};
use acrasin_amoebot::start::{self, Drawing, Mark};
use acrasin_amoebot::{Body, Cell, Shape};
use acrasin_report::record::{Exit, Figure, Manifest, Outcome, RunRecord, Section, SectionName};
use acrasin_report::series::Series;
use acrasin_report::value::Value;

use super::AmoebotPlan;
use super::scenario::Stop;
use crate::limits::LOOK_STEPS;
use crate::plan::{At, Finished, Job, Proceed, RunError, Snapshot};

/// A run that goes on step by step.
pub(super) trait Course {
    /// Goes on for so many steps, fewer if it terminates.
    ///
    /// # Errors
    ///
    /// It cannot go on.
    fn advance(&mut self, steps: u64) -> Result<(), String>;

    /// Steps so far.
    fn steps(&self) -> u64;

    /// Rounds and Locks so far, for whoever looks on.
    fn rounds_and_locks(&self) -> (u64, u64) {
        (0, 0)
    }

    fn has_terminated(&self) -> bool {
        false
    }

    /// Whether its log is as long as it may be.
    fn is_full(&self) -> bool {
        false
    }

    /// Whether something is that should be at no moment. Asked at the moments of pictures, for it may take long.
    fn is_broken(&self) -> bool {
        false
    }

    /// The names of [`counts`](Self::counts).
    fn columns(&self) -> Vec<String>;

    /// What is counted over time.
    fn counts(&self) -> Vec<u64>;

    /// The occupied cells.
    fn cells(&self) -> Vec<Cell>;

    /// A picture; `None` of more than one can see.
    fn picture(&self) -> Option<Picture>;

    /// A drawing to start from; `None` of what has no marks or too large an area.
    fn drawing(&self) -> Option<Drawing>;

    /// How it looks now.
    fn snapshot(&self, name: String) -> Snapshot {
        Snapshot { name, picture: self.picture(), drawing: self.drawing() }
    }
}

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Terminated,
    Steps,
    Limit,
    Full,
    /// Something is that should be at no moment.
    Broken,
    CalledOff(Proceed),
}

/// What is known of a run once it is over.
pub(super) struct Driven {
    pub(super) end: End,
    pub(super) series: Series,
    /// At the start, at the chosen moments, at the end.
    pub(super) snapshots: Vec<Snapshot>,
}

/// Goes on until the end. It is compiled once, and not for every algorithm.
pub(super) fn drive(plan: &AmoebotPlan, job: &Job<'_>, course: &mut dyn Course) -> Result<Driven, RunError> {
    let stop = match plan.stop {
        Stop::Steps(steps) => Some(*steps),
        Stop::Terminated => None,
    };
    let bound = stop.unwrap_or(u64::MAX).min(plan.steps_max.unwrap_or(u64::MAX));
    let mut columns = course.columns();
    if plan.counts_shape {
        columns.extend(SHAPE_COLUMNS.map(str::to_owned));
    }
    let mut series = Series::new("steps", columns).expect("a few columns");
    let mut due = 0;
    let mut snapshots = vec![course.snapshot("start".to_owned())];
    let mut moments = plan.pictures_at.iter().copied().peekable();
    job.watch.begin();
    let end = loop {
        let steps = course.steps();
        if moments.next_if(|moment| *moment == steps).is_some() {
            let mut snapshot = course.snapshot(format!("step-{steps}"));
            // There may be many of them.
            snapshot.drawing = snapshot.drawing.filter(|_| snapshot.picture.is_some());
            snapshots.push(snapshot);
            if course.is_broken() {
                break End::Broken;
            }
        }
        if steps >= due {
            series.push(steps as f64, &row(plan, course)).expect("steps only grow");
            due = (steps / plan.counts_every).saturating_add(1).saturating_mul(plan.counts_every);
        }
        if course.has_terminated() {
            break End::Terminated;
        }
        if stop.is_some_and(|stop| steps >= stop) {
            break End::Steps;
        }
        if plan.steps_max.is_some_and(|most| steps >= most) {
            break End::Limit;
        }
        if course.is_full() {
            break End::Full;
        }
        let (rounds, locks) = course.rounds_and_locks();
        let fraction = (bound < u64::MAX).then(|| steps as f64 / bound as f64);
        match job.watch.look(&At { rounds, steps, interactions: 0, locks, fraction }) {
            Proceed::Continue => {}
            other => break End::CalledOff(other),
        }
        let next = moments.peek().map_or(u64::MAX, |moment| moment - steps);
        let most = LOOK_STEPS.min(due - steps).min(bound - steps).min(next);
        course.advance(most).map_err(|message| AmoebotPlan::drawn(job.seed, message))?;
    };
    let last = course.steps() as f64;
    if series.rows().last().is_none_or(|row| row.time < last) {
        series.push(last, &row(plan, course)).expect("steps only grow");
    }
    snapshots.push(course.snapshot("end".to_owned()));
    Ok(Driven { end, series, snapshots })
}

/// What is counted of the shape, if that is asked for.
const SHAPE_COLUMNS: [&str; 4] = ["adjacent pairs", "perimeter with holes", "connected parts", "holes"];

/// One row of counts; zeros of a shape too wide to be measured.
fn row(plan: &AmoebotPlan, course: &dyn Course) -> Vec<u64> {
    let mut row = course.counts();
    if plan.counts_shape {
        row.extend(measures(&course.cells()).unwrap_or_default());
    }
    row
}

/// Adjacent pairs, perimeter, connected parts, holes; `None` of cells that no shape has.
fn measures(cells: &[Cell]) -> Option<[u64; 4]> {
    let shape = Shape::of(cells.to_vec()).ok()?;
    let (n, edges, parts, holes) = (cells.len(), shape.edges(), shape.components(), shape.holes());
    // Every edge has two sides: three for each triangle, the others are on a boundary. And Euler's formula.
    let perimeter = 3 * (n + holes) - edges - 3 * parts;
    Some([edges, perimeter, parts, holes].map(|figure| figure as u64))
}

/// The outcome, if nothing was found to be wrong; `is_finished` tells whether the goal is reached.
pub(super) fn outcome(end: End, plan: &AmoebotPlan, is_finished: &dyn Fn() -> bool) -> Outcome {
    let name = plan.algorithm.needs().name;
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
        End::Broken => Outcome::new("violation", "something is that should be at no moment", Exit::Failed),
        End::CalledOff(Proceed::Interrupted) => {
            Outcome::new("interrupted", "the run was interrupted", Exit::Interrupted)
        }
        End::CalledOff(Proceed::OutOfTime | Proceed::Continue) => {
            Outcome::new("time", "the time was over before the end", Exit::BudgetExhausted)
        }
    }
}

/// A run that is over, without what only its kind has.
pub(super) struct Over<'a> {
    pub(super) plan: &'a AmoebotPlan,
    pub(super) job: &'a Job<'a>,
    pub(super) outcome: Outcome,
    pub(super) driven: Driven,
    pub(super) work: Section,
    pub(super) further: Vec<Section>,
    pub(super) cells: Vec<Cell>,
    pub(super) unlike_edges: Option<u64>,
    pub(super) digest: String,
}

impl Over<'_> {
    pub(super) fn finish(self) -> Finished {
        let Self { plan, job, outcome, driven, work, further, cells, unlike_edges, digest } = self;
        let Driven { series, snapshots, .. } = driven;
        let mut manifest = Manifest::new(env!("CARGO_PKG_VERSION"), job.seed);
        manifest.scenario = Some(plan.source.file.clone());
        manifest.scenario_text = Some(plan.source.text.clone());
        manifest.scenario_digest = Some(plan.source.digest.clone());
        manifest.further.push(Figure::new("title", "title", plan.title()));
        manifest.further.push(Figure::new("algorithm", "algorithm", plan.algorithm.needs().name));
        let mut record = RunRecord::new(job.repetition.into(), manifest, outcome);
        record.push(work);
        for section in further {
            record.push(section);
        }
        record.push(shape(plan.count, &cells, unlike_edges));
        let mut section = Section::of(SectionName::Digest);
        section.push(Figure::new("configuration", "last configuration", digest));
        record.push(section);
        Finished { record, series: Some(series), report_configuration: None, snapshots }
    }
}

/// The occupied cells at the end.
fn shape(amoebots: usize, cells: &[Cell], unlike_edges: Option<u64>) -> Section {
    let mut section = Section::new("shape", "Shape at the end");
    section.push(Figure::new("amoebots", "amoebots", amoebots as u64));
    section.push(Figure::new("cells", "occupied cells", cells.len() as u64));
    let figures = measures(cells).map(|figures| figures.map(Value::Integer));
    let [edges, perimeter, parts, holes] = figures.unwrap_or([const { Value::Missing }; 4]);
    section.push(Figure::new("edges", "adjacent pairs", edges));
    section.push(Figure::new("perimeter", "perimeter, holes included", perimeter));
    section.push(Figure::new("parts", "connected parts", parts));
    section.push(Figure::new("holes", "holes", holes));
    if let Some(unlike) = unlike_edges {
        section.push(Figure::new("unlike_edges", "adjacent pairs of unlike colours", unlike));
    }
    section
}

/// A picture; `None` of more amoebots, and cells of an object, than one can see.
pub(super) fn picture(
    amoebots: impl ExactSizeIterator<Item = (Body, usize)>,
    classes: &[String],
    object: &[Cell],
) -> Option<Picture> {
    if amoebots.len() + object.len() > AMOEBOTS_MAX {
        return None;
    }
    Some(Picture::new(amoebots, classes.iter().cloned()).ok()?.with_objects(object.to_vec()))
}

/// A drawing: the mark of each amoebot by its number; `None` if it cannot be written.
pub(super) fn drawing(
    bodies: impl Iterator<Item = Body>,
    mark: impl Fn(usize) -> Mark,
    object: &[Cell],
) -> Option<Drawing> {
    let amoebots = bodies.enumerate().map(|(i, body)| start::Drawn { body, mark: mark(i) });
    Drawing::new(amoebots.collect(), object.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScenarioFile;

    #[test]
    fn an_end_without_the_goal_is_a_failure() {
        let text = "(amoebots: (algorithm: Erosion, start: Line(count: 2)))";
        let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(text, "x.ron", &[]) else {
            panic!("a scenario of amoebots")
        };
        let plan = AmoebotPlan::new(&document, std::path::Path::new("")).unwrap();
        let exit = |end, is_finished| outcome(end, &plan, &|| is_finished).exit;
        assert_eq!(exit(End::Terminated, true), Exit::Done);
        assert_eq!(exit(End::Terminated, false), Exit::Failed);
        assert_eq!(exit(End::Steps, false), Exit::Done);
        assert_eq!(exit(End::Limit, true), Exit::BudgetExhausted);
        assert_eq!(exit(End::Full, true), Exit::BudgetExhausted);
        assert_eq!(exit(End::Broken, true), Exit::Failed);
        assert_eq!(exit(End::CalledOff(Proceed::OutOfTime), true), Exit::BudgetExhausted);
        assert_eq!(exit(End::CalledOff(Proceed::Interrupted), true), Exit::Interrupted);
    }

    #[test]
    fn perimeters_of_known_shapes() {
        let perimeter = |cells: &[(i32, i32)]| {
            let cells: Vec<Cell> = cells.iter().map(|&(x, y)| Cell::new(x, y).unwrap()).collect();
            let section = shape(cells.len(), &cells, None);
            section.figures().iter().find(|figure| figure.key() == "perimeter").unwrap().clone()
        };
        let is = |cells: &[(i32, i32)], expected: u64| {
            assert_eq!(perimeter(cells).value(), Figure::new("", "", expected).value(), "{cells:?}");
        };
        is(&[(0, 0)], 0);
        // There and back.
        is(&[(0, 0), (1, 0), (2, 0)], 4);
        is(&[(0, 0), (1, 0), (0, 1)], 3);
        is(&[(0, 0), (5, 0), (6, 0)], 2);
        // Round a ring outside and inside.
        is(&[(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], 12);
    }
}
