//! What the process may have: refused by the estimate, not ended by the system.

use std::process::Command;

use crate::program::{Ran, Scratch};

/// The program with at most so many KiB of addresses.
#[cfg(target_os = "linux")]
fn limited(place: &Scratch, kibibytes: u64, arguments: &[&str]) -> Ran {
    let program = place.command(&[]);
    let program = program.get_program().to_str().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {kibibytes}; exec '{program}' \"$@\""), "sh"]);
    Ran::of(&shell.args(arguments).current_dir(place.path()).output().unwrap())
}

const RUNGS: [(&str, &str); 3] =
    [("F4", "SemiSynchronous(activation: All)"), ("F1", "Waves"), ("F3", "SemiSynchronous(activation: All)")];

/// A graph that did not fit ended the program with an abort.
#[test]
#[cfg(target_os = "linux")]
fn a_graph_that_does_not_fit_is_refused_with_its_estimate() {
    let place = Scratch::new();
    for (rung, scheduler) in RUNGS {
        let scenario = format!(
            "(topology: Ring(nodes: 1e7), rung: {rung}, scheduler: {scheduler}, work: Locks(each: 1), seed: 1)"
        );
        place.file("a.ron", scenario);
        let ran = limited(&place, 1 << 20, &["run", "a.ron", "-o", "out"]).exits(2);
        for part in ["a.ron:1:", "10000000 nodes", "of memory", "accepted: a graph that needs at most"] {
            assert!(ran.err.contains(part), "{rung}: {}", ran.err);
        }
        assert_eq!((ran.out.as_str(), place.names()), ("", vec!["a.ron".to_owned()]));
    }
}

/// What the estimate lets through fits.
#[test]
#[cfg(target_os = "linux")]
fn a_graph_just_within_the_limit_runs() {
    let place = Scratch::new();
    for (rung, scheduler) in RUNGS {
        let scenario = format!(
            "(topology: Ring(nodes: 100_000), rung: {rung}, scheduler: {scheduler}, work: Locks(each: 1), seed: 1, \
             limits: (rounds: 3))"
        );
        place.file("a.ron", scenario);
        // The first limit, in steps of 8 MiB, at which it is not refused.
        let mut kibibytes = 16 << 10;
        let ran = loop {
            let ran = limited(&place, kibibytes, &["run", "a.ron", "--threads", "1", "--format", "jsonl"]);
            if ran.code != Some(2) {
                break ran;
            }
            kibibytes += 8 << 10;
            assert!(kibibytes < 2 << 20, "{rung}: {ran:?}");
        };
        assert!(matches!(ran.code, Some(0 | 3)), "{rung}, {kibibytes} KiB: {ran:?}");
    }
}
