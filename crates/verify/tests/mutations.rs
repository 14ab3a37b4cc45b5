//! Every single change of a scenario is noticed.
//!
//! The tests change every leaf of every scenario in turn: numbers up, down and far out of range, words to other words
//! of their kind and to nonsense, booleans to their negation, null to a number. They also drop and duplicate every
//! element of every array, and remove and rename every field. Only the changes of [`may_change`] may go unnoticed.
//!
//! Long scenarios are sampled; `ACRASIN_MUTATE_ALL=1` tries all changes (several minutes).

use std::path::Path;

use acrasin_verify::FileError;
use acrasin_verify::conformance::{self, ConformanceReport};
use serde_json::Value;

const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/local-mutual-exclusion.jsonl");
const SHARED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/local-mutual-exclusion.jsonl");

/// Words that are valid in place of each other.
const VOCABULARIES: [&[&str]; 5] = [
    &["repaired", "repaired-mem", "paper"],
    &["bot", "prepare", "compete", "win", "locked", "unlock"],
    &["prepare", "ready", "set-lock", "ack-lock", "release-lock", "ack-unlock", "request-lock", "win"],
    &["CheckStart", "CheckPriorities", "CheckWin", "CheckDone", "CheckUnlocked", "CleanUp", "InitLock"],
    &["lock", "unlock", "act", "recv", "connect", "disconnect", "leave"],
];

fn changed(leaf: &Value) -> Vec<Value> {
    match leaf {
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            let mut all = vec![number + 1, u64::MAX, 1 << 40];
            all.extend(number.checked_sub(1));
            let mut all: Vec<Value> = all.into_iter().map(Value::from).collect();
            all.extend([Value::from(-1), Value::from(0.5), Value::Null, Value::from("1"), Value::from(true)]);
            all
        }
        Value::Bool(value) => vec![Value::from(!value), Value::Null, Value::from(1)],
        Value::Null => vec![Value::from(0), Value::from(1), Value::from(true), Value::from("bot")],
        Value::String(word) => {
            let others =
                VOCABULARIES.iter().filter(|words| words.contains(&word.as_str())).copied().flatten();
            let mut all: Vec<Value> =
                others.filter(|other| *other != word).map(|&other| other.into()).collect();
            all.extend([Value::from("nonsense"), Value::from(1), Value::Null]);
            all
        }
        Value::Array(_) | Value::Object(_) => vec![],
    }
}

/// All paths in a value, as JSON pointers.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                places(element, &format!("{at}/{index}"), into);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                places(field, &format!("{at}/{name}"), into);
            }
        }
        _ => {}
    }
}

/// The memory that a path belongs to.
fn memory<'a>(scenario: &'a Value, place: &str) -> Option<&'a Value> {
    let (path, _) = place.rsplit_once("/L")?;
    scenario.pointer(path)
}

/// Changes that may go unnoticed: free text; `L` while the state is bot; another K, Δ or variant under which the
/// scenario runs the same way; an unused edge, or another port for an edge. So may steps with the same effect.
/// CleanUp may replace a CheckPriorities without candidates, and happen at the other end if both ends are in the same
/// state. An ignored Unlock may replace an ignored Lock, in any notation. Whole steps without effect on the rest may
/// change too, but never their values.
fn may_change(scenario: &Value, place: &str, to: &Value) -> bool {
    match place {
        "/id" | "/note" => to.is_string() || to.is_null(),
        "/K" | "/delta" => to.as_u64().is_some_and(|to| to < 1 << 17),
        "/variant" => true,
        "/pair" => !scenario["steps"].to_string().contains("\"lock\""),
        _ if place.starts_with("/edges") => true,
        _ if is_step(place) => true,
        _ if step_of(scenario, place).is_some_and(|step| step["do"][0] == "connect") => true,
        _ if step_of(scenario, place).is_some_and(|step| step["misuse"] == true) => {
            to == "lock" || to == "unlock" || (place.ends_with("/do/2") && to.is_null())
        }
        _ if step_of(scenario, place).is_some_and(|step| step["do"][2] == "CleanUp") => {
            place.ends_with("/do/1") && to.as_u64() < scenario["n"].as_u64()
        }
        _ if scenario.pointer(place) == Some(&Value::from("CheckPriorities")) => to == "CleanUp",
        _ => memory(scenario, place).is_some_and(|memory| memory["state"] == "bot"),
    }
}

