//! Tests that runs whose configuration cannot change any more end, on every rung.

use acrasin_report::record::Exit;
use acrasin_scenario::{Catalogue, Job, ScenarioFile, Unwatched};

fn ended(text: &str) -> (String, String, Exit) {
    let file = ScenarioFile::parse(text, "silent.ron", &[]).unwrap_or_else(|error| panic!("{error}"));
    let plan = file
        .plan(&Catalogue::shipped(), ".".as_ref(), 1 << 32)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let job = Job { seed: 3, repetition: 0, watch: &Unwatched, record: None };
    let outcome = plan.run(job).unwrap().record.outcome().clone();
    (outcome.word, outcome.reason, outcome.exit)
}

const SCHEDULERS: [&str; 10] = [
    "UniformPairs",
    "RandomMatchings",
    "SemiSynchronous(activation: All)",
    "SemiSynchronous(activation: Random(0.5))",
    "SemiSynchronous(activation: All), rung: F3",
    "Waves, rung: F1",
    "Sequential",
    "Sequential(adversary: NewestFirst)",
    "Asynchronous",
    "RoundRobin",
];

/// Regression: under locks a silent run did not end.
#[test]
fn a_run_that_cannot_change_is_quiet_under_every_scheduler() {
    let rules = r#"Table(states: ["A", "B"], rules: [Symmetric("A + B -> A + A")], default: Null)"#;
    for scheduler in SCHEDULERS {
        for (topology, initial, stop) in [
            ("Ring(nodes: 10)", "All(\"A\")", "Counts(\"B >= 1\")"),
            ("Complete(nodes: 10)", "All(\"A\")", "Counts(\"B >= 1\")"),
            // The run becomes silent only after some interactions.
            ("Ring(nodes: 10)", "Counts({\"A\": 4, \"B\": 6})", "Counts(\"A < 1\")"),
        ] {
            let text = format!(
                "(topology: {topology}, scheduler: {scheduler}, work: Interactions(protocol: {rules}, initial: {initial}), stop: [{stop}])"
            );
            let (word, reason, exit) = ended(&text);
            assert_eq!((word.as_str(), exit), ("quiet", Exit::Failed), "{scheduler} on {topology}: {reason}");
        }
    }
}

/// A run with a number of rounds or with a limit ends there.
#[test]
fn a_run_that_cannot_change_still_has_the_rounds_asked_for() {
    let text = |rest: &str| {
        format!(
            "(topology: Ring(nodes: 10), scheduler: SemiSynchronous(activation: All), work: Interactions(protocol: \
             Library(name: \"one-way-epidemic\"), initial: All(\"I\")), {rest})"
        )
    };
    assert_eq!(ended(&text("stop: [Rounds(5000)]")).0, "rounds");
    assert_eq!(ended(&text("stop: [Counts(\"S > 0\")], limits: (rounds: 5000)")).0, "limit");
    assert_eq!(ended(&text("stop: [Silent]")).0, "silent");
}

#[test]
fn outputs_that_agree_at_the_start_are_said_to_do_so() {
    for scheduler in SCHEDULERS {
        let text = |initial: &str| {
            format!(
                "(topology: Ring(nodes: 10), scheduler: {scheduler}, work: Interactions(protocol: Library(name: \
                 \"one-way-epidemic\"), initial: {initial}), stop: [OutputsAgree])"
            )
        };
        let (word, reason, exit) = ended(&text("All(\"S\")"));
        assert_eq!((word.as_str(), exit), ("agreed", Exit::Done));
        assert!(reason.contains("at the start; OutputsStable may be meant"), "{scheduler}: {reason}");
        let (word, reason, _) = ended(&text("Counts({\"I\": 5, \"S\": 5})"));
        assert_eq!(
            (word.as_str(), reason.as_str()),
            ("agreed", "all nodes have the same output"),
            "{scheduler}"
        );
    }
}
