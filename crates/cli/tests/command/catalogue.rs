//! The command in a custom program with its own catalogue.

use acrasin_catalogue::parameter::{Parameter, ParameterKind};
use acrasin_cli::list::ListKind;
use acrasin_cli::{Arguments, Failure, execute};
use acrasin_graphs::family::{self, Sides, lattice, line};
use acrasin_protocols::library::{Fratricide, ProtocolEntry, ProtocolInstance};
use acrasin_report::record::Exit;
use acrasin_runtime::NodeId;
use acrasin_runtime::exclusion::local::Action;
use acrasin_runtime::scheduler::{RoundRobin, Starve};
use acrasin_scenario::Catalogue;
use acrasin_scenario::scheduler::{AdversaryEntry, Schedule, SchedulerEntry};
use clap::Parser as _;

use crate::program::Scratch;

const DUEL: ProtocolEntry = ProtocolEntry::new("duel", "of two leaders, one gives up", "L, F", |_| {
    ProtocolInstance::of(&Fratricide, |agents| vec![agents, 0])
});

pub(crate) fn command(arguments: &[&str], catalogue: &Catalogue) -> Result<Exit, Failure> {
    execute(&Arguments::try_parse_from(["acrasin"].iter().chain(arguments)).unwrap(), catalogue)
}

#[test]
fn a_protocol_from_outside_is_listed_run_and_checked() {
    let catalogue = Catalogue::shipped().with_protocol(DUEL).unwrap();
    let listed: Vec<String> =
        ListKind::Protocols.items(&catalogue).into_iter().map(|item| item.name).collect();
    assert!(listed.contains(&"duel".to_owned()) && listed.contains(&"averaging".to_owned()), "{listed:?}");
    let place = Scratch::new();
    let file = place.file(
        "duel.ron",
        "(topology: Complete(nodes: 9), scheduler: Sequential, seed: 1, stop: [Counts(\"L == 1\")],\n work: \
         Interactions(protocol: Library(name: \"duel\"), initial: All(\"L\")))",
    );
    let file = file.to_str().unwrap();
    let commands: [&[&str]; 4] = [
        &["run", file],
        &["check", file, "--eventually", "L == 1", "--up-to", "4"],
        &["check", "duel", "--eventually", "L == 1", "--inputs", "L", "--up-to", "4"],
        &["list", "protocols"],
    ];
    for arguments in commands {
        assert_eq!(command(arguments, &catalogue).unwrap(), Exit::Done, "{arguments:?}");
    }
    for arguments in &commands[..3] {
        assert_eq!(command(arguments, &Catalogue::shipped()).unwrap_err().exit_code(), 2, "{arguments:?}");
    }
}

const TRIPLE: family::FamilyEntry = family::FamilyEntry {
    name: "Triple",
    title: "triple ring",
    summary: "three rings, side by side",
    parameters: &[Parameter::required("length", ParameterKind::Count, "nodes of each")],
    size: |values| family::FamilySize::of(values.count_of("length").saturating_mul(3), 2),
    make: |values, _| lattice::torus(Sides { rows: 3, columns: values.count_of("length") }),
    ..line::RING
};

const STEADY: SchedulerEntry = SchedulerEntry {
    name: "Steady",
    summary: "one after the other",
    read: |_, _, _| Ok(Schedule::new(RoundRobin::<Action>::new(), "steady")),
    ..SchedulerEntry::PLAIN
};

const KEEP_OUT: AdversaryEntry = AdversaryEntry {
    name: "KeepOut",
    summary: "a node is kept out",
    parameters: &[Parameter::required("node", ParameterKind::Count, "which")],
    steps: |values, _| {
        Ok(Schedule::new(Starve::<Action>::new(NodeId(values.count_of("node") as u32)), "kept out"))
    },
    rounds: None,
};

#[test]
fn graphs_schedulers_and_adversaries_from_outside_are_listed_run_and_checked() {
    let catalogue = Catalogue::shipped().with_family(TRIPLE).unwrap();
    let catalogue = catalogue.with_scheduler(STEADY).unwrap().with_adversary(KEEP_OUT).unwrap();
    for (kind, name, parameters) in [
        (ListKind::Graphs, "Triple", "length"),
        (ListKind::Schedulers, "Steady", ""),
        (ListKind::Adversaries, "KeepOut", "node"),
    ] {
        let listed = kind.items(&catalogue);
        let item = listed.iter().find(|item| item.name == name).unwrap();
        assert_eq!(item.parameters, parameters);
        assert!(kind.items(&Catalogue::shipped()).iter().all(|item| item.name != name));
    }
    let place = Scratch::new();
    let text = "(topology: Triple(length: 4), scheduler: Steady, seed: 1, work: Locks(each: 1))";
    let file = place.file("own.ron", text);
    let file = file.to_str().unwrap();
    let of_two = ["topology=Path(nodes: 2)", "scheduler=Sequential(adversary: KeepOut(node: 1))"];
    let commands: [&[&str]; 4] = [
        &["run", file],
        &["run", file, "--set", "topology.length=5", "--set", of_two[1]],
        &["check", file, "--set", of_two[0], "--set", "scheduler=Steady"],
        &["check", file, "--set", of_two[0], "--set", of_two[1]],
    ];
    for arguments in commands {
        assert_eq!(command(arguments, &catalogue).unwrap(), Exit::Done, "{arguments:?}");
        assert_eq!(command(arguments, &Catalogue::shipped()).unwrap_err().exit_code(), 2, "{arguments:?}");
    }
    let refused = command(&["run", file, "--set", "topology.lenght=5"], &catalogue).unwrap_err().to_string();
    assert!(refused.contains("did you mean `length`?") && refused.contains("topology.lenght=5"), "{refused}");
}
