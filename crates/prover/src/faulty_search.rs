//! Searches with planted faults: the checker refuses their certificates.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use acrasin_certificate::{Certificate, check};
use acrasin_protocols::predicate::Predicate;
use acrasin_verify::population::{Answers, Claim};

use crate::fault::PlantedFault;
use crate::format::CertificateFormat;
use crate::prove::prove_sides;
use crate::rows::{CorpusRow, claim, rows, table};
use crate::tree::Unproved;
use crate::work::ProofWork;

/// All faults that are planted, one at a time.
const FAULTS: [PlantedFault; 27] = [
    PlantedFault::SiphonSign,
    PlantedFault::TrapSign,
    PlantedFault::SiphonStart,
    PlantedFault::TrapNever,
    PlantedFault::EntryStart,
    PlantedFault::ExitEnd,
    PlantedFault::DisabledLate,
    PlantedFault::UnprovedLayer,
    PlantedFault::LiveFlow,
    PlantedFault::NoSingle,
    PlantedFault::ThreeAgents,
    PlantedFault::OccupiedTwice,
    PlantedFault::FirstWrong,
    PlantedFault::StrictTwice,
    PlantedFault::NaturalQuotient,
    PlantedFault::LevelRank,
    PlantedFault::RaisedRank,
    PlantedFault::OpenLayer,
    PlantedFault::OneIsPair,
    PlantedFault::EmptyPair,
    PlantedFault::ChangingSplit,
    PlantedFault::SameChild,
    PlantedFault::LoweredCut,
    PlantedFault::OneSide,
    PlantedFault::LateNumbers,
    PlantedFault::PartTrapEnd,
    PlantedFault::PartTrapNever,
];

/// Claims whose proofs need lemmas about parts of runs.
const PARTS: &str = include_str!("../tests/parts.jsonl");

/// The work limit of one proof, in tableau entries.
const ENTRIES: u64 = 3_000_000;

/// The claims of the test files, and false variants of the true ones with a bound that is one higher.
fn claims() -> Vec<CorpusRow> {
    let files = [
        include_str!("../tests/claims.jsonl"),
        include_str!("../tests/timed.jsonl"),
        include_str!("../tests/faulty.jsonl"),
        PARTS,
    ];
    let all = files.into_iter().flat_map(rows).filter(|row| row.family != "large");
    let mut claims = Vec::new();
    for row in all {
        // The same predicate with a bound that is one more.
        let changed = row.predicate.as_ref().and_then(|predicate| {
            let (start, bound) = predicate.rsplit_once(' ')?;
            Some(format!("{start} {}", bound.parse::<u64>().ok()? + 1))
        });
        if row.expect == "PROVED" && changed.is_some() {
            let expect = "REFUTED".to_owned();
            claims.push(CorpusRow { predicate: changed, expect, ..row.clone() });
        }
        claims.push(row);
    }
    claims
}

/// Checks a certificate for a claim; the error is the reason of the refusal.
fn checked(row: &CorpusRow, text: &str) -> Result<(), String> {
    let (table, inputs) = table(&row.protocol);
    let parsed = |text: &String| Predicate::parse(text).unwrap();
    let claim = match (&row.predicate, &row.eventually) {
        (_, Some(text)) => Claim::eventually(&table, &parsed(text)).unwrap(),
        (Some(text), None) => {
            let of = |word: &str| -> Vec<&str> {
                let answers = row.answers.as_ref().and_then(|answers| answers.get(word));
                answers.into_iter().flatten().map(String::as_str).collect()
            };
            let answers = match &row.answers {
                None => Answers::by_name(&table).unwrap(),
                Some(_) => Answers::new(&table, &of("yes"), &of("no")).unwrap(),
            };
            Claim::computes(&table, &parsed(text), &answers).unwrap()
        }
        (None, None) => panic!("{}: no claim", row.name),
    };
    let claim = match &row.given {
        None => claim,
        Some(given) => claim.given(&table, &parsed(given)).unwrap(),
    };
    let certificate = Certificate::parse(text).map_err(|error| error.to_string())?;
    check(&certificate, &table, &inputs, &claim, &mut || ControlFlow::Continue(()))
        .map(drop)
        .map_err(|error| error.to_string())
}

