//! Exhaustive exploration of small systems in rounds.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::id::AmoebotId;
use acrasin_explore::Moves;
use acrasin_runtime::PackError;
use acrasin_runtime::choice::Enumerated;

use super::conflicts;
use super::isolated::MaximalSets;
use super::limits::{self, CheckLimits, ExploreError, Meter, Questions, StateQuestions};
use super::packed::{Equivalence, PackedSystem, Packing};
use super::rounds::by_changes;
use super::route::{RetraceMoves, Retraced, Route};
use super::search::{
    DISCONNECTED, FAULT, RunToWrong, SearchStop, StateModel, follow, search, way_on, wrong, wrong_at_rest,
};
use crate::algorithm::Algorithm;
use crate::model::shape::Shape;
use crate::model::system::System;
use crate::run::simultaneous::{Concurrency, Rounds};

/// The results of exploring all executions in rounds from one system: all draws, and all winners of conflicting
/// actions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RoundsExploration<M> {
    /// The number of distinct systems.
    pub states: usize,
    /// The number of rounds from system to system.
    pub moves: usize,
    /// The largest distance of a system from the start, in rounds.
    pub depth: usize,
    /// The number of systems in which no amoebot is enabled.
    pub ends: usize,
    /// The number of ends that do not reach the goal.
    pub wrong_ends: usize,
    /// The number of systems from which no run ends.
    pub hopeless: usize,
    /// The number of systems in which the amoebots, together with the object, are not connected.
    pub disconnected: usize,
    /// The number of systems that have a [fault](Questions::fault).
    pub faults: usize,
    /// The description of the fault nearest to the start, at the end of [`way_to_fault`](Self::way_to_fault).
    pub fault: Option<String>,
    /// The number of systems in which an enabled action would fail if its amoebot acted alone.
    pub aborted: usize,
    /// The number of failed actions, over all rounds. For each possible end of a round, only the order with the fewest
    /// failures counts.
    pub failures: u64,
    /// The shapes of the ends that reach the goal.
    pub final_shapes: BTreeSet<Shape>,
    /// A shortest run to an end without the goal: the start, then the system after each round.
    pub way: Option<Vec<System<M>>>,
    /// A shortest run to a system from which no run ends.
    pub way_to_hopeless: Option<Vec<System<M>>>,
    /// A shortest run to a system in which the amoebots are not connected.
    pub way_to_disconnected: Option<Vec<System<M>>>,
    /// A shortest run to a system in which an action would fail if its amoebot acted alone.
    pub way_to_aborted: Option<Vec<System<M>>>,
    /// A shortest run to a system that has a fault.
    pub way_to_fault: Option<Vec<System<M>>>,
    /// The moves of the shortest runs to a wrong end, a hopeless system, a disconnected system, a fault, and an aborted
    /// action, in this order.
    pub routes: [Option<Route>; 5],
}

/// Explores all executions in rounds from a system. Identities distinguish states. Every maximal set of isolated
/// amoebots acts once, regardless of how many random orders lead to it. Actions that touch the same amoebot or cell are
/// applied in every order. For example, if two amoebots expand into one cell, each of them succeeds in some execution.
///
/// # Errors
///
/// There are more than `states_max` systems, or another of the default [`CheckLimits`] is exceeded.
///
/// ```
/// use acrasin_amoebot::check::simultaneous::explore_rounds;
/// use acrasin_amoebot::run::simultaneous::Concurrency;
/// use acrasin_amoebot::{Cell, Direction, Erosion, start};
///
/// let pair = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 2)?, &[])?;
/// let explore = |concurrency| explore_rounds(&Erosion, pair.clone(), concurrency, Erosion::is_finished, 1_000);
/// assert_eq!(explore(Concurrency::Synchronous)?.wrong_ends, 1);
/// assert_eq!(explore(Concurrency::Isolated(2))?.wrong_ends, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explore_rounds<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    start: System<A::Memory>,
    concurrency: Concurrency,
    is_goal: impl Fn(&System<A::Memory>) -> bool + Sync,
    states_max: usize,
) -> Result<RoundsExploration<A::Memory>, ExploreError> {
    let limits = CheckLimits { states_max, ..CheckLimits::default() };
    explore_rounds_within(algorithm, start, concurrency, &Questions::from_goal(&is_goal), limits)
}

