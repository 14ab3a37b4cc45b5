//! [`SweepPlan`]: the runs of a sweep, with their plans and seeds, and the order in which they are executed.

use std::collections::BTreeMap;
use std::sync::Arc;

use acrasin_report::value::Value;
use acrasin_runtime::Digest;
use acrasin_runtime::choice::derived_seed;
use acrasin_scenario::{Catalogue, DataFile, Runnable};

use super::SweepArguments;
use super::part::SweepPart;
use super::values::SweptField;
use super::written_row::CombinationValues;
use crate::output::Verbosity;
use crate::run::{made_for, read, runnable};
use crate::{Failure, machine, memory, setup};

/// The field with the seed of the runs.
const SEED: &str = "seed";

/// A combination of values of the varied fields, with its plan.
pub(super) struct Combination {
    pub(super) sets: Vec<(String, String)>,
    pub(super) plan: Arc<dyn Runnable + Send>,
    seed: u64,
    /// The digest of the scenario with these values and of the files that it names.
    digest: String,
    files: Vec<DataFile>,
    /// The values in the forms in which rows begin with them.
    pub(super) words: CombinationValues,
}

/// The seed, digest and files that an existing row of a run must have.
pub(super) struct ExpectedRow<'a> {
    pub(super) seed: u64,
    pub(super) digest: &'a str,
    pub(super) files: &'a [DataFile],
}

/// All combinations, each with its plan, so that all errors are reported before the first run.
///
/// The number of a run is its place in this order: repetition 0 of all combinations, then repetition 1 of all
/// combinations, and so on. An interrupted sweep thus covers all combinations, and additional repetitions follow the
/// existing ones.
pub(super) struct SweepPlan {
    pub(super) combinations: Vec<Combination>,
    repetitions: u64,
    /// The part of the runs that this process executes.
    part: SweepPart,
    /// The seed from which the seeds of all runs are derived.
    pub(super) seed: u64,
    varies_seed: bool,
    by_values: BTreeMap<Vec<String>, usize>,
    /// The number of repetitions of a combination that run directly after one another, which saves work for some plans.
    /// The first repetition is not among them.
    block: u64,
}

impl SweepPlan {
    /// Resolves all combinations. `seed` replaces that of the scenario.
    pub(super) fn new(
        arguments: &SweepArguments,
        seed: Option<u64>,
        catalogue: &Catalogue,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        let count = arguments.over.iter().map(|over| over.values.len() as u64).product::<u64>();
        let mut combinations = Vec::new();
        let mut base_seed = seed;
        let varies_seed = arguments.over.iter().any(|over| over.key == SEED);
        if varies_seed && base_seed.is_some() {
            return Err(Failure::usage("--seed and --over seed are both given").accepting("one of them"));
        }
        if varies_seed && arguments.over.len() > 1 {
            verbosity.say(
                "note: each seed is used for many combinations of values, so that their results are not independent; \
                 --reps instead of --over seed gives every run its own seed",
            );
        }
        for number in 0..count {
            // Each combination has a plan, with its graph or trace.
            if number % 64 == 63 && memory::is_low() {
                let message = format!("{number} of {count} combinations already fill the memory");
                return Err(Failure::usage(message).accepting("fewer values, or several sweeps"));
            }
            let sets = assigned(&arguments.over, number);
            let all: Vec<(String, String)> = arguments.set.iter().chain(&sets).cloned().collect();
            let (document, base) = read(Some(&arguments.scenario), &all)?;
            // One clock for all combinations, because each clock has a thread.
            setup::begin(made_for(&document), arguments.max_time.filter(|_| combinations.is_empty()));
            let plan = runnable(&document, &base, catalogue)?;
            let seed = match base_seed.or(plan.header().seed) {
                Some(seed) => seed,
                None if arguments.part.is_some() || !arguments.join.is_empty() => {
                    return Err(Failure::usage("the scenario has no seed, and --seed is missing")
                        .accepting("the same --seed N for all parts and for --join"));
                }
                None => {
                    let seed = machine::drawn_seed();
                    verbosity
                        .say(format_args!("seed {seed} (drawn; --seed {seed} gives the same sweep again)"));
                    seed
                }
            };
            base_seed = Some(seed);
            // The seed is derived from the values instead of the place, so that a combination has the same seeds in
            // every sweep.
            let Digest(digest) = Digest::of(&sets);
            let seed = match plan.header().seed {
                Some(seed) if varies_seed => seed,
                _ => derived_seed(seed, digest as u64),
            };
            let (words, files) = (CombinationValues::of(&sets), document.data_files(&base));
            let digest = document.digest_with(&files);
            combinations.push(Combination { sets, plan, seed, digest, files, words });
        }
        let values =
            |of: &Combination| of.sets.iter().map(|(_, value)| normal(&value.as_str().into())).collect();
        let by_values = combinations.iter().map(values).zip(0..).collect();
        let block = combinations.iter().map(|of| of.plan.together()).max().unwrap_or(1) as u64;
        let seed = base_seed.expect("there is a combination");
        let part = arguments.part.unwrap_or(SweepPart::WHOLE);
        let repetitions = arguments.reps.into();
        Ok(Self { combinations, repetitions, part, seed, varies_seed, by_values, block })
    }

