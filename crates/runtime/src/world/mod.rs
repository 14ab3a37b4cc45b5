//! The whole state of a run, and the only way in which it changes. After every step the algorithm's own monitor
//! ([`Promise`](crate::exclusion::Promise)) asserts what the algorithm promises.
//!
//! - [`World`]: memories, messages in transit, the graph, the states under the locks.
//! - `offered.rs`: the steps that a node can take now.
//! - `apply.rs`: [`World::apply`], the only mutation.
//! - `channels.rs`: the messages that may be received or leave next.
//! - `restore.rs`: a configuration as bytes, and back. An exhaustive exploration stores these bytes.
//! - `saved.rs`: the state of a run as bytes, and back: what a configuration leaves out as well.
//! - `rewind.rs`: copies the configuration of another world, and undoes one step.
//! - `normalise.rs`: one representative for configurations that behave alike.
//! - `observer.rs`: observers of a run ([`Observer`]).
//! - `naming.rs`: a configuration after renaming nodes and ports ([`Naming`]).
//! - `active.rs`: the set of nodes that can do something.

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
