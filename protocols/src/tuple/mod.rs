//! Interactions of k agents at a time: the agents are drawn uniformly, and a transition function maps k states to k
//! states.
//!
//! A rule is written with all its states: `A + A + B -> A + A + A`. The i-th state on the right is the new state of the
//! i-th agent on the left. `Ordered` applies to exactly this order, `Symmetric` to every order, with the outcome
//! reordered in the same way. Tuples without a rule change nothing.
//!
//! ```
//! use acrasin_protocols::tuple::{TuplePopulation, TupleRule, TupleTable};
//!
//! // Three agents take the majority of their opinions.
//! let rules = ["A + A + B -> A + A + A", "A + B + B -> B + B + B"].map(|text| TupleRule::Symmetric(text.to_owned()));
//! let table = TupleTable::new(&["A", "B"], 3, &rules)?;
//! let mut population = TuplePopulation::new(&table, &[60, 40], 1)?;
//! assert!(population.run_until(&table.silent(), 1 << 20));
//! assert!(population.counts().contains(&100));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `table` | the transition function |
//! | `population` | agents of which several interact at a time |

mod population;
mod table;

pub use population::TuplePopulation;
pub use table::{MAX_CELLS, SIZES, SilentTuples, TupleError, TupleRule, TupleTable};
