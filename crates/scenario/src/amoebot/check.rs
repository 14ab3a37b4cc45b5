//! Checks of amoebot algorithms over all schedules: `acrasin check`.

use std::cell::{Cell as Counter, RefCell};
use std::hash::Hash;

use acrasin_amoebot::algorithm::Algorithm;
use acrasin_amoebot::algorithm::erased::AnyMemory;
use acrasin_amoebot::check::concurrent::explore_concurrent_within;
use acrasin_amoebot::check::simultaneous::explore_rounds_within;
use acrasin_amoebot::check::waves::{LockSetExtent, explore_waves};
use acrasin_amoebot::check::{
    CheckKeeper, CheckLimits, ExploreError, Identities, Questions, Route, Unkept, explore_within,
};
use acrasin_amoebot::run::concurrent::locks::SavedLocks;
use acrasin_amoebot::run::concurrent::{EveryMessage, TryLocks};
use acrasin_amoebot::run::simultaneous::Concurrency;
use acrasin_amoebot::{Shape, System};
use acrasin_runtime::choice::Seeded;

use super::exclusion::{ExclusionRefusal, seats};
use super::scenario::{AmoebotFault, AmoebotStart, ExecutionKind, LocksSetting, Orientations};
use super::{AmoebotPlan, placement};
use crate::check::{CheckFigure, CheckReport, CheckTruncation, TruncationReason, Verdict};
use crate::exclusion::{ResolvedExclusion, SeatedAlgorithm, SeatedVisitor};
use crate::limits::{AMOEBOT_OUTCOMES, AMOEBOT_STATES_TOLD_APART, MEMORY_BYTES};
use crate::plan::RunError;
use acrasin_amoebot::algorithm::description::AnyDescription;
use acrasin_amoebot::algorithm::description::{Description, Placement};
use acrasin_amoebot::library::catalogue::Visitor;

mod found;
mod outcomes;
mod part_keeper;
mod retrace;

pub use found::{AmoebotState, FINAL_SHAPES_SHOWN, RunMoment, RunToViolation};
use found::{OfStarts, report};
use part_keeper::PartKeeper;

/// Bytes for each cell of a listed shape: the cell itself, its part of the shape's own bytes, and the smaller shapes
/// that shapes are built from. A shape of ten cells takes about 180 bytes.
const CELL_OF_SHAPE_BYTES: u64 = 20;

/// The memory limit of a check and its stop signal.
pub struct Allowance<'a> {
    /// The maximum number of bytes of one exploration: its states and transitions.
    pub bytes_max: u64,
    /// Whether the check should stop; called before each start and each state.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Whether to give up even the retracing of a run to a violation. It becomes true a moment after `is_stopped`.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Keeps checkpoints of the check.
    pub keeper: &'a dyn CheckKeeper,
}

impl Default for Allowance<'_> {
    /// Allows 16 GiB, without a stop signal and without checkpoints.
    fn default() -> Self {
        Self { bytes_max: MEMORY_BYTES, is_stopped: &|| false, is_over: &|| false, keeper: &Unkept }
    }
}

impl AmoebotPlan {
    /// Explores every schedule of the execution, from the start or from every connected shape with every seed position.
    ///
    /// - Sequential executions: every order of activations, whatever the activation order of the scenario.
    /// - Concurrent executions: every order of the steps. Locks may fail.
    /// - Rounds: every outcome of the draws.
    /// - Algorithms with circuits or joint movements: every outcome of coins.
    ///
    /// A random start is drawn from the seed.
    ///
    /// If there are more starts than allowed states, or their shapes take more bytes than allowed, the check is refused
    /// as [`CheckTruncation`] before any start is made. Otherwise starts are made one by one.
    ///
    /// # Errors
    ///
    /// The growth of a random start ends too early, the algorithm refuses the start, or it refuses all shapes.
    pub fn check(
        &self,
        seed: u64,
        allowance: &Allowance<'_>,
    ) -> Result<CheckReport<RunToViolation>, RunError> {
        let starts = match self.starts(seed, allowance.bytes_max)? {
            Ok(starts) => starts,
            Err(why) => return Ok(report([0, 0], Err(CheckTruncation { why, states: None }), None)),
        };
        let coins = self.algorithm.synchronous();
        let checked = match coins {
            Some(description) => outcomes::check(description, &starts, self.states_max, allowance),
            None => {
                let check = self.of_starts(starts, allowance);
                // Sequential executions are checked with the types of the algorithm, for speed; the rest is compiled
                // once for all algorithms.
                let checked = match self.execution {
                    ExecutionKind::Sequential { .. } => self.visit(check),
                    _ => self.erased(|subject| check.with_boxes_of(subject).any(subject)),
                };
                checked.expect("a plan for a check has no chain")
            }
        };
        let mut checked = checked.map_err(|message| Self::drawn(seed, message))?;
        for finding in &mut checked.findings {
            if let Verdict::Broken(way) = &mut finding.verdict {
                way.seed = seed;
                if coins.is_none() {
                    self.retrace(way, allowance.is_over)?;
                }
            }
        }
        Ok(checked)
    }

