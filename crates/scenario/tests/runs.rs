//! Tests of endings of runs, and of runs as functions of plan and seed.

use acrasin_scenario::Runnable as _;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::support::{digest, ended, figure, number, plan, run, stops};
use acrasin_report::record::{Exit, FigureValue};
use acrasin_report::value::Value;
use acrasin_runtime::choice::derived_seed;
use acrasin_scenario::Document;
use acrasin_scenario::plan::{Finished, Job, Plan, Proceed, Progress, RunControl, Unwatched};
use acrasin_verify::replay::ReplayFile;

const MAJORITY: &str = r#"(
    topology: Torus(rows: 6, columns: 6),
    scheduler: SemiSynchronous(activation: Random(0.5)),
    work: Interactions(
        protocol: Library(name: "approximate-majority"),
        initial: Shares({"A": 0.6, "B": 0.4}),
    ),
    stop: [OutputsAgree],
    limits: (rounds: 100_000),
)"#;

const LOCKS: &str = r#"(
    topology: Triangular(rows: 4, columns: 5),
    scheduler: Asynchronous,
    work: Locks(each: Forever),
    stop: [Locks(60)],
)"#;

/// A scenario in which an adversary adds and removes edges, and pairs are locked.
const STORM: &str = r#"(
    topology: RandomRegular(nodes: 24, degree: 3),
    scheduler: Sequential(adversary: NewestFirst),
    disturbances: [Churn(rate: 1e-3), Swizzle(links: 3, every: 50)],
    work: Interactions(
        protocol: Library(name: "exact-majority"),
        way: PickedPair,
        initial: Counts({"A": 13, "B": 11}),
    ),
    stop: [Interactions(300)],
    limits: (steps: 1e6),
)"#;

/// The published rules on one edge: runs of some seeds deadlock.
const PUBLISHED: &str = r#"(
    topology: Path(nodes: 2),
    lock: (rules: Published),
    scheduler: Sequential,
    work: Locks(each: 1),
)"#;

fn recorded(plan: &Plan, seed: u64, watch: &dyn RunControl) -> (Finished, Vec<u8>) {
    let mut file = Vec::new();
    let job = Job { seed, repetition: 0, watch, record: Some(Box::new(&mut file)) };
    let finished = plan.run(job).unwrap();
    (finished, file)
}

/// A run control that counts how often it is polled.
#[derive(Default)]
struct Counting(AtomicU64);

impl RunControl for Counting {
    fn look(&self, at: &Progress) -> Proceed {
        self.0.fetch_add(1, Ordering::Relaxed);
        assert!(at.fraction.is_none_or(|fraction| (0.0..=1.0).contains(&fraction)), "{at:?}");
        Proceed::Continue
    }
}

#[test]
fn the_same_seed_is_the_same_run_recorded_watched_replayed_or_not() {
    for text in [MAJORITY, LOCKS, STORM, PUBLISHED] {
        let plan = plan(text);
        for seed in [1, 2] {
            let alone = run(&plan, seed);
            let again = run(&crate::support::plan(text), seed);
            assert_eq!(alone.record, again.record);
            assert_eq!(alone.series, again.series);
            let (watched, file) = recorded(&plan, seed, &Counting::default());
            assert_eq!(alone.record, watched.record);
            let opened = ReplayFile::open("run.jsonl", &file[..]).unwrap();
            let header = opened.header().clone();
            assert_eq!(header.seed, seed);
            // The header contains everything that a replay needs.
            let document = Document::parse(&header.scenario, "again.ron").unwrap();
            let plan = Plan::new(&document, ".".as_ref()).unwrap();
            let (replayed, _) = plan.replay(opened, &Unwatched).unwrap();
            assert_eq!(ended(&replayed), ("reproduced", Exit::Done));
            assert_eq!(digest(&replayed), digest(&alone));
            assert_eq!(number(&replayed, "work.steps"), number(&alone, "work.steps"));
            assert_eq!(replayed.report_configuration, alone.report_configuration);
            assert_eq!(figure(&replayed.record, "work.rounds"), Value::Missing);
        }
        assert_ne!(run(&plan, 1).record.body(), run(&plan, 2).record.body(), "another seed is another run");
    }
}

