//! The conventions of the repository, one module each.

mod circles;
mod cited_tests;
mod commands;
mod dead_files;
mod dependencies;
mod folder_table;
mod gone;
mod left_out;
mod links;
mod machine_paths;
mod modules;
mod one_unchecked_module;
mod one_word;
mod packages;
mod plain_words;
mod readme_code;
mod repository;
mod runtime_purity;
mod steps;
mod tokens;
mod versions;
mod workspace_dependencies;
