//! Tests of scenarios of reactions: results and refusals.

use acrasin_report::record::Exit;
use acrasin_report::value::Value;
use acrasin_scenario::Runnable as _;
use acrasin_scenario::{Catalogue, DocumentError, Finished, Job, ReactionPlan, ScenarioFile, Unwatched};

use crate::support;

fn plan(text: &str) -> Result<ReactionPlan, DocumentError> {
    match ScenarioFile::parse(text, "network.ron", &[])? {
        ScenarioFile::Reactions(document) => ReactionPlan::new(&document),
        _ => panic!("a scenario of reactions"),
    }
}

fn run(text: &str, seed: u64) -> Finished {
    let plan = plan(text).unwrap_or_else(|error| panic!("{error}"));
    plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

fn word(finished: &Finished) -> (String, Exit) {
    (finished.record.outcome().word.clone(), finished.record.outcome().exit)
}

fn figure(finished: &Finished, path: &str) -> f64 {
    match support::figure(&finished.record, path) {
        Value::Integer(number) => number as f64,
        Value::Real(number) => number,
        other => panic!("{path}: {other:?}"),
    }
}

fn decay(rest: &str) -> String {
    format!(
        "(\n  reactions: (species: [\"A\"], rules: [(\"A ->\", 1.0)], initial: {{\"A\": 50}}),\n  {rest}\n)"
    )
}

#[test]
fn the_reference_is_sound_and_has_every_field() {
    let text = include_str!("../reactions.ron");
    let finished = run(text, 1);
    assert_eq!(word(&finished).1, Exit::Done);
    for field in [
        "title:",
        "seed:",
        "species:",
        "rules:",
        "parameters:",
        "volume:",
        "initial:",
        "events:",
        "at:",
        "every:",
        "add:",
        "set:",
        "rest:",
        "weights:",
        "direction:",
        "topology:",
        "stop:",
        "time:",
        "counts_every:",
    ] {
        assert!(text.contains(field), "{field}");
    }
    let Value::Text(law) = support::figure(&finished.record, "work.law") else { panic!("a text") };
    assert!(law.starts_with("continuous time"), "{law}");
    let value: ron::Value = ron::from_str(text).unwrap();
    assert!(matches!(value, ron::Value::Map(map) if map.len() == 6));
}

/// The exact chain of uniform pairs: n = 20, 12 agents in A. The rates of the reference are those of the two-way
/// protocol.
#[test]
fn the_reference_has_the_law_of_uniform_pairs() {
    let text = include_str!("../reactions.ron");
    let plan = plan(text).unwrap();
    let runs = 10_000;
    let (mut right, mut time) = (0_u32, 0.0);
    for seed in 0..runs {
        let finished = plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap();
        right += u32::from(figure(&finished, "states.A") == 20.0);
        time += figure(&finished, "work.time");
    }
    let share = f64::from(right) / runs as f64;
    assert!((share - 0.942_630).abs() < 5.0 * (0.9426 * 0.0574 / runs as f64).sqrt(), "{share}");
    let mean = time / runs as f64;
    assert!((mean - 86.3737 / 20.0).abs() < 5.0 * 2.1 / (runs as f64).sqrt(), "{mean}");
}

#[test]
fn every_end_has_its_word() {
    for (rest, expected) in [
        ("stop: [Silent]", ("silent", Exit::Done)),
        ("stop: [Counts(\"2 * A < 50\"), Silent]", ("counts", Exit::Done)),
        ("stop: [Time(0.25)]", ("elapsed", Exit::Done)),
        ("stop: [Time(1e300)]", ("elapsed", Exit::Done)),
        ("stop: [Reactions(20)]", ("reactions", Exit::Done)),
        ("stop: [Reactions(51)]", ("quiet", Exit::Failed)),
        ("stop: [Silent], limits: (time: 0.5)", ("limit", Exit::BudgetExhausted)),
        ("stop: [Silent], limits: (reactions: 49)", ("limit", Exit::BudgetExhausted)),
    ] {
        let finished = run(&decay(rest), 3);
        assert_eq!(word(&finished), (expected.0.to_owned(), expected.1), "{rest}");
    }
    assert_eq!(figure(&run(&decay("stop: [Counts(\"2 * A < 50\")]"), 3), "states.A"), 24.0);
    let silent = ["stop: [Silent]", "stop: [Silent], limits: (time: 1e6)"]
        .map(|rest| figure(&run(&decay(rest), 3), "work.time"));
    assert!(silent[0] == silent[1] && silent[0] < 100.0, "{silent:?}");
    assert_eq!(figure(&run(&decay("stop: [Time(0.25)]"), 3), "work.time"), 0.25);
}

#[test]
fn counts_are_recorded_over_continuous_time_and_change_nothing() {
    let with = |every: &str| run(&decay(&format!("stop: [Time(2.25)], observe: (counts_every: {every})")), 5);
    let finished = with("Time(0.75)");
    let series = finished.series.unwrap();
    assert_eq!(series.time_label(), "time");
    let rows: Vec<(f64, u64)> = series.rows().map(|row| (row.time, row.counts[0])).collect();
    let times: Vec<f64> = rows.iter().map(|row| row.0).collect();
    assert_eq!(times, [0.0, 0.75, 1.5, 2.25]);
    assert_eq!(rows[0].1, 50);
    let every = with("Reactions(10)");
    let rows: Vec<u64> = every.series.as_ref().unwrap().rows().map(|row| row.counts[0]).collect();
    assert_eq!(rows[..4], [50, 40, 30, 20]);
    let digest = |finished: &Finished| support::figure(&finished.record, "digest.configuration");
    assert_eq!(digest(&every), digest(&with("Time(0.01)")));
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    for (species, rule, rest, part, message) in [
        ("\"A\"", "(\"A + C -> A\", 1.0)", "", "C -> A", "unknown species `C`"),
        ("\"A\"", "(\"A + B\", 1.0)", "", "\", 1.0", "`->` is missing here"),
        ("\"A\"", "(\"A -> 2 A\", -1.0)", "", "-1.0", "`-1` is out of range"),
        ("\"A\", \"A\"", "(\"A ->\", 1.0)", "", "\"A\"], rules", "the species `A` is listed twice"),
        ("\"A\"", "(\"5 A ->\", 1.0)", "", "5 A", "5 molecules would have to meet at once"),
        (
            "\"A\"",
            "(\"A <-> 2 A\", 1.0)",
            "",
            "<-> 2",
            "`<->` is a reaction and its reverse, but only one rate is written",
        ),
        (
            "\"A\"",
            "(\"A -> 2 A\", 1.0, 2.0)",
            "",
            "A -> 2",
            "two rates are written for a reaction in one direction",
        ),
        ("\"A\"", "(\"A -> 2 A\", \"2 * X\")", "", "X\")", "unknown name `X`"),
        ("\"A\"", "(\"A -> 2 A\", MassAction(\"2 * X\"))", "", "X\")", "unknown name `X`"),
        ("\"A\"", "(\"A <-> 2 A\", \"A\", \"2 * X\")", "", "X\")", "unknown name `X`"),
        ("\"A\"", "(\"A <-> 2 A\", 1.0, -2.0)", "", "-2.0", "`-2` is out of range"),
        ("\"A\"", "(\"A -> 2 A\", \"3\")", "", "3\")", "the propensity `3` names no species"),
        ("\"A\"", "(\"A ->\", Hill(2))", "", "Hill", "unknown word `Hill`"),
        ("\"A\"", "(\"A ->\", 1.0, 1.0, 1.0)", "", "(\"A ->", "4"),
        (
            "\"A\"",
            "(\"A ->\", 1.0)",
            "parameters: {\"A\": 1}",
            "\"A\": 1",
            "the parameter `A` is also a species",
        ),
        ("\"A\"", "(\"A ->\", 1.0)", "events: [(at: -1, set: {\"A\": 1})]", "-1", "`-1` is out of range"),
        ("\"A\"", "(\"A ->\", 1.0)", "events: [(at: 1)]", "(at", "the event changes nothing"),
        ("\"A\"", "(\"A ->\", 1.0)", "events: [(at: 1, add: {\"C\": 1})]", "\"C\"", "unknown species `C`"),
        ("\"A\"", "(\"A ->\", 1.0)", "events: [(at: 0, add: {\"A\": -1})]", "(at", "event 1 cannot happen"),
        ("\"A\"", "(\"A ->\", 1.0)", "rest: \"A\"", "\"A\")", "there is no graph"),
        (
            "\"A\"",
            "(\"A ->\", 1.0)",
            "events: [(at: 1, add: {\"A\": 1}, rest: \"A\")]",
            "\"A\")]",
            "there is no graph",
        ),
        ("\"A\"", "(\"A ->\", 1.0)", "events: [(at: 1, nodes: {\"A\": [1]})]", "{\"A\"", "there is no graph"),
        (
            "\"A\"",
            "(\"A ->\", 1.0)",
            "initial: Nodes(states: {}, rest: \"A\")",
            "Nodes(",
            "states of single nodes need a graph",
        ),
        ("\"A\"", "(\"A ->\", 1.0)", "volume: 0.0", "0.0),", "`0` is out of range"),
        ("\"A\"", "(\"A ->\", 1.0)", "initial: {\"B\": 3}", "\"B\"", "unknown species `B`"),
        ("\"A\"", "(\"A ->\", 1.0)", "initial: {\"A\": 1e17}", "{\"A\"", "100000000000000000 molecules"),
        ("\"A\"", "(\"A ->\", 1.0)", "wall: 3", "wall", "unknown field `wall`"),
    ] {
        let text = format!("(reactions: (species: [{species}], rules: [{rule}], {rest}), stop: [Silent])");
        let error = plan(&text).unwrap_err();
        assert!(error.message().contains(message), "{error}");
        let column = text.find(part).map(|at| at as u32 + 1);
        assert_eq!((error.line(), error.column()), (Some(1), column), "{error}");
    }
    for (reactions, rest, message) in [
        ("rules: [(\"S -> 2 S\", 1.0)], initial: {\"S\": 9}", "", "1 node become 2 nodes"),
        ("rules: [(\"S -> I\", \"S * 2\")], initial: {\"S\": 9}", "", "is the propensity of a whole vessel"),
        (
            "rules: [], initial: {\"S\": 8}",
            "",
            "states at the start are given for 8 nodes, but the graph has 9",
        ),
        (
            "rules: [], initial: {\"S\": 10}, rest: \"I\"",
            "",
            "states at the start are given for 10 nodes, but the graph has 9",
        ),
        ("rules: [], rest: \"X\"", "", "unknown species `X`"),
        ("rules: [], initial: Nodes(states: {\"I\": [9]}, rest: \"S\")", "", "there is no node 9"),
        (
            "rules: [], initial: Nodes(states: {\"I\": [1], \"S\": [1]}, rest: \"S\")",
            "",
            "node 1 is given two states",
        ),
        ("rules: [], rest: \"S\", initial: Nodes(states: {}, rest: \"S\")", "", "is written twice"),
        ("rules: [], initial: Edges(states: {}, rest: \"S\")", "", "unknown word `Edges`"),
        ("rules: [], rest: \"S\", events: [(at: 1, add: {\"I\": 2})]", "", "the changes add up to 2"),
        ("rules: [], rest: \"S\", events: [(at: 1, set: {\"I\": 2})]", "", "no state is given"),
        (
            "rules: [], rest: \"S\", events: [(at: 1, set: {\"S\": 2}, rest: \"S\")]",
            "",
            "is also the state that takes the difference",
        ),
        ("rules: [], rest: \"S\", events: [(at: 1, nodes: {\"I\": [9]})]", "", "there is no node 9"),
        (
            "rules: [], rest: \"S\", events: [(at: 0, set: {\"I\": 10}, rest: \"S\")]",
            "",
            "event 1 cannot happen",
        ),
        ("rules: [], rest: \"S\", volume: 2", "", "nodes of a graph have no volume"),
        ("rules: [], rest: \"S\"", "observe: (mean_field: true)", "is not available on a graph"),
    ] {
        let text = format!(
            "(reactions: (species: [\"S\", \"I\"], {reactions}), topology: Ring(nodes: 9), stop: [Time(1)], {rest})"
        );
        let error = plan(&text).unwrap_err();
        assert!(error.message().contains(message), "{error}");
    }
    let other =
        "(reactions: (species: [\"S\"], rules: []), topology: File(path: \"g.txt\"), stop: [Time(1)])";
    assert!(plan(other).unwrap_err().message().contains("g.txt"));
    let endless = plan("(reactions: (species: [\"A\"], rules: []))").unwrap_err();
    assert!(endless.message().contains("no end"), "{endless}");
    let unknown = plan(&decay("stop: [Counts(\"B > 0\")]")).unwrap_err();
    assert_eq!((unknown.line(), unknown.column()), (Some(3), Some(18)), "{unknown}");
    let zero = plan(&decay("stop: [Silent], observe: (counts_every: Reactions(0))")).unwrap_err();
    assert!(zero.message().contains("a distance of 0"), "{zero}");
}

/// Regression: each of these numbers caused a panic during the run or wrong results.
#[test]
fn numbers_at_their_limits_are_refused_where_they_stand() {
    let text = |rules: &str, volume: &str, rest: &str| {
        format!(
            "(\n reactions: (species: [\"A\", \"B\"],\n rules: [{rules}],\n {volume} initial: {{\"A\": 50}}),\n {rest})"
        )
    };
    let usual = "(\"A ->\", 1.0)";
    for (rules, volume, rest, line, message, accepted) in [
        (usual, "", "stop: [Time(1e301)]", 5, "a time of 1e301", "at most 1e300"),
        (usual, "", "stop: [Silent], limits: (time: 2e300)", 5, "a time of 2e300", "at most 1e300"),
        (
            "(\"A ->\", 1e-300)",
            "",
            "stop: [Silent]",
            3,
            "the rate 1e-300 of a reaction of 1 reactant in a volume of 1 gives 1e-300 ",
            "1e-280 to 1e230",
        ),
        (
            "(\"A -> B\", 1.0), (\"A ->\", 5e-324)",
            "",
            "stop: [Silent]",
            3,
            "the rate 5e-324",
            "1e-280 to 1e230",
        ),
        (
            "(\"3 A ->\", 1.0)",
            "volume: 1e-155,",
            "stop: [Silent]",
            3,
            "3 reactants in a volume of 1e-155 gives inf",
            "times V^2",
        ),
        (
            "(\"2 A ->\", 1e-200)",
            "volume: 1e155,",
            "stop: [Silent]",
            3,
            "2 reactants in a volume of 1e155 gives 0 ",
            "times V^1",
        ),
        (
            "(\"A ->\", 1e308), (\"A -> B\", 1e308)",
            "",
            "stop: [Silent]",
            3,
            "the rate 1e308",
            "0, or 1e-280 to 1e230",
        ),
    ] {
        let error = plan(&text(rules, volume, rest)).unwrap_err();
        assert_eq!(error.line(), Some(line), "{error}");
        let said = error.to_string();
        assert!(said.contains(message) && said.contains(accepted), "{said}");
    }
    // A reaction that changes nothing or never happens may have any rate.
    for rules in ["(\"A ->\", 1.0), (\"A -> A\", 1e300)", "(\"A ->\", 1.0), (\"3 B ->\", 0.0)"] {
        assert_eq!(word(&run(&text(rules, "volume: 1e-155,", "stop: [Silent]"), 1)).0, "silent");
    }
    // Values exactly at the limits.
    for (rules, rest) in [
        ("(\"A ->\", 1e-280)", "stop: [Silent]"),
        ("(\"A ->\", 1e230)", "stop: [Silent]"),
        ("(\"A ->\", 1e-280)", "stop: [Time(1e300)], observe: (counts_every: Time(1e299))"),
        ("(\"A ->\", 1e230)", "stop: [Time(1.0)], observe: (counts_every: Time(1e-300))"),
    ] {
        let finished = run(&text(rules, "", rest), 1);
        assert_eq!((word(&finished).1, figure(&finished, "states.A")), (Exit::Done, 0.0), "{rules}, {rest}");
    }
    // Two equal rates are equally likely, however large they are.
    let text = text("(\"A -> B\", 1e230), (\"A ->\", 1e230)", "", "stop: [Silent]");
    let taken: f64 = (0..40).map(|seed| figure(&run(&text, seed), "states.B")).sum();
    assert!((taken - 1000.0).abs() < 5.0 * 500.0_f64.sqrt(), "{taken} of 2000");
}

/// Means over repetitions against closed formulas: S' = -2 (1 - 1 / (1 + t)) S for a rate that depends on time, and a
/// pulse.
#[test]
fn rates_in_quotes_parameters_and_events_are_those_of_the_scenario() {
    let text = r#"(
        reactions: (
            species: ["S", "P", "A", "B", "C"],
            rules: [
                ("S -> P", MassAction("k * t / (1 + t)")),
                ("A + B <-> C", 2.0, 1.0),
                ("-> P", "k * (t >= 1)"),
            ],
            parameters: {"k": 2},
            initial: {"S": 1000, "A": 1},
            events: [(at: 1.5, set: {"S": 500}, add: {"P": 100000})],
        ),
        stop: [Time(2.5)],
        observe: (counts_every: Time(0.5)),
    )"#;
    let finished = run(text, 3);
    let rows: Vec<(f64, Vec<u64>)> =
        finished.series.as_ref().unwrap().rows().map(|row| (row.time, row.counts.to_vec())).collect();
    let times: Vec<f64> = rows.iter().map(|row| row.0).collect();
    assert_eq!(times, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]);
    // The row at the time of the event has the counts after it.
    assert_eq!(rows[3].1[0], 500);
    assert!(rows[2].1[1] < 1000 && rows[3].1[1] >= 100_000, "{rows:?}");
    let left = |from: f64, to: f64| (-2.0 * ((to - from) - ((1.0 + to) / (1.0 + from)).ln())).exp();
    for (molecules, row, from, to) in [(1000.0, 2, 0.0, 1.0), (500.0, 5, 1.5, 2.5)] {
        let share = left(from, to);
        let (mean, deviation) = (molecules * share, (molecules * share * (1.0 - share)).sqrt());
        let found = rows[row].1[0] as f64;
        assert!((found - mean).abs() < 6.0 * deviation, "{found} where {mean} was expected");
    }
    assert_eq!(word(&finished), ("elapsed".to_owned(), Exit::Done));
}

