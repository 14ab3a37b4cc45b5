//! Time limits and Ctrl-C.

#![allow(clippy::disallowed_types, reason = "how long a command goes on after its limit is what is tested")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::program::{ENDLESS, Ran, SMALL, Scratch, interruption, is_ignored};

#[test]
fn time_that_is_over_is_a_budget() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    let ran = place.run(&["run", "a.ron", "--max-time", "0s", "--format", "jsonl"]).exits(3);
    let record = &ran.json()[0];
    assert_eq!(record["outcome"]["exit_code"], 3);
    assert!(record["work"]["steps"].as_u64().unwrap() < 100_000, "{record}");
    // The first repetition is always present; the others are not begun.
    let flags = ["--max-time", "0s", "--reps", "3", "--threads", "1", "--format", "jsonl"];
    let ran = place.run(&[&["run", "a.ron"], &flags[..]].concat()).exits(3);
    assert_eq!(ran.json().len(), 1);
    assert!(ran.err.contains("1 of 3 repetitions"), "{}", ran.err);
    // A run that ends in time is not affected.
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

#[test]
fn a_replay_up_to_a_step_ends_when_its_time_is_over() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    place.run(&["run", "a.ron", "--set", "limits.steps=20000", "--record", "r.jsonl"]).exits(3);
    let ran = place.run(&["replay", "r.jsonl", "--at", "20000", "--max-time", "0s"]).exits(3);
    assert!(ran.out.is_empty(), "{}", ran.out);
    assert!(ran.err.contains("--at 20000: the time (--max-time) ran out after"), "{}", ran.err);
    // With enough time, the step is shown.
    let ran = place.run(&["replay", "r.jsonl", "--at", "20000", "--max-time", "1h"]).exits(0);
    assert!(!ran.out.is_empty());
}

/// Set-ups that take minutes in a test build, with the description of the work: in the plan, and again for the run.
const SLOW_SETUPS: [(&str, &str); 3] = [
    (
        "(topology: RandomRegular(nodes: 4e6, degree: 8), rung: F1, scheduler: Waves, work: Locks(each: 1), seed: 1)",
        "the graph or trace of a.ron:1:12",
    ),
    (
        "(topology: Mobility(nodes: 20000, side: 1e4, range: 10, speed: (0.5, 1.5), pause: 60, step: 20, \
          duration: 2_000_000, rounds_per_step: 10), scheduler: Sequential, work: Locks(each: 1), seed: 1)",
        "the graph or trace of a.ron:1:12",
    ),
    (
        "(amoebots: (algorithm: Coating, object: Boulder(cells: 1_000_000), start: Column(count: 10)), seed: 1)",
        "the start of the amoebots of a.ron:1:12",
    ),
];

/// Starts the program with an endless run, and waits until it has begun.
fn endless(place: &Scratch) -> (Child, BufReader<std::process::ChildStderr>) {
    place.file("a.ron", ENDLESS);
    // The limit is a safeguard against lost signals, since an endless recording would fill the disk.
    let limit = ["--max-time", "60s"];
    let arguments =
        [&["run", "a.ron", "-v", "--format", "jsonl", "--record", "r.jsonl", "-o", "out"], &limit[..]]
            .concat();
    let mut command = place.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // The parameters are printed when everything is ready.
    stderr.read_line(&mut line).unwrap();
    assert!(!line.is_empty());
    (child, stderr)
}

