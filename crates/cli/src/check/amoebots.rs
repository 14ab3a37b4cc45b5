//! `acrasin check` for amoebots: every schedule that the execution allows.

use acrasin_catalogue::counted;
use std::path::{Path, PathBuf};

use acrasin_amoebot::start::{Drawing, DrawnAmoebot, Mark};
use acrasin_amoebot::{Body, Cell};
use acrasin_report::escape::visible;
use acrasin_report::record::Exit;
use acrasin_report::table::{Column, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::amoebot::algorithm;
use acrasin_scenario::amoebot::scenario::AmoebotStart;
use acrasin_scenario::amoebot::{Allowance, RunToViolation};
use acrasin_scenario::check::{CheckReport, CheckTruncation, FinalShapes, TruncationReason};
use acrasin_scenario::{AmoebotDocument, AmoebotPlan, Catalogue, Proceed, RunControl as _, Runnable as _};

use super::CheckArguments;
use super::conclusion::{self, conclude};
use super::saved::{SavedAmoebotCheck, SavedCheck};
use crate::output::Verbosity;
use crate::progress::ProgressLine;
use crate::recording::Recording;
use crate::run::explain;
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, machine};

type AmoebotReport = CheckReport<RunToViolation>;

/// The maximum size of a shape in text output: lines, and characters per line.
const PICTURE: (usize, usize) = (24, 76);

pub(super) fn check(
    arguments: &CheckArguments,
    document: &AmoebotDocument,
    base: &Path,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    if let Some(flag) = arguments.locks.given_but_record() {
        return Err(Failure::usage(format_args!(
            "{flag} applies to the lock layer, but this is a scenario of amoebots"
        ))
        .accepting("omit this flag: every schedule is followed"));
    }
    let plan = AmoebotPlan::for_check_with(catalogue, document, base)?;
    let record = arguments.locks.record.as_deref();
    if plan.explores_coins() {
        let flags = [
            ("--record", record.is_some()),
            ("--checkpoint", arguments.checkpoint.is_some()),
            ("--resume", arguments.resume.is_some()),
        ];
        if let Some((flag, _)) = flags.into_iter().find(|(_, is_given)| *is_given) {
            let message = format!("{flag} does not apply: here all outcomes of coins are followed");
            return Err(Failure::usage(message).accepting("no such flag"));
        }
    }
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    let inputs = files_of(document).into_iter().map(|file| base.join(file)).chain([arguments.file.clone()]);
    if let Some(record) = record.and_then(place)
        && inputs.into_iter().any(|input| place(&input).as_ref() == Some(&record))
    {
        let message = format!("--record {} would replace a file that this check reads", record.display());
        return Err(Failure::usage(message).accepting("another file"));
    }
    let recording = record.map(|path| Recording::new(path, arguments.max_time)).transpose()?;
    interrupt::a_run_begins();
    explain(&plan, verbosity);
    let is_saved = arguments.checkpoint.is_some() || arguments.resume.is_some();
    if is_saved && plan.draws() && plan.header().seed.is_none() {
        return Err(Failure::usage("the start is drawn from the seed, but the scenario has no seed")
            .accepting("--set seed=NUMBER, with the same number when the check continues"));
    }
    let seed = plan.header().seed.unwrap_or_else(|| {
        let seed = machine::drawn_seed();
        if plan.draws() {
            verbosity.say(format_args!("seed {seed} (drawn; --set seed={seed} gives the same check again)"));
        }
        seed
    });
    let supervisor = Supervisor::new(arguments.max_time, ProgressLine::new(1, verbosity));
    let digest = document.digest_with(&document.data_files(base)).to_string();
    let input = if plan.draws() { format!("{digest}\n{seed}") } else { digest };
    let shown = (&|_: &_| {}, &|_: &_| {});
    let control =
        SavedCheck::new(arguments, (&input, String::new()), &supervisor, (shown.0, shown.1), verbosity)?;
    let keeper = SavedAmoebotCheck::new(control);
    let is_stopped = || supervisor.verdict() != Proceed::Continue || keeper.has_failed();
    let (bytes_max, threads) = arguments.explorers(verbosity)?;
    let is_over = || !supervisor.has_time();
    let allowance = Allowance { bytes_max, is_stopped: &is_stopped, is_over: &is_over, keeper: &keeper };
    let checked = threads.install(|| plan.check(seed, &allowance))?;
    let kept = keeper.end(checked.truncated.is_some(), verbosity);
    let drawn_from = plan.draws().then_some(seed);
    let drawn = if plan.draws() {
        "\nthe start is drawn from the seed: another seed gives another start\n"
    } else {
        ""
    };
    let title = visible(plan.header().title.as_str());
    conclude(
        (arguments, verbosity),
        &checked,
        (recording, kept),
        |runs| format!("{title}\n\n{}{runs}{drawn}", lines(&checked, drawn_from)),
        |_| table(&checked, drawn_from),
    )
}

