//! `acrasin run`: runs a scenario and prints the results.

use acrasin_catalogue::counted;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use acrasin_report::escape::visible;
use acrasin_report::record::{Exit, RunRecord, render_records};
use acrasin_report::table::Format;
use acrasin_report::value::TextStyle;
use acrasin_scenario::plan::readable;
use acrasin_scenario::{Catalogue, Runnable, ScenarioFile};

use crate::arguments::RunArguments;
use crate::batch::{self, Batch, Results};
use crate::checkpoint::{RecordingMark, ResumedRun, RunCheckpoints, RunOrigin, RunSource};
use crate::destination::has_results;
use crate::folder::Folder;
use crate::machine::{self, Stopwatch};
use crate::output::{self, Verbosity};
use crate::progress::ProgressLine;
use crate::rank_before_run::{PlanOfRanks, RankBeforeRun, refuse_undivided, threads_of_rank};
use crate::recording::Recording;
use crate::supervisor::Supervisor;
use crate::{Failure, checkpoint, estimate, folder, interrupt, memory, scenarios, setup};

/// The maximum number of configurations of failed repetitions that are printed. JSON lines and the output folder have
/// all.
const CONFIGURATIONS_SHOWN: usize = 3;

pub(crate) fn run(
    arguments: &RunArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    run_on(arguments, catalogue, verbosity, None)
}

