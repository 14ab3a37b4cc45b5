//! Certificates of the prover, checked by the oracle in Python.

use std::fmt::Write as _;

use acrasin_catalogue::Entry as _;
use acrasin_catalogue::parameter::Values;
use acrasin_protocols::library::{ProtocolEntry, ProvedClaim};
use acrasin_protocols::{Protocol as _, Table};
use acrasin_prover::{EverySize, ProofLimits, SizedClaim, prove};
use serde_json::{Value, json};

use crate::oracle::{shared, verdicts};
use crate::rows::{self, CorpusRow};
use crate::{CLAIMS, FAMILIES, library};

/// Certificates up to this size are checked in each run of the tests.
const QUICK_BYTES: usize = 2_500;

/// The claim of a row as the oracle reads it.
fn of_row(row: &CorpusRow) -> Value {
    json!({
        "protocol": row.protocol, "predicate": row.predicate, "given": row.given,
        "eventually": row.eventually, "answers": row.answers,
    })
}

/// The text of a table for the oracle.
fn text(table: &Table, inputs: &[&str]) -> String {
    let name = |state: u16| table.state_name(state);
    let mut text = format!("Table(states: {:?}, inputs: {inputs:?}, outputs: {{", table.state_names());
    for state in table.states() {
        let _ = write!(text, "{:?}: {:?}, ", name(state), table.output_name(table.output(state)));
    }
    text += "}, rules: [";
    for a in table.states() {
        for b in table.states() {
            let _ = write!(text, "Randomised({:?}, [", format!("{} + {}", name(a), name(b)));
            for outcome in table.outcomes(a, b) {
                let after = format!("{} + {}", name(outcome.initiator), name(outcome.responder));
                let _ = write!(text, "({}, {after:?}), ", outcome.weight);
            }
            text += "]), ";
        }
    }
    text + "], default: Null)"
}

/// The claim of a library entry as the oracle reads it.
fn of_entry(entry: &ProtocolEntry, proved: &ProvedClaim) -> Value {
    let table = entry.build(&Values::default()).unwrap().into_table();
    let (predicate, eventually) = match proved.answers {
        Some(_) => (Some(proved.predicate), None),
        None => (None, Some(proved.predicate)),
    };
    let answers = proved.answers.map(|[yes, no]| json!({"yes": yes, "no": no}));
    json!({
        "protocol": text(&table, proved.inputs), "predicate": predicate, "given": proved.given,
        "eventually": eventually, "answers": answers,
    })
}

/// Proves all claims, and has the oracle check the certificates of at most this size.
fn checked(bytes: usize) {
    let mut claims: Vec<(String, Value, SizedClaim)> = Vec::new();
    let mut rows = [CLAIMS, FAMILIES, include_str!("timed.jsonl"), include_str!("faulty.jsonl")]
        .map(rows::rows)
        .concat();
    let Some(corpus) = shared("corpus/all-sizes.jsonl") else { return };
    rows.extend(rows::rows(&std::fs::read_to_string(corpus).unwrap()));
    for row in rows.iter().filter(|row| row.expect == "PROVED") {
        claims.push((row.name.clone(), of_row(row), rows::claim(row)));
    }
    for entry in ProtocolEntry::shipped() {
        if let Some(proved) = &entry.proved {
            let (table, inputs, claim) = library::claim(&entry, proved);
            let sized = SizedClaim::of(&table, &inputs, &claim);
            claims.push((entry.name.to_owned(), of_entry(&entry, proved), sized));
        }
    }
    let (mut accepted, mut large) = (0, 0);
    for (name, claim, sized) in claims {
        let EverySize::Proved(proof) = prove(&sized, &ProofLimits::default()).verdict else { continue };
        let certificate = proof.certificate.to_string();
        if certificate.len() > bytes {
            large += 1;
            continue;
        }
        let Some(found) = verdicts(&claim, &[certificate]) else { return };
        assert_eq!(found, [Ok(())], "{name}");
        accepted += 1;
    }
    println!("{accepted} certificates accepted by the oracle, {large} larger than {bytes} bytes left out");
    assert!(accepted > 20, "{accepted}");
}

#[test]
fn certificates_of_the_search_are_accepted_by_the_oracle() {
    checked(QUICK_BYTES);
}

#[test]
#[ignore = "minutes of the oracle"]
fn all_certificates_of_the_search_are_accepted_by_the_oracle() {
    checked(usize::MAX);
}
