//! Execution drivers: sequential, in rounds, concurrent with locks, and on every core in waves or tiles.
//!
//! | module | contents |
//! |---|---|
//! | [`execution`], [`enabled`] | one amoebot at a time: uniform, round robin, or any adversary; rounds and counters |
//! | [`fairness`] | unfair, weakly fair and strongly fair adversaries; the types that represent them |
//! | [`concurrent`] | the concurrency framework, in which all amoebots act concurrently, with locks |
//! | [`simultaneous`] | several amoebots act in one step, without locks: synchronous, k-isolated |
//! | [`parallel`] | waves of disjoint lock sets on every core |
//! | [`tiles`] | windows of tiles on every core; inside a tile amoebots act one after another |
//! | [`overlap`] | the check that lock sets held at one moment are disjoint |
//! | `affected`, `pending` | the amoebots whose guards may have changed; the amoebots for which a round waits |
//! | `awake` | the awake amoebots of waves and tiles, loaded from a checkpoint |

mod affected;
mod awake;
pub mod concurrent;
pub mod enabled;
pub mod execution;
pub mod fairness;
pub mod overlap;
pub mod parallel;
mod pending;
pub mod simultaneous;
pub mod tiles;
