//! Population protocols, checked by exhaustion: does every fair execution from every input of a size give the right
//! output?
//!
//! An execution is *fair* if a configuration that can be reached again and again is reached again and again (global
//! fairness, Angluin et al. 2006; with probability 1 the uniform scheduler is fair). Such an execution ends up in one
//! *bottom* strongly connected component of the configuration graph, one that no interaction leaves, and visits every
//! configuration of it for ever. So a protocol computes a predicate on some graph if and only if, for every input, in
//! every bottom component that the input reaches, every configuration has the right output at every agent. That is what
//! [`check`] looks at, one [exploration](acrasin_explore) an input. It claims nothing about larger populations.
//!
//! ```
//! use acrasin_protocols::{Table, library::ExactMajority, predicate::Predicate};
//! use acrasin_explore::Limits;
//! use acrasin_verify::population::{Answers, Claim, Outcome, Population, check};
//! use std::ops::ControlFlow;
//!
//! let table = Table::compile(&ExactMajority)?;
//! let answers = Answers::new(&table, &["A"], &["B"])?;
//! let claim = Claim::computes(&table, &Predicate::parse("A > B")?, &answers)?;
//! let inputs = claim.states_mentioned();
//! let sizes: Vec<Population> = (2..=5).map(Population::complete).collect::<Result<_, _>>()?;
//! let limits = Limits::bytes(1 << 30);
//! let report = check(&table, &claim, inputs, &sizes, &limits, |_| ControlFlow::Continue(()));
//! // At a tie the two answers stay mixed for ever: exact majority of four states decides only if there is a majority.
//! let Outcome::Fails(counterexample) = report.outcome else { panic!("{report:?}") };
//! assert_eq!(counterexample.input, [1, 1, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `claim` | what is claimed: a predicate of the input is computed, or one of the configuration holds in the end |
//! | `populations` | how many agents, and who meets whom |
//! | `inputs` | all inputs of a size, all placements of an input |
//! | `counts` | configurations of the complete graph: how many agents are in which state |
//! | `nodes` | configurations of any other graph: the state of each node |
//! | `examine` | one input: its configuration graph and the bottom components |
//! | `check` | all inputs, and what they come to |
//! | `counterexample` | a wrong bottom component and the way to it, in words |

mod check;
mod claim;
mod configuration;
mod counterexample;
mod counts;
mod examine;
mod inputs;
mod nodes;
mod populations;

pub use check::{ClaimProgress, Covered, Outcome, Report, check};
pub use claim::{Answers, Claim, UnknownOutput};
pub use configuration::{Configuration, Interaction};
pub use counterexample::{Bottom, Counterexample};
pub use inputs::{Compositions, inputs};
pub use populations::{MAX_AGENTS, Population, PopulationError};
