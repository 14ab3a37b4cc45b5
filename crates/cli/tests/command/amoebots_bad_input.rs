//! Invalid scenarios of amoebots: a message with the place and the cells, exit code 2, nothing written.

use crate::program::Scratch;

#[track_caller]
fn refused(command: &str, text: &str, snippets: &[&str]) {
    let place = Scratch::new();
    place.file("bad.ron", text);
    let outputs: &[&str] = if command == "run" { &["-o", "out"] } else { &[] };
    let ran = place.run(&[&[command, "bad.ron"], outputs].concat()).exits(2);
    for snippet in snippets {
        assert!(ran.err.contains(snippet), "{snippet:?} is not in:\n{}", ran.err);
    }
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    assert_eq!((ran.out.as_str(), place.names()), ("", vec!["bad.ron".to_owned()]), "{}", ran.err);
}

fn of(amoebots: &str) -> String {
    format!("(\n    seed: 1,\n    amoebots: ({amoebots}),\n)")
}

#[test]
fn starts_that_are_none() {
    let cells = |algorithm: &str, cells: &str| of(&format!("algorithm: {algorithm}, start: Cells({cells})"));
    for algorithm in ["Hexagon", "Erosion", "Forest", "ChiralityAgreement", "Boundary"] {
        refused("run", &cells(algorithm, "[(0, 0), (1, 0), (7, -3)]"), &["bad.ron:3:", "(7, -3)", "reached"]);
        let twice = cells(algorithm, "[(0, 0), (1, 0), (0, 0)]");
        refused("run", &twice, &["bad.ron:3:", "cell (0, 0)", "holds one"]);
        refused("check", &twice, &["bad.ron:3:", "cell (0, 0)"]);
    }
    let chain = cells("Compression(lambda: 4.0)", "[(0, 0), (1, 0), (7, -3)]")
        .replace("),\n)", "),\n stop: Steps(1))");
    refused("run", &chain, &["bad.ron:3:", "(7, -3)", "must be connected"]);
    refused("run", &chain.replace("(7, -3)", "(0, 0)"), &["bad.ron:3:", "(0, 0)", "holds one"]);
    let ring = "[(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]";
    refused("run", &cells("Erosion", ring), &["bad.ron:3:", "(0, 0)", "enclosed", "no hole"]);
    refused("run", &chain.replace("[(0, 0), (1, 0), (7, -3)]", ring), &["(0, 0)", "enclosed"]);
    refused("run", &cells("Erosion", "[]"), &["0 amoebots", "1 to"]);
    refused("run", &cells("Erosion", "[(2147483647, 0)]"), &["2147483647", "coordinates"]);
    refused("run", &cells("Erosion", "[(0.5, 0)]"), &["bad.ron:3:"]);
}

#[test]
fn counts_and_positions_out_of_range() {
    refused(
        "run",
        &of("algorithm: Erosion, start: Line(count: 0)"),
        &["bad.ron:3:", "0 amoebots", "1 to 16777216"],
    );
    refused("run", &of("algorithm: Erosion, start: Line(count: 16777217)"), &["16777217", "1 to 16777216"]);
    refused(
        "run",
        &of("algorithm: Erosion, start: Blob(count: 9, acceptance: 1.5)"),
        &["1.5", "from 0 to 1"],
    );
    let died = of("algorithm: Erosion, start: Blob(count: 9, acceptance: 0.0)");
    refused("run", &died, &["seed 1", "died out"]);
    refused("check", &of("algorithm: Erosion, start: AllConnected(count: 11)"), &["11", "1 to 10"]);
    let hexagon = "algorithm: Hexagon, start: Line(count: 4)";
    refused("run", &of(&format!("{hexagon}, seed_position: 4")), &["position 4 of 4", "0 to 3"]);
    refused("run", &of("algorithm: Erosion, start: Line(count: 4), seed_position: 1"), &["no seed", "alike"]);
    refused(
        "check",
        &of("algorithm: Hexagon, start: AllConnected(count: 3), seed_position: 1"),
        &["every position"],
    );
}