    /// The values that replace those of the scenario in the first combination.
    pub(super) fn first_sets(&self, arguments: &SweepArguments) -> Vec<(String, String)> {
        let first = self.combinations.iter().take(1).flat_map(|of| of.sets.iter());
        arguments.set.iter().chain(first).cloned().collect()
    }

    /// The seed to pass to [`new`](Self::new) in another process, to get the same plan there.
    pub(super) fn given_seed(&self) -> Option<u64> {
        (!self.varies_seed).then_some(self.seed)
    }

    /// The digest of all scenarios and of the files that they name.
    pub(super) fn digest(&self) -> String {
        let digests: Vec<&str> = self.combinations.iter().map(|of| of.digest.as_str()).collect();
        let Digest(digest) = Digest::of(&digests);
        format!("{digest:032x}")
    }

    pub(super) fn repetitions(&self) -> u64 {
        self.repetitions
    }

    pub(super) fn runs(&self) -> u64 {
        self.repetitions * self.count()
    }

    /// The number of runs in the part that this process executes.
    pub(super) fn runs_here(&self) -> u64 {
        self.part.runs(self.count(), self.repetitions)
    }

    /// The number of runs of a combination in the part that this process executes.
    pub(super) fn runs_of(&self, combination: usize) -> u64 {
        self.part.runs_of(combination as u64, self.repetitions)
    }

    /// Whether the run at a place belongs to the part that this process executes.
    pub(super) fn is_here(&self, place: u64) -> bool {
        let (combination, repetition) = self.at(place);
        self.part.has(combination, repetition)
    }

    fn count(&self) -> u64 {
        self.combinations.len() as u64
    }

    /// The names of the varied fields.
    pub(super) fn keys(&self) -> Vec<&str> {
        self.combinations
            .first()
            .map_or_else(Vec::new, |of| of.sets.iter().map(|(key, _)| key.as_str()).collect())
    }

    /// The index of the combination with these values, given in the order of the fields; `None` if there is none.
    pub(super) fn combination(&self, values: &[&Value]) -> Option<usize> {
        let values: Vec<String> = values.iter().map(|value| normal(value)).collect();
        self.by_values.get(&values).copied()
    }

    /// Whether no two combinations have equal values, such as `1` and `1.0`.
    pub(super) fn is_distinct(&self) -> bool {
        self.by_values.len() == self.combinations.len()
    }

    pub(super) fn place(&self, combination: usize, repetition: u64) -> u64 {
        repetition * self.count() + combination as u64
    }

    /// The combination and the repetition of the run at a place.
    pub(super) fn at(&self, place: u64) -> (usize, u64) {
        ((place % self.count()) as usize, place / self.count())
    }

    /// The place of the run that begins when `others` runs have begun. Rows are nevertheless written in the order of
    /// places.
    pub(super) fn made_after(&self, others: u64) -> u64 {
        let (combinations, block) = (self.count(), self.block);
        if others < combinations || block == 1 {
            return others;
        }
        let others = others - combinations;
        let first = 1 + others / (combinations * block) * block;
        let (within, repetitions) = (others % (combinations * block), block.min(self.repetitions - first));
        self.place((within / repetitions) as usize, first + within % repetitions)
    }

    /// The seed of a run. If `seed` is varied, the seed of repetition 0 is the value itself, as in `acrasin run`.
    pub(super) fn seed(&self, combination: usize, repetition: u64) -> u64 {
        let seed = self.combinations[combination].seed;
        if self.varies_seed && repetition == 0 { seed } else { derived_seed(seed, repetition) }
    }

    /// The seed, digest and files that an existing row of a run must have.
    pub(super) fn expected(&self, combination: usize, repetition: u64) -> ExpectedRow<'_> {
        let Combination { digest, files, .. } = &self.combinations[combination];
        ExpectedRow { seed: self.seed(combination, repetition), digest, files }
    }
}

/// Normalises a value for comparisons: equal numbers become equal texts, whatever their notation.
pub(super) fn normal(value: &Value) -> String {
    // Integers up to 2^53 are exact as reals.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = if let Value::Text(text) = value { Value::of_field(text) } else { value.clone() };
    match value {
        Value::Real(real) if real.fract() == 0.0 && real.abs() <= EXACT => (real as i64).to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Signed(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// The values of the combination with this number. From one combination to the next, the last field changes fastest.
fn assigned(over: &[SweptField], mut number: u64) -> Vec<(String, String)> {
    let mut sets = Vec::with_capacity(over.len());
    for SweptField { key, values, .. } in over.iter().rev() {
        let place = number % values.len() as u64;
        sets.push((key.clone(), values[place as usize].clone()));
        number /= values.len() as u64;
    }
    sets.reverse();
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        for same in [["20", "20.0", "2e1"], ["-3", "-3.0", "-0.3e1"], ["0", "0.0", "-0"]] {
            let all = same.map(|text| normal(&text.into()));
            assert!(all.iter().all(|text| *text == all[0]), "{all:?}");
        }
        assert_eq!(normal(&20.0.into()), normal(&20_u64.into()));
        assert_ne!(normal(&"20.5".into()), normal(&"20".into()));
        assert_ne!(normal(&"a".into()), normal(&"b".into()));
    }
}
