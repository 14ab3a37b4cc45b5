//! The task for tests and benchmarks of waves.

use super::task::{Held, WaveTask};
use crate::draw::{Draws, NodeDraws, Purpose};

/// A cell of the closed-neighbourhood task.
pub trait CellValue: Copy + Send + Sync {
    /// The sum modulo a power of two.
    #[must_use]
    fn add(self, other: Self) -> Self;

    /// The low bits of a random word.
    #[must_use]
    fn of_word(word: u64) -> Self;
}

macro_rules! cells {
    ($($cell:ty),*) => {
        $(impl CellValue for $cell {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn of_word(word: u64) -> Self {
                word as $cell
            }
        })*
    };
}

cells!(u8, u16, u32, u64);

/// The task L1 of `acrasin bench`: reads a cell and its four neighbours, and updates all five cells.
///
/// The sum of the five becomes the value of the cell, and is added to each neighbour. So the result depends on the
/// order of all nodes that are close to each other.
#[inline(always)]
#[must_use]
pub fn spread<C: CellValue>([own, east, north, west, south]: [C; 5]) -> [C; 5] {
    let sum = own.add(east).add(north).add(west).add(south);
    [sum, east.add(sum), north.add(sum), west.add(sum), south.add(sum)]
}

/// The task that applies [`spread`] to a node and its four neighbours. A node with fewer neighbours does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpreadTask<C>(std::marker::PhantomData<fn() -> C>);

impl<C> SpreadTask<C> {
    /// Creates the task.
    #[must_use]
    pub fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<C: CellValue> WaveTask for SpreadTask<C> {
    type State = C;
    type Outcome = ();

    #[inline(always)]
    fn enter<H: Held<State = C>>(&self, held: &mut H, _draws: &mut NodeDraws) {
        let (Some(&east), Some(&north), Some(&west), Some(&south)) =
            (held.neighbour(1), held.neighbour(2), held.neighbour(3), held.neighbour(4))
        else {
            return;
        };
        let [own, neighbours @ ..] = spread([*held.own(), east, north, west, south]);
        *held.own_mut() = own;
        for (port, state) in (1..).zip(neighbours) {
            if let Some(neighbour) = held.neighbour_mut(port) {
                *neighbour = state;
            }
        }
    }
}

/// Random values for all cells, as a function of the seed ([`Purpose::Initial`]).
#[must_use]
pub fn random_cells<C: CellValue>(draws: Draws, nodes: u32) -> Vec<C> {
    let stream = draws.stream(Purpose::Initial, 0);
    (0..u64::from(nodes)).map(|node| C::of_word(stream.word(node))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_updates_all_five_cells() {
        assert_eq!(spread([1_u8, 2, 3, 4, 250]), [4, 6, 7, 8, 254]);
    }

    #[test]
    fn initial_cells_are_golden() {
        assert_eq!(random_cells::<u8>(Draws::new(1), 4), GOLDEN_CELLS);
    }

    const GOLDEN_CELLS: [u8; 4] = [223, 121, 54, 83];
}
