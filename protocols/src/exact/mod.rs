//! Exact solution of small populations: the Markov chain on counts, without sampling.
//!
//! Under the uniform scheduler on the complete graph (each interaction a uniformly random ordered pair of distinct
//! agents) the counts of the states form a Markov chain. For small populations [`ExactChain`] lists its configurations
//! and computes hitting times, their variance, the probability of each final configuration, and the distribution after
//! t interactions. Every engine is tested against these numbers.
//!
//! Whether a population has *stabilised* depends on all configurations that it can still reach. [`ExactChain::forever`]
//! marks the configurations from which a property always holds. The functions that take marks compute the time and the
//! probability of reaching such a configuration.
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
//! Expectations are computed by eliminating one configuration after another (Grassmann, Taksar, Heyman, Operations
//! Research 33, 1985). This adds, multiplies and divides nonnegative numbers and never subtracts. So the relative error
//! stays near that of single operations, even for long hitting times.

mod chain;
mod elimination;
mod hitting;
mod stabilising;

pub use chain::{ExactChain, ExactError, MAX_AGENTS, MAX_CONFIGURATIONS};
pub use hitting::Hitting;
