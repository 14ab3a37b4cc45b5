//! Network constructors: final graphs, exact means of small networks, known means of larger ones.

use std::collections::BTreeMap;

use acrasin_protocols::network::{
    Constructor, CycleCover, GlobalLine, GlobalStar, MAX_AGENTS, Network, OnLine,
};

/// A configuration: the states, and the active pairs.
type Configuration<S> = (Vec<S>, Vec<[usize; 2]>);

/// The mean time until `done`. Follows the distribution over all configurations until almost no probability is left.
fn exact_mean<P: Constructor>(
    constructor: &P,
    agents: usize,
    done: impl Fn(&Configuration<P::State>) -> bool,
) -> f64
where
    P::State: Ord,
{
    let mut law: BTreeMap<Configuration<P::State>, f64> = BTreeMap::new();
    law.insert((vec![constructor.start(); agents], Vec::new()), 1.0);
    let pairs = (agents * (agents - 1)) as f64;
    let (mut mean, mut left) = (0.0, 1.0);
    while left > 1e-13 {
        mean += left;
        let mut next: BTreeMap<_, f64> = BTreeMap::new();
        for ((states, edges), chance) in law {
            for u in 0..agents {
                for v in (0..agents).filter(|&v| v != u) {
                    let edge = [u.min(v), u.max(v)];
                    let was_active = edges.contains(&edge);
                    let (a, b, active) = constructor.transition(states[u], states[v], was_active);
                    let (mut states, mut edges) = (states.clone(), edges.clone());
                    (states[u], states[v]) = (a, b);
                    match (was_active, active) {
                        (true, false) => edges.retain(|&known| known != edge),
                        (false, true) => edges.push(edge),
                        _ => {}
                    }
                    edges.sort_unstable();
                    let after = (states, edges);
                    if !done(&after) {
                        *next.entry(after).or_insert(0.0) += chance / pairs;
                    }
                }
            }
        }
        left = next.values().sum();
        law = next;
    }
    mean
}

fn degrees(edges: &[[usize; 2]], agents: usize) -> Vec<usize> {
    (0..agents).map(|agent| edges.iter().flatten().filter(|&&end| end == agent).count()).collect()
}

/// The mean number of interactions until `done` over this many runs, and the standard deviation of the mean.
fn measured<P: Constructor>(
    constructor: &P,
    agents: usize,
    runs: u64,
    done: impl Fn(&Network<'_, P>) -> bool,
) -> (f64, f64) {
    let times: Vec<f64> = (0..runs)
        .map(|seed| {
            let mut network = Network::new(constructor, agents, seed).unwrap();
            assert!(network.run_until(&done, 1 << 32));
            network.interactions() as f64
        })
        .collect();
    let mean = times.iter().sum::<f64>() / runs as f64;
    let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (runs - 1) as f64;
    (mean, (variance / runs as f64).sqrt())
}

#[test]
fn small_networks_take_as_long_as_their_chains_say() {
    for agents in [3, 4] {
        let star = exact_mean(&GlobalStar, agents, |(_, edges)| {
            edges.len() == agents - 1 && degrees(edges, agents).contains(&(agents - 1))
        });
        let (mean, deviation) =
            measured(&GlobalStar, agents, 4000, |network| network.links().is_spanning_star());
        assert!((mean - star).abs() < 5.0 * deviation, "{agents}: {mean} +- {deviation}, not {star}");
        assert!((mean - star - 1.0).abs() > 5.0 * deviation);
        let cover = exact_mean(&CycleCover, agents, |(_, edges)| {
            let rest: Vec<usize> = degrees(edges, agents).into_iter().filter(|&degree| degree != 2).collect();
            rest.is_empty() || rest == [0]
        });
        let (mean, deviation) =
            measured(&CycleCover, agents, 4000, |network| network.links().is_cycle_cover());
        assert!((mean - cover).abs() < 5.0 * deviation, "{agents}: {mean} +- {deviation}, not {cover}");
        let line = exact_mean(&GlobalLine, agents, |(_, edges)| {
            let degrees = degrees(edges, agents);
            edges.len() == agents - 1 && degrees.iter().all(|degree| (1..=2).contains(degree))
        });
        let (mean, deviation) =
            measured(&GlobalLine, agents, 4000, |network| network.links().is_spanning_line());
        assert!((mean - line).abs() < 5.0 * deviation, "{agents}: {mean} +- {deviation}, not {line}");
    }
    // Two agents need one interaction. Three on a cycle need two different edges first, then the third.
    assert_eq!(measured(&GlobalStar, 2, 10, |network| network.links().is_spanning_star()), (1.0, 0.0));
    let three = exact_mean(&CycleCover, 3, |(_, edges)| edges.len() == 3);
    assert!((three - (1.0 + 1.5 + 3.0)).abs() < 1e-9, "{three}");
}

/// Means published from simulations elsewhere, to the printed digits.
#[test]
fn stars_and_lines_take_as_long_as_known() {
    for (n, ratio) in [(8, 1.00), (16, 0.95), (32, 0.91)] {
        let (mean, deviation) = measured(&GlobalStar, n, 1500, |network| network.links().is_spanning_star());
        let scale = (n as f64).powi(2) * (n as f64).ln();
        assert!((mean / scale - ratio).abs() < 0.02 + 5.0 * deviation / scale, "{n}: {}", mean / scale);
    }
    for (n, expected) in [(6, 58.0), (8, 207.0), (12, 1280.0)] {
        // The leader must have reached an end of the line.
        let done = |network: &Network<'_, GlobalLine>| {
            !network.states().contains(&OnLine::Walker) && network.links().is_spanning_line()
        };
        let (mean, deviation) = measured(&GlobalLine, n, 4000, done);
        // The error of the published means is unknown.
        assert!((mean - expected).abs() < 0.03 * expected + 5.0 * deviation, "{n}: {mean} +- {deviation}");
    }
}

