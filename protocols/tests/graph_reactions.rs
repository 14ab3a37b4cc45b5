//! Reactions on graphs against the master equation of all configurations.

use acrasin_protocols::reactions::{
    GraphEdges, GraphRules, GraphVessel, NodeReaction, RunEnd, StopReason, VesselError, WrittenRate,
    WrittenReaction,
};
use acrasin_protocols::uniform::{Condition, InitiatorEnd};

use super::master_equation::{fit, law};

/// The smallest accepted p-value: a family-wise error of 1e-6 over the tests of this file.
const LEAST: f64 = 1e-8;

type Ways = super::master_equation::Ways<u16>;

pub(crate) fn at(rules: &GraphRules, edges: GraphEdges<'_>, start: &[u16], time: f64, seed: u64) -> Vec<u16> {
    let mut vessel = GraphVessel::new(rules, edges, start, seed).unwrap();
    assert!(matches!(vessel.run(&RunEnd::time(time)), StopReason::Time | StopReason::Silent));
    vessel.states().to_vec()
}

pub(crate) fn with(states: &[u16], changes: &[(usize, u16)]) -> Vec<u16> {
    let mut next = states.to_vec();
    changes.iter().for_each(|&(node, state)| next[node] = state);
    next
}

/// The transitions of an epidemic with S = 0, I = 1, R = 2. Infection along an edge has rate 2 times the factor of the
/// edge, recovery has rate 1.
fn sir_ways(edges: &[(usize, usize, f64)]) -> impl Fn(&[u16]) -> Ways + '_ {
    move |states| {
        let mut ways = Ways::new();
        for (node, &state) in states.iter().enumerate() {
            if state == 1 {
                ways.push((with(states, &[(node, 2)]), 1.0));
            }
        }
        for &(susceptible, infected, factor) in edges {
            if [states[susceptible], states[infected]] == [0, 1] {
                ways.push((with(states, &[(susceptible, 1)]), 2.0 * factor));
            }
        }
        ways
    }
}

/// Reactions on a path of three nodes, where A is 0, B is 1 and C is 2. A + A becomes B + C at rate 1.5 and A + C at
/// rate 0.5. The second end of the edge is the first reactant with probability `back`. C becomes A at rate 0.7.
pub(crate) fn equal_ways(back: f64) -> impl Fn(&[u16]) -> Ways {
    move |states| {
        let mut ways = Ways::new();
        for (node, &state) in states.iter().enumerate() {
            if state == 2 {
                ways.push((with(states, &[(node, 0)]), 0.7));
            }
        }
        for [u, v] in [[0, 1], [1, 2]] {
            if [states[u], states[v]] == [0, 0] {
                for (first, second, share) in [(u, v, 1.0 - back), (v, u, back)] {
                    ways.push((with(states, &[(first, 1), (second, 2)]), 1.5 * share));
                    ways.push((with(states, &[(second, 2)]), 0.5 * share));
                }
            }
        }
        ways.retain(|&(_, rate)| rate > 0.0);
        ways
    }
}

fn sir() -> GraphRules {
    GraphRules::new(&["S", "I", "R"], &[("S + I -> I + I", 2.0), ("I -> R", 1.0)]).unwrap()
}

#[test]
fn sir_on_paths_has_the_law_of_the_master_equation() {
    let both = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 1, 1.0)];
    for nodes in [2, 3] {
        let start = &[1, 0, 0][..nodes];
        let ends = &[[0, 1], [1, 2]][..nodes - 1];
        let edges = GraphEdges { ends, weights: None, direction: InitiatorEnd::Either };
        let exact = law(start, 0.6, sir_ways(&both[..2 * (nodes - 1)]));
        let end = |seed| at(&sir(), edges, start, 0.6, seed);
        let right = fit(&exact, 20_000, end);
        assert!(right > LEAST, "{nodes} nodes: {right}");
        // A law in which each edge counts once for each of its ends does not fit.
        let twice: Vec<_> = both[..2 * (nodes - 1)].iter().map(|&(u, v, _)| (u, v, 2.0)).collect();
        assert!(fit(&law(start, 0.6, sir_ways(&twice)), 20_000, end) < LEAST);
    }
}

