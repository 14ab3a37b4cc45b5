//! Findings of a check, and reasons for which it is incomplete.

use acrasin_catalogue::counted;
use std::fmt;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::algorithm::Algorithm;
use acrasin_amoebot::algorithm::description::Description;
use acrasin_amoebot::check::concurrent::{ConcurrencyFault, ConcurrentExploration};
use acrasin_amoebot::check::simultaneous::RoundsExploration;
use acrasin_amoebot::check::waves::WavesExploration;
use acrasin_amoebot::check::{
    ABORTED, DISCONNECTED, ExploreError, Route, STUCK, SequentialExploration, SequentialTrace, WRONG_END,
    broken, first_failed,
};
use acrasin_amoebot::run::concurrent::Stepped;
use acrasin_amoebot::{Cell, System};
use acrasin_runtime::Digest;

/// The maximum number of final shapes that a check lists.
pub const FINAL_SHAPES_SHOWN: usize = 8;

/// The findings of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Findings {
    /// The findings specific to the kind of adversary.
    pub under: AdversaryFindings,
    /// Reachable states, initial ones included.
    pub states: u64,
    /// Transitions between states: actions in sequential executions, steps in concurrent ones, rounds.
    pub moves: u64,
    /// The largest distance of a state from the start, in moves.
    pub depth: u64,
    /// States in which the amoebots are not connected, even through the object if there is one.
    pub disconnected: u64,
    /// States that violate a safety property of the algorithm; with locks, states with an amoebot inside an action
    /// do not count.
    pub faults: u64,
    /// The number of final shapes that reach the goal, up to translation.
    pub final_shapes: u64,
    /// The first [`FINAL_SHAPES_SHOWN`] final shapes by their cells; the smallest coordinates are 0.
    pub first_final_shapes: Vec<Vec<Cell>>,
    /// The run to the first violation, if there is one.
    pub way: Option<RunToViolation>,
}

/// The findings specific to one kind of adversary.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AdversaryFindings {
    /// Sequential: one amoebot at a time. Amoebots are anonymous, and systems are equal up to translation.
    Sequential {
        /// Distinct initial systems.
        initial: u64,
        /// Reachable states with distinguishable amoebots, summed over initial systems. The literature counts states in
        /// this way. `None` if there are too many.
        told_apart: Option<u64>,
        /// Actions of the longest run; `None` if runs are unbounded.
        longest_run: Option<u64>,
        /// Actions of the shortest run that ends.
        shortest_run: Option<u64>,
        /// The maximum number of moves in a run; `None` if runs are unbounded.
        most_moves: Option<u64>,
        /// States without enabled actions in which the goal is reached.
        finals: u64,
        /// States in which no action can complete, although the goal is not reached or an action was aborted.
        stuck: u64,
        /// States from which no run reaches the goal.
        hopeless: u64,
        /// Enabled actions that were aborted.
        aborted: u64,
        /// Whether runs may be infinite: the algorithm draws, and terminates with probability 1.
        may_cycle: bool,
    },
    /// Concurrent: every order of the steps in the concurrency framework, with locks that may fail or with
    /// message-passing locks.
    Concurrent {
        /// Transitions between states.
        transitions: u64,
        /// Final systems, in which a run has ended.
        ends: u64,
        /// Final systems that do not reach the goal.
        wrong_ends: u64,
        /// States from which no run ends.
        hopeless: u64,
        /// States in which lock sets are not disjoint.
        overlapping: u64,
        /// Aborts that locks should have prevented.
        invalid: u64,
        /// Aborts that have changed the system.
        aborts_with_effect: u64,
        /// Failures of Lock.
        lock_failures: u64,
        /// Failed expansions.
        expand_failures: u64,
        /// The maximum number of amoebots inside an action at the same time.
        width: u64,
    },
    /// Rounds without locks, in which several amoebots act simultaneously. States of different starts are counted
    /// separately.
    Rounds {
        /// Starts from which some run ends without the goal, cannot end, or reaches an action that cannot be executed.
        wrong_starts: u64,
        /// Final systems, in which a run has ended.
        ends: u64,
        /// Final systems that do not reach the goal.
        wrong_ends: u64,
        /// Systems from which no run ends.
        hopeless: u64,
        /// Actions that failed.
        failures: u64,
    },
    /// Waves of disjoint lock sets, in every order of the amoebots. States of different starts are counted separately.
    Waves {
        /// Final systems: no amoebot is awake.
        ends: u64,
        /// Final systems that do not reach the goal.
        wrong_ends: u64,
        /// States from which no run ends.
        hopeless: u64,
        /// States from which a wave with overlapping lock sets starts.
        overlapping: u64,
        /// Aborts that locks should have prevented.
        invalid: u64,
        /// Expansions that lost a collision.
        expand_failures: u64,
        /// The maximum number of lock sets in a wave.
        width: u64,
    },
}

