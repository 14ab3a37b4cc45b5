//! `acrasin check` of amoebots.

use acrasin_catalogue::counted;

use crate::amoebots::scenario;
use crate::program::Scratch;

/// The only row of a check.
#[track_caller]
pub(crate) fn checked(place: &Scratch, amoebots: &str, more: &str, code: i32) -> serde_json::Value {
    place.file("a.ron", scenario(amoebots, more));
    let mut json = place.run(&["check", "a.ron", "--format", "jsonl"]).exits(code).json();
    assert_eq!(json.len(), 1);
    json.remove(0)
}

#[test]
fn every_schedule_is_followed() {
    let place = Scratch::new();
    // All shapes of three cells, with each cell as the seed; then 186 shapes of five cells, none with a hole.
    let hexagon = checked(&place, "algorithm: Hexagon, start: AllConnected(count: 3)", "", 0);
    assert_eq!((&hexagon["starts"], &hexagon["final_shapes"]), (&33.into(), &1.into()));
    // The figures of the literature; anonymous amoebots have fewer states.
    assert_eq!((&hexagon["told_apart"], &hexagon["states"]), (&1449.into(), &280.into()));
    let pair = checked(&place, "algorithm: Hexagon, start: AllConnected(count: 2)", "", 0);
    assert_eq!((&pair["told_apart"], &pair["states"]), (&48.into(), &18.into()));
    assert_eq!(
        (&hexagon["stuck"], &hexagon["cyclic"], &hexagon["disconnected"]),
        (&0.into(), &false.into(), &0.into())
    );
    let erosion = checked(&place, "algorithm: Erosion, start: AllConnected(count: 5)", "", 0);
    assert_eq!(
        (&erosion["starts"], &erosion["refused"], &erosion["result"]),
        (&186.into(), &0.into(), &"holds".into())
    );
    // Every amoebot becomes a candidate, all but the leader erode, and the leader declares itself.
    assert_eq!((&erosion["longest_run"], &erosion["shortest_run"]), (&10.into(), &10.into()));
    // One of 814 shapes of six cells has a hole.
    let holes =
        checked(&place, "algorithm: Erosion, start: AllConnected(count: 6)", "limits: (states: 200_000)", 0);
    assert_eq!((&holes["starts"], &holes["refused"]), (&813.into(), &1.into()));
}

#[test]
fn a_check_finds_what_is_wrong() {
    let place = Scratch::new();
    // The algorithm finds an independent set on both components, but that they are not connected is reported.
    let apart = "algorithm: MaximalIndependentSet, start: Cells([(0, 0), (1, 0), (5, 5)])";
    let found = checked(&place, apart, "", 1);
    assert_eq!((&found["result"], &found["stuck"]), (&"fails".into(), &0.into()));
    assert_eq!(found["disconnected"], found["states"]);
    let text = place.run(&["check", "a.ron"]).exits(1).out;
    assert!(text.contains("disconnected states") && text.contains("\nfails\n"), "{text}");
    let way =
        "a shortest way to a state in which the amoebots are not connected, 0 steps:\n  start on (0, 0)";
    assert!(text.contains(way), "{text}");
}

#[test]
fn a_check_that_meets_its_limit_says_so() {
    let place = Scratch::new();
    let amoebots = "algorithm: Hexagon, start: Line(count: 3)";
    let exact = checked(&place, amoebots, "", 0)["states"].as_u64().unwrap();
    assert_eq!(checked(&place, amoebots, &format!("limits: (states: {exact})"), 0)["states"], exact);
    let less = checked(&place, amoebots, &format!("limits: (states: {})", exact - 1), 3);
    assert_eq!((&less["result"], less["states"].is_null()), (&"truncated".into(), true));
    let text = place.run(&["check", "a.ron"]).exits(3).out;
    assert!(text.contains(&format!("more than {} states", exact - 1)), "{text}");
}

#[test]
fn programs_are_told_how_much_a_check_explored() {
    let place = Scratch::new();
    let line = "algorithm: Hexagon, start: Line(count: 3)";
    for execution in ["Sequential()", "Concurrent(locks: TryLocks)", "Rounds(Isolated(1))"] {
        let found = checked(&place, line, &format!("execution: {execution}"), 0);
        let [states, moves, depth] = ["states", "moves", "depth"].map(|name| found[name].as_u64().unwrap());
        assert_eq!(found["configurations"], states);
        assert!(depth > 0 && moves + 1 >= states && states > depth, "{found}");
        if let Some(transitions) = found.get("transitions") {
            assert_eq!(transitions, moves);
        }
    }
    // Every run has ten actions, so the furthest states are the final ones.
    let erosion = checked(&place, "algorithm: Erosion, start: AllConnected(count: 5)", "", 0);
    assert_eq!((&erosion["longest_run"], &erosion["depth"]), (&10.into(), &10.into()));
    let cut = checked(&place, line, "limits: (states: 5)", 3);
    assert_eq!((&cut["configurations"], &cut["moves"]), (&5.into(), &serde_json::Value::Null));
}

