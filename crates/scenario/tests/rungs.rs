//! Tests of common results of the rungs, and of the refusals of each.

use crate::support::{ended, marked_in, number, plan, run, try_plan_in};
use acrasin_report::record::Exit;
use acrasin_scenario::DocumentError;
use acrasin_scenario::plan::{Job, Manner, Unwatched};
use acrasin_verify::locks::Options;

/// A scenario with some of its fields replaced or added.
fn with(fields: &str) -> String {
    let mut text = String::from("(\n");
    let bare = fields.replace(['«', '»'], "");
    for default in [
        "topology: Ring(nodes: 6)",
        "scheduler: SemiSynchronous(activation: Random(0.5))",
        r#"work: Interactions(protocol: Library(name: "approximate-majority"), initial: Counts({"A": 4, "B": 2}))"#,
        "stop: [Rounds(10)]",
    ] {
        let name = default.split(':').next().unwrap();
        if !bare.lines().any(|line| line.trim_start().starts_with(&format!("{name}:"))) {
            text += &format!("    {default},\n");
        }
    }
    text + fields + "\n)\n"
}

#[track_caller]
fn refused(fields: &str, message: &str, accepted: &str) -> DocumentError {
    let error = marked_in(&with(fields), ".".as_ref());
    assert_eq!((error.message(), error.accepted()), (message, Some(accepted)), "{error}");
    error
}

const WAVES: &str = "rung: F1,\nscheduler: Waves,\n";

/// A scenario on rung F2 with the smallest accepted torus. Scenarios with another topology use only its first line.
const SLICED: &str = "rung: F2,\ntopology: Torus(rows: 3, columns: 64),\nwork: Interactions(protocol: \
                      Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.5, \"B\": 0.5})),\n";

#[test]
fn schedulers_of_each_rung() {
    refused(
        "scheduler: «Waves»",
        "waves run on rung F1, but the rung here is F4",
        "Sequential, RoundRobin, SemiSynchronous(…) or Asynchronous; or rung: F1",
    );
    let rounds = "SemiSynchronous(activation: Random(p)) or SemiSynchronous(activation: All); or rung: F4";
    refused(
        "rung: F3,\nscheduler: «Waves»",
        "waves run on rung F1, but the rung here is F3",
        &rounds.replace("rung: F4", "rung: F1"),
    );
    for other in ["Sequential", "RoundRobin", "Asynchronous", "Sequential»(adversary: NewestFirst)"] {
        let end = if other.contains('»') { "" } else { "»" };
        let message = "rung F3 does not run this scheduler";
        refused(&format!("rung: F3,\nscheduler: «{other}{end}"), message, rounds);
    }
    refused(
        "rung: F3,\nscheduler: SemiSynchronous(activation: «Adversary»(NewestFirst))",
        "rung F3 has no adversary over the set of active nodes",
        "Random(p) or All; or rung: F4",
    );
    for other in ["Sequential»", "SemiSynchronous»(activation: All)"] {
        let fields = format!("rung: F1,\nscheduler: «{other}");
        refused(&fields, "rung F1 does not run this scheduler", "Waves; or rung: F3 or F4");
    }
}

#[test]
fn locks_of_each_rung() {
    let on = |rung: &str, lock: &str| format!("{rung}lock: ({lock})");
    refused(
        &on("rung: F3,\n", "rules: «Published»"),
        "rung F3 does not support rules that lack a repair",
        "Repaired; or rung: F4",
    );
    let mixed = "Mixed»(reject_late_requests: true, clean_up_always: true, clean_up_ignored_calls: false)";
    refused(
        &on("rung: F3,\n", &format!("rules: «{mixed}")),
        "rung F3 does not support rules that lack a repair",
        "Repaired; or rung: F4",
    );
    refused(
        &on("rung: F3,\n", "self_messages: «InMemory»"),
        "on rung F3 messages of a node to itself are sent",
        "Sent; or rung: F4",
    );
    refused(
        &on(WAVES, "rules: «Published»"),
        "rung F1 executes the guarantees of the repaired rules, not the rules themselves",
        "Repaired; or rung: F4",
    );
    refused(
        &on(WAVES, "self_messages: «InMemory»"),
        "rung F1 has no messages",
        "omit this field; or rung: F4",
    );
    refused(
        &on(WAVES, "priorities: «64»"),
        "rung F1 draws an order of all nodes for each wave, not priorities",
        "Auto; or rung: F3 or F4",
    );
    refused(
        &format!("{WAVES}lock: (lock_set: «Pair»),\nwork: Locks(each: 1)"),
        "rung F1 locks closed neighbourhoods; pairs interact under them in stricter isolation",
        "Auto; or rung: F3 or F4",
    );
}

#[test]
fn graphs_that_change() {
    let walkers = "topology: «Mobility»(nodes: 5, side: 9, range: 3, speed: (0.5, 1.5), pause: 10, step: 20, \
                   duration: 100, rounds_per_step: 9)";
    let message = "rung F1 does not support graphs that change";
    refused(&format!("{WAVES}{walkers}"), message, "a fixed graph; or rung: F3 or F4");
    refused(
        &format!("{WAVES}disturbances: [«Churn»(rate: 0.1)]"),
        message,
        "no disturbances; or rung: F3 or F4",
    );
}

