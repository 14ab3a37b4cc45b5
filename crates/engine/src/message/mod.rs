//! F3: every message, any graph, one published word per node.

mod activation;
mod block;
mod change_error;
mod changes;
mod check;
mod chunk;
mod config;
mod configuration;
mod flips;
mod inputs;
mod lattice;
mod network;
mod priority_warning;
mod registers;
mod rounds;
mod sectioned;
mod shadow;
mod single;
mod store;
mod table;
mod word;

#[cfg(test)]
mod faults;

pub use change_error::ChangeError;
pub use check::{LockOverlap, check, check_node, check_while};
pub use config::Config;
pub use configuration::{LockCode, LockConfiguration, Published};
pub use flips::Flip;
pub use network::MessageNetwork;
pub use priority_warning::PriorityWarning;
pub use rounds::{Changing, EdgeLifetime, Lasting, WordRounds};
pub use sectioned::Sectioned;
pub use shadow::{Shadow, phase};
pub use single::{SingleActions, SingleError, StepRefused};
pub use store::{NodeLayout, digest_of_words};