/// Makes runs, or one run together with other ranks.
pub(crate) fn run_on(
    arguments: &RunArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
    rank: Option<&RankBeforeRun>,
) -> Result<Exit, Failure> {
    let stopwatch = Stopwatch::start();
    if arguments.record.is_some() && arguments.reps > 1 {
        let message = format!("--record cannot be combined with --reps {}", arguments.reps);
        return Err(Failure::usage(message).accepting("--reps 1"));
    }
    checkpoint::refuse_flags(arguments)?;
    let resumed = arguments.resume.as_deref().map(|path| ResumedRun::read(path, verbosity)).transpose()?;
    let RunSource { scenario, set, seed } = RunSource::new(arguments, resumed.as_ref());
    let (document, base) = read(scenario.as_deref(), &set)?;
    let inputs = inputs(scenario.as_deref(), document.files(), &base);
    // The clock includes reading files and drawing graphs.
    let supervisor = Supervisor::new(arguments.max_time, ProgressLine::new(arguments.reps, verbosity));
    let supervisor = if arguments.reps == 1 { supervisor.of_one_run() } else { supervisor };
    setup::begin(made_for(&document), arguments.max_time);
    let plan = plan(&document, &base, catalogue, arguments)?;
    interrupt::a_run_begins();
    if rank.is_some() {
        refuse_undivided(&*plan)?;
    }
    // Errors of the user are reported before the run, which may take long.
    if let Some(resumed) = &resumed {
        resumed.refuse_other_recording(arguments.record.as_deref())?;
    }
    let mark = resumed.as_ref().and_then(ResumedRun::recording).cloned();
    let record = arguments.record.clone().or_else(|| mark.as_ref().map(RecordingMark::target));
    refuse_to_replace_input("--record", record.as_deref(), &inputs)?;
    refuse_to_replace_input("--checkpoint", arguments.checkpoint.as_deref(), &inputs)?;
    refuse_to_replace_in_folder(arguments.output.as_deref(), &inputs)?;
    if arguments.dry_run {
        return output::print(&estimate::of_run(&*plan, arguments)).map(|()| Exit::Done);
    }
    let drawn = seed.or(plan.header().seed).is_none();
    let seed = seed.or(plan.header().seed).unwrap_or_else(machine::drawn_seed);
    let target = arguments.checkpoint.as_deref().or(arguments.resume.as_deref());
    let origin = target.map(|_| RunOrigin::new((scenario.as_deref(), &document, &base), &set, seed));
    if let Some((resumed, origin)) = resumed.as_ref().zip(origin.as_ref()) {
        resumed.refuse_other(origin)?;
        resumed.origin.other_commit(origin).into_iter().for_each(|note| verbosity.say(note));
    }
    let RunArguments { force, reps, plots, .. } = *arguments;
    let folder = arguments.output.as_deref();
    // Results that the saved run wrote when it was ended, or before it was killed, are replaced by those of the whole
    // run.
    let is_own = |path: &Path| {
        let origin = resumed.as_ref().map(|resumed| &resumed.origin);
        origin.is_some_and(|origin| has_results(path, |records| origin.is_recorded_in(records)))
    };
    let folder =
        folder.map(|path| Folder::new(path, force || is_own(path), reps, plots, verbosity)).transpose()?;
    let checkpoints = target.zip(origin).map(|(target, origin)| {
        RunCheckpoints::new(target, force, arguments.every, origin, resumed, stopwatch)
    });
    let checkpoints = checkpoints.transpose()?;
    // This comes last, because it truncates the recording of a saved run to its checkpoint.
    let recording = record.as_deref().map(|path| match checkpoints {
        Some(_) => Recording::saved(path, mark.as_ref()),
        None => Recording::new(path, arguments.max_time),
    });
    let recording = recording.transpose()?;
    let part = recording.as_ref().and_then(Recording::part).cloned();
    let supervisor =
        supervisor.with_checkpoints(checkpoints.map(|checkpoints| checkpoints.with_recording(part)));
    if let Some(note) = supervisor.run_checkpoints().and_then(RunCheckpoints::replaced) {
        verbosity.say(note);
    }
    explain(&*plan, verbosity);
    if drawn {
        verbosity.say(format_args!("seed {seed} (drawn; --seed {seed} gives the same run again)"));
    }
    if let Some(before) = supervisor.run_checkpoints().and_then(RunCheckpoints::before) {
        verbosity.say(format_args!("the run continues at step {}", before.steps));
    }

    let (supervisor, threads, seed) = match rank {
        Some(rank) => {
            let seed = rank.begin(&PlanOfRanks { file: &document, base: &base, seed })?;
            (
                supervisor.of_ranks(Some(rank.ranks())),
                memory::threads(Some(threads_of_rank(arguments.threads)), 0, verbosity),
                seed,
            )
        }
        None => (supervisor, threads(arguments, &*plan, verbosity)?, seed),
    };
    let batch = Batch::new(plan, seed, reps, threads, supervisor, folder);
    interrupt::a_run_resumes(arguments.resume.is_some());
    let (results, recording) = match recording {
        Some(mut recording) => {
            (batch.run_recorded(recording.sink()).map(|results| (results, None)), Some(recording))
        }
        None => (batch.run(), None),
    };
    interrupt::a_run_resumes(false);
    batch.supervisor().progress().finish();
    // The error does not contain the name of the checkpoint file.
    let (mut results, left_out) = results.map_err(|failure| match &arguments.resume {
        Some(path) => failure.hinting(format_args!("the checkpoint of the run: {}", path.display())),
        None => failure,
    })?;
    if let Some(met) = results.1.iter().find_map(|done| done.met.as_deref()) {
        verbosity.explain(format_args!("the used part of the transition table:\n{}", met.trim_end()));
    }
    let begun = results.0.len();
    if begun < arguments.reps as usize {
        verbosity.say(format_args!("only {begun} of {} repetitions were started", arguments.reps));
    }

    let checkpoints = batch.supervisor().run_checkpoints();
    let machine = stopwatch.machine(threads, checkpoints.and_then(RunCheckpoints::before));
    let format = arguments.format.0;
    let is_full = format == Format::Table || verbosity == Verbosity::Verbose;
    let render = |records: &[RunRecord]| render_records(records, format, TextStyle::default());
    // Output for programs depends only on version, commit, scenario and seed.
    let folder = batch.take_folder();
    let undrawn = folder.as_ref().map_or(0, Folder::undrawn);
    let drawings = (undrawn > 0).then(|| counted(undrawn, "drawing"));
    let is_incomplete = results.1.iter().any(|done| done.is_incomplete);
    let figures = is_incomplete.then(|| "figures of the end".to_owned());
    let missing: Vec<String> = drawings.into_iter().chain(figures).collect();
    let unfinished = (!missing.is_empty()).then(|| {
        verbosity.say(format_args!("note: left out for lack of time: {}", missing.join(", ")));
        batch::exit_of(batch.supervisor().verdict())
    });
    let lines = folder.as_ref().map_or(Ok(()), |folder| folder.write_lines(&results.0));
    let plain = (!is_full).then(|| render(&results.0));
    results.0.iter_mut().for_each(|record| machine.sign(record.manifest_mut()));
    let mut text = plain.unwrap_or_else(|| render(&results.0));
    match format {
        Format::Table => text += &configurations(&results),
        // CSV has no place for configurations; JSON lines do.
        Format::Csv => verbosity.say(format_args!("{machine}{}", configurations(&results))),
        Format::Jsonl => verbosity.say(&machine),
    }
    // Results are printed first, so that a failing file does not lose them.
    let printed = output::print(&text);
    let is_complete = begun == arguments.reps as usize && left_out.is_none() && !is_cut_off(&results.0);
    let recorded = recording.map_or(Ok(()), |recording| recording.publish(is_complete, verbosity));
    let kept = folder.map_or(Ok(()), |folder| {
        if results.1.iter().all(|done| done.has_no_series) {
            verbosity.say("the nodes have no states: no counts over time are written");
        }
        if let Some(note) = batch::thinned(&results, folder.has_one_table()) {
            verbosity.say(note);
        }
        for note in folder.impossible_pictures() {
            verbosity.say(format_args!("note: {note}"));
        }
        lines?;
        folder.write_table(&results.0)?;
        folder.write("scenario.ron", &effective(&document, &base, seed)?)?;
        folder.publish(is_complete && missing.is_empty(), verbosity)
    });
    if let Some(cost) = checkpoints.and_then(RunCheckpoints::cost) {
        verbosity.explain(cost);
    }
    let saved = checkpoints.map_or(Ok(()), RunCheckpoints::close);
    if let Some(sentence) = checkpoints
        .filter(|_| saved.is_ok() && is_cut_off(&results.0))
        .and_then(|checkpoints| checkpoints.continuation(arguments.output.as_deref()))
    {
        verbosity.say(sentence);
    }
    let failures = [printed, recorded, kept, saved].into_iter().filter_map(Result::err);
    let exit = batch::exit(&results.0, left_out.or(unfinished));
    // The process is about to end, so the memory of many repetitions or a large graph is not freed piece by piece.
    std::mem::forget((results, batch));
    failures.reduce(|first, second| first.and(&second)).map_or(Ok(exit), Err)
}

