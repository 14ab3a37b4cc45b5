//! Means and conserved sums of populations of 10^2 to 10^5 agents, with fixed seeds.

use acrasin_protocols::library::{
    Averaging, CancelSplit, Cancellation, Contest, FlockOfBirds, LooseLeader, Ranking, Remainder,
    SizeEstimation, SyntheticCoin, Threshold, UndecidedState, Voter,
};
use acrasin_protocols::uniform::{Agreed, Condition, Population, Silent};
use acrasin_protocols::{FiniteProtocol, Table, UniformPairs};
use acrasin_runtime::choice::{Seeded, derived_seed};

use super::changed::{When, agrees, mean, right};

const LIMIT: u64 = 1 << 42;

/// The number of interactions until the condition holds, for each of several runs.
fn times(table: &Table, start: &[u64], runs: u64, condition: &dyn Condition) -> Vec<f64> {
    (0..runs)
        .map(|seed| {
            let mut population = Population::new(table, start, seed).unwrap();
            assert!(population.run_until(condition, LIMIT));
            population.interactions() as f64
        })
        .collect()
}

/// Runs until the condition holds, but for at most 2000 steps of `stride` interactions. Asserts after each step that
/// the weighted sum of the counts is that of the start. Returns the last counts.
fn conserved(
    table: &Table,
    start: &[u64],
    weights: &[i64],
    stride: u64,
    condition: &dyn Condition,
) -> Vec<u64> {
    let sum = |counts: &[u64]| -> i128 {
        counts.iter().zip(weights).map(|(&count, &weight)| i128::from(count) * i128::from(weight)).sum()
    };
    let mut population = Population::new(table, start, 5).unwrap();
    for look in 1..2000 {
        assert_eq!(sum(population.counts()), sum(start));
        if population.run_until(condition, look * stride) {
            break;
        }
    }
    assert_eq!(sum(population.counts()), sum(start));
    population.counts().to_vec()
}

#[test]
fn large_cancellations_take_as_long_as_the_formula_says() {
    for (a, b, runs) in [(600_u64, 400_u64, 100), (5_200, 4_800, 60)] {
        let n = (a + b) as f64;
        let table = right(&Cancellation);
        let none_left = When(|counts: &[u64]| counts[1] == 0);
        let found = times(&table, &[a, b, 0], runs, &none_left);
        let expected: f64 = (1..=b).map(|k| n * (n - 1.0) / (2 * k * (a - b + k)) as f64).sum();
        assert!(agrees(&found, expected), "{:?} {expected}", mean(&found));
        assert!(!agrees(&found, expected * 2.0));
        assert_eq!(conserved(&table, &[a, b, 0], &[1, -1, 0], a + b, &Silent::new(&table))[0], a - b);
    }
}

#[test]
fn large_votes_take_as_long_as_the_formula_says() {
    let table = right(&Voter::new(2).unwrap());
    let (n, a) = (1000_u64, 700_u64);
    let found = times(&table, &[a, n - a], 200, &Agreed::new(&table));
    let early: f64 = (1..=a).map(|j| (n - a) as f64 / (n - j) as f64).sum();
    let late: f64 = (a + 1..n).map(|j| a as f64 / j as f64).sum();
    let expected = (n - 1) as f64 * (early + late);
    assert!(agrees(&found, expected), "{:?} {expected}", mean(&found));
    assert!(!agrees(&found, expected / 2.0));
}

/// The mean sum of squared deviations falls by the factor 1 - 1/(n-1) per interaction, as long as loads are so large
/// that rounding is negligible.
#[test]
fn squares_of_large_loads_decay_as_the_formula_says() {
    let protocol = Averaging::new(4095).unwrap();
    let n = 200_usize;
    let mean_load = 4095.0 / 2.0;
    let squares =
        |loads: &[u16]| -> f64 { loads.iter().map(|&load| (f64::from(load) - mean_load).powi(2)).sum() };
    let start = [vec![0; n / 2], vec![4095; n / 2]].concat();
    for t in [n / 2, n, 3 * n] {
        let found: Vec<f64> = (0..400)
            .map(|seed| {
                let mut pairs = UniformPairs::complete(&protocol, start.clone()).unwrap();
                pairs.run(t as u64, &mut Seeded::new(seed));
                squares(pairs.states())
            })
            .collect();
        let decay = |each: f64| squares(&start) * (1.0 - each / (n - 1) as f64).powi(t as i32);
        assert!(agrees(&found, decay(1.0)), "{t}: {:?} {}", mean(&found), decay(1.0));
        assert!(!agrees(&found, decay(1.1)), "{t}");
    }
}