fn interrupt(child: &Child) {
    signal(child, interruption());
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill is a command of the system").success());
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_prints_what_it_has() {
    let place = Scratch::new();
    let (mut child, mut stderr) = endless(&place);
    interrupt(&child);
    // The pipes can hold the short output, so reading one after the other cannot block the program.
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    let code = child.wait().unwrap().code();
    let ran = Ran { code, out, err }.exits(130);
    let record = &ran.json()[0];
    assert_eq!(record["outcome"]["word"], "interrupted");
    assert!(ran.err.contains("stopping at the next step"), "{}", ran.err);
    // All requested outputs are complete.
    assert_eq!(place.names(), ["a.ron", "out", "r.jsonl"]);
    let replayed = place.run(&["replay", "r.jsonl", "--format", "jsonl"]).exits(0);
    assert_eq!(record["digest"], replayed.json()[0]["digest"]);
}

#[test]
#[cfg(unix)]
fn a_batch_system_and_a_closing_terminal_interrupt_as_ctrl_c_does() {
    for name in ["-TERM", "-HUP"] {
        if name == "-HUP" && is_ignored(1) {
            eprintln!("SKIPPED: SIGHUP is ignored here (nohup), and so in the program");
            continue;
        }
        let place = Scratch::new();
        let (mut child, mut stderr) = endless(&place);
        signal(&child, name);
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        stderr.read_to_string(&mut err).unwrap();
        let ran = Ran { code: child.wait().unwrap().code(), out, err }.exits(130);
        assert_eq!(ran.json()[0]["outcome"]["word"], "interrupted", "{name}");
        assert_eq!(place.names(), ["a.ron", "out", "r.jsonl"], "{name}");
    }
}

/// A run under `nohup` outlives its terminal: SIGHUP is ignored from the start.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_that_is_ignored_stays_ignored() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    let program = place.command(&[]);
    let program = program.get_program().to_str().unwrap();
    let mut shell = Command::new("sh");
    let script = format!("trap '' HUP; exec '{program}' run a.ron -v --format jsonl");
    let shell = shell.args(["-c", &script]).current_dir(place.path());
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    for name in ["-HUP", "-HUP", "-TERM"] {
        signal(&child, name);
    }
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    // One signal was handled, not three: the first requests the record, a second one would end the program without it.
    let ran = Ran { code: child.wait().unwrap().code(), out, err }.exits(130);
    assert_eq!(ran.json()[0]["outcome"]["word"], "interrupted");
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
        // In the only start, or on a slow machine before it.
        let starts = found["starts"].as_u64();
        assert!(found["result"] == "interrupted" && starts.is_some_and(|starts| starts <= 1), "{found}");
        assert!(found["states_met"].is_u64() && found.get("stuck").is_none(), "{found}");
        assert!(ran.err.contains("stopping"), "{}", ran.err);
        assert_eq!(place.names(), ["a.ron"]);
    }
}

/// Interruptions used to be noticed only after the set-up, and the time limit was not checked before.
#[test]
#[cfg(unix)]
fn a_set_up_is_ended_by_the_first_interruption_and_by_the_limit_on_time() {
    for (scenario, what) in SLOW_SETUPS {
        let place = Scratch::new();
        place.file("a.ron", scenario);
        let arguments = ["run", "a.ron", "-o", "out", "--record", "r.jsonl"];
        // Amoebots have no steps to record.
        let arguments = &arguments[..if scenario.contains("amoebots") { 4 } else { 6 }];
        for (limit, code) in [(None, 130), (Some("1s"), 3)] {
            let mut command = place.command(arguments);
            if let Some(limit) = limit {
                command.args(["--max-time", limit]);
            }
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            if limit.is_none() {
                // Long before the set-up ends, and long after the program handles signals.
                std::thread::sleep(Duration::from_millis(500));
                interrupt(&child);
            }
            let ran = Ran::of(&child.wait_with_output().unwrap()).exits(code);
            assert!(ran.err.contains(what) && ran.out.is_empty(), "{ran:#?}");
            assert_eq!(place.names(), ["a.ron"]);
        }
    }
}

