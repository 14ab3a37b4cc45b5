//! `acrasin check --all`: proofs for every population size.

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

/// States whose names are numbers: a flock of three.
const NUMBERS: &str = r#"(
    states: ["0", "1", "2", "3"],
    outputs: {"0": "no", "1": "no", "2": "no", "3": "yes"},
    inputs: ["0", "1"],
    rules: [
        Symmetric("1 + 1 -> 0 + 2"),
        Symmetric("1 + 2 -> 3 + 3"),
        Symmetric("2 + 2 -> 3 + 3"),
        Symmetric("0 + 3 -> 3 + 3"),
        Symmetric("1 + 3 -> 3 + 3"),
        Symmetric("2 + 3 -> 3 + 3"),
    ],
    default: Null,
)"#;

/// A tower of three birds in which the third sends a healthy bird to the first level. The claim holds, but only a trap
/// at the first entry of `s3` shows it.
const TOWER: &str = r#"(
    states: ["s0", "s1", "s2", "s3"],
    outputs: {"s0": "no", "s1": "no", "s2": "no", "s3": "yes"},
    inputs: ["s0", "s1"],
    rules: [
        OneWay("s1 + s1 -> s1 + s2"),
        OneWay("s2 + s2 -> s2 + s3"),
        OneWay("s3 + s0 -> s3 + s1"),
        OneWay("s3 + s1 -> s3 + s3"),
        OneWay("s3 + s2 -> s3 + s3"),
    ],
    default: Null,
)"#;

/// No rule: the claims are about the inputs alone.
const STILL: &str = r#"(
    states: ["a", "b", "c", "d"],
    inputs: ["a", "b", "c", "d"],
    outputs: {},
    rules: [],
    default: Null,
)"#;

#[test]
fn a_claim_is_proved_with_a_certificate() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let claim = ["protocol.ron", "--predicate", "a > b"];
    let proof = ["--all", "--certificate", "proof.json"];
    let ran = place.run(&[&["check"], &claim[..], &proof[..]].concat()).exits(0);
    assert!(ran.out.contains("PROVED  for every population of two or more agents\n"), "{}", ran.out);
    assert!(ran.out.contains("every fair execution becomes silent"), "{}", ran.out);
    assert!(ran.out.ends_with("certificate: proof.json\n"), "{}", ran.out);
    let bound = "bound on the expected number of interactions until all agents are correct permanently: \
                 2^O(n log n), at most ";
    assert!(ran.out.contains(bound), "{}", ran.out);
    place.run(&[&["check-certificate", "proof.json"], &claim[..]].concat()).exits(0);
    let other = ["check-certificate", "proof.json", "protocol.ron", "--predicate", "a >= b"];
    place.run(&other).exits(1);
    assert_eq!(place.names(), ["proof.json", "protocol.ron"]);
}

#[test]
fn a_proof_is_explained_drawn_and_bounded() {
    let place = Scratch::new();
    let claim = ["check", "fratricide", "--eventually", "L = 1", "--inputs", "L", "--all"];
    let ran = place.run(&[&claim[..], &["--explain", "--picture", "tree.svg"]].concat()).exits(0);
    assert!(ran.out.contains("correct permanently: O(n^2), at most (n - 1)^2\n"), "{}", ran.out);
    assert!(ran.out.contains("L + L"), "{}", ran.out);
    assert!(std::fs::read_to_string(place.path().join("tree.svg")).unwrap().contains("<svg"));
    let ran = place.run(&[&claim[..], &["--format", "jsonl"]].concat()).exits(0);
    let growth = "\"right_mean_growth\":\"O(n^2)\",\"right_mean_bound\":\"(n - 1)^2\"";
    assert!(ran.out.contains(growth), "{}", ran.out);
    let without = place.run(&[&claim[..6], &["--explain"]].concat()).exits(2);
    assert!(without.err.contains("--all"), "{}", without.err);
}

