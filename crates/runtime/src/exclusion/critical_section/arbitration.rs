//! Handlers of an arbiter: it grants permissions, and asks for grants back in favour of older requests. With a leader
//! it [reviews](super::review) instead.

use super::arbiter::Rank;
use super::{ArbiterRequest, MessageKind, Permission, Scheme, SectionErratum, SectionRun};
use crate::exclusion::{Anomaly, Identifier};

impl SectionRun<'_> {
    pub(super) fn receive_request(&mut self, permission: Permission, stamp: u32, owner: Identifier) {
        let entry = ArbiterRequest { rank: Rank::Ordinary, stamp, owner };
        self.memory.arbiter_mut(permission).ask(entry);
        if self.scheme == Scheme::Leader {
            self.review(permission);
            return;
        }
        let arbiter = self.memory.arbiter_mut(permission);
        if arbiter.is_free() {
            self.grant_next(permission, false);
        } else if arbiter.preempting.is_none()
            && let Some(last) = arbiter.granted.last().copied()
            && entry < last
        {
            arbiter.preempting = Some(last.owner);
            self.send_to(last.owner, (MessageKind::Preempt, permission, 0));
        }
    }

    pub(super) fn receive_release(&mut self, permission: Permission, owner: Identifier) {
        let arbiter = self.memory.arbiter_mut(permission);
        arbiter.settle(owner);
        arbiter.withdraw(owner);
        if self.has(SectionErratum::ReleaseRefills) && self.memory.arbiter(permission).next().is_some() {
            self.grant_next(permission, false);
        }
        self.refill(permission);
        if self.scheme == Scheme::Leader && !self.has(SectionErratum::OtherNotReviewed) {
            let other = permission.other();
            self.memory.arbiter_mut(other).settle(owner);
            self.review(other);
        }
    }

    /// Handles a Relinquish: a process returns the permission on demand, and its request waits again.
    pub(super) fn receive_relinquish(&mut self, permission: Permission, owner: Identifier) {
        let arbiter = self.memory.arbiter_mut(permission);
        arbiter.preempting = None;
        match arbiter.withdraw(owner) {
            Some(entry) => arbiter.ask(entry),
            None if self.has(SectionErratum::GrantedOnReturn) => {
                if self.memory.arbiter(permission).next().is_some() {
                    self.grant_next(permission, false);
                }
            }
            None if self.has(SectionErratum::GrantsAreANumber) => {}
            // As printed, `let (ts, P) be the deleted item`, but there is no such item.
            None => self.effects.anomaly = Some(Anomaly::NoSuchGrant),
        }
        self.refill(permission);
    }

    fn refill(&mut self, permission: Permission) {
        if self.scheme == Scheme::Leader {
            self.review(permission);
            return;
        }
        while self.memory.arbiter(permission).is_free() && self.memory.arbiter(permission).next().is_some() {
            self.grant_next(permission, false);
        }
    }

    /// Grants the request that goes next. `extra` tells whether the grant is an extra one; the Grant message contains
    /// this flag.
    pub(super) fn grant_next(&mut self, permission: Permission, extra: bool) {
        let arbiter = self.memory.arbiter_mut(permission);
        let owner = arbiter.next().expect("a request is pending").owner;
        arbiter.grant_next();
        self.send_to(owner, (MessageKind::Grant, permission, u32::from(extra)));
    }
}
