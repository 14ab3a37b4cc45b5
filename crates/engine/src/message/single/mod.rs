//! Single actions: the literal scheduler, one action of the paper an activation.
//!
//! A macro activation receives everything and runs every check; here an active node executes *one* of its enabled
//! actions. Then it matters which messages were received and not yet answered, and which replies have arrived: two more
//! bits a port, that a node keeps to itself.
//!
//! - `view.rs`: the paper's sets, told from the words.
//! - `act.rs`: the actions.
//! - `choose.rs`: which are enabled.
//! - `turn.rs`: what all nodes share in a round.
//! - `columns.rs`: the words, and rounds over them.
//! - `run.rs`: [`SingleActions`].

mod act;
mod choose;
mod columns;
mod run;
mod turn;
mod view;

pub use run::{SingleActions, SingleError, StepRefused};
