//! Amoebots that act concurrently.
//!
//! An [`Algorithm`](crate::Algorithm) is written as if one amoebot acted at a time. The concurrency framework (Daymude,
//! Richa, Scheideler, DISC 2021, Algorithm 2) turns it into its concurrent form A′. An amoebot locks itself and its
//! neighbours, evaluates its guards on the locked amoebots, computes, expands if it must, writes, contracts if it must,
//! and unlocks. [`Concurrent`] executes A′ line by line; between any two lines of one amoebot other amoebots may
//! execute theirs.
//!
//! | module | contents |
//! |---|---|
//! | [`framework`] | the concurrent form A′ of an algorithm, executed line by line |
//! | [`counts`] | counters |
//! | [`locks`] | Lock and Unlock: with [`TryLocks`] a Lock may fail, [`NoLocks`] lock nothing |
//! | [`messages`] | [`MessageLocks`]: mutual exclusion by message passing, on the changing contact graph |
//! | [`every_message`] | [`EveryMessage`]: message locks without a scheduler, for explorations |
//! | `control` | the control state of an amoebot in its action |
//! | [`stepped`] | the result of a step |
//! | [`log`] | the actions of a run, in the order of the locks, and their sequential replay |

pub(crate) mod control;
pub mod counts;
pub mod every_message;
pub mod framework;
pub mod locks;
pub mod log;
pub mod messages;
pub mod stepped;

pub use counts::ConcurrentCounts;
pub use every_message::EveryMessage;
pub use framework::Concurrent;
pub use locks::{LockOutcome, Locks, NoLocks, SavedLocks, TryLocks};
pub use log::{ActionLog, Completed, LogCursor, SerialReplayError};
pub use messages::{MessageLocks, NotCarried, contact_graph};
pub use stepped::Stepped;
