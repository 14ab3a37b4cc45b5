//! Amoebots over mutual exclusion other than local: algorithms without movement run, are recorded and replayed;
//! others are refused.

use crate::program::Scratch;

const TOKEN: &str = "TokenTree(behaviour: Raymond, tree: ShortestPaths, root: 0)";
const HOME: &str = "CriticalSections(scheme: Home, most: 1)";
const EXCLUSION: &str = "CriticalSections(scheme: Exclusion, most: 1)";

/// All algorithms of the catalogue without movement that terminate, and one from a file.
const STILL: [&str; 8] = [
    "algorithm: Erosion, start: HoleFree(count: 14)",
    "algorithm: TokenElection, start: Ring(hole_side: 1, width: 1)",
    "algorithm: Forest, start: Blob(count: 14, acceptance: 0.8)",
    "algorithm: ForestRepair(crashed: [2]), start: Hexagon(count: 14)",
    "algorithm: MaximalIndependentSet, start: Blob(count: 14, acceptance: 0.8)",
    "algorithm: Boundary, start: Blob(count: 14, acceptance: 0.8)",
    "algorithm: BinaryCounter(operations: [Increment(5), TestZero]), start: Line(count: 5)",
    "algorithm: File(path: \"erosion.ron\"), start: HoleFree(count: 14)",
];

fn scenario(amoebots: &str, exclusion: &str, scheduler: &str) -> String {
    format!(
        "(seed: 5,\n amoebots: ({amoebots}, orientations: CommonChirality),\n exclusion: {exclusion},\n \
         execution: Concurrent(locks: Messages(scheduler: {scheduler})))\n"
    )
}

fn place_with(text: String) -> Scratch {
    let place = Scratch::new();
    place.file("erosion.ron", include_str!("../../../../amoebot/algorithms/erosion.ron"));
    place.file("a.ron", text);
    place
}

#[test]
fn what_does_not_move_ends_at_its_goal_and_is_done_again() {
    for amoebots in STILL {
        for (exclusion, scheduler) in [
            (TOKEN, "Sequential"),
            (TOKEN, "NewestFirst"),
            (HOME, "Asynchronous"),
            (HOME, "NewestFirst"),
            (EXCLUSION, "Sequential"),
        ] {
            let place = place_with(scenario(amoebots, exclusion, scheduler));
            let arguments = ["run", "a.ron", "--format", "jsonl", "--record", "r.jsonl"];
            let record = place.run(&arguments).exits(0).json().remove(0);
            let what = format!("{amoebots} {exclusion} {scheduler}: {record}");
            assert_eq!(record["outcome"]["word"], "terminated", "{what}");
            assert_eq!(
                (&record["work"]["invalid"], &record["work"]["moves"]),
                (&0.into(), &0.into()),
                "{what}"
            );
            assert_eq!(record["work"]["replayed"], true, "{what}");
            let replayed = place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0).json().remove(0);
            assert_eq!(replayed["outcome"]["word"], "reproduced", "{what}");
            assert_eq!(
                (&replayed["digest"]["configuration"], &replayed["states"]),
                (&record["digest"]["configuration"], &record["states"]),
                "{what}"
            );
        }
    }
}

