//! Findings of a check, and reasons why a check is incomplete.

use acrasin_catalogue::counted;
use std::collections::BTreeSet;
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
use acrasin_amoebot::{Cell, Shape, System};
use acrasin_report::value::Value;
use acrasin_runtime::Digest;

/// The maximum number of final shapes that a check lists.
pub const FINAL_SHAPES_SHOWN: usize = 8;

/// The findings of a complete check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Findings {
    /// The claim about all runs that holds if nothing is violated.
    pub claim: &'static str,
    /// The number of reachable states, including initial ones.
    pub states: u64,
    /// The number of transitions between states: actions in sequential executions, steps in concurrent ones, or rounds.
    pub moves: u64,
    /// The largest distance of a state from the start, in moves.
    pub depth: u64,
    /// Figures that exist only for this execution model.
    pub figures: Vec<CheckFigure>,
    /// The number of states in which the amoebots are not connected, even through the object if there is one.
    pub disconnected: u64,
    /// The number of states that violate a safety property of the algorithm. With locks, states with an amoebot inside
    /// an action are not tested.
    pub faults: u64,
    /// The number of final shapes that reach the goal, up to translation.
    pub final_shapes: u64,
    /// The first [`FINAL_SHAPES_SHOWN`] final shapes by their cells; the smallest coordinates are 0.
    pub first_final_shapes: Vec<Vec<Cell>>,
    /// The run to the first violation, if there is one.
    pub way: Option<RunToViolation>,
}

/// A figure of a check.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct CheckFigure {
    /// The key for programs.
    pub key: &'static str,
    /// The label for people.
    pub label: &'static str,
    /// The value; missing if it is unbounded or unknown.
    pub value: Value,
    /// Whether the figure is a fault: the algorithm is correct only if the value is 0 or no.
    pub is_fault: bool,
}

impl CheckFigure {
    pub(super) fn new(key: &'static str, label: &'static str, value: impl Into<Value>) -> Self {
        Self { key, label, value: value.into(), is_fault: false }
    }

    /// A fault: a figure whose value must be 0 or no.
    pub(super) fn fault(key: &'static str, label: &'static str, value: impl Into<Value>) -> Self {
        Self { is_fault: true, ..Self::new(key, label, value) }
    }
}

/// The findings of rounds or waves from one start, or from all starts so far.
pub(super) struct OfStarts<const N: usize> {
    pub(super) states: usize,
    pub(super) moves: usize,
    pub(super) depth: usize,
    pub(super) disconnected: usize,
    pub(super) faults: usize,
    /// Counts that exist only for this execution model.
    pub(super) counts: [u64; N],
    /// The largest number of lock sets in a wave.
    pub(super) width: u64,
    pub(super) way: Option<RunToViolation>,
    pub(super) final_shapes: BTreeSet<Shape>,
}

impl<const N: usize> OfStarts<N> {
    pub(super) const NONE: Self = Self {
        states: 0,
        moves: 0,
        depth: 0,
        disconnected: 0,
        faults: 0,
        counts: [0; N],
        width: 0,
        way: None,
        final_shapes: BTreeSet::new(),
    };

    /// Adds the findings from the start with this number.
    pub(super) fn add(&mut self, one: Self, start: usize) {
        self.states += one.states;
        self.moves += one.moves;
        self.depth = self.depth.max(one.depth);
        self.disconnected += one.disconnected;
        self.faults += one.faults;
        for (sum, count) in self.counts.iter_mut().zip(one.counts) {
            *sum += count;
        }
        self.width = self.width.max(one.width);
        self.final_shapes.extend(one.final_shapes);
        // The shortest run over all starts to the same fault.
        let is_nearer = |way: &RunToViolation| {
            let known = self.way.as_ref();
            known.is_none_or(|known| known.to == way.to && way.steps.len() < known.steps.len())
        };
        if let Some(mut way) = one.way.filter(is_nearer) {
            way.route.start = start;
            self.way = Some(way);
        }
    }

    pub(super) fn found(self, claim: &'static str, figures: Vec<CheckFigure>) -> Findings {
        Findings {
            claim,
            states: self.states as u64,
            moves: self.moves as u64,
            depth: self.depth as u64,
            figures,
            disconnected: self.disconnected as u64,
            faults: self.faults as u64,
            final_shapes: self.final_shapes.len() as u64,
            first_final_shapes: first(&self.final_shapes),
            way: self.way,
        }
    }
}

