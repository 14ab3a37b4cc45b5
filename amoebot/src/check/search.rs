//! What all explorations of amoebots have in common: a search that ends early with a reason, and the ways in its graph.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use acrasin_explore::{
    AsMet, Broken, Duty, Exploration, GraphWalk, Model, MoveId, Moves, Truncated, explore_from,
};
use acrasin_runtime::Digest;
use hashbrown::HashSet;

use super::limits::{self, Asked, ExploreError, Limits};
use super::route::Route;
use crate::FixedHasher;
use crate::model::system::System;

/// States as bytes, and what can happen in each. The search knows no other type, so it is compiled once.
pub(crate) trait States: Sync {
    /// Lists the ways on from a state, in a fixed order, with [`way_on`].
    fn expand(&self, state: &[u8], halt: &Halt<'_>, moves: &mut Moves) -> Result<(), ExploreError>;

    /// The bytes of what the bytes of states stand for.
    fn bytes(&self) -> u64;
}

/// Something of this kind is wrong in the state.
pub(crate) fn wrong(moves: &mut Moves, kind: &'static str, what: String) {
    moves.broken(Broken { property: kind, text: what, by: None });
}

// Bits of a label, of one amoebot at a time and in rounds; other bits are their own.
pub(crate) const DISCONNECTED: u32 = 1;
pub(crate) const FAULT: u32 = 2;

/// What is wrong with a system whatever can happen next: tells it, and gives its bits.
pub(crate) fn wrong_at_rest<M>(system: &System<M>, asked: &Asked<'_, M>, moves: &mut Moves) -> u32 {
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

/// Bytes above a limit that are seen at the end of a block only, with their exact number.
const SLACK: u64 = 1 << 20;

/// Lists a way on, after so many others: it leads to the state that `pack` appends.
///
/// # Errors
///
/// That of `pack`; no memory is left for ways on, or for what the bytes of states stand for; a stop.
pub(crate) fn way_on<E>(
    moves: &mut Moves,
    listed: usize,
    (states, halt): (&dyn States, &Halt<'_>),
    pack: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), ExploreError>
where
    ExploreError: From<E>,
{
    // The ways on from one state of many amoebots take seconds, and much memory.
    if listed > 0 && listed.is_multiple_of(64) {
        halt.go_on()?;
    }
    let limit = halt.limits.bytes_max;
    if states.bytes() > limit.saturating_add(SLACK) {
        moves.fill();
    }
    let id = MoveId { step: (listed >> 16) as u16, outcome: listed as u16 };
    let mut packed = Ok(());
    moves.successor_with(id, Duty::NONE, |into| packed = pack(into));
    if moves.are_full() {
        // By how much depends on the threads.
        return Err(ExploreError::TooManyBytes { bytes: limit.saturating_add(1), states: 0, limit });
    }
    Ok(packed?)
}

/// Whether the search has to end, for whatever reason; the first one counts.
pub(crate) struct Halt<'q> {
    is_stopped: &'q (dyn Fn() -> bool + Sync),
    limits: Limits,
    why: OnceLock<ExploreError>,
    /// Whether a state is looked at for the first time: only then does what is in it count.
    is_first: bool,
}

impl<'q> Halt<'q> {
    pub(crate) fn new(is_stopped: &'q (dyn Fn() -> bool + Sync), limits: Limits) -> Self {
        // The number of a way on has 32 bits, and the last 2^16 numbers have another meaning.
        let outcomes_max = limits.outcomes_max.min(0xffff_0000);
        let states_max = limits.states_max.min(u32::MAX as usize);
        Self {
            is_stopped,
            limits: Limits { states_max, outcomes_max, ..limits },
            why: OnceLock::new(),
            is_first: true,
        }
    }

    /// Nobody stops it.
    pub(crate) fn at(limits: Limits) -> Halt<'static> {
        Halt::new(&|| false, limits)
    }

    /// Looks at states again.
    fn again(limits: Limits) -> Halt<'static> {
        Halt { is_first: false, ..Halt::at(limits) }
    }

    pub(crate) fn is_first(&self) -> bool {
        self.is_first
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn go_on(&self) -> Result<(), ExploreError> {
        if let Some(error) = self.why.get() {
            return Err(*error);
        }
        if (self.is_stopped)() { Err(ExploreError::Stopped { states: 0 }) } else { Ok(()) }
    }

    /// From one state there are so many ways on, so far.
    pub(crate) fn outcomes(&self, count: usize) -> Result<(), ExploreError> {
        let limit = self.limits.outcomes_max;
        if count > limit { Err(ExploreError::TooManyOutcomes { limit }) } else { Ok(()) }
    }

    fn set(&self, error: ExploreError) {
        let _ = self.why.set(error);
    }
}

struct Searched<'s> {
    states: &'s dyn States,
    halt: &'s Halt<'s>,
    /// Bytes of the starts, which are kept.
    starts: AtomicU64,
}

impl Model for Searched<'_> {
    type Workbench = ();

    fn workbench(&self) {}

    /// They come from elsewhere: see [`search`].
    fn starts(&self, (): &mut (), _: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {}

    fn expand(&self, (): &mut (), state: &[u8], moves: &mut Moves) {
        let expanded = self.halt.go_on().and_then(|()| self.states.expand(state, self.halt, moves));
        if let Err(error) = expanded {
            self.halt.set(error);
            moves.too_many();
        }
    }

    fn held_bytes(&self) -> u64 {
        self.states.bytes() + self.starts.load(Ordering::Relaxed)
    }
}

/// All states, in the order in which a search meets them that takes one after the other.
pub(crate) struct Met<'s> {
    states: &'s dyn States,
    halt: &'s Halt<'s>,
    starts: Vec<Vec<u8>>,
    /// The number of each of these among all that were given.
    given: Vec<usize>,
    met: AsMet,
    depth: usize,
}

