//! F3: every message, any graph, one published word a node.

mod activation;
mod block;
mod changes;
mod check;
mod chunk;
mod cliff;
mod config;
mod configuration;
mod flips;
mod lattice;
mod network;
pub(crate) mod pages;
mod plan;
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

pub use changes::ChangeError;
pub use check::{Overlap, check, check_node};
pub use cliff::Cliff;
pub use config::Config;
pub use configuration::{Code, Configuration, Published};
pub use flips::Flip;
pub use network::MessageNetwork;
pub use rounds::{Changing, Edges, Lasting, Rounds};
pub use sectioned::Sectioned;
pub use shadow::{Shadow, phase};
pub use single::{SingleActions, SingleError, StepRefused};
pub use store::{Layout, digest_of_words};