#[test]
fn a_claim_is_refuted_by_a_smallest_population() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let claim = ["check", "protocol.ron", "--predicate", "a >= b", "--all", "--certificate", "proof.json"];
    let ran = place.run(&claim).exits(1);
    assert!(ran.out.contains("REFUTED  by a population of 2 agents\n"), "{}", ran.out);
    assert!(ran.out.contains("counterexample: 2 agents, input 1 a, 1 b:"), "{}", ran.out);
    assert!(ran.out.contains("no smaller population is a counterexample"), "{}", ran.out);
    assert_eq!(place.names(), ["protocol.ron"], "nothing is proved");
    // No exploration reaches this size in the time of a test.
    let late = ["check", "protocol.ron", "--eventually", "y <= 41", "--all"];
    let ran = place.run(&late).exits(1);
    assert!(ran.out.contains("REFUTED  by a population of 42 agents\n"), "{}", ran.out);
}

#[test]
fn any_number_of_threads_gives_the_same_verdict_and_certificate() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let claims = [("a > b", 0), ("a >= b", 1)];
    for (predicate, exit) in claims {
        let ran_on = |threads: &str| {
            let claim = ["check", "protocol.ron", "--all", "--predicate", predicate];
            let ran =
                place.run(&[&claim[..], &["--certificate", "proof.json", "--threads", threads]].concat());
            let proof = place.path().join("proof.json");
            let certificate = std::fs::read(&proof).ok();
            if certificate.is_some() {
                std::fs::remove_file(proof).unwrap();
            }
            (ran.exits(exit).out.clone(), certificate)
        };
        let alone = ran_on("1");
        assert_eq!(alone.1.is_some(), exit == 0);
        for threads in ["2", "3"] {
            assert_eq!(ran_on(threads), alone, "{predicate}, {threads} threads");
        }
    }
}

/// An open claim names the limit that was reached. It was once "within the limits of the search" or no reason at all.
#[test]
fn an_open_claim_says_what_was_missing() {
    let place = Scratch::new();
    place.file("tower.ron", TOWER);
    place.file("still.ron", STILL);
    let ran = place.run(&["check", "tower.ron", "--all", "--predicate", "s1 >= 3"]).exits(3);
    assert!(ran.out.contains("UNKNOWN  neither a proof nor a counterexample was found\n"), "{}", ran.out);
    assert!(ran.out.contains("\nmissing: "), "{}", ran.out);
    let given = "999999999999999989 * a > 999999999999999967 * b and 999999999999999953 * b > 999999999999999941 * c \
                 and 999999999999999931 * c > 999999999999999877 * d and d > 1000000007";
    let ran = place.run(&["check", "still.ron", "--all", "--eventually", "a < b", "--given", given]).exits(3);
    assert!(ran.out.contains("\nmissing: numbers exceed 128 bits\n"), "{}", ran.out);
}

/// Lemmas about parts of executions prove a claim that is open without them.
#[test]
fn the_second_format_proves_further_claims() {
    let place = Scratch::new();
    place.file("tower.ron", TOWER);
    let claim = ["--predicate", "s1 >= 3"];
    let check = |format: &str| {
        let all =
            ["check", "tower.ron", "--all", "--certificate", "proof.json", "--certificate-format", format];
        place.run(&[&all[..], &claim].concat())
    };
    assert!(
        check("all-n/1").exits(3).out.ends_with("\n--certificate-format all-n/2 allows further lemmas\n")
    );
    assert!(check("all-n/2").exits(0).out.contains("\nPROVED  for every population"));
    let proof = std::fs::read_to_string(place.path().join("proof.json")).unwrap();
    assert!(proof.starts_with("{\"format\":\"all-n/2\""), "{proof}");
    let again = ["check-certificate", "proof.json", "tower.ron", "--explain"];
    let accepted = place.run(&[&again[..], &claim].concat());
    let said = &accepted.exits(0).out;
    assert!(said.contains("In the part before the first entry, an agent leaves"), "{said}");
    std::fs::write(place.path().join("proof.json"), proof.replacen("all-n/2", "all-n/1", 1)).unwrap();
    let refused = place.run(&[&again[..], &claim].concat()).exits(2);
    assert!(refused.err.contains("unknown kind of case distinction"), "{refused:#?}");
    assert!(check("all-n/3").exits(2).err.contains("all-n/1 and all-n/2 are accepted"));
}

