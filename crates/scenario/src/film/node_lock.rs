//! The position of a node in its Lock, as films show it.

use acrasin_report::film::{ColumnKind, NodeColumn, NodeValue};
use acrasin_runtime::exclusion::Status;

/// The position of a node in its own Lock or in that of another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum LockPosition {
    #[default]
    Idle,
    Competing,
    Holding,
    /// Locked by another node.
    Held,
    Releasing,
}

impl LockPosition {
    /// The names of the classes, in order.
    pub(crate) const NAMES: [&str; 5] = ["idle", "competing", "holding", "held", "releasing"];

    /// The value of the column `lock`.
    pub(crate) fn value(self) -> NodeValue {
        NodeValue::Class(self as u32)
    }
}

impl From<Status> for LockPosition {
    fn from(own: Status) -> Self {
        match own {
            Status::Idle => Self::Idle,
            Status::Waiting => Self::Competing,
            Status::Holding => Self::Holding,
            Status::Releasing => Self::Releasing,
        }
    }
}

/// A node's own Lock, and the node that holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct NodeLock {
    pub(crate) lock: LockPosition,
    pub(crate) holder: Option<u32>,
}

impl NodeLock {
    /// The columns `lock` and `holder`.
    pub(crate) fn columns() -> [NodeColumn; 2] {
        [
            NodeColumn::class("lock", "Lock/Unlock", LockPosition::NAMES.map(str::to_owned)),
            NodeColumn::new("holder", "held by", ColumnKind::Node),
        ]
    }

    /// Appends the values of the two columns for a node.
    pub(crate) fn look(self, into: &mut Vec<NodeValue>) {
        into.extend([self.lock.value(), NodeValue::Node(self.holder)]);
    }

    /// The position of a node whose own Lock is `own` and that is locked for `holder`.
    pub(crate) fn of(own: LockPosition, holder: Option<u32>, node: u32) -> Self {
        let is_held = holder.is_some_and(|holder| holder != node);
        Self { lock: if own == LockPosition::Idle && is_held { LockPosition::Held } else { own }, holder }
    }
}