#[test]
fn a_rate_that_is_wrong_ends_the_run() {
    let text = r#"(reactions: (species: ["A"], rules: [("-> A", "2.5 - A")]), stop: [Time(1e3)])"#;
    let finished = run(text, 1);
    assert_eq!(word(&finished), ("invalid".to_owned(), Exit::Failed));
    let reason = &finished.record.outcome().reason;
    assert_eq!(reason, "the rate `2.5 - A` is -0.5 (accepted: 0 to 10^300)");
}

/// Nodes infect each neighbour at rate 2 and recover at rate 1. If one of two nodes is infected, the other becomes
/// infected with probability 2 / 3. The rate of recovery is the same on a ring and on a graph with hubs.
#[test]
fn nodes_of_a_graph_react_with_their_neighbours() {
    let text = |topology: &str, rest: &str| {
        format!(
            r#"(
                reactions: (
                    species: ["S", "I", "R"],
                    rules: [("S + I -> I + I", MassAction("beta")), ("I -> R", 1.0)],
                    parameters: {{"beta": 2.0}},
                    {rest}
                ),
                topology: {topology},
                stop: [Silent],
            )"#
        )
    };
    let pair = plan(&text("Complete(nodes: 2)", "initial: {\"I\": 1}, rest: \"S\"")).unwrap();
    let job = |seed| Job { seed, repetition: 0, watch: &Unwatched, record: None };
    let runs = 10_000_u32;
    let hit = (0..runs).filter(|&seed| {
        let finished = pair.run(&job(seed.into())).unwrap();
        assert_eq!(figure(&finished, "work.nodes"), 2.0);
        figure(&finished, "states.R") == 2.0
    });
    let share = hit.count() as f64 / f64::from(runs);
    assert!((share - 2.0 / 3.0).abs() < 5.0 * (2.0_f64 / 9.0 / f64::from(runs)).sqrt(), "{share}");
    // All nodes of a ring or of a star start infected: after 0.5 a share of e^-0.5 is left.
    for topology in ["Ring(nodes: 10000)", "BarabasiAlbert(nodes: 10000, links: 3)"] {
        let written = text(topology, "rest: \"I\"").replace("Silent", "Time(0.5)");
        let left = figure(&run(&written, 1), "states.I");
        assert!((left - 6065.3).abs() < 5.0 * 48.9, "{topology}: {left}");
    }
    let drawn = plan(&text("Gnp(nodes: 100, probability: 0.1)", "initial: {\"I\": 5}, rest: \"S\"")).unwrap();
    let digest = |seed| support::figure(&drawn.run(&job(seed)).unwrap().record, "digest.configuration");
    assert!(digest(1) == digest(1) && digest(1) != digest(2));
    let shown = drawn.header().parameters.clone();
    assert!(shown.iter().any(|(name, value)| name == "start" && value == "S 95, I 5"), "{shown:?}");
}

