//! Every algorithm of the library through the framework and in waves. Runs reach the same goals as sequential ones, and
//! equal their replay.

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::library::erosion;
use acrasin_amoebot::run::concurrent::{
    Concurrent, Locks, MessageLocks, NotCarried, TryLocks, contact_graph,
};
use acrasin_amoebot::run::execution::UniformEnabled;
use acrasin_amoebot::run::parallel::Waves;
use acrasin_amoebot::{
    Algorithm, BasicShape, Boundary, Cell, ChiralityAgreement, Coating, ConvexHull, Direction, Erosion,
    Forest, MaximalIndependentSet, Orientation, System, start,
};
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
use acrasin_runtime::exclusion::{AssumptionError, Bounds, InitialKnowledge, RootedTree};
use acrasin_runtime::scheduler::Sequential;
use acrasin_runtime::{FixedProbability, NodeId, Seeded, Topology};

fn blob(n: usize) -> Vec<Cell> {
    let acceptance = FixedProbability::new(0.8).unwrap();
    start::blob(Cell::ORIGIN, n, acceptance, &mut Seeded::new(9)).unwrap()
}

fn concurrently<A: Algorithm, L: Locks>(
    algorithm: &A,
    start: &System<A::Memory>,
    locks: L,
    is_finished: impl Fn(&System<A::Memory>) -> bool,
) {
    let mut run = Concurrent::new(algorithm, start.clone(), locks);
    assert!(run.run(5_000_000, &mut UniformEnabled, &mut Seeded::new(4)), "terminates");
    assert!(is_finished(run.system()));
    assert_eq!(run.counts().invalid, 0);
    assert!(run.log().replay(algorithm, start.clone()).unwrap() == *run.system());
}

/// Runs an algorithm with locks that can fail, with locks by messages, and in waves; every run must reach the goal.
fn reaches_its_goal<A>(
    algorithm: &A,
    start: &System<A::Memory>,
    is_finished: impl Fn(&System<A::Memory>) -> bool,
) where
    A: Algorithm + Sync,
    A::Memory: Send + Sync,
    A::Action: Send + Sync,
{
    assert!(!is_finished(start), "there is something to do");
    concurrently(algorithm, start, TryLocks::new(start.len()), &is_finished);
    concurrently(algorithm, start, MessageLocks::new(start, Box::new(Sequential::new())), &is_finished);
    let mut waves = Waves::new(algorithm, start.clone(), 4).with_log();
    assert!(waves.run(100_000), "terminates");
    assert!(is_finished(waves.system()));
    assert_eq!(waves.counts().invalid, 0);
    assert!(waves.log().unwrap().replay(algorithm, start.clone()).unwrap() == *waves.system());
}

#[test]
fn algorithms_without_movements() {
    let cells = blob(14);
    let independent = MaximalIndependentSet::start(&cells, &[]).unwrap();
    reaches_its_goal(&MaximalIndependentSet, &independent, MaximalIndependentSet::is_finished);
    let forest = Forest::start(&cells, &[AmoebotId(0), AmoebotId(9)], &[]).unwrap();
    reaches_its_goal(&Forest, &forest, Forest::is_finished);
    let assorted: Vec<Orientation> = Orientation::all().chain(Orientation::all()).take(14).collect();
    let chirality = ChiralityAgreement::start(&cells, 3, &assorted).unwrap();
    reaches_its_goal(&ChiralityAgreement, &chirality, ChiralityAgreement::is_finished);
    let boundary = Boundary::start(&cells, &[]).unwrap();
    reaches_its_goal(&Boundary, &boundary, Boundary::is_finished);
    let solid = start::spiral(Cell::ORIGIN, Direction::East, 14).unwrap();
    let one_leader = |system: &System<erosion::Memory>| {
        system.ids().filter(|id| *system.memory(*id) == erosion::Memory::Leader).count() == 1
    };
    reaches_its_goal(&Erosion, &Erosion::start(&solid, &[]).unwrap(), one_leader);
}

/// A parent for each node, on a shortest path to node 0.
fn fathers(topology: &Topology) -> Vec<Option<u32>> {
    let mut fathers = vec![None; topology.node_count() as usize];
    let mut met = vec![NodeId(0)];
    let mut at = 0;
    while let Some(&node) = met.get(at) {
        at += 1;
        for (_, link) in topology.links(node) {
            if link.peer.0 != 0 && fathers[link.peer.index()].is_none() {
                fathers[link.peer.index()] = Some(node.0);
                met.push(link.peer);
            }
        }
    }
    fathers
}

/// Sections with at most one node in each closed neighbourhood.
fn alone(nodes: u32) -> InitialKnowledge {
    InitialKnowledge {
        inside: vec![false; nodes as usize],
        ..InitialKnowledge::from_bounds(nodes, Bounds { least: 0, most: 1 })
    }
}

