//! What must hold in every configuration: one file a property, each naming its lemma.
//!
//! The invariants are those of the specification, section 2.4. They hold between actions; where an edge has vanished and
//! the detector has not been read, a memory still names its port, and a property says what that means for it.
//!
//! | file | what | source |
//! |---|---|---|
//! | `phases.rs` | phase tells whether there are candidates, applicants, nobody | Table 1, Lemma 4.2 |
//! | `roles.rs` | A, C, H are disjoint; nobody is on hold without candidates; the lock's owner is in none | Table 1 |
//! | `priorities.rs` | P has one priority a port, of candidates only | Algorithm 2 |
//! | `replies.rs` | R and W answer L | Algorithm 1 |
//! | `domains.rs` | every set names live ports or ports in D | Table 1 |
//! | `awaited.rs` | every message in transit is awaited | Lemma 4.4 |
//! | `transit.rs` | at most two messages in transit on an edge | Theorem 4.1, Section 3.4 |
//! | `persistent.rs` | L without D is the persistent closed neighbourhood | Lemma 4.5 |
//! | `disjoint.rs` | lock sets are disjoint | Theorem 4.1, mutual exclusion |
//! | `acyclic.rs` | the graph of who waits for whom has no cycle | Lemma 4.6, as repaired |
//! | `dead.rs` | somebody can act while a call is outstanding | Corollary 4.10 |
//!
//! What is asked of whole runs (success is reachable, nobody is locked out) is in [`crate::locks`].

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message};
use acrasin_runtime::{CriticalSection, Violation, World};

mod acyclic;
mod awaited;
pub mod dead;
mod disjoint;
mod domains;
mod persistent;
mod phases;
mod priorities;
mod replies;
mod roles;
mod transit;

pub use acyclic::WaitsAcyclic;
pub use awaited::MessagesAwaited;
pub use disjoint::DisjointLockSets;
pub use domains::KnownPorts;
pub use persistent::PersistentLockSet;
pub use phases::PhaseTells;
pub use priorities::PrioritiesOfCandidates;
pub use replies::RepliesOfLockSet;
pub use roles::RolesApart;
pub use transit::TwoInTransit;

/// Something that must hold in every reachable configuration.
pub trait Property<E: Exclusion, S: CriticalSection>: Send + Sync {
    /// What it is called, in a few words.
    fn name(&self) -> &'static str;

    /// The lemma, theorem or section it stands for.
    fn source(&self) -> &'static str;

    /// Whether it holds.
    ///
    /// # Errors
    ///
    /// What was seen instead.
    fn check(&self, world: &World<E, S>) -> Result<(), String>;
}

/// All of them, for local mutual exclusion.
#[must_use]
pub fn all<E, S>() -> Vec<Box<dyn Property<E, S>>>
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    vec![
        Box::new(PhaseTells),
        Box::new(RolesApart),
        Box::new(PrioritiesOfCandidates),
        Box::new(RepliesOfLockSet),
        Box::new(KnownPorts),
        Box::new(MessagesAwaited),
        Box::new(TwoInTransit),
        Box::new(PersistentLockSet),
        Box::new(DisjointLockSets),
        Box::new(WaitsAcyclic),
    ]
}

/// The promises of the lock layer that the runtime asserts after every step, with their sources.
pub const PROMISES: [(&str, &str); 7] = [
    ("no two holders of one node", "Theorem 4.1 (mutual exclusion)"),
    ("Lock returns the persistent closed neighbourhood", "Theorem 4.1"),
    ("members of a returned lock set are locked", "Theorem 4.1, Lemma 4.5"),
    ("critical sections see held nodes only", "specification 3, F14"),
    ("held nodes keep their lock", "Theorem 4.1 (mutual exclusion)"),
    ("one message an edge and initiator", "specification 3.4, F4"),
    ("release-lock comes from the owner of the lock", "specification 3.3, R3"),
];

/// The name in [`PROMISES`] of the promise that was broken.
#[must_use]
pub fn promise(violation: &Violation) -> &'static str {
    let number = match violation {
        Violation::CommonNode { .. } => 0,
        Violation::WrongLockSet { .. } => 1,
        Violation::MemberNotLocked { .. } => 2,
        Violation::StrangerInSection { .. } => 3,
        Violation::HeldNodeChangedLock { .. } => 4,
        Violation::TooManyMessages { .. } => 5,
        Violation::ForeignRelease { .. } => 6,
        other => unreachable!("a promise without a name: {other}"),
    };
    PROMISES[number].0
}

/// Complains about the first node of which `fault` says something.
#[inline]
fn each_node<E: Exclusion, S: CriticalSection>(
    world: &World<E, S>,
    fault: impl Fn(acrasin_runtime::NodeId, &E::Memory) -> Option<String>,
) -> Result<(), String> {
    for node in world.topology().nodes() {
        if let Some(text) = fault(node, world.memory(node)) {
            return Err(format!("node {node}: {text}"));
        }
    }
    Ok(())
}
