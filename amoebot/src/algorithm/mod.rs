//! What an amoebot algorithm is: `label : guard -> operations`.
//!
//! | module | what |
//! |---|---|
//! | `action` | the trait; which actions are enabled, why one is aborted |
//! | `view`, `effects` | what an amoebot sees, what its action does |
//! | `convention` | what the concurrency framework asks of an algorithm |
//! | [`crash`] | amoebots of any algorithm that stop acting |
//! | [`memory`] | public and private memory |
//! | `projection` | what a wrapped algorithm sees of a memory |
//! | [`description`] | how an algorithm starts, its goal, the names of its states; with its type and without |
//! | [`erased`] | algorithms whose type is not known when a program is compiled |

mod action;
mod convention;
pub mod crash;
pub mod description;
mod effects;
pub mod erased;
pub mod memory;
mod projection;
mod view;

pub use action::{ActionError, Algorithm, FailedAction, Looks, Order, enabled_actions};
pub(crate) use action::{first_enabled_action, first_enabled_place};
pub use convention::Convention;
pub(crate) use effects::Resolved;
pub use effects::{Effects, Portion};
pub(crate) use projection::Projection;
pub use view::{Neighbour, View};
