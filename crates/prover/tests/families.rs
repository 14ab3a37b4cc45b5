//! Families of protocols and protocols made by hand, compared with exhaustive exploration.

use acrasin_protocols::Protocol as _;
use acrasin_protocols::predicate::Predicate;
use acrasin_prover::{EverySize, ProofLimits, SmallerPopulations, prove};

use crate::FAMILIES;
use crate::exhaustive::ExploredClaim;
use crate::rows::{CorpusRow, claim, rows, table};

/// The largest population that is explored.
const LARGEST: u64 = 7;

/// The size of the smallest input with a wrong end, by exploration.
fn smallest_wrong(row: &CorpusRow) -> Option<u64> {
    let (table, inputs) = table(&row.protocol);
    let names = table.state_names().to_vec();
    let outputs: Vec<String> =
        table.states().map(|state| table.output_name(table.output(state)).to_owned()).collect();
    let parse = |text: &Option<String>, outputs: &[String]| {
        text.as_ref().map(|text| Predicate::parse(text).unwrap().bind(&names, outputs).unwrap())
    };
    let (given, predicate) = (parse(&row.given, &names), parse(&row.predicate, &names));
    let eventually = parse(&row.eventually, &outputs);
    let is_right = |input: &[u64], counts: &[u64]| match (&eventually, &predicate) {
        (Some(condition), _) => condition.holds(counts),
        (None, Some(predicate)) => {
            let word = if predicate.holds(input) { "yes" } else { "no" };
            counts.iter().zip(&outputs).all(|(&count, output)| count == 0 || output == word)
        }
        (None, None) => panic!("{}: no claim", row.name),
    };
    let covers = |input: &[u64]| given.as_ref().is_none_or(|given| given.holds(input));
    ExploredClaim { table: &table, inputs: &inputs, covers: &covers, is_right: &is_right }
        .smallest_wrong(LARGEST)
}

#[test]
fn verdicts_on_families_agree_with_exploration() {
    let rows = rows(FAMILIES);
    assert!(rows.len() >= 50);
    for row in rows {
        assert!(row.answers.is_none(), "{}: answers are called yes and no", row.name);
        let found = smallest_wrong(&row);
        let (verdict, size) = match prove(&claim(&row), &ProofLimits::default()).verdict {
            EverySize::Proved(_) => ("PROVED", None),
            EverySize::Refuted(wrong) => {
                assert!(!matches!(wrong.smaller, SmallerPopulations::Unknown(_)), "{}", row.name);
                ("REFUTED", Some(wrong.end.input.iter().sum::<u64>()))
            }
            EverySize::Unknown(_) => ("UNKNOWN", None),
            EverySize::Interrupted => panic!("{}: nothing stops it", row.name),
        };
        assert_eq!((verdict, size), (&row.expect[..], row.smallest), "{}", row.name);
        assert_eq!(found, size.filter(|size| *size <= LARGEST), "{}", row.name);
    }
}
