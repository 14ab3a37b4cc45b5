//! `.ci/run` measures the time of its steps, and ends with the exit code of the first that fails.
#![cfg(unix)]

use std::process::Command;

use crate::repository::{files, find};

/// Runs the functions of the script, then `commands`.
fn run(commands: &str) -> (Option<i32>, String) {
    let files = files();
    let script = &find(&files, ".ci/run").expect(".ci/run").text;
    let functions = script.split_once("table=$(mktemp)").expect("where the steps are kept").1;
    let functions = functions.split_once("\nskip() {").expect("the functions end").0;
    let text = format!("set -euo pipefail\ntable=$(mktemp){functions}\n{commands}");
    let output = Command::new("bash").args(["-c", &text]).output().expect("bash");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn all_steps_are_in_the_table_as_they_were_run() {
    let (code, out) =
        run("step true\nA=b step bash -c 'echo \"a is $A\" >&1'\nstep exits 3 bash -c 'exit 3'\n");
    assert_eq!(code, Some(0), "{out}");
    let (said, table) = out.split_once("CPU s  step").expect(&out);
    assert!(said.contains("a is b"), "{said}");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split_whitespace().collect()).collect();
    assert!(rows.iter().all(|row| row[..2].iter().all(|time| time.parse::<f64>().is_ok())), "{table}");
    assert_eq!(rows.iter().map(|row| row[2]).collect::<Vec<_>>(), ["true", "bash", "exits", "together"]);
}

#[test]
fn the_first_that_fails_ends_it_with_its_exit_code() {
    let (code, out) = run("step true\nstep bash -c 'exit 42'\nstep echo later\n");
    assert_eq!((code, out.contains("later")), (Some(42), false), "{out}");
    assert!(out.contains("exit 42\n") && out.contains("together"), "{out}");
    for commands in ["step exits 1 true", "step exits 1 bash -c 'exit 2'"] {
        assert_eq!(run(commands).0, Some(1), "{commands}");
    }
}
