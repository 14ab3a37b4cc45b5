//! Certificates of the prover that are kept: old ones stay valid.

use std::path::Path;

use serde_json::Value;

use crate::corpus::CorpusRow;
use crate::oracle;

/// The claims of the certificates.
const CLAIMS: [&str; 2] =
    [include_str!("../../prover/tests/claims.jsonl"), include_str!("../../prover/tests/faulty.jsonl")];

/// The names of the certificates.
const KEPT: [&str; 25] = [
    "approximate-majority-consensus-mutant-122",
    "average-and-conquer-3-1",
    "broadcast",
    "broadcast-randomised",
    "first-entry",
    "flock-basic-3-mutant-181",
    "flock-basic-5",
    "flock-basic-5-mutant-16",
    "flock-basic-8",
    "flock-log-2",
    "flock-tower-5",
    "four-needed",
    "fratricide",
    "io-both-3-2",
    "juggling-majority",
    "last-exit",
    "leader-parity",
    "majority4-no-tie-rule-given",
    "majority4-tie-no",
    "never-enabled",
    "never-enabled-again",
    "pump",
    "remainder-5-2",
    "remainder-vanishing-3-0",
    "three-needed",
];

/// The words and the names of fields in a certificate.
fn words(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(members) => members.iter().for_each(|member| words(member, into)),
        Value::Object(fields) => {
            into.extend(fields.keys().cloned());
            fields.values().for_each(|field| words(field, into));
        }
        _ => {}
    }
}

#[test]
fn kept_certificates_are_accepted_here_and_by_the_oracle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/certificates");
    let mut kinds = Vec::new();
    let rows: Vec<CorpusRow> =
        CLAIMS.into_iter().flat_map(str::lines).map(|line| serde_json::from_str(line).unwrap()).collect();
    for name in KEPT {
        let row = rows.iter().find(|row| row.name == name).unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        row.claim().verdict(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        if let Some(expected) = oracle::verdicts(&row.for_oracle(), std::slice::from_ref(&text)) {
            assert_eq!(expected, [Ok(())], "{name}");
        }
        words(&serde_json::from_str(&text).unwrap(), &mut kinds);
    }
    for kind in [
        "rank", "layer", "macro", "disabled", "proofs", "either", "split", "cut", "siphon", "trap", "entry",
        "exit",
    ] {
        assert!(kinds.iter().any(|known| known == kind), "no certificate has a {kind}");
    }
}