#[test]
fn stars_stay() {
    for (n, seed) in [(2, 1), (10, 2), (50, 3), (300, 4)] {
        let mut network = Network::new(&GlobalStar, n, seed).unwrap();
        assert!(network.run_until(|network| network.links().is_spanning_star(), 1 << 32));
        assert!(network.is_calm());
        let star = network.links().clone();
        network.run_to(network.interactions() + 20 * (n * n) as u64);
        assert_eq!(*network.links(), star);
    }
}

#[test]
fn lines_have_one_leader_each_and_the_last_one_spans() {
    for (n, seed) in [(5, 1), (9, 2), (20, 3), (30, 4)] {
        let mut network = Network::new(&GlobalLine, n, seed).unwrap();
        let count = |network: &Network<'_, GlobalLine>, wanted: &[OnLine]| {
            network.states().iter().filter(|state| wanted.contains(state)).count()
        };
        let spans = |network: &Network<'_, GlobalLine>| {
            let alone = count(network, &[OnLine::Alone]);
            let lines = count(network, &[OnLine::Leader, OnLine::Walker]);
            // A line of k agents has k - 1 edges.
            assert_eq!(network.links().count() as usize, n - alone - lines);
            assert!(network.links().degrees().iter().all(|&degree| degree <= 2));
            network.links().is_spanning_line()
        };
        assert!(network.run_until(spans, 1 << 32));
        let line = network.links().clone();
        network.run_to(network.interactions() + 20 * (n * n) as u64);
        assert_eq!(*network.links(), line);
        assert_eq!(count(&network, &[OnLine::Leader, OnLine::Walker]), 1);
    }
}

#[test]
fn cycles_cover_all_but_two_and_take_a_time_like_n_squared() {
    let mut ratios = Vec::new();
    for n in [16, 64, 200] {
        let mut total = 0.0;
        for seed in 0..30 {
            let mut network = Network::new(&CycleCover, n, seed).unwrap();
            assert!(network.run_until(|network| network.links().is_cycle_cover(), 1 << 32));
            assert!(network.is_calm());
            assert!(
                network
                    .states()
                    .iter()
                    .zip(network.links().degrees())
                    .all(|(&q, &degree)| u32::from(q) == degree)
            );
            total += network.interactions() as f64 / 30.0;
        }
        ratios.push(total / (n * n) as f64);
    }
    let (least, most) =
        ratios.iter().fold((f64::MAX, 0.0_f64), |(least, most), &r| (least.min(r), most.max(r)));
    assert!(most < 1.6 * least, "{ratios:?}");
}

/// A mutant: another constructor without one of its rules.
struct Without<'a, P: Constructor>(&'a P, fn(P::State, P::State, bool) -> bool);

impl<P: Constructor> Constructor for Without<'_, P> {
    type State = P::State;
    fn start(&self) -> P::State {
        self.0.start()
    }
    fn transition(&self, a: P::State, b: P::State, is_active: bool) -> (P::State, P::State, bool) {
        if self.1(a, b, is_active) { (a, b, is_active) } else { self.0.transition(a, b, is_active) }
    }
}

#[test]
fn rules_that_are_missing_are_noticed() {
    let sticky = Without(&GlobalStar, |a, b, is_active| a == b && is_active);
    let mut network = Network::new(&sticky, 12, 1).unwrap();
    assert!(!network.run_until(|network| network.links().is_spanning_star(), 200_000));
    let lame = Without(&GlobalLine, |a, b, _| [a, b].contains(&OnLine::Walker));
    assert!((0..10).any(|seed| {
        let mut network = Network::new(&lame, 12, seed).unwrap();
        !network.run_until(|network| network.links().is_spanning_line(), 200_000)
    }));
    let open = Without(&CycleCover, |a, b, _| a == 1 && b == 1);
    let mut network = Network::new(&open, 12, 1).unwrap();
    assert!(!network.run_until(|network| network.links().is_cycle_cover(), 200_000));
}

#[test]
fn a_run_is_the_same_whatever_it_is_stopped_at() {
    let mut whole = Network::new(&GlobalLine, 40, 9).unwrap();
    let mut looked = whole.clone();
    whole.run_to(50_000);
    for step in 1..=31 {
        looked.run_to(50_000 * step / 31);
    }
    assert_eq!((whole.states(), whole.links()), (looked.states(), looked.links()));
    let mut other = Network::new(&GlobalLine, 40, 10).unwrap();
    other.run_to(50_000);
    assert_ne!(whole.links(), other.links());
    for agents in [0, 1, MAX_AGENTS + 1] {
        let error = Network::new(&GlobalLine, agents, 1).unwrap_err();
        let counted = if agents == 1 { "1 agent".to_owned() } else { format!("{agents} agents") };
        assert!(error.to_string().contains(&counted), "{error}");
    }
    assert!(Network::new(&CycleCover, 10_000, 1).is_ok());
}
