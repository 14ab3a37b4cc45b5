//! All integration tests of this crate in one program, because every further program would link and compile the generic
//! code again.

mod catalogue;
mod checkpoints;
mod chi_square;
mod edges;
mod encounters;
mod exact_values;
mod exactness;
mod graph_rates;
mod graph_reactions;
mod lazy;
mod library;
mod locked;
mod master_equation;
mod mean_field;
mod network;
mod predicates;
mod rate_expressions;
mod reactions;
mod saved;
mod silence;
mod stable;
mod tuples;
mod uniform;
mod uniform_pairs;
mod user_tables;
