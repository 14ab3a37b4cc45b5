//! Plans: validated scenarios, ready to run.
//!
//! [`Plan::new`] is the only way from a [`Document`](crate::Document) to a [`Plan`]. It binds names to
//! implementations, reads the files that the scenario names, and estimates the memory; whatever does not fit is a
//! [`DocumentError`](crate::DocumentError) at the place where it is written.
//!
//! ```
//! use acrasin_scenario::{Document, Plan, plan::{Job, Unwatched}};
//!
//! let text = r#"(
//!     topology: Ring(nodes: 12),
//!     scheduler: SemiSynchronous(activation: Random(0.5)),
//!     work: Interactions(
//!         protocol: Library(name: "two-way-epidemic"),
//!         initial: Counts({"I": 1, "S": 11}),
//!     ),
//!     stop: [Silent],
//! )"#;
//! let document = Document::parse(text, "ring.ron")?;
//! let plan = Plan::new(&document, ".".as_ref())?;
//! let finished = plan.run(Job { seed: 7, repetition: 0, watch: &Unwatched, record: None })?;
//! assert_eq!(finished.record.outcome().word, "silent");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | from what is written to what is meant |
//! |---|---|
//! | `interaction_graph` | `ports`: a graph, or a graph that changes with time |
//! | `trace` | contacts as changes of the graph, round by round |
//! | `topology` | a graph family of the catalogue, or what is none |
//! | `locking` | `lock`: the algorithm with its rules, K, the lock set |
//! | `rung` | `rung`: how much of the lock algorithm is executed |
//! | `schedule` | `scheduler`, `fairness`, `disturbances` |
//! | `transitions` | `work.protocol`: a transition table, what is true of it |
//! | `protocol_file` | a file of which only the protocol is wanted |
//! | `initial` | `work.initial`: how many nodes, and which, start in which state |
//! | `goal` | `stop`, `limits`: when a run ends |
//! | `job` | what a caller gives to a run and gets back |
//! | `exploration` | what every run at once gives |
//! | `uniform` | uniform pairs without locks, rung F0: plan and run |
//! | `untabled` | the same of protocols without a table |
//! | `run` | the run itself on each rung, a replay, every run at once |

mod assumptions;
mod build;
mod exploration;
mod goal;
mod initial;
pub(crate) mod interaction_graph;
mod locking;
mod protocol_file;
mod run;
mod rung;
pub(crate) mod schedule;
pub(crate) mod topology;
mod trace;
mod transitions;
mod uniform;
mod untabled;

pub use crate::memory::readable;
pub use crate::run::configuration_digest;
pub use crate::run::{
    Eye, Filmed, Finished, Job, Look, Proceed, Progress, ReplayError, RunError, Since, Snapshot, TurnRule,
    Unwatched, Watch,
};
pub use acrasin_verify::locks::{Answer, Report, Verdict, Walked};
pub use build::Plan;
pub use exploration::{Counterexample, Manner};
pub use initial::arrange;
pub use protocol_file::ProtocolFile;
pub use uniform::{Initiator, TrialEnd, UniformPlan, trials};
pub use untabled::UntabledPlan;
