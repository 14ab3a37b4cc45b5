//! Each kind of value in a conformance file counts: a single changed value is a difference or is refused.
//!
//! If the shared corpora are present, each test run changes every 25th of their values. To change all of them:
//!
//! ```text
//! cargo test --release -p acrasin-verify --test integration every_value_of_the_shared_corpora -- --ignored --nocapture
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use acrasin_verify::conformance::run;
use serde_json::{Value, json};

fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name);
    let text = fs::read_to_string(path).unwrap();
    parsed(&text)
}

/// A shared corpus; `None` if it is not next to the project.
fn shared(name: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(name);
    Some(parsed(&fs::read_to_string(path).ok()?))
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is_found(scenario: &Value) -> bool {
    run("changed.jsonl", scenario.to_string().as_bytes()).map_or(true, |report| !report.agrees())
}

/// All paths in a value: to leaves, and to lists, whose last item can be dropped.
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

/// Other values of the same type; for a word, another valid one.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            let less = number.checked_sub(1).map(|less| json!(less));
            less.into_iter().chain([json!(number + 1)]).collect()
        }
        Value::Bool(is) => vec![json!(!is)],
        Value::String(word) => {
            let families: [&[&str]; 8] = [
                &["enter", "exit"],
                &["R", "T", "P"],
                &["idle", "want", "cs"],
                &["X", "N"],
                &["Req", "Grant", "Rel", "Pre", "Rlq", "Trg", "RbT", "Done"],
                &["fifo", "lift"],
                &["lmutin", "lmutex", "lkcs", "lkcs-home"],
                &["start", "dlv", "beh"],
            ];
            let family = families.into_iter().find(|family| family.contains(&word.as_str()));
            family.unwrap_or(&["?"]).iter().filter(|other| *other != word).map(|other| json!(other)).collect()
        }
        Value::Array(items) => {
            let shorter = items.split_last().map(|(_, rest)| json!(rest));
            let longer = items.last().map(|last| json!([items.clone(), vec![last.clone()]].concat()));
            shorter.into_iter().chain(longer).collect()
        }
        Value::Null | Value::Object(_) => Vec::new(),
    }
}

/// The kind of a path: without the numbers of steps and nodes. Items of states, messages and events are distinct
/// kinds.
fn kind(at: &str) -> String {
    let parts: Vec<&str> = at.split('/').skip(1).collect();
    match parts[..] {
        ["steps", _, part @ ("0" | "2"), item, ..] => format!("steps/{part}/{item}"),
        ["steps", _, "1", _, item, ..] => format!("steps/1/message/{item}"),
        ["steps", _, part, ..] => format!("steps/{part}"),
        ["end", _, item, ..] => format!("end/{item}"),
        ["rule", name, ..] => format!("rule/{name}"),
        [name, ..] => name.to_owned(),
        [] => String::new(),
    }
}

/// A selection of paths: every `every`-th, beginning at `from`.
#[derive(Clone, Copy)]
struct Sample {
    every: usize,
    from: usize,
}

/// For each kind, the number of changes and those that were not found.
fn changed(scenario: &Value, sample: Sample) -> BTreeMap<String, (usize, Vec<String>)> {
    let mut places_of = Vec::new();
    places(scenario, "", &mut places_of);
    let mut kinds: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    let places_of = places_of.iter().filter(|at| !["/id", "/note"].contains(&at.as_str()));
    for at in places_of.skip(sample.from % sample.every).step_by(sample.every) {
        for other in others(scenario.pointer(at).unwrap()) {
            let mut other_scenario = scenario.clone();
            *other_scenario.pointer_mut(at).unwrap() = other.clone();
            let (made, missed) = kinds.entry(kind(at)).or_default();
            *made += 1;
            if !is_found(&other_scenario) {
                missed.push(format!("{at}: {other}"));
            }
        }
    }
    kinds
}

/// Whether a path is the node of a scripted change of behaviour.
fn is_of_a_change(scenario: &Value, missed: &str) -> bool {
    let at = missed.split(": ").next().expect("a place");
    let event = at.strip_suffix("/1").and_then(|event| scenario.pointer(event));
    event.is_some_and(|event| event[0] == "beh")
}

/// Every changed value in a step or in the end is found. A changed value of the start can be irrelevant to its run,
/// but some of each kind are found.
#[test]
fn one_changed_value_is_found() {
    one_change_is_found(4);
}

#[test]
#[ignore = "half a minute"]
fn one_changed_value_of_all_is_found() {
    one_change_is_found(1);
}

fn one_change_is_found(every: usize) {
    for file in ["tree-token.jsonl", "critical-section.jsonl"] {
        let mut of_starts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (from, scenario) in lines(file).into_iter().enumerate() {
            assert!(!is_found(&scenario), "{}: agrees as it is", scenario["id"]);
            for (kind, (made, mut missed)) in changed(&scenario, Sample { every, from }) {
                if kind.starts_with("steps") || kind.starts_with("end") {
                    // Another node changes its behaviour, but no later step reads either.
                    missed.retain(|at| !is_of_a_change(&scenario, at));
                    assert!(missed.is_empty(), "{} {kind}: not found: {missed:?}", scenario["id"]);
                    continue;
                }
                let (all, lost) = of_starts.entry(kind).or_default();
                *all += made;
                *lost += missed.len();
            }
        }
        for (kind, (made, missed)) in of_starts {
            assert!(made > missed, "{file} {kind}: no change of {made} is found");
        }
    }
}

/// Changes scenarios. Returns the number of changes, and those that were not found.
fn all_changes(scenarios: &[Value], every: usize) -> (usize, Vec<String>) {
    let (mut made, mut missed) = (0, Vec::new());
    for (from, scenario) in scenarios.iter().enumerate() {
        assert!(!is_found(scenario), "{}: agrees as it is", scenario["id"]);
        for (_, (count, lost)) in changed(scenario, Sample { every, from }) {
            made += count;
            missed.extend(lost.iter().map(|at| format!("{} {at}", scenario["id"])));
        }
    }
    (made, missed)
}

const CORPORA: [&str; 2] = ["tree-token.jsonl", "critical-section.jsonl"];

/// In the shared corpora only two kinds of changes may go unnoticed. One is in parts of the start that the run never
/// reads: the order of a queue in which no node waits, a link that no node asks for. The other is in the behaviour of a
/// node that is not read again.
fn looks_at_all_else(every: usize) {
    for name in CORPORA {
        let Some(scenarios) = shared(name) else {
            eprintln!("no corpus here: the project's own scenarios are changed all the same");
            continue;
        };
        let (made, missed) = all_changes(&scenarios, every);
        println!("{name}: {made} changes, {} not found:\n{}", missed.len(), missed.join("\n"));
        assert!(made > 1_000 && missed.len() * 50 < made, "{name}: {} of {made}", missed.len());
        for lost in missed {
            let (id, at) = lost.split_once(' ').expect("a scenario and a place");
            let scenario = scenarios.iter().find(|scenario| scenario["id"] == id.trim_matches('"'));
            let of_steps = at.starts_with("/steps") || at.starts_with("/end");
            assert!(!of_steps || is_of_a_change(scenario.expect("it was changed"), at), "{name}: {lost}");
        }
    }
}

#[test]
fn values_of_the_shared_corpora_count() {
    looks_at_all_else(25);
}

#[test]
#[ignore = "some minutes"]
fn every_value_of_the_shared_corpora() {
    looks_at_all_else(1);
}