/// The findings for waves from all starts.
pub(super) struct WavesOfAll {
    pub(super) under: AdversaryFindings,
    pub(super) states: u64,
    pub(super) moves: u64,
    pub(super) depth: u64,
    pub(super) disconnected: u64,
    pub(super) faults: u64,
}

impl Default for WavesOfAll {
    fn default() -> Self {
        let under = AdversaryFindings::Waves {
            ends: 0,
            wrong_ends: 0,
            hopeless: 0,
            overlapping: 0,
            invalid: 0,
            expand_failures: 0,
            width: 0,
        };
        Self { under, states: 0, moves: 0, depth: 0, disconnected: 0, faults: 0 }
    }
}

impl WavesOfAll {
    pub(super) fn add<M>(&mut self, all: &WavesExploration<M>) {
        self.states += all.states as u64;
        self.moves += all.moves as u64;
        self.depth = self.depth.max(all.depth as u64);
        self.disconnected += all.disconnected as u64;
        self.faults += all.faults as u64;
        if let AdversaryFindings::Waves {
            ends,
            wrong_ends,
            hopeless,
            overlapping,
            invalid,
            expand_failures,
            width,
        } = &mut self.under
        {
            *ends += all.ends as u64;
            *wrong_ends += all.wrong_ends as u64;
            *hopeless += all.hopeless as u64;
            *overlapping += all.overlapping as u64;
            *invalid += all.invalid;
            *expand_failures += all.expand_failures;
            *width = all.width.max(*width);
        }
    }
}

/// A run to a state with a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunToViolation {
    /// The violation.
    pub to: String,
    /// Whether no run to the violation is shorter; false only for a cycle.
    pub is_shortest: bool,
    /// The occupied cells at the start.
    pub start: Vec<Cell>,
    /// The description of each step. Sequential: the cell of the actor's head, translated so that the smallest
    /// coordinates are 0, and the label of the action. Concurrent: the number of the amoebot and its step. Rounds: the
    /// memory of every amoebot after the round.
    pub steps: Vec<String>,
    /// The occupied cells at the end.
    pub end: Vec<Cell>,
    /// The moves from the start, by which the run can be retraced.
    pub route: Route,
    /// The start and the result of each step, in the frame of the start: amoebots keep their numbers, cells their
    /// coordinates.
    pub moments: Vec<RunMoment>,
    /// The digest of the final configuration in that frame.
    pub digest: Option<Digest>,
}

/// One moment of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunMoment {
    /// The event; empty at the start.
    pub what: String,
    /// The amoebots that have changed; all amoebots at the start.
    pub amoebots: Vec<AmoebotState>,
}

/// An amoebot at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AmoebotState {
    /// Its number.
    pub number: u32,
    /// The cell of its head, or its only cell.
    pub head: Cell,
    /// The cell of its tail, if it is expanded.
    pub tail: Option<Cell>,
    /// Its memory.
    pub memory: String,
}

impl fmt::Display for AmoebotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, head, tail, memory } = self;
        match tail {
            Some(tail) => write!(f, "amoebot {number} at {head}, tail at {tail}: {memory}"),
            None => write!(f, "amoebot {number} at {head}: {memory}"),
        }
    }
}

impl AmoebotState {
    pub(super) fn of<S: Description>(subject: &S, system: &System<S::Memory>, id: AmoebotId) -> Self {
        let body = system.body(id);
        let tail = (!body.is_contracted()).then(|| body.tail());
        Self { number: id.0, head: body.head(), tail, memory: subject.words(system.memory(id)) }
    }
}

