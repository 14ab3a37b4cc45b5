//! Algorithm 2: the participant, a node that other nodes want in their lock sets.

use super::{LocalRun, LockNote, Memory, Message, Phase, Priority};
use crate::exclusion::Anomaly;
use crate::port::Port;

impl LocalRun<'_> {
    /// ReceivePrepare: the sender is put on hold while candidates compete, otherwise it is ready at once.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_prepare(&mut self, memory: &mut Memory, port: Port) {
        self.clean_up(memory);
        if memory.phase == Phase::Compete {
            memory.on_hold_mut().insert(port);
        } else {
            memory.applicants_mut().insert(port);
            memory.phase = Phase::Prepare;
            self.send(Message::Ready, port);
        }
    }

    /// ReceiveRequest. R1: if a first request arrives while a candidate still owes its priority (|C| ≠ |P|), it
    /// is answered win(false) at once and not stored.
    ///
    /// As published, the late request waits for a next round, in which the earlier candidate must request again. That
    /// candidate may wait for another participant, at which the late one is the earlier candidate: deadlock. Testing P
    /// ≠ {} instead, or waiting for A = {}, deadlocks on a path of three nodes.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_request(&mut self, memory: &mut Memory, port: Port, priority: Priority) {
        self.clean_up(memory);
        let first = memory.applicants_mut().remove(port);
        let late = first
            && self.local.rules.reject_late_requests
            && memory.candidates().len() != memory.priorities.len();
        if first {
            memory.candidates_mut().insert(port);
        }
        if late {
            self.effects.announce(LockNote::LateRejection);
            self.send(Message::Win(false), port);
        } else {
            memory.priorities.insert((port, priority));
        }
        memory.phase = Phase::Compete;
    }

    /// CheckPriorities: phase = compete and |C| = |P|. If CleanUp has removed the last candidate, nothing is
    /// sent, and the phase that CleanUp has just set stays.
    pub(super) fn check_priorities(&mut self, memory: &mut Memory) {
        self.clean_up(memory);
        let winner = if memory.lock.is_none() { memory.priorities.unique_highest() } else { None };
        let sends = &mut self.effects.sends;
        sends.extend(winner.map(|port| (port, Message::Win(true))));
        let losers = memory.candidates().iter().filter(|&port| Some(port) != winner);
        sends.extend(losers.map(|port| (port, Message::Win(false))));
        memory.priorities.clear();
    }

    /// ReceiveSetLock. The winner leaves C *before* CleanUp. In the other order nodes on hold are not promoted,
    /// and phase stays compete with C = {}.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_set_lock(&mut self, memory: &mut Memory, port: Port) {
        memory.lock = Some(port);
        memory.candidates_mut().remove(port);
        self.clean_up(memory);
        self.send(Message::AckLock, port);
    }

    /// ReceiveRelease. The release always comes from the lock's owner. Another sender is reported as an anomaly but
    /// handled in the same way, because ignoring it would hide a fault elsewhere.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_release(&mut self, memory: &mut Memory, port: Port) {
        self.clean_up(memory);
        if memory.lock != Some(port) {
            self.effects.anomaly = Some(Anomaly::ForeignRelease);
        }
        memory.lock = None;
        self.send(Message::AckUnlock, port);
    }
}
