//! Invariants of configurations: one file for each property, with its lemma.
//!
//! The invariants of local mutual exclusion are those of the specification, section 2.4. They hold between actions.
//! After an edge has vanished and before the node reads its detector, its memory still contains the port. Each property
//! states what it requires in this interval.
//!
//! | file | property | source |
//! |---|---|---|
//! | `phases.rs` | the phase follows from the sets of candidates and applicants | Table 1, Lemma 4.2 |
//! | `roles.rs` | A, C, H are disjoint; no node is on hold without candidates; the lock's owner is in none | Table 1 |
//! | `priorities.rs` | P has one priority a port, of candidates only | Algorithm 2 |
//! | `replies.rs` | R and W answer L | Algorithm 1 |
//! | `domains.rs` | every set names live ports or ports in D | Table 1 |
//! | `awaited.rs` | every message in transit is awaited | Lemma 4.4 |
//! | `transit.rs` | at most two messages in transit on an edge | Theorem 4.1, Section 3.4 |
//! | `persistent.rs` | L without D is the persistent closed neighbourhood | Lemma 4.5 |
//! | `disjoint.rs` | lock sets are disjoint | Theorem 4.1, mutual exclusion |
//! | `acyclic.rs` | the waits-for graph has no cycle | Lemma 4.6, as repaired |
//! | `one_token.rs` | one token; a node inside has it | Hélary, Mostefaoui, Raynal, Properties 1 to 3 |
//! | `abstract_tree.rs` | the abstract tree is a rooted tree | the same, Lemmas 1 to 3 |
//! | `grants.rs` | grants within capacity, and kept | Kamei, Kakugawa, Lemmas 1 and 5, as repaired |
//! | `promises.rs` | the names and sources of the promises that monitors check | the promise |
//! | `dead.rs` | a node can act while a call is outstanding | Corollary 4.10 |
//!
//! A property is one file and one line in the list of its algorithm ([`all`], [`tree_token()`]), which the algorithm
//! returns as [`CheckedExclusion`]. Callers can add their own properties to [`LockModel`](crate::locks::LockModel) and
//! to swarm runs.
//!
//! Properties of infinite runs (success is reachable, no node is locked out) are in [`crate::locks`].

use acrasin_runtime::exclusion::critical_section::LocalSections;
use acrasin_runtime::exclusion::local::{Local, Memory, Message};
use acrasin_runtime::exclusion::tree_token::TreeToken;
use acrasin_runtime::exclusion::{Exclusion, Mutant, critical_section, tree_token};
use acrasin_runtime::{CriticalSection, World};

mod abstract_tree;
mod acyclic;
mod awaited;
pub mod dead;
mod disjoint;
mod domains;
mod grants;
mod one_token;
mod persistent;
mod phases;
mod priorities;
mod promises;
mod replies;
mod roles;
mod transit;

pub use abstract_tree::{AbstractTree, abstract_tree};
pub use acyclic::WaitsAcyclic;
pub use awaited::MessagesAwaited;
pub use disjoint::LockSetsAreDisjoint;
pub use domains::KnownPorts;
pub use grants::GrantsKept;
pub use one_token::OneToken;
pub use persistent::PersistentLockSet;
pub use phases::PhaseTells;
pub use priorities::PrioritiesOfCandidates;
pub use promises::{PROMISES, Sources, promise, promises_of};
pub use replies::RepliesOfLockSet;
pub use roles::RolesApart;
pub use transit::TwoInTransit;

/// An invariant of all reachable configurations.
pub trait Property<E: Exclusion, S: CriticalSection>: Send + Sync {
    /// A short name, for reports.
    fn name(&self) -> &'static str;

    /// The lemma, theorem or section that states the property.
    fn source(&self) -> &'static str;

    /// Checks the property in the current configuration of `world`.
    ///
    /// # Errors
    ///
    /// A description of the violation.
    fn check(&self, world: &World<E, S>) -> Result<(), String>;
}

/// All properties of local mutual exclusion.
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
        Box::new(LockSetsAreDisjoint),
        Box::new(WaitsAcyclic),
    ]
}

/// All properties of the algorithm in which a token travels along a tree.
#[must_use]
pub fn tree_token<E, S>() -> Vec<Box<dyn Property<E, S>>>
where
    E: Exclusion<Memory = tree_token::Memory, Message = tree_token::Message>,
    S: CriticalSection,
{
    vec![Box::new(OneToken), Box::new(AbstractTree)]
}

/// All properties of local critical sections.
#[must_use]
pub fn critical_section<E, S>() -> Vec<Box<dyn Property<E, S>>>
where
    E: Exclusion<Memory = critical_section::Memory, Message = critical_section::Message>,
    S: CriticalSection,
{
    vec![Box::new(GrantsKept)]
}

/// An algorithm with its own properties, which are checked in addition to those of the caller.
pub trait CheckedExclusion: Exclusion {
    /// All properties of the algorithm, for worlds that run it or a mutant with the same memories and messages.
    #[must_use]
    fn properties<E, S>() -> Vec<Box<dyn Property<E, S>>>
    where
        E: Exclusion<Memory = Self::Memory, Message = Self::Message>,
        S: CriticalSection;
}

impl CheckedExclusion for Local {
    fn properties<E, S>() -> Vec<Box<dyn Property<E, S>>>
    where
        E: Exclusion<Memory = Memory, Message = Message>,
        S: CriticalSection,
    {
        all()
    }
}

impl CheckedExclusion for TreeToken {
    fn properties<E, S>() -> Vec<Box<dyn Property<E, S>>>
    where
        E: Exclusion<Memory = tree_token::Memory, Message = tree_token::Message>,
        S: CriticalSection,
    {
        tree_token()
    }
}

impl CheckedExclusion for LocalSections {
    fn properties<E, S>() -> Vec<Box<dyn Property<E, S>>>
    where
        E: Exclusion<Memory = critical_section::Memory, Message = critical_section::Message>,
        S: CriticalSection,
    {
        critical_section()
    }
}

/// A mutant has the properties of the original. Each mutation should break at least one of them.
impl<O: CheckedExclusion, A, P> CheckedExclusion for Mutant<O, A, P>
where
    Self: Exclusion<Memory = O::Memory, Message = O::Message>,
{
    fn properties<E, S>() -> Vec<Box<dyn Property<E, S>>>
    where
        E: Exclusion<Memory = O::Memory, Message = O::Message>,
        S: CriticalSection,
    {
        O::properties()
    }
}

/// Checks all nodes in order; the error is the description that `fault` returns for the first faulty node.
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
