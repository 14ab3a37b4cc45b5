//! `acrasin check` for the lock layer: every schedule, every draw and every change of the graph.

use acrasin_catalogue::counted;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use acrasin_explore::{Exploration, SearchProgress, Truncated};
use acrasin_report::escape::visible;
use acrasin_report::record::Exit;
use acrasin_report::table::{self, Column, Format};
use acrasin_report::value::{TextStyle, Value};
use acrasin_runtime::exclusion::Stamps;
use acrasin_scenario::check::{CheckReport, PropertyVerdict, Verdict};
use acrasin_scenario::plan::{LockCounterexample, Manner};
use acrasin_scenario::{Catalogue, Document, Plan, Proceed, Runnable as _};
use acrasin_verify::locks::{Budget, Options, Reductions, Rewiring, Walks};

use super::CheckArguments;
use super::conclusion::conclude;
use super::lock_arguments::{LockArguments, TakenStamps};
use super::saved::{self, SavedCheck};
use crate::output::Verbosity;
use crate::progress::ProgressLine;
use crate::recording::Recording;
use crate::run::{inputs, refuse_to_replace_input, say_notes};
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, memory, setup};

/// Suggestions for instances that are too large to explore.
const INSTEAD: &str = "alternatives: --walks 1000 draws random runs, on up to 16 nodes. --predicate \"A > B\" checks the protocol \
    alone, without locks. acrasin swarm draws graphs, schedules and disturbances. acrasin run runs any size";

/// The default number of steps of a random walk.
const WALK_STEPS: u64 = 1_000;