    /// Whether a check of this plan explores outcomes of coins. Such a check has no recordings and no checkpoints.
    #[must_use]
    pub fn explores_coins(&self) -> bool {
        self.algorithm.synchronous().is_some()
    }

    /// The starts of a check, or the exceeded limit if there are too many. Their shapes may take at most `bytes_max`
    /// bytes.
    fn starts(&self, seed: u64, bytes_max: u64) -> Result<Result<Starts<'_>, TruncationReason>, RunError> {
        let drawn = |message: String| Self::drawn(seed, message);
        Ok(Ok(match self.start {
            AmoebotStart::AllConnected { .. } => {
                let positions = if self.algorithm.needs().seed { self.count } else { 1 };
                let counted = Shape::connected_count(self.count).map_err(|error| drawn(error.to_string()))?;
                let starts = counted * positions;
                if starts > self.states_max {
                    return Ok(Err(TruncationReason::Starts {
                        starts: starts as u64,
                        states_max: self.states_max as u64,
                    }));
                }
                let bytes = (counted as u64).saturating_mul(self.count as u64 * CELL_OF_SHAPE_BYTES);
                if bytes > bytes_max {
                    return Ok(Err(TruncationReason::Bytes { bytes, bytes_max }));
                }
                let shapes =
                    placement::all_connected(self.count).map_err(|error| drawn(error.to_string()))?;
                let faults = &self.faults;
                Starts::Every { shapes, positions, orientations: self.orientations, faults, seed }
            }
            _ => Starts::One(self.placement(&mut Seeded::new(seed)).map_err(drawn)?),
        }))
    }

    fn of_starts<'a>(&'a self, starts: Starts<'a>, allowance: &Allowance<'a>) -> ScheduleCheck<'a> {
        let limits = CheckLimits {
            states_max: self.states_max,
            bytes_max: allowance.bytes_max,
            bytes_owned: 0,
            outcomes_max: AMOEBOT_OUTCOMES,
        };
        let (execution, exclusion) = (self.execution, self.exclusion.as_ref());
        let Allowance { is_stopped, keeper, .. } = *allowance;
        ScheduleCheck { starts, execution, exclusion, limits, is_stopped, keeper }
    }
}

/// The starts of a check.
enum Starts<'a> {
    One(Placement),
    /// Every shape with every position of the seed in it.
    Every {
        shapes: Vec<Shape>,
        positions: usize,
        orientations: Orientations,
        faults: &'a [AmoebotFault],
        seed: u64,
    },
}

impl Starts<'_> {
    /// The placements of the starts, made one by one, in the same order in each call.
    fn placements(&self) -> Box<dyn Iterator<Item = Placement> + '_> {
        match self {
            Self::One(placement) => Box::new(std::iter::once(placement.clone())),
            Self::Every { shapes, positions, orientations, faults, seed } => {
                let mut choices = Seeded::new(*seed);
                let each = shapes.iter().flat_map(|shape| (0..*positions).map(move |seed| (shape, seed)));
                Box::new(each.map(move |(shape, seed)| {
                    let cells = shape.cells().to_vec();
                    let orientations = placement::orientations(*orientations, cells.len(), &mut choices);
                    let crashes = placement::crashes(faults, cells.len(), &mut choices);
                    Placement { cells, seed, orientations, crashes, ..Placement::default() }
                }))
            }
        }
    }
}

/// The questions about the states from one start, and the limits.
type StartQuestions<'q> = (&'q Questions<'q, AnyMemory>, CheckLimits);

