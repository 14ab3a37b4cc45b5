//! Known protocols, one file each, and the [`Catalogue`] that finds them by name.
//!
//! Times in these files count interactions of the uniform scheduler: each is a uniformly random ordered pair of
//! distinct agents on the complete graph, n agents in all. H_k is the k-th harmonic number. "Symmetric" means that a
//! rule applies in either order. The formulas and values are checked against [`exact`](crate::exact) in
//! `tests/exact_values.rs`.

mod approximate_majority;
mod approximate_majority_one_way;
mod averaging;
mod catalogue;
mod cyclic;
mod entry;
mod exact_majority;
mod fratricide;
mod graph_majority;
mod one_way_epidemic;
mod opinion;
mod two_way_epidemic;

pub use approximate_majority::ApproximateMajority;
pub use approximate_majority_one_way::ApproximateMajorityOneWay;
pub use averaging::Averaging;
pub use catalogue::Catalogue;
pub use cyclic::Cyclic;
pub use entry::{Entry, Instance, Make};
pub use exact_majority::ExactMajority;
pub use fratricide::{Fratricide, Role};
pub use graph_majority::GraphMajority;
pub use one_way_epidemic::{Health, OneWayEpidemic};
pub use opinion::{Opinion, Ternary, Token};
pub use two_way_epidemic::TwoWayEpidemic;
