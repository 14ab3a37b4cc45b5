//! The whole state of a run, and the only way in which it changes. After every step the algorithm's monitor
//! ([`Promise`](crate::exclusion::Promise)) checks its promise.
//!
//! - [`World`]: memories, messages in transit, the graph, the states under the locks.
//! - `offered.rs`: the steps that a node can take now.
//! - `apply.rs`: [`World::apply`], the only mutation.
//! - `channels.rs`: the messages that may be received or leave next.
//! - `restore.rs`: encodes a configuration as bytes and restores it. An exhaustive exploration stores these bytes.
//! - `saved.rs`: saves and loads the state of a run, including data that a configuration leaves out.
//! - `rewind.rs`: copies the configuration of another world, and undoes one step.
//! - `normalise.rs`: replaces a configuration by a representative of those that behave alike.
//! - `observer.rs`: observers of a run ([`Observer`]).
//! - `naming.rs`: a configuration after renaming nodes and ports ([`Naming`]).
//! - `active.rs`: the set of nodes that can take a step.

mod active;
mod apply;
mod channels;
mod naming;
mod normalise;
mod observer;
mod offered;
mod restore;
mod rewind;
mod saved;
mod state;

pub(crate) use active::nodes_in;

pub use crate::exclusion::Violation;
pub use naming::Naming;
pub use observer::Observer;
pub use restore::PackedOffsets;
pub use state::{Envelope, LockSetRule, Setup, Timing, World};
