//! Reads rows: the JSON lines or CSV that `acrasin sweep` and `acrasin run` print, or CSV files of other programs.
//!
//! A value inside an object is a column named by its path, `work.parallel_time`, so a column has the same name in
//! both formats. Users may omit the beginning of a path and write spaces: `parallel time`.
//!
//! - `read.rs`: [`Rows`].
//! - `ordered_json.rs`: a JSON value with the members of its objects in order.
//! - `name.rs`: resolves column names.
//! - `title.rs`: a column in words, for the axis of a plot.

mod name;
mod ordered_json;
mod read;
mod title;

pub use name::UnknownColumn;
pub use read::{Rows, RowsError, row_cells};
pub use title::ColumnTitle;
