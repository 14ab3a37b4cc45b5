//! What a check has found, or why it was cut short.

use acrasin_catalogue::counted;
use std::fmt;

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::algorithm::Algorithm;
use acrasin_amoebot::check::concurrent::{ConcurrentExploration, Fault};
use acrasin_amoebot::check::simultaneous::RoundsExploration;
use acrasin_amoebot::check::waves::WavesExploration;
use acrasin_amoebot::check::{
    ABORTED, DISCONNECTED, Exploration, ExploreError, Route, STUCK, Trace, WRONG_END, broken, first_failed,
};
use acrasin_amoebot::run::concurrent::Stepped;
use acrasin_amoebot::{Cell, System};
use acrasin_runtime::Digest;

/// How many of the final shapes a check gives: they are looked at by people.
pub const FINAL_SHAPES_SHOWN: usize = 8;

/// What was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// Under which adversary.
    pub under: Under,
    /// Reachable states, initial ones included.
    pub states: u64,
    /// Moves from state to state: actions of one at a time, steps of concurrent ones, rounds.
    pub moves: u64,
    /// The most moves that the shortest way to a state has.
    pub depth: u64,
    /// States in which the amoebots are not connected, nor by the object if there is one.
    pub disconnected: u64,
    /// States in which something is that should be at no moment; with locks only those with no amoebot inside an action.
    pub faults: u64,
    /// How many shapes there are in which runs end that reach the goal, up to translation.
    pub final_shapes: u64,
    /// The first [`FINAL_SHAPES_SHOWN`] of them, by their cells; the smallest coordinates are 0.
    pub first_final_shapes: Vec<Vec<Cell>>,
    /// The way to the first thing that is wrong, if anything is.
    pub way: Option<RunToViolation>,
}

/// What only one kind of adversary has.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Under {
    /// One amoebot at a time. Amoebots are anonymous, translates are the same.
    Sequential {
        /// Initial systems that differ.
        initial: u64,
        /// Reachable states with the amoebots told apart, each initial system for itself, summed: the figures of the
        /// literature. `None` if that is too many.
        told_apart: Option<u64>,
        /// Actions of the longest run; `None` if a run can go on for ever.
        longest_run: Option<u64>,
        /// Actions of the shortest run that ends.
        shortest_run: Option<u64>,
        /// Most moves of a run; `None` if a run can go on for ever.
        most_moves: Option<u64>,
        /// States without enabled actions in which the goal is reached.
        finals: u64,
        /// States without an action that completes, in which the goal is not reached or an action was aborted.
        stuck: u64,
        /// States from which no run reaches the goal.
        hopeless: u64,
        /// Enabled actions that were aborted.
        aborted: u64,
        /// Whether a run may go on for ever: the algorithm draws, and promises an end with probability 1.
        may_cycle: bool,
    },
    /// All at the same time in the concurrency framework: every order of the steps, with locks that may fail, or of the steps and the
    /// messages of locks that wait.
    Concurrent {
        /// Steps from state to state.
        transitions: u64,
        /// Systems in which a run has ended.
        ends: u64,
        /// Those of them that do not reach the goal.
        wrong_ends: u64,
        /// States from which no run ends.
        hopeless: u64,
        /// States in which lock sets are not disjoint.
        overlapping: u64,
        /// Aborts that locks should have prevented.
        invalid: u64,
        /// Aborts that have changed something.
        aborts_with_effect: u64,
        /// Failures of Lock.
        lock_failures: u64,
        /// Failed expansions.
        expand_failures: u64,
        /// The most amoebots that are inside an action at once.
        width: u64,
    },
    /// Several at the same time in rounds, without locks. States of different starts are counted for each.
    Rounds {
        /// Starts from which some run ends without the goal, cannot end, or comes to an action that cannot be done.
        wrong_starts: u64,
        /// Systems in which a run has ended.
        ends: u64,
        /// Those of them that do not reach the goal.
        wrong_ends: u64,
        /// Systems from which no run ends.
        hopeless: u64,
        /// Actions that failed.
        failures: u64,
    },
    /// In waves of disjoint lock sets: whoever goes first. States of different starts are counted for each.
    Waves {
        /// Systems with who is awake, in which everybody rests.
        ends: u64,
        /// Those of them that do not reach the goal.
        wrong_ends: u64,
        /// States from which no run ends.
        hopeless: u64,
        /// States from which a wave leads on in which lock sets overlap.
        overlapping: u64,
        /// Aborts that locks should have prevented.
        invalid: u64,
        /// Expansions that lost a collision.
        expand_failures: u64,
        /// The most lock sets of a wave.
        width: u64,
    },
}