#[test]
fn bounds_and_steps_that_only_single_actions_have() {
    for (rung, name) in [(WAVES, "F1"), (SLICED, "F2"), ("rung: F3,\n", "F3")] {
        refused(
            &format!("{rung}fairness: «Within»(100)"),
            &format!("rung {name} has no adversary to bound, and no turns to count"),
            "Auto; or rung: F4",
        );
        let steps = format!("rung {name} does not count single steps");
        refused(&format!("{rung}limits: (steps: «100»)"), &steps, "rounds, interactions; or rung: F4");
        refused(
            &format!("{rung}observe: (counts_every: «Steps»(9))"),
            &steps,
            "Rounds(…) or Interactions(…); or rung: F4",
        );
        // `Auto` gives no bound here, because the bound is only needed for an adversary.
        for fairness in ["Auto", "Unbounded"] {
            plan(&with(&format!("{rung}fairness: {fairness}")));
        }
    }
}

#[test]
fn recordings_are_of_the_reference_alone() {
    for (rung, name) in [(WAVES, "F1"), (SLICED, "F2"), ("rung: F3,\n", "F3")] {
        let plan = plan(&with(rung));
        let mut file = Vec::new();
        let record: Option<Box<dyn std::io::Write + '_>> = Some(Box::new(&mut file));
        let error = plan.run(Job { seed: 1, repetition: 0, watch: &Unwatched, record }).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "a recording has single steps, and rung {name} has none: no recording is written; accepted: rung: F4"
            )
        );
        assert!(!error.is_recording() && file.is_empty());
    }
}

#[test]
fn exploring_does_not_depend_on_the_rung() {
    let explored = |rung: &str| {
        let text = with(&format!("{rung}topology: Path(nodes: 2),\nwork: Locks(each: 1)"));
        let options =
            Options { bytes: 1 << 28, configurations: u64::MAX, liveness: false, stop_at_first: false };
        let explored =
            plan(&text).explore(1, Manner::default(), &options, &mut |_| std::ops::ControlFlow::Continue(()));
        let explored = explored.unwrap();
        (format!("{:?}", explored.findings), explored.states)
    };
    let reference = explored("");
    assert!(reference.1 > Some(100), "{reference:?}");
    assert_eq!(explored(WAVES), reference);
    assert_eq!(explored("rung: F3,\n"), reference);
}

#[test]
fn a_graph_above_the_limit_of_memory_is_refused_on_every_rung() {
    let torus = |rung: &str, side: u32| {
        let fields =
            format!("{rung}topology: Torus(rows: {side}, columns: {side}),\nwork: Locks(each: Forever)");
        try_plan_in(&with(&fields), ".".as_ref()).map(|_| ())
    };
    // The limit is checked before anything is built, with the estimate.
    for rung in ["", WAVES, "rung: F3,\n"] {
        let error = torus(rung, 16_000).unwrap_err();
        assert!(error.message().contains("need about"), "{error}");
        assert!(error.accepted().unwrap().contains("per node here"), "{error}");
    }
}

/// Equal starts lead to the same kind of ending on every rung: the large majority wins, and all agents are infected.
#[test]
fn every_rung_comes_to_the_same_kind_of_end() {
    let rungs = ["rung: F4,\n", "rung: F3,\n", WAVES];
    let torus = "topology: Torus(rows: 25, columns: 40),\n";
    for rung in rungs {
        for seed in [1, 2] {
            let text = with(&format!(
                r#"{rung}{torus}work: Interactions(protocol: Library(name: "approximate-majority"),
                    initial: Shares({{"A": 0.65, "B": 0.35}})),
                stop: [Counts("10 * A > 9 * n"), Counts("10 * B > n * 9")], limits: (rounds: 100_000)"#
            ));
            let finished = run(&plan(&text), seed);
            assert_eq!(ended(&finished), ("counts", Exit::Done), "{rung} {seed}");
            assert!(number(&finished, "states.A") > 900, "{rung} {seed}");
        }
        let text = with(&format!(
            r#"{rung}{torus}work: Interactions(protocol: Library(name: "two-way-epidemic"), way: PickedPair,
                initial: Counts({{"I": 1, "S": 999}})),
            stop: [Silent], limits: (rounds: 100_000)"#
        ));
        let finished = run(&plan(&text), 3);
        assert_eq!(ended(&finished), ("silent", Exit::Done), "{rung}");
        assert_eq!(number(&finished, "states.I"), 1000);
        // A Lock infects at most one node.
        assert!(number(&finished, "locks.completed") >= 999);
    }
}

/// A bias in the other direction is detected by the same condition.
#[test]
fn the_smaller_party_does_not_win_when_it_is_the_other() {
    for rung in ["rung: F3,\n", WAVES] {
        let text = with(&format!(
            r#"{rung}topology: Torus(rows: 25, columns: 40),
            work: Interactions(protocol: Library(name: "approximate-majority"),
                initial: Shares({{"A": 0.35, "B": 0.65}})),
            stop: [Counts("10 * A > 9 * n"), Counts("10 * B > n * 9")], limits: (rounds: 100_000)"#
        ));
        let finished = run(&plan(&text), 1);
        assert_eq!(ended(&finished), ("counts", Exit::Done));
        assert!(number(&finished, "states.B") > 900, "{rung}");
    }
}

/// Initial states are placed by the same draws.
#[test]
fn every_rung_starts_from_the_same_states() {
    let start = |rung: &str| {
        let text = with(&format!(
            r#"{rung}topology: Gnp(nodes: 60, probability: 0),
            work: Interactions(protocol: Library(name: "approximate-majority"),
                initial: Shares({{"A": 0.5, "B": 0.5}})),
            stop: [OutputsAgree], limits: (rounds: 9)"#
        ));
        let finished = run(&plan(&text), 7);
        assert_eq!(ended(&finished).0, "quiet");
        crate::support::text_of(&finished, "digest.node_states")
    };
    assert_eq!(start("rung: F3,\n"), start(WAVES));
}
