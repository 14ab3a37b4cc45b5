//! `acrasin sweep`: runs a scenario for all combinations of values, with one row for each run.
//!
//! - `values.rs`: lists and ranges of the fields.
//! - `plan.rs`: the runs, their seeds and their order.
//! - `written_row.rs`: a row, as a JSON line or as cells.
//! - `rows.rs`: the file to which rows are written when runs end.
//! - `done_runs.rs`: the rows that the file already has.
//! - `queue.rs`: the runs that have not begun, in their order.
//! - `ranks.rs`: runs that other ranks of an MPI job execute.
//! - `part.rs`: a part of the runs.
//! - `joined_rows.rs`: joins the rows of several parts.
//! - `columns.rs`: the columns of a CSV file.
//! - `parquet.rs`: converts a CSV file to Parquet.

mod columns;
mod done_runs;
mod joined_rows;
mod parquet;
mod part;
mod plan;
mod queue;
mod ranks;
mod rows;
mod values;
mod written_row;

use acrasin_catalogue::counted;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use acrasin_process::Ranks;
use acrasin_report::record::{Exit, RunRecord, records_table};
use acrasin_report::summary::MeanWithError;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::plan::readable;
use acrasin_scenario::{Catalogue, Finished, Job, Proceed, RunError};
use clap::Args;
use rayon::prelude::*;

use self::joined_rows::JoinedRow;
use self::part::SweepPart;
use self::plan::{Combination, SweepPlan};
use self::queue::{PlannedRuns, RunQueue};
use self::ranks::OtherRanks;
use self::rows::{Opened, RowFormat, RowsFile};
use self::values::SweptField;
use self::written_row::{KeptRow, WrittenRow};
use crate::arguments::{FormatName, seed, setting, threads, whole};
use crate::output::{self, Verbosity};
use crate::progress::ProgressLine;
use crate::rank_before_run::threads_of_rank;
use crate::run::{inputs, read, refuse_to_replace_input};
use crate::supervisor::Supervisor;
use crate::{Failure, duration, estimate, interrupt, machine, memory, setup};

/// The default of `--limit`: the maximum number of runs of a sweep.
const RUNS_MOST: u64 = 1_000_000;

/// The arguments of `acrasin sweep`.
#[derive(Args, Debug)]
pub(crate) struct SweepArguments {
    /// A scenario file, or the name of a built-in scenario (`acrasin list scenarios`).
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// A field and its values: `topology.nodes=[100, 1000]`, `topology.nodes=1e2..1e6 x10`,
    /// `limits.rounds=10..50 by 10`. Several fields give all combinations; the last one changes fastest. Values of
    /// `seed` are the seeds of the runs. Without any field --reps gives the number of runs.
    #[arg(long, value_name = "KEY=VALUES", required_unless_present = "reps")]
    over: Vec<SweptField>,
    /// Runs of each combination. Their seeds are derived from that of the sweep, the combination and the repetition.
    /// Repetition 0 of all combinations comes first, then repetition 1 of all combinations, so that an interrupted
    /// sweep covers all combinations.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    reps: u32,
    /// The seed from which all seeds are derived, instead of the scenario's. Without either, one is drawn and
    /// printed.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    seed: Option<u64>,
    /// Replace one value of the scenario in all runs: `--set topology.rows=10`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// The number of runs at the same time; it does not change the rows. Default: one per core.
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<u16>,
    /// Format of the results: a line per combination, or a row per run.
    #[arg(long, value_enum, default_value_t = FormatName(Format::Table))]
    format: FormatName,
    /// Write rows to this file, in order and as soon as they are available: as JSON lines, or as CSV if the name ends
    /// in `.csv`. A file of the same sweep is extended: its runs are not executed again, and more values and
    /// repetitions may be requested. If the name ends in `.parquet` (requires the feature `parquet`), rows are kept in
    /// `FILE.csv` until the sweep is complete.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Execute only part I of N of the runs, in a separate file of JSON lines: `--part 2/8 -o part-2.jsonl`. Each
    /// machine executes one part, with the same command except for I and the file; machines need not share anything.
    /// --join merges the files.
    #[arg(long, value_name = "I/N", value_parser = SweepPart::parse, requires = "output", conflicts_with = "join")]
    part: Option<SweepPart>,
    /// Write the rows of these files, which sweeps with --part have written, to --output, in the order of the runs. Run
    /// nothing. The result, in any format, equals the file of a sweep on one machine. Missing runs are counted (exit
    /// code 3); the command without --join executes them.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "output")]
    join: Vec<PathBuf>,
    /// Print the runs and their estimated cost, and run none.
    #[arg(long)]
    dry_run: bool,
    /// Refuse sweeps with more runs than this.
    #[arg(long, value_name = "N", default_value_t = RUNS_MOST, value_parser = limit)]
    limit: u64,
    /// Begin no run after this time on the clock, and end the runs in progress as unfinished.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    max_time: Option<Duration>,
}