/// The checker's refusals of the certificates that a faulty search writes, and the false claims whose certificates the
/// checker accepts.
fn refusals(claims: &[CorpusRow], fault: Option<PlantedFault>) -> (Vec<String>, Vec<String>) {
    let (mut refused, mut accepted) = (Vec::new(), Vec::new());
    for row in claims {
        let mut sized = claim(row);
        sized.fault = fault;
        let mut work = ProofWork::new(ENTRIES, Arc::new(AtomicBool::new(false)));
        work.format = CertificateFormat::PartsOfRuns;
        // A fault may be such that no certificate can be written.
        let proved = catch_unwind(AssertUnwindSafe(|| prove_sides(&sized, &mut work)));
        let Ok(Ok(proof)) = proved else { continue };
        match checked(row, &proof.certificate.to_string()) {
            Ok(()) if row.expect != "PROVED" => accepted.push(row.name.clone()),
            Ok(()) => {}
            Err(why) => refused.push(format!("{}: {why}", row.name)),
        }
    }
    (refused, accepted)
}

#[test]
fn certificates_of_faulty_searches_are_refused() {
    let claims = claims();
    let mut unnoticed = Vec::new();
    for fault in FAULTS {
        let (refused, accepted) = refusals(&claims, Some(fault));
        println!("{fault:?}: {} refused, such as {:?}", refused.len(), refused.first());
        assert!(accepted.is_empty(), "{fault:?}: {accepted:?}");
        if refused.is_empty() {
            unnoticed.push(fault);
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
}

/// Agents come back from the last level of a tower, so flows of whole runs allow a lower level to run empty before.
#[test]
fn lemmas_about_parts_of_runs_prove_further_claims() {
    let rows = rows(PARTS);
    assert!(rows.len() >= 4);
    for row in rows {
        let proved = |format| {
            let mut work = ProofWork::new(ENTRIES, Arc::new(AtomicBool::new(false)));
            work.format = format;
            prove_sides(&claim(&row), &mut work)
        };
        let open = proved(CertificateFormat::WholeRuns);
        assert!(matches!(open, Err((false, Unproved::Stuck { .. }))), "{}: {open:?}", row.name);
        let proof = proved(CertificateFormat::PartsOfRuns).unwrap();
        let text = proof.certificate.to_string();
        assert_eq!(checked(&row, &text), Ok(()), "{}", row.name);
        let changed = |from, to| {
            assert!(text.contains(from), "{}: {text}", row.name);
            checked(&row, &text.replacen(from, to, 1)).unwrap_err()
        };
        assert!(changed("all-n/2", "all-n/1").contains("unknown kind of case distinction"), "{}", row.name);
        changed("\"part-trap\"", "\"part-siphon\"");
    }
}

/// Other checkers accept a proof that needs no further lemmas.
#[test]
fn the_first_format_is_used_where_it_suffices() {
    for row in rows(include_str!("../tests/faulty.jsonl")) {
        let proved = |format| {
            let mut work = ProofWork::new(ENTRIES, Arc::new(AtomicBool::new(false)));
            work.format = format;
            prove_sides(&claim(&row), &mut work).ok().map(|proof| proof.certificate)
        };
        if let Some(first) = proved(CertificateFormat::WholeRuns) {
            assert_eq!(proved(CertificateFormat::PartsOfRuns), Some(first), "{}", row.name);
        }
    }
}

#[test]
fn certificates_without_a_fault_are_accepted() {
    let (refused, accepted) = refusals(&claims(), None);
    assert!(refused.is_empty() && accepted.is_empty(), "{refused:?} {accepted:?}");
}