/// A change here is a change of every result and must be in the changelog.
#[test]
fn golden_digests() {
    let digests = [MAJORITY, LOCKS, STORM].map(|text| digest(&run(&plan(text), derived_seed(42, 1))));
    assert_eq!(digests, GOLDEN);
}

const GOLDEN: [&str; 3] = [
    "882c3c1c170d3c9abe67aca77e01d52c",
    "b5c745fc6325b4ab8d418266aadde7fc",
    "4745c748783b05bc425e0ea858427ed5",
];

#[test]
fn a_replay_of_another_run_is_noticed() {
    let plan = plan(LOCKS);
    let (_, file) = recorded(&plan, 5, &Unwatched);
    let replay = |text: &str| {
        let opened = ReplayFile::open("run.jsonl", text.as_bytes()).unwrap();
        plan.replay(opened, &Unwatched).map(|(finished, _)| finished.record.outcome().word.clone())
    };
    let text = String::from_utf8(file).unwrap();
    assert_eq!(replay(&text).unwrap(), "reproduced");
    let cut = &text[..text.trim_end().rfind('\n').unwrap() + 1];
    let error = replay(cut).unwrap_err();
    assert!(error.is_malformed() && error.to_string().contains("cut off"), "{error}");
    let spoilt = text.replacen("[\"lock\",", "[\"unlock\",", 1);
    let error = replay(&spoilt).unwrap_err();
    assert!(!error.is_malformed(), "{error}");
    let digest_at = text.find("\"digest\":\"").unwrap() + 10;
    let other = if text.as_bytes()[digest_at] == b'0' { "1" } else { "0" };
    let forged = format!("{}{other}{}", &text[..digest_at], &text[digest_at + 1..]);
    assert!(replay(&forged).unwrap_err().to_string().contains("digest"));
}

#[test]
fn every_lock_is_served_under_every_scheduler() {
    for scheduler in [
        "Sequential",
        "RoundRobin",
        "SemiSynchronous(activation: Random(0.5))",
        "SemiSynchronous(activation: All)",
        "SemiSynchronous(activation: Adversary(NewestFirst))",
        "SemiSynchronous(activation: Adversary(Starve(node: 3)))",
        "Asynchronous",
        "Sequential(adversary: NewestFirst)",
        "Sequential(adversary: Starve(node: 3))",
        "Sequential(adversary: RandomPriorities(changes: 8))",
        "Asynchronous(adversary: NewestFirst)",
        "Asynchronous(adversary: Starve(node: 0))",
        "Asynchronous(adversary: RandomPriorities(changes: 3))",
    ] {
        for more in [
            "",
            "lock: (lock_set: Pair), ",
            "lock: (self_messages: InMemory), ",
            "disturbances: [Churn(rate: 1e-3)], ",
        ] {
            let text = format!(
                "(topology: Ring(nodes: 9), scheduler: {scheduler}, {more}work: Locks(each: 2), limits: (steps: 1e6))"
            );
            let plan = plan(&text);
            let finished = run(&plan, 11);
            assert_eq!(
                ended(&finished),
                ("served", Exit::Done),
                "{text}\n{}",
                finished.record.outcome().reason
            );
            assert_eq!(number(&finished, "locks.released"), 18, "{text}");
            let adversarial = ["Starve", "Newest", "Priorities"].iter().any(|word| scheduler.contains(word));
            let bounded = finished.record.body().iter().any(|section| section.key() == "fairness");
            assert_eq!(bounded, adversarial, "{text}");
            if scheduler.contains("Starve") {
                let longest = number(&finished, "fairness.longest_turns");
                assert!(longest > 0 && number(&finished, "fairness.bound_turns") > 0, "{text}");
            }
        }
    }
}

