//! Rounds of two halves: algorithms as tables of rounds, and their execution.
//!
//! | module | content |
//! |---|---|
//! | `table` | [`RoundTable`], the form of an algorithm |
//! | `coins` | [`Coins`]: keyed, from a list, or all outcomes |
//! | `exact` | [`ExactLaw`]: probabilities over all outcomes of coins |
//! | `outcomes` | [`explore_outcomes`]: all runs from one start, for all outcomes of coins |
//! | `losses` | [`Losses`]: beeps that are not received |
//! | `run` | [`CircuitRun`], the execution |

mod coins;
mod exact;
mod losses;
mod outcomes;
mod run;
mod table;

pub use coins::{CoinToss, CoinTrouble, Coins};
pub use exact::{ExactLaw, ExactLawError};
pub use losses::Losses;
pub use outcomes::explore_outcomes;
pub use run::{CircuitRun, HalfFigures, RunTrouble};
pub use table::{Halves, RoundTable, Seat};
