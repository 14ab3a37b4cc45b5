//! Runs of other models in synchronous rounds, such as circuits and joint movements.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;

use acrasin_amoebot::Cell;
use acrasin_amoebot::algorithm::description::Placement;
use acrasin_amoebot::algorithm::synchronous::SynchronousRun;
use acrasin_amoebot::picture::{Picture, PictureError};
use acrasin_amoebot::start::{Drawing, Mark};
use acrasin_process::{
    Advance, Awaited, Condition, Ending, Measure, Process, Progress, RestoreError, RunBound,
};
use acrasin_report::film::{ColumnKind, FrameEvents, Head, NodeColumn, NodePositions, NodeValue, VIOLATED};
use acrasin_report::record::{Section, SectionName};
use acrasin_verify::replay::StepReader;

use super::AmoebotPlan;
use super::checkpoints::{self, Checkpoint};
use super::figures::{further, told};
use super::filmed::{WHERE, coordinates};
use super::pins;
use super::process::{AmoebotProcess, drive};
use super::scene::{drawing, picture};
use crate::run::{
    Changes, Filmed, Finished, Job, JobReplayError, NodeView, Proceed, RunControl, RunError, called_off,
    counts_section, free,
};

/// A run of a synchronous model, whose step is a round.
struct RoundsOfModel<'a> {
    run: Box<dyn SynchronousRun>,
    /// The amoebot that is the seed, if there is one.
    seed: Option<usize>,
    watch: &'a dyn RunControl,
    /// The answer of the run control that interrupted a round; `Continue` if none was interrupted.
    cut: Proceed,
    /// Whether amoebots have pins.
    has_pins: bool,
    /// The wiring after the last round that a film has observed.
    shown: RefCell<Option<ShownRound>>,
}

/// The bonds, the offenders and the words of pins after a round. They are computed once for all amoebots.
struct ShownRound {
    rounds: u64,
    bonds: Vec<u16>,
    offenders: Vec<u32>,
    words: Vec<[String; 3]>,
}

impl RoundsOfModel<'_> {
    /// Whether movements in conflict ended the run. The round of the conflict has no effect, but films show it.
    fn is_violated(&self) -> bool {
        matches!(self.run.ending(), Some(Ending::Violated(_)))
    }
}

impl Process for RoundsOfModel<'_> {
    fn progress(&self) -> Progress {
        self.run.progress()
    }

    fn counts(&self) -> Cow<'_, [u64]> {
        self.run.counts()
    }

    fn effort(&self) -> u64 {
        self.run.effort()
    }

    fn unit(&self) -> Measure {
        Measure::Steps
    }

    fn stride(&self) -> u64 {
        self.run.stride()
    }

    fn advance(&mut self, bound: &RunBound, condition: Option<&dyn Condition>) -> Advance {
        let (before, watch) = (self.progress().rounds, self.watch);
        let advance = self.run.advance_while(bound, condition, &|| watch.verdict() == Proceed::Continue);
        if advance == Advance::Advanced && self.progress().rounds == before {
            self.cut = watch.verdict();
        }
        advance
    }

    fn ending(&self) -> Option<Ending> {
        let cut = || (self.cut != Proceed::Continue).then(|| called_off(self.cut, Awaited::End));
        self.run.ending().or_else(cut)
    }

    fn obstacle(&self) -> Ending {
        self.run.obstacle()
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.run.save()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), RestoreError> {
        self.run.restore(checkpoint)
    }

    fn digest(&self) -> u128 {
        self.run.digest()
    }
}

impl AmoebotProcess for RoundsOfModel<'_> {
    fn columns(&self) -> Vec<String> {
        self.run.classes().iter().map(|&name| name.to_owned()).collect()
    }

    fn cells(&self) -> Vec<Cell> {
        let bodies = self.run.bodies().iter();
        bodies.flat_map(|body| body.cells()).collect()
    }

    fn picture(&self) -> Result<Picture, PictureError> {
        let bodies = self.run.bodies().iter().enumerate();
        let classes: Vec<_> = bodies.map(|(amoebot, body)| (*body, self.run.class(amoebot))).collect();
        let picture = picture(classes.into_iter(), &self.columns(), &self.run.objects())?;
        Ok(picture.with_lines(pins::lines(&*self.run)))
    }

    fn drawing(&self, has_time: &dyn Fn() -> bool) -> Option<Drawing> {
        let mark = |amoebot| if self.seed == Some(amoebot) { Mark::Seed } else { Mark::None };
        drawing(self.run.bodies().iter().copied(), mark, &self.run.objects(), has_time)
    }

    fn digest_while(&self, has_time: &dyn Fn() -> bool) -> Option<u128> {
        self.run.digest_while(has_time)
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        Some(self)
    }

    fn work(&self) -> Section {
        let mut work = Section::of(SectionName::Work);
        for figure in self.run.work() {
            work.push(told(figure));
        }
        work
    }

    fn further(&self) -> Vec<Section> {
        let states = counts_section(SectionName::States, &self.columns(), &self.run.counts());
        std::iter::once(states).chain(self.run.further().map(further)).collect()
    }
}

