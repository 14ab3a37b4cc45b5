//! `acrasin check` of a scenario of amoebots: every schedule that its execution allows.

use acrasin_amoebot::Cell;
use std::path::Path;

use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, Table};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::amoebot::{Checked, Found, Under, Way};
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
    let drawn = if plan.draws() {
        "\nwhat is drawn at the start is one draw: another seed is another start\n"
    } else {
        ""
    };
    output::print(&match arguments.format.0 {
        Format::Table => format!("{}\n\n{}{drawn}", plan.title(), lines(&checked)),
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
    let Ok(found) = &checked.found else { return rows };
    let mut row = |label, key, value: Value| rows.push((label, key, value));
    let known = |value: Option<u64>| value.map_or(Value::Missing, Value::Integer);
    row("reachable states", "states", found.states.into());
    match found.under {
        Under::Sequential {
            initial,
            told_apart,
            longest_run,
            shortest_run,
            most_moves,
            finals,
            final_shapes,
            stuck,
            hopeless,
            aborted,
            ..
        } => {
            row("initial systems", "initial", initial.into());
            row("states, amoebots told apart, each start alone", "told_apart", known(told_apart));
            row("longest run in actions (-: for ever)", "longest_run", known(longest_run));
            row("shortest run in actions (-: none ends)", "shortest_run", known(shortest_run));
            row("most moves of a run (-: for ever)", "most_moves", known(most_moves));
            row("final states", "finals", finals.into());
            row("final shapes", "final_shapes", final_shapes.into());
            row("stuck states", "stuck", stuck.into());
            row("states from which no run reaches the goal", "hopeless", hopeless.into());
            row("aborted actions", "aborted", aborted.into());
            row("some run goes on for ever", "cyclic", longest_run.is_none().into());
        }
        Under::Concurrent {
            transitions,
            ends,
            wrong_ends,
            hopeless,
            overlapping,
            invalid,
            aborts_with_effect,
            lock_failures,
            expand_failures,
            width,
            ..
        } => {
            row("steps from state to state", "transitions", transitions.into());
            row("systems in which a run ends", "ends", ends.into());
            row("those without the goal", "wrong_ends", wrong_ends.into());
            row("states from which no run ends", "hopeless", hopeless.into());
            row("states with lock sets that overlap", "overlapping", overlapping.into());
            row("actions aborted against the rules", "invalid", invalid.into());
            row("aborts with an effect", "aborts_with_effect", aborts_with_effect.into());
            row("failures of Lock", "lock_failures", lock_failures.into());
            row("failed expansions", "expand_failures", expand_failures.into());
            row("most inside an action at once", "width", width.into());
        }
        Under::Rounds { wrong_starts, ends, wrong_ends, hopeless, failures, .. } => {
            row("starts from which a run goes wrong", "wrong_starts", wrong_starts.into());
            row("systems in which a run ends", "ends", ends.into());
            row("those without the goal", "wrong_ends", wrong_ends.into());
            row("systems from which no run ends", "hopeless", hopeless.into());
            row("failed actions", "failures", failures.into());
        }
        _ => {}
    }
    row("disconnected states", "disconnected", found.disconnected.into());
    rows
}

/// What holds if it holds.
fn holds(found: &Found) -> &'static str {
    match found.under {
        Under::Concurrent { .. } => {
            "under every order of the steps every run can end, and ends in the goal; lock sets are disjoint"
        }
        Under::Rounds { .. } => "whatever is drawn, every run in rounds can end, and ends in the goal",
        Under::Sequential { longest_run: None, .. } => {
            "from every state a run can end in the goal: it does with probability 1 if the schedule is drawn uniformly"
        }
        _ => "under every sequential schedule every run ends in the goal",
    }
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
        Ok(found) if found.is_right() => format!("\nholds: {}\n", holds(found)),
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
    let mut text = format!("a shortest way to {}, {} steps:\n", way.to, way.steps.len());
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
