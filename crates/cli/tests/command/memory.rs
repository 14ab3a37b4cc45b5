//! Memory limits of the process: runs are refused by their estimate instead of being killed by the system.

use std::process::Command;

use crate::program::{Ran, Scratch};

/// Runs the program with this limit on its address space, in KiB.
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

/// A graph that did not fit used to abort the program.
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

/// Asserts that a run which the estimate accepts fits into memory.
#[cfg(target_os = "linux")]
fn fits_just_within_the_limit(scenario: &str) {
    let place = Scratch::new();
    place.file("a.ron", scenario);
    // Finds the first limit, in steps of 8 MiB, at which the run is not refused.
    let mut kibibytes = 16 << 10;
    let ran = loop {
        // Checks that the program itself fits. Otherwise the system ends it while loading, by a signal or with 127.
        if limited(&place, kibibytes, &["--version"]).code == Some(0) {
            let ran = limited(&place, kibibytes, &["run", "a.ron", "--threads", "1", "--format", "jsonl"]);
            if ran.code != Some(2) {
                break ran;
            }
        }
        kibibytes += 8 << 10;
        assert!(kibibytes < 2 << 20, "{scenario}");
    };
    assert!(matches!(ran.code, Some(0 | 3)), "{scenario}, {kibibytes} KiB: {ran:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_graph_just_within_the_limit_runs() {
    for (rung, scheduler) in RUNGS {
        fits_just_within_the_limit(&format!(
            "(topology: Ring(nodes: 100_000), rung: {rung}, scheduler: {scheduler}, work: Locks(each: 1), seed: 1, \
             limits: (rounds: 3))"
        ));
    }
}

/// Amoebots used to have no estimate: too many aborted the program.
#[test]
#[cfg(target_os = "linux")]
fn amoebots_that_do_not_fit_are_refused_with_their_estimate() {
    let place = Scratch::new();
    place.file("a.ron", "(amoebots: (algorithm: Erosion, start: Hexagon(count: 16_000_000)), seed: 1)");
    let ran = limited(&place, 1 << 20, &["run", "a.ron", "-o", "out"]).exits(2);
    for part in
        ["a.ron:1:", "16000000 amoebots need about", "of memory", "accepted: amoebots that need at most"]
    {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    assert_eq!((ran.out.as_str(), place.names()), ("", vec!["a.ron".to_owned()]));
}

#[test]
#[cfg(target_os = "linux")]
fn amoebots_just_within_the_limit_run() {
    for (execution, algorithm, start) in [
        ("Sequential()", "Hexagon", "start: Line(count: 100_000)"),
        ("Waves", "Hexagon", "start: Line(count: 100_000)"),
        ("Rounds(Isolated(0))", "Hexagon", "start: Line(count: 50_000)"),
        ("Concurrent(locks: TryLocks)", "Hexagon", "start: Line(count: 50_000)"),
        ("Concurrent(locks: Messages())", "Hexagon", "start: Line(count: 20_000)"),
        ("Sequential()", "TokenElection", "start: Line(count: 50_000)"),
        ("Sequential()", "Compression(lambda: 4)", "start: Line(count: 50_000)"),
        ("Sequential()", "UniversalCoating", "object: Wall(length: 50_000), start: Layer(count: 10_000)"),
    ] {
        fits_just_within_the_limit(&format!(
            "(amoebots: (algorithm: {algorithm}, {start}), execution: {execution}, stop: Steps(2), seed: 1)"
        ));
    }
}

/// Each repetition fits, but two at a time do not.
#[test]
#[cfg(target_os = "linux")]
fn repetitions_at_the_same_time_have_to_fit_together() {
    let place = Scratch::new();
    for scenario in [
        "(amoebots: (algorithm: Hexagon, start: Line(count: 500_000)), stop: Steps(2), seed: 1)",
        "(topology: Ring(nodes: 300_000), scheduler: SemiSynchronous(activation: All), work: Locks(each: 1), \
          limits: (rounds: 2), seed: 1)",
    ] {
        place.file("a.ron", scenario);
        let run =
            |flags: &[&str]| limited(&place, 400 << 10, &[&["run", "a.ron", "--reps", "2"], flags].concat());
        let ran = run(&["--threads", "2"]).exits(2);
        for part in ["2 repetitions at a time need about", "of memory each", "accepted: --threads 1"] {
            assert!(ran.err.contains(part), "{}", ran.err);
        }
        let ran = run(&["--threads", "1"]);
        assert!(matches!(ran.code, Some(0 | 3)), "{ran:?}");
    }
}

/// An exploration used to take its 2 GiB regardless of the limit, and a failing allocation ended the program with
/// 134.
#[test]
#[cfg(target_os = "linux")]
fn an_exploration_ends_where_its_process_gets_no_more() {
    let place = Scratch::new();
    place.file(
        "r.ron",
        "(seed: 1, topology: Ring(nodes: 7), scheduler: Sequential, work: Locks(each: Forever), stop: [Rounds(9)])",
    );
    // The addresses that each thread reserves used to be part of the budget, and a thread that got none for its own
    // small allocations took a page for each.
    for kibibytes in (140_000..=400_000).step_by(40_000).chain([256 << 10]) {
        for threads in ["1", "2", "4"] {
            let ran = limited(&place, kibibytes, &["check", "r.ron", "--threads", threads]);
            let is_said = ran.out.contains("TRUNCATED, memory ceiling reached")
                && ["--predicate", "--walks", "acrasin swarm"].iter().all(|part| ran.err.contains(part));
            assert!(ran.code == Some(3) && is_said, "{kibibytes} KiB, {threads} threads: {ran:#?}");
        }
    }
}

/// Regression: a failing allocation of uncounted memory ended the program with exit code 134.
#[test]
#[cfg(target_os = "linux")]
fn an_allocation_that_fails_is_a_budget_that_ran_out() {
    let place = Scratch::new();
    place.file(
        "m.ron",
        "(amoebots: (algorithm: Hexagon, start: Line(count: 300)), execution: Concurrent(locks: Messages()), seed: 1)",
    );
    place
        .file("w.ron", "(amoebots: (algorithm: Hexagon, start: Blob(count: 20)), execution: Waves, seed: 1)");
    for scenario in ["m.ron", "w.ron"] {
        for kibibytes in [262_144, 200_000, 150_000] {
            let ran = limited(&place, kibibytes, &["check", scenario, "--max-time", "5s"]);
            assert_eq!(ran.code, Some(3), "{scenario}, {kibibytes} KiB: {ran:?}");
            assert!(!ran.err.is_empty() || !ran.out.is_empty(), "{scenario}, {kibibytes} KiB");
        }
    }
}

/// Regression: the moves of a state with many amoebots were listed before they were counted, and half of the address
/// space was too little for uncounted memory.
#[test]
#[cfg(target_os = "linux")]
fn checks_of_amoebots_end_where_their_process_gets_no_more() {
    let place = Scratch::new();
    for scenario in [
        "algorithm: Erosion, start: Hexagon(count: 20_000)), seed: 1",
        "algorithm: Hexagon, start: Blob(count: 40)), seed: 1",
        "algorithm: Hexagon, start: Line(count: 3000)), execution: Concurrent(locks: TryLocks), seed: 1",
    ] {
        place.file("a.ron", format!("(amoebots: ({scenario})"));
        for kibibytes in [150_000, 200_000, 262_144, 400_000] {
            let ran = limited(&place, kibibytes, &["check", "a.ron", "--max-time", "3s", "--threads", "2"]);
            assert_eq!(ran.code, Some(3), "{scenario}, {kibibytes} KiB: {ran:?}");
        }
    }
}

/// Rows that fit are drawn, others are refused: a small text can have large columns.
#[test]
#[cfg(target_os = "linux")]
fn rows_that_do_not_fit_are_refused() {
    let place = Scratch::new();
    place.file("few.csv", format!("a,b\n{}", "1,2\n".repeat(1000)));
    place.file("many.csv", format!("a,b\n{}", "1,2\n".repeat(4_000_000)));
    place.file("wide.jsonl", format!("{{\"a\":[{}1]}}\n", "[],".repeat(2_700_000)));
    place.file("large.csv", vec![b'1'; 150 << 20]);
    let plot = |rows: &str| limited(&place, 512 << 10, &["plot", rows, "--x", "a", "--y", "b"]);
    plot("few.csv").exits(0);
    for (rows, said) in [("many.csv", "4000000 rows need up to"), ("large.csv", "has more than")] {
        let refused = plot(rows).exits(2);
        assert!(refused.err.contains(said), "{rows}: {}", refused.err);
    }
    plot("wide.jsonl").exits(2);
}

/// All combinations used to be listed before the first was checked; a list of three billion did not fit.
#[test]
#[cfg(target_os = "linux")]
fn combinations_that_do_not_fit_are_refused_or_their_time_is_over() {
    let place = Scratch::new();
    place.file(
        "a.ron",
        "(topology: Complete(nodes: 20), work: Interactions(protocol: Library(name: \"voter\"), \
        initial: All(\"0\")), limits: (interactions: 9))",
    );
    let over = ["--over", "limits.interactions=1..60000 by 1", "--over", "seed=1..60000 by 1"];
    let sweep = [&["sweep", "a.ron"][..], &over, &["--limit", "4000000000", "--dry-run"]].concat();
    let ran = limited(&place, 160 << 10, &sweep).exits(2);
    assert!(ran.err.contains("combinations already fill the memory"), "{}", ran.err);
    limited(&place, 400 << 10, &[&sweep[..], &["--max-time", "1s"]].concat()).exits(3);
}

/// The rows of a sweep are in memory while they are matched with its runs. A file that takes more than a quarter of the
/// memory is refused.
#[test]
fn a_file_of_rows_that_does_not_fit_is_refused() {
    let place = Scratch::new();
    place.file(
        "a.ron",
        "(seed: 1, topology: Complete(nodes: 10), scheduler: UniformPairs, work: Interactions(protocol: \
         Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.6, \"B\": 0.4})), stop: [OutputsAgree])",
    );
    let sweep = ["sweep", "a.ron", "--over", "topology.nodes=[10, 20]", "-o", "rows.csv", "--threads", "1"];
    place.run(&sweep).exits(0);
    let rows = std::fs::read(place.path().join("rows.csv")).unwrap();
    limited(&place, 400 << 10, &sweep).exits(0);
    let file = std::fs::OpenOptions::new().write(true).open(place.path().join("rows.csv")).unwrap();
    file.set_len(200 << 20).unwrap();
    let refused = limited(&place, 400 << 10, &sweep).exits(2).err;
    assert!(refused.contains("rows.csv has 209715200 bytes of rows already"), "{refused}");
    // Nothing was cut or written.
    assert_eq!(file.metadata().unwrap().len(), 200 << 20);
    file.set_len(rows.len() as u64).unwrap();
    assert_eq!(std::fs::read(place.path().join("rows.csv")).unwrap(), rows);
}

/// Tests threads that each reserve addresses, one per core, and plots with large texts and columns. What does not fit
/// ends with a message and a documented exit code, never with an abort.
#[test]
fn nothing_aborts_where_addresses_are_few() {
    let place = Scratch::new();
    let rows: String =
        (0..200_000_u64).map(|row| format!("{row},{},name{}\n", row * row % 977, row % 9)).collect();
    place.file("rows.csv", format!("a,b,c\n{rows}"));
    place.file(
        "pairs.ron",
        "(seed: 1, topology: Complete(nodes: 1e8), scheduler: UniformPairs, work: Interactions(protocol: \
         Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.6, \"B\": 0.4})), stop: [OutputsAgree])",
    );
    for kibibytes in [256 << 10, 512 << 10] {
        for (arguments, codes) in [
            (&["plot", "rows.csv", "--x", "a", "--y", "b"][..], &[0, 2][..]),
            (&["plot", "rows.csv", "--x", "a", "--y", "b", "--by", "c", "-o", "o.svg"], &[0, 2]),
            (&["run", "pairs.ron", "--reps", "4", "--max-time", "1s"], &[0, 2, 3]),
            (
                &[
                    "check",
                    "exact-majority",
                    "--predicate",
                    "A > B",
                    "--answers",
                    "yes=A,no=B",
                    "--inputs",
                    "A,B",
                ],
                &[1],
            ),
        ] {
            let ran = limited(&place, kibibytes, arguments);
            assert!(
                ran.code.is_some_and(|code| codes.contains(&code)),
                "{kibibytes} {arguments:?}: {ran:#?}"
            );
            assert!(!ran.err.contains("memory allocation"), "{kibibytes} {arguments:?}: {}", ran.err);
        }
    }
}

/// Threads that got no addresses ended the command with "Resource temporarily unavailable", or by luck with a failed
/// allocation.
#[test]
#[cfg(target_os = "linux")]
fn threads_without_room_for_their_addresses_are_left_out_and_said() {
    let place = Scratch::new();
    place.file(
        "a.ron",
        "(seed: 1, topology: Complete(nodes: 50), scheduler: UniformPairs, work: Interactions(protocol: \
         Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.6, \"B\": 0.4})), stop: [OutputsAgree])",
    );
    for arguments in [
        &["run", "a.ron", "--reps", "8", "--format", "csv"][..],
        &["sweep", "a.ron", "--over", "topology.nodes=[20, 30]", "--reps", "8", "--format", "csv"],
        &["check", "exact-majority", "--predicate", "A > B", "--given", "A != B", "--inputs", "A,B"],
        &["swarm", "--runs", "8"],
    ] {
        let limited =
            |kibibytes| limited(&place, kibibytes, &[arguments, &["--threads", "1024"]].concat()).exits(0);
        // The process takes about 110,000 KiB with one thread, and each further one 67,584.
        let (one, several) = (limited(150_000), limited(800_000));
        assert!(one.err.contains("note: 1 thread instead of 1024"), "{arguments:?}: {}", one.err);
        assert!(several.err.contains(" threads instead of 1024"), "{arguments:?}: {}", several.err);
        assert_eq!(one.out, several.out, "{arguments:?}");
    }
}
