//! Tests of graphs that change with time: recorded contacts and walkers.

use acrasin_scenario::Runnable as _;
use std::path::Path;

use crate::support::{digest, ended, marked_in, number, plan, plan_in, run};
use acrasin_report::record::Exit;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn scenario(contacts: &str, rest: &str) -> String {
    format!(
        r#"(
        topology: Contacts(path: "ward.tsv", {contacts}),
        scheduler: SemiSynchronous(activation: Random(0.5)),
        {rest}
    )"#
    )
}

const INSTANTS: &str = "format: Instants(resolution: 20), rounds_per_step: 30";

/// A chain of contacts from 7 to 4.
const WARD: &str = "20\t7\t9\tMED\tNUR\n40\t7\t9\tMED\tNUR\n100\t9\t4\tNUR\tPAT\n120\t9\t4\tNUR\tPAT\n140\t7\t12\tMED\tPAT\n";

const EPIDEMIC: &str = r#"work: Interactions(
    protocol: Library(name: "two-way-epidemic"), way: PickedPair, initial: Nodes(states: {"I": [1]}, rest: "S"))"#;

#[test]
fn people_interact_while_they_are_in_contact_and_not_otherwise() {
    let folder = folder(&[("ward.tsv", WARD)]);
    let text = scenario(&INSTANTS.replace("30", "400"), &format!("{EPIDEMIC}, stop: [TraceEnd]"));
    let plan = plan_in(&text, folder.path());
    let said = plan.header().parameters.clone();
    let says =
        |name: &str, value: &str| assert!(said.contains(&(name.into(), value.into())), "{name}: {said:?}");
    says("nodes", "4");
    says("contacts", "3 of 3 pairs");
    says("records", "5");
    says("steps", "7 of 20 s");
    says("ports", "1");
    says("priorities", "2");
    says("rounds of the trace", "2800");
    let finished = run(&plan, 1);
    assert_eq!(ended(&finished), ("trace end", Exit::Done));
    assert_eq!(number(&finished, "work.rounds"), 2800);
    // Node numbers follow the names 4, 7, 9, 12. The infection starts at 7 and reaches every node.
    assert_eq!(number(&finished, "states.I"), 4);
    assert_eq!((number(&finished, "topology.connected"), number(&finished, "topology.disconnected")), (3, 2));
    assert_eq!((number(&finished, "topology.refused"), number(&finished, "topology.records")), (0, 5));
    // From 12, who meets 7 last, no other agent can be infected.
    let late = plan_in(&text.replace("[1]", "[3]"), folder.path());
    assert_eq!(number(&run(&late, 1), "states.I"), 2);
}

#[test]
fn a_goal_that_is_missed_when_the_trace_ends_is_a_budget_that_ran_out() {
    let folder = folder(&[("ward.tsv", WARD)]);
    let never = scenario(INSTANTS, &format!("{EPIDEMIC}, stop: [Counts(\"S > n\")]"));
    let finished = run(&plan_in(&never, folder.path()), 1);
    assert_eq!(ended(&finished), ("trace end", Exit::BudgetExhausted));
    assert!(finished.record.outcome().reason.contains("no stop condition holds"));
    let none = scenario(INSTANTS, EPIDEMIC);
    assert_eq!(ended(&run(&plan_in(&none, folder.path()), 1)), ("trace end", Exit::Done));
    let both = scenario(INSTANTS, &format!("{EPIDEMIC}, stop: [Counts(\"S > n\"), TraceEnd]"));
    assert_eq!(ended(&run(&plan_in(&both, folder.path()), 1)), ("trace end", Exit::Done));
    // Locks without contention are served before the trace ends.
    let locks = scenario(INSTANTS, "work: Locks(each: 1)");
    assert_eq!(ended(&run(&plan_in(&locks, folder.path()), 1)), ("served", Exit::Done));
}

#[test]
fn contacts_without_an_open_port_are_refused_and_counted() {
    // Node 0 meets 1 and 2 at the same time, and 2 again after 1 has left.
    let folder = folder(&[("ward.tsv", "20 0 1\n20 0 2\n40 0 1\n80 0 2\n")]);
    let text = scenario(INSTANTS, &format!("ports: 1, {EPIDEMIC}, stop: [TraceEnd]"));
    let plan = plan_in(&text, folder.path());
    assert!(
        plan.header().notes.as_slice()[0].contains("up to 2 contacts at once but 1 port:"),
        "{:?}",
        plan.header().notes.as_slice()
    );
    let finished = run(&plan, 1);
    assert_eq!(number(&finished, "topology.refused"), 1);
    assert_eq!(number(&finished, "topology.connected"), 2);
    let enough = plan_in(&text.replace("ports: 1", "ports: 2"), folder.path());
    assert!(enough.header().notes.as_slice().is_empty());
    assert_eq!(number(&run(&enough, 1), "topology.refused"), 0);
}

