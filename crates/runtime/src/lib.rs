//! Local mutual exclusion on time-varying graphs, and the Lock/Unlock layer that users call.
//!
//! Researchers design algorithms for weak, anonymous, moving entities as if only one of them acted at a time. This
//! crate provides such isolation: a node locks itself and the neighbours that stay connected, acts in isolation, and
//! unlocks. Meanwhile messages are asynchronous and an adversary changes the edges (Daymude, Richa, Scheideler, SAND
//! 2022).
//!
//! # Three ideas
//!
//! 1. **An algorithm is a pure state machine**: [`Exclusion`]. Its actions have the paper's form `label : guard ->
//!    operations`.
//! 2. **One call decides everything that the plan leaves open**: [`Choices::pick`].
//! 3. **Drivers differ only in how choices are made**: a [`scheduler`] picks; a checker tries all; a replay reads a
//!    file. All of them change the world only through [`World::apply`].
//!
//! # Modules
//!
//! | module | what |
//! |---|---|
//! | [`topology`] | the graph, its changes, the disconnection detector |
//! | [`exclusion`] | the trait of mutual-exclusion algorithms, and one folder per algorithm |
//! | [`section`] | critical sections: what a node does while it holds its lock set |
//! | [`lock`] | the Lock/Unlock layer for library users |
//! | [`step`], [`event`], [`world`] | everything that can happen, events for observers, the state of a run |
//! | [`scheduler`] | sequential, round robin, semi-synchronous, asynchronous, adversaries; weak fairness |
//! | [`execution`] | drives a world, turn by turn |
//! | [`choice`] | seeded, recorded, scripted, byte-driven, enumerated choices |
//! | [`pack`] | values as short byte strings |
//!
//! Start with [`lock::LockLayer`] to lock, act and unlock from your own code.

pub mod choice;
pub mod digest;
pub mod event;
pub mod exclusion;
pub mod execution;
pub mod limits;
pub mod lock;
pub mod node;
pub mod pack;
pub mod port;
pub mod scheduler;
pub mod section;
pub mod step;
pub mod topology;
pub mod world;

pub use choice::{Choices, Decision, FixedProbability, Seeded};
pub use digest::Digest;
pub use event::Event;
pub use exclusion::{Exclusion, LockSets, Status, Violation};
pub use lock::LockLayer;
pub use node::NodeId;
pub use pack::{Pack, PackError};
pub use port::{Port, PortNames, PortSet, PortsMut, PortsRef};
pub use section::{CriticalSection, Demand, LockOnly, Locked};
pub use step::{LockSetRequest, Step, StepError, StepOf};
pub use topology::{CandidateEdge, Topology, TopologyError};
pub use world::{LockSetRule, Naming, Observer, Setup, Timing, World};
