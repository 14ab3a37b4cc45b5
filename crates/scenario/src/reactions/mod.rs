//! Scenarios of reaction networks: molecules in a well-mixed vessel, or nodes of a graph, in continuous time.
//!
//! A scenario with a field `reactions` is of this kind. [`ReactionScenario`] has its fields; `reactions.ron` next to
//! this crate's manifest shows each with its meaning. The rates are defined in [`acrasin_protocols::reactions`].
//!
//! ```
//! use acrasin_scenario::{Job, ReactionPlan, ScenarioFile, Unwatched};
//!
//! let text = r#"(
//!     reactions: (species: ["A", "B"], rules: [("2 A -> B", 1.0), ("B -> 2 A", 0.5)], volume: 10, initial: {"A": 40}),
//!     stop: [Time(20)],
//! )"#;
//! let ScenarioFile::Reactions(document) = ScenarioFile::parse(text, "dimers.ron", &[])? else { panic!("reactions") };
//! let plan = ReactionPlan::new(&document)?;
//! let finished = plan.run(&Job { seed: 7, repetition: 0, watch: &Unwatched, record: None })?;
//! assert_eq!(finished.record.outcome().word, "elapsed");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`scenario`] | every field that can be written |
//! | `plan` | the checked scenario |
//! | `start` | the initial counts, and changes of counts at given times |
//! | `graph` | the graph on which nodes react |
//! | `run` | the run |

mod graph;
mod plan;
mod run;
pub mod scenario;
mod start;

pub use plan::ReactionPlan;
pub use scenario::ReactionScenario;

/// A scenario of reactions as written, with the position of each value in the file.
pub type ReactionDocument = crate::Document<ReactionScenario>;
