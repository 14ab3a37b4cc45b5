//! `--output`.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use crate::program::{ENDLESS, PUBLISHED, Ran, SMALL, Scratch, names};

const FILES: [&str; 6] =
    ["counts.csv", "counts.svg", "record.csv", "record.jsonl", "record.txt", "scenario.ron"];

/// A run of some seconds.
const SLOW: &str = "(seed: 1, topology: Ring(nodes: 30), scheduler: Sequential, work: Locks(each: Forever), \
    stop: [Rounds(3e4)])";

#[test]
fn records_counts_picture_and_scenario() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    let flags =
        ["--set", "topology.nodes=9", "--set", "work.initial.S=8", "--seed", "7", "--format", "jsonl"];
    let ran = place.run(&[&["run", "a.ron", "-o", "out"], &flags[..]].concat()).exits(0);
    assert_eq!(place.names(), ["a.ron", "out"]);
    let out = place.path().join("out");
    assert_eq!(names(&out), FILES);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("record.jsonl"), ran.out);
    assert!(read("counts.csv").lines().count() > 2, "{}", read("counts.csv"));
    assert!(read("counts.svg").starts_with("<svg ") && read("counts.svg").ends_with("</svg>\n"));
    assert!(read("record.txt").contains("wall time") && read("record.csv").starts_with("repetition,"));

    // Running the scenario in the folder gives the same results.
    let again = place.run(&["run", "out/scenario.ron", "--format", "jsonl"]).exits(0);
    let (one, other) = (&ran.json()[0], &again.json()[0]);
    for section in ["outcome", "work", "locks", "messages", "digest", "states"] {
        assert!(one[section].is_object() && one[section] == other[section], "{section}");
    }
}

#[test]
fn a_folder_with_something_in_it_is_only_used_by_force() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    fs::create_dir(place.path().join("out")).unwrap();
    place.run(&["run", "a.ron", "-o", "out"]).exits(0);
    let first = fs::read_to_string(place.path().join("out/record.jsonl")).unwrap();
    place.file("out/mine.txt", "mine");
    let ran = place.run(&["run", "a.ron", "-o", "out", "--seed", "8"]).exits(2);
    assert!(ran.err.contains("not empty") && ran.err.contains("--force"), "{}", ran.err);
    assert_eq!(fs::read_to_string(place.path().join("out/record.jsonl")).unwrap(), first);
    place.run(&["run", "a.ron", "-o", "out", "--seed", "8", "--force"]).exits(0);
    assert_ne!(fs::read_to_string(place.path().join("out/record.jsonl")).unwrap(), first);
    assert_eq!(fs::read_to_string(place.path().join("out/mine.txt")).unwrap(), "mine");
    assert_eq!(names(&place.path().join("out")).len(), FILES.len() + 1);
    assert_eq!(place.names(), ["a.ron", "out"]);
}

#[test]
fn repetitions_have_files_of_their_own() {
    let place = Scratch::new();
    place.file("p2.ron", PUBLISHED);
    place.run(&["run", "p2.ron", "--seed", "0", "--reps", "60", "-o", "dead"]).exits(1);
    let found = names(&place.path().join("dead"));
    assert!(found.iter().any(|name| name.starts_with("configuration-")), "{found:?}");
    assert!(!found.iter().any(|name| name.starts_with("counts")), "{found:?}");
    place.file("a.ron", SMALL);
    place.run(&["run", "a.ron", "--reps", "2", "-o", "two"]).exits(0);
    let found = names(&place.path().join("two"));
    for name in ["counts-0.csv", "counts-0.svg", "counts-1.csv", "counts-1.svg"] {
        assert!(found.iter().any(|found| found == name), "{found:?}");
    }
    let rows = fs::read_to_string(place.path().join("two/record.csv")).unwrap().lines().count();
    assert_eq!(rows, 3);
}

