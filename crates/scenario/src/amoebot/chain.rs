//! Runs of Markov chains: compression, bridging, separation, or a chain of the caller's own.

use std::borrow::Cow;
use std::io::Write;

use acrasin_amoebot::algorithm::description::Placement;
use acrasin_amoebot::chain::bridging::landscape::Landscape;
use acrasin_amoebot::chain::{ChainError, ChainStart, RunningChain};
use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::start::{Drawing, Mark};
use acrasin_amoebot::{Body, Cell};
use acrasin_process::{Advance, Condition, Ending, Measure, Process, Progress, RunBound};
use acrasin_report::film::{self, ColumnKind, Head, NodeColumn, NodeValue};
use acrasin_report::record::{Section, SectionName};
use acrasin_runtime::choice::Seeded;
use acrasin_runtime::pack::{PackError, Saved as _};
use acrasin_verify::replay::StepReader;

use super::AmoebotPlan;
use super::checkpoints::{self, Checkpoint};
use super::figures::{further, told};
use super::filmed::{WHERE, coordinates};
use super::process::{AmoebotProcess, drive};
use super::scene::{drawing, picture};
use crate::limits::LOOK_STEPS;
use crate::run::saved::{SavedProcess, save_and_restore};
use crate::run::{Changes, Filmed, Finished, Job, JobReplayError, NodeView, RunError, free};

/// A run whose step is one step of the chain; for parallel chains, a window of all tiles.
struct ChainRun<'a> {
    chain: Box<dyn RunningChain>,
    /// The number of amoebots that try a move in one step: 1, or all amoebots in a window of parallel chains.
    width: u64,
    choices: &'a mut Seeded,
    landscape: Option<&'a Landscape>,
    /// The reason why the chain cannot continue, if it cannot.
    failed: Option<String>,
    /// The cells and classes of all amoebots, if every step is observed.
    shot: Option<ChainSnapshot>,
}

/// The cells and classes of all amoebots, and the amoebots that changed since the last observation.
#[derive(Default)]
struct ChainSnapshot {
    cells: Vec<Cell>,
    classes: Vec<usize>,
    changed: Vec<u32>,
}

impl Process for ChainRun<'_> {
    fn progress(&self) -> Progress {
        Progress { steps: self.chain.advanced(), ..Progress::START }
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        self.chain.state().counts().into()
    }

    fn effort(&self) -> u64 {
        self.chain.advanced().saturating_mul(self.width)
    }

    fn unit(&self) -> Measure {
        Measure::Steps
    }

    /// The number of steps in which about 4096 amoebots are selected.
    fn stride(&self) -> u64 {
        (LOOK_STEPS / self.width).max(1)
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        if self.meets(condition) {
            return Advance::Held;
        }
        let steps = bound.steps.saturating_sub(self.chain.advanced()).min(self.stride());
        match self.chain.advance(steps, self.choices) {
            Ok(()) => Advance::Advanced,
            Err(error) => {
                self.failed = Some(match error {
                    ChainError::TooSpread { .. } => {
                        format!("no further step is possible: the amoebots have spread over {error}")
                    }
                    error => error.to_string(),
                });
                Advance::Violated
            }
        }
    }

    fn ending(&self) -> Option<Ending> {
        self.failed.clone().map(Ending::Violated)
    }

    fn digest(&self) -> u128 {
        self.chain.state().digest().0
    }

    save_and_restore!();
}

impl SavedProcess for ChainRun<'_> {
    const KIND: &'static str = "chain";

    fn save_state(&self, into: &mut Vec<u8>) -> bool {
        self.choices.save(into);
        self.failed.is_none() && self.chain.save(into)
    }

    fn load_state(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.choices.load(from)?;
        self.chain.load(from)
    }
}

impl AmoebotProcess for ChainRun<'_> {
    fn columns(&self) -> Vec<String> {
        self.chain.state().columns().iter().map(|name| (*name).to_owned()).collect()
    }

    fn cells(&self) -> Vec<Cell> {
        self.chain.state().cells()
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        let shot = self.shot.as_mut()?;
        let (cells, (_, classes)) = (self.chain.state().cells(), self.chain.state().classes());
        let is_same = |node: usize| shot.cells[node] == cells[node] && shot.classes[node] == classes[node];
        if shot.cells.len() == cells.len() {
            let changed: Vec<u32> =
                (0..cells.len()).filter(|&node| !is_same(node)).map(|node| node as u32).collect();
            shot.changed.extend(changed);
        }
        (shot.cells, shot.classes) = (cells, classes);
        Some(self)
    }

    fn picture(&self) -> Result<Picture, PictureError> {
        let (names, classes) = self.chain.state().classes();
        let bodies: Vec<_> = self.cells().into_iter().map(Body::contracted).zip(classes).collect();
        let picture = picture(bodies.into_iter(), &names, self.chain.state().objects())?;
        Ok(match self.landscape {
            Some(land) => picture.with_object_name("anchor").with_landscape(|cell| land.is_land(cell)),
            None => picture,
        })
    }

    /// A drawing with one letter for each colour. `None` if there are more colours than letters, or for a reason that
    /// the trait method names.
    fn drawing(&self, has_time: &dyn Fn() -> bool) -> Option<Drawing> {
        let colours = self.chain.state().colours();
        let mark = |amoebot: usize| match &colours {
            Some(colours) => Mark::Letter(char::from(b'a'.saturating_add(colours[amoebot]))),
            None => Mark::None,
        };
        drawing(self.cells().into_iter().map(Body::contracted), mark, self.chain.state().objects(), has_time)
    }

    fn work(&self) -> Section {
        let mut work = Section::of(SectionName::Work);
        for figure in self.chain.work() {
            work.push(told(figure));
        }
        work
    }

    fn further(&self) -> Vec<Section> {
        self.chain.state().further().map(further).into_iter().collect()
    }

    fn unlike_edges(&self) -> Option<u64> {
        self.chain.state().unlike_edges()
    }
}

