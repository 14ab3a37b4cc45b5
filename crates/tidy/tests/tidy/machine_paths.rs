//! No file names a path of the machine on which it was written, or the host of a package registry.

use crate::repository::{File, assert_none, files};

// In parts, so that this file does not contain the strings itself.
const PATHS: [&str; 6] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("/t", "mp/"),
    concat!("C:", "\\"),
];
const HOSTS: [&str; 6] = [
    concat!("crates", ".io"),
    concat!("py", "pi.org"),
    concat!("python", "hosted.org"),
    concat!("npmjs", ".com"),
    concat!("npmjs", ".org"),
    concat!("proxy.go", "lang.org"),
];

/// Whether a path begins at `at`, as opposed to the inside of a relative path or an address.
fn begins(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

fn complaints(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    // Cargo writes the registry into its lock file.
    for file in files.iter().filter(|file| file.path != "Cargo.lock") {
        for (number, line) in (1..).zip(file.text.lines()) {
            let path = PATHS.iter().find(|path| line.match_indices(**path).any(|(at, _)| begins(line, at)));
            if let Some(found) = path.or_else(|| HOSTS.iter().find(|host| line.contains(**host))) {
                complaints.push(format!("{}:{number}: {found}", file.path));
            }
        }
    }
    complaints
}

#[test]
fn nothing_names_a_machine_or_a_registry() {
    assert_none(&complaints(&files()));
}

#[test]
fn names_of_machines_and_registries_are_noticed() {
    for bad in PATHS.into_iter().chain(HOSTS) {
        for line in [bad.to_owned(), format!("let x = \"{bad}x\";"), format!("see ({bad})")] {
            assert_eq!(complaints(&[File::new("a.rs", &line)]).len(), 1, "{line}");
        }
    }
    let relative = format!("see docs{}x", PATHS[0]);
    assert!(complaints(&[File::new("a.rs", &relative)]).is_empty());
    assert!(complaints(&[File::new("Cargo.lock", HOSTS[0])]).is_empty());
}
