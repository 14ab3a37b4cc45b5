//! Passes the commit to the program: `ACRASIN_COMMIT`, or else the one in `.git`, or else none.
//!
//! The script only reads files, so a build needs no git, and the same commit gives the same program. Uncommitted
//! changes are not detected.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ACRASIN_COMMIT");
    let given = std::env::var("ACRASIN_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(commit_of_the_tree).filter(|commit| {
        commit.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._".contains(letter))
    });
    println!("cargo::rustc-env=ACRASIN_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// The commit of HEAD.
fn commit_of_the_tree() -> Option<String> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let root = Path::new(&manifest).parent()?.parent()?;
    let git = git_folder(&root.join(".git"))?;
    let head = read(&git.join("HEAD"))?;
    // The log gets a line whenever HEAD moves, wherever the name of the commit is stored.
    watch(&git.join("logs/HEAD"));
    let Some(name) = head.strip_prefix("ref: ") else { return Some(head) };
    // Linked worktrees keep branches in the folder of the main one.
    let shared = read(&git.join("commondir")).map_or_else(|| git.clone(), |path| git.join(path));
    read(&shared.join(name)).or_else(|| {
        let packed = read(&shared.join("packed-refs"))?;
        let line =
            packed.lines().find(|line| line.strip_suffix(name).is_some_and(|rest| rest.ends_with(' ')))?;
        Some(line.split(' ').next()?.to_owned())
    })
}

/// `.git`, or the folder that it names if it is a file.
fn git_folder(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.to_owned());
    }
    let named = fs::read_to_string(path).ok()?;
    Some(path.parent()?.join(named.strip_prefix("gitdir: ")?.trim()))
}

/// Reads a file, and reruns the build script when it changes.
fn read(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    watch(path);
    Some(text.trim().to_owned())
}

/// Watches a file if it exists. For a missing file the script would run at every build.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
