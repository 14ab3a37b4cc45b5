//! Tests of a catalogue with an external graph family: it is drawn, run and refused like those of the library.

use acrasin_scenario::Runnable as _;
use std::path::Path;

use acrasin_catalogue::parameter::{Parameter, ParameterKind};
use acrasin_graphs::family::{FamilyEntry, FamilyForm, FamilySize, line};
use acrasin_graphs::{Graph, GraphParameterError};
use acrasin_report::record::FigureValue;
use acrasin_runtime::choice::pick_index;
use acrasin_runtime::{Decision, Seeded};
use acrasin_scenario::{Catalogue, Document, DocumentError, Plan};

use crate::support::{ended, run};

/// A random tree: each node is linked to a uniformly drawn older one.
const RANDOM_TREE: FamilyEntry = FamilyEntry {
    name: "RandomTree",
    title: "random tree",
    summary: "each node is linked to an older one",
    parameters: &[
        Parameter::required("nodes", ParameterKind::Count, "number of nodes"),
        Parameter::optional("links", ParameterKind::Word(&["Uniform", "Latest"]), "to which older node"),
    ],
    draws: true,
    size: |values| FamilySize::of(values.count_of("nodes"), 1),
    make: |values, seed| {
        let nodes = values.count_of("nodes");
        if nodes > 1000 {
            return Err(GraphParameterError::new("random tree", "nodes", nodes, "at most 1000"));
        }
        let mut draws = Seeded::new(seed);
        let mut older = |node: u32| match values.word("links") {
            Some("Latest") => node - 1,
            _ => pick_index(&mut draws, node as usize, Decision::Topology).expect("an older one") as u32,
        };
        let edges = (1..nodes as u32).map(|node| (older(node), node)).collect();
        Ok(Graph::from_unsorted(nodes, edges).expect("a tree is a simple graph"))
    },
    form: FamilyForm::Other,
    points: None,
};

fn plan_of(topology: &str, sets: &[(&str, &str)]) -> Result<Plan, DocumentError> {
    let catalogue = Catalogue::shipped().with_family(RANDOM_TREE).unwrap();
    let text = format!("(seed: 4,\n topology: {topology},\n scheduler: Sequential, work: Locks(each: 1))");
    let sets: Vec<(String, String)> =
        sets.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    let document = Document::parse_with(&text, "own.ron", &sets).unwrap();
    // The built-in catalogue does not have the family.
    assert!(Plan::new(&document, Path::new("")).is_err());
    Plan::with_catalogue(&catalogue, &document, Path::new(""))
}

fn said(plan: &Plan, name: &str) -> String {
    plan.header().parameters.clone().into_iter().find(|(known, _)| known == name).unwrap().1
}

#[test]
fn a_family_from_outside_is_drawn_and_run() {
    let plan = plan_of("RandomTree(nodes: 20)", &[]).unwrap();
    assert_eq!(said(&plan, "edges"), "19 (another graph for every seed)");
    let finished = run(&plan, 4);
    assert_eq!(ended(&finished).0, "served");
    assert_ne!(finished.record, run(&plan, 5).record);
    let parameters = finished.record.manifest().parameters.clone().unwrap();
    let of = |key: &str| {
        let figure = parameters.figures().iter().find(|figure| figure.key() == key).unwrap();
        match figure.value() {
            FigureValue::One(value) => value.to_plain().unwrap_or_default(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        ["topology", "topology.nodes", "topology.links", "topology.seed"].map(of),
        ["RandomTree", "20", "Uniform", ""]
    );
    // With its own seed it is a single graph, and `--set` can change its parameter.
    let fixed = plan_of("RandomTree(nodes: 20, seed: 9)", &[("topology.links", "Latest")]).unwrap();
    assert_eq!((said(&fixed, "edges"), said(&fixed, "ports")), ("19".to_owned(), "2".to_owned()));
}

#[test]
fn what_is_refused_of_a_family_has_its_place() {
    for (written, column, message, accepted, hint) in [
        (
            "RandomTre(nodes: 2)",
            12,
            "unknown name `RandomTre`",
            "RandomTree, File",
            Some("did you mean `RandomTree`?"),
        ),
        ("RandomTree", 12, "missing field `nodes`", "", None),
        (
            "RandomTree(node: 2)",
            23,
            "unknown field `node`",
            "nodes, links, seed",
            Some("did you mean `nodes`?"),
        ),
        ("RandomTree(nodes: -2)", 30, "`-2` is negative", "a whole number", None),
        (
            "RandomTree(nodes: 2, links: Last)",
            40,
            "unknown name `Last`",
            "Uniform, Latest",
            Some("did you mean `Latest`?"),
        ),
        ("RandomTree(nodes: 2, seed: x)", 39, "unknown word `x`", "", None),
        ("RandomTree(nodes: 1001)", 30, "a random tree graph with nodes = 1001", "at most 1000", None),
        (
            "RandomTree(nodes: 1e12)",
            12,
            "1000000000000 nodes and about 1000000000000 edges need",
            "GiB",
            None,
        ),
    ] {
        let error = plan_of(written, &[]).expect_err(written);
        assert_eq!((error.line(), error.column()), (Some(2), Some(column)), "{error}");
        assert!(error.accepted().unwrap_or_default().contains(accepted), "{error}");
        assert_eq!(error.hint(), hint, "{error}");
        assert!(written.contains("seed") || error.message().starts_with(message), "{error}");
    }
    let set = plan_of("RandomTree(nodes: 9)", &[("topology.link", "Latest")]).unwrap_err();
    assert_eq!((set.set(), set.column()), (Some("topology.link=Latest"), Some(10)), "{set}");
}

#[test]
fn names_are_taken_once() {
    for name in ["Ring", "File", "Mobility"] {
        let refused =
            Catalogue::shipped().with_family(FamilyEntry { name, ..line::RING }).unwrap_err().to_string();
        assert!(refused.contains(&format!("`{name}` (accepted: a new name")), "{refused}");
    }
}