#[test]
fn unknown_words_and_parameters() {
    refused(
        "run",
        &of("algorithm: Hexagons, start: Line(count: 4)"),
        &["bad.ron:3:", "`Hexagons`", "mean `Hexagon`"],
    );
    refused("run", &of("algorithm: Erosion, start: Lines(count: 4)"), &["`Lines`", "AllConnected"]);
    refused("run", &of("algorithm: Compression(lamda: 4.0), start: Line(count: 4)"), &["`lamda`", "lambda"]);
    refused(
        "run",
        &of("algorithm: Erosion, start: Line(count: 4), colour: 3"),
        &["`colour`", "orientations"],
    );
    let topology =
        of("algorithm: Erosion, start: Line(count: 4)").replace("seed: 1", "topology: Ring(nodes: 3)");
    refused("run", &topology, &["bad.ron:2:", "`topology`", "amoebots"]);
    refused("check", &topology, &["bad.ron:2:", "`topology`", "amoebots"]);
}

#[test]
fn biases_out_of_range() {
    for lambda in ["0", "0.0", "-1.5", "inf", "NaN"] {
        for algorithm in ["Compression(BIAS)", "LocalCompression(BIAS)", "Separation(BIAS, gamma: 1.0)"] {
            let algorithm = algorithm.replace("BIAS", &format!("lambda: {lambda}"));
            let text = of(&format!("algorithm: {algorithm}, start: Line(count: 4)"));
            refused("run", &text, &["bad.ron:3:", "above 0"]);
        }
    }
    let separation = |lambda: &str, gamma: &str, colours: &str| {
        let algorithm = format!("Separation(lambda: {lambda}, gamma: {gamma}, colours: {colours})");
        of(&format!("algorithm: {algorithm}, start: Line(count: 4)"))
    };
    refused("run", &separation("1e61", "2.0", "2"), &["lambda is 1e61", "1e-60 to 1e60"]);
    refused("run", &separation("2.0", "1e-61", "2"), &["gamma is 1e-61", "1e-60 to 1e60"]);
    refused("run", &separation("2.0", "2.0", "0"), &["0 colours", "1 to"]);
}

#[test]
fn what_an_algorithm_is_not_made_for() {
    let with = |amoebots: &str, more: &str| of(amoebots).replace("),\n)", &format!("),\n    {more},\n)"));
    let hexagon = "algorithm: Hexagon, start: Line(count: 4)";
    for orientations in ["CommonDirection", "Assorted"] {
        let text = of(&format!("{hexagon}, orientations: {orientations}"));
        refused("run", &text, &["common chirality", "Common, CommonChirality"]);
    }
    let chain = "algorithm: Compression(lambda: 2.0), start: Line(count: 4)";
    refused("run", &of(chain), &["never terminates", "Steps"]);
    refused(
        "run",
        &with(&format!("{chain}, orientations: Assorted"), "stop: Steps(9)"),
        &["no amoebot has ports"],
    );
    refused(
        "run",
        &with(chain, "stop: Steps(9), execution: Concurrent(locks: TryLocks)"),
        &["bad.ron:4:", "whose steps are defined", "layout: Masks, Tiles, Waves"],
    );
    let local = "algorithm: LocalCompression(lambda: 2.0), start: Line(count: 4)";
    refused(
        "run",
        &with(local, "stop: Steps(9), execution: Concurrent(locks: TryLocks)"),
        &["beyond", "Sequential", "Waves, Tiles"],
    );
    refused(
        "run",
        &with(local, "stop: Steps(9), execution: Concurrent(locks: Messages)"),
        &["beyond", "Rounds"],
    );
    for execution in ["Waves", "Rounds(Synchronous)"] {
        let text = with(chain, &format!("stop: Steps(9), execution: {execution}"));
        refused("run", &text, &["bad.ron:4:", "layout: Masks, Tiles, Waves"]);
    }
    refused("run", &with(hexagon, "execution: Rounds(Isolated(9))"), &["bad.ron:4:", "distance 9", "0 to 8"]);
    refused("run", &with(hexagon, "execution: Rounds(Isolate(2))"), &["`Isolate`", "mean `Isolated`"]);
    refused("run", &of(local), &["never terminates"]);
    refused("check", &of(local), &["bad.ron:3:", "never terminates"]);
    refused("check", &with(chain, "stop: Steps(9)"), &["never terminates"]);
    refused("run", &of("algorithm: Erosion, start: AllConnected(count: 3)"), &["one start", "acrasin check"]);
    let messages = of("algorithm: Erosion, start: Line(count: 1048577)")
        .replace("),\n)", "),\n execution: Concurrent(locks: Messages),\n)");
    refused("run", &messages, &["1048577", "up to 1048576"]);
}

