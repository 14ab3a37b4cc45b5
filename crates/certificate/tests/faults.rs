//! Faults planted in a prover: the certificates that it would write are refused, at the step that does not hold.
//!
//! Nearly all claims here are wrong, so that a checker with the same fault would accept a wrong claim. Some are paired
//! with a claim for which the same kind of step is right.

use std::ops::ControlFlow;

use acrasin_explore::Limits;
use acrasin_verify::population::{CheckedPopulation, ClaimOutcome, check};
use serde_json::{Value, json};

use crate::corpus::{CorpusRow, row};
use crate::oracle;

/// A certificate. For a wrong one, also the end of the position and a part of the reason of its refusal.
struct Planted {
    fault: &'static str,
    row: CorpusRow,
    certificate: Value,
    refusal: Option<(&'static str, &'static str)>,
}

const BROADCAST: &str = r#"Table(states: ["x", "y"], inputs: ["x", "y"], outputs: {"x": "yes", "y": "no"},
    rules: [Symmetric("x + y -> x + x")], default: Null)"#;
const FRATRICIDE: &str =
    r#"Table(states: ["L", "F"], inputs: ["L"], rules: [Ordered("L + L -> L + F")], default: Null)"#;
/// Agents in x and z change places forever while an agent is in y.
const SWAP: &str = r#"Table(states: ["x", "y", "z"], inputs: ["x", "y"],
    rules: [Symmetric("x + y -> z + y"), Symmetric("z + y -> x + y")], default: Null)"#;
/// A leader turns each x into y.
const LEADER: &str = r#"Table(states: ["L", "x", "y"], inputs: ["L", "x"],
    rules: [Symmetric("L + x -> L + y")], default: Null)"#;
const COUNT: &str = r#"Table(states: ["p"], inputs: ["p"], outputs: {"p": "yes"}, rules: [], default: Null)"#;
const PUMP: &str = r#"Table(states: ["p", "q"], inputs: ["p", "q"],
    rules: [Symmetric("p + q -> q + q"), Symmetric("q + q -> p + p")], default: Null)"#;
const PUMP_WITH_SOURCE: &str = r#"Table(states: ["p", "q", "r"], inputs: ["p", "q", "r"],
    rules: [Symmetric("p + q -> q + q"), Symmetric("q + q -> p + p"), Symmetric("r + p -> r + q")], default: Null)"#;

fn computes(protocol: &str, predicate: &str) -> CorpusRow {
    row(protocol, Some(predicate), None)
}

fn eventually(protocol: &str, predicate: &str) -> CorpusRow {
    row(protocol, None, Some(predicate))
}

fn certificate(states: &[&str], transitions: &Value, trees: &[Value]) -> Value {
    let sides = [true, false].iter().zip(trees).map(|(value, tree)| json!({"value": value, "tree": tree}));
    json!({"format": "all-n/1", "states": states, "transitions": transitions, "sides": sides.collect::<Vec<_>>()})
}

/// The certificate in the format that has siphons and traps of parts of a run.
fn of_parts(mut certificate: Value) -> Value {
    certificate["format"] = "all-n/2".into();
    certificate
}

fn farkas(constraints: &[u32]) -> Value {
    json!({"farkas": constraints.iter().map(|number| json!([number, "1"])).collect::<Vec<_>>()})
}

fn rank(dead: &[u32], weights: &Value) -> Value {
    json!({"kind": "rank", "dead": dead, "weights": weights})
}

/// x and y are not both occupied: the pair is dead, which is disjunction 0 with the constraint `next`, and x != 0 and y
/// != 0 are the disjunctions 1 and 2. `counts` are the constraints that counts of x and y are not negative.
fn not_both(next: u32, counts: [u32; 2]) -> Value {
    let one = |disjunction: u32, count: u32| {
        let of = [farkas(&[next, next + 1]), farkas(&[count, next + 1])];
        json!({"cases": ["either", disjunction], "of": of})
    };
    json!({"cases": ["either", 0], "of": [one(1, counts[0]), one(2, counts[1])]})
}

fn broadcast(trees: &[Value]) -> Value {
    certificate(&["x", "y"], &json!([[[0, 1], [0, 0]]]), trees)
}

fn fratricide(tree: Value) -> Value {
    certificate(&["L", "F"], &json!([[[0, 0], [0, 1]]]), &[tree])
}

