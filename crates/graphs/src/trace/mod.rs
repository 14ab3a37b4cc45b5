//! Contact traces: pairs of nodes in contact, with the start and end of each contact.
//!
//! A [`ContactTrace`] is a graph that changes with time, as in recordings of human contacts. It is a list of contacts
//! between nodes, each active during an interval. [`contact_list`] and [`intervals`] read the two usual file formats;
//! [`mobility`](crate::mobility) generates traces. A [`ContactSchedule`] turns a trace into changes of the topology,
//! step by step.
//!
//! ```
//! use acrasin_graphs::trace::{TraceOptions, contact_list};
//!
//! // SocioPatterns: the line `t i j` means that i and j met during (t - 20 s, t].
//! let text = "20 7 9\n40 7 9\n40 7 8\n";
//! let trace = contact_list::parse(text, "badges.txt", &TraceOptions::sociopatterns())?;
//! assert_eq!((trace.nodes(), trace.contacts().len(), trace.records()), (3, 2, 3));
//!
//! let schedule = trace.schedule();
//! assert_eq!(schedule.steps(), 2);
//! assert_eq!(schedule.at(1).begins, [(0, 2)]);
//! assert_eq!(schedule.at(2).begins, [(0, 1)]);
//! assert_eq!(schedule.at(3).ends, [(0, 1), (0, 2)]);
//! # Ok::<(), acrasin_graphs::ReadError>(())
//! ```

mod contact;
pub mod contact_list;
mod file;
pub mod intervals;
mod options;
mod records;
mod schedule;

pub use contact::{Contact, ContactTrace, TraceError, TraceParts};
pub use file::{TraceFormat, from_bytes, from_path};
pub use options::TraceOptions;
pub use schedule::{ContactSchedule, StepChanges};
