//! Fast simulation of the uniform scheduler: by counts on the complete graph, for up to 2^53 agents, and with a stored
//! state per agent on any graph.
//!
//! On the complete graph only the numbers of agents in each state matter, so interactions need not be made one by one.
//! [`Population`] always uses the cheapest of five exact engines ([`Mode`]). A [`Condition`] stops a run at the exact
//! interaction after which it holds. On other graphs ([`GraphPopulation`]) interactions are made one by one; large
//! rings and tori are divided into strips that run in parallel.
//!
//! | module | what | source |
//! |---|---|---|
//! | `array` | the engine with one stored state per agent | |
//! | `meetings`, `blocks` | the possible pairs; blocks of pairs, which other threads draw without reading states | |
//! | `small_array` | the array engine for small populations with few states | |
//! | `urn` | the engine with counts alone, for few agents and states; `urn_lanes` runs many urns side by side | |
//! | `epoch` | the engine that makes many interactions at once | Berenbrink et al., ESA 2020 |
//! | `dealing` | the random matching of an epoch, by throwing initiators onto states | |
//! | `drawn_out` | draws without replacement from short lists | Lemire 2019 |
//! | `skeleton` | the interacting agents of an epoch, without states | |
//! | `ahead` | skeletons of the next epochs, drawn in advance by other threads | |
//! | `run_length` | the number of interactions until an agent interacts again | inversion by a series |
//! | `hypergeometric` | samples without replacement | Stadlober 1989 |
//! | `inside` | configurations inside an epoch | repeated halving |
//! | `skip` | the engine that makes only the interactions that change a state | |
//! | `strips` | large rings and tori on every core | |
//! | `torus_shape` | rings and tori without a list of edges | |
//! | `saved` | the byte format of saved runs, for every engine of this crate | |
//! | `stream` | the generator of the draws | O'Neill 2014 |
//! | `cost` | the choice of the engine, from counts of operations | |
//! | `encounter` | interactions one by one, with weights, directions, changing contacts and faults | |
//! | `matching` | rounds of random matchings | |

mod ahead;
mod array;
mod blocks;
mod condition;
mod cost;
mod dealing;
mod drawn_out;
pub(crate) mod draws;
mod encounter;
mod epoch;
mod error;
mod factorial;
#[cfg(test)]
mod goodness_of_fit;
mod graph_population;
mod graph_population_saved;
mod hypergeometric;
mod inside;
mod matching;
mod meetings;
mod population;
mod population_cost;
mod population_saved;
mod population_shared;
mod population_steps;
mod population_together;
pub(crate) mod process;
mod rules;
mod run_length;
pub(crate) mod saved;
mod skeleton;
mod skip;
mod small_array;
mod stable;
mod stream;
mod strips;
mod torus_shape;
mod urn;
mod urn_lanes;

pub use acrasin_process::{Advance, Condition, RunBound};
pub use condition::{Agreed, Silent};
pub use cost::Mode;
pub use encounter::{
    Arc, ContactChange, ContactLaw, Contacts, EncounterPopulation, Fault, FaultKind, FaultTiming,
    InitiatorEnd,
};
pub use error::{MAX_AGENTS, SizeError};
pub use graph_population::{EdgeList, GraphPopulation};
pub use matching::{Matched, MatchedGraph, MatchedPopulation};
pub use population::Population;
pub use population_together::{BoundedRun, TOGETHER};
pub use saved::SavedError;
pub use stable::OutputsStable;
pub use torus_shape::TorusShape;
