//! Measures plain words: openings of doc comments, words without a role, wide comments, names shared by types.
//!
//! Each measure has a limit. A limit is lowered when fewer are left and never raised; the aim is 1 % of the doc
//! comments for openings and 0 for the rest.

use std::collections::BTreeMap;

use crate::circles::roots;
use crate::modules::Crate;
use crate::repository::{File, assert_none, files};

/// Openings of doc comments without a noun or verb, out of 1,000 doc comments.
const HEADLESS_PER_MILLE: usize = 10;

/// Words that name no role, or that readers stumble over, in sources and documents.
const STUMBLES: usize = 0;

/// Lines of comments that are wider than [`WIDTH`].
const WIDE: usize = 0;

/// Names that stand for more than one type.
const SHARED: usize = 0;

const WIDTH: usize = 120;

/// First words of a doc comment that lead to no noun or verb.
const HEADLESS: [&str; 12] = [
    "How ",
    "The like ",
    "The same ",
    "Those ",
    "What ",
    "When ",
    "Where ",
    "Which ",
    "Who ",
    "Whom ",
    "Whose ",
    "Why ",
];

/// Words that stand for a node, an agent, an amoebot, a thread or a user, and idioms that give a translation away.
const AVOIDED: [&str; 9] = [
    "anew",
    "anybody",
    "everybody",
    "for ever",
    "hang together",
    "hangs together",
    "nobody",
    "somebody",
    "whoever",
];

/// Words of files that stay valid: a quantifier of amoebot algorithms, and the name of a replay.
const WORDS_OF_FILES: [&str; 2] = ["Somebody", "b18-raised-anew"];

/// Names that each algorithm gives to types of its own.
const PER_ALGORITHM: [&str; 4] = ["Action", "Memory", "Message", "State"];

/// Files that hold the avoided words on purpose: this one, the changes of earlier versions, and names that stay valid
/// on the command line.
const EXEMPT: [&str; 3] =
    ["CHANGELOG.md", "crates/cli/src/swarm/arguments.rs", "crates/tidy/tests/tidy/plain_words.rs"];

fn is_source(file: &File) -> bool {
    file.has_extension("rs") && !EXEMPT.contains(&file.path.as_str())
}

/// The first lines of the doc comments of a source: line and text.
fn openings(file: &File) -> Vec<(usize, &str)> {
    let mut openings = Vec::new();
    let mut was_doc = false;
    for (at, line) in file.text.lines().enumerate() {
        let doc = line.trim_start().strip_prefix("///").or_else(|| line.trim_start().strip_prefix("//!"));
        if let Some(text) = doc.filter(|_| !was_doc) {
            openings.push((at + 1, text.trim_start()));
        }
        was_doc = doc.is_some();
    }
    openings
}

fn headless(files: &[File]) -> (usize, Vec<String>) {
    let mut all = 0;
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| is_source(file)) {
        for (line, text) in openings(file) {
            all += 1;
            if HEADLESS.iter().any(|opening| text.starts_with(opening)) {
                complaints.push(format!("{}:{line}: opens without a noun or verb: {text}", file.path));
            }
        }
    }
    (all, complaints)
}

fn stumbles(files: &[File]) -> Vec<String> {
    let is_read = |file: &&File| {
        let is_text = ["html", "js", "md", "mjs", "py", "ron", "rs", "sh", "toml"];
        is_text.iter().any(|extension| file.has_extension(extension)) && !EXEMPT.contains(&file.path.as_str())
    };
    let mut complaints = Vec::new();
    for file in files.iter().filter(is_read) {
        for (at, line) in file.text.lines().enumerate() {
            let line = WORDS_OF_FILES.iter().fold(line.to_owned(), |line, word| line.replace(word, ""));
            let line = line.to_lowercase();
            for word in AVOIDED {
                if has_word(&line, word) {
                    complaints.push(format!("{}:{}: `{word}`", file.path, at + 1));
                }
            }
        }
    }
    complaints
}

/// Whether a line contains a word, with no letter or digit directly before or after it.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !touches(line[..at].chars().next_back()) && !touches(line[at + word.len()..].chars().next())
    })
}

