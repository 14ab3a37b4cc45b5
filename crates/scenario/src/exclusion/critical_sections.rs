//! The catalogue entry of local critical sections: in each closed neighbourhood, at least l and at most k nodes are in
//! their critical sections.

use acrasin_catalogue::counted;
use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind, Values};
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme, SectionErratum};
use acrasin_runtime::exclusion::{Errata, Erratum as _, InitialKnowledge};
use acrasin_runtime::{NodeId, Topology};
use acrasin_verify::replay::StepCodec as _;

use super::bounds::WrittenBounds;
use super::entry::{ExclusionEntry, ExclusionSite};
use super::interior;
use super::resolved_exclusion::{AnyExclusion, ResolvedExclusion};

/// A leader with at least this many neighbours need not be adjacent to all other nodes.
const LEADER_DEGREE: u16 = 4;

pub(super) const ENTRY: ExclusionEntry = ExclusionEntry {
    name: "CriticalSections",
    summary: "bounds on nodes inside N[i]; static graphs",
    parameters: &[
        Parameter::optional(
            "scheme",
            ParameterKind::Word(&["Home", "Inclusion", "Exclusion", "Leader"]),
            "the rule that decides which changes wait; Home keeps both bounds and needs no leader",
        ),
        Parameter::optional("least", ParameterKind::Count, "the lower bound l of every node"),
        Parameter::optional("most", ParameterKind::Count, "the upper bound k of every node"),
        Parameter::optional(
            "least_all_but",
            ParameterKind::Count,
            "l by degree: the size of N[i] minus this number",
        ),
        Parameter::optional(
            "most_all_but",
            ParameterKind::Count,
            "k by degree: the size of N[i] minus this number",
        ),
        Parameter::optional(
            "leasts",
            ParameterKind::Counts,
            "the lower bound l of each node, in the order of names",
        ),
        Parameter::optional(
            "mosts",
            ParameterKind::Counts,
            "the upper bound k of each node, in the order of names",
        ),
        Parameter::optional(
            "bounds",
            ParameterKind::Text,
            "a file with a line `node least most` for each node",
        ),
        Parameter::optional("inside", ParameterKind::Nodes, "the nodes that are inside at the start"),
        Parameter::optional(
            "leader",
            ParameterKind::Node,
            "the node that raises requests when all wait, with scheme: Leader",
        ),
        Parameter::optional(
            "self_messages",
            ParameterKind::Word(&["Sent", "InMemory"]),
            "whether messages of a node to itself travel, or are received in the action that sends them",
        ),
        Parameter::optional(
            "printed",
            ParameterKind::Steps { words: SectionErratum::NAMES, counted: 0 },
            "errors of the printed text that are not repaired",
        ),
    ],
    read,
};

fn read(values: &Values, site: ExclusionSite<'_>) -> Result<ResolvedExclusion, ParameterError> {
    let scheme = match values.word("scheme") {
        Some("Inclusion") => Scheme::Inclusion,
        Some("Exclusion") => Scheme::Exclusion,
        Some("Leader") => Scheme::Leader,
        _ => Scheme::Home,
    };
    let written = WrittenBounds::read(values, site, scheme)?;
    let inside = values.counts("inside").map(<[u64]>::to_vec);
    let leader = values.count("leader");
    if leader.is_some() && scheme != Scheme::Leader {
        let message = "this scheme has no leader";
        return Err(ParameterError::new("leader", message).accepting("omit this field, or scheme: Leader"));
    }
    let printed =
        Errata::from_names(values.steps("printed").unwrap_or_default().iter().map(|&(name, _)| name));
    let sections = LocalSections::new(scheme).with_errata(printed);
    let sections = match values.word("self_messages") {
        Some("InMemory") => sections.with_own_messages_at_once(),
        _ => sections,
    };
    // The same description as in the first line of a replay.
    let words = sections.rules().expect("the schemes have words");
    Ok(ResolvedExclusion::new(AnyExclusion::CriticalSections(sections), words, move |topology| {
        let nodes = topology.node_count();
        let leader = leader.map(|leader| node("leader", leader, nodes)).transpose()?;
        let seating =
            InitialKnowledge { bounds: written.bounds(topology)?, leader, ..InitialKnowledge::default() };
        let inside = match &inside {
            Some(list) => listed(list, nodes)?,
            None => match scheme {
                Scheme::Inclusion => vec![true; nodes as usize],
                Scheme::Exclusion => vec![false; nodes as usize],
                Scheme::Home | Scheme::Leader => interior::start(sections, topology, &seating)?,
            },
        };
        let seating = InitialKnowledge { inside, ..seating };
        if scheme == Scheme::Leader && sections.printed() == Errata::NONE {
            reaches_all(topology, &seating)?;
        }
        Ok(seating)
    }))
}

/// Refuses a leader with few neighbours that is not adjacent to all others. A node two or more edges away from the
/// leader can starve, because the bounds of the other nodes can prevent all further changes. An example is C4 with the
/// bounds (0, 3).
fn reaches_all(topology: &Topology, seating: &InitialKnowledge) -> Result<(), ParameterError> {
    let Some(leader) = seating.leader else { return Ok(()) };
    let degree = topology.degree(leader);
    if degree >= LEADER_DEGREE {
        return Ok(());
    }
    match topology.nodes().find(|&node| node != leader && !topology.adjacent(node, leader)) {
        None => Ok(()),
        Some(far) => {
            let message = format!(
                "the leader, node {leader}, has {}, and node {far}, which is not one of them, may wait forever",
                counted(degree, "neighbour")
            );
            let accepted = format!(
                "a leader with {LEADER_DEGREE} neighbours or more, or one adjacent to all others; scheme: \
                 Home needs none"
            );
            Err(ParameterError::new("leader", message).accepting(accepted))
        }
    }
}

fn node(parameter: &'static str, number: u64, nodes: u32) -> Result<NodeId, ParameterError> {
    u32::try_from(number).ok().filter(|&node| node < nodes).map(NodeId).ok_or_else(|| {
        let message = format!("there is no node {number}");
        ParameterError::new(parameter, message).accepting(format!("0 to {}", nodes - 1))
    })
}

fn listed(list: &[u64], nodes: u32) -> Result<Vec<bool>, ParameterError> {
    let mut inside = vec![false; nodes as usize];
    for &number in list {
        if std::mem::replace(&mut inside[node("inside", number, nodes)?.index()], true) {
            let message = format!("node {number} is listed twice");
            return Err(ParameterError::new("inside", message).accepting("each node once"));
        }
    }
    Ok(inside)
}
