//! Rates that are expressions of counts and time, and events, against closed formulas and master equations.

use acrasin_protocols::mean_field::MeanField;
use acrasin_protocols::reactions::{
    CountChange, Gillespie, ReactionError, ReactionNetwork, RunEnd, ScheduledChange, StopReason, VesselError,
    VesselFault, WrittenRate, WrittenReaction,
};

use super::chi_square::p_value;
use super::master_equation::{Ways, fit, law};

/// The smallest accepted p-value: a family-wise error of 1e-6 over the tests of this file.
const LEAST: f64 = 1e-8;

use WrittenRate::{Constant, MassAction, Propensity};

fn read(
    species: &[&str],
    parameters: &[(&str, f64)],
    reactions: &[(&str, WrittenRate<'_>)],
) -> Result<ReactionNetwork, ReactionError> {
    let one = |&(text, rate)| WrittenReaction { text, rate, reverse: None };
    ReactionNetwork::with_rates(species, parameters, &reactions.iter().map(one).collect::<Vec<_>>())
}

fn network(species: &[&str], reactions: &[(&str, WrittenRate<'_>)]) -> ReactionNetwork {
    read(species, &[("k", 12.0), ("K", 6.0)], reactions).unwrap_or_else(|error| panic!("{error}"))
}

fn counts_at(network: &ReactionNetwork, start: &[u64], time: f64, seed: u64) -> Vec<u64> {
    let mut vessel = Gillespie::new(network, start, 1.0, seed).unwrap();
    assert!(
        matches!(vessel.run(&RunEnd::time(time)), StopReason::Time | StopReason::Silent),
        "{:?}",
        vessel.fault()
    );
    vessel.counts().to_vec()
}

fn with(counts: &[u64], changes: &[(usize, i64)]) -> Vec<u64> {
    let mut next = counts.to_vec();
    changes.iter().for_each(|&(species, by)| next[species] = next[species].saturating_add_signed(by));
    next
}

/// Births at rate b(x), deaths at rate x: the stationary probability of x is proportional to the product of b(i - 1) /
/// i for i from 1 to x.
#[test]
fn hill_births_have_the_stationary_law_of_the_product_formula() {
    let hill = network(&["A"], &[("-> A", Propensity("1 + k * K^4 / (K^4 + A^4)")), ("A ->", Constant(1.0))]);
    let expected = |threshold: f64| {
        let birth = |x: f64| 1.0 + 12.0 * threshold.powi(4) / (threshold.powi(4) + x.powi(4));
        let mut law = vec![1.0];
        for x in 1..60 {
            law.push(law[x - 1] * birth(x as f64 - 1.0) / x as f64);
        }
        let total: f64 = law.iter().sum();
        law.into_iter().map(|weight| weight / total).collect::<Vec<_>>()
    };
    let mut observed = vec![0; 60];
    (0..20_000).for_each(|seed| observed[counts_at(&hill, &[6], 20.0, seed)[0] as usize] += 1);
    let right = p_value(&observed, &expected(6.0));
    assert!(right > LEAST, "{right}");
    assert!(p_value(&observed, &expected(5.5)) < LEAST);
}

#[test]
fn michaelis_menten_has_the_law_of_the_master_equation() {
    let enzyme = network(
        &["S", "P"],
        &[("S -> P", Propensity("k * S / (K + S)")), ("P -> S", Propensity("min(P, 2) * (S < 5)"))],
    );
    let ways = |saturated: bool| {
        move |counts: &[u64]| {
            let [s, p] = [counts[0] as f64, counts[1] as f64];
            let forth = if saturated { 12.0 * s / (6.0 + s) } else { 2.0 * s };
            let back = if s < 5.0 { p.min(2.0) } else { 0.0 };
            let mut ways: Ways<u64> =
                vec![(with(counts, &[(0, -1), (1, 1)]), forth), (with(counts, &[(0, 1), (1, -1)]), back)];
            ways.retain(|&(_, rate)| rate > 0.0);
            ways
        }
    };
    let end = |seed| counts_at(&enzyme, &[12, 0], 1.0, seed);
    let right = fit(&law(&[12, 0], 1.0, ways(true)), 20_000, end);
    assert!(right > LEAST, "{right}");
    assert!(fit(&law(&[12, 0], 1.0, ways(false)), 20_000, end) < LEAST);
}

/// A reaction needs its reactants, whatever the value of its expression.
#[test]
fn reactants_are_there_and_mass_action_counts_them() {
    let network = network(
        &["A", "B"],
        &[("2 A -> B", Propensity("3 + A")), ("A + B -> 2 B", MassAction("k / K * volume * (1 + A)"))],
    );
    let ways = |counts: &[u64]| {
        let [a, b] = [counts[0] as f64, counts[1] as f64];
        let mut ways: Ways<u64> = Vec::new();
        if counts[0] >= 2 {
            ways.push((with(counts, &[(0, -2), (1, 1)]), 3.0 + a));
        }
        if counts[0] >= 1 && counts[1] >= 1 {
            ways.push((with(counts, &[(0, -1), (1, 1)]), 2.0 * (1.0 + a) * a * b));
        }
        ways
    };
    let right = fit(&law(&[7, 1], 0.05, ways), 20_000, |seed| counts_at(&network, &[7, 1], 0.05, seed));
    assert!(right > LEAST, "{right}");
}

/// The frequency with which the first reaction at rate `hazard` falls into each of twelve intervals up to time 3, or
/// after them.
fn first_times(hazard: &str, sample: impl Fn(&ReactionNetwork, u64) -> f64) -> Vec<u64> {
    let network = network(&["A"], &[("A ->", MassAction(hazard))]);
    let mut observed = vec![0; 13];
    for seed in 0..20_000 {
        observed[((sample(&network, seed) * 4.0) as usize).min(12)] += 1;
    }
    observed
}

/// A molecule that decays at rate h(t) still exists at time t with probability exp(-H(t)), where H is the integral of
/// h.
#[test]
fn rates_that_change_with_time_have_the_law_of_their_integral() {
    type Integral = fn(f64) -> f64;
    let hazards: [(&str, Integral); 7] = [
        ("1 + 0.9 * sin(5 * t)", |t| t + 0.18 * (1.0 - (5.0 * t).cos())),
        ("if(t < 1, 0, 2)", |t| 2.0 * (t - 1.0).max(0.0)),
        ("3 * exp(-2 * t)", |t| 1.5 * (1.0 - (-2.0 * t).exp())),
        ("t^2", |t| t.powi(3) / 3.0),
        ("1 / sqrt(1 + t)", |t| 2.0 * ((1.0 + t).sqrt() - 1.0)),
        ("100 * (t >= 0.5 && t < 0.51) + 0.3", |t| 100.0 * (t - 0.5).clamp(0.0, 0.01) + 0.3 * t),
        ("max(0, cos(pi * t))", |t| {
            let wave = |t: f64| (std::f64::consts::PI * t).sin() / std::f64::consts::PI;
            // Positive from 0 to 0.5, and from 1.5 to 2.5.
            wave(t.min(0.5)) + wave(t.clamp(1.5, 2.5)) - wave(1.5)
        }),
    ];
    for (hazard, integral) in hazards {
        let mut law: Vec<f64> = Vec::new();
        for stretch in 0..12 {
            let there = |quarter: i32| (-integral(f64::from(quarter) / 4.0)).exp();
            law.push(there(stretch) - there(stretch + 1));
        }
        law.push((-integral(3.0)).exp());
        let thinned = first_times(hazard, |network, seed| {
            let mut vessel = Gillespie::new(network, &[1], 1.0, seed).unwrap();
            match vessel.run(&RunEnd { time: 4.0, reactions: 1, condition: None }) {
                StopReason::Reactions => vessel.time(),
                _ => 4.0,
            }
        });
        let right = p_value(&thinned, &law);
        assert!(right > LEAST, "{hazard}: {right}");
        // A wrong sampler that uses the rate at time 0 for the whole wait.
        let frozen = first_times(hazard, |network, seed| {
            let rate = network.reactions()[0].rate.expression().unwrap();
            let at = acrasin_protocols::reactions::EvaluationPoint { time: 0.0, volume: 1.0 };
            let constant = ReactionNetwork::new(&["A"], &[("A ->", rate.value(&[1.0], at))]).unwrap();
            let mut vessel = Gillespie::new(&constant, &[1], 1.0, seed).unwrap();
            match vessel.run(&RunEnd::time(4.0)) {
                StopReason::Silent => vessel.time(),
                _ => 4.0,
            }
        });
        assert!(p_value(&frozen, &law) < LEAST, "{hazard}");
    }
}

/// Molecules arrive at rate h(t) and decay at rate 1. Their number has a Poisson distribution, whose mean solves m' = h
/// - m.
#[test]
fn steady_and_changing_rates_mix() {
    let network = network(&["A"], &[("-> A", Propensity("4 * t")), ("A ->", Constant(1.0))]);
    // m(t) = 4 (t - 1 + e^-t).
    let poisson = |mean: f64| {
        let mut law = vec![(-mean).exp()];
        for x in 1..40 {
            law.push(law[x - 1] * mean / x as f64);
        }
        law
    };
    let mut observed = vec![0; 40];
    (0..20_000).for_each(|seed| observed[counts_at(&network, &[0], 2.5, seed)[0] as usize] += 1);
    let mean = 4.0 * (1.5 + (-2.5_f64).exp());
    let right = p_value(&observed, &poisson(mean));
    assert!(right > LEAST, "{right}");
    assert!(p_value(&observed, &poisson(mean * 1.05)) < LEAST);
}

#[test]
fn events_happen_at_their_time() {
    let network = network(&["A", "B"], &[("A ->", Constant(1.0))]);
    let events = || {
        vec![
            ScheduledChange { at: 0.0, every: None, changes: vec![(1, CountChange::Set(5))] },
            ScheduledChange {
                at: 1.5,
                every: None,
                changes: vec![(0, CountChange::Add(40)), (1, CountChange::Add(-3))],
            },
            ScheduledChange { at: 0.5, every: Some(1.0), changes: vec![(1, CountChange::Add(10))] },
        ]
    };
    let vessel = |seed| Gillespie::new(&network, &[0, 7], 1.0, seed).unwrap().with_events(events()).unwrap();
    let mut one = vessel(1);
    assert_eq!((one.counts(), one.is_silent()), (&[0, 5][..], false));
    for (time, b) in [(0.49, 5), (0.5, 15), (1.49, 15), (1.5, 22), (2.6, 32)] {
        assert_eq!((one.run(&RunEnd::time(time)), one.time()), (StopReason::Time, time));
        assert_eq!(one.counts()[1], b, "at {time}");
    }
    // Forty molecules arrive at time 1.5. Each still exists at 2.5 with probability 1 / e.
    let left = |vessel: &mut Gillespie| {
        vessel.run(&RunEnd::time(2.5));
        vessel.counts()[0]
    };
    let mut observed = vec![0; 41];
    (0..20_000).for_each(|seed| observed[left(&mut vessel(seed)) as usize] += 1);
    let binomial = |p: f64| {
        let mut law = vec![(1.0 - p).powi(40)];
        for x in 1..=40 {
            law.push(law[x - 1] * (41 - x) as f64 / x as f64 * p / (1.0 - p));
        }
        law
    };
    let right = p_value(&observed, &binomial((-1.0_f64).exp()));
    assert!(right > LEAST, "{right}");
    // The law of arrivals a tenth of a unit later does not fit.
    assert!(p_value(&observed, &binomial((-0.9_f64).exp())) < LEAST);
    // A vessel can be silent after its last event.
    let last = vec![ScheduledChange { at: 3.0, every: None, changes: vec![(0, CountChange::Set(1))] }];
    let mut vessel = Gillespie::new(&network, &[0, 0], 1.0, 3).unwrap().with_events(last).unwrap();
    assert_eq!(vessel.run(&RunEnd::time(f64::INFINITY)), StopReason::Silent);
    assert!(vessel.time() > 3.0 && vessel.reactions() == 1);
}

#[test]
fn stops_on_the_way_change_nothing() {
    let network = network(
        &["A", "B"],
        &[
            ("-> A", Propensity("5 * (1 + sin(3 * t)) / (1 + B)")),
            ("A -> B", MassAction("if(t < 4, 1, 2)")),
            ("B ->", Constant(0.5)),
            ("2 A -> A", Propensity("A^2 / (10 + A)")),
        ],
    );
    let start = |seed| {
        let pulse = ScheduledChange { at: 2.0, every: Some(3.0), changes: vec![(0, CountChange::Add(9))] };
        Gillespie::new(&network, &[3, 3], 1.0, seed).unwrap().with_events(vec![pulse]).unwrap()
    };
    let mut whole = start(5);
    whole.run(&RunEnd::time(20.0));
    let mut often = start(5);
    for step in 1..=200 {
        let until = RunEnd::time(f64::from(step) / 10.0);
        often.run(&RunEnd { reactions: often.reactions() + 1, ..until });
        while often.run_for(&until, 1).is_none() {}
    }
    assert_eq!(
        (whole.time(), whole.reactions(), whole.counts()),
        (often.time(), often.reactions(), often.counts())
    );
    assert!(whole.reactions() > 100, "{}", whole.reactions());
}

#[test]
fn vessels_without_possible_reactions_are_silent() {
    for (rate, is_silent) in [("exp(-t) * 0", true), ("if(t < 2, 1, 0)", true), ("1 + sin(t)", false)] {
        let network = network(&["A"], &[("-> A", Propensity(rate))]);
        let mut vessel = Gillespie::new(&network, &[0], 1.0, 1).unwrap();
        let halt = vessel.run(&RunEnd { time: f64::INFINITY, reactions: 50, condition: None });
        assert_eq!(halt == StopReason::Silent, is_silent, "{rate}");
    }
}

#[test]
fn wrong_rates_and_events_end_the_run() {
    for (reaction, rate, fault) in [
        ("-> A", "2.5 - A", VesselFault::Rate { reaction: 0, value: -0.5 }),
        ("-> A", "1 / (2 - A)", VesselFault::Rate { reaction: 0, value: f64::INFINITY }),
        ("-> A", "1 - t", VesselFault::Rate { reaction: 0, value: -1.0 }),
        ("-> A", "1 / t", VesselFault::Rate { reaction: 0, value: f64::INFINITY }),
        ("-> A", "1 / abs(1 - t)", VesselFault::Unbounded { reaction: 0 }),
    ] {
        let network = network(&["A"], &[(reaction, Propensity(rate))]);
        let mut vessel = Gillespie::new(&network, &[0], 1.0, 2).unwrap();
        assert_eq!(vessel.run(&RunEnd::time(1e3)), StopReason::Fault, "{rate}");
        // The time is before the bound. The value shows that the rate was evaluated later than at the start.
        assert!(vessel.time() < 1e3);
        match (vessel.fault().unwrap(), fault) {
            (VesselFault::Rate { value, .. }, VesselFault::Rate { value: wanted, .. }) => {
                assert!(value == wanted || value < 0.0 && wanted < 0.0, "{rate}: {value}");
            }
            (found, _) => assert_eq!(found, fault, "{rate}"),
        }
        assert_eq!((vessel.run(&RunEnd::time(1e3)), vessel.is_silent()), (StopReason::Fault, false));
    }
    let decay = network(&["A"], &[("A ->", Constant(1.0))]);
    let vessel = || Gillespie::new(&decay, &[3], 1.0, 1).unwrap();
    let event = |at, every, change| ScheduledChange { at, every, changes: vec![(0, change)] };
    let mut negative = vessel().with_events(vec![event(0.1, None, CountChange::Add(-4))]).unwrap();
    assert_eq!(negative.run(&RunEnd::time(1.0)), StopReason::Fault);
    assert_eq!(negative.fault(), Some(VesselFault::Event { event: 0, species: 0 }));
    for wrong in [
        event(-1.0, None, CountChange::Set(1)),
        event(f64::NAN, None, CountChange::Set(1)),
        event(1.0, Some(0.0), CountChange::Set(1)),
        event(1.0, None, CountChange::Set(u64::MAX)),
        event(0.0, None, CountChange::Add(-4)),
        ScheduledChange { at: 1.0, every: None, changes: vec![(1, CountChange::Set(1))] },
    ] {
        let refused = vessel().with_events(vec![wrong]).map(|_| ()).unwrap_err();
        assert_eq!(refused, VesselError::WrongEvent { event: 0 });
    }
}

#[test]
fn reversible_reactions_are_two_and_rates_that_do_not_fit_are_refused() {
    let both = |text, rate, reverse| {
        let written = WrittenReaction { text, rate, reverse };
        ReactionNetwork::with_rates(&["A", "B", "C"], &[("k", 2.0)], &[written])
    };
    let found = both("A + B <-> C", Constant(3.0), Some(MassAction("k * t"))).unwrap();
    assert_eq!(found.reactions().len(), 2);
    assert_eq!((found.reactions()[0].order(), found.reactions()[1].order()), (2, 1));
    assert_eq!(found.reactions()[1].changes, [(0, 1), (1, 1), (2, -1)]);
    for (text, rate, reverse, message) in [
        ("A <-> B", Constant(1.0), None, "`<->` is a reaction and its reverse, but only one rate is written"),
        (
            "A -> B",
            Constant(1.0),
            Some(Constant(1.0)),
            "two rates are written for a reaction in one direction",
        ),
        (
            "A -> B",
            Propensity("k"),
            None,
            "the propensity `k` names no species, but the reaction has reactants",
        ),
        ("A <-> B", Constant(1.0), Some(Constant(-1.0)), "the rate of a reaction is -1"),
        ("-> B", Propensity("q"), None, "unknown name `q`"),
    ] {
        let error = both(text, rate, reverse).unwrap_err();
        assert_eq!((error.message(), error.reaction()), (message, Some(0)));
    }
    assert_eq!(both("A <-> B", Constant(1.0), Some(Constant(-1.0))).unwrap_err().rate(), Some(1));
    for (name, value, message) in [
        ("A", 1.0, "the parameter `A` is also a species"),
        ("t", 1.0, "the parameter `t` has a predefined meaning in rates"),
        ("1k", 1.0, "`1k` cannot be the name of a parameter"),
        ("k", f64::NAN, "the parameter `k` is NaN"),
    ] {
        let error = read(&["A"], &[(name, value)], &[]).unwrap_err();
        assert_eq!((error.message(), error.parameter()), (message, Some(0)));
    }
    assert_eq!(read(&["A"], &[("k", 1.0), ("k", 1.0)], &[]).unwrap_err().parameter(), Some(1));
}

/// The limit of large volumes for logistic growth, and for arrivals that change with time, in a volume of 10.
#[test]
fn expressions_have_their_limit_of_large_volumes() {
    let network = network(
        &["A", "B"],
        &[("A -> 2 A", Propensity("A * (1 - A / 50)")), ("-> B", Propensity("volume * (1 + sin(t))"))],
    );
    let mut limit = MeanField::new(&network, &[0.5, 0.0], 1e-10).with_volume(10.0);
    for time in [0.5, 1.0, 3.0] {
        limit.advance(time);
        // 50 molecules are 5 per unit of volume.
        let logistic = 5.0 / (1.0 + 9.0 * (-time).exp());
        let arrived = time + 1.0 - time.cos();
        let found = limit.shares();
        assert!((found[0] - logistic).abs() < 1e-7 && (found[1] - arrived).abs() < 1e-7, "{found:?}");
    }
}

/// If a fault ends a run, the time of the run is that of the fault, not that of the last reaction.
#[test]
fn a_fault_has_its_time() {
    let take = ScheduledChange { at: 2.5, every: None, changes: vec![(0, CountChange::Add(-7))] };
    let mut vessel = Gillespie::new(&network(&["A"], &[("A ->", Constant(1.0))]), &[3], 1.0, 1)
        .unwrap()
        .with_events(vec![take])
        .unwrap();
    assert_eq!((vessel.run(&RunEnd::time(10.0)), vessel.time()), (StopReason::Fault, 2.5));
    // Nothing happens before the rate is wrong. The fault is noticed at the next evaluation.
    let wrong = network(&["A"], &[("A ->", MassAction("if(t < 5, 0, -1)"))]);
    let mut vessel = Gillespie::new(&wrong, &[1], 1.0, 1).unwrap();
    assert_eq!(vessel.run(&RunEnd::time(100.0)), StopReason::Fault);
    assert!((5.0..20.0).contains(&vessel.time()), "{}", vessel.time());
    assert!(matches!(vessel.fault(), Some(VesselFault::Rate { reaction: 0, .. })));
}
