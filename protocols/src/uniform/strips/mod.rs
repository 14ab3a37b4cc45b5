//! Rings and tori on all cores, with the same result as on one core.
//!
//! A torus is divided into strips that approximately fit in the cache of a core. Clocks of edges ([`clock`]) determine
//! the interactions of each strip from its own draws. Each interaction across a seam has a time, which orders it among
//! the interactions of both strips. A window of many frames is executed in two phases, each in parallel:
//!
//! 1. Each strip executes its interactions in order ([`strip`]). An interaction across a seam taints its agents. An
//!    interaction with a tainted agent taints both agents. Both kinds of interactions are deferred.
//! 2. The deferred interactions around each seam are executed in order ([`seam`]). Seams whose deferred interactions
//!    share agents are executed as one.
//!
//! The result is exact, without rollback. The run is defined by the order of times ([`Strips::ordered`]). So windows of
//! any length give the same configuration after any number of interactions.
//!
//! | module | what |
//! |---|---|
//! | `shape` | the division into strips of rows |
//! | `poisson` | draws of the number of interactions in an interval of time |
//! | `clock` | numbers, times and positions of interactions |
//! | `pairs` | pairs within a strip, in the lanes of vectors |
//! | `trace` | the interactions of several frames, or a prefix of a frame |
//! | `strip`, `seam` | the first and the second phase |
//! | `execution`, `counted` | runs; runs that keep the counts up to date |
//! | `ranked` | runs on several ranks, each of which has a block of strips |

mod clock;
mod counted;
mod execution;
mod pairs;
mod poisson;
mod ranked;
mod seam;
mod shape;
mod strip;
#[cfg(test)]
mod tests;
mod trace;

pub(super) use execution::Strips;
pub(super) use shape::StripShape;
