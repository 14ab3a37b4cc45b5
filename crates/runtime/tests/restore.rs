//! A configuration that was packed and restored behaves as the original: same steps, same digests, same
//! violations, step by step, with every kind of step and every kind of rules.

use acrasin_runtime::choice::{Choices as _, Decision, Seeded, pick_index};
use acrasin_runtime::exclusion::local::{Local, Rules, SelfMessages};
use acrasin_runtime::execution::Execution;
use acrasin_runtime::scheduler::{Activation, SemiSynchronous};
use acrasin_runtime::world::PackedOffsets;
use acrasin_runtime::{
    CandidateEdge, Demand, LockOnly, LockSetRequest, LockSetRule, NodeId, Port, Setup, Status, Step, StepOf,
    Timing, Topology, World,
};
use std::num::NonZeroU32;

type Locks = World<Local, LockOnly>;

/// The edges of K4 with fixed ports, three per node.
fn candidates() -> Vec<CandidateEdge> {
    let mut degrees = [0_u16; 4];
    let mut edges = Vec::new();
    for a in 0..4_usize {
        for b in a + 1..4 {
            degrees[a] += 1;
            degrees[b] += 1;
            let end = |node: usize| (NodeId(node as u32), Port(degrees[node]));
            edges.push(CandidateEdge { a: end(a), b: end(b) });
        }
    }
    edges
}

fn world(local: Local, timing: Timing, lock_set: LockSetRule) -> Locks {
    let mut topology = Topology::new(4, 3).unwrap();
    for edge in candidates() {
        topology.connect(edge.a.0, edge.a.1, edge.b.0, edge.b.1).unwrap();
    }
    World::new(Setup {
        exclusion: local,
        section: LockOnly,
        topology,
        states: vec![Demand::Forever, Demand::Forever, Demand::Times(3), Demand::Forever],
        lock_set,
        timing,
    })
}

/// A random step: one that a node can take, an edge that appears or vanishes, and sometimes a call at the wrong
/// time.
fn step(world: &Locks, choices: &mut Seeded, edges: &[CandidateEdge]) -> Option<StepOf<Local>> {
    let edge = edges[pick_index(choices, edges.len(), Decision::Topology)?];
    match choices.pick(NonZeroU32::new(40).unwrap(), Decision::Topology) {
        0 | 1 if world.topology().link(edge.a.0, edge.a.1).is_some() => {
            return Some(Step::Disconnect { node: edge.a.0, port: edge.a.1 });
        }
        2..6 if world.topology().link(edge.a.0, edge.a.1).is_none() => {
            let ((a, a_port), (b, b_port)) = (edge.a, edge.b);
            return Some(Step::Connect { a, a_port, b, b_port });
        }
        6 | 7 if world.unsent(edge.a.0).is_empty() => return Some(Step::Unlock { node: edge.a.0 }),
        8..12 if world.unsent(edge.b.0).is_empty() && world.status(edge.b.0) != Status::Idle => {
            return Some(Step::Lock { node: edge.b.0, claim: LockSetRequest::Neighbourhood });
        }
        _ => {}
    }
    let mut offered = Vec::new();
    world.offered(&mut offered);
    Some(offered[pick_index(choices, offered.len(), Decision::Action)?])
}

/// The number of steps compared, and whether the run ended in a violation.
fn compare(local: Local, timing: Timing, lock_set: LockSetRule, seed: u64) -> (u32, bool) {
    let edges = candidates();
    let mut choices = Seeded::new(seed);
    let mut original = world(local, timing, lock_set);
    // Restored repeatedly into the same world, which held another configuration before.
    let mut other = world(local, timing, lock_set);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for count in 0..600 {
        before.clear();
        original.pack(&edges, &mut before);
        let mut rest = &before[..];
        let mut parts = PackedOffsets::default();
        other.restore_parts(&edges, (&mut rest, 0), &mut parts).unwrap();
        assert!(rest.is_empty());
        let earlier = other.clone();
        assert_eq!((other.digest(), other.check()), (original.digest(), Ok(())));
        assert_eq!((other.holders(), other.held()), (original.holders(), original.held()));
        let (mut offered, mut again) = (Vec::new(), Vec::new());
        original.offered(&mut offered);
        other.offered(&mut again);
        for step in &offered {
            assert!(again.contains(step), "{step:?}");
        }
        assert_eq!(offered.len(), again.len());
        let Some(step) = step(&original, &mut choices, &edges) else { return (count, false) };
        let mut same = choices.clone();
        original.apply(&step, &mut choices, &mut ()).unwrap();
        other.apply(&step, &mut same, &mut ()).unwrap();
        assert_eq!(original.check(), other.check(), "after {step:?}");
        assert_eq!(original.digest(), other.digest(), "after {step:?}");
        if original.check().is_err() {
            return (count, true);
        }
        // The fast ways: packing the changes of one step, and undoing one step.
        let mut changed = Vec::new();
        other.pack_changed(&edges, (&before, &parts), &mut changed);
        let mut undone = other.clone();
        undone.rewind(&earlier);
        after.clear();
        undone.pack(&edges, &mut after);
        assert_eq!((&after, undone.digest()), (&before, earlier.digest()), "{step:?} taken back");
        before.clear();
        after.clear();
        original.pack(&edges, &mut before);
        other.pack(&edges, &mut after);
        assert_eq!(before, after, "after {step:?}");
        assert_eq!(before, changed, "after {step:?}");
    }
    (600, false)
}

