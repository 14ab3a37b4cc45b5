//! `acrasin check` of a scenario of amoebots: every sequential schedule.

use acrasin_amoebot::Cell;
use std::path::Path;

use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, Table};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::amoebot::{Checked, Found, Way};
use acrasin_scenario::{AmoebotDocument, AmoebotPlan};

use super::CheckArguments;
use crate::output::{self, Verbosity};
use crate::run::explain;
use crate::{Failure, machine};

/// Cells of a state that people are shown.
const CELLS_SHOWN: usize = 20;

pub(super) fn check(
    arguments: &CheckArguments,
    document: &AmoebotDocument,
    base: &Path,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let meant = "every schedule of amoebots is followed";
    if let Some(flag) = arguments.locks.given() {
        return Err(Failure::usage(format_args!("{flag} is about the lock layer; here {meant}"))
            .accepting("no such flag"));
    }
    if arguments.max_time.is_some() {
        return Err(Failure::usage(format_args!("--max-time: {meant}, and states are the limit"))
            .accepting("--set limits.states=N"));
    }
    let plan = AmoebotPlan::for_check(document, base)?;
    explain(&plan, verbosity);
    let seed = plan.seed().unwrap_or_else(|| {
        let seed = machine::drawn_seed();
        if plan.draws() {
            verbosity.say(format_args!("seed {seed} (drawn; --set seed={seed} gives the same check again)"));
        }
        seed
    });
    let checked = plan.check(seed)?;
    output::print(&match arguments.format.0 {
        Format::Table => format!("{}\n\n{}", plan.title(), lines(&checked)),
        format => table(&checked).render(format, TextStyle::PLAIN),
    })?;
    Ok(match &checked.found {
        Ok(found) if found.is_right() => Exit::Done,
        Ok(_) => Exit::Failed,
        Err(_) => Exit::BudgetExhausted,
    })
}

/// Label for people, key for programs, value.
type Row = (&'static str, &'static str, Value);

fn rows(checked: &Checked) -> Vec<Row> {
    let mut rows: Vec<Row> = vec![
        ("starts", "starts", checked.starts.into()),
        ("starts that the algorithm refuses", "refused", checked.refused.into()),
    ];
    let found = checked.found.as_ref().ok();
    let mut row = |label, key, value: fn(&Found) -> Option<u64>| {
        rows.push((label, key, found.and_then(value).map_or(Value::Missing, Value::Integer)));
    };
    row("initial systems", "initial", |found| Some(found.initial));
    row("reachable states", "states", |found| Some(found.states));
    row("longest run in actions (-: for ever)", "longest_run", |found| found.longest_run);
    row("shortest run in actions (-: none ends)", "shortest_run", |found| found.shortest_run);
    row("most moves of a run (-: for ever)", "most_moves", |found| found.most_moves);
    row("final states", "finals", |found| Some(found.finals));
    row("final shapes", "final_shapes", |found| Some(found.final_shapes));
    row("stuck states", "stuck", |found| Some(found.stuck));
    row("disconnected states", "disconnected", |found| Some(found.disconnected));
    row("aborted actions", "aborted", |found| Some(found.aborted));
    let cyclic = found.map_or(Value::Missing, |found| found.longest_run.is_none().into());
    rows.push(("some run goes on for ever", "cyclic", cyclic));
    rows
}

fn verdict(checked: &Checked) -> &'static str {
    match &checked.found {
        Ok(found) if found.is_right() => "holds",
        Ok(_) => "fails",
        Err(_) => "truncated",
    }
}

fn lines(checked: &Checked) -> String {
    let rows = rows(checked);
    let width = rows.iter().map(|(label, ..)| label.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (label, _, value) in rows {
        text += &format!("{label:width$}  {}\n", value.to_text(TextStyle::default()));
    }
    text += &match &checked.found {
        Ok(found) if found.is_right() => {
            "\nholds: under every sequential schedule every run ends in the goal\n".to_owned()
        }
        Ok(found) => {
            let way = found.way.as_ref().map(way).unwrap_or_default();
            format!("\nfails\n{way}")
        }
        Err(truncated) => {
            let most = truncated.states_max;
            format!("\ntruncated: more than {most} states are reachable; --set limits.states=N allows more\n")
        }
    };
    text
}

/// The run to what is wrong, a step a line.
fn way(way: &Way) -> String {
    let cells = |cells: &[Cell]| {
        let mut shown: Vec<String> = cells.iter().take(CELLS_SHOWN).map(ToString::to_string).collect();
        if cells.len() > CELLS_SHOWN {
            shown.push(format!("and {} more", cells.len() - CELLS_SHOWN));
        }
        shown.join(" ")
    };
    let mut text = format!("a shortest way to {}, {} actions:\n", way.to, way.steps.len());
    text += &format!("  start on {}\n", cells(&way.start));
    for step in &way.steps {
        text += &format!("  {step}\n");
    }
    text + &format!("  end on {}\n", cells(&way.end))
}

fn table(checked: &Checked) -> Table {
    let rows = rows(checked);
    let columns = rows.iter().map(|(label, key, _)| Column::new(*label).key(*key));
    let mut table = Table::new(columns.chain([Column::new("result")]));
    let verdict = Value::from(verdict(checked));
    table.push(rows.into_iter().map(|(_, _, value)| value).chain([verdict]).collect::<Vec<_>>());
    table
}
