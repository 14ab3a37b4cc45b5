//! F2: every message, on lattices, bit-sliced.

mod activate;
mod aligned;
mod bands;
mod census;
mod check;
mod ends;
mod error;
mod fault;
mod lane_counts;
mod masks;
mod partition;
mod planes;
mod rounds;
mod sections;
mod shape;
mod store;
mod sweep;

#[cfg(test)]
mod tests;

pub use error::SlicedError;
pub use rounds::Sliced;
pub use sections::{PortOrder, SlicedSections};
