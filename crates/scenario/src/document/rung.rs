//! The level of detail at which the lock algorithm is executed: `rung: …`.

use serde::{Deserialize, Serialize};

/// A rung of the fidelity ladder of [`acrasin_engine`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub enum RungSetting {
    /// Uniformly random pairs, without locks.
    F0,
    /// Critical sections of disjoint closed neighbourhoods, without messages.
    F1,
    /// Every message, on tori, in the same rounds as F3, computed for 512 nodes at a time.
    F2,
    /// Every message, in rounds of macro activations: a node receives all messages that it can, then runs its checks.
    F3,
    /// Every message and every action, one after another.
    #[default]
    F4,
}

impl From<RungSetting> for acrasin_engine::Rung {
    fn from(rung: RungSetting) -> Self {
        match rung {
            RungSetting::F0 => Self::F0,
            RungSetting::F1 => Self::F1,
            RungSetting::F2 => Self::F2,
            RungSetting::F3 => Self::F3,
            RungSetting::F4 => Self::F4,
        }
    }
}
