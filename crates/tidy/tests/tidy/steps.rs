//! `.ci/run` lists its steps, runs those that are named, measures the time of each command, and ends with the exit code
//! of the first that fails.
#![cfg(unix)]

use std::process::Command;

use crate::repository::{files, find, root};

/// Runs the functions of the script that measure and skip, then `commands`.
fn run(commands: &str) -> (Option<i32>, String) {
    let files = files();
    let script = &find(&files, ".ci/run").expect(".ci/run").text;
    let from = script.find("\ntimed() {").expect("the function that measures");
    let functions = script[from..].split_once("\nmissing() {").expect("the functions end").0;
    let trap = "table=$(mktemp)\ntrap 'print_times; rm -f \"$table\" \"$table\".step' EXIT\n";
    assert!(script.contains(trap), "the table is printed at the end, whatever it is");
    let text = format!("set -euo pipefail\n{trap}{functions}\n{commands}");
    let output = Command::new("bash").args(["-c", &text]).output().expect("bash");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

/// Runs the script itself: exit code, standard output, standard error.
fn script(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new("bash").arg(root().join(".ci/run")).args(arguments).output().expect("bash");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The functions of a script that are steps, in its order.
fn functions(script: &str) -> Vec<&str> {
    script.lines().filter_map(|line| line.strip_prefix("step_")?.strip_suffix("() {")).collect()
}

#[test]
fn all_commands_are_in_the_table_in_the_order_of_execution() {
    let (code, out) =
        run("timed true\nA=b timed bash -c 'echo \"a is $A\" >&1'\ntimed exits 3 bash -c 'exit 3'\n");
    assert_eq!(code, Some(0), "{out}");
    let (said, table) = out.split_once("CPU s  command").expect(&out);
    assert!(said.contains("a is b"), "{said}");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split_whitespace().collect()).collect();
    assert!(rows.iter().all(|row| row[..2].iter().all(|time| time.parse::<f64>().is_ok())), "{table}");
    assert_eq!(rows.iter().map(|row| row[2]).collect::<Vec<_>>(), ["true", "bash", "exits", "together"]);
}

#[test]
fn the_first_that_fails_ends_it_with_its_exit_code() {
    let (code, out) = run("timed true\ntimed bash -c 'exit 42'\ntimed echo later\n");
    assert_eq!((code, out.contains("later")), (Some(42), false), "{out}");
    assert!(out.contains("exit 42\n") && out.contains("together"), "{out}");
    for commands in ["timed exits 1 true", "timed exits 1 bash -c 'exit 2'"] {
        assert_eq!(run(commands).0, Some(1), "{commands}");
    }
}

#[test]
fn every_step_is_listed_with_a_line() {
    let (code, out, _) = script(&["--list"]);
    assert_eq!(code, Some(0), "{out}");
    let rows: Vec<(&str, &str)> = out.lines().map(|row| row.split_once(' ').expect(row)).collect();
    assert!(rows.iter().all(|(_, line)| !line.trim().is_empty()), "{out}");
    let files = files();
    let text = &find(&files, ".ci/run").expect(".ci/run").text;
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), functions(text), "list and functions");
    assert_eq!(functions("step_a() {\n}\n  step_b\nc() {\n"), ["a"]);
}

/// Without `--deep` the steps that take minutes are left out, and no others.
#[test]
fn deep_steps_are_marked_in_the_list() {
    let files = files();
    let text = &find(&files, ".ci/run").expect(".ci/run").text;
    let select = text.split_once("elif [ -z \"$deep\" ]; then\n").expect("the selection").1;
    let select = select.split_once("\nfi").expect("its end").0;
    let script = format!(
        "list='a  first\nignored  deep: minutes\nb  deep in a sentence'\n{select}\necho \"${{names[@]}}\""
    );
    let output = Command::new("bash").args(["-c", &script]).output().expect("bash");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a b\n");
    let (_, out, _) = self::script(&["--list"]);
    let deep = out.lines().filter(|row| row.split_whitespace().nth(1) == Some("deep:"));
    assert_eq!(
        deep.filter_map(|row| row.split(' ').next()).collect::<Vec<_>>(),
        ["fuzz", "ignored", "tables", "ranks", "msrv"]
    );
}

#[test]
fn an_unknown_step_is_refused_before_the_first_one_runs() {
    for arguments in [&["fmt", "nothing"][..], &["fmt clippy"], &[""], &["--all"]] {
        let (code, out, err) = script(arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
        assert!(err.contains("there is no step") && err.contains(" fmt clippy test "), "{err}");
    }
}
