//! The search that all explorations share, including early ends and paths to faults.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use acrasin_explore::{
    AsMet, BrokenProperty, Duty, Exploration, GraphWalk, Model, MoveId, Moves, Truncated, explore_from,
};
use acrasin_runtime::{Digest, PackError};
use hashbrown::HashSet;

use super::keeper::CheckKeeper;
use super::limits::{self, CheckLimits, ExploreError, StateQuestions};
use super::route::{RetraceMoves, Route};
use crate::FixedHasher;
use crate::model::system::System;

mod saved;

use saved::SavedModel;

/// A model with states as bytes. The search knows no other type, so it is compiled once.
pub(crate) trait StateModel: Sync {
    /// Lists the successors of a state, in a fixed order, with [`way_on`].
    fn expand(&self, state: &[u8], stop: &SearchStop<'_>, moves: &mut Moves) -> Result<(), ExploreError>;

    /// The bytes that the values take to which states refer.
    fn bytes(&self) -> u64;

    /// The counters over all states.
    fn counters(&self) -> Vec<&AtomicU64> {
        Vec::new()
    }

    /// Appends the values to which states refer. Returns `false` if they cannot be saved.
    fn save_values(&self, _into: &mut Vec<u8>) -> bool {
        false
    }

    /// Reads the values that [`save_values`](Self::save_values) wrote, and adds them.
    fn load_values(&self, _from: &mut &[u8]) -> Result<(), PackError> {
        Err(PackError)
    }
}

/// Reports a fault of this kind in the state that is being expanded.
pub(crate) fn wrong(moves: &mut Moves, kind: &'static str, what: String) {
    moves.broken(BrokenProperty { property: kind, text: what, by: None });
}

// // Label bits shared by sequential explorations and those in rounds; each adds its own.
pub(crate) const DISCONNECTED: u32 = 1;
pub(crate) const FAULT: u32 = 2;

/// Reports the faults of a system that do not depend on its successors, and returns the bits of these faults.
pub(crate) fn wrong_at_rest<M>(system: &System<M>, asked: &StateQuestions<'_, M>, moves: &mut Moves) -> u32 {
    let mut label = 0;
    if !system.is_connected_with_object() {
        label |= DISCONNECTED;
        wrong(moves, limits::DISCONNECTED, limits::DISCONNECTED.to_owned());
    }
    if let Some(fault) = (asked.fault)(system) {
        label |= FAULT;
        wrong(moves, "fault", limits::broken(&fault));
    }
    label
}

/// The number of bytes by which values may exceed the limit before a search stops listing successors. Smaller excesses
/// are detected at the end of a block, with the exact number.
const SLACK: u64 = 1 << 20;

/// Lists a successor of the current state, after `listed` others. `pack` appends its bytes.
///
/// # Errors
///
/// `pack` fails, the memory limit is exceeded, or the search is stopped.
pub(crate) fn way_on<E>(
    moves: &mut Moves,
    listed: usize,
    (states, stop): (&dyn StateModel, &SearchStop<'_>),
    pack: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), ExploreError>
where
    ExploreError: From<E>,
{
    // The successors of one state with many amoebots can take seconds, and much memory.
    if listed > 0 && listed.is_multiple_of(64) {
        stop.check()?;
    }
    let limit = stop.limits.bytes_max;
    if states.bytes() > limit.saturating_add(SLACK) {
        moves.fill();
    }
    let id = MoveId { step: (listed >> 16) as u16, outcome: listed as u16 };
    let mut packed = Ok(());
    moves.successor_with(id, Duty::NONE, |into| packed = pack(into));
    if moves.are_full() {
        // The excess depends on the threads, so it is not reported exactly.
        return Err(ExploreError::TooManyBytes { bytes: limit.saturating_add(1), states: 0, limit });
    }
    Ok(packed?)
}

/// The limits of a search, and the first reason to stop it, if there is one.
pub(crate) struct SearchStop<'q> {
    is_stopped: &'q (dyn Fn() -> bool + Sync),
    limits: CheckLimits,
    why: OnceLock<ExploreError>,
    /// Whether states are expanded for the first time; only then are they counted.
    is_first: bool,
}

impl<'q> SearchStop<'q> {
    pub(crate) fn new(is_stopped: &'q (dyn Fn() -> bool + Sync), limits: CheckLimits) -> Self {
        // Successors are numbered with 32 bits, and the last 2^16 numbers are reserved.
        let outcomes_max = limits.outcomes_max.min(0xffff_0000);
        let states_max = limits.states_max.min(u32::MAX as usize);
        Self {
            is_stopped,
            limits: CheckLimits { states_max, outcomes_max, ..limits },
            why: OnceLock::new(),
            is_first: true,
        }
    }