#[test]
fn claims_that_are_mistakes_are_refused() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    place.file("numbers.ron", NUMBERS);
    let check = |file: &str, further: &[&str]| {
        let ran = place.run(&[&["check", file, "--all"], further].concat()).exits(2);
        assert!(ran.out.is_empty() && !ran.err.is_empty(), "{ran:#?}");
        ran.err
    };
    assert!(check("protocol.ron", &["--predicate", "a > b", "--graph", "ring"]).contains("complete graph"));
    check("protocol.ron", &["--predicate", "a > b", "--up-to", "5"]);
    check("protocol.ron", &[]);
    assert!(check("protocol.ron", &["--predicate", "3 >= 4"]).contains("--predicate"));
    assert!(check("protocol.ron", &["--predicate", "x >= 1"]).contains("input state"));
    check("numbers.ron", &["--predicate", "1 >= 3"]);
    check("numbers.ron", &["--predicate", "'1' >= 3 or 2 >= 3"]);
    check("numbers.ron", &["--predicate", "'1' >= 3", "--given", "1 = 2"]);
    let unmet = check("protocol.ron", &["--predicate", "a > b", "--given", "a > b and b > a"]);
    assert!(unmet.contains("--given \"a > b and b > a\": no input"), "{unmet}");
    // The protocol was once replaced by its own proof.
    for flag in ["--certificate", "--picture", "--record"] {
        let replaced = check("numbers.ron", &["--predicate", "'1' >= 3", flag, "numbers.ron"]);
        let is_said = replaced.contains("numbers.ron would replace a file that this run reads");
        assert!(is_said && replaced.contains(flag), "{replaced}");
    }
    place.run(&["check", "numbers.ron", "--predicate", "'1' >= 3", "--all"]).exits(0);
    place.run(&["check", "numbers.ron", "--predicate", "-'1' <= -3", "--all"]).exits(0);
    assert_eq!(place.names(), ["numbers.ron", "protocol.ron"]);
}

