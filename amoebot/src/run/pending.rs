//! The amoebots for which an asynchronous round waits.

use acrasin_runtime::pack::{PackError, Saved, pack_bits, unpack_bits};

use crate::model::id::AmoebotId;
use crate::run::enabled::EnabledSet;

/// The amoebots that were enabled at the start of the round and have since neither completed an action nor been
/// disabled.
#[derive(Clone, Debug)]
pub(super) struct RoundPending {
    /// For each amoebot, the last round in which it was pending. The amoebot is pending now if this is the current
    /// round.
    round_of: Vec<u32>,
    round: u32,
    left: usize,
}

/// Saves the pending amoebots. The number of the round need not be saved.
impl Saved for RoundPending {
    fn save(&self, into: &mut Vec<u8>) {
        let is_pending: Vec<bool> = self.round_of.iter().map(|round| *round == self.round).collect();
        pack_bits(&is_pending, into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let mut is_pending = vec![false; self.round_of.len()];
        unpack_bits(&mut is_pending, from)?;
        self.round = 1;
        self.left = is_pending.iter().filter(|is_pending| **is_pending).count();
        self.round_of = is_pending.into_iter().map(u32::from).collect();
        Ok(())
    }
}

impl RoundPending {
    pub(super) fn new(enabled: &EnabledSet) -> Self {
        let mut pending = Self { round_of: vec![0; enabled.amoebots()], round: 0, left: 0 };
        pending.begin(enabled);
        pending
    }

    /// Begins a round. O(enabled amoebots), so O(1) for each amoebot for which the round waits.
    pub(super) fn begin(&mut self, enabled: &EnabledSet) {
        if self.round == u32::MAX {
            self.round_of.fill(0);
            self.round = 0;
        }
        self.round += 1;
        for id in enabled.ids() {
            self.round_of[id.index()] = self.round;
        }
        self.left = enabled.ids().len();
    }

    /// Removes an amoebot from the set for which the round waits.
    #[inline]
    pub(super) fn settle(&mut self, id: AmoebotId) {
        let round = &mut self.round_of[id.index()];
        if *round == self.round {
            *round = 0;
            self.left -= 1;
        }
    }

    /// The number of amoebots for which the round waits.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    pub(super) fn bytes(&self) -> usize {
        self.round_of.capacity() * size_of::<u32>()
    }
}
