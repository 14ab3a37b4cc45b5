//! Tests of scenarios of uniform pairs: results and refusals.

use acrasin_scenario::Runnable as _;
use std::path::Path;

use acrasin_report::record::Exit;
use acrasin_report::value::Value;
use acrasin_scenario::{Catalogue, Document, DocumentError, Finished, Job, Plan, UniformPlan, Unwatched};

use crate::support;

const MEMORY: u64 = 1 << 30;

fn text(agents: &str, start: &str, rest: &str) -> String {
    format!(
        "(\n  topology: Complete(nodes: {agents}),\n  scheduler: UniformPairs,\n  work: Interactions(\n    protocol: \
         Library(name: \"approximate-majority\"),\n    initial: {start},\n  ),\n  {rest}\n)"
    )
}

fn plan(text: &str) -> Result<UniformPlan, DocumentError> {
    let document = Document::parse(text, "pairs.ron")?;
    assert!(UniformPlan::is_meant(&Catalogue::shipped(), &document));
    UniformPlan::within(&Catalogue::shipped(), &document, Path::new(""), MEMORY)
}

fn run(plan: &UniformPlan, seed: u64) -> Finished {
    plan.run(&Job { seed, repetition: 0, watch: &Unwatched, record: None }).unwrap()
}

fn figure(finished: &Finished, path: &str) -> String {
    match support::figure(&finished.record, path) {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text,
        other => panic!("{path}: {other:?}"),
    }
}

/// The figures of the exact Markov chain (section 6 of the catalogue of oracles): n = 20, 12 agents in A.
#[test]
fn twenty_agents_agree_as_the_exact_chain_says() {
    let plan = plan(&text("20", "Counts({\"A\": 12, \"B\": 8})", "stop: [OutputsAgree]")).unwrap();
    let runs = 20_000;
    let (mut right, mut interactions) = (0_u32, 0_u64);
    for seed in 0..runs {
        let finished = run(&plan, seed);
        assert_eq!(finished.record.outcome().word, "agreed");
        right += u32::from(figure(&finished, "states.A") == "20");
        interactions += figure(&finished, "work.interactions").parse::<u64>().unwrap();
    }
    let share = f64::from(right) / runs as f64;
    assert!((share - 0.942_630).abs() < 5.0 * (0.9426 * 0.0574 / runs as f64).sqrt(), "{share}");
    let mean = interactions as f64 / runs as f64;
    // The standard deviation of one run is about 40 interactions.
    assert!((mean - 86.3737).abs() < 5.0 * 40.0 / (runs as f64).sqrt(), "{mean}");
}

#[test]
fn a_billion_agents_agree_and_the_record_names_the_law() {
    let plan = plan(&text("1e9", "Shares({\"A\": 0.51, \"B\": 0.49})", "stop: [OutputsAgree]")).unwrap();
    let finished = run(&plan, 1);
    assert_eq!(figure(&finished, "states.A"), "1000000000");
    assert!(figure(&finished, "work.law").contains("uniformly random ordered pair"));
    assert_eq!(figure(&finished, "topology.nodes"), "1000000000");
    let series = finished.series.unwrap();
    let times: Vec<f64> = series.rows().map(|row| row.time).collect();
    assert_eq!(times[..4], [0.0, 0.1, 0.2, 0.3]);
    assert!(series.rows().all(|row| row.counts.iter().sum::<u64>() == 1_000_000_000));
}

#[test]
fn how_often_counts_are_recorded_changes_nothing() {
    let end = |every: &str| {
        let rest = format!("stop: [Counts(\"B == 0\")], {every}");
        let finished = run(&plan(&text("3e5", "Shares({\"A\": 0.6, \"B\": 0.4})", &rest)).unwrap(), 5);
        (figure(&finished, "work.interactions"), figure(&finished, "digest.configuration"))
    };
    let plain = end("");
    for every in ["1e4", "77777", "1e9"] {
        assert_eq!(end(&format!("observe: (counts_every: Interactions({every}))")), plain, "{every}");
    }
}

/// Samples that would be thinned out are not taken; the kept samples are the same.
#[test]
fn a_long_run_has_the_rows_of_one_that_is_looked_at_everywhere() {
    let rest =
        |every: &str| format!("stop: [Interactions(3e5)], observe: (counts_every: Interactions({every}))");
    let start = "Counts({\"A\": 30, \"B\": 30})";
    let long = run(&plan(&text("60", start, &rest("10"))).unwrap(), 2);
    let interval = figure(&long, "counts.kept_every").parse::<u64>().unwrap();
    assert!(interval > 4 && figure(&long, "counts.samples") == "30001", "{interval}");
    let coarse = run(&plan(&text("60", start, &rest(&(10 * interval).to_string()))).unwrap(), 2);
    let rows = |finished: Finished| -> Vec<_> {
        finished.series.unwrap().rows().map(|row| (row.time, row.counts.clone())).collect()
    };
    assert_eq!(rows(long), rows(coarse));
}

