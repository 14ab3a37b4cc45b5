//! The engines of [`acrasin_protocols::uniform`] against exact Markov chains and against each other.

use acrasin_protocols::exact::ExactChain;
use acrasin_protocols::uniform::{
    Agreed, Condition, GraphPopulation, Mode, Population, Silent, SizeError, TorusShape,
};
use acrasin_protocols::{Missing, Rule, Table, TableSpec};

use super::chi_square::p_value;

/// The smallest accepted p-value: a family-wise error of 1e-6 over a few hundred tests.
const LEAST: f64 = 1e-6 / 400.0;

fn table(states: &[&str], rules: Vec<Rule>) -> Table {
    TableSpec {
        states: states.iter().map(|&name| name.into()).collect(),
        rules,
        default: Some(Missing::Null),
        ..TableSpec::default()
    }
    .build()
    .unwrap()
}

fn symmetric(states: &[&str], rules: &[&str]) -> Table {
    table(states, rules.iter().map(|&text| Rule::Symmetric(text.into())).collect())
}

fn ordered(states: &[&str], rules: &[&str]) -> Table {
    table(states, rules.iter().map(|&text| Rule::Ordered(text.into())).collect())
}

/// Protocols with their names, and the numbers of agents that start in each state, out of 12. Other sizes are scaled in
/// proportion.
fn subjects() -> Vec<(&'static str, Table, Vec<u32>)> {
    vec![
        ("one-way epidemic", ordered(&["S", "I"], &["I + S -> I + I"]), vec![9, 3]),
        ("two-way epidemic", symmetric(&["S", "I"], &["I + S -> I + I"]), vec![9, 3]),
        ("fratricide", ordered(&["L", "F"], &["L + L -> L + F"]), vec![12, 0]),
        ("cancellation", symmetric(&["A", "B", "0"], &["A + B -> 0 + 0"]), vec![7, 5, 0]),
        (
            "approximate majority",
            symmetric(&["A", "B", "U"], &["A + B -> U + U", "A + U -> A + A", "B + U -> B + B"]),
            vec![7, 5, 0],
        ),
        (
            "one-way approximate majority",
            ordered(
                &["A", "B", "U"],
                &["A + B -> A + U", "B + A -> B + U", "A + U -> A + A", "B + U -> B + B"],
            ),
            vec![7, 5, 0],
        ),
        (
            "rock, paper, scissors",
            symmetric(&["R", "P", "S"], &["R + S -> R + R", "S + P -> S + S", "P + R -> P + P"]),
            vec![4, 4, 4],
        ),
        (
            "randomised",
            table(
                &["A", "B", "C"],
                vec![
                    Rule::Randomised(
                        "A + B".into(),
                        vec![(1, "B + A".into()), (2, "C + C".into()), (4, "A + A".into())],
                    ),
                    Rule::SymmetricRandomised("C + A".into(), vec![(3, "A + B".into()), (5, "C + A".into())]),
                    Rule::Ordered("C + C -> A + B".into()),
                ],
            ),
            vec![5, 4, 3],
        ),
    ]
}

/// The frequency of each configuration of the exact chain after `interactions`.
fn observed(
    table: &Table,
    start: &[u32],
    chain: &ExactChain,
    interactions: u64,
    runs: u64,
    mut run: impl FnMut(Population) -> Population,
) -> Vec<u64> {
    let counts: Vec<u64> = start.iter().map(|&count| count.into()).collect();
    let mut seen = vec![0; chain.configurations().len()];
    for seed in 0..runs {
        let mut population = run(Population::new(table, &counts, seed).unwrap());
        population.run_to(interactions);
        let now: Vec<u32> = population.counts().iter().map(|&count| count as u32).collect();
        seen[chain.configurations().iter().position(|known| *known == now).unwrap()] += 1;
    }
    seen
}

/// Scales `start` to this many agents.
fn sized(start: &[u32], agents: u32) -> Vec<u32> {
    let total: u32 = start.iter().sum();
    let mut sized: Vec<u32> = start.iter().map(|count| count * agents / total).collect();
    sized[0] += agents - sized.iter().sum::<u32>();
    sized
}

