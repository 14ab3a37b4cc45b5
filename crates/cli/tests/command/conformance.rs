//! `acrasin conform`.

use crate::program::Scratch;

const CORPUS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../verify/testdata/local-mutual-exclusion.jsonl"));

/// The corpus with one changed value in its first scenario.
fn changed() -> String {
    let line = CORPUS.lines().next().unwrap();
    let changed = line.replacen("\"win\",true", "\"win\",false", 1);
    assert_ne!(line, changed, "a node wins in the first scenario");
    CORPUS.replacen(line, &changed, 1)
}

#[test]
fn one_line_a_file() {
    let place = Scratch::new();
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
    let place = Scratch::new();
    place.file("a.jsonl", changed());
    let ran = place.run(&["conform", "a.jsonl"]).exits(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() == 2 && lines[0].ends_with(" 1 difference"), "{}", ran.out);
    let difference = lines[1];
    for part in ["a.jsonl: line 1, scenario ", ", step ", "expected ", "actual ", "win"] {
        assert!(difference.contains(part), "{difference}");
    }
}

#[test]
fn a_malformed_file_is_named_and_the_others_are_read() {
    let place = Scratch::new();
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

/// The lines of the corpus under the repaired rules, or the others.
fn lines(repaired: bool) -> String {
    let is_repaired = |line: &&str| line.contains("\"variant\":\"repaired") == repaired;
    CORPUS.lines().filter(is_repaired).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn on_f3_what_is_not_run_is_counted() {
    let place = Scratch::new();
    place.file("a.jsonl", CORPUS);
    let told = "a.jsonl: 10 of 14 scenarios on F3, 467 steps, 0 differences (4 skipped: 3 published rules, 1 more ports than \
                a word has)\n";
    let ran = place.run(&["conform", "--rung", "F3", "a.jsonl"]).exits(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), (told, ""));
    let ran = place.run(&["conform", "--rung=f3", "-v", "a.jsonl"]).exits(0);
    assert_eq!(ran.out, told);
    assert_eq!(ran.err.lines().count(), 4);
    assert!(
        ran.err.starts_with("a.jsonl: line 1, scenario crossing-paper, not run: published rules\n"),
        "{}",
        ran.err
    );
    let default = place.run(&["conform", "a.jsonl"]).exits(0);
    assert_eq!(place.run(&["conform", "--rung", "F4", "a.jsonl"]).exits(0).out, default.out);
}

#[test]
fn on_f3_a_changed_value_is_reported_with_its_place() {
    let place = Scratch::new();
    let repaired = lines(true);
    let line = repaired.lines().next().unwrap();
    let changed = line.replacen("\"phase\":\"bot\"", "\"phase\":\"compete\"", 1);
    assert_ne!(line, changed);
    place.file("a.jsonl", repaired.replacen(line, &changed, 1));
    let ran = place.run(&["conform", "--rung", "F3", "a.jsonl"]).exits(1);
    let told =
        "\na.jsonl: line 1, scenario crossing-repaired, step 1, node.phase: expected compete, actual bot\n";
    assert!(ran.out.contains(" steps, 1 difference") && ran.out.ends_with(told), "{}", ran.out);
}

#[test]
fn a_file_of_which_f3_can_run_nothing_is_an_error() {
    let place = Scratch::new();
    place.file("published.jsonl", lines(false));
    place.file("b.jsonl", lines(true));
    let ran = place.run(&["conform", "--rung", "F3", "published.jsonl", "b.jsonl"]).exits(2);
    assert!(ran.out.starts_with("b.jsonl: 10 of 11 scenarios on F3, "), "{}", ran.out);
    assert!(
        ran.err.contains("published.jsonl: nothing can be compared: 0 of 3 scenarios on F3"),
        "{}",
        ran.err
    );
    place.run(&["conform", "published.jsonl"]).exits(0);
}

#[test]
fn rungs_without_single_messages_are_refused() {
    let place = Scratch::new();
    place.file("a.jsonl", CORPUS);
    for rung in ["F1", "F2", "F5", ""] {
        let ran = place.run(&["conform", "--rung", rung, "a.jsonl"]).exits(2);
        assert!(
            ran.err.contains("--rung <RUNG>") && ran.err.contains("[possible values: F3, F4]"),
            "{}",
            ran.err
        );
        assert_eq!(ran.out, "");
    }
}
