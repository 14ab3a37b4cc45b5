//! Population protocols under the uniform scheduler, without locks: rung F0.
//!
//! - `law.rs`, `faults.rs`: who meets whom, and what happens to agents.
//! - `agents.rs`: the agents under each law.
//! - `plan.rs`: from what is written to what is meant.
//! - `course.rs`: the run.
//! - `goals.rs`: what it stops at, as conditions on counts.
//! - `configuration.rs`: the digest of the agents.

mod agents;
mod configuration;
mod course;
mod faults;
mod goals;
mod law;
mod plan;
mod stage;

pub use configuration::configuration_digest;
pub(super) use goals::{CountGoals, STABLE, agreed};
pub use law::Initiator;
pub(super) use law::Law;
pub use plan::UniformPlan;
pub(super) use plan::{every, everybody, without_locks};
