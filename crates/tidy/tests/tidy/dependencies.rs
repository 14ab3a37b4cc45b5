//! The allowed dependencies between members.

use std::collections::BTreeMap;

use crate::repository::{assert_none, metadata};

const BELOW_SCENARIO: [&str; 11] = [
    "acrasin-catalogue",
    "acrasin-process",
    "acrasin-runtime",
    "acrasin-explore",
    "acrasin-engine",
    "acrasin-graphs",
    "acrasin-report",
    "acrasin-protocols",
    "acrasin-amoebot",
    "acrasin-circuits",
    "acrasin-verify",
];

/// The members on which each member may depend. No member may depend on one that only stands on the left.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let below_scenario_and = |more: &[&'static str]| [&BELOW_SCENARIO, more].concat();
    let graphs = vec!["acrasin-catalogue", "acrasin-runtime"];
    let verify = [
        "acrasin-catalogue",
        "acrasin-process",
        "acrasin-runtime",
        "acrasin-explore",
        "acrasin-engine",
        "acrasin-graphs",
        "acrasin-report",
    ];
    // The parts of the command, and the workloads that are measured.
    let command = below_scenario_and(&["acrasin-scenario", "acrasin-workload"]);
    BTreeMap::from([
        // The crate for users exposes these; examples use it, or the parts that they show.
        ("acrasin", below_scenario_and(&["acrasin-scenario", "acrasin-cli"])),
        ("acrasin-examples", below_scenario_and(&["acrasin-scenario", "acrasin"])),
        ("acrasin-catalogue", vec![]),
        ("acrasin-process", vec![]),
        ("acrasin-runtime", vec!["acrasin-process"]),
        ("acrasin-explore", vec![]),
        ("acrasin-engine", vec!["acrasin-runtime"]),
        ("acrasin-graphs", graphs.clone()),
        ("acrasin-report", vec!["acrasin-process", "acrasin-runtime"]),
        ("acrasin-output", vec![]),
        (
            "acrasin-protocols",
            vec!["acrasin-catalogue", "acrasin-process", "acrasin-runtime", "acrasin-engine"],
        ),
        ("acrasin-amoebot", [graphs, vec!["acrasin-process", "acrasin-explore", "acrasin-engine"]].concat()),
        ("acrasin-circuits", vec!["acrasin-process", "acrasin-runtime", "acrasin-engine", "acrasin-amoebot"]),
        (
            "acrasin-verify",
            [verify.to_vec(), vec!["acrasin-protocols", "acrasin-amoebot", "acrasin-circuits"]].concat(),
        ),
        // The checker and the catalogue only in tests.
        (
            "acrasin-prover",
            vec!["acrasin-catalogue", "acrasin-certificate", "acrasin-protocols", "acrasin-verify"],
        ),
        ("acrasin-certificate", vec!["acrasin-explore", "acrasin-protocols", "acrasin-verify"]),
        ("acrasin-scenario", BELOW_SCENARIO.to_vec()),
        (
            "acrasin-workload",
            vec!["acrasin-runtime", "acrasin-engine", "acrasin-amoebot", "acrasin-protocols"],
        ),
        ("acrasin-view", vec!["acrasin-report"]),
        (
            "acrasin-cli",
            [
                command.clone(),
                vec!["acrasin-certificate", "acrasin-output", "acrasin-prover", "acrasin-view"],
            ]
            .concat(),
        ),
        ("acrasin-benches", [command, vec!["acrasin-prover"]].concat()),
        (
            "acrasin-python",
            vec![
                "acrasin-amoebot",
                "acrasin-catalogue",
                "acrasin-certificate",
                "acrasin-explore",
                "acrasin-output",
                "acrasin-process",
                "acrasin-protocols",
                "acrasin-prover",
                "acrasin-report",
                "acrasin-runtime",
                "acrasin-scenario",
                "acrasin-verify",
                "acrasin-view",
            ],
        ),
        // The command over ranks.
        ("acrasin-distributed", vec!["acrasin-cli", "acrasin-process", "acrasin-scenario"]),
        ("acrasin-playground", vec!["acrasin-graphs", "acrasin-report", "acrasin-scenario"]),
        ("acrasin-tidy", vec![]),
    ])
}

/// Libraries only for the user interface and its files.
const FACES_ONLY: [&str; 6] = ["clap", "clap_complete", "clap_mangen", "indicatif", "ctrlc", "signal-hook"];

/// The dependencies of each member, of any kind: members and others.
type Dependencies = BTreeMap<String, Vec<String>>;

fn complaints(members: &Dependencies) -> Vec<String> {
    let (all, mut complaints) = (allowed(), Vec::new());
    for (member, dependencies) in members {
        let Some(allowed) = all.get(member.as_str()) else {
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
            if face_only && (below_scenario || member == "acrasin-scenario" || member == "acrasin-workload") {
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
    assert_eq!(declared.len(), allowed().len(), "{:?}", declared.keys());
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
