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

/// What a repetition came to.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) record: RunRecord,
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
pub(crate) fn thinned(batch: &[Done]) -> Option<String> {
    let thinned = || batch.iter().filter_map(|done| Some((done.record.repetition(), done.thinned?)));
    let (repetition, Thinned { taken, kept, interval }) = thinned().next()?;
    let number = if batch.len() == 1 { String::new() } else { format!("-{repetition}") };
    let others = match thinned().count() - 1 {
        0 => String::new(),
        1 => ", and one other file is like it".to_owned(),
        others => format!(", and {others} other files are like it"),
    };
    Some(format!(
        "note: counts{number}.csv has {kept} of {taken} samples, one in {interval} and the last{others}; \
         observe.counts_every says how often samples are taken"
    ))
}

impl Batch<'_> {
    /// Runs all repetitions and returns them in their order. Those that had not begun when the time was over or somebody
    /// pressed Ctrl-C are left out; the first one is always there.
    ///
    /// What a repetition gives depends on the plan and its seed alone, never on the number of threads.
    pub(crate) fn run(&self) -> Result<Vec<Done>, Failure> {
        let is_alone = self.repetitions == 1;
        if is_alone && !self.plan.uses_threads() {
            return Ok(vec![self.repetition(0, None)?]);
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.into()).build();
        let pool = pool.map_err(|error| Failure::of_machine(format_args!("no threads: {error}")))?;
        if is_alone {
            return Ok(vec![pool.install(|| self.repetition(0, None))?]);
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
    pub(crate) fn run_recorded(&self, sink: &mut dyn Write) -> Result<Vec<Done>, Failure> {
        Ok(vec![self.repetition(0, Some(sink))?])
    }

    fn repetition(&self, number: u32, sink: Option<&mut dyn Write>) -> Result<Done, Failure> {
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
        Ok(Done { record, configuration, has_no_series: series.is_none(), thinned })
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
pub(crate) fn exit(batch: &[Done]) -> Exit {
    let urgency = |exit: &Exit| match exit {
        Exit::Interrupted => 3,
        Exit::Failed => 2,
        Exit::BudgetExhausted => 1,
        Exit::Done => 0,
    };
    batch.iter().map(|done| done.record.outcome().exit).max_by_key(urgency).unwrap_or(Exit::Done)
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
            Done {
                record: RunRecord::new(repetition, Manifest::new("0.1.0", 1), outcome),
                configuration: None,
                has_no_series: false,
                thinned: Thinned::of(&series),
            }
        };
        assert_eq!(thinned(&[done(0, 3)]), None);
        let one = thinned(&[done(0, 11)]).unwrap();
        assert!(one.starts_with("note: counts.csv has 4 of 11 samples, one in 4 and the last; "), "{one}");
        let of_three = thinned(&[done(0, 3), done(1, 11), done(2, 12)]).unwrap();
        assert!(
            of_three.contains("counts-1.csv has 4 of 11") && of_three.contains("one other"),
            "{of_three}"
        );
    }

    #[test]
    fn the_most_urgent_exit_counts_wherever_it_stands() {
        let done = |exit| Done {
            record: RunRecord::new(0, Manifest::new("0.1.0", 1), Outcome::new("word", "reason", exit)),
            configuration: None,
            has_no_series: true,
            thinned: None,
        };
        let rising = [Exit::Done, Exit::BudgetExhausted, Exit::Failed, Exit::Interrupted];
        for (place, expected) in rising.iter().enumerate() {
            let mut exits = rising[..=place].to_vec();
            assert_eq!(exit(&exits.iter().copied().map(done).collect::<Vec<_>>()), *expected);
            exits.reverse();
            assert_eq!(exit(&exits.into_iter().map(done).collect::<Vec<_>>()), *expected);
        }
    }
}
