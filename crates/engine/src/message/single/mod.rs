//! Single actions: the literal scheduler, one action of the paper per activation.
//!
//! A macro activation receives all messages and runs every check; here an active node executes *one* of its enabled
//! actions. So a run depends on which messages were received but not yet answered, and on which replies have arrived. A
//! node stores these two facts in private, with two more bits per port.
//!
//! - `view.rs`: the paper's sets, derived from the words.
//! - `act.rs`: the actions.
//! - `choose.rs`: the enabled actions, and the choice among them.
//! - `round_context.rs`: the data that all nodes share in a round.
//! - `columns.rs`: the words, and rounds over them.
//! - `run.rs`: [`SingleActions`].

mod act;
mod choose;
mod columns;
mod round_context;
mod run;
mod view;

pub use run::{SingleActions, SingleError, StepRefused};
