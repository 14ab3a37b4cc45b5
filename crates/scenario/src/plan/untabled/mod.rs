//! Protocols without a table under the uniform scheduler: with more states than a table holds, or with states of edges.
//!
//! - `plan.rs`: from what is written to what is meant.
//! - `course.rs`: the run.

mod course;
mod plan;

pub use plan::UntabledPlan;
