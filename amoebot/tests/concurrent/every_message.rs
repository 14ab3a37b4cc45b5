//! Every interleaving of the messages of locks with the steps of the framework. The final systems are those of
//! sequential runs, and a wrong lock set is detected.

use std::collections::BTreeSet;

use acrasin_amoebot::check::concurrent::{ConcurrentExploration, explore_concurrent};
use acrasin_amoebot::check::sequential::{Scope, explore};
use acrasin_amoebot::library::erosion;
use acrasin_amoebot::run::concurrent::{EveryMessage, LockOutcome, Locks, SavedLocks, contact_graph};
use acrasin_amoebot::{
    Algorithm, AmoebotId, Cell, Direction, Erosion, Hexagon, MaximalIndependentSet, Shape, System, start,
};
use acrasin_runtime::PackError;
use acrasin_runtime::choice::Choices;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
use acrasin_runtime::exclusion::{Bounds, InitialKnowledge, RootedTree};

const STATES_MAX: usize = 4_000_000;

fn line(n: usize) -> Vec<Cell> {
    start::line(Cell::ORIGIN, Direction::East, n).unwrap()
}

fn one_leader(system: &System<erosion::Memory>) -> bool {
    system.ids().filter(|id| *system.memory(*id) == erosion::Memory::Leader).count() == 1
}

/// The final shapes of all sequential schedules.
fn sequential<A>(
    algorithm: &A,
    start: &System<A::Memory>,
    is_goal: impl Fn(&System<A::Memory>) -> bool + Sync,
) -> BTreeSet<Shape>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
{
    let scope = Scope { states_max: STATES_MAX, ..Scope::default() };
    let all = explore(algorithm, [start.clone()], is_goal, scope).unwrap();
    assert!(all.stuck.is_empty() && all.hopeless == 0);
    all.final_shapes()
}

/// Asserts that no state has a fault, and that all final shapes are those of sequential runs.
#[track_caller]
fn is_right<A, L>(
    algorithm: &A,
    start: &System<A::Memory>,
    locks: &L,
    is_goal: impl Fn(&System<A::Memory>) -> bool + Sync + Copy,
) -> usize
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: SavedLocks + Clone + Eq + std::hash::Hash + Send + Sync,
{
    let all = explore_concurrent(algorithm, [start.clone()], |_| locks.clone(), is_goal, STATES_MAX).unwrap();
    let faults: Vec<_> = all.ways.iter().map(|way| way.fault).collect();
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!((all.wrong_ends, all.hopeless, all.overlapping, all.invalid), (0, 0, 0, 0));
    assert!(!all.finals.is_empty());
    assert_eq!(all.final_shapes().unwrap(), sequential(algorithm, start, is_goal));
    println!("{} states, {} steps, depth {}, width {}", all.states, all.transitions, all.depth, all.width);
    all.states
}

fn path(nodes: u32) -> InitialKnowledge {
    let fathers: Vec<Option<u32>> = (0..nodes).map(|node| node.checked_sub(1)).collect();
    InitialKnowledge::from_tree(RootedTree::new(&fathers).unwrap())
}

fn alone(nodes: u32) -> InitialKnowledge {
    InitialKnowledge {
        inside: vec![false; nodes as usize],
        ..InitialKnowledge::from_bounds(nodes, Bounds { least: 0, most: 1 })
    }
}

#[test]
fn two_amoebots_over_every_system_end_as_one_at_a_time() {
    let erosion = Erosion::start(&line(2), &[]).unwrap();
    is_right(&Erosion, &erosion, &EveryMessage::new(&erosion), one_leader);
    let graph = || contact_graph(&erosion);
    let token =
        EveryMessage::with_knowledge(TreeToken::new(SchemeRule::Raymond), (graph(), &path(2))).unwrap();
    is_right(&Erosion, &erosion, &token, one_leader);
    for scheme in [Scheme::Home, Scheme::Exclusion] {
        let sections = LocalSections::new(scheme).with_held_neighbours();
        let sections = EveryMessage::with_knowledge(sections, (graph(), &alone(2))).unwrap();
        is_right(&Erosion, &erosion, &sections, one_leader);
    }
    let independent = MaximalIndependentSet::start(&line(2), &[]).unwrap();
    is_right(
        &MaximalIndependentSet,
        &independent,
        &EveryMessage::new(&independent),
        MaximalIndependentSet::is_finished,
    );
}