fn limit(text: &str) -> Result<u64, String> {
    whole(text, 1, u32::MAX.into())
}

/// The result of a run, in the forms that file, summary and standard output need.
struct RunRow {
    number: u64,
    place: u64,
    /// The combination and the repetition of the run.
    of: (usize, u64),
    kept: KeptRow,
    /// The row for the file; `None` if no file is written.
    written: Option<WrittenRow>,
    printed: PrintedRow,
}

/// A row for standard output, in the form that the format needs.
enum PrintedRow {
    Nothing,
    Line(String),
    Record(Box<RunRecord>),
}

impl RunRow {
    /// The row of the run at a place, with its number, from its JSON line. `None` if the line is not a row.
    fn of_line(
        plan: &SweepPlan,
        (place, number): (u64, u64),
        line: String,
        kind: Option<RowFormat>,
        format: Format,
    ) -> Option<Self> {
        let of = plan.at(place);
        let kept = KeptRow::of_line(&line)?;
        let written = match kind {
            Some(RowFormat::Csv) => Some(plan.combinations[of.0].words.cells_of_line(number, &line)?),
            Some(RowFormat::JsonLines) => Some(WrittenRow::JsonLine(line.clone())),
            None => None,
        };
        let printed = if format == Format::Jsonl { PrintedRow::Line(line) } else { PrintedRow::Nothing };
        Some(Self { number, place, of, kept, written, printed })
    }
}

/// Collects the rows of completed runs, and writes them to the file in the order of places.
struct Collected<'a> {
    plan: &'a SweepPlan,
    /// The rows that the file already has, by place.
    done: &'a BTreeMap<u64, KeptRow>,
    /// The place of the next row to write. The rows of all earlier places are written.
    next: u64,
    /// Rows that wait for an earlier row, by place.
    early: BTreeMap<u64, RunRow>,
    /// The data of written rows for the summary, by place.
    kept: BTreeMap<u64, KeptRow>,
    /// Rows for standard output by combination and repetition, with the number of the run.
    printed: BTreeMap<(usize, u64), (u64, PrintedRow)>,
    file: Option<RowsFile>,
    failure: Option<Failure>,
}

/// The more urgent of two exit statuses.
fn more_urgent(a: Exit, b: Exit) -> Exit {
    let urgency = |exit: &Exit| match exit {
        Exit::Done => 0,
        Exit::BudgetExhausted => 1,
        Exit::Failed => 2,
        Exit::Interrupted => 3,
    };
    std::cmp::max_by_key(a, b, urgency)
}