impl Filmed for ChainRun<'_> {
    fn head(&self) -> Head {
        let (names, _) = self.chain.state().classes();
        let mut columns = vec![NodeColumn::class("state", "colour", names)];
        columns.extend(WHERE.map(|(key, name)| NodeColumn::new(key, name, ColumnKind::Number)));
        let cells = self.chain.state().cells();
        let mut head = Head::new("cells", cells.len() as u32, columns);
        head.time = if self.width == 1 { "step" } else { "window" }.to_owned();
        head.picture = film::NodePositions {
            lattice: Some("triangular".to_owned()),
            objects: coordinates(self.chain.state().objects()),
            object: "anchor".to_owned(),
            ..film::NodePositions::default()
        };
        if let Some(landscape) = self.landscape {
            for cell in round_about(cells.iter().chain(self.chain.state().objects())) {
                let list =
                    if landscape.is_land(cell) { &mut head.picture.land } else { &mut head.picture.gap };
                list.push((cell.x(), cell.y()));
            }
        }
        head
    }

    fn moment(&self) -> u64 {
        self.chain.advanced()
    }

    fn look(&self, node: u32, into: &mut NodeView) {
        let ChainSnapshot { cells, classes, .. } = self.shot.as_ref().expect("the run is observed");
        let (cell, class) = (cells[node as usize], classes[node as usize]);
        into.values.push(NodeValue::Class(class as u32));
        into.values.extend([cell.x(), cell.y(), cell.x(), cell.y()].map(|x| NodeValue::Number(x.into())));
    }

    fn since(&mut self, into: &mut Changes) {
        into.nodes.append(&mut self.shot.as_mut().expect("the run is observed").changed);
    }
}

/// The cells of a parallelogram around the given cells, with a margin.
fn round_about<'c>(cells: impl Iterator<Item = &'c Cell>) -> impl Iterator<Item = Cell> {
    const MARGIN: i32 = 6;
    let at = |cell: &Cell| [cell.x(), cell.y()];
    let corners = cells.map(at).fold(None, |corners, at| {
        let (low, high): ([i32; 2], [i32; 2]) = corners.unwrap_or((at, at));
        Some(([0, 1].map(|i| low[i].min(at[i])), [0, 1].map(|i| high[i].max(at[i]))))
    });
    let ([left, bottom], [right, top]) = corners.unwrap_or_default();
    (bottom - MARGIN..=top + MARGIN)
        .flat_map(move |y| (left - MARGIN..=right + MARGIN).filter_map(move |x| Cell::new(x, y).ok()))
}

/// Starts the chain of a plan from `placement`.
fn begun<'a>(
    plan: &'a AmoebotPlan,
    job: &Job<'_>,
    placement: &Placement,
    choices: &'a mut Seeded,
) -> Result<ChainRun<'a>, RunError> {
    let chain = plan.algorithm.chain().expect("in the other algorithms amoebots act");
    let width = if chain.is_parallel() { plan.count as u64 } else { 1 };
    let chain = chain.start(ChainStart { placement, landscape: plan.landscape(), seed: job.seed });
    let chain = chain.map_err(|error| AmoebotPlan::drawn(job.seed, error.to_string()))?;
    let shot = job.watch.eye().map(|_| ChainSnapshot::default());
    Ok(ChainRun { chain, width, choices, landscape: plan.landscape(), failed: None, shot })
}

pub(super) fn run(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    placement: &Placement,
    choices: &mut Seeded,
    sink: Option<Box<dyn Write + '_>>,
) -> Result<Finished, RunError> {
    let mut chain = begun(plan, job, placement, choices)?;
    match sink {
        Some(sink) => checkpoints::recorded(plan, job, chain, sink),
        None => {
            let finished = drive(plan, job, &mut chain);
            free(chain, job.watch);
            finished
        }
    }
}

/// Repeats the run of a chain and compares it with its recorded checkpoints.
pub(super) fn replay(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    placement: &Placement,
    choices: &mut Seeded,
    lines: (&mut StepReader<'_, Checkpoint>, u64),
) -> Result<Finished, JobReplayError> {
    checkpoints::compared(plan, job, begun(plan, job, placement, choices)?, lines)
}
