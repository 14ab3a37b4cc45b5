//! B-16: excursions of raised processes prevent a deadlock.
//!
//! The graph is a hub and a path of four, the hub leads, and at most three processes of each closed neighbourhood may
//! be inside. Without excursions, a process that comes out with an extra grant and immediately returns the other
//! permission leaves its arbiter one above the capacity. The next raised process then waits there forever, and so
//! does the leader.

use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme, SectionErratum};
use acrasin_runtime::exclusion::{Bounds, Errata, InitialKnowledge};
use acrasin_runtime::scheduler::{Scheduler, Sequential};
use acrasin_runtime::{Demand, LockOnly, LockSetRule, NodeId, Seeded, Setup, Timing, Topology, World};

const FAN: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 3), (3, 4)];
const STEPS: u32 = 20_000;

/// The number of changes of each process in [`STEPS`] uniformly drawn steps, and whether the run stopped before the
/// last step.
fn changes(printed: Errata<SectionErratum>, seed: u64) -> ([u32; 5], bool) {
    let setup = Setup {
        exclusion: LocalSections::new(Scheme::Leader).with_own_messages_at_once().with_errata(printed),
        section: LockOnly,
        topology: Topology::from_edges(5, 4, FAN).unwrap(),
        states: vec![Demand::Forever; 5],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    };
    let seating = InitialKnowledge {
        inside: vec![true, false, false, false, false],
        leader: Some(NodeId(0)),
        ..InitialKnowledge::from_bounds(5, Bounds { least: 0, most: 3 })
    };
    let mut world = World::with_knowledge(setup, &seating).unwrap();
    let (mut scheduler, mut choices, mut turn) = (Sequential::new(), Seeded::new(seed), Vec::new());
    let mut changes = [0; 5];
    for _ in 0..STEPS {
        turn.clear();
        scheduler.plan(&world, &mut choices, &mut turn);
        let Some(step) = turn.pop() else { return (changes, true) };
        let before: Vec<bool> = (0..5).map(|node| world.memory(NodeId(node)).inside).collect();
        world.apply(&step, &mut choices, &mut ()).unwrap();
        Scheduler::<LocalSections, LockOnly>::applied(&mut scheduler, &world, &step);
        assert_eq!(world.violation(), None);
        for node in 0..5 {
            changes[node] += u32::from(world.memory(NodeId(node as u32)).inside != before[node]);
        }
    }
    (changes, false)
}

/// One such run is stored as `b16-no-excursion.jsonl`; this test repeats it with twenty seeds.
#[test]
fn without_excursions_a_fan_is_dead_and_with_them_every_node_goes_on() {
    let mut dead = 0;
    for seed in 1..=20 {
        let (served, at_rest) = changes(Errata::NONE, seed);
        assert!(!at_rest && served.iter().all(|&count| count > 50), "seed {seed}: {served:?}");
        dead += u32::from(changes(Errata::NONE.with(SectionErratum::NoExcursion), seed).1);
    }
    println!("{dead} of 20 runs are dead without excursions");
    assert!(dead > 10, "{dead} of 20");
}
