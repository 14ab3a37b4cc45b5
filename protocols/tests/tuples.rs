//! Interactions of several agents at a time, against the exact chain.

use std::collections::BTreeMap;

use acrasin_protocols::tuple::{TuplePopulation, TupleRule, TupleTable};
use acrasin_protocols::uniform::SizeError;

use super::chi_square::p_value;

const LEAST: f64 = 1e-8;

fn majority_of_three() -> TupleTable {
    let rules = [
        TupleRule::Symmetric("A + A + B -> A + A + A".into()),
        TupleRule::Symmetric("A + B + B -> B + B + B".into()),
        TupleRule::Ordered("B + B + B -> A + B + B".into()),
    ];
    TupleTable::new(&["A", "B"], 3, &rules).unwrap()
}

/// The distribution of the number of agents in A after this many interactions, over all ordered triples of different
/// agents.
fn law(agents: u64, start: u64, interactions: u32, may_repeat: bool) -> Vec<f64> {
    let mut now = BTreeMap::from([(start, 1.0)]);
    for _ in 0..interactions {
        let mut then = BTreeMap::new();
        for (of_a, share) in now {
            let mut triples = Vec::new();
            for i in 0..agents {
                for j in 0..agents {
                    for k in 0..agents {
                        if may_repeat || (i != j && j != k && i != k) {
                            triples.push([i, j, k].map(|agent| agent < of_a));
                        }
                    }
                }
            }
            for triple in &triples {
                let next = match triple.iter().filter(|&&is_a| is_a).count() {
                    0 => of_a + 1,
                    1 => of_a - 1,
                    2 => (of_a + 1).min(agents),
                    _ => of_a,
                };
                *then.entry(next).or_insert(0.0) += share / triples.len() as f64;
            }
        }
        now = then;
    }
    (0..=agents).map(|of_a| now.get(&of_a).copied().unwrap_or(0.0)).collect()
}

#[test]
fn triples_have_the_law_of_the_exact_chain() {
    let table = majority_of_three();
    let mut observed = vec![0; 7];
    for seed in 0..30_000 {
        let mut population = TuplePopulation::new(&table, &[3, 3], seed).unwrap();
        population.run_to(5);
        observed[population.counts()[0] as usize] += 1;
    }
    let right = p_value(&observed, &law(6, 3, 5, false));
    assert!(right > LEAST, "{right}");
    // Triples with repeated agents, and one interaction too many.
    assert!(p_value(&observed, &law(6, 3, 5, true)) < LEAST);
    assert!(p_value(&observed, &law(6, 3, 6, false)) < LEAST);
}

#[test]
fn stops_change_nothing_and_too_few_are_refused() {
    let table = majority_of_three();
    let mut whole = TuplePopulation::new(&table, &[40, 60], 3).unwrap();
    whole.run_to(1000);
    let mut often = TuplePopulation::new(&table, &[40, 60], 3).unwrap();
    for interactions in (0..=1000).step_by(7).chain([1000]) {
        often.run_to(interactions);
    }
    assert_eq!(whole.counts(), often.counts());
    assert!(matches!(TuplePopulation::new(&table, &[1, 1], 1), Err(SizeError::WrongSize { agents: 2 })));
    assert!(matches!(TuplePopulation::new(&table, &[1], 1), Err(SizeError::WrongLength { .. })));
}
