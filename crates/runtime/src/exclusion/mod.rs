//! Mutual-exclusion algorithms as pure state machines.
//!
//! [`Exclusion`] is the only trait of an algorithm. An implementation owns no clock, thread, file or generator,
//! and sees a node's identity only if it declares that it needs one. An action takes one node's memory, the
//! ports alive now, the detector's report and at most one message. It returns new memory, sends by port, and
//! possibly "granted" or "released".
//!
//! | folder | algorithm | assumes | promises |
//! |---|---|---|---|
//! | [`local`] | Daymude, Richa, Scheideler 2022 | anonymous nodes, a graph that changes | [`DisjointLockSets`] |
//! | [`tree_token`] | Hélary, Mostefaoui, Raynal 1992 | a rooted tree, identifiers, a static graph | [`OneAtATime`] |
//! | [`critical_section`] | Kamei, Kakugawa 2017 | bounds, initial states, identifiers, FIFO, a static graph | [`AtLeastAtMost`] |
//!
//! [`Assumptions`] are the requirements of an algorithm on its surroundings. [`Seat`] is the knowledge of a
//! node at the start. [`Promise`] is the guarantee in return, a monitor that checks every run. [`LockSets`]
//! gives the neighbours of a holder by port; [`Vocabulary`] gives the labels for counts and output. [`Altered`]
//! is an algorithm with one behaviour overridden, to show that the checks can fail.

mod algorithm;
mod altered;
mod assumptions;
mod behalf;
pub mod critical_section;
pub mod local;
mod lock_sets;
mod printed;
pub mod promise;
mod role;
mod seat;
pub mod tree_token;
mod violation;
mod vocabulary;

pub use algorithm::{Anomaly, Call, Effects, Exclusion, Guarantee, Input, Promise, Stamps, Status, Transit};
pub use altered::{Alteration, Altered};
pub use assumptions::{Assumptions, Channels, Misfit, Network, Unmet};
pub use behalf::{Behalf, BehalfOf};
pub use lock_sets::LockSets;
pub use printed::{Misprint, Printed};
pub use promise::{AtLeastAtMost, DisjointLockSets, OneAtATime};
pub use role::Role;
pub use seat::{Bounds, Given, Identifier, RootedTree, Seat, Seating, TreeError};
pub use violation::Violation;
pub use vocabulary::{NOTES_MAX, NoteWords, Vocabulary, WORDS_MAX};
