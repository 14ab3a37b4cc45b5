//! [`Exploration`]: the result of an exploration.

use crate::block::PackedList;
use crate::graph::ConfigurationGraph;
use crate::limits::Truncated;
use crate::model::{BrokenProperty, MoveId};
use crate::store::{Address, Shard};

/// A broken property: its first occurrence, which has minimum depth, and the number of occurrences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyFinding {
    /// The violation that was found first.
    pub broken: BrokenProperty,
    /// The configuration in which the violation occurs, or from which the violating move starts.
    pub configuration: u32,
    /// The number of configurations and moves that break the property.
    pub count: u64,
}

/// A path from an initial configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The initial configuration, by its position among those of the model.
    pub start: u32,
    /// The moves from the start, in order.
    pub moves: Vec<MoveId>,
}

/// The result of an exploration: counts, findings, and shortest paths.
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
    pub(crate) findings: Vec<PropertyFinding>,
    pub(crate) graph: Option<ConfigurationGraph>,
    pub(crate) packed_bytes: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) wanted_bytes: u64,
    pub(crate) kept: PackedList,
}

impl Exploration {
    /// The number of distinct configurations that were reached.
    #[must_use]
    pub fn configurations(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len() as u64).sum()
    }

    /// The number of moves, including those to configurations that were already known.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// The maximum distance of a configuration from the nearest start, in moves.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.levels
    }

    /// The reason why the exploration is not complete; `None` if it is.
    #[must_use]
    pub fn truncated(&self) -> Option<Truncated> {
        self.truncated
    }

    /// The number of configurations whose moves were all listed. Of the others it is only known that they are
    /// reachable.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The depth up to which all configurations have been expanded, in moves from the start; `None` if not even
    /// the initial ones have been.
    #[must_use]
    pub fn covered_depth(&self) -> Option<u32> {
        self.complete_levels.checked_sub(1)
    }

    /// The number of moves that break a property. Their targets are not explored, so a property that is reported as
    /// holding may be broken beyond them.
    #[must_use]
    pub fn broken_moves(&self) -> u64 {
        self.broken_moves
    }

    /// The broken properties, one finding each, in the order in which they were found.
    #[must_use]
    pub fn findings(&self) -> &[PropertyFinding] {
        &self.findings
    }

    /// The graph of all moves; `None` if moves were not kept, or the exploration is not complete.
    #[must_use]
    pub fn graph(&self) -> Option<&ConfigurationGraph> {
        self.graph.as_ref()
    }

    /// The mean length of a packed configuration in bytes.
    #[must_use]
    pub fn packed_bytes(&self) -> f64 {
        self.packed_bytes as f64 / (self.configurations() as f64).max(1.0)
    }

    /// The peak memory of the exploration in bytes: digests, origins, frontier, graph and buffers.
    #[must_use]
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// The memory in bytes that the next block would have needed, if the exploration ended for
    /// [memory](Truncated::Memory); otherwise 0.
    #[must_use]
    pub fn wanted_bytes(&self) -> u64 {
        self.wanted_bytes
    }

    /// The configurations that the model asked to [keep](crate::Moves::keep), by number, in no particular
    /// order.
    pub fn kept(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let addresses = self.kept.addresses.iter().enumerate();
        addresses.map(|(at, address)| (self.number(*address), self.kept.packed(at)))
    }

    /// The initial configurations by number, in the order of the model. A configuration that the model lists
    /// twice occurs twice.
    pub fn starts(&self) -> impl Iterator<Item = u32> {
        self.starts.iter().map(|address| self.number(*address))
    }

    /// An upper bound on the probability that two configurations had the same digest, so that one was skipped. It is n²
    /// / 2^129 for n configurations and an ideal digest of 128 bits.
    #[must_use]
    pub fn collision_bound(&self) -> f64 {
        let n = self.configurations() as f64;
        n * n * 2_f64.powi(-129)
    }

    /// A shortest path from an initial configuration to this one.
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

    /// The distance of each configuration from the nearest start, in moves.
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
