//! Receipts that an exploration may execute first: awaited replies.
//!
//! Receiving one adds its port to R or W, and runs a CleanUp that changes nothing. Only the node's own
//! initiator reads R and W, and its only enabled action in that state waits for exactly this reply.

use super::{Memory, Message, Phase, State};
use crate::port::Port;

impl Memory {
    /// Whether CleanUp, with an empty detector, changes and sends nothing. True between actions, by the
    /// invariants of the algorithm.
    pub(super) fn is_settled(&self) -> bool {
        if !self.candidates().is_empty() {
            return true;
        }
        let phase = if self.applicants().is_empty() { Phase::Idle } else { Phase::Prepare };
        self.on_hold().is_empty() && self.phase == phase
    }

    /// Whether the message is a reply from this port for which the node's own Lock or Unlock still waits. Until it
    /// arrives R = L (|W| = |L|) is false, so no action of the initiator is enabled.
    pub(super) fn awaits_reply(&self, port: Port, message: Message) -> bool {
        let state = match message {
            Message::Ready => State::Prepare,
            Message::Win(_) => State::Compete,
            Message::AckLock => State::Win,
            Message::AckUnlock => State::Unlock,
            Message::Prepare | Message::RequestLock(_) | Message::SetLock | Message::ReleaseLock => {
                return false;
            }
        };
        let came = match state {
            State::Compete => self.won().contains(port) || self.lost().contains(port),
            _ => self.replied().contains(port),
        };
        self.state == state && self.lock_set().contains(port) && !came
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exclusion::Exclusion;
    use crate::exclusion::local::{Local, Priority, Registers};
    use crate::port::PortSet;

    fn ports(list: &[u16]) -> PortSet {
        list.iter().copied().map(Port).collect()
    }

    #[test]
    fn only_awaited_replies_commute() {
        let local = Local::new(2);
        let registers = Registers {
            state: State::Compete,
            lock_set: ports(&[0, 1, 2]),
            won: ports(&[0]),
            lost: ports(&[1]),
            ..Registers::default()
        };
        let memory = Memory::from(registers.clone());
        let commutes = |memory: &Memory, port, message| local.commutes(memory, Port(port), message);
        assert!(commutes(&memory, 2, Message::Win(true)) && commutes(&memory, 2, Message::Win(false)));
        assert!(!commutes(&memory, 1, Message::Win(true)) && !commutes(&memory, 3, Message::Win(true)));
        for message in [
            Message::Prepare,
            Message::Ready,
            Message::RequestLock(Priority(0)),
            Message::SetLock,
            Message::AckLock,
            Message::ReleaseLock,
            Message::AckUnlock,
        ] {
            assert!(!commutes(&memory, 2, message), "{message}");
        }
        // CleanUp would promote the nodes on hold, or set another phase.
        let unsettled = Registers { on_hold: ports(&[1]), ..registers.clone() }.into();
        assert!(!commutes(&unsettled, 2, Message::Win(true)));
        let unsettled = Registers { phase: Phase::Compete, ..registers.clone() }.into();
        assert!(!commutes(&unsettled, 2, Message::Win(true)));
        let settled = Registers { phase: Phase::Compete, candidates: ports(&[1]), ..registers }.into();
        assert!(commutes(&settled, 2, Message::Win(true)));
        for (state, message) in [
            (State::Prepare, Message::Ready),
            (State::Win, Message::AckLock),
            (State::Unlock, Message::AckUnlock),
        ] {
            let registers =
                Registers { state, lock_set: ports(&[0, 1]), replied: ports(&[0]), ..Registers::default() };
            let memory = registers.into();
            assert!(commutes(&memory, 1, message) && !commutes(&memory, 0, message), "{message}");
        }
    }
}