impl Filmed for RoundsOfModel<'_> {
    fn head(&self) -> Head {
        let mut columns = vec![NodeColumn::class("state", "state", self.columns())];
        columns.extend(WHERE.map(|(key, name)| NodeColumn::new(key, name, ColumnKind::Number)));
        columns.push(NodeColumn::new("memory", "memory", ColumnKind::Word).of_memory());
        columns.extend(pins::movement_columns());
        if self.has_pins {
            columns.extend(pins::pin_columns());
        }
        let mut head = Head::new("amoebots", self.run.bodies().len() as u32, columns);
        "round".clone_into(&mut head.time);
        head.picture = NodePositions {
            lattice: Some("triangular".to_owned()),
            objects: coordinates(&self.run.objects()),
            object: "object".to_owned(),
            ..NodePositions::default()
        };
        head
    }

    fn moment(&self) -> u64 {
        self.run.progress().rounds + u64::from(self.is_violated())
    }

    fn look(&self, node: u32, into: &mut NodeView) {
        let node = node as usize;
        let body = self.run.bodies()[node];
        into.values.push(NodeValue::Class(self.run.class(node) as u32));
        let (head, tail) = (body.head(), body.tail());
        let numbers = [head.x(), head.y(), tail.x(), tail.y()];
        into.values.extend(numbers.map(|number| NodeValue::Number(number.into())));
        into.values.push(NodeValue::word(self.run.words(node)));
        let mut shown = self.shown.borrow_mut();
        let rounds = self.run.progress().rounds;
        let of_round = || ShownRound {
            rounds,
            bonds: self.run.bonds(),
            offenders: self.run.offenders(),
            words: if self.has_pins { pins::words(&*self.run) } else { Vec::new() },
        };
        if shown.as_ref().is_some_and(|shown| shown.rounds != rounds) {
            *shown = None;
        }
        let shown = shown.get_or_insert_with(of_round);
        into.values.push(NodeValue::Number(shown.bonds.get(node).copied().unwrap_or(0).into()));
        let is_offender = shown.offenders.binary_search(&(node as u32)).is_ok();
        into.values.push(NodeValue::Class(is_offender.into()));
        into.values.extend(shown.words.get(node).into_iter().flatten().cloned().map(NodeValue::word));
    }

    fn since(&mut self, into: &mut Changes) {
        into.has_walkers = true;
        *self.shown.get_mut() = None;
        if let Some(Ending::Violated(conflict)) = self.run.ending() {
            into.happened = FrameEvents {
                flags: VIOLATED,
                text: format!("violation: {conflict}"),
                ..FrameEvents::default()
            };
        }
    }
}

/// Starts the model of a plan from its first configuration.
fn begun<'a>(
    plan: &AmoebotPlan,
    job: &Job<'a>,
    placement: &Placement,
) -> Result<RoundsOfModel<'a>, RunError> {
    let (seed, watch) = (job.seed, job.watch);
    let description = plan.algorithm.synchronous().expect("the algorithm has synchronous rounds");
    let run = description.start(placement, seed).map_err(|message| AmoebotPlan::drawn(seed, message))?;
    let has_seed = plan.algorithm.needs().seed;
    let mut pins = Vec::new();
    run.pins(0, &mut pins);
    let seed = has_seed.then_some(plan.seed_position);
    Ok(RoundsOfModel {
        run,
        seed,
        watch,
        cut: Proceed::Continue,
        has_pins: !pins.is_empty(),
        shown: RefCell::new(None),
    })
}

pub(super) fn run(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    placement: &Placement,
    sink: Option<Box<dyn Write + '_>>,
) -> Result<Finished, RunError> {
    let mut rounds = begun(plan, job, placement)?;
    match sink {
        Some(sink) => checkpoints::recorded(plan, job, rounds, sink),
        None => {
            let finished = drive(plan, job, &mut rounds);
            free(rounds, job.watch);
            finished
        }
    }
}

/// Repeats a run and compares it with its recorded checkpoints.
pub(super) fn replay(
    plan: &AmoebotPlan,
    job: &Job<'_>,
    placement: &Placement,
    lines: (&mut StepReader<'_, Checkpoint>, u64),
) -> Result<Finished, JobReplayError> {
    checkpoints::compared(plan, job, begun(plan, job, placement)?, lines)
}
