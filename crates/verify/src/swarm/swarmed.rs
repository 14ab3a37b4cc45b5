//! [`Swarmed`]: an algorithm that swarm runs can run.

use acrasin_runtime::exclusion::local::{Action, Local};
use acrasin_runtime::exclusion::tree_token::TreeToken;
use acrasin_runtime::exclusion::{Altered, Exclusion};

use super::column::Column;
use crate::properties::Checked;
use crate::words::Spelling;

/// An algorithm that swarm runs can run: it says how its steps are written, and what is to be checked.
pub trait Swarmed: Spelling + Checked + Clone + Send + Sync + 'static {
    /// Why an action is never executed in a situation under the right rules; `None` if it can be, or nothing is known.
    #[must_use]
    fn impossible(_action: Self::Action, _column: Column) -> Option<&'static str> {
        None
    }
}

impl Swarmed for Local {
    fn impossible(action: Action, column: Column) -> Option<&'static str> {
        match (column, action) {
            (Column::Calm, Action::CleanUp) => Some("CleanUp is enabled by D ≠ {} only"),
            (Column::ViaReused, Action::ReceivePrepare) => None,
            (Column::ViaReused, Action::InitLock | Action::InitUnlock) => Some("it receives no message"),
            (Column::ViaReused, action) if Action::CHECKS.contains(&action) => Some("it receives no message"),
            (Column::ViaReused, _) => Some("only prepare can arrive by a port in D"),
            _ => None,
        }
    }
}

impl Swarmed for TreeToken {}

/// What is impossible is so under the right rules.
impl<E, A, P> Swarmed for Altered<E, A, P>
where
    E: Swarmed,
    A: Clone + Send + Sync + 'static,
    P: 'static,
    Self: Exclusion<Memory = E::Memory, Message = E::Message, Action = E::Action, Note = E::Note>,
{
    fn impossible(action: E::Action, column: Column) -> Option<&'static str> {
        E::impossible(action, column)
    }
}
