//! `acrasin check` of population protocols.

use crate::program::Scratch;

/// Exact majority in which b wins ties.
const MAJORITY: &str = r#"(
    states: ["a", "b", "x", "y"],
    outputs: {"a": "yes", "x": "yes", "b": "no", "y": "no"},
    inputs: ["a", "b"],
    rules: [
        Symmetric("a + b -> x + y"),
        Symmetric("a + y -> a + x"),
        Symmetric("b + x -> b + y"),
        Symmetric("x + y -> y + y"),
    ],
    default: Null,
)"#;

#[test]
fn a_claim_that_holds() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let ran = place.run(&["check", "protocol.ron", "--predicate", "a > b", "--up-to", "12"]).exits(0);
    for line in [
        "class: symmetric",
        "conserved: a + b + x + y; a - b",
        "inputs: a, b (from the file)",
        "claim: computes a > b",
        "answers: yes = yes; no = no",
        "complete graph, 2 to 12 agents",
        "holds: from every input every fair execution stabilises to the right output (88 inputs, 885 configurations)",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line} in {}", ran.out);
    }
    assert_eq!(ran.err, "");
}

#[test]
fn a_claim_that_does_not_hold_comes_with_its_counterexample() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let ran = place.run(&["check", "protocol.ron", "--predicate", "a >= b"]).exits(1);
    let tail = "fails (3 inputs, 5 configurations)\n\
                counterexample: 2 agents, input 1 a, 1 b: `a >= b` holds, so every agent should finally answer yes\n  \
                start  1 a, 1 b\n      1  a + b -> x + y\n      2  x + y -> y + y\n  \
                after 2 interactions: 2 y with the outputs 2 no\n  it stays there: no interaction changes a state (silent)\n";
    assert!(ran.out.ends_with(tail), "{}", ran.out);
    // The protocol of the library has no rule for ties, and fails on a ring.
    let library = ["check", "exact-majority", "--predicate", "A > B", "--answers", "yes=A,no=B"];
    place.run(&library).exits(1);
    let no_ties = [&library[..], &["--given", "A != B"]].concat();
    let written = place.run(&no_ties).exits(0);
    // The outputs of a majority have the names of the counts.
    for (predicate, code) in
        [("A > B", 0), ("B < A", 0), ("A >= B", 0), ("A < B", 0), ("A = B", 2), ("2 * A > B", 2)]
    {
        let by_name = place.run(&["check", "exact-majority", "--predicate", predicate, "--given", "A != B"]);
        let by_name = by_name.exits(code);
        match predicate {
            "A > B" => assert_eq!(by_name.out, written.out),
            "A < B" => assert!(by_name.out.contains("answers: yes = B; no = A"), "{}", by_name.out),
            _ => assert!(code == 0 || by_name.err.contains("--answers yes=…,no=…"), "{}", by_name.err),
        }
    }
    let ring = place.run(&[&no_ties[..], &["--graph", "ring", "--up-to", "6"]].concat()).exits(1);
    assert!(
        ring.out.contains("start  [") && ring.out.contains("node 3 + node 4: A + B -> a + b"),
        "{}",
        ring.out
    );
    place.file("pair.txt", "0 1\n1 2\n");
    let path = place.run(&[&no_ties[..], &["--graph", "pair.txt"]].concat()).exits(1);
    assert!(path.out.contains("pair.txt: 3 nodes, 2 edges"), "{}", path.out);
}

