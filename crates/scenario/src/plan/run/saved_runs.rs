//! Tests: runs under locks go on from checkpoints, on every rung.

use std::path::Path;

use crate::plan::Plan;
use crate::run::probe::check_checkpoints;
use crate::run::{Job, Unwatched};
use crate::{Document, Runnable as _};

/// Checks the checkpoints of a scenario, and returns the bytes of the longest.
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
        "Asynchronous(adversary: RandomPriorities(changes: 3, horizon: 100))",
    ] {
        for disturbances in ["", "disturbances: [Churn(rate: 0.01)],", "disturbances: [Swizzle(links: 5, period: 20)],"] {
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

/// Algorithms of every family, with their queues, tokens, grants and lock sets.
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
