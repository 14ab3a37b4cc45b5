//! Every sequential schedule of small systems, exhaustively.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::model::body::Body;
use crate::model::id::AmoebotId;
use acrasin_explore::{Graph, GraphWalk, Moves};
use acrasin_runtime::choice::Enumerated;

use super::limits::{self, Asked, ExploreError, Limits, Questions};
use super::packed::{Form, Packing, Unpacked};
use super::route::{Retraced, Route};
use super::search::{DISCONNECTED, FAULT, Halt, Met, States, search, way_on, wrong, wrong_at_rest};
use crate::algorithm::{Algorithm, View, enabled_actions};
use crate::model::lattice::Cell;
use crate::model::operation::Movement;
use crate::model::shape::Shape;
use crate::model::system::{Configuration, System};

/// Whether two states are the same that differ in nothing but who is who.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identities {
    /// They are the same: amoebots are anonymous.
    Anonymous,
    /// They are different, as for an observer who numbers the amoebots: more states, the same runs.
    Distinct,
}

/// What counts as a state, and how many there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Which states are the same.
    pub identities: Identities,
    /// At most so many states; never more than 2^32 - 1.
    pub states_max: usize,
}

impl Default for Scope {
    /// Anonymous amoebots, 2^22 states: of four amoebots they take about a gigabyte.
    fn default() -> Self {
        Self { identities: Identities::Anonymous, states_max: 1 << 22 }
    }
}

/// What all schedules from some systems lead to.
///
/// A state is a configuration up to translation, with or without identities. A run starts in an initial system and goes
/// on until no action can be completed.
#[derive(Clone, Debug)]
pub struct Exploration<M> {
    /// Distinct initial systems.
    pub initial: usize,
    /// Distinct states that are reachable from some initial system, the initial ones included.
    pub states: usize,
    /// Actions from state to state, one for each outcome of its draws.
    pub moves: usize,
    /// The most actions that the shortest way to a state has.
    pub depth: usize,
    /// Actions of the longest run; `None` if a run can go on for ever.
    pub longest_run: Option<u32>,
    /// Actions of the shortest run; `None` if no run ends.
    pub shortest_run: Option<u32>,
    /// Most movements in a run, a handover being two; `None` if a run can go on for ever.
    pub most_moves: Option<u64>,
    /// States in which no action is enabled and the goal is reached.
    pub finals: Vec<Configuration<M>>,
    /// States in which no action can be completed, but the goal is not reached or an action was aborted.
    pub stuck: Vec<Configuration<M>>,
    /// States from which no run reaches a final state, stuck ones included. If there is none, runs end in the goal with
    /// probability 1 where schedule and draws are uniform, even if some can go on for ever.
    pub hopeless: usize,
    /// States in which the amoebots are not connected, nor by the object if there is one.
    pub disconnected: usize,
    /// States in which there is a [fault](Questions::fault).
    pub faults: usize,
    /// The nearest fault: that at the end of [`way_to_fault`](Self::way_to_fault).
    pub fault: Option<String>,
    /// Enabled actions that were aborted, over all states: a valid algorithm has none.
    pub aborted: usize,
    /// The shortest way to a state of [`stuck`](Self::stuck).
    pub way_to_stuck: Option<Trace<M>>,
    /// The shortest way to a state from which no run reaches a final one.
    pub way_to_hopeless: Option<Trace<M>>,
    /// The shortest way to a state in which the amoebots are not connected.
    pub way_to_disconnected: Option<Trace<M>>,
    /// The shortest way to a state in which there is a fault.
    pub way_to_fault: Option<Trace<M>>,
    /// The shortest way to a state in which an enabled action is aborted.
    pub way_to_aborted: Option<Trace<M>>,
    /// The way to a state, and once round from there to it again.
    pub way_round: Option<Trace<M>>,
    graph: Graph,
}

/// A run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace<M> {
    /// The initial system.
    pub start: Configuration<M>,
    /// What happened.
    pub steps: Vec<TraceStep>,
    /// The state at the end.
    pub end: Configuration<M>,
    /// The moves that it takes.
    pub route: Route,
}

/// An action of one amoebot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TraceStep {
    /// Where its head was, in the normal form of the state: that with the smallest coordinates 0.
    pub cell: Cell,
    /// The label of the action.
    pub action: String,
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.cell, self.action)
    }
}

