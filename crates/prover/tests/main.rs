//! Tests of the prover.

#[allow(dead_code, unreachable_pub, reason = "shared with an example")]
mod rows;

mod certificates;
mod exhaustive;
mod families;
mod library;
#[path = "../../certificate/tests/oracle.rs"]
mod oracle;
mod random_protocols;

use acrasin_protocols::{Missing, Rule, Table, TableSpec};
use acrasin_prover::{
    EverySize, ProofLimits, ReachedLimit, SizedClaim, SizedGoal, SmallerPopulations, covers_an_input, prove,
};

/// Claims of the families of the literature, with the verdicts of other programs.
const CLAIMS: &str = include_str!("claims.jsonl");

/// Families with other parameters, and protocols made by hand.
const FAMILIES: &str = include_str!("families.jsonl");

/// Certificates below this size are kept.
const KEPT_BYTES: usize = 12_000;

#[test]
fn claims_of_the_corpus_have_their_verdicts() {
    let rows = rows::rows(CLAIMS);
    assert!(rows.len() > 30);
    for row in rows {
        let report = prove(&rows::claim(&row), &ProofLimits::default());
        match report.verdict {
            EverySize::Proved(_) => assert_eq!(row.expect, "PROVED", "{}", row.name),
            EverySize::Refuted(wrong) => {
                assert_eq!(row.expect, "REFUTED", "{}", row.name);
                assert_eq!(Some(wrong.end.input.iter().sum::<u64>()), row.smallest, "{}", row.name);
                assert!(!matches!(wrong.smaller, SmallerPopulations::Unknown(_)), "{}", row.name);
            }
            EverySize::Unknown(_) => assert_eq!(row.family, "hard", "{}", row.name),
            EverySize::Interrupted => panic!("{}: nothing stops it", row.name),
        }
    }
}

/// The stored certificates equal those that the search writes. With `ACRASIN_BLESS` set they are written again.
#[test]
fn kept_certificates_are_those_of_the_search() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/certificates");
    let is_blessed = std::env::var_os("ACRASIN_BLESS").is_some();
    let rows = [CLAIMS, include_str!("faulty.jsonl")].map(rows::rows).concat();
    let mut kept = 0;
    for row in rows.iter().filter(|row| row.expect == "PROVED" && row.family != "large") {
        let EverySize::Proved(proof) = prove(&rows::claim(row), &ProofLimits::default()).verdict else {
            continue;
        };
        let text = format!("{}\n", proof.certificate);
        let path = folder.join(format!("{}.json", row.name));
        if is_blessed && text.len() < KEPT_BYTES {
            std::fs::write(&path, &text).unwrap();
        }
        if let Ok(known) = std::fs::read_to_string(&path) {
            assert!(known == text, "{}: another certificate", row.name);
            kept += 1;
        }
    }
    assert!(kept >= 12, "{kept}");
}

#[test]
fn the_work_is_the_same_each_time() {
    for row in rows::rows(CLAIMS).iter().step_by(5) {
        let once = || prove(&rows::claim(row), &ProofLimits::default());
        assert_eq!(once(), once(), "{}", row.name);
    }
}

/// The search uses no threads of its own, so its result is the same next to other searches.
#[test]
fn the_answer_is_the_same_next_to_other_searches() {
    let rows = rows::rows(CLAIMS);
    for row in rows.iter().filter(|row| row.family != "large").step_by(3) {
        let sized = rows::claim(row);
        let search = || prove(&sized, &ProofLimits::default());
        let alone = search();
        for threads in [2, 3, 7] {
            std::thread::scope(|scope| {
                let searches: Vec<_> = (0..threads).map(|_| scope.spawn(search)).collect();
                for search in searches {
                    assert_eq!(search.join().unwrap(), alone, "{}", row.name);
                }
            });
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_no_verdict() {
    let row = rows::rows(CLAIMS).into_iter().find(|row| row.name == "flock-basic-5").unwrap();
    let limits = ProofLimits::default();
    limits.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(prove(&rows::claim(&row), &limits).verdict, EverySize::Interrupted);
}

#[test]
fn a_search_without_work_is_open() {
    let row = rows::rows(CLAIMS).into_iter().find(|row| row.name == "flock-basic-5").unwrap();
    let limits = ProofLimits { entries: 100, ..ProofLimits::default() };
    let EverySize::Unknown(open) = prove(&rows::claim(&row), &limits).verdict else { panic!("a verdict") };
    assert!(open.limits == [ReachedLimit::Entries] && open.explored >= 5);
}

fn epidemic() -> Table {
    let states = ["S", "I"].map(String::from).to_vec();
    let rules = vec![Rule::Symmetric("S + I -> I + I".into())];
    TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() }.build().unwrap()
}

#[test]
fn conditions_that_no_input_meets_are_found() {
    use acrasin_protocols::predicate::Predicate;

    let table = epidemic();
    let names = table.state_names();
    let bound = |text: &str| Predicate::parse(text).unwrap().bind(names, names).unwrap().linear();
    for (given, expected) in [
        ("S >= 1", true),
        ("n < 2", false),
        ("S > I and I > S", false),
        ("2 * S mod 4 = 1", false),
        ("3 * S + 5 * I = 97 and S = 4 * I", false),
        ("3 * S + 5 * I = 68 and S = 4 * I", true),
    ] {
        let goal = SizedGoal::Eventually(bound("I = n or S = n"));
        let claim = SizedClaim::new(&table, &[0, 1], goal, Some(bound(given)));
        assert_eq!(covers_an_input(&claim, &ProofLimits::default()), expected, "{given}");
    }
}

#[test]
fn a_late_counterexample_is_smallest() {
    // All agents are infected in the end, which is too many from 25 agents on.
    use acrasin_protocols::predicate::Predicate;

    let table = epidemic();
    let names = table.state_names();
    let bound = |text: &str| Predicate::parse(text).unwrap().bind(names, names).unwrap().linear();
    let goal = SizedGoal::Eventually(bound("I <= 24"));
    let claim = SizedClaim::new(&table, &[0, 1], goal, None);
    let EverySize::Refuted(wrong) = prove(&claim, &ProofLimits::default()).verdict else { panic!("refuted") };
    assert_eq!(wrong.end.input.iter().sum::<u64>(), 25);
    assert!(matches!(wrong.smaller, SmallerPopulations::Proved(_)));
    assert_eq!(wrong.end.entered[1], 25);
}
