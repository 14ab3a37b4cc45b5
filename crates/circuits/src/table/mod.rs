//! Algorithms as tables of rounds in files.
//!
//! | module | content |
//! |---|---|
//! | `written` | [`WrittenCircuitAlgorithm`], a table with names |
//! | `resolve` | names to positions, and the checks of each effect at its place |
//! | `algorithm` | [`CircuitTable`], the algorithm that a table defines |

mod algorithm;
mod resolve;
mod written;

pub use algorithm::{CircuitTable, CircuitTableMemory, TableRound};
pub use written::{
    CircuitCondition, CircuitEffect, CircuitGoal, FrameText, PinGroup, WrittenCircuitAlgorithm, WrittenRound,
};
