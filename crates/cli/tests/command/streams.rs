//! Standard output, standard error, pipes, colours.

#![allow(clippy::disallowed_types, reason = "how long a command waits for a reader is what is tested")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{ENDLESS, Ran, SMALL, Scratch, interruption};

#[test]
fn a_closed_pipe_is_quiet() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    for arguments in
        [&["run", "a.ron"][..], &["list"], &["completions", "bash"], &["man"], &["--help"], &["--version"]]
    {
        let mut command = place.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The reader goes away before anything is written.
        drop(child.stdout.take());
        let ran = Ran::of(&child.wait_with_output().unwrap()).exits(0);
        assert_eq!(ran.err, "", "{arguments:?}");
    }
}

#[test]
fn a_closed_standard_error_is_no_reason_to_fail() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    for (arguments, code) in [(&["run", "a.ron", "-v"][..], 0), (&["run", "missing.ron"], 2)] {
        let mut command = place.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        Ran::of(&child.wait_with_output().unwrap()).exits(code);
    }
}

#[test]
fn no_color_is_honoured() {
    let place = Scratch::new();
    let coloured = |no_color: bool| {
        let mut command = place.command(&["run", "--format", "xml"]);
        command.env("CLICOLOR_FORCE", "1");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        Ran::of(&command.output().unwrap()).exits(2).err.contains('\x1b')
    };
    assert!(coloured(false), "colours can be forced, so the other check means something");
    assert!(!coloured(true));
}

#[test]
fn results_and_the_rest_do_not_mix() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    let run = |flags: &[&str]| place.run(&[&["run", "a.ron", "--format", "jsonl"], flags].concat()).exits(0);
    let (quiet, normal, verbose) = (run(&["-q"]), run(&[]), run(&["-v"]));
    assert_eq!(quiet.err, "");
    assert_eq!(quiet.out, normal.out);
    assert_eq!(normal.json().len(), 1);
    // No progress bar without a terminal, and no colours.
    assert!(!verbose.err.contains(['\r', '\x1b']), "{}", verbose.err);
    for part in ["nodes", "local mutual exclusion, repaired", "initiator"] {
        assert!(verbose.err.contains(part) && !normal.err.contains(part), "{part}: {}", verbose.err);
    }
}

/// Regression: on a narrow terminal the bar left no room for the numbers, and lines wrapped.
#[test]
#[cfg(unix)]
fn a_progress_line_fits_its_terminal_and_is_cut_between_fields() {
    let place = Scratch::new();
    place.file(
        "a.ron",
        "(seed: 1, topology: Torus(rows: 60, columns: 60), scheduler: Sequential, work: Locks(each: Forever), \
         stop: [Rounds(1000000)])",
    );
    let program = env!("CARGO_BIN_EXE_acrasin");
    let lines = |columns: usize| {
        let run = format!("stty rows 24 cols {columns} && exec '{program}' run a.ron --max-time 2s");
        let mut script = Command::new("script");
        script.args(["-q", "-e", "-c", &run, "/dev/null"]).current_dir(place.path());
        let Ok(output) = script.stdin(Stdio::null()).output() else { return None };
        let written = String::from_utf8(output.stdout).unwrap();
        // Only the progress lines: the record that follows is a table.
        let is_line = |line: &&str| line.contains('[') && line.contains('%');
        let parts = written.split(['\r', '\n', '\x1b']).map(|part| part.trim_start_matches("[2K").trim_end());
        Some(parts.filter(is_line).map(str::to_owned).collect::<Vec<_>>())
    };
    for (columns, has_bar) in [(40, false), (60, false), (80, true), (120, true)] {
        let Some(lines) = lines(columns) else {
            println!("SKIPPED: there is no `script` here, so no terminal to look at");
            return;
        };
        let told: Vec<&String> = lines.iter().filter(|line| line.contains(" rounds")).collect();
        assert!(told.len() >= 3, "{columns}: {lines:?}");
        for line in told {
            let is_field = |field: &str| {
                let mut words = field.split(' ');
                words.next().is_some_and(|number| number.parse::<u64>().is_ok()) && words.next().is_some()
            };
            let (_, message) = line.split_once("% ").unwrap();
            assert!(line.len() <= columns && message.split(", ").all(is_field), "{columns}: {line:?}");
            assert_eq!(line.find('%').unwrap() > 40, has_bar, "{columns}: {line:?}");
        }
    }
}

/// A recording used to replace whatever was at its path, including devices.
#[test]
#[cfg(unix)]
fn a_recording_into_a_pipe_leaves_the_pipe_where_it_is() {
    use std::os::unix::fs::FileTypeExt as _;

    let place = Scratch::new();
    place.file("a.ron", SMALL);
    place.run(&["run", "a.ron", "--record", "r.jsonl"]).exits(0);
    let pipe = place.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("a command of the system").success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read(pipe).unwrap())
    };
    place.run(&["run", "a.ron", "--record", "pipe"]).exits(0);
    assert_eq!(reader.join().unwrap(), std::fs::read(place.path().join("r.jsonl")).unwrap());
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(place.names(), ["a.ron", "pipe", "r.jsonl"]);
}

