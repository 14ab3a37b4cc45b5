//! Conformance files on rung F3: which scenarios run, which are skipped and why, and that changes are noticed.

use std::path::Path;

use acrasin_runtime::{LockSetRequest, NodeId, Step};
use acrasin_verify::conformance::{self, ConformanceReport, LocalStart, NotRun, RuleSetVariant};
use serde_json::{Value, json};

const OWN: &str = include_str!("../testdata/local-mutual-exclusion.jsonl");
const SHARED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/local-mutual-exclusion.jsonl");

fn run(text: &str) -> ConformanceReport {
    conformance::run_on_words("file", text.as_bytes()).unwrap()
}

#[test]
fn the_own_corpus_has_no_differences_on_words() {
    let report = run(OWN);
    assert_eq!(report.differences(), []);
    assert_eq!(
        report.to_string(),
        "10 of 14 scenarios on F3, 467 steps, 0 differences (4 skipped: 3 published rules, 1 more ports than a word has)"
    );
    let skipped: Vec<String> = report.skipped().iter().map(ToString::to_string).collect();
    assert_eq!(
        skipped,
        [
            "line 1, scenario crossing-paper, not run: published rules",
            "line 5, scenario misuse-paper, not run: published rules",
            "line 7, scenario ports-above-64, not run: more ports than a word has",
            "line 14, scenario walk-paper, not run: published rules",
        ]
    );
}

#[test]
fn the_shared_corpus_has_no_differences_on_words() {
    let path = Path::new(SHARED);
    if !path.exists() {
        eprintln!("SKIPPED: {SHARED} is not there; the corpus in testdata/ is tested all the same");
        return;
    }
    let report = run(&std::fs::read_to_string(path).unwrap());
    assert_eq!(report.differences(), []);
    assert_eq!(
        report.to_string(),
        "21 of 32 scenarios on F3, 1181 steps, 0 differences (11 skipped: 11 published rules)"
    );
}

/// A scenario of the project's corpus.
fn scenario(id: &str) -> Value {
    let all = OWN.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.into_iter().find(|scenario| scenario["id"] == id).unwrap()
}

/// The only difference after one value has been replaced.
fn difference(scenario: &Value, place: &str, value: Value) -> String {
    let mut changed = scenario.clone();
    let old = std::mem::replace(changed.pointer_mut(place).expect(place), value);
    assert_ne!(changed.pointer(place), Some(&old), "{place} is changed");
    let report = run(&changed.to_string());
    assert_eq!(report.difference_count(), 1, "{place}: {:#?}", report.differences());
    report.differences()[0].to_string()
}

/// The index of the first step for which `which` holds.
fn step(scenario: &Value, which: impl Fn(&Value) -> bool) -> usize {
    scenario["steps"].as_array().unwrap().iter().position(which).unwrap()
}

#[test]
fn a_changed_value_is_a_difference_with_its_place() {
    let walk = scenario("walk-repaired");
    let check = |field: &str, which: &dyn Fn(&Value) -> bool, value: Value| {
        let at = step(&walk, |one| which(one) && one.pointer(field).is_some_and(|old| *old != value));
        let told = difference(&walk, &format!("/steps/{at}{field}"), value.clone());
        let name = field[1..].replace('/', ".");
        let place = format!("line 1, scenario walk-repaired, step {}, {name}: expected ", at + 1);
        assert!(told.starts_with(&place), "{told} is not at {place}");
    };
    let holds = |one: &Value| one["node"]["state"] == "locked";
    check("/node/lock", &|_| true, json!(3));
    check("/node/state", &holds, json!("win"));
    check("/node/phase", &|_| true, json!("compete"));
    check("/node/L", &holds, json!([0, 1, 2, 3]));
    for letter in ["R", "H", "A", "C", "D"] {
        check(&format!("/node/{letter}"), &|_| true, json!([1, 2, 3]));
    }
    check("/node/W", &|_| true, json!([[3, false]]));
    check("/node/P", &|_| true, json!([[3, 4]]));
    check("/sends", &|_| true, json!([[0, "prepare"]]));
    check("/returns", &|_| true, json!([0, 1, 2, 3]));
    check("/misuse", &|one| one["do"][2].is_array() || one["do"][0] == "unlock", json!(false));
    check("/enabled", &|_| true, json!(["CheckDone"]));
    check("/D", &|_| true, json!([]));
}