/// Whether a run was ended early by the user or the time limit.
fn is_cut_off(records: &[RunRecord]) -> bool {
    records.iter().any(|record| record.ending().is_cut_short())
}

/// Reads the scenario, and returns it with the folder that its paths are relative to.
pub(crate) fn read(
    scenario: Option<&Path>,
    set: &[(String, String)],
) -> Result<(ScenarioFile, PathBuf), Failure> {
    let embedded = match scenario {
        None => Some(&scenarios::ALL[0]),
        // A file takes precedence over a built-in scenario of the same name.
        Some(path) if path.exists() => None,
        Some(path) => path.to_str().and_then(scenarios::find),
    };
    if let Some(scenario) = embedded {
        let name = format!("{} (built in)", scenario.name);
        return Ok((ScenarioFile::parse(scenario.text, &name, set)?, PathBuf::new()));
    }
    let path = scenario.unwrap_or(Path::new("."));
    let document = ScenarioFile::read(path, set).map_err(|error| {
        if path.exists() {
            return error;
        }
        let names = scenarios::ALL.iter().map(|scenario| scenario.name);
        let written = path.to_string_lossy();
        let error = error
            .accepting("the path of a scenario file, or a name that `acrasin list scenarios` prints")
            .suggesting(&written, names);
        // `acrasin check` takes the name of a protocol, so users try it here.
        let shipped = Catalogue::shipped();
        if shipped.protocols().find(&written).is_none() && shipped.lazy_protocols().find(&written).is_none() {
            return error;
        }
        error.hinting(format!(
            "`{written}` is a protocol, which a scenario names as `protocol: Library(name: \"{written}\")`"
        ))
    })?;
    Ok((document, folder_of(path)))
}

