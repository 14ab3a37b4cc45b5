//! Exhaustive checks of population protocols: whether every fair execution from every input of a given size leads to
//! the right output.
//!
//! An execution is *fair* under this condition: if it can reach a configuration infinitely often, it does reach it
//! infinitely often. This is global fairness (Angluin et al. 2006); the uniform scheduler is fair with probability 1. A
//! fair execution finally enters a *bottom* component of the configuration graph: a strongly connected component that
//! no interaction leaves. It visits all configurations of the component infinitely often. So a protocol computes a
//! predicate on a graph if and only if all its bottom components are right. A bottom component is right if in each of
//! its configurations all agents have the right output for the input that reaches it. [`check`] decides this with one
//! [exploration](acrasin_explore) for each input. The answer says nothing about larger populations.
//!
//! ```
//! use acrasin_protocols::{Table, library::ExactMajority, predicate::Predicate};
//! use acrasin_explore::Limits;
//! use acrasin_verify::population::{Answers, Claim, ClaimOutcome, CheckedPopulation, check};
//! use std::ops::ControlFlow;
//!
//! let table = Table::compile(&ExactMajority)?;
//! let answers = Answers::new(&table, &["A"], &["B"])?;
//! let claim = Claim::computes(&table, &Predicate::parse("A > B")?, &answers)?;
//! let inputs = claim.states_mentioned();
//! let sizes: Vec<CheckedPopulation> = (2..=5).map(CheckedPopulation::complete).collect::<Result<_, _>>()?;
//! let limits = Limits::bytes(1 << 30);
//! let report = check(&table, &claim, inputs, &sizes, &limits, |_| ControlFlow::Continue(()));
//! // At a tie the two answers stay mixed: four-state exact majority decides only if there is a majority.
//! let ClaimOutcome::Fails(counterexample) = report.outcome else { panic!("{report:?}") };
//! assert_eq!(counterexample.input, [1, 1, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `claim` | claims: the protocol computes a predicate of the input, or a predicate of the configuration holds eventually |
//! | `populations` | the number of agents, and the pairs that may interact |
//! | `inputs` | all inputs of a size, all placements of an input |
//! | `counts` | configurations of the complete graph: the number of agents in each state |
//! | `nodes` | configurations of any other graph: the state of each node |
//! | `examine` | one input: its configuration graph and the bottom components |
//! | `check` | all inputs, and the verdict |
//! | `counterexample` | a wrong bottom component and a run to it, as text |

mod check;
mod claim;
mod configuration;
mod counterexample;
mod counts;
mod examine;
mod inputs;
mod nodes;
mod populations;

pub use check::{
    ClaimControl, ClaimOutcome, ClaimProgress, ClaimState, PopulationCoverage, PopulationReport, check,
    check_with,
};
pub use claim::{Answers, Claim, UnknownOutput};
pub use configuration::{PopulationConfiguration, PopulationInteraction};
pub use counterexample::{Bottom, PopulationCounterexample};
pub use inputs::{Compositions, inputs};
pub use populations::{CheckedPopulation, CheckedPopulationError, MAX_AGENTS};
