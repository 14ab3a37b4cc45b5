//! The whole state of a run, and the one way in which it changes. What the algorithm promises is asserted after every step
//! by the monitor that it names ([`Promise`](crate::exclusion::Promise)).
//!
//! - [`World`]: memories, messages in transit, the graph, the states under the locks; which steps are offered.
//! - `apply.rs`: [`World::apply`], the only mutation.
//! - `channels.rs`: which messages go first.
//! - `restore.rs`: a configuration as bytes, and back: what an exhaustive exploration keeps.
//! - `rewind.rs`: a world made equal to another, and one step taken back.
//! - `observer.rs`: who looks on ([`Observer`]).
//! - `naming.rs`: a configuration under other names ([`Naming`]).
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
mod state;

pub(crate) use active::nodes_in;

pub use crate::exclusion::Violation;
pub use naming::Naming;
pub use observer::Observer;
pub use restore::Parts;
pub use state::{Envelope, LockSetRule, Setup, Timing, World};
