//! The lock layer against an adversary: the published rules can deadlock, the repaired rules cannot.
//!
//! `cargo run -p acrasin-examples --bin 03_adversary` prints:
//!
//! ```text
//! published rules: 58 of 1000 runs on two nodes end in a deadlock
//! repaired rules: 0 of 1000 runs on two nodes end in a deadlock
//! 30 nodes have locked 5 times each after 5128 steps; 13 steps were forced, the longest wait was 500 turns
//! ```

use std::error::Error;

use acrasin::runtime::exclusion::local::{Local, Rules};
use acrasin::runtime::execution::{Advance, Execution};
use acrasin::runtime::scheduler::{Scheduler, Sequential, Starve, WeaklyFair};
use acrasin::runtime::topology::dynamics::Churn;
use acrasin::runtime::{
    Demand, FixedProbability, LockOnly, LockSetRule, NodeId, Seeded, Setup, Timing, Topology, World,
};

type Run = Execution<Local, LockOnly>;

fn run(
    rules: Rules,
    topology: Topology,
    demand: Demand,
    scheduler: Box<dyn Scheduler<Local, LockOnly>>,
) -> Run {
    let states = vec![demand; topology.node_count() as usize];
    let world = World::new(Setup {
        exclusion: Local::new(topology.ports()).with_rules(rules),
        section: LockOnly,
        topology,
        states,
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    Execution::new(world, scheduler)
}

/// Whether a run of two neighbours, each of which locks once under a random schedule, ends with a Lock that never
/// returns.
fn ends_dead(rules: Rules, seed: u64) -> Result<bool, Box<dyn Error>> {
    let pair = Topology::from_edges(2, 1, &[(0, 1)])?;
    let mut run = run(rules, pair, Demand::Times(1), Box::new(Sequential::new()));
    let mut choices = Seeded::new(seed);
    while run.advance(&mut choices, &mut ()) == Advance::Advanced {}
    Ok(run.world().outstanding() > 0)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, rules) in [("published", Rules::PUBLISHED), ("repaired", Rules::REPAIRED)] {
        let mut dead = 0;
        for seed in 0..1000 {
            dead += u32::from(ends_dead(rules, seed)?);
        }
        println!("{name} rules: {dead} of 1000 runs on two nodes end in a deadlock");
        assert_eq!(dead > 0, rules == Rules::PUBLISHED);
    }

    // The repaired rules on a ring whose edges flap, against a scheduler that starves node 0.
    let ring: Vec<(u32, u32)> = (0..30).map(|node| (node, (node + 1) % 30)).collect();
    let ring = Topology::from_edges(30, 2, &ring)?;
    let rate = FixedProbability::new(0.01).ok_or("a probability")?;
    let churn = Churn::new(&ring, rate, true);
    let starve = Box::new(Starve::new(NodeId(0)));
    let mut run = run(Rules::REPAIRED, ring, Demand::Times(5), starve)
        .with_dynamics(Box::new(churn))
        .with_fairness(WeaklyFair::with_bound(500));
    let mut choices = Seeded::new(1);
    while run.world().states().iter().any(|&left| left != Demand::Times(0)) || run.world().outstanding() > 0 {
        assert_eq!(run.advance(&mut choices, &mut ()), Advance::Advanced);
        assert!(run.turns() < 10_000_000, "a node is locked out");
    }
    let fairness = run.fairness().ok_or("it was added")?;
    println!(
        "30 nodes have locked 5 times each after {} steps; {} steps were forced, the longest wait was {} turns",
        run.world().steps(),
        fairness.forced(),
        fairness.longest()
    );
    assert!(fairness.forced() > 0);
    Ok(())
}
