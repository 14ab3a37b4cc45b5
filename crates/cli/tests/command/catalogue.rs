//! The command of somebody else's program, with a catalogue of its own.

use acrasin_cli::list::Kind;
use acrasin_cli::{Arguments, execute};
use acrasin_protocols::library::{Entry, Fratricide, Instance};
use acrasin_report::record::Exit;
use acrasin_scenario::Catalogue;
use clap::Parser as _;

use crate::program::Scratch;

const DUEL: Entry = Entry::new("duel", "of two leaders, one gives up", "L, F", |_| {
    Ok(Instance::of(&Fratricide, |agents| vec![agents, 0]))
});

#[test]
fn a_protocol_from_outside_is_listed_run_and_checked() {
    let catalogue = Catalogue::shipped().with_protocol(DUEL).unwrap();
    let listed: Vec<String> = Kind::Protocols.items(&catalogue).into_iter().map(|item| item.name).collect();
    assert!(listed.contains(&"duel".to_owned()) && listed.contains(&"averaging".to_owned()), "{listed:?}");
    let place = Scratch::new();
    let file = place.file(
        "duel.ron",
        "(topology: Complete(nodes: 9), scheduler: Sequential, seed: 1, stop: [Counts(\"L == 1\")],\n work: \
         Interactions(protocol: Library(name: \"duel\"), initial: All(\"L\")))",
    );
    let file = file.to_str().unwrap();
    let execute = |arguments: &[&str], catalogue: &Catalogue| {
        let arguments = Arguments::try_parse_from(["acrasin"].iter().chain(arguments)).unwrap();
        execute(&arguments, catalogue)
    };
    let commands: [&[&str]; 4] = [
        &["run", file],
        &["check", file, "--eventually", "L == 1", "--up-to", "4"],
        &["check", "duel", "--eventually", "L == 1", "--inputs", "L", "--up-to", "4"],
        &["list", "protocols"],
    ];
    for arguments in commands {
        assert_eq!(execute(arguments, &catalogue).unwrap(), Exit::Done, "{arguments:?}");
    }
    for arguments in &commands[..3] {
        assert_eq!(execute(arguments, &Catalogue::shipped()).unwrap_err().exit_code(), 2, "{arguments:?}");
    }
}
