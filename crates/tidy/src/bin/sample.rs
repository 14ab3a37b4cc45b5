//! `cargo run -p acrasin-tidy --bin sample -- SEED`: texts to read one by one, drawn at random from the repository.
//!
//! Prints 100 doc comments, 60 messages and 40 paragraphs, each with its file and line. `docs/conformance/words.md`
//! holds the verdicts of the last samples. With `all` for the seed the whole population is printed.

use std::path::Path;
use std::process::{Command, ExitCode};

/// One text of the repository.
struct SampledText {
    /// File and line, from 1.
    place: String,
    /// The line of code that a doc comment belongs to; empty for messages and paragraphs.
    code: String,
    text: String,
}

/// All texts of the repository that a sample draws from.
#[derive(Default)]
struct RepositoryTexts {
    docs: Vec<SampledText>,
    messages: Vec<SampledText>,
    paragraphs: Vec<SampledText>,
}

/// A string is a message from this number of words on; shorter ones are mostly words of files and labels.
const WORDS_OF_A_MESSAGE: usize = 4;

/// Lines whose string states what the code relies on: no user reads it.
const PANICS: [&str; 4] = ["expect(", "assert!(", "assert_eq!(", "unreachable!("];

/// A paragraph of a document has at least this number of words.
const WORDS_OF_A_PARAGRAPH: usize = 8;

/// Whether a document is read by users or contributors. The list of changes is history.
fn is_document(file: &str) -> bool {
    file.ends_with(".md")
        && (file.starts_with("docs/") || !file.contains('/') || file == "python/README.md")
        && file != "CHANGELOG.md"
        && file != "docs/conformance/words.md"
}

/// Whether a source is compiled outside of tests.
fn is_source(file: &str) -> bool {
    file.ends_with(".rs")
        && file.contains("src/")
        && !file.contains("tests")
        && !file.contains("crates/tidy/")
}

fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.chars().all(|c| c.is_alphabetic() || ",.;:'`-()".contains(c)))
        .count()
}

/// The lines before the tests of a source.
fn without_tests(source: &str) -> &str {
    source.find("#[cfg(test)]\nmod tests {").map_or(source, |end| &source[..end])
}

fn doc_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let doc = line
        .strip_prefix("///")
        .filter(|rest| !rest.starts_with('/'))
        .or_else(|| line.strip_prefix("//!"))?;
    Some(doc.strip_prefix(' ').unwrap_or(doc))
}

/// The doc comments of a source, each with the item below it.
fn docs(file: &str, source: &str, found: &mut Vec<SampledText>) {
    let lines: Vec<&str> = source.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let block: Vec<&str> = lines[at..].iter().map_while(|line| doc_of(line)).collect();
        if !block.is_empty() {
            let item = lines[at + block.len()..].iter().map(|line| line.trim());
            let item = item.clone().find(|line| !line.starts_with("#[")).unwrap_or_default();
            let module = lines[at].trim_start().starts_with("//!");
            let code = if module { "(module)" } else { item };
            found.push(SampledText {
                place: format!("{file}:{}", at + 1),
                code: code.into(),
                text: block.join("\n"),
            });
        }
        at += block.len().max(1);
    }
}

/// The strings of a source that read like a sentence.
fn messages(file: &str, source: &str, found: &mut Vec<SampledText>) {
    let mut rest = source;
    while let Some(start) = rest.find(['"', '/', '\'']) {
        rest = &rest[start..];
        let line = 1 + source[..source.len() - rest.len()].matches('\n').count();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(1, |end| end + 2)
        } else if let Some(string) = rest.strip_prefix('"') {
            let before = &source[..source.len() - rest.len()];
            let marks = before.len() - before.trim_end_matches('#').len();
            let raw = before.trim_end_matches('#').ends_with('r');
            let end =
                if raw { string.find(&format!("\"{}", "#".repeat(marks))) } else { closing_quote(string) };
            let text = &string[..end.unwrap_or(string.len())];
            let panics =
                PANICS.iter().any(|word| source.lines().nth(line - 1).unwrap_or_default().contains(word));
            if words(text) >= WORDS_OF_A_MESSAGE && !text.contains("</") && !panics {
                // A backslash at the end of a line continues the string without the blanks.
                let text = text.split("\\\n").map(str::trim_start).collect();
                found.push(SampledText { place: format!("{file}:{line}"), code: String::new(), text });
            }
            end.unwrap_or(string.len()) + 2
        } else {
            1
        };
        rest = rest.get(length..).unwrap_or_default();
    }
}

fn closing_quote(string: &str) -> Option<usize> {
    let mut escaped = false;
    string.find(|c| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    })
}

/// The paragraphs of a document: neither headings nor tables nor code.
fn paragraphs(file: &str, document: &str, found: &mut Vec<SampledText>) {
    let (mut code, mut block, mut start) = (false, String::new(), 0);
    for (at, line) in document.lines().chain([""]).enumerate() {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        let text = line.trim();
        let item = text.starts_with("- ");
        let apart = fence || code || text.is_empty() || text.starts_with(['#', '|', '<']);
        if apart || item {
            if words(&block) >= WORDS_OF_A_PARAGRAPH {
                let text = std::mem::take(&mut block);
                found.push(SampledText { place: format!("{file}:{start}"), code: String::new(), text });
            }
            block.clear();
        }
        if !apart {
            if block.is_empty() {
                start = at + 1;
            }
            block = format!("{block}\n{text}").trim_start().to_owned();
        }
    }
}

/// The texts of the files that git knows, in the order of their paths.
fn population(root: &Path) -> Option<RepositoryTexts> {
    let listed = Command::new("git").arg("ls-files").current_dir(root).output().ok()?;
    let mut files: Vec<String> = String::from_utf8(listed.stdout).ok()?.lines().map(str::to_owned).collect();
    files.sort();
    let mut all = RepositoryTexts::default();
    for file in files.iter().filter(|file| is_source(file) || is_document(file)) {
        let text = std::fs::read_to_string(root.join(file)).ok()?;
        if is_document(file) {
            paragraphs(file, &text, &mut all.paragraphs);
        } else {
            docs(file, without_tests(&text), &mut all.docs);
            messages(file, without_tests(&text), &mut all.messages);
        }
    }
    Some(all)
}

/// The next number of SplitMix64.
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Prints `count` of the texts, without replacement, or all of them in order.
fn print(kind: &str, mut texts: Vec<SampledText>, count: usize, seed: Option<&mut u64>) {
    println!("# {kind}: {} in all\n", texts.len());
    if let Some(state) = seed {
        let count = count.min(texts.len());
        for at in 0..count {
            let left = (texts.len() - at) as u64;
            texts.swap(at, at + usize::try_from(draw(state) % left).expect("less than a length"));
        }
        texts.truncate(count);
    }
    for (at, SampledText { place, code, text }) in texts.iter().enumerate() {
        println!("{}. {place} {code}\n{text}\n", at + 1);
    }
}

fn main() -> ExitCode {
    let seed = std::env::args().nth(1).unwrap_or_default();
    let mut state = seed.parse::<u64>().ok();
    if state.is_none() && seed != "all" {
        eprintln!("usage: sample SEED, a whole number, or `all`");
        return ExitCode::from(2);
    }
    let Some(all) = population(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")) else {
        eprintln!("the files of the repository cannot be read");
        return ExitCode::FAILURE;
    };
    print("Doc comments", all.docs, 100, state.as_mut());
    print("Messages", all.messages, 60, state.as_mut());
    print("Paragraphs", all.paragraphs, 40, state.as_mut());
    ExitCode::SUCCESS
}