fn swap(step: Value) -> Value {
    let steps = vec![step];
    let tree = json!({"steps": steps, "proof": not_both(8, [4, 5])});
    certificate(&["x", "y", "z"], &json!([[[0, 1], [1, 2]], [[1, 2], [0, 1]]]), &[tree])
}

fn leader(tree: Value) -> Value {
    certificate(&["L", "x", "y"], &json!([[[0, 1], [0, 2]]]), &[tree])
}

/// Broadcast when the input has at least two x: side true, which is right.
fn two_x() -> Value {
    let of = [farkas(&[2, 6, 7]), json!({"cases": ["either", 1], "of": [farkas(&[7, 8])]})];
    json!({"steps": [rank(&[0], &json!({"1": 1}))], "proof": {"cases": ["either", 0], "of": of}})
}

fn flows_and_counts() -> Vec<Planted> {
    let dead_y = json!({"cases": ["either", 0], "of": [
        {"cases": ["either", 1], "of": [farkas(&[7, 8])]}, farkas(&[5, 6, 7])]});
    vec![
        Planted {
            fault: "the flow ranges over live transitions only",
            row: computes(BROADCAST, "x >= 2"),
            certificate: broadcast(&[
                two_x(),
                json!({"steps": [rank(&[0], &json!({"1": 1}))], "proof": dead_y}),
            ]),
            refusal: Some(("sides[1].tree.proof.of[1]", "variables remain")),
        },
        Planted {
            fault: "a dead pair {a, a} leaves no agent in a",
            row: eventually(FRATRICIDE, "L = 0"),
            certificate: fratricide(json!({"steps": [rank(&[0], &json!({"0": 1}))],
                "proof": {"cases": ["either", 0], "of": [farkas(&[5, 6]), farkas(&[2, 6])]}})),
            refusal: Some(("sides[0].tree.proof.of[0]", "its constant is not negative")),
        },
        Planted {
            fault: "populations have three agents",
            row: eventually(FRATRICIDE, "F >= 2"),
            certificate: fratricide(
                json!({"steps": [rank(&[0], &json!({"0": 1}))], "proof": farkas(&[4, 5, 6])}),
            ),
            refusal: Some(("sides[0].tree.proof", "its constant is not negative")),
        },
        Planted {
            fault: "none: F >= 1",
            row: eventually(FRATRICIDE, "F >= 1"),
            certificate: fratricide(
                json!({"steps": [rank(&[0], &json!({"0": 1}))], "proof": farkas(&[4, 5, 6])}),
            ),
            refusal: None,
        },
        Planted {
            fault: "an occupied state and a dead pair {a, a} contradict each other",
            row: eventually(FRATRICIDE, "L = 0"),
            certificate: fratricide(
                json!({"steps": [rank(&[0], &json!({"0": 1}))], "split": 0, "children": [
                {"steps": []},
                {"steps": [], "proof": {"cases": ["either", 0], "of": [farkas(&[5, 6]), farkas(&[2, 6])]}}]}),
            ),
            refusal: Some(("sides[0].tree.children[0]", "has no proof")),
        },
        Planted {
            fault: "an enabled pair {a, a} has three agents",
            row: CorpusRow {
                given: Some("n = 2".to_owned()),
                ..eventually(
                    r#"Table(states: ["p", "q"], inputs: ["p"],
                    rules: [Ordered("p + p -> p + q"), Symmetric("p + q -> p + p")], default: Null)"#,
                    "q = 0",
                )
            },
            certificate: certificate(
                &["p", "q"],
                &json!([[[0, 0], [0, 1]], [[0, 1], [0, 0]]]),
                &[json!({"steps": [
                    {"kind": "disabled", "dead": [0], "proofs": {"0": farkas(&[1, 4, 7, 8])}},
                    rank(&[1], &json!({"1": 1}))],
                    "proof": farkas(&[6])})],
            ),
            refusal: Some(("steps[0].proofs.0", "")),
        },
        Planted {
            fault: "the condition of another claim is in force",
            row: computes(BROADCAST, "x >= 2"),
            certificate: no_x(),
            refusal: Some(("sides[0].tree.proof.farkas[0]", "there is no constraint 7")),
        },
        Planted {
            fault: "none: the claim has the condition",
            row: CorpusRow { given: Some("x = 0".to_owned()), ..computes(BROADCAST, "x >= 2") },
            certificate: no_x(),
            refusal: None,
        },
        Planted {
            fault: "quotients of remainders are not negative",
            row: computes(COUNT, "0 - p mod 3 = 1"),
            certificate: certificate(
                &["p"],
                &json!([]),
                &[
                    nothing_wrong(),
                    json!({"steps": [],
                "proof": farkas(&[2, 3])}),
                ],
            ),
            refusal: Some(("sides[1].tree.proof", "the first with a negative factor")),
        },
        Planted {
            fault: "an undecided output is right",
            row: CorpusRow {
                answers: Some(serde_json::from_value(json!({"yes": ["a"], "no": ["b"]})).unwrap()),
                ..computes(
                    r#"Table(states: ["a", "u", "b"], inputs: ["a"], rules: [Ordered("a + a -> a + u")], default: Null)"#,
                    "a >= 1",
                )
            },
            certificate: certificate(
                &["a", "u", "b"],
                &json!([[[0, 0], [0, 1]]]),
                &[
                    json!({"steps": [rank(&[0], &json!({"0": 1}))], "proof": {"cases": ["either", 0], "of": []}}),
                    json!({"steps": [], "proof": farkas(&[4, 5])}),
                ],
            ),
            refusal: Some(("sides[0].tree.proof", "1 cases have 0 proofs")),
        },
        Planted {
            fault: "one side is enough",
            row: computes(BROADCAST, "x >= 2"),
            certificate: broadcast(&[two_x()]),
            refusal: Some(("sides", "the side with the value false is missing")),
        },
    ]
}

