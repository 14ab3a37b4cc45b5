//! Promises of algorithms, each as the monitor that checks it while a world runs: one file per promise.
//!
//! | file | promise | paper |
//! |---|---|---|
//! | `disjoint_lock_sets.rs` | [`DisjointLockSets`]: no node is held by two holders | Daymude, Richa, Scheideler |
//! | `one_at_a_time.rs` | [`OneAtATime`]: one node is inside, in the whole graph | Hélary, Mostefaoui, Raynal |
//! | `at_least_at_most.rs` | [`AtLeastAtMost`]: l to k nodes of each neighbourhood are inside | Kamei, Kakugawa |
//!
//! An algorithm names its promise as a type, so a world has exactly the monitor that it needs, and pays for no
//! other. The cost of a check is proportional to the step. A broken promise is a result, not a panic: some
//! published rules break theirs, and runs must show it.

mod at_least_at_most;
mod disjoint_lock_sets;
mod one_at_a_time;

pub use at_least_at_most::AtLeastAtMost;
pub use disjoint_lock_sets::DisjointLockSets;
pub use one_at_a_time::OneAtATime;
