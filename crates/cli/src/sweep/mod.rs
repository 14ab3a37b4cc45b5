//! `acrasin sweep`: a scenario for all combinations of values, one row a run.
//!
//! - `values.rs`: lists and ranges of the fields.
//! - `words.rs`: a row, as a JSON line or as cells.
//! - `rows.rs`: the file that gets a row when a run is over.
//! - `columns.rs`: the columns of such a file, if it is CSV.
//! - `parquet.rs`: what becomes of such a file, if it is to be Parquet.

mod columns;
mod parquet;
mod rows;
mod values;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use acrasin_report::record::{Exit, RunRecord, figures_over_repetitions, records_table};
use acrasin_report::table::{Column, Format, Table};
use acrasin_report::value::{TextStyle, Value};
use acrasin_runtime::Digest;
use acrasin_runtime::choice::derived_seed;
use acrasin_scenario::plan::readable;
use acrasin_scenario::{Catalogue, Finished, Job, Proceed, Runnable};
use clap::Args;
use rayon::prelude::*;

use self::rows::{Kind, RowsFile};
use self::values::Over;
use self::words::{Words, Written};
use crate::arguments::{FormatName, seed, setting, threads, whole};
use crate::output::{self, Verbosity};
use crate::progress::Progress;
use crate::run::{made_for, read, runnable};
use crate::watch::Supervisor;
use crate::{Failure, duration, foreseen, interrupt, machine, memory, setup};

/// Runs of a sweep, unless more are asked for.
const RUNS_MOST: u64 = 1_000_000;

/// The arguments of `acrasin sweep`.
#[derive(Args, Debug)]
pub(crate) struct SweepArguments {
    /// A scenario file, or the name of a built-in scenario (`acrasin list scenarios`).
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// A field and its values: `topology.nodes=[100, 1000]`, `topology.nodes=1e2..1e6 x10`, `limits.rounds=10..50 by 10`.
    /// Several fields give all combinations; the last one changes fastest.
    #[arg(long, value_name = "KEY=VALUES", required = true)]
    over: Vec<Over>,
    /// Runs of each combination, with seeds derived from that of the sweep, the combination and the number of the run.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    reps: u32,
    /// What all seeds are derived from; instead of the scenario's own. If neither is given, one is drawn and printed.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    seed: Option<u64>,
    /// Replace one value of the scenario in all runs: `--set topology.rows=10`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Runs at the same time; the rows are the same for any number. Default: one a core.
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<u16>,
    /// How to write the results: a line for each combination, or a row for each run.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    format: FormatName,
    /// Write rows into this file, as JSON lines, or as CSV if its name ends in `.csv`, in their order and as soon as they
    /// are there. A file of the same sweep is gone on with: runs whose rows it has are not run again. If its name ends in
    /// `.parquet` (a program built with the feature `parquet`), rows are kept in `FILE.csv` until all are there.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say which runs there are and what they need, and run none.
    #[arg(long)]
    dry_run: bool,
    /// Refuse a sweep of more runs.
    #[arg(long, value_name = "N", default_value_t = RUNS_MOST, value_parser = limit)]
    limit: u64,
    /// Begin no run after so much time on the clock, and end those that have begun as unfinished.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    max_time: Option<Duration>,
}

fn limit(text: &str) -> Result<u64, String> {
    whole(text, 1, u32::MAX.into())
}

/// A combination of values.
struct Combination {
    sets: Vec<(String, String)>,
    plan: Arc<dyn Runnable + Send>,
    seed: u64,
    /// The values as they begin each row.
    words: Words,
}

/// What a run came to.
struct Row {
    record: RunRecord,
    /// The row for the file, and as a JSON line, where these are asked for.
    written: Option<Written>,
    line: Option<String>,
}

/// Rows that are there, in their order.
struct Collected {
    next: u64,
    /// Rows that wait for one before them.
    early: BTreeMap<u64, Row>,
    /// What is printed at the end: the records, or their lines.
    records: Vec<RunRecord>,
    lines: String,
    exit: Exit,
    file: Option<RowsFile>,
    failure: Option<Failure>,
}

/// The more urgent one of two ways to end.
fn more_urgent(a: Exit, b: Exit) -> Exit {
    let urgency = |exit: &Exit| match exit {
        Exit::Done => 0,
        Exit::BudgetExhausted => 1,
        Exit::Failed => 2,
        Exit::Interrupted => 3,
    };
    std::cmp::max_by_key(a, b, urgency)
}