/// Broadcast without x: no agent ever answers yes. Valid only if the claim is about no other input.
fn no_x() -> Value {
    let siphon =
        json!({"cases": ["siphon", [0]], "of": [farkas(&[10]), farkas(&[7, 10]), farkas(&[7, 9, 10])]});
    broadcast(&[
        json!({"steps": [], "proof": farkas(&[7, 8])}),
        json!({"steps": [], "proof": {"cases": ["either", 0], "of": [siphon]}}),
    ])
}

/// No state has a wrong output: the disjunction has no case.
fn nothing_wrong() -> Value {
    json!({"steps": [], "proof": {"cases": ["either", 0], "of": []}})
}

fn lemmas() -> Vec<Planted> {
    let tree = |proof: Value| json!({"steps": [], "proof": proof});
    vec![
        Planted {
            fault: "a trap was occupied at some time",
            row: eventually(BROADCAST, "x >= 1"),
            certificate: broadcast(&[tree(
                json!({"cases": ["trap", [0]], "of": [farkas(&[7]), farkas(&[6, 7])]}),
            )]),
            refusal: Some(("sides[0].tree.proof", "3 cases have 2 proofs")),
        },
        Planted {
            fault: "the sign of the last case of a trap is reversed",
            row: eventually(BROADCAST, "x >= 1"),
            certificate: broadcast(&[tree(json!({"cases": ["trap", [0]], "of":
                [farkas(&[7]), farkas(&[6, 7]), {"farkas": [[0, "1"], [2, "1"], [6, "2"], [7, "1"]]}]}))]),
            refusal: Some(("sides[0].tree.proof.of[2]", "variables remain")),
        },
        Planted {
            fault: "a siphon is empty at the start",
            row: eventually(BROADCAST, "x < 1"),
            certificate: broadcast(&[tree(
                json!({"cases": ["siphon", [0]], "of": [farkas(&[7]), farkas(&[6, 7])]}),
            )]),
            refusal: Some(("sides[0].tree.proof", "3 cases have 2 proofs")),
        },
        Planted {
            fault: "a set is entered, though it is occupied from the start",
            row: eventually(BROADCAST, "x < 1"),
            certificate: broadcast(&[tree(json!({"cases": ["entry", [0]], "of": [farkas(&[6, 7])]}))]),
            refusal: Some(("sides[0].tree.proof", "2 cases have 1 proofs")),
        },
        Planted {
            fault: "the format has no traps of parts",
            row: eventually(BROADCAST, "x < 1"),
            certificate: broadcast(&[tree(json!({"cases": ["part-trap", [0], 1], "of": []}))]),
            refusal: Some(("sides[0].tree.proof.cases", "unknown kind of case distinction")),
        },
        Planted {
            fault: "a trap belongs to a part of the run that no entry distinguishes",
            row: eventually(BROADCAST, "x < 1"),
            certificate: of_parts(broadcast(&[tree(json!({"cases": ["part-trap", [0], 1], "of": []}))])),
            refusal: Some(("sides[0].tree.proof", "there is no entry or exit 1 here")),
        },
        Planted {
            fault: "a siphon of the part before an entry is empty at the start",
            row: eventually(BROADCAST, "x < 1"),
            certificate: of_parts(broadcast(&[tree(json!({"cases": ["entry", [0]], "of": [
                {"cases": ["part-siphon", [0], 1], "of": [farkas(&[8]), farkas(&[9])]}, farkas(&[6, 7])]}))])),
            refusal: Some(("sides[0].tree.proof.of[0]", "3 cases have 2 proofs")),
        },
        Planted {
            fault: "a trap is empty where the part before an entry ends",
            row: eventually(BROADCAST, "x < 1"),
            certificate: of_parts(broadcast(&[tree(json!({"cases": ["entry", [0]], "of": [
                {"cases": ["part-trap", [0], 1], "of": [farkas(&[8]), farkas(&[8]), farkas(&[7, 8])]},
                farkas(&[6, 7])]}))])),
            refusal: Some(("sides[0].tree.proof.of[0].of[1]", "variables remain")),
        },
        Planted {
            fault: "a cut has fractions as factors",
            row: computes(COUNT, "p mod 2 = 0"),
            certificate: certificate(
                &["p"],
                &json!([]),
                &[
                    nothing_wrong(),
                    json!({"steps": [],
                "proof": {"cases": ["either", 0], "of": [
                    {"cut": [[5, "1/2"]], "then": farkas(&[4, 6])}, farkas(&[3, 5])]}}),
                ],
            ),
            refusal: Some(("sides[1].tree.proof.of[0]", "not a whole number")),
        },
        Planted {
            fault: "a cut rounds its constant up",
            row: computes(COUNT, "p mod 2 = 0"),
            // From 2 k <= p and p <= 2 k + 1 nothing follows but 0 >= 0.
            certificate: certificate(
                &["p"],
                &json!([]),
                &[
                    nothing_wrong(),
                    json!({"steps": [],
                "proof": {"cut": [[3, "1/2"], [4, "1/2"]], "then": farkas(&[5])}}),
                ],
            ),
            refusal: Some(("sides[1].tree.proof.then", "its constant is not negative")),
        },
    ]
}

