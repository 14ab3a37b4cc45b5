//! Rows that were written, read back: what `acrasin sweep` and `acrasin run` print as JSON lines or CSV, or the CSV of
//! somebody else.
//!
//! A value inside an object is a column by its path, `work.parallel_time`, so a column has one name in both formats.
//! People may leave out the beginning of a path and write spaces: `parallel time`.
//!
//! - `read.rs`: [`Rows`].
//! - `name.rs`: which column is meant.

mod name;
mod read;

pub use name::UnknownColumn;
pub use read::{Rows, RowsError};
