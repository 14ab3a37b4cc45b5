//! A generator of graphs by name.

use acrasin_graphs::{Family, ParameterError};

use crate::document::Topology;
use crate::document::quantity::Seed;
use crate::{Document, DocumentError};

/// The generator that a topology names, with a seed of its own if one is written; `None` for graphs that are no family.
pub(super) fn family(topology: &Topology) -> Option<(Family, Option<u64>)> {
    let own = |seed: &Option<Seed>| seed.map(|seed| seed.0);
    Some(match topology {
        Topology::Path { nodes } => (Family::Path { nodes: nodes.0 }, None),
        Topology::Ring { nodes } => (Family::Ring { nodes: nodes.0 }, None),
        Topology::Star { nodes } => (Family::Star { nodes: nodes.0 }, None),
        Topology::Complete { nodes } => (Family::Complete { nodes: nodes.0 }, None),
        Topology::Grid { rows, columns } => (Family::Grid { rows: rows.0, columns: columns.0 }, None),
        Topology::Torus { rows, columns } => (Family::Torus { rows: rows.0, columns: columns.0 }, None),
        Topology::Triangular { rows, columns } => {
            (Family::Triangular { rows: rows.0, columns: columns.0 }, None)
        }
        Topology::TriangularTorus { rows, columns } => {
            (Family::TriangularTorus { rows: rows.0, columns: columns.0 }, None)
        }
        Topology::RandomRegular { nodes, degree, seed } => {
            (Family::RandomRegular { nodes: nodes.0, degree: degree.0 }, own(seed))
        }
        Topology::Gnp { nodes, probability, seed } => {
            (Family::Gnp { nodes: nodes.0, probability: probability.0 }, own(seed))
        }
        Topology::BarabasiAlbert { nodes, links, seed } => {
            (Family::BarabasiAlbert { nodes: nodes.0, links: links.0 }, own(seed))
        }
        Topology::RandomGeometric { nodes, radius, seed } => {
            (Family::RandomGeometric { nodes: nodes.0, radius: radius.0 }, own(seed))
        }
        Topology::File { .. } | Topology::Contacts { .. } | Topology::Mobility { .. } => return None,
    })
}

/// What a generator refuses, at the parameter that is written.
pub(super) fn refused(document: &Document, error: &ParameterError) -> DocumentError {
    let path = format!("topology.{}", error.parameter());
    let place = if document.locate(&path).is_some() { path.as_str() } else { "topology" };
    let message = format!("a {} graph with {} = {}", error.model(), error.parameter(), error.found());
    document.error(place, message).accepting(error.accepted())
}
