//! Sections of the record of a run by messages in rounds, on F2 and F3.

use acrasin_engine::Figures;
use acrasin_report::record::{Figure, Section, SectionName};

use super::figures;

/// Figures of the lock layer at the end.
pub(super) struct RoundFigures {
    pub(super) figures: Figures,
    pub(super) nodes: u32,
    /// The number of edges at the end.
    pub(super) edges: u64,
    pub(super) ports: u16,
    pub(super) priorities: u32,
    /// The bytes of the lock layer and the states.
    pub(super) bytes: u64,
}

impl RoundFigures {
    /// All sections except digests and counts of states. `work` is the section on the work of the agents; `further` are
    /// additional figures of the graph.
    pub(super) fn sections(&self, mut work: Section, further: Vec<Figure>) -> Vec<Section> {
        let Figures {
            rounds,
            activations,
            calls,
            trials,
            grants,
            releases,
            late_rejections,
            messages,
            self_messages,
        } = self.figures;
        work.push(Figure::new("rounds", "rounds of macro activations", rounds));
        work.push(Figure::new("activations", "macro activations", activations));
        let to_neighbours = messages - self_messages;
        let per_lock = |sum: u64| (grants > 0).then(|| sum as f64 / grants as f64);
        let mut locks = Section::of(SectionName::Locks);
        locks.push(Figure::new("completed", "Locks completed", grants));
        locks.push(Figure::new("released", "Unlocks completed", releases));
        // These sums include the cost of Locks in progress so far. Messages are those to neighbours, as on F4.
        locks.push(Figure::new("trials_begun", "trials begun", trials));
        locks.push(Figure::new("trials_ratio", "trials per completed Lock", per_lock(trials)));
        locks.push(Figure::new("messages_ratio", "messages per completed Lock", per_lock(to_neighbours)));
        locks.push(Figure::new("late_rejections", "late rejections", late_rejections));
        locks.push(Figure::new("waiting", "nodes still waiting", calls - grants));
        let mut sent = Section::of(SectionName::Messages);
        sent.push(Figure::new("to_neighbours", "to neighbours", to_neighbours));
        sent.push(Figure::new("to_self", "of nodes to themselves", self_messages));
        let mut graph = Section::of(SectionName::Topology);
        graph.push(Figure::new("nodes", "nodes", u64::from(self.nodes)));
        graph.push(Figure::new("edges", "edges at the end", self.edges));
        graph.push(Figure::new("ports", "ports of a node", u64::from(self.ports)));
        graph.push(Figure::new("priorities", "priorities", u64::from(self.priorities)));
        for figure in further {
            graph.push(figure);
        }
        vec![work, locks, sent, graph, figures::memory("lock layer and states", self.bytes, self.nodes)]
    }
}