    /// Limits without a stop callback.
    pub(crate) fn at(limits: CheckLimits) -> SearchStop<'static> {
        SearchStop::new(&|| false, limits)
    }

    /// Limits for expanding states a second time.
    fn again(limits: CheckLimits) -> SearchStop<'static> {
        SearchStop { is_first: false, ..SearchStop::at(limits) }
    }

    pub(crate) fn is_first(&self) -> bool {
        self.is_first
    }

    pub(crate) fn limits(&self) -> CheckLimits {
        self.limits
    }

    pub(crate) fn check(&self) -> Result<(), ExploreError> {
        if let Some(error) = self.why.get() {
            return Err(*error);
        }
        if (self.is_stopped)() { Err(ExploreError::Stopped { states: 0 }) } else { Ok(()) }
    }

    /// Checks the number of successors of one state so far.
    pub(crate) fn outcomes(&self, count: usize) -> Result<(), ExploreError> {
        let limit = self.limits.outcomes_max;
        if count > limit { Err(ExploreError::TooManyOutcomes { limit }) } else { Ok(()) }
    }

    pub(crate) fn set(&self, error: ExploreError) {
        let _ = self.why.set(error);
    }
}

struct Searched<'s> {
    states: &'s dyn StateModel,
    stop: &'s SearchStop<'s>,
    /// The number of bytes of the starts, which stay in memory.
    starts: AtomicU64,
    /// Whether a block during which the search stops is explored again later.
    is_kept: bool,
}

impl Model for Searched<'_> {
    type Workbench = ();

    fn workbench(&self) {}

    /// Has no starts, because [`search`] supplies them.
    fn starts(&self, (): &mut (), _: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {}

    fn expand(&self, (): &mut (), state: &[u8], moves: &mut Moves) {
        let expanded = self.stop.check().and_then(|()| self.states.expand(state, self.stop, moves));
        if let Err(error) = expanded {
            self.stop.set(error);
            match error {
                ExploreError::Stopped { .. } if self.is_kept => moves.stop(),
                _ => moves.too_many(),
            }
        }
    }

    fn held_bytes(&self) -> u64 {
        self.states.bytes() + self.starts.load(Ordering::Relaxed)
    }
}

/// The explored graph, with its states in the order in which a single-threaded search would find them.
pub(crate) struct ExploredGraph<'s> {
    states: &'s dyn StateModel,
    stop: &'s SearchStop<'s>,
    starts: Vec<Vec<u8>>,
    /// The position of each distinct start among all starts that were given.
    given: Vec<usize>,
    met: AsMet,
    depth: usize,
}

/// A callback that appends the bytes of the next start; it returns `false` if there is none.
pub(crate) type NextStart<'n> = &'n mut dyn FnMut(&mut Vec<u8>) -> Result<bool, ExploreError>;

/// A shortest run to a state with a fault.
pub(crate) struct RunToWrong<'r> {
    /// The fault at the end of the run.
    pub(crate) broken: &'r BrokenProperty,
    /// The bytes of all states, from the start to the faulty state.
    pub(crate) states: Vec<Vec<u8>>,
    /// The moves of the run, each as a position among the successors of its state.
    pub(crate) route: Route,
}

impl RunToWrong<'_> {
    /// The bytes of the faulty state.
    pub(crate) fn state(&self) -> &[u8] {
        self.states.last().expect("it has a start")
    }
}

