//! The names that most programs need: `use acrasin::prelude::*;`.

pub use acrasin_graphs::{Family, Graph};
pub use acrasin_protocols::{FiniteProtocol, Interactions, Protocol, Table, UniformPairs};
pub use acrasin_runtime::choice::{Choices, Seeded};
pub use acrasin_runtime::{LockLayer, NodeId, Port, Topology, World};