#[test]
fn the_published_rules_deadlock_on_one_edge_and_the_repaired_ones_do_not() {
    let published = plan(PUBLISHED);
    let repaired = plan(&PUBLISHED.replace("Published", "Repaired"));
    let mut dead = 0;
    for seed in 0..300 {
        let finished = run(&published, seed);
        match ended(&finished) {
            ("deadlock", Exit::Failed) => {
                dead += 1;
                assert_eq!(finished.record.outcome().reason, "deadlock: no action is enabled");
                let configuration = finished.report_configuration.unwrap();
                assert!(
                    configuration.contains("node 0: ") && configuration.contains("state="),
                    "{configuration}"
                );
                assert!(number_of_waiting(&configuration) > 0, "{configuration}");
            }
            other => {
                assert_eq!(other, ("served", Exit::Done));
                assert_eq!(finished.report_configuration, None);
            }
        }
        assert_eq!(ended(&run(&repaired, seed)), ("served", Exit::Done), "seed {seed}");
    }
    assert!((1..300).contains(&dead), "{dead} of 300 seeds end dead");
}

fn number_of_waiting(configuration: &str) -> usize {
    ["state=prepare", "state=compete", "state=win"]
        .iter()
        .map(|word| configuration.matches(word).count())
        .sum()
}

/// The shipped counterexamples contain their scenarios. Some contain calls out of turn, which no scheduler makes.
#[test]
fn the_minimal_counterexamples_are_replayed_from_their_own_scenarios() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/replays");
    let (mut dead, mut broken, mut followed, mut round, mut sound) = (0, 0, 0, 0, 0);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        // The folder also has a graph file that some of them name.
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let file = std::fs::read(&path).unwrap();
        let opened = ReplayFile::open("f.jsonl", &file[..]).unwrap();
        let scenario = opened.header().scenario.clone();
        let plan = crate::support::plan_in(&scenario, &folder);
        let (replayed, end) = plan.replay(opened, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
        let end = end.unwrap();
        // A property of single configurations is checked again at the end of the replay.
        let asked_again = ["one token, and who is inside has it", "grants within capacity, and kept"];
        let breaks = asked_again.iter().any(|property| end.outcome.starts_with(property));
        let goes_round = String::from_utf8_lossy(&file).contains("{\"round\"");
        let ends = match (breaks, goes_round) {
            (true, _) => ("broken property", Exit::Failed),
            (_, true) => ("locked out", Exit::Failed),
            _ => ("reproduced", Exit::Done),
        };
        assert_eq!(ended(&replayed), ends);
        let reason = &replayed.record.outcome().reason;
        assert!(reason.contains(&end.outcome), "{reason}");
        if goes_round {
            assert!(end.outcome.starts_with("lockout freedom"), "{}", end.outcome);
            round += 1;
        } else if end.outcome.starts_with("success reachable") {
            // A property of the possible continuations is not checked again: the replay repeats the recorded outcome.
            followed += 1;
            assert!(
                reason.ends_with("(a property of what follows the last step, which a replay does not check)")
            );
        } else if end.violation.is_some() {
            broken += 1;
        } else if end.outcome == "deadlock: no action is enabled" {
            dead += 1;
        } else {
            sound += 1;
        }
        let is_shown = breaks || goes_round || end.violation.is_some() || end.outcome.starts_with("deadlock");
        assert_eq!(replayed.report_configuration.is_some(), is_shown, "{}", path.display());
        // Under other rules the same steps lead elsewhere, which the replay reports. A replay of local critical
        // sections names its rules, and is refused under others.
        let text = scenario.replace("Published", "Repaired");
        let opened = ReplayFile::open("f.jsonl", &file[..]).unwrap();
        let text = match text.split_once(", printed: ") {
            Some((before, after)) => format!("{before}{}", after.split_once(']').unwrap().1),
            None => text,
        };
        if goes_round && text == scenario {
            // Only the queue differs, not the rules.
            continue;
        }
        let other = match crate::support::try_plan_in(&text, &folder) {
            Ok(plan) => plan.replay(opened, &Unwatched),
            // A leader with few neighbours is only accepted with the printed rules.
            Err(refused) => {
                assert!(refused.to_string().contains("may wait forever"), "{refused}");
                continue;
            }
        };
        match other {
            Err(error) => assert_eq!(error.is_malformed(), scenario.contains("printed"), "{error}"),
            // R2 makes CleanUp enabled where the published rules end dead, and changes nothing before.
            Ok((finished, _)) if is_shown => {
                assert!(path.ends_with("f2-disconnect-in-win.jsonl"), "{}", path.display());
                assert_eq!(ended(&finished), ("not reproduced", Exit::Failed));
                assert_eq!(finished.report_configuration, None);
            }
            Ok(_) => {}
        }
    }
    assert_eq!((dead, broken, followed, round, sound), (13, 12, 1, 2, 4));
}