/// Whether a path is `/steps/17` and not something inside it.
fn is_step(place: &str) -> bool {
    place.strip_prefix("/steps/").is_some_and(|rest| !rest.contains('/'))
}

fn step_of<'a>(scenario: &'a Value, place: &str) -> Option<&'a Value> {
    let (index, _) = place.strip_prefix("/steps/")?.split_once("/do")?;
    scenario.pointer(&format!("/steps/{index}"))
}

/// A function that replays a scenario.
type Run = fn(&[u8]) -> Result<ConformanceReport, FileError>;

const REFERENCE: Run = |line| conformance::run("one", line);
const WORDS: Run = |line| conformance::run_on_words("one", line);

struct Tally {
    run: Run,
    tried: u64,
    excused: Vec<String>,
    undetected: Vec<String>,
}

impl Tally {
    fn attempt(&mut self, original: &Value, mutant: &Value, place: &str, what: &str, excused: bool) {
        if mutant == original {
            return;
        }
        self.tried += 1;
        // A malformed line counts as noticed.
        let agrees = (self.run)(mutant.to_string().as_bytes()).is_ok_and(|report| report.agrees());
        if agrees {
            let words = format!("{}: {place} {what}", original["id"]);
            if excused { self.excused.push(words) } else { self.undetected.push(words) }
        }
    }
}

/// The approximate number of paths of a scenario that are tried.
const SAMPLED: usize = 60;

fn mutate(scenario: &Value, sampled: usize, tally: &mut Tally) {
    let mut all = Vec::new();
    places(scenario, "", &mut all);
    let stride = if std::env::var_os("ACRASIN_MUTATE_ALL").is_some() { 1 } else { 1 + all.len() / sampled };
    for place in all.iter().step_by(stride) {
        let old = scenario.pointer(place).unwrap();
        for to in changed(old) {
            let mut mutant = scenario.clone();
            *mutant.pointer_mut(place).unwrap() = to.clone();
            tally.attempt(scenario, &mutant, place, &format!("to {to}"), may_change(scenario, place, &to));
        }
        let Value::Array(elements) = old else { continue };
        for (index, element) in elements.iter().enumerate() {
            let inside = format!("{place}/{index}");
            let excused = may_change(scenario, &inside, &Value::Null);
            let mut mutant = scenario.clone();
            mutant.pointer_mut(place).unwrap().as_array_mut().unwrap().remove(index);
            tally.attempt(scenario, &mutant, &inside, "dropped", excused);
            let mut mutant = scenario.clone();
            mutant.pointer_mut(place).unwrap().as_array_mut().unwrap().insert(index, element.clone());
            tally.attempt(scenario, &mutant, &inside, "doubled", excused);
        }
    }
    for place in all.iter().step_by(stride) {
        let Some(Value::Object(fields)) = scenario.pointer(place) else { continue };
        for name in fields.keys() {
            let inside = format!("{place}/{name}");
            let mut mutant = scenario.clone();
            let fields = mutant.pointer_mut(place).unwrap().as_object_mut().unwrap();
            let value = fields.remove(name).unwrap();
            // An absent `pair` is false, and a Lock with null is ignored anyway.
            let ignored = value == true && mutant.pointer(&format!("{place}/do/2")) == Some(&Value::Null);
            let excused =
                name == "note" || (name == "pair" && value == false) || (name == "misuse" && ignored);
            let mut renamed = mutant.clone();
            tally.attempt(scenario, &mutant, &inside, "removed", excused);
            let fields = renamed.pointer_mut(place).unwrap().as_object_mut().unwrap();
            fields.insert(format!("{name}x"), value);
            tally.attempt(scenario, &renamed, &inside, "renamed", false);
        }
    }
}

