//! What an exploration comes to.

use crate::block::Packed;
use crate::graph::Graph;
use crate::limits::Truncated;
use crate::model::{Broken, MoveId};
use crate::store::{Address, Shard};

/// A property that does not hold: where it was seen first, which is as near to the start as any, and how often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is wrong.
    pub broken: Broken,
    /// The configuration in which it was seen, or from which the move starts.
    pub configuration: u32,
    /// How many configurations and moves break the property.
    pub count: u64,
}

/// The way from an initial configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The initial configuration, by its position among those of the model.
    pub start: u32,
    /// The moves.
    pub moves: Vec<MoveId>,
}

/// Everything that was seen.
#[derive(Debug)]
pub struct Exploration {
    pub(crate) shards: Vec<Shard>,
    /// The number of the first configuration of each shard.
    pub(crate) first: Vec<u32>,
    pub(crate) starts: Vec<Address>,
    pub(crate) transitions: u64,
    pub(crate) levels: u32,
    pub(crate) expanded: u64,
    pub(crate) complete_levels: u32,
    pub(crate) broken_moves: u64,
    pub(crate) truncated: Option<Truncated>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) graph: Option<Graph>,
    pub(crate) packed_bytes: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) wanted_bytes: u64,
    pub(crate) kept: Packed,
}

impl Exploration {
    /// How many different configurations were reached.
    #[must_use]
    pub fn configurations(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len() as u64).sum()
    }

    /// How many moves were made, also to configurations seen before.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// The length of the longest of all shortest ways from the start.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.levels
    }

    /// Why the exploration is not complete; `None` if it is.
    #[must_use]
    pub fn truncated(&self) -> Option<Truncated> {
        self.truncated
    }

    /// How many configurations were looked at with all their moves; the others are only known to be reachable.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Every configuration that is at most so many moves from the start has been looked at; `None` if not even the
    /// initial ones have been.
    #[must_use]
    pub fn covered_depth(&self) -> Option<u32> {
        self.complete_levels.checked_sub(1)
    }

    /// How many moves break a property: where they lead is not explored, so that what is not broken may be so beyond.
    #[must_use]
    pub fn broken_moves(&self) -> u64 {
        self.broken_moves
    }

    /// What is wrong, one a property, in the order in which it was found.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// All moves; `None` if they were not kept, or the exploration is not complete.
    #[must_use]
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_ref()
    }

    /// The mean length of a packed configuration in bytes.
    #[must_use]
    pub fn packed_bytes(&self) -> f64 {
        self.packed_bytes as f64 / (self.configurations() as f64).max(1.0)
    }

    /// The most memory that the exploration held at once, in bytes: digests, origins, frontier, graph and buffers.
    #[must_use]
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// The bytes that it would have held with the next block, if it ended for [memory](Truncated::Memory); else 0.
    #[must_use]
    pub fn wanted_bytes(&self) -> u64 {
        self.wanted_bytes
    }

    /// The configurations that the model wanted to be [kept](crate::Moves::keep), by number, in no order.
    pub fn kept(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let addresses = self.kept.addresses.iter().enumerate();
        addresses.map(|(at, address)| (self.number(*address), self.kept.packed(at)))
    }

    /// The initial configurations by number, in the order of the model; one that it lists twice is here twice.
    pub fn starts(&self) -> impl Iterator<Item = u32> {
        self.starts.iter().map(|address| self.number(*address))
    }

    /// An upper bound on the probability that two configurations had the same digest, so that one was taken for the
    /// other and not looked at: n² / 2^129 for n configurations and an ideal digest of 128 bits.
    #[must_use]
    pub fn collision_bound(&self) -> f64 {
        let n = self.configurations() as f64;
        n * n * 2_f64.powi(-129)
    }

    /// A shortest way from an initial configuration to this one.
    ///
    /// # Panics
    ///
    /// Panics if there is no such configuration.
    #[must_use]
    pub fn trace(&self, configuration: u32) -> Trace {
        let mut address = self.address(configuration);
        let mut moves = Vec::new();
        while let Some(origin) = self.shards[address.shard()].origin(address.place()) {
            moves.push(origin.by);
            address = origin.from;
        }
        moves.reverse();
        let start = self.starts.iter().position(|&start| start == address).expect("ways begin at a start");
        Trace { start: start as u32, moves }
    }

    /// How many moves from the start each configuration is.
    #[must_use]
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![u32::MAX; self.configurations() as usize];
        let mut way = Vec::new();
        for configuration in 0..depths.len() as u32 {
            let mut at = configuration;
            let base = loop {
                if depths[at as usize] != u32::MAX {
                    break depths[at as usize];
                }
                way.push(at);
                let address = self.address(at);
                match self.shards[address.shard()].origin(address.place()) {
                    Some(origin) => at = self.number(origin.from),
                    None => {
                        depths[at as usize] = 0;
                        way.pop();
                        break 0;
                    }
                }
            };
            for (depth, at) in (base + 1..).zip(way.drain(..).rev()) {
                depths[at as usize] = depth;
            }
        }
        depths
    }

    fn address(&self, configuration: u32) -> Address {
        let shard = self.first.partition_point(|&first| first <= configuration) - 1;
        self.shards[shard].address((configuration - self.first[shard]) as usize)
    }

    pub(crate) fn number(&self, address: Address) -> u32 {
        self.first[address.shard()] + address.place() as u32
    }
}