#[test]
fn each_stop_condition_ends_a_run_with_its_word() {
    for (stop, word) in stops(50, 7) {
        let text = format!(
            r#"(topology: Complete(nodes: 12), scheduler: Sequential, lock: (priorities: Auto),
                work: Interactions(protocol: Library(name: "one-way-epidemic"), way: PickedPair,
                                   initial: Counts({{"I": 1, "S": 11}})),
                stop: [{stop}], limits: (steps: 1e7))"#
        );
        let finished = run(&plan(&text), 3);
        assert_eq!(ended(&finished), (word, Exit::Done), "{}", finished.record.outcome().reason);
        if word == "agreed" || word == "silent" {
            assert_eq!(number(&finished, "states.I"), 12);
        }
        if word == "counts" {
            // An interaction infects at most one agent, and the condition is tested after each step.
            assert_eq!(number(&finished, "states.I"), 10);
        }
    }
}

#[test]
fn limits_end_a_run_as_unfinished() {
    for (limit, word) in
        [("rounds: 20", "rounds"), ("steps: 100", "steps"), ("interactions: 3", "interactions")]
    {
        let text = MAJORITY.replace("rounds: 100_000", limit);
        let finished = run(&plan(&text), 1);
        assert_eq!(ended(&finished), ("limit", Exit::BudgetExhausted));
        assert!(finished.record.outcome().reason.contains(word));
    }
}

struct Ending(Proceed, u64);

impl RunControl for Ending {
    fn look(&self, at: &Progress) -> Proceed {
        if at.steps >= self.1 { self.0 } else { Proceed::Continue }
    }
}

#[test]
fn the_watch_ends_a_run_and_is_asked_often_enough() {
    let text = "(topology: Ring(nodes: 30), scheduler: Sequential, work: Locks(each: Forever), stop: [Rounds(10000)])";
    let plan = plan(text);
    for (proceed, expected) in [
        (Proceed::OutOfTime, ("time", Exit::BudgetExhausted)),
        (Proceed::Interrupted, ("interrupted", Exit::Interrupted)),
    ] {
        let job = Job { seed: 1, repetition: 4, watch: &Ending(proceed, 50_000), record: None };
        let finished = plan.run(job).unwrap();
        assert_eq!(ended(&finished), expected);
        assert_eq!(finished.record.repetition(), 4);
        let steps = number(&finished, "work.steps");
        assert!((50_000..50_000 + 65_536).contains(&steps), "{steps}");
    }
    let counting = Counting::default();
    let finished = plan.run(Job { seed: 1, repetition: 0, watch: &counting, record: None }).unwrap();
    let (asked, steps) = (counting.0.into_inner(), number(&finished, "work.steps"));
    assert!((steps / 65_536..=steps / 1000).contains(&asked), "asked {asked} times in {steps} steps");
}

