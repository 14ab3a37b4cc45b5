//! One macro activation of one node, without a branch: what every layout executes.
//!
//! The code works on sets of ports, a bit a port, of a *block* of ports: a word has one block, explicit registers have
//! as many as the degree asks for. It is compiled into loops over 64 nodes, which the compiler turns into vector
//! instructions; hence masks in place of conditions.
//!
//! Names in the paper's letters: what is pending from competitors is `P`, competitors are `C`, those told ready and
//! not yet competing are `A`, prepares that wait are `H`; replies received are `R` and `W`. None of them is stored: all
//! follow from what the neighbours publish.
//!
//! - `heard.rs`: what the neighbours publish, gathered.
//! - `participant.rs`: what the node answers those who want it in their lock sets.
//! - `initiator.rs`: the next step of its own Lock.
//! - `node.rs`: both together, for a node that is one word.
//! - `fault.rs`: deliberate mistakes, for tests.

mod fault;
mod heard;
mod initiator;
mod node;
mod participant;

pub(crate) use fault::{Correct, Fault, Mistakes};
pub(crate) use heard::{Heard, Reach, Sight, hear, lowest, mask, moved};
pub(crate) use initiator::{Replies, advance, replies};
pub(crate) use node::{Around, Intent, Outcome, activate};
pub(crate) use participant::{Asked, Contest, Standing, answers, asked, contest, favourite};
