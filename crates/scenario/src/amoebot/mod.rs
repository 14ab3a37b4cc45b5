//! Scenarios of amoebots: a document type of their own, told by its field `amoebots`.
//!
//! [`ScenarioFile`](crate::ScenarioFile) reads a file of either kind. [`AmoebotPlan`] is what an [`AmoebotDocument`]
//! means, ready to run or to check.
//!
//! ```
//! use std::path::Path;
//!
//! use acrasin_scenario::{AmoebotPlan, ScenarioFile};
//! use acrasin_scenario::plan::{Job, Unwatched};
//!
//! let text = "(amoebots: (algorithm: Hexagon, start: Line(count: 7)))";
//! let ScenarioFile::Amoebots(document) = ScenarioFile::parse(text, "line.ron", &[])? else { panic!("amoebots") };
//! let plan = AmoebotPlan::new(&document, Path::new(""))?;
//! let finished = plan.run(&Job { seed: 7, repetition: 0, watch: &Unwatched, record: None })?;
//! assert_eq!(finished.record.outcome().word, "terminated");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`scenario`] | every field that can be written |
//! | [`algorithm`] | the algorithm: a name of the catalogue with its parameters, or a file |
//! | `exclusion` | the mutual exclusion algorithms that amoebots run over |
//! | `plan` | what is written as what is meant |
//! | `drawing` | a start that is drawn in a file |
//! | `moment` | a start from a moment of a recorded run |
//! | `placement` | cells and orientations, drawn if they are |
//! | `memory` | how much a run takes |
//! | `object` | the object of a coating, and who stands beside it |
//! | `run` | the start of a run, and who acts when |
//! | `process` | a process that moves amoebots, and what a record shows of it |
//! | `engine` | what all ways of running an algorithm have in common |
//! | `one_by_one`, `at_once`, `waves`, `tiles`, `rounds` | one amoebot at a time; in the concurrency framework; in waves; in windows of tiles; in rounds without locks |
//! | `recording`, `again` | what was done, in a file; and done again |
//! | `checkpoints` | recordings of rounds and chains, which are made again |
//! | `serial` | what runs with locks have in common: the same actions, one after the other |
//! | `chain` | a Markov chain |
//! | `filmed` | what is known of each amoebot at one moment |
//! | `scene`, `figures` | states, pictures and drawings; what is measured of the cells |
//! | `check` | every schedule |

mod again;
pub mod algorithm;
mod at_once;
mod chain;
mod check;
mod checkpoints;
mod drawing;
mod engine;
mod exclusion;
mod figures;
mod filmed;
mod memory;
mod moment;
#[cfg(test)]
mod no_roots;
mod object;
mod one_by_one;
mod placement;
mod plan;
mod process;
mod recording;
mod rounds;
mod run;
pub mod scenario;
mod scene;
mod serial;
mod tiles;
mod waves;

pub use check::{
    Allowance, AmoebotState, Checked, FINAL_SHAPES_SHOWN, Found, RunMoment, RunToViolation, Truncated, Under,
    Violation, Why,
};
pub use plan::AmoebotPlan;
pub use scenario::AmoebotScenario;

/// A scenario of amoebots: what was written, and where.
pub type AmoebotDocument = crate::Document<AmoebotScenario>;
