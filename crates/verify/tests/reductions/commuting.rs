//! Actions of different nodes commute (specification 2.2), so single activations reach what rounds reach.

use acrasin_explore::Trace;
use acrasin_runtime::choice::{Enumerated, Scripted};
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{LockOnly, StepOf, World};
use acrasin_verify::locks::{Instance, LockModel, Reductions};

use super::walk::walk;
use super::{AGAIN, EDGE, PATH, flapping, in_memory, instance};

type Move = (StepOf<Local>, Vec<u32>);

/// The possible steps of the nodes, with all draws.
fn moves(world: &World<Local, LockOnly>) -> Vec<Move> {
    let mut steps = Vec::new();
    world.offered(&mut steps);
    let mut moves = Vec::new();
    for step in steps {
        let mut choices = Enumerated::new();
        loop {
            world.clone().apply(&step, &mut choices, &mut ()).unwrap();
            moves.push((step, choices.picks().collect()));
            if !choices.advance() {
                break;
            }
        }
    }
    moves
}

/// The configuration after two moves; `None` if the second is impossible after the first.
fn after(
    model: &LockModel<'_, Local, LockOnly>,
    world: &World<Local, LockOnly>,
    two: [&Move; 2],
) -> Option<Vec<u8>> {
    let mut world = world.clone();
    for (step, picks) in two {
        world.apply(step, &mut Scripted::new(picks), &mut ()).ok()?;
    }
    let mut packed = Vec::new();
    world.pack(model.candidates(), &mut packed);
    Some(packed)
}

/// For pairs of moves of different nodes, then of one node: their number, and how many do not commute.
fn pairs(instance: Instance<Local, LockOnly>, limit: usize) -> ([u64; 2], [u64; 2]) {
    let model = LockModel::new(instance, &[]).unwrap().with_reductions(Reductions::NONE).unwrap();
    let found = walk(&model);
    let (mut different, mut same) = ([0, 0], [0, 0]);
    let step = found.configurations.len().div_ceil(limit);
    for index in (0..found.configurations.len()).step_by(step) {
        let Trace { start, moves: way } = found.trace(index);
        let run = model.unroll(&Trace { start, moves: way }, None);
        let (world, kept) = model.follow(&run).unwrap();
        assert_eq!(kept, found.configurations[index]);
        let moves = moves(&world);
        for (place, first) in moves.iter().enumerate() {
            for second in &moves[place + 1..] {
                let (there, back) =
                    (after(&model, &world, [first, second]), after(&model, &world, [second, first]));
                let fails = u64::from(there.is_none() || there != back);
                let count = if first.0.actor() == second.0.actor() { &mut same } else { &mut different };
                count[0] += 1;
                count[1] += fails;
            }
        }
    }
    (different, same)
}

#[test]
fn actions_of_different_nodes_commute() {
    // All of P2, and a sample of a path of three with an edge that appears and vanishes.
    for (name, instance, limit, expected) in [
        ("P2", instance(EDGE, &[AGAIN; 2]), usize::MAX, 11_610),
        ("P3, 1 off 1 on", flapping(1, 1, in_memory(instance(PATH, &[AGAIN; 3]))), 5_000, 24_520),
    ] {
        let ([pairs, failures], [same_node, of_them]) = pairs(instance, limit);
        println!(
            "{name}: {pairs} pairs of different nodes, {failures} fail; {same_node} of one node, {of_them} fail"
        );
        assert_eq!(failures, 0, "{name}");
        assert_eq!(pairs, expected, "{name}");
        // The comparison can fail: two moves of one node often do not commute.
        assert!(of_them > 100, "{name}");
    }
}
