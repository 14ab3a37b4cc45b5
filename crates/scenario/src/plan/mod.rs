//! Plans: validated scenarios, ready to run.
//!
//! [`Plan::new`] is the only way from a [`Document`](crate::Document) to a [`Plan`]. It binds names to implementations,
//! reads the files that the scenario names, and estimates the memory; every mistake is a
//! [`DocumentError`](crate::DocumentError) with its position in the file.
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
//! | module | validated part of a scenario |
//! |---|---|
//! | `interaction_graph` | `ports`: a static graph, or a graph that changes with time |
//! | `trace` | contacts as changes of the graph, round by round |
//! | `topology` | `topology`: a graph family of the catalogue, a file or a trace |
//! | `locking` | `lock`: the algorithm with its rules, K, the lock set |
//! | `rung` | `rung`: the level of detail at which the lock algorithm is executed |
//! | `schedule` | `scheduler`, `fairness`, `disturbances` |
//! | `transitions` | `work.protocol`: a transition table and its properties |
//! | `protocol_file` | the protocol of a file, for checks |
//! | `initial` | `work.initial`: the initial states of the nodes |
//! | `goal` | `stop`, `limits`: the conditions and limits that end a run |
//! | `job` | inputs and results of a run |
//! | `exploration` | options and results of an exploration |
//! | `uniform` | uniform pairs without locks, rung F0: plan and run |
//! | `lazy` | plans and runs of protocols without a table |
//! | `run` | runs on each rung, replays and explorations |

mod assumptions;
mod build;
mod exploration;
mod goal;
mod initial;
pub(crate) mod interaction_graph;
mod lazy;
mod locking;
mod protocol_file;
mod run;
mod rung;
pub(crate) mod schedule;
pub(crate) mod topology;
mod trace;
mod transitions;
mod uniform;

pub use crate::memory::readable;
pub use crate::run::configuration_digest;
pub use crate::run::{
    Changes, CheckpointKeeper, Filmed, Finished, Job, JobReplayError, NodeView, Proceed, Progress,
    RunControl, RunError, RunState, Snapshot, TraceObserver, TurnRule, Unwatched,
};
pub use build::Plan;
pub use exploration::{LockCounterexample, Manner};
pub use initial::arrange;
pub use lazy::LazyPlan;
pub use protocol_file::ProtocolFile;
pub use uniform::{Initiator, InteractionRun, TrialEnd, UniformPlan, trials};
