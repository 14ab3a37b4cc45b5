//! A file that grows long has usually got a second responsibility.

use crate::repository::{File, assert_none, files};

/// Lines of a source file, at most.
const LINES_MAX: usize = 600;

/// Longer files, each with the reason.
const LONG: [(&str, &str); 0] = [];

fn complaints(files: &[File], long: &[(&str, &str)]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.has_extension("rs")) {
        let lines = file.text.lines().count();
        let excused = long.iter().any(|(path, reason)| *path == file.path && !reason.is_empty());
        if lines > LINES_MAX && !excused {
            complaints.push(format!("{}: {lines} lines, at most {LINES_MAX}", file.path));
        }
    }
    for (path, _) in long {
        let still_long = files.iter().any(|file| file.path == *path && file.text.lines().count() > LINES_MAX);
        if !still_long {
            complaints.push(format!("{path}: excused, but not long"));
        }
    }
    complaints
}

#[test]
fn no_source_file_is_too_long() {
    assert_none(&complaints(&files(), &LONG));
}

#[test]
fn long_files_are_noticed() {
    let of =
        |lines: usize, long: &[(&str, &str)]| complaints(&[File::new("a.rs", &"x\n".repeat(lines))], long);
    assert!(of(LINES_MAX, &[]).is_empty());
    assert_eq!(of(LINES_MAX + 1, &[]), ["a.rs: 601 lines, at most 600"]);
    assert!(of(LINES_MAX + 1, &[("a.rs", "one type")]).is_empty());
    assert_eq!(of(LINES_MAX + 1, &[("a.rs", "")]).len(), 1);
    assert_eq!(of(LINES_MAX, &[("a.rs", "one type")]), ["a.rs: excused, but not long"]);
}
