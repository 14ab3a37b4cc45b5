//! Protocols without a table under the uniform scheduler: with more states than a table holds, or with states of edges.
//!
//! - `plan.rs`: the checked scenario.
//! - `run.rs`: the run.

mod plan;
mod run;

pub use plan::LazyPlan;
