//! Mutual-exclusion algorithms as pure state machines.
//!
//! [`Exclusion`] is the one trait. An implementation owns no clock, thread, file or generator, and sees a node's identity
//! only if it declares that it needs one: one node's memory, one action, the ports alive now, the detector's report and at
//! most one message go in; new memory, sends by port, and possibly "granted" or "released" come out.
//!
//! | folder | algorithm | assumes | promises |
//! |---|---|---|---|
//! | [`local`] | Daymude, Richa, Scheideler 2022 | nothing: anonymous nodes, a graph that changes | [`DisjointLockSets`] |
//! | [`tree_token`] | Hélary, Mostefaoui, Raynal 1992 | a rooted tree, identifiers, a static graph | [`OneAtATime`] |
//! | [`critical_section`] | Kamei, Kakugawa 2017 | bounds, the states of the start, identifiers, FIFO channels, a static graph | [`AtLeastAtMost`] |
//!
//! What an algorithm needs of its surroundings is [`Assumptions`]; what a node is given of it at the start is its
//! [`Seat`]; what holds in return is its promise, a monitor that looks on in every run ([`Promise`]). Whoever needs the
//! neighbours of a holder by port asks for [`LockSets`], whoever counts or writes for [`Vocabulary`]. [`Altered`] is an
//! algorithm with one thing replaced: a wrong one, to show that the checks can fail.

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