/// Resolves a scenario file to a plan, during the set-up that `--max-time` limits.
fn plan(
    file: &ScenarioFile,
    base: &Path,
    catalogue: &Catalogue,
    arguments: &RunArguments,
) -> Result<Arc<dyn Runnable + Send>, Failure> {
    let plan = runnable(file, base, catalogue)?;
    match plan.header().unrecorded.filter(|_| arguments.record.is_some()) {
        Some((why, accepted)) => Err(Failure::usage(why).accepting(accepted)),
        None => Ok(plan),
    }
}

/// Resolves a scenario file to a plan that can be run.
pub(crate) fn runnable(
    file: &ScenarioFile,
    base: &Path,
    catalogue: &Catalogue,
) -> Result<Arc<dyn Runnable + Send>, Failure> {
    Ok(file.plan(catalogue, base, memory::bytes())?)
}

/// A description of the scenario's set-up for messages: the object that is built, and the field of the scenario that
/// describes it.
pub(crate) fn made_for(file: &ScenarioFile) -> String {
    let (what, name, place) = match file {
        ScenarioFile::Population(document) => {
            ("the graph or trace", document.file(), document.locate("topology"))
        }
        ScenarioFile::Amoebots(document) => {
            ("the start of the amoebots", document.file(), document.locate("amoebots"))
        }
        ScenarioFile::Reactions(document) => ("the network", document.file(), document.locate("reactions")),
    };
    let place = place.map_or_else(String::new, |place| format!(":{}:{}", place.line(), place.column()));
    format!("{what} of {name}{place}")
}

