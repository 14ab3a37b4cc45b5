//! All integration tests of this crate in one program.

mod arithmetic;
mod boundaries;
mod circuits;
mod exact_laws;
mod joint_movements;
mod paths;
mod processes;
mod refused;
mod structures;
mod threads;
mod trains;
mod trees;
mod wrong_rules;
