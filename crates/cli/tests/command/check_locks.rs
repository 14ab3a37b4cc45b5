//! `acrasin check` of scenarios: the lock layer under all schedules and graph changes.

use crate::program::{PUBLISHED, Scratch};

/// Rows of the CSV output: property, source, result, times, shortest run; configurations, moves, depth, truncated.
fn answers(out: &str) -> Vec<Vec<String>> {
    let mut reader = out.lines();
    assert_eq!(reader.next(), Some(HEADER));
    reader.map(cells).collect()
}

fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => cells.last_mut().expect("never empty").push(letter),
        }
    }
    cells
}

const HEADER: &str = "property,source,result,times,shortest_run,configurations,moves,depth,truncated";

const REPAIRED: &str = "lock.rules=Repaired";

#[test]
fn what_is_broken_comes_with_a_shortest_run_that_replays() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    let ran = place.run(&["check", "p2.ron", "--record", "dead.jsonl"]).exits(1);
    assert!(ran.out.contains("6033 configurations"), "{}", ran.out);
    let story = ran
        .out
        .split_once("no dead configuration (Corollary 4.10) is broken: dead: no action")
        .expect(&ran.out)
        .1;
    let story = story.split("\n\n").next().unwrap();
    // Twenty steps, the shortest length in the specification.
    assert!(story.contains("\n   20 ") && !story.contains("\n   21 "), "{story}");
    assert!(story.contains("CheckStart(") && story.contains("receives win(true)@"), "{story}");
    let replayed = place.run(&["replay", "dead.jsonl"]).exits(1);
    assert!(replayed.out.contains("deadlock: no action is enabled"), "{}", replayed.out);
    // Under the repaired rules the same steps lead elsewhere.
    place.run(&["replay", "dead.jsonl", "--set", REPAIRED]).exits(1);
    assert_eq!(place.names(), ["dead.jsonl", "p2.ron"]);
}

#[test]
fn what_holds_is_said_with_its_size_and_nothing_is_written() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    let ran = place.run(&["check", "p2.ron", "--set", REPAIRED, "--record", "none.jsonl"]).exits(0);
    assert!(ran.out.contains("6625 configurations, 18120 moves"), "{}", ran.out);
    assert!(ran.out.contains("everything that can happen") && !ran.out.contains("BROKEN"), "{}", ran.out);
    assert!(ran.err.contains("no run is recorded"), "{}", ran.err);
    assert_eq!(place.names(), ["p2.ron"]);
    let changing = ["check", "p2.ron", "--set", REPAIRED, "--format", "csv", "--disconnections", "1"];
    for threads in ["1", "3"] {
        let ran = place.run(&[&changing[..], &["--threads", threads]].concat()).exits(0);
        let rows = answers(&ran.out);
        assert!(rows.len() == 20 && rows.iter().all(|row| row[2] == "holds"), "{rows:?}");
    }
}

#[test]
fn reductions_look_at_less_and_say_so() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    for (flags, configurations) in [
        (&["--symmetry"][..], 3337),
        (&["--partial-order"], 3760),
        (&["--symmetry", "--partial-order"], 1891),
    ] {
        let ran = place.run(&[&["check", "p2.ron", "--set", REPAIRED], flags].concat()).exits(0);
        assert!(ran.out.contains(&format!("\n{configurations} configurations")), "{flags:?}: {}", ran.out);
        assert!(
            ran.out.contains("reduced: by ") && ran.out.contains("reductions do not preserve infinite runs")
        );
        // The run of a finding is one of the scenario itself, with its own node names.
        let ran = place.run(&[&["check", "p2.ron", "--record", "dead.jsonl"], flags].concat()).exits(1);
        assert!(ran.out.contains("no dead configuration (Corollary 4.10) is broken"), "{}", ran.out);
        place.run(&["replay", "dead.jsonl"]).exits(1);
    }
}

#[test]
fn protocols_under_locks_are_explored_with_their_states() {
    let place = Scratch::new();
    place.file(
        "fratricide.ron",
        r#"(
            topology: Path(nodes: 2),
            lock: (self_messages: InMemory, priorities: 2),
            scheduler: Sequential,
            work: Interactions(protocol: Library(name: "fratricide"), initial: All("L")),
            stop: [Silent],
        )"#,
    );
    let bare = place.run(&["check", "fratricide.ron"]).exits(0);
    // Two leaders, then one at either end: more configurations than the locks alone have.
    let locks = place.run(&[
        "check",
        "fratricide.ron",
        "--set",
        "work=Locks(each: Forever)",
        "--set",
        "stop=[Locks(1)]",
    ]);
    let count = |out: &str| -> u64 {
        let line = out.lines().find(|line| line.contains(" configurations, ")).expect(out);
        line.split(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(count(&locks.exits(0).out), 1232);
    assert!(count(&bare.out) > 1232 && !bare.out.contains("BROKEN"), "{}", bare.out);
}

#[test]
fn every_repair_is_needed() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    for (missing, flags, broken) in [
        ("reject_late_requests", &[][..], "no dead configuration"),
        ("clean_up_always", &["--disconnections", "1"], "no dead configuration"),
        (
            "clean_up_ignored_calls",
            &["--disconnections", "1", "--misuse"],
            "Lock returns the persistent closed neighbourhood",
        ),
    ] {
        let on = |repair: &str| format!("{repair}: {}", repair != missing);
        let repairs =
            ["reject_late_requests", "clean_up_always", "clean_up_ignored_calls"].map(on).join(", ");
        let rules = format!("lock.rules=Mixed({repairs})");
        let ran =
            place.run(&[&["check", "p2.ron", "--format", "csv", "--set", &rules], flags].concat()).exits(1);
        let rows = answers(&ran.out);
        assert!(rows.iter().any(|row| row[0] == broken && row[2] == "BROKEN"), "without {missing}: {rows:?}");
        // Nothing is explored beyond a broken promise, so nothing is reported to hold.
        let is_cut = ran.err.contains("not followed any further");
        assert_eq!(is_cut, !rows.iter().any(|row| row[2] == "holds"), "without {missing}: {}", ran.err);
    }
}

