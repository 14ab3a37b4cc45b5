//! Rates on graphs that change with counts or time, and events, against master equations and closed formulas.

use std::collections::BTreeMap;

use acrasin_protocols::reactions::{
    CountChange, Gillespie, GraphEdges, GraphEvent, GraphRules, GraphVessel, ReactionNetwork, RunEnd,
    ScheduledChange, StopReason, VesselError, VesselFault, WrittenRate, WrittenReaction,
};
use acrasin_protocols::uniform::InitiatorEnd;

use super::graph_reactions::{at, equal_ways, with};
use super::master_equation::{fit, law};

/// The smallest accepted p-value: a family-wise error of 1e-6 over the tests of this file.
const LEAST: f64 = 1e-8;

type Ways = super::master_equation::Ways<u16>;

fn written<'a>(rules: &[(&'a str, &'a str)]) -> Vec<WrittenReaction<'a>> {
    let of = |&(text, rate)| WrittenReaction { text, rate: WrittenRate::MassAction(rate), reverse: None };
    rules.iter().map(of).collect()
}

fn rules(species: &[&str], rules: &[(&str, &str)]) -> GraphRules {
    GraphRules::with_rates(species, &[] as &[(&str, f64)], &written(rules)).unwrap()
}

fn edges(ends: &[[u32; 2]]) -> GraphEdges<'_> {
    GraphEdges { ends, weights: None, direction: InitiatorEnd::Either }
}

fn counted(states: &[u16], state: u16) -> f64 {
    states.iter().filter(|&&other| other == state).count() as f64
}

/// The transitions of an epidemic. Infection along an edge from an infected to a susceptible end has rate (0.5 + I)
/// times the weight of the edge. Recovery has rate 1 + R.
fn ways_by_counts(arcs: &[(usize, usize, f64)]) -> impl Fn(&[u16]) -> Ways + '_ {
    move |states| {
        let mut ways = Ways::new();
        for (node, &state) in states.iter().enumerate() {
            if state == 1 {
                ways.push((with(states, &[(node, 2)]), 1.0 + counted(states, 2)));
            }
        }
        for &(susceptible, infected, weight) in arcs {
            if [states[susceptible], states[infected]] == [0, 1] {
                let rate = (0.5 + counted(states, 1)) * weight;
                ways.push((with(states, &[(susceptible, 1)]), rate));
            }
        }
        ways
    }
}

#[test]
fn rates_of_counts_have_the_law_of_the_master_equation() {
    let sir = rules(&["S", "I", "R"], &[("S + I -> I + I", "0.5 + I"), ("I -> R", "1 + R")]);
    let (ends, weights, start) = ([[0, 1], [2, 1], [2, 3]], [0.25, 1.5, 0.75], [0, 1, 0, 0]);
    let one_way = vec![(0, 1, 0.25), (2, 1, 1.5), (2, 3, 0.75)];
    let both: Vec<_> = one_way.iter().flat_map(|&(u, v, weight)| [(u, v, weight), (v, u, weight)]).collect();
    for (direction, arcs) in [(InitiatorEnd::FirstInitiates, one_way), (InitiatorEnd::Either, both)] {
        let graph = GraphEdges { ends: &ends, weights: Some(&weights), direction };
        let exact = law(&start, 0.5, ways_by_counts(&arcs));
        let right = fit(&exact, 20_000, |seed| at(&sir, graph, &start, 0.5, seed));
        assert!(right > LEAST, "{direction:?}: {right}");
        // Rules with the rates of the start throughout.
        let steady = rules(&["S", "I", "R"], &[("S + I -> I + I", "1.5"), ("I -> R", "1")]);
        assert!(fit(&exact, 20_000, |seed| at(&steady, graph, &start, 0.5, seed)) < LEAST, "{direction:?}");
    }
}

/// Expressions with constant values have the law of those constants, both by counts and by thinning.
#[test]
fn equal_neighbours_react_once_at_rates_that_are_expressions() {
    let ends = [[0, 1], [1, 2]];
    for (direction, back) in [(InitiatorEnd::Either, 0.5), (InitiatorEnd::FirstInitiates, 0.0)] {
        let exact = law(&[0, 0, 0], 0.8, equal_ways(back));
        for (first, second, third) in [
            ("1.5 + 0 * A", "0.5 + 0 * A", "0.7 + 0 * B"),
            ("1.5 + 0 * t", "0.5", "0.7"),
            ("1.5", "0.5 + 0 * t", "0.7 + 0 * A"),
        ] {
            let texts = [("A + A -> B + C", first), ("2 A -> A + C", second), ("C -> A", third)];
            let all = rules(&["A", "B", "C"], &texts);
            let graph = GraphEdges { direction, ..edges(&ends) };
            let right = fit(&exact, 10_000, |seed| at(&all, graph, &[0; 3], 0.8, seed));
            assert!(right > LEAST, "{direction:?}, {first}: {right}");
        }
    }
}