fn steps() -> Vec<Planted> {
    let present =
        json!({"steps": [], "proof": {"cases": ["either", 0], "of": [farkas(&[7, 9]), farkas(&[4, 9])]}});
    let empty =
        json!({"steps": [], "proof": {"cases": ["either", 1], "of": [farkas(&[7, 8]), farkas(&[3, 8])]}});
    let rank_x = || vec![rank(&[0], &json!({"1": 1}))];
    let raised = json!([[[0, 1], [0, 0]], [[0, 2], [1, 2]], [[1, 2], [0, 2]]]);
    vec![
        Planted {
            fault: "a live transition may raise a rank",
            row: eventually(
                r#"Table(states: ["x", "y", "z"], inputs: ["x", "y", "z"],
                rules: [Symmetric("x + y -> x + x"), Symmetric("x + z -> y + z"), Symmetric("y + z -> x + z")], default: Null)"#,
                "x = 0 or y = 0",
            ),
            certificate: certificate(
                &["x", "y", "z"],
                &raised,
                &[json!({
                "steps": [rank(&[0], &json!({"1": 1}))], "proof": not_both(10, [6, 7])})],
            ),
            refusal: Some(("steps[0]", "the live transition 1 raises the rank")),
        },
        Planted {
            fault: "a transition dies that keeps the rank",
            row: eventually(SWAP, "x = 0 or y = 0"),
            certificate: swap(rank(&[0], &json!({"0": 1, "2": 1}))),
            refusal: Some(("steps[0].dead[0]", "does not lower the rank")),
        },
        Planted {
            fault: "a layer is enabled again by a transition outside",
            row: eventually(SWAP, "x = 0 or y = 0"),
            certificate: swap(json!({"kind": "layer", "dead": [0], "weights": {"0": 1}})),
            refusal: Some(("steps[0]", "can enable the pair 0, 1 again")),
        },
        Planted {
            fault: "a state is split that live transitions change",
            row: eventually(LEADER, "x = 0"),
            certificate: leader(json!({"steps": [], "split": 1, "children": [present, present]})),
            refusal: Some(("sides[0].tree.split", "changes the number of agents in the state 1")),
        },
        Planted {
            fault: "the empty child knows that the state is occupied",
            row: eventually(LEADER, "x = 0"),
            certificate: leader(json!({"steps": rank_x(), "split": 0, "children": [present, present]})),
            refusal: Some(("sides[0].tree.children[1].proof.of[0].farkas[1]", "there is no constraint 9")),
        },
        Planted {
            fault: "none: without a leader nothing is claimed",
            row: eventually(LEADER, "x = 0 or L = 0"),
            certificate: leader(json!({"steps": rank_x(), "split": 0, "children": [present, empty]})),
            refusal: None,
        },
        Planted {
            fault: "a sequence of transitions is enabled again",
            row: eventually(PUMP_WITH_SOURCE, "q <= 1"),
            certificate: certificate(
                &["p", "q", "r"],
                &json!([[[0, 1], [1, 1]], [[0, 2], [1, 2]], [[1, 1], [0, 0]]]),
                &[
                    json!({"steps": [{"kind": "macro", "weights": {"1": 1}, "items": [[0, 2], [2]], "dead": [0, 2]}],
                    "proof": farkas(&[10, 11])}),
                ],
            ),
            refusal: Some(("steps[0].items[0]", "the live transition 1 can enable this sequence again")),
        },
        Planted {
            fault: "none: nothing makes a q outside the sequences",
            row: eventually(PUMP, "q <= 1"),
            certificate: certificate(
                &["p", "q"],
                &json!([[[0, 1], [1, 1]], [[1, 1], [0, 0]]]),
                &[
                    json!({"steps": [{"kind": "macro", "weights": {"1": 1}, "items": [[0, 1], [1]], "dead": [0, 1]}],
                    "proof": farkas(&[7, 8])}),
                ],
            ),
            refusal: None,
        },
        Planted {
            fault: "members of sequences need no closure",
            row: eventually(SWAP, "x = 0 or y = 0"),
            certificate: swap(json!({"kind": "macro", "weights": {"0": 1}, "items": [[0]], "dead": [0]})),
            refusal: Some(("steps[0].items[0]", "the live transition 1 can enable this sequence again")),
        },
    ]
}

