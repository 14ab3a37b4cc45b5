//! Runs of every kind: population protocols on any rung, amoebots in any execution, and replays.
//!
//! One loop drives them all. It evaluates the stop rule, takes samples and pictures, polls the run control, and makes
//! the record. A [`ProcessRun`] combines the process, its stop rule, and its presentation in records and films.
//!
//! | module | contents |
//! |---|---|
//! | `header` | facts about a plan that are known before a run |
//! | `job` | inputs and results of a run |
//! | `drive` | the main loop |
//! | `process_run` | a process with its stop rule and its presentation |
//! | `turn_rule` | a stop rule for callers that drive a process themselves |
//! | `count_conditions` | stop conditions as conditions on counts |
//! | `checkpoint` | the state of a run, from which it continues |
//! | `configuration` | the digest of a configuration |
//! | `counted` | films of runs without distinct nodes |
//! | `filmed` | observation of runs node by node |
//! | `saved` | checkpoints of processes whose state is a sequence of packed values |
//! | `probe` | tests of processes before they are driven |
//! | `sampler` | counts over time |
//! | `sections` | sections that several kinds of records share |
//! | `mean_field` | the mean-field limit, shown with the counts |
//! | `source` | the scenario file, and the manifest that names it |

mod checkpoint;
mod configuration;
mod count_conditions;
mod counted;
mod drive;
mod filmed;
mod header;
mod job;
mod mean_field;
#[cfg(test)]
pub(crate) mod probe;
mod proceed;
mod process_run;
mod sampler;
pub(crate) mod saved;
mod sections;
mod source;
mod turn_rule;

pub use acrasin_process::Progress;
pub use filmed::{Changes, Filmed, NodeView, TraceObserver};
pub(crate) use header::PAIRS_UNRECORDED;
pub use header::PlanHeader;
pub use job::{Finished, Job, JobReplayError, RunControl, RunError, Snapshot, Unwatched};
pub(crate) use job::{free, has_time_for_figures};
pub use proceed::Proceed;

pub use checkpoint::{CheckpointKeeper, RunState};
pub(crate) use checkpoint::{SavedNumbers, push_numbers, push_option};
pub use configuration::configuration_digest;
pub(crate) use count_conditions::CountConditions;
pub(crate) use drive::{Drive, DriverState, Turn, called_off};
pub(crate) use mean_field::beside;
pub(crate) use process_run::{CountStop, Presentation, ProcessRun, ProcessStop};
pub(crate) use sampler::{Distance, Sampler};
pub(crate) use sections::{counts_section, last_agents, last_digest, present};
pub(crate) use source::ScenarioSource;
pub(crate) use turn_rule::BareRun;
pub use turn_rule::TurnRule;