impl<M> Exploration<M> {
    /// How many states are reachable from each initial system alone, in the order of their first mention. A state that
    /// two of them reach counts for both. O(initial systems * transitions).
    ///
    /// The numbers of reachable states that are given for hexagon formation, 48 for two amoebots and 1,449 for three,
    /// are sums of these, with [`Identities::Distinct`].
    #[must_use]
    pub fn states_from_each(&self) -> Vec<usize> {
        self.graph.reached_from_each(0..self.initial as u32)
    }

    /// Whether some run can go on for ever.
    #[must_use]
    pub fn is_cyclic(&self) -> bool {
        self.longest_run.is_none()
    }

    /// Whether every run ends in the goal, no action is ever aborted, there is no fault, and the amoebots always hang
    /// together, by the object if there is one.
    #[must_use]
    pub fn always_succeeds(&self) -> bool {
        let wrong = [self.stuck.len(), self.disconnected, self.faults, self.aborted];
        !self.is_cyclic() && wrong == [0; 4]
    }
}

impl<M: Clone + std::hash::Hash> Exploration<M> {
    /// The shapes in which runs end that reach the goal.
    ///
    /// # Panics
    ///
    /// Never: states are in normal form.
    #[must_use]
    pub fn final_shapes(&self) -> BTreeSet<Shape> {
        self.finals.iter().map(|state| state.system().shape().expect("a state has a shape")).collect()
    }
}

/// Follows every schedule from every one of `starts`, breadth first: in each state every amoebot may act, and with
/// [`Order::Any`](crate::Order::Any) by any of its enabled actions.
///
/// On every core, with the same result on any number of them. Of a state a digest is kept, of 128 bits.
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
/// More states than the scope allows, or amoebots that got too far apart for a normal form.
pub fn explore<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    goal: impl Fn(&System<A::Memory>) -> bool + Sync,
    scope: Scope,
) -> Result<Exploration<A::Memory>, ExploreError> {
    let limits = Limits { states_max: scope.states_max, ..Limits::default() };
    explore_within(algorithm, starts, &Questions::of_goal(&goal), scope.identities, limits)
}

/// The same with all questions and limits. Starts are taken one by one, and not kept but as states.
///
/// # Errors
///
/// More states, bytes or outcomes than the limits allow, amoebots that got too far apart for a normal form, or a stop.
pub fn explore_within<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    questions: &Questions<'_, A::Memory>,
    identities: Identities,
    limits: Limits,
) -> Result<Exploration<A::Memory>, ExploreError> {
    let form = match identities {
        Identities::Anonymous => Form::Anonymous,
        Identities::Distinct => Form::Numbered,
    };
    let schedules = Schedules {
        algorithm,
        asked: questions.asked(),
        packing: Packing::new(form, limits.bytes_owned),
        aborted: AtomicUsize::new(0),
    };
    let halt = Halt::new(questions.is_stopped, limits);
    let mut starts = starts.into_iter();
    let met = search(
        &schedules,
        &mut |into| schedules.packing.pack_next(&mut starts, into),
        &halt,
        &|what, state| {
            (questions.told)(what, &schedules.packing.system(state));
        },
    )?;
    schedules.told(met)
}

// Bits of a label.
const FINAL: u32 = 4;
const STUCK: u32 = 8;
const ABORTED: u32 = 16;

/// All sequential schedules.
struct Schedules<'a, A: Algorithm> {
    algorithm: &'a A,
    asked: Asked<'a, A::Memory>,
    packing: Packing<A::Memory>,
    aborted: AtomicUsize,
}

/// An action of an amoebot, by its position in the list, with an outcome of its draws.
struct Act<M> {
    id: AmoebotId,
    action: usize,
    /// The system after it, and how many movements it has; `None` if it is aborted.
    done: Option<(System<M>, u16)>,
}

