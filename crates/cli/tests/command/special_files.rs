//! Pipes and devices as input files: refused immediately, without waiting for them.

use std::process::Command;

use crate::program::{Ran, SMALL, Scratch};

/// Asserts that the command ends by itself, with what is wrong and what is accepted.
#[track_caller]
fn refused(place: &Scratch, arguments: &[&str], input: &str, kind: &str) {
    let mut command = Command::new("timeout");
    let program = place.command(arguments);
    command.arg("20").arg(program.get_program()).args(arguments).current_dir(place.path());
    let ran = Ran::of(&command.output().expect("timeout is a command of the system")).exits(2);
    for part in [input, kind, "regular file"] {
        assert!(ran.err.contains(part), "{arguments:?}: {part:?} is not in:\n{}", ran.err);
    }
    assert_eq!(ran.out, "", "{arguments:?}");
}

#[test]
#[cfg(unix)]
fn every_reader_refuses_them_by_name() {
    let place = Scratch::new();
    assert!(Command::new("mkfifo").arg(place.path().join("pipe")).status().unwrap().success());
    let topology =
        |topology: &str| format!("(topology: {topology}, scheduler: Sequential, work: Locks(each: 1))");
    for (input, kind) in [("pipe", "is a pipe"), ("/dev/zero", "is a device")] {
        place.file("graph.ron", topology(&format!("File(path: {input:?}, format: EdgeList)")));
        let contacts = "format: Instants(resolution: 20), rounds_per_step: 10";
        place.file("contacts.ron", topology(&format!("Contacts(path: {input:?}, {contacts})")));
        let drawing = format!("(amoebots: (algorithm: Hexagon, start: Drawing(path: {input:?})))");
        place.file("drawing.ron", drawing);
        let interactions = format!("Interactions(protocol: File(path: {input:?}), initial: All(\"A\"))");
        place.file(
            "protocol.ron",
            format!(
                "(topology: Ring(nodes: 9), scheduler: Sequential, work: {interactions}, stop: [Rounds(9)])"
            ),
        );
        for arguments in [
            &["run", input][..],
            &["run", "graph.ron"],
            &["run", "contacts.ron"],
            &["run", "drawing.ron"],
            &["run", "protocol.ron"],
            &["check", input],
            &["check", "drawing.ron"],
            &["replay", input],
            &["conform", input],
        ] {
            refused(&place, arguments, input, kind);
        }
    }
}

#[test]
#[cfg(unix)]
fn links_to_regular_files_are_read() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    std::os::unix::fs::symlink("a.ron", place.path().join("link.ron")).unwrap();
    place.run(&["run", "link.ron"]).exits(0);
}