/// The keeper of checkpoints of a search, and the callback for runs to its faults.
type SearchReport<'r> = (&'r dyn CheckKeeper, &'r dyn Fn(RunToWrong<'_>));

/// Explores all successors from the starts, which are taken one by one. `tell` receives each kind of [fault](wrong)
/// with a run to its first state, on the calling thread.
///
/// # Errors
///
/// The limit of states, bytes or outcomes is exceeded, the model fails, the search is stopped, or the saved state is
/// from another exploration.
pub(crate) fn search<'s>(
    states: &'s dyn StateModel,
    next_start: NextStart<'_>,
    stop: &'s SearchStop<'s>,
    (keeper, tell): SearchReport<'_>,
) -> Result<ExploredGraph<'s>, ExploreError> {
    let limits = stop.limits();
    let searched = Searched { states, stop, starts: AtomicU64::new(0), is_kept: keeper.is_keeping() };
    let (mut known, mut distinct) = (HashSet::<Digest, FixedHasher>::default(), Vec::new());
    let (mut asked, mut given) = (0, Vec::new());
    let mut take_start = |take: &mut dyn FnMut(&[u8]) -> ControlFlow<()>| {
        stop.check()?;
        let mut packed = Vec::new();
        if !next_start(&mut packed)? {
            return Ok(ControlFlow::Break(()));
        }
        asked += 1;
        if !known.insert(Digest::of(&packed)) {
            return Ok(ControlFlow::Continue(()));
        }
        if distinct.len() >= limits.states_max {
            return Err(ExploreError::TooManyStates { limit: limits.states_max });
        }
        let bytes = packed.len() + size_of::<Vec<u8>>() + 2 * size_of::<Digest>();
        searched.starts.fetch_add(bytes as u64, Ordering::Relaxed);
        let taken = take(&packed);
        distinct.push(packed);
        given.push(asked - 1);
        Ok(taken)
    };
    let mut take_starts = |take: &mut dyn FnMut(&[u8]) -> ControlFlow<()>| {
        loop {
            match take_start(take) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    };
    let has_starts = Cell::new(true);
    let mut control = SavedModel::new(states, stop, keeper, &has_starts);
    if let Some(saved) = keeper.resumed() {
        take_starts(&mut |_| ControlFlow::Continue(()))?;
        control.load(&saved).map_err(|_| ExploreError::NotThisExploration)?;
    }
    let explored = explore_from(
        &searched,
        |take| {
            if let Err(error) = take_starts(take) {
                has_starts.set(false);
                stop.set(error);
            }
        },
        &acrasin_explore::Limits {
            bytes: limits.bytes_max,
            configurations: limits.states_max as u64 + 1,
            keep_graph: true,
            stop_at_first: false,
        },
        &mut control,
    );
    let explored = explored.map_err(|_| ExploreError::NotThisExploration)?;
    // Faults are reported first, since an exploration that ended early has no other results.
    let error = error(&explored, stop);
    for finding in explored.findings() {
        if let Some((states, mut route)) = replayed(&searched, &distinct, &explored, finding.configuration) {
            route.start = given[route.start];
            tell(RunToWrong { broken: &finding.broken, states, route });
        }
    }
    if let Some(error) = error {
        return Err(error);
    }
    let depth = explored.depth() as usize;
    let met = AsMet::of(explored).expect("a complete exploration with its graph");
    Ok(ExploredGraph { states, stop, starts: distinct, given, met, depth })
}

/// The bytes of all states on a shortest path to a state, and its moves from a start. The start is given by its number
/// among the distinct starts. `None` if the path needs successors beyond the limits.
fn replayed(
    searched: &Searched<'_>,
    starts: &[Vec<u8>],
    explored: &Exploration,
    state: u32,
) -> Option<(Vec<Vec<u8>>, Route)> {
    let trace = explored.trace(state);
    let mut route = Route { start: trace.start as usize, moves: Vec::with_capacity(trace.moves.len()) };
    let mut states = vec![starts.get(route.start)?.clone()];
    // The stop that ended the search does not apply here.
    let stop = SearchStop::again(searched.stop.limits());
    let mut moves = Moves::new();
    for id in trace.moves {
        moves.clear();
        searched.states.expand(states.last()?, &stop, &mut moves).ok()?;
        let (position, (_, _, next)) = (0..).zip(moves.iter()).find(|(_, (other, _, _))| *other == id)?;
        route.moves.push(position);
        states.push(next.to_vec());
    }
    Some((states, route))
}

