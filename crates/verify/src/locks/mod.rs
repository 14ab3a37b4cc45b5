//! The lock layer, explored exhaustively.
//!
//! - [`Instance`]: a small graph, its states and rules, and the powers of the adversary.
//! - [`LockModel`]: its runs as a [`Model`](acrasin_explore::Model), through `World::apply`.
//! - [`check`]: explores and answers every question; the [`LockReport`] has a shortest run for each broken property.
//! - [`Reductions`]: the configurations that may be skipped, in `reduction.rs` (orders of steps) and `symmetry.rs`
//!   (renamings).
//! - [`LockModel::walk`]: random walks, for instances that are too large to explore.
//! - `liveness.rs`: questions about infinite runs; `duty.rs`: fairness duties; `trace.rs`: runs in the paper's
//!   notation.

mod check;
mod duty;
mod instance;
mod lassos;
mod liveness;
mod model;
mod reduction;
mod refused;
mod round;
mod symmetry;
mod trace;
mod unroll;
mod walks;

pub use check::{LockReport, Options, PropertyVerdict, Verdict, Witness, check, check_with};
pub use duty::{is_holding, is_waiting};
pub use instance::{
    Budget, Explored, ExploredSection, INSTANCE_NODES_MAX, INSTANCE_PORTS_MAX, Instance, Rewiring,
};
pub use liveness::{LOCKOUT_FREE, SUCCESS_REACHABLE, Starving, lockout, success_unreachable};
pub use model::{LockModel, Workbench};
pub use reduction::{ReductionError, Reductions};
pub use refused::RefusedInstance;
pub use round::Round;
pub use symmetry::{SYMMETRIES_MAX, Symmetry};
pub use trace::{narrate, node_name};
pub use walks::{Walked, Walks};
