//! Runs many seeds on several threads.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hasher as _;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use acrasin_runtime::Digest;
use acrasin_runtime::digest::DigestWriter;
use rayon::prelude::*;

use super::{
    Coverage, FailureKind, SwarmFailure, SwarmFigures, SwarmRun, Swarmed, SystemUnderTest, Variants, run,
};

/// The number of runs of a thread between two reports of progress. These runs take a fraction of a second, because all
/// threads wait for the slowest one before a report.
const RUNS_AT_ONCE: u64 = 1 << 6;

/// The maximum number of failures that a summary stores; all are counted.
const FAILURES_KEPT: usize = 64;

/// The combined result of the runs of many seeds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The number of runs.
    pub runs: u64,
    /// The number of failed runs.
    pub failed: u64,
    /// The number of failed runs by kind.
    pub kinds: BTreeMap<FailureKind, u64>,
    /// The seeds and failures of the first 64 failed runs.
    pub failures: Vec<(u64, SwarmFailure)>,
    /// The figures, summed over all runs.
    pub figures: SwarmFigures,
    /// The coverage, summed over all runs.
    pub coverage: Coverage,
    /// The digest of the digests of all runs, in seed order.
    pub digest: Digest,
}

/// Error: the operating system cannot start the threads.
#[derive(Debug)]
pub struct ThreadsError(rayon::ThreadPoolBuildError);

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the threads could not be started: {}", self.0)
    }
}

impl std::error::Error for ThreadsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Runs the plan of every seed. The result is the same for any number of threads.
///
/// `progress` is called regularly with the number of completed runs, and may stop the runs. Then the summary covers
/// exactly the seeds that were run.
///
/// # Errors
///
/// [`ThreadsError`] if the operating system cannot start the threads.
pub fn run_many<E: Swarmed>(
    subject: &SystemUnderTest<E>,
    seeds: Range<u64>,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Summary, ThreadsError> {
    run_each(&|_| subject, seeds, threads, progress)
}

/// Runs many seeds like [`run_many`], each under its variant of the algorithm.
///
/// # Errors
///
/// [`ThreadsError`] if the operating system cannot start the threads.
pub fn run_variants<E: Swarmed>(
    variants: &Variants<E>,
    seeds: Range<u64>,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Summary, ThreadsError> {
    run_each(&|seed| variants.of_seed(seed), seeds, threads, progress)
}

fn run_each<'s, E: Swarmed>(
    subject: &(dyn Fn(u64) -> &'s SystemUnderTest<E> + Sync),
    seeds: Range<u64>,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Summary, ThreadsError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build().map_err(ThreadsError)?;
    let mut merge = Merge::new();
    let at_once = RUNS_AT_ONCE.saturating_mul(threads.get() as u64);
    let mut next = seeds.start;
    while next < seeds.end {
        let end = seeds.end.min(next.saturating_add(at_once));
        let runs: Vec<RunOutcome> = pool.install(|| {
            let offsets = (0..(end - next) as usize).into_par_iter().with_max_len(1);
            let seeds = offsets.map(|offset| next + offset as u64);
            let runs = seeds.map(|seed| {
                let subject = subject(seed);
                RunOutcome::of(run(subject, &subject.plan(seed)))
            });
            runs.collect()
        });
        runs.into_iter().for_each(|outcome| merge.add(outcome));
        next = end;
        if progress(merge.summary.runs).is_break() {
            break;
        }
    }
    Ok(merge.end())
}

/// The run of the first seed that fails.
#[must_use]
pub fn first_failure<E: Swarmed>(subject: &SystemUnderTest<E>, seeds: Range<u64>) -> Option<SwarmRun> {
    seeds.map(|seed| run(subject, &subject.plan(seed))).find(|run| run.failure.is_some())
}

/// The result of a run without its picks.
struct RunOutcome {
    seed: u64,
    figures: SwarmFigures,
    coverage: Coverage,
    digest: Digest,
    failure: Option<SwarmFailure>,
}

impl RunOutcome {
    fn of(run: SwarmRun) -> Self {
        let SwarmRun { plan, figures, coverage, digest, failure, .. } = run;
        Self { seed: plan.seed, figures, coverage, digest, failure }
    }
}

struct Merge {
    summary: Summary,
    writer: DigestWriter,
}

impl Merge {
    fn new() -> Self {
        let writer = DigestWriter::new();
        let summary = Summary {
            runs: 0,
            failed: 0,
            kinds: BTreeMap::new(),
            failures: Vec::new(),
            figures: SwarmFigures::default(),
            coverage: Coverage::default(),
            digest: writer.digest(),
        };
        Self { summary, writer }
    }

    fn add(&mut self, outcome: RunOutcome) {
        let summary = &mut self.summary;
        summary.runs += 1;
        summary.figures.add(&outcome.figures);
        summary.coverage.add(&outcome.coverage);
        self.writer.write_u64(outcome.seed);
        self.writer.write_u128(outcome.digest.0);
        if let Some(failure) = outcome.failure {
            summary.failed += 1;
            *summary.kinds.entry(failure.kind()).or_default() += 1;
            if summary.failures.len() < FAILURES_KEPT {
                summary.failures.push((outcome.seed, failure));
            }
        }
    }

    fn end(self) -> Summary {
        Summary { digest: self.writer.digest(), ..self.summary }
    }
}