#[test]
fn time_ends_a_check_as_unfinished() {
    for execution in ["Sequential()", "Concurrent(locks: TryLocks)", "Rounds(Isolated(1))"] {
        let place = Scratch::new();
        let line = "algorithm: Hexagon, start: Line(count: 40)";
        let more = format!("execution: {execution}, limits: (states: 33_000_000)");
        place.file("a.ron", scenario(line, &more));
        let check = ["check", "a.ron", "--memory", "1G", "--max-time"];
        let found = &place.run(&[&check[..], &["200ms", "--format", "jsonl"]].concat()).exits(3).json()[0];
        assert_eq!((&found["result"], &found["starts"]), (&"truncated".into(), &1.into()), "{found}");
        assert!(found["states_met"].as_u64() > Some(0) && found["violation"].is_null(), "{found}");
        let text = place.run(&[&check[..], &["0s"]].concat()).exits(3).out;
        assert!(text.contains("truncated: time ran out after "), "{text}");
        place.run(&["check", "a.ron", "--set", "amoebots.start.count=3", "--max-time", "1h"]).exits(0);
    }
}

#[test]
fn what_is_wrong_before_a_limit_is_wrong() {
    let place = Scratch::new();
    let apart = "algorithm: MaximalIndependentSet, start: Cells([(0, 0), (1, 0), (5, 5)])";
    let eroding = "algorithm: Erosion, start: AllConnected(count: 2)";
    for (number, (amoebots, execution, states, what)) in (0..).zip([
        (apart, "Sequential()", 2, "a state in which the amoebots are not connected"),
        (apart, "Concurrent(locks: TryLocks)", 2, "a state in which the amoebots are not connected"),
        (eroding, "Rounds(Synchronous)", 5, "an end without the goal"),
    ]) {
        let more = format!("execution: {execution}, limits: (states: {states})");
        let found = checked(&place, amoebots, &more, 1);
        assert_eq!((&found["result"], &found["violation"]), (&"fails".into(), &what.into()), "{found}");
        assert_eq!(found["states_met"], states);
        let text = place.run(&["check", "a.ron"]).exits(1).out;
        assert!(text.contains(&format!("truncated: more than {states} states")), "{text}");
        assert!(text.contains(&format!("\nfails: found {what}\n  on (0, 0)")), "{text}");
        assert!(text.contains(&format!("\na shortest way to {what}, ")), "{text}");
        assert!(found["way"].is_string(), "{found}");
        // Rounds name the actions in them.
        let rounds = text.matches("\n  a round that changes amoebots 0, 1: 0 ").count();
        assert_eq!(rounds, if execution.starts_with("Rounds") { 2 } else { 0 }, "{text}");
        // The run is recorded, replayed and viewed.
        let [recording, page] = [format!("{number}.jsonl"), format!("{number}.html")];
        let said = place.run(&["check", "a.ron", "--record", &recording]).exits(1).err;
        assert!(said.contains(&format!("the recorded run leads to {what}")), "{said}");
        let said = place.run(&["replay", &recording]).exits(1).out;
        assert!(said.contains("is reproduced"), "{said}");
        place.run(&["view", &recording, "-o", &page]).exits(0);
    }
}

#[test]
fn a_check_refuses_what_is_too_much_and_says_how_much() {
    let place = Scratch::new();
    // The limit is noticed before the first start is made.
    let ten = "algorithm: Hexagon, start: AllConnected(count: 10)";
    let found = checked(&place, ten, "limits: (states: 3_000_000)", 3);
    assert_eq!((&found["result"], &found["starts"]), (&"truncated".into(), &0.into()));
    let text = place.run(&["check", "a.ron"]).exits(3).out;
    let words =
        "truncated: 3626710 starts, where 3000000 states are allowed; --set limits.states=N allows more";
    assert!(text.contains(words), "{text}");
    // The memory limit applies in each kind of check.
    for execution in ["Sequential()", "Concurrent(locks: TryLocks)", "Rounds(Isolated(1))"] {
        place.file(
            "a.ron",
            scenario("algorithm: Hexagon, start: Line(count: 3)", &format!("execution: {execution}")),
        );
        let text = place.run(&["check", "a.ron", "--memory", "2K"]).exits(3).out;
        assert!(
            text.contains("bytes of memory, where 2048 are allowed; --memory SIZE allows more"),
            "{text}"
        );
        place.run(&["check", "a.ron", "--memory", "4M"]).exits(0);
    }
}