impl Collected {
    fn take(&mut self, number: u64, row: Row) {
        self.early.insert(number, row);
        while let Some(Row { record, written, line }) = self.early.remove(&self.next) {
            if let (Some(file), Some(written)) = (&mut self.file, &written)
                && let Err(failure) = file.add(written)
            {
                self.failure.get_or_insert(failure);
            }
            self.exit = more_urgent(self.exit, record.outcome().exit);
            match line {
                Some(line) => self.lines.push_str(&line),
                None => self.records.push(record),
            }
            self.next += 1;
        }
    }
}

pub(crate) fn sweep(
    arguments: &SweepArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let combinations = arguments.over.iter().map(|over| over.values.len() as u64);
    let runs = combinations.chain([arguments.reps.into()]).try_fold(1_u64, u64::checked_mul);
    let runs = runs.filter(|&runs| runs <= arguments.limit).ok_or_else(|| {
        let runs = runs.map_or_else(|| "more than 2^64".to_owned(), |runs| runs.to_string());
        let over = arguments.over.iter().map(|over| format!("--over {} of {}", over.key, over.values.len()));
        let factors: Vec<String> = over.chain([format!("--reps {}", arguments.reps)]).collect();
        Failure::usage(format_args!("a sweep of {runs} runs: {}", factors.join(", ")))
            .accepting(format!("up to {}, or a larger --limit", arguments.limit))
    })?;
    let mut keys =
        arguments.over.iter().map(|over| &over.key).chain(arguments.set.iter().map(|(key, _)| key));
    let seen: Vec<&String> = keys.clone().collect();
    if let Some(twice) = keys.find(|key| seen.iter().filter(|other| *other == key).count() > 1) {
        return Err(Failure::usage(format_args!("{twice} is given twice")).accepting("each field once"));
    }
    let columnar = arguments.output.as_deref().filter(|path| parquet::is_meant(path));
    if let Some(path) = columnar {
        parquet::rows_of(path, None)?;
    }
    let supervisor = Supervisor::new(arguments.max_time, Progress::new(runs as u32, verbosity));
    let combinations = combined(arguments, catalogue, verbosity)?;
    interrupt::a_run_begins();
    setup::is_over();
    if arguments.dry_run {
        return output::print(&planned(arguments, &combinations, runs)).map(|()| Exit::Done);
    }
    let header = header(arguments, &combinations);
    let whole = columnar.map_or(Ok(0), |path| parquet::rows_of(path, Some(&header)))?;
    let path = columnar.map(parquet::beside).or_else(|| arguments.output.clone()).filter(|_| whole == 0);
    let opened = path.map(|path| RowsFile::open(&path, &header)).transpose()?;
    let (file, done) = opened.map_or((None, whole), |(file, rows)| (Some(file), rows));
    if done > runs {
        return Err(
            Failure::usage("the file has more rows than this sweep has runs").accepting("another file")
        );
    }
    if done > 0 {
        verbosity.say(format_args!("{done} of {runs} runs are in the file already"));
    }
    let collected = Collected {
        next: done,
        early: BTreeMap::new(),
        records: Vec::new(),
        lines: String::new(),
        exit: Exit::Done,
        file,
        failure: None,
    };
    let collected = run_all(arguments, &combinations, (done, runs), &supervisor, collected)?;
    supervisor.progress().finish();
    if let Some(failure) = collected.failure {
        return Err(failure);
    }
    let left = runs - collected.next;
    if let Some(path) = columnar.filter(|_| left == 0 && collected.file.is_some()) {
        parquet::write(path, &header)?;
    }
    output::print(&results(arguments, &combinations, done, &collected))?;
    if left > 0 {
        verbosity.say(format_args!("{left} of {runs} runs were not done"));
    }
    let unfinished = match supervisor.verdict() {
        _ if left == 0 => Exit::Done,
        Proceed::Interrupted => Exit::Interrupted,
        _ => Exit::BudgetExhausted,
    };
    Ok(if unfinished == Exit::Done { collected.exit } else { unfinished })
}

