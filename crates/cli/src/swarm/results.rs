//! The output of `acrasin swarm`.

use acrasin_catalogue::counted;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use acrasin_report::table::{self, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_runtime::NodeId;
use acrasin_runtime::exclusion::InitialKnowledge;
use acrasin_verify::locks::node_name;
use acrasin_verify::swarm::{
    Counterexample, CounterexampleText, CoverageColumn, ShippedSwarm, Summary, SwarmPlan, SwarmStart,
    SystemUnderTest,
};

use super::arguments::{SwarmAlgorithm, SwarmArguments};
use super::covered::UnexpectedCells;

/// The arguments and the results of `acrasin swarm`.
pub(super) struct SwarmResults<'a> {
    pub(super) arguments: &'a SwarmArguments,
    pub(super) summary: &'a Summary,
    pub(super) covered: &'a UnexpectedCells,
}

/// The first failing run, its algorithm, and its shrunk version.
pub(super) struct FirstFailure<'a, E: ShippedSwarm> {
    pub(super) plan: &'a SwarmPlan,
    pub(super) small: &'a Counterexample<E>,
    pub(super) subject: &'a SystemUnderTest<E>,
    pub(super) told: CounterexampleText,
}

pub(super) fn shown<E: ShippedSwarm>(
    asked: &SwarmResults<'_>,
    first: Option<&FirstFailure<'_, E>>,
) -> String {
    match asked.arguments.format.0 {
        Format::Table => {
            // The failure is printed first, because the table of coverage has more lines than a terminal.
            let failure = first.map_or_else(String::new, |first| failure(asked, first) + "\n");
            let covered = figures::<E>(asked) + "\n" + &coverage::<E>(asked);
            conditions(asked) + &outcome(asked) + "\n" + &failure + &covered
        }
        format => rows::<E>(asked.summary).render(format, TextStyle::PLAIN),
    }
}

fn conditions(asked: &SwarmResults<'_>) -> String {
    let SwarmArguments { seed, runs, wrong, no_invariants, rules, exclusion, .. } = asked.arguments;
    let rules = match (wrong, exclusion) {
        (Some(wrong), _) => {
            format!("{}, wrong on purpose ({}): {}", wrong.name(), wrong.about(), wrong.what())
        }
        (None, SwarmAlgorithm::Local) => rules.name().to_owned(),
        (None, SwarmAlgorithm::TreeToken) => {
            "token along a random tree, all rules and queues in turn".to_owned()
        }
        (None, SwarmAlgorithm::CriticalSection) => {
            "local critical sections with random bounds, all schemes in turn".to_owned()
        }
    };
    let checked =
        if *no_invariants { "the promises of the lock layer" } else { "all promises and invariants" };
    format!(
        "rules: {rules}\nchecked after every step: {checked}\nseeds: {seed} to {}, one run each\n",
        seed + (runs - 1)
    )
}

fn outcome(asked: &SwarmResults<'_>) -> String {
    let Summary { runs, failed, kinds, digest, .. } = asked.summary;
    let wanted = asked.arguments.runs;
    let mut text = String::from("\n");
    if *runs < wanted {
        let _ = writeln!(text, "TRUNCATED: {runs} of {wanted} runs were made");
    }
    let _ = match failed {
        0 => writeln!(text, "{}, none failed", counted(*runs, "run")),
        failed => writeln!(text, "{}, {failed} failed:", counted(*runs, "run")),
    };
    for (kind, count) in kinds {
        let _ = writeln!(text, "{count:>8} {kind}");
    }
    let _ = writeln!(text, "digest of all runs: {digest}");
    text
}

/// The mean of a figure over the runs; missing for a figure that is a maximum, and without runs.
fn mean(name: &str, sum: u64, runs: u64) -> Value {
    match name.starts_with("longest") || runs == 0 {
        true => Value::Missing,
        false => Value::Real(sum as f64 / runs as f64),
    }
}

fn figures<E: ShippedSwarm>(asked: &SwarmResults<'_>) -> String {
    let Summary { runs, figures, .. } = asked.summary;
    let mut rows = ResultTable::new(["figure", "all runs", "mean a run"].map(table::Column::new));
    for (name, sum) in figures.rows::<E>() {
        rows.push([Value::Text(name.to_owned()), Value::Integer(sum), mean(name, sum, *runs)]);
    }
    rows.render(Format::Table, TextStyle::default())
}

