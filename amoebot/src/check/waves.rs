//! Exhaustive exploration of small systems in waves: every order of priorities and every draw.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use acrasin_explore::Moves;
use acrasin_runtime::PackError;
use acrasin_runtime::choice::{Choices, Decision, Enumerated, pick_index};

use super::limits::{self, CheckLimits, ExploreError, Questions, StateQuestions};
use super::packed::{Equivalence, PackedSystem, Packing};
use super::rounds::by_changes;
use super::route::{RetraceMoves, Retraced, Route};
use super::search::{
    DISCONNECTED, FAULT, RunToWrong, SearchStop, StateModel, follow, search, way_on, wrong, wrong_at_rest,
};
use crate::algorithm::{Algorithm, Looks};
use crate::model::id::AmoebotId;
use crate::model::shape::Shape;
use crate::model::system::System;
use crate::run::parallel::{WaveDecisions, Waves, each_locked, lock_set};

/// The name of the fault that two acting amoebots of one wave are neighbours or have a common neighbour.
pub const OVERLAPPING: &str = "a wave in which lock sets overlap";

/// The extent of lock sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LockSetExtent {
    /// An amoebot and its neighbours, as waves lock them.
    #[default]
    Neighbourhoods,
    /// Only the amoebot itself: a planted fault that the exploration must detect.
    Alone,
}

/// The results of exploring all executions in waves from one system.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WavesExploration<M> {
    /// The number of distinct states: systems, each with the set of its awake amoebots.
    pub states: usize,
    /// The number of transitions: outcomes of one wave, over all orders of priorities and all draws.
    pub moves: usize,
    /// The largest distance of a state from the start, in waves.
    pub depth: usize,
    /// The number of states in which every amoebot rests.
    pub ends: usize,
    /// The number of ends that do not reach the goal.
    pub wrong_ends: usize,
    /// The number of states from which no run ends.
    pub hopeless: usize,
    /// The number of states in which lock sets overlap in some next wave.
    pub overlapping: usize,
    /// The number of states in which the amoebots, together with the object, are not connected.
    pub disconnected: usize,
    /// The number of states that have a [fault](Questions::fault).
    pub faults: usize,
    /// The number of aborted actions over all waves; 0 for a valid algorithm.
    pub invalid: u64,
    /// The number of expansions, over all waves, that failed because another amoebot expanded into the same cell.
    pub expand_failures: u64,
    /// The maximum number of lock sets in a wave.
    pub width: u64,
    /// The shapes of the systems in which every amoebot rests.
    pub final_shapes: BTreeSet<Shape>,
    /// The name of the first fault and a shortest execution to it: the start, then the system after each wave.
    pub way: Option<(String, Vec<System<M>>)>,
    /// The moves of the execution in `way`.
    pub route: Option<Route>,
}

/// Explores all executions in waves from a system. Each wave is executed by the code of
/// [`Waves`], with every order of the awake amoebots as priorities and every draw.
/// Identities distinguish states.
///
/// # Errors
///
/// The limit of states, bytes or outcomes is exceeded, the amoebots of an end are too far apart for a shape, or the
/// exploration is stopped.
///
/// ```
/// use acrasin_amoebot::check::waves::{LockSetExtent, explore_waves};
/// use acrasin_amoebot::check::{CheckLimits, Questions};
/// use acrasin_amoebot::library::erosion::Memory;
/// use acrasin_amoebot::{Cell, Direction, Erosion, System, start};
///
/// let pair = Erosion::start(&start::line(Cell::ORIGIN, Direction::East, 2)?, &[])?;
/// let explore = |sets| {
///     explore_waves(&Erosion, pair.clone(), sets, &Questions::from_goal(&Erosion::is_finished), CheckLimits::default())
/// };
/// let right = explore(LockSetExtent::Neighbourhoods)?;
/// assert_eq!((right.wrong_ends, right.overlapping, right.width), (0, 0, 1));
/// // Both erode at once, and there is no leader.
/// let wrong = explore(LockSetExtent::Alone)?;
/// assert!(wrong.wrong_ends > 0 && wrong.overlapping > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explore_waves<A>(
    algorithm: &A,
    start: System<A::Memory>,
    lock_sets: LockSetExtent,
    questions: &Questions<'_, A::Memory>,
    limits: CheckLimits,
) -> Result<WavesExploration<A::Memory>, ExploreError>
where
    A: Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync,
{
    let packing = Packing::new(Equivalence::Placed, limits.bytes_owned);
    let asked = questions.asked();
    let seen = WaveCounters::default();
    let all = AllWaves { algorithm, lock_sets, asked, packing, seen };
    let stop = SearchStop::new(questions.is_stopped, limits);
    let mut starts = std::iter::once(start);
    let mut next_start = |into: &mut Vec<u8>| {
        let Some(start) = starts.next() else { return Ok(false) };
        let awake: Vec<AmoebotId> = start.ids().collect();
        all.pack((&start, &awake), None, into).map(|()| true)
    };
    let tell = |run: RunToWrong<'_>| {
        (questions.told)(&run.broken.text, &all.system(run.state()), &run.route);
    };
    let explored = search(&all, &mut next_start, &stop, (questions.keeper, &tell))?;
    let figure = |of: &AtomicU64| of.load(Ordering::Relaxed);
    // Read before a path is replayed, because a replay would count again.
    let WaveCounters { invalid, expand_failures, width } = &all.seen;
    let (invalid, expand_failures, width) = (figure(invalid), figure(expand_failures), figure(width));
    let mut final_shapes = BTreeSet::new();
    for (_, state) in explored.kept() {
        final_shapes.insert(all.system(state).shape()?);
    }
    let graph = explored.graph();
    let hopeless = graph.hopeless(|at| graph.label(at) & END != 0);
    let count = |bit| explored.labelled(bit).0;
    let first = |bit| explored.labelled(bit).1;
    let found = [
        (Some(OVERLAPPING), first(OVERLAP)),
        (Some(limits::DISCONNECTED), first(DISCONNECTED)),
        // The algorithm describes its faults.
        (None, first(FAULT)),
        (Some(limits::ABORTED), first(INVALID)),
        (Some(limits::WRONG_END), first(WRONG_END)),
        (Some("a state from which no run ends"), hopeless.first().copied()),
    ];
    let nearest = found.into_iter().find_map(|(what, state)| Some((what, state?)));
    let route = nearest.map(|(_, state)| explored.route(&explored.way(state)));
    let way = nearest.map(|(what, state)| {
        let systems: Vec<_> =
            explored.follow(&explored.way(state))?.iter().map(|state| all.system(state)).collect();
        let fault = || (questions.fault)(systems.last().expect("it has a start"));
        let what = what.map(str::to_owned).or_else(|| fault().map(|fault| limits::broken(&fault)));
        let what = what.unwrap_or_else(|| "a fault".to_owned());
        Ok::<_, ExploreError>((what, systems))
    });
    Ok(WavesExploration {
        states: graph.len(),
        moves: graph.move_count() as usize,
        depth: explored.depth(),
        ends: count(END),
        wrong_ends: count(WRONG_END),
        hopeless: hopeless.len(),
        overlapping: count(OVERLAP),
        disconnected: count(DISCONNECTED),
        faults: count(FAULT),
        invalid,
        expand_failures,
        width,
        final_shapes,
        way: way.transpose()?,
        route,
    })
}

