//! Estimates of the memory of a run, made before anything is allocated.

use acrasin_catalogue::counted;
use acrasin_engine::Rung;
use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::world::Envelope;

use crate::{Document, DocumentError};

/// The quantities that the memory of a run depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunSize {
    pub(crate) nodes: u128,
    /// The maximum number of edges at one time.
    pub(crate) edges: u128,
    /// The number Δ of ports, or an upper bound if it is not known yet.
    pub(crate) ports: u128,
    /// Bytes of a node's state.
    pub(crate) state: u128,
    /// Changes of the graph stored in a timetable.
    pub(crate) changes: u128,
}

/// Bytes of a node on F4 without its memory: ports and detector of the graph, headers of message lists, marks of the
/// scheduler, monitor and observers.
const NODE_BYTES: u128 = 256;
/// Bytes of a used port, and of the corresponding end of an edge in the list from which the graph is built.
const SLOT_BYTES: u128 = 48;
/// The growth factor of message lists, which grow by doubling.
const GROWTH: u128 = 2;
/// The number of sets of ports in a node's memory. With more than 64 ports they need separate storage.
const PORT_SETS: u128 = 8;
/// Bytes of a node on F1, F2 and F3. They cover two copies of its word or registers (including those of its edges) and
/// of its state. They also cover its offsets in two port tables, and its entry in each thread's batch.
const WORD_NODE_BYTES: u128 = 160;
/// Bytes of one end of an edge on F1, F2 and F3. An end is in the list of edges, in the graph that the port table is
/// built from, and in that table.
const WORD_SLOT_BYTES: u128 = 32;
/// Bytes of an agent of uniform pairs: its state in the array and at the start, its degree.
const PAIR_NODE_BYTES: u128 = 16;
/// Bytes of an edge of uniform pairs: in the graph, in the array, and once more during the transfer between them.
const PAIR_EDGE_BYTES: u128 = 32;
/// Bytes of an entry of a timetable and of the contact it was made from.
const CHANGE_BYTES: u128 = 64;

impl RunSize {
    /// An upper bound on the bytes of a run. On F4 the estimate assumes that every node locks at the same time: two
    /// messages per edge and direction, one priority per neighbour. On F3 the words contain all of this. For a changing
    /// graph, every port is assumed to be in use.
    pub(crate) fn bytes(&self, rung: Rung) -> u128 {
        if rung == Rung::F0 {
            let nodes = self.nodes.saturating_mul(PAIR_NODE_BYTES);
            return nodes.saturating_add(self.edges.saturating_mul(PAIR_EDGE_BYTES));
        }
        if matches!(rung, Rung::F1 | Rung::F2 | Rung::F3) {
            let room = if self.changes > 0 { self.nodes.saturating_mul(self.ports) } else { 0 };
            let ends = self.edges.saturating_mul(2).max(room);
            return self
                .nodes
                .saturating_mul(WORD_NODE_BYTES)
                .saturating_add(ends.saturating_mul(WORD_SLOT_BYTES))
                .saturating_add(self.changes.saturating_mul(CHANGE_BYTES));
        }
        let message = size_of::<Envelope<Message>>() as u128;
        let memory = size_of::<Memory>() as u128;
        let ends = self.edges.saturating_mul(2);
        let wide = if self.ports > 64 { PORT_SETS * self.ports.div_ceil(64) * 8 } else { 0 };
        // In addition to its neighbours' messages a node has up to three of its own.
        let messages = (ends + self.nodes * 4).saturating_mul(message * GROWTH);
        let node = NODE_BYTES + memory + wide + self.state;
        let priorities = ends.saturating_mul(8 * GROWTH);
        self.nodes
            .saturating_mul(node)
            .saturating_add(ends.saturating_mul(SLOT_BYTES))
            .saturating_add(messages)
            .saturating_add(priorities)
            .saturating_add(self.changes.saturating_mul(CHANGE_BYTES))
    }

    /// Refuses a run that takes more bytes than allowed.
    pub(crate) fn check(&self, document: &Document, room: RunMemory) -> Result<(), DocumentError> {
        let RunMemory { bytes: most, rung } = room;
        let bytes = self.bytes(rung);
        if bytes <= u128::from(most) {
            return Ok(());
        }
        let message = format!(
            "{} and about {} need about {} of memory",
            counted(self.nodes, "node"),
            counted(self.edges, "edge"),
            readable(bytes)
        );
        Err(document.error("topology", message).accepting(format!(
            "a graph that needs at most {} (about {} per node here)",
            readable(u128::from(most)),
            readable(bytes / self.nodes.max(1))
        )))
    }
}

/// The bytes that a run may take, and the rung that executes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunMemory {
    pub(crate) bytes: u64,
    pub(crate) rung: Rung,
}

/// Bytes of a world of this size whose nodes only lock.
pub(crate) fn world_bytes(nodes: u128, edges: u128) -> u128 {
    RunSize { nodes, edges, ports: 1, state: 0, changes: 0 }.bytes(Rung::F4)
}

/// Formats a number of bytes in the largest binary unit in which it is at least 8.
#[must_use]
pub fn readable(bytes: u128) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let unit = (0..units.len()).rev().find(|&unit| bytes >> (10 * unit) >= 8).unwrap_or(0);
    format!("{} {}", bytes >> (10 * unit), units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MEMORY_BYTES;

    #[test]
    fn exactly_the_limit_and_one_node_more() {
        let document =
            Document::parse("(topology: Ring(nodes: 9), scheduler: Sequential, work: Idle)", "m.ron");
        let document = document.unwrap();
        let lonely = |nodes| RunSize { nodes, edges: 0, ports: 1, state: 8, changes: 0 };
        let most = u128::from(MEMORY_BYTES) / lonely(1).bytes(Rung::F4);
        let room = RunMemory { bytes: MEMORY_BYTES, rung: Rung::F4 };
        assert!(lonely(most).check(&document, room).is_ok());
        let error = lonely(most + 1).check(&document, room).unwrap_err();
        assert_eq!((error.line(), error.accepted().is_some()), (Some(1), true), "{error}");
        assert!(error.message().contains("need about 16 GiB of memory"), "{error}");
    }

    #[test]
    fn the_estimate_does_not_overflow() {
        let most = 10_u128.pow(36);
        let huge = RunSize { nodes: most, edges: most, ports: most, state: 8, changes: most };
        for rung in Rung::ALL {
            assert!(huge.bytes(rung) > most, "{rung}");
        }
    }

    #[test]
    fn words_take_less_than_the_reference_and_no_less_than_they_take() {
        let torus = RunSize { nodes: 1_000_000, edges: 2_000_000, ports: 4, state: 8, changes: 0 };
        for rung in [Rung::F1, Rung::F2, Rung::F3] {
            let bytes = torus.bytes(rung);
            assert!(bytes < torus.bytes(Rung::F4) / 2, "{rung}: {bytes}");
            // Edges twice, the graph with its blocks and degrees, the port table, two words and two states.
            assert!(bytes > 1_000_000 * (2 * 16 + 4 * 16 + 12 + 4 * 4 + 2 * 4 + 2 * 2), "{rung}: {bytes}");
        }
        // For a changing graph, all ports of every node are assumed to be in use.
        let meetings = RunSize { nodes: 1000, edges: 10, ports: 500, state: 8, changes: 100 };
        assert!(meetings.bytes(Rung::F3) > 1000 * 500 * 6);
    }

    #[test]
    fn bytes_are_readable() {
        let texts = [0, 8191, 8192, 16 << 30].map(readable);
        assert_eq!(texts, ["0 bytes", "8191 bytes", "8 KiB", "16 GiB"]);
    }
}