#[test]
fn silence_without_a_goal_ends_the_run() {
    let counts = "Counts({\"A\": 50})";
    let finished = run(&plan(&text("50", counts, "stop: [Counts(\"B > 0\")]")).unwrap(), 1);
    assert_eq!(
        (finished.record.outcome().word.as_str(), finished.record.outcome().exit),
        ("quiet", Exit::Failed)
    );
    let rest = "stop: [Counts(\"B > 0\")], limits: (interactions: 1e15)";
    let finished = run(&plan(&text("50", counts, rest)).unwrap(), 1);
    assert_eq!(
        (finished.record.outcome().word.as_str(), finished.record.outcome().exit),
        ("limit", Exit::BudgetExhausted)
    );
    let rest = "stop: [Interactions(1e17)]";
    let finished = run(&plan(&text("50", counts, rest)).unwrap(), 1);
    assert_eq!(figure(&finished, "work.interactions"), "100000000000000000");
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    let start = "Counts({\"A\": 12, \"B\": 8})";
    let end = "stop: [Silent]";
    for (text, place, message, accepted) in [
        (text("1", "All(\"A\")", end), (2, 29), "1 agent", "2 to 9007199254740992"),
        (text("1e16", "All(\"A\")", end), (2, 29), "10000000000000000 agents", "2 to 9007199254740992"),
        (
            text("21", start, end),
            (6, 14),
            "the counts add up to 20, but there are 21 nodes",
            "counts that add up to 21; or rest: \"…\" after them, the state of all others",
        ),
        (
            text("20", "Shares({\"A\": 0.5})", end),
            (6, 14),
            "the shares add up to 0.5",
            "shares that add up to 1",
        ),
        (text("20", "All(\"C\")", end), (6, 18), "unknown state `C`", "A, B, U"),
        (
            text("20", "Nodes(states: {\"A\": [1]}, rest: \"B\")", end),
            (6, 14),
            "under uniform pairs the agents have no numbers: every two agents can interact",
            "Counts({…}), Counts({…}, rest: \"…\"), Shares({…}) or All(\"…\")",
        ),
        (
            text("20", start, "stop: [Rounds(5)]"),
            (8, 10),
            "uniform pairs have neither rounds nor Locks",
            "OutputsAgree, OutputsStable, Silent, Counts(\"…\") or Interactions(…)",
        ),
        (
            text("20", start, "stop: [Silent], lock: (rules: Published)"),
            (8, 25),
            "uniform pairs have no locks, no messages, no rounds and no changes of the graph",
            "omit this field; or another scheduler",
        ),
        (
            text("20", start, "stop: [Silent], rung: F3"),
            (8, 25),
            "uniform pairs run on rung F0, but the rung here is F3",
            "F0, or omit this field",
        ),
        (
            text("20", start, "stop: [Silent], observe: (counts_every: Rounds(1))"),
            (8, 43),
            "uniform pairs have neither rounds nor steps",
            "Interactions(…)",
        ),
        (
            text("20", start, "stop: [Silent]")
                .replace("Complete(nodes: 20)", "Gnp(nodes: 20, probability: 0)"),
            (2, 13),
            "the graph has no edges, so no agents ever interact",
            "a graph with an edge",
        ),
        (
            text("20", start, "seed: 1"),
            (1, 1),
            "the run has no end: neither a stop condition nor a limit is given",
            "stop: [Rounds(1e6)] or limits: (rounds: 1e6), for example",
        ),
    ] {
        let error = plan(&text).unwrap_err();
        let found =
            (error.line(), error.column(), error.message().to_owned(), error.accepted().map(str::to_owned));
        let expected = (Some(place.0), Some(place.1), message.to_owned(), Some(accepted.to_owned()));
        assert_eq!(found, expected, "{text}");
    }
}

