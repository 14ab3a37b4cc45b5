//! Bad input: a clear message, exit code 2, and nothing written.

use crate::program::{SMALL, Scratch};

/// A scenario with one field replaced.
fn with(field: &str) -> String {
    let name = field.split(':').next().unwrap();
    let fields = [
        "topology: Ring(nodes: 12)",
        "scheduler: Sequential",
        "work: Locks(each: 1)",
        "lock: (priorities: Auto)",
    ];
    let kept = fields.iter().filter(|other| other.split(':').next() != Some(name));
    let kept: Vec<&str> = kept.copied().chain([field]).collect();
    format!("(\n    {},\n)\n", kept.join(",\n    "))
}

fn interactions(protocol: &str) -> String {
    with(&format!("work: Interactions(protocol: {protocol}, initial: All(\"A\"))"))
}

/// Runs `arguments` with all outputs requested, and checks that no file is left.
#[track_caller]
fn refused(place: &Scratch, arguments: &[&str], snippets: &[&str]) {
    let before = place.names();
    let outputs = ["--record", "recorded.jsonl", "-o", "out", "--format", "jsonl"];
    let ran = place.run(&[arguments, &outputs].concat()).exits(2);
    for snippet in snippets {
        assert!(ran.err.contains(snippet), "{snippet:?} is not in:\n{}", ran.err);
    }
    assert!(ran.err.starts_with("error: ") && !ran.err.contains("RUST_BACKTRACE"), "{}", ran.err);
    assert_eq!((ran.out.as_str(), place.names()), ("", before), "{}", ran.err);
}

#[track_caller]
fn refused_text(text: &str, snippets: &[&str]) {
    let place = Scratch::new();
    place.file("bad.ron", text);
    refused(&place, &["run", "bad.ron"], snippets);
}

#[test]
fn what_is_refused_here_is_accepted_with_the_fault_repaired() {
    let place = Scratch::new();
    place.file("good.ron", with("lock: (priorities: 2)"));
    let ran = place.run(&["run", "good.ron", "-o", "out", "--record", "recorded.jsonl"]).exits(0);
    assert!(ran.out.starts_with("Outcome\n"), "{}", ran.out);
    assert_eq!(place.names(), ["good.ron", "out", "recorded.jsonl"]);
}

#[test]
fn files_that_are_no_scenarios() {
    let place = Scratch::new();
    refused(&place, &["run", "missing.ron"], &["missing.ron", "cannot be read"]);
    refused(&place, &["run", "."], &["folder"]);
    place.file("binary.ron", [0x7f, b'E', b'L', b'F', 0, 1, 2, 0xff]);
    refused(&place, &["run", "binary.ron"], &["binary.ron:1:", "not text"]);
    place.file("gzip.ron", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
    refused(&place, &["run", "gzip.ron"], &["gzip.ron:1:2", "compressed"]);
    place.file("empty.ron", "");
    refused(&place, &["run", "empty.ron"], &["empty.ron"]);
    place.file("long.ron", vec![b' '; (1 << 20) + 1]);
    refused(&place, &["run", "long.ron"], &["too long"]);
}

#[test]
fn wrong_words() {
    refused_text(
        &with("topology: Ring(node: 12)"),
        &["bad.ron:5:20", "unknown field `node`", "^^^^", "did you mean `nodes`?"],
    );
    refused_text(&with("topology: Rng(nodes: 12)"), &["unknown name `Rng`", "did you mean `Ring`?"]);
    refused_text(&with("colour: 3"), &["unknown field `colour`", "accepted: title, seed"]);
    refused_text("(", &["bad.ron:1:"]);
}

#[test]
fn numbers_out_of_range() {
    refused_text(&with("lock: (priorities: 1)"), &["bad.ron:5:24", "priorit"]);
    refused_text(&(with("ports: 1")), &["ports", "bad.ron:6:"]);
    refused_text(&with("scheduler: SemiSynchronous(activation: Random(1.5))"), &["1.5", "bad.ron:5:"]);
    refused_text(&with("topology: Ring(nodes: -12)"), &["-12"]);
    refused_text(&with("topology: Ring(nodes: 99999999999999999999999)"), &["99999999999999999999999"]);
    refused_text(&with("topology: Ring(nodes: \"10^30\")"), &["10^30"]);
    refused_text(&with("topology: Torus(rows: 1e9, columns: 1e9)"), &["bad.ron:5:"]);
    refused_text(&with("topology: Complete(nodes: 1e9)"), &["bad.ron:5:"]);
}

#[test]
fn tables_that_do_not_hold_together() {
    let table = |rules: &str, default: &str| {
        interactions(&format!("Table(states: [\"A\", \"B\"], rules: [{rules}]{default})"))
    };
    refused_text(&table("Ordered(\"A + C -> A + A\")", ", default: Null"), &["`C`", "bad.ron:5:"]);
    refused_text(&table("Symmetric(\"A + B -> A + A\")", ""), &["default", "bad.ron:5:"]);
    refused_text(&interactions("Library(name: \"epidemc\")"), &["epidemc", "bad.ron:5:"]);
}

#[test]
fn contacts_that_are_broken() {
    let cases: [(&str, &[u8], &[&str]); 6] = [
        ("a broken line", b"20\t1\t2\n40\tone\n", &["2", "trace.tsv"]),
        ("unsorted times", b"20\t1\t2\n60\t1\t3\n40\t2\t3\n", &["trace.tsv:3", "bad.ron:5:", "sort"]),
        ("a self-contact", b"20\t1\t2\n40\t7\t7\n", &["trace.tsv:2", "drop"]),
        ("a duplicate", b"20\t1\t2\n20\t2\t1\n", &["trace.tsv:2", "merge"]),
        ("an empty file", b"", &["trace.tsv"]),
        ("a binary file", b"\x00\xff\xfe", &["trace.tsv"]),
    ];
    let text = with(
        "topology: Contacts(path: \"trace.tsv\", format: Instants(resolution: 20), rounds_per_step: 10)",
    );
    for (what, bytes, snippets) in cases {
        let place = Scratch::new();
        place.file("bad.ron", &text);
        place.file("trace.tsv", bytes);
        eprintln!("{what}");
        refused(&place, &["run", "bad.ron"], snippets);
    }
    let place = Scratch::new();
    place.file("bad.ron", &text);
    refused(&place, &["run", "bad.ron"], &["trace.tsv"]);
    place.file("trace.tsv", "20\t1\t2\n40\t2\t3\n");
    place.run(&["run", "bad.ron"]).exits(0);
}

#[test]
fn settings_on_the_command_line() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    refused(&place, &["run", "a.ron", "--set", "topology.node=3"], &["--set", "did you mean `nodes`?"]);
    refused(&place, &["run", "a.ron", "--set", "topology.nodes=-3"], &["--set", "-3"]);
    refused(&place, &["run", "a.ron", "--set", "topology.nodes"], &["key=value"]);
}