#[test]
fn a_check_shows_the_final_shapes() {
    let place = Scratch::new();
    let shapes = checked(&place, "algorithm: Hexagon, start: AllConnected(count: 3)", "", 0);
    assert_eq!(
        (&shapes["final_shapes"], &shapes["first_final_shapes"]),
        (&1.into(), &"(0, 0) (0, 1) (1, 0)".into())
    );
    let text = place.run(&["check", "a.ron"]).exits(0).out;
    assert!(text.contains("\nfinal shape 1 of 1\n   *\n  * *\n\nholds"), "{text}");
    // No amoebot moves: eleven shapes, of which eight are drawn.
    checked(&place, "algorithm: Erosion, start: AllConnected(count: 3)", "", 0);
    let text = place.run(&["check", "a.ron"]).exits(0).out;
    assert!(
        text.contains("\nfinal shape 8 of 11\n") && text.contains("\nand 3 more final shapes\n"),
        "{text}"
    );
    assert!(!text.contains("final shape 9"), "{text}");
}

#[test]
fn a_check_of_a_drawn_start_names_its_seed() {
    let place = Scratch::new();
    let blob = "(amoebots: (algorithm: Erosion, start: Blob(count: 5)))";
    place.file("a.ron", blob);
    let drawn = place.run(&["check", "a.ron", "--format", "jsonl"]).json().remove(0);
    let seed = drawn["seed"].as_u64().unwrap();
    // The seed reproduces the check.
    let again = place.run(&["check", "a.ron", "--format", "jsonl", "--set", &format!("seed={seed}")]);
    assert_eq!(again.json().remove(0), drawn);
    let text = place.run(&["check", "a.ron", "--set", "seed=17"]).out;
    assert!(text.lines().any(|line| line.starts_with("seed ") && line.ends_with(" 17")), "{text}");
    // Nothing is drawn, so there is no seed.
    let line = checked(&place, "algorithm: Erosion, start: Line(count: 2)", "", 0);
    assert!(line.get("seed").is_none(), "{line}");
}

#[test]
fn every_order_of_the_steps_is_followed() {
    let place = Scratch::new();
    let concurrent = "execution: Concurrent(locks: TryLocks)";
    let hexagon = checked(&place, "algorithm: Hexagon, start: AllConnected(count: 2)", concurrent, 0);
    assert_eq!((&hexagon["starts"], &hexagon["result"]), (&6.into(), &"holds".into()));
    // 858 states if each of the six starts is explored separately; they share some.
    assert_eq!((&hexagon["states"], &hexagon["width"]), (&706.into(), &1.into()));
    let faults = ["wrong_ends", "hopeless", "overlapping", "invalid", "aborts_with_effect", "disconnected"];
    assert!(faults.iter().all(|fault| hexagon[fault] == 0), "{hexagon}");
    assert!(hexagon["lock_failures"].as_u64().unwrap() > 0);
    let erosion = checked(&place, "algorithm: Erosion, start: AllConnected(count: 3)", concurrent, 0);
    assert_eq!((&erosion["starts"], &erosion["width"]), (&11.into(), &1.into()));
    assert_eq!(erosion["states"], 15_096);
    let text = place.run(&["check", "a.ron"]).exits(0).out;
    assert!(text.contains("under every order of the steps every run can end"), "{text}");
    // Two components: two amoebots are inside an action at once, and the components are reported.
    let apart = "algorithm: MaximalIndependentSet, start: Cells([(0, 0), (5, 5)])";
    let found = checked(&place, apart, concurrent, 1);
    assert_eq!((&found["width"], &found["wrong_ends"]), (&2.into(), &0.into()));
    assert_eq!(found["disconnected"], found["states"]);
}

