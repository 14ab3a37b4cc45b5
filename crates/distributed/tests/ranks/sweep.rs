//! `mpirun acrasin-mpi sweep`: the rows of one process, for any number of ranks.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::job::{Job, alone, ran};

const SMALL: &str = "(seed: 7, topology: Complete(nodes: 20), scheduler: UniformPairs, stop: [OutputsAgree],
    work: Interactions(protocol: Library(name: \"approximate-majority\"), initial: Shares({\"A\": 0.6, \"B\": 0.4})))";

/// A run of about a tenth of a second in an unoptimised build.
const LONG: &str = "(seed: 7, topology: Ring(nodes: 20), scheduler: Sequential, work: Locks(each: 1000))";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("small.ron"), SMALL).expect("written");
    fs::write(folder.path().join("long.ron"), LONG).expect("written");
    folder
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect(name)
}

#[test]
fn ten_thousand_repetitions_over_ranks_are_the_rows_of_one_process() {
    let folder = folder();
    let folder = folder.path();
    let sweep = ["sweep", "small.ron", "--reps", "10000", "-o"];
    let one = alone(folder, &[&sweep[..], &["one.jsonl"]].concat());
    assert_eq!(one.code, Some(0), "{one:?}");
    let whole = text(folder, "one.jsonl");
    assert_eq!(whole.lines().count(), 10_001);
    for ranks in [1, 2, 3] {
        let name = format!("{ranks}.jsonl");
        let job = ran(folder, ranks, &[&sweep[..], &[&name]].concat());
        assert_eq!(job.code, Some(0), "{ranks}: {job:?}");
        assert!(text(folder, &name) == whole, "{ranks} ranks");
        assert_eq!(job.out, one.out, "the summary of {ranks} ranks");
    }
}

#[test]
fn formats_combinations_and_resumed_files_are_those_of_one_process() {
    let folder = folder();
    let folder = folder.path();
    let sweep = |rest: &[&'static str]| {
        let over = ["sweep", "small.ron", "--over", "scheduler=[UniformPairs, Sequential]", "--reps", "20"];
        [&over[..], rest].concat()
    };
    for ending in ["one.jsonl", "one.csv"] {
        assert_eq!(alone(folder, &sweep(&["-o", ending])).code, Some(0));
        let whole = text(folder, ending);
        let three = if ending == "one.csv" { "3.csv" } else { "3.jsonl" };
        let job = ran(folder, 3, &sweep(&["-o", three, "--threads", "2"]));
        assert_eq!((job.code, text(folder, three)), (Some(0), whole.clone()), "{}", job.err);
        // Rows that are there stay: a file that ends within row 10 is completed.
        let rows: Vec<&str> = whole.split_inclusive('\n').collect();
        fs::write(folder.join(three), rows[..10].concat() + &rows[10][..30]).expect("written");
        let job = ran(folder, 3, &sweep(&["-o", three]));
        assert!(job.err.contains("9 of 40 runs are in the file already"), "{}", job.err);
        assert_eq!(text(folder, three), whole);
        // Nothing is left to do: the other ranks are dismissed.
        assert_eq!(ran(folder, 3, &sweep(&["-o", three])).code, Some(0));
    }
    let one = alone(folder, &sweep(&["--format", "jsonl"]));
    assert_eq!(ran(folder, 3, &sweep(&["--format", "jsonl"])).out, one.out);
    assert_eq!(ran(folder, 2, &sweep(&["--dry-run"])).out, alone(folder, &sweep(&["--dry-run"])).out);
}

/// All ranks find the same errors; one message is printed.
#[test]
fn errors_are_printed_once_and_end_all_ranks() {
    let folder = folder();
    let wrong: [(&[&str], &str); 4] = [
        (&["sweep", "none.ron", "--reps", "2"], "none.ron"),
        (&["sweep", "small.ron"], "--over"),
        (&["sweep", "small.ron", "--reps", "2", "--format", "csv"], "--format csv with several ranks"),
        (&["list"], "does not run over ranks"),
    ];
    for (arguments, message) in wrong {
        let job = ran(folder.path(), 3, arguments);
        assert_eq!(job.code, Some(2), "{arguments:?}: {job:?}");
        assert_eq!(job.err.matches("error: ").count(), 1, "{}", job.err);
        assert!(job.err.contains(message), "{}", job.err);
    }
}

