//! All integration tests of this crate in one program. Each further program would link and compile the generic code
//! again.

mod cancellation;
mod messages;
mod sliced;
mod waves;
