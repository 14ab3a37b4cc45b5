//! Exhaustive exploration of the sequential schedules of small systems.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::body::Body;
use crate::model::id::AmoebotId;
use acrasin_explore::{ConfigurationGraph, GraphWalk, Moves};
use acrasin_runtime::PackError;

use super::acts::{Act, acts};
use super::limits::{self, CheckLimits, ExploreError, Questions, StateQuestions};
use super::packed::{Equivalence, PackedSystem, Packing};
use super::route::{RetraceMoves, Retraced, Route};
use super::search::{
    DISCONNECTED, ExploredGraph, FAULT, RunToWrong, SearchStop, StateModel, search, way_on, wrong,
    wrong_at_rest,
};
use crate::algorithm::Algorithm;
use crate::model::lattice::Cell;
use crate::model::shape::Shape;
use crate::model::system::{Configuration, System, sort_by_body};

/// Whether states that differ only in identities are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identities {
    /// Such states are the same: amoebots are anonymous.
    Anonymous,
    /// Such states are different, as for an observer that numbers the amoebots. There are more states than with
    /// anonymous amoebots, but the executions are the same.
    Distinct,
}

/// The definition of a state, and the largest number of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Whether states that differ only in identities are distinct.
    pub identities: Identities,
    /// The maximum number of states, capped at 2^32 - 1.
    pub states_max: usize,
}

impl Default for Scope {
    /// Anonymous amoebots, and at most 2^22 states, which take about a gigabyte for four amoebots.
    fn default() -> Self {
        Self { identities: Identities::Anonymous, states_max: 1 << 22 }
    }
}

/// The results of exploring all sequential schedules from some systems.
///
/// A state is a configuration up to translation, with or without identities. A run starts in an initial system
/// and continues until no action can be completed.
#[derive(Clone, Debug)]
pub struct SequentialExploration<M> {
    /// The number of distinct initial systems.
    pub initial: usize,
    /// The number of distinct states that are reachable from some initial system, including the initial ones.
    pub states: usize,
    /// The number of transitions: each action counts once for each outcome of its draws.
    pub moves: usize,
    /// The largest distance of a state from the initial systems, in actions.
    pub depth: usize,
    /// The number of actions of the longest run; `None` if some run is infinite.
    pub longest_run: Option<u32>,
    /// The number of actions of the shortest run; `None` if no run ends.
    pub shortest_run: Option<u32>,
    /// The maximum number of movements of a run, a handover counting as two; `None` if some run is infinite.
    pub most_moves: Option<u64>,
    /// The states in which no action is enabled and the goal is reached.
    pub finals: Vec<Configuration<M>>,
    /// The states in which no action can be completed, but the goal is not reached or an action was aborted.
    pub stuck: Vec<Configuration<M>>,
    /// The number of states from which no run reaches a final state, including stuck states. If it is 0, runs reach the
    /// goal with probability 1 under uniform schedules and draws, even if some are infinite.
    pub hopeless: usize,
    /// The number of states in which the amoebots, together with the object, are not connected.
    pub disconnected: usize,
    /// The number of states that have a [fault](Questions::fault).
    pub faults: usize,
    /// The description of the fault nearest to the start, at the end of [`way_to_fault`](Self::way_to_fault).
    pub fault: Option<String>,
    /// The number of enabled actions that were aborted, over all states; 0 for a valid algorithm.
    pub aborted: usize,
    /// A shortest path to a state of [`stuck`](Self::stuck).
    pub way_to_stuck: Option<SequentialTrace<M>>,
    /// A shortest path to a state from which no run reaches a final state.
    pub way_to_hopeless: Option<SequentialTrace<M>>,
    /// A shortest path to a state in which the amoebots are not connected.
    pub way_to_disconnected: Option<SequentialTrace<M>>,
    /// A shortest path to a state with a fault.
    pub way_to_fault: Option<SequentialTrace<M>>,
    /// A shortest path to a state in which an enabled action is aborted.
    pub way_to_aborted: Option<SequentialTrace<M>>,
    /// A path to a cycle, followed by one pass through the cycle; `None` if every run is finite.
    pub way_round: Option<SequentialTrace<M>>,
    graph: ConfigurationGraph,
}

