//! Swarm runs: the repaired rules pass all of them, every fault is found, and failures are shrunk.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use acrasin_runtime::exclusion::local::{Action, Rules};
use acrasin_runtime::{Digest, NodeId, Status};
use acrasin_verify::swarm::{
    Broken, Counterexample, CoverageColumn, DRAIN_STEPS_MAX, Effort, FailureKind, Summary, SwarmFailure,
    SwarmPlan, SystemUnderTest, first_failure, run, run_many, run_with, shrink, shrink_while,
};
use acrasin_verify::wrong::{Consequence, Wrong, catalogue, with_fault, without_fault};

/// Enough runs for every cell of the coverage table.
const RUNS: u64 = 2_000;

fn repaired() -> SystemUnderTest {
    SystemUnderTest::rules(Rules::REPAIRED)
}

fn many(subject: &SystemUnderTest, runs: u64, threads: usize) -> Summary {
    run_many(subject, 0..runs, NonZeroUsize::new(threads).unwrap(), &mut |_| ControlFlow::Continue(()))
        .unwrap()
}

#[test]
fn the_repaired_rules_pass_and_every_cell_is_covered() {
    let summary = many(&repaired(), RUNS, 2);
    assert_eq!((summary.runs, summary.failed), (RUNS, 0), "{:?}", summary.failures);
    println!("{}", summary.coverage.table::<Wrong>());
    for (name, value) in summary.figures.rows::<Wrong>() {
        println!("{name:<40}{value:>12}");
        assert!(value > 0, "{name}");
    }
    let empty: Vec<(Action, CoverageColumn)> = summary.coverage.empty::<Wrong>().collect();
    assert_eq!(empty, [], "\n{}", summary.coverage.table::<Wrong>());
    let impossible: Vec<(Action, CoverageColumn)> = summary.coverage.impossible::<Wrong>().collect();
    assert_eq!(impossible, [], "\n{}", summary.coverage.table::<Wrong>());
    let figures = summary.figures;
    assert_eq!((figures.calls, figures.granted), (figures.granted, figures.released));
    assert!(figures.topology_changes() > 10 * RUNS);
    // The bound is not tight: the slowest run stays far below.
    assert!(figures.drain_steps_max < DRAIN_STEPS_MAX / 10, "{}", figures.drain_steps_max);
}

#[test]
fn the_repaired_rules_keep_all_invariants() {
    let summary = many(&repaired().with_invariants(), 400, 2);
    assert_eq!((summary.runs, summary.failed), (400, 0), "{:?}", summary.failures);
    // Checking does not change the runs.
    assert_eq!(summary.digest, many(&repaired(), 400, 2).digest);
}

/// Most faults show in the first run. Faults that need an adversary who sees every draw are left to the exhaustive
/// checker: a random scheduler finds such a schedule with probability 0.
#[test]
fn every_wrong_rule_set_of_the_catalogue_is_caught() {
    let missed: Vec<&str> = catalogue()
        .filter(|entry| entry.shows != Consequence::Starvation)
        .filter(|entry| {
            let fault = entry.fault;
            let subject =
                SystemUnderTest::new(entry.name, move |local| with_fault(local, fault)).with_invariants();
            first_failure(&subject, 0..1_000).is_none()
        })
        .map(|entry| entry.name)
        .collect();
    assert_eq!(missed, [""; 0]);
    // The same wrapper without a fault passes.
    let faultless = SystemUnderTest::new("faultless", without_fault).with_invariants();
    assert_eq!(first_failure(&faultless, 0..100), None);
}

/// The waits-for graph has a cycle before the configuration is dead.
#[test]
fn without_r1_the_invariants_see_the_cycle() {
    let rules = Rules { reject_late_requests: false, ..Rules::REPAIRED };
    let subject = SystemUnderTest::rules(rules).with_invariants();
    let failed = first_failure(&subject, 0..100).unwrap();
    let small = shrink(&subject, &failed, Effort::default()).unwrap();
    assert!(small.kind().0.contains("no cycle"), "{}", small.kind());
    assert!(small.steps().len() <= 30, "{:#?}", listed(&small));
}

#[test]
fn the_result_does_not_depend_on_the_threads() {
    let one = many(&repaired(), 100, 1);
    for threads in [2, 3] {
        assert_eq!(many(&repaired(), 100, threads), one);
    }
    assert_ne!(many(&repaired(), 99, 2).digest, one.digest);
    assert_eq!(one.digest, Digest(0x44b2_8a3c_5c5b_aa95_73e8_6351_b6ab_58aa));
}

