//! Population checks compared with other code: the Markov chain of the same protocol, and the same graph node by
//! node.

use std::ops::ControlFlow;

use acrasin_explore::Limits;
use acrasin_protocols::exact::ExactChain;
use acrasin_protocols::predicate::Predicate;
use acrasin_protocols::{Missing, Rule, Table, TableSpec};
use acrasin_verify::population::{Answers, CheckedPopulation, Claim, ClaimOutcome, check, inputs};
use proptest::prelude::*;

const STATES: [&str; 3] = ["A", "B", "C"];

/// A three-state table from the outcome of each ordered pair; some pairs draw between two outcomes.
fn table(cells: &[([usize; 2], Option<[usize; 2]>)]) -> Table {
    let pairs = STATES.iter().flat_map(|a| STATES.iter().map(move |b| format!("{a} + {b}")));
    let outcome = |[a, b]: [usize; 2]| format!("{} + {}", STATES[a], STATES[b]);
    let rules =
        pairs.zip(cells).map(|(pair, &(first, second))| match second.filter(|second| *second != first) {
            Some(second) => Rule::Randomised(pair, vec![(1, outcome(first)), (2, outcome(second))]),
            None => Rule::Ordered(format!("{pair} -> {}", outcome(first))),
        });
    let outputs = [("A", "yes"), ("B", "no"), ("C", "no")];
    let spec = TableSpec {
        states: STATES.map(String::from).to_vec(),
        outputs: outputs.map(|(state, output)| (state.to_owned(), output.to_owned())).into(),
        rules: rules.collect(),
        default: Some(Missing::Null),
        ..TableSpec::default()
    };
    spec.build().unwrap()
}

/// A fair run of a finite protocol is eventually right with probability 1 exactly if it can become right from every
/// reachable configuration.
fn by_the_chain(table: &Table, claim: &Claim, agents: u32) -> bool {
    inputs(agents, 3).all(|input| {
        let wide = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).collect::<Vec<_>>();
        let value = claim.value(&wide(&input));
        let chain = ExactChain::explore(table, &input).unwrap();
        let right = chain.forever(|counts| claim.is_right(&wide(counts), value));
        chain.can_reach(&right).into_iter().all(|can| can)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_chain_agrees(
        cells in prop::collection::vec(
            (any::<[prop::sample::Index; 2]>(), prop::option::weighted(0.2, any::<[prop::sample::Index; 2]>())),
            9,
        ),
        // In protocols that terminate, most pairs do nothing.
        active in prop::collection::vec(prop::bool::weighted(0.4), 9),
        which in 0..6_usize,
    ) {
        let place = |indices: [prop::sample::Index; 2]| indices.map(|index| index.index(3));
        let cells: Vec<_> = cells
            .into_iter()
            .zip(active)
            .enumerate()
            .map(|(pair, ((first, second), active))| {
                if active { (place(first), second.map(place)) } else { ([pair / 3, pair % 3], None) }
            })
            .collect();
        let table = table(&cells);
        let read = |text: &str| Predicate::parse(text).unwrap();
        let claim = match which {
            0 => Claim::eventually(&table, &read("A = n or B = n or C = n")),
            1 => Claim::eventually(&table, &read("output(yes) mod 2 = 0")),
            2 => Claim::eventually(&table, &read("A + B >= C")),
            3 => Claim::computes(&table, &read("A > 0"), &Answers::by_name(&table).unwrap()),
            4 => Claim::computes(&table, &read("A > B + C"), &Answers::by_name(&table).unwrap()),
            _ => Claim::computes(&table, &read("A = n"), &Answers::by_name(&table).unwrap()),
        }
        .unwrap();
        for agents in 2..=4 {
            let expected = by_the_chain(&table, &claim, agents);
            let pairs = (0..agents).flat_map(|u| (u + 1..agents).map(move |v| [u, v])).collect();
            let same = [CheckedPopulation::complete(agents).unwrap(), CheckedPopulation::graph(agents, pairs).unwrap()];
            let mut counterexamples = Vec::new();
            for population in same {
                let limits = Limits::bytes(1 << 28);
                let report = check(&table, &claim, &[0, 1, 2], &[population], &limits, |_| ControlFlow::Continue(()));
                match report.outcome {
                    ClaimOutcome::Holds => prop_assert!(expected, "{agents} agents"),
                    ClaimOutcome::Fails(wrong) => {
                        prop_assert!(!expected, "{}", wrong.describe(&table, claim.text()));
                        prop_assert!(!claim.is_right(&wrong.bottom.wrong.counts, wrong.value));
                        counterexamples.push(*wrong);
                    }
                    other => prop_assert!(false, "{other:?}"),
                }
            }
            if let [by_counts, by_nodes] = &counterexamples[..] {
                // Exchanging states counts as an interaction only between nodes, and leads to no other end.
                prop_assert_eq!(by_counts.run.len(), by_nodes.run.len());
            }
        }
    }
}

/// The comparison can fail: with another predicate the chain gives another answer for this table.
#[test]
fn the_chain_can_disagree() {
    let nothing: Vec<_> = (0..9).map(|pair| ([pair / 3, pair % 3], None)).collect();
    let table = table(&nothing);
    let claim = |text: &str| Claim::eventually(&table, &Predicate::parse(text).unwrap()).unwrap();
    assert!(by_the_chain(&table, &claim("n > 0"), 3));
    assert!(!by_the_chain(&table, &claim("A = n or B = n or C = n"), 3));
}