#[test]
fn a_path_in_the_kept_scenario_holds_from_everywhere() {
    let place = Scratch::new();
    place.file("trace.tsv", "20\t1\t2\n40\t2\t3\n");
    place.file(
        "a.ron",
        "(topology: Contacts(path: \"trace.tsv\", format: Instants(resolution: 20), rounds_per_step: 10), \
         scheduler: Sequential, work: Locks(each: 1))",
    );
    let ran = place.run(&["run", "a.ron", "--seed", "3", "-o", "out", "--format", "jsonl"]).exits(0);
    let again = place.run(&["run", "out/scenario.ron", "--format", "jsonl"]).exits(0);
    assert_eq!(ran.json()[0]["digest"], again.json()[0]["digest"]);
}

/// The results used to be lost with the folder, even on standard output.
#[test]
fn a_folder_that_cannot_be_written_at_the_end_takes_nothing_with_it() {
    let place = Scratch::new();
    // Another process takes the name during the run.
    place.file("slow.ron", SLOW);
    let slow = ["run", "slow.ron", "-v", "-o", "out", "--format", "jsonl", "--reps", "2", "--threads", "1"];
    let mut command = place.command(&slow);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut String::new()).unwrap();
    place.file("out", "mine");
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    let ran = Ran { code: child.wait().unwrap().code(), out, err }.exits(1);
    assert_eq!(ran.json().len(), 2);
    let last = ran.err.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: out cannot be written: "), "{ran:?}");
    assert_eq!(fs::read_to_string(place.path().join("out")).unwrap(), "mine");
    assert_eq!(place.names(), ["out", "slow.ron"]);
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_made_is_said_before_the_run() {
    let place = Scratch::new();
    place.file("a.ron", ENDLESS);
    for target in ["/proc/out", "a.ron/out", "no/such/out"] {
        let ran = place.run(&["run", "a.ron", "-o", target]).exits(2);
        assert!(ran.out.is_empty() && ran.err.contains(target), "{ran:?}");
    }
    assert_eq!(place.names(), ["a.ron"]);
}

#[test]
fn by_force_the_results_of_an_earlier_run_do_not_stay() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    place.run(&["run", "a.ron", "--reps", "3", "-o", "out"]).exits(0);
    place.file("out/mine.txt", "mine");
    place.run(&["run", "a.ron", "-o", "out", "--force"]).exits(0);
    let mut expected = [&FILES[..], &["mine.txt"]].concat();
    expected.sort_unstable();
    assert_eq!(names(&place.path().join("out")), expected);
}

/// A kill used to leave a folder with files of two runs, and a hidden folder permanently.
#[test]
#[cfg(unix)]
fn a_killed_run_leaves_the_old_folder_and_the_next_one_clears_up() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    place.run(&["run", "a.ron", "-o", "out"]).exits(0);
    let before = fs::read_to_string(place.path().join("out/record.jsonl")).unwrap();
    place.file("slow.ron", ENDLESS);
    let arguments = ["run", "slow.ron", "-v", "-o", "out", "--force", "--record", "r.jsonl"];
    let mut command = place.command(&arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut String::new()).unwrap();
    // While the first run lives, another one leaves its files alone.
    place.run(&["run", "a.ron", "-o", "other", "--record", "s.jsonl"]).exits(0);
    let hidden = |place: &Scratch| place.names().iter().filter(|name| name.contains("unfinished")).count();
    assert_eq!(hidden(&place), 2, "{:?}", place.names());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(hidden(&place), 2);
    assert_eq!(fs::read_to_string(place.path().join("out/record.jsonl")).unwrap(), before);
    assert_eq!(names(&place.path().join("out")), FILES);
    place.run(&["run", "a.ron", "-o", "third"]).exits(0);
    assert_eq!(hidden(&place), 0, "{:?}", place.names());
}

