//! Every workspace dependency has a stated reason, and a member that uses it.

use crate::repository::{assert_none, files, find, metadata};

/// The lines of `[workspace.dependencies]`: the library, and whether a comment precedes it or its paragraph.
fn entries(manifest: &str) -> Vec<(&str, bool)> {
    let mut entries = Vec::new();
    let mut inside = false;
    let mut reason = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[workspace.dependencies]";
            reason = false;
        } else if line.starts_with('#') {
            reason = true;
        } else if line.trim().is_empty() {
            // A reason ends with its paragraph.
            reason = false;
        } else if let (true, Some((name, _))) = (inside, line.split_once('=')) {
            entries.push((name.trim(), reason));
        }
    }
    entries
}

fn complaints(manifest: &str, used: &[String]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, reason) in entries(manifest) {
        // Members need no reason.
        if !reason && !name.starts_with("acrasin-") {
            complaints.push(format!("{name}: no comment says why"));
        }
        if !used.iter().any(|used| used == name) {
            complaints.push(format!("{name}: no member uses it"));
        }
    }
    complaints
}

#[test]
fn every_library_has_a_reason_and_a_user() {
    let files = files();
    let manifest = &find(&files, "Cargo.toml").unwrap().text;
    assert!(entries(manifest).len() > 20);
    let metadata = metadata();
    let packages = metadata.workspace_packages();
    let used = packages.iter().flat_map(|package| &package.dependencies).map(|one| one.name.clone());
    assert_none(&complaints(manifest, &used.collect::<Vec<_>>()));
}

#[test]
fn libraries_without_reason_or_user_are_noticed() {
    let manifest = "[package]\nname = \"x\"\n\n[workspace.dependencies]\nacrasin-a = { path = \"a\" }\n\n# Draws.\nrand = \"1\"\n\
                    rand_pcg = \"1\"\n\nserde = \"1\"\n\n[profile.release]\nlto = \"thin\"\n";
    let used = ["acrasin-a", "rand", "serde"].map(str::to_owned);
    assert_eq!(complaints(manifest, &used), ["rand_pcg: no member uses it", "serde: no comment says why"]);
}
