//! The shared corpora of circuits and joint movements, if they are present.

use std::fs;
use std::path::Path;

use acrasin_verify::conformance::{self, ConformanceReport};

fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(name);
    if !path.exists() {
        eprintln!("SKIPPED: {} is not there", path.display());
    }
    fs::read_to_string(path).ok()
}

fn replayed(text: &str) -> ConformanceReport {
    conformance::run("shared", text.as_bytes()).unwrap()
}

fn agrees(name: &str, cases: u64) {
    let Some(text) = shared(name) else { return };
    let report = replayed(&text);
    for difference in report.differences() {
        eprintln!("{difference}");
    }
    assert_eq!((report.scenarios(), report.difference_count()), (cases, 0), "{report}");
}

#[test]
fn the_shared_corpus_of_circuits_has_no_differences() {
    agrees("circuits.jsonl", 12);
}

#[test]
fn the_shared_corpus_of_joint_movements_has_no_differences() {
    agrees("joint-movements.jsonl", 27);
}

#[test]
fn the_shared_corpus_of_circuit_runs_has_no_differences() {
    agrees("circuit-runs.jsonl", 18);
}
