//! Remembered results of pairs of numbered states.

/// The remembered result of an ordered pair of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Memory {
    /// The pair has not interacted.
    #[default]
    Unmet,
    /// The result is always this pair.
    Fixed(u32, u32),
    /// The result is drawn from the list of outcomes with this number.
    Drawn(u32),
}

/// Remembered results of ordered pairs of states with small numbers: one row per initiator state, which ends at the
/// last responder state with which it has interacted.
///
/// Memory: 12 bytes per pair, rounded up to rows, so 50 MB at most.
///
/// ```
/// use acrasin_protocols::lazy::{Memory, MemoryRows};
///
/// let mut rows = MemoryRows::default();
/// rows.insert(1, 0, Memory::Fixed(1, 1));
/// assert_eq!((rows.get(1, 0), rows.get(0, 1)), (Memory::Fixed(1, 1), Memory::Unmet));
/// assert_eq!(rows.met().collect::<Vec<_>>(), [(1, 0)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryRows(Vec<Vec<Memory>>);

impl MemoryRows {
    /// Pairs of states whose numbers are below this bound can be remembered.
    pub const STATES: u32 = 2048;

    /// Whether the pair can be remembered.
    #[inline]
    #[must_use]
    pub fn holds(initiator: u32, responder: u32) -> bool {
        initiator.max(responder) < Self::STATES
    }

    /// The remembered result of the pair.
    #[inline]
    #[must_use]
    pub fn get(&self, initiator: u32, responder: u32) -> Memory {
        let row = self.0.get(initiator as usize);
        row.and_then(|row| row.get(responder as usize)).copied().unwrap_or_default()
    }

    /// Remembers the pair.
    ///
    /// # Panics
    ///
    /// Panics if the pair [cannot](Self::holds) be remembered.
    pub fn insert(&mut self, initiator: u32, responder: u32, memory: Memory) {
        assert!(Self::holds(initiator, responder), "the pair ({initiator}, {responder}) has no place");
        let [row, place] = [initiator, responder].map(|number| number as usize);
        if self.0.len() <= row {
            self.0.resize_with(row + 1, Vec::new);
        }
        let row = &mut self.0[row];
        if row.len() <= place {
            row.resize(place + 1, Memory::Unmet);
        }
        row[place] = memory;
    }

    /// The pairs that have interacted, in the order of the initiator's and then the responder's number.
    pub fn met(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let row = |(a, row): (u32, &'_ Vec<Memory>)| {
            let met: Vec<(u32, u32)> =
                (0..).zip(row).filter(|(_, memory)| **memory != Memory::Unmet).map(|(b, _)| (a, b)).collect();
            met
        };
        (0..).zip(&self.0).flat_map(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_pair_with_a_place_is_kept_and_the_next_has_none() {
        let last = MemoryRows::STATES - 1;
        let mut rows = MemoryRows::default();
        rows.insert(last, last, Memory::Drawn(3));
        rows.insert(0, last, Memory::Fixed(0, 1));
        assert_eq!(rows.get(last, last), Memory::Drawn(3));
        assert_eq!((rows.get(last, 0), rows.get(7, 7)), (Memory::Unmet, Memory::Unmet));
        assert!(rows.met().eq([(0, last), (last, last)]));
        assert!(!MemoryRows::holds(last, last + 1) && !MemoryRows::holds(last + 1, last));
        assert_eq!(rows.get(last + 1, 0), Memory::Unmet);
    }

    #[test]
    #[should_panic(expected = "the pair (2048, 0) has no place")]
    fn a_pair_without_a_place_is_refused() {
        MemoryRows::default().insert(MemoryRows::STATES, 0, Memory::Unmet);
    }
}