/// All combinations, each with its plan: whatever is wrong with one of them is said before the first run.
fn combined(
    arguments: &SweepArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Vec<Combination>, Failure> {
    let mut assignments = vec![Vec::new()];
    for over in &arguments.over {
        assignments = assignments
            .into_iter()
            .flat_map(|sets: Vec<(String, String)>| {
                over.values.iter().map(move |value| {
                    let mut sets = sets.clone();
                    sets.push((over.key.clone(), value.clone()));
                    sets
                })
            })
            .collect();
    }
    let mut combinations = Vec::with_capacity(assignments.len());
    let mut base_seed = arguments.seed;
    for sets in assignments {
        let all: Vec<(String, String)> = arguments.set.iter().chain(&sets).cloned().collect();
        let (document, base) = read(Some(&arguments.scenario), &all)?;
        setup::begin(made_for(&document), arguments.max_time);
        let plan = runnable(&document, &base, catalogue)?;
        let seed = *base_seed.get_or_insert_with(|| {
            plan.seed().unwrap_or_else(|| {
                let seed = machine::drawn_seed();
                verbosity.say(format_args!("seed {seed} (drawn; --seed {seed} gives the same sweep again)"));
                seed
            })
        });
        // By what is written, not by place: a combination has its seeds in any sweep.
        let Digest(digest) = Digest::of(&sets);
        let words = Words::of(&sets);
        combinations.push(Combination { sets, plan, seed: derived_seed(seed, digest as u64), words });
    }
    Ok(combinations)
}

/// The first line of a file of rows.
fn header(arguments: &SweepArguments, combinations: &[Combination]) -> String {
    let Digest(all) = Digest::of(&combinations.iter().map(|of| (&of.sets, of.seed)).collect::<Vec<_>>());
    let title = combinations.first().map_or("", |of| of.plan.title());
    let sets: String = arguments.set.iter().map(|(key, value)| format!("{key}={value};")).collect();
    let Digest(fixed) =
        Digest::of(&(sets, combinations.iter().map(|of| of.plan.parameters()).collect::<Vec<_>>()));
    format!(
        "{{\"acrasin\":\"sweep\",\"format\":1,\"version\":\"{}\",\"title\":{title:?},\"repetitions\":{},\"combinations\":\"{all:032x}\",\"scenario\":\"{fixed:032x}\"}}",
        env!("CARGO_PKG_VERSION"),
        arguments.reps
    )
}

/// What there is to run, and what a run needs.
fn planned(arguments: &SweepArguments, combinations: &[Combination], runs: u64) -> String {
    let names = arguments.over.iter().map(|over| Column::new(&over.key));
    let mut table = Table::new(
        names.chain(
            ["runs", "seed of the first", "memory of a run", "work of a run", "CPU seconds of a run"]
                .map(Column::new),
        ),
    );
    for Combination { sets, plan, seed, .. } in combinations {
        let values = sets.iter().map(|(_, value)| value.as_str().into());
        let foreseen = plan.foreseen();
        let rest: [Value; 5] = [
            u64::from(arguments.reps).into(),
            derived_seed(*seed, 0).to_string().as_str().into(),
            format!("at most about {}", readable(plan.bytes())).as_str().into(),
            foreseen::work(&foreseen).as_str().into(),
            foreseen::seconds(&foreseen).as_str().into(),
        ];
        table.push(values.chain(rest).collect::<Vec<_>>());
    }
    match arguments.format.0 {
        Format::Table => format!("{runs} runs\n\n{}", table.render(Format::Table, TextStyle::default())),
        format => table.render(format, TextStyle::PLAIN),
    }
}

/// Runs what is left, on so many threads.
fn run_all(
    arguments: &SweepArguments,
    combinations: &[Combination],
    (done, runs): (u64, u64),
    supervisor: &Supervisor,
    collected: Collected,
) -> Result<Collected, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let wanted = arguments.threads.map_or(cores, usize::from);
    let each = combinations.iter().map(|of| of.plan.bytes()).max().unwrap_or(1).max(1);
    let fitting = usize::try_from(u128::from(memory::bytes()) / each).unwrap_or(usize::MAX).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(wanted.min(fitting)).build();
    let pool = pool.map_err(|error| Failure::of_machine(format_args!("no threads: {error}")))?;
    let kind = collected.file.as_ref().map(RowsFile::kind);
    let is_printed = arguments.format.0 == Format::Jsonl;
    let collected = Mutex::new(collected);
    let reps = u64::from(arguments.reps);
    let keep = |number: u64, mut finished: Finished| -> Result<(), Failure> {
        let Combination { words, .. } = &combinations[(number / reps) as usize];
        finished.fill_manifest(|manifest| manifest.commit = machine::commit());
        supervisor.progress().repetition_done();
        // A run that was ended from outside is run again the next time.
        if supervisor.verdict() != Proceed::Continue
            && matches!(finished.record.outcome().word.as_str(), "interrupted" | "time")
        {
            return Ok(());
        }
        let record = finished.record;
        let (written, line) = match kind {
            Some(Kind::JsonLines) => {
                let line = words.json_line(number, &record);
                let printed = is_printed.then(|| line.clone());
                (Some(Written::JsonLine(line)), printed)
            }
            Some(Kind::Csv) => {
                (Some(words.cells(number, &record)), is_printed.then(|| words.json_line(number, &record)))
            }
            None => (None, is_printed.then(|| words.json_line(number, &record))),
        };
        let row = Row { record, written, line };
        collected.lock().unwrap_or_else(PoisonError::into_inner).take(number, row);
        Ok(())
    };
    // Some of one combination, made together.
    let some = |numbers: Range<u64>| -> Result<(), Failure> {
        if supervisor.verdict() != Proceed::Continue {
            return Ok(());
        }
        let Combination { plan, seed, .. } = &combinations[(numbers.start / reps) as usize];
        let job = |number: u64| {
            let repetition = (number % reps) as u32;
            Job { seed: derived_seed(*seed, repetition.into()), repetition, watch: supervisor, record: None }
        };
        let finished = plan.run_together(numbers.clone().map(job).collect());
        numbers.zip(finished).try_for_each(|(number, finished)| keep(number, finished?))
    };
    // In order, as far as threads go: rows wait for those before them.
    let workers = pool.current_num_threads();
    let next = Mutex::new(done);
    let take = || {
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *next;
        let combination = combinations.get((first / reps) as usize)?;
        let fair = (runs - first).div_ceil(workers as u64);
        let end = (first + fair.min(combination.plan.together() as u64)).min((first / reps + 1) * reps);
        *next = end;
        Some(first..end)
    };
    let work = |_| -> Result<(), Failure> { std::iter::from_fn(take).try_for_each(&some) };
    pool.install(|| (0..workers).into_par_iter().with_max_len(1).try_for_each(work))?;
    Ok(collected.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Rows from number `first` on, or a line for each combination.
fn results(
    arguments: &SweepArguments,
    combinations: &[Combination],
    first: u64,
    Collected { records, lines, .. }: &Collected,
) -> String {
    match arguments.format.0 {
        Format::Csv => {
            let table = records_table(records);
            let columns = ["run".to_owned()].into_iter().chain(table.keys().iter().cloned());
            let mut numbered = Table::new(columns.map(|name| Column::new(&name).key(&name)));
            for (number, row) in (first..).zip(table.rows()) {
                numbered.push(std::iter::once(number.into()).chain(row.iter().cloned()).collect::<Vec<_>>());
            }
            numbered.to_csv()
        }
        Format::Jsonl => lines.clone(),
        Format::Table => {
            let reps = u64::from(arguments.reps);
            // Of those in the file already nothing is known here.
            let mut groups = Vec::new();
            let (mut number, mut rest) = (first, &records[..]);
            while !rest.is_empty() {
                let (group, others) = rest.split_at(rest.len().min((reps - number % reps) as usize));
                groups.push((&combinations[(number / reps) as usize], group));
                (number, rest) = (number + group.len() as u64, others);
            }
            summary(arguments, &groups)
        }
    }
}

/// A line for each combination: how its runs ended, and the means of what they did.
fn summary(arguments: &SweepArguments, rows: &[(&Combination, &[RunRecord])]) -> String {
    let means = |records: &[RunRecord]| -> Vec<(String, Value, Value)> {
        figures_over_repetitions(records)
            .rows()
            .iter()
            .filter(|row| row[0] == "work".into())
            .filter_map(|row| match &row[1] {
                Value::Text(name) => Some((name.clone(), row[3].clone(), row[4].clone())),
                _ => None,
            })
            .collect()
    };
    let figures: Vec<Vec<(String, Value, Value)>> = rows.iter().map(|(_, records)| means(records)).collect();
    let mut names: Vec<&String> = Vec::new();
    for (name, ..) in figures.iter().flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut columns: Vec<Column> = arguments.over.iter().map(|over| Column::new(&over.key)).collect();
    columns.extend(["runs", "ended as"].map(Column::new));
    for name in &names {
        columns.extend([Column::new(format!("{name}, mean")), Column::new("std. error")]);
    }
    let mut table = Table::new(columns);
    for ((of, records), figures) in rows.iter().zip(&figures) {
        let mut words: Vec<&str> = records.iter().map(|record| record.outcome().word.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        let mut row: Vec<Value> = of.sets.iter().map(|(_, value)| value.as_str().into()).collect();
        row.extend([(records.len() as u64).into(), words.join(", ").as_str().into()]);
        for name in &names {
            let found = figures.iter().find(|(other, ..)| other == *name);
            let (mean, error) =
                found.map_or((Value::Missing, Value::Missing), |(_, m, e)| (m.clone(), e.clone()));
            row.extend([mean, error]);
        }
        table.push(row);
    }
    table.render(Format::Table, TextStyle::default())
}
