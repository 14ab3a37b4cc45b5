//! Lock sets are disjoint: the lock of every held node points to its holder.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message, State};
use acrasin_runtime::{CriticalSection, Port, World};

use super::{Property, each_node};

/// Mutual exclusion (Theorem 4.1): while a node holds its lock set (its L without the ports in D), the variable `lock`
/// of every member points to it. A lock points to one port, so lock sets are disjoint. A lock that points to a port in
/// D does not point to a node (fault F5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LockSetsAreDisjoint;

impl<E, S> Property<E, S> for LockSetsAreDisjoint
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "disjoint lock sets"
    }
    fn source(&self) -> &'static str {
        "Theorem 4.1 (mutual exclusion)"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        let topology = world.topology();
        each_node(world, |node, memory| {
            if memory.state != State::Locked {
                return None;
            }
            let detector = topology.detector(node);
            let held = memory.lock_set().iter().filter(|&port| !detector.contains(port));
            let mut strangers = held.filter(|&port| {
                let (member, their_port) = match topology.link(node, port) {
                    Some(link) => (link.peer, link.peer_port.into()),
                    None => (node, Port::SELF),
                };
                world.memory(member).lock != Some(their_port)
                    || topology.detector(member).contains(their_port)
            });
            let port = strangers.next()?;
            Some(format!("locked with L={}, but the lock at port {port} does not name it", memory.lock_set()))
        })
    }
}
