//! The leader, and the handlers of its messages at other processes.

use super::arbiter::Rank;
use super::{ArbiterRequest, MessageKind, Permission, Scheme, SectionErratum, SectionNote, SectionRun};
use crate::exclusion::{Anomaly, Identifier};
use crate::port::Port;

impl SectionRun<'_> {
    /// Ends a change of state to `permission`: releases the permission held before. After a change with an
    /// extra grant the process is on an excursion and keeps both.
    pub(super) fn after_change(&mut self, permission: Permission) {
        let (triggered, over) = (self.memory.triggered, self.memory.over);
        (self.memory.triggered, self.memory.over) = (false, false);
        let back = (MessageKind::Release, permission.other(), 0);
        if self.memory.excursion {
            self.memory.excursion = false;
            self.broadcast(back);
            self.tell_leader(permission);
        } else if over && !self.has(SectionErratum::NoExcursion) {
            self.memory.excursion = true;
            self.effects.announce(SectionNote::Excursion);
        } else {
            self.broadcast(back);
            if triggered {
                self.tell_leader(permission);
            }
        }
    }

    fn tell_leader(&mut self, permission: Permission) {
        let leader = self.memory.leader.expect("only neighbours of the leader are raised");
        self.send(leader, (MessageKind::Done, permission, 0));
    }

    /// Handles the leader's message that this process's request has been raised. If the request still waits, the
    /// process informs all arbiters.
    pub(super) fn receive_trigger(&mut self, permission: Permission, stamp: u32) {
        let by_clock = self.has(SectionErratum::StampIsTheClock);
        let is_dropped = by_clock || self.has(SectionErratum::ExitStampBehind);
        let memory = &mut *self.memory;
        let current = if by_clock { memory.clock } else { memory.stamp };
        if memory.awaited() == Some(permission) && current == stamp && !memory.triggered {
            memory.triggered = true;
            if self.sections.printed.has(SectionErratum::RaisedAnew) {
                memory.got.clear();
                memory.count = 0;
            }
            self.broadcast((MessageKind::RequestByTrigger, permission, stamp));
        } else if !is_dropped {
            self.tell_leader(permission);
        }
    }

    pub(super) fn receive_request_by_trigger(&mut self, permission: Permission, request: (u32, Identifier)) {
        let (stamp, owner) = request;
        let arbiter = self.memory.arbiter_mut(permission);
        arbiter.raise(owner);
        let is_granted = arbiter.grant_of(owner).is_some();
        if !is_granted && arbiter.request_of(owner).is_none() && self.has(SectionErratum::NominatedIsDeleted)
        {
            let arbiter = self.memory.arbiter_mut(permission);
            arbiter.ask(ArbiterRequest { rank: Rank::Triggered, stamp, owner });
        }
        if self.has(SectionErratum::RaisedAnew) && is_granted {
            self.send_to(owner, (MessageKind::Grant, permission, 0));
        }
        self.review(permission);
    }

    /// Raises the oldest request if, according to the leader's own arbiters, all of `N[leader]` wait.
    pub(super) fn nominate_if_stuck(&mut self) {
        let memory = &*self.memory;
        if self.scheme != Scheme::Leader || memory.leader != Some(Port::SELF) || memory.busy {
            return;
        }
        let requests = memory.members.iter().filter_map(|&(owner, _)| self.waiting(owner));
        let requests: Vec<(Permission, ArbiterRequest)> = requests.collect();
        if requests.len() < memory.members.len() {
            return;
        }
        let ordinary = requests.into_iter().filter(|&(permission, entry)| {
            entry.rank == Rank::Ordinary && self.may_be_raised(permission, entry.owner)
        });
        let Some((permission, oldest)) = ordinary.min_by_key(|&(_, entry)| (entry.stamp, entry.owner)) else {
            // As printed: min(∅), where exits hold all places to be outside.
            let is_undefined =
                self.has(SectionErratum::EntriesRaisedAlone) && !self.has(SectionErratum::NobodyIsSmallest);
            if is_undefined && self.seems_full(Permission::Outside) {
                self.effects.anomaly = Some(Anomaly::NothingToRaise);
            }
            return;
        };
        self.memory.busy = !self.has(SectionErratum::LeaderNeverBusy);
        if self.has(SectionErratum::NominatedIsDeleted) {
            self.memory.arbiter_mut(permission).forget(oldest.owner);
        }
        self.effects.announce(SectionNote::Triggered);
        let is_behind = permission == Permission::Outside && self.has(SectionErratum::ExitStampBehind);
        let stamp = oldest.stamp.saturating_sub(u32::from(is_behind));
        self.send_to(oldest.owner, (MessageKind::Trigger, permission, stamp));
    }

    /// Whether the leader may raise a request. Always true under the repaired rules. As printed, the leader may raise a
    /// pending entry if no place for being outside seems free, or an exit if no place for being inside seems free.
    fn may_be_raised(&self, permission: Permission, owner: Identifier) -> bool {
        let is_pending = || self.memory.arbiter(permission).request_of(owner).is_some();
        let by_fullness = || {
            if self.seems_full(Permission::Outside) {
                permission == Permission::Inside && is_pending()
            } else {
                permission == Permission::Outside && self.seems_full(Permission::Inside)
            }
        };
        !(self.has(SectionErratum::EntriesRaisedAlone) || self.has(SectionErratum::FullOneBelow))
            || by_fullness()
    }

    /// Whether all places (or all but one, under an erratum) are granted, as the printed text tests it.
    fn seems_full(&self, permission: Permission) -> bool {
        let arbiter = self.memory.arbiter(permission);
        let below = usize::from(self.has(SectionErratum::FullOneBelow));
        arbiter.granted.len() + below == arbiter.capacity as usize
    }

    /// The waiting request of a process of `N[leader]`: it is pending, or granted here while the process holds the
    /// other permission. `None` if the process does not wait.
    fn waiting(&self, owner: Identifier) -> Option<(Permission, ArbiterRequest)> {
        let of = |permission| move |entry| (permission, entry);
        let pending = Permission::ALL
            .into_iter()
            .find_map(|permission| self.memory.arbiter(permission).request_of(owner).map(of(permission)));
        pending.or_else(|| {
            let grants = Permission::ALL.map(|permission| self.memory.arbiter(permission).grant_of(owner));
            let [Some(inside), Some(outside)] = grants else { return None };
            let later = if inside.stamp > outside.stamp {
                (Permission::Inside, inside)
            } else {
                (Permission::Outside, outside)
            };
            Some(later)
        })
    }
}
