//! Formerly ambiguous words name at most one type each.

use crate::circles::roots;
use crate::modules::Crate;
use crate::repository::{File, assert_none, files};

const WORDS: [&str; 7] = ["Activation", "Execution", "Ground", "Place", "Plan", "Rounds", "Way"];

/// The types of the crates with these root files that are named by one of the words: word, file and line.
fn named(files: &[File], roots: &[String]) -> Vec<(String, String, usize)> {
    let mut named = Vec::new();
    for root in roots {
        for module in Crate::read(files, root).modules.values() {
            for (name, item) in &module.items {
                let is_type = ["struct", "enum", "trait", "type", "union"].contains(&item.keyword.as_str());
                if is_type && WORDS.contains(&name.as_str()) {
                    named.push((name.clone(), module.file.clone(), item.line));
                }
            }
        }
    }
    named
}

fn complaints(files: &[File], roots: &[String]) -> Vec<String> {
    let named = named(files, roots);
    let mut complaints = Vec::new();
    for word in WORDS {
        let of_this = named.iter().filter(|(name, ..)| name == word);
        let places: Vec<String> = of_this.map(|(_, file, line)| format!("{file}:{line}")).collect();
        if places.len() > 1 {
            complaints.push(format!("`{word}` stands for several things: {}", places.join(", ")));
        }
    }
    complaints
}

#[test]
fn a_word_stands_for_one_thing() {
    let files = files();
    assert_none(&complaints(&files, &roots(&files)));
}

#[test]
fn a_word_for_two_things_is_noticed() {
    let of = |one: &str, two: &str| {
        let files = [File::new("a/src/lib.rs", one), File::new("b/src/lib.rs", two)];
        complaints(&files, &["a/src/lib.rs".to_owned(), "b/src/lib.rs".to_owned()])
    };
    let (one, two) = ("\npub struct Plan<T> {}", "pub(crate) trait Plan {}");
    let complaint = "`Plan` stands for several things: a/src/lib.rs:2, b/src/lib.rs:1";
    assert_eq!(of(one, two), [complaint]);
    for other in [
        "struct Plane;",
        "impl Plan for u8 {}",
        "// struct Plan;",
        "trait T { type Plan; }",
        "fn f() -> Plan {}",
    ] {
        assert!(of(one, other).is_empty(), "{other}");
    }
}
