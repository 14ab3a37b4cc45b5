//! Tests of scenarios with a token along a tree: run, recorded, replayed, explored, refused.

use std::ops::ControlFlow;

use acrasin_report::record::Exit;
use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
use acrasin_scenario::check::Verdict;
use acrasin_scenario::exclusion::{AnyExclusion, ExclusionEntry, ResolvedExclusion};
use acrasin_scenario::plan::{Job, Manner, Unwatched};
use acrasin_scenario::{Catalogue, Document, Plan};
use acrasin_verify::locks::Options;
use acrasin_verify::replay::ReplayFile;

use crate::support::{digest, ended, marked_in, number, plan, run, try_plan_in};

fn scenario(topology: &str, exclusion: &str) -> String {
    format!(
        "(\n topology: {topology},\n exclusion: {exclusion},\n scheduler: Sequential,\n work: Locks(each: 3),\n)\n"
    )
}

const TREES: [(&str, &str); 11] = [
    ("Ring(nodes: 7)", "TokenTree"),
    ("Path(nodes: 7)", "TokenTree(tree: Path, queue: Lift)"),
    ("Star(nodes: 7)", "TokenTree(fathers: [0, 0, 0, 0, 0, 0, 0])"),
    ("Complete(nodes: 7)", "TokenTree(behaviour: Transit, tree: Star, root: 3)"),
    ("Complete(nodes: 7)", "TokenTree(behaviour: Proxy, tree: Balanced, arity: 3)"),
    ("Complete(nodes: 7)", "TokenTree(behaviour: Adversarial, tree: Path, root: 6)"),
    // Two stars whose centres are gateways.
    ("Complete(nodes: 8)", "TokenTree(fathers: [0, 0, 0, 0, 0, 4, 4, 4], proxies: [0, 4])"),
    ("Complete(nodes: 9)", "TokenTree(behaviour: Transit, tree: Random, draw: 3, root: 2)"),
    ("Grid(rows: 3, columns: 4)", "TokenTree(tree: Random)"),
    ("UniformTree(nodes: 60)", "TokenTree"),
    ("Gnp(nodes: 20, probability: 0.4)", "TokenTree"),
];

#[test]
fn every_lock_is_served_and_the_recording_leads_to_the_same_digest() {
    for (topology, exclusion) in TREES {
        for scheduler in
            ["Sequential", "RoundRobin", "SemiSynchronous(activation: Random(0.5))", "Asynchronous"]
        {
            let plan = plan(&scenario(topology, exclusion).replace("Sequential", scheduler));
            let seed = 5;
            let mut file = Vec::new();
            let finished = plan
                .run(Job { seed, repetition: 0, watch: &Unwatched, record: Some(Box::new(&mut file)) })
                .unwrap_or_else(|error| panic!("{topology}: {error}"));
            assert_eq!(ended(&finished).1, Exit::Done, "{exclusion}: {:?}", finished.record.outcome());
            assert_eq!(number(&finished, "locks.completed"), 3 * number(&finished, "topology.nodes"));
            assert_eq!(digest(&finished), digest(&run(&plan, seed)));
            let rules = finished.record.manifest().rules.clone().unwrap();
            assert!(rules.starts_with("tree token, "), "{rules}");
            let opened = ReplayFile::open("run.jsonl", &file[..]).unwrap();
            assert!(opened.header().algorithm.as_ref().unwrap().starts_with("tree token, "));
            let (replayed, end) = plan.replay(opened, &Unwatched).unwrap();
            assert_eq!(ended(&replayed), ("reproduced", Exit::Done));
            assert_eq!(digest(&replayed), digest(&finished));
            assert_eq!(end.unwrap().digest.to_string(), digest(&finished));
        }
    }
}