/// Replays an execution from its start. `None` if a move does not exist, or if the replay is stopped.
pub fn retrace_waves<A>(
    algorithm: &A,
    start: System<A::Memory>,
    lock_sets: LockSetExtent,
    moves: RetraceMoves<'_>,
) -> Option<Vec<Retraced<A::Memory>>>
where
    A: Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync,
{
    let asked = StateQuestions { is_goal: &|_| false, fault: &|_| None };
    let packing = Packing::new(Equivalence::Placed, 0);
    let all = AllWaves { algorithm, lock_sets, asked, packing, seen: WaveCounters::default() };
    let awake: Vec<AmoebotId> = start.ids().collect();
    let mut packed = Vec::new();
    all.pack((&start, &awake), None, &mut packed).ok()?;
    let states = follow(&all, packed, moves)?;
    Some(by_changes(algorithm, start, states.iter().map(|state| all.system(state)), "a wave"))
}

// Label bits.
const END: u32 = 4;
const WRONG_END: u32 = 8;
const OVERLAP: u32 = 16;
const INVALID: u32 = 32;

/// Counters over all waves.
#[derive(Default)]
struct WaveCounters {
    invalid: AtomicU64,
    expand_failures: AtomicU64,
    width: AtomicU64,
}

/// The model of all executions in waves.
struct AllWaves<'a, A: Algorithm> {
    algorithm: &'a A,
    lock_sets: LockSetExtent,
    asked: StateQuestions<'a, A::Memory>,
    packing: Packing<A::Memory>,
    seen: WaveCounters,
}

impl<A: Algorithm<Memory: Send + Sync>> AllWaves<'_, A> {
    /// Appends the system, and a byte for each amoebot that tells whether it is awake. The order in which awake
    /// amoebots are queued is not part of the state.
    fn pack(
        &self,
        (system, awake): (&System<A::Memory>, &[AmoebotId]),
        before: Option<&PackedSystem<'_, A::Memory>>,
        into: &mut Vec<u8>,
    ) -> Result<(), ExploreError> {
        self.packing.pack(system, before, into)?;
        into.extend(system.ids().map(|id| u8::from(awake.contains(&id))));
        Ok(())
    }

    fn system(&self, state: &[u8]) -> System<A::Memory> {
        self.packing.system(state)
    }
}

/// Whether the lock sets of these amoebots are disjoint.
fn are_disjoint<M>(system: &System<M>, acting: &[AmoebotId], looks: Looks) -> bool {
    let mut all: Vec<AmoebotId> = acting.iter().flat_map(|&id| lock_set(system, id, looks)).collect();
    all.sort_unstable();
    all.windows(2).all(|pair| pair[0] != pair[1])
}