#[test]
fn a_large_lead_wins_among_five_opinions() {
    for protocol in [UndecidedState::one_way(5).unwrap(), UndecidedState::two_way(5).unwrap()] {
        let table = right(&protocol);
        for seed in 0..10 {
            let start = [28_000, 18_000, 18_000, 18_000, 18_000, 0];
            let mut population = Population::new(&table, &start, seed).unwrap();
            assert!(population.run_until(&Agreed::new(&table), LIMIT));
            assert_eq!(population.counts()[0], 100_000);
            // The time is O(k n log n), here with constant 1.
            assert!((population.interactions() as f64) < 5.0 * 1e5 * 1e5_f64.ln());
        }
    }
}

#[test]
fn the_signed_sum_of_split_votes_is_conserved() {
    let protocol = CancelSplit::new(12).unwrap();
    let weights: Vec<i64> = protocol.states().into_iter().map(|state| protocol.weight(state)).collect();
    for n in [1_000, 100_000] {
        let table = right(&protocol);
        let end = conserved(&table, &protocol.initial_counts(n), &weights, n, &Silent::new(&table));
        assert_eq!(end.iter().sum::<u64>(), n);
    }
}

#[test]
fn the_mean_share_of_large_coins_is_that_of_the_formula() {
    let table = right(&SyntheticCoin);
    for n in [1_000_u64, 100_000] {
        for t in [n / 8, n / 2, 2 * n] {
            let shares: Vec<f64> = (0..60)
                .map(|seed| {
                    let mut population = Population::new(&table, &[n, 0], seed).unwrap();
                    population.run_to(t);
                    population.counts()[1] as f64 / n as f64
                })
                .collect();
            let expected = (1.0 - (1.0 - 4.0 / n as f64).powf(t as f64)) / 2.0;
            assert!(agrees(&shares, expected), "{n}, {t}: {:?} {expected}", mean(&shares));
            // A formula with only one toggle per interaction does not fit.
            assert!(t > n || !agrees(&shares, (1.0 - (1.0 - 2.0 / n as f64).powf(t as f64)) / 2.0));
        }
    }
}

#[test]
fn estimates_of_large_populations_have_the_known_means() {
    let protocol = SizeEstimation::new(64).unwrap();
    let table = right(&protocol);
    for (n, expected, runs) in [(100, 7.9838, 300), (1000, 11.2993, 120)] {
        let found: Vec<f64> = (0..runs)
            .map(|seed| {
                let mut population = Population::new(&table, &protocol.initial_counts(n), seed).unwrap();
                let known = When(|counts: &[u64]| counts[64..].contains(&n));
                assert!(population.run_until(&known, LIMIT));
                (population.counts()[64..].iter().position(|&count| count == n).unwrap() + 1) as f64
            })
            .collect();
        assert!(agrees(&found, expected), "{n}: {:?}", mean(&found));
        assert!(!agrees(&found, expected + 1.0));
    }
}

#[test]
fn leaders_of_large_remainders_merge_in_time_and_answer_rightly() {
    let protocol = Remainder::new(7, 3).unwrap();
    let table = right(&protocol);
    let n = 1000_u64;
    let start = protocol.initial_counts(n, [1, 4]);
    let one = When(|counts: &[u64]| counts[..7].iter().sum::<u64>() == 1);
    let found = times(&table, &start, 120, &one);
    let expected = ((n - 1) * (n - 1)) as f64;
    assert!(agrees(&found, expected), "{:?} {expected}", mean(&found));
    let mut population = Population::new(&table, &start, 1).unwrap();
    let sum = (start[1] + 4 * start[4]) % 7;
    for look in 1..400 {
        population.run_to(look * 50 * n);
        let counts = population.counts();
        assert_eq!((0..7).map(|w| w * counts[w as usize]).sum::<u64>() % 7, sum);
    }
    assert_eq!(population.counts()[sum as usize], 1);
    assert_eq!(population.counts()[if sum == 3 { 7 } else { 8 }], n - 1);
}

#[test]
fn a_large_threshold_is_decided_rightly_and_its_sum_is_conserved() {
    // Of every 5 agents, 3 have weight 2 and the others -3, so the sum is 0.
    for (bound, below) in [(0, false), (1, true)] {
        let protocol = Threshold::new(&[2, -3], bound).unwrap();
        let table = right(&protocol);
        let states = protocol.states();
        let parts: Vec<i64> = states.iter().map(|state| state.part.into()).collect();
        let n = 200;
        let start = protocol.initial_counts(n, [2, -3]);
        let end = conserved(&table, &start, &parts, 20 * n, &When(|_: &[u64]| false));
        assert_eq!((0..).zip(&end).map(|(place, count)| parts[place] * *count as i64).sum::<i64>(), 0);
        // 2000 steps are 200 n^2 interactions. By then the leaders have merged, and every agent has the answer.
        let yes: u64 =
            states.iter().zip(&end).filter(|(state, _)| state.answers).map(|(_, count)| count).sum();
        assert_eq!(yes, if below { n } else { 0 });
    }
}