/// The configurations in the middle of an epoch have the law of the exact chain.
#[test]
fn the_inside_of_an_epoch_has_the_law_of_the_exact_chain() {
    for (name, table, start) in subjects() {
        let start = sized(&start, 40);
        let chain = ExactChain::explore(&table, &start).unwrap();
        for mode in [Mode::Epochs, Mode::ShuffledEpochs] {
            for interactions in [3, 7, 16] {
                let expected = chain.distribution_after(interactions);
                let seen = observed(&table, &start, &chain, interactions, 4000, |p| p.with_mode(mode));
                let p = p_value(&seen, &expected);
                assert!(p > LEAST, "{name}, after {interactions}, {mode:?}: p = {p:e}");
            }
        }
    }
}

/// The test of engines must reject a slightly wrong sampler, in which one run in twenty has one interaction too many.
#[test]
fn a_biased_engine_is_rejected() {
    let (_, table, start) = subjects().swap_remove(4);
    let start = sized(&start, 12);
    let chain = ExactChain::explore(&table, &start).unwrap();
    let expected = chain.distribution_after(9);
    let mut number = 0;
    let counts: Vec<u64> = start.iter().map(|&count| count.into()).collect();
    let mut seen = vec![0; chain.configurations().len()];
    for seed in 0..200_000 {
        number += 1;
        let mut population = Population::new(&table, &counts, seed).unwrap();
        population.run_to(9 + u64::from(number % 20 == 0));
        let now: Vec<u32> = population.counts().iter().map(|&count| count as u32).collect();
        seen[chain.configurations().iter().position(|known| *known == now).unwrap()] += 1;
    }
    assert!(p_value(&seen, &expected) < LEAST);
}

#[test]
fn a_run_is_the_same_however_often_it_is_looked_at() {
    for (name, table, start) in subjects() {
        for (agents, interactions) in [(1000, 5000), (3_000_000, 4_000_000)] {
            let start: Vec<u64> = sized(&start, agents).iter().map(|&count| count.into()).collect();
            for mode in [None, Some(Mode::Epochs), Some(Mode::Array), Some(Mode::Active), Some(Mode::Urn)] {
                if matches!(mode, Some(Mode::Active | Mode::Urn)) && agents > 1000 {
                    continue;
                }
                let allows = |mode| Population::new(&table, &start, 3).unwrap().allows(mode);
                if mode.is_some_and(|mode| !allows(mode)) {
                    continue;
                }
                let new = || {
                    let population = Population::new(&table, &start, 3).unwrap();
                    if let Some(mode) = mode { population.with_mode(mode) } else { population }
                };
                let mut whole = new();
                whole.run_to(interactions);
                let mut looked = new();
                let mut history = Vec::new();
                for step in 1..=37 {
                    looked.run_to(interactions * step / 37);
                    history.push((looked.interactions(), looked.counts().to_vec()));
                }
                assert_eq!(whole.counts(), looked.counts(), "{name}, {agents}, {mode:?}");
                // Looks at other times. Counts must agree wherever both runs were looked at.
                let mut other = new();
                for step in 1..=74 {
                    other.run_to(interactions * step / 74);
                    if step % 2 == 0 && interactions * step / 74 == history[step as usize / 2 - 1].0 {
                        assert_eq!(
                            other.counts(),
                            history[step as usize / 2 - 1].1,
                            "{name}, {mode:?}, {step}"
                        );
                    }
                }
                assert_eq!(whole.counts(), other.counts(), "{name}, {agents}, {mode:?}");
            }
        }
    }
}

/// A condition without [`Condition::possible`], so it is evaluated after every interaction.
struct Everywhere<'a>(&'a dyn Condition);

impl Condition for Everywhere<'_> {
    fn holds(&self, counts: &[u64]) -> bool {
        self.0.holds(counts)
    }
}

