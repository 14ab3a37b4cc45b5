//! [`ConfigurationGraph`]: all moves between the configurations that were reached.

use crate::model::{Duty, MoveId};

/// The configuration graph. Its nodes are configurations, numbered in the order in which they were stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConfigurationGraph {
    pub(crate) labels: Vec<u32>,
    /// The end of each configuration's moves; they start at the end of the previous configuration's moves.
    pub(crate) ends: Vec<u64>,
    pub(crate) moves: Vec<MoveEdge>,
    /// The duties by number. With numbers a move takes 12 bytes instead of 16. Number 0 means no duty.
    pub(crate) duties: Vec<Duty>,
}

/// The step of a [`MoveEdge`] that is not a move, but a duty that is due and cannot be done. The target is the
/// configuration itself.
pub(crate) const WAITING: u16 = u16::MAX;

/// A move: target, step, outcome, number of the duty that it does, and weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveEdge {
    pub(crate) target: u32,
    pub(crate) step: u16,
    pub(crate) outcome: u16,
    pub(crate) duty: u16,
    pub(crate) weight: u16,
}

impl ConfigurationGraph {
    /// The number of configurations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no configuration.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The label that the model gave to a configuration.
    ///
    /// # Panics
    ///
    /// Panics if there is no such configuration.
    #[inline]
    #[must_use]
    pub fn label(&self, configuration: u32) -> u32 {
        self.labels[configuration as usize]
    }

    #[inline]
    pub(crate) fn edges(&self, configuration: u32) -> &[MoveEdge] {
        let index = configuration as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.moves[start as usize..self.ends[index] as usize]
    }

    /// The moves of a configuration in the model's order: the move, the duty that it does, and the target.
    ///
    /// # Panics
    ///
    /// Panics if there is no such configuration.
    pub fn moves(&self, configuration: u32) -> impl Iterator<Item = (MoveId, Duty, u32)> + '_ {
        self.edges(configuration).iter().filter(|edge| edge.step != WAITING).map(|edge| {
            let id = MoveId { step: edge.step, outcome: edge.outcome };
            (id, self.duties[usize::from(edge.duty)], edge.target)
        })
    }

    /// The number of moves. Cost: O(moves).
    #[must_use]
    pub fn move_count(&self) -> u64 {
        self.moves.iter().filter(|edge| edge.step != WAITING).count() as u64
    }

    /// Builds a graph from lists: `moves[i]` are the moves of configuration `i`. A move with step `u16::MAX` to its own
    /// configuration is a duty that is due and cannot be done. For tests, and for graphs that do not come from an
    /// exploration.
    ///
    /// # Panics
    ///
    /// Panics unless there is one label per configuration, and if there are more than 65 535 duties.
    #[must_use]
    pub fn from_moves(labels: Vec<u32>, moves: &[Vec<(MoveId, Duty, u32)>]) -> Self {
        assert_eq!(labels.len(), moves.len(), "one label a configuration");
        let mut graph = Self { labels, duties: vec![Duty::NONE], ..Self::default() };
        for list in moves {
            for &(id, duty, target) in list {
                let duty = graph.duty_number(duty);
                graph.moves.push(MoveEdge { target, step: id.step, outcome: id.outcome, duty, weight: 0 });
            }
            graph.ends.push(graph.moves.len() as u64);
        }
        graph
    }

    /// The number of a duty; a new duty gets the next number.
    pub(crate) fn duty_number(&mut self, duty: Duty) -> u16 {
        // There are some dozens of duties, so a linear search is as fast as a table.
        let found = self.duties.iter().position(|&known| known == duty).unwrap_or_else(|| {
            self.duties.push(duty);
            self.duties.len() - 1
        });
        u16::try_from(found).expect("at most 65 535 duties")
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.labels.capacity() * size_of::<u32>()
            + self.ends.capacity() * size_of::<u64>()
            + self.moves.capacity() * size_of::<MoveEdge>()) as u64
    }
}
