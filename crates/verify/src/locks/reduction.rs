//! The reductions of an exploration, and the argument for partial-order reduction.
//!
//! # Partial-order reduction
//!
//! If a reply that its receiver awaits is in transit, the exploration takes only its receipt and postpones all other
//! moves of that configuration. This is sound because the receipt commutes with every other step:
//!
//! - The receipt only adds a port to R or W of the receiver u, as the algorithm states ([`Exclusion::commutes`]). The
//!   exploration checks afterwards that the receipt sent nothing. So u is not busy even if messages leave one by one.
//! - No edge can vanish (the budget of disconnections is used up) and D(u) is empty. So the message stays in transit
//!   until it is received, CleanUp has nothing to do, and no other step reads or writes a detector.
//! - Calls that the rules ignore are not explored. Since u's own Lock or Unlock is outstanding, u calls neither Lock
//!   nor Unlock.
//! - Only the check of u as an initiator reads R and W of u, and this check is disabled as long as the reply is
//!   missing. The steps of u as a participant, of other nodes, new edges and departing messages touch other parts.
//!   Messages that they send to u are only added to those in transit. The same holds with self-messages in memory: a
//!   receipt that sends nothing delivers nothing to itself, and another node's action never touches u.
//!
//! Let s be such a configuration and α the receipt. The conditions of the theory of ample sets hold for {α}:
//!
//! - *C0*: the set of explored moves is empty only if no move is enabled.
//! - *C1*: if steps other than α lead away from s, α can be moved before them with the same result. (α may be delayed
//!   meanwhile, while u is busy sending, but is never lost. Only moving it forwards counts.)
//! - *C2*: α is invisible to the questions asked: waiting nodes, lock sets, locks, A, C, H, P, phases, the graph. A
//!   message that no node awaits is still not awaited afterwards. A reply counts as an answer in E' both in transit and
//!   when received.
//! - *C3*: no cycle consists of such moves alone, since each reduces the number of messages by one.
//!
//! So every dead configuration is found exactly. A configuration that breaks a property is found in a variant in which
//! some replies have already been received. Only the *number* of messages in transit is visible. With rules that answer
//! twice, a second reply on one edge appears as a message that no node awaits, instead of as two messages on one edge.
//! So the answer whether all properties hold is preserved. The verdict on each single property is preserved as well,
//! except for that of `transit.rs` and the promise "one message per edge and initiator".

use std::fmt;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{CriticalSection, Step, StepOf, World};

/// The configurations that an exploration may skip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reductions {
    /// Whether to skip configurations that equal others up to renaming: see [`Symmetry`](super::Symmetry).
    pub symmetry: bool,
    /// Whether to skip intermediate configurations that differ only in the order of commuting steps.
    pub partial_order: bool,
}

impl Reductions {
    /// No reduction: every reachable configuration is explored, with all its moves.
    pub const NONE: Self = Self { symmetry: false, partial_order: false };
}

/// Errors of applying reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReductionError {
    /// The algorithm cannot rename ports.
    NoOtherNames,
    /// There are so many symmetries that the reduction would save no time.
    TooManySymmetries {
        /// The maximum number of symmetries.
        limit: usize,
    },
}

impl fmt::Display for ReductionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOtherNames => {
                f.write_str("no symmetry reduction: this algorithm does not support renaming ports")
            }
            Self::TooManySymmetries { limit } => {
                write!(f, "no symmetry reduction: the instance has more than {limit} symmetries")
            }
        }
    }
}

impl std::error::Error for ReductionError {}

/// Whether the configuration allows this receipt to be taken alone. The caller must ensure the other conditions: no
/// edge can vanish, ignored calls are not explored, and the receipt sends nothing.
pub(super) fn may_go_first<E: Exclusion, S: CriticalSection>(world: &World<E, S>, step: &StepOf<E>) -> bool {
    match *step {
        Step::Receive { node, port, message } => {
            world.topology().detector(node).is_empty()
                && world.exclusion().commutes(world.memory(node), port, message)
        }
        _ => false,
    }
}