#[test]
fn a_changed_end_is_a_difference() {
    let walk = scenario("walk-repaired-pair");
    assert!(!walk["final"]["transit"].as_array().unwrap().is_empty());
    let told = difference(&walk, "/final/transit", json!([]));
    assert!(
        told.starts_with("line 1, scenario walk-repaired-pair, final, final.transit: expected []"),
        "{told}"
    );
    let told = difference(&walk, "/final/nodes/2/C", json!([0, 1, 2, 3]));
    assert!(told.starts_with("line 1, scenario walk-repaired-pair, final, final.nodes[2].C: "), "{told}");
}

#[test]
fn a_step_that_cannot_happen_ends_the_scenario() {
    let mut walk = scenario("crossing-repaired");
    *walk.pointer_mut("/steps/1/do").unwrap() = json!(["recv", 0, 1, "set-lock"]);
    let report = run(&walk.to_string());
    let words: Vec<String> = report.differences().iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "line 1, scenario crossing-repaired, step 2, do: expected [\"recv\",0,1,\"set-lock\"], actual no such \
             message is in transit to node 0; the 25 steps that follow are not replayed"
        ]
    );
    assert_eq!(report.steps(), 2);
}

/// A scenario in which a node without neighbours calls Lock.
fn alone(variant: RuleSetVariant, ports: u16, priorities: u32) -> String {
    let start =
        LocalStart { id: "alone", note: "", variant, nodes: 1, ports, priorities, pair: false, edges: &[] };
    let lock = Step::Lock { node: NodeId(0), claim: LockSetRequest::Neighbourhood };
    conformance::record(&start, &[(lock, vec![])]).unwrap() + "\n"
}

#[test]
fn scenarios_not_expressible_in_words_are_counted_by_reason() {
    use RuleSetVariant::{Paper, Repaired, RepairedInMemory};
    let limit = alone(Repaired, 16, 1 << 16);
    let file = [
        limit.clone(),
        alone(RepairedInMemory, 16, 1 << 16),
        alone(Repaired, 17, 2),
        alone(RepairedInMemory, 17, 1 << 20),
        alone(Repaired, 1, (1 << 16) + 1),
        alone(Paper, 17, 2),
    ];
    let report = run(&file.concat());
    assert!(report.agrees());
    assert_eq!(
        report.reasons().collect::<Vec<_>>(),
        [(NotRun::PublishedRules, 1), (NotRun::TooManyPorts, 2), (NotRun::TooManyPriorities, 1)]
    );
    assert_eq!((report.scenarios(), report.steps(), report.skipped_count()), (2, 2, 4));
    assert_eq!(
        report.to_string(),
        "2 of 6 scenarios on F3, 2 steps, 0 differences (4 skipped: 1 published rules, 2 more ports than a word \
         has, 1 more priorities than a word has)"
    );
    assert_eq!(report.skipped()[0].line, 3);
    assert_eq!(run(&limit).to_string(), "1 of 1 scenario on F3, 1 step, 0 differences");
}

#[test]
fn a_file_of_which_nothing_can_be_run_is_an_error() {
    let file = alone(RuleSetVariant::Paper, 1, 2) + &alone(RuleSetVariant::Repaired, 40, 2);
    assert!(conformance::run("a.jsonl", file.as_bytes()).unwrap().agrees());
    let error = conformance::run_on_words("a.jsonl", file.as_bytes()).unwrap_err().to_string();
    let told = "a.jsonl: nothing can be compared: 0 of 2 scenarios on F3, 0 steps, 0 differences (2 skipped: 1 published \
                rules, 1 more ports than a word has)";
    assert_eq!(error, told);
    assert!(conformance::run_on_words("a.jsonl", &b""[..]).unwrap_err().to_string().contains("no scenario"));
}

#[test]
fn a_scenario_that_is_not_run_is_checked_all_the_same() {
    let file = alone(RuleSetVariant::Repaired, 1, 2)
        + &alone(RuleSetVariant::Paper, 1, 2).replace("\"prepare\"", "\"prepared\"");
    let error = conformance::run_on_words("a.jsonl", file.as_bytes()).unwrap_err();
    assert_eq!(error.line(), Some(2), "{error}");
}
