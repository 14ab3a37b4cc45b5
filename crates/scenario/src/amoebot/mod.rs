//! Scenarios of amoebots: a separate document type, recognised by the field `amoebots`.
//!
//! [`ScenarioFile`](crate::ScenarioFile) reads a file of any kind. [`AmoebotPlan`] is a checked [`AmoebotDocument`],
//! ready to run or to check.
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
//! | module | contents |
//! |---|---|
//! | [`scenario`] | every field that can be written |
//! | [`algorithm`] | the algorithm: a name of the catalogue with its parameters, or a file |
//! | `exclusion` | mutual exclusion algorithms for message-passing locks |
//! | `plan` | the checked scenario |
//! | `drawing` | a start that is drawn in a file |
//! | `recorded_start` | a start from a configuration of a recorded run |
//! | `placement` | cells and orientations of a start |
//! | `memory` | memory estimates of a run |
//! | `object` | the object of a coating, and starts next to it |
//! | `run` | the start of a run, and the choice of the engine |
//! | `process` | a process that moves amoebots, and its record |
//! | `engine` | the interface of the execution engines |
//! | `activation_run`, `concurrent_run`, `waves`, `tiles`, `rounds` | engines: sequential, concurrent, waves, tiles, rounds |
//! | `recording`, `action_replay` | recordings of actions, and their replay |
//! | `checkpoints` | recordings of rounds and chains, which are repeated from the seed |
//! | `serial` | serialisation of runs with locks |
//! | `chain` | runs of Markov chains |
//! | `synchronous` | runs of other models in synchronous rounds |
//! | `filmed` | views of single amoebots for films |
//! | `pins` | pins, circuits, beeps and bonds in films and pictures |
//! | `scene`, `figures` | states, pictures and drawings; measures of the occupied cells |
//! | `check` | checks of all schedules |

mod action_replay;
mod activation_run;
pub mod algorithm;
mod chain;
mod check;
mod checkpoints;
mod concurrent_run;
mod drawing;
mod engine;
mod exclusion;
mod figures;
mod filmed;
mod memory;
#[cfg(test)]
mod no_roots;
mod object;
mod pins;
mod placement;
mod plan;
mod process;
mod recorded_start;
mod recording;
mod rounds;
mod run;
#[cfg(test)]
mod saved_runs;
pub mod scenario;
mod scene;
mod serial;
mod synchronous;
mod tiles;
mod waves;

pub use check::{Allowance, AmoebotState, FINAL_SHAPES_SHOWN, RunMoment, RunToViolation};
pub use plan::AmoebotPlan;
pub use scenario::AmoebotScenario;

/// A scenario of amoebots as written, with the position of each value in the file.
pub type AmoebotDocument = crate::Document<AmoebotScenario>;
