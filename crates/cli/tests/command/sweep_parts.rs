//! `acrasin sweep --part` and `--join`: a sweep that several machines make.

use std::fs;

use super::checkpoints::{signal, start};
use super::sweep::MAJORITY;
use crate::program::{Ran, Scratch, interruption};

fn place() -> Scratch {
    let place = Scratch::new();
    place.file("m.ron", MAJORITY);
    place
}

/// Four combinations, of which those with locks have other columns, and five runs of each.
fn sweep(place: &Scratch, rest: &[&str]) -> Ran {
    const SCHEDULER: &str = "scheduler=[UniformPairs, Sequential]";
    let over = ["sweep", "m.ron", "--over", "topology.nodes=[20, 30]", "--over", SCHEDULER, "--reps", "5"];
    place.run(&[&over[..], rest].concat())
}

#[test]
fn joined_parts_are_the_file_of_one_machine() {
    for ending in ["jsonl", "csv"] {
        let place = place();
        let read = |name: &str| fs::read_to_string(place.path().join(name)).unwrap();
        let (whole, joined) = (format!("whole.{ending}"), format!("joined.{ending}"));
        let table = sweep(&place, &["-o", &whole]).exits(0).out;
        let names: Vec<String> = (1..=3).map(|part| format!("{part}.jsonl")).collect();
        let mut rows = 0;
        for (part, name) in (1..).zip(&names) {
            sweep(&place, &["--part", &format!("{part}/3"), "-o", name]).exits(0);
            let text = read(name);
            rows += text.lines().count() - 1;
            // Each part has runs of all combinations.
            assert!(["20", "30"].iter().all(|nodes| text.contains(nodes)), "{text}");
            let again = sweep(&place, &["--part", &format!("{part}/3"), "-o", name]).exits(0);
            assert_eq!(read(name), text);
            assert!(again.err.contains("runs are in the file already"), "{}", again.err);
            let ran = sweep(&place, &["--part", &format!("{part}/3"), "-o", "part.csv"]).exits(2);
            assert!(ran.err.contains("JSON lines for each part"), "{}", ran.err);
        }
        assert_eq!(rows, 20);
        let files: Vec<&str> = names.iter().map(String::as_str).collect();
        let backwards: Vec<&str> = files.iter().rev().copied().collect();
        let join =
            |files: &[&str], output: &str| sweep(&place, &[&["-o", output, "--join"][..], files].concat());
        let ran = join(&backwards, &joined).exits(0);
        assert!(read(&joined) == read(&whole), "{ending}");
        assert_eq!(ran.out, table);
        // A part twice adds nothing.
        join(&[files[0], files[0]], &joined).exits(0);
        assert_eq!(read(&joined), read(&whole));

        let ran = join(&files[..2], &format!("some.{ending}")).exits(3);
        assert!(ran.err.contains("of 20 runs are in none of the files"), "{}", ran.err);
        let ran = sweep(&place, &["-o", &format!("some.{ending}")]).exits(0);
        assert!(ran.err.contains("of 20 runs are in the file already"), "{}", ran.err);
        assert_eq!(ran.out, table);
    }
}

/// For every kind of run, joined CSV has the same columns in the same order, even if a figure is only in JSON lines.
#[test]
fn every_kind_of_run_is_joined_into_csv() {
    let long: Vec<String> = (0..200).map(|x| format!("({x},0)")).collect();
    let kinds = [
        "(amoebots: (algorithm: Hexagon, start: Line(count: 9)), execution: Waves)".to_owned(),
        format!("(amoebots: (algorithm: Hexagon, start: Cells([{}])), execution: Tiles)", long.join(",")),
        "(amoebots: (algorithm: Compression(lambda: 4.0), start: Line(count: 9)), stop: Steps(100))".to_owned(),
        "(reactions: (species: [\"A\", \"B\"], rules: [(\"A + B ->\", 1.0)], initial: {\"A\": 9, \"B\": 7}), stop: [Time(1.0)])".to_owned(),
        "(topology: Ring(nodes: 6), scheduler: SemiSynchronous(activation: Random(0.5)), work: Locks(each: 2))".to_owned(),
        "(topology: Ring(nodes: 6), scheduler: Waves, rung: F1, work: Locks(each: 2))".to_owned(),
        "(amoebots: (algorithm: CircuitElection, start: Hexagon(count: 7)))".to_owned(),
    ];
    for text in kinds {
        let place = Scratch::new();
        place.file("a.ron", &text);
        let sweep = |rest: &[&str]| {
            place.run(&[&["sweep", "a.ron", "--seed", "1", "--reps", "3"][..], rest].concat())
        };
        let whole = sweep(&["-o", "whole.csv"]);
        assert_eq!(whole.code, Some(0), "{text}: {}", whole.err);
        sweep(&["--part", "1/2", "-o", "1.jsonl"]).exits(0);
        sweep(&["--part", "2/2", "-o", "2.jsonl"]).exits(0);
        let joined = sweep(&["-o", "joined.csv", "--join", "2.jsonl", "1.jsonl"]).exits(0);
        let read = |name: &str| fs::read_to_string(place.path().join(name)).unwrap();
        assert!(
            read("joined.csv") == read("whole.csv"),
            "{text}\n{}\n{}",
            read("joined.csv"),
            read("whole.csv")
        );
        assert_eq!(joined.out, whole.out);
    }
}

