//! Every message in transit is awaited by its receiver.

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message, State};
use acrasin_runtime::{CriticalSection, NodeId, Port, World};

use super::Property;

/// The receiver of every message in transit waits for it (Lemma 4.4).
///
/// Ready is awaited in state prepare from L \ R, and win in state compete from L without the ports of W. Ack-lock is
/// awaited in state win, and ack-unlock in state unlock, from L \ R. A request is awaited from A or from a candidate
/// without priority, set-lock from a candidate while the lock is free, and release-lock from the lock's owner. Prepare
/// is awaited from an unknown port. On a port in D only prepare can arrive: every other message requires an earlier
/// action of the receiver on the new edge, which would have read D.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessagesAwaited;

fn is_awaited(memory: &Memory, port: Port, message: Message) -> bool {
    let owed = |state: State| {
        memory.state == state && memory.lock_set().contains(port) && !memory.replied().contains(port)
    };
    match message {
        Message::Prepare => {
            !memory.applicants().contains(port)
                && !memory.candidates().contains(port)
                && !memory.on_hold().contains(port)
        }
        Message::Ready => owed(State::Prepare),
        Message::AckLock => owed(State::Win),
        Message::AckUnlock => owed(State::Unlock),
        Message::Win(_) => {
            memory.state == State::Compete
                && memory.lock_set().contains(port)
                && !memory.won().contains(port)
                && !memory.lost().contains(port)
        }
        Message::RequestLock(_) => {
            memory.applicants().contains(port)
                || memory.candidates().contains(port) && memory.priorities.iter().all(|pair| pair.0 != port)
        }
        Message::SetLock => memory.candidates().contains(port) && memory.lock.is_none(),
        Message::ReleaseLock => memory.lock == Some(port),
    }
}

impl<E, S> Property<E, S> for MessagesAwaited
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "every message in transit is awaited"
    }
    fn source(&self) -> &'static str {
        "Lemma 4.4"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        let fault = |node: NodeId, port: Port, message: Message| {
            let (memory, detector) = (world.memory(node), world.topology().detector(node));
            let right = if detector.contains(port) {
                message == Message::Prepare
            } else {
                is_awaited(memory, port, message)
            };
            (!right).then(|| format!("node {node} does not await {message}@{port}: {memory:?} D={detector}"))
        };
        for node in world.topology().nodes() {
            for envelope in world.in_transit(node) {
                fault(node, envelope.port, envelope.message).map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    }
}
