//! The layout of agents of a run, and the edges between them.

use std::iter::Peekable;
use std::vec::IntoIter;

use acrasin_protocols::uniform::TorusShape;
use acrasin_report::film::Picture;

use super::super::interaction_graph::{InteractionGraph, Terrain};
use super::law::{Encounters, Venue};
use super::plan::Site;
use crate::film::{Places, Walking};

/// Changes of the graph, by round: two ends, and whether the edge begins.
pub(super) type Changes = Peekable<IntoIter<(u64, [u32; 2], bool)>>;

impl Site {
    /// The initial edges and the picture. The edges of a complete graph are not shown.
    pub(super) fn stage(&self, seed: u64, nodes: u32) -> (Vec<(u32, u32)>, Picture) {
        match self {
            Self::Complete(_) | Self::Matched(_) => (Vec::new(), Picture::default()),
            Self::Torus(TorusShape::Ring { .. }, _) => {
                let edges: Vec<_> = (0..nodes).map(|node| ordered(node, (node + 1) % nodes)).collect();
                let picture = Places::Ring.picture(nodes, &edges);
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
                let places = Places::Rows { rows, columns, is_triangular: false, is_torus: true };
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
                Venue::Arcs(_, _, terrain) | Venue::Graph(terrain, _) => terrain,
                Venue::Complete(_) => return None,
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
                Venue::Graph(terrain, _) => terrain.walking(seed),
                Venue::Complete(_) | Venue::Arcs(..) => None,
            },
            Self::Complete(_) | Self::Matched(_) | Self::Torus(..) => None,
        }
    }

    /// The changes of the graph in a run with this seed.
    pub(super) fn contacts(&self, seed: u64) -> Changes {
        let mut changes = Vec::new();
        if let Self::Encounters(site) = self
            && let Venue::Graph(terrain, _) = &site.place
            && let Ok((graph, _)) = terrain.of_run(seed)
            && let InteractionGraph::Contacts(contacts) = &*graph
        {
            changes.extend(contacts.edges());
        }
        changes.into_iter().peekable()
    }
}

fn of_encounters(site: &Encounters, seed: u64, nodes: u32) -> (Vec<(u32, u32)>, Picture) {
    match &site.place {
        Venue::Complete(_) => (Vec::new(), Places::Unknown.picture(nodes, &[])),
        Venue::Arcs(_, _, terrain) | Venue::Graph(terrain, _) => of_terrain(terrain, seed, nodes),
    }
}

fn of_terrain(terrain: &Terrain, seed: u64, nodes: u32) -> (Vec<(u32, u32)>, Picture) {
    let Ok((graph, _)) = terrain.of_run(seed) else {
        return (Vec::new(), Places::Unknown.picture(nodes, &[]));
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
