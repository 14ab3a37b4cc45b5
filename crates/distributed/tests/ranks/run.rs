//! `mpirun acrasin-mpi run`: one run of several ranks, with the record and the files of one process.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::job::{Job, alone, ran};

/// 2^22 agents, in four strips. The condition on counts begins to hold within a window.
fn scenario(topology: &str, stop: &str) -> String {
    format!(
        "(seed: 3, topology: {topology}, scheduler: UniformPairs, stop: {stop}, work: Interactions(protocol: \
         Library(name: \"approximate-majority\"), initial: Shares({{\"A\": 0.6, \"B\": 0.4}})))"
    )
}

fn folder(topology: &str, stop: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.ron"), scenario(topology, stop)).expect("written");
    folder
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect(name)
}

#[test]
fn records_and_counts_are_those_of_one_process() {
    let kinds = [
        ("Torus(rows: 2048, columns: 2048)", "[Interactions(9e6)]"),
        // Rows are shorter than columns: the strips run along them.
        ("Torus(rows: 1024, columns: 4100)", "[Counts(\"10 * U >= n\")]"),
        ("Ring(nodes: 4194305)", "[Silent, Interactions(5e6)]"),
    ];
    for (topology, stop) in kinds {
        let folder = folder(topology, stop);
        let folder = folder.path();
        let run = |rest: &[&'static str]| [&["run", "m.ron", "--format", "jsonl"], rest].concat();
        let one = alone(folder, &run(&["-o", "one"]));
        assert_eq!(one.code, Some(0), "{one:?}");
        assert!(one.out.contains("\"digest\":"), "{}", one.out);
        let ways: [(usize, &str, &str); 4] = [(1, "1", "1"), (2, "1", "2"), (3, "2", "3"), (4, "1", "4")];
        for (ranks, threads, output) in ways {
            let job = ran(folder, ranks, &run(&["--threads", threads, "-o", output]));
            assert_eq!(job.code, Some(0), "{ranks} ranks: {job:?}");
            assert_eq!(job.out, one.out, "{topology}, {stop}, {ranks} ranks of {threads} threads");
            let counts = |folder_of_run: &str| text(folder, &format!("{folder_of_run}/counts.csv"));
            assert!(counts(output) == counts("one"), "{ranks} ranks");
        }
    }
}

#[test]
fn runs_that_are_not_divided_are_refused_once() {
    let folder = folder("Complete(nodes: 100)", "[OutputsAgree]");
    fs::write(folder.path().join("torus.ron"), scenario("Torus(rows: 2048, columns: 2048)", "[Silent]"))
        .expect("written");
    let wrong: [(&[&str], &str); 4] = [
        (&["run", "m.ron"], "cannot be divided between ranks"),
        (&["run", "none.ron"], "none.ron"),
        (&["run", "torus.ron", "--checkpoint", "c"], "--checkpoint with several ranks"),
        (&["run", "torus.ron", "--reps", "3"], "--reps with several ranks"),
    ];
    for (arguments, message) in wrong {
        let job = ran(folder.path(), 3, arguments);
        assert_eq!(job.code, Some(2), "{arguments:?}: {job:?}");
        assert_eq!(job.err.matches("error: ").count(), 1, "{}", job.err);
        assert!(job.err.contains(message), "{}", job.err);
    }
}

/// An interrupted run has a record; a run of which a rank is killed ends with a message.
#[test]
fn an_interrupt_or_the_end_of_a_rank_ends_the_run() {
    let folder = folder("Torus(rows: 2048, columns: 2048)", "[Interactions(1e15)]");
    for (rank, signal) in [(0, "-INT"), (1, "-TERM"), (1, "-KILL")] {
        let job = Job::start(folder.path(), 2, &["run", "m.ron", "--format", "jsonl"]);
        job.process(rank);
        std::thread::sleep(Duration::from_secs(4));
        let since = Instant::now();
        job.signal(rank, signal);
        let job = job.end();
        assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
        if signal == "-KILL" {
            assert_ne!(job.code, Some(0), "{job:?}");
            assert!(job.err.contains("Killed") || job.err.contains("signal 9"), "{}", job.err);
        } else {
            assert_eq!(job.code, Some(130), "{job:?}");
            assert!(job.out.contains("\"word\":\"interrupted\""), "{job:?}");
        }
    }
    let job = ran(folder.path(), 2, &["run", "m.ron", "--max-time", "3s", "--format", "jsonl"]);
    assert_eq!(job.code, Some(3), "{job:?}");
}