#[test]
fn large_flocks_notice_five_sick_birds() {
    let n = 10_000;
    for protocol in [FlockOfBirds::sum(5).unwrap(), FlockOfBirds::tower(5).unwrap()] {
        let table = right(&protocol);
        for (sick, alarmed) in [(4, false), (5, true)] {
            let mut start = vec![0; 6];
            (start[0], start[1]) = (n - sick, sick);
            let mut population = Population::new(&table, &start, 1).unwrap();
            assert!(population.run_until(&Silent::new(&table), LIMIT));
            assert_eq!(population.counts()[5], if alarmed { n } else { 0 });
        }
    }
    let protocol = FlockOfBirds::succinct(10).unwrap();
    let table = right(&protocol);
    let values: Vec<i64> = protocol.states().iter().map(|&value| value.into()).collect();
    let mut start = vec![0; 12];
    (start[0], start[1]) = (n - 1023, 1023);
    let end = conserved(&table, &start, &values, n / 2, &When(|_: &[u64]| false));
    assert_eq!(end[11], 0);
    (start[0], start[1]) = (n - 1024, 1024);
    let mut population = Population::new(&table, &start, 1).unwrap();
    assert!(population.run_until(&Silent::new(&table), LIMIT));
    assert_eq!(population.counts()[11], n);
}

#[test]
fn a_hundred_agents_rank_themselves_from_arbitrary_starts() {
    let protocol = Ranking::new(100).unwrap();
    let table = right(&protocol);
    for seed in 0..6 {
        let mut start = vec![0_u64; 100];
        for agent in 0..100 {
            // From all agents in one state, to agents spread over all states.
            start[(derived_seed(seed, agent) % (1 + 20 * seed)) as usize % 100] += 1;
        }
        let mut population = Population::new(&table, &start, seed).unwrap();
        assert!(population.run_until(&Silent::new(&table), LIMIT));
        assert!(population.counts().iter().all(|&count| count == 1));
        assert!(population.interactions() < 20 * 1_000_000);
    }
}

#[test]
fn a_thousand_agents_have_one_loose_leader_soon_and_keep_it() {
    let longest = 120;
    let protocol = LooseLeader::new(longest).unwrap();
    let table = right(&protocol);
    let timers = usize::from(longest) + 1;
    let leads = |counts: &[u64]| counts[..timers].iter().sum::<u64>();
    // Starts: no agent leads, every agent leads, or all roles and timers occur.
    let all_at = |place: usize| {
        let mut start = vec![0; 2 * timers];
        start[place] = 1000;
        start
    };
    let mixed =
        (0..2 * timers).map(|place| if place == 0 { 1000 - (2 * timers as u64 - 1) } else { 1 }).collect();
    for start in [all_at(timers), all_at(2 * timers - 1), all_at(0), mixed] {
        let mut population = Population::new(&table, &start, 3).unwrap();
        // A single leader at the start may not last before the timers have settled.
        population.run_to(10_000 * u64::from(longest));
        assert!(population.run_until(&When(|counts: &[u64]| leads(counts) == 1), 20_000_000));
        let at = population.interactions();
        let lost = population.run_until(&When(|counts: &[u64]| leads(counts) != 1), at + 4_000_000);
        assert!(!lost, "held for {}", population.interactions() - at);
    }
    // With a timer far below log n a single leader does not last.
    let short = LooseLeader::new(3).unwrap();
    let mut start = vec![0; 8];
    (start[3], start[7]) = (1, 999);
    let mut population = Population::new(&right(&short), &start, 3).unwrap();
    assert!(population.run_until(&When(|counts: &[u64]| counts[..4].iter().sum::<u64>() != 1), 20_000_000));
}

#[test]
fn competing_values_elect_much_faster_than_fratricide() {
    let protocol = Contest::new(500).unwrap();
    let table = right(&protocol);
    let leads = |counts: &[u64]| counts[..=500].iter().sum::<u64>();
    for n in [1_000, 10_000] {
        for seed in 0..5 {
            let mut population = Population::new(&table, &protocol.initial_counts(n), seed).unwrap();
            let mut before = n;
            for look in 1..200 {
                population.run_to(look * n / 2);
                let now = leads(population.counts());
                assert!((1..=before).contains(&now));
                let top = population.counts()[501..].iter().rposition(|&count| count > 0).unwrap_or(0);
                let highest = population.counts()[..=500].iter().rposition(|&count| count > 0).unwrap();
                assert!(highest >= top, "a contender has a value that no agent's exceeds");
                before = now;
            }
            assert!(population.run_until(&When(|counts: &[u64]| leads(counts) == 1), n * n / 2));
        }
    }
}
