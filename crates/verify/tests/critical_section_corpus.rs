//! Scenarios of local critical sections: everything is compared, and each part can differ.

use std::fs;
use std::path::Path;

use acrasin_verify::conformance::{ConformanceReport, run, run_on_words};
use serde_json::{Value, json};

fn own() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/critical-section.jsonl");
    fs::read_to_string(path).unwrap()
}

fn report(text: &str) -> ConformanceReport {
    run("sections.jsonl", text.as_bytes()).unwrap()
}

#[test]
fn the_scenarios_agree() {
    let found = report(&own());
    assert_eq!(found.to_string(), "4 scenarios, 320 steps, 0 differences", "{:?}", found.differences());
    let error = run_on_words("sections.jsonl", own().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("nothing can be compared: 0 of 4 scenarios on F3"), "{error}");
}

#[test]
fn recorded_runs_of_critical_sections_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/critical-section.jsonl");
    let Ok(text) = fs::read_to_string(path) else {
        eprintln!("no corpus here: the project's own scenarios are compared all the same");
        return;
    };
    let found = report(&text);
    assert!(found.agrees(), "{:?}", found.differences());
    assert_eq!((found.scenarios(), found.skipped_count()), (15, 0));
}

/// A recorded run with a leader.
fn with_a_leader() -> Value {
    serde_json::from_str(own().lines().nth(2).unwrap()).unwrap()
}

fn fields_that_differ(at: &str, value: Value) -> Vec<String> {
    let mut changed = with_a_leader();
    *changed.pointer_mut(at).unwrap_or_else(|| panic!("{at} is not there")) = value;
    let found = report(&changed.to_string());
    assert!(!found.agrees(), "{at}");
    found.differences().iter().map(|difference| difference.field.clone()).collect()
}

/// Each item of a state is compared: of the first process that acts, and at the end.
#[test]
fn every_field_of_a_state_can_differ() {
    let fields = [
        "in",
        "ph",
        "clk",
        "ts",
        "got",
        "granted[X]",
        "pending[X]",
        "pre[X]",
        "granted[N]",
        "pending[N]",
        "pre[N]",
        "trig",
        "over",
        "exc",
        "busy",
    ];
    for (item, field) in fields.iter().enumerate() {
        let value = match *field {
            "got" => json!([1, 2, 3]),
            "pre[X]" | "pre[N]" => json!(3),
            name if name.contains('[') => json!([[0, 99, 1]]),
            _ => json!(99),
        };
        assert_eq!(
            fields_that_differ(&format!("/steps/0/2/{item}"), value.clone()),
            [format!("state.{field}")]
        );
        assert_eq!(fields_that_differ(&format!("/end/2/{item}"), value), [format!("end[2].{field}")]);
    }
}

#[test]
fn every_part_of_a_step_and_of_the_start_can_differ() {
    let first = with_a_leader()["steps"][0][1].as_array().unwrap().clone();
    let reversed: Vec<Value> = first.iter().rev().cloned().collect();
    for (at, value, field) in [
        ("/steps/0/1", json!([]), "sent"),
        ("/steps/0/1/0/0", json!(1), "sent"),
        ("/steps/0/1/0/2", json!("Rel"), "sent"),
        ("/steps/0/1/0/4", json!(77), "sent"),
        ("/steps/0/1/0/5", json!(77), "sent"),
        ("/steps/0/0", json!(["dlv", 1, 2, "Req", "X", 2, 2]), "do"),
        ("/leader", json!(0), "sent"),
        ("/cs0", json!([1, 2]), "state.granted[X]"),
    ] {
        let found = fields_that_differ(at, value);
        assert!(found.iter().any(|other| other == field), "{at}: {found:?}");
    }
    // Destinations may be in any order.
    let mut changed = with_a_leader();
    changed["steps"][0][1] = Value::Array(reversed);
    assert!(report(&changed.to_string()).agrees());
}

#[test]
fn what_is_malformed_is_refused_with_its_line() {
    for (at, value, word) in [
        ("/alg", json!("other"), "there is no `other`"),
        ("/n", json!(0), "n is 0"),
        ("/n", json!(5000), "may be joined"),
        ("/n", json!(2), "l has 3 entries"),
        ("/l", json!([0]), "l has 1 entries"),
        ("/k", json!([]), "k has 0 entries"),
        ("/end", json!([]), "end has 0 entries"),
        ("/edges/0", json!([1, 4]), "edges: there is no node 4"),
        ("/edges/0", json!([1, 1]), "edges: "),
        ("/cs0", json!([0]), "cs0: there is no node 0"),
        ("/cs0", json!([1, 1]), "cs0: node 1 is listed twice"),
        ("/alg", json!("lkcs-home"), "only lkcs has a leader"),
        ("/leader", json!(4), "leader: there is no node 4"),
        ("/l/0", json!(3), "node 0"),
        ("/steps/0/0/1", json!(9), "step 1: there is no node 9"),
        ("/steps/0/1/0/1", json!(9), "step 1: there is no node 9"),
        ("/steps/0/2/5", json!([[1, 1, 9]]), "step 1: there is no node 9"),
        ("/steps/0/2/7", json!(9), "step 1: there is no node 9"),
        ("/end/0/4", json!([9]), "end[0]: there is no node 9"),
        ("/steps/0/0", json!(["halt", 1]), "steps[0]"),
        ("/steps/0/1/0/2", json!("Nod"), "there is no `Nod`"),
    ] {
        let mut changed = with_a_leader();
        *changed.pointer_mut(at).unwrap() = value;
        let error = run("sections.jsonl", format!("\n{changed}").as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("sections.jsonl:2:") && error.contains(word), "{at}: {error}");
    }
    let mut unknown = with_a_leader();
    unknown["m"] = json!(3);
    let error = run("sections.jsonl", unknown.to_string().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("there is no field `m`"), "{error}");
}