/// The reason why the exploration is not complete; `None` if it is complete.
fn error(explored: &Exploration, stop: &SearchStop<'_>) -> Option<ExploreError> {
    let states = explored.configurations() as usize;
    let limits = stop.limits();
    if let Some(why) = stop.why.get() {
        return Some(match *why {
            ExploreError::Stopped { .. } => ExploreError::Stopped { states },
            ExploreError::TooManyBytes { bytes, limit, .. } => {
                ExploreError::TooManyBytes { bytes, states, limit }
            }
            why => why,
        });
    }
    Some(match explored.truncated()? {
        Truncated::Memory => {
            ExploreError::TooManyBytes { bytes: explored.wanted_bytes(), states, limit: limits.bytes_max }
        }
        Truncated::Configurations => ExploreError::TooManyStates { limit: limits.states_max },
        Truncated::TooManyMoves => ExploreError::TooManyOutcomes { limit: limits.outcomes_max },
        _ => ExploreError::Stopped { states },
    })
}

/// The states after each of these moves from a state; `None` if a move does not exist, or if the replay is stopped.
pub(crate) fn follow(
    states: &dyn StateModel,
    start: Vec<u8>,
    (route, is_stopped): RetraceMoves<'_>,
) -> Option<Vec<Vec<u8>>> {
    let stop = SearchStop { is_first: false, ..SearchStop::new(is_stopped, CheckLimits::default()) };
    let (mut at, mut moves) = (start, Moves::new());
    let mut next = |position: u32| {
        moves.clear();
        states.expand(&at, &stop, &mut moves).ok()?;
        at = moves.iter().nth(position as usize)?.2.to_vec();
        Some(at.clone())
    };
    route.map(&mut next).collect()
}

impl ExploredGraph<'_> {
    pub(crate) fn graph(&self) -> &acrasin_explore::ConfigurationGraph {
        &self.met.graph
    }

    pub(crate) fn into_graph(self) -> acrasin_explore::ConfigurationGraph {
        self.met.graph
    }

    /// The largest distance of a state from the starts, in moves.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The states that were kept, with their numbers, in increasing order.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.met.kept.iter().map(|(number, packed)| (*number, &packed[..]))
    }

    /// The initial states, which have the first numbers.
    pub(crate) fn starts(&self) -> std::ops::Range<u32> {
        0..self.met.starts
    }

    /// The number of states with a label bit, and the first of them, which is one of those nearest to the starts.
    pub(crate) fn labelled(&self, bit: u32) -> (usize, Option<u32>) {
        let mut states = (0..self.met.graph.len() as u32).filter(|at| self.met.graph.label(*at) & bit != 0);
        let first = states.next();
        (usize::from(first.is_some()) + states.count(), first)
    }

    /// A shortest path to a state.
    pub(crate) fn way(&self, to: u32) -> GraphWalk {
        self.met.graph.way(self.starts(), to)
    }

    /// The moves of a path, which can be replayed from the same starts.
    pub(crate) fn route(&self, way: &GraphWalk) -> Route {
        Route { start: self.given[way.start as usize], moves: way.moves.clone() }
    }

    /// All states on a path, from its start to its end.
    ///
    /// # Errors
    ///
    /// The search was stopped.
    pub(crate) fn follow(&self, way: &GraphWalk) -> Result<Vec<Vec<u8>>, ExploreError> {
        let mut states = vec![self.starts[way.start as usize].clone()];
        let mut moves = Moves::new();
        for &position in &way.moves {
            moves.clear();
            let last = states.last().expect("it has a start");
            self.states.expand(last, self.stop, &mut moves)?;
            let (_, _, next) =
                moves.iter().nth(position as usize).expect("a move of a way can be made again");
            states.push(next.to_vec());
        }
        Ok(states)
    }
}
