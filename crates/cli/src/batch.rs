//! Runs the repetitions of a run on several threads.

#![allow(
    clippy::disallowed_types,
    reason = "the wait for results in preparation is limited by a clock, which decides only which results exist"
)]

use std::io::Write;
use std::mem::take;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use acrasin_report::record::{Exit, Figure, RunRecord, Section};
use acrasin_report::series::Series;
use acrasin_runtime::choice::derived_seed;
use acrasin_scenario::{Finished, Job, Proceed, Progress, RunControl, RunError, Runnable};
use rayon::ThreadPoolBuilder;

use crate::folder::{Folder, Repetition};
use crate::supervisor::Supervisor;
use crate::{Failure, machine, memory, setup};

/// Several runs of one plan. Threads share its ownership, because some of them may still run when the command ends.
pub(crate) struct Batch {
    plan: Arc<dyn Runnable + Send>,
    seed: u64,
    repetitions: u32,
    threads: u16,
    supervisor: Supervisor,
    folder: RwLock<Option<Folder>>,
    state: Mutex<State>,
    has_changed: Condvar,
}

/// The interval at which the waiting thread checks for a stop request.
const LOOK: Duration = Duration::from_millis(50);

/// The control of one repetition among several.
struct RepetitionControl<'b> {
    batch: &'b Batch,
    has_begun: AtomicBool,
}

impl RunControl for RepetitionControl<'_> {
    /// Marks the repetition as in progress. If its result is no longer awaited, blocks it until the program ends.
    fn begin(&self) {
        let mut state = self.batch.state();
        while state.is_over {
            state = self.batch.has_changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.running += 1;
        self.has_begun.store(true, Ordering::Relaxed);
        drop(state);
        self.batch.supervisor.begin();
    }

    fn look(&self, at: &Progress) -> Proceed {
        self.batch.supervisor.look(at)
    }

    fn verdict(&self) -> Proceed {
        self.batch.supervisor.verdict()
    }

    fn is_stop_requested(&self) -> bool {
        self.batch.supervisor.is_stop_requested()
    }

    fn has_time(&self) -> bool {
        self.batch.supervisor.has_time()
    }

    fn leaves_memory(&self) -> bool {
        self.batch.supervisor.leaves_memory()
    }
}

/// The results of all repetitions, in their order.
pub(crate) type Results = (Vec<RunRecord>, Vec<RepetitionOutcome>);

/// The results of a repetition that are not in its record.
#[derive(Debug)]
pub(crate) struct RepetitionOutcome {
    pub(crate) configuration: Option<String>,
    /// Whether there are no counts over time, because the nodes have no states.
    pub(crate) has_no_series: bool,
    pub(crate) thinned: Option<Thinned>,
    /// The used part of the transition table, as text, for protocols without a table.
    pub(crate) met: Option<String>,
    /// Whether figures of a finished run were omitted because of a stop request.
    pub(crate) is_incomplete: bool,
}

/// The numbers of taken and of kept samples, if some samples of the counts over time were dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Thinned {
    taken: u64,
    kept: usize,
    interval: u64,
}

impl Thinned {
    fn of(series: &Series) -> Option<Self> {
        let (taken, kept) = (series.pushed(), series.rows().count());
        (taken > kept as u64).then(|| Self { taken, kept, interval: series.interval() })
    }
}

/// A note for the user if files of counts lack some samples.
pub(crate) fn thinned((records, batch): &Results, is_one_file: bool) -> Option<String> {
    let thinned = || {
        let batch = records.iter().zip(batch);
        batch.filter_map(|(record, done)| Some((record.repetition(), done.thinned?)))
    };
    let (repetition, Thinned { taken, kept, interval }) = thinned().next()?;
    let (file, other) = match batch.len() {
        1 => ("counts.csv".to_owned(), "file"),
        _ if is_one_file => (format!("counts.csv, of repetition {repetition},"), "repetition"),
        _ => (format!("counts-{repetition}.csv"), "file"),
    };
    let others = match thinned().count() - 1 {
        0 => String::new(),
        1 => format!(", and likewise one other {other}"),
        others => format!(", and likewise {others} other {other}s"),
    };
    Some(format!(
        "note: {file} has {kept} of {taken} samples, one in {interval} and the last{others}; \
         observe.counts_every sets the distance between samples"
    ))
}

