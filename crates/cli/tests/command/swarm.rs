//! `acrasin swarm`: random runs of the lock layer.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::program::{Ran, SMALL, Scratch, interruption};

/// The value of a row of `--format jsonl`.
fn value(ran: &Ran, part: &str, name: &str) -> serde_json::Value {
    let rows = ran.json();
    let row = rows.iter().find(|row| row["part"] == part && row["name"] == name);
    row.unwrap_or_else(|| panic!("{part}, {name}: {rows:#?}"))["value"].clone()
}

/// The kind of failure and the seed of the first run that failed.
fn first_failure(ran: &Ran) -> Option<(String, u64)> {
    let rows = ran.json();
    let row = rows.iter().find(|row| row["part"] == "first failed seed")?;
    Some((row["name"].as_str()?.to_owned(), row["value"].as_u64()?))
}

#[test]
fn the_repaired_rules_pass_with_any_number_of_threads() {
    let place = Scratch::new();
    for format in ["table", "csv", "jsonl"] {
        let ran = |threads: &str| {
            let ran = place.run(&["swarm", "--runs", "200", "--threads", threads, "--format", format]);
            ran.exits(0)
        };
        let one = ran("1");
        assert_eq!(one.out, ran("3").out);
        // Two hundred runs leave cells empty, which is reported.
        assert!(one.err.contains("a failure in 10000 runs or more"), "{}", one.err);
    }
    let table = place.run(&["swarm", "--runs", "200", "--record", "none.jsonl"]).exits(0);
    for part in [
        "seeds: 0 to 199, one run each",
        "200 runs, none failed",
        "digest of all runs: ",
        "late requests rejected",
        "calm: CleanUp (CleanUp is enabled only if the detector reports a disconnection, D ≠ {})",
        "note: ",
    ] {
        assert!(table.out.contains(part), "{part} in {}", table.out);
    }
    assert!(table.err.contains("no run is recorded"), "{}", table.err);
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn figures_and_coverage_are_for_programs_too() {
    let place = Scratch::new();
    let ran = place.run(&["swarm", "--runs", "50", "--seed", "7", "--format", "jsonl"]).exits(0);
    let number = |part: &str, name: &str| value(&ran, part, name).as_u64().unwrap();
    assert_eq!((number("runs", "made"), number("runs", "failed")), (50, 0));
    assert_eq!(number("figure", "Lock calls"), number("figure", "Unlocks completed"));
    let rows = ran.json();
    let coverage: Vec<_> = rows.iter().filter(|row| row["part"] == "coverage").collect();
    assert_eq!(coverage.len(), 16 * 8);
    assert_eq!(coverage.iter().filter(|row| row["value"].is_null()).count(), 16);
    let steps = rows.iter().find(|row| row["name"] == "steps").unwrap();
    assert_eq!(steps["mean"].as_f64().unwrap() * 50.0, steps["value"].as_f64().unwrap());
    let longest = rows.iter().find(|row| row["name"] == "longest drain, steps").unwrap();
    assert!(longest["value"].as_u64().unwrap() > 0 && longest["mean"].is_null(), "{longest}");
    // Checking invariants does not affect runs; other seeds do.
    let digest = |flags: &[&str]| {
        let ran = place.run(&[&["swarm", "--runs", "50", "--format", "jsonl"], flags].concat());
        value(&ran.exits(0), "runs", "digest")
    };
    assert_eq!(digest(&["--seed", "7", "--no-invariants"]), digest(&["--seed", "7"]));
    assert_ne!(digest(&["--seed", "8"]), digest(&["--seed", "7"]));
}

#[test]
fn the_published_rules_fail_and_the_first_failure_is_told_and_replayed() {
    let place = Scratch::new();
    let run = |threads: &str, file: &str| {
        place
            .run(&["swarm", "--rules", "published", "--runs", "40", "--threads", threads, "--record", file])
            .exits(1)
    };
    let one = run("1", "one.jsonl");
    assert_eq!(one.out, run("3", "three.jsonl").out);
    let read = |name: &str| fs::read(place.path().join(name)).unwrap();
    assert_eq!(read("one.jsonl"), read("three.jsonl"));
    // The failure comes before what was covered, which has more lines than a terminal.
    let failure = |ran: &Ran| {
        let (_, rest) = ran.out.split_once("\nfirst failure: ").expect(&ran.out);
        let (failure, covered) = rest.split_once("\n\n").expect(rest);
        assert!(covered.starts_with("figure") && covered.contains("executions of each action"), "{covered}");
        failure.to_owned()
    };
    let story = failure(&one);
    assert!(story.starts_with("dead configuration\n"), "{story}");
    for part in
        ["  seed ", "shrunk: deadlock: no action is enabled", " calls Lock\n", "  then:\n    node 0: "]
    {
        assert!(story.contains(part), "{part} in {story}");
    }
    let replayed = place.run(&["replay", "one.jsonl"]).exits(1);
    assert!(replayed.out.contains("deadlock: no action is enabled"), "{}", replayed.out);
    // The configuration is the printed one.
    let told: Vec<&str> = story.lines().filter_map(|line| line.strip_prefix("    node ")).collect();
    let (_, end) = replayed.out.split_once("\nConfiguration at the end\n").expect(&replayed.out);
    assert!(end.lines().filter_map(|line| line.strip_prefix("node ")).eq(told), "{end}");
    // The printed command runs only that seed.
    let again = story.lines().last().unwrap().strip_prefix("this seed alone: acrasin ").expect(&story);
    let again = place.run(&again.split(' ').collect::<Vec<_>>()).exits(1);
    assert_eq!(failure(&again), story);
    assert_eq!(place.names(), ["one.jsonl", "three.jsonl"]);
}

#[test]
fn a_broken_invariant_is_looked_at_again_by_a_replay() {
    let place = Scratch::new();
    let wanted = "memories name live ports, modulo D";
    let seed = (0..100_u64).find(|seed| {
        let seed = seed.to_string();
        let ran = place.run(&[
            "swarm",
            "--rules",
            "published",
            "--runs",
            "1",
            "--seed",
            &seed,
            "--format",
            "jsonl",
        ]);
        first_failure(&ran).is_some_and(|(kind, _)| kind == wanted)
    });
    let seed = seed.expect("among a hundred seeds").to_string();
    let flags = ["swarm", "--rules", "published", "--runs", "1", "--seed", &seed, "--record", "broken.jsonl"];
    place.run(&flags).exits(1);
    let replayed = place.run(&["replay", "broken.jsonl", "--format", "jsonl"]).exits(1);
    let outcome = &replayed.json()[0]["outcome"];
    assert_eq!(outcome["word"], "broken property");
    assert!(outcome["reason"].as_str().unwrap().starts_with(&format!("{wanted}: node ")), "{outcome}");
    // A file whose named property holds at its end is not reproduced.
    let text = fs::read_to_string(place.path().join("broken.jsonl")).unwrap();
    place.file(
        "forged.jsonl",
        text.replace(&format!("\"outcome\":\"{wanted}"), "\"outcome\":\"disjoint lock sets"),
    );
    let forged = place.run(&["replay", "forged.jsonl", "--format", "jsonl"]).exits(1);
    let outcome = &forged.json()[0]["outcome"];
    assert_eq!(outcome["word"], "not reproduced");
    assert!(outcome["reason"].as_str().unwrap().contains("where \"disjoint lock sets\" holds"), "{outcome}");
}

#[test]
fn a_failure_of_what_follows_is_no_failure_of_a_replay() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    place.run(&["run", "a.ron", "--record", "r.jsonl"]).exits(0);
    let text = fs::read_to_string(place.path().join("r.jsonl")).unwrap();
    let (steps, end) = text.trim_end().rsplit_once('\n').unwrap();
    let mut end: serde_json::Value = serde_json::from_str(end).unwrap();
    let mut replayed = |outcome: &str| {
        end["end"]["outcome"] = outcome.into();
        place.file("r.jsonl", format!("{steps}\n{end}\n"));
        let ran = place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0);
        ran.json()[0]["outcome"]["reason"].as_str().unwrap().to_owned()
    };
    let follows = "of what follows the last step";
    assert!(replayed("not drained: 2 calls are outstanding").contains(follows));
    assert!(replayed("success reachable while a Lock is outstanding: never").contains(follows));
    assert!(!replayed("not drained").contains(follows));
}

