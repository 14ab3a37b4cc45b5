//! All integration tests of this crate in one program: each further program would link and instantiate everything again.

mod corpus;
mod critical_section;
mod critical_section_corpus;
mod every_value;
mod explorer;
mod from_outside;
mod further_sections;
mod lock_counts;
mod malformed;
mod mirror_images;
mod mutations;
mod on_words;
mod own_corpus;
mod population;
mod population_oracle;
mod reductions;
mod replay_files;
mod replays;
mod section_messages;
mod sections_counted;
mod swarm;
mod token_corpus;
mod tree_token;
mod wrong_rules;
mod wrong_specimens;
mod wrong_worlds;