/// The number of a repetition, with its result or its panic.
type NumberedResult = (u32, std::thread::Result<Result<(RunRecord, RepetitionOutcome), Failure>>);

/// The progress of all repetitions, shared by the threads.
#[derive(Debug, Default)]
struct State {
    /// The number of the next repetition to begin, from 0.
    next: u32,
    /// The number of threads that may still begin another repetition.
    working: u16,
    /// The number of repetitions in progress. After a stop request, each of them ends at its next check.
    running: u32,
    done: Vec<NumberedResult>,
    has_failed: bool,
    /// Whether the command ends without waiting for repetitions in progress.
    is_over: bool,
}

impl Batch {
    pub(crate) fn new(
        plan: Arc<dyn Runnable + Send>,
        seed: u64,
        repetitions: u32,
        threads: u16,
        supervisor: Supervisor,
        folder: Option<Folder>,
    ) -> Arc<Self> {
        let folder = RwLock::new(folder);
        let (state, has_changed) = (Mutex::default(), Condvar::new());
        Arc::new(Self { plan, seed, repetitions, threads, supervisor, folder, state, has_changed })
    }

    /// Runs all repetitions and returns them in their order. After a stop request or the time limit, no repetition
    /// begins, except the first. Repetitions that are still in progress a moment later are omitted if at least one has
    /// ended; they continue until the program ends. The second value is the exit status if repetitions were omitted.
    ///
    /// The result of a repetition depends only on the plan and its seed, never on the number of threads.
    pub(crate) fn run(self: &Arc<Self>) -> Result<(Results, Option<Exit>), Failure> {
        let is_alone = self.repetitions == 1;
        if is_alone && !self.plan.header().uses_threads {
            return Ok((self.alone(None)?, None));
        }
        if is_alone {
            return Ok((memory::pool(self.threads)?.install(|| self.alone(None))?, None));
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.into()).build();
        let pool = pool.map_err(memory::no_threads)?;
        self.state().working = self.threads;
        for _ in 0..self.threads {
            let batch = Arc::clone(self);
            pool.spawn(move || batch.work());
        }
        let (left_out, mut done) = self.wait();
        // Repetitions that never began are also missing.
        let is_short = (done.len() as u64) < self.repetitions.into();
        let left_out = left_out.or_else(|| is_short.then(|| self.ended_from_outside()).flatten());
        done.sort_unstable_by_key(|(number, _)| *number);
        let results = done.into_iter().map(|(_, result)| result.unwrap_or_else(|panic| resume_unwind(panic)));
        let results: Vec<(RunRecord, RepetitionOutcome)> = results.collect::<Result<_, _>>()?;
        Ok((results.into_iter().unzip(), left_out))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The exit status if a stop request or the time limit ends all repetitions now; otherwise `None`.
    fn ended_from_outside(&self) -> Option<Exit> {
        match self.supervisor.verdict() {
            Proceed::Continue => None,
            ended => Some(exit_of(ended)),
        }
    }

    /// Waits until all threads have finished. After a stop request or the time limit, waits only a moment for
    /// repetitions in progress, if there are results.
    fn wait(&self) -> (Option<Exit>, Vec<NumberedResult>) {
        let mut left_out = None;
        let mut since = None;
        let mut state = self.state();
        while state.working > 0 {
            let exit = self.ended_from_outside();
            let is_due = exit.is_some() && since.get_or_insert_with(Instant::now).elapsed() >= setup::GRACE;
            if is_due && state.running == 0 && !state.done.is_empty() {
                state.is_over = true;
                left_out = exit;
                break;
            }
            let waited = self.has_changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        (left_out, take(&mut state.done))
    }

    /// Runs repetitions on this thread until none is left: one by one, or several together if the plan can share their
    /// work.
    fn work(&self) {
        let together = u32::try_from(self.plan.together()).unwrap_or(u32::MAX);
        loop {
            let mut state = self.state();
            let ends = self.supervisor.verdict() != Proceed::Continue;
            let (number, has_failed) = (state.next, state.has_failed);
            if number == self.repetitions || has_failed || (ends && number > 0) {
                state.working -= 1;
                self.has_changed.notify_all();
                return;
            }
            // At most an equal share for each thread.
            let fair = (self.repetitions - number).div_ceil(self.threads.into());
            let numbers = number..number + together.min(fair);
            state.next = numbers.end;
            drop(state);
            let turns: Vec<RepetitionControl<'_>> = numbers
                .clone()
                .map(|_| RepetitionControl { batch: self, has_begun: AtomicBool::new(false) })
                .collect();
            let results = catch_unwind(AssertUnwindSafe(|| self.made(numbers, &turns)));
            let mut state = self.state();
            state.running -=
                turns.iter().map(|turn| u32::from(turn.has_begun.load(Ordering::Relaxed))).sum::<u32>();
            match results {
                Ok(results) => {
                    state.has_failed |= results.iter().any(Result::is_err);
                    state.done.extend((number..).zip(results.into_iter().map(Ok)));
                }
                Err(panic) => {
                    state.has_failed = true;
                    state.done.push((number, Err(panic)));
                }
            }
        }
    }

    /// Runs the only repetition and writes every step to `sink`.
    pub(crate) fn run_recorded(&self, sink: &mut dyn Write) -> Result<Results, Failure> {
        self.alone(Some(sink))
    }

    fn alone(&self, sink: Option<&mut dyn Write>) -> Result<Results, Failure> {
        let (record, done) = self.watched(0, sink, &self.supervisor)?;
        Ok((vec![record], vec![done]))
    }

    /// Takes the output folder out of the batch, to complete it after all repetitions.
    pub(crate) fn take_folder(&self) -> Option<Folder> {
        self.folder.write().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }

    /// Runs several repetitions together and returns their results.
    fn made(
        &self,
        numbers: Range<u32>,
        turns: &[RepetitionControl<'_>],
    ) -> Vec<Result<(RunRecord, RepetitionOutcome), Failure>> {
        let jobs = numbers.clone().zip(turns).map(|(number, turn)| self.job(number, turn)).collect();
        let finished = self.plan.run_together(jobs);
        numbers.zip(finished).map(|(number, finished)| Ok(self.kept(number, finished?))).collect()
    }

    fn watched(
        &self,
        number: u32,
        sink: Option<&mut dyn Write>,
        watch: &dyn RunControl,
    ) -> Result<(RunRecord, RepetitionOutcome), Failure> {
        let record = sink.map(|sink| Box::new(sink) as Box<dyn Write>);
        let job = Job { record, ..self.job(number, watch) };
        let finished = self.plan.run(job).map_err(|error: RunError| Failure::from(error))?;
        Ok(self.kept(number, finished))
    }

    fn job<'a>(&self, number: u32, watch: &'a dyn RunControl) -> Job<'a> {
        let seed = if number == 0 { self.seed } else { derived_seed(self.seed, number.into()) };
        Job { seed, repetition: number, watch, record: None }
    }

    /// Extracts the results of a finished repetition, and writes its files.
    fn kept(&self, number: u32, mut finished: Finished) -> (RunRecord, RepetitionOutcome) {
        finished.fill_manifest(machine::complete);
        self.supervisor.progress().repetition_done();
        let Finished {
            record,
            series,
            report_configuration: configuration,
            met,
            inside,
            snapshots,
            is_incomplete,
            ..
        } = finished;
        if let Some(folder) = &*self.folder.read().unwrap_or_else(PoisonError::into_inner) {
            let repetition = Repetition {
                number,
                title: self.plan.header().title.as_str(),
                counted: self.plan.header().counted,
                series: series.as_ref(),
                inside: inside.as_ref(),
                configuration: configuration.as_deref(),
                met: met.as_deref(),
                snapshots: &snapshots,
            };
            folder.keep_repetition(&repetition, &self.supervisor);
        }
        let record = with_configuration(record, configuration.as_deref());
        let thinned = series.as_ref().and_then(Thinned::of);
        (
            record,
            RepetitionOutcome { configuration, has_no_series: series.is_none(), thinned, met, is_incomplete },
        )
    }
}

/// Adds the last configuration to the record. Only JSON lines show it, because it is long.
pub(crate) fn with_configuration(mut record: RunRecord, configuration: Option<&str>) -> RunRecord {
    if let Some(text) = configuration {
        let mut section = Section::new("configuration", "Configuration at the end");
        section.push(Figure::new("text", "configuration", text).json_only());
        record.push(section);
    }
    record
}

/// The exit status of a run that was interrupted or reached its time limit.
pub(crate) fn exit_of(ended: Proceed) -> Exit {
    if ended == Proceed::Interrupted { Exit::Interrupted } else { Exit::BudgetExhausted }
}

/// The exit status of the command: the most urgent status among its repetitions, including omitted ones.
pub(crate) fn exit(records: &[RunRecord], left_out: Option<Exit>) -> Exit {
    let urgency = |exit: &Exit| match exit {
        Exit::Interrupted => 3,
        Exit::Failed => 2,
        Exit::BudgetExhausted => 1,
        Exit::Done => 0,
    };
    let exits = records.iter().map(|record| record.outcome().exit);
    exits.chain(left_out).max_by_key(urgency).unwrap_or(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_report::record::{Ending, Manifest};

    #[test]
    fn samples_that_are_left_out_are_counted() {
        let done = |repetition, rows: u32| {
            let mut series = Series::with_row_limit("steps", ["A"], 4).unwrap();
            for row in 0..rows {
                series.push(row.into(), &[1]).unwrap();
            }
            let record = RunRecord::new(repetition, Manifest::new("0.1.0", 1), Ending::Served);
            (
                record,
                RepetitionOutcome {
                    configuration: None,
                    has_no_series: false,
                    thinned: Thinned::of(&series),
                    met: None,
                    is_incomplete: false,
                },
            )
        };
        let note = |batch: &[(u64, u32)], is_one_file| {
            thinned(&batch.iter().map(|&(repetition, rows)| done(repetition, rows)).collect(), is_one_file)
        };
        assert_eq!(note(&[(0, 3)], false), None);
        let one = note(&[(0, 11)], true).unwrap();
        assert!(one.starts_with("note: counts.csv has 4 of 11 samples, one in 4 and the last; "), "{one}");
        let three = [(0, 3), (1, 11), (2, 12)];
        let of_three = note(&three, false).unwrap();
        assert!(
            of_three.contains("counts-1.csv has 4 of 11") && of_three.contains("one other"),
            "{of_three}"
        );
        let of_one_file = note(&three, true).unwrap();
        assert!(
            of_one_file.starts_with("note: counts.csv, of repetition 1, has 4 of 11 samples, ")
                && of_one_file.contains(", and likewise one other repetition; "),
            "{of_one_file}"
        );
    }

    #[test]
    fn the_most_urgent_exit_counts_wherever_it_stands() {
        let record = |exit| {
            let ending = [Ending::Served, Ending::LogFull, Ending::Deadlock, Ending::Interrupted]
                .into_iter()
                .find(|ending| ending.exit() == exit);
            RunRecord::new(0, Manifest::new("0.1.0", 1), ending.unwrap())
        };
        let rising = [Exit::Done, Exit::BudgetExhausted, Exit::Failed, Exit::Interrupted];
        for (place, expected) in rising.iter().enumerate() {
            let mut exits = rising[..=place].to_vec();
            assert_eq!(exit(&exits.iter().copied().map(record).collect::<Vec<_>>(), None), *expected);
            exits.reverse();
            let last = exits.pop();
            assert_eq!(exit(&exits.into_iter().map(record).collect::<Vec<_>>(), last), *expected);
        }
    }
}