impl Collected<'_> {
    /// Takes the row of the run at a place, and writes all rows that are now next.
    fn take(&mut self, place: u64, row: RunRow) {
        self.early.insert(place, row);
        while !self.early.is_empty() {
            if let Some(row) = self.early.remove(&self.next) {
                self.keep(row);
            } else if self.plan.is_here(self.next) && !self.done.contains_key(&self.next) {
                return;
            }
            self.next += 1;
        }
    }

    /// Writes the rows that still wait because an earlier run ended without a row, and checks the file.
    fn finish(&mut self) {
        for row in std::mem::take(&mut self.early).into_values() {
            self.keep(row);
        }
        if let (None, Some(file)) = (&self.failure, &self.file) {
            self.failure = file.finish().err();
        }
    }

    /// Takes rows from the files of parts, for the runs that have no row yet.
    fn join(&mut self, files: &[PathBuf]) -> Result<(), Failure> {
        let Some(kind) = self.file.as_ref().map(RowsFile::kind) else { return Ok(()) };
        for (place, JoinedRow { kept, line, .. }) in joined_rows::joined(files, self.plan)? {
            if self.done.contains_key(&place) {
                continue;
            }
            let (number, of) = (place, self.plan.at(place));
            let written = match kind {
                RowFormat::JsonLines => Some(WrittenRow::JsonLine(line)),
                RowFormat::Csv => self.plan.combinations[of.0].words.cells_of_line(number, &line),
            };
            self.keep(RunRow { number, place, of, kept, written, printed: PrintedRow::Nothing });
        }
        self.finish();
        Ok(())
    }

    /// Writes a row. After the first error no further row is written, so that the file has no gaps.
    fn keep(&mut self, RunRow { number, place, of, kept, written, printed }: RunRow) {
        if self.failure.is_some() {
            return;
        }
        if let (Some(file), Some(written)) = (&mut self.file, &written)
            && let Err(failure) = file.add(written)
        {
            self.failure = Some(failure);
            return;
        }
        self.kept.insert(place, kept);
        if !matches!(printed, PrintedRow::Nothing) {
            self.printed.insert(of, (number, printed));
        }
    }
}

/// Runs a sweep over ranks. Rank 0 writes and prints the rows; the other ranks only make runs.
pub(crate) fn sweep_over_ranks(
    arguments: &SweepArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
    ranks: &dyn Ranks,
) -> Result<Exit, Failure> {
    if ranks.rank() > 0 {
        return ranks::work_for_rank_0(arguments, catalogue, ranks);
    }
    let others = OtherRanks::new(ranks);
    if arguments.format.0 == Format::Csv && others.count() > 0 {
        return Err(Failure::usage("--format csv with several ranks")
            .accepting("-o FILE.csv, or --format table or jsonl"));
    }
    sweep_with(arguments, catalogue, verbosity, (others.count() > 0).then_some(&others))
}

pub(crate) fn sweep(
    arguments: &SweepArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    sweep_with(arguments, catalogue, verbosity, None)
}

