//! One macro activation of one node, without branches: the code that every layout executes.
//!
//! The code works on sets of ports, one bit per port, for one *block* of ports. A node stored in a word has one block;
//! a node in explicit registers has as many blocks as its degree requires. The compiler turns the loops over 64 nodes
//! into vector instructions, so masks replace conditions.
//!
//! The paper's sets correspond to the following. `P` are the competitors whose priorities are pending, `C` the
//! competitors, `A` the applicants that were answered ready and do not compete yet, and `H` the prepares on hold. `R`
//! and `W` are the received replies. None of these sets is stored: they follow from the published bits of the
//! neighbours.
//!
//! - `neighbour_bits.rs`: gathers the published bits of the neighbours.
//! - `participant.rs`: the node's replies to neighbours that want it in their lock sets.
//! - `initiator.rs`: the next step of the node's own Lock.
//! - `node.rs`: initiator and participant together, for a node that is one word.
//! - `fault.rs`: deliberate faults, for tests.

mod fault;
mod initiator;
mod neighbour_bits;
mod node;
mod participant;

pub(crate) use fault::{FaultInjection, MessageFault, NoFault};
pub(crate) use initiator::{RepliesReceived, advance, replies};
pub(crate) use neighbour_bits::{BitLayout, NeighbourBits, PortRelations, gather_bits, lowest, mask, moved};
pub(crate) use node::{ActivationOutcome, Intent, NeighbourAccess, activate};
pub(crate) use participant::{
    ParticipantState, Requests, TopPriority, answers, contest, favourite, requests,
};
