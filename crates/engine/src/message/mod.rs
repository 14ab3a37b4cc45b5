//! F3: every message, any graph, one published word a node.

mod activation;
mod block;
mod change_error;
mod changes;
mod check;
mod chunk;
mod cliff;
mod config;
mod configuration;
mod flips;
mod inputs;
mod lattice;
mod network;
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
pub use check::{Overlap, check, check_node, check_while};
pub use cliff::Cliff;
pub use config::Config;
pub use configuration::{Code, Configuration, Published};
pub use flips::Flip;
pub use network::MessageNetwork;
pub use rounds::{Changing, Edges, Lasting, WordRounds};
pub use sectioned::Sectioned;
pub use shadow::{Shadow, phase};
pub use single::{SingleActions, SingleError, StepRefused};
pub use store::{Layout, digest_of_words};
