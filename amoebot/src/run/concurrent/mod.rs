//! Amoebots that act at the same time.
//!
//! An [`Algorithm`](crate::Algorithm) is written as if one amoebot acted at a time. The concurrency framework (Daymude,
//! Richa, Scheideler, DISC 2021, Algorithm 2) turns it into its concurrent form A′: an amoebot locks itself and its
//! neighbours, evaluates its guards on what it has locked, computes, moves, writes, unlocks. [`Concurrent`] executes A′
//! line by line; between any two lines of one amoebot others may execute theirs.
//!
//! | module | what |
//! |---|---|
//! | [`framework`] | A′, a step a line |
//! | [`counts`] | what happened so far |
//! | [`locks`] | Lock and Unlock: [`TryLocks`] may fail, [`NoLocks`] lock nothing |
//! | [`messages`] | [`MessageLocks`]: mutual exclusion by message passing: local, on the graph that the amoebots move, or another |
//! | [`every_message`] | [`EveryMessage`]: the same where nobody decides which message is next, for explorations |
//! | `standing` | where an amoebot is in its action |
//! | [`stepped`] | what an amoebot did in a step |
//! | [`log`] | what was done, in the order of the locks, and its sequential replay |

pub mod counts;
pub mod every_message;
pub mod framework;
pub mod locks;
pub mod log;
pub mod messages;
pub(crate) mod standing;
pub mod stepped;

pub use counts::Counts;
pub use every_message::EveryMessage;
pub use framework::Concurrent;
pub use locks::{Lock, Locks, NoLocks, TryLocks};
pub use log::{Completed, Log, ReplayError};
pub use messages::{MessageLocks, NotCarried, contact_graph};
pub use stepped::Stepped;
