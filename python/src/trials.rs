//! Many runs of one table from one start.

#![allow(
    clippy::disallowed_types,
    reason = "the clock decides when slow trials end; no result depends on it"
)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use acrasin_protocols::uniform::{Population, Silent, TOGETHER};
use acrasin_runtime::choice::derived_seed;
use acrasin_scenario::plan::{self, Proceed, Progress, RunControl, TrialEnd};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::goal::{limit_of, until};
use crate::population::counted;
use crate::table::{PyTable, value_error};
use crate::threads;

/// Executes `number` runs. Returns for each the number of interactions until the goal first held, whether it held, and
/// the counts at that time. Runs use all cores; the result does not depend on the number of cores. Run `i` has the seed
/// `derived_seed(seed, i)`.
///
/// After `seconds` the call ends with the runs before the first unfinished one. The durations of single runs affect
/// only the length of this prefix.
#[pyfunction]
#[allow(clippy::type_complexity, clippy::too_many_arguments)]
pub(crate) fn trials<'py>(
    py: Python<'py>,
    table: &PyTable,
    counts: PyReadonlyArray1<'py, u64>,
    text: &str,
    seed: u64,
    first: u64,
    number: u64,
    limit: u64,
    seconds: Option<f64>,
) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray2<u64>>)> {
    let counts = counted(&counts)?;
    // Parsed once here, so that mistakes are reported before any run; then by each thread.
    until(&table.table, text)?;
    let start = Population::new(&table.table, &counts, seed).map_err(value_error)?;
    let mut ended: Vec<TrialEnd> = Vec::with_capacity(number as usize);
    let stop = AtomicBool::new(false);
    // A batch has several hundred runs; Ctrl-C is checked between batches.
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
                        .map(|seeds| {
                            let rule = until(&table.table, text).map_err(|error| error.to_string())?;
                            let rule = (&rule.within(limit_of(limit)), &Silent::new(&table.table));
                            plan::trials(&start, rule, seeds, &Stopped(&stop))
                                .map_err(|error| error.to_string())
                        })
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
                // The batch ended here, because it is the last one or was stopped.
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

/// A run control that ends a run when the flag is set.
pub(crate) struct Stopped<'a>(pub(crate) &'a AtomicBool);

impl RunControl for Stopped<'_> {
    fn look(&self, _: &Progress) -> Proceed {
        if self.0.load(Ordering::Relaxed) { Proceed::Interrupted } else { Proceed::Continue }
    }
}

/// The time at which runs must end; `None` for no deadline.
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// The deadline after `seconds`; a time that is too long for a clock means no deadline.
    pub(crate) fn of(seconds: Option<f64>) -> Self {
        let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        Self(duration.and_then(|duration| Instant::now().checked_add(duration)))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// Waits until a worker has finished. Asks it to stop on Ctrl-C or at the deadline.
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
