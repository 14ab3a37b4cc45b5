//! The layout of agents of a run, and the edges between them.

use std::iter::Peekable;
use std::vec::IntoIter;

use acrasin_protocols::uniform::TorusShape;
use acrasin_report::film::NodePositions;

use super::super::interaction_graph::{GraphSource, InteractionGraph};
use super::law::{EncounterGraph, Encounters};
use super::plan::InteractionModel;
use crate::film::{LayoutSource, Walking};

/// Changes of the graph in the order of rounds: the round, two ends, and whether the edge appears.
pub(super) type EdgeChanges = Peekable<IntoIter<(u64, [u32; 2], bool)>>;

impl InteractionModel {
    /// The initial edges and the layout of the nodes. The edges of a complete graph are not shown.
    pub(super) fn stage(&self, seed: u64, nodes: u32) -> (Vec<(u32, u32)>, NodePositions) {
        match self {
            Self::Complete(_) | Self::Matched(_) => (Vec::new(), NodePositions::default()),
            Self::Torus(TorusShape::Ring { .. }, _) => {
                let edges: Vec<_> = (0..nodes).map(|node| ordered(node, (node + 1) % nodes)).collect();
                let picture = LayoutSource::Ring.picture(nodes, &edges);
                (edges, picture)
            }
            Self::Torus(TorusShape::Torus { rows, columns }, _) => {
                let (rows, columns) = (*rows, *columns);
                let beside = |node: u32| {
                    let (row, column) = (node / columns, node % columns);
                    let right = row * columns + (column + 1) % columns;
                    let below = (row + 1) % rows * columns + column;
                    [ordered(node, right), ordered(node, below)]
                };
                let edges: Vec<_> = (0..nodes).flat_map(beside).collect();
                let places = LayoutSource::Rows { rows, columns, is_triangular: false, is_torus: true };
                let picture = places.picture(nodes, &edges);
                (edges, picture)
            }
            Self::Graph(site) | Self::MatchedGraph(site) => of_terrain(&site.0, seed, nodes),
            Self::Encounters(site) => of_encounters(site, seed, nodes),
        }
    }

    /// The names of the nodes in the graph file, if it has names.
    pub(super) fn names(&self) -> Option<Vec<String>> {
        let terrain = match self {
            Self::Graph(site) | Self::MatchedGraph(site) => &site.0,
            Self::Encounters(site) => match &site.place {
                EncounterGraph::Arcs(_, _, terrain) | EncounterGraph::Graph(terrain, _) => terrain,
                EncounterGraph::Complete(_) => return None,
            },
            Self::Complete(_) | Self::Matched(_) | Self::Torus(..) => return None,
        };
        terrain.sample().listed_names()
    }

    /// The positions of the nodes in a run with this seed, if they walk.
    pub(super) fn walking(&self, seed: u64) -> Option<Walking> {
        match self {
            Self::Graph(site) | Self::MatchedGraph(site) => site.0.walking(seed),
            Self::Encounters(site) => match &site.place {
                EncounterGraph::Graph(terrain, _) => terrain.walking(seed),
                EncounterGraph::Complete(_) | EncounterGraph::Arcs(..) => None,
            },
            Self::Complete(_) | Self::Matched(_) | Self::Torus(..) => None,
        }
    }

    /// The changes of the graph in a run with this seed.
    pub(super) fn contacts(&self, seed: u64) -> EdgeChanges {
        let mut changes = Vec::new();
        if let Self::Encounters(site) = self
            && let EncounterGraph::Graph(terrain, _) = &site.place
            && let Ok((graph, _)) = terrain.of_run(seed)
            && let InteractionGraph::Contacts(contacts) = &*graph
        {
            changes.extend(contacts.edges());
        }
        changes.into_iter().peekable()
    }
}

fn of_encounters(site: &Encounters, seed: u64, nodes: u32) -> (Vec<(u32, u32)>, NodePositions) {
    match &site.place {
        EncounterGraph::Complete(_) => (Vec::new(), LayoutSource::Unknown.picture(nodes, &[])),
        EncounterGraph::Arcs(_, _, terrain) | EncounterGraph::Graph(terrain, _) => {
            of_terrain(terrain, seed, nodes)
        }
    }
}

fn of_terrain(terrain: &GraphSource, seed: u64, nodes: u32) -> (Vec<(u32, u32)>, NodePositions) {
    let Ok((graph, _)) = terrain.of_run(seed) else {
        return (Vec::new(), LayoutSource::Unknown.picture(nodes, &[]));
    };
    let picture = terrain.picture(&graph, seed);
    let edges = match &*graph {
        InteractionGraph::Fixed(graph) => graph.edges().to_vec(),
        InteractionGraph::Contacts(_) | InteractionGraph::Complete(_) => Vec::new(),
    };
    (edges, picture)
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}