#[test]
fn a_recording_under_another_algorithm_is_refused() {
    let text = scenario("Complete(nodes: 3)", "TokenTree");
    let mut file = Vec::new();
    let job = Job { seed: 1, repetition: 0, watch: &Unwatched, record: Some(Box::new(&mut file)) };
    plan(&text).run(job).unwrap();
    for other in ["TokenTree(behaviour: Proxy)", "TokenTree(queue: Lift)", "Local"] {
        let opened = ReplayFile::open("run.jsonl", &file[..]).unwrap();
        let error = plan(&text.replace("TokenTree", other)).replay(opened, &Unwatched).unwrap_err();
        assert!(error.is_malformed() && error.to_string().contains("recorded under tree token"), "{error}");
    }
}

const OPTIONS: Options =
    Options { bytes: 1 << 28, configurations: u64::MAX, liveness: true, stop_at_first: false };

#[test]
fn every_run_on_a_small_graph_keeps_the_promise() {
    let explore =
        |text: &str, manner| plan(text).explore(0, manner, &OPTIONS, &mut |_| ControlFlow::Continue(()));
    let text = scenario("Path(nodes: 3)", "TokenTree(tree: Path)").replace("each: 3", "each: 1");
    let explored = explore(&text, Manner::default()).unwrap();
    assert!(explored.truncated.is_none() && explored.states > Some(100));
    let held: Vec<&str> = explored.findings.iter().map(|answer| answer.property).collect();
    assert!(
        held.contains(&"one node inside at a time") && held.contains(&"one token, and who is inside has it")
    );
    for answer in &explored.findings {
        assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.property);
    }
}

#[test]
fn what_does_not_fit_the_algorithm_is_refused_at_its_place() {
    let path = "Path(nodes: 3)";
    for (topology, exclusion, part) in [
        (path, "TokenTree(fathers: «[»0, 0])", "2 fathers for 3 nodes: none for node 2"),
        (path, "TokenTree(fathers: «[»0, 0, 0, 0])", "4 fathers for 3 nodes: node 3 does not exist"),
        (path, "TokenTree(fathers: «[»0, 0, 3])", "the father of node 2 is 3, which does not exist"),
        (path, "TokenTree(fathers: «[»0, 1, 1])", "neither node 0 nor node 1 has a father"),
        (
            path,
            "TokenTree(fathers: «[»1, 2, 0])",
            "here every node has a father, and the fathers of node 0 lead back to it",
        ),
        (path, "TokenTree(fathers: «[»0, 2, 1])", "lead back to it"),
        (path, "TokenTree(fathers: «[»0, 0, 0])", "node 2 and its father 0 in the tree are not adjacent"),
        (path, "TokenTree(tree: «Star»)", "node 2 and its father 0"),
        (path, "TokenTree(root: «3»)", "the root is node 3"),
        (path, "TokenTree(tree: Balanced, arity: «0»)", "a tree without children"),
        (path, "TokenTree(arity: «2»)", "an arity, but the tree has the shape ShortestPaths"),
        (path, "TokenTree(draw: «2»)", "a draw, but the tree has the shape ShortestPaths"),
        (path, "TokenTree(tree: Random, root: «3»)", "the root is node 3"),
        (path, "TokenTree(fathers: «[»0, 0, 1], root: 0)", "the fathers already determine"),
        (path, "TokenTree(proxies: «[»3])", "there is no node 3"),
        (path, "TokenTree(proxies: «[»1], behaviour: Proxy)", "the behaviour already determines"),
        (path, "«TokenTee»", "unknown name `TokenTee`"),
        ("«Path»(nodes: 3)", "TokenTree(behaviour: Transit)", "complete graph, but node 0"),
    ] {
        let error = marked_in(&scenario(topology, exclusion), ".".as_ref());
        assert!(error.message().contains(part), "{error}");
    }
    let text = scenario(path, "TokenTree");
    for (from, to, part) in [
        (
            "scheduler: Sequential",
            "scheduler: «Sequential»(adversary: NewestFirst)",
            "local mutual exclusion only",
        ),
        (" work:", " disturbances: [«Churn»(rate: 0.1)],\n work:", "static graph"),
        (" work:", " lock: «(»rules: Published),\n work:", "rules of local mutual exclusion"),
        (
            "scheduler: Sequential",
            "rung: «F3»,\n scheduler: SemiSynchronous(activation: All)",
            "local mutual exclusion only",
        ),
    ] {
        let error = marked_in(&text.replace(from, to), ".".as_ref());
        assert!(error.message().contains(part), "{error}");
    }
}

