//! Contacts as changes of the graph, round by round.

use acrasin_graphs::{ContactTrace, NodeLabels};
use acrasin_runtime::NodeId;
use acrasin_runtime::topology::dynamics::{Change, Timetable, edge};

/// A recorded or generated trace as changes of the graph.
#[derive(Clone, Debug)]
pub(super) struct PreparedTrace {
    pub(super) nodes: u32,
    /// The names of the nodes in the file, if it has names.
    pub(super) labels: Option<NodeLabels>,
    /// The maximum number of neighbours of a node at one time.
    pub(super) degree_max: u32,
    /// The maximum number of edges at one time.
    pub(super) edges_max: u64,
    pub(super) steps: u64,
    /// The number of records: contact lines of two different nodes in the file, or, for `Mobility`, pairs in range,
    /// counted once per sample.
    pub(super) records: u64,
    /// The number of times that a pair becomes adjacent.
    pub(super) begins: u64,
    /// The number of distinct pairs.
    pub(super) pairs: u64,
    /// Seconds per step.
    pub(super) resolution: u32,
    /// The round in which the trace ends.
    pub(super) end: u64,
    changes: Vec<(u64, Change)>,
}

impl PreparedTrace {
    /// Converts a trace; each of its steps lasts `rounds_per_step` rounds. `None` if the number of rounds does not fit
    /// in 63 bits.
    ///
    /// Step k, from 1, begins after (k - 1) · `rounds_per_step` complete rounds.
    pub(super) fn new(trace: &ContactTrace, rounds_per_step: u64) -> Option<Self> {
        let schedule = trace.schedule();
        let end = schedule.steps().checked_mul(rounds_per_step).filter(|&end| end <= i64::MAX as u64)?;
        let mut degrees = vec![0_u32; trace.nodes() as usize];
        let (mut degree_max, mut edges, mut edges_max) = (0, 0_u64, 0);
        let mut changes = Vec::with_capacity(2 * schedule.begins());
        for at in schedule.iter() {
            let round = (at.step - 1) * rounds_per_step;
            for &(a, b) in at.ends {
                changes.push((round, Change::Disconnect(edge(NodeId(a), NodeId(b)))));
                for node in [a, b] {
                    degrees[node as usize] -= 1;
                }
                edges -= 1;
            }
            for &(a, b) in at.begins {
                changes.push((round, Change::Connect(edge(NodeId(a), NodeId(b)))));
                for node in [a, b] {
                    let degree = &mut degrees[node as usize];
                    *degree += 1;
                    degree_max = degree_max.max(*degree);
                }
                edges += 1;
            }
            edges_max = edges_max.max(edges);
        }
        Some(Self {
            nodes: trace.nodes(),
            labels: trace.labels().cloned(),
            degree_max,
            edges_max,
            steps: schedule.steps(),
            records: trace.records(),
            begins: schedule.begins() as u64,
            pairs: trace.pairs() as u64,
            resolution: trace.resolution().get(),
            end,
            changes,
        })
    }

    pub(super) fn timetable(&self) -> Timetable {
        Timetable::new(self.changes.clone(), self.end)
    }

    /// The changes in the order of rounds: the round, two ends, and whether the edge appears.
    pub(super) fn edges(&self) -> impl Iterator<Item = (u64, [u32; 2], bool)> + '_ {
        self.changes.iter().map(|&(round, change)| {
            let (edge, begins) = match change {
                Change::Connect(edge) => (edge, true),
                Change::Disconnect(edge) => (edge, false),
            };
            (round, [edge.a.0, edge.b.0], begins)
        })
    }

    pub(super) fn change_count(&self) -> usize {
        self.changes.len()
    }
}
