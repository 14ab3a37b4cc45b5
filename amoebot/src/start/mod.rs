//! Start configurations.
//!
//! | configuration | function |
//! |---|---|
//! | a straight line | [`line()`] |
//! | a regular hexagon of a given side | [`hexagon`] |
//! | a spiral of n cells: a hexagon and a part of the next ring | [`spiral`] |
//! | a ring around a hexagonal hole | [`ring`] |
//! | a random tree-like blob with holes | [`blob()`] |
//! | the random trees of AmoebotSim; random connected sets without holes | [`grown()`] |
//! | an object: wall, hexagon, triangle, parallelogram, corner, staircase, bay, random boulder | [`object()`] |
//! | next to an object: a column, a random heap, a first layer | [`beside`] |
//! | drawn by hand in a text file, with seeds, colours, expanded amoebots and an object; saved and loaded | [`drawing()`] |
//!
//! All except the last give lists of cells, for the `start` function of an algorithm. That function turns the cells
//! into [`Contracted`] amoebots and checks the conditions of the algorithm.

pub mod blob;
mod contracted;
pub mod drawing;
mod error;
mod form;
mod object;
mod shapes;

pub use blob::{Growth, RefusedCell, blob, grown};
pub use contracted::Contracted;
pub(crate) use contracted::check_roots;
pub use drawing::{Drawing, DrawingError, DrawnAmoebot, Mark, drawing};
pub use error::StartError;
pub use form::{BLOB_ATTEMPTS, CELLS_MAX, ObjectForm, RingSize};
pub use object::{Stand, beside, object};
pub use shapes::{hexagon, line, ring, spiral};
