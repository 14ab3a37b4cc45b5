//! [`AsMet`]: an exploration with configurations numbered in the order in which a simple search finds them.

use crate::exploration::Exploration;
use crate::graph::ConfigurationGraph;

/// An exploration whose configurations are renumbered in the order in which a plain breadth-first search finds them.
/// This search expands one configuration after the other and follows its moves in order. So depth never decreases with
/// the number, and numbers depend on the moves alone, not on digests.
#[derive(Clone, Debug)]
pub struct AsMet {
    /// All moves between the configurations, by their new numbers.
    pub graph: ConfigurationGraph,
    /// The number of distinct initial configurations, which have the first numbers.
    pub starts: u32,
    /// The configurations that the model asked to [keep](crate::Moves::keep), in order.
    pub kept: Vec<(u32, Vec<u8>)>,
}

impl AsMet {
    /// Renumbers a complete exploration that kept its graph; `None` for other explorations. Cost:
    /// O(configurations + moves) time, and memory for two graphs.
    #[must_use]
    pub fn of(mut exploration: Exploration) -> Option<Self> {
        let graph = exploration.graph.take()?;
        let mut order =
            MeetingOrder { numbers: vec![None; graph.len()], met: Vec::with_capacity(graph.len()) };
        exploration.starts().for_each(|start| order.meet(start));
        let starts = order.met.len() as u32;
        let mut next = 0;
        while let Some(&at) = order.met.get(next) {
            graph.edges(at).iter().for_each(|edge| order.meet(edge.target));
            next += 1;
        }
        let MeetingOrder { numbers, met } = order;
        let number = |old: u32| numbers[old as usize].expect("every configuration can be reached");
        let mut kept: Vec<(u32, Vec<u8>)> =
            exploration.kept().map(|(old, packed)| (number(old), packed.to_vec())).collect();
        kept.sort_unstable_by_key(|(number, _)| *number);
        drop(exploration);
        Some(Self { graph: graph.renumbered(&met, number), starts, kept })
    }
}

struct MeetingOrder {
    numbers: Vec<Option<u32>>,
    met: Vec<u32>,
}

impl MeetingOrder {
    fn meet(&mut self, configuration: u32) {
        let number = &mut self.numbers[configuration as usize];
        if number.is_none() {
            *number = Some(self.met.len() as u32);
            self.met.push(configuration);
        }
    }
}
