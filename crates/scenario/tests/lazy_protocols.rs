//! Tests of scenarios of protocols without a table: results and refusals.

use std::hash::Hasher as _;
use std::path::Path;

use acrasin_protocols::lazy;
use acrasin_protocols::library::{ClockedMajority, JuntaLeader, LeaderRole, Opinion};
use acrasin_report::value::Value;
use acrasin_runtime::digest::DigestWriter;
use acrasin_scenario::{Catalogue, Document, DocumentError, Finished, Job, LazyPlan, Plan, Unwatched};

use crate::support;

fn text(topology: &str, protocol: &str, start: &str, rest: &str) -> String {
    format!(
        "(\n  topology: {topology},\n  scheduler: UniformPairs,\n  work: Interactions(\n    protocol: Library(name: \
         {protocol}),\n    initial: {start},\n  ),\n  {rest}\n)"
    )
}

fn plan(text: &str) -> Result<LazyPlan, DocumentError> {
    let document = Document::parse(text, "lazy.ron")?;
    assert!(LazyPlan::is_meant(&Catalogue::shipped(), &document));
    LazyPlan::within(&Catalogue::shipped(), &document, Path::new(""), 1 << 30)
}

fn run(text: &str, seed: u64) -> Finished {
    let plan = plan(text).unwrap_or_else(|error| panic!("{error}"));
    plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

fn count(finished: &Finished, path: &str) -> u64 {
    match support::figure(&finished.record, path) {
        Value::Integer(number) => number,
        other => panic!("{path}: {other:?}"),
    }
}

fn digest(finished: &Finished) -> String {
    match support::figure(&finished.record, "digest.configuration") {
        Value::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

fn digest_of<S: std::fmt::Debug>(states: impl Iterator<Item = S>) -> String {
    let mut writer = DigestWriter::new();
    states.for_each(|state| writer.write(format!("{state:?}\n").as_bytes()));
    writer.digest().to_string()
}

const CONTENDERS: &str = "\"junta-leader\", parameters: {\"m\": 64, \"r\": 1000}";

#[test]
fn every_agent_has_the_state_that_the_library_gives_it() {
    let protocol = JuntaLeader::new(64, 1000).unwrap();
    let discovery = lazy::Discovery::new(&protocol);
    for (seed, interactions) in [(1, 0), (1, 5000), (2, 123_457)] {
        let mut direct =
            lazy::LazyPopulation::complete(&discovery, &vec![protocol.start(); 150], seed).unwrap();
        direct.run_to(interactions);
        let stop = format!("stop: [Interactions({interactions})], observe: (counts_every: Interactions(77))");
        let finished = run(&text("Complete(nodes: 150)", CONTENDERS, "All(\"contender\")", &stop), seed);
        assert_eq!(digest(&finished), digest_of(direct.states()), "{seed}, {interactions}");
        assert_eq!(
            count(&finished, "states.contender"),
            direct.count(|state| state.role == LeaderRole::Leader)
        );
        let other = run(&text("Complete(nodes: 150)", CONTENDERS, "All(\"contender\")", &stop), seed + 100);
        assert_eq!(digest(&other) == digest(&finished), interactions == 0, "another seed, other states");
    }
}

#[test]
fn votes_start_where_the_scenario_says_and_the_majority_wins() {
    let protocol = "\"clocked-majority\", parameters: {\"l\": 12, \"m\": 96}";
    let start = "Counts({\"LA\": 1, \"A\": 101, \"B\": 98})";
    let at_start = run(&text("Complete(nodes: 200)", protocol, start, "stop: [Interactions(0)]"), 5);
    let counts = ["A", "B", "a", "b"].map(|class| count(&at_start, &format!("states.{class}")));
    assert_eq!(counts, [102, 98, 0, 0]);
    let leader = ClockedMajority::new(12, 96).unwrap().start(Opinion::A, LeaderRole::Leader);
    assert_eq!(format!("{leader:?}").matches("Leader").count(), 1, "there is one, and it shows");
    for seed in 1..=8 {
        let text = text("Complete(nodes: 200)", protocol, start, "stop: [OutputsAgree]");
        let finished = run(&text, seed);
        assert_eq!(finished.record.outcome().word, "agreed");
        assert_eq!(count(&finished, "outputs.A"), 200, "seed {seed}");
    }
}

#[test]
fn a_run_ends_at_the_first_interaction_after_which_its_condition_holds() {
    let text = |stop: &str| text("Complete(nodes: 60)", CONTENDERS, "All(\"contender\")", stop);
    let finished = run(&text("stop: [Counts(\"contender == 1\")]"), 9);
    assert_eq!((&*finished.record.outcome().word, count(&finished, "states.contender")), ("counts", 1));
    let interactions = count(&finished, "work.interactions");
    let before = run(&text(&format!("stop: [Interactions({})]", interactions - 1)), 9);
    assert!(count(&before, "states.contender") > 1, "it holds one interaction earlier");
    let same = run(&text(&format!("stop: [Interactions({interactions})]")), 9);
    assert_eq!(digest(&same), digest(&finished));
    let met = finished.met.expect("the table as far as it was met");
    assert!(met.contains(" -> ") && met.contains("more") && met.ends_with("states met\n"), "{met}");
}

#[test]
fn a_colouring_that_is_settled_stays() {
    let text = |stop: &str| {
        let (topology, protocol) =
            ("RandomRegular(nodes: 24, degree: 3)", "\"two-hop-colouring\", parameters: {\"k\": 12}");
        text(topology, protocol, "All(\"arbitrary\")", stop)
    };
    let colours = |finished: &Finished| -> Vec<u64> {
        (0..12).map(|colour| count(finished, &format!("states.{colour}"))).collect()
    };
    for seed in 1..=5 {
        let settled = run(&text("stop: [Settled], limits: (interactions: 1e7)"), seed);
        assert_eq!(settled.record.outcome().word, "settled", "seed {seed}");
        let at = count(&settled, "work.interactions");
        let later = run(&text(&format!("stop: [Interactions({})]", at + 50_000)), seed);
        assert_eq!(colours(&later), colours(&settled), "seed {seed}");
        // At the start nothing is settled, so the condition is not always true.
        let start = run(&text("stop: [Settled], limits: (interactions: 1)"), seed);
        assert_eq!(start.record.outcome().word, "limit");
        assert_ne!(colours(&start), colours(&settled));
    }
}

#[test]
fn constructors_build_what_they_are_for() {
    for (name, agents, edges, centre) in [
        ("global-star", 30, 29, Some("states.centre")),
        ("global-line", 9, 8, None),
        ("cycle-cover", 30, 0, None),
    ] {
        let text = text(
            &format!("Complete(nodes: {agents})"),
            &format!("\"{name}\""),
            "All(\"start\")",
            "stop: [Settled], limits: (interactions: 1e7)",
        );
        let finished = run(&text, 3);
        assert_eq!(finished.record.outcome().word, "settled", "{name}");
        let active = count(&finished, "topology.active_edges");
        if edges > 0 {
            assert_eq!(active, edges, "{name}");
        } else {
            // All agents but at most two are on cycles, and those two may be joined.
            assert!((28..=30).contains(&active) && count(&finished, "states.0") <= 1, "{name}: {active}");
        }
        if let Some(centre) = centre {
            assert_eq!(count(&finished, centre), 1);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    let complete = "Complete(nodes: 20)";
    let fits = || text(complete, CONTENDERS, "All(\"contender\")", "stop: [Interactions(9)]");
    assert!(plan(&fits()).is_ok());
    let star = || text(complete, "\"global-star\"", "All(\"start\")", "stop: [Settled]");
    let cases = [
        (fits().replace("UniformPairs", "Sequential"), 3, "only runs under uniform pairs"),
        (
            fits().replace("UniformPairs", "RandomMatchings"),
            3,
            "does not support weights or directions of pairs",
        ),
        (fits().replace("\"contender\"", "\"leader\""), 6, "unknown state `leader`"),
        (fits().replace("\"r\"", "\"rounds\""), 5, "has no parameter `rounds`"),
        (fits().replace("1000", "70000"), 5, "the parameter `r` is 70000"),
        (fits().replace("nodes: 20", "nodes: 1"), 2, "1 agent"),
        (fits().replace("Interactions(9)", "Silent"), 8, "the protocol has none"),
        (fits().replace("Interactions(9)", "OutputsStable"), 8, "the protocol has none"),
        (fits().replace("Interactions(9)", "Settled"), 8, "cannot be detected"),
        (fits().replace("Interactions(9)", "Rounds(9)"), 8, "neither rounds nor Locks"),
        (fits().replace("Interactions(9)", "Counts(\"contenders == 1\")"), 8, "contenders"),
        (fits().replace("stop: [Interactions(9)]", ""), 1, "the run has no end"),
        (fits().replace("stop:", "faults: [Crash(rate: 0.1)], stop:"), 8, "faults are not available"),
        (fits().replace("stop:", "ports: 3, stop:"), 8, "no locks"),
        (star().replace("Complete(nodes: 20)", "Ring(nodes: 20)"), 2, "needs the complete graph"),
        (star().replace("nodes: 20", "nodes: 1e6"), 2, "1000000 agents"),
        (
            text(complete, "\"two-hop-colouring\"", "All(\"blank\")", "stop: [Settled]"),
            8,
            "cannot be detected",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, line, what) in cases {
        let error = plan(&text).expect_err(&text);
        if !error.message().contains(what) || error.line() != Some(line) {
            wrong.push(format!("{what}, line {line}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Features that need a table are refused.
    let locked = fits().replace("UniformPairs", "Sequential");
    let document = Document::parse(&locked, "lazy.ron").unwrap();
    let error = Plan::new(&document, Path::new("")).unwrap_err();
    assert!(error.message().contains("has no transition table"), "{error}");
}

/// A run in which nothing can change ends as quiet. A spanning star is silent, a line is not.
#[test]
fn what_cannot_change_any_more_is_quiet() {
    for agents in [2, 3, 12] {
        let star = text(
            &format!("Complete(nodes: {agents})"),
            "\"global-star\"",
            "All(\"start\")",
            "stop: [Counts(\"centre == 0\")]",
        );
        let finished = run(&star, 3);
        assert_eq!(finished.record.outcome().word, "quiet", "{agents} agents");
        assert_eq!(count(&finished, "topology.active_edges"), agents - 1);
        // A run with a written end continues until it.
        let ends = run(&star.replace("stop:", "limits: (interactions: 100000), stop:"), 3);
        assert_eq!(ends.record.outcome().word, "limit");
    }
}

/// The record lists every parameter of the protocol once, also those that the scenario omits.
#[test]
fn the_record_has_all_parameters_of_the_protocol() {
    let text = |parameters: &str| {
        format!(
            "(topology: Complete(nodes: 20), scheduler: UniformPairs, work: Interactions(protocol: \
             Library(name: \"junta-leader\"{parameters}), initial: All(\"contender\")), stop: [Interactions(9)])"
        )
    };
    for (written, m) in [("", "64"), (", parameters: {\"m\": 32}", "32")] {
        let finished = run(&text(written), 1);
        let parameters = finished.record.manifest().parameters.clone().unwrap();
        let value = |name: &str| {
            let key = format!("work.protocol.parameters.{name}");
            let found = parameters.figures().iter().filter(|figure| figure.key() == key);
            found.map(|figure| format!("{:?}", figure.value())).collect::<Vec<_>>()
        };
        assert!(value("m").len() == 1 && value("m")[0].contains(m), "{:?}", value("m"));
        assert!(value("r").len() == 1 && value("r")[0].contains("1000"), "{:?}", value("r"));
    }
}
