//! The program as its users see it: arguments in; standard output, standard error, files and an exit code out.

mod amoebots;
mod amoebots_at_once;
mod amoebots_bad_input;
mod amoebots_checks;
mod amoebots_drawings;
mod amoebots_objects;
mod bad_input;
mod bad_input_pairs;
mod bench;
mod catalogue;
mod check_locks;
mod check_population;
mod conformance;
mod deadlock;
mod determinism;
mod lists;
mod memory;
mod output_folder;
mod plot;
mod program;
mod special_files;
mod stopping;
mod streams;
mod swarm;
mod sweep;
mod token_tree;
