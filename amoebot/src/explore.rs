//! Every sequential schedule of small systems, exhaustively.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::BuildHasher as _;

use acrasin_runtime::choice::Enumerated;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::FixedHasher;
use crate::algorithm::{Algorithm, View, enabled_actions};
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
    /// States in which the amoebots do not hang together.
    pub disconnected: usize,
    /// Enabled actions that were aborted, over all states: a valid algorithm has none.
    pub aborted: usize,
    transitions: Vec<Vec<Transition>>,
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
    let (mut finals, mut stuck) = (Vec::new(), Vec::new());
    let (mut disconnected, mut aborted) = (0, 0);
    let mut graph: Vec<Vec<Transition>> = Vec::new();
    while graph.len() < store.states.len() {
        let state = store.states[graph.len()].clone();
        let system = state.system();
        disconnected += usize::from(!system.is_connected());
        let mut transitions = Vec::new();
        let before = aborted;
        for id in system.ids() {
            let view = View::of(&system, id);
            for action in enabled_actions(algorithm, view) {
                // Every outcome of its draws.
                let mut outcomes = Enumerated::new();
                loop {
                    let mut next = system.clone();
                    let done = algorithm.execute(action, &view, &mut outcomes).and_then(|effects| {
                        let moves = effects.movement().map_or(0, Movement::moves);
                        effects.apply(&mut next, id)?;
                        Ok(moves)
                    });
                    match done {
                        Ok(moves) => transitions.push(Transition { to: store.insert(&next)?, moves }),
                        Err(_) => aborted += 1,
                    }
                    if !outcomes.advance() {
                        break;
                    }
                }
            }
        }
        if transitions.is_empty() {
            if goal(&system) && aborted == before { &mut finals } else { &mut stuck }.push(state);
        }
        graph.push(transitions);
    }
    let longest = longest(&graph);
    Ok(Exploration {
        initial,
        states: graph.len(),
        longest_run: longest.map(|longest| longest.actions),
        shortest_run: shortest(&graph, initial),
        most_moves: longest.map(|longest| longest.moves),
        finals,
        stuck,
        disconnected,
        aborted,
        transitions: graph,
    })
}

#[derive(Clone, Copy, Debug)]
struct Transition {
    to: u32,
    moves: u64,
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
            until[to].moves = until[to].moves.max(here.moves + transition.moves);
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
        let of = |to: &&[u32]| to.iter().map(|to| Transition { to: *to, moves: u64::from(*to) }).collect();
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
