//! `scheduler: UniformPairs(…)` and its kin: who meets whom, by which law.

use std::path::Path;

use acrasin_catalogue::parameter::Values;
use acrasin_graphs::read::{Format, edge_list};
use acrasin_protocols::uniform::{Arc, Direction, Fault};

use super::super::initial::Start;
use super::super::interaction_graph::{Positions, Terrain};
use super::super::topology::ChosenTopology;
use crate::document::Topology;
use crate::document::topology::GraphFormat;
use crate::scheduler::random_matchings;
use crate::{Document, DocumentError};

/// Weights of edges: `weights`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Weights {
    Equal,
    Column,
    DegreeProduct,
}

/// What is written for the scheduler.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) enum Law {
    Pairs { weights: Weights, direction: Direction, rate: Option<f64> },
    Matchings,
}

/// One interaction after another, with whatever the fast engines lack.
#[derive(Debug)]
pub(super) struct Encounters {
    pub(super) place: Venue,
    pub(super) weights: Weights,
    pub(super) direction: Direction,
    /// Of contacts: how often each interacts in a round.
    pub(super) rate: Option<f64>,
    pub(super) faults: Vec<Fault>,
}

/// Where agents meet.
#[derive(Debug)]
pub(super) enum Venue {
    Everybody(Vec<u64>),
    Graph(Box<Terrain>, Start),
    /// Edges of a file, with their weights and directions, and where the file says that the nodes are.
    Arcs(Vec<Arc>, Start, Option<Positions>),
}

impl Law {
    pub(in super::super) fn new(document: &Document, values: &Values) -> Self {
        if random_matchings::is_named(document) {
            return Self::Matchings;
        }
        let weights = match values.word("weights") {
            Some("Column") => Weights::Column,
            Some("DegreeProduct") => Weights::DegreeProduct,
            _ => Weights::Equal,
        };
        let direction = match values.word("direction") {
            Some("Forward") => Direction::FirstInitiates,
            _ => Direction::Either,
        };
        Self::Pairs { weights, direction, rate: values.positive("rate") }
    }

    /// Whether it is what the fast engines do.
    pub(in super::super) fn is_plain(self) -> bool {
        self == Self::Pairs { weights: Weights::Equal, direction: Direction::Either, rate: None }
    }

    /// Refuses what does not fit the topology.
    pub(super) fn check(self, document: &Document, topology: &ChosenTopology) -> Result<(), DocumentError> {
        let refused = |field: &str, message: &str, accepted: &str| {
            Err(document.error(&format!("scheduler{field}"), message).accepting(accepted))
        };
        match self {
            Self::Matchings if topology.is_trace() => refused(
                "",
                "random matchings are of a graph that does not change",
                "UniformPairs, or a fixed graph",
            ),
            Self::Matchings => Ok(()),
            Self::Pairs { weights: Weights::Column, .. } if file(topology).is_none() => refused(
                ".weights",
                "only an edge list has a column of weights",
                "Equal, DegreeProduct, or topology: File(path: \"…\", format: EdgeList)",
            ),
            Self::Pairs { weights, direction, .. }
                if topology.is_trace() && (weights, direction) != (Weights::Equal, Direction::Either) =>
            {
                refused(
                    ".weights",
                    "contacts have neither weights nor directions",
                    "nothing here, or rate: 0.1",
                )
            }
            Self::Pairs { rate: Some(_), .. } if !topology.is_trace() => refused(
                ".rate",
                "a rate is of contacts that come and go, and this graph does not change",
                "nothing here, or Contacts or Mobility",
            ),
            Self::Pairs { weights, direction, .. }
                if topology.is_complete() && (weights, direction) != (Weights::Equal, Direction::Either) =>
            {
                refused("", "everybody meets everybody alike on Complete", "nothing here, or another graph")
            }
            Self::Pairs { .. } => Ok(()),
        }
    }

    /// The edges of a file with their weights and directions, if they are meant.
    pub(super) fn arcs(
        self,
        document: &Document,
        topology: &ChosenTopology,
        base: &Path,
    ) -> Result<Option<Vec<Arc>>, DocumentError> {
        let Self::Pairs { weights, direction, .. } = self else { return Ok(None) };
        let Some(path) = file(topology).filter(|_| {
            weights == Weights::Column
                || (direction == Direction::FirstInitiates && weights == Weights::Equal)
        }) else {
            return Ok(None);
        };
        let read = edge_list::weighted(&base.join(path), weights == Weights::Column).map_err(|error| {
            let whole = error.to_string();
            let tail = format!("; accepted: {}", error.accepted());
            let message = whole.strip_suffix(&tail).unwrap_or(&whole);
            document.error("topology.path", message).accepting(error.accepted())
        })?;
        Ok(Some(read.into_iter().map(|(ends, weight)| Arc { ends, weight }).collect()))
    }
}

/// The edge list that a topology is.
fn file(topology: &ChosenTopology) -> Option<&str> {
    let ChosenTopology::Other(Topology::File { path, format }) = topology else { return None };
    let is_list = match format {
        Some(format) => *format == GraphFormat::EdgeList,
        None => Format::of_path(Path::new(path)) == Some(Format::EdgeList),
    };
    is_list.then_some(path.as_str())
}

/// Who initiates, in words.
pub(super) fn direction_words(direction: Direction) -> &'static str {
    match direction {
        Direction::Either => "in a random direction",
        Direction::FirstInitiates => "its first end is the initiator",
    }
}
