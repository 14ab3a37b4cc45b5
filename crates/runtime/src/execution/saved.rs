//! The state of an execution as bytes.

use super::{Execution, RoundMarks};
use crate::exclusion::Exclusion;
use crate::pack::{Pack, PackError, Saved, pack_bits, pack_list, unpack_bits};
use crate::section::CriticalSection;

impl<E, S> Execution<E, S>
where
    E: Exclusion<Memory: Pack, Message: Pack, Action: Pack>,
    S: CriticalSection<State: Pack>,
{
    /// Appends the state: world, round, scheduler, adversaries over the graph, fairness bound. The caller saves random
    /// draws and observers.
    ///
    /// Returns `false` if a promise is broken, or if the scheduler or an adversary cannot be saved.
    pub fn save(&self, into: &mut Vec<u8>) -> bool {
        self.save_as(!self.dynamics.is_empty(), into)
    }

    /// Like [`save`](Self::save), and also saves the edges, for a graph that the caller changes.
    pub fn save_with_graph(&self, into: &mut Vec<u8>) -> bool {
        self.save_as(true, into)
    }

    fn save_as(&self, has_graph: bool, into: &mut Vec<u8>) -> bool {
        (self.turns, self.rounds).pack(into);
        (self.round_begins, self.refused).pack(into);
        pack_list(self.turn[self.turn.len() - self.left..].iter(), into);
        if self.is_stepwise {
            self.round.save(into);
        }
        let is_saved = self.world.save(has_graph, into)
            && self.scheduler.save(into)
            && self.dynamics.iter().all(|dynamics| dynamics.save(into));
        if let Some(fairness) = &self.fairness {
            fairness.save(into);
        }
        is_saved
    }

    /// Loads the state that [`save`](Self::save) wrote for an execution of the same plan.
    ///
    /// # Errors
    ///
    /// [`PackError`] if the bytes do not begin with such a state. The execution is then unusable until a load succeeds.
    pub fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.load_as(!self.dynamics.is_empty(), from)
    }

    /// Loads the state that [`save_with_graph`](Self::save_with_graph) wrote.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn load_with_graph(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.load_as(true, from)
    }

    fn load_as(&mut self, has_graph: bool, from: &mut &[u8]) -> Result<(), PackError> {
        (self.turns, self.rounds) = Pack::unpack(from)?;
        (self.round_begins, self.refused) = Pack::unpack(from)?;
        self.turn.unpack_into(from)?;
        self.left = self.turn.len();
        if self.is_stepwise {
            self.round.load(from)?;
        }
        let nodes = self.world.topology().node_count();
        self.world.load(has_graph, from)?;
        self.scheduler.load(nodes, from)?;
        self.dynamics.iter_mut().try_for_each(|dynamics| dynamics.load(nodes, from))?;
        self.fairness.iter_mut().try_for_each(|fairness| fairness.load_at((nodes, self.turns), from))
    }
}

impl Saved for RoundMarks {
    fn save(&self, into: &mut Vec<u8>) {
        pack_bits(&self.waits, into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        unpack_bits(&mut self.waits, from)?;
        self.left = self.waits.iter().filter(|&&waits| waits).count() as u32;
        Ok(())
    }
}
