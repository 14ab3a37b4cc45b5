//! Arbiters grant no more than they may, and grants are counted only where they were given.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::critical_section::{Memory, Message, Permission};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// No arbiter has granted a permission more often than allowed, plus one extra for a request that the leader has
/// raised. A process that counts a grant for its current request is among those to which the arbiter has granted it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrantsKept;

impl<E, S> Property<E, S> for GrantsKept
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "grants within capacity, and kept"
    }
    fn source(&self) -> &'static str {
        "Algorithms 10(2):38, Lemmas 1 and 5, as repaired"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        each_node(world, |node, memory| {
            for permission in Permission::ALL {
                let arbiter = memory.arbiter(permission);
                // Within two edges of the leader the capacity is one below what the bounds allow.
                let next_to_it = |node| world.memory(node).leader.is_some();
                let mut neighbours = world.topology().links(node).map(|(_, link)| link.peer);
                let extra = usize::from(next_to_it(node) || neighbours.any(next_to_it));
                if arbiter.granted.len() > arbiter.capacity as usize + extra {
                    return Some(format!(
                        "{} grants of {permission}, but {} are allowed",
                        arbiter.granted.len(),
                        arbiter.capacity
                    ));
                }
            }
            let awaited = memory.awaited()?;
            let mut taken_back = memory.got.iter().filter(|&port| {
                let giver = world.topology().link(node, port).map_or(node, |link| link.peer);
                let granted = &world.memory(giver).arbiter(awaited).granted;
                !granted.iter().any(|entry| entry.owner == memory.identifier)
            });
            let port = taken_back.next()?;
            Some(format!("counts a grant of {awaited} by port {port} that it does not have"))
        })
    }
}
