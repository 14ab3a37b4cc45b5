//! Who may depend on whom.

use std::collections::BTreeMap;

use crate::repository::{assert_none, metadata};

const BELOW_SCENARIO: [&str; 8] = [
    "acrasin-runtime",
    "acrasin-explore",
    "acrasin-engine",
    "acrasin-graphs",
    "acrasin-report",
    "acrasin-protocols",
    "acrasin-amoebot",
    "acrasin-verify",
];

/// What the command is made of, and what is measured.
const ALL_BELOW_CLI: [&str; 10] = [
    "acrasin-runtime",
    "acrasin-explore",
    "acrasin-engine",
    "acrasin-graphs",
    "acrasin-report",
    "acrasin-protocols",
    "acrasin-amoebot",
    "acrasin-verify",
    "acrasin-scenario",
    "acrasin-workload",
];

/// What the one crate for users shows.
const ALL_BUT_ITSELF: [&str; 10] = [
    "acrasin-runtime",
    "acrasin-explore",
    "acrasin-engine",
    "acrasin-graphs",
    "acrasin-report",
    "acrasin-protocols",
    "acrasin-amoebot",
    "acrasin-verify",
    "acrasin-scenario",
    "acrasin-cli",
];

/// Examples use the crate for users, or the parts of it that they show.
const FOR_EXAMPLES: [&str; 10] = [
    "acrasin",
    "acrasin-runtime",
    "acrasin-explore",
    "acrasin-engine",
    "acrasin-graphs",
    "acrasin-report",
    "acrasin-protocols",
    "acrasin-amoebot",
    "acrasin-verify",
    "acrasin-scenario",
];

/// The members on which each member may depend. Nothing may depend on a member that stands on the left side only.
const ALLOWED: [(&str, &[&str]); 15] = [
    ("acrasin", &ALL_BUT_ITSELF),
    ("acrasin-runtime", &[]),
    ("acrasin-explore", &[]),
    ("acrasin-engine", &["acrasin-runtime"]),
    ("acrasin-graphs", &["acrasin-runtime"]),
    ("acrasin-report", &["acrasin-runtime"]),
    ("acrasin-protocols", &["acrasin-runtime", "acrasin-engine"]),
    ("acrasin-amoebot", &["acrasin-runtime", "acrasin-explore", "acrasin-engine"]),
    (
        "acrasin-verify",
        &[
            "acrasin-runtime",
            "acrasin-explore",
            "acrasin-engine",
            "acrasin-graphs",
            "acrasin-report",
            "acrasin-protocols",
        ],
    ),
    ("acrasin-scenario", &BELOW_SCENARIO),
    ("acrasin-workload", &["acrasin-runtime", "acrasin-engine", "acrasin-amoebot"]),
    ("acrasin-cli", &ALL_BELOW_CLI),
    ("acrasin-examples", &FOR_EXAMPLES),
    ("acrasin-benches", &ALL_BELOW_CLI),
    ("acrasin-tidy", &[]),
];

/// Libraries of the face towards people, and of its files.
const FACES_ONLY: [&str; 6] = ["clap", "clap_complete", "clap_mangen", "indicatif", "ctrlc", "signal-hook"];

/// What each member depends on, for whatever purpose: members and others.
type Dependencies = BTreeMap<String, Vec<String>>;

fn complaints(members: &Dependencies) -> Vec<String> {
    let mut complaints = Vec::new();
    for (member, dependencies) in members {
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| name == member) else {
            complaints
                .push(format!("{member}: a member without a line in the table of allowed dependencies"));
            continue;
        };
        for dependency in dependencies {
            let of_ours = dependency == "acrasin" || dependency.starts_with("acrasin-");
            if of_ours && !allowed.contains(&dependency.as_str()) {
                complaints.push(format!("{member} -> {dependency}: allowed are {allowed:?}"));
            }
            let below_scenario = BELOW_SCENARIO.contains(&member.as_str());
            if below_scenario && dependency == "ron" {
                complaints.push(format!("{member} -> ron: scenario files end at acrasin-scenario"));
            }
            let face_only = FACES_ONLY.contains(&dependency.as_str());
            if face_only && ALL_BELOW_CLI.contains(&member.as_str()) {
                complaints.push(format!("{member} -> {dependency}: only for the faces"));
            }
        }
    }
    complaints
}

fn declared() -> Dependencies {
    let metadata = metadata();
    let members = metadata.workspace_packages().into_iter();
    members
        .map(|package| {
            let names = package.dependencies.iter().map(|dependency| dependency.name.clone()).collect();
            (package.name.to_string(), names)
        })
        .collect()
}

#[test]
fn dependencies_point_downwards() {
    let declared = declared();
    assert_eq!(declared.len(), ALLOWED.len(), "{:?}", declared.keys());
    assert_none(&complaints(&declared));
}

#[test]
fn each_forbidden_dependency_is_named() {
    let one = |member: &str, dependency: &str| {
        complaints(&BTreeMap::from([(member.to_owned(), vec![dependency.to_owned()])]))
    };
    for (member, dependency) in [
        ("acrasin-runtime", "acrasin-graphs"),
        ("acrasin-explore", "acrasin-runtime"),
        ("acrasin-graphs", "acrasin-protocols"),
        ("acrasin-protocols", "acrasin-scenario"),
        ("acrasin-scenario", "acrasin-cli"),
        ("acrasin-cli", "acrasin-examples"),
        ("acrasin-runtime", "ron"),
        ("acrasin-report", "indicatif"),
        ("acrasin-scenario", "clap"),
    ] {
        let found = one(member, dependency);
        assert_eq!(found.len(), 1, "{member} -> {dependency}");
        assert!(found[0].starts_with(&format!("{member} -> {dependency}:")), "{found:?}");
    }
    assert_eq!(one("acrasin-new", "rand").len(), 1);
    assert!(one("acrasin-scenario", "ron").is_empty());
    assert!(one("acrasin-cli", "clap").is_empty());
}
