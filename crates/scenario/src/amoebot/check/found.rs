//! Findings of a check, and reasons why a check is incomplete.

use acrasin_catalogue::counted;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::{fmt, io};

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

use crate::check::{
    CheckFigure, CheckReport, CheckTruncation, FinalShapes, PropertyVerdict, TruncationReason, Verdict,
    ViolatingRun,
};

/// The maximum number of final shapes that a check lists.
pub const FINAL_SHAPES_SHOWN: usize = 8;

/// The maximum number of cells of a state in text output.
const CELLS_SHOWN: usize = 20;

/// The findings from one start, or from all starts so far.
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

    /// The report of a complete check. `claim` holds for all runs if no figure is a fault.
    pub(super) fn report(
        self,
        claim: &'static str,
        figures: Vec<CheckFigure>,
    ) -> CheckReport<RunToViolation> {
        let first = self.final_shapes.iter().take(FINAL_SHAPES_SHOWN).map(|shape| shape.cells().to_vec());
        let shapes = FinalShapes { count: self.final_shapes.len() as u64, first: first.collect() };
        let mut all = vec![CheckFigure::new("states", "reachable states", self.states as u64)];
        all.extend(figures);
        all.extend([
            CheckFigure::fault("disconnected", "disconnected states", self.disconnected as u64),
            CheckFigure::fault("faults", "states that must not occur", self.faults as u64),
            CheckFigure::new("final_shapes", "final shapes", shapes.count),
        ]);
        let verdict = if all.iter().any(CheckFigure::is_violated) {
            Verdict::Broken(self.way.unwrap_or_default())
        } else {
            Verdict::Holds
        };
        CheckReport {
            states: Some(self.states as u64),
            transitions: Some(self.moves as u64),
            depth: Some(self.depth as u64),
            figures: all,
            shapes,
            ..CheckReport::new(vec![PropertyVerdict { property: claim, source: "", verdict }])
        }
    }
}

/// The report of a check of this number of starts, of which the algorithm refused some. A violation counts even if the
/// check is incomplete.
pub(super) fn report(
    [starts, refused]: [u64; 2],
    found: Result<CheckReport<RunToViolation>, CheckTruncation>,
    violation: Option<RunToViolation>,
) -> CheckReport<RunToViolation> {
    let mut report = found.unwrap_or_else(|truncated| {
        let verdict = violation.map_or(Verdict::Open, Verdict::Broken);
        let states = truncated.states.map_or(Value::Missing, Value::Integer);
        CheckReport {
            states: truncated.states,
            truncated: Some(truncated),
            figures: vec![CheckFigure::new("states_met", "states found until then", states)],
            ..CheckReport::new(vec![PropertyVerdict { property: "", source: "", verdict }])
        }
    });
    let of_starts = [
        CheckFigure::new("starts", "starts", starts),
        CheckFigure::new("refused", "starts that the algorithm rejects", refused),
    ];
    report.figures.splice(0..0, of_starts);
    report
}

/// A run to a state with a violation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    /// The cells of the state in which an incomplete check has found the violation, in the frame of the exploration.
    pub found_on: Vec<Cell>,
    /// The seed of the check.
    pub seed: u64,
    /// The run as a recording: absent for outcomes of coins, and if the check was stopped before the run was retraced.
    pub recording: Option<Vec<u8>>,
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
    /// The cells of the state in which the violation was found, as text; of the end of the run, if it is complete.
    #[must_use]
    pub fn found_on(&self) -> String {
        listed(if self.found_on.is_empty() { &self.end } else { &self.found_on })
    }

    /// Whether the run was retraced, so that its moments are known. If not, the check was stopped before the retracing
    /// ended.
    #[must_use]
    pub fn is_retraced(&self) -> bool {
        !self.moments.is_empty()
    }

    fn new<M: Clone + std::hash::Hash>(to: String, trace: &SequentialTrace<M>) -> Self {
        Self {
            route: trace.route.clone(),
            to,
            is_shortest: true,
            start: trace.start.system().cells(),
            steps: trace.steps.iter().map(ToString::to_string).collect(),
            end: trace.end.system().cells(),
            ..Self::default()
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
            end: system.cells(),
            found_on: system.cells(),
            route,
            ..Self::default()
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
            ..Self::default()
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
            ..Self::default()
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

impl ViolatingRun for RunToViolation {
    const KIND: &'static str = "violation";

    fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Every step, with the amoebots that it changes, in the coordinates of the start.
    fn text(&self, _: [&str; 2]) -> String {
        let a = if self.is_shortest { "a shortest way" } else { "a way" };
        let mut text = format!("{a} to {}, {}:\n", self.to, counted(self.steps.len(), "step"));
        text += &format!("  start on {}\n", listed(&self.start));
        text += &format!("  start {} of the check, seed {}\n", self.route.start, self.seed);
        if !self.is_retraced() {
            // The check was stopped before the states were known.
            self.steps.iter().for_each(|step| text += &format!("  {step}\n"));
        }
        for RunMoment { what, amoebots, .. } in &self.moments {
            if !what.is_empty() {
                text += &format!("  {what}\n");
            }
            for amoebot in amoebots.iter().take(CELLS_SHOWN) {
                text += &format!("    {amoebot}\n");
            }
            if amoebots.len() > CELLS_SHOWN {
                text += &format!("    and {} more\n", amoebots.len() - CELLS_SHOWN);
            }
        }
        text + &format!("  end on {}\n", listed(&self.end))
    }

    fn recording(&self) -> io::Result<Option<Cow<'_, [u8]>>> {
        Ok(self.recording.as_deref().map(Cow::Borrowed))
    }

    fn recorded(&self, _: &str) -> String {
        format!("the recorded run leads to {}", self.to)
    }

    fn offer(&self) -> Option<&'static str> {
        let is_offered = self.recording.is_some() || !self.is_retraced();
        is_offered.then_some("--record FILE keeps this run for acrasin replay and acrasin view")
    }
}

/// The first cells, and the number of omitted cells.
fn listed(cells: &[Cell]) -> String {
    let mut shown: Vec<String> = cells.iter().take(CELLS_SHOWN).map(ToString::to_string).collect();
    if cells.len() > CELLS_SHOWN {
        shown.push(format!("and {} more", cells.len() - CELLS_SHOWN));
    }
    shown.join(" ")
}

/// The description of a violation. If an action of the last system cannot be executed, the description includes the
/// action and the reason.
fn with_reason<A: Algorithm>(what: &str, algorithm: &A, system: &System<A::Memory>) -> String {
    match first_failed(algorithm, system) {
        Some(failed) => format!("{what}: {failed}"),
        None => what.to_owned(),
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
            OfStarts::<0> { disconnected, faults, ..OfStarts::NONE }.report("", figures).is_right()
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
