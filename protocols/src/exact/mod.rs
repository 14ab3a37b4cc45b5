//! Small populations without sampling: the Markov chain on counts, solved.
//!
//! Under the uniform scheduler on the complete graph (each interaction a uniformly random ordered pair of distinct
//! agents) the counts of the states form a Markov chain. For small populations [`ExactChain`] lists its
//! configurations and computes hitting times, their variance, the probability of each end, and the law after t
//! interactions. These numbers are what every engine is tested against.
//!
//! Whether a population has *stabilised* depends on everything that can still happen. [`ExactChain::forever`] marks the
//! configurations from which a property always holds. The functions that take marks compute when such a configuration
//! is reached.
//!
//! ```
//! use acrasin_protocols::{Table, exact::ExactChain, library::ExactMajority};
//!
//! let table = Table::compile(&ExactMajority)?; // A, B, a, b
//! let chain = ExactChain::explore(&table, &[6, 4, 0, 0])?;
//! let all_answer_a = chain.forever(|counts| counts[1] + counts[3] == 0);
//! let stabilisation = chain.hitting_marked(&all_answer_a)?;
//! assert!((stabilisation.mean - 65.5272).abs() < 1e-4);
//! assert!((chain.chance_within(&all_answer_a, 65) - 0.6).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Expectations come from eliminating one configuration after another (Grassmann, Taksar, Heyman, Operations
//! Research 33, 1985). It adds, multiplies and divides numbers that are not negative and never subtracts, so the
//! relative error stays near that of single operations, however long the hitting time.

mod chain;
mod elimination;
mod hitting;
mod stabilising;

pub use chain::{ExactChain, ExactError, MAX_AGENTS, MAX_CONFIGURATIONS};
pub use hitting::Hitting;
