//! Tests of locks of pairs on the complete graph on rung F1, without a list of edges.

use crate::support::{ended, marked_in, number, plan, run, same_on_all_threads};
use acrasin_report::record::Exit;
use acrasin_scenario::Runnable as _;
use acrasin_scenario::plan::Plan;

fn text(nodes: &str, rung: &str, way: &str, stop: &str) -> String {
    format!(
        r#"(topology: «Complete»(nodes: {nodes}), {rung},
        work: Interactions(protocol: Library(name: "approximate-majority"), way: {way}, initial: Shares({{"A": 0.6, "B": 0.4}})),
        stop: [{stop}], limits: (rounds: 1000), observe: (counts_every: Rounds(10)))"#
    )
}

const WAVES: &str = "rung: F1, scheduler: Waves";

fn complete(nodes: &str, stop: &str) -> Plan {
    plan(&text(nodes, WAVES, "PickedPair", stop).replace(['«', '»'], ""))
}

#[test]
fn a_million_nodes_lock_pairs_without_edges() {
    let plan = complete("1e6", "OutputsAgree");
    // The estimate covers states and words per node, not 10^12 edges.
    assert!(plan.header().bytes < 1_000_000 * 200, "{}", plan.header().bytes);
    let finished = same_on_all_threads(&plan, 3);
    assert_eq!(ended(&finished), ("agreed", Exit::Done));
    assert_eq!(number(&finished, "outputs.A"), 1_000_000);
    assert_eq!(number(&finished, "topology.edges"), 1_000_000 * 999_999 / 2);
    assert_eq!(number(&finished, "topology.ports"), 999_999);
    let waves = number(&finished, "work.rounds");
    assert_eq!(number(&finished, "work.interactions"), 1_000_000 * waves);
    // A majority of 60 to 40 wins in O(log n) parallel time.
    assert!((5..60).contains(&waves), "{waves}");
    // All runs end in one state, but their length depends on the seed.
    assert_ne!(number(&finished, "work.changes"), number(&run(&plan, 4), "work.changes"));
}

/// Parallel time under locks is not that of the textbook model, and a note of the plan says so.
#[test]
fn the_plan_says_which_law_its_time_has() {
    let plan = complete("1e5", "Silent");
    assert!(
        plan.header()
            .notes
            .as_slice()
            .iter()
            .any(|note| note.contains("not comparable with that of uniform pairs"))
    );
    let said = plan.header().parameters.clone();
    let says = |name: &str| said.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    assert_eq!(
        (says("lock set"), says("ports"), says("edges")),
        (Some("pair"), Some("99999"), Some("4999950000"))
    );
    assert_eq!(ended(&run(&plan, 1)), ("silent", Exit::Done));
}

/// Up to 256 nodes edges are listed, from 257 on they are not; both give the same kind of run.
/// `pairs_of_the_complete_graph_are_those_of_its_edges` tests that the states are equal node by node.
#[test]
fn a_node_more_than_is_listed_changes_nothing_else() {
    for (nodes, edges) in [("256", 256 * 255 / 2), ("257", 257 * 256 / 2)] {
        let finished = run(&complete(nodes, "Rounds(5)"), 2);
        assert_eq!(number(&finished, "topology.edges"), edges);
        assert_eq!(number(&finished, "work.interactions"), 5 * nodes.parse::<u64>().unwrap());
    }
}

#[test]
fn other_ways_are_refused_with_the_reason_and_what_runs() {
    for (rung, way) in [
        (WAVES, "AnyLocked"),
        (WAVES, "Group"),
        ("rung: F3, scheduler: SemiSynchronous(activation: All)", "PickedPair"),
        ("scheduler: Sequential", "AnyLocked"),
    ] {
        let error = marked_in(&text("1e6", rung, way, "Silent"), ".".as_ref());
        assert!(error.message().contains("one node acts at a time"), "{error}");
        let accepted = error.accepted().unwrap();
        assert!(
            accepted.contains("way: PickedPair with rung: F1") && accepted.contains("UniformPairs"),
            "{error}"
        );
    }
}