/// The plan of a scenario in a folder with these graph files.
fn plan_beside(files: &[(&str, &str)], text: &str) -> Result<ReactionPlan, DocumentError> {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    let ScenarioFile::Reactions(document) = ScenarioFile::parse(text, "graph.ron", &[])? else {
        panic!("a scenario of reactions")
    };
    ReactionPlan::within(&Catalogue::shipped(), &document, folder.path(), 1 << 30)
}

/// Node a infects the others along edges of weight 1/2 and 2, or they infect a, or both. Each node is the first
/// infected one with probability 1/3.
#[test]
fn weights_and_directions_of_a_file_have_the_law_of_the_master_equation() {
    let files = [
        ("star.csv", "from,to,weight\na,b,0.5\na,c,2\n"),
        ("star.dot", "digraph { a -> b [weight=0.5]; a -> c [weight=2]; }"),
        ("star.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n1 3 2\n"),
        ("plain.edges", "a b\na c\n"),
    ];
    let stays = |rate: f64| (-rate).exp();
    // Two consecutive steps at these rates.
    let both = |one: f64, two: f64| 1.0 - (two * stays(one) - one * stays(two)) / (two - one);
    let fan = |one: f64, two: f64| (1.0 - stays(one)) * (1.0 - stays(two));
    // The probabilities that one node is infected at time 1, and that all are.
    let forward = [(stays(2.5) + 2.0) / 3.0, fan(0.5, 2.0) / 3.0];
    let backward = [(1.0 + stays(0.5) + stays(2.0)) / 3.0, 0.0];
    let either = [(stays(2.5) + stays(0.5) + stays(2.0)) / 3.0, (fan(0.5, 2.0) + 2.0 * both(0.5, 2.0)) / 3.0];
    let equal = [(stays(2.0) + 2.0) / 3.0, fan(1.0, 1.0) / 3.0];
    let alike = 1.0 - 3.0 * stays(2.0);
    let products = [(stays(4.0) + 2.0 * stays(2.0)) / 3.0, (fan(2.0, 2.0) + 2.0 * alike) / 3.0];
    for (file, fields, expected) in [
        ("star.csv", "weights: Column, direction: Forward", forward),
        ("star.dot", "weights: Column, direction: Forward", forward),
        ("star.mtx", "weights: Column, direction: Forward", forward),
        ("star.csv", "weights: Column, direction: Backward", backward),
        ("star.dot", "weights: Column", either),
        ("plain.edges", "direction: Forward", equal),
        ("plain.edges", "weights: DegreeProduct", products),
    ] {
        let text = format!(
            "(reactions: (species: [\"S\", \"I\"], rules: [(\"I + S -> I + I\", 1.0)], initial: {{\"I\": 1}}, rest: \"S\", \
             {fields}), topology: File(path: \"{file}\"), stop: [Time(1.0)])"
        );
        let plan = plan_beside(&files, &text).unwrap_or_else(|error| panic!("{error}"));
        let runs = 20_000_u32;
        let mut found = [0_u32; 2];
        for seed in 0..runs {
            let job = Job { seed: seed.into(), repetition: 0, watch: &Unwatched, record: None };
            let infected = figure(&plan.run(&job).unwrap(), "states.I");
            found[0] += u32::from(infected == 1.0);
            found[1] += u32::from(infected == 3.0);
        }
        for (found, expected) in found.into_iter().zip(expected) {
            let share = f64::from(found) / f64::from(runs);
            let error = 5.5 * (expected * (1.0 - expected) / f64::from(runs)).sqrt();
            assert!(
                (share - expected).abs() <= error,
                "{file}, {fields}: {share} where {expected} was expected"
            );
        }
    }
}

