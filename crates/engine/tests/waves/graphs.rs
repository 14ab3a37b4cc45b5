//! Graphs for waves.

use std::num::NonZeroU32;

use acrasin_engine::draw::{Draws, Purpose};
use acrasin_engine::network::PortTable;
use acrasin_engine::{Lattice, LatticeKind};
use acrasin_runtime::{NodeId, Port, Topology};

pub(crate) fn torus(kind: LatticeKind, width: u32, height: u32) -> Lattice {
    Lattice::new(kind, width, height).expect("a torus")
}

fn of_edges(nodes: u32, ports: u16, edges: &[(u32, u32)]) -> Topology {
    Topology::from_edges(nodes, ports, edges).expect("a graph")
}

pub(crate) fn ring(nodes: u32) -> Topology {
    of_edges(nodes, 2, &(0..nodes).map(|node| (node, (node + 1) % nodes)).collect::<Vec<_>>())
}

pub(crate) fn path(nodes: u32) -> Topology {
    of_edges(nodes, 2, &(1..nodes).map(|node| (node - 1, node)).collect::<Vec<_>>())
}

pub(crate) fn star(leaves: u32) -> Topology {
    of_edges(leaves + 1, leaves as u16, &(1..=leaves).map(|leaf| (0, leaf)).collect::<Vec<_>>())
}

pub(crate) fn grid(width: u32, height: u32) -> Topology {
    let right = (0..width * height).filter(|node| (node + 1) % width != 0).map(|node| (node, node + 1));
    let up = (0..width * (height - 1)).map(|node| (node, node + width));
    of_edges(width * height, 4, &right.chain(up).collect::<Vec<_>>())
}

/// A graph of about this degree: the union of random Hamiltonian cycles, without repeated edges.
pub(crate) fn random_regular(nodes: u32, cycles: u64, seed: u64) -> Topology {
    let mut topology = Topology::new(nodes, 2 * cycles as u16).expect("a graph");
    for cycle in 0..cycles {
        let stream = Draws::new(seed).stream(Purpose::Initial, cycle);
        let mut order: Vec<u32> = (0..nodes).collect();
        for last in (1..nodes).rev() {
            let bound = NonZeroU32::new(last + 1).expect("positive");
            order.swap(last as usize, stream.below(u64::from(last), bound) as usize);
        }
        for i in 0..nodes as usize {
            join(&mut topology, order[i], order[(i + 1) % nodes as usize]);
        }
    }
    topology
}

/// Joins two nodes on their lowest open ports, unless they are equal, already joined, or have no open port.
pub(crate) fn join(topology: &mut Topology, a: u32, b: u32) {
    let (a, b) = (NodeId(a), NodeId(b));
    if a != b
        && !topology.adjacent(a, b)
        && let (Some(at_a), Some(at_b)) = (topology.lowest_open_port(a), topology.lowest_open_port(b))
    {
        topology.connect(a, at_a.into(), b, at_b.into()).expect("open ports");
    }
}

/// A tree with extra edges, some isolated nodes, and open ports between edges.
pub(crate) fn irregular(nodes: u32) -> Topology {
    let mut topology = Topology::new(nodes, 20).expect("a graph");
    for node in 1..nodes {
        if node % 7 != 3 {
            join(&mut topology, node / 3, node);
            join(&mut topology, node, (node * node + 5) % nodes);
        }
    }
    for node in (0..nodes).step_by(5) {
        if topology.link(NodeId(node), Port(1)).is_some() {
            topology.disconnect(NodeId(node), Port(1)).expect("an edge");
        }
    }
    topology
}

/// A ring with chords of length up to 3 and a few edges across: it has tiles with far nodes.
pub(crate) fn ring_with_bridges(nodes: u32) -> Topology {
    let mut topology = Topology::new(nodes, 8).expect("a graph");
    for node in 0..nodes {
        join(&mut topology, node, (node + 1) % nodes);
        join(&mut topology, node, (node + 1 + node % 3) % nodes);
    }
    join(&mut topology, 1, nodes / 2);
    join(&mut topology, nodes / 4, nodes - 2);
    topology
}

pub(crate) fn table(topology: &Topology) -> PortTable {
    PortTable::new(topology).expect("a table")
}
