//! Checks that nodes entering at the same time have disjoint sets, and that every node has one turn.

use super::order::{TiledOrder, WavePhase};
use crate::network::PortNetwork;
use crate::unchecked::DisjointRounds;

/// Records the holder of each node and the turns of each wave.
///
/// The check does not depend on how the sets were found, since it queries the network again.
#[derive(Debug)]
pub(super) struct Checker {
    /// For each node its last holder, as the moment, the group, and the node that entered.
    owners: Vec<Owner>,
    /// For each node, the wave of its last turn, by the checker's own count of waves.
    turns: Vec<u64>,
    moment: u64,
    wave: u64,
}

#[derive(Clone, Copy, Debug)]
struct Owner {
    moment: u64,
    group: u32,
    node: u32,
}

impl Checker {
    pub(super) fn new(nodes: u32) -> Self {
        let owner = Owner { moment: 0, group: 0, node: 0 };
        Self { owners: vec![owner; nodes as usize], turns: vec![0; nodes as usize], moment: 0, wave: 0 }
    }

    /// The memory used, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.owners.capacity() * size_of::<Owner>() + self.turns.capacity() * size_of::<u64>()) as u64
    }

    pub(super) fn begin_wave(&mut self) {
        self.wave += 1;
    }

    /// Begins a new moment. Critical sections of different moments do not overlap in time.
    fn next_moment(&mut self) {
        self.moment += 1;
    }

    /// Records that a node enters in a group. The turns of one group are sequential; different groups run at the same
    /// time.
    ///
    /// # Panics
    ///
    /// Panics if another group holds a member at this moment, or if the node has had its turn.
    fn enters<N: PortNetwork>(&mut self, network: &N, node: u32, group: u32) {
        for member in std::iter::once(node).chain(network.peers(node).flatten()) {
            let owner = &mut self.owners[member as usize];
            let other = *owner;
            assert!(
                other.moment != self.moment || other.group == group,
                "nodes {} and {node} enter at the same time, and both hold node {member}",
                other.node
            );
            *owner = Owner { moment: self.moment, group, node };
        }
        let turn = &mut self.turns[node as usize];
        assert!(*turn != self.wave, "node {node} has its turn twice");
        *turn = self.wave;
    }

    /// Ends the wave.
    ///
    /// # Panics
    ///
    /// Panics if a node has had no turn in this wave.
    pub(super) fn end_wave(&self) {
        if let Some(node) = self.turns.iter().position(|&turn| turn != self.wave) {
            panic!("node {node} has no turn");
        }
    }

    /// Checks a tiled wave: each phase is one moment, each tile one group.
    pub(super) fn tiles<N: PortNetwork>(&mut self, network: &N, order: &TiledOrder<'_>) {
        let (tiling, nodes) = (order.tiling, u64::from(network.nodes()));
        for phase in order.phases {
            self.next_moment();
            if phase == WavePhase::Far {
                for &node in &tiling.far {
                    self.enters(network, node, 0);
                }
                continue;
            }
            for tile in 0..tiling.tiles {
                for place in order.range_of(phase, tile).turns {
                    let node = ((u64::from(order.base(phase)) + place) % nodes) as u32;
                    if !tiling.is_far(node) {
                        self.enters(network, node, tile);
                    }
                }
            }
        }
    }

    /// Checks a batch: each round is one moment, each set one group.
    pub(super) fn rounds<N: PortNetwork>(&mut self, network: &N, rounds: &DisjointRounds) {
        for round in 0..rounds.count() {
            self.next_moment();
            for &set in rounds.sets(round) {
                self.enters(network, rounds.members(set)[0], set);
            }
        }
    }
}
