//! Retracing of a run that a check has found, to show it and to replay it from a recording.

use std::cell::RefCell;
use std::hash::Hash;
use std::io;

use acrasin_amoebot::algorithm::description::{AnyDescription, Description};
use acrasin_amoebot::algorithm::erased::AnyMemory;
use acrasin_amoebot::check::concurrent::retrace_concurrent;
use acrasin_amoebot::check::sequential::retrace_schedule;
use acrasin_amoebot::check::simultaneous::retrace_rounds;
use acrasin_amoebot::check::waves::{LockSetExtent, retrace_waves};
use acrasin_amoebot::check::{Retraced, changed};
use acrasin_amoebot::run::concurrent::locks::SavedLocks;
use acrasin_amoebot::run::concurrent::{EveryMessage, TryLocks};
use acrasin_amoebot::{AmoebotId, System};
use acrasin_process::{Ending, Progress, ReplayFinding};
use acrasin_report::film::Head;
use acrasin_report::record::{Figure, Section, SectionName};
use acrasin_runtime::Digest;
use acrasin_verify::replay::{self, ReplayEnd, ReplayFile, StepReader, StepWriter};

use super::found::{AmoebotState, RunMoment, RunToViolation};
use super::{Allowance, ScheduleCheck, StartCounts};
use crate::amoebot::AmoebotPlan;
use crate::amoebot::engine::{Engine, EngineProcess};
use crate::amoebot::exclusion::{ExclusionRefusal, seats};
use crate::amoebot::filmed;
use crate::amoebot::process::drive;
use crate::amoebot::scenario::{AmoebotStop, ExecutionKind, LocksSetting};
use crate::exclusion::{ResolvedExclusion, SeatedAlgorithm, SeatedVisitor};
use crate::run::{Changes, Filmed, Finished, Job, JobReplayError, NodeView, Proceed, RunControl, RunError};

/// The maximum number of steps in a recording of a check. Each step is kept in memory with its system.
const STEPS_MAX: usize = 1 << 16;

/// The start, and every step after it.
type RetracedSteps = (System<AnyMemory>, Vec<Retraced<AnyMemory>>);

/// The position of each move of the route among the possible moves, in order.
type MovePositions<'m> = &'m mut dyn Iterator<Item = u32>;

impl RunToViolation {
    /// Stores the parts of the run that reports and films show. Returns the digest of the last configuration.
    fn show(&mut self, subject: &AnyDescription<'_>, (start, steps): &RetracedSteps) -> Digest {
        let states = |system: &System<AnyMemory>, ids: Vec<AmoebotId>| {
            ids.into_iter().map(|id| AmoebotState::of(subject, system, id)).collect()
        };
        self.moments =
            vec![RunMoment { what: String::new(), amoebots: states(start, start.ids().collect()) }];
        let mut before = start;
        for Retraced { what, system } in steps {
            let amoebots = states(system, changed(before, system));
            self.moments.push(RunMoment { what: what.clone(), amoebots });
            before = system;
        }
        (self.start, self.end) = (start.cells(), before.cells());
        if self.steps.is_empty() {
            self.steps = steps.iter().map(|step| step.what.clone()).collect();
        }
        before.digest()
    }
}

/// Retraces a run under a mutual exclusion algorithm other than local mutual exclusion.
struct RetracedOver<'a> {
    check: &'a ScheduleCheck<'a>,
    chosen: &'a ResolvedExclusion,
    subject: &'a AnyDescription<'a>,
    start: usize,
    moves: MovePositions<'a>,
}

impl SeatedVisitor for RetracedOver<'_> {
    type Output = Option<RetracedSteps>;

    fn visit<E: SeatedAlgorithm>(self, exclusion: E) -> Self::Output {
        let Self { check, chosen, subject, start, moves } = self;
        check.retraced_with(subject, (start, moves), |system| {
            let (topology, seating) = seats(chosen, system)?;
            EveryMessage::with_knowledge(exclusion.clone(), (topology, &seating))
                .map_err(ExclusionRefusal::Start)
        })
    }
}

