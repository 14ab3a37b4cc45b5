//! The pairs that can interact.

use std::hash::{Hash, Hasher};

use super::super::draws::RandomDraws;
use super::super::error::SizeError;
use super::super::saved::{SavedError, SavedReader, Writer};
use super::alias::AliasTable;
use super::contact::Present;

/// An edge with its weight. If edges have directions, the first end is the initiator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arc {
    /// The two agents that the edge joins.
    pub ends: [u32; 2],
    /// The weight, to which the probability of being chosen is proportional; 0 means never.
    pub weight: u64,
}

/// The end of an edge that is the initiator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InitiatorEnd {
    /// Either end, each with probability 1/2.
    Either,
    /// Always the first end.
    FirstInitiates,
}

/// The pairs that can interact. Before the first interaction, the hash of this value identifies the plan.
#[derive(Clone, Debug)]
pub(super) enum Meeting {
    /// All pairs of present agents.
    All,
    /// The ends of an edge.
    Edges(MeetingEdges),
    /// The ends of a present edge.
    Contacts(Box<Present>),
}

impl Hash for Meeting {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match self {
            Self::All => hasher.write_u8(0),
            Self::Edges(edges) => (1_u8, &edges.arcs, edges.direction).hash(hasher),
            Self::Contacts(present) => (2_u8, present.plan()).hash(hasher),
        }
    }
}

/// Edges, including those that lead to an absent agent.
#[derive(Clone, Debug)]
pub(super) struct MeetingEdges {
    arcs: Vec<Arc>,
    direction: InitiatorEnd,
    /// The table for drawing edges by weight; `None` if all weights are equal.
    alias: Option<AliasTable>,
    /// The number of draws of edges to absent agents since such edges were last removed.
    rejected: u64,
}

impl MeetingEdges {
    pub(super) fn new(mut arcs: Vec<Arc>, direction: InitiatorEnd, agents: usize) -> Result<Self, SizeError> {
        let is_sound = |arc: &Arc| {
            let [u, v] = arc.ends;
            u != v && (u as usize) < agents && (v as usize) < agents
        };
        let total = arcs.iter().map(|arc| u128::from(arc.weight)).sum::<u128>();
        if !arcs.iter().all(is_sound) || !(1..=1 << 63).contains(&total) {
            return Err(SizeError::WrongEdges);
        }
        arcs.retain(|arc| arc.weight > 0);
        let mut edges = Self { arcs, direction, alias: None, rejected: 0 };
        edges.weigh();
        Ok(edges)
    }

    fn weigh(&mut self) {
        let is_even = self.arcs.windows(2).all(|pair| pair[0].weight == pair[1].weight);
        let weights = || self.arcs.iter().map(|arc| arc.weight).collect::<Vec<_>>();
        self.alias = (!is_even).then(|| AliasTable::new(&weights()));
    }

    pub(super) fn save(&self, writer: &mut Writer) {
        writer.pairs(self.arcs.iter().map(|arc| arc.ends));
        // Equal weights do not matter.
        writer.byte(self.alias.is_some().into());
        if self.alias.is_some() {
            writer.numbers(&self.arcs.iter().map(|arc| arc.weight).collect::<Vec<_>>());
        }
        writer.number(self.rejected);
    }

    /// Reads saved edges between `agents` agents, with the same choice of initiators as this value.
    pub(super) fn restored(&self, reader: &mut SavedReader<'_>, agents: usize) -> Result<Self, SavedError> {
        let ends = reader.pairs(agents as u64)?;
        let weights = if reader.flag()? { reader.numbers()? } else { vec![1; ends.len()] };
        let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let is_weighted = weights.len() == ends.len() && total <= 1 << 63 && !weights.contains(&0);
        SavedError::unless(is_weighted, "weights")?;
        let arcs = ends.into_iter().zip(weights).map(|(ends, weight)| Arc { ends, weight }).collect();
        let rejected = reader.counter()?;
        let mut edges = Self { arcs, direction: self.direction, alias: None, rejected };
        edges.weigh();
        Ok(edges)
    }

    pub(super) fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    pub(super) fn direction(&self) -> InitiatorEnd {
        self.direction
    }

    /// Draws the ends of an edge between present agents, the initiator first; `None` if no edge has two present ends.
    #[inline]
    pub(super) fn draw(&mut self, is_there: &[bool], draws: &mut RandomDraws) -> Option<[u32; 2]> {
        loop {
            if self.rejected > self.arcs.len() as u64 {
                self.arcs.retain(|arc| arc.ends.iter().all(|&end| is_there[end as usize]));
                self.rejected = 0;
                self.weigh();
            }
            if self.arcs.is_empty() {
                return None;
            }
            let place = match &self.alias {
                Some(alias) => alias.draw(draws),
                None => draws.below(self.arcs.len() as u64) as usize,
            };
            let [u, v] = self.arcs[place].ends;
            if !is_there[u as usize] || !is_there[v as usize] {
                self.rejected += 1;
                continue;
            }
            let turned = self.direction == InitiatorEnd::Either && draws.below(2) == 1;
            return Some(if turned { [v, u] } else { [u, v] });
        }
    }
}
