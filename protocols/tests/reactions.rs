//! Reaction networks against closed formulas, exact laws and the textbook's uniform pairs.

use std::collections::BTreeMap;

use acrasin_protocols::Table;
use acrasin_protocols::library::ApproximateMajority;
use acrasin_protocols::reactions::{Gillespie, ReactionNetwork, RunEnd, StopReason, VesselError};
use acrasin_protocols::uniform::{Agreed, Condition, Silent};

use super::chi_square::p_value;

/// The smallest accepted p-value: a family-wise error of 1e-6 over the tests of this file.
const LEAST: f64 = 1e-8;

fn network(species: &[&str], reactions: &[(&str, f64)]) -> ReactionNetwork {
    ReactionNetwork::new(species, reactions).unwrap()
}

/// Reactions: reactants, changes of counts, and the rate per choice of the reactants.
type Written<'a> = (&'a [(usize, u64)], &'a [(usize, i64)], f64);

/// The law of the counts at `time`, by uniformisation of the master equation. `ways` is the number of ways to choose s
/// of x molecules. Shares no code with the sampler.
fn law(
    reactions: &[Written<'_>],
    start: &[u64],
    time: f64,
    ways: fn(u64, u64) -> f64,
) -> BTreeMap<Vec<u64>, f64> {
    let moves = |counts: &[u64]| -> Vec<(Vec<u64>, f64)> {
        let one = |(reactants, changes, rate): &Written<'_>| {
            let speed =
                reactants.iter().map(|&(species, times)| ways(counts[species], times)).product::<f64>()
                    * rate;
            let mut next = counts.to_vec();
            if speed > 0.0 {
                changes
                    .iter()
                    .for_each(|&(species, by)| next[species] = next[species].saturating_add_signed(by));
            }
            (next, speed)
        };
        reactions.iter().map(one).filter(|(_, speed)| *speed > 0.0).collect()
    };
    let mut states = vec![start.to_vec()];
    let mut seen = 0;
    while seen < states.len() {
        for (next, _) in moves(&states[seen].clone()) {
            if !states.contains(&next) {
                states.push(next);
            }
        }
        seen += 1;
    }
    let fastest = states.iter().map(|counts| moves(counts).iter().map(|(_, speed)| speed).sum::<f64>());
    let rate = fastest.fold(0.0, f64::max);
    let mut now = BTreeMap::from([(start.to_vec(), 1.0)]);
    let mut found: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
    let mut weight = (-rate * time).exp();
    for step in 1..400 {
        for (counts, share) in &now {
            *found.entry(counts.clone()).or_default() += share * weight;
        }
        weight *= rate * time / f64::from(step);
        let mut then = BTreeMap::new();
        for (counts, share) in now {
            let mut stays = 1.0;
            for (next, speed) in moves(&counts) {
                stays -= speed / rate;
                *then.entry(next).or_insert(0.0) += share * speed / rate;
            }
            *then.entry(counts).or_insert(0.0) += share * stays;
        }
        now = then;
    }
    found
}

fn binomial(x: u64, s: u64) -> f64 {
    (0..s).map(|taken| x.saturating_sub(taken) as f64 / (taken + 1) as f64).product()
}

/// The number of ways if a molecule could react with itself.
fn powers(x: u64, s: u64) -> f64 {
    (1..=s).map(|taken| x as f64 / taken as f64).product()
}

fn fit(law: &BTreeMap<Vec<u64>, f64>, end: impl Fn(u64) -> Vec<u64>, runs: u64) -> f64 {
    let places: Vec<&Vec<u64>> = law.keys().collect();
    let mut observed = vec![0; places.len()];
    for seed in 0..runs {
        let counts = end(seed);
        observed[places.iter().position(|place| **place == counts).unwrap()] += 1;
    }
    p_value(&observed, &law.values().copied().collect::<Vec<_>>())
}

