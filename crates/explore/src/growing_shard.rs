//! [`GrowingShard`]: a shard with the configurations that it gains from a block.

use crate::block::{ExpandedChunk, PackedList, Successor};
use crate::graph::ConfigurationGraph;
use crate::store::{Address, Shard};

/// A shard with the configurations that it gains from a block.
pub(crate) struct GrowingShard {
    pub(crate) shard: Shard,
    pub(crate) gained: PackedList,
    /// The resolved successors as (chunk, successor, address), if moves are kept.
    pub(crate) resolved: Vec<(u32, u32, Address)>,
    pub(crate) graph: ConfigurationGraph,
}

impl GrowingShard {
    /// Inserts the successors of a block that belong to this shard.
    pub(crate) fn gain(&mut self, index: usize, chunks: &[ExpandedChunk], keep_graph: bool) {
        let more = chunks.iter().map(|chunk| chunk.by_shard[index].len()).sum();
        self.shard.reserve(more);
        for (number, chunk) in chunks.iter().enumerate() {
            for &successor in &chunk.by_shard[index] {
                let Successor { digest, origin, .. } = chunk.successors[successor as usize];
                let (address, new) = self.shard.insert(digest, Some(origin));
                if new {
                    self.gained.push(address, chunk.packed(successor as usize));
                }
                if keep_graph {
                    self.resolved.push((number as u32, successor, address));
                }
            }
        }
    }
}