fn wide(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| is_source(file)) {
        let mut is_code = false;
        for (at, line) in file.text.lines().enumerate() {
            is_code ^= line.trim_start().starts_with("/// ```") || line.trim_start().starts_with("//! ```");
            let columns = line.chars().count();
            let text = line.trim_start().trim_start_matches('/').trim_start_matches('!').trim_start();
            // A row of a table is one line, and so is a statement of an example.
            let is_whole = text.starts_with('|') || is_code;
            if line.trim_start().starts_with("//") && columns > WIDTH && !is_whole {
                complaints.push(format!("{}:{}: a comment of {columns} columns", file.path, at + 1));
            }
        }
    }
    complaints
}

fn shared(files: &[File], roots: &[String]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for root in roots {
        for module in Crate::read(files, root).modules.values() {
            for (name, item) in &module.items {
                let is_type = ["struct", "enum", "trait", "type", "union"].contains(&item.keyword.as_str());
                if is_type && !PER_ALGORITHM.contains(&name.as_str()) {
                    places.entry(name.clone()).or_default().push(format!("{}:{}", module.file, item.line));
                }
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
        .iter()
        .map(|(name, places)| format!("`{name}` names several types: {}", places.join(", ")))
        .collect()
}

/// Fails if more is left than the limit, and if the limit can be lowered.
#[track_caller]
fn assert_at_most(limit: usize, complaints: &[String]) {
    if complaints.len() > limit {
        assert_none(complaints);
    }
    assert!(complaints.len() == limit, "{} are left: lower the limit from {limit}", complaints.len());
}

#[test]
fn doc_comments_open_with_a_noun_or_a_verb() {
    let (all, complaints) = headless(&files());
    assert!(all > 10_000, "{all} doc comments");
    if complaints.len() * 1000 > all * HEADLESS_PER_MILLE {
        assert_none(&complaints);
    }
}

#[test]
fn words_name_the_role() {
    assert_at_most(STUMBLES, &stumbles(&files()));
}

#[test]
fn comments_fit_the_width() {
    assert_at_most(WIDE, &wide(&files()));
}

#[test]
fn one_name_is_one_type() {
    let files = files();
    assert_at_most(SHARED, &shared(&files, &roots(&files)));
}

#[test]
fn each_measure_notices_a_wrong_text() {
    let text = "/// What a node holds.\nstruct A;\n\n/// Returns what a node holds.\nfn a() {}\n";
    let (all, complaints) = headless(&[File::new("a/src/lib.rs", text)]);
    assert_eq!((all, complaints.len()), (2, 1), "{complaints:?}");
    // A second line is not an opening, whatever it opens with.
    let text = "//! A node waits\n//! Where it stands.\n";
    assert_eq!(headless(&[File::new("a/src/lib.rs", text)]), (1, Vec::new()));

    let file = |path: &str, text: &str| [File::new(path, text)];
    for (text, found) in
        [("Nobody waits", 1), ("waits for ever.", 1), ("manewvre", 0), ("a janew", 0), ("for every node", 0)]
    {
        assert_eq!(stumbles(&file("a.md", text)).len(), found, "{text}");
    }

    let line = format!("// {}", "x".repeat(WIDTH - 3));
    assert!(wide(&file("a.rs", &line)).is_empty());
    assert_eq!(wide(&file("a.rs", &format!("{line}x"))).len(), 1);
    assert!(wide(&file("a.rs", &format!("let a = \"{line}x\";"))).is_empty());
    assert!(wide(&file("a.rs", &format!("/// | {line}"))).is_empty());
    assert!(wide(&file("a.rs", &format!("/// ```\n/// {line}\n/// ```"))).is_empty());

    let of = |one: &str, two: &str| {
        let files = [File::new("a/src/lib.rs", one), File::new("b/src/lib.rs", two)];
        shared(&files, &["a/src/lib.rs".to_owned(), "b/src/lib.rs".to_owned()]).len()
    };
    assert_eq!(of("pub struct Plan;", "trait Plan {}"), 1);
    assert_eq!(of("pub struct Plan;", "struct Plane;"), 0);
    assert_eq!(of("pub struct Memory;", "enum Memory {}"), 0);
}
