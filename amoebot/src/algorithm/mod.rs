//! Amoebot algorithms, written as `label : guard -> operations`.
//!
//! | module | contents |
//! |---|---|
//! | `action` | the trait, evaluation of guards, errors that abort an action |
//! | `view`, `effects` | the view of an amoebot; the effects of its action |
//! | `convention` | requirements of the concurrency framework |
//! | [`crash`] | amoebots of any algorithm that stop acting |
//! | [`memory`] | public and private memory |
//! | `projection` | the view of a wrapped algorithm on its part of the memories |
//! | [`description`] | the start, the goal and the names of states of an algorithm, typed and type-erased |
//! | [`erased`] | type-erased algorithms |
//! | [`synchronous`] | algorithms of other models in synchronous rounds |

mod action;
mod convention;
pub mod crash;
pub mod description;
mod effects;
pub mod erased;
pub mod memory;
mod projection;
pub mod synchronous;
mod view;

pub(crate) use action::packed_memory;
pub use action::{ActionError, ActionOrder, Algorithm, FailedAction, Looks, enabled_actions};
pub(crate) use action::{first_enabled_action, first_enabled_place};
pub use convention::Convention;
pub(crate) use effects::Resolved;
pub use effects::{Effects, Portion};
pub(crate) use projection::Projection;
pub use view::{Neighbour, View};