#[test]
fn a_last_molecule_decays_after_the_harmonic_sum() {
    let decay = network(&["A"], &[("A ->", 0.5)]);
    let (molecules, runs) = (10, 20_000);
    let mean = (0..runs).map(|seed| {
        let mut vessel = Gillespie::new(&decay, &[molecules], 3.0, seed).unwrap();
        assert_eq!(
            vessel.run(&RunEnd { time: f64::MAX, reactions: molecules, condition: None }),
            StopReason::Reactions
        );
        assert!(vessel.is_silent());
        vessel.time()
    });
    let mean = mean.sum::<f64>() / runs as f64;
    let expected: f64 = (1..=10).map(|k| 1.0 / (0.5 * f64::from(k))).sum();
    let deviation = (1..=10).map(|k| (0.5 * f64::from(k)).powi(-2)).sum::<f64>().sqrt();
    let error = 5.0 * deviation / (runs as f64).sqrt();
    assert!((mean - expected).abs() < error, "{mean} where {expected} was expected");
    // A clock that depended only on the number of reactions would not fit.
    assert!((mean - 20.0 / 10.0 * 2.0).abs() > error);
}

#[test]
fn molecules_that_come_and_decay_are_poisson_and_a_biased_sampler_is_not() {
    // The mean is the rate of arrivals times the volume, divided by the rate of decay: 2 * 2.5 / 1.
    let observed = |inflow: f64| {
        let network = network(&["A"], &[("-> A", inflow), ("A ->", 1.0)]);
        let mut observed = vec![0; 30];
        for seed in 0..20_000 {
            let mut vessel = Gillespie::new(&network, &[0], 2.5, seed).unwrap();
            assert_eq!(vessel.run(&RunEnd::time(25.0)), StopReason::Time);
            observed[vessel.counts()[0] as usize] += 1;
        }
        observed
    };
    let mut expected = vec![(-5.0_f64).exp()];
    for k in 1..30 {
        expected.push(expected[k - 1] * 5.0 / k as f64);
    }
    let right = p_value(&observed(2.0), &expected);
    assert!(right > LEAST, "{right}");
    // One arrival in twenty too many.
    assert!(p_value(&observed(2.1), &expected) < LEAST);
}

