//! Mutual-exclusion algorithms as pure state machines.
//!
//! [`Exclusion`] is the only trait of an algorithm. An implementation does not own a clock, thread, file or random
//! generator. It sees the identifier of a node only if it declares that it needs identifiers. An action takes one
//! node's memory, the ports alive now, the detector's report and at most one message. It returns new memory, sends by
//! port, and possibly "granted" or "released".
//!
//! | folder | algorithm | assumes | promises |
//! |---|---|---|---|
//! | [`local`] | Daymude, Richa, Scheideler 2022 | anonymous nodes, a graph that changes | [`DisjointLockSets`] |
//! | [`tree_token`] | Hélary, Mostefaoui, Raynal 1992 | a rooted tree, identifiers, a static graph | [`OneAtATime`] |
//! | [`critical_section`] | Kamei, Kakugawa 2017 | bounds, identifiers, FIFO, a static graph | [`AtLeastAtMost`] |
//!
//! [`Assumptions`] are the requirements of an algorithm on its surroundings. [`NodeInput`] is the knowledge of a
//! node at the start. [`Promise`] is the guarantee in return, a monitor that checks every run. [`LockSets`]
//! gives the neighbours of a holder by port; [`AlgorithmLabels`] gives the labels for counts and output. [`Mutant`]
//! is an algorithm with one behaviour overridden, to show that the checks can fail.

mod algorithm;
mod assumptions;
pub mod critical_section;
mod errata;
mod initial_knowledge;
mod labels;
pub mod local;
mod lock_sets;
mod mutant;
pub mod promise;
mod request_owner;
mod role;
pub mod tree_token;
mod violation;

pub use algorithm::{
    ActionEffects, Anomaly, Call, Exclusion, Guarantee, Input, Promise, Stamps, Status, Transit,
};
pub use assumptions::{AssumptionError, Assumptions, BoundsError, Channels, RequiredGraph};
pub use errata::{Errata, Erratum};
pub use initial_knowledge::{Bounds, Given, Identifier, InitialKnowledge, NodeInput, RootedTree, TreeError};
pub use labels::{AlgorithmLabels, LABELS_MAX, NOTES_MAX, NoteLabels};
pub use lock_sets::LockSets;
pub use mutant::{Mutant, Mutation};
pub use promise::{AtLeastAtMost, DisjointLockSets, OneAtATime};
pub use request_owner::{RequestOwner, RequestOwnerOf};
pub use role::Role;
pub use violation::Violation;
