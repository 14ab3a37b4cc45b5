//! Random checking beyond the bound of an exhaustive exploration: swarm runs.
//!
//! One seed draws everything: graph, ports, lock sets, timing, priorities, who asks for locks how often, the
//! scheduler, and what disturbs the run ([`SwarmPlan`]). In the first phase the graph changes, clients misuse their
//! calls, and after every step the promises of the lock layer and the invariants are checked. Then the disturbances end and
//! nobody asks for more: every request must be served within [`DRAIN_STEPS_MAX`] steps, and after that every node
//! must get its lock set once more, alone.
//!
//! A run is a function of the rules, the plan and one stream of picks. So a run that fails is made small: first its
//! stream, then its list of steps. What is left is a replay file.
//!
//! | file | what |
//! |---|---|
//! | `plan.rs`, `family.rs` | what a seed decides before the run |
//! | `subject.rs` | which rules are run, and which properties are checked after every step |
//! | `swarmed.rs`, `shipped.rs` | [`Swarmed`]: what swarm runs need of an algorithm; the shipped one, compiled here |
//! | `variants.rs` | [`Variants`]: algorithms with several rules, one a run |
//! | `tape.rs` | the stream of picks: drawn, or given |
//! | `disturbance.rs` | calls, misused calls, and changes of the graph, picked turn by turn |
//! | `stage.rs`, `run.rs` | the world with those who look on; the two phases |
//! | `figures.rs`, `coverage.rs`, `column.rs` | what happened, in numbers: [`Figures`], and actions times topology events ([`Coverage`]) |
//! | `many.rs` | many seeds on many cores, with the same result for any number of threads |
//! | `seats.rs` | trees, bounds and who is inside at the start, for algorithms that are given them |
//! | `start.rs`, `traced.rs` | a run as a list of steps: what it starts from, and a step |
//! | `counterexample.rs`, `file.rs` | a run that fails, as such a list; saved, loaded, run again |
//! | `shrink.rs` | shrinking: `stream.rs` the stream of picks, `shorten.rs` the list of steps, `relabel.rs` the numbers in it |
//!
//! The swarm is after Groce, Zhang, Eide, Chen, Regehr, *Swarm testing*, ISSTA 2012: each run leaves out some kinds of
//! disturbance, so that others come to light.
//!
//! ```
//! use acrasin_runtime::exclusion::local::Rules;
//! use acrasin_verify::swarm::{first_failure, shrink, Effort, Subject};
//!
//! // The rules as published deadlock. Some run of the first hundred shows it.
//! let published = Subject::rules(Rules::PUBLISHED);
//! let run = first_failure(&published, 0..100).expect("the published rules fail");
//! let small = shrink(&published, &run, Effort::default()).expect("the run fails again");
//! assert!(small.steps().len() < 80);
//!
//! let mut file = Vec::new();
//! small.write(&published, &mut file)?;
//! let loaded = acrasin_verify::swarm::Counterexample::read("small.jsonl", &file[..])?;
//! assert!(loaded.again(&published).fails_as(loaded.kind()));
//! assert_eq!(loaded.again(&Subject::rules(Rules::REPAIRED)).failure, None);
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
mod subject;
mod swarmed;
mod tape;
mod traced;
mod variants;

pub use column::Column;
pub use counterexample::{Again, Counterexample, Told};
pub use coverage::Coverage;
pub use failure::{Broken, Failure, Kind};
pub use family::Graph;
pub use figures::Figures;
pub use many::{Summary, ThreadsError, first_failure, run_many, run_variants};
pub use plan::{Drain, Interference, Order, Rates, SwarmPlan};
pub use run::{DRAIN_STEPS_MAX, Run, run, run_with};
pub use shipped::ShippedSwarm;
pub use shrink::shrink;
pub use start::Start;
pub use stream::Effort;
pub use subject::{Subject, SwarmWorld};
pub use swarmed::Swarmed;
pub use traced::Traced;
pub use variants::Variants;