#[test]
fn limits_and_distances_out_of_range() {
    let with = |more: &str| {
        of("algorithm: Erosion, start: Line(count: 4)").replace("),\n)", &format!("),\n{more},\n)"))
    };
    refused("run", &with("observe: (counts_every: 0)"), &["bad.ron:4:", "1 or more"]);
    refused("check", &with("limits: (states: 0)"), &["0 states", "1 to 33554432"]);
    refused("check", &with("limits: (states: 33554433)"), &["33554433", "1 to 33554432"]);
    let concurrent = "execution: Concurrent(locks: TryLocks)";
    refused("run", &with(&format!("{concurrent}, limits: (steps: 500000001)")), &["500000001", "a log"]);
    refused("run", &with(&format!("{concurrent}, stop: Steps(500000001)")), &["500000001", "a log"]);
}

#[test]
fn counters_rates_and_crashes_that_do_not_fit() {
    let on = |algorithm: &str, start: &str| of(&format!("algorithm: {algorithm}, start: {start}"));
    let counter = |operations: &str| format!("BinaryCounter(operations: [{operations}])");
    let line = "Line(count: 4)";
    refused("run", &on(&counter("Increment(1048577)"), line), &["1048577 operations", "up to 1048576"]);
    refused(
        "run",
        &on(&counter("Increment(1), Decrement(2)"), line),
        &["bad.ron:3:", "after 2 single operations the number is 0"],
    );
    refused("run", &on("BinaryCounter(value: 8, operations: [])", line), &["8", "5"]);
    refused("check", &on(&counter("TestZero"), "Cells([(0, 0), (1, 0), (0, 1), (5, 5)])"), &["(5, 5)"]);
    let energy = |rates: &str| format!("EnergySharing({rates})");
    for (rates, snippet) in [
        ("capacity: 0, transfer: 1, demand: 1", "capacity 0"),
        ("capacity: 10, transfer: 11, demand: 1", "transfer 11\n"),
        ("capacity: 10, transfer: 1, demand: 11", "demand 11"),
        ("capacity: 1048577, transfer: 1, demand: 1", "1 to 1048576"),
        ("capacity: 10, transfer: 1, demand: 1, sources: [4]", "root 4 of 4"),
        ("capacity: 10, transfer: 1, demand: 1, sources: []", "(0, 0)"),
    ] {
        let text = on(&energy(rates), line).replace("),\n)", "),\n stop: Steps(1))");
        refused("run", &text, &["bad.ron:3:", snippet]);
    }
    refused("run", &on(&energy("capacity: 10, transfer: 1, demand: 1"), line), &["never terminates"]);
    let powered = |rates: &str| on(&format!("EnergyDistribution(algorithm: Erosion, {rates})"), line);
    refused("run", &powered("capacity: 5, demand: 6"), &["bad.ron:3:", "demand 6", "1 to 5"]);
    refused("run", &powered("capacity: 5, demand: 0"), &["demand 0", "1 to 5"]);
    refused("run", &powered("capacity: 5, demand: 5, sources: [7]"), &["7", "4"]);
    refused("run", &powered("capacity: 5, demand: 5, sources: []"), &["source"]);
    for (path, snippets) in
        [("1207", ["step 3 of the path is '0'", "digits 1 to 6"]), ("12x", ["step 3", "'x'"])]
    {
        refused("run", &on(&format!("ForestWalk(path: \"{path}\")"), line), &snippets);
    }
    let long = "1".repeat(65_536);
    refused("run", &on(&format!("ForestWalk(path: \"{long}\")"), line), &["65536 steps", "up to 65535"]);
    refused("run", &on("ForestRepair(crashed: [4])", line), &["bad.ron:3:", "4"]);
    refused("run", &on("ForestRepair(crashed: [0])", line), &["the root", "accepted: the others"]);
    refused("run", &on("ForestRepair(crashed: [1])", line), &["(2, 0)", "survivors"]);
}

