//! Population protocols under the uniform scheduler, without locks: rung F0.
//!
//! - `plan.rs`: from what is written to what is meant.
//! - `course.rs`: the run.
//! - `goals.rs`: what it stops at, as conditions on counts.

mod course;
mod goals;
mod plan;

pub(super) use goals::STABLE;
pub use plan::UniformPlan;