/// Counts of starts, and the first violation.
#[derive(Default)]
struct StartCounts {
    started: Counter<u64>,
    refused: Counter<u64>,
    why: RefCell<Option<String>>,
    /// The index of the current start, where starts are explored one by one.
    start: Counter<usize>,
    violation: RefCell<Option<RunToViolation>>,
}

impl StartCounts {
    fn violated<A: Algorithm>(&self, algorithm: &A, what: &str, system: &System<A::Memory>, route: &Route) {
        let found = || {
            let route = Route { start: self.start.get() + route.start, moves: route.moves.clone() };
            RunToViolation::until_cut(algorithm, what, system, route)
        };
        self.violation.borrow_mut().get_or_insert_with(found);
    }

    /// Records a violation found from an earlier start, unless one is recorded already.
    fn violated_before(&self, way: Option<RunToViolation>) {
        if let Some(way) = way {
            let found = || RunToViolation { found_on: way.end.clone(), ..way };
            self.violation.borrow_mut().get_or_insert_with(found);
        }
    }
}

struct ScheduleCheck<'a> {
    starts: Starts<'a>,
    execution: ExecutionKind,
    /// The mutual exclusion algorithm, if it is not local mutual exclusion.
    exclusion: Option<&'a ResolvedExclusion>,
    limits: CheckLimits,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    keeper: &'a dyn CheckKeeper,
}

impl Visitor for ScheduleCheck<'_> {
    type Output = Result<CheckReport<RunToViolation>, String>;

    /// Checks sequential executions.
    fn visit<S: Description>(self, subject: &S) -> Self::Output {
        let check = self.with_boxes_of(subject);
        check.judged(subject, |counted, questions| check.sequential(subject, counted, questions))
    }
}

/// An exploration under a mutual exclusion algorithm other than local mutual exclusion.
struct ExclusionCheck<'a> {
    check: &'a ScheduleCheck<'a>,
    chosen: &'a ResolvedExclusion,
    subject: &'a AnyDescription<'a>,
    counted: &'a StartCounts,
    questions: &'a Questions<'a, AnyMemory>,
}

impl SeatedVisitor for ExclusionCheck<'_> {
    type Output = Result<CheckReport<RunToViolation>, ExploreError>;

    fn visit<E: SeatedAlgorithm>(self, exclusion: E) -> Self::Output {
        let Self { check, chosen, subject, counted, questions } = self;
        check.concurrent(subject, counted, questions, |system| {
            let (topology, seating) = seats(chosen, system)?;
            EveryMessage::with_knowledge(exclusion.clone(), (topology, &seating))
                .map_err(ExclusionRefusal::Start)
        })
    }
}

