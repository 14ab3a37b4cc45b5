//! A process: the entry and exit sequences, and the handlers of the messages of its arbiters.

use super::{
    Message, MessageKind, Permission, ProcessPhase, Scheme, SectionErratum, SectionNote, SectionRun, stamps,
};
use crate::choice::Choices;
use crate::exclusion::{Anomaly, Stamps};
use crate::port::{Port, PortSet};

impl SectionRun<'_> {
    /// Handles a call of the application, entry or exit.
    pub(super) fn start(&mut self, entering: bool, choices: &mut dyn Choices) {
        if self.memory.phase != ProcessPhase::Idle || self.memory.inside == entering {
            self.effects.anomaly = Some(Anomaly::IgnoredCall);
            return;
        }
        if self.memory.excursion {
            // The way back from an excursion is free.
            self.change();
            return;
        }
        let Some(permission) = self.sections.guard(self.memory, entering) else {
            self.move_to(entering);
            self.broadcast((MessageKind::Release, Permission::to_be(!entering), 0));
            return;
        };
        self.memory.stamp = self.next_stamp(entering, choices);
        self.memory.phase = if entering { ProcessPhase::Entering } else { ProcessPhase::Exiting };
        self.memory.got.clear();
        self.memory.count = 0;
        (self.memory.triggered, self.memory.over) = (false, false);
        self.broadcast((MessageKind::Request, permission, self.memory.stamp));
    }

    /// The stamp of a new request.
    fn next_stamp(&mut self, entering: bool, choices: &mut dyn Choices) -> u32 {
        let memory = &mut *self.memory;
        if self.sections.stamps == Stamps::AnyOrder {
            return stamps::any(memory, choices);
        }
        let increment = u32::from(!(entering && self.sections.printed.has(SectionErratum::EntryNotStamped)));
        let clock = memory.clock.checked_add(increment);
        memory.clock = clock.expect("fewer than 2^32 requests, one after the other");
        memory.clock
    }

    /// Ends every action of a process: if it has all permissions, it changes its state in the same step.
    pub(super) fn settle(&mut self) {
        if matches!(self.memory.phase, ProcessPhase::Idle | ProcessPhase::Decided) {
            return;
        }
        let has_all = if self.has(SectionErratum::GrantsAreANumber) {
            self.memory.count == self.memory.members.len() as i32
        } else {
            self.memory.has_all()
        };
        if has_all && self.has(SectionErratum::ChangeApart) {
            self.memory.phase = ProcessPhase::Decided;
        } else if has_all {
            self.change();
        } else {
            self.nominate_if_stuck();
        }
    }

    /// Changes the state of a process that may do so.
    pub(super) fn change(&mut self) {
        let entering = !self.memory.inside;
        self.move_to(entering);
        if self.scheme == Scheme::Leader {
            self.after_change(Permission::to_be(entering));
        }
    }

    fn move_to(&mut self, inside: bool) {
        self.memory.inside = inside;
        self.memory.phase = ProcessPhase::Idle;
        if !self.has(SectionErratum::GrantsKept) {
            self.memory.got.clear();
        }
        self.memory.count = 0;
        if inside {
            self.effects.granted = Some(PortSet::from_port(Port::SELF));
        } else {
            self.effects.released = true;
        }
    }

    /// Receives a message, after advancing the clock.
    pub(super) fn receive(&mut self, port: Port, message: Message) {
        if self.sections.stamps != Stamps::AnyOrder {
            self.memory.clock = self.memory.clock.max(message.clock);
        }
        let Message { kind, permission, stamp, .. } = message;
        let from = self.memory.name_of(port);
        match kind {
            MessageKind::Request => self.receive_request(permission, stamp, from),
            MessageKind::Grant => self.receive_grant(port, stamp > 0),
            MessageKind::Release => self.receive_release(permission, from),
            MessageKind::Preempt => self.receive_preempt(permission, port),
            MessageKind::Relinquish => self.receive_relinquish(permission, from),
            MessageKind::Trigger => self.receive_trigger(permission, stamp),
            MessageKind::RequestByTrigger => self.receive_request_by_trigger(permission, (stamp, from)),
            MessageKind::Done => self.memory.busy = false,
        }
    }

    fn receive_grant(&mut self, port: Port, extra: bool) {
        if !self.has(SectionErratum::GrantsNotCounted) {
            self.memory.got.insert(port);
        }
        if self.has(SectionErratum::GrantsAreANumber) {
            self.memory.count += 1;
        }
        self.memory.over |= extra;
    }

    /// Handles a Preempt. If the process has already used and returned the grant, it does not answer.
    fn receive_preempt(&mut self, permission: Permission, port: Port) {
        let is_answered = if self.has(SectionErratum::PreemptAlwaysAnswered) {
            self.memory.got.remove(port);
            self.memory.inside == (permission == Permission::Outside)
        } else if self.has(SectionErratum::GrantsKept) {
            self.memory.inside == (permission == Permission::Outside) && self.memory.got.remove(port)
        } else {
            self.memory.awaited() == Some(permission) && self.memory.got.remove(port)
        };
        if is_answered {
            if self.has(SectionErratum::GrantsAreANumber) {
                self.memory.count -= 1;
            }
            self.effects.announce(SectionNote::Relinquished);
            self.send(port, (MessageKind::Relinquish, permission, 0));
        }
    }
}
