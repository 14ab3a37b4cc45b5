use acrasin::catalogue::parameter::{Parameter, ParameterKind};
use acrasin::graphs::family::{FamilyEntry, FamilyForm, FamilySize, line};
use acrasin::graphs::{Graph, GraphParameterError};

/// A ring of `nodes` nodes, of which every `every`-th in one half is also joined to the opposite one.
fn chords(nodes: u64, every: u64) -> Result<Graph, GraphParameterError> {
    if nodes < 4 {
        return Err(GraphParameterError::new("ring with chords", "nodes", nodes, "4 or more"));
    }
    if every == 0 {
        return Err(GraphParameterError::new("ring with chords", "every", every, "1 or more"));
    }
    let ring = line::ring(nodes)?;
    let half = ring.nodes() / 2;
    let across =
        (0..half).filter(|&node| u64::from(node).is_multiple_of(every)).map(|node| (node, node + half));
    let edges = ring.edges().iter().copied().chain(across).collect();
    Ok(Graph::from_unsorted(nodes, edges).expect("no edge is listed twice"))
}

pub(crate) const CHORDS: FamilyEntry = FamilyEntry {
    name: "Chords",
    title: "ring with chords",
    summary: "nodes in a circle, some also joined to the opposite one",
    parameters: &[
        Parameter::required("nodes", ParameterKind::Count, "the number of nodes"),
        Parameter::optional("every", ParameterKind::Count, "the distance of chords; 1 by default"),
    ],
    // At most two edges for each node: estimates of memory are made before the graph is built.
    size: |values| FamilySize::of(values.count_of("nodes"), 2),
    // `count_of` reads a required parameter, `count` an optional one. The second argument is the seed.
    make: |values, _| chords(values.count_of("nodes"), values.count("every").unwrap_or(1)),
    // A general graph: engines may not treat it as a ring.
    form: FamilyForm::Other,
    // Everything else is as for the ring: no random draws, no positions.
    ..line::RING
};
