//! Markov chains on cells, which the concurrency framework does not cover: one random amoebot moves at a time.
//!
//! | module | what |
//! |---|---|
//! | [`compression`] | chain M: amoebots gather or spread at random, with a known stationary law |
//! | [`separation`] | chain M with colours: amoebots gather by colour, or mix |
//! | [`bridging`] | chain M between anchors, over land and a gap: a bridge as a shortcut |
//! | [`phototaxis`] | chain M in which amoebots that see the light act less: all of them crawl |
//! | [`foraging`] | chain M that gathers while there is food, and searches while there is none |
//! | `locked` | chains in waves of steps that have locked their cells |
//! | `markov` | what all chains have in common: a chain of one's own is a [`Rule`] |
//! | `ring`, `grid` | the cells round an edge, and which moves they allow; a byte for each cell |
//! | `description` | chains without their types, as the catalogue has them |
//! | `error`, `parameters` | why there is no such chain; what is chosen for one |

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

pub use description::{ChainDescription, ChainStart, RunningChain};
pub use error::{AREA_MAX, Biases, ChainError};
pub use grid::Sight;
pub use locked::LockedChain;
pub use markov::{CERTAIN, MarkovChain, Rule, acceptance_of, power};
pub use parameters::{Colouring, Layout};
pub use ring::{MOVES, MoveTable, Ring};
