//! Tests that runs under locks continue from checkpoints, on every rung.

use std::path::Path;

use crate::Document;
use crate::plan::Plan;
use crate::run::probe::{check_checkpoints, notices_missing_draws};
use crate::run::{Job, Unwatched};

/// Saves a scenario at each of the `moments`, and checks that it continues from there. Returns the size of the longest
/// checkpoint in bytes.
#[track_caller]
fn check(text: &str, moments: &'static [u64]) -> usize {
    let document = Document::parse(text, "run.ron").unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::new(&document, Path::new(".")).unwrap_or_else(|error| panic!("{text}: {error}"));
    let run = || plan.run(Job { seed: 3, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    check_checkpoints(text, &run, moments).len()
}

const STEPS: &[u64] = &[0, 1, 700, 1300, 2500];

const INTERACTIONS: &str = r#"work: Interactions(protocol: Library(name: "graph-majority"), way: AnyLocked,
    initial: Counts({"A": 13, "B": 12})), limits: (steps: 20000)"#;

#[test]
fn worlds_under_every_scheduler() {
    for scheduler in [
        "Sequential",
        "RoundRobin",
        "Asynchronous",
        "SemiSynchronous(activation: Random(0.5))",
        "SemiSynchronous(activation: Adversary(Starve(node: 3)))",
        "SemiSynchronous(activation: Adversary(NewestFirst))",
        "Sequential(adversary: NewestFirst)",
        "Sequential(adversary: Starve(node: 3))",
        "Sequential(adversary: RandomPriorities(changes: 8))",
        "Asynchronous(adversary: NewestFirst)",
        "Asynchronous(adversary: Starve(node: 3))",
        "Asynchronous(adversary: RandomPriorities(changes: 3))",
    ] {
        for disturbances in
            ["", "disturbances: [Churn(rate: 0.01)],", "disturbances: [Swizzle(links: 5, every: 20)],"]
        {
            let text = format!(
                "(topology: Grid(rows: 5, columns: 5), scheduler: {scheduler}, {disturbances} {INTERACTIONS})"
            );
            check(&text, STEPS);
        }
    }
}

#[test]
fn worlds_under_a_fairness_bound() {
    for bound in [50, 20_000] {
        let text = format!(
            "(topology: Ring(nodes: 25), scheduler: Asynchronous, fairness: Within({bound}), \
             disturbances: [Churn(rate: 0.01)], {INTERACTIONS})"
        );
        check(&text, STEPS);
    }
}

/// Tests algorithms of every family, with their queues, tokens, grants and lock sets.
#[test]
fn worlds_under_every_algorithm() {
    for (topology, exclusion) in [
        ("Grid(rows: 6, columns: 6)", "TokenTree(behaviour: Raymond, tree: ShortestPaths, root: 0)"),
        ("Complete(nodes: 20)", "TokenTree(behaviour: Transit)"),
        ("Star(nodes: 30)", "Local"),
        ("Torus(rows: 5, columns: 5)", "CriticalSections(scheme: Inclusion, least: 2)"),
        ("Torus(rows: 5, columns: 5)", "CriticalSections(scheme: Exclusion, most: 2)"),
        ("Torus(rows: 5, columns: 5)", "CriticalSections(least: 1, most: 4)"),
        ("Complete(nodes: 5)", "CriticalSections(scheme: Leader, most: 3, leader: 2)"),
    ] {
        for scheduler in ["Sequential", "Asynchronous", "SemiSynchronous(activation: All)"] {
            let text = format!(
                "(topology: {topology}, exclusion: {exclusion}, scheduler: {scheduler}, work: Locks(each: 40))"
            );
            check(&text, &[0, 1, 200, 300, 450]);
        }
    }
}

#[test]
fn a_checkpoint_of_a_world_takes_some_twenty_bytes_a_node() {
    let bytes = |side: u32| {
        let text = format!(
            "(topology: Torus(rows: {side}, columns: {side}), scheduler: Sequential, \
             work: Locks(each: 40))"
        );
        check(&text, &[0, 3000])
    };
    let (few, many) = (bytes(10), bytes(20));
    let per_node = (many - few) / 300;
    assert!((10..60).contains(&per_node), "{few} and {many} bytes");
}

const ROUNDS: &[u64] = &[0, 1, 40, 61, 150];

fn interactions(way: &str) -> String {
    let protocol = r#"protocol: Library(name: "graph-majority"), initial: Counts({"A": 130, "B": 126})"#;
    format!("work: Interactions({protocol}, way: {way}), limits: (rounds: 2000)")
}

/// Tests F3 with words of both widths and with registers, on static and on changing graphs.
#[test]
fn message_rounds() {
    let all = "SemiSynchronous(activation: All)";
    let some = "SemiSynchronous(activation: Random(0.5))";
    for (topology, scheduler, disturbances, way) in [
        ("Torus(rows: 16, columns: 16)", some, "", "AnyLocked"),
        ("Star(nodes: 256)", all, "", "AnyLocked"),
        ("RandomRegular(nodes: 256, degree: 12)", some, "", "AnyLocked"),
        ("Ring(nodes: 256)", some, "", "PickedPair"),
        ("Torus(rows: 16, columns: 16)", some, "disturbances: [Churn(rate: 0.01)],", "AnyLocked"),
        ("Star(nodes: 256)", some, "disturbances: [Swizzle(links: 5, every: 20)],", "AnyLocked"),
    ] {
        check(
            &format!(
                "(topology: {topology}, rung: F3, scheduler: {scheduler}, {disturbances} {})",
                interactions(way)
            ),
            ROUNDS,
        );
    }
    check(
        "(topology: Ring(nodes: 100), rung: F3, scheduler: SemiSynchronous(activation: All), \
         work: Locks(each: 40))",
        ROUNDS,
    );
}

/// Tests F2 with a height that is not a multiple of the band height, and with nodes that stop.
#[test]
fn sliced_rounds() {
    for (topology, work) in [
        ("Torus(rows: 10, columns: 64)", "work: Locks(each: 40)".to_owned()),
        ("Torus(rows: 4, columns: 64)", interactions("AnyLocked")),
    ] {
        let text = format!(
            "(topology: {topology}, rung: F2, scheduler: SemiSynchronous(activation: Random(0.5)), {work})"
        );
        check(&text, ROUNDS);
    }
}

/// Tests F1 on a network, in tiles, and on the complete graph.
#[test]
fn waves() {
    for topology in ["Star(nodes: 256)", "Torus(rows: 16, columns: 16)", "Complete(nodes: 256)"] {
        let text =
            format!("(topology: {topology}, rung: F1, scheduler: Waves, {})", interactions("AnyLocked"));
        check(&text, &[0, 1, 5, 9, 20]);
    }
}

/// Tests the comparison itself: a checkpoint without the random streams of the scheduler continues differently, which
/// must be detected.
#[test]
fn a_checkpoint_without_the_draws_is_noticed() {
    let text = format!("(topology: Ring(nodes: 25), scheduler: Sequential, {INTERACTIONS})");
    let document = Document::parse(&text, "run.ron").unwrap();
    let plan = Plan::new(&document, Path::new(".")).unwrap();
    let run = || plan.run(Job { seed: 3, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    assert!(notices_missing_draws(&run, (3, "world"), [700, 1300]));
}