/// Regression: the digest of millions of nodes took a second after an interruption. A run that ends by itself has its
/// digest.
#[test]
fn a_run_cut_short_has_a_digest_if_there_is_time() {
    struct Timed(Proceed, Option<u64>, AtomicU64);
    impl RunControl for Timed {
        fn look(&self, at: &Progress) -> Proceed {
            if at.steps >= 30_000 { self.0 } else { Proceed::Continue }
        }
        fn has_time(&self) -> bool {
            self.1.is_none_or(|looks| self.2.fetch_add(1, Ordering::Relaxed) < looks)
        }
    }
    // The watch is polled once in 2^17 bytes of graph, memories and messages.
    let plan = plan(
        "(topology: Ring(nodes: 10000), scheduler: Sequential, work: Locks(each: Forever), \
         stop: [Rounds(1e6)], limits: (steps: 60000))",
    );
    let digest = |proceed, looks| {
        let watch = Timed(proceed, looks, AtomicU64::new(0));
        let finished = plan.run(Job { seed: 1, repetition: 0, watch: &watch, record: None }).unwrap();
        let section = finished.record.body().iter().find(|section| section.key() == "digest").unwrap();
        let FigureValue::One(digest) = section.figures()[0].value() else { panic!("a digest is one value") };
        (digest.to_plain(), watch.2.into_inner())
    };
    let (whole, all) = digest(Proceed::Interrupted, Some(u64::MAX));
    let whole = whole.unwrap();
    assert!((8..40).contains(&all), "polled {all} times");
    for looks in 0..all {
        assert_eq!(digest(Proceed::Interrupted, Some(looks)), (None, looks + 1));
    }
    assert_eq!(digest(Proceed::OutOfTime, Some(all)), (Some(whole.clone()), all));
    let (end, asked) = digest(Proceed::Continue, Some(0));
    assert!(end.is_some_and(|end| end != whole) && asked == 0);
}

/// Regression: a round of millions of nodes took most of a second without a poll of the run control.
#[test]
fn a_run_can_be_ended_in_the_midst_of_a_round() {
    struct Third(Proceed, AtomicU64);
    impl RunControl for Third {
        fn look(&self, _: &Progress) -> Proceed {
            panic!("there is no turn after which it could look")
        }
        fn verdict(&self) -> Proceed {
            if self.1.fetch_add(1, Ordering::Relaxed) < 2 { Proceed::Continue } else { self.0 }
        }
    }
    // In the first round every node that wants a lock calls it.
    let plan = plan(
        "(topology: Ring(nodes: 20000), scheduler: SemiSynchronous(activation: All), \
         work: Locks(each: Forever), stop: [Rounds(1e6)])",
    );
    for (proceed, expected) in [
        (Proceed::OutOfTime, ("time", Exit::BudgetExhausted)),
        (Proceed::Interrupted, ("interrupted", Exit::Interrupted)),
    ] {
        let watch = Third(proceed, AtomicU64::new(0));
        let (finished, file) = recorded(&plan, 1, &watch);
        assert_eq!(ended(&finished), expected);
        assert_eq!((number(&finished, "work.rounds"), number(&finished, "work.steps")), (0, 3 * 4096));
        // The run is recorded up to that point and replayed.
        let opened = ReplayFile::open("run.jsonl", &file[..]).unwrap();
        let (again, end) = plan.replay(opened, &Unwatched).unwrap();
        assert_eq!((ended(&again).0, end.unwrap().steps), ("reproduced", 3 * 4096));
    }
}

/// A round that chooses no node has no steps, but the run control must be polled.
#[test]
fn a_run_in_which_next_to_nothing_happens_can_be_ended() {
    struct Tenth(AtomicU64);
    impl RunControl for Tenth {
        fn look(&self, _: &Progress) -> Proceed {
            let asked = self.0.fetch_add(1, Ordering::Relaxed);
            if asked < 9 { Proceed::Continue } else { Proceed::Interrupted }
        }
    }
    let text = "(topology: Path(nodes: 2), scheduler: SemiSynchronous(activation: Random(1e-9)),
                 work: Locks(each: Forever), stop: [Rounds(1e18)])";
    let watch = Tenth(AtomicU64::new(0));
    let finished = plan(text).run(Job { seed: 1, repetition: 0, watch: &watch, record: None }).unwrap();
    assert_eq!(ended(&finished), ("interrupted", Exit::Interrupted));
}