#[test]
fn flags_that_make_no_sense() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    for (flags, snippet) in [
        (&["--seed", "-1"][..], "seed"),
        (&["--seed", "18446744073709551616"], "seed"),
        (&["--threads", "0"], "threads"),
        (&["--reps", "0"], "reps"),
        (&["--reps", "2"], "--record cannot be combined with --reps 2"),
        (&["--max-time", "10"], "unit"),
        (&["--max-time=-1s"], "max-time"),
        (&["-q", "-v"], "cannot be used with"),
        (&["--sed", "1"], "--seed"),
    ] {
        refused(&place, &[&["run", "a.ron"], flags].concat(), &[snippet]);
    }
    place.run(&[]).exits(2);
    place.run(&["run", "a.ron", "--format", "xml"]).exits(2);
    place.run(&["run", "a.ron", "--force"]).exits(2);
}

#[test]
fn places_where_nothing_can_be_written() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    std::fs::create_dir(place.path().join("full")).unwrap();
    place.file("full/keep.txt", "keep");
    let before = place.names();
    for (flags, snippet) in [
        (&["-o", "full"][..], "--force"),
        (&["-o", "a.ron"], "a.ron"),
        (&["-o", "no/such/folder"], "no/such/folder"),
        (&["-o", ".."], ".."),
        (&["--record", "no/such/file.jsonl"], "no/such/file.jsonl"),
        (&["--record", "full"], "folder"),
    ] {
        let ran = place.run(&[&["run", "a.ron"], flags].concat()).exits(2);
        assert!(ran.err.contains(snippet) && ran.out.is_empty(), "{ran:?}");
        assert_eq!(place.names(), before, "{flags:?}");
    }
    assert_eq!(std::fs::read_to_string(place.path().join("full/keep.txt")).unwrap(), "keep");
}

#[test]
fn replays_that_are_no_replays() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    place.run(&["run", "a.ron", "--record", "good.jsonl"]).exits(0);
    let good = std::fs::read_to_string(place.path().join("good.jsonl")).unwrap();
    let cut = good.lines().count() - 1;
    let cut: String = good.lines().take(cut).map(|line| format!("{line}\n")).collect();
    for (name, text) in [("cut", cut.as_str()), ("empty", ""), ("scenario", SMALL), ("list", "[1]\n")] {
        let name = format!("{name}.jsonl");
        place.file(&name, text);
        let ran = place.run(&["replay", &name]).exits(2);
        assert!(ran.err.contains(&name) && ran.out.is_empty(), "{ran:?}");
    }
    place.run(&["replay", "missing.jsonl"]).exits(2);
    place.run(&["replay", "."]).exits(2);
}

/// Arguments are echoed shortened and escaped.
#[test]
fn messages_about_arguments_are_short() {
    let place = Scratch::new();
    place.file("a.ron", SMALL);
    let word = "x".repeat(30_000);
    let values = format!("topology.nodes=[{}]", vec!["y".repeat(100); 900].join(", "));
    for arguments in [
        &["run", "a.ron", "--max-time", &word][..],
        &["run", "a.ron", "--seed", &word],
        &["run", "a.ron", "--threads", &word],
        &["run", "a.ron", "--format", &word],
        &["run", "a.ron", &word],
        &["run", "a.ron", &format!("--{word}")],
        &[&word],
        &["list", &word],
        &["replay", "a.ron", "--at", &word],
        &["check", "a.ron", "--memory", &word],
        &["plot", "a.ron", "--size", &word],
        &["view", "a.ron", "--frames", &word],
        &["swarm", "--runs", &word],
        &["sweep", "a.ron", "--over", &values],
    ] {
        let said = place.run(arguments).exits(2).err;
        assert!(said.starts_with("error: ") && said.len() <= 1_001, "{arguments:.60?}: {} bytes", said.len());
    }
    let said = place.run(&["run", "a.ron", "--max-time", "\u{1b}[31m\u{202e}"]).exits(2).err;
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
}