/// The files that the scenario names, relative to its folder.
fn files_of(document: &AmoebotDocument) -> Vec<PathBuf> {
    let start = match &document.scenario().amoebots.start {
        AmoebotStart::Drawing { path } | AmoebotStart::Recorded { path, .. } => Some(path.clone()),
        _ => None,
    };
    algorithm::path_of(document).map(PathBuf::from).into_iter().chain(start).collect()
}

/// Whether the user stopped the check, and not its time limit.
fn is_interrupted(truncated: &CheckTruncation) -> bool {
    truncated.why == TruncationReason::Interrupted && interrupt::is_asked_to_stop()
}

/// A row of the report: label in text output, key in JSON and CSV, value.
type ReportRow = (&'static str, &'static str, Value);

/// The rows of the report. `seed` is the seed from which the start was drawn; `None` for a fixed start.
fn rows(checked: &AmoebotReport, seed: Option<u64>) -> Vec<ReportRow> {
    let seed = seed.map(|seed| ("seed", "seed", seed.into()));
    let figures = checked.figures.iter().map(|figure| (figure.label, figure.key, figure.value.clone()));
    seed.into_iter().chain(figures).collect()
}

fn lines(checked: &AmoebotReport, seed: Option<u64>) -> String {
    let rows = rows(checked, seed);
    let width = rows.iter().map(|(label, ..)| label.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (label, key, value) in rows {
        // People copy seeds, so they have no digit groups.
        let style = if key == "seed" { TextStyle::PLAIN } else { TextStyle::default() };
        text += &format!("{label:width$}  {}\n", value.to_text(style));
    }
    match (&checked.truncated, checked.run()) {
        (None, None) => {
            let claim = checked.findings.first().map_or("", |finding| finding.property);
            text += &format!("{}\nholds: {claim}\n", pictures(&checked.shapes));
        }
        (None, Some(_)) => text += &format!("{}\nfails\n", pictures(&checked.shapes)),
        (Some(truncated), run) => {
            text += &if is_interrupted(truncated) {
                format!("\n{truncated}\n")
            } else {
                format!("\ntruncated: {}{}\n", words(truncated), more(truncated.why))
            };
            if let Some(run) = run {
                text += &format!("fails: found {}\n  on {}\n", run.to, run.found_on());
            }
        }
    }
    text
}

/// The reason why a check is incomplete, as text. An interruption that the user did not request comes from the time
/// limit.
fn words(truncated: &CheckTruncation) -> String {
    match truncated {
        CheckTruncation { why: TruncationReason::Interrupted, states, .. } => {
            format!("time ran out after {}", counted(states.unwrap_or_default(), "state"))
        }
        other => other.to_string(),
    }
}

/// A hint on how to make an incomplete check cover more.
fn more(why: TruncationReason) -> &'static str {
    match why {
        TruncationReason::Starts { .. } | TruncationReason::States { .. } => {
            "; --set limits.states=N allows more"
        }
        TruncationReason::Bytes { .. } => "; --memory SIZE allows more",
        TruncationReason::Interrupted => {
            "; a longer --max-time or fewer amoebots; acrasin run --reps N tries random schedules"
        }
        _ => "",
    }
}

