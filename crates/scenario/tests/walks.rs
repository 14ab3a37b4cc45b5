//! Random walks for the printed rules of local critical sections, whose state space is too large for an exploration.
//!
//! `ACRASIN_BLESS=1` writes the replay files of these runs again.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use acrasin_scenario::check::Verdict;
use acrasin_scenario::plan::{LockCounterexample, Manner};
use acrasin_verify::locks::Walks;

use crate::support::{plan, plan_in};

const BOUNDS: &str = "between l and k of each closed neighbourhood inside";
const DEAD: &str = "no dead configuration";
const NOTHING: &str = "there is a request for the leader to raise";
const GRANTS: &str = "grants within capacity, and kept";

/// A hub, node 0, and a ring of four around it. The file is in the folder of the replays, which refer to it.
const WHEEL: &str = "File(path: \"wheel.txt\")";

/// A hub, node 0, and a path of four next to it.
const FAN: &str = "File(path: \"fan.txt\")";

/// All bounds are (0, 3); node 0 is the leader and starts in its critical section. It is adjacent to all others on a
/// complete graph and on a wheel, and to two nodes on a ring.
fn scenario(topology: &str, printed: &str) -> String {
    format!(
        "Scenario(topology: {topology}, exclusion: CriticalSections(scheme: Leader, most: 3, leader: 0, inside: [0], \
         self_messages: InMemory, printed: [{printed}]), scheduler: Sequential, work: Locks(each: Forever), stop: \
         [Locks(1000)])\n"
    )
}

/// The folder of the replay files.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/replays")
}

/// The first of these walks that violates the property, shortened.
fn found(topology: &str, printed: &str, property: &str, seed: u64) -> Option<LockCounterexample> {
    let walks = Walks { walks: 300, steps: 300, seed, only: Some(property.to_owned()) };
    let plan = plan_in(&scenario(topology, printed), &folder());
    let walked = plan.walk(0, Manner::default(), &walks, &mut |_| ControlFlow::Continue(())).unwrap();
    let answer = walked.findings.into_iter().next()?;
    assert_eq!(answer.property, property);
    match answer.verdict {
        Verdict::Broken(shown) => Some(shown),
        other => panic!("{other:?}"),
    }
}

/// The name of the replay, the graph, the omitted repair, the violated property, the seed of the walks, and the length
/// of the run.
type Case = (&'static str, &'static str, &'static str, &'static str, u64, usize);

const CASES: &[Case] = &[
    ("b10-full-one-below", WHEEL, "FullOneBelow", DEAD, 1, 34),
    ("b11-exit-stamp-behind", WHEEL, "ExitStampBehind", DEAD, 1, 34),
    ("b12-nothing-to-raise", "Ring(nodes: 4)", "EntriesRaisedAlone, LeaderNeverBusy", NOTHING, 1, 8),
    ("b12-nothing-to-raise-wheel", WHEEL, "EntriesRaisedAlone, LeaderNeverBusy", NOTHING, 7, 18),
    (
        "b12-dead-on-a-ring",
        "Ring(nodes: 4)",
        "EntriesRaisedAlone, NobodyIsSmallest, RaisedAlwaysGranted, NoExcursion",
        DEAD,
        3,
        26,
    ),
    ("b13-raised-twice", "Complete(nodes: 4)", "LeaderNeverBusy, RaisedAlwaysGranted", BOUNDS, 6, 41),
    ("b13-raised-twice-wheel", WHEEL, "LeaderNeverBusy, RaisedAlwaysGranted", BOUNDS, 43, 41),
    ("b16-no-extra-place", WHEEL, "NoExtraPlace", DEAD, 1, 38),
    ("b16-no-excursion", FAN, "NoExcursion", DEAD, 59, 50),
    ("b18-raised-anew", "Complete(nodes: 4)", "RaisedAnew", GRANTS, 1, 48),
];

/// Each case violates its property and equals its stored file. With one of the repairs the same walks find no
/// violation.
#[test]
fn the_printed_leader_breaks_and_the_repaired_one_does_not() {
    let folder = folder();
    for &(name, topology, printed, property, seed, steps) in CASES {
        let shown = found(topology, printed, property, seed).unwrap_or_else(|| panic!("{name}: not found"));
        // A replay checks only the promises of the algorithm; the property of grants between arbiters is checked by the
        // exploration.
        assert_eq!(shown.fails_in_replay, property != GRANTS, "{name}: {}", shown.text);
        let path = folder.join(format!("{name}.jsonl"));
        if std::env::var_os("ACRASIN_BLESS").is_some() {
            eprintln!("{name}: {} steps: {}", shown.steps.len(), shown.text);
            fs::write(&path, &shown.replay).unwrap();
            continue;
        }
        assert_eq!(shown.steps.len(), steps, "{name}: {}", shown.text);
        assert!(fs::read(&path).unwrap() == shown.replay, "{name}: another run than the one that is kept");
        let parts: Vec<&str> = printed.split(", ").collect();
        for repaired in 0..parts.len() {
            let rest: Vec<&str> =
                (0..parts.len()).filter(|&part| part != repaired).map(|part| parts[part]).collect();
            let rest = rest.join(", ");
            assert_eq!(found(topology, &rest, property, seed), None, "{name} without {}", parts[repaired]);
        }
    }
}

/// Equal seeds give equal runs, and the error about an unknown property lists the known ones.
#[test]
fn walks_are_a_function_of_their_seed() {
    let run = || found("Ring(nodes: 4)", "FullOneBelow", DEAD, 7).unwrap();
    assert_eq!(run(), run());
    let walks = Walks { walks: 1, steps: 1, seed: 0, only: Some("peace".to_owned()) };
    let plan = plan(&scenario("Ring(nodes: 4)", "FullOneBelow"));
    let refused = plan.walk(0, Manner::default(), &walks, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(refused.to_string().contains("`peace`") && refused.to_string().contains(DEAD), "{refused}");
}
