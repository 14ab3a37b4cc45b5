//! Runs many seeds on several threads.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hasher as _;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use acrasin_runtime::Digest;
use acrasin_runtime::digest::DigestWriter;

use super::{
    Coverage, FailureKind, SwarmFailure, SwarmFigures, SwarmRun, Swarmed, SystemUnderTest, Variants, run,
};

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
/// `progress` is called after every run with the number of completed runs, and may stop the runs. Runs that have begun
/// are then completed, which takes milliseconds, and the summary covers exactly the seeds that were run.
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
    let (next, is_stopped) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let (sender, outcomes) = mpsc::channel();
    pool.in_place_scope(|scope| {
        let (next, is_stopped, end) = (&next, &is_stopped, seeds.end);
        // Every thread takes the next seed when it is free, so that none waits for another. When the last thread is
        // done, the sender is dropped, and the channel ends.
        scope.spawn_broadcast(move |_, _| {
            while !is_stopped.load(Ordering::Relaxed) {
                // The number stops at the end, because further seeds may not exist.
                let taken = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |seed| {
                    (seed < end).then(|| seed + 1)
                });
                let Ok(seed) = taken else { break };
                let subject = subject(seed);
                if sender.send(RunOutcome::of(run(subject, &subject.plan(seed)))).is_err() {
                    break;
                }
            }
        });
        // Outcomes are merged in the order of their seeds.
        let mut waiting = BTreeMap::new();
        let mut seed = seeds.start;
        for outcome in outcomes {
            waiting.insert(outcome.seed, outcome);
            while let Some(outcome) = waiting.remove(&seed) {
                merge.add(outcome);
                seed += 1;
                if !is_stopped.load(Ordering::Relaxed) && progress(merge.summary.runs).is_break() {
                    is_stopped.store(true, Ordering::Relaxed);
                }
            }
        }
    });
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
