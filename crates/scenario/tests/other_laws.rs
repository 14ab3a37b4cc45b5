//! Tests of scenarios whose pairs are not drawn uniformly: matchings, faults, weights, directions, contacts.

use std::hash::Hasher as _;
use std::path::Path;

use acrasin_protocols::Table;
use acrasin_protocols::library::OneWayEpidemic;
use acrasin_protocols::uniform::{
    Arc, EncounterPopulation, Fault, FaultKind, FaultTiming, InitiatorEnd, MatchedGraph, MatchedPopulation,
    RunBound,
};
use acrasin_report::record::Exit;
use acrasin_report::value::Value;
use acrasin_runtime::digest::DigestWriter;
use acrasin_scenario::{
    Catalogue, Document, DocumentError, Finished, Job, Plan, ReactionPlan, Runnable, ScenarioFile,
    UniformPlan, Unwatched,
};

use crate::support;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/laws")
}

fn plan(text: &str) -> Result<UniformPlan, DocumentError> {
    let document = Document::parse(text, "laws.ron")?;
    assert!(UniformPlan::is_meant(&Catalogue::shipped(), &document));
    UniformPlan::within(&Catalogue::shipped(), &document, &folder(), 1 << 30)
}

fn run(text: &str, seed: u64) -> Finished {
    let plan = plan(text).unwrap_or_else(|error| panic!("{error}"));
    plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

fn figure(finished: &Finished, path: &str) -> String {
    match support::figure(&finished.record, path) {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text,
        other => panic!("{path}: {other:?}"),
    }
}

/// A scenario of the two-way epidemic.
fn epidemic(topology: &str, scheduler: &str, initial: &str, rest: &str) -> String {
    format!(
        "(topology: {topology}, scheduler: {scheduler}, work: Interactions(protocol: Library(name: \
         \"two-way-epidemic\"), initial: {initial}), {rest})"
    )
}

/// Every scenario of the folder is listed, and has the announced ending.
#[test]
fn every_scenario_of_other_laws_comes_to_its_end() {
    let list = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let mut found = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".ron") {
            continue;
        }
        found += 1;
        assert!(list.contains(&format!("`{name}`")), "{name} is not listed");
        let plan: Box<dyn Runnable> = match ScenarioFile::read(&path, &[]).unwrap() {
            ScenarioFile::Reactions(document) => Box::new(ReactionPlan::new(&document).unwrap()),
            ScenarioFile::Population(document) => {
                assert!(UniformPlan::is_meant(&Catalogue::shipped(), &document));
                Box::new(UniformPlan::within(&Catalogue::shipped(), &document, &folder(), 1 << 30).unwrap())
            }
            ScenarioFile::Amoebots(_) => panic!("{name} is of amoebots"),
        };
        let seed = plan.header().seed.expect("a seed");
        let finished = plan.run(Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap();
        let expected = match name.as_str() {
            "brusselator.ron" | "gene.ron" => "elapsed",
            "matchings.ron" | "weights.ron" => "agreed",
            "recovery.ron" => "counts",
            "churn.ron" => "interactions",
            "contacts.ron" | "epidemic-on-a-graph.ron" => "silent",
            _ => panic!("{name} has no expectation"),
        };
        let outcome = finished.record.outcome();
        assert_eq!((outcome.word.as_str(), outcome.exit), (expected, Exit::Done), "{name}: {outcome:?}");
        let Value::Text(_) = support::figure(&finished.record, "work.law") else {
            panic!("{name} names no law")
        };
    }
    assert_eq!(found, 8);
}

