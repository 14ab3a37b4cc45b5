//! `acrasin replay`: repeats a recorded run and compares its end.

use acrasin_catalogue::counted;
use acrasin_report::escape::visible;
use acrasin_report::record::{Ending, Exit, render_records};
use acrasin_report::table::Format;
use acrasin_report::value::TextStyle;
use acrasin_scenario::film::{Seen, SnapshotCollector};
use acrasin_scenario::plan::UniformPlan;
use acrasin_scenario::{AmoebotPlan, Catalogue, Finished, Plan, ScenarioFile};
use acrasin_verify::replay::{ReplayEnd, ReplayFile, open};

use crate::arguments::ReplayArguments;
use crate::batch::with_configuration;
use crate::machine::{self, Stopwatch};
use crate::output::{self, Verbosity};
use crate::progress::ProgressLine;
use crate::run::explain;
use crate::shown_input::{InputPath, ShownInput, is_another_run, is_interrupted, say_changed_files};
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, memory, setup};

/// Replays the steps of a file. If the recorded run failed and is reproduced, the command fails as well.
pub(crate) fn replay(
    arguments: &ReplayArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    if let Some(step) = arguments.at {
        return at(arguments, step, catalogue, verbosity);
    }
    let stopwatch = Stopwatch::start();
    let path = &arguments.file;
    let name = path.display().to_string();
    let reader = open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
    let file = ReplayFile::open(&name, reader)?;
    let header = file.header();
    if let Some(note) = &header.note {
        verbosity.say(format_args!("note: {}", visible(note)));
    }
    let inside = format!("the scenario in {name}");
    let scenario = ScenarioFile::parse(&header.scenario, &inside, &arguments.set)?;
    let base = arguments.base.clone().unwrap_or_else(|| scenario.base_of_recording(path, header));
    say_changed_files(&header.files, &scenario, &base, verbosity);
    let supervisor = Supervisor::new(arguments.max_time, ProgressLine::new(1, verbosity));
    setup::begin(format!("the graph or trace of {inside}"), arguments.max_time);
    let finished = match scenario {
        ScenarioFile::Population(document) if UniformPlan::is_meant(catalogue, &document) => {
            let plan = UniformPlan::within(catalogue, &document, &base, memory::bytes())?;
            explain(&plan, verbosity);
            interrupt::a_run_begins();
            plan.replay(file, &supervisor)
        }
        ScenarioFile::Population(document) => {
            let plan = Plan::within(catalogue, &document, &base, memory::bytes())?;
            explain(&plan, verbosity);
            interrupt::a_run_begins();
            plan.replay(file, &supervisor)
        }
        ScenarioFile::Amoebots(document) => {
            let plan = AmoebotPlan::of_recording(catalogue, (&document, header), &base, memory::bytes())?;
            explain(&plan, verbosity);
            interrupt::a_run_begins();
            plan.replay(file, &supervisor)
        }
        ScenarioFile::Reactions(document) => {
            return Err(document
                .error("reactions", "reactions have no steps of nodes that could be recorded")
                .accepting("acrasin run: the same seed repeats the run")
                .into());
        }
    };
    supervisor.progress().finish();
    let (mut finished, end) = finished?;
    finished.fill_manifest(machine::complete);
    let Finished { mut record, report_configuration: configuration, .. } = finished;
    if let Some(end) = &end
        && configuration.is_some()
        && record.ending().exit() == Exit::Done
    {
        record.set_ending(failure_of(end));
    }
    if let Some(end) = end.as_ref().filter(|_| !is_another_run(record.ending())) {
        verbosity.say(format_args!("reproduced: {}, digest {}", counted(end.steps, "step"), end.digest));
    }
    let mut record = with_configuration(record, configuration.as_deref());
    let machine = stopwatch.machine(1, None);
    let format = arguments.format.0;
    let is_full = format == Format::Table || verbosity == Verbosity::Verbose;
    if is_full {
        machine.sign(record.manifest_mut());
    }
    let exit = record.outcome().exit;
    let mut text = render_records(&[record], format, TextStyle::default());
    match (format, configuration) {
        (Format::Table, Some(configuration)) => {
            text += &format!("\nConfiguration at the end\n{}\n", configuration.trim_end());
        }
        (Format::Table, None) => {}
        _ => verbosity.say(&machine),
    }
    output::print(&text)?;
    Ok(exit)
}

/// Prints the configuration after the number of steps in `--at`.
fn at(
    arguments: &ReplayArguments,
    step: u64,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    if arguments.format.0 == Format::Csv {
        return Err(Failure::usage("a configuration cannot be written as CSV")
            .accepting("--format table or --format jsonl"));
    }
    let ReplayArguments { file, set, base, .. } = arguments;
    let max_time = arguments.max_time;
    let named = InputPath { path: file, set, base: base.as_deref(), seed: None, max_time };
    let subject = ShownInput::read(&named, catalogue, verbosity)?;
    let (still, record, _) = subject.show(SnapshotCollector::new([step]), max_time, verbosity)?;
    if let Some(exit) = is_interrupted() {
        return Ok(exit);
    }
    let seen = still.seen().map_err(|last| {
        if matches!(record.ending(), Ending::OutOfTime(_)) {
            let what =
                format_args!("--at {step}: the time (--max-time) ran out after {}", counted(last, "step"));
            return Failure::out_of_time(what);
        }
        Failure::usage(format_args!(
            "--at {step}: there is no such step; the run has {}",
            counted(last, "step")
        ))
        .accepting(format_args!("a number from 0 to {last}"))
    })?;
    for Seen { head, moment, configuration } in seen {
        if head.nodes == 0 {
            return Err(Failure::usage("--at: the run has only counts, no nodes")
                .accepting("a run with distinct nodes; `acrasin view` shows counts"));
        }
        output::print(&match arguments.format.0 {
            Format::Jsonl => configuration.to_json_line(&head, moment),
            _ => configuration.to_text(&head, moment),
        })?;
    }
    Ok(Exit::Done)
}

/// The recorded ending of a failed run.
fn failure_of(end: &ReplayEnd) -> Ending {
    match &end.violation {
        None => end.recorded_ending().filter(Ending::is_at_rest).unwrap_or(Ending::Deadlock),
        Some(violation) if end.outcome.contains(violation.as_str()) => Ending::Violated(end.outcome.clone()),
        Some(violation) => Ending::Violated(format!("{}: {violation}", end.outcome)),
    }
}
