//! The exact stationary distribution under uniform activation, computed from all outcomes of every activation in
//! every state.

use std::collections::BTreeMap;

use acrasin_amoebot::library::local_compression::{Action, Memory};
use acrasin_amoebot::{Algorithm, Configuration, LocalCompression, System, View, enabled_actions, start};
use acrasin_amoebot::{Cell, Direction};
use acrasin_runtime::choice::{Choices, Decision};

use super::{Mistake, SHAPES_WITH_EDGES, Wrong, algorithm, law_of_chain, tails};

/// Fixed draws: the direction of every expansion, and whether q is the smallest or the largest.
struct Fixed {
    direction: u32,
    smallest: bool,
}

impl Choices for Fixed {
    fn pick(&mut self, bound: std::num::NonZeroU32, why: Decision) -> u32 {
        assert_eq!(why, Decision::Outcome);
        match bound.get() {
            6 => self.direction,
            bound => {
                if self.smallest {
                    0
                } else {
                    bound - 1
                }
            }
        }
    }
}

/// A state up to translation and identities.
type State = Configuration<Memory>;

/// The outcomes of one activation that change the state, with their probabilities.
fn outcomes<A>(algorithm: &A, lambda: f64, system: &System<Memory>) -> Vec<(System<Memory>, f64)>
where
    A: Algorithm<Memory = Memory, Action = Action>,
{
    let share = 1.0 / system.len() as f64;
    let mut outcomes = Vec::new();
    for id in system.ids() {
        let view = View::new(system, id);
        let Some(action) = enabled_actions(algorithm, view).next() else { continue };
        let after = |direction, smallest| {
            let effects = algorithm.execute(action, &view, &mut Fixed { direction, smallest });
            let mut after = system.clone();
            effects.expect("defined").apply(&mut after, id).expect("a valid action");
            after
        };
        match action {
            Action::Expand => outcomes.extend((0..6).map(|d| (after(d, true), share / 6.0))),
            Action::Contract => {
                let (moved, stayed) = (after(0, true), after(0, false));
                let gain = tails(&moved).edges() as i32 - tails(system).edges() as i32;
                let accepted = lambda.powi(gain).min(1.0);
                outcomes.push((moved, share * accepted));
                outcomes.push((stayed, share * (1.0 - accepted)));
            }
        }
    }
    outcomes
}

/// The stationary distribution of the number of edges of the tails: at all moments, and at the moments without expanded
/// amoebots.
struct Laws {
    states: usize,
    always: Vec<f64>,
    contracted: Vec<f64>,
}

fn laws<A>(algorithm: &A, lambda: f64, n: usize) -> Laws
where
    A: Algorithm<Memory = Memory, Action = Action>,
{
    let line = start::line(Cell::ORIGIN, Direction::East, n).expect("a short line");
    let normal = |system: &System<Memory>| system.configuration().normal_form().expect("close together");
    let first = normal(&LocalCompression::start(&line, &[]).expect("a start"));
    let mut numbers: BTreeMap<State, usize> = BTreeMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    let mut edges: Vec<Vec<(usize, f64)>> = Vec::new();
    while edges.len() < states.len() {
        let system = states[edges.len()].system();
        let mut targets = Vec::new();
        for (after, probability) in outcomes(algorithm, lambda, &system) {
            let state = normal(&after);
            let number = *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            });
            targets.push((number, probability));
        }
        edges.push(targets);
    }
    let mut law = vec![1.0 / states.len() as f64; states.len()];
    for round in 0.. {
        let mut next = law.clone();
        for (from, targets) in edges.iter().enumerate() {
            for (to, probability) in targets {
                next[*to] += law[from] * probability;
                next[from] -= law[from] * probability;
            }
        }
        let change: f64 = law.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        law = next;
        if change < 1e-13 {
            break;
        }
        assert!(round < 100_000, "no convergence: {change}");
    }
    let by_edges = |only_contracted: bool| {
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for (state, p) in states.iter().zip(&law) {
            let system = state.system();
            if !only_contracted || LocalCompression::is_contracted(&system) {
                *sums.entry(tails(&system).edges()).or_default() += p;
            }
        }
        let total: f64 = sums.values().sum();
        sums.into_values().map(|p| p / total).collect::<Vec<f64>>()
    };
    Laws { states: states.len(), always: by_edges(false), contracted: by_edges(true) }
}

/// The largest relative difference between the two distributions.
fn distance(law: &[f64], other: &[f64]) -> f64 {
    assert_eq!(law.len(), other.len());
    law.iter().zip(other).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max)
}

/// n, λ, states, and the deviations from the distribution of the chain: without expanded amoebots, and at all
/// moments.
const KNOWN: [(usize, f64, usize, f64, f64); 4] = [
    (3, 1.0, 536, 0.008268, 0.191116),
    (3, 4.0, 536, 0.005334, 0.132608),
    (4, 1.0, 7007, 0.010910, 0.262587),
    (4, 4.0, 7007, 0.009855, 0.219681),
];

fn check_law((n, lambda, states, contracted, always): (usize, f64, usize, f64, f64)) {
    let laws = laws(&algorithm(lambda), lambda, n);
    let chain = law_of_chain(SHAPES_WITH_EDGES[n - 3].1, lambda);
    assert_eq!(laws.states, states, "n = {n}");
    let found = (distance(&laws.contracted, &chain), distance(&laws.always, &chain));
    assert!((found.0 - contracted).abs() < 1e-6, "n = {n}, lambda = {lambda}: {found:?}");
    assert!((found.1 - always).abs() < 1e-6, "n = {n}, lambda = {lambda}: {found:?}");
}

#[test]
fn the_law_is_nearly_that_of_the_chain_when_no_amoebot_is_expanded() {
    KNOWN.into_iter().for_each(check_law);
}

#[test]
#[ignore = "half a minute"]
fn the_law_of_five_is_nearly_that_of_the_chain() {
    check_law((5, 4.0, 107_811, 0.014771, 0.354451));
}

#[test]
fn without_the_flag_the_law_is_another() {
    for (n, lambda, least) in [(3, 1.0, 0.42), (3, 4.0, 0.27), (4, 4.0, 0.34)] {
        let laws = laws(&Wrong(algorithm(lambda), Mistake::AlwaysFlag), lambda, n);
        let distance = distance(&laws.contracted, &law_of_chain(SHAPES_WITH_EDGES[n - 3].1, lambda));
        assert!(distance > least, "n = {n}, lambda = {lambda}: {distance}");
    }
}