#[test]
fn matchings_count_time_in_rounds() {
    let text = |topology: &str, rest: &str| {
        epidemic(topology, "RandomMatchings", "Counts({\"I\": 1, \"S\": 63})", rest)
    };
    let finished = run(&text("Complete(nodes: 64)", "stop: [Silent]"), 1);
    let rounds: u64 = figure(&finished, "work.rounds").parse().unwrap();
    // The number of infected nodes at most doubles per round, which takes at least 6 rounds.
    assert!((6..30).contains(&rounds), "{rounds}");
    assert_eq!(figure(&finished, "work.interactions"), (32 * rounds).to_string());
    assert!(figure(&finished, "work.law").starts_with("random matchings"));
    let series = finished.series.unwrap();
    assert_eq!((series.time_label(), series.rows().count() as u64), ("rounds", rounds + 1));
    let ended = run(&text("Complete(nodes: 64)", "stop: [Rounds(3)]"), 1);
    assert_eq!(
        (ended.record.outcome().word.as_str(), figure(&ended, "work.rounds").as_str()),
        ("rounds", "3")
    );
    let limited = run(&text("Complete(nodes: 64)", "stop: [Silent], limits: (rounds: 2)"), 1);
    assert_eq!(limited.record.outcome().exit, Exit::BudgetExhausted);
    // On a ring of 64 a round infects at most two more nodes.
    let ring = run(&text("Ring(nodes: 64)", "stop: [Silent]"), 1);
    assert!(figure(&ring, "work.rounds").parse::<u64>().unwrap() >= 32);
    assert_eq!(figure(&ring, "topology.edges"), "64");
    // The distance of samples does not change the result.
    let digest = |every: &str| {
        let rest = format!("stop: [Silent], observe: (counts_every: Rounds({every}))");
        figure(&run(&text("Ring(nodes: 64)", &rest), 1), "digest.configuration")
    };
    assert_eq!(digest("1"), digest("7"));
}

#[test]
fn faults_are_counted_and_have_draws_of_their_own() {
    let text = |faults: &str| {
        let rest = format!("{faults} stop: [Interactions(2000)]");
        epidemic("Complete(nodes: 100)", "UniformPairs", "Counts({\"I\": 1, \"S\": 99})", &rest)
    };
    let churn = run(
        &text("faults: [Leave(rate: 0.1), Join(state: \"S\", rate: 0.1), Crash(at: [5, 10], agents: 7)],"),
        1,
    );
    let count = |path: &str| figure(&churn, path).parse::<u64>().unwrap();
    let (left, joined) = (count("faults.0_left"), count("faults.1_joined"));
    assert!((130..270).contains(&left) && (130..270).contains(&joined), "{left} {joined}");
    assert_eq!((count("faults.2_crashed"), count("faults.there")), (14, 100 + joined - left - 14));
    assert_eq!(count("states.S") + count("states.I"), count("faults.there"));
    assert!(figure(&churn, "work.law").ends_with("faults after interactions"));
    // The run is repeated with the same seed and with another distance of samples.
    let rest = "faults: [Leave(rate: 0.1), Join(state: \"S\", rate: 0.1), Crash(at: [5, 10], agents: 7)], \
                observe: (counts_every: Interactions(13)),";
    assert_eq!(figure(&run(&text(rest), 1), "digest.configuration"), figure(&churn, "digest.configuration"));
    let none = run(&text(""), 1);
    assert!(none.record.body().iter().all(|section| section.key() != "faults"));
}

/// The digest of a configuration in a record: of the counts, then of the states of numbered agents.
fn digest(counts: &[u64], states: &[u16]) -> String {
    let mut writer = DigestWriter::new();
    counts.iter().for_each(|&count| writer.write_u64(count));
    states.iter().for_each(|&state| writer.write_u16(state));
    writer.digest().to_string()
}

