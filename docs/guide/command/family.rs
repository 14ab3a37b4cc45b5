use acrasin::graphs::family::{FamilyEntry, FamilyForm, FamilySize, line};
use acrasin::graphs::{Graph, GraphParameterError};

/// A ring of `nodes` nodes, each also joined to the opposite one.
fn chords(nodes: u64) -> Result<Graph, GraphParameterError> {
    if nodes < 4 {
        return Err(GraphParameterError::new("ring with chords", "nodes", nodes, "4 or more"));
    }
    let ring = line::ring(nodes)?;
    let half = ring.nodes() / 2;
    let across = (0..half).map(|node| (node, node + half));
    let edges = ring.edges().iter().copied().chain(across).collect();
    Ok(Graph::from_unsorted(nodes, edges).expect("no edge is listed twice"))
}

pub(crate) const CHORDS: FamilyEntry = FamilyEntry {
    name: "Chords",
    title: "ring with chords",
    summary: "nodes in a circle, each also joined to the opposite one",
    // At most two edges for each node: estimates of memory are made before the graph is built.
    size: |values| FamilySize::of(values.count_of("nodes"), 2),
    make: |values, _seed| chords(values.count_of("nodes")),
    // A general graph: engines may not treat it as a ring.
    form: FamilyForm::Other,
    // Everything else is as for the ring: one parameter `nodes`, no random draws, no positions.
    ..line::RING
};
