//! Runs of populations that are advanced side by side. Each has the same result as if it were advanced alone.

use acrasin_process::{Condition, Ending};
use acrasin_protocols::uniform::{BoundedRun, Mode, Population};

/// A run of a population between two turns.
pub(super) trait PopulationRun {
    /// The number of interactions at which the next turn ends, or the ending.
    fn next_limit(&mut self) -> Result<u64, Ending>;

    fn population(&mut self) -> &mut Population;
}

/// Advances runs until all have ended; `condition` ends a turn. `end` is called with each ended run and its position in
/// the list.
pub(super) fn advance_side_by_side<R: PopulationRun>(
    mut runs: Vec<Option<R>>,
    condition: &dyn Condition,
    mut end: impl FnMut(usize, R, Ending),
) {
    loop {
        let mut limits = Vec::with_capacity(runs.len());
        for (position, place) in runs.iter_mut().enumerate() {
            match place.as_mut().map(PopulationRun::next_limit) {
                None => {}
                Some(Ok(limit)) => limits.push(limit),
                Some(Err(ending)) => {
                    if let Some(run) = place.take() {
                        end(position, run, ending);
                    }
                }
            }
        }
        let headings = runs.iter_mut().flatten().zip(limits);
        let headings: Vec<BoundedRun<'_>> =
            headings.map(|(run, limit)| BoundedRun { population: run.population(), limit }).collect();
        if headings.is_empty() {
            return;
        }
        // Urns are faster side by side. Each turn of the others takes some milliseconds, even with more changes than
        // expected.
        let (mut urns, others): (Vec<_>, Vec<_>) =
            headings.into_iter().partition(|heading| heading.population.mode() == Mode::Urn);
        for BoundedRun { population, limit } in others {
            population.run_stretch(Some(condition), limit);
        }
        Population::run_until_together(&mut urns, condition);
    }
}
