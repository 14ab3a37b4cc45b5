//! Equal scenarios and seeds give equal output.

use crate::program::{SMALL, Scratch};

fn digest(json: &serde_json::Value) -> String {
    let digests = json["digest"].as_object().expect("a record has a digest");
    let (_, digest) = digests.iter().next().expect("one digest");
    digest.as_str().expect("in hexadecimal digits").to_owned()
}

#[test]
fn csv_and_json_lines_are_equal_for_any_number_of_threads() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    for format in ["csv", "jsonl"] {
        let out = |threads: &str, seed: &str| {
            let flags = ["--reps", "4", "--threads", threads, "--seed", seed, "--format", format];
            place.run(&[&["run", "a.ron"], &flags[..]].concat()).exits(0).out
        };
        let one = out("1", "5");
        assert_eq!(one, out("1", "5"));
        assert_eq!(one, out("2", "5"));
        assert_eq!(one, out("4", "5"));
        assert_ne!(one, out("1", "6"));
        let rows = one.lines().count();
        assert_eq!(rows, if format == "csv" { 5 } else { 4 });
    }
}

/// On a graph large enough for several threads.
#[test]
fn one_run_on_the_engine_has_the_threads_it_is_given_and_the_same_result() {
    let place = Scratch::new();
    let scenario = |rung: &str, scheduler: &str| {
        format!(
            "Scenario(seed: 3, topology: Torus(rows: 300, columns: 300), rung: {rung}, scheduler: {scheduler}, \
             work: Locks(each: Forever), stop: [Rounds(12)])"
        )
    };
    place.file("f1.ron", scenario("F1", "Waves"));
    place.file("f3.ron", scenario("F3", "SemiSynchronous(activation: All)"));
    for file in ["f1.ron", "f3.ron"] {
        let run = |threads: &str| {
            let ran = place.run(&["run", file, "--threads", threads, "--format", "jsonl", "-v"]).exits(0);
            let record = &ran.json()[0];
            (record["manifest"]["threads"].as_u64(), digest(record))
        };
        let one = run("1");
        assert_eq!(one.0, Some(1));
        for threads in [2, 3, 7] {
            assert_eq!(run(&threads.to_string()), (Some(threads), one.1.clone()), "{file}");
        }
    }
}

#[test]
fn the_first_repetition_has_the_seed_itself() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    let of =
        |flags: &[&str]| place.run(&[&["run", "a.ron", "--format", "jsonl"], flags].concat()).exits(0).json();
    let many = of(&["--seed", "5", "--reps", "3"]);
    let seeds: Vec<u64> = many.iter().map(|record| record["manifest"]["seed"].as_u64().unwrap()).collect();
    let derived = |number| acrasin_runtime::choice::derived_seed(5, number);
    assert_eq!(seeds, [5, derived(1), derived(2)]);
    // Each repetition is the run of its seed.
    for record in &many {
        let seed = record["manifest"]["seed"].to_string();
        assert_eq!(digest(record), digest(&of(&["--seed", &seed])[0]));
    }
    assert_ne!(digest(&many[0]), digest(&many[1]));
    // Without a flag the seed is the scenario's.
    assert_eq!(of(&[])[0]["manifest"]["seed"], 11);
}

#[test]
fn recording_and_replaying_end_in_the_same_digest() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    let plain = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0);
    let recorded = place.run(&["run", "a.ron", "--format", "jsonl", "--record", "r.jsonl"]).exits(0);
    assert_eq!(plain.out, recorded.out);
    let replayed = place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0);
    assert_eq!(digest(&plain.json()[0]), digest(&replayed.json()[0]));
    assert!(replayed.err.contains(&digest(&plain.json()[0])), "{}", replayed.err);

    // A replay with another recorded end is not reproduced.
    let text = std::fs::read_to_string(place.path().join("r.jsonl")).unwrap();
    let digest = digest(&plain.json()[0]);
    let other = if digest.starts_with('0') { "1" } else { "0" };
    place.file("r.jsonl", text.replace(&digest, &(other.to_owned() + &digest[1..])));
    let ran = place.run(&["replay", "r.jsonl"]).exits(1);
    assert!(ran.err.contains("another configuration"), "{}", ran.err);
}

#[test]
fn a_drawn_seed_is_printed_and_recorded() {
    let place = Scratch::new();
    place.file("a.ron", SMALL.replace("seed: 11,", ""));
    let draw = || {
        let ran = place.run(&["run", "a.ron", "--format", "jsonl"]).exits(0);
        let seed = ran.json()[0]["manifest"]["seed"].as_u64().expect("a seed");
        assert!(ran.err.contains(&format!("seed {seed} (drawn")), "{}", ran.err);
        (seed, ran.out)
    };
    let (one, other) = (draw(), draw());
    assert_ne!(one.0, other.0);
    let again = place.run(&["run", "a.ron", "--format", "jsonl", "--seed", &one.0.to_string()]).exits(0);
    assert_eq!(again.out, one.1);
    assert!(!again.err.contains("drawn"), "{}", again.err);
}

#[test]
fn the_machine_is_in_the_table_and_with_verbose_in_every_format() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    let table = place.run(&["run", "a.ron"]).exits(0).out;
    let labels = ["threads", "processor", "wall time", "CPU time", "most memory at once", "version", "seed"];
    for label in labels.into_iter().chain(["scenario digest"]) {
        assert!(table.contains(&format!("\n  {label} ")), "{label}: {table}");
    }
    let manifest = |flags: &[&str]| {
        let ran = place.run(&[&["run", "a.ron", "--format", "jsonl"], flags].concat()).exits(0);
        ran.json()[0]["manifest"].clone()
    };
    let (plain, verbose) = (manifest(&[]), manifest(&["-v"]));
    assert!(plain["threads"].is_null() && plain.get("wall_time_seconds").is_none());
    assert_eq!(verbose["threads"], 1);
    assert!(verbose["wall_time_seconds"].as_f64().expect("a time") > 0.0);
    if cfg!(target_os = "linux") {
        assert!(
            verbose["peak_bytes"].as_u64().expect("a count") > 1 << 20 && plain.get("peak_bytes").is_none()
        );
    }
    assert_eq!(plain["scenario_text"], SMALL);
}
