//! Arbiters grant at most as many permissions as allowed, and processes count only grants that an arbiter gave.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::critical_section::{Memory, Message, Permission};
use acrasin_runtime::{CriticalSection, World};

use super::{Property, each_node};

/// The number of outstanding grants of an arbiter is at most its capacity for the permission. Within two edges of the
/// leader one more is allowed, for a request whose class the leader has raised. Every grant that a process counts for
/// its current request is still recorded at the arbiter that gave it.
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
