//! The interface between runs and their drivers: progress, stop rules and endings.
//!
//! ```text
//! the written stop specification ──► StopRule ──┐
//! counters of an engine ───────────► Progress ──┴──► Ending ──► word, sentence, exit code
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `progress` | [`Progress`], the counters of a run; [`Measure`] and [`StopBound`] |
//! | `process` | [`Process`], the trait that engines implement; [`RunBound`], [`Advance`] |
//! | `condition` | [`Condition`], a condition on counts; [`StopCondition`], a stop condition of a user's crate |
//! | `checkpoint` | [`RestoreError`], the errors of [`Process::restore`] |
//! | `container` | [`CheckpointParts`], the bytes of a checkpoint with checksums |
//! | `stop_rule` | [`StopRule`], the only evaluator of goals, limits and the end of a trace |
//! | `ending` | [`Ending`], the way a run ended, as a value |
//! | `ranks` | [`Ranks`], processes that run one command together; [`LocalRanks`], threads in their place |
//!
//! Engines and plans depend on this crate; it depends on no other member. Sentences are made from endings only for
//! output; code compares values, never sentences.

mod checkpoint;
mod condition;
mod container;
mod ending;
mod process;
mod progress;
mod ranks;
mod stop_rule;

pub use checkpoint::RestoreError;
pub use condition::{Condition, ProgressCondition, StopCondition};
pub use container::{CheckpointError, CheckpointParts};
pub use ending::{Awaited, Ending, Exit, Goal, Quiescence, ReplayFinding};
pub use process::{Advance, Expected, Metric, Process, RunBound};
pub use progress::{Measure, Progress, StopBound};
pub use ranks::{LocalRanks, Ranks};
pub use stop_rule::{StopGoal, StopRule};
