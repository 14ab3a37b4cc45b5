//! The amoebots whose guards an action may have changed.

use crate::algorithm::{Algorithm, Resolved, View, first_enabled_action};
use crate::model::id::AmoebotId;
use crate::model::system::System;

/// The amoebots that an action changes, and their neighbours before and after it, without duplicates. A guard reads
/// only its amoebot and the neighbours, so no other guard can change.
#[derive(Clone, Debug)]
pub(super) struct Affected {
    ids: Vec<AmoebotId>,
    is_in: Vec<bool>,
}

impl Affected {
    /// An empty set, for this many amoebots.
    pub(super) fn none_of(amoebots: usize) -> Self {
        Self { ids: Vec::new(), is_in: vec![false; amoebots] }
    }

    /// The set of all amoebots; `amoebots` is their number. Amoebot 0 is popped first.
    pub(super) fn all_of(amoebots: usize) -> Self {
        let ids = (0..amoebots as u32).rev().map(AmoebotId).collect();
        Self { ids, is_in: vec![true; amoebots] }
    }

    /// Adds amoebots and their current neighbours.
    #[inline]
    fn add_around<M>(&mut self, system: &System<M>, changed: &[AmoebotId]) {
        for &who in changed {
            self.add(who);
            system.each_near(who, |near| self.add(near));
        }
    }

    /// Adds the amoebots that an unapplied action affects: those that it changes (which `changed` lists as well), and
    /// their neighbours before and after the action. The neighbours before the action come first.
    #[inline]
    pub(super) fn add_of<M>(&mut self, system: &System<M>, changed: &[AmoebotId], effects: &Resolved<M>) {
        self.add_around(system, changed);
        if let Some((id, cell)) = effects.entered() {
            system.each_next_to(cell, id, |near| self.add(near));
        }
    }

    #[inline]
    fn add(&mut self, id: AmoebotId) {
        if !std::mem::replace(&mut self.is_in[id.index()], true) {
            self.ids.push(id);
        }
    }

    /// Removes the amoebot that was added last; `None` if the set is empty.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<AmoebotId> {
        let id = self.ids.pop()?;
        self.is_in[id.index()] = false;
        Some(id)
    }

    pub(super) fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<AmoebotId>() + self.is_in.capacity()
    }
}

/// Whether an amoebot has an enabled action.
#[inline]
pub(super) fn is_enabled<A: Algorithm>(algorithm: &A, system: &System<A::Memory>, id: AmoebotId) -> bool {
    first_enabled_action(algorithm, &View::new(system, id)).is_some()
}