/// What was found in waves from all starts.
pub(super) struct WavesOfAll {
    pub(super) under: Under,
    pub(super) states: u64,
    pub(super) moves: u64,
    pub(super) depth: u64,
    pub(super) disconnected: u64,
    pub(super) faults: u64,
}

impl Default for WavesOfAll {
    fn default() -> Self {
        let under = Under::Waves {
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
        if let Under::Waves { ends, wrong_ends, hopeless, overlapping, invalid, expand_failures, width } =
            &mut self.under
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

/// A run to a state in which something is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunToViolation {
    /// What is wrong there.
    pub to: String,
    /// Whether no run there is shorter: always, but for a way round.
    pub is_shortest: bool,
    /// The occupied cells at the start.
    pub start: Vec<Cell>,
    /// What happens. Of one amoebot at a time who does what: the cell of the head, moved with all others so that the
    /// smallest coordinates are 0, and the label; of concurrent ones the number of the amoebot and its step; of rounds
    /// what every amoebot remembers after the round.
    pub steps: Vec<String>,
    /// The occupied cells at the end.
    pub end: Vec<Cell>,
    /// The moves that it takes, by which it can be taken again.
    pub route: Route,
    /// The start and each step again, in the frame of the start: amoebots keep their numbers, cells their coordinates.
    pub moments: Vec<RunMoment>,
    /// The digest of the configuration at the end, in that frame.
    pub digest: Option<Digest>,
}

/// One moment of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunMoment {
    /// What happened; nothing at the start.
    pub what: String,
    /// The amoebots that have changed; all at the start.
    pub amoebots: Vec<AmoebotState>,
}

/// An amoebot at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AmoebotState {
    /// Its number.
    pub number: u32,
    /// The cell of its head, or the only one.
    pub head: Cell,
    /// The cell of its tail, if it is expanded.
    pub tail: Option<Cell>,
    /// What it remembers.
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
    pub(super) fn of<M: fmt::Debug>(system: &System<M>, id: AmoebotId) -> Self {
        let (body, memory) = (system.body(id), system.memory(id));
        let tail = (!body.is_contracted()).then(|| body.tail());
        Self { number: id.0, head: body.head(), tail, memory: format!("{memory:?}") }
    }
}

