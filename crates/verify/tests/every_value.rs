//! Each value of each kind in a conformance file counts: changed by itself, it is found as a difference or refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use acrasin_verify::conformance::run;
use serde_json::{Value, json};

fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is_found(scenario: &Value) -> bool {
    run("changed.jsonl", scenario.to_string().as_bytes()).map_or(true, |report| !report.agrees())
}

/// All places of a value: leaves, and lists, which can miss their last item.
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

/// Other values of the same type; of a word, another that can stand there.
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

/// A place without its numbers of steps and nodes: its kind. Items of a state, of a message and of an event are told apart.
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

/// Kinds, with how many changes were made and which of them were not found.
fn changed(scenario: &Value) -> BTreeMap<String, (usize, Vec<String>)> {
    let mut places_of = Vec::new();
    places(scenario, "", &mut places_of);
    let mut kinds: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for at in places_of.iter().filter(|at| !["/id", "/note"].contains(&at.as_str())) {
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

/// What happens in a step, and what is at the end, is found wherever it is changed. What a scenario begins with is found
/// unless its run never looks at it: of each kind some are.
#[test]
fn one_changed_value_is_found() {
    for file in ["tree-token.jsonl", "critical-section.jsonl"] {
        let mut of_starts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for scenario in lines(file) {
            assert!(!is_found(&scenario), "{}: agrees as it is", scenario["id"]);
            for (kind, (made, mut missed)) in changed(&scenario) {
                if kind.starts_with("steps") || kind.starts_with("end") {
                    // What a node has become, if no later step reads it.
                    missed.retain(|at| !at.ends_with("\"T\"") && !at.ends_with("\"P\""));
                    if kind == "steps" && scenario["rule"]["kind"] == "topology" {
                        // Its fifth item may be left out.
                        missed.retain(|at| at.starts_with("/steps: "));
                    }
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