#[test]
fn a_run_stops_where_the_condition_first_holds() {
    struct Level(u64);
    impl Condition for Level {
        fn holds(&self, counts: &[u64]) -> bool {
            counts[1] == self.0
        }
        fn possible(&self, least: &[u64], most: &[u64]) -> bool {
            (least[1]..=most[1]).contains(&self.0)
        }
    }
    for (name, table, start) in subjects() {
        let start: Vec<u64> = sized(&start, 600).iter().map(|&count| count.into()).collect();
        let conditions: [Box<dyn Condition>; 3] =
            [Box::new(Agreed::new(&table)), Box::new(Silent::new(&table)), Box::new(Level(start[1] / 2 + 3))];
        for mode in [
            None,
            Some(Mode::Epochs),
            Some(Mode::ShuffledEpochs),
            Some(Mode::Active),
            Some(Mode::Array),
            Some(Mode::Urn),
        ] {
            let allows = |mode| Population::new(&table, &start, 11).unwrap().allows(mode);
            if mode.is_some_and(|mode| !allows(mode)) {
                continue;
            }
            for condition in &conditions {
                let new = || {
                    let population = Population::new(&table, &start, 11).unwrap();
                    if let Some(mode) = mode { population.with_mode(mode) } else { population }
                };
                let (mut quick, mut plain, mut single) = (new(), new(), new());
                let limit = 6000;
                let held = quick.run_until(&**condition, limit);
                assert_eq!(held, plain.run_until(&Everywhere(&**condition), limit), "{name} {mode:?}");
                assert_eq!(quick.interactions(), plain.interactions(), "{name} {mode:?}");
                assert_eq!(quick.counts(), plain.counts(), "{name} {mode:?}");
                // Checks the condition after every interaction.
                while !condition.holds(single.counts()) && single.interactions() < limit {
                    single.run(1);
                }
                assert_eq!(single.interactions(), quick.interactions(), "{name} {mode:?}");
                assert_eq!(single.counts(), quick.counts(), "{name} {mode:?}");
            }
        }
    }
}

/// Mean times agree with the closed formulas of the catalogue, and disagree with formulas of other protocols.
#[test]
fn mean_times_are_those_of_the_formulas() {
    let harmonic = |n: u64| (1..=n).map(|k| 1.0 / k as f64).sum::<f64>();
    let one_way = ordered(&["S", "I"], &["I + S -> I + I"]);
    let two_way = symmetric(&["S", "I"], &["I + S -> I + I"]);
    let fratricide = ordered(&["L", "F"], &["L + L -> L + F"]);
    for (n, runs) in [(1_000_u64, 400_u64), (100_000, 60), (1_000_000, 10)] {
        let mean = |table: &Table, start: &[u64]| {
            let total: u64 = (0..runs)
                .map(|seed| {
                    let mut population = Population::new(table, start, seed).unwrap();
                    assert!(population.run_until(&Silent::new(table), u64::MAX));
                    population.interactions()
                })
                .sum();
            total as f64 / runs as f64
        };
        let size = n as f64;
        // The standard deviation of the mean over all runs, each a sum of geometric times.
        let deviation = |directions: u64| {
            let chance = |i: u64| (directions * i * (n - i)) as f64 / (n * (n - 1)) as f64;
            let variance: f64 = (1..n).map(chance).map(|p| (1.0 - p) / (p * p)).sum();
            (variance / runs as f64).sqrt()
        };
        let expected = (size - 1.0) * harmonic(n - 1);
        let found = mean(&one_way, &[n - 1, 1]);
        assert!((found - 2.0 * expected).abs() < 5.0 * deviation(1), "{n}: {found} {expected}");
        assert!((found - expected).abs() > 5.0 * deviation(1), "{n}: {found} {expected}");
        let found = mean(&two_way, &[n - 1, 1]);
        assert!((found - expected).abs() < 5.0 * deviation(2), "{n}: {found} {expected}");
        assert!((found - 2.0 * expected).abs() > 5.0 * deviation(2), "{n}: {found} {expected}");
        let expected = (size - 1.0) * (size - 1.0);
        let found = mean(&fratricide, &[n, 0]);
        let deviation = 0.538 * size * size / (runs as f64).sqrt();
        assert!((found - expected).abs() < 5.0 * deviation, "{n}: {found} {expected}");
        // If an encounter of two leaders left one in either order with twice the probability, the time would be half as
        // long.
        assert!(runs < 60 || (found - expected / 2.0).abs() > 5.0 * deviation, "{n}: {found} {expected}");
    }
}

