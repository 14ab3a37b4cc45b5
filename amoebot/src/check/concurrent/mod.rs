//! Exhaustive exploration of the interleavings of steps in small systems.

use std::hash::Hash;

use super::limits::{CheckLimits, ExploreError, Questions};
use super::route::{RetraceMoves, Retraced};
use super::search::{RunToWrong, SearchStop, search};
use crate::algorithm::Algorithm;
use crate::model::system::System;
use crate::run::concurrent::framework::Concurrent;
use crate::run::concurrent::locks::SavedLocks;

mod found;
mod orders;

pub use found::{ConcurrencyFault, ConcurrentExploration, RunToFault};
use orders::Orders;

/// Explores all interleavings of the steps of A′ from some systems. Time and memory grow with the number of
/// states.
///
/// # Errors
///
/// There are more than `states_max` states.
pub fn explore_concurrent<A, L>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    locks: impl Fn(&System<A::Memory>) -> L,
    is_goal: impl Fn(&System<A::Memory>) -> bool + Sync,
    states_max: usize,
) -> Result<ConcurrentExploration<A::Memory>, ExploreError>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: SavedLocks + Clone + Eq + Hash + Send + Sync,
{
    let limits = CheckLimits { states_max, ..CheckLimits::default() };
    explore_concurrent_within(algorithm, starts, locks, &Questions::from_goal(&is_goal), limits)
}

/// Like [`explore_concurrent`], with questions and limits that the caller chooses. Starts are taken from the iterator
/// one by one.
///
/// # Errors
///
/// The limit of states, bytes or outcomes is exceeded, or the exploration is stopped.
pub fn explore_concurrent_within<A, L>(
    algorithm: &A,
    starts: impl IntoIterator<Item = System<A::Memory>>,
    locks: impl Fn(&System<A::Memory>) -> L,
    questions: &Questions<'_, A::Memory>,
    limits: CheckLimits,
) -> Result<ConcurrentExploration<A::Memory>, ExploreError>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: SavedLocks + Clone + Eq + Hash + Send + Sync,
{
    let orders = Orders::new(algorithm, questions, limits);
    let stop = SearchStop::new(questions.is_stopped, limits);
    let mut starts = starts.into_iter();
    let mut next_start = |into: &mut Vec<u8>| {
        let Some(start) = starts.next() else { return Ok(false) };
        let locks = locks(&start);
        orders.pack_start(&Concurrent::new(algorithm, start, locks), into).map(|()| true)
    };
    let tell = |run: RunToWrong<'_>| {
        // A state that cannot be expanded again has no run to show.
        if let Ok(way) = orders.run_to(&run) {
            (questions.told)(&run.broken.text, &way.end, &way.route);
        }
    };
    let explored = search(&orders, &mut next_start, &stop, (questions.keeper, &tell))?;
    orders.results(&explored)
}

/// Replays an execution from its start. `None` if a move does not exist, or if the replay is stopped.
pub fn retrace_concurrent<A, L>(
    algorithm: &A,
    start: System<A::Memory>,
    locks: L,
    moves: RetraceMoves<'_>,
) -> Option<Vec<Retraced<A::Memory>>>
where
    A: Algorithm<Memory: Send + Sync> + Sync,
    L: SavedLocks + Clone + Eq + Hash + Send + Sync,
{
    let questions = Questions::from_goal(&|_| false);
    let orders = Orders::new(algorithm, &questions, CheckLimits::default());
    orders.retraced(&Concurrent::new(algorithm, start, locks), moves)
}