#[test]
fn a_ceiling_is_respected_and_what_was_covered_is_said() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    let small = ["check", "p2.ron", "--set", REPAIRED, "--disconnections", "2", "--connections", "2"];
    let ran = place.run(&[&small[..], &["--memory", "4M"]].concat()).exits(3);
    assert!(ran.out.contains("TRUNCATED, memory ceiling reached"), "{}", ran.out);
    assert!(ran.out.contains("every run of up to"), "{}", ran.out);
    assert!(ran.out.contains("no counterexample so far") && !ran.out.contains(" holds "), "{}", ran.out);
    let ran = place.run(&[&small[..], &["--configurations", "20000"]].concat()).exits(3);
    assert!(ran.out.contains("TRUNCATED, limit on configurations reached"), "{}", ran.out);
    let ran = place.run(&[&small[..], &["--memory", "4M", "--format", "csv"]].concat()).exits(3);
    assert!(ran.err.contains("TRUNCATED") && ran.out.starts_with("property,"), "{ran:?}");
    // Too many outcomes end the exploration, but break nothing.
    let ran = place.run(&["check", "p2.ron", "--set", "lock.priorities=100000", "--memory", "200M"]).exits(3);
    assert!(
        ran.out.contains("TRUNCATED, a configuration with more than 65535 steps, or a step with more than"),
        "{}",
        ran.out
    );
    // A counterexample counts, however small the explored part.
    place.run(&["check", "p2.ron", "--first"]).exits(1);
}

#[test]
fn bad_input_is_refused_before_anything_happens() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    for (arguments, said) in [
        (&["check", "p2.ron", "--disconnections", "-1"][..], "unlimited"),
        (&["check", "p2.ron", "--connections", "many"], "unlimited"),
        (&["check", "p2.ron", "--any-edges"], "--connections"),
        (&["check", "p2.ron", "--misuse", "--predicate", "a > b"], "one of them"),
        (&["check", "voter", "--misuse"], "a scenario"),
        (&["check", "p2.ron", "--memory", "0"], "bytes"),
        (&["check", "p2.ron", "--record", "."], "folder"),
        (&["check", "p2.ron", "--record", "p2.ron"], "would replace"),
        (&["check", "none.ron"], "none.ron"),
        (&["check", "p2.ron", "--set", "topology=Ring(nodes: 17)"], "16"),
    ] {
        let ran = place.run(arguments).exits(2);
        assert!(ran.err.contains(said) && ran.out.is_empty(), "{arguments:?}: {}", ran.err);
        assert_eq!(place.names(), ["p2.ron"], "{arguments:?}");
    }
}

#[test]
fn programs_are_told_how_much_was_explored() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    let all = ["check", "p2.ron", "--set", REPAIRED, "--format"];
    let extent = |row: &serde_json::Value| {
        ["configurations", "moves", "depth", "truncated"].map(|name| row[name].clone())
    };
    let ran = place.run(&[&all[..], &["jsonl"]].concat()).exits(0);
    let rows = ran.json();
    let depth = rows[0]["depth"].as_u64().unwrap();
    // The same numbers as in the text for people.
    let words = format!("6625 configurations, 18120 moves, depth {depth}:");
    assert!(ran.err.contains(&words) && !rows.is_empty(), "{words} in {}", ran.err);
    for row in &rows {
        assert_eq!(extent(row), [6625.into(), 18120.into(), depth.into(), serde_json::Value::Null], "{row}");
    }
    for row in answers(&place.run(&[&all[..], &["csv"]].concat()).exits(0).out) {
        assert_eq!(row[5..], ["6625".to_owned(), "18120".to_owned(), depth.to_string(), String::new()]);
    }
    let cut = [&all[..], &["jsonl", "--configurations", "1000"]].concat();
    let row = place.run(&cut).exits(3).json().remove(0);
    assert_eq!(row["truncated"], "limit on configurations reached");
    assert!(row["configurations"].as_u64() > Some(0) && row["moves"].is_u64(), "{row}");
}

#[test]
fn what_is_left_out_of_a_graph_file_is_said() {
    let place = Scratch::new();
    place.file("graph.txt", "0 1\n1 1\n1 0\n");
    place.file("a.ron", "(topology: File(path: \"graph.txt\"), scheduler: Sequential, work: Locks(each: 1))");
    let notes = [
        "note: graph.txt: 1 edge from a node to itself is left out\n",
        "note: graph.txt: 1 edge is listed more than once and counts once\n",
    ];
    let protocol = ["check", "exact-majority", "--predicate", "A > B", "--answers", "yes=A,no=B"];
    let protocol = [&protocol[..], &["--given", "A != B", "--graph", "graph.txt"]].concat();
    for format in ["table", "csv", "jsonl"] {
        for command in [&["run", "a.ron", "--seed", "1"][..], &["check", "a.ron"], &protocol] {
            let ran = place.run(&[command, &["--format", format]].concat()).exits(0);
            assert!(notes.iter().all(|note| ran.err.contains(note)), "{command:?}: {}", ran.err);
        }
    }
    // The flag for silence is respected.
    assert_eq!(place.run(&["check", "a.ron", "-q"]).exits(0).err, "");
}
