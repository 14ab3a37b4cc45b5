//! Markov chains on cells, which the concurrency framework does not cover: one random amoebot moves at a time.
//!
//! | module | what |
//! |---|---|
//! | [`compression`] | chain M: amoebots gather or spread at random, with a known stationary law |
//! | [`separation`] | chain M with colours: amoebots gather by colour, or mix |
//! | [`bridging`] | chain M between anchors, over land and a gap: a bridge as a shortcut |
//! | `parameters` | which chain, and with which biases |

pub mod bridging;
pub mod compression;
mod parameters;
pub mod separation;

pub use parameters::{Colouring, Layout, MarkovChain};