/// If all rates share a factor g(t), the law at time t is that of constant rates at the integral of g. On the complete
/// graph the counts have the law of a vessel of volume 1.
#[test]
fn rates_of_time_and_counts_on_the_complete_graph_are_those_of_the_vessel() {
    let texts = [("S + I -> I + I", "(1 + sin(t)) * (0.3 + 0.2 * R)"), ("I -> R", "(1 + sin(t)) * 0.8")];
    let (species, nodes, time) = (["S", "I", "R"], 6_u32, 0.9_f64);
    let passed = time + 1.0 - time.cos();
    let exact = law(&[5_u64, 1, 0], passed, |counts| {
        let [s, i, r] = [counts[0], counts[1], counts[2]];
        let mut ways = Vec::new();
        if s > 0 && i > 0 {
            ways.push((vec![s - 1, i + 1, r], (s * i) as f64 * (0.3 + 0.2 * r as f64)));
        }
        if i > 0 {
            ways.push((vec![s, i - 1, r + 1], 0.8 * i as f64));
        }
        ways
    });
    let ends: Vec<[u32; 2]> = (0..nodes).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let on_graph = rules(&species, &texts);
    let graph = |time| {
        fit(&exact, 20_000, |seed| {
            let mut vessel = GraphVessel::new(&on_graph, edges(&ends), &[0, 0, 1, 0, 0, 0], seed).unwrap();
            vessel.run(&RunEnd::time(time));
            vessel.counts().to_vec()
        })
    };
    let network = ReactionNetwork::with_rates(&species, &[] as &[(&str, f64)], &written(&texts)).unwrap();
    let vessel = fit(&exact, 20_000, |seed| {
        let mut vessel = Gillespie::new(&network, &[5, 1, 0], 1.0, seed).unwrap();
        vessel.run(&RunEnd::time(time));
        vessel.counts().to_vec()
    });
    let found = graph(time);
    assert!(found > LEAST && vessel > LEAST, "graph {found}, vessel {vessel}");
    // The law without the factor, which does not fit.
    assert!(graph(passed) < LEAST);
}

/// A node has not decayed with probability exp(-∫ g), an end of an edge of weight w with probability exp(-w ∫ g).
#[test]
fn rates_of_time_have_their_closed_formulas() {
    let pairs = 1000_u32;
    let ends: Vec<[u32; 2]> = (0..pairs).map(|pair| [2 * pair, 2 * pair + 1]).collect();
    let weights = vec![0.5; ends.len()];
    let start: Vec<u16> = (0..2 * pairs).map(|node| (node % 2) as u16).collect();
    let graph = GraphEdges { ends: &ends, weights: Some(&weights), direction: InitiatorEnd::Either };
    let runs = 40;
    let share = |texts: &[(&str, &str)], state: u16, time: f64| {
        let all = rules(&["S", "I", "R"], texts);
        let left = (0..runs).map(|seed| counted(&at(&all, graph, &start, time, seed), state));
        left.sum::<f64>() / f64::from(pairs) / runs as f64
    };
    let error = |exact: f64| 5.5 * (exact * (1.0 - exact) / f64::from(pairs) / runs as f64).sqrt();
    let time = 1.3_f64;
    for (texts, state, exact) in [
        ([("I -> R", "1 + sin(t)")], 1, (-(time + 1.0 - time.cos())).exp()),
        ([("S + I -> R + I", "2 * t")], 0, (-0.5 * time * time).exp()),
        // Nothing happens before time 1.
        ([("I -> R", "if(t < 1, 0, 2)")], 1, (-2.0 * (time - 1.0)).exp()),
    ] {
        let found = share(&texts, state, time);
        assert!((found - exact).abs() < error(exact), "{texts:?}: {found} where {exact} was expected");
        // The test would notice a rate that is 5 % too low.
        assert!((found.powf(0.95) - exact).abs() > error(exact), "{texts:?}");
    }
}

fn event(at: f64, changes: &[(u16, CountChange)]) -> GraphEvent {
    let event = ScheduledChange { at, every: None, changes: changes.to_vec() };
    GraphEvent { event, rest: None, nodes: Vec::new() }
}

fn after(events: Vec<GraphEvent>, start: &[u16], time: f64, seed: u64) -> GraphVessel {
    let none = rules(&["S", "I", "V"], &[]);
    let vessel = GraphVessel::new(&none, edges(&[]), start, seed).unwrap();
    let mut vessel = vessel.with_events(events).unwrap();
    vessel.run(&RunEnd::time(time));
    vessel
}

/// Each choice of one node for I and one for V among those in S is equally likely.
#[test]
fn events_change_uniformly_random_nodes() {
    use CountChange::{Add, Set};
    let start = [0, 0, 2, 0, 0];
    let susceptible = [0, 1, 3, 4];
    let mut exact = BTreeMap::new();
    for i in susceptible {
        for v in susceptible.into_iter().filter(|&v| v != i) {
            exact.insert(with(&start, &[(i, 1), (v, 2)]), 1.0 / 12.0);
        }
    }
    for changes in [&[(0, Add(-2)), (1, Add(1)), (2, Add(1))][..], &[(0, Set(2)), (1, Set(1)), (2, Set(2))]] {
        let end = |seed| after(vec![event(1.0, changes)], &start, 1.0, seed).states().to_vec();
        assert!(fit(&exact, 6000, end) > LEAST, "{changes:?}");
        let biased =
            |seed: u64| after(vec![event(1.0, changes)], &start, 1.0, seed * seed % 7).states().to_vec();
        assert!(fit(&exact, 6000, biased) < LEAST, "{changes:?}");
    }
}

