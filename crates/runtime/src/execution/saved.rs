//! The state of an execution as bytes.

use super::{Execution, RoundMarks};
use crate::exclusion::Exclusion;
use crate::pack::{Pack, PackError, Saved};
use crate::section::CriticalSection;

impl<E, S> Execution<E, S>
where
    E: Exclusion<Memory: Pack, Message: Pack, Action: Pack>,
    S: CriticalSection<State: Pack>,
{
    /// Appends the state: world, round, scheduler, adversaries over the graph, fairness bound. Draws and observers are
    /// the caller's.
    ///
    /// Returns `false` if a promise is broken, or if the scheduler or an adversary cannot be saved.
    pub fn save(&self, into: &mut Vec<u8>) -> bool {
        (self.turns, self.rounds).pack(into);
        (self.round_begins, self.refused).pack(into);
        if self.is_stepwise {
            self.round.save(into);
        }
        let is_saved = self.world.save(!self.dynamics.is_empty(), into)
            && self.scheduler.save(into)
            && self.dynamics.iter().all(|dynamics| dynamics.save(into));
        if let Some(fairness) = &self.fairness {
            fairness.save(into);
        }
        is_saved
    }

    /// Sets the state that [`save`](Self::save) wrote for an execution of the same plan.
    ///
    /// # Errors
    ///
    /// [`PackError`] if no such state begins there. The execution is then unusable until a load succeeds.
    pub fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        (self.turns, self.rounds) = Pack::unpack(from)?;
        (self.round_begins, self.refused) = Pack::unpack(from)?;
        if self.is_stepwise {
            self.round.load(from)?;
        }
        let nodes = self.world.topology().node_count();
        self.world.load(!self.dynamics.is_empty(), from)?;
        self.scheduler.load(nodes, from)?;
        self.dynamics.iter_mut().try_for_each(|dynamics| dynamics.load(nodes, from))?;
        self.fairness.iter_mut().try_for_each(|fairness| fairness.load_at((nodes, self.turns), from))
    }
}

/// The marks, eight a byte.
impl Saved for RoundMarks {
    fn save(&self, into: &mut Vec<u8>) {
        for eight in self.waits.chunks(8) {
            into.push(eight.iter().rev().fold(0, |bits, &waits| bits << 1 | u8::from(waits)));
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.left = 0;
        for eight in self.waits.chunks_mut(8) {
            let bits = u8::unpack(from)?;
            self.left += bits.count_ones();
            for (place, waits) in eight.iter_mut().enumerate() {
                *waits = bits >> place & 1 == 1;
            }
            if bits.checked_shr(eight.len() as u32).is_some_and(|rest| rest > 0) {
                return Err(PackError);
            }
        }
        Ok(())
    }
}