#[test]
fn dimers_have_the_law_of_the_master_equation() {
    let dimers = network(&["A", "A2"], &[("2 A -> A2", 3.0), ("A2 -> A + A", 0.7)]);
    let end = |seed| {
        let mut vessel = Gillespie::new(&dimers, &[9, 1], 2.0, seed).unwrap();
        vessel.run(&RunEnd::time(0.6));
        vessel.counts().to_vec()
    };
    let reactions: [Written<'_>; 2] =
        [(&[(0, 2)], &[(0, -2), (1, 1)], 3.0 / 2.0), (&[(1, 1)], &[(0, 2), (1, -1)], 0.7)];
    let right = fit(&law(&reactions, &[9, 1], 0.6, binomial), end, 20_000);
    assert!(right > LEAST, "{right}");
    let wrong = fit(&law(&reactions, &[9, 1], 0.6, powers), end, 20_000);
    assert!(wrong < LEAST, "molecules that meet themselves: {wrong}");
}

#[test]
fn orders_and_unequal_rates_have_the_law_of_the_master_equation() {
    let mixed = network(
        &["A", "B", "C"],
        &[
            ("A + B -> 2 C", 4.0),
            ("2 A + B -> A + 2 B", 10.0),
            ("C -> A", 1.0),
            ("3 C -> B + C + A", 2.0),
            ("C -> C", 99.0),
        ],
    );
    let end = |seed| {
        let mut vessel = Gillespie::new(&mixed, &[4, 3, 0], 5.0, seed).unwrap();
        vessel.run(&RunEnd::time(0.8));
        vessel.counts().to_vec()
    };
    let of = |bimolecular: f64| {
        let reactions: [Written<'_>; 4] = [
            (&[(0, 1), (1, 1)], &[(0, -1), (1, -1), (2, 2)], bimolecular / 5.0),
            (&[(0, 2), (1, 1)], &[(0, -1), (1, 1)], 10.0 / 25.0),
            (&[(2, 1)], &[(0, 1), (2, -1)], 1.0),
            (&[(2, 3)], &[(0, 1), (1, 1), (2, -2)], 2.0 / 25.0),
        ];
        law(&reactions, &[4, 3, 0], 0.8, binomial)
    };
    let right = fit(&of(4.0), end, 20_000);
    assert!(right > LEAST, "{right}");
    // A rate that is a tenth too high must be noticed.
    assert!(fit(&of(4.4), end, 20_000) < LEAST);
}

/// Four molecules react in x (x - 1) (x - 2) (x - 3) / 24 ways, each at rate k / V^3 in a volume V.
#[test]
fn four_reactants_have_the_law_of_the_master_equation() {
    let network = network(&["A", "B"], &[("4 A -> B", 30.0), ("3 A + B -> A + 2 B", 8.0), ("B -> 2 A", 0.5)]);
    let end = |seed| {
        let mut vessel = Gillespie::new(&network, &[9, 2], 3.0, seed).unwrap();
        vessel.run(&RunEnd::time(0.1));
        vessel.counts().to_vec()
    };
    let reactions: [Written<'_>; 3] = [
        (&[(0, 4)], &[(0, -4), (1, 1)], 30.0 / 27.0),
        (&[(0, 3), (1, 1)], &[(0, -2), (1, 1)], 8.0 / 27.0),
        (&[(1, 1)], &[(0, 2), (1, -1)], 0.5),
    ];
    let right = fit(&law(&reactions, &[9, 2], 0.1, binomial), end, 20_000);
    assert!(right > LEAST, "{right}");
    let wrong = fit(&law(&reactions, &[9, 2], 0.1, powers), end, 20_000);
    assert!(wrong < LEAST, "molecules that meet themselves: {wrong}");
}

/// The expected figures are those of the exact Markov chain for uniform pairs with n = 20 agents, 12 of them for A.
#[test]
fn a_protocol_is_the_network_of_equal_rates() {
    let table = Table::compile(&ApproximateMajority).unwrap();
    let network = ReactionNetwork::from_table(&table);
    let agreed = Agreed::new(&table);
    let runs = 20_000;
    let (mut right, mut time) = (0_u32, 0.0);
    for seed in 0..runs {
        let mut vessel = Gillespie::new(&network, &[12, 8, 0], 19.0, seed).unwrap();
        let until = RunEnd { time: f64::MAX, reactions: u64::MAX, condition: Some(&agreed) };
        assert_eq!(vessel.run(&until), StopReason::Holds);
        right += u32::from(vessel.counts()[0] == 20);
        time += vessel.time();
    }
    let share = f64::from(right) / runs as f64;
    assert!((share - 0.942_630).abs() < 5.0 * (0.9426 * 0.0574 / runs as f64).sqrt(), "{share}");
    // A unit of time has 20 interactions on average. The time of one run has a standard deviation of about 2.
    let mean = time / runs as f64;
    assert!((mean - 86.3737 / 20.0).abs() < 5.0 * 2.1 / (runs as f64).sqrt(), "{mean}");
    // In a volume of n a unit of time has fewer interactions, and the test must notice that.
    assert!((mean * 20.0 / 19.0 - 86.3737 / 20.0).abs() > 5.0 * 2.1 / (runs as f64).sqrt());
}

/// Neither stops during a run nor their conditions change the run.
#[test]
fn stops_change_nothing() {
    struct Never;
    impl Condition for Never {
        fn holds(&self, _: &[u64]) -> bool {
            false
        }
    }
    let network =
        network(&["A", "B"], &[("-> A", 3.0), ("A + B -> 3 B", 0.4), ("B ->", 1.0), ("2 A -> B", 0.1)]);
    let mut whole = Gillespie::new(&network, &[20, 5], 10.0, 4).unwrap();
    whole.run(&RunEnd::time(50.0));
    let mut often = Gillespie::new(&network, &[20, 5], 10.0, 4).unwrap();
    for step in 1..=500 {
        let until = RunEnd { time: f64::from(step) / 10.0, reactions: u64::MAX, condition: Some(&Never) };
        often.run(&RunEnd { reactions: often.reactions() + 1, ..until });
        often.run(&until);
    }
    assert_eq!(
        (whole.time(), whole.reactions(), whole.counts()),
        (often.time(), often.reactions(), often.counts())
    );
    assert!(whole.reactions() > 1000, "{}", whole.reactions());
    let mut other = Gillespie::new(&network, &[20, 5], 10.0, 5).unwrap();
    other.run(&RunEnd::time(50.0));
    assert_ne!(other.counts(), whole.counts());
}

#[test]
fn what_cannot_be_is_refused_or_ends_the_run() {
    let growing = network(&["A"], &[("A -> 1000 A", 1.0)]);
    let mut vessel = Gillespie::new(&growing, &[(1 << 53) - 500], 1.0, 1).unwrap();
    assert_eq!(vessel.run(&RunEnd::time(1.0)), StopReason::Crowded);
    assert_eq!(vessel.counts(), [(1 << 53) - 500]);
    assert!(matches!(Gillespie::new(&growing, &[1, 2], 1.0, 1), Err(VesselError::WrongLength { .. })));
    assert!(matches!(Gillespie::new(&growing, &[u64::MAX], 1.0, 1), Err(VesselError::TooMany { .. })));
    for volume in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Gillespie::new(&growing, &[1], volume, 1), Err(VesselError::WrongVolume { .. })));
    }
    for (species, reaction, message) in [
        (&["A", "A"][..], ("A ->", 1.0), "the species `A` is listed twice"),
        (&["A"], ("A -> B", 1.0), "unknown species `B`"),
        (&["A"], ("5 A -> A", 1.0), "5 molecules would have to meet at once"),
        (&["A"], ("A -> 2 A", f64::NAN), "the rate of a reaction is NaN"),
        (&["A"], ("A -> 2 A", -1.0), "the rate of a reaction is -1"),
        (
            &["A B"],
            ("A -> 2 A", 1.0),
            "`A B` cannot be the name of a species: it contains white space or a control character",
        ),
    ] {
        assert_eq!(ReactionNetwork::new(species, &[reaction]).unwrap_err().message(), message);
    }
    // The time of silence is that of the last reaction, whatever the bound.
    let decay = network(&["A"], &[("A ->", 1.0)]);
    for time in [f64::INFINITY, 1e9] {
        let mut vessel = Gillespie::new(&decay, &[3], 1.0, 1).unwrap();
        assert_eq!(vessel.run(&RunEnd::time(time)), StopReason::Silent);
        assert!(vessel.time() < 30.0 && vessel.reactions() == 3);
        let then =
            if time.is_finite() { (StopReason::Time, time) } else { (StopReason::Silent, vessel.time()) };
        assert_eq!((vessel.run(&RunEnd::time(time)), vessel.time()), then);
    }
    // The table is silent exactly if its network is.
    let table = Table::compile(&ApproximateMajority).unwrap();
    let network = ReactionNetwork::from_table(&table);
    for counts in [[5, 0, 0], [0, 0, 5], [1, 1, 0], [0, 1, 1]] {
        let vessel = Gillespie::new(&network, &counts, 1.0, 1).unwrap();
        assert_eq!(vessel.is_silent(), Silent::new(&table).holds(&counts));
    }
}

