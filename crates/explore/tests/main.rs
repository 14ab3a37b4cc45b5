//! All integration tests of this crate in one program.

mod as_met;
mod explorer;
