//! Assumptions of the exclusion algorithm, compared with the scenario.

use acrasin_runtime::NodeId;
use acrasin_runtime::exclusion::{AssumptionError, Assumptions, Given, RequiredGraph};

use super::interaction_graph::InteractionGraph;
use crate::exclusion::ResolvedExclusion;
use crate::scheduler::Schedule;
use crate::{Document, DocumentError};

/// Refuses a scenario that violates an assumption of the algorithm. The error is at the responsible field.
pub(super) fn check(
    assumes: &Assumptions,
    document: &Document,
    graph: &InteractionGraph,
) -> Result<(), DocumentError> {
    let scenario = document.scenario();
    let refused = |place: &str, unmet: AssumptionError, accepted: &str| {
        Err(document.error(place, graph.node_names().in_words(&unmet.to_string())).accepting(accepted))
    };
    if let Err(unmet) = assumes.check_changes() {
        if matches!(graph, InteractionGraph::Contacts(_)) {
            return refused("topology", unmet, "a fixed graph");
        }
        if !scenario.disturbances.is_empty() {
            return refused("disturbances[0]", unmet, "no disturbances");
        }
    }
    // A scenario has no field that could satisfy these assumptions.
    let another = "an algorithm without this assumption";
    if assumes.given.tree {
        return refused("lock.algorithm", AssumptionError::NoTree, another);
    }
    if assumes.given.bounds {
        return refused(
            "lock.algorithm",
            AssumptionError::NoBounds { given: 0, nodes: graph.nodes() },
            another,
        );
    }
    if let (RequiredGraph::Complete, InteractionGraph::Fixed(graph)) = (assumes.network, graph) {
        let mut degrees = vec![0; graph.nodes() as usize];
        for &(a, b) in graph.edges() {
            degrees[a as usize] += 1;
            degrees[b as usize] += 1;
        }
        let others = graph.nodes().saturating_sub(1);
        if let Some(node) = (0..).zip(degrees).find_map(|(node, degree)| (degree < others).then_some(node)) {
            return refused(
                "topology",
                AssumptionError::NotComplete { node: NodeId(node) },
                "Complete(nodes: …)",
            );
        }
    }
    Ok(())
}

/// Refuses a graph on which the algorithm, with this initial knowledge, cannot keep its guarantees.
pub(super) fn check_seated(
    exclusion: &ResolvedExclusion,
    schedule: &Schedule,
    document: &Document,
    (graph, ports): (&InteractionGraph, u16),
) -> Result<(), DocumentError> {
    let assumes = exclusion.assumes();
    check(
        &Assumptions { network: RequiredGraph::Static, given: Given::NOTHING, ..assumes },
        document,
        graph,
    )?;
    if !schedule.runs_under_any() {
        let message = format!("{}: it schedules local mutual exclusion only", schedule.words());
        let accepted = "Sequential, RoundRobin, SemiSynchronous(…) or Asynchronous without an adversary";
        return Err(document.error("scheduler", message).accepting(accepted));
    }
    let topology = graph.at_start(ports, 0).expect("checked with the terrain");
    let names = graph.node_names();
    let seating = exclusion.seating(&topology);
    let seating =
        seating.map_err(|error| document.misfit("exclusion", &error).in_words(|it| names.in_words(it)))?;
    exclusion.check_start(&topology, &seating).map_err(|unmet| {
        let (place, accepted) = match unmet {
            AssumptionError::NotComplete { .. } => ("topology", "Complete(nodes: …), or behaviour: Raymond"),
            AssumptionError::NoTreeEdge { .. } => {
                let written = document.locate("exclusion.fathers").is_some();
                (if written { "exclusion.fathers" } else { "exclusion.tree" }, "fathers that are neighbours")
            }
            AssumptionError::Bounds { .. } if document.locate("exclusion.inside").is_some() => {
                ("exclusion.inside", "bounds and a start that fit this node")
            }
            AssumptionError::Bounds { .. } => ("exclusion", "bounds and a start that fit this node"),
            _ => ("exclusion", "an algorithm without these assumptions"),
        };
        document.error(place, names.in_words(&unmet.to_string())).accepting(accepted)
    })
}

#[cfg(test)]
mod tests {
    use acrasin_graphs::Graph;
    use acrasin_runtime::exclusion::Exclusion;
    use acrasin_runtime::exclusion::local::Local;
    use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};

    use super::*;

    fn refusal(assumes: &Assumptions, changed: &str, edges: &[(u32, u32)]) -> Option<String> {
        let text = format!("(\n topology: Ring(nodes: 3),\n scheduler: Sequential,\n{changed} work: Idle)");
        let document = Document::parse(&text, "a.ron").unwrap();
        let graph = InteractionGraph::Fixed(Graph::new(3, edges.to_vec()).unwrap());
        check(assumes, &document, &graph).err().map(|error| error.to_string())
    }

    #[test]
    fn what_an_algorithm_assumes_is_asked_of_the_algorithm() {
        const CHURN: &str = " disturbances: [Churn(rate: 0.1)],\n";
        const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
        assert_eq!(refusal(&Local::new(2).assumes(), CHURN, TRIANGLE), None);
        // With churn, the scheme for static graphs is refused at the field of the churn; without, because there is no
        // tree.
        let token = TreeToken::new(SchemeRule::AllTransit).assumes();
        let moving = refusal(&token, CHURN, TRIANGLE).unwrap();
        assert!(moving.contains("--> a.ron:4:") && moving.contains("static graph"), "{moving}");
        let rootless = refusal(&token, "", TRIANGLE).unwrap();
        assert!(rootless.contains("rooted tree"), "{rootless}");
        // Without a tree the graph must be complete.
        let complete = Assumptions { given: Given::NOTHING, ..token };
        assert_eq!(refusal(&complete, "", TRIANGLE), None);
        let path = refusal(&complete, "", &TRIANGLE[..2]).unwrap();
        assert!(path.contains("--> a.ron:2:") && path.contains("node 1 is not adjacent"), "{path}");
    }
}
