//! Which actions were executed in which situations: actions times topology events.

use std::fmt;
use std::hash::Hasher;

use acrasin_runtime::exclusion::local::{Action, Memory, State};
use acrasin_runtime::{NodeId, Port, Topology};

/// What has happened to the graph around a node when it executes an action. An execution may count in several columns.
///
/// "Since its last action" is since the start of the node's last action execution, or since the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Column {
    /// No edge of the node appeared or vanished since its last action.
    Calm = 0,
    /// The detector had something to report: D ≠ {} at the start of the action.
    Unread = 1,
    /// A port in D carried an edge again at the start of the action: it was reused before anybody read the report.
    Reused = 2,
    /// A disconnection since its last action lost a message in transit to the node or from it.
    Lost = 3,
    /// A disconnection since its last action discarded a message of the node that had not left yet.
    Discarded = 4,
    /// An edge of the node appeared since its last action.
    Appeared = 5,
    /// The node has a Lock or Unlock outstanding or holds its lock set, and a port of its L is in D.
    MemberLeft = 6,
    /// The message received came by a port in D: over an edge that took the port before anybody read the report.
    ViaReused = 7,
}

impl Column {
    /// All columns, in order.
    pub const ALL: [Self; 8] = [
        Self::Calm,
        Self::Unread,
        Self::Reused,
        Self::Lost,
        Self::Discarded,
        Self::Appeared,
        Self::MemberLeft,
        Self::ViaReused,
    ];

    /// The head of the column.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Unread => "D unread",
            Self::Reused => "D reused",
            Self::Lost => "lost",
            Self::Discarded => "discarded",
            Self::Appeared => "appeared",
            Self::MemberLeft => "left L",
            Self::ViaReused => "via D",
        }
    }

    /// What the head of the column stands for, in words that follow "an action of a node".
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Calm => "no edge of the node has changed since its last action",
            Self::Unread => "D is not empty",
            Self::Reused => "a port in D carries an edge again",
            Self::Lost => {
                "a disconnection since its last action lost a message in transit to or from the node"
            }
            Self::Discarded => {
                "a disconnection since its last action discarded a message that had not left the node"
            }
            Self::Appeared => "an edge of the node has appeared since its last action",
            Self::MemberLeft => "during a Lock, a lock set held or an Unlock, a port of L is in D",
            Self::ViaReused => "the message received came by a port in D",
        }
    }

    /// Why `action` is never executed in this situation; `None` if it can be.
    #[must_use]
    pub fn impossible(self, action: Action) -> Option<&'static str> {
        match (self, action) {
            (Self::Calm, Action::CleanUp) => Some("CleanUp is enabled by D ≠ {} only"),
            (Self::ViaReused, Action::ReceivePrepare) => None,
            (Self::ViaReused, action) if Action::CHECKS.contains(&action) => Some("it receives no message"),
            (Self::ViaReused, Action::InitLock | Action::InitUnlock) => Some("it receives no message"),
            (Self::ViaReused, _) => Some("only prepare can arrive by a port in D"),
            _ => None,
        }
    }
}

/// How often each action was executed in each situation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    cells: [[u64; Column::ALL.len()]; Action::ALL.len()],
}

impl Default for Coverage {
    fn default() -> Self {
        Self { cells: [[0; Column::ALL.len()]; Action::ALL.len()] }
    }
}

impl Coverage {
    /// How often.
    #[must_use]
    pub fn count(&self, action: Action, column: Column) -> u64 {
        self.cells[row(action)][column as usize]
    }

    /// The cells that are possible, and empty.
    pub fn empty(&self) -> impl Iterator<Item = (Action, Column)> + '_ {
        cells().filter(|&(action, column)| {
            column.impossible(action).is_none() && self.count(action, column) == 0
        })
    }

    /// The cells that are impossible under the repaired rules, and not empty.
    pub fn impossible(&self) -> impl Iterator<Item = (Action, Column)> + '_ {
        cells()
            .filter(|&(action, column)| column.impossible(action).is_some() && self.count(action, column) > 0)
    }

    /// Adds the counts of other runs.
    pub fn add(&mut self, other: &Self) {
        for (sum, addend) in self.cells.as_flattened_mut().iter_mut().zip(other.cells.as_flattened()) {
            *sum += addend;
        }
    }

    pub(super) fn digest_into(&self, hasher: &mut impl Hasher) {
        for &count in self.cells.as_flattened() {
            hasher.write_u64(count);
        }
    }
}