/// The hub infects each leaf at rate t times the weight of its edge: leaf b stays susceptible with probability
/// exp(-t²/4), c with exp(-t²). An event infects a third leaf at time 1, and another one heals all at time 2.
#[test]
fn names_of_a_file_rates_of_time_and_events_have_their_closed_formulas() {
    let files = [("star.csv", "from,to,weight\nhub,b,0.5\nhub,c,2\nhub,d,0\n")];
    let text = |time: f64| {
        format!(
            r#"(
                reactions: (
                    species: ["S", "I"],
                    rules: [("I + S -> I + I", MassAction("t"))],
                    initial: Nodes(states: {{"I": ["hub"]}}, rest: "S"),
                    weights: Column,
                    direction: Forward,
                    events: [(at: 1.0, nodes: {{"I": ["d"]}}), (at: 2.0, set: {{"I": 0}}, rest: "S")],
                ),
                topology: File(path: "star.csv"),
                stop: [Time({time})],
            )"#
        )
    };
    let plan = plan_beside(&files, &text(0.8)).unwrap_or_else(|error| panic!("{error}"));
    let shown = plan.header().parameters.clone();
    assert!(shown.iter().any(|(name, value)| name == "start" && value == "S 3, I 1"), "{shown:?}");
    assert!(shown.iter().any(|(name, value)| name == "events" && value == "2"), "{shown:?}");
    let runs = 20_000_u32;
    let infected = |plan: &ReactionPlan, seed: u32| {
        let job = Job { seed: seed.into(), repetition: 0, watch: &Unwatched, record: None };
        figure(&plan.run(&job).unwrap(), "states.I") as usize
    };
    let mut found = [0_u32; 5];
    (0..runs).for_each(|seed| found[infected(&plan, seed)] += 1);
    let (b, c) = ((-0.5 * 0.32_f64).exp(), (-2.0 * 0.32_f64).exp());
    for (count, exact) in [(1, b * c), (2, b * (1.0 - c) + c * (1.0 - b)), (3, (1.0 - b) * (1.0 - c))] {
        let share = f64::from(found[count]) / f64::from(runs);
        let error = 5.5 * (exact * (1.0 - exact) / f64::from(runs)).sqrt();
        assert!((share - exact).abs() < error, "{count}: {share} where {exact} was expected");
    }
    let at = |time: f64| plan_beside(&files, &text(time)).unwrap();
    assert!((0..50).all(|seed| infected(&at(1.0), seed) >= 2 && infected(&at(0.99), seed) <= 3));
    assert_eq!(infected(&at(2.5), 1), 0);
}