#[test]
fn certificates_of_a_faulty_prover_are_refused() {
    let all: Vec<Planted> = [flows_and_counts(), lemmas(), steps()].into_iter().flatten().collect();
    let faults = all.iter().filter(|planted| planted.refusal.is_some()).count();
    assert!(faults >= 12, "{faults}");
    let mut wrong = Vec::new();
    for planted in all {
        let fault = planted.fault;
        wrong.extend(complaints(planted).into_iter().map(|complaint| format!("{fault}: {complaint}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Differences between the verdicts of the checker, the oracle and the exhaustive check, and what is expected.
fn complaints(Planted { row, certificate, refusal, .. }: Planted) -> Vec<String> {
    let mut complaints = Vec::new();
    let text = certificate.to_string();
    let claim = row.claim();
    match (claim.verdict(&text), refusal) {
        (Ok(_), None) => {}
        (Err(said), Some((place, reason))) => {
            let (found, why) = said.split_once(" (byte ").unwrap_or(("", &said));
            if !found.ends_with(place) || !why.contains(reason) {
                complaints.push(said);
            }
        }
        (verdict, _) => complaints.push(format!("{verdict:?}")),
    }
    let sizes = (2..=4).map(|agents| CheckedPopulation::complete(agents).unwrap());
    let sizes: Vec<CheckedPopulation> = sizes.collect();
    let limits = Limits::bytes(1 << 24);
    let report =
        check(&claim.table, &claim.claim, &claim.inputs, &sizes, &limits, |_| ControlFlow::Continue(()));
    if matches!(report.outcome, ClaimOutcome::Fails(_)) != refusal.is_some() {
        complaints.push(format!("the exhaustive check: {:?}", report.outcome));
    }
    if let Some(expected) = oracle::verdicts(&row.for_oracle(), &[text])
        && expected[0].is_ok() != refusal.is_none()
    {
        complaints.push(format!("the oracle: {expected:?}"));
    }
    complaints
}