/// A field of a file can be replaced by `--set`, but not removed: its default is accepted, and an error names it.
#[test]
fn fields_of_locks_can_be_left_out_by_their_defaults() {
    let with = |rest: &str| text("20", "All(\"A\")", &format!("stop: [Silent], {rest}"));
    for (written, without) in [
        ("ports: 40", "ports=Auto"),
        ("lock: (rules: Published)", "lock=()"),
        ("fairness: Within(20_000)", "fairness=Auto"),
        ("disturbances: [Churn(rate: 0.1)]", "disturbances=[]"),
        ("limits: (steps: 9)", "limits=()"),
        ("observe: (counts_every: Rounds(1))", "observe=()"),
    ] {
        let error = plan(&with(written)).unwrap_err();
        assert_eq!(error.hint(), Some(&*format!("--set '{without}' leaves it out")), "{error}");
        let (field, value) = without.split_once('=').unwrap();
        let set = [(field.to_owned(), value.to_owned())];
        let document = Document::parse_with(&with(written), "pairs.ron", &set).unwrap();
        UniformPlan::within(&Catalogue::shipped(), &document, Path::new(""), MEMORY)
            .unwrap_or_else(|error| panic!("{written}: {error}"));
    }
}

/// Fields that need locks are refused under uniform pairs, and rung F0 needs uniform pairs.
#[test]
fn locks_and_uniform_pairs_are_kept_apart() {
    let document = Document::parse(&text("20", "All(\"A\")", "stop: [Silent]"), "pairs.ron").unwrap();
    let error = Plan::new(&document, Path::new("")).unwrap_err();
    assert!(error.message().starts_with("uniform pairs have no locks"), "{error}");
    let locked = text("20", "All(\"A\")", "stop: [Silent], rung: F0").replace("UniformPairs", "Sequential");
    let error = Plan::new(&Document::parse(&locked, "pairs.ron").unwrap(), Path::new("")).unwrap_err();
    assert_eq!(error.message(), "rung F0 has no locks, but this scheduler needs them");
}

fn on(topology: &str, protocol: &str, start: &str, rest: &str) -> String {
    format!(
        "(topology: {topology}, scheduler: UniformPairs, work: Interactions(protocol: {protocol}, initial: {start}), \
         {rest})"
    )
}

/// By the formula in the file, two tokens on a ring of n meet after (n/4)(d(n-d) + n-1) interactions.
#[test]
fn tokens_on_a_ring_meet_as_the_formula_says() {
    let protocol = "Table(states: [\"0\", \"T\"], rules: [Symmetric(\"T + 0 -> 0 + T\"), Ordered(\"T + T -> T + 0\")], \
                    default: Null)";
    let start = "Nodes(states: {\"T\": [0, 5]}, rest: \"0\")";
    let plan = plan(&on("Ring(nodes: 12)", protocol, start, "stop: [Counts(\"T == 1\")]")).unwrap();
    let runs = 4000;
    let times = (0..runs).map(|seed| figure(&run(&plan, seed), "work.interactions").parse::<f64>().unwrap());
    let (sum, squares) = times.fold((0.0, 0.0), |(sum, squares), time| (sum + time, squares + time * time));
    let mean = sum / runs as f64;
    let deviation = ((squares / runs as f64 - mean * mean) / runs as f64).sqrt();
    assert!((mean - 138.0).abs() < 5.0 * deviation, "{mean}, {deviation}");
}

/// Counts would never show silence: the two leaders are not neighbours and never meet.
#[test]
fn on_a_graph_silence_is_seen_edge_by_edge() {
    let protocol = "Library(name: \"fratricide\")";
    let start = "Nodes(states: {\"L\": [0, 2]}, rest: \"F\")";
    let text = on("Path(nodes: 4)", protocol, start, "stop: [Silent], limits: (interactions: 1e6)");
    let finished = run(&plan(&text).unwrap(), 1);
    assert_eq!(finished.record.outcome().word, "silent");
    assert!(figure(&finished, "work.law").starts_with("uniform edges"));
    assert_eq!(figure(&finished, "topology.edges"), "3");
}

#[test]
fn a_drawn_graph_is_another_one_for_every_seed_and_each_run_is_repeated() {
    let text = on(
        "RandomRegular(nodes: 1000, degree: 8)",
        "Library(name: \"two-way-epidemic\")",
        "Counts({\"I\": 1, \"S\": 999})",
        "stop: [Silent]",
    );
    let plan = plan(&text).unwrap();
    let ends: Vec<String> = (0..6).map(|seed| figure(&run(&plan, seed), "work.interactions")).collect();
    assert!(ends.iter().any(|end| *end != ends[0]));
    assert_eq!(ends[3], figure(&run(&plan, 3), "work.interactions"));
}

