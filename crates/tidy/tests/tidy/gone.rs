//! Removed practices stay removed: names of types that another type has replaced, endings compared as sentences,
//! values parsed from their `Debug` output, and catalogue entries recognised by their name.

use crate::circles::roots;
use crate::modules::Crate;
use crate::repository::{File, assert_none, files};

/// Removed names of types, with their replacements.
const GONE: [(&str, &str); 15] = [
    ("Acting", "Engine of amoebots"),
    ("AmoebotRun", "Process"),
    ("Answered", "Verdict"),
    ("AnyVessel", "Process"),
    ("Course", "Process and ProcessRun"),
    ("Foreseen", "PlanHeader"),
    ("Judged", "StopRule"),
    ("Judge", "LockedStop"),
    ("LockedCourse", "ProcessRun"),
    ("LockedRun", "Process"),
    ("Performance", "EngineProcess"),
    ("Planned", "ProcessRun"),
    ("ShippedSection", "ExploredSection"),
    ("Stated", "BoundPredicate"),
    ("StaticPlan", "PlanHeader"),
];

/// Methods that search a text.
const LOOKS: [&str; 8] = [
    ".contains(\"",
    ".ends_with(\"",
    ".find(\"",
    ".split(\"",
    ".split_once(\"",
    ".starts_with(\"",
    ".strip_prefix(\"",
    ".strip_suffix(\"",
];

/// The expressions by which names of catalogue entries are read.
const NAMES: [&str; 4] = ["entry.name", "family.name", "chosen.name", "algorithm.name"];

fn of_types(files: &[File], roots: &[String]) -> Vec<String> {
    let mut complaints = Vec::new();
    for root in roots {
        for module in Crate::read(files, root).modules.values() {
            for (name, item) in &module.items {
                let is_type = ["struct", "enum", "trait", "type", "union"].contains(&item.keyword.as_str());
                let gone = GONE.iter().find(|(gone, _)| is_type && gone == name);
                if let Some((_, instead)) = gone {
                    complaints.push(format!("{}:{}: `{name}` is gone: {instead}", module.file, item.line));
                }
            }
        }
    }
    complaints
}

/// The lines of a file that are compiled outside of tests, as far as single lines tell.
fn lines(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let code = file.text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or("");
    (1..).zip(code.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn is_source(file: &File) -> bool {
    file.has_extension("rs") && file.path.contains("/src/") && !file.path.ends_with("/tests.rs")
}

fn of_lines(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| is_source(file)) {
        // The words of a recording are data, which a person may have edited.
        let reads_recordings = file.path.starts_with("crates/verify/src/replay/");
        let is_catalogue = file.path.contains("catalogue");
        for (number, line) in lines(file) {
            let mut complain = |what: &str| complaints.push(format!("{}:{number}: {what}", file.path));
            let looks = LOOKS.iter().any(|look| line.contains(look));
            let of_ending = ["reason", "outcome"].iter().any(|word| {
                [format!("{word}."), format!("{word}()."), format!("{word} == \""), format!("{word} != \"")]
                    .iter()
                    .any(|written| line.contains(written))
            });
            let is_compared = looks || line.contains("== \"") || line.contains("!= \"");
            if of_ending && is_compared && !reads_recordings {
                complain("an ending is compared as a sentence: compare its value");
            }
            if line.contains(":?}\"") && looks {
                complain("a value is read from its `Debug` form");
            }
            let of_entry = NAMES.iter().any(|name| {
                [format!("{name} == \""), format!("{name} != \""), format!("match {name}")]
                    .iter()
                    .any(|written| line.contains(written))
            });
            if of_entry && !is_catalogue {
                complain("a catalogue entry is recognised by its name: ask it what it can do");
            }
        }
    }
    complaints
}

#[test]
fn what_is_gone_stays_out() {
    let files = files();
    assert_none(&of_types(&files, &roots(&files)));
    assert!(files.iter().filter(|file| is_source(file)).count() > 300);
    assert_none(&of_lines(&files));
}

#[test]
fn what_comes_back_is_noticed() {
    let roots = ["a/src/lib.rs".to_owned()];
    let types = |text: &str| of_types(&[File::new("a/src/lib.rs", text)], &roots);
    assert_eq!(types("\npub trait Course {}"), ["a/src/lib.rs:2: `Course` is gone: Process and ProcessRun"]);
    assert!(types("// trait Course\nfn f() -> Course {}").is_empty());
    let of = |line: &str| of_lines(&[File::new("a/src/b.rs", line)]).len();
    for line in [
        "if outcome.reason == \"the run was interrupted\" {",
        "ending.outcome().reason.starts_with(\"deadlock\")",
        "format!(\"{memory:?}\").strip_prefix(\"lock=\")",
        "let is_complete = entry.name == \"Complete\";",
        "match family.name {",
    ] {
        assert_eq!(of(line), 1, "{line}");
        assert_eq!(of(&format!("// {line}")), 0);
        assert_eq!(of(&format!("#[cfg(test)]\nmod tests {{\n{line}")), 1, "not at the start of a line");
        assert_eq!(of(&format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{\n{line}")), 0);
    }
    assert_eq!(of("let text = format!(\"{memory:?}\");"), 0);
}
