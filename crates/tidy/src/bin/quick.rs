//! `cargo quick`: format, lints and tests of what changed since the merge base with `main`, committed or not.
//!
//! A changed file belongs to the package of the nearest `Cargo.toml` above it. The tests of a file are those whose path
//! contains the name of its module; the tests of the repository always run. Use it while you work; `.ci/run` checks
//! everything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The packages with changes, each with the parts of paths of the tests to run.
type Selection = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The lines that git prints; `None` if it fails.
fn git(arguments: &[&str]) -> Option<Vec<String>> {
    let output = Command::new("git").args(arguments).current_dir(root()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.lines().map(str::to_owned).collect())
}

/// The changed files and the files that git does not know, relative to the root.
fn changed() -> Option<Vec<String>> {
    let base = ["main", "origin/main"].into_iter().find_map(|branch| git(&["merge-base", "HEAD", branch]));
    let base = base.and_then(|lines| lines.first().cloned()).unwrap_or_else(|| "HEAD".to_owned());
    let mut files = git(&["diff", "--name-only", &base])?;
    files.extend(git(&["ls-files", "--others", "--exclude-standard"])?);
    Some(files)
}

/// The folder and the name of the package that a file belongs to.
fn package(root: &Path, file: &str) -> Option<(String, String)> {
    Path::new(file).ancestors().skip(1).find_map(|folder| {
        let manifest = std::fs::read_to_string(root.join(folder).join("Cargo.toml")).ok()?;
        let (_, package) = manifest.split_once("[package]")?;
        let name = package.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))?;
        Some((folder.to_str()?.to_owned(), name.to_owned()))
    })
}

/// The part of a path by which the tests of a file are recognised: the name of its module, or for examples the module
/// of the tests that run them. `None` for the roots of crates.
fn tests_of(package: &str, path: &str) -> Option<String> {
    let (rest, extension) = path.rsplit_once('.')?;
    let (folder, stem) = rest.rsplit_once('/').unwrap_or(("", rest));
    match (folder.split('/').next()?, extension) {
        ("", "rs") if package == "acrasin-examples" => Some("programs".to_owned()),
        (_, "ron") if package == "acrasin-examples" => Some("scenarios".to_owned()),
        ("src" | "tests", "rs") if stem == "mod" => folder.rsplit('/').next().map(str::to_owned),
        ("src" | "tests", "rs") => Some(stem.to_owned()).filter(|stem| stem != "main" && stem != "lib"),
        _ => None,
    }
}

fn selection(root: &Path, files: &[String]) -> Selection {
    let mut selection = Selection::new();
    for file in files {
        // Pages of the guide are run by the examples.
        if file.starts_with("docs/guide/") {
            selection.entry("acrasin-examples".to_owned()).or_default().insert("guide".to_owned());
        }
        if let Some((folder, name)) = package(root, file) {
            let tests = tests_of(&name, file[folder.len()..].trim_start_matches('/'));
            selection.entry(name).or_default().extend(tests);
        }
    }
    // All of its tests run, below.
    if let Some(tests) = selection.get_mut(env!("CARGO_PKG_NAME")) {
        tests.clear();
    }
    selection
}

/// The commands, in order.
fn commands(selection: &Selection) -> Vec<Vec<String>> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut commands = vec![words("cargo fmt --all --check")];
    if !selection.is_empty() {
        let packages = selection.keys().flat_map(|name| ["--package".to_owned(), name.clone()]);
        let clippy = [words("cargo clippy --all-targets"), packages.collect(), words("-- -D warnings")];
        commands.push(clippy.concat());
    }
    for (name, tests) in selection.iter().filter(|(_, tests)| !tests.is_empty()) {
        let test = words(&format!("cargo test --quiet --package {name} --tests --"));
        commands.push([test, tests.iter().cloned().collect()].concat());
    }
    commands.push(words(concat!("cargo test --quiet --package ", env!("CARGO_PKG_NAME"))));
    commands
}

fn main() -> ExitCode {
    let Some(files) = changed() else {
        eprintln!("error: git does not say which files changed");
        return ExitCode::from(2);
    };
    for command in commands(&selection(&root(), &files)) {
        println!("==> {}", command.join(" "));
        let status = Command::new(&command[0]).args(&command[1..]).current_dir(root()).status();
        if !status.is_ok_and(|status| status.success()) {
            eprintln!("error: failed: {}", command.join(" "));
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(files: &[&str]) -> Vec<(String, Vec<String>)> {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let selection = selection(&root(), &files);
        selection.into_iter().map(|(name, tests)| (name, tests.into_iter().collect())).collect()
    }

    fn of(name: &str, tests: &[&str]) -> (String, Vec<String>) {
        (name.to_owned(), tests.iter().map(|&test| test.to_owned()).collect())
    }

    #[test]
    fn files_select_their_package_and_the_tests_of_their_module() {
        assert_eq!(selected(&["README.md", ".ci/run", "Cargo.lock"]), []);
        assert_eq!(selected(&["crates/runtime/src/lib.rs"]), [of("acrasin-runtime", &[])]);
        assert_eq!(
            selected(&[
                "crates/graphs/src/read/dot.rs",
                "amoebot/src/chain/mod.rs",
                "crates/cli/tests/command/sweep.rs"
            ]),
            [
                of("acrasin-amoebot", &["chain"]),
                of("acrasin-cli", &["sweep"]),
                of("acrasin-graphs", &["dot"])
            ]
        );
        assert_eq!(
            selected(&["examples/01_lock_unlock.rs", "examples/laws/gene.ron", "docs/guide/02-scaling.md"]),
            [of("acrasin-examples", &["guide", "programs", "scenarios"])]
        );
        // A file that is gone still belongs to its package.
        assert_eq!(selected(&["crates/graphs/src/gone/file.rs"]), [of("acrasin-graphs", &["file"])]);
        assert_eq!(selected(&["crates/tidy/tests/tidy/links.rs"]), [of("acrasin-tidy", &[])]);
    }

    #[test]
    fn lints_take_all_packages_and_tests_only_those_with_names() {
        let files = ["crates/graphs/src/read/dot.rs", "crates/runtime/Cargo.toml"].map(str::to_owned);
        let commands: Vec<String> =
            commands(&selection(&root(), &files)).iter().map(|command| command.join(" ")).collect();
        let expected = [
            "cargo fmt --all --check",
            "cargo clippy --all-targets --package acrasin-graphs --package acrasin-runtime -- -D warnings",
            "cargo test --quiet --package acrasin-graphs --tests -- dot",
            "cargo test --quiet --package acrasin-tidy",
        ];
        assert_eq!(commands, expected);
        assert_eq!(
            super::commands(&Selection::new()).len(),
            2,
            "the format, and the tests of the repository"
        );
    }
}
