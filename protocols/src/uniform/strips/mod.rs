//! Rings and tori on every core, with the result of one core.
//!
//! A torus is cut into strips that about fit a core's cache. Clocks of edges ([`clock`]) say what happens, strip by
//! strip, without a draw that depends on another strip's; interactions across a seam have a time, which tells both
//! strips where they belong. A window of many frames is executed in two phases, each in parallel:
//!
//! 1. every strip in order ([`strip`]): an interaction across a seam taints its agents, one with a tainted agent taints
//!    both, and both kinds are left for later;
//! 2. around every seam what was left, in order ([`seam`]). Where what two seams left has met, they are one.
//!
//! Nothing is approximated and nothing taken back. The run is defined by the order of times ([`Strips::ordered`]);
//! windows of any length give the same, at any interaction.
//!
//! | module | what |
//! |---|---|
//! | `shape` | strips of rows |
//! | `poisson` | how many interactions in a stretch of time |
//! | `clock` | when, where and who |
//! | `pairs` | who within a strip, in the lanes of vectors |
//! | `trace` | the interactions of some frames; the first so many of a frame |
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
