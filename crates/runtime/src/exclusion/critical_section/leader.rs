//! The leader, and what others do for it.

use super::arbiter::Rank;
use super::{Entry, Kind, Note, Permission, Run, Scheme, Slip};
use crate::exclusion::Identifier;
use crate::port::Port;

impl Run<'_> {
    /// What follows a change of state to `permission`: the permission of before goes back, unless an extra grant was used,
    /// with which the process is on an excursion and keeps all.
    pub(super) fn after_change(&mut self, permission: Permission) {
        let (triggered, over) = (self.memory.triggered, self.memory.over);
        (self.memory.triggered, self.memory.over) = (false, false);
        let back = (Kind::Release, permission.other(), 0);
        if self.memory.excursion {
            self.memory.excursion = false;
            self.broadcast(back);
            self.tell_leader(permission);
        } else if over && !self.has(Slip::NoExcursion) {
            self.memory.excursion = true;
            self.effects.announce(Note::Excursion);
        } else {
            self.broadcast(back);
            if triggered {
                self.tell_leader(permission);
            }
        }
    }

    fn tell_leader(&mut self, permission: Permission) {
        let leader = self.memory.leader.expect("only neighbours of the leader are raised");
        self.send(leader, (Kind::Done, permission, 0));
    }

    /// The leader raised this request: all arbiters are told, if it still waits.
    pub(super) fn receive_trigger(&mut self, permission: Permission, stamp: u32) {
        let by_clock = self.has(Slip::StampIsTheClock);
        let memory = &mut *self.memory;
        let current = if by_clock { memory.clock } else { memory.stamp };
        if memory.awaited() == Some(permission) && current == stamp && !memory.triggered {
            memory.triggered = true;
            self.broadcast((Kind::RequestByTrigger, permission, stamp));
        } else if !by_clock {
            self.tell_leader(permission);
        }
    }

    pub(super) fn receive_request_by_trigger(&mut self, permission: Permission, owner: Identifier) {
        self.memory.arbiter_mut(permission).raise(owner);
        self.review(permission);
    }

    /// Whether all of `N[leader]` wait, as far as the leader's arbiters know: then it raises the oldest request.
    pub(super) fn nominate_if_stuck(&mut self) {
        let memory = &*self.memory;
        if self.scheme != Scheme::Leader || memory.leader != Some(Port::SELF) || memory.busy {
            return;
        }
        let requests = memory.members.iter().filter_map(|&(owner, _)| self.waiting(owner));
        let requests: Vec<(Permission, Entry)> = requests.collect();
        if requests.len() < memory.members.len() {
            return;
        }
        let entries_alone = self.has(Slip::EntriesRaisedAlone);
        let ordinary = requests.into_iter().filter(|&(permission, entry)| {
            entry.rank == Rank::Ordinary && (permission == Permission::Inside || !entries_alone)
        });
        let Some((permission, oldest)) = ordinary.min_by_key(|&(_, entry)| (entry.stamp, entry.owner)) else {
            return;
        };
        self.memory.busy = !self.has(Slip::LeaderNeverBusy);
        self.effects.announce(Note::Triggered);
        self.send_to(oldest.owner, (Kind::Trigger, permission, oldest.stamp));
    }

    /// The request of a process of `N[leader]` that waits: it is pending, or granted here while it holds the other permission.
    fn waiting(&self, owner: Identifier) -> Option<(Permission, Entry)> {
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
