//! Bad input of uniform pairs, for `run` and `sweep`: the place, exit code 2, and nothing written.

use crate::program::Scratch;

const MAJORITY: &str = "Library(name: \"approximate-majority\")";
const START: &str = "Counts({\"A\": 12, \"B\": 8})";

fn scenario(agents: &str, stop: &str, protocol: &str, start: &str) -> String {
    format!(
        "(\n  topology: Complete(nodes: {agents}),\n  stop: [{stop}],\n  work: Interactions(\n    protocol: {protocol},\n    \
         initial: {start},\n  ),\n)"
    )
}

fn table(rule: &str) -> String {
    format!("Table(states: [\"A\", \"B\"], rules: [{rule}], default: Null)")
}

/// Runs and sweeps the scenario, with a folder and a file that could be written.
#[track_caller]
fn refused(text: &str, snippets: &[&str]) {
    let place = Scratch::new();
    place.file("bad.ron", text);
    for arguments in [
        &["run", "bad.ron", "-o", "out"][..],
        &["sweep", "bad.ron", "--over", "seed=[1, 2]", "-o", "rows.jsonl"],
    ] {
        let ran = place.run(arguments).exits(2);
        for snippet in snippets {
            assert!(ran.err.contains(snippet), "{snippet:?} is not in:\n{}", ran.err);
        }
        assert!(ran.err.starts_with("error: ") && ran.out.is_empty(), "{ran:?}");
        assert_eq!(place.names(), ["bad.ron"], "{}", ran.err);
    }
}

#[test]
fn what_is_refused_here_is_run_with_the_fault_repaired() {
    let place = Scratch::new();
    place.file("good.ron", scenario("20", "Silent", MAJORITY, START));
    place.run(&["run", "good.ron", "-o", "out"]).exits(0);
    place.run(&["sweep", "good.ron", "--over", "seed=[1, 2]", "-o", "rows.jsonl"]).exits(0);
    assert_eq!(place.names(), ["good.ron", "out", "rows.jsonl"]);
    let weighted = table("Randomised(\"A + B\", [(1, \"A + A\"), (3, \"B + B\")])");
    place.file("good.ron", scenario("20", "Silent", &weighted, START));
    place.run(&["run", "good.ron"]).exits(0);
}

#[test]
fn one_agent_meets_no_other() {
    refused(
        &scenario("1", "Silent", MAJORITY, "All(\"A\")"),
        &["1 agent", "bad.ron:2:29", "2 to 9007199254740992"],
    );
}

#[test]
fn counts_that_are_not_the_number_of_agents() {
    let snippets =
        ["the counts add up to 20, but there are 21 nodes", "bad.ron:6:14", "counts that add up to 21"];
    refused(&scenario("21", "Silent", MAJORITY, START), &snippets);
}

#[test]
fn shares_that_are_not_one() {
    let start = "Shares({\"A\": 0.5, \"B\": 0.4})";
    refused(&scenario("20", "Silent", MAJORITY, start), &["the shares add up to 0.9", "bad.ron:6:14"]);
}

#[test]
fn states_that_do_not_exist() {
    let rule = table("Ordered(\"A + C -> A + A\")");
    refused(&scenario("20", "Silent", &rule, "All(\"A\")"), &["unknown state `C`", "bad.ron:5:62", "A, B"]);
    refused(
        &scenario("20", "Silent", MAJORITY, "All(\"C\")"),
        &["unknown state `C`", "bad.ron:6:18", "A, B, U"],
    );
}

#[test]
fn probabilities_and_weights_that_are_no_numbers() {
    for number in ["inf", "NaN", "-0.5", "1.5"] {
        let start = format!("Shares({{\"A\": {number}, \"B\": 0.4}})");
        refused(&scenario("20", "Silent", MAJORITY, &start), &["bad.ron:6:27", "from 0 to 1"]);
    }
    for weight in ["inf", "NaN", "-1", "0.5"] {
        let rule = table(&format!("Randomised(\"A + B\", [({weight}, \"A + A\"), (1, \"B + B\")])"));
        refused(&scenario("20", "Silent", &rule, "All(\"A\")"), &["bad.ron:5:", "accepted: "]);
    }
}

#[test]
fn rates_that_are_no_numbers() {
    let reactions = |rate: &str| {
        format!(
            "(\n  reactions: (\n    species: [\"X\"],\n    rules: [(\"X ->\", {rate})],\n    volume: 10.0,\n    \
             initial: {{\"X\": 10}},\n  ),\n  stop: [Time(1.0)],\n)"
        )
    };
    for rate in ["inf", "NaN", "1e999", "-1.0"] {
        refused(&reactions(rate), &["out of range", "bad.ron:4:22"]);
    }
    let place = Scratch::new();
    place.file("good.ron", reactions("1.0"));
    place.run(&["run", "good.ron"]).exits(0);
}

#[test]
fn a_predicate_on_a_state_that_does_not_exist() {
    let text = scenario("20", "Counts(\"A == 0 || C == 0\")", MAJORITY, START);
    refused(&text, &["unknown state or output `C`", "bad.ron:3:28", "A, B, U"]);
}

#[test]
fn a_sweep_of_more_runs_than_the_limit() {
    let place = Scratch::new();
    place.file("good.ron", scenario("20", "Silent", MAJORITY, START));
    let sweep = ["sweep", "good.ron", "--over", "seed=1..1001", "--reps", "1000", "-o", "rows.jsonl"];
    let ran = place.run(&sweep).exits(2);
    assert!(ran.err.contains("a sweep of 1001000 runs") && ran.err.contains("up to 1000000"), "{}", ran.err);
    let ran = place.run(&[&sweep[..4], &["--limit", "1000", "-o", "rows.jsonl"]].concat()).exits(2);
    assert!(ran.err.contains("accepted: up to 1000, or a larger --limit"), "{}", ran.err);
    assert_eq!((ran.out.as_str(), place.names()), ("", vec!["good.ron".to_owned()]));
}
