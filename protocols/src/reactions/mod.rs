//! Exact simulation of chemical reaction networks in a well-mixed vessel, with rates and continuous time.
//!
//! A population protocol on the complete graph is a reaction network in which every reaction has two reactants, two
//! products and the same rate ([`ReactionNetwork::from_table`]). Here a reaction has 0 to 4 reactants, any products and
//! its own rate. The number of molecules changes, and time is continuous. A rate can also be an [`Expression`] of
//! counts and time, and [`ScheduledChange`]s change counts at given times.
//!
//! The distribution follows the chemical master equation. Consider a [`Gillespie`] of volume V and a reaction of rate k
//! with m reactants. Its propensity is k · V^(1 - m) times the number of ways to choose its reactants among the present
//! molecules. With x molecules of A and y of B, this number is x·y for `A + B` and x(x - 1)/2 for `A + A`. Source:
//! Gillespie, "Exact stochastic simulation of coupled chemical reactions", Journal of Physical Chemistry 81 (1977).
//!
//! ```
//! use acrasin_protocols::reactions::{ReactionNetwork, RunEnd, Gillespie};
//!
//! // Molecules come at rate 5 and decay at rate 1 each.
//! let network = ReactionNetwork::new(&["A"], &[("-> A", 5.0), ("A ->", 1.0)])?;
//! let mut vessel = Gillespie::new(&network, &[0], 1.0, 7)?;
//! vessel.run(&RunEnd::time(100.0));
//! assert_eq!(vessel.time(), 100.0);
//! assert!(vessel.counts()[0] < 30);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `text` | the syntax of reactions |
//! | `network` | species, reactions, rates; what each reaction changes |
//! | `propensity` | the propensities and their sum, updated after each reaction |
//! | `gillespie` | the simulator of a well-mixed vessel |
//! | `expression`, `expression_text` | rates that are expressions of counts and time, and their syntax |
//! | `interval` | bounds on the value of an expression over a period of time |
//! | `slope` | derivatives of an expression with respect to counts and time |
//! | `schedule` | events at given times, and the random state of runs with time-dependent rates |
//! | `timed` | rates that change with time, by thinning |
//! | `clock` | time as a compensated sum of many short steps |
//! | `graph` | nodes of a graph, which react with their neighbours or change by themselves |
//! | `graph_timed` | time-dependent rates and events on graphs |
//! | `varying` | rates of nodes and edges that change with counts or time |
//! | `error` | errors of networks and vessels |

mod clock;
mod error;
mod expression;
mod expression_text;
mod gillespie;
mod graph;
mod graph_timed;
mod interval;
mod network;
mod process;
mod propensity;
mod schedule;
mod slope;
mod text;
mod timed;
mod varying;

pub use error::{MAX_MOLECULES, ReactionError, SCALES, VesselError};
pub use expression::{EvaluationPoint, Expression};
pub use gillespie::{Gillespie, RunEnd, StopReason};
pub use graph::{GraphEdges, GraphRules, GraphVessel, MAX_NODE_STATES};
pub use network::{
    MAX_REACTIONS, MAX_SPECIES, Rate, Reaction, ReactionNetwork, WrittenRate, WrittenReaction,
};
pub(crate) use schedule::next_event;
pub use schedule::{CountChange, GraphEvent, ScheduledChange, VesselFault};
pub use varying::NodeReaction;