/// The folder of a file; empty for the current folder, so that messages name files as the user did.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// The existing files that a run of a scenario reads. A built-in scenario itself has no file.
pub(crate) fn inputs(
    scenario: Option<&Path>,
    files: Vec<(&'static str, String)>,
    base: &Path,
) -> Vec<PathBuf> {
    let data = files.into_iter().map(|(_, path)| base.join(path));
    data.chain(scenario.map(Path::to_owned)).filter_map(|path| std::fs::canonicalize(path).ok()).collect()
}

/// Refuses an output that would replace an input of the run.
pub(crate) fn refuse_to_replace_input(
    flag: &str,
    output: Option<&Path>,
    inputs: &[PathBuf],
) -> Result<(), Failure> {
    let Some(output) = output.and_then(|path| std::fs::canonicalize(path).ok()) else { return Ok(()) };
    if inputs.contains(&output) {
        let message = format!("{flag} {} would replace a file that this run reads", output.display());
        return Err(Failure::usage(message).accepting("another file"));
    }
    Ok(())
}

/// Refuses an output folder in which a result would replace an input.
fn refuse_to_replace_in_folder(folder: Option<&Path>, inputs: &[PathBuf]) -> Result<(), Failure> {
    let Some(folder) = folder.and_then(|path| std::fs::canonicalize(path).ok()) else { return Ok(()) };
    let replaced = inputs
        .iter()
        .find(|input| input.parent() == Some(&folder) && input.file_name().is_some_and(folder::is_result));
    replaced.map_or(Ok(()), |input| {
        let message = format!("--output would replace {}, which this run reads", input.display());
        Err(Failure::usage(message).accepting("another folder, or another name for that file"))
    })
}

/// The number of threads for repetitions, or for a single run. Concurrent repetitions must fit into memory together, so
/// the number is reduced unless the user sets it.
fn threads(arguments: &RunArguments, plan: &dyn Runnable, verbosity: Verbosity) -> Result<u16, Failure> {
    // Several repetitions that do not fit are refused below.
    let needed = if arguments.reps == 1 { u64::try_from(plan.header().bytes).unwrap_or(u64::MAX) } else { 0 };
    let wanted = memory::threads(arguments.threads, needed, verbosity);
    let at_once = u16::try_from(arguments.reps).map_or(wanted, |repetitions| wanted.min(repetitions));
    // The plan has checked that one repetition fits.
    let fitting = memory::runs_at_once(plan.header().bytes);
    if at_once <= fitting {
        return Ok(if plan.header().uses_threads { wanted } else { at_once });
    }
    let each = readable(plan.header().bytes);
    if arguments.threads.is_some() {
        let most = readable(memory::bytes().into());
        let message = format!("{at_once} repetitions at a time need about {each} of memory each");
        return Err(Failure::usage(message).accepting(format!(
            "--threads {fitting}, so that the runs fit into {most} of memory; or fewer --reps"
        )));
    }
    verbosity.say(format_args!(
        "note: {} at a time: each needs up to about {each} of memory",
        counted(fitting, "repetition")
    ));
    Ok(fitting)
}

/// Prints the resolved parameters of a plan, on standard error in verbose mode.
pub(crate) fn explain(plan: &dyn Runnable, verbosity: Verbosity) {
    verbosity.explain(visible(plan.header().title.as_str()));
    let parameters = plan.header().parameters.clone();
    let width = parameters.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in parameters {
        verbosity.explain(format_args!("  {name:width$}  {value}"));
    }
    if let Some(table) = plan.header().protocol_table.clone() {
        verbosity.explain(table.trim_end());
    }
    say_notes(plan.header().notes.as_slice(), verbosity);
}

/// Prints notes for the user, on standard error.
pub(crate) fn say_notes(notes: &[String], verbosity: Verbosity) {
    for note in notes {
        verbosity.say(format_args!("note: {note}"));
    }
}

/// The last configurations of failed repetitions, as text.
fn configurations((records, done): &Results) -> String {
    let failed =
        records.iter().zip(done).filter_map(|(record, done)| Some((record, done.configuration.as_ref()?)));
    let failed: Vec<(&RunRecord, &String)> = failed.collect();
    let mut text = String::new();
    for (record, configuration) in failed.iter().take(CONFIGURATIONS_SHOWN) {
        let of = match records[..] {
            [_] => String::new(),
            _ => {
                let (number, seed) = (record.repetition(), record.manifest().seed);
                format!(" of repetition {number}, seed {seed} ({})", record.outcome().reason)
            }
        };
        text += &format!("\nConfiguration at the end{of}\n{}\n", configuration.trim_end());
    }
    if failed.len() > CONFIGURATIONS_SHOWN {
        let hidden = failed.len() - CONFIGURATIONS_SHOWN;
        text +=
            &format!("\nand those of {}; --output writes all of them\n", counted(hidden, "more repetition"));
    }
    text
}

/// The scenario as it was run: with its seed and with absolute paths, so that the file can be moved.
fn effective(file: &ScenarioFile, base: &Path, seed: u64) -> Result<String, Failure> {
    let mut sets = vec![("seed".to_owned(), seed.to_string())];
    for (place, path) in file.files() {
        if let Ok(path) = std::fs::canonicalize(base.join(path))
            && let Some(path) = path.to_str()
        {
            sets.push((place.to_owned(), format!("{path:?}")));
        }
    }
    Ok(file.text_with(&sets)?)
}