/// The node with the token interacts with its neighbours, in each of the three ways.
#[test]
fn a_population_protocol_runs_over_the_token() {
    for way in ["AnyLocked", "PickedPair", "Group"] {
        let work = format!(
            "work: Interactions(protocol: Library(name: \"two-way-epidemic\"), way: {way}, initial: \
             Counts({{\"I\": 1, \"S\": 8}})), stop: [Silent]"
        );
        let text = scenario("Ring(nodes: 9)", "TokenTree").replace("work: Locks(each: 3)", &work);
        if way == "Group" {
            // An epidemic has no rule for groups, so the protocol refuses it, as under local mutual exclusion.
            assert_eq!(
                try_plan_in(&text, ".".as_ref()).is_err(),
                try_plan_in(&text.replace("TokenTree", "Local"), ".".as_ref()).is_err()
            );
            continue;
        }
        let plan = plan(&text);
        let mut file = Vec::new();
        let job = Job { seed: 2, repetition: 0, watch: &Unwatched, record: Some(Box::new(&mut file)) };
        let finished = plan.run(job).unwrap();
        assert_eq!(ended(&finished), ("silent", Exit::Done));
        assert_eq!(number(&finished, "states.I"), 9);
        let opened = ReplayFile::open("run.jsonl", &file[..]).unwrap();
        let (replayed, _) = plan.replay(opened, &Unwatched).unwrap();
        assert_eq!(digest(&replayed), digest(&finished));
    }
}

/// A random graph with few edges is not connected for some seeds, and runs of these seeds are refused.
#[test]
fn a_drawn_graph_without_a_tree_is_refused_with_its_seed() {
    let text = scenario("Gnp(nodes: 6, probability: 0.35)", "TokenTree");
    let document =
        Document::parse(&text.replace("(\n topology", "(\n seed: 1, topology"), "run.ron").unwrap();
    match Plan::new(&document, ".".as_ref()) {
        Err(error) => assert!(error.message().contains("no path from node"), "{error}"),
        Ok(plan) => {
            let refused = (0..50).find_map(|seed| {
                plan.run(Job { seed, repetition: 0, watch: &Unwatched, record: None }).err()
            });
            assert!(refused.unwrap().to_string().contains("no path from node"));
        }
    }
}

#[test]
fn an_entry_of_ones_own_is_named_like_those_that_ship() {
    const RELAY: ExclusionEntry = ExclusionEntry {
        name: "Relay",
        summary: "a token on the path of all nodes in their order",
        parameters: &[],
        read: |_, _| {
            Ok(ResolvedExclusion::new(
                AnyExclusion::TreeToken(TreeToken::new(SchemeRule::Raymond)),
                "relay",
                |topology| {
                    let fathers: Vec<Option<u32>> =
                        (0..topology.node_count()).map(|node| node.checked_sub(1)).collect();
                    let tree = acrasin_runtime::exclusion::RootedTree::new(&fathers).expect("a path");
                    Ok(acrasin_runtime::exclusion::InitialKnowledge::from_tree(tree))
                },
            ))
        },
    };
    let text = scenario("Path(nodes: 4)", "Relay");
    let document = Document::parse(&text, "run.ron").unwrap();
    let catalogue = Catalogue::shipped().with_exclusion(RELAY).unwrap();
    let plan = Plan::with_catalogue(&catalogue, &document, ".".as_ref()).unwrap();
    assert_eq!(number(&run(&plan, 1), "locks.completed"), 12);
    assert!(Plan::new(&document, ".".as_ref()).unwrap_err().message().contains("unknown name `Relay`"));
    assert!(catalogue.with_exclusion(RELAY).is_err());
}