#[test]
fn rows_that_contradict_each_other_are_not_joined() {
    let place = place();
    sweep(&place, &["--part", "1/2", "-o", "1.jsonl"]).exits(0);
    let text = fs::read_to_string(place.path().join("1.jsonl")).unwrap();
    place.file("changed.jsonl", text.replacen("\"interactions\":", "\"interactions\":1", 1));
    let ran = sweep(&place, &["-o", "all.jsonl", "--join", "1.jsonl", "changed.jsonl"]).exits(2);
    assert!(ran.err.contains("run 0 has two different rows, in 1.jsonl and changed.jsonl"), "{}", ran.err);
    sweep(&place, &["--seed", "8", "--part", "2/2", "-o", "2.jsonl"]).exits(0);
    let ran = sweep(&place, &["-o", "all.jsonl", "--join", "1.jsonl", "2.jsonl"]).exits(2);
    assert!(ran.err.contains("2.jsonl does not have the rows of this sweep: differs seed"), "{}", ran.err);
    for (name, text) in [("no.jsonl", "{}\n"), ("empty.jsonl", ""), ("m.csv", "a,b\n1,2\n")] {
        place.file(name, text);
        let ran = sweep(&place, &["-o", "none.jsonl", "--join", name]);
        assert_eq!(ran.code, Some(if name == "empty.jsonl" { 3 } else { 2 }), "{name}: {}", ran.err);
    }
    sweep(&place, &["-o", "none.jsonl", "--join", "missing.jsonl"]).exits(2);
}

#[test]
fn parts_have_one_seed_and_a_file() {
    let place = place();
    place.file("drawn.ron", MAJORITY.replace("seed: 7, ", ""));
    let drawn = ["sweep", "drawn.ron", "--reps", "4", "--part", "1/2", "-o", "1.jsonl"];
    let ran = place.run(&drawn).exits(2);
    assert!(ran.err.contains("the same --seed N for all parts"), "{}", ran.err);
    place.run(&[&drawn[..], &["--seed", "3"]].concat()).exits(0);
    sweep(&place, &["--part", "1/2"]).exits(2);
    sweep(&place, &["--join", "1.jsonl"]).exits(2);
    let ran = sweep(&place, &["--part", "3/2", "-o", "x.jsonl"]).exits(2);
    assert!(ran.err.contains("a whole number from 1 to 2 is accepted"), "{}", ran.err);
    let planned = sweep(&place, &["--part", "1/3", "-o", "x.jsonl", "--dry-run"]).exits(0).out;
    assert!(planned.starts_with("7 runs"), "{planned}");
}

/// Regression: a stop request was noticed once all rows were read and written, which took seconds.
#[test]
fn an_interrupted_join_ends_at_once_and_continues() {
    let place = place();
    let sweep = ["sweep", "m.ron", "--set", "topology.nodes=4", "--reps", "1500"];
    place.run(&[&sweep[..], &["--part", "1/1", "-o", "1.jsonl"]].concat()).exits(0);
    let join = |output: &'static str| [&sweep[..], &["-o", output, "--join", "1.jsonl"]].concat();
    place.run(&join("whole.csv")).exits(0);
    let whole = fs::read_to_string(place.path().join("whole.csv")).unwrap();
    let joined = place.path().join("joined.csv");
    let child = start(&place, &join("joined.csv"));
    while fs::metadata(&joined).map_or(0, |metadata| metadata.len()) < 100_000 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    signal(&child, interruption());
    let ran = Ran::of(&child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    let begun = fs::read_to_string(&joined).unwrap();
    assert!(whole.starts_with(&begun) && begun.len() < whole.len());
    let again = place.run(&join("joined.csv")).exits(0);
    assert!(again.err.contains("of 1500 runs are in the file already"), "{}", again.err);
    assert!(fs::read_to_string(&joined).unwrap() == whole);
}