/// Like [`explore_rounds`], with questions and limits that the caller chooses.
///
/// # Errors
///
/// The limit of systems, bytes or outcomes is exceeded, the amoebots of an end are too far apart for a shape, or the
/// exploration is stopped.
pub fn explore_rounds_within<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    start: System<A::Memory>,
    concurrency: Concurrency,
    questions: &Questions<'_, A::Memory>,
    limits: CheckLimits,
) -> Result<RoundsExploration<A::Memory>, ExploreError> {
    let packing = Packing::new(Equivalence::Placed, limits.bytes_owned);
    let asked = questions.asked();
    let all = AllRounds { algorithm, concurrency, asked, packing, failures: AtomicU64::new(0) };
    let stop = SearchStop::new(questions.is_stopped, limits);
    let mut starts = std::iter::once(start);
    let tell = |run: RunToWrong<'_>| {
        (questions.told)(&run.broken.text, &all.packing.system(run.state()), &run.route);
    };
    let mut next_start = |into: &mut Vec<u8>| all.packing.pack_next(&mut starts, into);
    let explored = search(&all, &mut next_start, &stop, (questions.keeper, &tell))?;
    // Read before a path is replayed, because a replay would count again.
    let failures = all.failures.load(Ordering::Relaxed);
    let mut final_shapes = BTreeSet::new();
    for (_, state) in explored.kept() {
        final_shapes.insert(all.packing.system(state).shape()?);
    }
    let graph = explored.graph();
    let hopeless = graph.hopeless(|at| graph.label(at) & END != 0);
    let way_to = |state: Option<u32>| {
        let way = state.map(|state| explored.follow(&explored.way(state))).transpose()?;
        Ok::<_, ExploreError>(
            way.map(|way| way.iter().map(|state| all.packing.system(state)).collect::<Vec<_>>()),
        )
    };
    let (ends, _) = explored.labelled(END);
    let (wrong_ends, first_wrong) = explored.labelled(WRONG_END);
    let (disconnected, first_disconnected) = explored.labelled(DISCONNECTED);
    let (faults, first_fault) = explored.labelled(FAULT);
    let (aborted, first_aborted) = explored.labelled(ABORTED);
    let way_to_fault = way_to(first_fault)?;
    let ways = [first_wrong, hopeless.first().copied(), first_disconnected, first_fault, first_aborted];
    let routes = ways.map(|state| state.map(|state| explored.route(&explored.way(state))));
    Ok(RoundsExploration {
        states: graph.len(),
        // Several outcomes may lead from one system to another.
        moves: (0..graph.len() as u32)
            .map(|at| graph.moves(at).map(|(_, _, to)| to).collect::<BTreeSet<u32>>().len())
            .sum(),
        depth: explored.depth(),
        ends,
        wrong_ends,
        hopeless: hopeless.len(),
        disconnected,
        faults,
        fault: way_to_fault.as_ref().and_then(|way| (questions.fault)(way.last().expect("it has a start"))),
        aborted,
        failures,
        final_shapes,
        way: way_to(first_wrong)?,
        way_to_hopeless: way_to(hopeless.first().copied())?,
        way_to_disconnected: way_to(first_disconnected)?,
        way_to_aborted: way_to(first_aborted)?,
        way_to_fault,
        routes,
    })
}

/// Replays a run from its start. `None` if a move does not exist, or if the replay is stopped.
pub fn retrace_rounds<A: Algorithm<Memory: Send + Sync> + Sync>(
    algorithm: &A,
    start: System<A::Memory>,
    concurrency: Concurrency,
    moves: RetraceMoves<'_>,
) -> Option<Vec<Retraced<A::Memory>>> {
    let asked = StateQuestions { is_goal: &|_| false, fault: &|_| None };
    let packing = Packing::new(Equivalence::Placed, 0);
    let all = AllRounds { algorithm, concurrency, asked, packing, failures: AtomicU64::new(0) };
    let mut packed = Vec::new();
    all.packing.pack(&start, None, &mut packed).ok()?;
    let states = follow(&all, packed, moves)?;
    Some(by_changes(algorithm, start, states.iter().map(|state| all.packing.system(state)), "a round"))
}