/// A run from an initial system to a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequentialTrace<M> {
    /// The initial system of the run.
    pub start: Configuration<M>,
    /// The actions from the initial system on.
    pub steps: Vec<TraceStep>,
    /// The state at the end of the run.
    pub end: Configuration<M>,
    /// The moves of the run, for a replay.
    pub route: Route,
}

/// An action of one amoebot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TraceStep {
    /// The position of the amoebot's head in the normal form of the state, in which the smallest coordinates are 0.
    pub cell: Cell,
    /// The label of the action.
    pub action: String,
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.cell, self.action)
    }
}

impl<M> SequentialExploration<M> {
    /// The number of states reachable from each initial system, in the order of first occurrence. A state that is
    /// reachable from two of these systems counts for both. O(initial systems * transitions).
    ///
    /// The published numbers of reachable states of hexagon formation, 48 for two amoebots and 1,449 for three,
    /// are sums of these with [`Identities::Distinct`].
    #[must_use]
    pub fn states_from_each(&self) -> Vec<usize> {
        self.graph.reached_from_each(0..self.initial as u32)
    }

    /// Whether some run is infinite.
    #[must_use]
    pub fn is_cyclic(&self) -> bool {
        self.longest_run.is_none()
    }

    /// Whether every run ends in the goal, no action is ever aborted, there is no fault, and the amoebots always remain
    /// connected, possibly through the object.
    #[must_use]
    pub fn always_succeeds(&self) -> bool {
        let wrong = [self.stuck.len(), self.disconnected, self.faults, self.aborted];
        !self.is_cyclic() && wrong == [0; 4]
    }
}

impl<M: Clone + std::hash::Hash> SequentialExploration<M> {
    /// The final shapes of the runs that reach the goal.
    #[must_use]
    pub fn final_shapes(&self) -> BTreeSet<Shape> {
        self.finals.iter().map(|state| state.system().shape().expect("a state has a shape")).collect()
    }
}

/// Explores every sequential schedule from all of `starts`, breadth first. In each state every amoebot may act; with
/// [`ActionOrder::Any`](crate::ActionOrder::Any), it may execute any of its enabled actions.
///
/// The exploration runs on every core, and its result does not depend on their number. It keeps a 128-bit digest of
/// each state.
///
/// ```
/// use acrasin_amoebot::check::{Scope, explore};
/// use acrasin_amoebot::{Cell, Direction, Hexagon, start};
/// let line = start::line(Cell::ORIGIN, Direction::East, 3)?;
/// let all = explore(&Hexagon, [Hexagon::start(&line, 1, &[])?], Hexagon::is_finished, Scope::default())?;
/// assert!(all.always_succeeds());
/// assert_eq!(all.final_shapes().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// There are more states than the scope allows, or the amoebots are too far apart for a normal form.
pub fn explore<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    goal: impl Fn(&System<A::Memory>) -> bool + Sync,
    scope: Scope,
) -> Result<SequentialExploration<A::Memory>, ExploreError> {
    let limits = CheckLimits { states_max: scope.states_max, ..CheckLimits::default() };
    explore_within(algorithm, starts, &Questions::from_goal(&goal), scope.identities, limits)
}

