//! The contents of packages: a README, both licences, and no file from outside the package's folder.

use crate::repository::{File, assert_none, files, find, member_folders, metadata};

/// Members that are never published: they test, measure and show the others.
const NO_PACKAGES: [&str; 3] = ["crates/tidy", "benches", "examples"];

const WANTED: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The paths that a source file includes at compile time.
fn included(text: &str) -> impl Iterator<Item = &str> {
    ["include_str!(\"", "include_bytes!(\"", "include!(\""]
        .into_iter()
        .flat_map(|start| text.split(start).skip(1).filter_map(|rest| rest.split('"').next()))
}

/// Whether a path in a source file of the package leaves the package.
fn leaves(package: &str, source: &File, path: &str) -> bool {
    let depth = source.folder()[package.len()..].split('/').filter(|part| !part.is_empty()).count();
    path.split('/').filter(|part| *part == "..").count() > depth
}

fn complaints(files: &[File], packages: &[String]) -> Vec<String> {
    let mut complaints = Vec::new();
    for package in packages {
        for name in WANTED {
            let path = format!("{package}/{name}");
            if find(files, &path).is_none_or(|file| file.text.trim().is_empty()) {
                complaints.push(format!("{path} is missing"));
            }
        }
        let source = format!("{package}/src/");
        for file in files.iter().filter(|file| file.path.starts_with(&source) && file.has_extension("rs")) {
            for path in included(&file.text).filter(|path| leaves(package, file, path)) {
                complaints.push(format!("{} includes {path}, which is not in the package", file.path));
            }
        }
    }
    complaints
}

#[test]
fn every_package_is_whole() {
    let mut packages = member_folders(&metadata());
    packages.retain(|folder| !NO_PACKAGES.contains(&folder.as_str()));
    assert!(packages.len() >= 10, "{packages:?}");
    assert_none(&complaints(&files(), &packages));
}

#[test]
fn what_a_package_lacks_is_noticed() {
    let packages = ["a".to_owned()];
    let mut files: Vec<File> = WANTED.iter().map(|name| File::new(&format!("a/{name}"), "text")).collect();
    files.push(File::new("a/src/lib.rs", "include_str!(\"../data\")"));
    files.push(File::new("a/src/deep/mod.rs", "include_bytes!(\"../../data\")"));
    assert!(complaints(&files, &packages).is_empty());
    files.push(File::new("a/src/other.rs", "x(include_str!(\"../../b/data\"))"));
    files.remove(0);
    assert_eq!(
        complaints(&files, &packages),
        ["a/README.md is missing", "a/src/other.rs includes ../../b/data, which is not in the package"]
    );
}
