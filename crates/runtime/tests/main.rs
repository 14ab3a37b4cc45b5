//! All integration tests of this crate in one program: each further program would link and instantiate
//! everything again.

mod any_schedule;
mod compile_errors;
mod contention;
mod critical_section;
mod promises;
mod restore;
mod surroundings;
mod token_laws;
