//! `acrasin check` for amoebots: every schedule that the execution allows.

use acrasin_catalogue::counted;
use std::path::{Path, PathBuf};

use acrasin_amoebot::start::{Drawing, DrawnAmoebot, Mark};
use acrasin_amoebot::{Body, Cell};
use acrasin_report::escape::visible;
use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::amoebot::algorithm;
use acrasin_scenario::amoebot::scenario::AmoebotStart;
use acrasin_scenario::amoebot::{
    Allowance, CheckFindings, CheckTruncation, Findings, FoundViolation, RunMoment, RunToViolation,
    TruncationReason,
};
use acrasin_scenario::{AmoebotDocument, AmoebotPlan, Catalogue, Proceed, RunControl as _, Runnable as _};

use super::CheckArguments;
use super::saved::{SavedAmoebotCheck, SavedCheck};
use crate::output::{self, Verbosity};
use crate::progress::ProgressLine;
use crate::recording::Recording;
use crate::run::explain;
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, machine};

/// The maximum number of cells of a state in text output.
const CELLS_SHOWN: usize = 20;

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
    let recording = record.map(Recording::new).transpose()?;
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
    let kept = keeper.end(checked.found.is_err(), verbosity);
    let way = run_to_violation(&checked);
    match (recording, way) {
        (Some(mut recording), Some(way)) if way.is_retraced() => {
            plan.record_violation(seed, way, recording.sink()).map_err(Failure::of_machine)?;
            recording.publish(true, verbosity)?;
            verbosity.say(format_args!("the recorded run leads to {}", way.to));
        }
        (Some(_), Some(_)) => {
            verbosity.say("the check was stopped before the run could be followed again: it is not recorded");
        }
        (Some(_), None) => verbosity.say("no violation was found: no run is recorded"),
        (None, Some(_)) if plan.explores_coins() => {}
        (None, Some(_)) => verbosity.say("--record FILE keeps this run for acrasin replay and acrasin view"),
        (None, None) => {}
    }
    let drawn_from = plan.draws().then_some(seed);
    let drawn = if plan.draws() {
        "\nthe start is drawn from the seed: another seed gives another start\n"
    } else {
        ""
    };
    output::print(&match arguments.format.0 {
        Format::Table => {
            format!(
                "{}\n\n{}{drawn}",
                visible(plan.header().title.as_str()),
                lines(&checked, (seed, drawn_from))
            )
        }
        format => table(&checked, drawn_from).render(format, TextStyle::PLAIN),
    })?;
    kept?;
    Ok(exit(&checked))
}

/// The files that the scenario names, relative to its folder.
fn files_of(document: &AmoebotDocument) -> Vec<PathBuf> {
    let start = match &document.scenario().amoebots.start {
        AmoebotStart::Drawing { path } | AmoebotStart::Recorded { path, .. } => Some(path.clone()),
        _ => None,
    };
    algorithm::path_of(document).map(PathBuf::from).into_iter().chain(start).collect()
}

/// The run to the first violation, if one was found. Incomplete checks can have one too.
fn run_to_violation(checked: &CheckFindings) -> Option<&RunToViolation> {
    match &checked.found {
        Ok(found) => found.way.as_ref(),
        Err(_) => checked.violation.as_ref().map(|violation| &violation.way),
    }
}

/// The exit status. A violation counts even if the check is incomplete.
fn exit(checked: &CheckFindings) -> Exit {
    match &checked.found {
        Ok(found) if found.is_right() => Exit::Done,
        Ok(_) => Exit::Failed,
        Err(_) if checked.violation.is_some() => Exit::Failed,
        Err(truncated) if is_interrupted(truncated) => Exit::Interrupted,
        Err(_) => Exit::BudgetExhausted,
    }
}

/// Whether the user stopped the check, and not its time limit.
fn is_interrupted(truncated: &CheckTruncation) -> bool {
    truncated.why == TruncationReason::Interrupted && interrupt::is_asked_to_stop()
}

/// A row of the report: label in text output, key in JSON and CSV, value.
type ReportRow = (&'static str, &'static str, Value);

/// The rows of the report. `seed` is the seed from which the start was drawn; `None` for a fixed start.
fn rows(checked: &CheckFindings, seed: Option<u64>) -> Vec<ReportRow> {
    let mut rows: Vec<ReportRow> = seed.map(|seed| ("seed", "seed", seed.into())).into_iter().collect();
    rows.push(("starts", "starts", checked.starts.into()));
    rows.push(("starts that the algorithm rejects", "refused", checked.refused.into()));
    let found = match &checked.found {
        Ok(found) => found,
        Err(truncated) => {
            let met = truncated.states.map_or(Value::Missing, Value::Integer);
            rows.push(("states found until then", "states_met", met));
            return rows;
        }
    };
    let mut row = |label, key, value: Value| rows.push((label, key, value));
    row("reachable states", "states", found.states.into());
    for figure in &found.figures {
        row(figure.label, figure.key, figure.value.clone());
    }
    row("disconnected states", "disconnected", found.disconnected.into());
    row("states that must not occur", "faults", found.faults.into());
    row("final shapes", "final_shapes", found.final_shapes.into());
    rows
}