#[test]
fn events_name_nodes_repeat_and_keep_the_number_of_nodes() {
    use CountChange::{Add, Set};
    let start = [0; 6];
    let named = GraphEvent { nodes: vec![(4, 1), (0, 2)], ..event(2.0, &[]) };
    assert_eq!(after(vec![named.clone()], &start, 1.9, 1).states(), start);
    assert_eq!(after(vec![named.clone()], &start, 2.0, 1).states(), [2, 0, 0, 0, 1, 0]);
    let at_start = GraphEvent { event: ScheduledChange { at: 0.0, ..named.event.clone() }, ..named };
    assert_eq!(after(vec![at_start], &start, 0.0, 1).states(), [2, 0, 0, 0, 1, 0]);
    // Every second one more node changes from S to I. Then all nodes in I change to V.
    let again = GraphEvent {
        event: ScheduledChange { every: Some(1.0), ..event(1.0, &[(1, Add(1))]).event },
        ..event(0.0, &[])
    };
    let again = GraphEvent { rest: Some(0), ..again };
    let back = GraphEvent { rest: Some(2), ..event(3.5, &[(1, Set(0))]) };
    assert_eq!(after(vec![again.clone(), back.clone()], &start, 3.4, 1).counts(), [3, 3, 0]);
    assert_eq!(after(vec![again.clone(), back], &start, 3.5, 1).counts(), [3, 0, 3]);
    // The seventh event finds no node in S.
    let over = after(vec![again], &start, 10.0, 1);
    assert_eq!((over.time(), over.fault()), (7.0, Some(VesselFault::Event { event: 0, species: 0 })));
    let more = after(vec![event(1.0, &[(1, Set(2))])], &start, 10.0, 1);
    assert_eq!(more.fault(), Some(VesselFault::Unbalanced { event: 0, by: 2 }));
    let none = rules(&["S", "I", "V"], &[]);
    for wrong in [
        GraphEvent { nodes: vec![(6, 1)], ..event(1.0, &[]) },
        GraphEvent { nodes: vec![(0, 3)], ..event(1.0, &[]) },
        GraphEvent { rest: Some(3), ..event(1.0, &[]) },
        event(-1.0, &[]),
        event(0.0, &[(1, Set(2))]),
    ] {
        let vessel = GraphVessel::new(&none, edges(&[]), &start, 1).unwrap();
        assert_eq!(vessel.with_events(vec![wrong]).unwrap_err(), VesselError::WrongEvent { event: 0 });
    }
}

#[test]
fn wrong_rates_end_a_run_and_silence_is_seen() {
    let run = |rate, states: &[u16], time| {
        let all = rules(&["S", "I", "R"], &[("I -> R", rate)]);
        let mut vessel = GraphVessel::new(&all, edges(&[]), states, 1).unwrap();
        let halt = vessel.run(&RunEnd::time(time));
        (halt, vessel.fault())
    };
    let fault = |value| (StopReason::Fault, Some(VesselFault::Rate { reaction: 0, value }));
    assert_eq!(run("S - 2", &[0, 1, 1], 1.0), fault(-2.0));
    assert_eq!(run("t - 2", &[0, 1, 1], 1.0), fault(-4.0));
    // Without a node that could react, a wrong rate is not noticed.
    assert_eq!(run("S - 2", &[0, 2], f64::INFINITY), (StopReason::Silent, None));
    assert_eq!(run("max(0, 1 - t)", &[0, 2], f64::INFINITY), (StopReason::Silent, None));
}

#[test]
fn stops_on_the_way_change_nothing_where_rates_depend_on_time() {
    let all = rules(
        &["S", "I", "V"],
        &[("S + I -> I + I", "1 + sin(t)"), ("I -> S", "0.5 + I / 60"), ("V -> S", "1")],
    );
    let ends: Vec<[u32; 2]> = (0..30).map(|node| [node, (node + 1) % 30]).collect();
    let events = || vec![event(2.5, &[(0, CountChange::Add(-1)), (2, CountChange::Add(1))])];
    let new = || {
        let vessel = GraphVessel::new(&all, edges(&ends), &[1; 30], 3).unwrap();
        let mut vessel = vessel.with_events(events()).unwrap();
        vessel.run(&RunEnd::time(2.0));
        vessel
    };
    let mut whole = new();
    whole.run(&RunEnd::time(6.0));
    let mut often = new();
    for step in 1..=60 {
        let until = RunEnd { time: f64::from(step) / 10.0, reactions: u64::MAX, condition: None };
        often.run(&RunEnd { reactions: often.reactions() + 1, ..until });
        while often.run_for(&until, 2).is_none() {}
    }
    assert_eq!(
        (whole.time(), whole.reactions(), whole.states()),
        (often.time(), often.reactions(), often.states())
    );
    assert!(whole.reactions() > 50, "{}", whole.reactions());
}
