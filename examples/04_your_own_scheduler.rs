//! A user-defined scheduler, and the use of weak fairness.
//!
//! This scheduler always activates the node with the smallest number. Alone it never reaches the end of a path. With
//! a fairness bound every step that stays enabled is eventually executed, and every node locks.
//!
//! `cargo run -p acrasin-examples --bin 04_your_own_scheduler` prints:
//!
//! ```text
//! smallest first:             Locks by node [4166, 0, 0, 0, 0, 0, 0, 0]
//! with fairness within 100:   Locks by node [2144, 144, 65, 42, 32, 26, 33, 35]
//! ```

use std::error::Error;

use acrasin::runtime::exclusion::local::{Action, Local};
use acrasin::runtime::execution::{Advance, Execution};
use acrasin::runtime::scheduler::{Scheduler, Turns, WeaklyFair};
use acrasin::runtime::step::StepOf;
use acrasin::runtime::{
    Choices, Demand, Event, LockOnly, LockSetRule, Observer, Seeded, Setup, Timing, Topology, World,
};

/// Lets the active node with the smallest number execute one of its steps.
#[derive(Default)]
struct SmallestFirst {
    actions: Vec<Action>,
}

impl Scheduler<Local, LockOnly> for SmallestFirst {
    fn plan(
        &mut self,
        world: &World<Local, LockOnly>,
        choices: &mut dyn Choices,
        turn: &mut Vec<StepOf<Local>>,
    ) {
        // The world knows which nodes can act. The step of a node is one of the choices.
        if let Some(&node) = world.active().iter().min() {
            turn.extend(world.pick_step(node, choices, &mut self.actions));
        }
    }

    fn turns(&self) -> Turns {
        Turns::Steps
    }
}

/// Counts the Locks of every node.
struct Locks(Vec<u32>);

impl Observer<Local, LockOnly> for Locks {
    fn event(&mut self, event: &Event<'_, Local, LockOnly>) {
        if let Event::Granted { node, .. } = event {
            self.0[node.index()] += 1;
        }
    }
}

/// The number of Locks of each of eight nodes in a line after `turns` turns.
fn locks(fairness: Option<u64>, turns: u64) -> Result<Vec<u32>, Box<dyn Error>> {
    let path: Vec<(u32, u32)> = (1..8).map(|node| (node - 1, node)).collect();
    let world = World::new(Setup {
        exclusion: Local::new(2),
        section: LockOnly,
        topology: Topology::from_edges(8, 2, &path)?,
        states: vec![Demand::Forever; 8],
        lock_set: LockSetRule::Neighbourhood,
        timing: Timing::AtOnce,
    });
    let mut execution = Execution::new(world, Box::new(SmallestFirst::default()));
    if let Some(bound) = fairness {
        execution = execution.with_fairness(WeaklyFair::with_bound(bound));
    }
    let (mut choices, mut observer) = (Seeded::new(3), Locks(vec![0; 8]));
    for _ in 0..turns {
        assert_eq!(execution.advance(&mut choices, &mut observer), Advance::Advanced);
    }
    Ok(observer.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let unfair = locks(None, 100_000)?;
    println!("smallest first:             Locks by node {unfair:?}");
    assert_eq!(unfair[7], 0);
    let fair = locks(Some(100), 100_000)?;
    println!("with fairness within 100:   Locks by node {fair:?}");
    assert!(fair.iter().all(|&locks| locks > 0));
    Ok(())
}