/// Runs a sweep, with the help of other ranks if there are any.
fn sweep_with(
    arguments: &SweepArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
    others: Option<&OtherRanks<'_>>,
) -> Result<Exit, Failure> {
    for note in arguments.over.iter().filter_map(|over| over.note.as_ref()) {
        verbosity.say(format_args!("note: {note}"));
    }
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
        parquet::is_possible(path)?;
    }
    let reps = u64::from(arguments.reps);
    let here = arguments.part.map_or(runs, |part| part.runs(runs / reps, reps));
    let supervisor = Supervisor::new(arguments.max_time, ProgressLine::new(here as u32, verbosity));
    let plan = SweepPlan::new(arguments, arguments.seed, catalogue, verbosity)?;
    let ends_in = |ending: &str| {
        let extension = arguments.output.as_ref().and_then(|path| path.extension());
        extension.is_some_and(|extension| extension == ending)
    };
    if arguments.part.is_some() && (columnar.is_some() || ends_in("csv")) {
        // The columns of CSV rows depend on the rows before them.
        return Err(Failure::usage("--part with a file of CSV or Parquet").accepting(
            "JSON lines for each part, such as -o part-1.jsonl; --join also writes CSV and Parquet",
        ));
    }
    if arguments.dry_run {
        setup::is_over();
        return output::print(&planned(arguments, &plan)).map(|()| Exit::Done);
    }
    if arguments.output.is_some() && !plan.is_distinct() {
        let message = "the values of --over are not all different: they identify the rows of a file";
        return Err(Failure::usage(message).accepting("each value once, and --reps for more runs"));
    }
    let (document, base) = read(Some(&arguments.scenario), &plan.first_sets(arguments))?;
    let inputs = inputs(Some(&arguments.scenario), document.files(), &base);
    refuse_to_replace_input("--output", arguments.output.as_deref(), &inputs)?;
    let header = header(&plan);
    // Files of rows can be large. An interrupt while they are read or joined ends the program: each row is whole.
    if let Some(path) = &arguments.output {
        setup::begin(format!("the list of runs in {}", path.display()), None);
    }
    let opened = match (columnar, &arguments.output) {
        (Some(path), _) => RowsFile::open_for_parquet(path, &header, &plan)?,
        (None, Some(path)) => {
            let (file, done) = RowsFile::open(path, &header, &plan)?;
            Opened { file: Some(file), done, has_parquet: false }
        }
        (None, None) => Opened::default(),
    };
    let Opened { file, done, has_parquet } = opened;
    let runs = plan.runs_here();
    let are_here =
        |places: &mut dyn Iterator<Item = &u64>| places.filter(|place| plan.is_here(**place)).count();
    let in_file = are_here(&mut done.kept.keys()) as u64;
    if in_file > 0 {
        verbosity.say(format_args!("{in_file} of {runs} runs are in the file already"));
    }
    let (numbers, kept) = (done.numbers(plan.runs()), done.kept);
    let mut collected = Collected {
        plan: &plan,
        done: &kept,
        next: 0,
        early: BTreeMap::new(),
        kept: BTreeMap::new(),
        printed: BTreeMap::new(),
        file,
        failure: None,
    };
    if !arguments.join.is_empty() {
        collected.join(&arguments.join)?;
    }
    interrupt::a_run_begins();
    setup::is_over();
    if arguments.join.is_empty() && in_file < runs {
        let made = PlannedRuns { plan: &plan, numbers: &numbers, done: &kept };
        run_all(arguments, &made, (&supervisor, verbosity), &mut collected, others)?;
    }
    supervisor.progress().finish();
    if let Some(failure) = collected.failure {
        return Err(failure);
    }
    let all: BTreeMap<u64, &KeptRow> =
        kept.iter().chain(&collected.kept).map(|(place, kept)| (*place, kept)).collect();
    let left = runs - are_here(&mut all.keys()) as u64;
    if let Some(path) = columnar.filter(|_| left == 0 && collected.file.is_some()) {
        parquet::write(path, &header, has_parquet)?;
    }
    output::print(&results(arguments, &plan, &collected, &all))?;
    if left > 0 {
        let which = if arguments.join.is_empty() { "were not made" } else { "are in none of the files" };
        verbosity.say(format_args!("{left} of {runs} runs {which}"));
    }
    let unfinished = match supervisor.verdict() {
        _ if left == 0 => Exit::Done,
        Proceed::Interrupted => Exit::Interrupted,
        _ => Exit::BudgetExhausted,
    };
    let exits = all.values().map(|kept| kept.exit());
    Ok(if unfinished == Exit::Done { exits.fold(Exit::Done, more_urgent) } else { unfinished })
}

/// The first line of a file of rows. Each row also names its sweep.
fn header(plan: &SweepPlan) -> String {
    let title = plan.combinations.first().map_or("", |of| of.plan.header().title.as_str());
    let line = acrasin_report::table::json_line(&Value::from(title));
    format!(
        "{{\"acrasin\":\"sweep\",\"format\":2,\"version\":\"{}\",\"title\":{},\"seed\":\"{}\"}}",
        env!("CARGO_PKG_VERSION"),
        line.trim_end(),
        plan.seed
    )
}

/// The planned runs, with the estimated cost of each.
fn planned(arguments: &SweepArguments, plan: &SweepPlan) -> String {
    let names = arguments.over.iter().map(|over| Column::new(&over.key));
    let mut table = ResultTable::new(
        names.chain(
            ["runs", "seed of the first", "memory of a run", "work of a run", "CPU time of a run"]
                .map(Column::new),
        ),
    );
    for (at, Combination { sets, plan: of, .. }) in plan.combinations.iter().enumerate() {
        let values = sets.iter().map(|(_, value)| value.as_str().into());
        let header = of.header();
        let rest: [Value; 5] = [
            plan.runs_of(at).into(),
            plan.seed(at, 0).to_string().as_str().into(),
            format!("at most about {}", readable(of.header().bytes)).as_str().into(),
            estimate::work(&header.bounds).as_str().into(),
            estimate::seconds(&header.bounds, header.nanoseconds).as_str().into(),
        ];
        table.push(values.chain(rest).collect::<Vec<_>>());
    }
    match arguments.format.0 {
        Format::Table => {
            format!(
                "{}\n\n{}",
                counted(plan.runs_here(), "run"),
                table.render(Format::Table, TextStyle::default())
            )
        }
        format => table.render(format, TextStyle::PLAIN),
    }
}

