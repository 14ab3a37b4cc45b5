//! Checkpoints of explorations: checks that are killed, interrupted or out of time continue where they were saved.

#![allow(clippy::disallowed_types, reason = "checks are killed at moments on the clock")]

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{Ran, Scratch};

/// Locks on an edge that comes and goes: some hundred thousand configurations.
const LOCKS: &str = "(topology: Path(nodes: 2), lock: (priorities: 3), scheduler: Sequential, work: Locks(each: Forever), \
    stop: [Locks(1)])";

const EVERY_CHANGE: [&str; 6] =
    ["check", "a.ron", "--disconnections", "unlimited", "--connections", "unlimited"];

/// Checks that take from some tenths of a second to some seconds in a test build: a name, and the arguments.
fn checks() -> Vec<(&'static str, Vec<&'static str>)> {
    let majority = ["check", "exact-majority", "--predicate", "A > B", "--given", "A != B", "--up-to"];
    vec![
        ("locks", EVERY_CHANGE.to_vec()),
        ("a population", [&majority[..], &["24"]].concat()),
        ("a ring", [&majority[..1], &["graph-majority"], &majority[2..], &["9", "--graph", "ring"]].concat()),
        (
            "a claim that fails",
            vec!["check", "approximate-majority", "--predicate", "A > B", "--up-to", "14"],
        ),
        ("amoebots one by one", vec!["check", "h.ron", "--set", "amoebots.start.count=4"]),
        (
            "amoebots in rounds",
            vec![
                "check",
                "h.ron",
                "--set",
                "execution=Rounds(Isolated(1))",
                "--set",
                "amoebots.start.count=4",
            ],
        ),
        ("amoebots in waves", vec!["check", "h.ron", "--set", "execution=Waves"]),
        ("amoebots with locks", vec!["check", "h.ron", "--set", "execution=Concurrent(locks: TryLocks)"]),
        ("messages of amoebots", vec!["check", "m.ron"]),
        ("amoebots that go wrong", vec!["check", "e.ron"]),
    ]
}

/// Hexagons of three amoebots, from all shapes.
const HEXAGONS: &str = "(amoebots: (algorithm: Hexagon, start: AllConnected(count: 3)))";

/// Two amoebots with every order of every message.
const MESSAGES: &str =
    "(amoebots: (algorithm: Hexagon, start: Line(count: 2)), execution: Concurrent(locks: Messages()))";

/// Erosion needs locks: rounds of all amoebots at once are wrong from some starts.
const EROSION: &str = "(seed: 1, amoebots: (algorithm: Erosion, start: AllConnected(count: 5)), execution: Rounds(Synchronous))";

fn place() -> Scratch {
    let place = Scratch::new();
    for (name, text) in [("a.ron", LOCKS), ("h.ron", HEXAGONS), ("m.ron", MESSAGES), ("e.ron", EROSION)] {
        place.file(name, text);
    }
    place
}

/// The arguments with a checkpoint; once there is one, the check continues from it.
fn saving<'a>(place: &Scratch, arguments: &[&'a str]) -> Vec<&'a str> {
    let is_saved = place.path().join("c").exists() || place.path().join("c.previous").exists();
    let flag = if is_saved { "--resume" } else { "--checkpoint" };
    [arguments, &[flag, "c", "--every", "5ms"]].concat()
}

#[test]
fn a_check_out_of_time_is_continued_with_any_number_of_threads() {
    for (name, arguments) in checks() {
        let place = place();
        let begun = Instant::now();
        let whole = place.run(&arguments);
        // Longer than it takes to begin.
        let share = (begun.elapsed() / 4).as_millis().max(50).to_string() + "ms";
        let mut parts = 0;
        let ended = loop {
            parts += 1;
            assert!(parts < 100, "{name}: no end");
            let threads = ["1", "2", "3", "7"][parts % 4];
            let limit = ["--threads", threads, "--max-time", &share];
            let ran = place.run(&[&saving(&place, &arguments)[..], &limit].concat());
            // One that has found a fault exits with 1, although it is not at its end.
            if !ran.out.contains("truncated: ") && ran.code != Some(3) {
                break ran;
            }
        };
        assert_eq!((&ended.out, ended.code), (&whole.out, whole.code), "{name}");
        eprintln!("{name}: in {parts} parts");
    }
}

#[test]
fn a_killed_check_continues_to_the_same_end() {
    let mut all = 0;
    for (name, arguments) in checks() {
        let place = place();
        let begun = Instant::now();
        let whole = place.run(&arguments);
        let took = begun.elapsed();
        let mut kills = 0;
        let ended = loop {
            let mut command = place.command(&saving(&place, &arguments));
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            if kills < 4 {
                std::thread::sleep(took.mul_f64(0.2 + 0.15 * f64::from(kills)) + Duration::from_millis(10));
                if child.try_wait().unwrap().is_none() {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    kills += 1;
                    continue;
                }
            }
            break Ran::of(&child.wait_with_output().unwrap());
        };
        assert_eq!((&ended.out, ended.code), (&whole.out, whole.code), "{name}");
        all += kills;
        let expected = ["a.ron", "c", "c.previous", "e.ron", "h.ron", "m.ron"];
        assert!(place.names().iter().all(|name| expected.contains(&&name[..])), "{:?}", place.names());
    }
    // A quick check may end before its moment.
    assert!(all >= 4, "{all} kills");
}

#[test]
fn a_checkpoint_of_another_check_is_refused() {
    let place = place();
    let check = EVERY_CHANGE;
    let ran = place.run(&[&check[..], &["--checkpoint", "c", "--configurations", "20000"]].concat()).exits(3);
    let sentence =
        "the check is saved; to continue it: the same command with --resume c in place of --checkpoint";
    assert!(ran.err.contains(sentence), "{}", ran.err);
    let sound = fs::read(place.path().join("c")).unwrap();
    let refused = |arguments: &[&str], what: &str| {
        let ran = place.run(arguments).exits(2);
        assert!(ran.err.contains(what), "{}", ran.err);
    };
    let other = "c is a checkpoint of another check: it was saved with the flags `";
    refused(&["check", "a.ron", "--disconnections", "2", "--resume", "c"], other);
    place.file("b.ron", LOCKS.replace("priorities: 3", "priorities: 2"));
    let changed = "the file, or a file that it names, has changed";
    refused(&[&["check", "b.ron"], &check[2..], &["--resume", "c"]].concat(), changed);
    refused(&["check", "exact-majority", "--predicate", "A > B", "--resume", "c"], other);
    refused(&["run", "--resume", "c"], "it is not a checkpoint of a run");
    refused(&["check", "h.ron", "--resume", "c"], other);
    let drawn = ["check", "h.ron", "--set", "amoebots.start=Blob(count: 4)", "--checkpoint", "d"];
    refused(&drawn, "the start is drawn from the seed, but the scenario has no seed");
    refused(
        &["check", "a.ron", "--walks", "5", "--checkpoint", "d"],
        "--checkpoint does not apply to random walks",
    );
    refused(&["check", "a.ron", "--every", "5s"], "--every");
    place.file("c", &sound[..sound.len() - 1]);
    let resume = [&check[..], &["--resume", "c"]].concat();
    refused(&resume, "c cannot be used: it is cut off");
    place.file("c", &sound);
    assert_eq!(place.run(&resume).exits(0).out, place.run(&check).exits(0).out);
    assert_eq!(place.names(), ["a.ron", "b.ron", "c", "e.ron", "h.ron", "m.ron"]);
}
