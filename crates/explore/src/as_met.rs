//! Configurations in the order in which they are met.

use crate::exploration::Exploration;
use crate::graph::Graph;

/// An exploration, numbered in the order in which a search meets the configurations that takes one after the other, as they
/// came, and its moves in turn. So none is nearer to the start than one before it, and the numbers follow from the moves
/// alone, not from digests.
#[derive(Clone, Debug)]
pub struct AsMet {
    /// All moves.
    pub graph: Graph,
    /// How many different initial configurations there are: they have the first numbers.
    pub starts: u32,
    /// The configurations that the model wanted to be [kept](crate::Moves::keep), in order.
    pub kept: Vec<(u32, Vec<u8>)>,
}

impl AsMet {
    /// Of a complete exploration that kept the graph; `None` of another. Cost: O(configurations + moves); for a moment
    /// there are two graphs.
    #[must_use]
    pub fn of(mut exploration: Exploration) -> Option<Self> {
        let graph = exploration.graph.take()?;
        let mut order = Order { numbers: vec![None; graph.len()], met: Vec::with_capacity(graph.len()) };
        exploration.starts().for_each(|start| order.meet(start));
        let starts = order.met.len() as u32;
        let mut next = 0;
        while let Some(&at) = order.met.get(next) {
            graph.edges(at).iter().for_each(|edge| order.meet(edge.target));
            next += 1;
        }
        let Order { numbers, met } = order;
        let number = |old: u32| numbers[old as usize].expect("every configuration can be reached");
        let mut kept: Vec<(u32, Vec<u8>)> =
            exploration.kept().map(|(old, packed)| (number(old), packed.to_vec())).collect();
        kept.sort_unstable_by_key(|(number, _)| *number);
        drop(exploration);
        Some(Self { graph: graph.renumbered(&met, number), starts, kept })
    }
}

struct Order {
    numbers: Vec<Option<u32>>,
    met: Vec<u32>,
}

impl Order {
    fn meet(&mut self, configuration: u32) {
        let number = &mut self.numbers[configuration as usize];
        if number.is_none() {
            *number = Some(self.met.len() as u32);
            self.met.push(configuration);
        }
    }
}
