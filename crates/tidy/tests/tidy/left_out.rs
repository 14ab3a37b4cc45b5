//! A target that `cargo test` leaves out (`test = false`) has no tests.
//!
//! Programs and libraries without unit tests are left out because each costs a compilation and a link.

use cargo_metadata::Target;

use crate::repository::{File, assert_none, files, metadata, root};

/// The sources of a target: its folder if the target has one to itself, otherwise its file. Paths from the root.
fn is_source(main: &str, path: &str) -> bool {
    let (folder, name) = main.rsplit_once('/').unwrap_or(("", main));
    let beneath = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    let has_folder = name == "lib.rs" || (name == "main.rs" && !folder.ends_with("/src"));
    path == main || (has_folder && beneath.is_some_and(|rest| !rest.starts_with("bin/")))
}

/// The tests in the sources of a target.
fn complaints(main: &str, files: &[File]) -> Vec<String> {
    let sources = files.iter().filter(|file| file.has_extension("rs") && is_source(main, &file.path));
    let with_tests = sources.filter(|file| file.text.lines().any(|line| line.trim() == "#[test]"));
    with_tests.map(|file| format!("{}: its tests do not run: `test = false` at {main}", file.path)).collect()
}

#[test]
fn targets_without_a_test_program_have_no_tests() {
    let (root, files) = (root(), files());
    let is_left_out = |target: &&Target| !target.test && (target.is_lib() || target.is_bin());
    let mut left_out = 0;
    for package in metadata().workspace_packages() {
        for target in package.targets.iter().filter(is_left_out) {
            let main = target.src_path.as_std_path().canonicalize().unwrap();
            let main = main.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            assert_none(&complaints(&main, &files));
            left_out += 1;
        }
    }
    assert!(left_out > 10, "{left_out} targets are left out");
}

#[test]
fn tests_that_do_not_run_are_noticed() {
    let tested = |path| File::new(path, "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n");
    let files = ["a/src/lib.rs", "a/src/b/c.rs", "a/src/main.rs", "a/src/bin/d.rs", "a/src/bin/e/f.rs"];
    let files: Vec<File> = files.into_iter().map(tested).collect();
    let count = |main| complaints(main, &files).len();
    assert_eq!(count("a/src/lib.rs"), 3, "all but programs");
    assert_eq!(count("a/src/main.rs"), 1, "the file alone: the folder is that of the library");
    assert_eq!(count("a/src/bin/d.rs"), 1);
    assert_eq!(count("a/src/bin/e/main.rs"), 1, "a folder of its own");
    assert!(complaints("a/src/lib.rs", &[File::new("a/src/lib.rs", "/// Not `#[test]`.\n")]).is_empty());
}