/// Like [`explore`], with questions and limits that the caller chooses. Starts are taken from the iterator one by one,
/// and stored only as states.
///
/// # Errors
///
/// The limit of states, bytes or outcomes is exceeded, the amoebots are too far apart for a normal form, or the
/// exploration is stopped.
pub fn explore_within<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    questions: &Questions<'_, A::Memory>,
    identities: Identities,
    limits: CheckLimits,
) -> Result<SequentialExploration<A::Memory>, ExploreError> {
    let form = match identities {
        Identities::Anonymous => Equivalence::Anonymous,
        Identities::Distinct => Equivalence::Numbered,
    };
    let schedules = Schedules {
        algorithm,
        asked: questions.asked(),
        packing: Packing::new(form, limits.bytes_owned),
        aborted: AtomicU64::new(0),
    };
    let stop = SearchStop::new(questions.is_stopped, limits);
    let mut starts = starts.into_iter();
    let tell = |run: RunToWrong<'_>| {
        (questions.told)(&run.broken.text, &schedules.packing.system(run.state()), &run.route);
    };
    let mut next_start = |into: &mut Vec<u8>| schedules.packing.pack_next(&mut starts, into);
    let explored = search(&schedules, &mut next_start, &stop, (questions.keeper, &tell))?;
    schedules.results(explored)
}

// Label bits.
const FINAL: u32 = 4;
const STUCK: u32 = 8;
const ABORTED: u32 = 16;

/// The model of all sequential schedules.
struct Schedules<'a, A: Algorithm> {
    algorithm: &'a A,
    asked: StateQuestions<'a, A::Memory>,
    packing: Packing<A::Memory>,
    aborted: AtomicU64,
}

