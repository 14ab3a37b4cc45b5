//! Every sequential schedule of small systems, exhaustively.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::hash::BuildHasher as _;

use acrasin_runtime::NodeId;
use acrasin_runtime::choice::Enumerated;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::FixedHasher;
use crate::algorithm::{Algorithm, View, enabled_actions};
use crate::lattice::Cell;
use crate::operation::Movement;
use crate::shape::{Shape, ShapeError};
use crate::system::{Configuration, System};

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
    /// States in which the amoebots do not hang together.
    pub disconnected: usize,
    /// Enabled actions that were aborted, over all states: a valid algorithm has none.
    pub aborted: usize,
    /// The shortest way to a state of [`stuck`](Self::stuck).
    pub way_to_stuck: Option<Trace<M>>,
    /// The shortest way to a state from which no run reaches a final one.
    pub way_to_hopeless: Option<Trace<M>>,
    /// The shortest way to a state in which the amoebots do not hang together.
    pub way_to_disconnected: Option<Trace<M>>,
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

    /// Whether every run ends in the goal, no action is ever aborted, and the amoebots always hang together.
    #[must_use]
    pub fn always_succeeds(&self) -> bool {
        !self.is_cyclic() && self.stuck.is_empty() && self.disconnected == 0 && self.aborted == 0
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

/// Why an exploration ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExploreError {
    /// More states than asked for.
    TooManyStates {
        /// The bound given.
        limit: usize,
    },
    /// Amoebots too far apart.
    Shape(ShapeError),
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyStates { limit } => write!(f, "more than {limit} states are reachable"),
            Self::Shape(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExploreError {}

impl From<ShapeError> for ExploreError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

/// Follows every schedule from every one of `starts`, breadth first: in each state every amoebot may act, and with
/// [`Order::Any`](crate::Order::Any) by any of its enabled actions.
///
/// Memory is that of all states and all transitions.
///
/// ```
/// use acrasin_amoebot::explore::{Scope, explore};
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
    let mut store = Store::new(scope);
    for start in starts {
        store.insert(&start)?;
    }
    let initial = store.states.len();
    let (mut finals, mut stuck, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let (mut disconnected, mut aborted) = (0, 0);
    let mut first = First::default();
    let mut graph: Vec<Vec<Transition>> = Vec::new();
    while graph.len() < store.states.len() {
        let state = store.states[graph.len()].clone();
        let system = state.system();
        let here = graph.len();
        if !system.is_connected() {
            disconnected += 1;
            first.disconnected.get_or_insert(here);
        }
        let mut transitions = Vec::new();
        let before = aborted;
        for id in system.ids() {
            let view = View::of(&system, id);
            for action in enabled_actions(algorithm, view) {
                let position = algorithm.actions().iter().position(|listed| *listed == action);
                let position = position.expect("an enabled action is in the list") as u16;
                // Every outcome of its draws.
                let mut outcomes = Enumerated::new();
                loop {
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
                        }
                    }
                    if !outcomes.advance() {
                        break;
                    }
                }
            }
        }
        if transitions.is_empty() {
            if goal(&system) && aborted == before {
                finals.push(state);
                ends.push(here);
            } else {
                first.stuck.get_or_insert(here);
                stuck.push(state);
            }
        }
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
        way_to_aborted: way_to(first.aborted),
        way_round: longest.is_none().then(|| ways.round()),
        initial,
        states: graph.len(),
        longest_run: longest.map(|longest| longest.actions),
        shortest_run: shortest(&graph, initial),
        most_moves: longest.map(|longest| longest.moves),
        finals,
        stuck,
        hopeless: hopeless.len(),
        disconnected,
        aborted,
        transitions: graph,
    })
}

#[derive(Clone, Copy, Debug)]
struct Transition {
    to: u32,
    /// The position of the amoebot in the state, and that of the action in the list.
    id: NodeId,
    action: u16,
    moves: u16,
}

/// The first states in which something is wrong. As states are met breadth first, no other one is nearer.
#[derive(Default)]
struct First {
    stuck: Option<usize>,
    disconnected: Option<usize>,
    aborted: Option<usize>,
}