/// Only the set-up of the first repetition used to be interruptible; the next one was made to its end.
#[test]
#[cfg(unix)]
fn an_interruption_leaves_out_a_repetition_that_is_still_being_made() {
    let place = Scratch::new();
    // Every seed has another graph; that of the first repetition is made with the plan.
    place.file(
        "a.ron",
        r#"(
            topology: RandomRegular(nodes: 3e6, degree: 8), rung: F1, scheduler: Waves, seed: 1, stop: [Rounds(1)],
            work: Interactions(protocol: Library(name: "two-way-epidemic"), initial: Counts({"I": 1, "S": 2_999_999})),
        )"#,
    );
    let arguments = ["run", "a.ron", "-v", "--format", "jsonl", "-o", "out", "--reps", "3", "--threads", "1"];
    let mut child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    // The files of the first repetition exist when it is over.
    let is_over = || {
        let mut folders = place.names().into_iter().map(|name| place.path().join(name));
        folders.any(|folder| folder.join("counts-0.csv").exists())
    };
    while !is_over() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    let ran = Ran { code: child.wait().unwrap().code(), out, err }.exits(130);
    assert_eq!((ran.json().len(), &ran.json()[0]["outcome"]["exit_code"]), (1, &0.into()), "{ran:#?}");
    assert!(ran.err.contains("1 of 3 repetitions"), "{}", ran.err);
    assert_eq!(place.names(), ["a.ron", "out"]);
}

/// If the limit passes before a set-up that takes no time, no result is lost.
#[test]
fn a_short_set_up_is_let_through() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    let ran = place.run(&["run", "a.ron", "--max-time", "0s", "--format", "jsonl"]).exits(3);
    assert_eq!(ran.json()[0]["outcome"]["word"], "time");
}

/// Regression: these cases ran long after their time limit: a mean field, a round of contacts, pictures of many
/// amoebots.
#[test]
fn nothing_is_deaf_to_the_limit_on_time() {
    let species: Vec<String> = (0..301).map(|one| format!("\"S{one}\"")).collect();
    let rules: Vec<String> = (0..300)
        .flat_map(|one| {
            let other = one + 1;
            [format!("(\"S{one} -> S{other}\", 1e9)"), format!("(\"S{other} -> S{one}\", 1e9)")]
        })
        .collect();
    let mean_field = format!(
        "(reactions: (species: [{}], rules: [(\"S0 -> S0\", 1.0), {}], initial: {{\"S0\": 1000}}), stop: [Reactions(10)], \
         observe: (mean_field: true))",
        species.join(", "),
        rules.join(", ")
    );
    let contacts = "(topology: Contacts(path: \"trace.tsv\", format: Instants(resolution: 20), rounds_per_step: 40), \
         scheduler: UniformPairs(rate: 1e300), work: Interactions(protocol: Library(name: \"one-way-epidemic\"), \
         initial: Nodes(states: {\"I\": [0]}, rest: \"S\")), stop: [Counts(\"I > 5\")])";
    let amoebots = "(amoebots: (algorithm: Hexagon, start: Blob(count: 20000, acceptance: 0.8)), execution: Waves, \
         stop: Terminated, observe: (pictures_every: 20))";
    let place = Scratch::new();
    place.file("trace.tsv", "0 0 1\n6000 1 2\n");
    for (scenario, codes) in [(&mean_field[..], &[0, 3][..]), (contacts, &[3]), (amoebots, &[3])] {
        place.file("a.ron", scenario);
        let begun = std::time::Instant::now();
        let arguments = ["run", "a.ron", "--seed", "1", "--max-time", "1s", "-o", "out", "--force"];
        let child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let ran = Ran::of(&child.wait_with_output().unwrap());
        // Other tests run at the same time; alone it takes a fifth of a second.
        assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}: {ran:#?}", begun.elapsed());
        assert!(ran.code.is_some_and(|code| codes.contains(&code)), "{ran:#?}");
    }
}

/// A mean field of very different rates used to take 28 s.
#[test]
fn a_stiff_mean_field_takes_no_time() {
    let place = Scratch::new();
    place.file(
        "a.ron",
        "(reactions: (species: [\"S\", \"F\", \"Y\"], rules: [(\"S -> F\", 1e-3), (\"F -> Y\", 1e6), (\"Y -> F\", 1e6)], \
         initial: {\"S\": 5}), stop: [Reactions(100)], observe: (mean_field: true))",
    );
    let begun = std::time::Instant::now();
    place.run(&["run", "a.ron", "--seed", "1", "-o", "out"]).exits(0);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let plot = std::fs::read_to_string(place.path().join("out/counts.svg")).unwrap();
    assert!(plot.contains("mean field"));
}
