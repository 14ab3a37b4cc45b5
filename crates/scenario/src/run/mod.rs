//! A run, whatever runs: population protocols on any rung, amoebots in any way, a recorded run applied again.
//!
//! One loop drives them all. It looks whether the run is at its end, counts, takes pictures, asks whoever watches, and
//! makes the record; a [`Course`] says how to take the next steps, what its counts and figures are, and when its goals hold.
//!
//! | module | what |
//! |---|---|
//! | `job` | what a caller gives to a run and gets back |
//! | `course` | something that can be advanced and looked at |
//! | `drive` | the loop |
//! | `counted` | a run whose nodes are not kept apart, as it is filmed |
//! | `filmed` | a run that can be looked at node by node, and who looks |
//! | `sampler` | counts over time |
//! | `mean_field` | the limit of many agents beside them |
//! | `source` | the scenario file, and the manifest that names it |

mod counted;
mod course;
mod drive;
mod filmed;
mod job;
mod mean_field;
mod sampler;
mod source;

pub use filmed::{Eye, Filmed, Look, Since};
pub use job::{At, Finished, Job, Proceed, ReplayError, RunError, Snapshot, Unwatched, Watch};

pub(crate) use course::Course;
pub(crate) use drive::{Drive, Turn, Underway};
pub(crate) use mean_field::beside;
pub(crate) use sampler::{Distance, Sampler};
pub(crate) use source::Source;