fn row(action: Action) -> usize {
    action as usize
}

fn cells() -> impl Iterator<Item = (Action, Column)> {
    Action::ALL.into_iter().flat_map(|action| Column::ALL.map(|column| (action, column)))
}

/// A text table; `-` where a cell is impossible.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<17}", "action")?;
        for column in Column::ALL {
            write!(f, "{:>10}", column.name())?;
        }
        for action in Action::ALL {
            write!(f, "\n{:<17}", action.name())?;
            for column in Column::ALL {
                match (column.impossible(action), self.count(action, column)) {
                    (Some(_), 0) => write!(f, "{:>10}", "-")?,
                    (_, count) => write!(f, "{count:>10}")?,
                }
            }
        }
        writeln!(f)
    }
}

/// What has happened around a node since its last action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) lost: bool,
    pub(super) discarded: bool,
    pub(super) appeared: bool,
}

/// The columns that an action execution counts in, as bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation(u8);

impl Situation {
    /// What an action of `node` meets that has received a message by `port`, if any.
    #[inline]
    pub(super) fn of(
        node: NodeId,
        port: Option<Port>,
        topology: &Topology,
        memory: &Memory,
        mark: Mark,
    ) -> Self {
        let detector = topology.detector(node);
        if detector.is_empty() {
            return Self(1 << if mark.appeared { Column::Appeared as u8 } else { Column::Calm as u8 });
        }
        let reused = || detector.iter().any(|port| topology.link(node, port).is_some());
        let member_left = || detector.iter().any(|port| memory.lock_set.contains(port));
        let columns = [
            (Column::Unread, true),
            (Column::Reused, reused()),
            // These two need a disconnection of this node, so D is not empty.
            (Column::Lost, mark.lost),
            (Column::Discarded, mark.discarded),
            (Column::Appeared, mark.appeared),
            (Column::MemberLeft, memory.state != State::Idle && member_left()),
            (Column::ViaReused, port.is_some_and(|port| detector.contains(port))),
        ];
        Self(columns.into_iter().fold(0, |bits, (column, holds)| bits | u8::from(holds) << column as u8))
    }
}

impl Coverage {
    #[inline]
    pub(super) fn executed(&mut self, action: Action, situation: Situation) {
        let row = &mut self.cells[row(action)];
        let mut bits = situation.0;
        while bits != 0 {
            row[bits.trailing_zeros() as usize] += 1;
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_numbered_in_order() {
        for (number, action) in Action::ALL.into_iter().enumerate() {
            assert_eq!(row(action), number);
        }
        for (number, column) in Column::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, number);
        }
    }

    #[test]
    fn a_table_has_sixteen_impossible_cells() {
        let coverage = Coverage::default();
        assert_eq!(coverage.empty().count(), 16 * 8 - 16);
        assert_eq!(coverage.to_string().matches(" -").count(), 16);
        assert_eq!(coverage.impossible().count(), 0);
    }

    #[test]
    fn a_reused_port_is_seen() {
        let mut topology = Topology::from_edges(3, 1, &[(0, 1)]).unwrap();
        topology.disconnect(NodeId(0), Port(1)).unwrap();
        topology.connect(NodeId(0), Port(1), NodeId(2), Port(1)).unwrap();
        let memory = Memory::default();
        let mut coverage = Coverage::default();
        let mark = Mark { lost: true, discarded: false, appeared: true };
        let action = Action::ReceivePrepare;
        coverage.executed(action, Situation::of(NodeId(0), Some(Port(1)), &topology, &memory, mark));
        let hit: Vec<Column> =
            Column::ALL.into_iter().filter(|&column| coverage.count(action, column) == 1).collect();
        assert_eq!(hit, [Column::Unread, Column::Reused, Column::Lost, Column::Appeared, Column::ViaReused]);
    }
}