/// 10^5 reactions at rate 10^5 take a time of 1, however late the first reaction is. Regression test: starting at time
/// 10^12, they took 0.287.
#[test]
fn clocks_do_not_stand_still_after_a_long_time() {
    let network = network(&["S", "F", "P"], &[("S -> F", 1e-12), ("F -> F + P", 1e5)]);
    for seed in 0..5 {
        let mut vessel = Gillespie::new(&network, &[1, 0, 0], 1.0, seed).unwrap();
        let to = |reactions| RunEnd { time: f64::INFINITY, reactions, condition: None };
        vessel.run(&to(1));
        let first = vessel.time();
        assert!(first > 1e8, "{first}");
        // Stops on the way do not change the time.
        for reactions in [2, 50_000, 50_001, 100_001] {
            vessel.run(&to(reactions));
        }
        let taken = vessel.time() - first;
        // Five standard deviations, and twice the distance between adjacent floating-point numbers of that size.
        let tolerance = 5.0 / 1e5_f64.sqrt() + 2.0 * (first.next_up() - first);
        assert!((taken - 1.0).abs() < tolerance, "{seed}: {taken} after {first}");
    }
}

#[test]
fn rates_out_of_range_are_refused() {
    for (rule, volume) in [
        (("A ->", 1e-300), 1.0),
        (("3 A ->", 1.0), 1e-155),
        (("-> A", 1e200), 1e100),
        (("2 A ->", 1e-200), 1e155),
    ] {
        let network = network(&["A"], &[("A -> 2 A", 1.0), rule]);
        let refused = Gillespie::new(&network, &[5], volume, 1).unwrap_err();
        assert!(matches!(refused, VesselError::RateOutOfRange { reaction: 1, .. }), "{refused}");
        assert!(
            refused.to_string().contains("reaction 2: ")
                && refused.to_string().contains("accepted: 0, or 1e-280")
        );
    }
}