impl ScheduleCheck<'_> {
    fn retraced(
        &self,
        subject: &AnyDescription<'_>,
        start: usize,
        moves: MovePositions<'_>,
    ) -> Option<RetracedSteps> {
        let algorithm = subject.algorithm();
        let nth =
            || self.systems(subject, &StartCounts::default()).take_while(|_| !(self.is_stopped)()).nth(start);
        match self.execution {
            ExecutionKind::Sequential { .. } => {
                let start = nth()?;
                Some((start.clone(), retrace_schedule(algorithm, start, (moves, self.is_stopped))?))
            }
            ExecutionKind::Rounds(concurrency) => {
                let start = nth()?;
                Some((
                    start.clone(),
                    retrace_rounds(algorithm, start, concurrency.into(), (moves, self.is_stopped))?,
                ))
            }
            ExecutionKind::Waves => {
                let start = nth()?;
                Some((
                    start.clone(),
                    retrace_waves(algorithm, start, LockSetExtent::default(), (moves, self.is_stopped))?,
                ))
            }
            ExecutionKind::Concurrent { locks: LocksSetting::Messages { .. } } => match self.exclusion {
                None => self.retraced_with(subject, (start, moves), |system| Ok(EveryMessage::new(system))),
                Some(chosen) => {
                    let retraced = RetracedOver { check: self, chosen, subject, start, moves };
                    chosen
                        .seated(retraced)
                        .map_err(drop)
                        .expect("the plan has none of local mutual exclusion")
                }
            },
            ExecutionKind::Concurrent { locks: LocksSetting::TryLocks } => {
                self.retraced_with(subject, (start, moves), |system| Ok(TryLocks::new(system.len())))
            }
            ExecutionKind::Tiles => unreachable!("a plan for a check has no tiles"),
        }
    }

    fn retraced_with<L>(
        &self,
        subject: &AnyDescription<'_>,
        (start, moves): (usize, MovePositions<'_>),
        locks: impl Fn(&System<AnyMemory>) -> Result<L, ExclusionRefusal>,
    ) -> Option<RetracedSteps>
    where
        L: SavedLocks + Clone + Eq + Hash + Send + Sync,
    {
        let counted = StartCounts::default();
        let systems = self.systems(subject, &counted).take_while(|_| !(self.is_stopped)());
        let mut systems = systems.filter(|system| locks(system).is_ok());
        let start = systems.nth(start)?;
        let held = locks(&start).ok()?;
        Some((start.clone(), retrace_concurrent(subject.algorithm(), start, held, (moves, self.is_stopped))?))
    }
}

impl AmoebotPlan {
    /// Retraces these moves from a start of the check with this seed. `None` if a move does not exist, or if the
    /// retracing is stopped. `shown` is called with the run.
    fn retraced(
        &self,
        seed: u64,
        (start, moves): (usize, MovePositions<'_>),
        is_stopped: &(dyn Fn() -> bool + Sync),
        shown: &mut dyn FnMut(&AnyDescription<'_>, &RetracedSteps),
    ) -> Result<Option<RetracedSteps>, RunError> {
        let Ok(starts) = self.starts(seed, u64::MAX)? else { return Ok(None) };
        let check = self.of_starts(starts, &Allowance { is_stopped, ..Allowance::default() });
        let retraced = |subject: &AnyDescription<'_>| {
            let mut moves = moves.take_while(|_| !(check.is_stopped)());
            let run = check.retraced(subject, start, &mut moves).filter(|_| !(check.is_stopped)())?;
            shown(subject, &run);
            Some(run)
        };
        Ok(self.erased(retraced).flatten())
    }

    /// Retraces the run of a check, and stores the parts that are shown and its recording. Changes nothing if the
    /// retracing is stopped.
    pub(super) fn retrace(
        &self,
        way: &mut RunToViolation,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), RunError> {
        let (seed, start, moves) = (way.seed, way.route.start, way.route.moves.clone());
        let mut digest = None;
        let shown =
            &mut |subject: &AnyDescription<'_>, run: &RetracedSteps| digest = Some(way.show(subject, run));
        self.retraced(seed, (start, &mut moves.into_iter()), is_stopped, shown)?;
        if let Some(digest) = digest {
            way.recording = Some(self.recording_of(way, digest).map_err(RunError::recording)?);
        }
        Ok(())
    }

    /// The recording of a run that was retraced, for [`replay`](Self::replay). It ends in a configuration with this
    /// digest.
    fn recording_of(&self, way: &RunToViolation, digest: Digest) -> io::Result<Vec<u8>> {
        let header = self
            .header
            .source
            .header(way.seed)
            .with_check(way.route.start as u64)
            .with_note(format!("a check has found {}", way.to));
        let mut recording = Vec::new();
        let mut writer = StepWriter::new(&mut recording, &header)?;
        for (position, moment) in way.route.moves.iter().zip(&way.moments[1..]) {
            writer.step(&(position, &moment.what))?;
        }
        writer.end(&ReplayEnd::new(0, digest, way.to.clone()))?;
        Ok(recording)
    }

    /// Replays a recorded run of a check, comparing every step and the end.
    pub(crate) fn replay_check(
        mut self,
        file: ReplayFile<'_>,
        start: u64,
        watch: &dyn RunControl,
    ) -> Result<(Finished, Option<ReplayEnd>), JobReplayError> {
        let seed = file.header().seed;
        if self.explores_coins() {
            let message = "checks of outcomes of coins are not recorded".to_owned();
            return Err(Self::drawn(seed, message).into());
        }
        let mut lines: StepReader<'_, (u32, String)> = file.steps().map_err(replay::ReplayError::from)?;
        let (words, fault) = (RefCell::new(Vec::new()), RefCell::new(None));
        let mut positions = std::iter::from_fn(|| match lines.next()? {
            Ok(_) if words.borrow().len() == STEPS_MAX => {
                fault.replace(Some(lines.error(format!("more than {STEPS_MAX} steps of a check"))));
                None
            }
            Ok((position, what)) => {
                words.borrow_mut().push(what);
                Some(position)
            }
            Err(error) => {
                fault.replace(Some(error));
                None
            }
        });
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let is_stopped = || watch.verdict() != Proceed::Continue;
        let retraced = self.retraced(seed, (start, &mut positions), &is_stopped, &mut |_, _| ())?;
        if let (None, why @ (Proceed::Interrupted | Proceed::OutOfTime)) = (&retraced, watch.verdict()) {
            return Err(JobReplayError::Stopped(why));
        }
        if let Some(error) = fault.into_inner() {
            return Err(replay::ReplayError::from(error).into());
        }
        let words = words.into_inner();
        let end = lines.end().cloned();
        let not_reproduced = |why: String| Ending::Replayed(ReplayFinding::NotReproduced, why);
        let ending = match (&retraced, &end) {
            (None, _) if words.is_empty() => not_reproduced(format!("the check has no start {start}")),
            (None, _) => not_reproduced(format!("step {} is not a possible move", words.len())),
            (Some(_), None) => not_reproduced("the recording has no end".to_owned()),
            (Some((first, steps)), Some(end)) => {
                let other = steps.iter().zip(&words).position(|(step, said)| step.what != *said);
                let digest = steps.last().map_or(first, |step| &step.system).digest();
                match other {
                    Some(at) => {
                        let (said, found) = (&words[at], &steps[at].what);
                        not_reproduced(format!("step {} is {found:?}, recorded {said:?}", at + 1))
                    }
                    None if digest == end.digest => Ending::Violated(format!(
                        "the run that a check has found is reproduced to digest {digest}: {}",
                        end.outcome
                    )),
                    None => not_reproduced(format!(
                        "the steps lead to another configuration: digest {digest}, recorded {}",
                        end.digest
                    )),
                }
            }
        };
        let Some(run) = retraced else {
            // Without a system only the reason can be reported.
            return Err(Self::drawn(seed, ending.to_string()).into());
        };
        (self.stop, self.steps_max, self.counts_every) = (AmoebotStop::Terminated, None, 1);
        let job = Job { seed, repetition: 0, watch, record: None };
        let (start, steps) = run;
        let shown = |subject: &AnyDescription<'_>| {
            let since = watch.eye().is_some().then(Changes::default);
            let mut found = FoundRun { subject, start, steps, at: 0, since, ending };
            drive(&self, &job, &mut EngineProcess::new(&self, job.watch, subject, &mut found, None))
        };
        let finished = self.erased(shown).expect("a plan for a check has no chain")?;
        Ok((finished, end))
    }
}

