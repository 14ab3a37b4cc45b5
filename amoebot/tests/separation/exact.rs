//! The distribution by enumeration, and detailed balance of the transition probabilities.

use std::collections::BTreeMap;

use acrasin_amoebot::Separation;
use acrasin_amoebot::chain::compression::Chain;
use acrasin_amoebot::model::lattice::{Cell, Direction};

use super::{Coloured, all_coloured, edges, law, state};
use crate::steps::each_change;

#[test]
fn the_means_of_the_law_are_as_known() {
    let known =
        [(4.0, 4.0, 4.672429, 2.547105), (4.0, 0.25, 5.231121, 2.967963), (1.0, 4.0, 5.489362, 1.808511)];
    assert_eq!(all_coloured(4).len(), 44 * 6);
    for (lambda, gamma, perimeter, unlike) in known {
        let law = law(4, lambda, gamma);
        let mean = |of: fn(u64, u64) -> u64| -> f64 {
            law.iter().map(|(state, p)| p * of(edges(state).0, edges(state).1) as f64).sum()
        };
        let found = (mean(|all, _| 9 - all), mean(|all, like| all - like));
        println!("lambda = {lambda}, gamma = {gamma}: {found:?}");
        assert!((found.0 - perimeter).abs() < 5.01e-7, "perimeter {lambda} {gamma}: {found:?}");
        assert!((found.1 - unlike).abs() < 5.01e-7, "unlike edges {lambda} {gamma}: {found:?}");
    }
}

/// For each state, the probability of a step to each other state, times 6 n [`Chain::CERTAIN`].
type Transitions = BTreeMap<Coloured, BTreeMap<Coloured, u128>>;

fn transitions(n: usize, lambda: f64, gamma: f64) -> Transitions {
    let from = |from: Coloured| {
        let (cells, colours): (Vec<Cell>, Vec<u8>) = from.iter().copied().unzip();
        let start = Separation::new(&cells, &colours, lambda, gamma).expect("a start");
        let mut targets = BTreeMap::new();
        each_change(&start, |chain, acceptance| {
            let target = state(chain);
            let (all, like) = edges(&target);
            assert_eq!((chain.edges(), chain.unlike_edges()), (all, all - like));
            *targets.entry(target).or_insert(0) += u128::from(acceptance);
        });
        (from, targets)
    };
    all_coloured(n).into_iter().map(from).collect()
}

/// The number of pairs of states whose flows differ by a fraction above 1e-12, if each weighs λ^e γ^a.
fn unbalanced(graph: &Transitions, lambda: f64, gamma: f64) -> usize {
    let flow = |from: &Coloured, to: &Coloured| {
        let probability = graph[from].get(to).map_or(0.0, |p| *p as f64);
        let (all, like) = edges(from);
        probability * lambda.powi(all as i32) * gamma.powi(like as i32)
    };
    let pairs = graph.iter().flat_map(|(from, targets)| targets.keys().map(move |to| (from, to)));
    // A state may lead to a translate of itself, or to itself by a symmetry.
    let pairs = pairs.filter(|(from, to)| from != to);
    pairs.filter(|(from, to)| (flow(from, to) / flow(to, from) - 1.0).abs() > 1e-12).count()
}

fn reached(graph: &Transitions) -> usize {
    let first = graph.keys().next().expect("a state");
    let mut reached = std::collections::BTreeSet::from([first]);
    let mut border = vec![first];
    while let Some(state) = border.pop() {
        border.extend(graph[state].keys().filter(|next| reached.insert(next)));
    }
    reached.len()
}

#[test]
fn the_chain_is_reversible_for_the_known_law() {
    for (lambda, gamma) in [(4.0, 4.0), (4.0, 0.25), (1.0, 4.0), (3.5, 1.3), (0.7, 5.6)] {
        let graph = transitions(4, lambda, gamma);
        // Every step leads to a state of the graph, or `flow` would have no key.
        assert_eq!(unbalanced(&graph, lambda, gamma), 0, "{lambda} {gamma}");
        assert_eq!(reached(&graph), graph.len(), "{lambda} {gamma}: reversible, so irreducible");
        assert!(unbalanced(&graph, lambda, gamma * (1.0 + 1e-9)) > 0, "another law is noticed");
        assert!(unbalanced(&graph, lambda * (1.0 + 1e-9), gamma) > 0, "another law is noticed");
    }
}

#[test]
fn swaps_that_ignore_gamma_are_noticed() {
    let right = transitions(4, 4.0, 4.0);
    // A possible swap is certain: it keeps the cells and changes two colours.
    let ignored = right.iter().map(|(from, targets)| {
        let cells = |state: &Coloured| state.iter().map(|(cell, _)| *cell).collect::<Vec<_>>();
        let wrong = |(to, p): (&Coloured, &u128)| {
            let picks = p.div_ceil(Chain::CERTAIN.into());
            (to.clone(), if cells(from) == cells(to) { picks * u128::from(Chain::CERTAIN) } else { *p })
        };
        (from.clone(), targets.iter().map(wrong).collect())
    });
    assert!(unbalanced(&ignored.collect(), 4.0, 4.0) > 0);
}

#[test]
fn a_swap_counts_both_colours() {
    // In a row 0 1 0 1, the middle two: each gains its own colour.
    let cells: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0).expect("near the origin")).collect();
    let acceptance = |colours: &[u8], amoebot, gamma| {
        Separation::new(&cells, colours, 1.0, gamma).expect("a start").acceptance(amoebot, Direction::East)
    };
    assert_eq!(acceptance(&[0, 1, 0, 1], 1, 0.25), Chain::CERTAIN >> 4);
    assert_eq!(acceptance(&[0, 1, 0, 1], 1, 4.0), Chain::CERTAIN);
    assert_eq!(acceptance(&[0, 0, 1, 1], 1, 4.0), Chain::CERTAIN >> 4);
    assert_eq!(acceptance(&[0, 0, 1, 1], 0, 4.0), 0, "nothing between amoebots of one colour");
}
