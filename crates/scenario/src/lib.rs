//! Scenario files: one RON file determines a run.
//!
//! `scenario.ron` → [`Document`] (as written) → [`Plan`] (checked) → a run. Only the first step knows about text, lines
//! and columns. The second one refers to the text through [`Document::locate`] and [`Document::error`], so that every
//! error about a file has a line, a column and a caret.
//!
//! ```
//! use std::path::Path;
//!
//! use acrasin_scenario::{Document, Plan};
//!
//! let text = r#"(
//!     topology: Ring(nodes: 30),
//!     scheduler: Sequential,
//!     work: Locks(each: Forever),
//!     stop: [Rounds("10^4")],
//! )"#;
//! let document = Document::parse(text, "ring.ron").unwrap();
//! assert_eq!(document.locate("topology.nodes").unwrap().line(), 2);
//!
//! let document = Document::parse(&text.replace("nodes", "node"), "ring.ron").unwrap();
//! let error = Plan::new(&document, Path::new("")).unwrap_err();
//! assert_eq!((error.line(), error.column()), (Some(2), Some(20)));
//! assert_eq!(error.hint(), Some("did you mean `nodes`?"));
//! ```
//!
//! A scenario with a field `amoebots` or `reactions` is of another kind, with other fields: [`amoebot`], [`reactions`].
//! [`ScenarioFile`] reads any kind.
//!
//! Read next: [`document`] has a type for every field, and `reference.ron` next to this crate's manifest shows every
//! field with a comment. [`plan`] has the checked scenario.

#![warn(missing_docs)]

pub mod amoebot;
mod catalogue;
pub mod check;
pub mod document;
pub mod exclusion;
mod file;
pub mod film;
mod input_file;
pub mod limits;
mod memory;
mod misspelt;
mod node_names;
pub mod plan;
pub mod reactions;
mod run;
mod runnable;
pub mod scheduler;
pub mod stop;
mod text;

/// Predicates on counts, as in `stop: [Counts("A == 0")]`.
pub use acrasin_protocols::predicate;
pub use amoebot::{AmoebotDocument, AmoebotPlan};
pub use catalogue::Catalogue;
pub use document::{DataFile, Document};
pub use file::ScenarioFile;
pub use input_file::{FileKind, InputFile};
pub use plan::{
    Changes, CheckpointKeeper, Filmed, Finished, Job, JobReplayError, LazyPlan, NodeView, Plan, Proceed,
    Progress, ProtocolFile, RunControl, RunError, RunState, Snapshot, TraceObserver, UniformPlan, Unwatched,
};
pub use reactions::{ReactionDocument, ReactionPlan};
pub use run::PlanHeader;
pub use runnable::Runnable;
pub use text::error::{DocumentError, Place};
