//! Whose guards an action may have changed.

use crate::algorithm::{Algorithm, Resolved, View, first_enabled_action};
use crate::model::id::AmoebotId;
use crate::model::system::System;

/// Those whom an action changes, and their neighbours before and after it, each once: a guard reads nothing else.
#[derive(Clone, Debug)]
pub(super) struct Affected {
    ids: Vec<AmoebotId>,
    is_in: Vec<bool>,
}

impl Affected {
    /// No amoebot, of so many.
    pub(super) fn none_of(amoebots: usize) -> Self {
        Self { ids: Vec::new(), is_in: vec![false; amoebots] }
    }

    /// Adds these and their neighbours as they are now.
    #[inline]
    fn add_around<M>(&mut self, system: &System<M>, changed: &[AmoebotId]) {
        for &who in changed {
            self.add(who);
            system.each_near(who, |near| self.add(near));
        }
    }

    /// Adds those whom an action, which is not done yet, affects: those whom it changes, in the list as well, and whoever is
    /// next to them before or after it. In the order in which looks round before and after would meet them first.
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

    /// Takes one out: who came last goes first.
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
    first_enabled_action(algorithm, &View::of(system, id)).is_some()
}
