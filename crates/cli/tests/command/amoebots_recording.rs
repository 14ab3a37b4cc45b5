//! Recordings of amoebots: recording does not affect the run, and replays reproduce it.

use std::fs;

use crate::program::Scratch;

/// All executions that amount to a sequence of actions, and algorithms that move, draw and choose.
const RECORDED: [(&str, &str); 11] = [
    ("Hexagon, start: Blob(count: 40, acceptance: 0.8)", "Sequential()"),
    ("Hexagon, start: Blob(count: 40, acceptance: 0.8)", "Sequential(activation: First, fairness: Weak(20))"),
    ("Hexagon, start: Blob(count: 40, acceptance: 0.8)", "Concurrent(locks: TryLocks)"),
    ("Hexagon, start: Line(count: 12)", "Concurrent(locks: Messages(scheduler: Asynchronous))"),
    ("Hexagon, start: Blob(count: 40, acceptance: 0.8)", "Waves"),
    ("Hexagon, start: Blob(count: 40, acceptance: 0.8)", "Tiles"),
    ("TokenElection, start: Ring(hole_side: 2, width: 1)", "Sequential()"),
    ("TokenElection, start: Ring(hole_side: 2, width: 1)", "Waves"),
    ("Forest, start: Blob(count: 40, acceptance: 0.8)", "Sequential(activation: UniformEnabled)"),
    // So many amoebots that the recording is written during the run, without a log in memory.
    ("MaximalIndependentSet, start: Blob(count: 17_000, acceptance: 0.8)", "Waves"),
    ("MaximalIndependentSet, start: Blob(count: 17_000, acceptance: 0.8)", "Tiles"),
];

fn scenario(amoebots: &str, execution: &str) -> String {
    format!(
        "(seed: 5, amoebots: (algorithm: {amoebots}, orientations: CommonChirality), execution: {execution}, \
         limits: (steps: \"10^6\"))"
    )
}

#[test]
fn what_was_recorded_is_done_again() {
    for (amoebots, execution) in RECORDED {
        let place = Scratch::new();
        place.file("a.ron", scenario(amoebots, execution));
        let plain = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0);
        let recorded = place.run(&["run", "a.ron", "--format", "jsonl", "--record", "r.jsonl"]).exits(0);
        // Recording does not affect the run.
        assert_eq!(plain.json()[0]["digest"], recorded.json()[0]["digest"], "{amoebots} {execution}");
        assert_eq!(plain.json()[0]["work"], recorded.json()[0]["work"], "{amoebots} {execution}");
        let replayed = place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0);
        let record = &replayed.json()[0];
        assert_eq!(record["outcome"]["word"], "reproduced", "{amoebots} {execution}: {record}");
        for (section, figure) in [("work", "actions"), ("work", "moves"), ("digest", "configuration")] {
            assert_eq!(
                record[section][figure],
                plain.json()[0][section][figure],
                "{amoebots} {execution}: {figure}"
            );
        }
        assert_eq!(record["states"], plain.json()[0]["states"], "{amoebots} {execution}");
    }
}

#[test]
fn a_recording_that_was_changed_is_noticed() {
    let place = Scratch::new();
    place.file("a.ron", scenario("Hexagon, start: Line(count: 9)", "Sequential()"));
    place.run(&["run", "a.ron", "--record", "r.jsonl"]).exits(0);
    let text = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        change(&mut lines);
        place.file("changed.jsonl", lines.join("\n") + "\n");
        place.run(&["replay", "changed.jsonl", "--format", "jsonl"])
    };
    // Without its first action, or with two swapped, some action is not enabled.
    let steps = |lines: &[String]| format!("\"steps\":{}", lines.len() - 2);
    let shorter = with(&|lines| {
        let was = steps(lines);
        lines.remove(1);
        let is = steps(lines);
        let end = lines.last_mut().unwrap();
        *end = end.replace(&was, &is);
    });
    let ran = shorter.exits(1);
    assert!(ran.out.contains("not reproduced") && ran.out.contains("is not enabled"), "{}", ran.out);
    // Another digest.
    let at = last.find("\"digest\":\"").unwrap() + 10;
    let digest = &last[at..at + 32];
    let ran = with(&|lines| {
        let end = lines.last_mut().unwrap();
        *end = end.replace(digest, &"0".repeat(32));
    })
    .exits(1);
    assert!(ran.out.contains("lead to another configuration"), "{}", ran.out);
    // Lines that no recording has.
    for (change, says) in [
        ("[0,\"Beta\"]", "there is no action \"Beta\""),
        ("[0]", "changed.jsonl:2:"),
        ("[\"x\",\"Alpha1\"]", "changed.jsonl:2:"),
        ("nonsense", "changed.jsonl:2:"),
    ] {
        let ran = with(&|lines| lines[1] = change.to_owned()).exits(2);
        assert!(ran.err.contains(says) && ran.out.is_empty(), "{change}: {}", ran.err);
    }
    let ran = with(&|lines| lines[1] = "[77,\"Alpha1\"]".to_owned()).exits(1);
    assert!(ran.out.contains("not reproduced"), "{}", ran.out);
    let cut = with(&|lines| drop(lines.pop())).exits(2);
    assert!(cut.err.contains("the file is cut off"), "{}", cut.err);
    assert!(first.starts_with("{\"acrasin\":\"replay\""), "{first}");
}