fn read(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Notices changes at about `sampled` places of each scenario, at least `least` changes in all.
fn check(run: Run, scenarios: &[Value], sampled: usize, least: u64) {
    let mut tally = Tally { run, tried: 0, excused: vec![], undetected: vec![] };
    for scenario in scenarios {
        let report = run(scenario.to_string().as_bytes()).unwrap();
        assert!(report.agrees(), "{report}");
        mutate(scenario, sampled, &mut tally);
    }
    println!("{} changes, {} excused and undetected", tally.tried, tally.excused.len());
    assert!(tally.undetected.is_empty(), "{:#?}", tally.undetected);
    assert!(tally.tried > least, "{} changes", tally.tried);
    // Few changes are excused: at most one in fifty.
    assert!(tally.excused.len() as u64 * 50 < tally.tried, "{:#?}", tally.excused);
}

#[test]
fn every_change_of_the_own_corpus_is_noticed() {
    check(REFERENCE, &read(OWN), SAMPLED, 2_000);
}

/// The scenarios that rung F3 can express.
fn on_words(mut scenarios: Vec<Value>) -> Vec<Value> {
    scenarios.retain(|scenario| WORDS(scenario.to_string().as_bytes()).is_ok());
    scenarios
}

#[test]
fn every_change_of_the_own_corpus_is_noticed_on_words() {
    let scenarios = on_words(read(OWN));
    assert_eq!(scenarios.len(), 10);
    check(WORDS, &scenarios, SAMPLED, 2_000);
}

#[test]
fn changes_of_the_shared_corpus_are_noticed() {
    if !Path::new(SHARED).exists() {
        eprintln!("SKIPPED: {SHARED} is not there; the corpus in testdata/ is tested all the same");
        return;
    }
    let scenarios = read(SHARED);
    check(REFERENCE, &scenarios, SAMPLED / 3, 2_000);
    check(WORDS, &on_words(scenarios), SAMPLED / 3, 2_000);
}

#[test]
#[ignore = "minutes"]
fn many_changes_of_the_shared_corpus_are_noticed() {
    if Path::new(SHARED).exists() {
        let scenarios = read(SHARED);
        check(REFERENCE, &scenarios, 250, 10_000);
        check(WORDS, &on_words(scenarios), 250, 10_000);
    }
}

#[test]
fn a_difference_names_its_place() {
    let mut scenario = read(OWN).swap_remove(0);
    *scenario.pointer_mut("/steps/9/node/A").unwrap() = serde_json::json!([1]);
    let report = conformance::run("one", scenario.to_string().as_bytes()).unwrap();
    let words: Vec<String> = report.differences().iter().map(ToString::to_string).collect();
    assert_eq!(words, ["line 1, scenario crossing-paper, step 10, node.A: expected [1], actual [0,1]"]);
    assert_eq!(report.to_string(), "1 scenario, 20 steps, 1 difference");
}

#[test]
fn a_message_that_is_not_in_transit_is_a_difference() {
    let mut scenario = read(OWN).swap_remove(0);
    *scenario.pointer_mut("/steps/1/do").unwrap() = serde_json::json!(["recv", 0, 1, "set-lock"]);
    let report = conformance::run("one", scenario.to_string().as_bytes()).unwrap();
    let words: Vec<String> = report.differences().iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "line 1, scenario crossing-paper, step 2, do: expected [\"recv\",0,1,\"set-lock\"], actual no such message is \
          in transit to node 0; the 18 steps that follow are not replayed"
        ]
    );
    assert_eq!((report.steps(), report.difference_count()), (2, 1));
}