impl RunToViolation {
    /// Whether the run was retraced, so that its moments and its digest are known. Otherwise the check was stopped
    /// before.
    #[must_use]
    pub fn is_retraced(&self) -> bool {
        self.digest.is_some()
    }

    fn new<M: Clone + std::hash::Hash>(to: String, trace: &SequentialTrace<M>) -> Self {
        Self {
            route: trace.route.clone(),
            moments: Vec::new(),
            digest: None,
            to,
            is_shortest: true,
            start: trace.start.system().cells(),
            steps: trace.steps.iter().map(ToString::to_string).collect(),
            end: trace.end.system().cells(),
        }
    }

    /// A run to a violation found before a check was cut short. Its start and steps are added by [`show`](Self::show)
    /// once the run is retraced.
    pub(super) fn until_cut<A: Algorithm>(
        algorithm: &A,
        what: &str,
        system: &System<A::Memory>,
        route: Route,
    ) -> Self {
        let invalid = ConcurrencyFault::Invalid.to_string();
        let is_failed = what == ABORTED || what == invalid;
        Self {
            to: if is_failed { with_reason(what, algorithm, system) } else { what.to_owned() },
            is_shortest: true,
            start: Vec::new(),
            steps: Vec::new(),
            end: system.cells(),
            route,
            moments: Vec::new(),
            digest: None,
        }
    }

    pub(super) fn sequential<A: Algorithm>(
        algorithm: &A,
        all: &SequentialExploration<A::Memory>,
        may_cycle: bool,
    ) -> Option<Self> {
        let round = || {
            let way = all.way_round.as_ref().filter(|_| !may_cycle)?;
            Some(Self { is_shortest: false, ..Self::new("a cycle of states".to_owned(), way) })
        };
        let to = |to: &str, way: &Option<SequentialTrace<A::Memory>>| {
            Some(Self::new(to.to_owned(), way.as_ref()?))
        };
        to(DISCONNECTED, &all.way_to_disconnected)
            .or_else(|| to(&broken(all.fault.as_deref().unwrap_or_default()), &all.way_to_fault))
            .or_else(|| {
                let way = all.way_to_aborted.as_ref()?;
                Some(Self::new(with_reason(ABORTED, algorithm, &way.end.system()), way))
            })
            .or_else(|| to(STUCK, &all.way_to_stuck))
            .or_else(round)
            .or_else(|| to("a state from which no run reaches the goal", &all.way_to_hopeless))
    }

    pub(super) fn concurrent<A: Algorithm>(
        algorithm: &A,
        all: &ConcurrentExploration<A::Memory>,
    ) -> Option<Self> {
        let way = all.ways.first()?;
        let step = |(id, stepped): &(AmoebotId, Stepped)| format!("{id} {stepped:?}");
        Some(Self {
            to: match way.fault {
                ConcurrencyFault::Broken => broken(all.fault.as_deref().unwrap_or_default()),
                fault @ ConcurrencyFault::Invalid => with_reason(&fault.to_string(), algorithm, &way.end),
                fault => fault.to_string(),
            },
            is_shortest: true,
            start: way.start.cells(),
            steps: way.steps.iter().map(step).collect(),
            end: way.end.cells(),
            route: way.route.clone(),
            moments: Vec::new(),
            digest: None,
        })
    }

    /// The memory of every amoebot after each step.
    fn of_systems<M: std::fmt::Debug>(to: &str, way: &[System<M>], route: Option<&Route>) -> Option<Self> {
        let memories = |system: &System<M>| {
            let memory = |id| format!("{:?}", system.memory(id));
            system.ids().map(memory).collect::<Vec<_>>().join(", ")
        };
        Some(Self {
            to: to.to_owned(),
            is_shortest: true,
            start: way.first()?.cells(),
            steps: way.iter().skip(1).map(memories).collect(),
            end: way.last()?.cells(),
            route: route?.clone(),
            moments: Vec::new(),
            digest: None,
        })
    }

    pub(super) fn in_waves<A: Algorithm>(algorithm: &A, all: &WavesExploration<A::Memory>) -> Option<Self> {
        let (to, way) = all.way.as_ref()?;
        let failed = way.last().filter(|_| to.as_str() == ABORTED);
        let to = failed.map_or_else(|| to.to_string(), |system| with_reason(ABORTED, algorithm, system));
        Self::of_systems(&to, way, all.route.as_ref())
    }

