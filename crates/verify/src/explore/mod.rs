//! Exhaustive exploration: every configuration that some schedule, some draw and some change of the graph can reach.
//!
//! - [`Model`]: what is explored. [`Moves`]: what it lists of one configuration.
//! - [`explore`]: breadth first, on every core, the same result for any number of threads.
//! - [`Exploration`]: how many configurations, what is wrong, the shortest way to it.
//! - [`Graph`]: all moves, for questions about infinite runs: [`Components`], [`fair_component`].

mod components;
mod fair;
mod graph;
mod model;
mod result;
mod run;
mod store;

pub use components::Components;
pub use fair::{FairComponent, fair_component, fair_components};
pub use graph::Graph;
pub use model::{Broken, Duty, Model, MoveId, Moves};
pub use result::{Exploration, Finding, Trace, Truncated};
pub use run::{Limits, Progress, explore};
