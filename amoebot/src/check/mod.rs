//! Everything that can happen to small systems.
//!
//! | module | what |
//! |---|---|
//! | [`mod@sequential`] | every sequential schedule; `graph` and `ways` are its states and the ways in them |
//! | [`mod@concurrent`] | every order of the steps of the concurrency framework |
//! | [`mod@simultaneous`] | all runs in rounds; `isolated` lists every maximal set of isolated amoebots |
//! | [`mod@conditions`] | whether an algorithm meets the conventions that the framework asks for |
//! | `limits` | limits and questions of all explorations |

pub mod concurrent;
pub mod conditions;
mod graph;
mod isolated;
mod limits;
pub mod sequential;
pub mod simultaneous;
mod ways;

pub use limits::{ABORTED, DISCONNECTED, ExploreError, Limits, Questions, STUCK, WRONG_END, broken};
pub use sequential::{Exploration, Identities, Scope, Trace, TraceStep, explore, explore_within};
