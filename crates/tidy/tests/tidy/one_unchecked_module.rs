//! `unsafe` stands in one module.

use crate::repository::{File, assert_none, files};

/// The one place: named, documented, and run under Miri where Miri can be had.
const HOME: &str = "crates/engine/src/unchecked.rs";

/// What a page calls by name, and what it is called by: no unsafe code, but attributes that have the word, and a block of names from outside
/// that are safe to call.
const NAMES: &str = "crates/playground/src/exports.rs";

/// Whether a line is such an attribute or begins such a block, or says why they are there.
fn is_of_names(line: &str) -> bool {
    let line = line.trim();
    ["#[unsafe(no_mangle)]", "unsafe_code,", "unsafe extern \"C\" {"].contains(&line)
}

/// Whether a line of code, without its comment and its texts, has the word.
fn has_the_word(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    // Every second piece between quotation marks is a text.
    let outside: String = code.split('"').step_by(2).collect();
    outside
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == "unsafe" || word == "unsafe_code")
}

fn complaints(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs") && file.path != HOME) {
        for (number, line) in (1..).zip(file.text.lines()) {
            if has_the_word(line) && !(file.path == NAMES && is_of_names(line)) {
                complaints.push(format!("{}:{number}: unsafe code outside {HOME}", file.path));
            }
        }
    }
    complaints
}

#[test]
fn unsafe_code_has_one_home() {
    let files = files();
    assert!(files.iter().any(|file| file.path == HOME && file.text.lines().any(has_the_word)));
    assert_none(&complaints(&files));
}

#[test]
fn other_places_are_noticed() {
    for line in ["unsafe { f() }", "#![allow(unsafe_code)]", "let x = 1; unsafe fn g() {}"] {
        assert_eq!(complaints(&[File::new("crates/cli/src/a.rs", line)]).len(), 1, "{line}");
        assert!(complaints(&[File::new(HOME, line)]).is_empty(), "{line}");
    }
    assert!(complaints(&[File::new(NAMES, "#[unsafe(no_mangle)]")]).is_empty());
    assert!(complaints(&[File::new(NAMES, "unsafe extern \"C\" {\n    safe fn show();\n}")]).is_empty());
    for (path, line) in [
        (NAMES, "unsafe { f() }"),
        ("crates/cli/src/a.rs", "#[unsafe(no_mangle)]"),
        (NAMES, "unsafe fn show();"),
        ("crates/cli/src/a.rs", "unsafe extern \"C\" {"),
    ] {
        assert_eq!(complaints(&[File::new(path, line)]).len(), 1, "{line}");
    }
    for line in ["// unsafe", "let word = \"unsafe\";", "an_unsafe_name();"] {
        assert!(complaints(&[File::new("crates/cli/src/a.rs", line)]).is_empty(), "{line}");
    }
}
