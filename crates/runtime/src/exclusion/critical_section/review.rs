//! Review by an arbiter with a leader: it examines its requests again after every change.

use super::arbiter::Rank;
use super::{ArbiterRequest, MessageKind, Permission, SectionErratum, SectionRun};

impl SectionRun<'_> {
    /// Grants requests while places are free. Then asks for one grant back if the next request can use it. If the
    /// leader has raised the next request, that request gets the extra place.
    pub(super) fn review(&mut self, permission: Permission) {
        while let Some(next) = self.memory.arbiter(permission).next() {
            let arbiter = self.memory.arbiter(permission);
            if arbiter.is_free() {
                self.grant_next(permission, false);
                continue;
            }
            let is_raised = next.rank == Rank::Triggered && self.has(SectionErratum::RaisedAlwaysGranted);
            if is_raised {
                self.grant_next(permission, true);
                continue;
            }
            if arbiter.preempting.is_some() || arbiter.is_over() {
                return;
            }
            let asks_any = self.has(SectionErratum::UsedAskedBack);
            let mut granted = arbiter.granted.iter().rev().copied();
            let last = granted.find(|&entry| asks_any || !self.is_used(permission, entry));
            if let Some(last) = last.filter(|&last| next < last) {
                self.memory.arbiter_mut(permission).preempting = Some(last.owner);
                self.send_to(last.owner, (MessageKind::Preempt, permission, 0));
                return;
            }
            if next.rank != Rank::Triggered || self.has(SectionErratum::NoExtraPlace) {
                return;
            }
            self.grant_next(permission, true);
        }
    }

    /// Whether the owner of a grant has used it for a change: the owner has no grant of the other permission, or asked
    /// for the other one later.
    fn is_used(&self, permission: Permission, entry: ArbiterRequest) -> bool {
        let other = self.memory.arbiter(permission.other()).grant_of(entry.owner);
        other.is_none_or(|other| other.stamp > entry.stamp)
    }
}
