//! All interleavings of the steps of A′, on all small systems.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::check::concurrent::{ConcurrencyFault, ConcurrentExploration, explore_concurrent};
use acrasin_amoebot::library::{erosion, hexagon};
use acrasin_amoebot::run::concurrent::{LockOutcome, Locks, NoLocks, SavedLocks, Stepped, TryLocks};
use acrasin_amoebot::{Algorithm, Erosion, Hexagon, Shape, System};
use acrasin_runtime::choice::Choices;
use acrasin_runtime::{Pack, PackError};

use super::{expected, hexagons, is_at_rest};

const STATES_MAX: usize = 1 << 22;

fn explored<A, L>(
    algorithm: &A,
    start: System<A::Memory>,
    locks: impl Fn(usize) -> L,
) -> ConcurrentExploration<A::Memory>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: SavedLocks + Clone + Eq + std::hash::Hash + Send + Sync,
{
    let locks = |system: &System<A::Memory>| locks(system.len());
    // A run also ends if act is false everywhere by mistake, so no guard may hold at the end.
    let is_goal = |system: &System<A::Memory>| is_at_rest(algorithm, system);
    explore_concurrent(algorithm, [start], locks, is_goal, STATES_MAX).expect("a small system")
}

fn isolated<M>(found: &ConcurrentExploration<M>) -> bool {
    assert_eq!(
        found.always_succeeds(),
        found.ways.iter().all(|way| way.fault == ConcurrencyFault::Disconnected)
    );
    found.always_succeeds()
}

#[test]
fn hexagons_are_the_same_with_locks_and_without() {
    let mut states = [0, 0];
    for start in hexagons(2) {
        let cells = expected(&start);
        let finished = |found: &ConcurrentExploration<hexagon::Memory>| {
            found.finals.iter().all(|end| Hexagon::is_finished(end) && end.cells() == cells)
        };
        let locked = explored(&Hexagon, start.clone(), TryLocks::new);
        assert!(isolated(&locked) && finished(&locked) && !locked.finals.is_empty());
        // Two neighbours exclude each other.
        assert_eq!(locked.width, 1);
        assert!(locked.lock_failures > 0);
        let free = explored(&Hexagon, start, |_| NoLocks);
        assert!(free.invalid == 0 && free.hopeless == 0 && finished(&free) && !free.finals.is_empty());
        assert_eq!(free.width, 2);
        states[0] += locked.states;
        states[1] += free.states;
    }
    println!("two amoebots: {} states with locks, {} without", states[0], states[1]);
}

#[test]
fn hexagons_of_three_are_unique_whatever_the_order() {
    let mut states = 0;
    for start in hexagons(3) {
        let cells = expected(&start);
        let found = explored(&Hexagon, start, TryLocks::new);
        assert!(isolated(&found), "{found:?}");
        assert!(found.finals.iter().all(|end| Hexagon::is_finished(end) && end.cells() == cells));
        states += found.states;
    }
    println!("three amoebots: {states} states");
}

/// A follower next to the structure becomes a root (α1) after its parent has read it and before the parent pulls it
/// (α5). Then the parent's action does not remain enabled. Locks prevent this.
#[test]
fn three_amoebots_can_go_wrong_without_locks() {
    let start = hexagons(3).into_iter().nth(1).expect("there are shapes");
    let cells = expected(&start);
    let found = explored(&Hexagon, start, |_| NoLocks);
    assert!(found.finals.iter().any(|end| Hexagon::is_finished(end) && end.cells() == cells));
    assert!(found.finals.iter().any(|end| !Hexagon::is_finished(end)), "{} states", found.states);
}

fn leaders(system: &System<erosion::Memory>) -> usize {
    system.ids().filter(|id| *system.memory(*id) == erosion::Memory::Leader).count()
}

fn erosions(n: usize) -> Vec<System<erosion::Memory>> {
    let shapes = Shape::all_connected(n).expect("few cells");
    let without_holes = shapes.iter().filter(|shape| shape.holes() == 0);
    without_holes.map(|shape| Erosion::start(shape.cells(), &[]).expect("no hole")).collect()
}