/// For n = 20 the time is 78.0 under neighbourhood locks, not 86.4. A note says that it is not the time of the textbook
/// model.
#[test]
fn locks_on_the_complete_graph_say_that_their_time_has_another_law() {
    let locked = text("20", "Counts({\"A\": 12, \"B\": 8})", "stop: [OutputsAgree]")
        .replace("UniformPairs", "Sequential");
    let notes = |text: &str| -> Vec<String> {
        Plan::new(&Document::parse(text, "pairs.ron").unwrap(), Path::new(""))
            .unwrap()
            .header()
            .notes
            .as_slice()
            .to_vec()
    };
    assert!(
        notes(&locked).iter().any(|note| note.contains("(scheduler: UniformPairs)")),
        "{:?}",
        notes(&locked)
    );
    assert!(notes(&locked.replace("Complete", "Ring")).is_empty());
}

/// On the complete graph the default scheduler is the textbook model if no field is about locks. Fields about locks
/// need a scheduler.
#[test]
fn on_the_complete_graph_uniform_pairs_are_meant_where_no_scheduler_is_written() {
    let named = text("20", "Counts({\"A\": 12, \"B\": 8})", "seed: 4, stop: [OutputsAgree]");
    let unnamed = named.replace("  scheduler: UniformPairs,\n", "");
    assert_ne!(named, unnamed);
    let document = Document::parse(&unnamed, "pairs.ron").unwrap();
    assert!(
        UniformPlan::is_meant(&Catalogue::shipped(), &document)
            && document.text().contains("scheduler: UniformPairs")
    );
    // The effective text contains the default, so it gives the same scenario when read again.
    assert_eq!(Document::parse(document.text(), "pairs.ron").unwrap().scenario(), document.scenario());
    let ends = [&named, &unnamed].map(|text| {
        let finished = run(&plan(text).unwrap(), 4);
        (
            figure(&finished, "digest.configuration"),
            figure(&finished, "work.law"),
            figure(&finished, "work.interactions"),
        )
    });
    assert_eq!(ends[0], ends[1]);
    assert!(ends[0].1.starts_with("uniform pairs"), "{}", ends[0].1);
    assert!(UniformPlan::is_meant(
        &Catalogue::shipped(),
        &Document::parse(&unnamed.replace("seed: 4", "rung: F0"), "pairs.ron").unwrap()
    ));
    // Errors keep their places.
    let error = plan(&unnamed.replace("\"A\": 12", "\"A\": 11")).unwrap_err();
    assert_eq!(
        (error.line(), error.message()),
        (Some(5), "the counts add up to 19, but there are 20 nodes"),
        "{error}"
    );
    for needs_locks in
        ["rung: F4", "rung: F1", "lock: (rules: Repaired)", "exclusion: Local", "ports: 19", "fairness: Auto"]
    {
        let text = unnamed.replace("seed: 4", needs_locks);
        let error = Document::parse(&text, "pairs.ron").unwrap_err();
        assert_eq!(error.message(), "missing field `scheduler`", "{needs_locks}");
    }
    for other in [
        unnamed.replace("Complete(nodes: 20)", "Ring(nodes: 20)"),
        "(topology: Complete(nodes: 9), work: Locks(each: 1))".to_owned(),
    ] {
        assert_eq!(
            Document::parse(&other, "pairs.ron").unwrap_err().message(),
            "missing field `scheduler`",
            "{other}"
        );
    }
    // Regression: an error about the missing scheduler hid a misspelt graph.
    for (graph, meant) in
        [("Complte(nodes: 20)", "Complete"), ("Rng(nodes: 20)", "Ring"), ("Fil(path: \"x\")", "File")]
    {
        let error = Document::parse(&unnamed.replace("Complete(nodes: 20)", graph), "pairs.ron").unwrap_err();
        let name = graph.split('(').next().unwrap();
        assert_eq!(error.message(), format!("unknown name `{name}`"));
        assert_eq!(error.hint(), Some(&*format!("did you mean `{meant}`?")));
        assert!(error.line().is_some() && error.column().is_some(), "{error}");
    }
    let far = Document::parse(&unnamed.replace("Complete(nodes: 20)", "Village(nodes: 20)"), "pairs.ron");
    assert_eq!(far.unwrap_err().message(), "missing field `scheduler`");
    // A written scheduler is kept.
    let locked = named.replace("UniformPairs", "Sequential");
    assert!(!UniformPlan::is_meant(&Catalogue::shipped(), &Document::parse(&locked, "pairs.ron").unwrap()));
}

