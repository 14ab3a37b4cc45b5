//! What algorithms promise, each as the monitor that looks on while a world runs: one file a promise.
//!
//! | file | promise | paper |
//! |---|---|---|
//! | `disjoint_lock_sets.rs` | [`DisjointLockSets`]: a holder holds itself and its persistent neighbours, alone | Daymude, Richa, Scheideler |
//! | `one_at_a_time.rs` | [`OneAtATime`]: one node is inside, in the whole graph | Hélary, Mostefaoui, Raynal |
//! | `at_least_at_most.rs` | [`AtLeastAtMost`]: of each closed neighbourhood at least l and at most k are inside | Kamei, Kakugawa |
//!
//! An algorithm names its promise as a type, so a world has the monitor that it needs and no other, at no cost in a step.
//! The cost of a check is proportional to the step. A broken promise is a result, not a panic: published rules break some
//! of them, and that must be shown.

mod at_least_at_most;
mod disjoint_lock_sets;
mod one_at_a_time;

pub use at_least_at_most::AtLeastAtMost;
pub use disjoint_lock_sets::DisjointLockSets;
pub use one_at_a_time::OneAtATime;
