//! The law of a Markov process in continuous time, by uniformisation. It shares no code with the samplers.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::chi_square::p_value;

/// The next configurations, each with its rate.
pub(crate) type Ways<T> = Vec<(Vec<T>, f64)>;

/// The law of the configurations at `time`.
pub(crate) fn law<T: Clone + Ord>(
    start: &[T],
    time: f64,
    ways: impl Fn(&[T]) -> Ways<T>,
) -> BTreeMap<Vec<T>, f64> {
    let mut all = vec![start.to_vec()];
    let mut seen = 0;
    while seen < all.len() {
        for (next, _) in ways(&all[seen].clone()) {
            if !all.contains(&next) {
                all.push(next);
            }
        }
        seen += 1;
    }
    let rate = |states: &[T]| ways(states).iter().map(|(_, rate)| rate).sum::<f64>();
    let fastest = all.iter().map(|states| rate(states)).fold(0.0, f64::max);
    let mut now = BTreeMap::from([(start.to_vec(), 1.0)]);
    let mut found: BTreeMap<Vec<T>, f64> = BTreeMap::new();
    let mut weight = (-fastest * time).exp();
    for step in 1..400 {
        for (states, share) in &now {
            *found.entry(states.clone()).or_default() += share * weight;
        }
        weight *= fastest * time / f64::from(step);
        let mut then = BTreeMap::new();
        for (states, share) in now {
            for (next, rate) in ways(&states) {
                *then.entry(next).or_insert(0.0) += share * rate / fastest;
            }
            let stays = 1.0 - rate(&states) / fastest;
            *then.entry(states).or_insert(0.0) += share * stays;
        }
        now = then;
    }
    found
}

/// The p-value of the final configurations of runs with the seeds `0..runs` under a distribution.
pub(crate) fn fit<T: Ord + Debug>(
    law: &BTreeMap<Vec<T>, f64>,
    runs: u64,
    end: impl Fn(u64) -> Vec<T>,
) -> f64 {
    let places: Vec<&Vec<T>> = law.keys().collect();
    let mut observed = vec![0; places.len()];
    for seed in 0..runs {
        let states = end(seed);
        let place = places.binary_search(&&states);
        observed[place.unwrap_or_else(|_| panic!("{states:?} cannot be reached"))] += 1;
    }
    p_value(&observed, &law.values().copied().collect::<Vec<_>>())
}
