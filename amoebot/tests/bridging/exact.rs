//! All states of small worlds: reachability, perimeters, detailed balance of the transition probabilities.

use std::collections::{BTreeMap, BTreeSet};

use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::model::lattice::{Cell, Direction};

use super::{Mistake, State, World, moves, worlds};
use crate::steps::each_change;

const BIASES: [(f64, f64); 3] = [(4.0, 2.0), (1.3, 0.5), (0.7, 5.6)];

/// For each state, the probabilities of transitions to other states, times 6 n.
type Transitions = BTreeMap<State, BTreeMap<State, f64>>;

/// The transitions of the shipped chain. Each step is made, and the measures after it are compared with those computed
/// from the walk.
fn transitions(world: &World, lambda: f64, gamma: f64) -> Transitions {
    let from = |from: State| {
        let start = world.chain(&from, lambda, gamma);
        assert_eq!((start.perimeter(), start.gap_perimeter()), world.perimeters(&from), "{from:?}");
        let mut targets = BTreeMap::new();
        each_change(&start, |chain, acceptance| {
            let target: State = chain.cells().into_iter().collect();
            assert_eq!(
                (chain.perimeter(), chain.gap_perimeter()),
                world.perimeters(&target),
                "{}: {from:?} to {target:?}",
                world.name
            );
            *targets.entry(target).or_insert(0.0) += acceptance as f64 / Chain::CERTAIN as f64;
        });
        (from, targets)
    };
    world.space().into_iter().map(from).collect()
}

/// The transitions computed from the definitions, with a planted mistake.
fn transitions_with(world: &World, biases: (f64, f64), mistake: Mistake) -> Transitions {
    let from = |from: State| {
        let mut targets = BTreeMap::new();
        for (_, _, target, probability) in moves(world, &from, biases, mistake) {
            *targets.entry(target).or_insert(0.0) += probability;
        }
        (from, targets)
    };
    world.space().into_iter().map(from).collect()
}

/// The number of pairs of states between which the flows differ by a fraction above 1e-12.
fn unbalanced(graph: &Transitions, weight: impl Fn(&State) -> f64) -> usize {
    let weights: BTreeMap<&State, f64> = graph.keys().map(|state| (state, weight(state))).collect();
    let flow =
        |from: &State, to: &State| graph[from].get(to).map_or(0.0, |probability| probability * weights[from]);
    let pairs = graph.iter().flat_map(|(from, targets)| targets.keys().map(move |to| (from, to)));
    pairs.filter(|(from, to)| (flow(from, to) / flow(to, from) - 1.0).abs() > 1e-12).count()
}

/// The sizes of the classes of states that lead to each other, in decreasing order. Every move can be undone, so
/// the classes are disjoint.
fn classes(graph: &Transitions) -> Vec<usize> {
    let mut left: BTreeSet<&State> = graph.keys().collect();
    let mut classes = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut border = vec![first];
        let mut count = 0;
        while let Some(state) = border.pop() {
            count += 1;
            border.extend(graph[state].keys().filter(|next| left.remove(next)));
        }
        classes.push(count);
    }
    classes.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
    classes
}

#[test]
fn the_chain_is_reversible_for_the_known_law() {
    for world in worlds() {
        for (lambda, gamma) in BIASES {
            let graph = transitions(&world, lambda, gamma);
            let weight = |lambda, gamma| {
                let world = &world;
                move |state: &State| world.weight(state, lambda, gamma)
            };
            // Every step leads to a state of the graph, or the flow back would have no key.
            assert_eq!(unbalanced(&graph, weight(lambda, gamma)), 0, "{} {lambda} {gamma}", world.name);
            assert!(unbalanced(&graph, weight(lambda * (1.0 + 1e-9), gamma)) > 0, "another law is noticed");
            let other = unbalanced(&graph, weight(lambda, gamma * (1.0 + 1e-9)));
            assert_eq!(other > 0, world.name != "one post, no gap", "another law is noticed");
        }
    }
}

