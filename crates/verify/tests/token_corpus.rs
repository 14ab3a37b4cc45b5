//! Scenarios of the token that travels along a tree: everything is compared, and each part can differ.

use std::fs;
use std::path::Path;

use acrasin_verify::conformance::{ConformanceReport, run, run_on_words};
use serde_json::{Value, json};

fn own() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/tree-token.jsonl");
    fs::read_to_string(path).unwrap()
}

fn report(text: &str) -> ConformanceReport {
    run("tokens.jsonl", text.as_bytes()).unwrap()
}

#[test]
fn the_scenarios_agree() {
    let found = report(&own());
    assert_eq!(found.to_string(), "4 scenarios, 134 steps, 0 differences", "{:?}", found.differences());
    let error = run_on_words("tokens.jsonl", own().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("nothing can be compared: 0 of 4 scenarios on F3"), "{error}");
}

#[test]
fn the_shared_corpus_agrees() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/tree-token.jsonl");
    let Ok(text) = fs::read_to_string(path) else {
        eprintln!("no corpus here: the project's own scenarios are compared all the same");
        return;
    };
    let found = report(&text);
    assert!(found.agrees(), "{:?}", found.differences());
    assert_eq!((found.scenarios(), found.skipped_count()), (18, 0));
}

/// Each change of a value of the first scenario is a difference in the named field.
#[test]
fn every_field_can_differ() {
    let line = own().lines().next().unwrap().to_owned();
    let worked: Value = serde_json::from_str(&line).unwrap();
    for (at, value, field) in [
        ("/steps/11/2/0", json!(0), "state.token"),
        ("/steps/11/2/1", json!(0), "state.asked"),
        ("/steps/11/2/2", json!(1), "state.father"),
        ("/steps/11/2/3", json!(8), "state.lender"),
        ("/steps/11/2/4", json!(8), "state.mandator"),
        ("/steps/11/2/5", json!("want"), "state.app"),
        ("/steps/11/2/6", json!([1]), "state.queue"),
        ("/steps/0/1", json!([]), "sent"),
        ("/steps/0/1/0/3", json!(7), "sent"),
        ("/steps/1/0/1", json!(6), "do"),
        ("/steps/12/0/0", json!("enter"), "state.app"),
        ("/rule/beh", json!("PPPPPPPP"), "sent"),
        ("/end/7/3", json!(0), "end[7].lender"),
    ] {
        let mut changed = worked.clone();
        *changed.pointer_mut(at).unwrap() = value;
        let found = report(&changed.to_string());
        assert!(!found.agrees(), "{at}");
        let fields: Vec<&str> =
            found.differences().iter().map(|difference| difference.field.as_str()).collect();
        assert!(fields.contains(&field), "{at}: {fields:?}");
    }
}

#[test]
fn what_is_malformed_is_refused_with_its_line() {
    let line = own().lines().next().unwrap().to_owned();
    let worked: Value = serde_json::from_str(&line).unwrap();
    for (at, value, word) in [
        ("/n", json!(0), "n is 0"),
        ("/n", json!(7), "father has 8 entries"),
        ("/n", json!(5000), "joined"),
        ("/father/0", json!(2), "father: "),
        ("/rule/beh", json!("TTTTTTTX"), "'X' is not a behaviour"),
        ("/rule/beh", json!("T"), "1 letters"),
        ("/rule/kind", json!("other"), "other"),
        ("/queue", json!("stack"), "stack"),
        ("/steps/0/0/1", json!(9), "step 1: there is no node 9"),
        ("/steps/0/1/0/3", json!(0), "there is no node 0"),
        ("/steps/0/2/5", json!("sleeps"), "a step is [event, sent, state, tree]"),
        ("/steps/0", json!([]), "a step is [event, sent, state, tree]"),
        ("/end/0/6", json!([9]), "end[0]: there is no node 9"),
    ] {
        let mut changed = worked.clone();
        *changed.pointer_mut(at).unwrap() = value;
        let error = run("tokens.jsonl", format!("\n{changed}").as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("tokens.jsonl:2:") && error.contains(word), "{at}: {error}");
    }
    let unknown = line.replacen("\"n\":8", "\"n\":8,\"m\":8", 1);
    assert!(
        run("tokens.jsonl", unknown.as_bytes()).unwrap_err().to_string().contains("there is no field `m`")
    );
    // A file has one format.
    let mixed = format!("{line}\n{{\"id\":\"x\",\"variant\":\"repaired\"}}\n");
    assert!(run("tokens.jsonl", mixed.as_bytes()).is_err());
}

/// A node's behaviour under the topology rule is compared after every step. The comparison would notice another link,
/// another behaviour of a node without a father, or another evaluation of the rule.
#[test]
fn the_topology_rule_is_followed() {
    let text = own();
    let line = text.lines().find(|line| line.contains("\"topology\"")).unwrap();
    let scenario: Value = serde_json::from_str(line).unwrap();
    assert_eq!(report(line).to_string().split(", ").nth(2), Some("0 differences"), "{line}");
    let differs = |changed: &Value| {
        let found = report(&changed.to_string());
        found.differences().first().map(|difference| difference.to_string())
    };
    let steps = scenario["steps"].as_array().unwrap();
    let read = steps
        .iter()
        .position(|step| step[4] != scenario["rule"]["init"])
        .expect("a node that becomes another");
    let mut changed = scenario.clone();
    changed["steps"][read][4] = scenario["rule"]["init"].clone();
    assert!(differs(&changed).unwrap().contains("behaviour"), "{:?}", differs(&changed));
    let mut changed = scenario.clone();
    changed["rule"]["root"] = json!(if scenario["rule"]["root"] == "T" { "P" } else { "T" });
    assert!(differs(&changed).is_some());
    let mut changed = scenario.clone();
    changed["rule"]["links"] = json!([]);
    assert!(differs(&changed).is_some());
    let mut changed = scenario;
    changed["rule"]["links"][0][0] = json!(99);
    let error = run("tokens.jsonl", changed.to_string().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("rule.links: there is no node 99"), "{error}");
}