/// Two sick birds in a flock of five output no like all others until they meet: equal outputs are not final.
#[test]
fn outputs_that_agree_may_change_and_stable_ones_do_not() {
    let birds = |topology: &str, scheduler: &str, stop: &str| {
        let protocol = "Table(states: [\"0\", \"1\", \"2\"], outputs: {\"0\": \"no\", \"1\": \"no\", \"2\": \"yes\"}, \
             rules: [Ordered(\"1 + 1 -> 2 + 2\"), Symmetric(\"2 + 0 -> 2 + 2\"), Symmetric(\"2 + 1 -> 2 + 2\")], default: Null)";
        format!(
            "(topology: {topology}, scheduler: {scheduler}, stop: [{stop}], limits: (interactions: 1e5), \
             work: Interactions(protocol: {protocol}, initial: Counts({{\"0\": 3, \"1\": 2}})))"
        )
    };
    let ended = |text: &str| {
        let finished = run(&plan(text).unwrap(), 3);
        (
            finished.record.outcome().word.clone(),
            figure(&finished, "states.2"),
            figure(&finished, "work.interactions"),
        )
    };
    for topology in ["Complete(nodes: 5)", "Ring(nodes: 5)"] {
        assert_eq!(
            ended(&birds(topology, "UniformPairs", "OutputsAgree")),
            ("agreed".into(), "0".into(), "0".into())
        );
        let (word, yes, at) = ended(&birds(topology, "UniformPairs", "OutputsStable"));
        assert_eq!((word.as_str(), yes.as_str()), ("stable", "5"), "{topology}");
        // The run stops at the exact interaction: one earlier the condition does not hold.
        let at: u64 = at.parse().unwrap();
        let before = birds(topology, "UniformPairs", &format!("Interactions({})", at - 1));
        assert_ne!(ended(&before).1, "5", "{topology}");
        assert_eq!(
            ended(&birds(topology, "UniformPairs", &format!("Interactions({at})"))).1,
            "5",
            "{topology}"
        );
    }
    // A single sick bird cannot change anything, because no agent meets itself.
    let one = birds("Complete(nodes: 5)", "UniformPairs", "OutputsStable")
        .replace("\"0\": 3, \"1\": 2", "\"0\": 4, \"1\": 1");
    assert_eq!(ended(&one), ("stable".into(), "0".into(), "0".into()));
    let locked = birds("Complete(nodes: 5)", "Sequential", "OutputsStable");
    let plan = Plan::new(&Document::parse(&locked, "birds.ron").unwrap(), Path::new("")).unwrap();
    let finished = plan.run(Job { seed: 3, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    assert_eq!(
        (finished.record.outcome().word.as_str(), figure(&finished, "states.2").as_str()),
        ("stable", "5")
    );
}

/// Runs made together have the same records and samples as runs made alone. The endings are agreement, silence, a
/// predicate, a number of interactions and a limit; one population is too large to be run together.
#[test]
fn repetitions_made_together_are_those_made_alone() {
    for (agents, rest, together) in [
        ("1000", "stop: [OutputsAgree]", true),
        ("300", "stop: [Silent], observe: (counts_every: Interactions(77))", true),
        ("300", "stop: [Counts(\"U > 100\"), Interactions(500)]", true),
        ("60", "stop: [OutputsAgree], limits: (interactions: 150)", true),
        ("5000", "stop: [OutputsAgree]", false),
    ] {
        let plan = plan(&text(agents, "Shares({\"A\": 0.55, \"B\": 0.45})", rest)).unwrap();
        assert_eq!(plan.together() > 1, together, "{agents}");
        let runs = 45;
        let job = |seed: u64| Job { seed, repetition: seed as u32, watch: &Unwatched, record: None };
        let jobs: Vec<Job<'_>> = (0..runs).map(job).collect();
        let mut words = Vec::new();
        for (seed, together) in (0..runs).zip(plan.run_together(&jobs)) {
            let (together, alone) = (together.unwrap(), plan.run(&job(seed)).unwrap());
            assert_eq!(together.record, alone.record, "{agents} {rest} {seed}");
            let rows = |finished: &Finished| -> Vec<(f64, Vec<u64>)> {
                finished
                    .series
                    .iter()
                    .flat_map(|s| s.rows())
                    .map(|row| (row.time, row.counts.to_vec()))
                    .collect()
            };
            assert_eq!(rows(&together), rows(&alone), "{agents} {rest} {seed}");
            assert!(rows(&together).len() > 1);
            words.push(figure(&together, "work.interactions"));
        }
        // The runs differ from each other.
        words.dedup();
        assert!(words.len() > 1 || rest.contains("limits"), "{words:?}");
    }
}
