//! Algorithm 1: the node that calls Lock and Unlock.

use std::num::NonZeroU32;

use super::{LocalRun, LockNote, Memory, Message, Priority, State};
use crate::choice::Decision;
use crate::exclusion::Anomaly;
use crate::port::Port;

impl LocalRun<'_> {
    /// InitLock, on Lock().
    pub(super) fn init_lock(&mut self, memory: &mut Memory) {
        if self.accepts_call(memory, State::Idle) {
            memory.state = State::Prepare;
            memory.lock_set_mut().assign(self.neighbourhood.as_ports());
            memory.replied_mut().clear();
            self.send_to_all(Message::Prepare, memory.lock_set());
        }
    }

    /// Returns whether the state accepts the call, and executes CleanUp. The published rules omit CleanUp if the call
    /// is ignored, which loses the detector's report; repair R3 executes it then too.
    fn accepts_call(&mut self, memory: &mut Memory, needed: State) -> bool {
        let accepted = memory.state == needed;
        if accepted || self.local.rules.clean_up_ignored_calls {
            self.clean_up(memory);
        }
        if !accepted {
            self.effects.anomaly = Some(Anomaly::IgnoredCall);
        }
        accepted
    }

    /// ReceiveReady: records the answer in R.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_ready(&mut self, memory: &mut Memory, port: Port) {
        self.clean_up(memory);
        memory.replied_mut().insert(port);
    }

    /// CheckStart: state = prepare and R = L.
    pub(super) fn check_start(&mut self, memory: &mut Memory) {
        self.clean_up(memory);
        memory.state = State::Compete;
        memory.replied_mut().clear();
        self.start_trial(memory);
    }

    fn start_trial(&mut self, memory: &mut Memory) {
        memory.won_mut().clear();
        memory.lost_mut().clear();
        self.effects.announce(LockNote::Trial);
        let bound = NonZeroU32::new(self.local.priorities).expect("K is at least 2");
        let priority = Priority(self.choices.pick(bound, Decision::Priority));
        self.send_to_all(Message::RequestLock(priority), memory.lock_set());
    }

    /// ReceiveWin: records the result in W.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_win(&mut self, memory: &mut Memory, port: Port, won: bool) {
        self.clean_up(memory);
        let results = if won { memory.won_mut() } else { memory.lost_mut() };
        results.insert(port);
    }

    /// CheckWin: state = compete and |W| = |L|. Decides on the cleaned W: a defeat at a vanished neighbour no longer
    /// counts.
    pub(super) fn check_win(&mut self, memory: &mut Memory) {
        self.clean_up(memory);
        if !memory.lost().is_empty() {
            self.start_trial(memory);
        } else {
            memory.state = State::Win;
            memory.replied_mut().clear();
            memory.won_mut().clear();
            self.send_to_all(Message::SetLock, memory.lock_set());
        }
    }

    /// ReceiveAckLock: records the answer in R.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_ack_lock(&mut self, memory: &mut Memory, port: Port) {
        self.clean_up(memory);
        memory.replied_mut().insert(port);
    }

    /// CheckDone: state = win and R = L. Lock returns L.
    pub(super) fn check_done(&mut self, memory: &mut Memory) {
        self.clean_up(memory);
        memory.state = State::Locked;
        memory.replied_mut().clear();
        self.effects.granted = Some(memory.lock_set().to_set());
    }

    /// InitUnlock, on Unlock().
    pub(super) fn init_unlock(&mut self, memory: &mut Memory) {
        if self.accepts_call(memory, State::Locked) {
            memory.state = State::Unlock;
            memory.replied_mut().clear();
            self.send_to_all(Message::ReleaseLock, memory.lock_set());
        }
    }

    /// ReceiveAckUnlock: records the answer in R.
    #[inline(always)] // Once, in `receive`.
    pub(super) fn receive_ack_unlock(&mut self, memory: &mut Memory, port: Port) {
        self.clean_up(memory);
        memory.replied_mut().insert(port);
    }

    /// CheckUnlocked: state = unlock and R = L. L is also cleared, so that equivalent configurations have equal
    /// memories. No node can observe this.
    pub(super) fn check_unlocked(&mut self, memory: &mut Memory) {
        self.clean_up(memory);
        memory.state = State::Idle;
        memory.replied_mut().clear();
        memory.lock_set_mut().clear();
        self.effects.released = true;
    }
}
