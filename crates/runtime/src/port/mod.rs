//! Ports, sets of ports, and renamings of ports.
//!
//! A node reaches its neighbours through ports 1..Δ; port 0 is the node itself. An anonymous node knows nothing else
//! about its neighbours.

mod column;
mod names;
mod number;
mod reference;
mod set;
mod sets;

pub(crate) use column::PortColumn;
pub use names::PortNames;
pub use number::{LinkPort, Port};
pub use reference::{Iter, PortsRef};
pub use set::PortSet;
pub(crate) use sets::PortSets;
pub use sets::PortsMut;
