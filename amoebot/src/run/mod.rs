//! Runs: one amoebot at a time, in rounds, concurrently with locks, in waves on every core.
//!
//! | module | what |
//! |---|---|
//! | [`execution`], [`enabled`] | one amoebot at a time: uniform, round robin, adversary; rounds and counts |
//! | [`fairness`] | unfair, weakly and strongly fair as values; which concurrency and which fairness is which type |
//! | [`concurrent`] | the concurrency framework: the same algorithms, every amoebot at the same time, with locks |
//! | [`simultaneous`] | several act in one step, without locks: synchronous, k-isolated |
//! | [`parallel`] | waves of disjoint lock sets on every core |
//! | [`tiles`] | windows of tiles on every core: one after another inside each |
//! | [`overlap`] | the check that lock sets of one moment are disjoint |
//! | `affected`, `pending` | whose guards an action may have changed; whom a round waits for |

mod affected;
pub mod concurrent;
pub mod enabled;
pub mod execution;
pub mod fairness;
pub mod overlap;
pub mod parallel;
mod pending;
pub mod simultaneous;
pub mod tiles;
