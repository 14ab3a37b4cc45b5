//! Small populations without sampling: the Markov chain on counts, solved.
//!
//! Under the uniform scheduler on the complete graph (each interaction a uniformly random ordered pair of distinct
//! agents) the counts of the states form a Markov chain. For small populations [`ExactChain`] lists its
//! configurations and computes hitting times, their variance, the probability of each end, and the law after t
//! interactions. These numbers are what every engine is tested against.
//!
//! Expectations come from eliminating one configuration after another (Grassmann, Taksar, Heyman, Operations
//! Research 33, 1985). It adds, multiplies and divides numbers that are not negative and never subtracts, so the
//! relative error stays near that of single operations, however long the hitting time.

mod chain;
mod elimination;
mod hitting;

pub use chain::{ExactChain, ExactError, MAX_AGENTS, MAX_CONFIGURATIONS};
pub use hitting::Hitting;