impl ScheduleCheck<'_> {
    /// Adds to the limits the bytes that memories own outside of a system.
    fn with_boxes_of(self, subject: &impl Description) -> Self {
        Self { limits: CheckLimits { bytes_owned: subject.facts().bytes_owned, ..self.limits }, ..self }
    }

    /// Checks executions other than sequential ones.
    fn any(self, subject: &AnyDescription<'_>) -> Result<CheckReport<RunToViolation>, String> {
        match self.execution {
            ExecutionKind::Rounds(concurrency) => self.judged(subject, |counted, questions| {
                self.rounds(subject, concurrency.into(), counted, questions)
            }),
            ExecutionKind::Waves => {
                self.judged(subject, |counted, questions| self.waves(subject, counted, questions))
            }
            ExecutionKind::Concurrent { locks: LocksSetting::Messages { .. } } => {
                self.judged(subject, |counted, questions| self.messages(subject, counted, questions))
            }
            ExecutionKind::Concurrent { locks: LocksSetting::TryLocks } => {
                self.judged(subject, |counted, questions| {
                    let locks = |system: &System<AnyMemory>| Ok(TryLocks::new(system.len()));
                    self.concurrent(subject, counted, questions, locks)
                })
            }
            ExecutionKind::Sequential { .. } => unreachable!("these know their types"),
            ExecutionKind::Tiles => unreachable!("a plan for a check has no tiles"),
        }
    }

    /// Explores all starts with `explore`, evaluates the properties in every state, and collects the result.
    fn judged<S: Description>(
        &self,
        subject: &S,
        explore: impl FnOnce(
            &StartCounts,
            &Questions<'_, S::Memory>,
        ) -> Result<CheckReport<RunToViolation>, ExploreError>,
    ) -> Result<CheckReport<RunToViolation>, String> {
        let counted = StartCounts::default();
        let questions = Questions {
            is_goal: &|system| subject.is_finished(system),
            fault: &|system| subject.fault(system),
            is_stopped: self.is_stopped,
            told: &|what, system, route| counted.violated(subject.algorithm(), what, system, route),
            keeper: self.keeper,
        };
        let found = explore(&counted, &questions);
        let StartCounts { started, refused, why, violation, .. } = counted;
        if let (0, Some(message)) = (started.get(), why.into_inner()) {
            return Err(message);
        }
        let found = found.map_or_else(|error| CheckTruncation::of(error).map(Err), |found| Ok(Ok(found)))?;
        Ok(report([started.get(), refused.get()], found, violation.into_inner()))
    }

    /// The starts that the algorithm accepts. Each is made when it is needed.
    fn systems<'s, S: Description>(
        &'s self,
        subject: &'s S,
        counted: &'s StartCounts,
    ) -> impl Iterator<Item = System<S::Memory>> + 's {
        self.starts.placements().filter_map(|placement| match subject.begin(&placement) {
            Ok(system) => {
                counted.started.set(counted.started.get() + 1);
                Some(system)
            }
            Err(message) => {
                counted.refused.set(counted.refused.get() + 1);
                counted.why.replace(Some(message));
                None
            }
        })
    }

    fn sequential<S: Description>(
        &self,
        subject: &S,
        counted: &StartCounts,
        questions: &Questions<'_, S::Memory>,
    ) -> Result<CheckReport<RunToViolation>, ExploreError> {
        let explore = |counted, identities, questions: &Questions<'_, S::Memory>| {
            let systems = self.systems(subject, counted);
            explore_within(subject.algorithm(), systems, questions, identities, self.limits)
        };
        let (mut of_first, mut of_second) = (None, None);
        if let Some(saved) = questions.keeper.resumed() {
            let parts = PartKeeper::resumed_parts(&saved).ok_or(ExploreError::NotThisExploration)?;
            (of_first, of_second) = (Some(parts.0), parts.1);
        }
        let keeper = PartKeeper::of_first(questions.keeper, of_first);
        let all = explore(counted, Identities::Anonymous, &Questions { keeper: &keeper, ..*questions })?;
        let told_apart = if all.states <= AMOEBOT_STATES_TOLD_APART {
            // Both explorations make the same starts, so the counter of the second one is not used.
            let states = |each: Vec<usize>| each.iter().map(|states| *states as u64).sum::<u64>();
            let keeper = keeper.after(of_second);
            let questions = Questions { keeper: &keeper, ..*questions };
            let distinct = explore(&StartCounts::default(), Identities::Distinct, &questions);
            // If the second exploration ends early, only a check that can be continued ends with it.
            if let Err(error @ (ExploreError::Stopped { .. } | ExploreError::NotThisExploration)) = distinct
                && keeper.is_keeping()
            {
                return Err(error);
            }
            distinct.ok().map(|all| states(all.states_from_each()))
        } else {
            None
        };
        let is_cyclic = all.longest_run.is_none();
        let is_wrong_cycle = !subject.facts().may_cycle;
        let claim = if is_cyclic {
            "from every state a run can end in the goal: it does with probability 1 if the schedule is drawn uniformly"
        } else {
            "under every sequential schedule every run ends in the goal"
        };
        let figures = vec![
            CheckFigure::new("initial", "initial systems", all.initial as u64),
            CheckFigure::new(
                "told_apart",
                "states with distinguishable amoebots, for each start",
                told_apart,
            ),
            CheckFigure::new("longest_run", "longest run in actions (-: unbounded)", all.longest_run),
            CheckFigure::new("shortest_run", "shortest run in actions (-: none ends)", all.shortest_run),
            CheckFigure::new("most_moves", "maximum number of moves in a run (-: unbounded)", all.most_moves),
            CheckFigure::new("finals", "final states", all.finals.len() as u64),
            CheckFigure::fault("stuck", "stuck states", all.stuck.len() as u64),
            CheckFigure::fault("hopeless", "states from which no run reaches the goal", all.hopeless as u64),
            CheckFigure::fault("aborted", "aborted actions", all.aborted as u64),
            CheckFigure {
                is_fault: is_wrong_cycle,
                ..CheckFigure::new("cyclic", "some run is infinite", is_cyclic)
            },
        ];
        let of_all = OfStarts::<0> {
            states: all.states,
            moves: all.moves,
            depth: all.depth,
            disconnected: all.disconnected,
            faults: all.faults,
            way: RunToViolation::sequential(subject.algorithm(), &all, subject.facts().may_cycle),
            final_shapes: all.final_shapes(),
            ..OfStarts::NONE
        };
        Ok(of_all.report(claim, figures))
    }

    /// Explores runs under the plan's mutual exclusion algorithm, message by message.
    fn messages(
        &self,
        subject: &AnyDescription<'_>,
        counted: &StartCounts,
        questions: &Questions<'_, AnyMemory>,
    ) -> Result<CheckReport<RunToViolation>, ExploreError> {
        let Some(chosen) = self.exclusion else {
            return self.concurrent(subject, counted, questions, |system| Ok(EveryMessage::new(system)));
        };
        let over = ExclusionCheck { check: self, chosen, subject, counted, questions };
        chosen.seated(over).map_err(drop).expect("the plan has none of local mutual exclusion")
    }

    fn concurrent<L>(
        &self,
        subject: &AnyDescription<'_>,
        counted: &StartCounts,
        questions: &Questions<'_, AnyMemory>,
        locks: impl Fn(&System<AnyMemory>) -> Result<L, ExclusionRefusal>,
    ) -> Result<CheckReport<RunToViolation>, ExploreError>
    where
        L: SavedLocks + Clone + Eq + Hash + Send + Sync,
    {
        let systems = self.systems(subject, counted).filter(|system| match locks(system) {
            Ok(_) => true,
            Err(refused) => {
                counted.started.set(counted.started.get() - 1);
                counted.refused.set(counted.refused.get() + 1);
                counted.why.replace(Some(refused.to_string()));
                false
            }
        });
        let locks = |system: &System<AnyMemory>| locks(system).expect("looked at before");
        let all = explore_concurrent_within(subject.algorithm(), systems, locks, questions, self.limits)?;
        let claim =
            "under every order of the steps every run can end, and ends in the goal; lock sets are disjoint";
        let figures = vec![
            CheckFigure::new("transitions", "steps from state to state", all.transitions as u64),
            CheckFigure::new("ends", "systems in which a run ends", all.finals.len() as u64),
            CheckFigure::fault("wrong_ends", "final systems without the goal", all.wrong_ends as u64),
            CheckFigure::fault("hopeless", "states from which no run ends", all.hopeless as u64),
            CheckFigure::fault("overlapping", "states with lock sets that overlap", all.overlapping as u64),
            CheckFigure::fault("invalid", "actions aborted against the rules", all.invalid as u64),
            CheckFigure::fault("aborts_with_effect", "aborts with an effect", all.aborts_with_effect as u64),
            CheckFigure::new("lock_failures", "failures of Lock", all.lock_failures as u64),
            CheckFigure::new("expand_failures", "failed expansions", all.expand_failures as u64),
            CheckFigure::new("width", "most actions at the same time", all.width as u64),
        ];
        let of_all = OfStarts::<0> {
            states: all.states,
            moves: all.transitions,
            depth: all.depth,
            disconnected: all.disconnected,
            faults: all.faults,
            way: RunToViolation::concurrent(subject.algorithm(), &all),
            final_shapes: all.final_shapes()?,
            ..OfStarts::NONE
        };
        Ok(of_all.report(claim, figures))
    }

    /// Explores from one start after another. The limit on states applies to all starts together, the limit on bytes to
    /// one start at a time.
    fn start_by_start<const N: usize>(
        &self,
        (subject, counted): (&AnyDescription<'_>, &StartCounts),
        questions: &Questions<'_, AnyMemory>,
        explore: impl Fn(System<AnyMemory>, StartQuestions<'_>) -> Result<OfStarts<N>, ExploreError>,
    ) -> Result<OfStarts<N>, ExploreError> {
        let (mut sum, mut first, mut resumed) = (OfStarts::NONE, 0, None);
        if let Some(saved) = questions.keeper.resumed() {
            let of_first = PartKeeper::resumed_start(&saved).ok_or(ExploreError::NotThisExploration)?;
            (first, sum, resumed) = (of_first.0, of_first.1, Some(of_first.2));
        }
        for (start, system) in self.systems(subject, counted).enumerate().skip(first) {
            counted.start.set(start);
            let states_max =
                self.limits.states_max.checked_sub(sum.states).ok_or(ExploreError::NotThisExploration)?;
            let limits = CheckLimits { states_max, ..self.limits };
            let keeper = PartKeeper::of_start(questions.keeper, (start, &sum), resumed.take());
            let questions = Questions { keeper: &keeper, ..*questions };
            let explored = explore(system, (&questions, limits));
            match explored {
                Ok(one) => sum.add(one, start),
                Err(error) => {
                    counted.violated_before(sum.way);
                    return Err(match error {
                        ExploreError::TooManyStates { .. } => {
                            ExploreError::TooManyStates { limit: self.limits.states_max }
                        }
                        ExploreError::Stopped { states } => {
                            ExploreError::Stopped { states: sum.states + states }
                        }
                        other => other,
                    });
                }
            }
        }
        Ok(sum)
    }

    fn waves(
        &self,
        subject: &AnyDescription<'_>,
        counted: &StartCounts,
        questions: &Questions<'_, AnyMemory>,
    ) -> Result<CheckReport<RunToViolation>, ExploreError> {
        let algorithm = subject.algorithm();
        let sum = self.start_by_start((subject, counted), questions, |system, (questions, limits)| {
            let all = explore_waves(algorithm, system, LockSetExtent::default(), questions, limits)?;
            let [ends, wrong_ends, hopeless, overlapping] =
                [all.ends, all.wrong_ends, all.hopeless, all.overlapping].map(|count| count as u64);
            Ok(OfStarts {
                states: all.states,
                moves: all.moves,
                depth: all.depth,
                disconnected: all.disconnected,
                faults: all.faults,
                counts: [ends, wrong_ends, hopeless, overlapping, all.invalid, all.expand_failures],
                width: all.width,
                way: RunToViolation::in_waves(algorithm, &all),
                final_shapes: all.final_shapes,
            })
        })?;
        let [ends, wrong_ends, hopeless, overlapping, invalid, expand_failures] = sum.counts;
        let figures = vec![
            CheckFigure::new("ends", "states in which no amoebot is active", ends),
            CheckFigure::fault("wrong_ends", "final states without the goal", wrong_ends),
            CheckFigure::fault("hopeless", "states from which no run ends", hopeless),
            CheckFigure::fault("overlapping", "states with a wave of lock sets that overlap", overlapping),
            CheckFigure::fault("invalid", "actions aborted against the rules", invalid),
            CheckFigure::new("expand_failures", "failed expansions", expand_failures),
            CheckFigure::new("width", "maximum number of lock sets in a wave", sum.width),
        ];
        let claim =
            "under every order in the waves every run can end, and ends in the goal; lock sets are disjoint";
        Ok(sum.report(claim, figures))
    }

    fn rounds(
        &self,
        subject: &AnyDescription<'_>,
        concurrency: Concurrency,
        counted: &StartCounts,
        questions: &Questions<'_, AnyMemory>,
    ) -> Result<CheckReport<RunToViolation>, ExploreError> {
        let algorithm = subject.algorithm();
        let sum = self.start_by_start((subject, counted), questions, |system, (questions, limits)| {
            let all = explore_rounds_within(algorithm, system, concurrency, questions, limits)?;
            let wrong_starts = u64::from(all.wrong_ends + all.hopeless + all.aborted > 0);
            let [ends, wrong_ends, hopeless] =
                [all.ends, all.wrong_ends, all.hopeless].map(|count| count as u64);
            Ok(OfStarts {
                states: all.states,
                moves: all.moves,
                depth: all.depth,
                disconnected: all.disconnected,
                faults: all.faults,
                counts: [wrong_starts, ends, wrong_ends, hopeless, all.failures],
                width: 0,
                way: RunToViolation::in_rounds(algorithm, &all),
                final_shapes: all.final_shapes,
            })
        })?;
        let [wrong_starts, ends, wrong_ends, hopeless, failures] = sum.counts;
        let figures = vec![
            CheckFigure::fault("wrong_starts", "starts from which a run goes wrong", wrong_starts),
            CheckFigure::new("ends", "systems in which a run ends", ends),
            CheckFigure::new("wrong_ends", "final systems without the goal", wrong_ends),
            CheckFigure::new("hopeless", "systems from which no run ends", hopeless),
            CheckFigure::new("failures", "failed actions", failures),
        ];
        let claim =
            "under all draws and outcomes of conflicts, every run in rounds can end, and ends in the goal";
        Ok(sum.report(claim, figures))
    }
}

#[cfg(test)]
mod tests;
