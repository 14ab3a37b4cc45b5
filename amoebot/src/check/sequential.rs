//! Every sequential schedule of small systems, exhaustively.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::BuildHasher as _;

use acrasin_runtime::choice::Enumerated;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::FixedHasher;
use crate::algorithm::{Algorithm, View, enabled_actions};
use crate::model::lattice::Cell;
use crate::model::operation::Movement;
use crate::model::shape::Shape;
use crate::model::system::{Configuration, System};

use super::graph::{Transition, depth, hopeless, longest, shortest};
use super::limits::{ABORTED, DISCONNECTED, ExploreError, Limits, Meter, Questions, STUCK, broken};
use super::ways::Ways;

/// Whether two states are the same that differ in nothing but who is who.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identities {
    /// They are the same: amoebots are anonymous.
    Anonymous,
    /// They are different, as for somebody who numbers the amoebots: more states, the same runs.
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
    /// States in which the amoebots do not hang together, nor by the object if there is one.
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
    /// The shortest way to a state in which the amoebots do not hang together.
    pub way_to_disconnected: Option<Trace<M>>,
    /// The shortest way to a state in which there is a fault.
    pub way_to_fault: Option<Trace<M>>,
    /// The shortest way to a state in which an enabled action is aborted.
    pub way_to_aborted: Option<Trace<M>>,
    /// The way to a state, and once round from there to it again.
    pub way_round: Option<Trace<M>>,
    transitions: Vec<Vec<Transition>>,
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
        let mut reached_from = vec![None; self.states];
        let mut border = Vec::new();
        let mut count = |start: usize| {
            let mut states = 1;
            reached_from[start] = Some(start);
            border.push(start);
            while let Some(state) = border.pop() {
                for transition in &self.transitions[state] {
                    let to = transition.to as usize;
                    if reached_from[to].replace(start) != Some(start) {
                        states += 1;
                        border.push(to);
                    }
                }
            }
            states
        };
        (0..self.initial).map(&mut count).collect()
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
/// Memory is that of all states and all transitions.
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
pub fn explore<A: Algorithm>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    goal: impl Fn(&System<A::Memory>) -> bool,
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
pub fn explore_within<A: Algorithm>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    questions: &Questions<'_, A::Memory>,
    identities: Identities,
    limits: Limits,
) -> Result<Exploration<A::Memory>, ExploreError> {
    let mut store = Store::new(identities, limits);
    for start in starts {
        store.meter.go_on(questions.is_stopped)?;
        store.insert(&start)?;
    }
    let initial = store.states.len();
    let (mut finals, mut stuck, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let (mut disconnected, mut faults, mut aborted) = (0, 0, 0);
    let (mut first, mut nearest_fault) = (First::default(), None);
    let mut graph: Vec<Vec<Transition>> = Vec::new();
    while graph.len() < store.states.len() {
        store.meter.go_on(questions.is_stopped)?;
        let state = store.states[graph.len()].clone();
        let system = state.system();
        let here = graph.len();
        if !system.is_connected_with_object() {
            disconnected += 1;
            first.disconnected.get_or_insert(here);
            (questions.told)(DISCONNECTED, &system);
        }
        if let Some(fault) = (questions.fault)(&system) {
            faults += 1;
            first.fault.get_or_insert(here);
            (questions.told)(&broken(&fault), &system);
            nearest_fault.get_or_insert(fault);
        }
        let mut transitions = Vec::new();
        let (before, mut ways_on) = (aborted, 0);
        for id in system.ids() {
            let view = View::of(&system, id);
            for action in enabled_actions(algorithm, view) {
                let position = algorithm.actions().iter().position(|listed| *listed == action);
                let position = position.expect("an enabled action is in the list") as u16;
                // Every outcome of its draws.
                let mut outcomes = Enumerated::new();
                loop {
                    ways_on += 1;
                    store.meter.outcomes(ways_on)?;
                    let mut next = system.clone();
                    let done = algorithm.execute(action, &view, &mut outcomes).and_then(|effects| {
                        let moves = effects.movement().map_or(0, Movement::moves) as u16;
                        effects.apply(&mut next, id)?;
                        Ok(moves)
                    });
                    match done {
                        Ok(moves) => {
                            let to = store.insert(&next)?;
                            transitions.push(Transition { to, id, action: position, moves });
                        }
                        Err(_) => {
                            aborted += 1;
                            first.aborted.get_or_insert(here);
                            (questions.told)(ABORTED, &system);
                        }
                    }
                    if !outcomes.advance() {
                        break;
                    }
                }
            }
        }
        if transitions.is_empty() {
            store.meter.take(store.bytes_of(&state))?;
            if (questions.is_goal)(&system) && aborted == before {
                finals.push(state);
                ends.push(here);
            } else {
                first.stuck.get_or_insert(here);
                (questions.told)(STUCK, &system);
                stuck.push(state);
            }
        }
        transitions.shrink_to_fit();
        // Each is looked at from both ends later on.
        store.meter.take(transitions.len() * (size_of::<Transition>() + size_of::<usize>()))?;
        graph.push(transitions);
    }
    let longest = longest(&graph);
    let hopeless = hopeless(&graph, ends);
    let ways = Ways { graph: &graph, states: &store.states, initial, actions: algorithm.actions() };
    let way_to = |state: Option<usize>| state.map(|state| ways.to(state));
    Ok(Exploration {
        way_to_stuck: way_to(first.stuck),
        way_to_hopeless: way_to(hopeless.first().copied()),
        way_to_disconnected: way_to(first.disconnected),
        way_to_fault: way_to(first.fault),
        way_to_aborted: way_to(first.aborted),
        way_round: longest.is_none().then(|| ways.round()),
        initial,
        states: graph.len(),
        moves: graph.iter().map(Vec::len).sum(),
        depth: depth(&graph, initial),
        longest_run: longest.map(|longest| longest.actions),
        shortest_run: shortest(&graph, initial),
        most_moves: longest.map(|longest| longest.moves),
        finals,
        stuck,
        hopeless: hopeless.len(),
        disconnected,
        faults,
        fault: nearest_fault,
        aborted,
        transitions: graph,
    })
}

/// The first states in which something is wrong. As states are met breadth first, no other one is nearer.
#[derive(Default)]
struct First {
    stuck: Option<usize>,
    disconnected: Option<usize>,
    fault: Option<usize>,
    aborted: Option<usize>,
}

/// States in the order in which they were met.
struct Store<M> {
    states: Vec<Configuration<M>>,
    index: HashTable<u32>,
    identities: Identities,
    meter: Meter,
}

/// Bytes of a state in the index, in the graph and in what is computed of the graph.
const BYTES_AROUND: usize = 2 * size_of::<u32>() + 2 * size_of::<Vec<Transition>>() + 4 * size_of::<usize>();

impl<M: Clone + Eq + std::hash::Hash> Store<M> {
    fn new(identities: Identities, limits: Limits) -> Self {
        Self { states: Vec::new(), index: HashTable::new(), identities, meter: Meter::new(limits) }
    }

    /// Bytes of a state itself. Its object it shares with the start.
    fn bytes_of(&self, state: &Configuration<M>) -> usize {
        size_of::<Configuration<M>>() + self.meter.amoebots::<M>(state.amoebots().len())
    }

    fn insert(&mut self, system: &System<M>) -> Result<u32, ExploreError> {
        let state = match self.identities {
            Identities::Anonymous => system.configuration(),
            Identities::Distinct => system.numbered_configuration(),
        };
        let state = state.normal_form()?;
        let bytes = self.bytes_of(&state) + BYTES_AROUND;
        let hasher = FixedHasher::default();
        let states = &mut self.states;
        let entry = self.index.entry(
            hasher.hash_one(&state),
            |known| states[*known as usize] == state,
            |known| hasher.hash_one(&states[*known as usize]),
        );
        match entry {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(vacant) => {
                self.meter.state(bytes)?;
                let number = states.len() as u32;
                vacant.insert(number);
                states.push(state);
                Ok(number)
            }
        }
    }
}