/// Starts a long sweep on three ranks, and waits for its first rows.
fn begun(folder: &Path, name: &str) -> Job {
    let job = Job::start(folder, 3, &["sweep", "long.ron", "--reps", "2000", "-o", name]);
    let since = Instant::now();
    while fs::read_to_string(folder.join(name)).unwrap_or_default().lines().count() < 4 {
        assert!(since.elapsed() < Duration::from_secs(60), "no rows");
        std::thread::sleep(Duration::from_millis(10));
    }
    job
}

/// The lines of the page of the guide, with fewer runs.
#[test]
fn the_guide_says_what_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/guide/10-figures.md")).expect("the page");
    let block = |opening: &str| {
        let text = page.split_once(opening).expect(opening).1;
        text.split_once("\n```").expect("an end").0.to_owned()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("locked.ron"), block("```ron\n// locked.ron\n")).expect("written");
    let script = block("```text mpi.sh\n").replace("--reps 1000", "--reps 6");
    let (words, command) = script.split_once("mpirun acrasin-mpi ").expect("a command");
    assert!(words.lines().all(|line| line.starts_with('#')), "{words}");
    let words: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(words.last(), Some(&"rows.jsonl"));
    let job = ran(folder, 3, &words);
    assert_eq!(job.code, Some(0), "{job:?}");
    let whole = [&words[..words.len() - 1], &["whole.jsonl"]].concat();
    assert_eq!(alone(folder, &whole).code, Some(0));
    assert!(text(folder, "rows.jsonl") == text(folder, "whole.jsonl"));
}

/// The rows of a file, sorted. After an interrupt some rows are before those of earlier runs, which were made later.
fn sorted(text: &str) -> Vec<&str> {
    let mut rows: Vec<&str> = text.lines().collect();
    rows.sort_unstable();
    rows
}

/// Checks that a file has some whole rows of a sweep, and that a second job adds those that are missing.
fn continues(folder: &Path, name: &str) {
    let rows = text(folder, name);
    assert!(rows.lines().count() < 2000);
    let run = |row: &str| row.strip_prefix("{\"run\":")?.split(',').next()?.parse::<usize>().ok();
    let last = rows.lines().filter_map(run).max().expect("rows");
    let reps = (last + 4).to_string();
    let sweep = ["sweep", "long.ron", "--reps", &reps, "-o"];
    let job = ran(folder, 2, &[&sweep[..], &[name]].concat());
    assert_eq!(job.code, Some(0), "{job:?}");
    assert_eq!(alone(folder, &[&sweep[..], &["whole.jsonl"]].concat()).code, Some(0));
    let [found, whole] = [name, "whole.jsonl"].map(|name| text(folder, name));
    assert!(found.starts_with(&rows[..=rows.rfind('\n').expect("a row")]));
    assert!(sorted(&found) == sorted(&whole));
}

#[test]
fn a_signal_to_rank_0_or_to_all_ends_all_ranks_as_interrupted() {
    for (signal, to) in [("-INT", Some(0)), ("-TERM", Some(0)), ("-TERM", Some(1)), ("-TERM", None)] {
        let folder = folder();
        let job = begun(folder.path(), "rows.jsonl");
        let since = Instant::now();
        let processes: Vec<u32> = (0..3).map(|rank| job.process(rank)).collect();
        match to {
            Some(rank) => job.signal(rank, signal),
            None => job.signal_all(signal),
        }
        let job = job.end();
        // `mpirun` may end before the ranks do.
        let is_there = |process: &u32| Path::new(&format!("/proc/{process}/exe")).exists();
        while processes.iter().any(is_there) {
            assert!(since.elapsed() < Duration::from_secs(10), "a rank goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
        if to.is_some() {
            assert_eq!(job.code, Some(130), "{signal} to {to:?}: {job:?}");
        } else {
            assert_ne!(job.code, Some(0), "{job:?}");
        }
        continues(folder.path(), "rows.jsonl");
    }
}

#[test]
fn a_killed_rank_ends_the_job_with_a_message() {
    for rank in [1, 0] {
        let folder = folder();
        let job = begun(folder.path(), "rows.jsonl");
        let since = Instant::now();
        job.signal(rank, "-KILL");
        let job = job.end();
        assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
        assert!(job.code != Some(0), "{job:?}");
        assert!(job.err.contains("Killed") || job.err.contains("signal 9"), "{}", job.err);
        continues(folder.path(), "rows.jsonl");
    }
}