/// The cells of the first shapes.
pub(super) fn first(shapes: &BTreeSet<Shape>) -> Vec<Vec<Cell>> {
    shapes.iter().take(FINAL_SHAPES_SHOWN).map(|shape| shape.cells().to_vec()).collect()
}

/// A run to a state with a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunToViolation {
    /// The violation at the end of the run.
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
    /// The moves from the start, from which the run can be retraced.
    pub route: Route,
    /// The start and the result of each step, in the frame of the start: amoebots keep their numbers, cells their
    /// coordinates.
    pub moments: Vec<RunMoment>,
    /// The digest of the final configuration, with cells in the frame of the start.
    pub digest: Option<Digest>,
}

/// One moment of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunMoment {
    /// The event that led to this moment; empty at the start.
    pub what: String,
    /// The amoebots that have changed; all amoebots at the start.
    pub amoebots: Vec<AmoebotState>,
}

/// An amoebot at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AmoebotState {
    /// The number of the amoebot in the start.
    pub number: u32,
    /// The cell of the amoebot's head, or its only cell.
    pub head: Cell,
    /// The cell of the amoebot's tail, if it is expanded.
    pub tail: Option<Cell>,
    /// The memory of the amoebot, as text.
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
    /// Whether the run was retraced, so that its moments and its digest are known. If not, the check was stopped before
    /// the retracing ended.
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

    /// A run to a violation found by an incomplete check. Its start and steps are added by [`show`](Self::show) once
    /// the run is retraced.
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

    /// A run through the systems of `way`. Each step is described by the memories of all amoebots after it. `None`
    /// without systems or a route.
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

/// The description of a violation. If an action of the last system cannot be executed, the description includes the
/// action and the reason.
fn with_reason<A: Algorithm>(what: &str, algorithm: &A, system: &System<A::Memory>) -> String {
    match first_failed(algorithm, system) {
        Some(failed) => format!("{what}: {failed}"),
        None => what.to_owned(),
    }
}

impl Findings {
    /// Whether the algorithm is correct:
    ///
    /// - every run reaches the goal; if locks may fail repeatedly, every run can still reach it;
    /// - no action aborts that the locks should protect;
    /// - every state is safe;
    /// - the amoebots are always connected, through the object if there is one.
    #[must_use]
    pub fn is_right(&self) -> bool {
        let is_zero = |value: &Value| matches!(value, Value::Integer(0) | Value::Flag(false));
        [self.disconnected, self.faults] == [0; 2]
            && self.figures.iter().all(|figure| !figure.is_fault || is_zero(&figure.value))
    }
}

/// A violation found by an incomplete check.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FoundViolation {
    /// The description of the violation.
    pub what: String,
    /// The occupied cells in the state with the violation.
    pub cells: Vec<Cell>,
    /// The run to that state.
    pub way: RunToViolation,
}

/// The reason why a check is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckTruncation {
    /// The limit or event that ended the check early.
    pub why: TruncationReason,
    /// The number of states reached so far, if known.
    pub states: Option<u64>,
}

/// The limit or event that ended a check early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TruncationReason {
    /// There are more starts than allowed states; nothing was explored.
    Starts {
        /// The number of starts.
        starts: u64,
        /// The limit on states.
        states_max: u64,
    },
    /// There are more states than the scenario allows.
    States {
        /// The limit on states.
        states_max: u64,
    },
    /// The states take more bytes than the check may use.
    Bytes {
        /// Bytes of the states, including the one that exceeded the limit.
        bytes: u64,
        /// The limit on bytes.
        bytes_max: u64,
    },
    /// One state has more outcomes than the check can follow.
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
    /// Converts an exceeded limit. Any other error, about a start, is returned as its message.
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
        let is_right = |figures: Vec<CheckFigure>, [disconnected, faults]: [usize; 2]| {
            OfStarts::<0> { disconnected, faults, ..OfStarts::NONE }.found("", figures).is_right()
        };
        let figure = |value: Value| vec![CheckFigure::new("figure", "", value)];
        let fault = |value: Value| vec![CheckFigure::fault("fault", "", value)];
        for right in [figure(Value::Integer(3)), fault(Value::Integer(0)), fault(Value::Flag(false))] {
            assert!(is_right(right.clone(), [0, 0]), "{right:?}");
            assert!(!is_right(right.clone(), [1, 0]) && !is_right(right, [0, 1]));
        }
        for wrong in [fault(Value::Integer(1)), fault(Value::Flag(true)), fault(Value::Missing)] {
            assert!(!is_right(wrong.clone(), [0, 0]), "{wrong:?}");
        }
    }
}
