//! Mutants of the shipped algorithm that overstate which messages commute, or offer no renaming.

use acrasin_runtime::exclusion::local::{Local, Memory, Message};
use acrasin_runtime::exclusion::{Exclusion as _, Mutation};
use acrasin_runtime::{Port, PortNames};

/// Claims that whole kinds of messages commute, in every memory.
#[derive(Clone, Copy)]
pub(crate) struct Eager(pub(crate) fn(Message) -> bool);

impl Mutation<Local> for Eager {
    fn rename(&self, local: &Local, memory: &Memory, ports: PortNames<'_>) -> Option<Memory> {
        local.rename(memory, ports)
    }
    fn commutes(&self, _local: &Local, _memory: &Memory, _port: Port, message: Message) -> bool {
        (self.0)(message)
    }
}

/// Offers no renaming.
#[derive(Clone, Copy)]
pub(crate) struct Stiff;

impl Mutation<Local> for Stiff {}