/// Rounds without locks and chains have no order of actions, so their recordings have checkpoints.
#[test]
fn rounds_and_chains_are_recorded_and_made_again() {
    let chain = |algorithm: &str, stop: &str| {
        format!(
            "(seed: 3, amoebots: (algorithm: {algorithm}, start: Hexagon(count: 19)), stop: {stop}, observe: (counts_every: 7))"
        )
    };
    for text in [
        scenario("Hexagon, start: Blob(count: 40, acceptance: 0.8)", "Rounds(Isolated(2))"),
        scenario("Hexagon, start: Blob(count: 40, acceptance: 0.8)", "Rounds(Synchronous)"),
        scenario("TokenElection, start: Ring(hole_side: 2, width: 1)", "Rounds(Isolated(1))"),
        chain("Compression(lambda: 4.0)", "Steps(2_000)"),
        chain("Compression(lambda: 4.0, layout: Waves)", "Steps(50)"),
        chain("Separation(lambda: 4.0, gamma: 4.0)", "Steps(1_003)"),
        chain("Phototaxis(lambda: 4.0, lit: 0.25, light: East)", "Steps(0)"),
    ] {
        let place = Scratch::new();
        place.file("a.ron", &text);
        let plain = place.run(&["run", "a.ron", "--format", "jsonl"]);
        let recorded = place.run(&["run", "a.ron", "--format", "jsonl", "--record", "r.jsonl"]);
        assert_eq!(plain.json()[0]["digest"], recorded.json()[0]["digest"], "{text}");
        let replayed = place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0);
        let record = &replayed.json()[0];
        assert_eq!(record["outcome"]["word"], "reproduced", "{text}: {record}");
        for section in ["work", "digest"] {
            assert_eq!(record[section], plain.json()[0][section], "{text}");
        }
        place.run(&["view", "r.jsonl", "-o", "r.html"]).exits(0);
        // A changed digest in the middle is noticed, and so is another seed.
        let lines = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
        let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
        let at = lines.len() / 2;
        let digest = lines[at].split('"').nth(1).unwrap().to_owned();
        lines[at] = lines[at].replace(&digest, &"0".repeat(32));
        place.file("changed.jsonl", lines.join("\n") + "\n");
        let changed = place.run(&["replay", "changed.jsonl"]).exits(1);
        assert!(changed.out.contains("not reproduced"), "{text}: {}", changed.out);
        // A changed end is noticed also by what shows an early moment.
        let whole = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
        let (before, end) = whole.rsplit_once("\"digest\":\"").unwrap();
        place.file("forged.jsonl", format!("{before}\"digest\":\"{}{}", "0".repeat(32), &end[32..]));
        place.run(&["replay", "r.jsonl", "--at", "0"]).exits(0);
        for arguments in [
            &["replay", "forged.jsonl", "--at", "0"][..],
            &["view", "forged.jsonl", "--frames", "0", "-o", "frames"],
            &["view", "forged.jsonl", "-o", "forged.html"],
        ] {
            let ran = place.run(arguments).exits(1);
            assert!(ran.err.contains("forged.jsonl is not reproduced"), "{text} {arguments:?}: {}", ran.err);
        }
    }
}

/// The stored scenario of an algorithm from a file runs from its folder, and its recording can be replayed.
#[test]
fn what_is_kept_of_an_algorithm_from_a_file_runs_from_there() {
    let place = Scratch::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../amoebot/algorithms/hexagon.ron");
    place.file("hexagon.ron", fs::read_to_string(file).unwrap());
    place.file("a.ron", scenario("File(path: \"hexagon.ron\"), start: Line(count: 9)", "Waves"));
    let arguments = ["run", "a.ron", "--format", "jsonl", "-o", "out", "--record", "r.jsonl"];
    let ran = place.run(&arguments).exits(0);
    let again = place.run(&["run", "out/scenario.ron", "--format", "jsonl"]).exits(0);
    assert_eq!(again.json()[0]["digest"], ran.json()[0]["digest"]);
    place.run(&["replay", "r.jsonl"]).exits(0);
}