#[test]
fn a_counterexample_is_recorded_replayed_and_viewed() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    // At a tie b wins, so this is wrong from two agents on.
    let claim = ["check", "protocol.ron", "--predicate", "a >= b", "--record", "wrong.jsonl"];
    for size in [&["--all"][..], &["--up-to", "4"]] {
        let ran = place.run(&[&claim[..], size].concat()).exits(1);
        assert!(ran.err.contains("--record: a counterexample, "), "{}", ran.err);
        let recording = std::fs::read_to_string(place.path().join("wrong.jsonl")).unwrap();
        let lines: Vec<&str> = recording.lines().collect();
        assert_eq!(lines[1], r#"[0,1,"x","y"]"#, "{recording}");
        let ran = place.run(&["replay", "wrong.jsonl"]).exits(0);
        assert!(
            ran.out.contains("reproduced") && ran.out.contains("a wrong end that stays, 2 y"),
            "{}",
            ran.out
        );
        // Agents keep their numbers: agent 0 starts in a, and is in x after the first interaction.
        let frame = |step: &str| {
            place.run(&["replay", "wrong.jsonl", "--at", step, "--format", "jsonl"]).exits(0).out
        };
        for (step, states) in [("0", ["a", "b"]), ("1", ["x", "y"]), ("2", ["y", "y"])] {
            let frame = frame(step);
            let at = states.map(|state| frame.find(&format!("\"{state}\"")));
            assert!(at.iter().all(Option::is_some), "{step}: {frame}");
        }
        place.run(&["replay", "wrong.jsonl", "--at", "3"]).exits(2);
        place.run(&["view", "wrong.jsonl", "-o", "page.html", "--force"]).exits(0);
        assert!(std::fs::read_to_string(place.path().join("page.html")).unwrap().contains("<html"));
        // Another rule, another agent, another end.
        for (old, new, code) in [
            (r#"[0,1,"x","y"]"#, r#"[0,1,"y","y"]"#, 1),
            (r#"[0,1,"x","y"]"#, r#"[0,2,"x","y"]"#, 2),
            (r#"[0,1,"x","y"]"#, r#"[1,1,"x","y"]"#, 2),
            (r#"[0,1,"x","y"]"#, r#"[0,1,"x","q"]"#, 2),
            (r#""digest":""#, r#""digest":"0"#, 2),
        ] {
            assert!(recording.contains(old), "{old}: {recording}");
            place.file("changed.jsonl", recording.replacen(old, new, 1));
            place.run(&["replay", "changed.jsonl"]).exits(code);
        }
        let digest = recording.split(r#""digest":""#).nth(1).unwrap()[..32].to_owned();
        place.file("changed.jsonl", recording.replace(&digest, &"0".repeat(32)));
        place.run(&["replay", "changed.jsonl"]).exits(1);
    }
    for (flags, words) in [
        (&["--predicate", "a > b", "--all"][..], "no counterexample was found: no run is recorded"),
        (&["--exact-time"], "--record cannot be combined with --exact-time"),
        (
            &["--predicate", "a >= b", "--graph", "ring", "--direction", "forward"],
            "--record cannot be combined with a direction of the edges",
        ),
    ] {
        let ran = place.run(&[&["check", "protocol.ron", "--record", "none.jsonl"], flags].concat());
        assert!(ran.err.contains(words), "{}", ran.err);
        assert!(!place.names().contains(&"none.jsonl".to_owned()));
    }
}

#[test]
fn a_counterexample_on_a_graph_is_recorded_replayed_and_viewed() {
    let place = Scratch::new();
    place.file("protocol.ron", MAJORITY);
    let claim = ["check", "protocol.ron", "--predicate", "a >= b", "--up-to", "4", "--record", "wrong.jsonl"];
    let run = "[0,3,\"x\",\"y\"]\n[1,2,\"y\",\"x\"]\n[0,1,\"y\",\"y\"]\n[1,2,\"y\",\"y\"]\n";
    for (graph, topology) in
        [("ring", "Ring(nodes: 4)"), ("path", "Path(nodes: 2)"), ("star", "Star(nodes: 2)")]
    {
        let ran = place.run(&[&claim[..], &["--graph", graph]].concat()).exits(1);
        assert!(ran.err.contains("--record: a counterexample, "), "{}", ran.err);
        let recording = std::fs::read_to_string(place.path().join("wrong.jsonl")).unwrap();
        assert!(recording.contains(&format!("topology: {topology},")), "{recording}");
        let ran = place.run(&["replay", "wrong.jsonl"]).exits(0);
        assert!(ran.out.contains("reproduced") && ran.out.contains("a wrong end that stays"), "{}", ran.out);
        let page = ["view", "wrong.jsonl", "-o", "page.html", "--force"];
        place.run(&page).exits(0);
        if graph == "ring" {
            assert!(recording.contains(run), "{recording}");
            let start = place.run(&["replay", "wrong.jsonl", "--at", "0", "--format", "jsonl"]).exits(0).out;
            let states: Vec<usize> =
                ["\"a\"", "\"b\""].iter().filter_map(|state| start.find(state)).collect();
            assert_eq!(states.len(), 2, "{start}");
            // Nodes 0 and 2 are opposite each other.
            place.file("changed.jsonl", recording.replacen("[0,3,", "[0,2,", 1));
            let ran = place.run(&["replay", "changed.jsonl"]).exits(1);
            assert!(ran.out.contains("nodes 0 and 2 have no edge"), "{}", ran.out);
        }
    }
    // The run of a graph file cannot be recorded: the recording would need the file.
    place.file("edge.txt", "0 1\n");
    let ran = place
        .run(&[&claim[..3], &["a >= b", "--graph", "edge.txt", "--record", "none.jsonl"]].concat())
        .exits(2);
    assert!(ran.err.contains("--record cannot be combined with --graph edge.txt"), "{}", ran.err);
    assert!(!place.names().contains(&"none.jsonl".to_owned()));
}
