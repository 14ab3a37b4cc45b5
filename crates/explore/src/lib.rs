//! Exhaustive exploration: every configuration that some schedule, some draw and some change of the graph can
//! reach.
//!
//! The input is a [`Model`]: byte strings, and the moves between them. This crate depends on nothing else. The lock
//! layer and populations (`acrasin-verify`) and amoebots (`acrasin-amoebot`) are models whose `expand` calls the same
//! code as a run. The search does not sample or estimate: it visits everything within its limits, or reports that it
//! ended early.
//!
//! Two jugs of 5 and 3 litres, a tap and a sink. Four litres are to be measured:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use acrasin_explore::{BrokenProperty, Duty, Limits, Model, MoveId, Moves, explore};
//!
//! struct Jugs;
//!
//! impl Model for Jugs {
//!     type Workbench = ();
//!     fn workbench(&self) {}
//!
//!     fn starts(&self, (): &mut (), start: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
//!         let _ = start(&[0, 0]);
//!     }
//!
//!     fn expand(&self, (): &mut (), configuration: &[u8], moves: &mut Moves) {
//!         let &[five, three] = configuration else { unreachable!("two jugs") };
//!         let (there, back) = (five.min(3 - three), three.min(5 - five));
//!         let fill_or_empty = [[5, three], [five, 3], [0, three], [five, 0]];
//!         let pour = [[five - there, three + there], [five + back, three - back]];
//!         for (step, next) in (0..).zip(fill_or_empty.into_iter().chain(pour)) {
//!             moves.successor(MoveId { step, outcome: 0 }, Duty::NONE, &next);
//!         }
//!         if five == 4 {
//!             let text = format!("{three} in the other");
//!             moves.broken(BrokenProperty { property: "never four litres", text, by: None });
//!         }
//!     }
//! }
//!
//! let found = explore(&Jugs, &Limits::bytes(1 << 20), |_| ControlFlow::Continue(()));
//! assert_eq!((found.configurations(), found.truncated()), (16, None));
//! let four = &found.findings()[0];
//! let way: Vec<u16> = found.trace(four.configuration).moves.iter().map(|id| id.step).collect();
//! assert_eq!(way, [0, 4, 3, 4, 0, 4]); // fill, pour, empty, pour, fill, pour: no way is shorter
//! ```
//!
//! - [`Model`]: the system to explore. [`Moves`]: the list of moves of one configuration.
//! - [`explore`]: breadth first, on all cores, within [`Limits`], with the same result for any number of threads.
//! - [`explore_with`]: the same search, saved by a [`SearchControl`] and continued later.
//! - [`Exploration`]: the number of configurations, the broken properties, shortest paths to them.
//! - [`ConfigurationGraph`]: all moves, for questions about runs: their length, dead ends, cycles. For infinite runs:
//!   [`Components`] and [`fair_component`]. [`AsMet`] numbers the configurations in an order that readers can follow.

mod as_met;
mod block;
mod components;
mod exploration;
mod fair;
mod graph;
mod growing_shard;
mod lasso;
mod limits;
mod model;
mod runs;
mod saved;
mod search;
mod store;
mod unpacker;

pub use as_met::AsMet;
pub use components::Components;
pub use exploration::{Exploration, PropertyFinding, Trace};
pub use fair::{FairComponent, fair_component, fair_components};
pub use graph::ConfigurationGraph;
pub use limits::{Limits, NotASearch, SearchProgress, Truncated};
pub use model::{BrokenProperty, Duty, Model, MoveId, Moves};
pub use runs::{GraphWalk, LongestRun};
pub use search::{SearchControl, UnsavedSearch, explore, explore_from, explore_with};
