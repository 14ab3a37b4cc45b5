//! `acrasin conform`.

use crate::program::Place;

const CORPUS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../verify/testdata/local-mutual-exclusion.jsonl"));

/// The corpus with one value changed in its first scenario.
fn changed() -> String {
    let line = CORPUS.lines().next().unwrap();
    let changed = line.replacen("\"win\",true", "\"win\",false", 1);
    assert_ne!(line, changed, "somebody wins in the first scenario");
    CORPUS.replacen(line, &changed, 1)
}

#[test]
fn one_line_a_file() {
    let place = Place::new();
    place.file("a.jsonl", CORPUS);
    let ran = place.run(&["conform", "a.jsonl", "a.jsonl"]).exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((lines.len(), ran.err.as_str()), (2, ""));
    let scenarios = CORPUS.lines().count();
    for line in lines {
        assert!(line.starts_with(&format!("a.jsonl: {scenarios} scenarios, ")), "{line}");
        assert!(line.ends_with(" steps, 0 differences"), "{line}");
    }
}

#[test]
fn a_changed_value_is_reported_with_its_place() {
    let place = Place::new();
    place.file("a.jsonl", changed());
    let ran = place.run(&["conform", "a.jsonl"]).exits(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() >= 2 && lines[0].ends_with(" differences"), "{}", ran.out);
    assert!(!lines[0].ends_with(" 0 differences"), "{}", ran.out);
    let difference = lines[1];
    for part in ["a.jsonl: line 1, scenario ", ", step ", "expected ", "actual ", "win"] {
        assert!(difference.contains(part), "{difference}");
    }
}

#[test]
fn a_malformed_file_is_named_and_the_others_are_read() {
    let place = Place::new();
    place.file("a.jsonl", CORPUS);
    place.file("b.jsonl", format!("{CORPUS}{{\"id\":1\n"));
    place.file("c.jsonl", "");
    let ran = place.run(&["conform", "b.jsonl", "a.jsonl", "c.jsonl", "missing.jsonl"]).exits(2);
    assert!(ran.out.starts_with("a.jsonl: "), "{}", ran.out);
    let broken = format!("b.jsonl:{}:", CORPUS.lines().count() + 1);
    for part in [broken.as_str(), "c.jsonl", "missing.jsonl"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    place.run(&["conform"]).exits(2);
}