#[test]
fn landscapes_are_for_bridging() {
    let on = |algorithm: &str, start: &str| {
        of(&format!("algorithm: {algorithm}, start: {start}")).replace("),\n)", "),\n stop: Steps(1))")
    };
    let bridging = "Bridging(lambda: 4.0, gamma: 2.0)";
    refused(
        "run",
        &on("Hexagon", "NShape(side: 5)"),
        &["bad.ron:3:", "does not use a landscape", "Bridging"],
    );
    refused(
        "run",
        &on(bridging, "Line(count: 5)"),
        &["bad.ron:3:", "start in a landscape", "VShape, NShape"],
    );
    refused("run", &on(bridging, "NShape(side: 1)"), &["a side of 1", "2 to 1000"]);
    refused("run", &on(bridging, "VShape(rows: 5, across: 4)"), &["a slope of 4 / 1", "1/3 and at most 3"]);
    refused(
        "run",
        &on("Bridging(lambda: 4.0, gamma: 1e21)", "NShape(side: 5)"),
        &["gamma is 1e21", "1e-20 to 1e20"],
    );
    refused(
        "check",
        &of("algorithm: Coating, start: AllConnected(count: 3)"),
        &["bad.ron:3:", "an object", "Drawing"],
    );
}

#[test]
fn too_many_pictures() {
    let moments: Vec<String> = (0..101).map(|moment| moment.to_string()).collect();
    let text = of("algorithm: Erosion, start: Line(count: 4)");
    let text = text.replace("),\n)", &format!("),\n observe: (pictures_at: [{}]),\n)", moments.join(", ")));
    refused("run", &text, &["bad.ron:4:", "101 moments", "up to 100"]);
}

#[test]
fn flags_that_are_not_for_amoebots() {
    let place = Scratch::new();
    place.file("a.ron", of("algorithm: Erosion, start: Line(count: 4)"));
    for (arguments, snippets) in [
        (&["check", "a.ron", "--record", "r.jsonl", "--walks", "5"][..], ["--walks", "lock layer"]),
        (&["check", "a.ron", "--predicate", "A > B"], ["--predicate", "amoebots"]),
    ] {
        let ran = place.run(arguments).exits(2);
        assert!(snippets.iter().all(|snippet| ran.err.contains(snippet)), "{}", ran.err);
        assert_eq!(place.names(), ["a.ron"]);
    }
    place.run(&["run", "a.ron"]).exits(0);
    place.run(&["check", "a.ron"]).exits(0);
}

/// Amoebots run over local mutual exclusion; algorithms for static graphs are refused with the reason.
#[test]
fn mutual_exclusion_on_static_graphs() {
    let under = |exclusion: &str| {
        let amoebots = of("algorithm: Hexagon, start: Line(count: 6)");
        let execution = "execution: Concurrent(locks: Messages(scheduler: Sequential)),\n";
        amoebots.replacen("(\n", &format!("(\n    {execution}    exclusion: {exclusion},\n"), 1)
    };
    for name in ["TokenTree", "CriticalSections(most: 1)"] {
        let words = ["bad.ron:3:", name.split('(').next().unwrap(), "static graph", "as they move"];
        refused("run", &under(name), &words);
    }
    refused("run", &under("TokenTree(tree: Bush)"), &["bad.ron:3:", "Bush"]);
    refused("run", &under("Mutex"), &["bad.ron:3:", "Mutex"]);
    let place = Scratch::new();
    place.file("good.ron", under("Local"));
    place.run(&["run", "good.ron"]).exits(0);
}
