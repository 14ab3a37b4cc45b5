//! A run, whatever runs: population protocols on any rung, amoebots in any way, a recorded run applied again.
//!
//! One loop drives them all. It looks whether the run is at its end, counts, takes pictures, asks the watch, and
//! makes the record; a [`ProcessRun`] joins the process, which takes the next
//! steps, the stop rule, which ends it, and what a plan shows of it.
//!
//! | module | what |
//! |---|---|
//! | `header` | what all plans have |
//! | `job` | what a caller gives to a run and gets back |
//! | `drive` | the loop |
//! | `process_run` | a process, when it ends, and what a plan shows of it |
//! | `turn_rule` | a stop rule for callers that drive a process themselves |
//! | `count_conditions` | stop conditions as conditions on counts |
//! | `configuration` | the digest of a configuration |
//! | `counted` | a run whose nodes are not kept apart, as it is filmed |
//! | `filmed` | a run that can be looked at node by node, and who looks |
//! | `sampler` | counts over time |
//! | `sections` | sections that records of several kinds of runs have |
//! | `mean_field` | the limit of many agents beside them |
//! | `source` | the scenario file, and the manifest that names it |

mod configuration;
mod count_conditions;
mod counted;
mod drive;
mod filmed;
mod header;
mod job;
mod mean_field;
mod process_run;
mod sampler;
mod sections;
mod source;
mod turn_rule;

pub use acrasin_process::Progress;
pub use filmed::{Eye, Filmed, Look, Since};
pub(crate) use header::PAIRS_UNRECORDED;
pub use header::PlanHeader;
pub(crate) use job::free;
pub use job::{Finished, Job, Proceed, ReplayError, RunError, Snapshot, Unwatched, Watch};

pub use configuration::configuration_digest;
pub(crate) use count_conditions::CountConditions;
pub(crate) use drive::{Drive, Turn, Underway, called_off};
pub(crate) use mean_field::beside;
pub(crate) use process_run::{CountStop, Presentation, ProcessRun, Stop};
pub(crate) use sampler::{Distance, Sampler};
pub(crate) use sections::{counts_section, last_agents, last_digest, present};
pub(crate) use source::Source;
pub(crate) use turn_rule::BareRun;
pub use turn_rule::TurnRule;