/// Appends the bytes of the next start; false if there is none.
pub(crate) type NextStart<'n> = &'n mut dyn FnMut(&mut Vec<u8>) -> Result<bool, ExploreError>;

/// Follows every way on from the starts, which are taken one by one. Whatever is [wrong] in some state is told, with the
/// first such state, on the calling thread.
///
/// # Errors
///
/// More states, bytes or outcomes than the limits allow, what the states do not allow, or a stop.
pub(crate) fn search<'s>(
    states: &'s dyn States,
    next_start: NextStart<'_>,
    halt: &'s Halt<'s>,
    tell: &dyn Fn(&str, &[u8]),
) -> Result<Met<'s>, ExploreError> {
    let limits = halt.limits();
    let searched = Searched { states, halt, starts: AtomicU64::new(0) };
    let (mut known, mut distinct) = (HashSet::<Digest, FixedHasher>::default(), Vec::new());
    let (mut asked, mut given) = (0, Vec::new());
    let mut take_start = |take: &mut dyn FnMut(&[u8]) -> ControlFlow<()>| {
        halt.go_on()?;
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
    let explored = explore_from(
        &searched,
        |take| {
            loop {
                match take_start(take) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => return,
                    Err(error) => return halt.set(error),
                }
            }
        },
        &acrasin_explore::Limits {
            bytes: limits.bytes_max,
            configurations: limits.states_max as u64 + 1,
            keep_graph: true,
            stop_at_first: false,
        },
        |_| ControlFlow::Continue(()),
    );
    // First of all, since an exploration that was cut short has nothing else.
    let error = error(&explored, halt);
    for finding in explored.findings() {
        if let Some(state) = replayed(&searched, &distinct, &explored, finding.configuration) {
            tell(&finding.broken.text, &state);
        }
    }
    if let Some(error) = error {
        return Err(error);
    }
    let depth = explored.depth() as usize;
    let met = AsMet::of(explored).expect("a complete exploration with its graph");
    Ok(Met { states, halt, starts: distinct, given, met, depth })
}

/// The bytes of a state; `None` if the way there has ways on that the limits did not allow.
fn replayed(
    searched: &Searched<'_>,
    starts: &[Vec<u8>],
    explored: &Exploration,
    state: u32,
) -> Option<Vec<u8>> {
    let trace = explored.trace(state);
    let mut state = starts.get(trace.start as usize)?.clone();
    // What has ended the search does not end this.
    let halt = Halt::again(searched.halt.limits());
    let mut moves = Moves::new();
    for id in trace.moves {
        moves.clear();
        searched.states.expand(&state, &halt, &mut moves).ok()?;
        state = moves.iter().find(|(other, _, _)| *other == id)?.2.to_vec();
    }
    Some(state)
}

/// Why the exploration is not complete.
fn error(explored: &Exploration, halt: &Halt<'_>) -> Option<ExploreError> {
    let states = explored.configurations() as usize;
    let limits = halt.limits();
    if let Some(why) = halt.why.get() {
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

/// The states after each of these moves from a state; `None` if there is no such move.
pub(crate) fn follow(
    states: &dyn States,
    start: Vec<u8>,
    route: &mut dyn Iterator<Item = u32>,
) -> Option<Vec<Vec<u8>>> {
    let halt = Halt::again(Limits::default());
    let (mut at, mut moves) = (start, Moves::new());
    let mut next = |position: u32| {
        moves.clear();
        states.expand(&at, &halt, &mut moves).ok()?;
        at = moves.iter().nth(position as usize)?.2.to_vec();
        Some(at.clone())
    };
    route.map(&mut next).collect()
}

impl Met<'_> {
    pub(crate) fn graph(&self) -> &acrasin_explore::Graph {
        &self.met.graph
    }

    pub(crate) fn into_graph(self) -> acrasin_explore::Graph {
        self.met.graph
    }

    /// The most ways on that the shortest way to a state has.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The states that were kept, with their numbers, in the order of these.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.met.kept.iter().map(|(number, packed)| (*number, &packed[..]))
    }

    /// The initial states have the first numbers.
    pub(crate) fn starts(&self) -> std::ops::Range<u32> {
        0..self.met.starts
    }

    /// In how many states a bit of the label is set, and the first of these: none is nearer.
    pub(crate) fn labelled(&self, bit: u32) -> (usize, Option<u32>) {
        let mut states = (0..self.met.graph.len() as u32).filter(|at| self.met.graph.label(*at) & bit != 0);
        let first = states.next();
        (usize::from(first.is_some()) + states.count(), first)
    }

    /// The shortest way to a state.
    pub(crate) fn way(&self, to: u32) -> GraphWalk {
        self.met.graph.way(self.starts(), to)
    }

    /// The run as moves, which can be taken again from the same starts.
    pub(crate) fn route(&self, way: &GraphWalk) -> Route {
        Route { start: self.given[way.start as usize], moves: way.moves.clone() }
    }

    /// All states on a way, from its start to its end.
    ///
    /// # Errors
    ///
    /// A stop.
    pub(crate) fn follow(&self, way: &GraphWalk) -> Result<Vec<Vec<u8>>, ExploreError> {
        let mut states = vec![self.starts[way.start as usize].clone()];
        let mut moves = Moves::new();
        for &position in &way.moves {
            moves.clear();
            let last = states.last().expect("it has a start");
            self.states.expand(last, self.halt, &mut moves)?;
            let (_, _, next) =
                moves.iter().nth(position as usize).expect("a move of a way can be made again");
            states.push(next.to_vec());
        }
        Ok(states)
    }
}
