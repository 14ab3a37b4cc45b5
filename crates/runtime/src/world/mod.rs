//! The whole state of a run, and the one way in which it changes.
//!
//! - [`World`]: memories, messages in transit, the graph, the states under the locks; which steps are offered.
//! - `apply.rs`: [`World::apply`], the only mutation.
//! - `monitor.rs`: the promises of the lock layer, asserted after every step ([`Violation`]).
//! - `restore.rs`: a configuration as bytes, and back: what an exhaustive exploration keeps.
//! - `rewind.rs`: a world made equal to another, and one step taken back.
//! - `observer.rs`: who looks on ([`Observer`]).
//! - `naming.rs`: a configuration under other names ([`Naming`]).
//! - `active.rs`: the set of nodes that can do something.

mod active;
mod apply;
mod monitor;
mod naming;
mod observer;
mod offered;
mod restore;
mod rewind;
mod state;

pub use monitor::Violation;
pub use naming::{Naming, PortNames};
pub use observer::Observer;
pub use restore::Parts;
pub use state::{Envelope, LockSetRule, Setup, Timing, World};