#[test]
fn runs_can_be_ended_early_and_what_was_done_counts() {
    let mut told = Vec::new();
    let threads = NonZeroUsize::new(2).unwrap();
    let ended = run_many(&repaired(), 0..100_000, threads, &mut |runs| {
        told.push(runs);
        if told.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let ended = ended.unwrap();
    // Both threads complete the run that they have begun, and may begin another before they see the stop.
    assert_eq!(told, [1, 2]);
    assert!((2..10_000).contains(&ended.runs), "{}", ended.runs);
    assert_eq!(ended, many(&repaired(), ended.runs, 1));
}

#[test]
fn a_run_is_a_function_of_the_plan_and_the_picks() {
    for seed in 0..50 {
        let plan = SwarmPlan::from_seed(seed);
        let first = run(&repaired(), &plan);
        assert_eq!(run_with(&repaired(), &plan, &first.picks), first, "{plan}");
    }
    // Any list of numbers is a run, even the empty one.
    for picks in [&[][..], &[u32::MAX; 500], &[255, 0, 1, 2].repeat(200)] {
        for seed in 0..20 {
            assert_eq!(run_with(&repaired(), &SwarmPlan::from_seed(seed), picks).failure, None);
        }
    }
}

struct Found {
    subject: SystemUnderTest,
    small: Counterexample,
}

/// The first run among `within` seeds that fails as `kind`, shrunk.
fn find(rules: Rules, kind: &FailureKind, within: u64) -> Found {
    let subject = SystemUnderTest::rules(rules);
    let failed = (0..within)
        .map(|seed| run(&subject, &SwarmPlan::from_seed(seed)))
        .find(|run| run.failure.as_ref().map(SwarmFailure::kind).as_ref() == Some(kind))
        .unwrap_or_else(|| panic!("{rules:?}: {kind} is not found in {within} runs"));
    let small = shrink(&subject, &failed, Effort::default()).expect("the run fails again");
    assert_eq!(small.kind(), *kind);
    let stream = small.stream().expect("shrunk here");
    assert!(stream.len() <= failed.picks.len());
    let again = run_with(&subject, &failed.plan, stream);
    assert_eq!(again.failure.map(|failure| failure.kind()).as_ref(), Some(kind));
    Found { subject, small }
}

#[test]
fn shrinking_that_is_stopped_keeps_the_failure() {
    let subject = SystemUnderTest::rules(Rules::PUBLISHED);
    let failed = first_failure(&subject, 0..50).expect("within 50 runs");
    let shrunk = |candidates: u32| {
        let tried = Cell::new(0);
        let small = shrink_while(&subject, &failed, Effort::default(), &|| {
            tried.set(tried.get() + 1);
            tried.get() < candidates
        });
        (small.expect("the run fails again"), tried.get())
    };
    let (first, tried) = shrunk(1);
    // The run itself, and one candidate of the list of steps.
    assert!(tried <= 2, "{tried}");
    assert!(first.again(&subject).fails_as(first.kind()));
    let (whole, _) = shrunk(u32::MAX);
    assert_eq!(Some(&whole), shrink(&subject, &failed, Effort::default()).as_ref());
    assert!(whole.steps().len() < first.steps().len());
}

/// A saved failure, loaded and run again: the same failure under its rules, and none under the repaired ones.
fn check_saved(found: &Found) {
    let Found { subject, small } = found;
    let mut file = Vec::new();
    small.write(subject, &mut file).unwrap();
    let loaded = Counterexample::read("small.jsonl", &file[..]).unwrap();
    assert_eq!((loaded.start(), loaded.steps()), (small.start(), small.steps()));
    assert_eq!((loaded.kind(), loaded.ending()), (small.kind(), small.ending()));
    let again = loaded.again(subject);
    assert_eq!(again.skipped, 0);
    assert!(again.fails_as(small.kind()), "{again:?}");
    assert_eq!(loaded.again(&repaired()).failure, None);
}

fn listed(small: &Counterexample) -> Vec<String> {
    small.steps().iter().map(|traced| traced.step.to_string()).collect()
}

#[test]
fn the_published_rules_are_caught() {
    let subject = SystemUnderTest::rules(Rules::PUBLISHED);
    let failed = first_failure(&subject, 0..50).expect("within 50 runs");
    assert_eq!(failed.failure.as_ref().map(SwarmFailure::kind), Some(FailureKind::DEAD));
    let found = find(Rules::PUBLISHED, &FailureKind::DEAD, 50);
    assert!(found.small.steps().len() <= 40, "{:#?}", listed(&found.small));
    check_saved(&found);
}

/// F1: two nodes on one edge wait for each other. Two calls suffice.
#[test]
fn without_r1_crossing_requests_deadlock() {
    let rules = Rules { reject_late_requests: false, ..Rules::REPAIRED };
    let summary = many(&SystemUnderTest::rules(rules), 400, 2);
    assert!(summary.kinds.keys().eq([&FailureKind::DEAD]), "{:?}", summary.kinds);
    let found = find(rules, &FailureKind::DEAD, 150);
    let steps = listed(&found.small);
    assert!(steps.len() <= 40, "{steps:#?}");
    assert_eq!(steps.iter().filter(|step| step.contains("Lock()")).count(), 2, "{steps:#?}");
    assert!(!steps.iter().any(|step| step.contains("disconnect")), "{steps:#?}");
    check_saved(&found);
}

/// F2: a disconnection in state win is never processed. One call and one disconnection are needed.
#[test]
fn without_r2_a_disconnection_in_win_is_never_processed() {
    let rules = Rules { clean_up_always: false, ..Rules::REPAIRED };
    let found = find(rules, &FailureKind::DEAD, 200);
    let steps = listed(&found.small);
    assert!(steps.len() <= 24, "{steps:#?}");
    assert_eq!(steps.iter().filter(|step| step.contains("Lock()")).count(), 1, "{steps:#?}");
    assert_eq!(steps.iter().filter(|step| step.contains("disconnect")).count(), 1, "{steps:#?}");
    check_saved(&found);
}

/// F3: an ignored call swallows the detector's report.
#[test]
fn without_r3_an_ignored_call_swallows_a_disconnection() {
    let rules = Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED };
    let dead = find(rules, &FailureKind::DEAD, 300);
    let steps = listed(&dead.small);
    assert!(steps.len() <= 24, "{steps:#?}");
    assert!(steps.iter().any(|step| step.contains("disconnect")), "{steps:#?}");
    check_saved(&dead);
    let unsafe_set = find(rules, &FailureKind("wrong lock set".into()), 2_000);
    assert!(unsafe_set.small.steps().len() <= 40, "{:#?}", listed(&unsafe_set.small));
    check_saved(&unsafe_set);
}

/// A participant whose lock names a node that has left rejects all requests forever. No node waits for it when the
/// disturbances end: only the calls after the drain show it.
#[test]
fn without_r3_a_lock_is_left_behind() {
    let rules = Rules { clean_up_ignored_calls: false, ..Rules::REPAIRED };
    let found = find(rules, &FailureKind::NOT_DRAINED, 2_000);
    assert!(found.small.steps().len() <= 60, "{:#?}", listed(&found.small));
    check_saved(&found);
}

#[test]
fn a_false_property_is_found_and_made_small() {
    let subject = repaired().with_property(|world| {
        let holding = |&node: &NodeId| world.status(node) == Status::Holding;
        match world.topology().nodes().filter(holding).count() {
            0..2 => Ok(()),
            holders => Err(Broken::new("one holder at a time", format!("{holders} nodes hold a lock set"))),
        }
    });
    let failed = first_failure(&subject, 0..20).unwrap();
    let small = shrink(&subject, &failed, Effort::default()).unwrap();
    assert_eq!(small.kind(), FailureKind("one holder at a time".into()));
    assert_eq!(small.ending().to_string(), "one holder at a time: 2 nodes hold a lock set");
    // Two nodes that lock only themselves need at most Lock, two checks and six messages each.
    assert!(small.steps().len() <= 20, "{:#?}", listed(&small));
    assert!(small.again(&subject).fails_as(small.kind()));
}

#[test]
fn a_run_that_passes_cannot_be_shrunk() {
    let passed = run(&repaired(), &SwarmPlan::from_seed(0));
    assert_eq!(shrink(&repaired(), &passed, Effort::default()), None);
    // Nor can a run that fails only under other rules.
    let published = SystemUnderTest::rules(Rules::PUBLISHED);
    let failed = first_failure(&published, 0..50).unwrap();
    assert_eq!(shrink(&repaired(), &failed, Effort::default()), None);
}

#[test]
fn other_files_are_refused() {
    let found = find(Rules { reject_late_requests: false, ..Rules::REPAIRED }, &FailureKind::DEAD, 150);
    let mut file = Vec::new();
    found.small.write(&found.subject, &mut file).unwrap();
    let text = String::from_utf8(file).unwrap();
    for (from, to, what) in [
        ("work: Idle", "work: Locks(each: 1)", "not the scenario of a counterexample"),
        ("swarm, dead", "dead", "does not name the failure"),
        ("\"acrasin\":\"replay\"", "\"acrasin\":\"song\"", "not a replay"),
        ("CheckStart", "CheckStar", "CheckStar"),
        ("{\"end\"", "[\"end\"", "not JSON"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Counterexample::read("x.jsonl", text.replace(from, to).as_bytes()).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!(error.file(), "x.jsonl");
    }
    assert!(Counterexample::read("x.jsonl", &text.as_bytes()[..text.len() / 2]).is_err());
}
