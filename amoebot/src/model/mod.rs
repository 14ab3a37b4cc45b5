//! The canonical amoebot model: the lattice, the amoebots on it, and their operations.
//!
//! | module | contents |
//! |---|---|
//! | [`lattice`], [`shape`] | cells and directions; sets of cells up to translation |
//! | `sort` | sorting that can be interrupted |
//! | [`id`] | identities of amoebots |
//! | `occupancy`, `near` | the occupant of each cell; the neighbours of an amoebot |
//! | [`orientation`], [`body`] | the labels that an amoebot gives to directions; its nodes and ports |
//! | [`system`], [`operation`] | the amoebots on the lattice; Connected, Read, Write, Contract, Expand, Pull, Push |

pub mod body;
pub mod id;
pub mod lattice;
pub(crate) mod near;
pub(crate) mod object;
pub(crate) mod occupancy;
pub mod operation;
pub mod orientation;
pub mod shape;
pub(crate) mod sort;
pub mod system;
