//! All files state the same version and licence.

use crate::repository::{assert_none, files, find, metadata};

fn complaints(version: &str, changelog: &str, citation: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## ["));
    if newest.and_then(|line| line.split(']').next()) != Some(version) {
        complaints.push(format!("CHANGELOG.md does not begin with version {version}"));
    }
    if !citation.lines().any(|line| line == format!("version: {version}")) {
        complaints.push(format!("CITATION.cff is not of version {version}"));
    }
    complaints
}

#[test]
fn the_version_is_the_same_everywhere() {
    let files = files();
    let text = |path| &find(&files, path).unwrap_or_else(|| panic!("{path}")).text;
    let metadata = metadata();
    for package in metadata.workspace_packages() {
        assert_none(&complaints(&package.version.to_string(), text("CHANGELOG.md"), text("CITATION.cff")));
        assert_eq!(package.license.as_deref(), Some("MIT OR Apache-2.0"), "{}", package.name);
    }
    assert!(text("LICENSE-MIT").contains("Permission is hereby granted, free of charge"));
    assert!(text("LICENSE-APACHE").contains("Version 2.0, January 2004"));
}

#[test]
fn other_versions_are_noticed() {
    let of = |changelog: &str, citation: &str| complaints("1.2.3", changelog, citation).len();
    assert_eq!(of("# Changes\n\n## [1.2.3]\n\n## [1.2.2]\n", "title: x\nversion: 1.2.3\n"), 0);
    assert_eq!(of("## [1.2.2]\n\n## [1.2.3]\n", "version: 1.2.3\n"), 1);
    assert_eq!(of("## [1.2.3]\n", "cff-version: 1.2.3\n"), 1);
    assert_eq!(of("", ""), 2);
}
