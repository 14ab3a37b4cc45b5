//! Ports, sets of ports, and other numbers for them.
//!
//! A node reaches its neighbours through ports 1..Δ; port 0 is the node itself. Ports are all that an anonymous node
//! knows about its neighbours.

mod names;
mod number;
mod set;

pub use names::PortNames;
pub use number::{LinkPort, Port};
pub use set::{Iter, PortSet};