/// For rock, paper, scissors the product of the three counts falls by the factor 1 - 6 / (n(n-1)) per interaction, on
/// average.
#[test]
fn the_product_of_rock_paper_and_scissors_decays_as_the_formula_says() {
    let table = symmetric(&["R", "P", "S"], &["R + S -> R + R", "S + P -> S + S", "P + R -> P + P"]);
    for (n, interactions, runs) in [(1_000_u64, 83_000_u64, 2000_u64), (4_000, 1_280_000, 60)] {
        let start = [4 * n / 10, 3 * n / 10, 3 * n / 10];
        let product = |counts: &[u64]| counts.iter().map(|&count| count as f64 / n as f64).product::<f64>();
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut population = Population::new(&table, &start, 0).unwrap();
        for seed in 0..runs {
            population.restart(&start, seed).unwrap();
            population.run_to(interactions);
            let found = product(population.counts());
            (sum, squares) = (sum + found, squares + found * found);
        }
        let mean = sum / runs as f64;
        let deviation = ((squares / runs as f64 - mean * mean) / runs as f64).sqrt();
        let after = |interactions: u64| {
            product(&start) * (interactions as f64 * (-6.0 / (n * (n - 1)) as f64).ln_1p()).exp()
        };
        assert!((mean - after(interactions)).abs() < 5.0 * deviation, "{n}: {mean} {deviation}");
        // The test would notice if there were no decay.
        assert!((mean - after(0)).abs() > 5.0 * deviation, "{n}: {mean} {deviation}");
    }
}

/// The result does not depend on the number of threads that draw skeletons in advance, nor on observations and stops.
/// All runs have the same states and continue in the same way.
#[test]
fn a_run_is_the_same_on_any_number_of_threads() {
    let on_threads = |threads: usize, run: &(dyn Fn() -> Vec<Vec<u8>> + Sync)| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
    };
    let names: Vec<String> = (0..40).map(|state| format!("s{state}")).collect();
    let rules = (0..40).flat_map(|a| {
        (0..40).map(move |b| {
            Rule::Ordered(format!("s{a} + s{b} -> s{} + s{}", (3 * a + b) % 40, (a + 7 * b) % 37))
        })
    });
    let many = table(&names.iter().map(String::as_str).collect::<Vec<_>>(), rules.collect());
    let few = subjects().into_iter().map(|(name, table, start)| (name, table, start, None));
    let shuffled = ("forty states", many.clone(), (1..=40).collect(), Some(Mode::ShuffledEpochs));
    let in_a_row = ("forty states in a row", many, (1..=40).collect(), Some(Mode::Array));
    for (name, table, start, mode) in few.chain([shuffled, in_a_row]) {
        let agents = 1 << 20;
        assert!(Population::uses_threads(agents) && !Population::uses_threads(1000));
        let start: Vec<u64> = sized(&start, agents as u32).iter().map(|&count| count.into()).collect();
        let run = || {
            let new = |seed| {
                let population = Population::new(&table, &start, seed).unwrap();
                if let Some(mode) = mode { population.with_mode(mode) } else { population }
            };
            let mut saved = Vec::new();
            let mut looked_at = new(7);
            for interactions in [1, 5_000, 5_001, 1 << 20, 3 << 20] {
                looked_at.run_to(interactions);
                saved.push(looked_at.save());
            }
            let mut stopped = new(7);
            stopped.run_until(&Silent::new(&table), 3 << 20);
            saved.push(stopped.save());
            saved.push(stopped.counts().iter().flat_map(|count| count.to_le_bytes()).collect());
            let mut other = new(8);
            other.run_to(3 << 20);
            saved.push(other.save());
            saved
        };
        let alone = on_threads(1, &run);
        // Two seeds give two runs.
        assert_ne!(alone[4], alone[7], "{name}");
        for threads in [2, 3, 7] {
            assert!(alone == on_threads(threads, &run), "{name}, {threads} threads");
        }
    }
}

