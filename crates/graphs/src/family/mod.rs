//! Graph families: generators.
//!
//! Each family is a function of its parameters and, where it draws, of a seed, and an [`Entry`] that says all there is to say
//! of it by name. [`Catalogue`] has all of them; a [`Family`] is one with its parameters. Parameters are 64-bit, so that a caller can pass on what a file says; sizes are
//! checked, as products, before anything is allocated.
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

pub use catalogue::Catalogue;
pub use entry::{Entry, Family, FamilyForm, Points, Size};
pub use lattice::Sides;
