//! `unsafe` is used in only one module.

use crate::repository::{File, assert_none, files};

/// The only module with unsafe code: named, documented, and run under Miri where available.
const HOME: &str = "crates/engine/src/unchecked.rs";

/// The exports for pages have no unsafe code, but attributes that contain the word, and a block of foreign functions
/// that are safe to call.
const NAMES: &str = "crates/playground/src/exports.rs";

/// Whether a line is such an attribute or begins such a block, or gives their reason.
fn is_of_names(line: &str) -> bool {
    let line = line.trim();
    ["#[unsafe(no_mangle)]", "unsafe_code,", "unsafe extern \"C\" {"].contains(&line)
}

/// Whether a line contains the word outside of comments and strings.
fn has_the_word(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    // Every second piece between quotation marks is a string.
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