/// The first final shapes as small drawings.
fn pictures(FinalShapes { count, first }: &FinalShapes) -> String {
    let mut text = String::new();
    for (number, cells) in (1..).zip(first) {
        text += &format!("\nfinal shape {number} of {count}\n{}", picture(cells));
    }
    match count - first.len() as u64 {
        0 => text,
        more => format!("{text}\nand {more} more final shapes\n"),
    }
}

/// A shape as a drawing without coordinates, or only its size if it is large.
fn picture(cells: &[Cell]) -> String {
    let amoebots = cells.iter().map(|cell| DrawnAmoebot { body: Body::contracted(*cell), mark: Mark::None });
    let text = Drawing::new(amoebots.collect(), Vec::new()).map(|drawing| drawing.to_string());
    let text = text.unwrap_or_default();
    // The first line is the position of the first row.
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let is_small = lines.len() <= PICTURE.0 && lines.iter().all(|line| line.len() <= PICTURE.1);
    if lines.is_empty() || !is_small {
        return format!("  {}: too large for a picture here\n", counted(cells.len(), "cell"));
    }
    lines.into_iter().map(|line| format!("  {line}\n")).collect()
}

fn table(checked: &AmoebotReport, seed: Option<u64>) -> ResultTable {
    let mut rows = rows(checked, seed);
    let run = checked.run();
    let violation = Value::from(run.map(|run| run.to.as_str()));
    if checked.truncated.is_none() {
        // The cells of the first final shapes: `(0, 0) (1, 0); (0, 0) (0, 1)`.
        let shape = |cells: &Vec<Cell>| cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let shapes = checked.shapes.first.iter().map(shape).collect::<Vec<_>>().join("; ");
        rows.push(("cells of the first final shapes", "first_final_shapes", shapes.into()));
        rows.push(("what is wrong", "violation", violation));
    } else {
        rows.push(("what is wrong in one of the states", "violation", violation));
    }
    let steps = |run: &RunToViolation| {
        run.moments.iter().skip(1).map(|moment| moment.what.as_str()).collect::<Vec<_>>().join("; ")
    };
    rows.push(("the run to it", "way", run.map(steps).into()));
    // Keys shared by all checks.
    let extent = [checked.states, checked.transitions, checked.depth];
    for (key, value) in ["configurations", "moves", "depth"].into_iter().zip(extent) {
        rows.push((key, key, value.into()));
    }
    let verdict = match conclusion::exit(checked) {
        Exit::Done => "holds",
        Exit::Failed => "fails",
        Exit::BudgetExhausted => "truncated",
        Exit::Interrupted => "interrupted",
    };
    rows.push(("result", "result", verdict.into()));
    let columns = rows.iter().map(|(label, key, _)| Column::new(*label).with_key(*key));
    let mut table = ResultTable::new(columns);
    table.push(rows.into_iter().map(|(_, _, value)| value).collect::<Vec<_>>());
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_drawn_if_they_are_small() {
        let cell = |x, y| Cell::new(x, y).unwrap();
        assert_eq!(picture(&[cell(0, 0), cell(1, 0), cell(0, 1)]), "   *\n  * *\n");
        assert_eq!(picture(&[cell(0, 0), cell(0, 1), cell(2, 0)]), "   *\n  * . *\n");
        let row = |n: i32| (0..n).map(|x| cell(x, 0)).collect::<Vec<_>>();
        assert_eq!(picture(&row(38)).trim().len(), 75);
        assert_eq!(picture(&row(39)), "  39 cells: too large for a picture here\n");
        let column = |n: i32| (0..n).map(|y| cell(0, y)).collect::<Vec<_>>();
        assert_eq!(picture(&column(24)).lines().count(), 24);
        assert_eq!(picture(&column(25)), "  25 cells: too large for a picture here\n");
    }
}