impl<A> StateModel for AllWaves<'_, A>
where
    A: Algorithm<Memory: Send + Sync, Action: Send + Sync> + Sync,
{
    fn expand(&self, state: &[u8], stop: &SearchStop<'_>, moves: &mut Moves) -> Result<(), ExploreError> {
        let system = self.system(state);
        let flags = &state[state.len() - system.len()..];
        let awake: Vec<AmoebotId> =
            system.ids().zip(flags).filter(|(_, flag)| **flag != 0).map(|(id, _)| id).collect();
        let mut label = wrong_at_rest(&system, &self.asked, moves);
        if awake.is_empty() {
            label |= END;
            moves.keep();
            if !(self.asked.is_goal)(&system) {
                label |= WRONG_END;
                wrong(moves, limits::WRONG_END, limits::WRONG_END.to_owned());
            }
            moves.label(label);
            return Ok(());
        }
        // Each order of the awake amoebots is at least one outcome, so the minimum number of outcomes is known in
        // advance.
        stop.outcomes((1..=awake.len()).fold(1, usize::saturating_mul))?;
        let before = PackedSystem { system: &system, packed: state };
        let (mut listed, mut outcomes) = (0, Enumerated::new());
        loop {
            stop.outcomes(listed + 1)?;
            stop.check()?;
            let mut next = Waves::midway(self.algorithm, system.clone(), awake.clone()).with_log();
            next.wave_with(&EnumeratedDecisions::new(&awake, system.len(), self.lock_sets, &mut outcomes));
            let acted: Vec<AmoebotId> = next.log().into_iter().flat_map(|log| log.actors()).collect();
            let counts = next.counts();
            label |= if are_disjoint(&system, &acted, self.algorithm.looks()) { 0 } else { OVERLAP };
            label |= if counts.invalid == 0 { 0 } else { INVALID };
            if stop.is_first() {
                let WaveCounters { invalid, expand_failures, width } = &self.seen;
                invalid.fetch_add(counts.invalid, Ordering::Relaxed);
                expand_failures.fetch_add(counts.expand_failures, Ordering::Relaxed);
                width.fetch_max(counts.width, Ordering::Relaxed);
            }
            way_on(moves, listed, (self, stop), |into| {
                self.pack((next.system(), next.awake()), Some(&before), into)
            })?;
            listed += 1;
            if !outcomes.advance() {
                break;
            }
        }
        moves.label(label);
        for (bit, what) in [(OVERLAP, OVERLAPPING), (INVALID, limits::ABORTED)] {
            if label & bit != 0 {
                wrong(moves, what, what.to_owned());
            }
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.packing.bytes()
    }

    fn counters(&self) -> Vec<&AtomicU64> {
        let WaveCounters { invalid, expand_failures, width } = &self.seen;
        vec![invalid, expand_failures, width]
    }

    fn save_values(&self, into: &mut Vec<u8>) -> bool {
        self.packing.save(self.algorithm, into)
    }

    fn load_values(&self, from: &mut &[u8]) -> Result<(), PackError> {
        self.packing.load(self.algorithm, from)
    }
}

/// The decisions of a wave, for one order of priorities and one outcome of the draws.
struct EnumeratedDecisions<'o> {
    /// The position of each amoebot in the order of priorities.
    places: Vec<u64>,
    lock_sets: LockSetExtent,
    /// The outcomes of the draws. Explored waves are narrow and run on one thread, so the order of the draws is
    /// fixed.
    outcomes: Mutex<&'o mut Enumerated>,
}

impl<'o> EnumeratedDecisions<'o> {
    /// Draws an order of the awake amoebots from the enumerated outcomes.
    fn new(
        awake: &[AmoebotId],
        amoebots: usize,
        lock_sets: LockSetExtent,
        outcomes: &'o mut Enumerated,
    ) -> Self {
        let (mut left, mut places) = (awake.to_vec(), vec![u64::MAX; amoebots]);
        for place in 0.. {
            let Some(first) = pick_index(outcomes, left.len(), Decision::Activation) else { break };
            places[left.remove(first).index()] = place;
        }
        Self { places, lock_sets, outcomes: Mutex::new(outcomes) }
    }
}

/// The random draws of one amoebot, taken from the enumerated outcomes.
struct EnumeratedDraws<'l, 'o>(&'l EnumeratedDecisions<'o>);

impl Choices for EnumeratedDraws<'_, '_> {
    fn pick(&mut self, bound: NonZeroU32, why: Decision) -> u32 {
        self.0.outcomes.lock().unwrap_or_else(PoisonError::into_inner).pick(bound, why)
    }
}

impl WaveDecisions for EnumeratedDecisions<'_> {
    fn claim(&self, id: AmoebotId) -> u64 {
        self.places[id.index()]
    }

    fn action(&self, _: AmoebotId) -> impl Choices {
        EnumeratedDraws(self)
    }

    fn section(&self, _: AmoebotId) -> impl Choices {
        EnumeratedDraws(self)
    }

    fn each_locked<M>(&self, system: &System<M>, id: AmoebotId, looks: Looks, each: impl FnMut(AmoebotId)) {
        if self.lock_sets == LockSetExtent::Neighbourhoods {
            each_locked(system, id, looks, each);
        }
    }
}