/// The amoebots move, and thereby change the contact graph of the locks.
#[test]
fn two_amoebots_that_move_end_as_one_at_a_time() {
    let hexagon = Hexagon::start(&line(2), 0, &[]).unwrap();
    is_right(&Hexagon, &hexagon, &EveryMessage::new(&hexagon), Hexagon::is_finished);
}

#[test]
fn three_amoebots_over_a_token_end_as_one_at_a_time() {
    let erosion = Erosion::start(&line(3), &[]).unwrap();
    let token = EveryMessage::with_knowledge(
        TreeToken::new(SchemeRule::Raymond),
        (contact_graph(&erosion), &path(3)),
    )
    .unwrap();
    is_right(&Erosion, &erosion, &token, one_leader);
}

/// Locks that grant a set at once, even if another amoebot holds it. They use the token on a tree, which has the fewest
/// states.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Hasty(EveryMessage<TreeToken>);

impl Locks for Hasty {
    const ISOLATES: bool = true;

    fn lock(&mut self, id: AmoebotId, neighbours: &[AmoebotId], choices: &mut dyn Choices) -> LockOutcome {
        self.0.lock(id, neighbours, choices);
        let mut set = neighbours.to_vec();
        set.push(id);
        set.sort_unstable();
        LockOutcome::Granted(set)
    }
    fn granted(&self, id: AmoebotId) -> Option<Vec<AmoebotId>> {
        self.0.granted(id)
    }
    fn release(&mut self, holder: AmoebotId, members: &[AmoebotId]) {
        self.0.release(holder, members);
    }
    /// Does nothing before the Lock of the holder is granted.
    fn unlock(&mut self, holder: AmoebotId, members: &[AmoebotId], choices: &mut dyn Choices) {
        if self.0.granted(holder).is_some() {
            self.0.unlock(holder, members, choices);
        }
    }
    fn is_unlocked(&self, id: AmoebotId) -> bool {
        self.0.is_unlocked(id)
    }
    fn moved(
        &mut self,
        ids: &[AmoebotId],
        near: &dyn Fn(AmoebotId) -> Vec<AmoebotId>,
        choices: &mut dyn Choices,
    ) {
        self.0.moved(ids, near, choices);
    }
    fn advance(&mut self, choices: &mut dyn Choices) -> bool {
        self.0.advance(choices)
    }
    fn ways(&self) -> usize {
        self.0.ways()
    }
    fn take(&mut self, way: usize, choices: &mut dyn Choices) -> AmoebotId {
        self.0.take(way, choices)
    }
    fn holder(&self, id: AmoebotId) -> Option<AmoebotId> {
        self.0.holder(id)
    }
}

impl SavedLocks for Hasty {
    fn save(&self, into: &mut Vec<u8>) -> bool {
        self.0.save(into)
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.0.load(from)
    }
}

#[test]
fn a_lock_set_that_is_given_too_early_is_caught() {
    let erosion = Erosion::start(&line(2), &[]).unwrap();
    let hasty = |system: &System<_>| {
        let seats = (contact_graph(system), &path(2));
        Hasty(EveryMessage::with_knowledge(TreeToken::new(SchemeRule::Raymond), seats).unwrap())
    };
    let all: ConcurrentExploration<_> =
        explore_concurrent(&Erosion, [erosion], hasty, one_leader, STATES_MAX).unwrap();
    println!("{} states, {} overlap, {} wrong ends", all.states, all.overlapping, all.wrong_ends);
    assert!(all.overlapping > 0 && all.wrong_ends > 0 && all.width == 2);
}