#[test]
fn graph_files_that_do_not_fit_are_refused() {
    let files = [("pair.edges", "a b 1e-300\n")];
    for (fields, topology, place, message) in [
        ("weights: Column", "Ring(nodes: 3)", "Column", "the edges of this graph have no weights"),
        (
            "direction: Forward",
            "Complete(nodes: 3)",
            "Forward",
            "weights and directions do not apply to Complete, where all pairs of nodes react at the same rate",
        ),
        ("weights: Column", "File(path: \"pair.edges\")", "Column", "edge 0 has the weight 1e-300"),
        ("rest: \"S\"", "File(path: \"none.edges\")", "\"none", "none.edges"),
        (
            "direction: Forward",
            "Contacts(path: \"t.tsv\", format: Intervals, rounds_per_step: 4)",
            "Contacts",
            "reactions happen in continuous time on a graph that does not change",
        ),
    ] {
        let text = format!(
            "(reactions: (species: [\"S\", \"I\"], rules: [(\"S + I -> I + I\", 1.0)], initial: {{\"S\": 2}}, \
             {fields}), stop: [Time(1.0)],\n topology: {topology})"
        );
        let text = text.replace("\"S\": 2", if topology.contains("pair") { "\"S\": 2" } else { "\"S\": 3" });
        let error = plan_beside(&files, &text).unwrap_err();
        assert!(error.message().contains(message), "{topology}: {error}");
        let column = text.lines().last().filter(|line| line.contains(place)).unwrap_or(&text).find(place);
        assert_eq!(error.column(), column.map(|at| at as u32 + 1), "{topology}: {error}");
    }
    let error =
        plan("(reactions: (species: [\"A\"], rules: [], direction: Forward), stop: [Silent])").unwrap_err();
    assert!(error.message().contains("there is no graph"), "{error}");
}
