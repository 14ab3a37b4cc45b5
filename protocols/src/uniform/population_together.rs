//! Runs several populations of one table side by side, as urns in the lanes of vectors.

use std::sync::Arc;

use acrasin_engine::Vectors;

use super::cost::Mode;
use super::population::Population;
use super::urn_lanes::{BoundedUrn, LANES, run_all};
use acrasin_process::Condition;

/// The number of populations that should run side by side for the lowest cost per population.
pub const TOGETHER: usize = LANES;

/// A population to run side by side with others, and the bound of its run.
#[derive(Debug)]
pub struct BoundedRun<'a> {
    /// The population to run.
    pub population: &'a mut Population,
    /// The maximum total number of interactions.
    pub limit: u64,
}

impl Population {
    /// Whether runs that start now are cheaper side by side.
    #[must_use]
    pub fn gains_together(&self) -> bool {
        self.is_chosen(Mode::Urn) && self.forced.is_none_or(|mode| mode == Mode::Urn)
    }

    /// Like [`run_until`](Self::run_until), but for several populations of one table. Each has the result that it would
    /// have alone.
    ///
    /// Cost: a fifth of single runs if [`gains_together`](Self::gains_together) returns true and there are about
    /// [`TOGETHER`] populations.
    ///
    /// ```
    /// use acrasin_protocols::{Table, library::ApproximateMajority, uniform::{Agreed, BoundedRun, Population}};
    ///
    /// let table = Table::compile(&ApproximateMajority)?;
    /// let agreed = Agreed::new(&table);
    /// let run = |seed| Population::new(&table, &[600, 400, 0], seed);
    /// let mut together: Vec<Population> = (0..20).map(run).collect::<Result<_, _>>()?;
    /// let limit = 1 << 30;
    /// let mut headings: Vec<BoundedRun<'_>> =
    ///     together.iter_mut().map(|population| BoundedRun { population, limit }).collect();
    /// Population::run_until_together(&mut headings, &agreed);
    /// for (seed, population) in together.iter().enumerate() {
    ///     let mut alone = run(seed as u64)?;
    ///     assert!(alone.run_until(&agreed, limit));
    ///     assert_eq!((alone.interactions(), alone.counts()), (population.interactions(), population.counts()));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if two populations have different tables or numbers of agents.
    pub fn run_until_together(headings: &mut [BoundedRun<'_>], condition: &dyn Condition) {
        Self::run_until_with(headings, condition, Vectors::widest());
    }

    pub(super) fn run_until_with(
        headings: &mut [BoundedRun<'_>],
        condition: &dyn Condition,
        vectors: Vectors,
    ) {
        let Some(first) = headings.first() else { return };
        let (agents, rules) = (first.population.agents, Arc::clone(&first.population.rules));
        for heading in &*headings {
            let other = &heading.population;
            let is_same = Arc::ptr_eq(&other.rules, &rules) || other.rules.digest() == rules.digest();
            assert!(is_same && other.agents == agents, "populations of one table and one size go together");
        }
        loop {
            let mut urn = None;
            let mut bound: Vec<BoundedUrn<'_>> = Vec::with_capacity(headings.len());
            let mut places = Vec::with_capacity(headings.len());
            for BoundedRun { population, limit } in &mut *headings {
                if !population.goes_on_as_urn(condition, *limit) {
                    continue;
                }
                population.last = None;
                let left = (*limit).min(population.decide_at) - population.computed;
                urn = population.urn;
                places.push((
                    &mut population.computed,
                    &mut population.shown,
                    &mut population.shown_counts,
                    left,
                ));
                bound.push(BoundedUrn {
                    counts: &mut population.computed_counts,
                    stream: &mut population.urn_stream,
                    left,
                    holds: false,
                });
            }
            let Some(urn) = urn else { return };
            run_all(&urn, &mut bound, condition, vectors);
            for ((computed, shown, shown_counts, most), bound) in places.into_iter().zip(bound) {
                *computed += most - bound.left;
                *shown = *computed;
                shown_counts.copy_from_slice(bound.counts);
            }
        }
    }

    /// Returns whether the population must continue as an urn. In any other mode this call advances it.
    fn goes_on_as_urn(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        if self.shown == self.computed {
            if condition.holds(&self.shown_counts) || self.shown >= limit {
                return false;
            }
            self.decide();
            if self.mode == Mode::Urn {
                return true;
            }
        }
        self.run_until(condition, limit);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::condition::{Agreed, Silent};
    use super::*;
    use crate::library::{ApproximateMajority, ApproximateMajorityOneWay, Cyclic, ExactMajority, Fratricide};
    use crate::table::Table;

    /// A condition that depends on a threshold of a count, and not on whether a state has agents.
    struct Level(u64);

    impl Condition for Level {
        fn holds(&self, counts: &[u64]) -> bool {
            counts[1] == self.0
        }

        fn possible(&self, least: &[u64], most: &[u64]) -> bool {
            (least[1]..=most[1]).contains(&self.0)
        }
    }

    struct Never;

    impl Condition for Never {
        fn holds(&self, _: &[u64]) -> bool {
            false
        }

        fn possible(&self, _: &[u64], _: &[u64]) -> bool {
            false
        }
    }

    /// The saved state after every part of the run equals that of a single run. The test uses full groups of lanes,
    /// fewer and more urns, different limits, and vectors of every width.
    #[test]
    fn runs_side_by_side_are_runs_alone_state_by_state() {
        let tables = [
            Table::compile(&ApproximateMajority),
            Table::compile(&ApproximateMajorityOneWay),
            Table::compile(&Cyclic::ROCK_PAPER_SCISSORS),
            Table::compile(&ExactMajority),
            Table::compile(&Fratricide),
        ]
        .map(Result::unwrap);
        for table in tables {
            for (agents, runs) in [(2, 5), (40, 33), (1000, 70)] {
                let mut start = vec![0; usize::from(table.state_count())];
                (start[0], start[1]) = (agents - agents * 2 / 5, agents * 2 / 5);
                let conditions: [Box<dyn Condition>; 4] = [
                    Box::new(Agreed::new(&table)),
                    Box::new(Silent::new(&table)),
                    Box::new(Level(agents / 3)),
                    Box::new(Never),
                ];
                let forced = |seed: u64| Population::new(&table, &start, seed).unwrap().with_mode(Mode::Urn);
                for condition in conditions {
                    for vectors in [Vectors::Portable, Vectors::Avx2, Vectors::Avx512] {
                        let mut alone: Vec<Population> = (0..runs).map(forced).collect();
                        let mut together = alone.clone();
                        for part in 1..4 {
                            let limit = |seed: usize| part * (agents + 7 * seed as u64 + 600);
                            let mut headings: Vec<BoundedRun<'_>> = together
                                .iter_mut()
                                .enumerate()
                                .map(|(seed, population)| BoundedRun { population, limit: limit(seed) })
                                .collect();
                            Population::run_until_with(&mut headings, &*condition, vectors);
                            for (seed, (alone, together)) in alone.iter_mut().zip(&together).enumerate() {
                                alone.run_until(&*condition, limit(seed));
                                assert!(alone.save() == together.save(), "{agents} agents, run {seed}");
                            }
                        }
                    }
                }
            }
        }
    }

    /// After each number of interactions the state equals that after single steps, for every choice of the observed
    /// moments.
    #[test]
    fn an_urn_does_not_depend_on_where_it_is_looked_at() {
        let table = Table::compile(&ApproximateMajority).unwrap();
        let urn = |seed| Population::new(&table, &[60, 40, 0], seed).unwrap();
        let (mut stepped, mut whole) = (urn(3), urn(3));
        assert!(stepped.gains_together());
        for interactions in 1..=300 {
            stepped.run_to(interactions);
            if interactions % 100 == 0 {
                whole.run_to(interactions);
                assert!(stepped.save() == whole.save(), "{interactions}");
            }
        }
        assert_ne!(urn(4).urn_stream, urn(3).urn_stream);
    }

    #[test]
    #[should_panic(expected = "one table and one size")]
    fn populations_of_other_tables_do_not_go_together() {
        let majority = Table::compile(&ApproximateMajority).unwrap();
        let species = Table::compile(&Cyclic::ROCK_PAPER_SCISSORS).unwrap();
        let mut populations =
            [&majority, &species].map(|table| Population::new(table, &[5, 5, 5], 1).unwrap());
        let mut headings: Vec<BoundedRun<'_>> =
            populations.iter_mut().map(|population| BoundedRun { population, limit: 10 }).collect();
        Population::run_until_together(&mut headings, &Never);
    }
}
