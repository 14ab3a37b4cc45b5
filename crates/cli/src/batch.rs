//! The repetitions of a run, on threads.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use acrasin_report::record::{Exit, Figure, RunRecord, Section};
use acrasin_report::series::Series;
use acrasin_runtime::choice::derived_seed;
use acrasin_scenario::{Finished, Job, Proceed, RunError, Runnable};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::Failure;
use crate::folder::{Folder, Repetition};
use crate::machine;
use crate::watch::Supervisor;

/// Several runs of one plan.
pub(crate) struct Batch<'a> {
    pub(crate) plan: &'a dyn Runnable,
    pub(crate) seed: u64,
    pub(crate) repetitions: u32,
    pub(crate) threads: u16,
    pub(crate) supervisor: &'a Supervisor,
    pub(crate) folder: Option<&'a Folder>,
}

/// What repetitions came to, in their order.
pub(crate) type Results = (Vec<RunRecord>, Vec<Done>);

/// What a repetition came to besides its record.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) configuration: Option<String>,
    /// The nodes have no states to count.
    pub(crate) has_no_series: bool,
    pub(crate) thinned: Option<Thinned>,
}

/// Counts over time of which some samples are left out.
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

/// What to say of the files of counts, if some of them have not every sample.
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
        1 => format!(", and one other {other} is like it"),
        others => format!(", and {others} other {other}s are like it"),
    };
    Some(format!(
        "note: {file} has {kept} of {taken} samples, one in {interval} and the last{others}; \
         observe.counts_every says how often samples are taken"
    ))
}

impl Batch<'_> {
    /// Runs all repetitions and returns them in their order. Those that had not begun when the time was over or somebody
    /// pressed Ctrl-C are left out; the first one is always there.
    ///
    /// What a repetition gives depends on the plan and its seed alone, never on the number of threads.
    pub(crate) fn run(&self) -> Result<Results, Failure> {
        let is_alone = self.repetitions == 1;
        if is_alone && !self.plan.uses_threads() {
            return self.alone(None);
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.into()).build();
        let pool = pool.map_err(|error| Failure::of_machine(format_args!("no threads: {error}")))?;
        if is_alone {
            return pool.install(|| self.alone(None));
        }
        let has_failed = AtomicBool::new(false);
        let one = |number: u32| {
            let ends = self.supervisor.verdict() != Proceed::Continue;
            if has_failed.load(Ordering::Relaxed) || (ends && number > 0) {
                return None;
            }
            let result = self.repetition(number, None);
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            Some(result)
        };
        let results: Vec<_> = pool.install(|| (0..self.repetitions).into_par_iter().map(one).collect());
        results.into_iter().flatten().collect()
    }

    /// The only repetition, with every step written to `sink`.
    pub(crate) fn run_recorded(&self, sink: &mut dyn Write) -> Result<Results, Failure> {
        self.alone(Some(sink))
    }

    fn alone(&self, sink: Option<&mut dyn Write>) -> Result<Results, Failure> {
        self.repetition(0, sink).map(|(record, done)| (vec![record], vec![done]))
    }

    fn repetition(&self, number: u32, sink: Option<&mut dyn Write>) -> Result<(RunRecord, Done), Failure> {
        let seed = if number == 0 { self.seed } else { derived_seed(self.seed, number.into()) };
        let record = sink.map(|sink| Box::new(sink) as Box<dyn Write>);
        let job = Job { seed, repetition: number, watch: self.supervisor, record };
        let mut finished = self.plan.run(job).map_err(|error: RunError| Failure::from(error))?;
        finished.fill_manifest(|manifest| manifest.commit = machine::commit());
        self.supervisor.progress().repetition_done();
        let Finished { record, series, report_configuration: configuration, snapshots, .. } = finished;
        if let Some(folder) = self.folder {
            folder.keep_repetition(&Repetition {
                number,
                title: self.plan.title(),
                counted: self.plan.counted(),
                series: series.as_ref(),
                configuration: configuration.as_deref(),
                snapshots: &snapshots,
            });
        }
        let record = with_configuration(record, configuration.as_deref());
        let thinned = series.as_ref().and_then(Thinned::of);
        Ok((record, Done { configuration, has_no_series: series.is_none(), thinned }))
    }
}

/// The record with the configuration, for JSON lines alone: it is long.
pub(crate) fn with_configuration(mut record: RunRecord, configuration: Option<&str>) -> RunRecord {
    if let Some(text) = configuration {
        let mut section = Section::new("configuration", "Configuration at the end");
        section.push(Figure::new("text", "configuration", text).json_only());
        record.push(section);
    }
    record
}

/// The exit of the whole: the most urgent one of its repetitions.
pub(crate) fn exit(records: &[RunRecord]) -> Exit {
    let urgency = |exit: &Exit| match exit {
        Exit::Interrupted => 3,
        Exit::Failed => 2,
        Exit::BudgetExhausted => 1,
        Exit::Done => 0,
    };
    records.iter().map(|record| record.outcome().exit).max_by_key(urgency).unwrap_or(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_report::record::{Manifest, Outcome};

    #[test]
    fn samples_that_are_left_out_are_counted() {
        let done = |repetition, rows: u32| {
            let mut series = Series::with_row_limit("steps", ["A"], 4).unwrap();
            for row in 0..rows {
                series.push(row.into(), &[1]).unwrap();
            }
            let outcome = Outcome::new("word", "reason", Exit::Done);
            let record = RunRecord::new(repetition, Manifest::new("0.1.0", 1), outcome);
            (record, Done { configuration: None, has_no_series: false, thinned: Thinned::of(&series) })
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
                && of_one_file.contains(", and one other repetition is like it; "),
            "{of_one_file}"
        );
    }

    #[test]
    fn the_most_urgent_exit_counts_wherever_it_stands() {
        let record =
            |exit| RunRecord::new(0, Manifest::new("0.1.0", 1), Outcome::new("word", "reason", exit));
        let rising = [Exit::Done, Exit::BudgetExhausted, Exit::Failed, Exit::Interrupted];
        for (place, expected) in rising.iter().enumerate() {
            let mut exits = rising[..=place].to_vec();
            assert_eq!(exit(&exits.iter().copied().map(record).collect::<Vec<_>>()), *expected);
            exits.reverse();
            assert_eq!(exit(&exits.into_iter().map(record).collect::<Vec<_>>()), *expected);
        }
    }
}