#[test]
fn the_words_of_a_broken_file_come_with_its_line() {
    let refused = |file: &str, contacts: &str, words: &str| {
        let folder = folder(&[("ward.tsv", file)]);
        let text = scenario(contacts, "work: Locks(each: 1)").replace("\"ward.tsv\"", "«\"ward.tsv\"»");
        let error = marked_in(&text, folder.path());
        assert!(error.message().contains(words), "{error}");
        assert!(error.accepted().is_some_and(|accepted| !accepted.is_empty()), "{error}");
    };
    refused("20 0 1\n40 0\n", INSTANTS, "ward.tsv:2: an invalid line");
    refused("20 0 1\n10 0 2\n", INSTANTS, "ward.tsv:2: time 10 s follows time 20 s");
    refused("20 0 0\n", INSTANTS, "ward.tsv:1: a contact of 0 with itself");
    refused("20 0 1\n20 1 0\n", INSTANTS, "ward.tsv:2: 0 and 1 are already in contact");
    refused("", INSTANTS, "empty file");
    refused(
        "5 3 0 1\n",
        "format: Intervals, rounds_per_step: 1",
        "ward.tsv:1: a contact that does not end after its start",
    );
    let text = scenario(INSTANTS, "work: Idle").replace("\"ward.tsv\"", "«\"ward.tsv\"»");
    assert!(marked_in(&text, Path::new("nowhere")).message().contains("no such file"));
}

#[test]
fn faults_that_the_scenario_forgives_are_noted() {
    let folder = folder(&[("ward.tsv", "20 0 1\n20 1 0\n20 2 2\n10 1 2\n")]);
    let forgiving = format!("{INSTANTS}, duplicates: Merge, self_contacts: Drop, unsorted: Sort");
    let plan = plan_in(&scenario(&forgiving, "work: Locks(each: 1)"), folder.path());
    let notes = plan.header().notes.as_slice().join("\n");
    assert!(
        notes.contains("1 contact of a node with itself is left out")
            && notes.contains("merged into one contact"),
        "{notes}"
    );
}

#[test]
fn times_that_cannot_be_played() {
    let folder = folder(&[("ward.tsv", WARD)]);
    for (contacts, message) in [
        ("format: Instants(resolution: «0»), rounds_per_step: 3", "a step of 0 seconds"),
        (
            "format: Instants(resolution: 20), rounds_per_step: «0»",
            "with 0 rounds per step nothing happens in the trace",
        ),
        ("format: Instants(resolution: 20), rounds_per_step: «1e18»", "too many rounds in total"),
    ] {
        let error = marked_in(&scenario(contacts, "work: Locks(each: 1)"), folder.path());
        assert!(error.message().contains(message), "{error}");
    }
    let disturbed = scenario(INSTANTS, "work: Idle, disturbances: [«Churn»(rate: 0.1)]");
    assert!(marked_in(&disturbed, folder.path()).message().contains("this one changes by itself"));
}

#[test]
fn intervals_are_played_second_by_second() {
    let folder = folder(&[("ward.tsv", "0 10 a b\n5 30 b c\n")]);
    let text =
        scenario("format: Intervals, rounds_per_step: 50", &format!("{EPIDEMIC}, stop: [OutputsAgree]"));
    let finished = run(&plan_in(&text, folder.path()), 1);
    assert_eq!(ended(&finished), ("agreed", Exit::Done));
}

const WALKERS: &str = r#"(
    topology: Mobility(nodes: 20, side: 30, range: 6, speed: (0.5, 1.5), pause: 10, step: 20, duration: 1200,
                       rounds_per_step: 60),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(protocol: Library(name: "approximate-majority"), initial: Shares({"A": 0.7, "B": 0.3})),
    stop: [OutputsAgree, TraceEnd],
)"#;

#[test]
fn walkers_follow_the_seed_of_the_run_unless_they_have_their_own() {
    let drawn = plan(WALKERS);
    let contacts = |seed| number(&run(&drawn, seed), "topology.meetings");
    assert_ne!((contacts(1), contacts(2)), (contacts(3), contacts(4)));
    assert_eq!(contacts(1), contacts(1));
    let own = plan(&WALKERS.replace("rounds_per_step: 60", "rounds_per_step: 60, seed: 9"));
    assert_eq!(number(&run(&own, 1), "topology.meetings"), number(&run(&own, 2), "topology.meetings"));
    assert_ne!(digest(&run(&own, 1)), digest(&run(&own, 2)));
    let finished = run(&drawn, 1);
    assert_eq!(finished.record.outcome().exit, Exit::Done);
    assert!(number(&finished, "work.interactions") > 20);
}

#[test]
fn walkers_that_cannot_walk() {
    let refused = |from: &str, to: &str, words: &str| {
        let error = marked_in(&WALKERS.replace(from, to), ".".as_ref());
        assert!(error.message().contains(words), "{error}");
    };
    refused("step: 20,", "step: «2.5»,", "2.5 seconds");
    refused("speed: (0.5, 1.5)", "speed: «(»1.5, 0.5)", "speed = (1.5, 0.5)");
    refused("duration: 1200", "duration: «1210»", "duration = 1210");
    refused("nodes: 20", "nodes: «0»", "nodes = 0");
}
