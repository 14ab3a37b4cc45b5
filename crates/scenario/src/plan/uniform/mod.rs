//! Population protocols under the uniform scheduler, without locks: rung F0.
//!
//! - `law.rs`, `faults.rs`: the law by which pairs are drawn, and faults of agents.
//! - `agents.rs`: the agents under each law.
//! - `plan.rs`: the checked scenario.
//! - `run.rs`: the run.
//! - `recorded.rs`: recordings of single interactions.
//! - `side_by_side.rs`: several populations advanced together.
//! - `trials.rs`: many runs from one start, without records.

mod agents;
mod faults;
mod law;
mod plan;
mod recorded;
mod run;
mod side_by_side;
mod stage;
mod trials;

pub use crate::document::edges::Initiator;
pub(super) use law::Law;
pub use plan::UniformPlan;
pub(super) use plan::{complete_size, every, without_locks};
pub use recorded::InteractionRun;
pub use trials::{TrialEnd, trials};