/// Everything that these can do next, in a fixed order.
fn acts<A: Algorithm>(
    algorithm: &A,
    system: &System<A::Memory>,
    ids: impl Iterator<Item = AmoebotId>,
    each: &mut dyn FnMut(Act<A::Memory>) -> Result<(), ExploreError>,
) -> Result<(), ExploreError> {
    for id in ids {
        let view = View::of(system, id);
        for action in enabled_actions(algorithm, view) {
            let position = algorithm.actions().iter().position(|listed| *listed == action);
            let position = position.expect("an enabled action is in the list");
            // Every outcome of its draws.
            let mut outcomes = Enumerated::new();
            loop {
                let mut next = system.clone();
                let done = algorithm.execute(action, &view, &mut outcomes).and_then(|effects| {
                    let moves = effects.movement().map_or(0, Movement::moves) as u16;
                    effects.apply(&mut next, id)?;
                    Ok(moves)
                });
                each(Act { id, action: position, done: done.ok().map(|moves| (next, moves)) })?;
                if !outcomes.advance() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Takes a run of anonymous amoebots again, from its start. `None` if there is no such run from there.
pub fn retrace_schedule<A: Algorithm>(
    algorithm: &A,
    start: System<A::Memory>,
    moves: &mut dyn Iterator<Item = u32>,
) -> Option<Vec<Retraced<A::Memory>>> {
    let mut at = start;
    let mut next = |position: u32| {
        // The exploration numbers anonymous amoebots by their cells.
        let mut order: Vec<(Body, AmoebotId)> = at.ids().map(|id| (at.body(id), id)).collect();
        order.sort_unstable();
        let (mut listed, mut taken) = (0, None);
        let all = acts(algorithm, &at, order.into_iter().map(|(_, id)| id), &mut |act| {
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
    /// Everything that can happen next, in a fixed order.
    fn acts(
        &self,
        system: &System<A::Memory>,
        each: &mut dyn FnMut(Act<A::Memory>) -> Result<(), ExploreError>,
    ) -> Result<(), ExploreError> {
        acts(self.algorithm, system, system.ids(), each)
    }

    fn told(&self, met: Met<'_>) -> Result<Exploration<A::Memory>, ExploreError> {
        // Before any way is gone again.
        let aborted = self.aborted.load(Ordering::Relaxed);
        let graph = met.graph();
        let hopeless = graph.hopeless(|at| graph.label(at) & FINAL != 0);
        let longest = graph.longest_run();
        let ended = |bit: u32| {
            let ends = met.kept().filter(move |(number, _)| graph.label(*number) & bit != 0);
            ends.map(|(_, mut state)| self.packing.unpack(&mut state)).collect()
        };
        let (disconnected, first_disconnected) = met.labelled(DISCONNECTED);
        let (faults, first_fault) = met.labelled(FAULT);
        let trace = |way: Option<GraphWalk>| way.map(|way| self.trace(&met, &way)).transpose();
        let trace_to = |state: Option<u32>| trace(state.map(|state| met.way(state)));
        let way_to_fault = trace_to(first_fault)?;
        Ok(Exploration {
            initial: met.starts().len(),
            states: graph.len(),
            moves: graph.move_count() as usize,
            depth: met.depth(),
            longest_run: longest.map(|longest| longest.moves),
            shortest_run: graph.shortest_run(met.starts()),
            most_moves: longest.map(|longest| longest.weight),
            finals: ended(FINAL),
            stuck: ended(STUCK),
            hopeless: hopeless.len(),
            disconnected,
            faults,
            fault: way_to_fault.as_ref().and_then(|way| (self.asked.fault)(&way.end.system())),
            aborted,
            way_to_stuck: trace_to(met.labelled(STUCK).1)?,
            way_to_hopeless: trace_to(hopeless.first().copied())?,
            way_to_disconnected: trace_to(first_disconnected)?,
            way_to_fault,
            way_to_aborted: trace_to(met.labelled(ABORTED).1)?,
            way_round: trace(graph.way_round(met.starts()))?,
            graph: met.into_graph(),
        })
    }

    fn trace(&self, met: &Met<'_>, way: &GraphWalk) -> Result<Trace<A::Memory>, ExploreError> {
        let states = met.follow(way)?;
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
        Ok(Trace { start: state(states.first()), steps, end: state(states.last()), route: met.route(way) })
    }
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> States for Schedules<'_, A> {
    fn expand(&self, state: &[u8], halt: &Halt<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let system = self.packing.system(state);
        let mut label = wrong_at_rest(&system, &self.asked, moves);
        let before = Unpacked { system: &system, packed: state };
        let (mut listed, mut aborted) = (0, 0);
        self.acts(&system, &mut |act| {
            halt.outcomes(listed + aborted + 1)?;
            match act.done {
                Some((next, weight)) => {
                    way_on(moves, listed, (self, halt), |into| {
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
            self.aborted.fetch_add(if halt.is_first() { aborted } else { 0 }, Ordering::Relaxed);
        }
        moves.label(label);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packing.bytes()
    }
}
