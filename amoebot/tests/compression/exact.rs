//! The full transition graph on the connected sets of n cells without holes, up to translation.

use std::collections::{BTreeMap, BTreeSet};

use acrasin_amoebot::Shape;
use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::chain::{MOVES, MoveTable};

use super::{
    SHAPES_WITH_EDGES, hole_free_shapes, with_wrong_loss, without_hold, without_properties,
    without_property_2,
};
use crate::steps::each_change;

/// For each shape, the probability of a step to each other shape, times 6 n [`Chain::CERTAIN`].
type Transitions = BTreeMap<Shape, BTreeMap<Shape, u128>>;

fn transitions(n: usize, lambda: f64, moves: &MoveTable) -> Transitions {
    let from = |shape: Shape| {
        let start = Chain::with_moves(shape.cells(), lambda, moves).expect("a start");
        assert_eq!(start.edges(), shape.edges() as u64);
        assert_eq!(start.perimeter(), (3 * n - 3 - shape.edges()) as u64);
        let mut targets = BTreeMap::new();
        each_change(&start, |chain, acceptance| {
            let target = Shape::from_cells(chain.cells()).expect("some cells");
            assert_eq!(chain.edges(), target.edges() as u64);
            *targets.entry(target).or_insert(0) += u128::from(acceptance);
        });
        (shape, targets)
    };
    hole_free_shapes(n).into_iter().map(from).collect()
}

/// Whether no move leaves the shapes of the graph.
fn is_closed(graph: &Transitions) -> bool {
    graph.values().flat_map(BTreeMap::keys).all(|shape| graph.contains_key(shape))
}

/// Whether every shape leads to every other shape. Moves must stay in the graph.
fn is_irreducible(graph: &Transitions) -> bool {
    let mut reverse: BTreeMap<&Shape, Vec<&Shape>> = BTreeMap::new();
    for (shape, targets) in graph {
        for target in targets.keys() {
            reverse.entry(target).or_default().push(shape);
        }
    }
    let forward: BTreeMap<&Shape, Vec<&Shape>> =
        graph.iter().map(|(shape, targets)| (shape, targets.keys().collect())).collect();
    let reached = |edges: &BTreeMap<&Shape, Vec<&Shape>>| {
        let first = graph.keys().next().expect("some shape");
        let mut reached = BTreeSet::from([first]);
        let mut border = vec![first];
        while let Some(shape) = border.pop() {
            for &next in edges.get(shape).into_iter().flatten() {
                if reached.insert(next) {
                    border.push(next);
                }
            }
        }
        reached.len()
    };
    reached(&forward) == graph.len() && reached(&reverse) == graph.len()
}

/// The number of pairs of shapes with unequal flows for λ = 4. A shape has weight 4^edges, so all flows are integers.
fn unbalanced_for_4(graph: &Transitions) -> usize {
    let flow = |from: &Shape, to: &Shape| {
        graph.get(from).and_then(|targets| targets.get(to)).map_or(0, |p| p << (2 * from.edges()))
    };
    let pairs = graph.iter().flat_map(|(from, targets)| targets.keys().map(move |to| (from, to)));
    pairs.filter(|(from, to)| flow(from, to) != flow(to, from)).count()
}

/// Counts unbalanced transitions for any λ, with a relative tolerance of 1e-12.
fn unbalanced(graph: &Transitions, lambda: f64) -> usize {
    let flow = |from: &Shape, to: &Shape| {
        let probability = graph.get(from).and_then(|targets| targets.get(to)).map_or(0.0, |p| *p as f64);
        (0..from.edges()).fold(probability, |flow, _| flow * lambda)
    };
    let pairs = graph.iter().flat_map(|(from, targets)| targets.keys().map(move |to| (from, to)));
    pairs.filter(|(from, to)| (flow(from, to) / flow(to, from) - 1.0).abs() > 1e-12).count()
}

#[test]
fn as_many_shapes_with_each_number_of_edges_as_known() {
    for (n, known) in SHAPES_WITH_EDGES {
        let mut found: BTreeMap<u64, u64> = BTreeMap::new();
        for shape in hole_free_shapes(n) {
            *found.entry(shape.edges() as u64).or_default() += 1;
        }
        assert_eq!(found.into_iter().collect::<Vec<_>>(), known, "n = {n}");
    }
}

#[test]
fn the_chain_is_reversible_for_the_known_law() {
    for n in 3..=6 {
        let graph = transitions(n, 4.0, &MOVES);
        assert!(is_closed(&graph) && is_irreducible(&graph), "n = {n}");
        assert_eq!(unbalanced_for_4(&graph), 0, "n = {n}");
    }
    for lambda in [0.7, 1.0, 3.5] {
        let graph = transitions(4, lambda, &MOVES);
        assert!(is_closed(&graph) && is_irreducible(&graph));
        assert_eq!(unbalanced(&graph, lambda), 0, "lambda = {lambda}");
        assert!(unbalanced(&graph, lambda * (1.0 + 1e-9)) > 0, "another law is noticed");
    }
}

#[test]
fn wrong_chains_are_noticed() {
    assert!(!is_closed(&transitions(3, 4.0, &without_properties())));
    // Six amoebots can enclose a cell, five cannot.
    assert!(is_closed(&transitions(5, 4.0, &without_hold())));
    assert!(!is_closed(&transitions(6, 4.0, &without_hold())));
    assert!(unbalanced_for_4(&transitions(4, 4.0, &with_wrong_loss())) > 0);
    assert!(unbalanced_for_4(&transitions(4, 4.4, &MOVES)) > 0);
    // Only moves that gain edges: no amoebot leaves the densest shapes.
    let greedy = MOVES.map(|gain| gain.filter(|gain| *gain > 0));
    assert!(!is_irreducible(&transitions(4, 4.0, &greedy)));
}

/// Without Property 2 the distribution of few amoebots is the same. So neither this graph nor their long runs
/// detect that it is missing; the test of the table does.
#[test]
fn few_amoebots_do_not_need_property_2() {
    for n in 3..=5 {
        let graph = transitions(n, 4.0, &without_property_2());
        assert!(is_closed(&graph) && is_irreducible(&graph), "n = {n}");
        assert_eq!(unbalanced_for_4(&graph), 0, "n = {n}");
    }
}