#[test]
fn the_probabilities_are_those_of_the_definition() {
    for world in worlds() {
        for biases in [BIASES[0], BIASES[2]] {
            let graph = transitions(&world, biases.0, biases.1);
            let defined = transitions_with(&world, biases, Mistake::None);
            for (state, targets) in &graph {
                assert!(targets.keys().eq(defined[state].keys()), "{}: {state:?}", world.name);
                let close = |(found, defined): (&f64, &f64)| (found / defined - 1.0).abs() < 1e-12;
                assert!(targets.values().zip(defined[state].values()).all(close), "{}", world.name);
            }
        }
    }
}

#[test]
fn all_states_of_these_worlds_are_reached() {
    let counts = [174, 294, 43, 444, 930, 930];
    for (world, count) in worlds().into_iter().zip(counts) {
        let graph = transitions(&world, 4.0, 2.0);
        assert_eq!(classes(&graph), [count], "{}", world.name);
    }
}

/// In a pocket of an object an amoebot has five neighbours, so it stays. No amoebot enters an empty pocket.
#[test]
fn a_pocket_divides_the_states() {
    let objects = (1..6).map(|index| Cell::ORIGIN.neighbour(Direction::from_index(index)).expect("near"));
    let world = World { name: "a pocket", objects: objects.collect(), amoebots: 2, gap: |cell| cell.x() > 0 };
    let graph = transitions(&world, 4.0, 2.0);
    assert_eq!(unbalanced(&graph, |state| world.weight(state, 4.0, 2.0)), 0);
    let filled = graph.keys().filter(|state| state.contains(&Cell::ORIGIN)).count();
    assert!(filled > 0 && filled < graph.len());
    assert_eq!(classes(&graph), [graph.len() - filled, filled]);
    let mut changes = graph.iter().flat_map(|(from, targets)| targets.keys().map(move |to| (from, to)));
    assert!(changes.all(|(from, to)| from.contains(&Cell::ORIGIN) == to.contains(&Cell::ORIGIN)));
}

#[test]
fn wrong_gap_perimeters_are_noticed() {
    for mistake in [Mistake::HalvesAsWholes, Mistake::GapPays, Mistake::CutEdgesOnce, Mistake::OwnGapOnly] {
        for world in worlds().iter().filter(|world| world.name != "one post, no gap") {
            let graph = transitions_with(world, (4.0, 2.0), mistake);
            let count = unbalanced(&graph, |state| world.weight(state, 4.0, 2.0));
            println!("{mistake:?}, {}: {count}", world.name);
            assert!(count > 0, "{mistake:?} passes: {}", world.name);
        }
    }
}

#[test]
fn moves_that_ignore_objects_are_noticed() {
    for world in worlds() {
        let right = transitions(&world, 4.0, 2.0);
        let outside = |mistake| {
            let graph = transitions_with(&world, (4.0, 2.0), mistake);
            graph.values().flat_map(BTreeMap::keys).filter(|target| !right.contains_key(*target)).count()
        };
        let found = outside(Mistake::ObjectsIgnored);
        println!("{}: {found} moves out of the space", world.name);
        assert!(found > 0, "{}", world.name);
        assert_eq!(outside(Mistake::None), 0);
    }
}

/// Without a gap, or with γ = 1, bridging is chain M on amoebots and objects, in which objects do not move.
#[test]
fn without_gap_it_is_chain_m() {
    for world in worlds() {
        let gamma = if world.name == "one post, no gap" { 5.0 } else { 1.0 };
        for state in world.space() {
            let bridge = world.chain(&state, 4.0, gamma);
            let all: Vec<Cell> = state.iter().chain(&world.objects).copied().collect();
            let chain = Chain::new(&all, 4.0).expect("a start");
            assert_eq!(bridge.perimeter(), chain.perimeter());
            for amoebot in 0..world.amoebots {
                for direction in Direction::ALL {
                    let found = bridge.acceptance(amoebot, direction);
                    assert_eq!(found, chain.acceptance(amoebot, direction), "{}: {state:?}", world.name);
                }
            }
        }
    }
}