/// Edges drawn in advance on other threads equal those drawn on one thread. This holds whether a run asks for states,
/// for counts or for its end.
#[test]
fn a_run_on_a_graph_is_the_same_on_any_number_of_threads() {
    let (_, table, _) = subjects().swap_remove(4);
    let agents = 1_u32 << 18;
    assert!(GraphPopulation::uses_threads(agents.into()) && !GraphPopulation::uses_threads(1000));
    let states: Vec<u16> = (0..u64::from(agents)).map(|agent| (agent * agent % 5 % 2) as u16).collect();
    let shape = TorusShape::Torus { rows: 1 << 9, columns: 1 << 9 };
    let chords: Vec<[u32; 2]> = (0..agents - 1).map(|agent| [agent, agent + 1 + agent % 2]).collect();
    let run = |is_torus: bool, seed: u64| {
        let on_torus = GraphPopulation::on_torus(&table, &states, shape, seed);
        let on_chords = || GraphPopulation::new(&table, &states, chords.clone(), seed);
        let mut population = if is_torus { on_torus } else { on_chords() }.unwrap();
        let mut saved = Vec::new();
        for interactions in [100_000, 300_001, 1_300_000, 1_300_500] {
            population.run_to(interactions);
            saved.push(population.save());
        }
        let mut restored = GraphPopulation::restore(&table, &saved[2]).unwrap();
        restored.run_to(1_300_500);
        assert!(restored.save() == saved[3]);
        let mut copy = population.clone();
        copy.run_until(&Silent::new(&table), 2_000_000);
        population.run_to(2_000_000);
        assert!(copy.save() == population.save());
        saved.push(population.save());
        saved
    };
    for is_torus in [true, false] {
        let on_threads = |threads: usize, seed| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| run(is_torus, seed))
        };
        let alone = on_threads(1, 7);
        assert!(alone != on_threads(2, 8));
        for threads in [2, 3, 7] {
            assert!(alone == on_threads(threads, 7), "{is_torus}, {threads} threads");
        }
    }
}