#[test]
fn erosion_has_one_leader_with_locks_in_every_order() {
    for n in 1..=3 {
        for start in erosions(n) {
            let found = explored(&Erosion, start, TryLocks::new);
            assert!(isolated(&found), "{found:?}");
            assert!(!found.finals.is_empty());
            assert!(found.finals.iter().all(|end| leaders(end) == 1 && is_at_rest(&Erosion, end)));
        }
    }
}

#[test]
fn erosion_without_locks_goes_wrong() {
    for n in 2..=3 {
        for start in erosions(n) {
            let found = explored(&Erosion, start, |_| NoLocks);
            assert!(found.finals.iter().any(|end| leaders(end) == 0), "all can erode at once");
        }
    }
}

/// Locks only the caller. Wrong locks: the neighbours are in the lock set, but other amoebots can lock them as well.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct OwnLock(pub(crate) Vec<bool>);

impl Locks for OwnLock {
    const ISOLATES: bool = true;

    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], _: &mut dyn Choices) -> LockOutcome {
        if std::mem::replace(&mut self.0[id.index()], true) {
            return LockOutcome::Failed;
        }
        let mut set: Vec<AmoebotId> = neighbours.iter().copied().chain([id]).collect();
        set.sort_unstable();
        LockOutcome::Granted(set)
    }
    fn granted(&self, _: AmoebotId) -> Option<Vec<AmoebotId>> {
        None
    }
    fn release(&mut self, _: AmoebotId, _: &[AmoebotId]) {}
    fn unlock(&mut self, holder: AmoebotId, _: &[AmoebotId], _: &mut dyn Choices) {
        self.0[holder.index()] = false;
    }
    fn is_unlocked(&self, _: AmoebotId) -> bool {
        true
    }
    fn moved(&mut self, _: &[AmoebotId], _: &dyn Fn(AmoebotId) -> Vec<AmoebotId>, _: &mut dyn Choices) {}
    fn advance(&mut self, _: &mut dyn Choices) -> bool {
        false
    }
    fn holder(&self, id: AmoebotId) -> Option<AmoebotId> {
        self.0[id.index()].then_some(id)
    }
}

impl SavedLocks for OwnLock {
    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.0.pack(into);
        true
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.0 = Pack::unpack(from)?;
        Ok(())
    }
}

#[test]
fn locks_that_do_not_lock_neighbours_are_noticed() {
    for start in erosions(2) {
        let found = explored(&Erosion, start, |n| OwnLock(vec![false; n]));
        assert!(found.overlapping > 0);
        assert!(found.finals.iter().any(|end| leaders(end) != 1));
    }
}

/// All candidates decide before the first one writes. The shortest path to a final state without a leader has no other
/// step.
#[test]
fn the_shortest_way_to_an_end_without_a_leader() {
    let pair = erosions(2).remove(0);
    let is_goal = |system: &System<erosion::Memory>| leaders(system) == 1;
    let found = explore_concurrent(&Erosion, [pair.clone()], |_| NoLocks, is_goal, STATES_MAX).unwrap();
    assert!(found.wrong_ends > 0 && !found.always_succeeds());
    let way = found.ways.iter().find(|way| way.fault == ConcurrencyFault::WrongEnd).expect("it is found");
    assert_eq!((&way.start, leaders(&way.end)), (&pair, 0));
    let of = |wanted| way.steps.iter().filter(|(_, stepped)| *stepped == wanted).count();
    // Each of the two amoebots becomes a candidate and erodes. Then neither has an enabled action.
    assert_eq!(
        (of(Stepped::Decided), of(Stepped::Written), of(Stepped::Disabled)),
        (4, 4, 2),
        "{:?}",
        way.steps
    );
    let locked = explore_concurrent(&Erosion, [pair], |pair| TryLocks::new(pair.len()), is_goal, STATES_MAX);
    assert!(locked.unwrap().ways.is_empty());
}