/// Runs through the graph of states.
struct Ways<'a, M, L> {
    graph: &'a [Vec<Transition>],
    states: &'a [Configuration<M>],
    initial: usize,
    actions: &'a [L],
}

impl<M: Clone + std::hash::Hash, L: fmt::Debug> Ways<'_, M, L> {
    /// The shortest run from one of the starts to any state, as the transitions and where they begin.
    fn path(&self, starts: impl IntoIterator<Item = usize>, to: usize) -> Vec<(usize, Transition)> {
        let mut reached_by: Vec<Option<(usize, Transition)>> = vec![None; self.graph.len()];
        let mut is_reached = vec![false; self.graph.len()];
        let mut border: VecDeque<usize> = starts.into_iter().collect();
        for start in &border {
            is_reached[*start] = true;
        }
        while let Some(state) = border.pop_front() {
            for &transition in &self.graph[state] {
                let next = transition.to as usize;
                if !std::mem::replace(&mut is_reached[next], true) {
                    reached_by[next] = Some((state, transition));
                    border.push_back(next);
                }
            }
        }
        let mut path: Vec<(usize, Transition)> =
            std::iter::successors(reached_by[to], |(from, _)| reached_by[*from]).collect();
        path.reverse();
        path
    }

    fn trace(&self, path: &[(usize, Transition)], end: usize) -> Trace<M> {
        let start = path.first().map_or(end, |(from, _)| *from);
        let step = |(from, transition): &(usize, Transition)| TraceStep {
            cell: self.states[*from].amoebots()[transition.id.index()].body.head(),
            action: format!("{:?}", self.actions[usize::from(transition.action)]),
        };
        Trace {
            start: self.states[start].clone(),
            steps: path.iter().map(step).collect(),
            end: self.states[end].clone(),
        }
    }

    fn to(&self, state: usize) -> Trace<M> {
        self.trace(&self.path(0..self.initial, state), state)
    }

    /// To a cycle and once round it. There is one. O(states + transitions).
    fn round(&self) -> Trace<M> {
        // States from which a run can go on for ever: without the ends, and what leads to those alone, again and again.
        let mut ways_on: Vec<usize> = self.graph.iter().map(Vec::len).collect();
        let from = reversed(self.graph);
        let mut ends: Vec<usize> = (0..self.graph.len()).filter(|state| ways_on[*state] == 0).collect();
        while let Some(end) = ends.pop() {
            for &before in &from[end] {
                ways_on[before] -= 1;
                if ways_on[before] == 0 {
                    ends.push(before);
                }
            }
        }
        // From there always on, until a state comes again.
        let mut state = ways_on.iter().position(|ways| *ways > 0).expect("a run can go on for ever");
        let (mut walk, mut met_at) = (Vec::new(), vec![None; self.graph.len()]);
        let first = loop {
            if let Some(first) = met_at[state].replace(walk.len()) {
                break first;
            }
            let goes_on = |next: &&Transition| ways_on[next.to as usize] > 0;
            let next = self.graph[state].iter().find(goes_on).expect("a way on leads to a state with one");
            walk.push((state, *next));
            state = next.to as usize;
        };
        let mut path = self.path(0..self.initial, state);
        path.extend(walk.drain(first..));
        self.trace(&path, state)
    }
}

/// From where each state is reached; a state counts once for each transition.
fn reversed(graph: &[Vec<Transition>]) -> Vec<Vec<usize>> {
    let mut from = vec![Vec::new(); graph.len()];
    for (state, transitions) in graph.iter().enumerate() {
        for transition in transitions {
            from[transition.to as usize].push(state);
        }
    }
    from
}

/// The states from which none of `ends` can be reached.
fn hopeless(graph: &[Vec<Transition>], mut ends: Vec<usize>) -> Vec<usize> {
    let mut from = reversed(graph);
    let mut reaches = vec![false; graph.len()];
    while let Some(state) = ends.pop() {
        if !std::mem::replace(&mut reaches[state], true) {
            ends.append(&mut from[state]);
        }
    }
    (0..graph.len()).filter(|state| !reaches[*state]).collect()
}