#[test]
fn no_node_to_meet_is_said_honestly() {
    let lonely = |stop: &str| {
        format!(
            r#"(topology: Gnp(nodes: 5, probability: 0), scheduler: Sequential,
                work: Interactions(protocol: Library(name: "two-way-epidemic"), initial: Counts({{"S": 4, "I": 1}})),
                stop: [{stop}], limits: (steps: 1000))"#
        )
    };
    let finished = run(&plan(&lonely("OutputsAgree")), 1);
    assert_eq!(ended(&finished), ("quiet", Exit::Failed));
    assert!(finished.record.outcome().reason.contains("no stop condition holds"));
    assert_eq!(ended(&run(&plan(&lonely("")), 1)), ("quiet", Exit::Done));
    // There is no edge, so no two agents can change each other.
    assert_eq!(ended(&run(&plan(&lonely("Silent")), 1)), ("silent", Exit::Done));
    let idle = "(topology: Ring(nodes: 5), scheduler: Sequential, work: Idle)";
    assert_eq!(ended(&run(&plan(idle), 1)), ("quiet", Exit::Done));
}

#[test]
fn silence_between_edges_is_seen_although_the_counts_alone_do_not_show_it() {
    // Two unconnected cliques end in different states, A and B, which would react with each other.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.txt"), "0 1\n0 2\n1 2\n3 4\n3 5\n4 5\n").unwrap();
    let text = r#"(
        topology: File(path: "two.txt"),
        scheduler: Sequential,
        work: Interactions(
            protocol: Library(name: "approximate-majority"),
            initial: Nodes(states: {"A": [0, 1]}, rest: "B"),
        ),
        stop: [OutputsAgree, Silent],
        limits: (steps: 1e6),
    )"#;
    let plan = crate::support::plan_in(&text.replace("[0, 1]", "[0, 1, 2]"), folder.path());
    let finished = run(&plan, 1);
    assert_eq!(ended(&finished), ("silent", Exit::Done));
    assert_eq!((number(&finished, "states.A"), number(&finished, "states.B")), (3, 3));
}

#[test]
fn all_three_ways_keep_what_the_protocol_keeps() {
    for way in ["AnyLocked", "PickedPair", "Group"] {
        let text = format!(
            r#"(topology: Grid(rows: 4, columns: 4), scheduler: SemiSynchronous(activation: Random(0.5)),
                work: Interactions(protocol: Library(name: "averaging", parameters: {{"m": 6}}), way: {way},
                                   initial: Counts({{"0": 8, "6": 8}})),
                stop: [Interactions(150)], limits: (rounds: 1e6))"#
        );
        let finished = run(&plan(&text), 9);
        assert_eq!(ended(&finished), ("interactions", Exit::Done), "{way}");
        let counts: Vec<u64> = (0..=6).map(|load| number(&finished, &format!("states.{load}"))).collect();
        let sum: u64 = counts.iter().zip(0..).map(|(count, load)| count * load).sum();
        assert_eq!((counts.iter().sum::<u64>(), sum), (16, 48), "{way}: {counts:?}");
        let series = finished.series.unwrap();
        assert_eq!(series.rows().next().unwrap().counts, [8, 0, 0, 0, 0, 0, 8]);
        assert_eq!(series.rows().last().unwrap().counts, counts, "{way}");
        assert_eq!(series.time_label(), "rounds");
    }
}

#[test]
fn the_series_has_the_distance_that_is_written() {
    let text = MAJORITY.replace("limits:", "observe: (counts_every: Interactions(18)), limits:");
    let finished = run(&plan(&text), 1);
    let series = finished.series.unwrap();
    assert_eq!(series.time_label(), "parallel time (interactions per node)");
    let times: Vec<f64> = series.rows().map(|row| row.time).collect();
    assert_eq!(times[0], 0.0);
    // A round can have several interactions, at most one for each of the 36 nodes.
    let regular = &times[..times.len() - 1];
    assert!(regular.windows(2).all(|pair| pair[1] - pair[0] > 0.0 && pair[1] - pair[0] < 1.5), "{times:?}");
    assert!(times.len() > 3);
}

