//! Exit codes of runs that are ended from outside, and of results that cannot be written.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{ENDLESS, Ran, SMALL, Scratch};

/// A run of a fraction of a millisecond, so that usually none is in progress.
const SHORT: [&str; 7] = ["run", "a.ron", "--reps", "1000000", "--threads", "1", "--format"];

fn place() -> Scratch {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    place
}

/// Regression: the code was 0, because repetitions that never began did not count.
#[test]
fn repetitions_that_were_not_begun_are_a_budget_that_ran_out() {
    for threads in ["1", "2"] {
        let place = place();
        let mut arguments = [&SHORT[..], &["csv", "--max-time", "500ms"]].concat();
        arguments[5] = threads;
        let ran = place.run(&arguments).exits(3);
        let rows = ran.out.lines().count() - 1;
        assert!(rows > 0 && rows < 1_000_000, "{rows}");
        assert!(ran.err.contains(&format!("{rows} of 1000000 repetitions were started")), "{}", ran.err);
    }
}

#[test]
#[cfg(unix)]
fn repetitions_that_a_signal_leaves_out_are_an_interruption() {
    let place = place();
    let mut command = place.command(&[&SHORT[..], &["csv"]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    // Not SIGINT, which is ignored if tests run in the background of a script.
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let ran = Ran::of(&child.wait_with_output().unwrap()).exits(130);
    assert!(ran.err.contains("of 1000000 repetitions were started"), "{}", ran.err);
}

/// Help and version used to exit silently when the disk was full.
#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_a_failure_of_every_command() {
    let place = place();
    place.file("slow.ron", ENDLESS);
    place.file("p2.ron", crate::program::PUBLISHED);
    place.file("m.ron", crate::sweep::MAJORITY);
    place.file("rows.jsonl", "{\"x\":1,\"y\":2}\n{\"x\":2,\"y\":3}\n");
    place.run(&["run", "a.ron", "--record", "r.jsonl"]).exits(0);
    let commands: [&[&str]; 24] = [
        &["--help"],
        &["--version"],
        &["help"],
        &["help", "run"],
        &["run", "--help"],
        &["sweep", "-h"],
        &["run", "a.ron"],
        &["run", "a.ron", "--reps", "3", "--format", "csv"],
        &["run", "a.ron", "--format", "jsonl"],
        &["run", "a.ron", "--dry-run"],
        &["sweep", "m.ron", "--over", "topology.nodes=[20, 30]"],
        &["sweep", "m.ron", "--over", "topology.nodes=[20, 30]", "--dry-run"],
        &["sweep", "m.ron", "--over", "topology.nodes=[20, 30]", "--format", "jsonl"],
        &["plot", "rows.jsonl", "--x", "x", "--y", "y"],
        &["replay", "r.jsonl"],
        &["replay", "r.jsonl", "--at", "1"],
        &["check", "p2.ron"],
        &["swarm", "--runs", "2"],
        &["bench", "--list"],
        &["list"],
        &["list", "graphs", "--format", "csv"],
        &["completions", "bash"],
        &["man"],
        &["man", "run"],
    ];
    for command in commands {
        let full = File::create("/dev/full").unwrap();
        let ran = place.command(command).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let ran = Ran::of(&ran).exits(1);
        assert!(ran.err.contains("standard output cannot be written"), "{command:?}: {}", ran.err);
    }
}
