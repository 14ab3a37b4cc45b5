//! All integration tests of this crate in one program. Each further program would link and instantiate everything
//! again.

mod corpus;
mod explanations;
mod faults;
mod kept;
mod limits;
mod mutations;
mod oracle;
mod shared;
