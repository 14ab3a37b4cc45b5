//! Parallel execution of the lock layer.
//!
//! This crate runs the local mutual exclusion algorithm and the critical sections of [`acrasin_runtime`] in parallel
//! and with little memory. A [`Rung`] tells how much of the algorithm is executed. Tests compare F3 with F4 and F2 with
//! F3 after every round, and F1 with complete Locks of the `World` in the order of the wave.
//!
//! | module | rung | what is executed |
//! |---|---|---|
//! | [`mod@reference`] | F4 | the `World` of the runtime, one action after another, in macro activations |
//! | [`message`] | F3 | every message, on any graph, also changing ones: one published word per node |
//! | [`sliced`] | F2 | every message, on lattices: one bit of each of 64 to 512 nodes per instruction |
//! | [`waves`] | F1 | disjoint lock sets without messages: critical sections in parallel |
//!
//! # Rounds
//!
//! F2, F3 and F4 run *semi-synchronous rounds of macro activations*. In a round a subset of the nodes is active. All
//! of them read the configuration at the start of the round; their messages can be read from the next round on. A
//! macro activation of node `u` is this sequence of single actions of the paper, each executed if it is enabled:
//!
//! 1. CleanUp, if the detector of `u` reports something;
//! 2. receptions of the messages that were in transit to `u` at the start of the round, in the order of these lines,
//!    and by increasing port within each line:
//!    - ReceiveRequest from candidates (nodes that have competed at `u` before),
//!    - ReceiveSetLock,
//!    - ReceiveRelease,
//!    - ReceivePrepare,
//!    - ReceiveRequest from applicants (first requests),
//!    - ReceiveReady, ReceiveWin, ReceiveAckLock, ReceiveAckUnlock;
//! 3. CheckPriorities, if its guard holds;
//! 4. one step of the initiator, by the state that `u` had at the start: CheckStart, CheckWin, CheckDone or
//!    CheckUnlocked if its guard holds; a call to Lock if idle and wanting; the critical section and a call to Unlock
//!    if locked.
//!
//! Actions of different nodes commute, and consecutive actions of one node are a legal schedule. So every round is
//! equivalent to a schedule of single actions. The rules are the repaired ones; a node also sends messages to itself.
//!
//! Each draw is a function of seed, purpose, round or wave, and node ([`draw`]), so no result depends on the number of
//! threads.

pub mod draw;
pub mod message;
pub mod network;
pub mod reference;
pub mod round;
pub mod sliced;
pub mod waves;

mod cancellation;
mod pages;
mod rung;
mod saved;
mod threads;
mod unchecked;

pub use cancellation::RoundCancellation;
pub use draw::{Draws, Purpose};
pub use network::{Lattice, LatticeKind};
pub use pages::Pages;
pub use round::{ActiveNodes, Figures, Wanting};
pub use rung::Rung;
pub use unchecked::{Kernel, Vectors, prefetch, run_widest};
