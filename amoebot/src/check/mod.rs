//! Everything that can happen to small systems.
//!
//! Each of these is a model of `acrasin_explore`, which searches on every core: its states are bytes. `packed` writes where
//! amoebots are, and for what they remember a digest; `table` has the memories by digest; `search` is what all have in
//! common.
//!
//! | module | what |
//! |---|---|
//! | [`mod@sequential`] | every sequential schedule |
//! | [`mod@concurrent`] | every order of the steps of the concurrency framework |
//! | [`mod@simultaneous`] | all runs in rounds; `isolated` lists every maximal set of isolated amoebots |
//! | [`mod@waves`] | all runs in waves, whoever goes first |
//! | [`mod@conditions`] | whether an algorithm meets the conventions that the framework asks for |
//! | `route` | runs that were found, to be taken again |
//! | `limits` | limits and questions of all explorations |

pub mod concurrent;
pub mod conditions;
mod conflicts;
mod isolated;
mod limits;
mod packed;
mod route;
mod search;
pub mod sequential;
pub mod simultaneous;
mod table;
pub mod waves;

pub use limits::{
    ABORTED, DISCONNECTED, ExploreError, Limits, Questions, STUCK, WRONG_END, aborted, broken, first_failed,
};
pub use route::{Retraced, Route, changed};
pub use sequential::{Exploration, Identities, Scope, Trace, TraceStep, explore, explore_within};