/// Makes runs of one combination together, and returns them in their order.
fn run_group(
    plan: &SweepPlan,
    places: &[u64],
    supervisor: &Supervisor,
) -> impl Iterator<Item = Result<Finished, RunError>> {
    let (combination, _) = plan.at(places[0]);
    let job = |&place: &u64| {
        let (_, repetition) = plan.at(place);
        let seed = plan.seed(combination, repetition);
        Job { seed, repetition: repetition as u32, watch: supervisor, record: None }
    };
    plan.combinations[combination].plan.run_together(places.iter().map(job).collect()).into_iter()
}

/// Executes the remaining runs on several threads, and on other ranks of an MPI job if there are any.
fn run_all(
    arguments: &SweepArguments,
    made: &PlannedRuns<'_>,
    (supervisor, verbosity): (&Supervisor, Verbosity),
    collected: &mut Collected<'_>,
    others: Option<&OtherRanks<'_>>,
) -> Result<(), Failure> {
    let plan = made.plan;
    let each = plan.combinations.iter().map(|of| of.plan.header().bytes).max().unwrap_or(1).max(1);
    let threads = others.map_or(arguments.threads, |_| Some(threads_of_rank(arguments.threads)));
    let wanted = memory::threads(threads, u64::try_from(each).unwrap_or(u64::MAX), verbosity);
    let pool = memory::pool(wanted.min(memory::runs_at_once(each)))?;
    let kind = collected.file.as_ref().map(RowsFile::kind);
    let format = arguments.format.0;
    let collected = Mutex::new(collected);
    let keep = |place: u64, mut finished: Finished| {
        let of = plan.at(place);
        let words = &plan.combinations[of.0].words;
        finished.fill_manifest(machine::complete);
        supervisor.progress().repetition_done();
        let record = finished.record;
        // A run that the user or the time limit ended is made again the next time.
        if supervisor.verdict() != Proceed::Continue && record.ending().is_cut_short() {
            return;
        }
        let number = made.number(place);
        let is_json = kind == Some(RowFormat::JsonLines) || format == Format::Jsonl;
        let line = is_json.then(|| words.json_line(number, &record));
        let written = kind.map(|kind| match kind {
            RowFormat::JsonLines => WrittenRow::JsonLine(line.clone().unwrap_or_default()),
            RowFormat::Csv => words.cells(number, &record),
        });
        let kept = KeptRow::of_record(&record);
        let printed = match (format, line) {
            (Format::Jsonl, Some(line)) => PrintedRow::Line(line),
            (Format::Csv, _) => PrintedRow::Record(Box::new(record)),
            _ => PrintedRow::Nothing,
        };
        let mut collected = collected.lock().unwrap_or_else(PoisonError::into_inner);
        collected.take(place, RunRow { number, place, of, kept, written, printed });
        if collected.failure.is_some() {
            supervisor.stop();
        }
    };
    let add = |place: u64, line: String| -> Result<(), Failure> {
        let row = RunRow::of_line(plan, (place, made.number(place)), line, kind, format)
            .ok_or_else(|| Failure::of_machine(format_args!("the row of run {place} is damaged")))?;
        let mut collected = collected.lock().unwrap_or_else(PoisonError::into_inner);
        collected.take(place, row);
        if collected.failure.is_some() {
            supervisor.stop();
        }
        Ok(())
    };
    let workers = pool.current_num_threads();
    let queue = RunQueue::new(made, workers * (1 + others.map_or(0, OtherRanks::count)));
    let take = || if supervisor.verdict() == Proceed::Continue { queue.take() } else { None };
    let some = |places: Vec<u64>| -> Result<(), Failure> {
        let finished = run_group(plan, &places, supervisor);
        for (place, finished) in places.iter().zip(finished) {
            // Does not wait for the runs of other threads.
            keep(*place, finished.inspect_err(|_| supervisor.stop())?);
        }
        Ok(())
    };
    let work = |_| -> Result<(), Failure> { std::iter::from_fn(take).try_for_each(some) };
    let ran = std::thread::scope(|scope| {
        let serving = others.map(|others| scope.spawn(|| others.serve(made, &queue, supervisor, &add)));
        let ran = pool.install(|| (0..workers).into_par_iter().with_max_len(1).try_for_each(work));
        let served = serving.map_or(Ok(()), |serving| {
            serving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        ran.and(served)
    });
    collected.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    ran
}

/// The results to print. In formats for programs, these are the new rows, grouped by combination; in text output, one
/// line per combination over all its rows.
fn results(
    arguments: &SweepArguments,
    plan: &SweepPlan,
    Collected { printed, .. }: &Collected<'_>,
    kept: &BTreeMap<u64, &KeptRow>,
) -> String {
    match arguments.format.0 {
        Format::Csv => {
            let rows = printed.iter().filter_map(|((combination, _), (number, row))| match row {
                PrintedRow::Record(record) => Some(((*number, *combination), RunRecord::clone(record))),
                _ => None,
            });
            let (keys, records): (Vec<_>, Vec<RunRecord>) = rows.unzip();
            let table = records_table(&records);
            let columns = ["run".to_owned()].into_iter().chain(table.keys().iter().cloned());
            let varied = plan.keys().into_iter().map(|key| format!("sweep.{key}"));
            let columns = columns.chain(varied).map(|name| Column::new(&name).with_key(&name));
            let mut numbered = ResultTable::new(columns);
            for ((number, combination), row) in keys.into_iter().zip(table.rows()) {
                let values = plan.combinations[combination].words.values();
                let values = values.iter().map(|(_, value)| value.clone());
                numbered.push(
                    std::iter::once(number.into())
                        .chain(row.iter().cloned())
                        .chain(values)
                        .collect::<Vec<_>>(),
                );
            }
            numbered.to_csv()
        }
        Format::Jsonl => {
            let line = |(_, row): &(u64, PrintedRow)| match row {
                PrintedRow::Line(line) => line.clone(),
                _ => String::new(),
            };
            printed.values().map(line).collect()
        }
        Format::Table => summary(plan, kept),
    }
}

/// One line for each combination: the endings of its runs, and the means of their figures.
fn summary(plan: &SweepPlan, kept: &BTreeMap<u64, &KeptRow>) -> String {
    let mut of_each: Vec<Vec<&KeptRow>> = vec![Vec::new(); plan.combinations.len()];
    // Uses the order of repetitions, because sums of reals depend on the order.
    for (&place, kept) in kept {
        of_each[plan.at(place).0].push(kept);
    }
    let mut names: Vec<&String> = Vec::new();
    let mut places: BTreeMap<&String, usize> = BTreeMap::new();
    for (name, _) in of_each.iter().flatten().flat_map(|kept| &kept.figures) {
        places.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() - 1
        });
    }
    let mut columns: Vec<Column> = plan.keys().into_iter().map(Column::new).collect();
    columns.extend(["runs", "ended as"].map(Column::new));
    for name in &names {
        columns.extend([Column::new(format!("{name}, mean")), Column::new("std. error")]);
    }
    let mut table = ResultTable::new(columns);
    for (of, rows) in plan.combinations.iter().zip(&of_each).filter(|(_, rows)| !rows.is_empty()) {
        let mut words: Vec<&str> = rows.iter().map(|kept| kept.word.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        let mut row: Vec<Value> = of.sets.iter().map(|(_, value)| value.as_str().into()).collect();
        row.extend([(rows.len() as u64).into(), words.join(", ").as_str().into()]);
        let mut samples = vec![Vec::new(); names.len()];
        for (name, value) in rows.iter().flat_map(|kept| &kept.figures) {
            samples[places[name]].push(*value);
        }
        for samples in samples {
            let mean = MeanWithError::of(&samples);
            row.extend([mean.map(|of| of.mean).into(), mean.and_then(|of| of.standard_error).into()]);
        }
        table.push(row);
    }
    table.render(Format::Table, TextStyle::default())
}