#[test]
fn random_graphs_and_placements_follow_the_seed_of_the_run_or_their_own() {
    let text = |seed: &str| {
        format!(
            r#"(topology: Gnp(nodes: 40, probability: 0.1{seed}), scheduler: Sequential, work: Locks(each: Forever),
                stop: [Rounds(1)])"#
        )
    };
    let edges = |plan: &Plan, seed| number(&run(plan, seed), "topology.edges");
    let (drawn, own) = (plan(&text("")), plan(&text(", seed: 7")));
    let many: std::collections::BTreeSet<u64> = (0..6).map(|seed| edges(&drawn, seed)).collect();
    assert!(many.len() > 1, "{many:?}");
    let one: std::collections::BTreeSet<u64> = (0..6).map(|seed| edges(&own, seed)).collect();
    assert_eq!(one.len(), 1);
    // The graph that validation drew is used for its seed.
    let written = plan(&text("").replacen('(', "(seed: 3, ", 1));
    assert_eq!(edges(&written, 3), edges(&drawn, 3));
    assert_eq!(written.header().seed, Some(3));
}

#[test]
fn a_drawn_graph_that_does_not_fit_its_ports_is_an_error_of_the_run() {
    let text = "(seed: 1, topology: Gnp(nodes: 60, probability: 0.05), ports: 8, scheduler: Sequential,
                 work: Locks(each: 1))";
    let plan = plan(text);
    let refused = (0..200)
        .find_map(|seed| plan.run(Job { seed, repetition: 0, watch: &Unwatched, record: None }).err());
    let error = refused.expect("some graph of 200 has a node of degree 9 or more");
    assert!(!error.is_recording());
    assert!(error.to_string().contains("neighbours but only 8 ports"), "{error}");
}

#[test]
fn a_sink_that_fails_is_an_error_of_the_run() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for room in [0, 2000] {
        let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: Some(Box::new(Full(room))) };
        let error = plan(LOCKS).run(job).unwrap_err();
        assert!(error.is_recording(), "{error}");
    }
}

#[test]
fn the_record_names_what_made_it() {
    let mut finished = run(&plan(MAJORITY), 5);
    let manifest = finished.record.manifest();
    assert_eq!((manifest.seed, &*manifest.version), (5, env!("CARGO_PKG_VERSION")));
    assert_eq!(manifest.rules.as_deref(), Some("local mutual exclusion, repaired"));
    assert_eq!(manifest.scenario_text.as_deref(), Some(MAJORITY));
    assert_eq!(manifest.scenario_digest.as_deref().map(str::len), Some(32));
    let before = finished.record.clone();
    finished.fill_manifest(|manifest| manifest.commit = Some("abc".into()));
    assert_eq!(finished.record.manifest().commit.as_deref(), Some("abc"));
    assert_eq!(finished.record.body(), before.body());
    assert_eq!(finished.record.outcome(), before.outcome());
}

#[test]
fn the_memory_estimate_is_above_what_a_run_takes() {
    for text in [MAJORITY, LOCKS, STORM] {
        let plan = plan(text);
        let said = plan.header().parameters.clone().into_iter().find(|(name, _)| name == "memory").unwrap().1;
        let number: u64 = said.split(' ').find_map(|word| word.parse().ok()).unwrap();
        let unit = if said.ends_with("KiB") { 1 << 10 } else { 1 };
        let taken = number_of_bytes(&run(&plan, 1));
        assert!(taken <= number * unit, "{taken} > {said}");
    }
}

fn number_of_bytes(finished: &Finished) -> u64 {
    number(finished, "memory.bytes")
}

#[test]
fn a_plan_serves_many_threads() {
    let plan = plan(LOCKS);
    let alone: Vec<String> = (0..4).map(|seed| digest(&run(&plan, seed))).collect();
    let plan = &plan;
    let together: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || digest(&run(plan, seed)))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}
