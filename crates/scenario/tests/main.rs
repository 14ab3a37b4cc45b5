//! All integration tests of this crate in one program: each further program would link and instantiate everything again.

mod algorithm_files;
mod complete_pairs;
mod contacts;
mod critical_sections;
mod mean_field;
mod message_rounds;
mod other_laws;
mod overrides;
mod own_algorithm;
mod own_chain;
mod own_scheduler;
mod own_topology;
mod plans;
mod protocol_files;
mod reactions;
mod reference;
mod refused;
mod rungs;
mod runs;
mod shipped;
mod sliced_rounds;
mod support;
mod token_tree;
mod uniform_pairs;
mod walks;
mod waves;
