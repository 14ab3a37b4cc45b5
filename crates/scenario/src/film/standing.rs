//! The position of a node in its Lock, as films show it.

use acrasin_report::film::{Column, Kind, Value};
use acrasin_runtime::exclusion::Status;

/// The position of a node in its own Lock or in that of another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Lock {
    #[default]
    Idle,
    Competing,
    Holding,
    /// Locked by another node.
    Held,
    Releasing,
}

impl Lock {
    /// The names of the classes, in order.
    pub(crate) const NAMES: [&str; 5] = ["idle", "competing", "holding", "held", "releasing"];

    /// The class.
    pub(crate) fn value(self) -> Value {
        Value::Class(self as u32)
    }
}

impl From<Status> for Lock {
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
pub(crate) struct Standing {
    pub(crate) lock: Lock,
    pub(crate) holder: Option<u32>,
}

impl Standing {
    /// The columns `lock` and `holder`.
    pub(crate) fn columns() -> [Column; 2] {
        [
            Column::class("lock", "Lock/Unlock", Lock::NAMES.map(str::to_owned)),
            Column::new("holder", "held by", Kind::Node),
        ]
    }

    /// Appends the values of the two columns for a node.
    pub(crate) fn look(self, into: &mut Vec<Value>) {
        into.extend([self.lock.value(), Value::Node(self.holder)]);
    }

    /// The position of a node whose own Lock is `own` and that is locked for `holder`.
    pub(crate) fn of(own: Lock, holder: Option<u32>, node: u32) -> Self {
        let is_held = holder.is_some_and(|holder| holder != node);
        Self { lock: if own == Lock::Idle && is_held { Lock::Held } else { own }, holder }
    }
}
