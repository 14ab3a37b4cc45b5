//! Amoebots in waves and in rounds: several act at once, on threads or without locks.

use crate::program::Scratch;

#[track_caller]
fn record(place: &Scratch, amoebots: &str, more: &str, code: i32) -> serde_json::Value {
    place.file("a.ron", format!("(seed: 5, amoebots: ({amoebots}), {more})"));
    place.run(&["run", "a.ron", "--format", "jsonl"]).exits(code).json().remove(0)
}

#[test]
fn waves_are_the_same_on_any_number_of_threads() {
    let place = Scratch::new();
    // Above five hundred amoebots a wave is split among threads.
    let amoebots = "algorithm: Forest, start: Blob(count: 3000), orientations: Assorted";
    place.file("a.ron", format!("(seed: 5, amoebots: ({amoebots}), execution: Waves)"));
    let run = |threads: &str, seed: &str| {
        let arguments = ["run", "a.ron", "--threads", threads, "--seed", seed, "--format", "jsonl"];
        place.run(&arguments).exits(0).out
    };
    let one = run("1", "8");
    assert_eq!(one, run("2", "8"));
    assert_eq!(one, run("3", "8"));
    assert_ne!(one, run("2", "9"));
    let record: serde_json::Value = serde_json::from_str(one.trim()).unwrap();
    let work = &record["work"];
    assert_eq!((&work["invalid"], &work["replayed"]), (&0.into(), &true.into()));
    let of = |value: &serde_json::Value| value.as_f64().unwrap();
    assert_eq!(of(&work["mean_width"]), of(&record["locks"]["completed"]) / of(&work["waves"]));
    assert!(of(&work["mean_width"]) > 2.0 && of(&work["width"]) >= of(&work["mean_width"]), "{work}");
    assert!(of(&record["locks"]["failures"]) > 0.0, "{record}");
    let repetitions = |threads: &str| {
        place.run(&["run", "a.ron", "--reps", "3", "--threads", threads, "--format", "jsonl"]).exits(0).out
    };
    assert_eq!(repetitions("1"), repetitions("2"));
}

#[test]
fn waves_end_at_their_limit() {
    let place = Scratch::new();
    let hexagon = "algorithm: Hexagon, start: Line(count: 40)";
    let unfinished = record(&place, hexagon, "execution: Waves, limits: (steps: 12)", 3);
    assert_eq!((&unfinished["outcome"]["word"], &unfinished["work"]["waves"]), (&"limit".into(), &12.into()));
    let stopped = record(&place, hexagon, "execution: Waves, stop: Steps(12)", 0);
    assert_eq!(stopped["digest"], unfinished["digest"]);
}

#[test]
fn without_locks_two_candidates_both_erode() {
    let place = Scratch::new();
    let line = "algorithm: Erosion, start: Line(count: 2)";
    let wrong = record(&place, line, "execution: Rounds(Synchronous)", 1);
    assert_eq!(wrong["outcome"]["word"], "wrong end");
    let reason = wrong["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("erosion") && reason.contains("its goal is not reached"), "{reason}");
    assert_eq!((&wrong["states"]["leader"], &wrong["states"]["eroded"]), (&0.into(), &2.into()));
    assert_eq!(wrong["work"]["width"], 2);
    let text = place.run(&["run", "a.ron"]).exits(1);
    assert!(format!("{}{}", text.out, text.err).contains("its goal is not reached"), "{}", text.out);

    for way in ["Rounds(Isolated(2))", "Rounds(Isolated(1))", "Waves"] {
        let right = record(&place, line, &format!("execution: {way}"), 0);
        assert_eq!(right["states"]["leader"], 1, "{way}");
    }
    // At distance 0 no amoebots are kept apart.
    let apart = record(&place, line, "execution: Rounds(Isolated(0))", 1);
    assert_eq!(apart["states"], wrong["states"]);
}

#[test]
fn rounds_end_at_their_limit_and_let_many_act() {
    let place = Scratch::new();
    let line = "algorithm: MaximalIndependentSet, start: Line(count: 50)";
    let isolated = record(&place, line, "execution: Rounds(Isolated(2))", 0);
    assert!(isolated["work"]["width"].as_u64().unwrap() > 5, "{isolated}");
    assert_eq!(isolated["work"]["failures"], 0);
    let unfinished = record(&place, line, "execution: Rounds(Isolated(2)), limits: (steps: 2)", 3);
    assert_eq!((&unfinished["work"]["rounds"], &unfinished["outcome"]["word"]), (&2.into(), &"limit".into()));
}

/// All executions report rounds and activations, and each count the shape if requested.
#[test]
fn rounds_activations_and_shapes_are_reported() {
    let place = Scratch::new();
    let hexagon = "algorithm: Hexagon, start: Line(count: 30)";
    let ways =
        ["Sequential(activation: Uniform)", "Waves", "Concurrent(locks: TryLocks)", "Rounds(Isolated(2))"];
    let chain = "algorithm: Compression(lambda: 4.0), start: Line(count: 30)";
    let runs = ways.map(|way| (hexagon, format!("execution: {way}, stop: Terminated")));
    for (amoebots, how) in runs.into_iter().chain([(chain, "stop: Steps(20_000)".to_owned())]) {
        let more = format!("{how}, observe: (shape: true, counts_every: 50)");
        place.file("a.ron", format!("(seed: 5, amoebots: ({amoebots}), {more})"));
        let run = ["run", "a.ron", "-o", "out", "--force", "--format", "jsonl"];
        let json = place.run(&run).exits(0).json().remove(0);
        if amoebots == hexagon {
            let work = ["rounds", "activations", "actions"].map(|name| json["work"][name].as_u64().unwrap());
            let [rounds, activations, actions] = work;
            assert!(2 < rounds && rounds < actions && actions <= activations, "{how}: {work:?}");
        }
        let counts = std::fs::read_to_string(place.path().join("out/counts.csv")).unwrap();
        let rows: Vec<Vec<&str>> = counts.lines().map(|line| line.split(',').collect()).collect();
        let shape = |row: &[&str]| row[row.len() - 4..].join(" ");
        assert_eq!(shape(&rows[0]), "adjacent pairs perimeter with holes connected parts holes", "{how}");
        // A line's boundary goes there and back.
        assert_eq!(shape(&rows[1]), "29 58 1 0", "{how}");
        let end = ["edges", "perimeter", "parts", "holes"].map(|name| json["shape"][name].to_string());
        assert_eq!(shape(rows.last().unwrap()), end.join(" "), "{how}");
        assert!(end[0] != "29" && end[2] == "1", "{how}: {end:?}");
    }
}