/// The folder can be moved: the path of the protocol stays valid.
#[test]
fn the_scenario_in_the_folder_finds_the_file_of_its_protocol() {
    let place = Scratch::new();
    fs::create_dir(place.path().join("town")).unwrap();
    place.file(
        "town/vote.ron",
        "(states: [\"S\", \"I\"], rules: [OneWay(\"I + S -> I + I\")], default: Null)",
    );
    place.file(
        "town/a.ron",
        "(topology: Ring(nodes: 9), scheduler: Sequential, work: Interactions(protocol: File(path: \"vote.ron\"), \
         initial: Counts({\"I\": 1, \"S\": 8})), stop: [Silent], seed: 3)",
    );
    let ran = place.run(&["run", "town/a.ron", "-o", "out", "--format", "jsonl"]).exits(0);
    let again = place.run(&["run", "out/scenario.ron", "--format", "jsonl"]).exits(0);
    assert_eq!(ran.json()[0]["states"], again.json()[0]["states"]);
    let checked = place.run(&["check", "town/a.ron", "--eventually", "S == 0", "--given", "I >= 1"]).exits(0);
    assert!(checked.out.contains('S'), "{}", checked.out);
    place.file(
        "town/vote.ron",
        "(states: [\"S\", \"I\"],\n rules: [OneWay(\"I + T -> I + I\")], default: Null)",
    );
    for command in ["run", "check"] {
        let refused = place.run(&[command, "town/a.ron"]).exits(2);
        assert!(refused.err.contains("town/vote.ron:2:"), "{}", refused.err);
    }
}

#[test]
fn plots_can_be_left_out() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    let drawn = |folder: &str| {
        let found = names(&place.path().join(folder)).into_iter();
        let (drawn, rest): (Vec<_>, Vec<_>) =
            found.partition(|name| name.ends_with(".svg") || name.ends_with(".tex"));
        (drawn, rest.len())
    };
    for (plots, expected, counts) in [
        ("none", &[][..], 1),
        ("first", &["counts-0.svg"], 3),
        ("all", &["counts-0.svg", "counts-1.svg", "counts-2.svg"], 3),
    ] {
        place.run(&["run", "a.ron", "--reps", "3", "-o", plots, "--plots", plots]).exits(0);
        // Counts, the records, the scenario.
        assert_eq!(drawn(plots), (expected.iter().map(ToString::to_string).collect(), counts + 3 + 1));
    }
    // The single file has the contents of the others, by repetition.
    let read = |path: &str| fs::read_to_string(place.path().join(path)).unwrap();
    let mut together = String::new();
    for repetition in 0..3 {
        let counts = read(&format!("first/counts-{repetition}.csv"));
        let before = |line: &str| {
            if line.starts_with(|c: char| c.is_ascii_digit()) {
                repetition.to_string()
            } else {
                "repetition".to_owned()
            }
        };
        let lines = counts.lines().skip(usize::from(repetition > 0));
        together.extend(lines.map(|line| format!("{},{line}\n", before(line))));
    }
    assert_eq!(read("none/counts.csv"), together);
    assert_eq!(read("none/record.jsonl"), read("all/record.jsonl"));
    // The single file also replaces the files of many repetitions, such as last configurations.
    place.file("p2.ron", PUBLISHED);
    place.run(&["run", "p2.ron", "--seed", "0", "--reps", "60", "-o", "dead", "--plots", "none"]).exits(1);
    assert_eq!(
        names(&place.path().join("dead")),
        ["record.csv", "record.jsonl", "record.txt", "scenario.ron"]
    );
    assert!(read("dead/record.jsonl").contains("\"configuration\":{\"text\":\""));
    // Pictures of amoebots are left out like plots; drawings as text are kept.
    let hexagon = ["run", "hexagon-messages", "--set", "amoebots.start.count=20", "-o"];
    place.run(&[&hexagon[..], &["without", "--plots", "none"]].concat()).exits(0);
    place.run(&[&hexagon[..], &["with"]].concat()).exits(0);
    assert_eq!((drawn("without").0, drawn("with").0.len()), (vec![], 5));
    assert_eq!(drawn("without").1, drawn("with").1);
    // Without a folder the flag is refused.
    place.run(&["run", "a.ron", "--plots", "none"]).exits(2);
}