// Label bits.
const END: u32 = 4;
const WRONG_END: u32 = 8;
const ABORTED: u32 = 16;

/// The model of all executions in rounds.
struct AllRounds<'a, A: Algorithm> {
    algorithm: &'a A,
    concurrency: Concurrency,
    asked: StateQuestions<'a, A::Memory>,
    packing: Packing<A::Memory>,
    failures: AtomicU64,
}

impl<A: Algorithm<Memory: Send + Sync> + Sync> StateModel for AllRounds<'_, A> {
    fn expand(&self, state: &[u8], stop: &SearchStop<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let system = self.packing.system(state);
        let mut label = wrong_at_rest(&system, &self.asked, moves);
        let before = PackedSystem { system: &system, packed: state };
        let rounds = Rounds::new(self.algorithm, system.clone(), self.concurrency);
        let enabled = rounds.look();
        if enabled.is_empty() {
            label |= END;
            if (self.asked.is_goal)(&system) {
                moves.keep();
            } else {
                label |= WRONG_END;
                wrong(moves, limits::WRONG_END, limits::WRONG_END.to_owned());
            }
        }
        if enabled.is_empty() {
            moves.label(label);
            return Ok(());
        }
        let mut ids = enabled.ids().to_vec();
        ids.sort_unstable();
        let (mut listed, mut failures, mut first_failed) = (0, 0, None);
        let mut act = |acting: &[AmoebotId]| {
            let mut outcomes = Enumerated::new();
            loop {
                stop.outcomes(listed + 1)?;
                stop.check()?;
                let computed = rounds.compute(acting, &mut outcomes, &|| true);
                let computed = computed.expect("there is time for it");
                if first_failed.is_none() {
                    first_failed = computed.iter().find_map(|computed| computed.failed(&system));
                }
                let count = computed.len();
                let done: Vec<_> = computed
                    .into_iter()
                    .filter_map(|computed| Some((computed.id, computed.effects.ok()?)))
                    .collect();
                let aborted = (count - done.len()) as u64;
                let pack = |system: &_, into: &mut _| Ok(self.packing.pack(system, Some(&before), into)?);
                for (end, failed) in conflicts::ends(&system, &done, stop, pack)? {
                    stop.outcomes(listed + 1)?;
                    failures += aborted + failed;
                    way_on(moves, listed, (self, stop), |into| pack(&end, into))?;
                    listed += 1;
                }
                if !outcomes.advance() {
                    return Ok::<_, ExploreError>(());
                }
            }
        };
        match self.concurrency {
            Concurrency::Synchronous | Concurrency::Isolated(0) => act(&ids)?,
            Concurrency::Isolated(distance) => {
                let mut sets = MaximalSets::new(ids, |id| rounds.within(id, distance));
                let mut meter = Meter::new(stop.limits());
                while let Some(acting) = sets.next(&mut meter, &|| stop.check().is_err())? {
                    act(&acting)?;
                }
            }
        }
        if let Some(failed) = first_failed {
            label |= ABORTED;
            wrong(moves, limits::ABORTED, limits::aborted(&failed));
        }
        moves.label(label);
        self.failures.fetch_add(if stop.is_first() { failures } else { 0 }, Ordering::Relaxed);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packing.bytes()
    }

    fn counters(&self) -> Vec<&AtomicU64> {
        vec![&self.failures]
    }

    fn save_values(&self, into: &mut Vec<u8>) -> bool {
        self.packing.save(self.algorithm, into)
    }

    fn load_values(&self, from: &mut &[u8]) -> Result<(), PackError> {
        self.packing.load(self.algorithm, from)
    }
}