/// An engine that replays a run found by a check; a step of the engine is a step of the run.
struct FoundRun<'a, S> {
    subject: &'a S,
    start: System<AnyMemory>,
    steps: Vec<Retraced<AnyMemory>>,
    at: usize,
    /// The changes since the last observation, if every step is observed.
    since: Option<Changes>,
    ending: Ending,
}

impl<S: Description<Memory = AnyMemory>> Engine<S> for FoundRun<'_, S> {
    fn system(&self) -> &System<AnyMemory> {
        self.at.checked_sub(1).map_or(&self.start, |last| &self.steps[last].system)
    }

    fn advance(&mut self, steps: u64, _: &(dyn Fn() -> bool + Sync)) {
        for _ in 0..steps {
            let Some(next) = self.steps.get(self.at) else { break };
            let nodes = changed(self.system(), &next.system);
            if let Some(since) = &mut self.since {
                since.nodes.extend(nodes.iter().map(|id| id.0));
                since.happened.text.clone_from(&next.what);
            }
            self.at += 1;
        }
    }

    fn progress(&self) -> Progress {
        Progress { steps: self.at as u64, ..Progress::START }
    }

    fn has_terminated(&self) -> bool {
        self.at == self.steps.len()
    }

    fn filmed(&mut self) -> Option<&mut dyn Filmed> {
        self.since.is_some().then_some(self as _)
    }

    fn verified(&mut self, _: Ending, _: &dyn Fn() -> bool) -> Ending {
        self.ending.clone()
    }

    fn work(&self) -> Section {
        let mut work = Section::of(SectionName::Work);
        work.push(Figure::new("steps", "steps of the run that was found", self.at as u64));
        work
    }
}

impl<S: Description<Memory = AnyMemory>> Filmed for FoundRun<'_, S> {
    fn head(&self) -> Head {
        let mut head = filmed::head(self.subject, self.system(), Vec::new());
        "step".clone_into(&mut head.time);
        head
    }

    fn moment(&self) -> u64 {
        self.at as u64
    }

    fn look(&self, node: u32, into: &mut NodeView) {
        filmed::look(self.subject, self.system(), node, into);
    }

    fn since(&mut self, into: &mut Changes) {
        let since = self.since.as_mut().expect("it is looked at");
        into.nodes.append(&mut since.nodes);
        into.happened = std::mem::take(&mut since.happened);
    }
}