fn verdict(checked: &CheckFindings) -> &'static str {
    match exit(checked) {
        Exit::Done => "holds",
        Exit::Failed => "fails",
        Exit::BudgetExhausted => "truncated",
        Exit::Interrupted => "interrupted",
    }
}

fn lines(checked: &CheckFindings, (of_check, seed): (u64, Option<u64>)) -> String {
    let rows = rows(checked, seed);
    let width = rows.iter().map(|(label, ..)| label.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (label, key, value) in rows {
        // People copy seeds, so they have no digit groups.
        let style = if key == "seed" { TextStyle::PLAIN } else { TextStyle::default() };
        text += &format!("{label:width$}  {}\n", value.to_text(style));
    }
    text += &match &checked.found {
        Ok(found) if found.is_right() => format!("{}\nholds: {}\n", pictures(found), found.claim),
        Ok(found) => {
            let way = found.way.as_ref().map(|found| way(found, of_check)).unwrap_or_default();
            format!("{}\nfails\n{way}", pictures(found))
        }
        Err(truncated) if is_interrupted(truncated) => format!("\n{truncated}\n"),
        Err(truncated) => format!("\ntruncated: {}{}\n", words(truncated), more(truncated.why)),
    };
    if let Some(FoundViolation { what, cells, way: run, .. }) = &checked.violation {
        text += &format!("fails: found {what}\n  on {}\n{}", shown(cells), way(run, of_check));
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
        _ => "",
    }
}

/// The first final shapes as small drawings.
fn pictures(found: &Findings) -> String {
    let mut text = String::new();
    for (number, cells) in (1..).zip(&found.first_final_shapes) {
        text += &format!("\nfinal shape {number} of {}\n{}", found.final_shapes, picture(cells));
    }
    match found.final_shapes - found.first_final_shapes.len() as u64 {
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

/// The first cells, and the number of omitted cells.
fn shown(cells: &[Cell]) -> String {
    let mut shown: Vec<String> = cells.iter().take(CELLS_SHOWN).map(ToString::to_string).collect();
    if cells.len() > CELLS_SHOWN {
        shown.push(format!("and {} more", cells.len() - CELLS_SHOWN));
    }
    shown.join(" ")
}

/// The run to a violation: every step, with the amoebots that it changes, in the coordinates of the start.
fn way(way: &RunToViolation, seed: u64) -> String {
    let a = if way.is_shortest { "a shortest way" } else { "a way" };
    let mut text = format!("{a} to {}, {}:\n", way.to, counted(way.steps.len(), "step"));
    text += &format!("  start on {}\n", shown(&way.start));
    text += &format!("  start {} of the check, seed {seed}\n", way.route.start);
    if !way.is_retraced() {
        // The check was stopped before the states were known.
        way.steps.iter().for_each(|step| text += &format!("  {step}\n"));
    }
    for RunMoment { what, amoebots, .. } in &way.moments {
        if !what.is_empty() {
            text += &format!("  {what}\n");
        }
        for amoebot in amoebots.iter().take(CELLS_SHOWN) {
            text += &format!("    {amoebot}\n");
        }
        if amoebots.len() > CELLS_SHOWN {
            text += &format!("    and {} more\n", amoebots.len() - CELLS_SHOWN);
        }
    }
    text + &format!("  end on {}\n", shown(&way.end))
}

fn table(checked: &CheckFindings, seed: Option<u64>) -> ResultTable {
    let mut rows = rows(checked, seed);
    let extent = match &checked.found {
        Ok(found) => {
            rows.push(("cells of the first final shapes", "first_final_shapes", listed(found).into()));
            let what = found.way.as_ref().map(|way| way.to.as_str());
            rows.push(("what is wrong", "violation", what.into()));
            [Some(found.states), Some(found.moves), Some(found.depth)]
        }
        Err(truncated) => {
            let violation = checked.violation.as_ref().map(|violation| violation.what.as_str());
            rows.push(("what is wrong in one of the states", "violation", violation.into()));
            [truncated.states, None, None]
        }
    };
    let steps = |way: &RunToViolation| {
        way.moments.iter().skip(1).map(|moment| moment.what.as_str()).collect::<Vec<_>>().join("; ")
    };
    rows.push(("the run to it", "way", run_to_violation(checked).map(steps).into()));
    // Keys shared by all checks.
    for (key, value) in ["configurations", "moves", "depth"].into_iter().zip(extent) {
        rows.push((key, key, value.into()));
    }
    let columns = rows.iter().map(|(label, key, _)| Column::new(*label).with_key(*key));
    let mut table = ResultTable::new(columns.chain([Column::new("result")]));
    let verdict = Value::from(verdict(checked));
    table.push(rows.into_iter().map(|(_, _, value)| value).chain([verdict]).collect::<Vec<_>>());
    table
}

/// The cells of the first final shapes: `(0, 0) (1, 0); (0, 0) (0, 1)`.
fn listed(found: &Findings) -> String {
    let shape = |cells: &Vec<Cell>| cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    found.first_final_shapes.iter().map(shape).collect::<Vec<_>>().join("; ")
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
