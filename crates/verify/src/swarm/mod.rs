//! Swarm runs: random tests of instances that are too large for exhaustive exploration.
//!
//! One seed determines the whole run: graph, ports, lock sets, timing, priorities, the calls of each node, the
//! scheduler, and the disturbances ([`SwarmPlan`]). In the first phase the graph changes and clients make wrong calls.
//! After every step the promises of the lock layer and the invariants are checked. Then the disturbances end and no
//! node makes new calls. Every request must be served within [`DRAIN_STEPS_MAX`] steps. At the end each node in turn
//! must be able to lock its neighbourhood once more.
//!
//! A run is a function of the rules, the plan and one stream of picks. To shrink a failing run, first its stream is
//! shortened, then its list of steps. The result is a replay file.
//!
//! | file | contents |
//! |---|---|
//! | `plan.rs`, `family.rs` | the choices that a seed makes before the run |
//! | `system_under_test.rs` | the rules under test, and the properties checked after every step |
//! | `swarmed.rs`, `shipped.rs` | [`Swarmed`]: the requirements on an algorithm; the shipped ones, compiled here |
//! | `variants.rs` | [`Variants`]: several rule sets of an algorithm, one for each run |
//! | `tape.rs` | the stream of picks: drawn, or given |
//! | `disturbance.rs` | calls, misused calls, and changes of the graph, picked turn by turn |
//! | `stage.rs`, `run.rs` | the world with its monitors; the two phases |
//! | `figures.rs`, `coverage.rs`, `column.rs` | counts: [`SwarmFigures`]; actions by topology event ([`Coverage`]) |
//! | `many.rs` | many seeds on several threads, with the same result for any number |
//! | `seats.rs` | initial knowledge for algorithms that need it: trees, bounds, nodes inside |
//! | `start.rs`, `traced.rs` | a run as a list of steps: its start, and a step |
//! | `counterexample.rs`, `file.rs` | a failing run as such a list: saved, loaded, run again |
//! | `shrink.rs` | shrinks failures: `stream.rs` the picks, `shorten.rs` the steps, `relabel.rs` the numbers |
//!
//! Swarm testing follows Groce, Zhang, Eide, Chen, Regehr, *Swarm testing*, ISSTA 2012: each run leaves out some
//! kinds of disturbance, so that others have more effect.
//!
//! ```
//! use acrasin_runtime::exclusion::local::Rules;
//! use acrasin_verify::swarm::{first_failure, shrink, Effort, SystemUnderTest};
//!
//! // The rules as published deadlock. Some run of the first hundred shows it.
//! let published = SystemUnderTest::rules(Rules::PUBLISHED);
//! let run = first_failure(&published, 0..100).expect("the published rules fail");
//! let small = shrink(&published, &run, Effort::default()).expect("the run fails again");
//! assert!(small.steps().len() < 80);
//!
//! let mut file = Vec::new();
//! small.write(&published, &mut file)?;
//! let loaded = acrasin_verify::swarm::Counterexample::read("small.jsonl", &file[..])?;
//! assert!(loaded.again(&published).fails_as(loaded.kind()));
//! assert_eq!(loaded.again(&SystemUnderTest::rules(Rules::REPAIRED)).failure, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod column;
mod counterexample;
mod coverage;
mod disturbance;
mod failure;
mod family;
mod figures;
mod file;
mod many;
mod plan;
mod relabel;
mod run;
mod seats;
mod shipped;
mod shorten;
mod shrink;
mod stage;
mod start;
mod stream;
mod swarmed;
mod system_under_test;
mod tape;
mod traced;
mod variants;

pub use column::CoverageColumn;
pub use counterexample::{Counterexample, CounterexampleReplay, CounterexampleText};
pub use coverage::Coverage;
pub use failure::{Broken, FailureKind, SwarmFailure};
pub use family::SwarmGraph;
pub use figures::SwarmFigures;
pub use many::{Summary, ThreadsError, first_failure, run_many, run_variants};
pub use plan::{Drain, Interference, PhaseOrder, Rates, SwarmPlan};
pub use run::{DRAIN_STEPS_MAX, SwarmRun, run, run_with};
pub use shipped::ShippedSwarm;
pub use shrink::{shrink, shrink_while};
pub use start::SwarmStart;
pub use stream::Effort;
pub use swarmed::Swarmed;
pub use system_under_test::{SwarmWorld, SystemUnderTest};
pub use traced::Traced;
pub use variants::Variants;
