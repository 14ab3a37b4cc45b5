//! Exhaustive exploration of small systems.
//!
//! Each exploration is a model of `acrasin_explore`, which searches on every core. Its states are bytes: `packed`
//! encodes the position and a digest of the memory of each amoebot. `table` maps digests back to memories; `search` is
//! the part that all explorations share.
//!
//! | module | contents |
//! |---|---|
//! | [`mod@sequential`] | every sequential schedule |
//! | [`mod@concurrent`] | every order of the steps of the concurrency framework |
//! | [`mod@simultaneous`] | all executions in rounds; `isolated` lists every maximal set of isolated amoebots |
//! | [`mod@waves`] | all executions in waves, for every order of priorities |
//! | [`mod@conditions`] | checks the conventions of the concurrency framework |
//! | `route` | replay of executions that were found |
//! | `limits` | questions, limits and errors of all explorations |
//! | `keeper` | keeps checkpoints of explorations |

mod acts;
pub mod concurrent;
pub mod conditions;
mod conflicts;
mod isolated;
mod keeper;
mod limits;
mod packed;
mod rounds;
mod route;
mod search;
pub mod sequential;
pub mod simultaneous;
mod table;
pub mod waves;

pub use keeper::{CheckKeeper, Unkept};
pub use limits::{
    ABORTED, CheckLimits, DISCONNECTED, ExploreError, Questions, STUCK, WRONG_END, aborted, broken,
    first_failed,
};
pub use route::{RetraceMoves, Retraced, Route, changed};
pub use sequential::{
    Identities, Scope, SequentialExploration, SequentialTrace, TraceStep, explore, explore_within,
};
