//! `acrasin view`: writes a page that plays a run, or pictures of it.

use acrasin_catalogue::counted;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use acrasin_output::{OutputFile, stale_files};
use acrasin_report::film::{ColumnColours, Film};
use acrasin_report::record::Exit;
use acrasin_scenario::Catalogue;
use acrasin_scenario::film::{Seen, SnapshotCollector, TraceRecorder, facts};
use clap::Args;

use crate::arguments::{seed, setting, whole};
use crate::destination::OutputFolder;
use crate::output::Verbosity;
use crate::run::refuse_to_replace_input;
use crate::shown_input::{InputPath, ShownInput, is_interrupted};
use crate::{Failure, pictures};

/// The maximum number of frames of a film, unless the user sets the interval.
const FRAMES_MAX: u64 = 1_000_001;

/// The maximum number of bytes of the chunks of such a film. The page is a little larger.
const BYTES_MAX: usize = 19_000_000;

/// The arguments of `acrasin view`.
#[derive(Args, Debug)]
pub(crate) struct ViewArguments {
    /// A scenario file or built-in scenario; a file written by `--record`; or a folder written by `acrasin run -o`.
    #[arg(value_name = "SCENARIO|RECORDING|FOLDER", required_unless_present = "playground")]
    input: Option<PathBuf>,
    /// Write a page with the simulator, in which scenarios can be edited and run without a network. Default name:
    /// playground.html.
    #[arg(long)]
    playground: bool,
    /// The page to write: one HTML file that needs no network. Default: the name of the input with `.html`.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    /// Open the page in a browser.
    #[arg(long)]
    open: bool,
    /// Show only every K-th step. By default, runs of more than a million steps and pages above 20 MB show every second
    /// step, or every fourth, and so on if necessary. The page says so.
    #[arg(long, value_name = "K", value_parser = every)]
    every: Option<u64>,
    /// Instead of a page, write pictures of the configurations after these steps to the folder of `-o`, as SVG with
    /// legend, title and step. No browser is needed.
    #[arg(long, value_name = "STEPS", value_delimiter = ',', value_parser = moment, requires = "output", conflicts_with_all = ["every", "open"])]
    frames: Option<Vec<u64>>,
    /// The column that determines the colours of `--frames`: its key, as `acrasin replay --at` prints it, such as
    /// `lock` or `memory.phase`. Default: the state.
    #[arg(long, value_name = "KEY", requires = "frames")]
    colour: Option<String>,
    /// The seed of all draws, instead of the scenario's.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    seed: Option<u64>,
    /// Replace one value of the scenario: `--set topology.rows=10`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// The folder against which relative paths in the scenario are resolved. Default: the folder of the scenario file.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
}

fn every(text: &str) -> Result<u64, String> {
    whole(text, 1, 1 << 53)
}

fn moment(text: &str) -> Result<u64, String> {
    whole(text, 0, 1 << 53)
}

/// Writes pictures of frames to a folder.
fn frames(
    arguments: &ViewArguments,
    moments: &[u64],
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let target = arguments.output.clone().expect("it is required");
    stale_files::clear_beside(&target);
    let output = OutputFolder::new(&target, arguments.force, |_| false)?;
    let Some(input) = &arguments.input else {
        return Err(Failure::usage("--frames is given without a run")
            .accepting("a scenario, a recording or a folder"));
    };
    let named = named(arguments, input);
    let subject = ShownInput::read(&named, catalogue, verbosity)?;
    let (stills, ..) = subject.show(SnapshotCollector::new(moments.iter().copied()), None, verbosity)?;
    if let Some(exit) = is_interrupted() {
        return Ok(exit);
    }
    let seen = stills.seen().map_err(|last| {
        Failure::usage(format_args!("--frames: the run ends after {}", counted(last, "step")))
            .accepting(format_args!("numbers from 0 to {last}"))
    })?;
    let svgs = drawn(arguments, &subject, &seen)?;
    let width = moments.iter().max().map_or(1, |last| last.to_string().len());
    let names: Vec<String> = seen.iter().map(|seen| format!("frame-{:0width$}.svg", seen.moment)).collect();
    for name in &names {
        refuse_to_replace_input("--output", Some(&target.join(name)), subject.inputs())?;
    }
    let failed = |error: std::io::Error| {
        Failure::of_machine(format_args!("{} cannot be written: {error}", target.display()))
    };
    for (name, svg) in names.iter().zip(svgs) {
        fs::write(output.path().join(name), svg).map_err(failed)?;
    }
    output.publish().map_err(failed)?;
    Ok(Exit::Done)
}