/// The algorithms run with locks by a token on a tree, and with locks by critical sections with at most one node in
/// each closed neighbourhood. All amoebots act at once. The replay of the log, one action after another, leads to the
/// same system.
#[test]
fn static_algorithms_run_over_other_mutual_exclusion_too() {
    let cells = blob(14);
    let runs = |algorithm: &MaximalIndependentSet, start: &System<_>| {
        let graph = contact_graph(start);
        let token = InitialKnowledge::from_tree(RootedTree::new(&fathers(&graph)).unwrap());
        let (seats, scheduler) = ((graph.clone(), &token), || Box::new(Sequential::new()));
        let locks =
            MessageLocks::with_knowledge(TreeToken::new(SchemeRule::Raymond), seats, scheduler()).unwrap();
        concurrently(algorithm, start, locks, MaximalIndependentSet::is_finished);
        for scheme in [Scheme::Home, Scheme::Exclusion] {
            let sections = LocalSections::new(scheme).with_held_neighbours();
            let scheduler = Box::new(Sequential::new());
            let bounds = alone(graph.node_count());
            let locks = MessageLocks::with_knowledge(sections, (graph.clone(), &bounds), scheduler).unwrap();
            concurrently(algorithm, start, locks, MaximalIndependentSet::is_finished);
        }
    };
    runs(&MaximalIndependentSet, &MaximalIndependentSet::start(&cells, &[]).unwrap());
    let solid = start::spiral(Cell::ORIGIN, Direction::East, 14).unwrap();
    let erosion = Erosion::start(&solid, &[]).unwrap();
    let graph = contact_graph(&erosion);
    let token = InitialKnowledge::from_tree(RootedTree::new(&fathers(&graph)).unwrap());
    let scheduler = Box::new(Sequential::new());
    let locks = MessageLocks::with_knowledge(TreeToken::new(SchemeRule::Raymond), (graph, &token), scheduler)
        .unwrap();
    concurrently(&Erosion, &erosion, locks, |system| {
        system.ids().filter(|id| *system.memory(*id) == erosion::Memory::Leader).count() == 1
    });
}

/// At every moment of a run the lock sets are disjoint: one lock set at a time under the token, several under critical
/// sections.
#[test]
fn lock_sets_over_sections_are_disjoint_and_several() {
    let start = MaximalIndependentSet::start(&blob(40), &[]).unwrap();
    let graph = contact_graph(&start);
    let bounds = alone(graph.node_count());
    let sections = LocalSections::new(Scheme::Exclusion).with_held_neighbours();
    let locks =
        MessageLocks::with_knowledge(sections, (graph, &bounds), Box::new(Sequential::new())).unwrap();
    let mut run = Concurrent::new(&MaximalIndependentSet, start, locks);
    let mut choices = Seeded::new(7);
    while !run.has_terminated() {
        run.run(1, &mut UniformEnabled, &mut choices);
        assert!(run.lock_sets_are_disjoint());
    }
    assert!(run.counts().width > 1, "{:?}", run.counts());
}

#[test]
fn algorithms_without_neighbours_in_lock_sets_carry_no_amoebots() {
    let start = MaximalIndependentSet::start(&blob(6), &[]).unwrap();
    let graph = || contact_graph(&start);
    let refused = |sections: LocalSections, most: u32| {
        let bounds = InitialKnowledge::from_bounds(6, Bounds { least: 0, most });
        let bounds = InitialKnowledge { inside: vec![false; 6], ..bounds };
        MessageLocks::with_knowledge(sections, (graph(), &bounds), Box::new(Sequential::new())).unwrap_err()
    };
    let sections = LocalSections::new(Scheme::Exclusion);
    assert_eq!(refused(sections, 1), NotCarried::NeighboursNotHeld);
    assert!(matches!(
        refused(sections.with_held_neighbours(), 2),
        NotCarried::Assumption(AssumptionError::Bounds { .. })
    ));
    // A token that needs a complete graph, on another graph; and a token without a tree.
    let token = InitialKnowledge::from_tree(RootedTree::new(&fathers(&graph())).unwrap());
    let locks = MessageLocks::with_knowledge(
        TreeToken::new(SchemeRule::AllTransit),
        (graph(), &token),
        Box::new(Sequential::new()),
    );
    assert!(matches!(locks.unwrap_err(), NotCarried::Assumption(AssumptionError::NotComplete { .. })));
    let locks = MessageLocks::with_knowledge(
        TreeToken::new(SchemeRule::Raymond),
        (graph(), &InitialKnowledge::default()),
        Box::new(Sequential::new()),
    );
    assert!(matches!(locks.unwrap_err(), NotCarried::Assumption(_)));
}

#[test]
fn algorithms_in_which_amoebots_move() {
    let cells = blob(10);
    for form in crate::basic_shape::FORMS {
        let start = BasicShape::start(&cells, 0, &[]).unwrap();
        reaches_its_goal(&BasicShape { form }, &start, BasicShape::is_finished);
    }
    // A straight surface below the amoebots.
    let object: Vec<Cell> = (-30..=30).map(|x| Cell::new(x, -1).unwrap()).collect();
    let heap: Vec<Cell> = (0..3).flat_map(|y| (0..3).map(move |x| Cell::new(x, y).unwrap())).collect();
    let start = Coating::start(&heap, &object, &[]).unwrap();
    reaches_its_goal(&Coating, &start, Coating::is_finished);
    let object = start::line(Cell::ORIGIN, Direction::East, 3).unwrap();
    let row = start::line(Cell::new(1, 1).unwrap(), Direction::NorthWest, 14).unwrap();
    let start = ConvexHull::start(&row, &object, 0, &[]).unwrap();
    reaches_its_goal(&ConvexHull, &start, ConvexHull::is_finished);
}
