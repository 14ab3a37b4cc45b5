//! No clock, thread, file, network, process or environment in `crates/runtime`.

use crate::repository::{File, assert_none, files};

const BANNED: [&str; 6] = ["time", "thread", "fs", "net", "process", "env"];

/// The modules of the standard library in a line of code: `std::fs::read`, `use std::{fmt, io::File}`.
fn modules_of_std(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or("");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("std::") {
        let rest = &code[at + "std::".len()..];
        match rest.strip_prefix('{') {
            // Names of inner groups also count as modules, which is strict and has caused no false complaint so far.
            Some(group) => found.extend(words(group.split(';').next().unwrap_or(group))),
            None => found.extend(words(rest).take(2)),
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn complaints(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/runtime/src/")) {
        for (number, line) in (1..).zip(file.text.lines()) {
            let modules = modules_of_std(line);
            let banned = modules.iter().find(|module| BANNED.contains(module));
            let file_of_io = modules.windows(2).any(|pair| pair == ["io", "File"]);
            if let Some(module) = banned.or(file_of_io.then_some(&"io::File")) {
                complaints.push(format!("{}:{number}: std::{module} in the runtime", file.path));
            }
        }
    }
    complaints
}

#[test]
fn the_runtime_is_pure() {
    let files = files();
    assert!(files.iter().any(|file| file.path == "crates/runtime/src/lib.rs"));
    assert_none(&complaints(&files));
}

#[test]
fn each_impurity_is_noticed() {
    for line in [
        "use std::time::Instant;",
        "use std::{fmt, fs};",
        "let x = std::env::var(\"X\");",
        "std::thread::spawn(run);",
        "use std::io::File;",
        "use std::{io::File, fmt};",
    ] {
        assert_eq!(complaints(&[File::new("crates/runtime/src/a.rs", line)]).len(), 1, "{line}");
        assert!(complaints(&[File::new("crates/cli/src/a.rs", line)]).is_empty());
    }
    for line in ["use std::fmt;", "// std::fs is not used", "use std::collections::BTreeMap; // time"] {
        assert!(complaints(&[File::new("crates/runtime/src/a.rs", line)]).is_empty(), "{line}");
    }
}