/// Under every law by which pairs are drawn, a run has the same states, agent by agent, as the population of the
/// library with the same start and seed.
#[test]
fn each_law_has_the_states_of_the_library() {
    let table = Table::compile(&OneWayEpidemic).unwrap();
    let [s, i] = ["S", "I"].map(|name| table.state(name).unwrap());
    let mut ill = vec![s; 9];
    ill[0] = i;
    let counts = |states: &[u16]| -> Vec<u64> {
        table.states().map(|state| states.iter().filter(|&&other| other == state).count() as u64).collect()
    };
    let found = |topology: &str, scheduler: &str, initial: &str, rest: &str, seed: u64| {
        // A one-way protocol, so that the roles matter.
        let text = epidemic(topology, scheduler, initial, rest).replace("two-way", "one-way");
        figure(&run(&text, seed), "digest.configuration")
    };
    let (on_nodes, by_counts) = ("Nodes(states: {\"I\": [0]}, rest: \"S\")", "Counts({\"I\": 1, \"S\": 8})");
    let mut different = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let mut matched = MatchedPopulation::new(&table, &counts(&ill), seed).unwrap();
        matched.run_to(3);
        let expected = digest(matched.counts(), &[]);
        assert_eq!(
            found("Complete(nodes: 9)", "RandomMatchings", by_counts, "stop: [Rounds(3)]", seed),
            expected
        );

        let path: Vec<[u32; 2]> = (0..8).map(|node| [node, node + 1]).collect();
        let mut matched = MatchedGraph::new(&table, &ill, path.clone(), seed).unwrap();
        matched.run_to(6);
        let expected = digest(matched.counts(), matched.states());
        assert_eq!(found("Path(nodes: 9)", "RandomMatchings", on_nodes, "stop: [Rounds(6)]", seed), expected);
        different.insert(expected);

        let degree = |node: u32| if node == 0 || node == 8 { 1 } else { 2 };
        let arc = |&ends: &[u32; 2]| Arc { ends, weight: degree(ends[0]) * degree(ends[1]) };
        let crash = || vec![Fault { kind: FaultKind::Crash, when: FaultTiming::At(vec![20]), agents: 2 }];
        let arcs = (path.iter().map(arc).collect(), InitiatorEnd::FirstInitiates);
        let mut edges = EncounterPopulation::on_edges(&table, &ill, arcs, crash(), seed).unwrap();
        edges.run(None, &RunBound { interactions: 40, ..RunBound::NONE });
        let expected = digest(edges.counts(), edges.states());
        let scheduler = "UniformPairs(weights: DegreeProduct, direction: Forward)";
        let rest = "faults: [Crash(at: [20], agents: 2)], stop: [Interactions(40)]";
        assert_eq!(found("Path(nodes: 9)", scheduler, on_nodes, rest, seed), expected);
        different.insert(expected);

        let states = [vec![s; 8], vec![i]].concat();
        let (leave, corrupt) = (FaultKind::Leave, FaultKind::Corrupt { states: vec![s] });
        let faults = [
            Fault { kind: leave, when: FaultTiming::Rate(0.05), agents: 1 },
            Fault { kind: FaultKind::Join { state: i }, when: FaultTiming::Rate(0.1), agents: 2 },
            Fault { kind: corrupt, when: FaultTiming::At(vec![5, 9]), agents: 3 },
        ];
        let mut sorted = states;
        sorted.sort_unstable();
        let mut churn = EncounterPopulation::complete(&table, &sorted, faults.to_vec(), seed).unwrap();
        churn.run(None, &RunBound { interactions: 60, ..RunBound::NONE });
        let expected = digest(churn.counts(), churn.states());
        let rest = "faults: [Leave(rate: 0.05), Join(state: \"I\", rate: 0.1, agents: 2), Corrupt(at: [5, 9], agents: 3, states: \
                    [\"S\"])], stop: [Interactions(60)]";
        assert_eq!(found("Complete(nodes: 9)", "UniformPairs", by_counts, rest, seed), expected);
        different.insert(expected);
    }
    // If a seed were ignored, its runs would all have the same digest.
    assert!(different.len() > 30, "{}", different.len());
}

