//! Generators of graph families.
//!
//! Each family is a function of its parameters and, where it draws, of a seed. Its [`FamilyEntry`] describes it in the
//! [`FamilyCatalogue`]; a [`Family`] is an entry with its parameters. Parameters are 64-bit, so that callers can pass
//! on what a file says. Sizes, including products of parameters, are checked before anything is allocated.
//!
//! | module | families |
//! |---|---|
//! | [`mod@line`] | path, ring, star, complete |
//! | [`lattice`] | grid, torus |
//! | [`triangular`] | triangular patch, triangular torus |
//! | [`regular`] | random regular |
//! | [`tree`] | uniformly random tree |
//! | [`gnp`] | G(n, p) |
//! | [`barabasi_albert`] | Barabási-Albert |
//! | [`geometric`] | random geometric |

pub mod barabasi_albert;
mod catalogue;
mod entry;
pub mod geometric;
pub mod gnp;
pub mod lattice;
pub mod line;
pub mod regular;
mod size;
pub mod tree;
pub mod triangular;

pub use catalogue::FamilyCatalogue;
pub use entry::{Family, FamilyEntry, FamilyForm, FamilySize, Points};
pub use lattice::Sides;
