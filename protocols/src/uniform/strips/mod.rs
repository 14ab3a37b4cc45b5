//! Rings and tori on every core, with the result of one core.
//!
//! A torus is cut into strips that about fit a core's cache. Clocks of edges ([`clock`]) determine the interactions of
//! each strip from its own draws. Interactions across a seam have a time, which places them in the order of both
//! strips. A window of many frames is executed in two phases, each in parallel:
//!
//! 1. Each strip executes its interactions in order ([`strip`]). An interaction across a seam taints its agents, and an
//!    interaction with a tainted agent taints both; both kinds are deferred.
//! 2. The deferred interactions around each seam are executed in order ([`seam`]). Seams whose deferred interactions
//!    share agents are executed as one.
//!
//! The result is exact, without rollback. The order of times defines the run ([`Strips::ordered`]), so windows of any
//! length give the same configuration after any interaction.
//!
//! | module | what |
//! |---|---|
//! | `shape` | strips of rows |
//! | `poisson` | the number of interactions in an interval of time |
//! | `clock` | times and places of interactions |
//! | `pairs` | pairs within a strip, in the lanes of vectors |
//! | `trace` | the interactions of several frames, or a prefix of a frame |
//! | `strip`, `seam` | the two phases |
//! | `execution`, `counted` | the run; with counts |

mod clock;
mod counted;
mod execution;
mod pairs;
mod poisson;
mod seam;
mod shape;
mod strip;
#[cfg(test)]
mod tests;
mod trace;

pub(super) use execution::Strips;
pub(super) use shape::StripShape;