/// States in the order in which they were met.
struct Store<M> {
    states: Vec<Configuration<M>>,
    index: HashTable<u32>,
    scope: Scope,
}

impl<M: Clone + Eq + std::hash::Hash> Store<M> {
    fn new(scope: Scope) -> Self {
        let states_max = scope.states_max.min(u32::MAX as usize);
        Self { states: Vec::new(), index: HashTable::new(), scope: Scope { states_max, ..scope } }
    }

    fn insert(&mut self, system: &System<M>) -> Result<u32, ExploreError> {
        let state = match self.scope.identities {
            Identities::Anonymous => system.configuration(),
            Identities::Distinct => system.numbered_configuration(),
        };
        let state = state.normal_form()?;
        let hasher = FixedHasher::default();
        let states = &mut self.states;
        let entry = self.index.entry(
            hasher.hash_one(&state),
            |known| states[*known as usize] == state,
            |known| hasher.hash_one(&states[*known as usize]),
        );
        match entry {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(_) if states.len() == self.scope.states_max => {
                Err(ExploreError::TooManyStates { limit: self.scope.states_max })
            }
            Entry::Vacant(vacant) => {
                let number = states.len() as u32;
                vacant.insert(number);
                states.push(state);
                Ok(number)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Longest {
    actions: u32,
    moves: u64,
}

/// The longest run, by actions and by movements; `None` if there is a cycle. Every state is reachable from an initial
/// one, so a run may be thought to start anywhere.
fn longest(graph: &[Vec<Transition>]) -> Option<Longest> {
    let mut incoming = vec![0_u32; graph.len()];
    for transition in graph.iter().flatten() {
        incoming[transition.to as usize] += 1;
    }
    let mut ready: Vec<usize> = (0..graph.len()).filter(|state| incoming[*state] == 0).collect();
    let mut until = vec![Longest::default(); graph.len()];
    let mut longest = Longest::default();
    let mut sorted = 0;
    while let Some(state) = ready.pop() {
        sorted += 1;
        let here = until[state];
        longest =
            Longest { actions: longest.actions.max(here.actions), moves: longest.moves.max(here.moves) };
        for transition in &graph[state] {
            let to = transition.to as usize;
            until[to].actions = until[to].actions.max(here.actions + 1);
            until[to].moves = until[to].moves.max(here.moves + u64::from(transition.moves));
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    (sorted == graph.len()).then_some(longest)
}

/// The shortest run from one of the first `initial` states to one without transitions.
fn shortest(graph: &[Vec<Transition>], initial: usize) -> Option<u32> {
    let mut reached = vec![false; graph.len()];
    reached[..initial].fill(true);
    let mut layer: Vec<usize> = (0..initial).collect();
    for actions in 0.. {
        if layer.is_empty() {
            break;
        }
        if layer.iter().any(|state| graph[*state].is_empty()) {
            return Some(actions);
        }
        let next = layer.iter().flat_map(|state| &graph[*state]).map(|transition| transition.to as usize);
        layer = next.filter(|to| !std::mem::replace(&mut reached[*to], true)).collect();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[&[u32]]) -> Vec<Vec<Transition>> {
        let of = |to: &&[u32]| {
            to.iter().map(|to| Transition { to: *to, id: NodeId(0), action: 0, moves: *to as u16 }).collect()
        };
        edges.iter().map(of).collect()
    }

    #[test]
    fn runs_of_a_known_graph() {
        let moves = graph(&[&[1, 2], &[2, 3], &[3], &[]]);
        let all = longest(&moves).expect("no cycle");
        assert_eq!((all.actions, all.moves), (3, 6));
        assert_eq!(shortest(&moves, 1), Some(2));
        assert_eq!(shortest(&moves, 4), Some(0));
    }

    #[test]
    fn cycles_are_noticed() {
        assert!(longest(&graph(&[&[1], &[0, 2], &[]])).is_none());
        assert!(longest(&graph(&[&[0]])).is_none());
        assert_eq!(shortest(&graph(&[&[1], &[0]]), 1), None);
    }
}