/// A token admits one amoebot at a time, sections several. The record has the cost of an entry and its waiting time.
#[test]
fn the_record_says_what_an_entry_takes() {
    let blob = "algorithm: MaximalIndependentSet, start: Blob(count: 60, acceptance: 0.8)";
    let record = |exclusion: &str| {
        let place = place_with(scenario(blob, exclusion, "Sequential"));
        place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0)
    };
    let (token, sections) = (record(TOKEN), record(HOME));
    assert_eq!(token["work"]["width"], 1);
    assert!(sections["work"]["width"].as_u64() > Some(1), "{sections}");
    for (record, kinds) in [(&token, ["request", "token"]), (&sections, ["request", "grant"])] {
        let entries = &record["entries"];
        let of = |value: &serde_json::Value| value.as_f64().unwrap_or_else(|| panic!("{value}: {entries}"));
        // Every granted Lock is an entry; each message between neighbours belongs to one of them, and to a pair.
        let locks = of(&record["locks"]["completed"]);
        let (by_node, pair, waits) = (&entries["by_node"], &entries["pair"], &entries["wait_to_enter"]);
        assert_eq!((of(&by_node["mean"]) * 60.0).round(), locks, "{record}");
        assert_eq!(of(&waits["count"]), locks, "{record}");
        let messages = of(&entries["messages"]) * locks;
        assert!(messages <= of(&record["messages"]["sent"]) + 0.5, "{record}");
        assert!((of(&pair["mean"]) * of(&pair["count"]) - messages).abs() < 0.5, "{record}");
        let kinds = kinds.map(|kind| of(&entries[kind]));
        assert!(kinds.into_iter().all(|kind| kind > 0.0 && kind < of(&entries["messages"])), "{entries}");
        assert!(of(&waits["max"]) > of(&waits["min"]), "{entries}");
    }
    // With local mutual exclusion there is no such section.
    let place = place_with(scenario(blob, "Local", "Sequential"));
    let local = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0).json().remove(0);
    assert!(local.get("entries").is_none() && local["messages"]["sent"].as_u64() > Some(0), "{local}");
}

#[track_caller]
fn refused(text: String, words: &[&str]) {
    let place = place_with(text);
    for arguments in [&["run", "a.ron", "--output", "out"][..], &["run", "a.ron", "--record", "r.jsonl"]] {
        let ran = place.run(arguments).exits(2);
        assert!(words.iter().all(|word| ran.err.contains(word)), "{words:?}: {}", ran.err);
        assert_eq!(place.names(), ["a.ron", "erosion.ron"]);
    }
}

#[test]
fn who_moves_and_what_does_not_hold_neighbours_is_refused() {
    let line = |algorithm: &str| format!("algorithm: {algorithm}, start: Line(count: 6)");
    for algorithm in ["Hexagon", "BasicShape(form: Line)", "ForestWalk(path: \"1\")"] {
        for exclusion in [TOKEN, HOME] {
            refused(
                scenario(&line(algorithm), exclusion, "Sequential"),
                &["a.ron:3:", "static graph", "as they move"],
            );
        }
    }
    let over = |exclusion: &str| scenario(&line("Erosion"), exclusion, "Sequential");
    refused(over("CriticalSections(most: 2)"), &["a.ron:3:", "node 0", "2", "at most 1 inside everywhere"]);
    refused(over("CriticalSections(scheme: Inclusion, least: 1)"), &["a.ron:3:", "node 0"]);
    refused(over("CriticalSections(most: 1, inside: [0])"), &["a.ron:3:", "node 0"]);
    refused(over("CriticalSections(mosts: [1, 1])"), &["a.ron:3:", "2 bounds for 6 nodes"]);
    refused(
        over("TokenTree(behaviour: Transit)"),
        &["a.ron:3:", "is not adjacent to all other nodes", "behaviour: Raymond"],
    );
    refused(over("TokenTree(fathers: [0, 0, 0, 2, 3, 4])"), &["a.ron:3:", "node 2 and its father 0"]);
    refused(over("TokenTree(root: 6)"), &["a.ron:3:", "the root is node 6", "0 to 5"]);
    // Two components have no spanning tree.
    let parts = "algorithm: MaximalIndependentSet, start: Cells([(0, 0), (5, 5)])";
    refused(scenario(parts, TOKEN, "Sequential"), &["a.ron:3:", "no path from node 1"]);
    for execution in ["Sequential()", "Waves", "Concurrent(locks: TryLocks)"] {
        let text = over(HOME).replace("Concurrent(locks: Messages(scheduler: Sequential))", execution);
        refused(text, &["a.ron:3:", "does not lock by messages"]);
    }
    // A drawn start is checked as its seed draws it.
    let blob = "algorithm: Forest, start: Blob(count: 14, acceptance: 0.8)";
    refused(
        scenario(blob, "CriticalSections(most: 2)", "Sequential"),
        &["a.ron:3:", "at most 1 inside everywhere"],
    );
}
