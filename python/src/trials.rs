//! Many runs of one table from one start.

use std::sync::atomic::{AtomicBool, Ordering};

use acrasin_protocols::uniform::{Condition as _, Heading, Population, Silent, TOGETHER};
use acrasin_runtime::choice::derived_seed;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::goal::goal;
use crate::population::counted;
use crate::table::{Table, value_error};

/// Interactions of trials side by side between two looks whether they are to stop: some ten milliseconds.
const STRETCH: u64 = 1 << 21;

/// What a run came to.
struct Ended {
    holds: bool,
    interactions: u64,
    counts: Vec<u64>,
}

/// Interactions of each of `number` runs until the goal held for the first time, whether it did, and the counts there: on
/// every core, with the same result for any number of them. Run `i` has the seed `derived_seed(seed, i)`.
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
) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray2<u64>>)> {
    let counts = counted(&counts)?;
    // Read once here, so that what is wrong with it is said before anything runs.
    goal(&table.table, text)?;
    let mut ended: Vec<Ended> = Vec::with_capacity(number as usize);
    let stop = AtomicBool::new(false);
    // Some hundred at a time: between them somebody looks for Ctrl-C.
    let batch = (TOGETHER * rayon::current_num_threads()) as u64;
    while (ended.len() as u64) < number {
        let begin = first + ended.len() as u64;
        let seeds: Vec<u64> =
            (begin..(begin + batch).min(first + number)).map(|run| derived_seed(seed, run)).collect();
        let ran: Vec<Result<Vec<Ended>, String>> = std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                seeds
                    .par_chunks(TOGETHER)
                    .map(|seeds| run(table, &counts, text, seeds, limit, &stop))
                    .collect()
            });
            let watched = watch(py, &worker, &stop);
            let ran = worker.join().expect("a run does not panic");
            watched.map(|()| ran)
        })?;
        for some in ran {
            ended.extend(some.map_err(value_error)?);
        }
    }
    let interactions = PyArray1::from_iter(py, ended.iter().map(|run| run.interactions));
    let holds = PyArray1::from_iter(py, ended.iter().map(|run| run.holds));
    let rows: Vec<Vec<u64>> = ended.into_iter().map(|run| run.counts).collect();
    let ends = PyArray2::from_vec2(py, &rows)?;
    Ok((interactions, holds, ends))
}

/// Waits for a worker; on Ctrl-C asks it to stop.
pub(crate) fn watch<T>(
    py: Python<'_>,
    worker: &std::thread::ScopedJoinHandle<'_, T>,
    stop: &AtomicBool,
) -> PyResult<()> {
    let mut pause = 50;
    while !worker.is_finished() {
        py.detach(|| std::thread::sleep(std::time::Duration::from_micros(pause)));
        pause = (2 * pause).min(20_000);
        if let Err(error) = py.check_signals() {
            stop.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
    Ok(())
}

fn run(
    table: &Table,
    counts: &[u64],
    text: &str,
    seeds: &[u64],
    limit: u64,
    stop: &AtomicBool,
) -> Result<Vec<Ended>, String> {
    let goal = goal(&table.table, text).map_err(|error| error.to_string())?;
    let make = |&seed: &u64| Population::new(&table.table, counts, seed).map_err(|error| error.to_string());
    let mut populations = seeds.iter().map(make).collect::<Result<Vec<_>, _>>()?;
    if populations[0].gains_together() {
        // In stretches, so that somebody can stop trials that do not end. Where a run is stopped changes nothing.
        let silent = Silent::new(&table.table);
        let mut next = STRETCH.min(limit);
        let mut going: Vec<&mut Population> = populations.iter_mut().collect();
        while !going.is_empty() && !stop.load(Ordering::Relaxed) {
            let mut headings: Vec<Heading<'_>> =
                going.iter_mut().map(|population| Heading { population, limit: next }).collect();
            Population::run_until_together(&mut headings, &*goal);
            going.retain_mut(|population| {
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
        for population in &mut populations {
            loop {
                let next = population.interactions().saturating_add(population.stretch()).min(limit);
                let holds = population.run_until(&*goal, next);
                if holds || next >= limit || stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
    }
    let ended = |population: Population| Ended {
        holds: goal.holds(population.counts()),
        interactions: population.interactions(),
        counts: population.counts().to_vec(),
    };
    Ok(populations.into_iter().map(ended).collect())
}