    pub(super) fn in_rounds<A: Algorithm>(algorithm: &A, all: &RoundsExploration<A::Memory>) -> Option<Self> {
        let [end, hopeless, disconnected, fault, abort] = &all.routes;
        let to = |to: &str, way: &Option<Vec<System<A::Memory>>>, route: &Option<Route>| {
            Self::of_systems(to, way.as_ref()?, route.as_ref())
        };
        let what = broken(all.fault.as_deref().unwrap_or_default());
        let aborted = || {
            let way = all.way_to_aborted.as_ref()?;
            Self::of_systems(&with_reason(ABORTED, algorithm, way.last()?), way, abort.as_ref())
        };
        to(DISCONNECTED, &all.way_to_disconnected, disconnected)
            .or_else(|| to(&what, &all.way_to_fault, fault))
            .or_else(aborted)
            .or_else(|| to(WRONG_END, &all.way, end))
            .or_else(|| to("a state from which no run ends", &all.way_to_hopeless, hopeless))
    }
}

/// The description of a violation. If an action of the last system cannot be executed, it includes the action and the
/// reason.
fn with_reason<A: Algorithm>(what: &str, algorithm: &A, system: &System<A::Memory>) -> String {
    match first_failed(algorithm, system) {
        Some(failed) => format!("{what}: {failed}"),
        None => what.to_owned(),
    }
}

impl Findings {
    /// Whether the algorithm is correct:
    ///
    /// - every run reaches the goal, or can still reach it if locks may fail repeatedly;
    /// - no action aborts that must not;
    /// - every state is safe;
    /// - the amoebots are always connected, through the object if there is one.
    #[must_use]
    pub fn is_right(&self) -> bool {
        let is_right = match self.under {
            AdversaryFindings::Sequential { longest_run, may_cycle, stuck, hopeless, aborted, .. } => {
                (longest_run.is_some() || may_cycle) && [stuck, hopeless, aborted] == [0; 3]
            }
            AdversaryFindings::Concurrent {
                wrong_ends,
                hopeless,
                overlapping,
                invalid,
                aborts_with_effect,
                ..
            } => [wrong_ends, hopeless, overlapping, invalid, aborts_with_effect] == [0; 5],
            AdversaryFindings::Rounds { wrong_starts, .. } => wrong_starts == 0,
            AdversaryFindings::Waves { wrong_ends, hopeless, overlapping, invalid, .. } => {
                [wrong_ends, hopeless, overlapping, invalid] == [0; 4]
            }
        };
        [self.disconnected, self.faults] == [0; 2] && is_right
    }
}

/// A violation reached before a check was cut short.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FoundViolation {
    /// The description of the violation.
    pub what: String,
    /// The occupied cells.
    pub cells: Vec<Cell>,
    /// The run to that state.
    pub way: RunToViolation,
}

/// The reason for which a check is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckTruncation {
    /// The limit or event that cut the check short.
    pub why: TruncationReason,
    /// States reached so far, if known.
    pub states: Option<u64>,
}

/// The limit or event that cut a check short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TruncationReason {
    /// More starts than allowed states; nothing was explored.
    Starts {
        /// Starts.
        starts: u64,
        /// The limit on states.
        states_max: u64,
    },
    /// More states than the scenario allows.
    States {
        /// The limit on states.
        states_max: u64,
    },
    /// More bytes than the check may use, counted over its states.
    Bytes {
        /// Bytes of the states, including the one that exceeded the limit.
        bytes: u64,
        /// The limit on bytes.
        bytes_max: u64,
    },
    /// More outcomes of one state than can be followed.
    Outcomes {
        /// The limit on outcomes.
        outcomes_max: u64,
    },
    /// The stop signal was set.
    Interrupted,
}