#[test]
fn every_repair_is_needed_and_wrong_rules_are_caught() {
    let place = Scratch::new();
    for flags in [
        ["--rules", "no-r1"],
        ["--rules", "no-r2"],
        ["--rules", "no-r3"],
        ["--wrong", "late-requests-kept"],
        ["--wrong", "lock-kept"],
    ] {
        let ran = place.run(&[&["swarm", "--runs", "80", "--format", "jsonl"], &flags[..]].concat()).exits(1);
        assert!(value(&ran, "runs", "failed").as_u64().unwrap() > 0 && first_failure(&ran).is_some());
    }
    // The output names the wrong rules; a replay knows only the shipped rules.
    let flags = ["swarm", "--wrong", "late-requests-kept", "--runs", "40", "--record", "w.jsonl"];
    let ran = place.run(&flags).exits(1);
    assert!(ran.out.starts_with("rules: late-requests-kept, wrong on purpose (F1"), "{}", ran.out);
    assert!(
        ran.out.contains("this seed alone: acrasin swarm --wrong late-requests-kept --seed "),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("acrasin replay knows only the shipped rules"), "{}", ran.err);
    place.run(&["replay", "w.jsonl"]).exits(1);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = Scratch::new();
    for (flags, says) in [
        (&["--runs", "0"][..], "a whole number from 1 to 1000000000 is accepted"),
        (&["--runs", "1000000001"], "a whole number from 1"),
        (&["--runs", "many"], "a whole number from 1"),
        (&["--seed", "-1"], "a whole number from 0"),
        (&["--seed", "18446744073709551615"], "accepted: at most 18446744073709531615"),
        (&["--threads", "0"], "a whole number from 1"),
        (&["--rules", "repared"], "a similar value exists: 'repaired'"),
        (&["--rules", "no-r4"], "repaired, published, no-r1, no-r2, no-r3"),
        (&["--wrong", "late-between-rounds"], "a similar value exists: 'late-between-rounds-only'"),
        (&["--wrong", "none"], "late-requests-kept"),
        (&["--wrong", "lock-kept", "--rules", "published"], "cannot be used with"),
        (&["--max-time", "soon"], "--max-time"),
        (&["--format", "xml"], "table, csv, jsonl"),
        (&["--record", "."], "is a folder"),
        (&["scenario.ron"], "scenario.ron"),
    ] {
        let ran = place.run(&[&["swarm"], flags].concat()).exits(2);
        assert!(ran.err.contains(says) && ran.out.is_empty(), "{flags:?}: {ran:#?}");
    }
    // The largest seeds.
    place.run(&["swarm", "--seed", "18446744073709551605", "--runs", "10"]).exits(0);
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn time_that_is_over_leaves_the_runs_so_far() {
    let place = Scratch::new();
    let flags = ["--threads", "1", "--format", "jsonl"];
    let ended = place.run(&[&["swarm", "--max-time", "0s"], &flags[..]].concat()).exits(3);
    let made = value(&ended, "runs", "made").as_u64().unwrap();
    assert!((1..1_000).contains(&made), "{made}");
    let asked = place.run(&[&["swarm", "--runs", &made.to_string()], &flags[..]].concat()).exits(0);
    assert_eq!(asked.out, ended.out);
    let table = place.run(&["swarm", "--max-time", "0s"]).exits(3);
    assert!(
        table.out.contains("\nTRUNCATED: ") && table.out.contains("of 20000 runs were made"),
        "{}",
        table.out
    );
    // A failure stays a failure, although there is no time to shrink it.
    let failed = place.run(&["swarm", "--max-time", "0s", "--rules", "published", "--seed", "5"]).exits(1);
    assert!(failed.err.contains("--seed 5 --runs 1 shrinks it to the end"), "{}", failed.err);
}

#[test]
#[cfg(unix)]
fn an_interrupted_swarm_prints_what_it_has() {
    let place = Scratch::new();
    let mut command = place.command(&["swarm", "-v", "--runs", "1_000_000_000", "--record", "r.jsonl"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(line.starts_with("1000000000 runs on "), "{line}");
    let status = Command::new("kill").args([interruption(), &child.id().to_string()]).status();
    assert!(status.expect("kill is a command of the system").success());
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    let ran = Ran { code: child.wait().unwrap().code(), out, err }.exits(130);
    assert!(ran.out.contains("of 1000000000 runs were made"), "{}", ran.out);
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn the_other_algorithms_run_and_what_fails_is_told() {
    let place = Scratch::new();
    for (exclusion, part) in
        [("tree-token", "token along a random tree"), ("critical-section", "random bounds")]
    {
        let ran = |threads: &str| {
            let flags = ["swarm", "--exclusion", exclusion, "--runs", "200", "--threads", threads];
            place.run(&flags).exits(0)
        };
        let one = ran("1");
        assert_eq!(one.out, ran("3").out);
        assert!(one.out.contains(part) && one.out.contains("200 runs, none failed"), "{}", one.out);
    }
    for (wrong, part) in [
        ("token-kept", "tree with root"),
        ("one-too-many", "bounds (l, k) of each node, and the nodes inside"),
    ] {
        let flags = ["swarm", "--wrong", wrong, "--runs", "40", "--record", "small.jsonl"];
        let failed = place.run(&flags).exits(1);
        assert!(failed.err.contains("does not support this algorithm"), "{}", failed.err);
        assert!(failed.out.contains("first failure: ") && failed.out.contains(part), "{}", failed.out);
        let alone = failed.out.lines().find(|line| line.starts_with("this seed alone: ")).unwrap();
        let alone: Vec<&str> = alone.split_whitespace().skip(4).collect();
        let again = place.run(&alone).exits(1);
        // Without what was covered, which is of all runs.
        let told = |text: &str| {
            let failure = &text[text.find("shrunk: ").unwrap()..];
            failure.split_once("\n\n").unwrap().0.to_owned()
        };
        assert_eq!(told(&again.out), told(&failed.out));
        let file = fs::read_to_string(place.path().join("small.jsonl")).unwrap();
        assert!(file.contains("only with the rules") && file.contains("{\"end\""), "{file}");
    }
    let both = ["swarm", "--wrong", "token-kept", "--exclusion", "tree-token"];
    assert!(place.run(&both).exits(2).err.contains("--exclusion"));
}