#[test]
fn weights_directions_and_parallel_edges_have_the_law_of_the_master_equation() {
    // The first end is susceptible and the second infects, so 0 never infects 1.
    let ends = [[0, 1], [2, 1], [2, 1], [1, 0]];
    let weights = [0.25, 1.5, 0.5, 0.75];
    let start = [0, 1, 0];
    for (direction, edges) in [
        (InitiatorEnd::FirstInitiates, vec![(0, 1, 0.25), (2, 1, 2.0), (1, 0, 0.75)]),
        (InitiatorEnd::Either, vec![(0, 1, 1.0), (1, 0, 1.0), (2, 1, 2.0), (1, 2, 2.0)]),
    ] {
        let graph = GraphEdges { ends: &ends, weights: Some(&weights), direction };
        let end = |seed| at(&sir(), graph, &start, 0.4, seed);
        let right = fit(&law(&start, 0.4, sir_ways(&edges)), 20_000, end);
        assert!(right > LEAST, "{direction:?}: {right}");
        let others: Vec<_> = edges.iter().map(|&(u, v, _)| (u, v, 1.0)).collect();
        assert!(fit(&law(&start, 0.4, sir_ways(&others)), 20_000, end) < LEAST, "{direction:?}");
    }
}

/// A pair of equal reactants reacts at one rate, and either end can take the first product.
#[test]
fn equal_neighbours_react_once_and_either_is_the_first() {
    let rules =
        GraphRules::new(&["A", "B", "C"], &[("A + A -> B + C", 1.5), ("2 A -> A + C", 0.5), ("C -> A", 0.7)])
            .unwrap();
    let ends = [[0, 1], [1, 2]];
    for (direction, back) in [(InitiatorEnd::Either, 0.5), (InitiatorEnd::FirstInitiates, 0.0)] {
        let edges = GraphEdges { ends: &ends, weights: None, direction };
        let right = fit(&law(&[0, 0, 0], 0.8, equal_ways(back)), 20_000, |seed| {
            at(&rules, edges, &[0; 3], 0.8, seed)
        });
        assert!(right > LEAST, "{direction:?}: {right}");
    }
}

/// Each node of a star has not decayed at time t with probability e^-t: the hub with 99 neighbours like each leaf.
#[test]
fn nodes_decay_at_the_same_rate_whatever_their_degree() {
    let rules = GraphRules::new(&["S", "I", "R"], &[("S + I -> I + I", 2.0), ("I -> R", 1.0)]).unwrap();
    let ends: Vec<[u32; 2]> = (1..100).map(|leaf| [0, leaf]).collect();
    let edges = GraphEdges { ends: &ends, weights: None, direction: InitiatorEnd::Either };
    let runs = 20_000_u32;
    let mut infected = [0_u32; 2];
    for seed in 0..runs {
        let states = at(&rules, edges, &[1; 100], 0.5, seed.into());
        infected[0] += u32::from(states[0] == 1);
        infected[1] += u32::from(states[1] == 1);
    }
    let exact = (-0.5_f64).exp();
    for share in infected.map(|count| f64::from(count) / f64::from(runs)) {
        let error = 5.5 * (exact * (1.0 - exact) / f64::from(runs)).sqrt();
        assert!((share - exact).abs() < error, "{share} where {exact} was expected");
    }
}

#[test]
fn stops_on_the_way_change_nothing() {
    struct Never;
    impl Condition for Never {
        fn holds(&self, _: &[u64]) -> bool {
            false
        }
    }
    let rules = GraphRules::new(&["S", "I"], &[("S + I -> I + I", 1.5), ("I -> S", 1.0)]).unwrap();
    let ends: Vec<[u32; 2]> = (0..30).map(|node| [node, (node + 1) % 30]).collect();
    let edges = GraphEdges { ends: &ends, weights: None, direction: InitiatorEnd::Either };
    let mut whole = GraphVessel::new(&rules, edges, &[1; 30], 3).unwrap();
    whole.run(&RunEnd::time(5.0));
    let mut often = GraphVessel::new(&rules, edges, &[1; 30], 3).unwrap();
    for step in 1..=50 {
        let until = RunEnd { time: f64::from(step) / 10.0, reactions: u64::MAX, condition: Some(&Never) };
        often.run(&RunEnd { reactions: often.reactions() + 1, ..until });
        often.run(&until);
    }
    assert_eq!(
        (whole.time(), whole.reactions(), whole.states()),
        (often.time(), often.reactions(), often.states())
    );
    assert!(whole.reactions() > 50, "{}", whole.reactions());
    let counted = |state| whole.states().iter().filter(|&&other| other == state).count() as u64;
    assert_eq!(whole.counts(), [counted(0), counted(1)]);
}