/// Displays the reached limit with its value.
impl fmt::Display for CheckTruncation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.states.unwrap_or_default();
        match self.why {
            TruncationReason::Starts { starts, states_max } => {
                write!(f, "{}, where {states_max} states are allowed", counted(starts, "start"))
            }
            TruncationReason::States { states_max } => {
                write!(f, "more than {} can be reached", counted(states_max, "state"))
            }
            TruncationReason::Bytes { bytes, bytes_max } => {
                let states = counted(states, "state");
                write!(f, "{states}: {bytes} bytes of memory, where {bytes_max} are allowed")
            }
            TruncationReason::Outcomes { outcomes_max } => {
                write!(f, "one state has more than {outcomes_max} outcomes")
            }
            TruncationReason::Interrupted => write!(f, "interrupted after {}", counted(states, "state")),
        }
    }
}

impl CheckTruncation {
    /// Converts an error about the size of the exploration; an error about a start is returned as its message.
    pub(super) fn of(error: ExploreError) -> Result<Self, String> {
        let of = |why, states: Option<usize>| Ok(Self { why, states: states.map(|states| states as u64) });
        match error {
            ExploreError::TooManyStates { limit } => {
                of(TruncationReason::States { states_max: limit as u64 }, Some(limit))
            }
            ExploreError::TooManyBytes { bytes, states, limit } => {
                of(TruncationReason::Bytes { bytes, bytes_max: limit }, Some(states))
            }
            ExploreError::TooManyOutcomes { limit } => {
                of(TruncationReason::Outcomes { outcomes_max: limit as u64 }, None)
            }
            ExploreError::Stopped { states } => of(TruncationReason::Interrupted, Some(states)),
            error => Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_makes_it_wrong() {
        let sequential = |longest_run: Option<u64>, may_cycle, [stuck, hopeless, aborted]: [u64; 3]| {
            AdversaryFindings::Sequential {
                initial: 1,
                told_apart: None,
                longest_run,
                shortest_run: Some(2),
                most_moves: Some(0),
                finals: 1,
                stuck,
                hopeless,
                aborted,
                may_cycle,
            }
        };
        let concurrent = |[wrong_ends, hopeless, overlapping, invalid, aborts_with_effect]: [u64; 5]| {
            AdversaryFindings::Concurrent {
                transitions: 9,
                ends: 2,
                wrong_ends,
                hopeless,
                overlapping,
                invalid,
                aborts_with_effect,
                lock_failures: 7,
                expand_failures: 1,
                width: 2,
            }
        };
        let rounds = |wrong_starts| AdversaryFindings::Rounds {
            wrong_starts,
            ends: 3,
            wrong_ends: 0,
            hopeless: 0,
            failures: 2,
        };
        let waves = |[wrong_ends, hopeless, overlapping, invalid]: [u64; 4]| AdversaryFindings::Waves {
            ends: 3,
            wrong_ends,
            hopeless,
            overlapping,
            invalid,
            expand_failures: 1,
            width: 2,
        };
        let is_right = |under, [disconnected, faults]: [u64; 2]| {
            let (final_shapes, first_final_shapes) = (0, Vec::new());
            let (states, moves, depth, way) = (3, 2, 2, None);
            Findings {
                under,
                states,
                moves,
                depth,
                disconnected,
                faults,
                final_shapes,
                first_final_shapes,
                way,
            }
            .is_right()
        };
        let right = [
            sequential(Some(2), false, [0; 3]),
            sequential(None, true, [0; 3]),
            concurrent([0; 5]),
            rounds(0),
            waves([0; 4]),
        ];
        for right in right {
            assert!(is_right(right.clone(), [0, 0]));
            assert!(!is_right(right.clone(), [1, 0]) && !is_right(right, [0, 1]));
        }
        let wrong = [
            sequential(None, false, [0; 3]),
            sequential(None, true, [1, 0, 0]),
            sequential(None, true, [0, 1, 0]),
            sequential(Some(2), false, [0, 0, 1]),
            rounds(1),
        ];
        for wrong in wrong {
            assert!(!is_right(wrong.clone(), [0, 0]), "{wrong:?}");
        }
        for fault in 0..5 {
            let mut faults = [0; 5];
            faults[fault] = 1;
            assert!(!is_right(concurrent(faults), [0, 0]), "{faults:?}");
        }
        for fault in 0..4 {
            let mut faults = [0; 4];
            faults[fault] = 1;
            assert!(!is_right(waves(faults), [0, 0]), "{faults:?}");
        }
    }
}
