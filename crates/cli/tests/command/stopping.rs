//! Time limits and Ctrl-C.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

use crate::program::{ENDLESS, Ran, SMALL, Scratch};

#[test]
fn time_that_is_over_is_a_budget() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    let ran = place.run(&["run", "a.ron", "--max-time", "0s", "--format", "jsonl"]).exits(3);
    let record = &ran.json()[0];
    assert_eq!(record["outcome"]["exit_code"], 3);
    assert!(record["work"]["steps"].as_u64().unwrap() < 100_000, "{record}");
    // The first repetition is always there; the others are not begun.
    let flags = ["--max-time", "0s", "--reps", "3", "--threads", "1", "--format", "jsonl"];
    let ran = place.run(&[&["run", "a.ron"], &flags[..]].concat()).exits(3);
    assert_eq!(ran.json().len(), 1);
    assert!(ran.err.contains("1 of 3 repetitions"), "{}", ran.err);
    // A run that is over in time does not notice.
    place.file("b.ron", SMALL);
    place.run(&["run", "b.ron", "--max-time", "1h"]).exits(0);
}

#[test]
fn a_limit_of_the_scenario_is_a_budget() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    let ran = place.run(&["run", "a.ron", "--set", "limits.steps=1000"]).exits(3);
    assert!(ran.out.contains("budget ran out first"), "{}", ran.out);
}

/// The program in an endless run, once it has begun.
fn endless(place: &Scratch) -> (Child, BufReader<std::process::ChildStderr>) {
    place.file("a.ron", ENDLESS);
    let arguments = ["run", "a.ron", "-v", "--format", "jsonl", "--record", "r.jsonl", "-o", "out"];
    let mut command = place.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // What the scenario came to is said when everything is ready.
    stderr.read_line(&mut line).unwrap();
    assert!(!line.is_empty());
    (child, stderr)
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill is a command of the system").success());
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_prints_what_it_has() {
    let place = Scratch::new();
    let (mut child, mut stderr) = endless(&place);
    interrupt(&child);
    // Both pipes hold what little is written; reading one after the other cannot block the program.
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    let code = child.wait().unwrap().code();
    let ran = Ran { code, out, err }.exits(130);
    let record = &ran.json()[0];
    assert_eq!(record["outcome"]["word"], "interrupted");
    assert!(ran.err.contains("stopping at the next step"), "{}", ran.err);
    // What was asked for is complete.
    assert_eq!(place.names(), ["a.ron", "out", "r.jsonl"]);
    let replayed = place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0);
    assert_eq!(record["digest"], replayed.json()[0]["digest"]);
}

#[test]
#[cfg(unix)]
fn a_second_interruption_leaves_nothing_half_written() {
    let place = Scratch::new();
    let (mut child, _stderr) = endless(&place);
    for _ in 0..2 {
        interrupt(&child);
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let names = place.names();
    assert!(names.iter().all(|name| !name.contains("unfinished")), "{names:?}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_check_of_amoebots_prints_how_far_it_was() {
    for execution in ["Sequential()", "Concurrent(locks: TryLocks)", "Rounds(Isolated(1))"] {
        let place = Scratch::new();
        place.file(
            "a.ron",
            format!(
                "(amoebots: (algorithm: Hexagon, start: Line(count: 40)), execution: {execution}, \
                 limits: (states: 33_000_000))"
            ),
        );
        let arguments = ["check", "a.ron", "-v", "--format", "jsonl", "--memory", "1G"];
        let mut command = place.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        interrupt(&child);
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        stderr.read_to_string(&mut err).unwrap();
        let ran = Ran { code: child.wait().unwrap().code(), out, err }.exits(130);
        let found = &ran.json()[0];
        assert_eq!((&found["result"], &found["starts"]), (&"interrupted".into(), &1.into()), "{found}");
        assert!(found["states_met"].is_u64() && found.get("stuck").is_none(), "{found}");
        assert!(ran.err.contains("stopping"), "{}", ran.err);
        assert_eq!(place.names(), ["a.ron"]);
    }
}

#[test]
#[cfg(unix)]
fn an_interruption_before_the_run_ends_at_once() {
    let place = Scratch::new();
    let pipe = place.path().join("a.ron");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("a command of the system").success());
    for command in ["run", "replay", "conform"] {
        let mut child = place.command(&[command, "a.ron"]).spawn().unwrap();
        // Opened when the program opens it, too: it waits for a text that never comes.
        let never = std::fs::File::options().write(true).open(&pipe).unwrap();
        interrupt(&child);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        drop(never);
    }
    assert_eq!(place.names(), ["a.ron"]);
}