#[test]
fn graphs_and_rules_that_do_not_fit_are_refused() {
    let refused = |ends: &[[u32; 2]], weights: Option<&[f64]>, states: &[u16]| {
        let edges = GraphEdges { ends, weights, direction: InitiatorEnd::Either };
        GraphVessel::new(&sir(), edges, states, 1).unwrap_err()
    };
    assert_eq!(refused(&[[0, 1]], None, &[0, 3]), VesselError::WrongState { node: 1, state: 3 });
    for ends in [[0, 0], [0, 2]] {
        assert_eq!(refused(&[ends], None, &[0, 1]), VesselError::WrongEdge { edge: 0, ends });
    }
    assert_eq!(refused(&[[0, 1]], Some(&[]), &[0, 1]), VesselError::WrongWeights { given: 0, edges: 1 });
    for weight in [-1.0, f64::INFINITY] {
        let error = refused(&[[0, 1]], Some(&[weight]), &[0, 1]);
        assert_eq!(error, VesselError::WrongWeight { edge: 0, weight });
    }
    assert_eq!(refused(&[[0, 1]], Some(&[f64::MAX]), &[0, 1]), VesselError::TooFast);
    assert_eq!(refused(&[[0, 1], [0, 1]], Some(&[1e308, 1e308]), &[0, 1]), VesselError::TooFast);
    // A rate this small would be lost to rounding, and the vessel silent.
    let lost = refused(&[[0, 1], [1, 2], [0, 2]], Some(&[1.0, 0.0, 5e-324]), &[0, 1, 0]);
    assert_eq!(lost, VesselError::EdgeRate { edge: 2, weight: 5e-324, rate: 2.0 });
    let slow = GraphRules::new(&["S", "I"], &[("S -> I", 1e-300)]).unwrap();
    let none = GraphEdges { ends: &[], weights: None, direction: InitiatorEnd::Either };
    assert_eq!(GraphVessel::new(&slow, none, &[0], 1).unwrap_err(), VesselError::NodeRate { rate: 1e-300 });
    for (text, message) in [
        ("-> S", "no nodes become 1 node"),
        ("S -> 2 S", "1 node become 2 nodes"),
        ("S + I -> I", "2 nodes become 1 node"),
        ("1000 S -> S", "3 nodes or more become 1 node"),
        ("S -> X", "unknown species `X`"),
    ] {
        let error = GraphRules::new(&["S", "I"], &[(text, 1.0)]).unwrap_err();
        assert_eq!((error.message(), error.reaction()), (message, Some(0)), "{text}");
    }
    let written = |text, rate, reverse| {
        let one = [WrittenReaction { text, rate, reverse }];
        GraphRules::with_rates(&["S", "I"], &[("k", 2.0)], &one)
    };
    let both = written("S + I <-> I + I", WrittenRate::MassAction("k / 4"), Some(WrittenRate::Constant(3.0)));
    let [forth, back] = both.unwrap().reactions()[..] else { panic!("two reactions") };
    assert_eq!(forth, NodeReaction::Pair { from: [0, 1], to: [1, 1], rate: 0.5 });
    assert_eq!(back, NodeReaction::Pair { from: [1, 1], to: [0, 1], rate: 3.0 });
    for rate in [WrittenRate::MassAction("-k"), WrittenRate::Propensity("k * S")] {
        let error = written("S -> I", rate, None).unwrap_err();
        assert_eq!((error.rate(), error.column()), (Some(0), Some(1)), "{error}");
    }
    let silent = GraphEdges { ends: &[[0, 1]], weights: Some(&[0.0]), direction: InitiatorEnd::Either };
    let mut vessel = GraphVessel::new(&sir(), silent, &[0, 1], 1).unwrap();
    assert_eq!(vessel.run(&RunEnd::time(f64::INFINITY)), StopReason::Silent);
    assert_eq!((vessel.run(&RunEnd::time(1e9)), vessel.time()), (StopReason::Time, 1e9));
    assert_eq!(vessel.counts(), [1, 0, 1]);
}