impl RunToViolation {
    fn new<M: Clone + std::hash::Hash>(to: String, trace: &Trace<M>) -> Self {
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

    /// A run to a state that a check has found before it was cut short. What happens on it, and where it starts, is
    /// [shown](Self::show) when it has been taken again.
    pub(super) fn until_cut<A: Algorithm>(
        algorithm: &A,
        what: &str,
        system: &System<A::Memory>,
        route: Route,
    ) -> Self {
        let invalid = Fault::Invalid.to_string();
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
        all: &Exploration<A::Memory>,
        may_cycle: bool,
    ) -> Option<Self> {
        let round = || {
            let way = all.way_round.as_ref().filter(|_| !may_cycle)?;
            Some(Self { is_shortest: false, ..Self::new("a state, and round to it again".to_owned(), way) })
        };
        let to = |to: &str, way: &Option<Trace<A::Memory>>| Some(Self::new(to.to_owned(), way.as_ref()?));
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
                Fault::Broken => broken(all.fault.as_deref().unwrap_or_default()),
                fault @ Fault::Invalid => with_reason(&fault.to_string(), algorithm, &way.end),
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

    /// What every amoebot remembers after each step.
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

/// What is wrong, with the action that cannot be done and the reason, if it is one of the last system.
fn with_reason<A: Algorithm>(what: &str, algorithm: &A, system: &System<A::Memory>) -> String {
    match first_failed(algorithm, system) {
        Some(failed) => format!("{what}: {failed}"),
        None => what.to_owned(),
    }
}

impl Found {
    /// Whether every run ends in the goal, or can still do so if locks may fail again and again; nothing is aborted that
    /// should not be; nothing is that should be at no moment; and the amoebots are always connected, by the object if
    /// there is one.
    #[must_use]
    pub fn is_right(&self) -> bool {
        let is_right = match self.under {
            Under::Sequential { longest_run, may_cycle, stuck, hopeless, aborted, .. } => {
                (longest_run.is_some() || may_cycle) && [stuck, hopeless, aborted] == [0; 3]
            }
            Under::Concurrent { wrong_ends, hopeless, overlapping, invalid, aborts_with_effect, .. } => {
                [wrong_ends, hopeless, overlapping, invalid, aborts_with_effect] == [0; 5]
            }
            Under::Rounds { wrong_starts, .. } => wrong_starts == 0,
            Under::Waves { wrong_ends, hopeless, overlapping, invalid, .. } => {
                [wrong_ends, hopeless, overlapping, invalid] == [0; 4]
            }
        };
        [self.disconnected, self.faults] == [0; 2] && is_right
    }
}

/// What is wrong in a state that was reached before a check was cut short.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Violation {
    /// What is wrong.
    pub what: String,
    /// The occupied cells.
    pub cells: Vec<Cell>,
    /// The run to that state.
    pub way: RunToViolation,
}

/// Why not everything was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Truncated {
    /// Why.
    pub why: Why,
    /// States that were met until then, if it is known.
    pub states: Option<u64>,
}

/// What a check has met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// More starts than states are allowed: nothing was looked at.
    Starts {
        /// Starts.
        starts: u64,
        /// How many states the scenario allows.
        states_max: u64,
    },
    /// More states than the scenario allows.
    States {
        /// How many it allows.
        states_max: u64,
    },
    /// More bytes than the check may take, by a count of what states hold.
    Bytes {
        /// How many the states took, with one more.
        bytes: u64,
        /// How many they may take.
        bytes_max: u64,
    },
    /// More ways on from one state than can be followed.
    Outcomes {
        /// How many can.
        outcomes_max: u64,
    },
    /// An amoebot has stopped it.
    Interrupted,
}

/// What was met, with its limit.
impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.states.unwrap_or_default();
        match self.why {
            Why::Starts { starts, states_max } => {
                write!(f, "{}, where {states_max} states are allowed", counted(starts, "start"))
            }
            Why::States { states_max } => {
                write!(f, "more than {} can be reached", counted(states_max, "state"))
            }
            Why::Bytes { bytes, bytes_max } => {
                let states = counted(states, "state");
                write!(f, "{states}: {bytes} bytes of memory, where {bytes_max} are allowed")
            }
            Why::Outcomes { outcomes_max } => {
                write!(f, "from one state there are more than {outcomes_max} ways on")
            }
            Why::Interrupted => write!(f, "interrupted after {}", counted(states, "state")),
        }
    }
}

impl Truncated {
    /// Of an error that is about the size of what was explored, and not about a start.
    pub(super) fn of(error: ExploreError) -> Result<Self, String> {
        let of = |why, states: Option<usize>| Ok(Self { why, states: states.map(|states| states as u64) });
        match error {
            ExploreError::TooManyStates { limit } => {
                of(Why::States { states_max: limit as u64 }, Some(limit))
            }
            ExploreError::TooManyBytes { bytes, states, limit } => {
                of(Why::Bytes { bytes, bytes_max: limit }, Some(states))
            }
            ExploreError::TooManyOutcomes { limit } => of(Why::Outcomes { outcomes_max: limit as u64 }, None),
            ExploreError::Stopped { states } => of(Why::Interrupted, Some(states)),
            error => Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_makes_it_wrong() {
        let sequential =
            |longest_run: Option<u64>, may_cycle, [stuck, hopeless, aborted]: [u64; 3]| Under::Sequential {
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
            };
        let concurrent =
            |[wrong_ends, hopeless, overlapping, invalid, aborts_with_effect]: [u64; 5]| Under::Concurrent {
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
            };
        let rounds =
            |wrong_starts| Under::Rounds { wrong_starts, ends: 3, wrong_ends: 0, hopeless: 0, failures: 2 };
        let waves = |[wrong_ends, hopeless, overlapping, invalid]: [u64; 4]| Under::Waves {
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
            Found { under, states, moves, depth, disconnected, faults, final_shapes, first_final_shapes, way }
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