/// A restarted population equals a new one, regardless of its earlier run.
#[test]
fn a_restarted_population_is_a_new_one() {
    for (name, table, start) in subjects() {
        for (agents, interactions) in [(100, 500), (3_000_000, 500_000)] {
            let start: Vec<u64> = sized(&start, agents).iter().map(|&count| count.into()).collect();
            let mut used = Population::new(&table, &start, 1).unwrap().with_mode(Mode::Active);
            used.run_to(1001);
            for seed in [1, 2] {
                used.restart(&start, seed).unwrap();
                let mut new = Population::new(&table, &start, seed).unwrap();
                for look in 1..=20 {
                    used.run_to(interactions * look / 20);
                    new.run_to(interactions * look / 20);
                    assert_eq!(
                        (used.counts(), used.mode()),
                        (new.counts(), new.mode()),
                        "{name}, {agents}, {look}"
                    );
                }
            }
            assert!(used.restart(&start[1..], 1).is_err());
        }
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let table = ordered(&["S", "I"], &["I + S -> I + I"]);
    let refusal = |counts: &[u64]| Population::new(&table, counts, 1).unwrap_err().to_string();
    assert_eq!(refusal(&[1]), "given: 1 count for 2 states (accepted: one count per state)");
    assert_eq!(refusal(&[1, 0]), "a population of 1 agent (accepted: 2 to 9007199254740992)");
    assert!(refusal(&[u64::MAX, 1]).starts_with("a population of 18446744073709551616 agents"));
}

/// A population on a graph with the pairs of the complete graph as its edges has the distribution of the exact chain.
#[test]
fn edges_of_the_complete_graph_have_the_law_of_the_exact_chain() {
    for (name, table, start) in subjects() {
        for (agents, interactions) in [(5, 4), (12, 30)] {
            let start = sized(&start, agents);
            let chain = ExactChain::explore(&table, &start).unwrap();
            let states: Vec<u16> =
                (0..).zip(&start).flat_map(|(s, &n)| std::iter::repeat_n(s, n as usize)).collect();
            let edges: Vec<[u32; 2]> = (0..agents).flat_map(|v| (0..v).map(move |u| [u, v])).collect();
            let mut seen = vec![0; chain.configurations().len()];
            for seed in 0..4000 {
                let mut population = GraphPopulation::new(&table, &states, edges.clone(), seed).unwrap();
                population.run_to(interactions);
                let now: Vec<u32> = population.counts().iter().map(|&count| count as u32).collect();
                seen[chain.configurations().iter().position(|known| *known == now).unwrap()] += 1;
            }
            let p = p_value(&seen, &chain.distribution_after(interactions));
            assert!(p > LEAST, "{name}, {agents} agents: p = {p:e}");
        }
    }
}

/// Two tokens on a ring meet after (n/4)(d(n-d) + n-1) interactions on average. Then one of them is left.
#[test]
fn tokens_on_a_ring_meet_as_the_formula_says() {
    let table = symmetric(&["0", "T"], &["T + 0 -> 0 + T", "T + T -> T + 0"]);
    let (n, distance, runs) = (12_u32, 5_u32, 4000_u64);
    let edges: Vec<[u32; 2]> = (0..n).map(|agent| [agent, (agent + 1) % n]).collect();
    let mut states = vec![0_u16; n as usize];
    (states[0], states[distance as usize]) = (1, 1);
    struct One;
    impl Condition for One {
        fn holds(&self, counts: &[u64]) -> bool {
            counts[1] == 1
        }
    }
    let (mut sum, mut squares) = (0.0, 0.0);
    for seed in 0..runs {
        let mut population = GraphPopulation::new(&table, &states, edges.clone(), seed).unwrap();
        assert!(population.run_until(&One, u64::MAX));
        let time = population.interactions() as f64;
        (sum, squares) = (sum + time, squares + time * time);
    }
    let mean = sum / runs as f64;
    let deviation = ((squares / runs as f64 - mean * mean) / runs as f64).sqrt();
    let expected = f64::from(n) / 4.0 * f64::from(distance * (n - distance) + n - 1);
    assert!((mean - expected).abs() < 5.0 * deviation, "{mean} {expected} {deviation}");
}

#[test]
fn a_run_on_a_graph_is_the_same_however_often_it_is_looked_at() {
    let table = subjects().swap_remove(4).1;
    let states: Vec<u16> = (0..1000).map(|agent| agent % 2).collect();
    let edges: Vec<[u32; 2]> =
        (0..1000).map(|agent| [agent, (agent * 7 + 1) % 1000]).filter(|[u, v]| u != v).collect();
    let new = || GraphPopulation::new(&table, &states, edges.clone(), 4).unwrap();
    let (mut whole, mut looked, mut asked) = (new(), new(), new());
    whole.run_to(20_000);
    for step in 1..=31 {
        looked.run_to(20_000 * step / 31);
    }
    struct Never;
    impl Condition for Never {
        fn holds(&self, _: &[u64]) -> bool {
            false
        }
    }
    assert!(!asked.run_until(&Never, 20_000));
    for agent in 0..1000 {
        assert_eq!(whole.state(agent), looked.state(agent));
        assert_eq!(whole.state(agent), asked.state(agent));
    }
    assert_eq!((whole.counts(), whole.counts()), (looked.counts(), asked.counts()));
    assert_eq!(GraphPopulation::new(&table, &states, vec![[3, 3]], 1).unwrap_err(), SizeError::WrongEdges);
}

/// Edges computed from numbers equal those of the sorted list: the same agents interact at the same times.
#[test]
fn a_torus_without_a_list_of_edges_is_the_torus_with_one() {
    let (rows, columns) = (7_u32, 11_u32);
    let torus = (0..rows).flat_map(|row| {
        (0..columns).flat_map(move |column| {
            let agent = row * columns + column;
            [[agent, row * columns + (column + 1) % columns], [agent, (row + 1) % rows * columns + column]]
        })
    });
    let ring = (0..rows * columns).map(|agent| [agent, (agent + 1) % (rows * columns)]);
    for (shape, edges) in [
        (TorusShape::Torus { rows, columns }, torus.collect::<Vec<_>>()),
        (TorusShape::Ring { nodes: rows * columns }, ring.collect()),
    ] {
        let mut edges: Vec<[u32; 2]> = edges.iter().map(|&[u, v]| [u.min(v), u.max(v)]).collect();
        edges.sort_unstable();
        for (name, table, _) in subjects() {
            let states: Vec<u16> = (0..77).map(|agent| agent * agent % table.state_count()).collect();
            let mut listed = GraphPopulation::new(&table, &states, edges.clone(), 5).unwrap();
            let mut computed = GraphPopulation::on_torus(&table, &states, shape, 5).unwrap();
            for interactions in [0, 1, 100, 3000] {
                listed.run_to(interactions);
                computed.run_to(interactions);
                assert!(
                    (0..77).all(|agent| listed.state(agent) == computed.state(agent)),
                    "{name}, {shape:?}"
                );
                assert_eq!(
                    (listed.edge_count(), listed.is_silent()),
                    (computed.edge_count(), computed.is_silent())
                );
            }
        }
    }
    let table = subjects().swap_remove(0).1;
    let refused = |states: &[u16], shape| GraphPopulation::on_torus(&table, states, shape, 1).unwrap_err();
    assert_eq!(refused(&[0; 6], TorusShape::Torus { rows: 2, columns: 3 }), SizeError::WrongEdges);
    assert_eq!(refused(&[0; 6], TorusShape::Ring { nodes: 5 }), SizeError::WrongSize { agents: 6 });
}

/// On a torus large enough for strips, stops, observations and threads do not change a run. A run stops exactly where
/// its condition first holds.
#[test]
fn a_large_torus_is_one_run_however_it_is_stopped() {
    let (name, table, _) = subjects().swap_remove(4);
    assert_eq!(name, "approximate majority");
    let shape = TorusShape::Torus { rows: 1 << 9, columns: 1 << 13 };
    assert!(GraphPopulation::has_strips(&table, shape));
    let states: Vec<u16> = (0..1_u64 << 22).map(|agent| (agent * agent % 5 % 2) as u16).collect();
    let new = || GraphPopulation::on_torus(&table, &states, shape, 3).unwrap();
    struct Undecided(u64);
    impl Condition for Undecided {
        fn holds(&self, counts: &[u64]) -> bool {
            counts[2] >= self.0
        }
        fn possible(&self, _least: &[u64], most: &[u64]) -> bool {
            most[2] >= self.0
        }
    }
    let wanted = Undecided(300_000);
    let mut stopped = new();
    assert!(stopped.run_until(&wanted, 1 << 30));
    let end = stopped.interactions();
    // Two agents become undecided at a time.
    assert!((300_000..=300_001).contains(&stopped.counts()[2]));
    let mut whole = new();
    whole.run_to(end - 1);
    assert!(!wanted.holds(whole.counts()));
    whole.run_to(end);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut pieces = new();
    pool.install(|| (1..=7).for_each(|piece| pieces.run_to(end * piece / 7)));
    for population in [&stopped, &pieces] {
        assert_eq!(population.counts(), whole.counts());
        assert!((0..1 << 22).all(|agent| population.state(agent) == whole.state(agent)));
    }
    assert_eq!(whole.counts().iter().sum::<u64>(), 1 << 22);
    assert!(!whole.is_silent());
    // A restored run continues as the original.
    let mut restored = GraphPopulation::restore(&table, &whole.save()).unwrap();
    assert!(restored.save() == whole.save());
    for population in [&mut restored, &mut whole] {
        population.run_to(end + 1_000_001);
    }
    assert!(restored.save() == whole.save());
    assert_ne!(whole.counts(), stopped.counts());
}

/// Most of the first interactions of an epidemic change nothing; later nearly each one changes a state. If the length
/// of a stretch depended only on its start, one stretch would last for the whole epidemic: some ten seconds at 10^12
/// agents.
#[test]
fn a_stretch_ends_where_more_changes_than_when_it_was_measured() {
    let table = symmetric(&["S", "I"], &["I + S -> I + I"]);
    let start = |seed| Population::new(&table, &[100_000_000 - 1, 1], seed).unwrap();
    let silent = Silent::new(&table);
    for seed in [1, 2] {
        let (mut run, mut stretches) = (start(seed), 0);
        loop {
            let (mode, before) = (run.mode(), run.counts().to_vec());
            let limit = run.interactions() + run.stretch();
            if run.run_stretch(Some(&silent), limit) {
                break;
            }
            let changed = run.counts().iter().zip(&before).map(|(now, before)| now.abs_diff(*before)).max();
            assert!(
                mode != Mode::Active || changed <= Some(1 << 16),
                "{changed:?} at {}",
                run.interactions()
            );
            stretches += 1;
        }
        assert!(stretches > 4, "{stretches} stretches");
        // The same run, without stretches.
        let mut whole = start(seed);
        assert!(whole.run_until(&silent, u64::MAX));
        assert_eq!((whole.interactions(), whole.counts()), (run.interactions(), run.counts()));
    }
}