/// Replays a run of anonymous amoebots from its initial system. `None` if a move does not exist, or if the replay is
/// stopped.
pub fn retrace_schedule<A: Algorithm>(
    algorithm: &A,
    start: System<A::Memory>,
    (moves, is_stopped): RetraceMoves<'_>,
) -> Option<Vec<Retraced<A::Memory>>> {
    let mut at = start;
    let mut next = |position: u32| {
        // The exploration numbers anonymous amoebots by their cells.
        let mut order: Vec<(Body, AmoebotId)> = at.ids().map(|id| (at.body(id), id)).collect();
        sort_by_body(&mut order);
        let (mut listed, mut taken) = (0, None);
        let all = acts(algorithm, &at, order.into_iter().map(|(_, id)| id), &mut |act| {
            if is_stopped() {
                return Err(ExploreError::Stopped { states: 0 });
            }
            let Act { id, action, done } = act;
            let Some((system, _)) = done else { return Ok(()) };
            if listed == position {
                taken = Some(Retraced { what: format!("{id} {:?}", algorithm.actions()[action]), system });
            }
            listed += 1;
            Ok(())
        });
        let retraced = all.ok().and(taken)?;
        at = retraced.system.clone();
        Some(retraced)
    };
    moves.map(&mut next).collect()
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> Schedules<'_, A> {
    /// Lists all possible next actions of all amoebots, once per outcome of their draws, in a fixed order.
    fn acts(
        &self,
        system: &System<A::Memory>,
        each: &mut dyn FnMut(Act<A::Memory>) -> Result<(), ExploreError>,
    ) -> Result<(), ExploreError> {
        acts(self.algorithm, system, system.ids(), each)
    }

    fn results(&self, explored: ExploredGraph<'_>) -> Result<SequentialExploration<A::Memory>, ExploreError> {
        // Read before a path is replayed, because a replay would count again.
        let aborted = self.aborted.load(Ordering::Relaxed) as usize;
        let graph = explored.graph();
        let hopeless = graph.hopeless(|at| graph.label(at) & FINAL != 0);
        let longest = graph.longest_run();
        let ended = |bit: u32| {
            let ends = explored.kept().filter(move |(number, _)| graph.label(*number) & bit != 0);
            ends.map(|(_, mut state)| self.packing.unpack(&mut state)).collect()
        };
        let (disconnected, first_disconnected) = explored.labelled(DISCONNECTED);
        let (faults, first_fault) = explored.labelled(FAULT);
        let trace = |way: Option<GraphWalk>| way.map(|way| self.trace(&explored, &way)).transpose();
        let trace_to = |state: Option<u32>| trace(state.map(|state| explored.way(state)));
        let way_to_fault = trace_to(first_fault)?;
        Ok(SequentialExploration {
            initial: explored.starts().len(),
            states: graph.len(),
            moves: graph.move_count() as usize,
            depth: explored.depth(),
            longest_run: longest.map(|longest| longest.moves),
            shortest_run: graph.shortest_run(explored.starts()),
            most_moves: longest.map(|longest| longest.weight),
            finals: ended(FINAL),
            stuck: ended(STUCK),
            hopeless: hopeless.len(),
            disconnected,
            faults,
            fault: way_to_fault.as_ref().and_then(|way| (self.asked.fault)(&way.end.system())),
            aborted,
            way_to_stuck: trace_to(explored.labelled(STUCK).1)?,
            way_to_hopeless: trace_to(hopeless.first().copied())?,
            way_to_disconnected: trace_to(first_disconnected)?,
            way_to_fault,
            way_to_aborted: trace_to(explored.labelled(ABORTED).1)?,
            way_round: trace(graph.way_round(explored.starts()))?,
            graph: explored.into_graph(),
        })
    }

    fn trace(
        &self,
        explored: &ExploredGraph<'_>,
        way: &GraphWalk,
    ) -> Result<SequentialTrace<A::Memory>, ExploreError> {
        let states = explored.follow(way)?;
        let mut steps = Vec::with_capacity(way.moves.len());
        for (state, position) in states.iter().zip(&way.moves) {
            let system = self.packing.system(state);
            let (mut listed, mut taken) = (0, None);
            self.acts(&system, &mut |act| {
                if act.done.is_some() {
                    if listed == *position {
                        taken = Some((system.body(act.id).head(), act.action));
                    }
                    listed += 1;
                }
                Ok(())
            })?;
            let (cell, action) = taken.expect("a move of a way can be made again");
            steps.push(TraceStep { cell, action: format!("{:?}", self.algorithm.actions()[action]) });
        }
        let state = |packed: Option<&Vec<u8>>| self.packing.unpack(&mut &packed.expect("it has a start")[..]);
        Ok(SequentialTrace {
            start: state(states.first()),
            steps,
            end: state(states.last()),
            route: explored.route(way),
        })
    }
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> StateModel for Schedules<'_, A> {
    fn expand(&self, state: &[u8], stop: &SearchStop<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let system = self.packing.system(state);
        let mut label = wrong_at_rest(&system, &self.asked, moves);
        let before = PackedSystem { system: &system, packed: state };
        let (mut listed, mut aborted) = (0, 0);
        self.acts(&system, &mut |act| {
            stop.outcomes(listed + aborted + 1)?;
            match act.done {
                Some((next, weight)) => {
                    way_on(moves, listed, (self, stop), |into| {
                        self.packing.pack(&next, Some(&before), into)
                    })?;
                    moves.weigh(weight);
                    listed += 1;
                }
                None => aborted += 1,
            }
            Ok(())
        })?;
        if aborted > 0 {
            wrong(moves, limits::ABORTED, limits::ABORTED.to_owned());
        }
        if listed == 0 {
            moves.keep();
            if aborted == 0 && (self.asked.is_goal)(&system) {
                label |= FINAL;
            } else {
                label |= STUCK;
                wrong(moves, limits::STUCK, limits::STUCK.to_owned());
            }
        }
        if aborted > 0 {
            label |= ABORTED;
            self.aborted.fetch_add(if stop.is_first() { aborted as u64 } else { 0 }, Ordering::Relaxed);
        }
        moves.label(label);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packing.bytes()
    }

    fn counters(&self) -> Vec<&AtomicU64> {
        vec![&self.aborted]
    }

    fn save_values(&self, into: &mut Vec<u8>) -> bool {
        self.packing.save(self.algorithm, into)
    }

    fn load_values(&self, from: &mut &[u8]) -> Result<(), PackError> {
        self.packing.load(self.algorithm, from)
    }
}
