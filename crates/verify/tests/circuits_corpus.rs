//! Corpora of circuits and joint movements: those in `testdata/`, from a second implementation of the model, and the
//! shared ones, if they are present.

use std::fs;
use std::path::Path;

use acrasin_verify::conformance::{self, ConformanceReport};
use serde_json::{Value, json};

fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(name);
    if !path.exists() {
        eprintln!("SKIPPED: {} is not there", path.display());
    }
    fs::read_to_string(path).ok()
}

fn own(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name)).unwrap()
}

fn replayed(text: &str) -> ConformanceReport {
    conformance::run("shared", text.as_bytes()).unwrap()
}

fn agrees(name: &str, cases: u64, own_cases: u64) {
    agrees_on(&own(name), own_cases);
    if let Some(text) = shared(name) {
        agrees_on(&text, cases);
    }
}

fn agrees_on(text: &str, cases: u64) {
    let report = replayed(text);
    for difference in report.differences() {
        eprintln!("{difference}");
    }
    assert_eq!((report.scenarios(), report.difference_count()), (cases, 0), "{report}");
}

#[test]
fn the_corpora_of_circuits_have_no_differences() {
    agrees("circuits.jsonl", 12, 45);
}

#[test]
fn the_corpora_of_joint_movements_have_no_differences() {
    agrees("joint-movements.jsonl", 27, 93);
}

#[test]
fn the_corpora_of_circuit_runs_have_no_differences() {
    agrees("circuit-runs.jsonl", 18, 26);
}

/// All paths below a place: to leaves, and to lists.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            into.push(at.to_owned());
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), into);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                places(item, &format!("{at}/{name}"), into);
            }
        }
        _ => into.push(at.to_owned()),
    }
}

/// Other values of the same type; a list loses its last item, or has it twice.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            vec![json!(number - 1), json!(number + 1)]
        }
        Value::Bool(is) => vec![json!(!is)],
        Value::Null => vec![json!(0)],
        Value::String(word) => vec![json!(format!("{word}0")), json!("")],
        Value::Array(items) => {
            let shorter = items.split_last().map(|(_, rest)| json!(rest));
            let longer = items.last().map(|last| json!([items.clone(), vec![last.clone()]].concat()));
            shorter.into_iter().chain(longer).collect()
        }
        Value::Object(_) => Vec::new(),
    }
}

/// Every change of a single expected value of a case is reported as a difference, or refused.
fn every_expected_value_counts(name: &str, expected: &[&str]) {
    let Some(text) = shared(name) else { return };
    let mut changed = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let mut at = Vec::new();
        for field in expected {
            places(&case[field], &format!("/{field}"), &mut at);
        }
        // A coin too many or too few. How the last coins of a second set fall may not matter.
        if case["coins"].as_array().is_some_and(|coins| !coins.is_empty()) {
            at.push("/coins".to_owned());
        }
        for place in at {
            for other in others(case.pointer(&place).unwrap()) {
                let mut case = case.clone();
                *case.pointer_mut(&place).unwrap() = other;
                let report = conformance::run("changed", case.to_string().as_bytes());
                let found = report.map_or(true, |report| !report.agrees());
                assert!(found, "{} {place}: {}", case["id"], case.pointer(&place).unwrap());
                changed += 1;
            }
        }
    }
    assert!(changed > 300, "{changed}");
}

#[test]
fn every_expected_value_of_circuits_counts() {
    every_expected_value_counts("circuits.jsonl", &["expect"]);
}

#[test]
fn every_expected_value_of_movements_counts() {
    every_expected_value_counts("joint-movements.jsonl", &["expect"]);
}

#[test]
fn every_expected_value_of_runs_counts() {
    every_expected_value_counts("circuit-runs.jsonl", &["rounds", "result"]);
}

/// A case as text, changed at one place.
fn changed(name: &str, line: usize, place: &str, value: Value) -> Option<String> {
    let text = shared(name)?;
    let mut case: Value = serde_json::from_str(text.lines().nth(line)?).unwrap();
    *case.pointer_mut(place)? = value;
    Some(case.to_string())
}

#[test]
fn malformed_cases_are_refused_with_their_cell_or_amoebot() {
    let wrong = [
        ("circuits.jsonl", 0, "/amoebots/1/head", json!([3, 3]), "head (3, 3) and tail (0, 1)"),
        ("circuits.jsonl", 0, "/amoebots/2/first", json!(6), "direction 6 (accepted: 0 to 5)"),
        ("circuits.jsonl", 0, "/pins", json!(20), "20 pins on each edge (accepted: 0 to 19)"),
        (
            "circuits.jsonl",
            0,
            "/amoebots/0/sets",
            json!([[["h", 1, 0], ["h", 1, 0]]]),
            "cell (0, 0): sets of amoebot 0 name pin 0 at label 1 of its head twice",
        ),
        (
            "circuits.jsonl",
            0,
            "/amoebots/0/sets",
            json!([[["h", 1, 2]]]),
            "cell (0, 0): amoebot 0 has no pin 2 at label 1",
        ),
        ("circuits.jsonl", 0, "/amoebots/0/sets", json!([[["t", 1, 0]]]), "of its tail"),
        ("joint-movements.jsonl", 0, "/anchor", json!(["a", 1]), "anchor 1 of 1 amoebots"),
        ("circuit-runs.jsonl", 0, "/amoebots/1/cell", json!([0, 0]), "cell (0, 0): two amoebots"),
        ("circuit-runs.jsonl", 0, "/amoebots/1/cell", json!([5, 0]), "cell (5, 0): not connected"),
        ("circuit-runs.jsonl", 6, "/amoebots/1/mirrored", json!(false), "cell (1, 0): its frame differs"),
        ("circuit-runs.jsonl", 0, "/coins", json!([2]), "coin 2 (accepted: 1 for heads, 0 for tails)"),
    ];
    for (name, line, place, value, message) in wrong {
        let Some(text) = changed(name, line, place, value) else { continue };
        let error = conformance::run("x", text.as_bytes()).expect_err(&text).to_string();
        assert!(error.contains(message), "{error}");
        assert!(error.starts_with("x:1:"), "{error}");
    }
}

/// An algorithm or a parameter that is not known is a difference, so that the other cases are still compared.
#[test]
fn unknown_algorithms_and_parameters_are_differences() {
    for (place, value) in
        [("/algorithm", json!("elections")), ("/parameters", json!({"kappa": 0, "speed": 1}))]
    {
        let Some(text) = changed("circuit-runs.jsonl", 0, place, value) else { continue };
        let report = replayed(&text);
        assert_eq!((report.scenarios(), report.difference_count()), (1, 1), "{report}");
    }
}