#[test]
fn restored_configurations_behave_the_same() {
    let (mut unbroken, mut violations) = (0, 0);
    for seed in 0..12 {
        // Without R3 alone, runs break promises instead of deadlocking first.
        let swallowing = Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED };
        for rules in [Rules::REPAIRED, Rules::PUBLISHED, swallowing] {
            for self_messages in [SelfMessages::Sent, SelfMessages::InMemory] {
                for timing in [Timing::AtOnce, Timing::OneByOne] {
                    for lock_set in [LockSetRule::Neighbourhood, LockSetRule::Pair] {
                        let local = Local::new(3).with_rules(rules).with_self_messages(self_messages);
                        let (count, violated) = compare(local, timing, lock_set, seed);
                        violations += u32::from(violated);
                        unbroken += u32::from(count == 600);
                        assert!(count == 600 || rules != Rules::REPAIRED);
                    }
                }
            }
        }
    }
    // All repaired runs were compared to their end, and violations were compared too.
    assert!(unbroken >= 12 * 8 && violations > 10, "{unbroken} runs of 600 steps, {violations} violations");
}

#[test]
fn bytes_that_are_no_configuration_are_refused() {
    let edges = candidates();
    let mut world = world(Local::new(3), Timing::AtOnce, LockSetRule::Neighbourhood);
    let mut packed = Vec::new();
    world.pack(&edges, &mut packed);
    for len in 0..packed.len() {
        assert!(world.restore(&edges, &mut &packed[..len]).is_err(), "cut off at {len}");
    }
    assert!(world.restore(&edges, &mut &packed[..]).is_ok());
}

/// A turn of many steps can be interrupted. It continues with the remaining steps, also in a fresh execution.
#[test]
fn a_cut_turn_goes_on_from_its_checkpoint() {
    let start = || {
        let edges: Vec<(u32, u32)> = (0..6000).map(|node| (node, (node + 1) % 6000)).collect();
        let world = World::new(Setup {
            exclusion: Local::new(2),
            section: LockOnly,
            topology: Topology::from_edges(6000, 2, &edges).unwrap(),
            states: vec![Demand::Forever; 6000],
            lock_set: LockSetRule::Neighbourhood,
            timing: Timing::AtOnce,
        });
        let execution = Execution::new(world, Box::new(SemiSynchronous::new(Activation::All)));
        (execution, Seeded::new(5))
    };
    let (mut whole, mut choices) = start();
    for _ in 0..30 {
        whole.advance(&mut choices, &mut ());
    }
    let (mut cut, mut choices) = start();
    for _ in 0..20 {
        cut.advance(&mut choices, &mut ());
    }
    assert_eq!(cut.advance_while(&mut choices, &mut (), || false), None);
    let mut saved = Vec::new();
    assert!(cut.save(&mut saved));
    let (mut fresh, mut other) = start();
    fresh.load(&mut &saved[..]).unwrap();
    other.move_to(choices.positions());
    for (execution, choices) in [(&mut cut, &mut choices), (&mut fresh, &mut other)] {
        while execution.turns() < 30 {
            execution.advance(choices, &mut ());
        }
        assert_eq!((execution.rounds(), execution.world().steps()), (30, whole.world().steps()));
        assert_eq!(execution.world().digest(), whole.world().digest());
    }
    // Without the draws so far the run is another one.
    let (mut wrong, mut choices) = start();
    wrong.load(&mut &saved[..]).unwrap();
    while wrong.turns() < 30 {
        wrong.advance(&mut choices, &mut ());
    }
    assert_ne!(wrong.world().digest(), whole.world().digest());
}

/// Regression: a refused order of active nodes left the set of active nodes incomplete. Then the world's own state was
/// refused too, or the next step panicked.
#[test]
fn a_world_is_restored_after_a_refused_order_of_active_nodes() {
    let mut world = world(Local::new(3), Timing::OneByOne, LockSetRule::Neighbourhood);
    let (mut choices, edges) = (Seeded::new(5), candidates());
    let mut refused = 0;
    for _ in 0..400 {
        if let Some(step) = step(&world, &mut choices, &edges) {
            let _ = world.apply(&step, &mut choices, &mut ());
        }
        let mut saved = Vec::new();
        assert!(world.save(true, &mut saved));
        let mut forged = saved.clone();
        // The list of active nodes is last. A node is listed twice.
        let last = forged.len() - 1;
        forged[last] = forged[last - 1];
        refused += u32::from(forged != saved && world.load(true, &mut &forged[..]).is_err());
        world.load(true, &mut &saved[..]).expect("the own state");
        let mut again = Vec::new();
        assert!(world.save(true, &mut again));
        assert_eq!(again, saved);
    }
    assert!(refused > 100, "{refused}");
}