#[test]
fn rounds_without_locks_go_wrong_as_tabulated() {
    let place = Scratch::new();
    let erosion = |count: u32, adversary: &str, code: i32| {
        let amoebots = format!("algorithm: Erosion, start: AllConnected(count: {count})");
        let found = checked(&place, &amoebots, &format!("execution: Rounds({adversary})"), code);
        assert_eq!(found["hopeless"], 0, "no run is infinite");
        (found["wrong_starts"].as_u64().unwrap(), found["starts"].as_u64().unwrap())
    };
    assert_eq!(erosion(4, "Synchronous", 1), (30, 44));
    let text = place.run(&["check", "a.ron"]).exits(1).out;
    assert!(
        text.contains("a shortest way to an end without the goal, ") && text.contains(": Eroded"),
        "{text}"
    );
    assert_eq!(erosion(2, "Synchronous", 1), (3, 3));
    assert_eq!(erosion(3, "Synchronous", 1), (2, 11));
    assert_eq!(erosion(5, "Synchronous", 1), (84, 186));
    assert_eq!(erosion(4, "Isolated(2)", 0), (0, 44));
}

#[test]
fn executions_that_have_no_check() {
    let place = Scratch::new();
    let amoebots = "algorithm: Erosion, start: Line(count: 2)";
    place.file("a.ron", scenario(amoebots, "execution: Tiles"));
    let err = place.run(&["check", "a.ron"]).exits(2).err;
    assert!(err.contains("accepted: Sequential, Concurrent(locks: TryLocks)"), "{err}");
}

/// Explores every order of messages of two amoebots that erode, and compares the ends with those of sequential runs.
fn explore_messages(start: &str, starts: u64, exclusions: &[(&str, u64)]) {
    let place = Scratch::new();
    let pair = format!("algorithm: Erosion, start: {start}");
    let one_at_a_time = checked(&place, &pair, "execution: Sequential()", 0);
    for (exclusion, states) in exclusions {
        let found = checked(&place, &pair, &format!("{MESSAGES}, exclusion: {exclusion}"), 0);
        assert_eq!(found["states"], *states, "{exclusion}");
        assert_eq!((&found["starts"], &found["width"]), (&starts.into(), &1.into()), "{exclusion}");
        assert_eq!(found["final_shapes"], one_at_a_time["final_shapes"], "{exclusion}");
        assert_eq!((&found["overlapping"], &found["wrong_ends"]), (&0.into(), &0.into()), "{exclusion}");
    }
}

const MESSAGES: &str = "execution: Concurrent(locks: Messages)";

/// All interleavings of messages lead to the ends of sequential runs, over each mutual exclusion; a budget ends the
/// check as unfinished.
#[test]
fn every_message_of_locks_leads_to_the_ends_of_one_at_a_time() {
    let exclusions =
        [("Local", 192_478), ("TokenTree()", 805), ("CriticalSections(scheme: Exclusion, most: 1)", 63_837)];
    explore_messages("Cells([(0, 0), (1, 0)])", 1, &exclusions);
    explore_messages("AllConnected(count: 2)", 3, &[("TokenTree()", 2_415)]);
    let place = Scratch::new();
    let pair = "algorithm: Erosion, start: AllConnected(count: 2)";
    let cut = checked(&place, pair, &format!("{MESSAGES}, limits: (states: 1000)"), 3);
    assert_eq!(cut["result"], "truncated");
    // Two components have no spanning tree, so no start is left.
    let apart = "algorithm: MaximalIndependentSet, start: Cells([(0, 0), (5, 5)])";
    place.file("a.ron", scenario(apart, &format!("{MESSAGES}, exclusion: TokenTree()")));
    let err = place.run(&["check", "a.ron"]).exits(2).err;
    assert!(err.contains("no path from node 1"), "{err}");
}

/// All interleavings from each of the three directions of a pair.
#[test]
#[ignore = "takes a minute: the step `ignored` of .ci/run"]
fn every_message_of_locks_is_explored_in_every_direction() {
    let exclusions = [
        ("Local", 577_434),
        ("CriticalSections(most: 1)", 191_511),
        ("CriticalSections(scheme: Exclusion, most: 1)", 191_511),
    ];
    explore_messages("AllConnected(count: 2)", 3, &exclusions);
}