/// Two people in contact for 100 rounds: one interaction per round, or a Poisson number with the mean of the rate.
#[test]
fn contacts_interact_once_a_round_or_at_their_rate() {
    let place = tempfile::tempdir().unwrap();
    let lines: String = (1..=10).map(|step| format!("{} 1 2\n", 20 * step)).collect();
    std::fs::write(place.path().join("pair.dat"), lines).unwrap();
    let topology = "Contacts(path: \"pair.dat\", format: Instants(resolution: 20), rounds_per_step: 10)";
    let plan = |scheduler: &str| {
        let initial = "Nodes(states: {\"I\": [1]}, rest: \"S\")";
        let document =
            Document::parse(&epidemic(topology, scheduler, initial, "stop: [TraceEnd]"), "pair.ron");
        UniformPlan::within(&Catalogue::shipped(), &document.unwrap(), place.path(), 1 << 30).unwrap()
    };
    let interactions = |plan: &UniformPlan, seed: u64| -> f64 {
        let finished = plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap();
        assert_eq!(figure(&finished, "work.rounds"), "100");
        figure(&finished, "work.interactions").parse().unwrap()
    };
    assert_eq!(interactions(&plan("UniformPairs"), 1), 100.0);
    let mean = |rate: &str| {
        let plan = plan(&format!("UniformPairs(rate: {rate})"));
        (0..400).map(|seed| interactions(&plan, seed)).sum::<f64>() / 400.0
    };
    // The standard deviation of the mean of 400 runs is sqrt(50 / 400).
    let bound = 5.0 * 0.36;
    assert!((mean("0.5") - 50.0).abs() < bound);
    assert!((mean("0.55") - 50.0).abs() > bound);
}

/// No condition is tested before the last fault with a given time: there is one leader at the start, and again at the
/// end.
#[test]
fn recovery_is_what_comes_after_the_fault() {
    let text = "(topology: Complete(nodes: 20), scheduler: UniformPairs, faults: [Corrupt(at: [500], agents: 20, states: \
                [\"L\"])], work: Interactions(protocol: Library(name: \"fratricide\"), initial: Counts({\"L\": 1, \"F\": 19})), \
                stop: [Counts(\"L == 1\")])";
    let (mut sum, runs) = (0.0, 3000);
    let plan = plan(text).unwrap();
    for seed in 0..runs {
        let finished = plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap();
        assert_eq!(figure(&finished, "faults.0_corrupted"), "20");
        sum += figure(&finished, "work.interactions").parse::<f64>().unwrap() - 500.0;
    }
    // All agents are leaders again: the mean is (n - 1)^2 interactions, with a standard deviation of 0.538 n^2.
    let mean = sum / runs as f64;
    assert!((mean - 361.0).abs() < 5.0 * 0.54 * 400.0 / (runs as f64).sqrt(), "{mean}");
}

#[test]
fn weights_directions_and_contacts_are_in_the_law() {
    let file = "File(path: \"weights.txt\", format: EdgeList)";
    let with = |topology: &str, scheduler: &str| {
        run(
            &epidemic(
                topology,
                scheduler,
                "Nodes(states: {\"I\": [0]}, rest: \"S\")",
                "stop: [Silent, TraceEnd]"
                    .replace(", TraceEnd", if topology.starts_with("Mob") { ", TraceEnd" } else { "" })
                    .as_str(),
            ),
            1,
        )
    };
    for (topology, scheduler, law) in [
        (
            file,
            "UniformPairs(weights: Column, direction: Forward)",
            "each interaction is of a random edge by its weight, its first end is the initiator",
        ),
        (
            file,
            "UniformPairs(direction: Forward)",
            "each interaction is of a uniformly random edge, its first end is the initiator",
        ),
        (
            "Star(nodes: 9)",
            "UniformPairs(weights: DegreeProduct)",
            "each interaction is of a random edge by the product of its degrees, in a random direction",
        ),
        (
            "Mobility(nodes: 20, side: 10, range: 3, speed: (0.5, 1.5), pause: 6, step: 2, duration: 300, rounds_per_step: 40)",
            "UniformPairs",
            "contacts: one uniformly random contact interacts in each round",
        ),
        (
            "Mobility(nodes: 20, side: 10, range: 3, speed: (0.5, 1.5), pause: 6, step: 2, duration: 300, rounds_per_step: 40)",
            "UniformPairs(rate: 0.5)",
            "contacts: each present contact interacts 0.5 times per round on average",
        ),
    ] {
        let finished = with(topology, scheduler);
        assert_eq!(figure(&finished, "work.law"), law);
        assert_eq!(finished.record.outcome().word, "silent", "{topology} {scheduler}");
    }
}