/// Checks used to treat directed edges as undirected, while runs of the same scenario did not.
#[test]
fn directed_edges_are_checked_as_they_are_run() {
    let place = Scratch::new();
    place.file(
        "s.ron",
        "(topology: File(path: \"g.dot\"), scheduler: UniformPairs(direction: Forward), seed: 1, stop: [Silent],
          work: Interactions(protocol: Table(states: [\"I\", \"S\"], rules: [OneWay(\"I + S -> I + I\")], default: Null),
          initial: Nodes(states: {\"I\": [\"b\"]}, rest: \"S\")))",
    );
    let check = |graph: &str, further: &[&str]| {
        place.file("g.dot", graph);
        let claim = ["check", "s.ron", "--eventually", "S = 0", "--given", "I = 1", "--graph", "g.dot"];
        place.run(&[&claim[..], further].concat())
    };
    let both = "directed edges are used in both directions";
    let one_way = "digraph { a -> b }";
    let ran = check(one_way, &[]).exits(1);
    assert!(ran.out.contains("2 nodes, 1 edge, the first end of each edge as initiator"), "{}", ran.out);
    assert!(!ran.err.contains(both), "{}", ran.err);
    // In the run from the placement in the check's output no interaction is possible.
    let run = place.run(&["run", "s.ron", "--format", "jsonl"]).exits(0).json();
    assert_eq!(run[0]["states"]["S"], 1);
    let ran = check(one_way, &["--direction", "either"]).exits(0);
    assert!(ran.err.contains(both), "{}", ran.err);
    check(one_way, &["--direction", "Backward"]).exits(1);
    let ran = check("digraph { a -> b [dir=both]; a -> b }", &[]).exits(0);
    assert!(ran.err.contains("its edges without direction are used in both"), "{}", ran.err);
    check("digraph { a -> b; a -> b [dir=back] }", &[]).exits(0);
    let cyclic = check("digraph { a -> b -> c -> a }", &[]).exits(0);
    assert!(cyclic.out.contains("3 nodes, 3 edges"), "{}", cyclic.out);
    place.run(&["check", "s.ron", "--eventually", "S = 0", "--direction", "forward"]).exits(2);
    let complete =
        ["check", "s.ron", "--eventually", "S = 0", "--direction", "forward", "--graph", "complete"];
    assert!(place.run(&complete).exits(2).err.contains("does not apply to the complete graph"));
}

#[test]
fn a_claim_about_the_end() {
    let place = Scratch::new();
    let ran = place.run(&["check", "fratricide", "--eventually", "L = 1", "--up-to", "20"]).exits(0);
    assert!(ran.out.contains("inputs: L (the states in the predicate)"), "{}", ran.out);
    place.run(&["check", "fratricide", "--eventually", "L = 1", "--inputs", "L,F"]).exits(1);
}

#[test]
fn what_programs_read() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let check = |predicate: &str, format: &str| {
        place.run(&["check", "protocol.ron", "--predicate", predicate, "--up-to", "4", "--format", format])
    };
    let holds = check("a > b", "jsonl").exits(0).json();
    assert_eq!(holds.len(), 3);
    for (row, (inputs, configurations)) in holds.iter().zip([(3, 5), (4, 9), (5, 17)]) {
        assert_eq!((&row["inputs"], &row["configurations"]), (&inputs.into(), &configurations.into()));
        assert_eq!((&row["result"], &row["counterexample"]), (&"holds".into(), &serde_json::Value::Null));
    }
    let fails = check("a >= b", "jsonl").exits(1).json();
    assert_eq!((fails.len(), &fails[0]["result"]), (1, &"fails".into()));
    assert!(fails[0]["counterexample"].as_str().unwrap().contains("x + y -> y + y"));
    assert!(check("a > b", "csv").exits(0).out.starts_with("agents,inputs,not_asked_for,configurations,"));
}

#[test]
fn a_budget_that_runs_out_says_what_was_covered() {
    let place = Scratch::new();
    let check =
        ["check", "graph-majority", "--predicate", "A > B", "--answers", "yes=A", "--given", "A != B"];
    let small = [&check[..], &["--graph", "ring", "--up-to", "9", "--memory", "600K"]].concat();
    let ran = place.run(&small).exits(3);
    let last = ran.out.lines().last().unwrap();
    assert!(last.starts_with("truncated, memory ceiling reached: complete up to "), "{last}");
    assert!(ran.out.contains(" truncated"), "{}", ran.out);
    let nothing = [&check[..], &["--memory", "1"]].concat();
    let expected = "no population size was explored completely; done: 0 inputs of 2 agents";
    assert!(place.run(&nothing).exits(3).out.contains(expected));
    let late = [&check[..], &["--up-to", "200", "--max-time", "1ms"]].concat();
    assert!(place.run(&late).exits(3).out.contains("truncated, stopped: "));
}

#[test]
fn bad_input_has_its_place() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    place.file("locks.ron", "(topology: Path(nodes: 2), scheduler: Sequential, work: Locks(each: 1))");
    for (arguments, parts) in [
        (
            &["protocol.ron", "--predicate", "a > > b"][..],
            &["--predicate:1:5", "1 | a > > b\n  |     ^\n", "accepted: a name"][..],
        ),
        (
            &["protocol.ron", "--predicate", "a > c"],
            &["--predicate:1:5", "unknown state or output `c`", "accepted: a, b, x, y"],
        ),
        (&["protocol.ron", "--eventually", "a >"], &["--eventually:1:4", "the predicate ends too early"]),
        (&["protocol.ron", "--predicate", "a > b", "--given", "q = 1"], &["--given:1:1", "`q`"]),
        (&["protocol.ron", "--predicate", "a > b", "--inputs", "a,z"], &["no state `z`", "a, b, x, y"]),
        (&["protocol.ron", "--predicate", "a > b", "--inputs", "a,a"], &["named twice"]),
        (&["protocol.ron", "--predicate", "a > b", "--answers", "yes=maybe"], &["no output `maybe`"]),
        (&["protocol.ron", "--predicate", "a > b", "--answers", "perhaps=yes"], &["yes=… and no=…"]),
        (
            &["protocol.ron", "--predicate", "a > b", "--graph", "rings"],
            &["no graph \"rings\"", "complete, ring, path, star"],
        ),
        (&["protocol.ron", "--predicate", "a > b", "--graph", "ring", "--up-to", "2"], &["--up-to is below"]),
        (&["protocol.ron", "--predicate", "a > b", "--up-to", "1"], &["2..=255"]),
        (&["protocol.ron", "--predicate", "a > b", "--memory", "2X"], &["512M"]),
        (&["protocol.ron", "--up-to", "5"], &["--up-to without a claim"]),
        (&["protocol.ron", "--exact-time", "--given", "a > 7"], &["--given without a claim"]),
        (&["protocol.ron", "--exact-time", "--input", "a=6,q=4"], &["no state `q`"]),
        (&["protocol.ron", "--exact-time", "--input", "a=1"], &["a population of 1 agent"]),
        (&["protocol.ron", "--exact-time", "--input", "a"], &["`a` is not a count of a state"]),
        (&["protocol.ron", "--exact-time", "--after", "5"], &["--input"]),
        (&["exact-majority", "--predicate", "A = B"], &["which outputs", "of the outputs A, B"]),
        (&["exact-majorty", "--predicate", "A > B"], &["did you mean `exact-majority`?"]),
        (&["locks.ron", "--predicate", "A > B"], &["no protocol runs in this scenario", "locks.ron:1:"]),
    ] {
        let ran = place.run(&[&["check"], arguments].concat()).exits(2);
        assert_eq!(ran.out, "", "{arguments:?}");
        for part in parts {
            assert!(ran.err.contains(part), "{arguments:?}: {part} in {}", ran.err);
        }
    }
}

/// The figures of the specification's catalogue.
#[test]
fn exact_times() {
    let place = Scratch::new();
    let exact = |protocol: &str, more: &[&str]| {
        let ran =
            place.run(&[&["check", protocol, "--exact-time", "--format", "jsonl"], more].concat()).exits(0);
        ran.json()
    };
    let near = |value: &serde_json::Value, expected: f64| {
        let value = value.as_f64().unwrap();
        assert!((value - expected).abs() < 5e-5, "{value} instead of {expected}");
    };
    let majority = ["--predicate", "A > B", "--answers", "yes=A,no=B"];
    let inputs = ["--input", "A=10,B=10", "--input", "A=6,B=4", "--input", "A=12,B=8", "--input", "A=11,B=9"];
    let four_states = exact("exact-majority", &[&majority[..], &inputs].concat());
    assert_eq!(four_states[0]["probability_right"], 0.0);
    for (row, mean) in four_states[1..].iter().zip([65.5272, 182.6460, 353.6886]) {
        assert_eq!(row["probability_right"], 1.0);
        near(&row["right_mean_interactions"], mean);
        near(&row["silent_mean_interactions"], mean);
    }
    for (protocol, chance, mean) in
        [("approximate-majority", 0.886645, 35.2453), ("approximate-majority-one-way", 0.746094, 63.4413)]
    {
        let row = &exact(protocol, &[&majority[..], &["--input", "A=6,B=4"]].concat())[0];
        near(&row["probability_right"], chance);
        near(&row["silent_mean_interactions"], mean);
        assert!(row["right_mean_interactions"].is_null());
    }
    // (n - 1)^2 interactions from all leaders, for every size.
    for (row, n) in exact("fratricide", &["--inputs", "L", "--up-to", "9"]).iter().zip(2_i32..) {
        near(&row["silent_mean_interactions"], f64::from((n - 1) * (n - 1)));
    }
    // After one interaction of 6 A with 4 B: 48 of 90 ordered pairs cancel.
    let law = exact("approximate-majority", &["--input", "A=6,B=4", "--after", "1"]);
    let of = |name: &str| {
        law.iter().find(|row| row["configuration"] == name).unwrap()["probability"].as_f64().unwrap()
    };
    assert!(
        (of("5 A, 3 B, 2 U") - 48.0 / 90.0).abs() < 1e-12 && (of("6 A, 4 B") - 42.0 / 90.0).abs() < 1e-12
    );
    let text = place
        .run(&["check", "exact-majority", "--exact-time", "--input", "A=6,B=4", "--after", "3"])
        .exits(0)
        .out;
    assert!(
        text.contains("65.5272") && text.contains("after 3 interactions") && text.contains("solved"),
        "{text}"
    );
    // Too large for the chain: exit code 3, with the reason.
    let large =
        place.run(&["check", "rock-paper-scissors", "--exact-time", "--input", "R=90,P=90,S=90"]).exits(3);
    assert!(large.out.contains("more than 4096 configurations"), "{}", large.out);
}

#[test]
fn a_protocol_without_a_claim_is_described() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let ran = place.run(&["check", "protocol.ron", "--inputs", "a,x"]).exits(0);
    assert_eq!(
        ran.out,
        "states: a, b, x, y\nclass: symmetric\nconserved: a + x; a\nnever reached from the inputs: b, y\n\
         inputs: a, x (from --inputs)\n"
    );
    assert!(ran.err.contains("there is no claim to check"));
}

#[test]
fn programs_are_told_how_much_was_explored() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let flags = ["check", "protocol.ron", "--predicate", "a > b", "--up-to", "12", "--format", "jsonl"];
    let rows = place.run(&flags).exits(0).json();
    let sum = |name: &str| rows.iter().map(|row| row[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!((rows.len(), sum("configurations"), sum("moves")), (11, 885, sum("interactions")));
    // Two agents: one reaction decides the tie.
    assert_eq!(rows[0]["depth"], 2);
    assert!(rows[10]["depth"].as_u64() >= Some(12), "{}", rows[10]);
}

/// A condition that no input meets used to be reported as holding for 0 inputs.
#[test]
fn a_condition_that_no_input_meets_is_refused() {
    let place = Scratch::new();
    let check = |given: &str, further: &[&str]| {
        let arguments = ["check", "exact-majority", "--predicate", "A > B", "--answers", "yes=A,no=B"];
        let arguments = [&arguments[..], &["--inputs", "A,B", "--given", given, "--up-to", "4"]].concat();
        place.run(&[&arguments, further].concat())
    };
    for further in [&[][..], &["--graph", "ring"], &["--exact-time"], &["--format", "csv"]] {
        let refused = check("A > B && B > A", further).exits(2);
        assert!(refused.out.is_empty() && refused.err.contains("no input meets it"), "{refused:#?}");
        assert_ne!(check("A > B", further).code, Some(2));
    }
}

/// Reactions create molecules without bound, so there is nothing to check exhaustively.
#[test]
fn reactions_are_run_and_not_checked() {
    let place = Scratch::new();
    place.file(
        "r.ron",
        "(seed: 1,\n reactions: (species: [\"N\"], rules: [(\"N ->\", 1.0)], initial: {\"N\": 9}),\n stop: [Silent])",
    );
    place.run(&["run", "r.ron"]).exits(0);
    let refused = place.run(&["check", "r.ron"]).exits(2);
    for snippet in [
        "reactions cannot be checked",
        "r.ron:2:",
        "accepted: acrasin run with stop: [Counts(",
        "or a protocol",
    ] {
        assert!(refused.err.contains(snippet), "{snippet:?} is not in:\n{}", refused.err);
    }
    assert_eq!(refused.out, "");
    let refused = place.run(&["check", "r.ron", "--predicate", "N > 0"]).exits(2).err;
    let says = "--predicate applies to a population protocol, but this is a scenario of reactions";
    assert!(refused.contains(says) && refused.contains("accepted: acrasin run"), "{refused}");
}