/// All orders in each wave lead to the ends of sequential runs; a budget ends the check as unfinished.
#[test]
fn every_order_of_waves_leads_to_the_ends_of_one_at_a_time() {
    let place = Scratch::new();
    for amoebots in [
        "algorithm: Erosion, start: AllConnected(count: 3)",
        "algorithm: Hexagon, start: AllConnected(count: 3)",
        "algorithm: BasicShape(form: Triangle), start: AllConnected(count: 3)",
    ] {
        let one_at_a_time = checked(&place, amoebots, "execution: Sequential()", 0);
        let found = checked(&place, amoebots, "execution: Waves", 0);
        for figure in ["starts", "final_shapes", "wrong_ends", "overlapping"] {
            let expected = one_at_a_time.get(figure).cloned().unwrap_or(0.into());
            assert_eq!(found[figure], expected, "{amoebots}: {figure} of {found}");
        }
        println!("{amoebots}: {found}");
    }
    let cut = checked(
        &place,
        "algorithm: Hexagon, start: AllConnected(count: 3)",
        "execution: Waves, limits: (states: 50)",
        3,
    );
    assert_eq!(cut["result"], "truncated");
}

/// A run to a violation is recorded under every execution whose steps can be followed, and can be replayed and
/// viewed.
#[test]
fn a_recorded_violation_is_replayed_and_viewed() {
    let apart = "algorithm: MaximalIndependentSet, start: Cells([(0, 0), (1, 0), (5, 5)])";
    let energy = "algorithm: EnergyDistribution(algorithm: Hexagon, capacity: 2, demand: 1, sources: [0]), \
                  start: Cells([(0, 2), (1, 1), (2, 0)])";
    for (amoebots, execution, steps) in [
        (apart, "Sequential()", 0),
        (apart, "Rounds(Isolated(0))", 0),
        (apart, "Waves", 0),
        (apart, "Concurrent(locks: TryLocks)", 0),
        (energy, "Rounds(Synchronous)", 13),
    ] {
        let place = Scratch::new();
        place.file("a.ron", scenario(amoebots, &format!("execution: {execution}")));
        place.run(&["check", "a.ron", "--record", "r.jsonl"]).exits(1);
        let replayed = place.run(&["replay", "r.jsonl"]).exits(1);
        assert!(
            replayed.err.contains(&format!("reproduced: {}", counted(steps, "step"))),
            "{execution}: {}",
            replayed.err
        );
        let viewed = place.run(&["view", "r.jsonl", "-o", "v.html"]).exits(0);
        let frames = format!("v.html: {}, {}", counted(steps, "step"), counted(steps + 1, "frame"));
        assert!(viewed.err.contains(&frames), "{execution}: {}", viewed.err);
    }
}

/// The values of an algorithm in a file used to be shown as numbers in the order of their names.
#[test]
fn the_counterexample_of_an_algorithm_in_a_file_names_its_variables() {
    let place = Scratch::new();
    place.file(
        "alg.ron",
        "(title: \"never idle\", variables: { \"state\": OneOf([\"idle\", \"done\"]), \"parent\": Port }, shown: \
         \"state\", actions: [(label: \"Try\", when: Is(\"state\", \"idle\"), then: [Write(\"state\", \"done\")])], \
         goal: (every: Is(\"state\", \"idle\")))",
    );
    place.file("a.ron", "(amoebots: (algorithm: File(path: \"alg.ron\"), start: Line(count: 1)), seed: 1)");
    let text = place.run(&["check", "a.ron"]).exits(1).out;
    let before = text.find("amoebot 0 at (0, 0): parent: none, state: idle").expect(&text);
    let after = text.find("amoebot 0 at (0, 0): parent: none, state: done").expect(&text);
    assert!(before < after && !text.contains("Memory("), "{text}");
}

/// Both layers of an algorithm with batteries name their variables.
#[test]
fn the_counterexample_of_an_algorithm_with_batteries_names_its_variables() {
    let place = Scratch::new();
    let energy = "algorithm: EnergyDistribution(algorithm: Hexagon, capacity: 2, demand: 1, sources: [0]), \
                  start: Cells([(0, 2), (1, 1), (2, 0)])";
    place.file("a.ron", scenario(energy, "execution: Rounds(Synchronous)"));
    let text = place.run(&["check", "a.ron"]).exits(1).out;
    let start = "amoebot 0 at (0, 2): state: Source, battery: 0, parent: None, algorithm: Memory { state: Seed, parent: \
                 None, dir: Some(@1) }";
    assert!(text.contains(start), "{text}");
    let shown: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("amoebot ")).collect();
    let names = ["state: ", "battery: ", "parent: ", "algorithm: Memory { state: ", "dir: "];
    assert!(shown.iter().all(|line| names.iter().all(|name| line.contains(name))), "{shown:#?}");
}
