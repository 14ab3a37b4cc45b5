//! What is printed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use acrasin_report::table::{self, Format, Table};
use acrasin_report::value::{TextStyle, Value};
use acrasin_runtime::NodeId;
use acrasin_runtime::exclusion::local::Action;
use acrasin_verify::locks::node_name;
use acrasin_verify::swarm::{Column, Counterexample, Start, Summary, SwarmPlan, Swarmed as _, Told};
use acrasin_verify::wrong::Wrong;

use super::SwarmArguments;
use super::covered::Covered;

/// What was asked for, and what came of it.
pub(super) struct Asked<'a> {
    pub(super) arguments: &'a SwarmArguments,
    pub(super) summary: &'a Summary,
    pub(super) covered: &'a Covered,
}

/// The first failure.
pub(super) struct First<'a> {
    pub(super) plan: &'a SwarmPlan,
    pub(super) small: &'a Counterexample,
    pub(super) told: Told,
}

pub(super) fn shown(asked: &Asked<'_>, first: Option<&First<'_>>) -> String {
    match asked.arguments.format.0 {
        Format::Table => {
            let mut text =
                conditions(asked) + &outcome(asked) + "\n" + &figures(asked) + "\n" + &coverage(asked);
            if let Some(first) = first {
                text += "\n";
                text += &failure(asked, first);
            }
            text
        }
        format => rows(asked.summary).render(format, TextStyle::PLAIN),
    }
}

fn conditions(asked: &Asked<'_>) -> String {
    let SwarmArguments { seed, runs, wrong, no_invariants, rules, .. } = asked.arguments;
    let rules = match wrong {
        Some(entry) => format!("{}, wrong on purpose ({}): {}", entry.name, entry.about, entry.what),
        None => rules.name().to_owned(),
    };
    let checked =
        if *no_invariants { "the promises of the lock layer" } else { "all promises and invariants" };
    format!(
        "rules: {rules}\nchecked after every step: {checked}\nseeds: {seed} to {}, a run each\n",
        seed + (runs - 1)
    )
}

fn outcome(asked: &Asked<'_>) -> String {
    let Summary { runs, failed, kinds, digest, .. } = asked.summary;
    let wanted = asked.arguments.runs;
    let mut text = String::from("\n");
    if *runs < wanted {
        let _ = writeln!(text, "TRUNCATED: {runs} of {wanted} runs were made");
    }
    let _ = match failed {
        0 => writeln!(text, "{runs} runs, none failed"),
        failed => writeln!(text, "{runs} runs, {failed} failed:"),
    };
    for (kind, count) in kinds {
        let _ = writeln!(text, "{count:>8} {kind}");
    }
    let _ = writeln!(text, "digest of all runs: {digest}");
    text
}

/// The mean of a sum over runs; a maximum has none.
fn mean(name: &str, sum: u64, runs: u64) -> Value {
    match name.starts_with("longest") || runs == 0 {
        true => Value::Missing,
        false => Value::Real(sum as f64 / runs as f64),
    }
}

fn figures(asked: &Asked<'_>) -> String {
    let Summary { runs, figures, .. } = asked.summary;
    let mut rows = Table::new(["figure", "all runs", "mean a run"].map(table::Column::new));
    for (name, sum) in figures.rows::<Wrong>() {
        rows.push([Value::Text(name.to_owned()), Value::Integer(sum), mean(name, sum, *runs)]);
    }
    rows.render(Format::Table, TextStyle::default())
}

fn coverage(asked: &Asked<'_>) -> String {
    let mut text =
        String::from("executions of each action, by what has happened to the graph around its node\n");
    text += &asked.summary.coverage.table::<Wrong>();
    for column in Column::ALL {
        let _ = writeln!(text, "  {:<11}{}", column.name(), column.meaning());
    }
    text += "  -          impossible:\n";
    for (column, reason, actions) in impossible() {
        let _ = writeln!(text, "             {}: {actions} ({reason})", column.name());
    }
    for line in asked.covered.complaints() {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// What cannot happen: column, reason, actions.
fn impossible() -> Vec<(Column, &'static str, String)> {
    let mut found: BTreeMap<(Column, &'static str), Vec<&str>> = BTreeMap::new();
    for column in Column::ALL {
        for action in Action::ALL {
            if let Some(reason) = Wrong::impossible(action, column) {
                found.entry((column, reason)).or_default().push(action.name());
            }
        }
    }
    found.into_iter().map(|((column, reason), actions)| (column, reason, actions.join(", "))).collect()
}

/// The plan of the first failure in words, and what is left of it step by step.
fn failure(asked: &Asked<'_>, first: &First<'_>) -> String {
    let First { plan, small, told } = first;
    let mut text = format!("first failure: {}\n  {plan}\nmade small: {}\n", small.kind(), small.outcome());
    text += &start(small.start());
    for (number, step) in told.steps.iter().enumerate() {
        let _ = writeln!(text, "{:>5} {step}", number + 1);
    }
    text += "  then:\n";
    for line in told.configuration.trim_end().lines() {
        let _ = writeln!(text, "    {line}");
    }
    let flag = asked.arguments.rules_flag();
    let alone = if asked.arguments.no_invariants { " --no-invariants" } else { "" };
    let _ = writeln!(text, "this seed alone: acrasin swarm {flag}{alone} --seed {} --runs 1", plan.seed);
    text
}

fn start(start: &Start) -> String {
    let Start { nodes, ports, priorities, self_messages, lock_set, .. } = start;
    let names: Vec<String> = (0..*nodes).map(|node| node_name(NodeId(node))).collect();
    format!(
        "  nodes {} (0 to {}) without edges, {ports} ports each, K = {priorities}, {lock_set:?} lock sets, self-messages \
         {self_messages:?}\n",
        names.join(" "),
        nodes - 1
    )
}

/// Everything in one shape, for programs.
fn rows(summary: &Summary) -> Table {
    let mut rows = Table::new(["part", "name", "situation", "value", "mean"].map(table::Column::new));
    let text = |text: &str| Value::Text(text.to_owned());
    let mut push = |part: &str, name: &str, situation: Value, value: Value, mean: Value| {
        rows.push([text(part), text(name), situation, value, mean]);
    };
    let Summary { runs, failed, kinds, failures, figures, coverage, digest, .. } = summary;
    push("runs", "made", Value::Missing, Value::Integer(*runs), Value::Missing);
    push("runs", "failed", Value::Missing, Value::Integer(*failed), Value::Missing);
    push("runs", "digest", Value::Missing, text(&digest.to_string()), Value::Missing);
    for (kind, count) in kinds {
        push("failed", &kind.to_string(), Value::Missing, Value::Integer(*count), Value::Missing);
    }
    for (seed, failure) in failures.iter().take(1) {
        push(
            "first failed seed",
            &failure.kind().to_string(),
            Value::Missing,
            Value::Integer(*seed),
            Value::Missing,
        );
    }
    for (name, sum) in figures.rows::<Wrong>() {
        push("figure", name, Value::Missing, Value::Integer(sum), mean(name, sum, *runs));
    }
    for action in Action::ALL {
        for column in Column::ALL {
            let value = match (Wrong::impossible(action, column), coverage.count::<Wrong>(action, column)) {
                (Some(_), 0) => Value::Missing,
                (_, count) => Value::Integer(count),
            };
            push("coverage", action.name(), text(column.name()), value, Value::Missing);
        }
    }
    rows
}
