//! Markov chains on cells, which the concurrency framework does not cover: in each step a random amoebot attempts a
//! move.
//!
//! | module | contents |
//! |---|---|
//! | [`compression`] | chain M: amoebots gather or spread at random, with a known stationary distribution |
//! | [`separation`] | chain M with colours: amoebots gather by colour, or mix |
//! | [`bridging`] | chain M between anchors, over land and a gap: amoebots build a bridge as a shortcut |
//! | [`phototaxis`] | chain M in which amoebots that see the light act less often, so that the group moves |
//! | [`foraging`] | chain M in which amoebots gather while there is food, and search while there is none |
//! | `locked` | chains in waves of steps that lock their cells |
//! | `markov` | the common part of all chains; custom chains implement [`ChainRule`] |
//! | `ring`, `grid` | the cells around an edge, and the moves that they allow; a grid with a byte per cell |
//! | `description` | type-erased chains for the catalogue |
//! | `error`, `parameters` | errors; options of chains |

pub mod bridging;
pub mod compression;
mod description;
mod error;
pub mod foraging;
mod grid;
mod locked;
mod markov;
mod parameters;
pub mod phototaxis;
mod ring;
pub mod separation;

pub use description::{ChainDescription, ChainStart, ChainState, RunningChain};
pub use error::{AREA_MAX, Biases, ChainError};
pub use grid::GridView;
pub use locked::LockedChain;
pub use markov::{CERTAIN, ChainRule, MarkovChain, acceptance_of, power};
pub use parameters::{Colouring, Layout};
pub use ring::{EdgeRing, MOVES, MoveTable};
