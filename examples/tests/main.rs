//! All integration tests of this crate in one program. Each further program would link and instantiate everything
//! again.

mod guide;
mod programs;
mod reference;
mod scenarios;
