//! `scheduler: UniformPairs(…)` and other schedulers without locks: the law by which pairs are drawn.

use std::path::Path;

use acrasin_graphs::{Graph, read};
use acrasin_protocols::uniform::{Arc, Fault};

use super::super::initial::PopulationStart;
use super::super::interaction_graph::{GraphSource, format_of, unreadable};
use super::super::topology::ChosenTopology;
use crate::document::TopologySource;
use crate::document::edges::{EdgeWeights, Initiator};
use crate::document::resolved_entry::ResolvedEntry;
use crate::scheduler::{PairDrawing, SchedulerEntry};
use crate::{Document, DocumentError};

/// The law by which pairs of agents are drawn: a scheduler without locks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) enum Law {
    Pairs { weights: EdgeWeights, direction: Initiator, rate: Option<f64> },
    Matchings,
}

/// Interactions one after another, for features that the fast engines lack.
#[derive(Debug)]
pub(super) struct Encounters {
    pub(super) place: EncounterGraph,
    pub(super) weights: EdgeWeights,
    pub(super) direction: Initiator,
    /// For contacts: the mean number of interactions per contact and round.
    pub(super) rate: Option<f64>,
    pub(super) faults: Vec<Fault>,
}

/// The pairs that can interact.
#[derive(Debug)]
pub(super) enum EncounterGraph {
    Complete(Vec<u64>),
    Graph(Box<GraphSource>, PopulationStart),
    /// The edges of a file in listed order, the initiator first; the initial states; and the simple graph of these
    /// edges.
    Arcs(Vec<Arc>, PopulationStart, Box<GraphSource>),
}

/// The edges of a file in listed order, and notes about them.
type NotedArcs = (Vec<Arc>, Vec<String>);

impl Law {
    /// The law of a chosen scheduler; `None` for a scheduler under locks.
    pub(in super::super) fn of(chosen: &ResolvedEntry<'_, SchedulerEntry>) -> Option<Self> {
        let values = &chosen.values;
        match chosen.entry.pairs? {
            PairDrawing::Matchings => return Some(Self::Matchings),
            PairDrawing::OneByOne => {}
        }
        let weights = match values.word("weights") {
            Some("Column") => EdgeWeights::Column,
            Some("DegreeProduct") => EdgeWeights::DegreeProduct,
            _ => EdgeWeights::Equal,
        };
        let direction = match values.word("direction") {
            Some("Forward") => Initiator::Tail,
            Some("Backward") => Initiator::Head,
            _ => Initiator::Either,
        };
        Some(Self::Pairs { weights, direction, rate: values.positive("rate") })
    }

    /// Whether the fast engines support this law.
    pub(in super::super) fn is_plain(self) -> bool {
        self == Self::Pairs { weights: EdgeWeights::Equal, direction: Initiator::Either, rate: None }
    }

    /// Refuses a law that does not fit the topology.
    pub(super) fn check(self, document: &Document, topology: &ChosenTopology) -> Result<(), DocumentError> {
        let refused = |field: &str, message: &str, accepted: &str| {
            Err(document.error(&format!("scheduler{field}"), message).accepting(accepted))
        };
        match self {
            Self::Matchings if topology.is_trace() => refused(
                "",
                "random matchings need a graph that does not change",
                "UniformPairs, or a fixed graph",
            ),
            Self::Matchings => Ok(()),
            Self::Pairs { weights: EdgeWeights::Column, .. } if file(topology).is_none() => refused(
                ".weights",
                "the edges of this graph have no weights",
                "Equal, DegreeProduct, or topology: File(path: \"…\")",
            ),
            Self::Pairs { weights, .. } if topology.is_trace() && weights != EdgeWeights::Equal => {
                refused(".weights", "contacts have no weights", "Equal, or omit this field")
            }
            Self::Pairs { direction, .. } if topology.is_trace() && direction != Initiator::Either => {
                refused(".direction", "contacts have no directions", "Either, or omit this field")
            }
            Self::Pairs { rate: Some(_), .. } if !topology.is_trace() => refused(
                ".rate",
                "a rate applies to contacts that begin and end, but this graph does not change",
                "omit this field, or the topology Contacts or Mobility",
            ),
            Self::Pairs { weights, direction, .. }
                if topology.is_complete()
                    && (weights, direction) != (EdgeWeights::Equal, Initiator::Either) =>
            {
                refused(
                    "",
                    "weights and directions do not apply to Complete, where all pairs of agents are equally likely",
                    "omit this field, or another graph",
                )
            }
            Self::Pairs { .. } => Ok(()),
        }
    }

    /// The edges of the graph file in listed order, and notes about them. `None` if neither directions nor weights come
    /// from the file. `graph` is the simple graph of the file.
    pub(super) fn arcs(
        self,
        document: &Document,
        topology: &ChosenTopology,
        base: &Path,
        graph: &Graph,
    ) -> Result<Option<NotedArcs>, DocumentError> {
        let Self::Pairs { weights, direction, .. } = self else { return Ok(None) };
        let Some(TopologySource::File { path, format }) =
            file(topology).filter(|_| weights == EdgeWeights::Column || direction != Initiator::Either)
        else {
            return Ok(None);
        };
        let format = format.map(format_of);
        let listed = read::listed_from_path(&base.join(path), format, weights == EdgeWeights::Column)
            .map_err(|error| unreadable(document, &error))?;
        let is_directed = direction != Initiator::Either;
        let degrees = if weights == EdgeWeights::DegreeProduct { graph.degrees() } else { Vec::new() };
        let weight = |[u, v]: [u32; 2], listed: u64| match weights {
            EdgeWeights::DegreeProduct => u64::from(degrees[u as usize]) * u64::from(degrees[v as usize]),
            EdgeWeights::Equal | EdgeWeights::Column => listed,
        };
        let arcs = listed.arcs(is_directed).into_iter();
        let arcs = arcs
            .map(|(ends, listed)| Arc { ends: direction.ends(ends), weight: weight(ends, listed) })
            .collect();
        let notes = listed.sentences(is_directed).into_iter();
        Ok(Some((arcs, notes.map(|sentence| format!("{path}: {sentence}")).collect())))
    }
}

/// The source of the topology, if that is a graph file.
fn file(topology: &ChosenTopology) -> Option<&TopologySource> {
    let ChosenTopology::Other(topology @ TopologySource::File { .. }) = topology else { return None };
    Some(topology)
}
