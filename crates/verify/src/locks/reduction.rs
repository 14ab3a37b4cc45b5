//! Which reductions an exploration uses, and partial-order reduction itself.
//!
//! # Partial-order reduction
//!
//! Where a reply that its receiver awaits is in transit, the exploration takes its receipt alone and leaves all other
//! moves of that configuration for later. It may, because the receipt commutes with everything else:
//!
//! - It only adds a port to R or W of the receiver u: the algorithm says so
//!   ([`Exclusion::commutes`]), and that it sent nothing is looked at after it was made. Nothing was sent, so u is not
//!   busy afterwards where messages leave one by one either.
//! - No edge can vanish any more (the budget of disconnections is spent) and D(u) is empty: so the message stays in
//!   transit until it is received, CleanUp has nothing to do, and no other step reads or writes a detector.
//! - Calls out of turn are off: u's own Lock or Unlock is outstanding, so that it calls neither.
//! - R and W of u are read by the check of u's own initiator only, which is not enabled as long as this reply is
//!   missing. What u does as a participant, what other nodes do, edges that appear and messages that leave touch other
//!   things; what they send to u joins the messages in transit. With self-messages in memory the same holds: a receipt
//!   that sends nothing has nothing to deliver to itself, and another node's action never touches u.
//!
//! Let s be such a configuration and α the receipt. The conditions of the theory of ample sets hold for {α}:
//!
//! - *C0*: it is empty only if nothing is enabled.
//! - *C1*: whatever steps other than α lead away from s, α can be made first and the same steps after it, to the same
//!   end. (α itself may be delayed meanwhile, while u is busy sending; it is never lost. Only moving it forwards counts.)
//! - *C2*: it is invisible to what is asked: who waits, who holds what, locks, A, C, H, P, phases, the graph. A message
//!   that no node awaits stays so, and a reply counts as an answer in E' whether it is in transit or received.
//! - *C3*: no cycle is made of such moves alone, since each lowers the number of messages by one.
//!
//! So every dead configuration is found as it is, and a configuration that breaks a property is found up to replies
//! that were received earlier. One thing is visible: *how many* messages are in transit. A second reply on one edge
//! (rules that answer twice) is seen as a message that no node awaits instead of two messages on one edge. So the
//! verdict of all properties together is preserved, and each one's but `transit.rs` and the promise "one message an
//! edge and initiator".

use std::fmt;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::{CriticalSection, Step, StepOf, World};

/// Which configurations an exploration may pass over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reductions {
    /// Those that differ from others in names only: see [`Symmetry`](super::Symmetry).
    pub symmetry: bool,
    /// Those on the way of steps that commute with what is made first.
    pub partial_order: bool,
}

impl Reductions {
    /// Every reachable configuration is explored, with all its moves.
    pub const NONE: Self = Self { symmetry: false, partial_order: false };
}

/// Why an instance cannot be reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReductionError {
    /// The algorithm offers no other names for ports.
    NoOtherNames,
    /// There are more symmetries than are of use.
    TooManySymmetries {
        /// How many are accepted.
        limit: usize,
    },
}

impl fmt::Display for ReductionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOtherNames => {
                f.write_str("no symmetry reduction: the algorithm offers no other names for ports")
            }
            Self::TooManySymmetries { limit } => {
                write!(f, "no symmetry reduction: the instance has more than {limit} symmetries")
            }
        }
    }
}

impl std::error::Error for ReductionError {}

/// Whether the receipt may be taken first, as far as the configuration tells; the caller has made sure that no edge can
/// vanish and no call comes out of turn, and sees to it that nothing was sent.
pub(super) fn may_go_first<E: Exclusion, S: CriticalSection>(world: &World<E, S>, step: &StepOf<E>) -> bool {
    match *step {
        Step::Receive { node, port, message } => {
            world.topology().detector(node).is_empty()
                && world.exclusion().commutes(world.memory(node), port, message)
        }
        _ => false,
    }
}