fn coverage<E: ShippedSwarm>(asked: &SwarmResults<'_>) -> String {
    let mut text = String::from("executions of each action, by topology event at its node\n");
    text += &asked.summary.coverage.table::<E>();
    for column in CoverageColumn::ALL {
        let _ = writeln!(text, "  {:<11}{}", column.name(), column.meaning());
    }
    text += "  -          impossible:\n";
    for (column, reason, actions) in impossible::<E>() {
        let _ = writeln!(text, "             {}: {actions} ({reason})", column.name());
    }
    for line in asked.covered.complaints() {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The impossible cells of the coverage table, grouped by column and reason; the last element lists the actions.
fn impossible<E: ShippedSwarm>() -> Vec<(CoverageColumn, &'static str, String)> {
    let mut found: BTreeMap<(CoverageColumn, &'static str), Vec<String>> = BTreeMap::new();
    for column in CoverageColumn::ALL {
        for &action in E::ACTIONS {
            if let Some(reason) = E::impossible(action, column) {
                found.entry((column, reason)).or_default().push(action.to_string());
            }
        }
    }
    found.into_iter().map(|((column, reason), actions)| (column, reason, actions.join(", "))).collect()
}

/// The plan of the first failing run, and its shrunk version step by step.
fn failure<E: ShippedSwarm>(asked: &SwarmResults<'_>, first: &FirstFailure<'_, E>) -> String {
    let FirstFailure { plan, small, subject, told } = first;
    let mut text = format!("first failure: {}\n  {plan}\nshrunk: {}\n", small.kind(), small.ending());
    text += &start(small.start());
    text += &given(&small.seating(subject));
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

fn start(start: &SwarmStart) -> String {
    let SwarmStart { nodes, ports, priorities, self_messages, lock_set, .. } = start;
    let names: Vec<String> = (0..*nodes).map(|node| node_name(NodeId(node))).collect();
    let edges: Vec<String> = start.edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    let edges =
        if edges.is_empty() { "without edges".to_owned() } else { format!("with {}", edges.join(" ")) };
    format!(
        "  nodes {} (0 to {}) {edges}, {ports} ports each, K = {priorities}, {lock_set:?} lock sets, self-messages \
         {self_messages:?}\n",
        names.join(" "),
        nodes - 1
    )
}

/// The initial knowledge of the nodes beyond the graph, one line for each kind.
fn given(seating: &InitialKnowledge) -> String {
    let mut text = String::new();
    if let Some(tree) = &seating.tree {
        let fathers = (0..tree.node_count()).filter_map(|node| {
            let father = tree.father(NodeId(node))?;
            Some(format!(" {}-{}", node_name(NodeId(node)), node_name(father)))
        });
        let _ = writeln!(
            text,
            "  tree with root {}, edges as node-father:{}",
            node_name(tree.root()),
            fathers.collect::<String>()
        );
    }
    if !seating.bounds.is_empty() {
        let nodes = (0..).map(NodeId).zip(&seating.bounds).zip(&seating.inside);
        let words = nodes.map(|((node, bounds), inside)| {
            let mark = if *inside { " inside" } else { "" };
            format!(" {} ({}, {}){mark}", node_name(node), bounds.least, bounds.most)
        });
        let _ = writeln!(
            text,
            "  bounds (l, k) of each node, and the nodes inside:{}",
            words.collect::<String>()
        );
    }
    if let Some(leader) = seating.leader {
        let _ = writeln!(text, "  leader {}", node_name(leader));
    }
    text
}

/// All results in one table, for CSV and JSON.
fn rows<E: ShippedSwarm>(summary: &Summary) -> ResultTable {
    let mut rows = ResultTable::new(["part", "name", "situation", "value", "mean"].map(table::Column::new));
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
    for (name, sum) in figures.rows::<E>() {
        push("figure", name, Value::Missing, Value::Integer(sum), mean(name, sum, *runs));
    }
    for &action in E::ACTIONS {
        for column in CoverageColumn::ALL {
            let value = match (E::impossible(action, column), coverage.count::<E>(action, column)) {
                (Some(_), 0) => Value::Missing,
                (_, count) => Value::Integer(count),
            };
            push("coverage", &action.to_string(), text(column.name()), value, Value::Missing);
        }
    }
    rows
}
