//! Tests of infinite runs in which a node waits forever. They are stored as a lasso, a path and a cycle, and verified
//! by replay.
//!
//! `ACRASIN_BLESS=1` writes the replay files of these runs again.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use acrasin_report::record::Exit;
use acrasin_runtime::exclusion::Stamps;
use acrasin_scenario::check::{CheckReport, Verdict};
use acrasin_scenario::plan::{LockCounterexample, Manner, Unwatched};
use acrasin_verify::locks::{LOCKOUT_FREE, Options};
use acrasin_verify::replay::ReplayFile;

use crate::support::{ended, plan};

const OPTIONS: Options =
    Options { bytes: 1 << 30, configurations: 2_000_000, liveness: true, stop_at_first: false };

/// A scenario in which all nodes lock again and again.
fn scenario(topology: &str, exclusion: &str) -> String {
    format!(
        "Scenario(topology: {topology}, exclusion: {exclusion}, scheduler: Sequential, work: Locks(each: Forever), stop: \
         [Locks(1000)])\n"
    )
}

fn explored(topology: &str, exclusion: &str, stamps: Stamps) -> CheckReport<LockCounterexample> {
    let manner = Manner { stamps, ..Manner::default() };
    let plan = plan(&scenario(topology, exclusion));
    plan.explore(0, manner, &OPTIONS, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/replays").join(format!("{name}.jsonl"))
}

/// The name of the replay, the graph, the algorithm with its omitted repair or fairness, the treatment of stamps, and
/// the replacement in the algorithm with which all properties hold.
type Case = (&'static str, &'static str, &'static str, Stamps, (&'static str, &'static str));

const CASES: &[Case] = &[
    (
        "a4-drained-apart",
        "Complete(nodes: 2)",
        "TokenTree(behaviour: Transit, queue: Lift, printed: [DrainedApart])",
        Stamps::Counted,
        (", printed: [DrainedApart]", ""),
    ),
    (
        "any-order-starves",
        "Complete(nodes: 2)",
        "TokenTree(behaviour: Adversarial, queue: AnyOrder)",
        Stamps::Counted,
        ("AnyOrder", "Fifo"),
    ),
];

/// Each run equals its stored file, and its replay shows the lockout again. With the single replacement no node waits
/// forever.
#[test]
fn who_waits_forever_is_kept_once_round() {
    for &(name, topology, exclusion, stamps, (from, to)) in CASES {
        let found = explored(topology, exclusion, stamps);
        assert!(found.truncated.is_none(), "{name}");
        let answer = found.findings.iter().find(|answer| answer.property == LOCKOUT_FREE).unwrap();
        let Verdict::Broken(shown) = &answer.verdict else { panic!("{name}: {answer:?}") };
        assert!(shown.fails_in_replay && shown.round < shown.steps.len(), "{name}: {shown:?}");
        if std::env::var_os("ACRASIN_BLESS").is_some() {
            eprintln!("{name}: {} steps, the round from {}: {}", shown.steps.len(), shown.round, shown.text);
            fs::write(kept(name), &shown.replay).unwrap();
            continue;
        }
        assert!(
            fs::read(kept(name)).unwrap() == shown.replay,
            "{name}: another run than the one that is kept"
        );
        let opened = ReplayFile::open(name, &shown.replay[..]).unwrap();
        let (replayed, _) = plan(&scenario(topology, exclusion)).replay(opened, &Unwatched).unwrap();
        assert_eq!(ended(&replayed), ("locked out", Exit::Failed), "{name}");
        assert!(replayed.report_configuration.is_some());
        let repaired = explored(topology, &exclusion.replace(from, to), stamps);
        for answer in &repaired.findings {
            assert_eq!(answer.verdict, Verdict::Holds, "{name} repaired: {}", answer.property);
        }
    }
}

/// The replay verifies a recorded cycle: it leads back, the node waits throughout, and no due action is postponed
/// forever.
#[test]
fn a_round_that_is_none_is_refused() {
    let (name, topology, exclusion, ..) = CASES[0];
    let text = fs::read_to_string(kept(name)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let marker = lines.iter().position(|line| line.starts_with("{\"round\"")).unwrap();
    let replayed = |lines: &[&str]| {
        let text = lines.join("\n");
        let opened = ReplayFile::open("r.jsonl", text.as_bytes()).unwrap();
        let finished = plan(&scenario(topology, exclusion)).replay(opened, &Unwatched);
        finished
            .map(|(finished, _)| finished.record.outcome().word.clone())
            .map_err(|error| error.to_string())
    };
    assert_eq!(replayed(&lines).unwrap(), "locked out");
    let other = |at: usize, line: &'static str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines
    };
    let moved = |to: usize| {
        let mut lines = lines.clone();
        let line = lines.remove(marker);
        lines.insert(to, line);
        lines
    };
    let twice = || {
        let mut lines = lines.clone();
        lines.insert(marker, lines[marker]);
        lines
    };
    for (lines, part) in [
        (
            other(marker, "{\"round\":{\"waits\":0}}"),
            "node 0 should wait throughout the cycle, but does not wait here",
        ),
        (other(marker, "{\"round\":{\"waits\":7}}"), "there is no node 7: 0 to 1 are accepted"),
        (other(marker, "{\"round\":{\"wait\":1}}"), "there is no field `wait`"),
        (moved(1), "node 1 should wait throughout the cycle, but does not wait here"),
        (moved(marker - 1), "the cycle ends in another configuration"),
        (moved(lines.len() - 2), "is due throughout the cycle and never taken"),
        (twice(), "a second cycle"),
    ] {
        let error = replayed(&lines).unwrap_err();
        assert!(error.starts_with("r.jsonl:") && error.contains(part), "{part}: {error}");
    }
    // Without the mark of the cycle it is an ordinary run with that outcome.
    let mut unmarked = lines.clone();
    unmarked.remove(marker);
    assert_eq!(replayed(&unmarked).unwrap(), "reproduced");
}
