//! Removed practices stay removed: names of types that another type has replaced, endings compared as sentences,
//! values parsed from their `Debug` output, catalogue entries recognised by their name, lock algorithms listed a second
//! time, texts parsed by plans, and processes driven by faces.

use std::collections::BTreeSet;

use crate::circles::roots;
use crate::modules::Crate;
use crate::repository::{File, assert_none, files};

/// Removed names of types, with their replacements.
const GONE: [(&str, &str); 22] = [
    ("Acting", "Engine of amoebots"),
    ("AmoebotRun", "Process"),
    ("Answered", "Verdict"),
    ("AnyVessel", "Process"),
    ("Behind", "AnyDescription"),
    ("CheckFindings", "CheckReport"),
    ("Course", "Process and ProcessRun"),
    ("Findings", "CheckReport"),
    ("Foreseen", "PlanHeader"),
    ("FoundViolation", "RunToViolation"),
    ("Judged", "StopRule"),
    ("Judge", "LockedStop"),
    ("LockedCourse", "ProcessRun"),
    ("LockedRun", "Process"),
    ("Performance", "EngineProcess"),
    ("Planned", "ProcessRun"),
    ("ShippedSection", "ExploredSection"),
    ("Stated", "BoundPredicate"),
    ("StaticPlan", "PlanHeader"),
    ("Under", "ExploredSection"),
    ("UntabledPlan", "LazyPlan"),
    ("Vessel", "Gillespie"),
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

/// The files of `crates/scenario` that parse a text: those that users name, and the scenario of a recording of
/// interactions. Plans decode the tree that was parsed once.
const PARSE: [&str; 4] = ["file.rs", "input_file.rs", "plan/protocol_file.rs", "plan/uniform/recorded.rs"];

/// Crates that show runs to users. One loop in `crates/scenario/src/run` advances their processes.
const FACES: [&str; 5] =
    ["crates/cli/", "crates/distributed/", "crates/playground/", "crates/view/", "python/"];

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

/// Whether the file is a module that is only compiled for tests.
fn is_test_module(file: &File, files: &[File]) -> bool {
    let declared = format!("#[cfg(test)]\nmod {};", file.name().trim_end_matches(".rs"));
    files.iter().any(|parent| parent.folder() == file.folder() && parent.text.contains(&declared))
}

/// Whether the file has entries of a catalogue.
fn is_catalogue(file: &File) -> bool {
    file.path.contains("catalogue") || file.text.contains("Entry {")
}

/// The names of the entries of all catalogues.
fn entry_names(files: &[File]) -> BTreeSet<&str> {
    let sources = files.iter().filter(|file| is_source(file) && is_catalogue(file));
    let names = sources
        .flat_map(|file| file.text.split("\n").filter_map(|line| line.trim().strip_prefix("name: \"")));
    names.filter_map(|rest| rest.strip_suffix("\",")).filter(|name| !name.is_empty()).collect()
}

/// Whether a line compares something with one of these texts.
fn compares_with(line: &str, names: &BTreeSet<&str>) -> bool {
    let quoted = line.split('"').collect::<Vec<_>>();
    quoted.windows(3).step_by(2).any(|parts| {
        let [before, name, after] = parts else { return false };
        let is_compared = before.ends_with("== ") || before.ends_with("!= ");
        names.contains(name) && (is_compared || after.starts_with(" =>") || after.starts_with(" |"))
    })
}

/// Complaints about a line that says again what another place already decides.
fn said_again(path: &str, line: &str, names: &BTreeSet<&str>, is_catalogue: bool) -> Option<&'static str> {
    let is_entry = compares_with(line, names)
        || NAMES.iter().any(|name| {
            [format!("{name} == \""), format!("{name} != \""), format!("match {name}")]
                .iter()
                .any(|written| line.contains(written))
        });
    let parses = ["Document::parse(", "ScenarioFile::parse(", "InputFile::parse("];
    let in_scenario = path.strip_prefix("crates/scenario/src/");
    if is_entry && !is_catalogue {
        return Some("a catalogue entry is recognised by its name: ask it what it can do");
    }
    if line.contains("AnyExclusion") && !path.starts_with("crates/scenario/src/exclusion/") {
        return Some("the lock algorithms are listed once, in `algorithms!`: use a `SeatedVisitor`");
    }
    if parses.iter().any(|call| line.contains(call)) && in_scenario.is_some_and(|path| !PARSE.contains(&path))
    {
        return Some("a text is parsed again: decode the tree of the file");
    }
    let is_face = FACES.iter().any(|face| path.starts_with(face));
    (is_face && line.contains(".advance(&")).then_some("a process is driven twice: the driver advances it")
}

fn of_lines(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    let names = entry_names(files);
    for file in files.iter().filter(|file| is_source(file) && !is_test_module(file, files)) {
        // The words of a recording are data, which a person may have edited.
        let reads_recordings = file.path.starts_with("crates/verify/src/replay/");
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
            if let Some(what) = said_again(&file.path, line, &names, is_catalogue(file)) {
                complain(what);
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
    let names = entry_names(&files);
    assert!(["Complete", "Hexagon", "TokenTree"].iter().all(|name| names.contains(name)), "{names:?}");
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

#[test]
fn what_is_decided_twice_is_noticed() {
    let entries = "const ENTRY: GraphEntry = GraphEntry {\n    name: \"Complete\",\n};";
    let of = |path: &str, line: &str| {
        of_lines(&[File::new("a/src/graphs.rs", entries), File::new(path, line)]).len()
    };
    for line in ["if family == \"Complete\" {", "\"Complete\" => 1,", "\"Ring\" | \"Complete\" => 1,"] {
        assert_eq!((of("a/src/b.rs", line), of("a/src/catalogue.rs", line)), (1, 0), "{line}");
    }
    for line in ["let label = \"Complete\";", "if family == \"complete\" {", "// family == \"Complete\""] {
        assert_eq!(of("a/src/b.rs", line), 0, "{line}");
    }
    let listed = "if let AnyExclusion::TreeToken(_) = algorithm {";
    assert_eq!(of("crates/scenario/src/plan/build.rs", listed), 1);
    assert_eq!(of("crates/scenario/src/exclusion/entry.rs", listed), 0);
    let parses = "let document = Document::parse(&text, name)?;";
    assert_eq!(of("crates/scenario/src/plan/build.rs", parses), 1);
    assert_eq!((of("crates/scenario/src/file.rs", parses), of("crates/cli/src/run.rs", parses)), (0, 0));
    let module = [File::new("crates/scenario/src/plan/mod.rs", "#[cfg(test)]\nmod build;\n")];
    let tested = [&module[..], &[File::new("crates/scenario/src/plan/build.rs", parses)]].concat();
    assert!(of_lines(&tested).is_empty());
    let drives = "let advance = process.advance(&bound, None);";
    assert_eq!((of("python/src/trials.rs", drives), of("crates/scenario/src/run/drive.rs", drives)), (1, 0));
}
