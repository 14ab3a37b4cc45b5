//! Standard output, standard error, pipes, colours.

use std::process::Stdio;

use crate::program::{Place, Ran, SMALL};

#[test]
fn a_closed_pipe_is_quiet() {
    let place = Place::new();
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
    let place = Place::new();
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
    let place = Place::new();
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
    let place = Place::new();
    place.file("a.ron", SMALL);
    let run = |flags: &[&str]| place.run(&[&["run", "a.ron", "--format", "jsonl"], flags].concat()).exits(0);
    let (quiet, normal, verbose) = (run(&["-q"]), run(&[]), run(&["-v"]));
    assert_eq!(quiet.err, "");
    assert_eq!(quiet.out, normal.out);
    assert_eq!(normal.json().len(), 1);
    // No progress bar where nobody looks, and no colours.
    assert!(!verbose.err.contains(['\r', '\x1b']), "{}", verbose.err);
    for part in ["nodes", "local mutual exclusion, repaired", "initiator"] {
        assert!(verbose.err.contains(part) && !normal.err.contains(part), "{part}: {}", verbose.err);
    }
}
