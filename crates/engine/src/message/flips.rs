//! Graphs whose edges appear and vanish at random.

use acrasin_runtime::choice::FixedProbability;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{NodeId, Port, Step, StepOf};

use super::block::LANES;
use super::changes::adjacent;
use super::chunk::{CHUNK, PARALLEL_FROM};
use super::configuration::LockConfiguration;
use super::network::MessageNetwork;
use super::rounds::{Changing, WordRounds};
use crate::draw::{Purpose, Stream};
use crate::threads::each_part;

/// A change of one edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flip {
    /// One end of the edge.
    pub a: (NodeId, Port),
    /// The other end of the edge.
    pub b: (NodeId, Port),
    /// Whether the edge appears; otherwise it vanishes.
    pub appears: bool,
}

impl Flip {
    /// The change as a step of the runtime.
    #[must_use]
    pub fn step(&self) -> StepOf<Local> {
        let ((a, a_port), (b, b_port)) = (self.a, self.b);
        if self.appears {
            Step::Connect { a, a_port, b, b_port }
        } else {
            Step::Disconnect { node: a, port: a_port }
        }
    }
}

impl<N: MessageNetwork> WordRounds<N, Changing> {
    /// Draws the flips before the next round.
    ///
    /// Each edge of the network flips with this probability, independently: it appears if it is absent, and vanishes if
    /// it is present. The draws are bit planes of [`Purpose::Topology`]. No edge appears between nodes that another
    /// edge already joins.
    ///
    /// Cost: O(nodes · Δ) draws of 64 edges each, on the threads of the current pool if there are many nodes.
    #[must_use]
    pub fn flips(&self, probability: FixedProbability) -> Vec<Flip> {
        let stream = self.config.draws.stream(Purpose::Topology, self.round_number());
        let blocks = (self.nodes() as usize).div_ceil(LANES);
        if (self.nodes() as usize) < PARALLEL_FROM {
            return self.flips_of(0..blocks, stream, probability);
        }
        let step = CHUNK / LANES;
        let parts =
            (0..blocks.div_ceil(step)).map(|part| part * step..blocks.min((part + 1) * step)).collect();
        each_part(parts, true, |_, blocks| self.flips_of(blocks, stream, probability)).concat()
    }

    fn flips_of(
        &self,
        blocks: std::ops::Range<usize>,
        stream: Stream,
        probability: FixedProbability,
    ) -> Vec<Flip> {
        let links = self.network.compiled().links;
        let ports = links.owning_ports();
        let mut flips = Vec::new();
        for block in blocks {
            for port in 1..=ports {
                let index = block as u64 * u64::from(ports) + u64::from(port - 1);
                let mut chosen = stream.chances(index, probability);
                while chosen != 0 {
                    let node = (block * LANES) as u32 + chosen.trailing_zeros();
                    chosen &= chosen - 1;
                    if node < self.nodes()
                        && let Some(other) = links.owns(node, port)
                    {
                        let appears = !self.store.present(node, port);
                        if appears && self.rewired && adjacent(self, node, other.0) {
                            continue;
                        }
                        let (a, b) = ((NodeId(node), Port(port)), (NodeId(other.0), Port(other.1)));
                        flips.push(Flip { a, b, appears });
                    }
                }
            }
        }
        flips
    }

    /// Applies the [`flips`](Self::flips) before the next round and returns their number.
    pub fn flip(&mut self, probability: FixedProbability) -> u64 {
        let flips = self.flips(probability);
        for flip in &flips {
            let ends = [(flip.a.0.0, flip.a.1.0), (flip.b.0.0, flip.b.1.0)];
            if flip.appears {
                self.connect_unchecked(ends);
            } else {
                self.disconnect_unchecked(ends);
            }
        }
        flips.len() as u64
    }
}
