//! Many runs of one table from one start.

#![allow(
    clippy::disallowed_types,
    reason = "when trials end that take too long depends on the clock; no result does"
)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use acrasin_protocols::uniform::{Condition as _, Heading, Population, Silent, TOGETHER};
use acrasin_runtime::choice::derived_seed;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::goal::goal;
use crate::population::counted;
use crate::table::{Table, value_error};
use crate::threads;

/// Interactions of trials side by side between two looks whether they are to stop: some ten milliseconds.
const STRETCH: u64 = 1 << 21;

/// The result of a run.
struct TrialEnd {
    holds: bool,
    interactions: u64,
    counts: Vec<u64>,
}

/// Interactions of each of `number` runs until the goal held for the first time, whether it did, and the counts there: on
/// every core, with the same result for any number of them. Run `i` has the seed `derived_seed(seed, i)`. After `seconds` it
/// ends, with the runs before the first one that is not finished: which these are does not depend on how long they took,
/// except that all of them were fast enough.
#[pyfunction]
#[allow(clippy::type_complexity, clippy::too_many_arguments)]
pub(crate) fn trials<'py>(
    py: Python<'py>,
    table: &Table,
    counts: PyReadonlyArray1<'py, u64>,
    text: &str,
    seed: u64,
    first: u64,
    number: u64,
    limit: u64,
    seconds: Option<f64>,
) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray2<u64>>)> {
    let counts = counted(&counts)?;
    // Read once here, so that what is wrong with it is said before anything runs.
    goal(&table.table, text)?;
    let mut ended: Vec<TrialEnd> = Vec::with_capacity(number as usize);
    let stop = AtomicBool::new(false);
    // Some hundred at a time: between them Ctrl-C is looked for.
    let batch = (TOGETHER * threads::run(rayon::current_num_threads)) as u64;
    let clock = Deadline::of(seconds);
    while (ended.len() as u64) < number && !clock.is_over() {
        let begin = first + ended.len() as u64;
        let seeds: Vec<u64> =
            (begin..(begin + batch).min(first + number)).map(|run| derived_seed(seed, run)).collect();
        let runs = seeds.len();
        let ran: Vec<Result<Vec<TrialEnd>, String>> = std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                threads::run(|| {
                    seeds
                        .par_chunks(TOGETHER)
                        .map(|seeds| run(table, &counts, text, seeds, limit, &stop))
                        .collect()
                })
            });
            let watched = watch(py, &worker, &stop, &clock);
            let ran = py.detach(|| worker.join()).expect("a run does not panic");
            watched.map(|()| ran)
        })?;
        let before = ended.len();
        for some in ran {
            let some = some.map_err(value_error)?;
            let is_cut = some.len() < TOGETHER;
            ended.extend(some);
            if is_cut {
                // The chunk ends here, since it is the last one or was stopped.
                break;
            }
        }
        if ended.len() < before + runs {
            break;
        }
    }
    let interactions = PyArray1::from_iter(py, ended.iter().map(|run| run.interactions));
    let holds = PyArray1::from_iter(py, ended.iter().map(|run| run.holds));
    let rows: Vec<Vec<u64>> = ended.into_iter().map(|run| run.counts).collect();
    let ends = if rows.is_empty() {
        PyArray2::zeros(py, [0, counts.len()], false)
    } else {
        PyArray2::from_vec2(py, &rows)?
    };
    Ok((interactions, holds, ends))
}

/// When runs end that take too long.
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// In so many seconds; a time that is too long for a clock has no end.
    pub(crate) fn of(seconds: Option<f64>) -> Self {
        let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        Self(duration.and_then(|duration| Instant::now().checked_add(duration)))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// Waits for a worker; on Ctrl-C, and when the clock is over, asks it to stop.
pub(crate) fn watch<T>(
    py: Python<'_>,
    worker: &std::thread::ScopedJoinHandle<'_, T>,
    stop: &AtomicBool,
    clock: &Deadline,
) -> PyResult<()> {
    let mut pause = 50;
    while !worker.is_finished() {
        py.detach(|| std::thread::sleep(Duration::from_micros(pause)));
        pause = (2 * pause).min(20_000);
        if clock.is_over() {
            stop.store(true, Ordering::Relaxed);
        }
        if let Err(error) = py.check_signals() {
            stop.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
    Ok(())
}

/// The results of one run a seed; if `stop` is set on the way, those before the first one that is not finished.
fn run(
    table: &Table,
    counts: &[u64],
    text: &str,
    seeds: &[u64],
    limit: u64,
    stop: &AtomicBool,
) -> Result<Vec<TrialEnd>, String> {
    let goal = goal(&table.table, text).map_err(|error| error.to_string())?;
    let make = |&seed: &u64| Population::new(&table.table, counts, seed).map_err(|error| error.to_string());
    let mut populations = seeds.iter().map(make).collect::<Result<Vec<_>, _>>()?;
    let mut finished = populations.len();
    if populations[0].gains_together() {
        // In stretches, so that trials that do not end can be stopped. Where a run is stopped changes nothing.
        let silent = Silent::new(&table.table);
        let mut next = STRETCH.min(limit);
        let mut going: Vec<(usize, &mut Population)> = populations.iter_mut().enumerate().collect();
        while !going.is_empty() {
            if stop.load(Ordering::Relaxed) {
                finished = going[0].0;
                break;
            }
            let mut headings: Vec<Heading<'_>> =
                going.iter_mut().map(|(_, population)| Heading { population, limit: next }).collect();
            Population::run_until_together(&mut headings, &*goal);
            going.retain_mut(|(_, population)| {
                let goes_on =
                    population.interactions() >= next && next < limit && !goal.holds(population.counts());
                if goes_on && silent.holds(population.counts()) {
                    // Nothing changes any more: that is made in one go.
                    population.run_until(&*goal, limit);
                    return false;
                }
                goes_on
            });
            next = next.saturating_add(STRETCH).min(limit);
        }
    } else {
        'runs: for (place, population) in populations.iter_mut().enumerate() {
            loop {
                if stop.load(Ordering::Relaxed) {
                    finished = place;
                    break 'runs;
                }
                let next = population.interactions().saturating_add(population.stretch()).min(limit);
                let holds = population.run_until(&*goal, next);
                if holds || next >= limit {
                    break;
                }
            }
        }
    }
    let ended = |population: Population| TrialEnd {
        holds: goal.holds(population.counts()),
        interactions: population.interactions(),
        counts: population.counts().to_vec(),
    };
    Ok(populations.into_iter().take(finished).map(ended).collect())
}