pub(super) fn check(
    arguments: &CheckArguments,
    document: &Document,
    base: &Path,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let wanted = &arguments.locks;
    let supervisor = Supervisor::new(arguments.max_time, ProgressLine::new(1, verbosity));
    setup::begin(format!("the graph or trace of {}", document.file()), arguments.max_time);
    let plan = Plan::within(catalogue, document, base, memory::bytes())?;
    say_notes(plan.header().notes.as_slice(), verbosity);
    let manner = manner(wanted);
    let (bytes, threads) = arguments.explorers(verbosity)?;
    let options = Options {
        bytes,
        configurations: wanted.configurations.unwrap_or(u64::MAX),
        liveness: !wanted.safety_only,
        stop_at_first: wanted.first,
    };
    if wanted.record.is_some() && matches!(wanted.stamps, TakenStamps::AnyOrder | TakenStamps::Ranked) {
        let message =
            "--record: a run found with --stamps any-order or ranked may be impossible with real clocks";
        return Err(Failure::usage(message).accepting("--stamps counted or normalised, or no --record"));
    }
    let inputs = inputs(Some(&arguments.file), document.files(), base);
    refuse_to_replace_input("--record", wanted.record.as_deref(), &inputs)?;
    let recording =
        wanted.record.as_deref().map(|path| Recording::new(path, arguments.max_time)).transpose()?;
    interrupt::a_run_begins();
    setup::is_over();
    let seed = plan.header().seed.unwrap_or(0);
    if let Some(walks) = wanted.walks {
        saved::refuse(arguments, "random walks")?;
        let steps = wanted.walk_steps.unwrap_or(WALK_STEPS);
        let walks = Walks { walks, steps, seed, only: wanted.only.clone() };
        let walked = plan.walk(seed, manner, &walks, &mut |number| {
            let fraction = number as f64 / walks.walks as f64;
            supervisor.progress().show_part(fraction, || format!("of the walks: {number}"));
            match supervisor.verdict() {
                Proceed::Continue => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        supervisor.progress().finish();
        let walked = walked.map_err(Failure::usage)?;
        return end_of_walks(arguments, (&plan, &walked), (&walks, recording), verbosity);
    }
    let show = |at: &SearchProgress| {
        // The number of configurations is unknown in advance, so the bar shows how full the memory is.
        let fraction = at.bytes as f64 / options.bytes as f64;
        supervisor.progress().show_part(fraction, || {
            let mebibytes = at.bytes >> 20;
            format!(
                "of the memory: {} configurations, {} to expand, depth {}, {mebibytes} MiB",
                at.configurations, at.waiting, at.depth
            )
        });
    };
    let input = format!("{}\n{seed}", document.digest_with(&document.data_files(base)));
    let flags = format!("{manner:?}, liveness {}, first {}", options.liveness, options.stop_at_first);
    let mut control =
        SavedCheck::new(arguments, (&input, flags), &supervisor, (&show, &|_: &_| {}), verbosity)?;
    let explored = threads.install(|| plan.explore_with(seed, manner, &options, &mut control));
    supervisor.progress().finish();
    let explored = explored.map_err(|error| Failure::usage(error).hinting(INSTEAD))?;
    let truncated = explored.exploration.as_ref().and_then(Exploration::truncated);
    let cut = truncated.filter(|why| !matches!(why, Truncated::Found | Truncated::TooManyMoves));
    let saved = control.end(cut.is_some(), verbosity);
    if matches!(truncated, Some(Truncated::Memory | Truncated::TooManyMoves)) {
        verbosity.say(format_args!("note: {INSTEAD}"));
    }
    conclude(
        (arguments, verbosity),
        &explored,
        (recording, saved),
        |runs| {
            let rows = rows(&explored, false).render(Format::Table, TextStyle::default());
            format!("{}{}\n{rows}{runs}", conditions(&plan, wanted), covered(&explored))
        },
        |runs| {
            // Tables for programs have no place for counterexamples.
            verbosity.say(format_args!("{}{}", covered(&explored).trim_end(), runs.trim_end()));
            rows(&explored, true)
        },
    )
}

/// Prints the results of random walks.
fn end_of_walks(
    arguments: &CheckArguments,
    (plan, walked): (&Plan, &CheckReport<LockCounterexample>),
    (asked, recording): (&Walks, Option<Recording>),
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let columns = ["walks", "steps", "broken", "source", "run"];
    let mut row: Vec<Value> = walked.figures.iter().map(|figure| figure.value.clone()).collect();
    match walked.broken().next() {
        Some((answer, shown)) => row.extend([
            answer.property.into(),
            answer.source.into(),
            Value::Integer(shown.steps.len() as u64),
        ]),
        None => row.extend([Value::Missing, Value::Missing, Value::Missing]),
    }
    let mut rows = table::ResultTable::new(columns.into_iter().map(Column::new));
    rows.push(row);
    let text = |runs: &str| {
        let words = conditions(plan, &arguments.locks);
        let nothing =
            if runs.is_empty() { "no broken property was found; walks prove nothing\n" } else { "" };
        let rows = rows.render(Format::Table, TextStyle::default());
        format!("{words}random walks of up to {}\n{rows}{nothing}{runs}", counted(asked.steps, "step"))
    };
    let of_programs = |runs: &str| {
        verbosity.say(runs.trim_end());
        rows.clone()
    };
    conclude((arguments, verbosity), walked, (recording, Ok(())), text, of_programs)
}

fn manner(wanted: &LockArguments) -> Manner {
    Manner {
        disconnections: wanted.disconnections.unwrap_or(Budget::NONE),
        connections: wanted.connections.unwrap_or(Budget::NONE),
        rewiring: if wanted.any_edges { Rewiring::AnyEdges } else { Rewiring::SameEdges },
        misuse: wanted.misuse,
        reductions: Reductions { symmetry: wanted.symmetry, partial_order: wanted.partial_order },
        stamps: wanted.stamps.into(),
    }
}

/// The conditions under which the instance is explored, as text.
fn conditions(plan: &Plan, wanted: &LockArguments) -> String {
    let mut text = format!("{}\n", visible(plan.header().title.as_str()));
    // All schedules are explored, and nothing ends a run.
    let beside = |name: &str| ["scheduler", "fairness", "memory", "stop", "limits"].contains(&name);
    for (name, value) in plan.header().parameters.clone().into_iter().filter(|(name, _)| !beside(name)) {
        let _ = writeln!(text, "{name}: {}", visible(&value));
    }
    let Manner { disconnections, connections, rewiring, misuse, reductions, stamps } = manner(wanted);
    let edges = match rewiring {
        Rewiring::SameEdges => "edges of the graph, on their ports",
        Rewiring::AnyEdges => "any edge, on any open ports",
    };
    let leave =
        if plan.is_asynchronous() { "one by one, at any time" } else { "with the action that sends them" };
    let schedules = if wanted.walks.is_some() { "drawn step by step" } else { "all" };
    let _ = writeln!(text, "schedules: {schedules}; messages leave {leave}");
    let _ =
        writeln!(text, "edges that may vanish: {disconnections}; that may appear: {connections} ({edges})");
    let Reductions { symmetry, partial_order } = reductions;
    let reduced = [
        (symmetry, "by symmetry"),
        (partial_order, "by partial order (runs that are shown may be longer than the shortest)"),
    ];
    let reduced: Vec<&str> = reduced.iter().filter(|(on, _)| *on).map(|&(_, words)| words).collect();
    if !reduced.is_empty() {
        let _ = writeln!(text, "reduced: {}", reduced.join(" and "));
    }
    match stamps {
        Stamps::Counted => {}
        Stamps::Normalised => text += "stamps: clocks, stored as differences only\n",
        Stamps::AnyOrder => text += "stamps: any order among pending requests\n",
        Stamps::Ranked => {
            text += "stamps: clocks that travel only with requests, stored as an order\n";
        }
    }
    if misuse {
        text += "misuse: nodes also call Lock and Unlock out of turn\n";
    }
    text
}

/// The reason why the exploration is incomplete, as text.
fn truncation(why: Truncated) -> String {
    match why {
        Truncated::Interrupted if !interrupt::is_asked_to_stop() => "time is over".to_owned(),
        why => why.to_string(),
    }
}

fn covered(explored: &CheckReport<LockCounterexample>) -> String {
    let Some(found) = &explored.exploration else { return String::new() };
    let (configurations, moves) = (found.configurations(), found.transitions());
    let mut text = format!(
        "{}, {}, depth {}",
        counted(configurations, "configuration"),
        counted(moves, "move"),
        found.depth()
    );
    match found.truncated() {
        None if found.broken_moves() > 0 => {
            let cut = found.broken_moves();
            let _ = write!(
                text,
                ": everything up to the first broken promise (not followed any further: {})",
                counted(cut, "move")
            );
        }
        None => text += ": everything that can happen",
        Some(why) => {
            let why = truncation(why);
            let covered = found.covered_depth().map_or_else(
                || "not all first moves are explored".to_owned(),
                |depth| format!("every run of up to {} is covered", counted(depth + 1, "move")),
            );
            let expanded = counted(found.expanded(), "configuration");
            let _ = write!(text, ": TRUNCATED, {why}; expanded: {expanded}, {covered}");
        }
    }
    let _ = writeln!(
        text,
        "\n{:.1} bytes per configuration as packed, {:.1} as held in memory; the probability that two have the same digest is below {:.0e}",
        found.packed_bytes(),
        found.peak_bytes() as f64 / configurations.max(1) as f64,
        found.collision_bound()
    );
    text
}

/// One row for each property. In formats for programs each row also has the size of the exploration, which text output
/// shows on a separate line.
fn rows(explored: &CheckReport<LockCounterexample>, is_for_programs: bool) -> table::ResultTable {
    let mut columns = vec!["property", "source", "result", "times", "shortest run"];
    let mut extent: Vec<Value> = Vec::new();
    if is_for_programs {
        columns.extend(["configurations", "moves", "depth", "truncated"]);
        extent.extend([explored.states, explored.transitions, explored.depth].map(Value::from));
        let why = explored.exploration.as_ref().and_then(Exploration::truncated);
        extent.push(why.map_or(Value::Missing, |why| Value::Text(truncation(why))));
    }
    let mut rows = table::ResultTable::new(columns.into_iter().map(Column::new));
    for PropertyVerdict { property, source, verdict } in &explored.findings {
        let (result, times, run) = match verdict {
            Verdict::Holds => ("holds", Value::Missing, Value::Missing),
            Verdict::Open => ("no counterexample so far", Value::Missing, Value::Missing),
            Verdict::NotAsked(why) => (*why, Value::Missing, Value::Missing),
            Verdict::Broken(shown) => {
                ("BROKEN", Value::Integer(shown.count), Value::Integer(shown.steps.len() as u64))
            }
        };
        let mut row = vec![(*property).into(), (*source).into(), result.into(), times, run];
        row.extend(extent.iter().cloned());
        rows.push(row);
    }
    rows
}