/// Regression: these commands waited for a reader without a word, whatever the limit, and `run` blamed the graph.
#[test]
#[cfg(unix)]
fn a_pipe_without_a_reader_is_refused_by_name() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    place.file("hexagon.ron", "(amoebots: (algorithm: Hexagon, start: Line(count: 3)), seed: 1)");
    place.file("rows.csv", "a,b\n1,2\n2,3\n");
    assert!(Command::new("mkfifo").arg(place.path().join("pipe")).status().unwrap().success());
    let limit = ["--max-time", "100ms"];
    for (arguments, is_limited) in [
        (&["run", "a.ron", "--record", "pipe"][..], true),
        (&["check", "a.ron", "--record", "pipe"], true),
        (&["check", "hexagon.ron", "--record", "pipe"], true),
        (&["check", "exact-majority", "--predicate", "A > B", "--record", "pipe"], true),
        (&["swarm", "--runs", "1", "--record", "pipe"], true),
        (&["plot", "rows.csv", "--x", "a", "--y", "b", "-o", "pipe"], false),
    ] {
        let limited: &[&str] = if is_limited { &limit } else { &[] };
        for flags in [&[][..], limited] {
            let begun = Instant::now();
            let ran = place.run(&[arguments, flags].concat());
            // The limit of `run` can pass before its plan is made.
            assert!(
                ran.code == Some(2) || !flags.is_empty() && ran.code == Some(3),
                "{arguments:?}: {ran:#?}"
            );
            assert!(ran.err.contains("no process reads the pipe pipe"), "{arguments:?}: {}", ran.err);
            assert!(begun.elapsed() < Duration::from_secs(5) && ran.out.is_empty(), "{arguments:?}");
        }
    }
    assert_eq!(place.names(), ["a.ron", "hexagon.ron", "pipe", "rows.csv"]);
}

/// Regression: a write into a pipe whose reader slept was deaf to signals and to the limit on time.
#[test]
#[cfg(unix)]
fn a_reader_that_reads_nothing_does_not_make_the_program_deaf() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    let pipe = place.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (flags, code) in [(&["--max-time", "1s"][..], 3), (&[], 130)] {
        // Opened for both directions, it needs no other process, and nothing is read.
        let reader = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        let arguments = [&["run", "a.ron", "--record", "pipe"], flags].concat();
        let child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        if flags.is_empty() {
            // By then the pipe is full.
            std::thread::sleep(Duration::from_secs(2));
            let kill = Command::new("kill").args([interruption(), &child.id().to_string()]).status();
            assert!(kill.unwrap().success());
        }
        let ran = Ran::of(&child.wait_with_output().unwrap()).exits(code);
        assert!(ran.err.contains("the reader of pipe reads nothing"), "{}", ran.err);
        assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
        drop(reader);
    }
}

#[test]
fn rows_of_a_run_say_every_parameter() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    // At every value, set or not, in every format for programs.
    for nodes in [20_u32, 30] {
        let (size, healthy) = (format!("topology.nodes={nodes}"), format!("work.initial.S={}", nodes - 1));
        let run = ["run", "a.ron", "--set", &size, "--set", &healthy, "--reps", "2", "--format"];
        let folder = nodes.to_string();
        let csv = place.run(&[&run[..], &["csv", "-o", &folder]].concat()).exits(0).out;
        assert_eq!(csv, std::fs::read_to_string(place.path().join(folder).join("record.csv")).unwrap());
        let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let rows = place.run(&[&run[..], &["jsonl"]].concat()).exits(0).json();
        assert_eq!(rows.len(), 2);
        for (name, value) in [
            ("topology", "Ring".into()),
            ("topology.nodes", nodes.into()),
            ("lock.rules", "Repaired".into()),
            ("work.protocol.name", "two-way-epidemic".into()),
            ("work.initial.S", (nodes - 1).into()),
            ("scheduler.activation", "Random(0.5)".into()),
            ("stop", "[Silent]".into()),
            ("limits.rounds", serde_json::Value::Null),
        ] {
            assert!(names.contains(&format!("scenario.{name}").as_str()), "{name} in {names:?}");
            assert!(rows.iter().all(|row| row["scenario"].get(name) == Some(&value)), "{name}: {rows:?}");
        }
        // Text output still has the short table.
        let text = place.run(&[&run[..], &["table"]].concat()).exits(0).out;
        assert!(!text.contains("topology.nodes"), "{text}");
    }
    // A parameter of the library that is not set has its default.
    let cyclic = ["--set", "work.protocol.name=cyclic-species", "--set", "work.initial=All(\"0\")"];
    let row = &place.run(&[&["run", "a.ron", "--format", "jsonl"], &cyclic[..]].concat()).exits(0).json()[0];
    assert_eq!(row["scenario"]["work.protocol.parameters.k"], 5, "{row}");
    let hexagon = ["run", "hexagon-messages", "--set", "amoebots.start.count=12", "--format", "jsonl"];
    let row = &place.run(&hexagon).exits(0).json()[0];
    assert_eq!(row["scenario"]["amoebots.start.count"], 12, "{row}");
    assert_eq!(row["scenario"]["amoebots.orientations"], "CommonChirality", "{row}");
    assert_eq!(row["scenario"]["execution.locks.scheduler"], "Asynchronous", "{row}");
}
