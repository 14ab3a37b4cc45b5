//! The canonical amoebot model: the lattice, the amoebots on it, what they can do.
//!
//! | module | what |
//! |---|---|
//! | [`lattice`], [`shape`] | cells and directions; sets of cells up to translation: connectivity, holes, all of n cells |
//! | [`id`] | which amoebot |
//! | `occupancy`, `near` | who is on which cell; who is next to whom |
//! | [`orientation`], [`body`] | how an amoebot names directions; its nodes and ports |
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
pub mod system;
