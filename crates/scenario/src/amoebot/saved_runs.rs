//! Tests that runs of amoebots and of chains continue from checkpoints, in every execution.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::AmoebotPlan;
use crate::ScenarioFile;
use crate::run::probe::check_checkpoints;
use crate::run::{Job, Unwatched};

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../amoebot/scenarios")
}

/// Saves a built-in scenario with the overrides `sets` at each of the `moments`, and checks that it continues from
/// there. Returns the number of amoebots and the size of the longest checkpoint in bytes; `None` if the plan refuses
/// the overrides.
#[track_caller]
fn check(path: &Path, sets: &[(&str, &str)], moments: &'static [u64]) -> Option<(usize, usize)> {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect();
    let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::read(path, &sets) else { return None };
    let plan = AmoebotPlan::new(&document, path.parent().expect("a file in a folder")).ok()?;
    let run = || plan.run(&Job { seed: 3, repetition: 0, watch: &Unwatched, record: None }).unwrap();
    let name = format!("{}: {sets:?}", path.display());
    Some((plan.count, check_checkpoints(&name, &run, moments).len()))
}

/// Tests every built-in algorithm and chain as its scenario runs it.
#[test]
fn every_shipped_scenario() {
    let mut checked = BTreeSet::new();
    for entry in std::fs::read_dir(shipped()).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("circuit-consensus.ron") {
            // This algorithm ends after one round.
            continue;
        }
        let stop = [("stop", "Steps(330)")];
        if check(&path, &stop, &[0, 1, 41, 110, 300]).is_some() {
            checked.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
    }
    for name in ["bridging", "compression", "foraging", "phototaxis", "separation", "separation-waves"] {
        assert!(checked.contains(name), "{name}: {checked:?}");
    }
    assert!(checked.len() > 25, "{checked:?}");
}

#[test]
fn every_execution() {
    let mut checked = 0;
    for file in ["erosion.ron", "hexagon-messages.ron", "forest.ron", "maximal-independent-set.ron"] {
        for execution in [
            "Sequential(activation: UniformEnabled)",
            "Sequential(activation: RoundRobin)",
            "Sequential(activation: First, fairness: Weak(20))",
            "Sequential(activation: Last, fairness: Strong(20))",
            "Sequential(activation: Newest)",
            "Sequential(activation: Newest, fairness: Weak(5))",
            "Rounds(Synchronous)",
            "Rounds(Isolated(2))",
            "Waves",
            "Tiles",
            "Concurrent(locks: TryLocks)",
            "Concurrent(locks: Messages(scheduler: Sequential))",
            "Concurrent(locks: Messages(scheduler: Asynchronous))",
            "Concurrent(locks: Messages(scheduler: NewestFirst))",
        ] {
            if file.starts_with("maximal") && execution == "Rounds(Synchronous)" {
                // This algorithm ends after one round.
                continue;
            }
            let sets = [("stop", "Steps(500)"), ("execution", execution)];
            checked += usize::from(check(&shipped().join(file), &sets, &[0, 1, 2, 41, 110, 300]).is_some());
        }
    }
    assert!(checked >= 4 * 12, "{checked}");
}

/// Tests chains that run on all cores.
#[test]
fn chains_in_tiles_and_waves() {
    let mut checked = 0;
    for file in ["compression", "separation", "bridging", "phototaxis", "foraging"] {
        for layout in ["Tiles", "Waves"] {
            let sets = [("stop", "Steps(70)"), ("amoebots.algorithm.layout", layout)];
            let path = shipped().join(file).with_extension("ron");
            checked += usize::from(check(&path, &sets, &[0, 1, 7, 40]).is_some());
        }
    }
    assert_eq!(checked, 10);
}