/// The pictures of the collected frames.
fn drawn(arguments: &ViewArguments, subject: &ShownInput, seen: &[Seen]) -> Result<Vec<String>, Failure> {
    let Some(Seen { head, .. }) = seen.first() else { return Ok(Vec::new()) };
    if head.nodes == 0 {
        return Err(Failure::usage("no picture: the run has only counts, no nodes")
            .accepting("no --frames: the page draws the counts, as `acrasin run -o` does"));
    }
    let key = arguments.colour.as_deref();
    let colouring = ColumnColours::new(head, key, seen.iter().map(|seen| &seen.configuration));
    let colouring = colouring.map_err(|keys| {
        Failure::usage(format_args!(
            "--colour: there is no column `{}`",
            key.unwrap_or_default().escape_debug()
        ))
        .accepting(keys)
    })?;
    pictures::svgs(seen, subject.title(), &colouring)
        .map_err(|reason| Failure::usage(format_args!("no picture: {reason}")))
}

fn named<'a>(arguments: &'a ViewArguments, input: &'a Path) -> InputPath<'a> {
    InputPath {
        path: input,
        set: &arguments.set,
        base: arguments.base.as_deref(),
        seed: arguments.seed,
        max_time: None,
    }
}

/// Executes `acrasin view`: writes the page of a run, or pictures of frames.
pub(crate) fn view(
    arguments: &ViewArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    if let Some(moments) = &arguments.frames {
        return frames(arguments, moments, catalogue, verbosity);
    }
    let target = arguments.output.clone().unwrap_or_else(|| match &arguments.input {
        Some(input) => beside(input),
        None => PathBuf::from("playground.html"),
    });
    refuse_to_replace(&target, arguments)?;
    let output = OutputFile::new(&target, arguments.force)?;
    let Some(input) = &arguments.input else {
        return written(output, &acrasin_view::playground(None), "it runs scenarios", arguments, verbosity);
    };
    let named = named(arguments, input);
    let subject = ShownInput::read(&named, catalogue, verbosity)?;
    refuse_to_replace_input("--output", Some(&target), subject.inputs())?;
    let Some(film) = film(&subject, arguments.every, verbosity)? else { return Ok(Exit::Interrupted) };
    let page =
        if arguments.playground { acrasin_view::playground(Some(&film)) } else { acrasin_view::page(&film) };
    let what =
        format!("{}, {}", counted(film.head.steps, &film.head.time), counted(film.head.frames, "frame"));
    written(output, &page, &what, arguments, verbosity)
}

/// Writes a page, completely or not at all.
fn written(
    output: OutputFile,
    page: &str,
    what: &str,
    arguments: &ViewArguments,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    if let Some(exit) = is_interrupted() {
        return Ok(exit);
    }
    let target = &output.target().to_owned();
    output.write(page.as_bytes())?;
    verbosity.say(format_args!("{}: {what}, {} bytes", target.display(), page.len()));
    if arguments.open {
        open_page(target, verbosity);
    }
    Ok(Exit::Done)
}

/// Records the film of a run, and drops frames if necessary. `None` if the user interrupted the run.
fn film(subject: &ShownInput, every: Option<u64>, verbosity: Verbosity) -> Result<Option<Film>, Failure> {
    let camera = every.map_or_else(|| TraceRecorder::within(FRAMES_MAX, BYTES_MAX), TraceRecorder::every);
    let (camera, record, end) = subject.show(camera, None, verbosity)?;
    if is_interrupted().is_some() {
        return Ok(None);
    }
    let mut film = camera.develop().ok_or_else(|| Failure::usage("no film: the run has no frames"))?;
    subject.title().clone_into(&mut film.head.title);
    film.head.facts = facts(&record, subject.seed(), end);
    Ok(Some(film))
}

/// The default path of the page: `runs/ring.html` for `runs/ring.ron`.
fn beside(input: &Path) -> PathBuf {
    let input = if input.extension().is_some_and(|extension| extension == "gz") {
        input.with_extension("")
    } else {
        input.to_owned()
    };
    input.with_extension("html")
}

/// Refuses to write a page that would replace one of its inputs.
fn refuse_to_replace(target: &Path, arguments: &ViewArguments) -> Result<(), Failure> {
    let is_input = || {
        let place = |path: &Path| fs::canonicalize(path).ok();
        arguments
            .input
            .as_deref()
            .is_some_and(|input| place(target).is_some() && place(target) == place(input))
    };
    if is_input() {
        return Err(Failure::usage(format_args!("{} would replace an input of this run", target.display()))
            .accepting("another file"));
    }
    Ok(())
}

/// Opens a page in the system's browser. An error is only a note, since the page exists.
fn open_page(page: &Path, verbosity: Verbosity) {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    if let Err(error) = Command::new(program).args(first).arg(page).spawn() {
        verbosity
            .say(format_args!("note: {program} cannot be started: {error}; open {} by hand", page.display()));
    }
}