#[test]
fn what_does_not_fit_other_laws_is_refused_at_its_place() {
    let start = "Counts({\"I\": 1, \"S\": 8})";
    let complete = |scheduler: &str, rest: &str| epidemic("Complete(nodes: 9)", scheduler, start, rest);
    let ring = |scheduler: &str, rest: &str| epidemic("Ring(nodes: 9)", scheduler, start, rest);
    let silent = "stop: [Silent]";
    for (text, part, message) in [
        (complete("RandomMatchings", "stop: [Interactions(5)]"), "Interactions(5)", "counted in rounds"),
        (complete("RandomMatchings", "stop: [Silent], limits: (interactions: 9)"), "9)", "counted in rounds"),
        (
            complete("RandomMatchings", "stop: [Silent], faults: [Crash(rate: 0.1)]"),
            "[Crash",
            "faults happen between",
        ),
        (complete("RandomMatchings(rate: 1.0)", silent), "RandomMatchings(", "takes no values"),
        (complete("UniformPairs", "stop: [Rounds(5)]"), "Rounds(5)", "neither rounds nor Locks"),
        (complete("UniformPairs(rate: 0.5)", silent), "0.5", "this graph does not change"),
        (complete("UniformPairs(weights: DegreeProduct)", silent), "UniformPairs(", "equally likely"),
        (ring("UniformPairs(weights: Column)", silent), "Column", "the edges of this graph have no weights"),
        (ring("UniformPairs(weights: Heavy)", silent), "Heavy", "unknown"),
        (
            ring("UniformPairs", "stop: [Silent], faults: [Leave(rate: 0.1)]"),
            "Leave",
            "agents cannot leave or join on this graph",
        ),
        (
            complete("UniformPairs", "stop: [Silent], faults: [Crash()]"),
            "Crash",
            "either a rate or the numbers of interactions",
        ),
        (
            complete("UniformPairs", "stop: [Silent], faults: [Crash(rate: 0.1, at: [5])]"),
            "Crash",
            "either a rate or the numbers of interactions",
        ),
        (complete("UniformPairs", "stop: [Silent], faults: [Crash(rate: 1.5)]"), "1.5", "out of range"),
        (complete("UniformPairs", "stop: [Silent], faults: [Crash(at: [5, 5])]"), "5])", "5 comes after 5"),
        (complete("UniformPairs", "stop: [Silent], faults: [Crash(at: [5], agents: 0)]"), "0)]", "no agent"),
        (
            complete("UniformPairs", "stop: [Silent], faults: [Join(state: \"X\", rate: 0.1)]"),
            "\"X\"",
            "unknown state",
        ),
        (
            complete("UniformPairs", "stop: [Silent], faults: [Corrupt(states: [\"X\"], rate: 0.1)]"),
            "\"X\"",
            "unknown state",
        ),
        (
            complete("UniformPairs", "stop: [Silent], faults: [Corrupt(states: [], rate: 0.1)]"),
            "[], rate",
            "the list of new states is empty",
        ),
        (complete("UniformPairs", "stop: [Silent], faults: [Burn(rate: 0.1)]"), "Burn", "unknown"),
    ] {
        let error = plan(&text).expect_err(&text);
        assert!(error.message().contains(message), "{error}");
        let column = text.rfind(part).map(|at| text[..at].chars().count() as u32 + 1);
        assert_eq!((error.line(), error.column()), (Some(1), column), "{error}");
    }
    // Scenarios with locks have no faults.
    let text = epidemic("Ring(nodes: 9)", "Sequential", start, "stop: [Silent], faults: [Crash(rate: 0.1)]");
    let error = Plan::new(&Document::parse(&text, "x.ron").unwrap(), Path::new("")).unwrap_err();
    assert!(error.message().contains("one after another"), "{error}");
}
