//! `acrasin check` of a population protocol.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use acrasin_explore::{Limits, Truncated};
use acrasin_graphs::read::{self, Loaded};
use acrasin_graphs::{Family, Graph};
use acrasin_protocols::predicate::{Predicate, PredicateError};
use acrasin_protocols::{Table, library};
use acrasin_report::record::Exit;
use acrasin_report::table::{self, Column, Format};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::{DocumentError, Proceed, ProtocolFile};
use acrasin_verify::population::{self, Answers, Claim, Outcome, Population, Report};

use super::arguments::PopulationArguments;
use super::facts::{facts, listed};
use super::{CheckArguments, exact};
use crate::output::Verbosity;
use crate::progress::Progress;
use crate::run::say_notes;
use crate::watch::Supervisor;
use crate::{Failure, interrupt, output};

/// The largest population if none is given: some seconds for protocols of a few states.
const UP_TO: u32 = 8;

/// A protocol, where agents start, and what is claimed.
pub(super) struct Subject {
    pub(super) table: Table,
    pub(super) inputs: Vec<u16>,
    pub(super) claim: Option<Claim>,
    /// What the answers mean, for people; empty if nothing is claimed of them.
    pub(super) meaning: String,
    /// Who says what the inputs are.
    pub(super) inputs_by: &'static str,
}

pub(crate) fn check(arguments: &CheckArguments, verbosity: Verbosity) -> Result<Exit, Failure> {
    let subject = subject(arguments, verbosity)?;
    let wanted = &arguments.population;
    let supervisor = Supervisor::new(arguments.max_time, Progress::new(1, verbosity));
    if wanted.exact_time {
        interrupt::a_run_begins();
        return exact::exact(arguments, &subject, &supervisor);
    }
    let Some(claim) = &subject.claim else {
        if let Some(flag) = unused(wanted) {
            return Err(Failure::usage(format_args!("{flag} without a claim"))
                .accepting("--predicate or --eventually besides, or --exact-time"));
        }
        output::print(&heading(&subject))?;
        verbosity.say("nothing is claimed; --predicate, --eventually or --exact-time ask for more");
        return Ok(Exit::Done);
    };
    let (populations, place) = populations(wanted, verbosity)?;
    interrupt::a_run_begins();
    let limits = Limits::bytes(arguments.memory);
    let last = populations.iter().map(Population::agents).max().unwrap_or(0);
    let report = population::check(&subject.table, claim, &subject.inputs, &populations, &limits, |at| {
        let fraction = f64::from(at.agents) / f64::from(last.max(1));
        supervisor.progress().show_part(fraction, || {
            format!("{} agents, {} inputs, {} configurations", at.agents, at.inputs, at.configurations)
        });
        match supervisor.verdict() {
            Proceed::Continue => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    supervisor.progress().finish();
    let text = match arguments.format.0 {
        Format::Table => {
            let table = rows(&subject, &report, Format::Table).render(Format::Table, TextStyle::default());
            format!("{}{place}\n\n{table}\n{}", heading(&subject), verdict(&subject, claim, &report))
        }
        format => rows(&subject, &report, format).render(format, TextStyle::PLAIN),
    };
    output::print(&text)?;
    Ok(match report.outcome {
        Outcome::Holds => Exit::Done,
        Outcome::Fails(_) => Exit::Failed,
        Outcome::Truncated { .. } if interrupt::is_asked_to_stop() => Exit::Interrupted,
        Outcome::Truncated { .. } => Exit::BudgetExhausted,
    })
}

/// A flag that means nothing without a claim.
fn unused(wanted: &PopulationArguments) -> Option<&'static str> {
    [
        (wanted.given.is_some(), "--given"),
        (wanted.up_to.is_some(), "--up-to"),
        (wanted.graph.is_some(), "--graph"),
    ]
    .into_iter()
    .find_map(|(given, flag)| given.then_some(flag))
}

/// The protocol of a file or of the library, and what the flags say about it.
fn subject(arguments: &CheckArguments, verbosity: Verbosity) -> Result<Subject, Failure> {
    let wanted = &arguments.population;
    let (table, written) = protocol(arguments, verbosity)?;
    let claim = claim(wanted, &table)?;
    let (inputs, inputs_by) = if !wanted.inputs.is_empty() {
        (named(&table, &wanted.inputs)?, "as --inputs says")
    } else if let Some(written) = written {
        (written, "as the file says")
    } else if let Some(claim) = &claim {
        (claim.states_mentioned().to_vec(), "the states in the predicate")
    } else {
        (table.states().collect(), "all states, for nothing else is said")
    };
    let meaning = match (&wanted.predicate, answers(wanted, &table)?) {
        (Some(_), answers) => {
            let side = |yes| listed(answers.meaning(yes).map(|output| table.output_name(output)));
            format!("answers: yes = {}; no = {}\n", side(true), side(false))
        }
        _ => String::new(),
    };
    Ok(Subject { table, inputs, claim, meaning, inputs_by })
}

fn protocol(arguments: &CheckArguments, verbosity: Verbosity) -> Result<(Table, Option<Vec<u16>>), Failure> {
    let path = &arguments.file;
    let entry = path.to_str().and_then(|name| library::find(name).ok());
    if let Some(entry) = entry.filter(|_| !path.exists()) {
        if !arguments.set.is_empty() {
            return Err(Failure::usage("--set changes a file, and this is a protocol of the library")
                .accepting("a file with Library(name: …, parameters: {…})"));
        }
        let instance = entry.build(&std::collections::BTreeMap::new()).map_err(Failure::usage)?;
        return Ok((instance.into_table(), None));
    }
    let file = ProtocolFile::read(path, &arguments.set).map_err(|error| {
        let names = library::catalogue().iter().map(library::Entry::name);
        if path.exists() { error } else { error.suggesting(&path.to_string_lossy(), names) }
    })?;
    if file.is_grouped() {
        verbosity.say("note: the scenario lets groups interact; pairs are checked, as in the table");
    }
    Ok((file.table().clone(), file.inputs().map(<[u16]>::to_vec)))
}

fn named(table: &Table, names: &[String]) -> Result<Vec<u16>, Failure> {
    let mut states = Vec::new();
    for name in names {
        let state = state(table, name)?;
        if states.contains(&state) {
            return Err(Failure::usage(format_args!("the state `{}` is named twice", name.escape_debug())));
        }
        states.push(state);
    }
    Ok(states)
}

pub(super) fn state(table: &Table, name: &str) -> Result<u16, Failure> {
    table.state(name).ok_or_else(|| {
        Failure::usage(format_args!("the protocol has no state `{}`", name.escape_debug()))
            .accepting(listed(table.state_names().iter().map(String::as_str)))
    })
}

fn answers(wanted: &PopulationArguments, table: &Table) -> Result<Answers, Failure> {
    let outputs = || listed(table.output_names().iter().map(String::as_str));
    if wanted.answers.is_empty() {
        let nobody_asks = wanted.predicate.is_none();
        return Answers::by_name(table).or_else(|| nobody_asks.then(|| all_yes(table))).ok_or_else(|| {
            Failure::usage("which outputs mean that the predicate holds?")
                .accepting(format_args!("--answers yes=…,no=…, of the outputs {}", outputs()))
        });
    }
    let meaning = |word: &str| -> Vec<&str> {
        let of_word = wanted.answers.iter().filter(|(key, _)| key == word);
        of_word.map(|(_, output)| output.trim()).collect()
    };
    if let Some((key, _)) = wanted.answers.iter().find(|(key, _)| key != "yes" && key != "no") {
        return Err(
            Failure::usage(format_args!("--answers {}=…", key.escape_debug())).accepting("yes=… and no=…")
        );
    }
    Answers::new(table, &meaning("yes"), &meaning("no")).map_err(Failure::usage)
}

/// Answers that nobody looks at.
fn all_yes(table: &Table) -> Answers {
    Answers::new(table, &[], &[]).expect("no name is unknown")
}

fn claim(wanted: &PopulationArguments, table: &Table) -> Result<Option<Claim>, Failure> {
    let read = |flag: &str, text: &str| Predicate::parse(text).map_err(|error| refused(flag, text, &error));
    let claim = match (&wanted.predicate, &wanted.eventually) {
        (Some(text), _) => {
            let predicate = read("--predicate", text)?;
            Claim::computes(table, &predicate, &answers(wanted, table)?)
                .map_err(|error| refused("--predicate", text, &error))?
        }
        (None, Some(text)) => {
            let predicate = read("--eventually", text)?;
            Claim::eventually(table, &predicate).map_err(|error| refused("--eventually", text, &error))?
        }
        (None, None) => return Ok(None),
    };
    match &wanted.given {
        None => Ok(Some(claim)),
        Some(text) => {
            let given = read("--given", text)?;
            claim.given(table, &given).map(Some).map_err(|error| refused("--given", text, &error))
        }
    }
}

fn refused(flag: &str, text: &str, error: &PredicateError) -> Failure {
    DocumentError::of_predicate(flag, text, error).into()
}

/// All populations that are asked for, smallest first, and who meets whom in words.
fn populations(
    wanted: &PopulationArguments,
    verbosity: Verbosity,
) -> Result<(Vec<Population>, String), Failure> {
    let up_to = wanted.up_to.unwrap_or(UP_TO);
    let family: fn(u64) -> Family = match wanted.graph.as_deref() {
        None | Some("complete") => {
            let sizes = (2..=up_to).map(Population::complete).collect::<Result<_, _>>();
            let place = format!("complete graph, 2 to {up_to} agents");
            return Ok((sizes.map_err(Failure::usage)?, place));
        }
        Some("ring") => |nodes| Family::Ring { nodes },
        Some("path") => |nodes| Family::Path { nodes },
        Some("star") => |nodes| Family::Star { nodes },
        Some(path) if wanted.up_to.is_none() => return graph_file(path, verbosity),
        Some(path) => {
            return Err(Failure::usage(format_args!(
                "--up-to, but the graph {path:?} has a size of its own"
            ))
            .accepting("--graph complete, ring, path or star with --up-to"));
        }
    };
    // The least size is the family's: a ring has three nodes.
    let graphs: Vec<Graph> = (2..=u64::from(up_to)).filter_map(|nodes| family(nodes).build(0).ok()).collect();
    let populations: Vec<Population> = graphs.iter().map(on_graph).collect::<Result<_, _>>()?;
    let least = populations.first().map(Population::agents);
    let least = least.ok_or_else(|| Failure::usage("--up-to is below the least size of such a graph"))?;
    let name = wanted.graph.as_deref().unwrap_or_default();
    Ok((populations, format!("{name}, {least} to {up_to} agents, every placement of each input")))
}

fn graph_file(path: &str, verbosity: Verbosity) -> Result<(Vec<Population>, String), Failure> {
    if !Path::new(path).exists() {
        return Err(Failure::usage(format_args!("there is no graph {path:?}"))
            .accepting("complete, ring, path, star, or the path of a graph file"));
    }
    let Loaded { graph, notes } = read::from_path(path.as_ref(), None).map_err(Failure::usage)?;
    let notes: Vec<String> =
        notes.sentences().into_iter().map(|sentence| format!("{path}: {sentence}")).collect();
    say_notes(&notes, verbosity);
    let place = format!(
        "{path}: {} nodes, {} edges, every placement of each input",
        graph.nodes(),
        graph.edges().len()
    );
    Ok((vec![on_graph(&graph)?], place))
}

fn on_graph(graph: &Graph) -> Result<Population, Failure> {
    let edges = graph.edges().iter().map(|&(u, v)| [u, v]).collect();
    Population::graph(graph.nodes(), edges).map_err(Failure::usage)
}

/// What the check is about, in lines.
pub(super) fn heading(subject: &Subject) -> String {
    let Subject { table, inputs, claim, meaning, inputs_by } = subject;
    let mut text = facts(table, inputs);
    let names = listed(inputs.iter().map(|&state| table.state_name(state)));
    let _ = writeln!(text, "inputs: {names} ({inputs_by})");
    if let Some(claim) = claim {
        let kind = if claim.is_eventual() { "in the end" } else { "computes" };
        let _ = writeln!(text, "claim: {kind} {}", claim.text());
    }
    text + meaning
}

/// One row a population. Its moves are its interactions, under the name that they have in all checks. For people the counterexample stands below, and columns without content are left out.
fn rows(subject: &Subject, report: &Report, format: Format) -> table::Table {
    let is_for_people = format == Format::Table;
    let excludes = report.covered.iter().any(|covered| covered.excluded > 0);
    let mut columns = vec!["agents", "inputs"];
    columns.extend((excludes || !is_for_people).then_some("not asked for"));
    columns.extend(["configurations", "interactions", "bottom components", "silent"]);
    columns.extend(["one that is silent", "result"]);
    if !is_for_people {
        columns.extend(["counterexample", "moves", "depth"]);
    }
    let mut rows = table::Table::new(columns.into_iter().map(Column::new));
    for (index, covered) in report.covered.iter().enumerate() {
        let is_last = index + 1 == report.covered.len();
        let (result, counterexample) = match &report.outcome {
            Outcome::Fails(wrong) if is_last => {
                let claim = subject.claim.as_ref().map_or("", Claim::text);
                ("fails", Value::Text(wrong.describe(&subject.table, claim)))
            }
            Outcome::Truncated { .. } if is_last => ("truncated", Value::Missing),
            _ => ("holds", Value::Missing),
        };
        let silent = covered.silent_example.as_ref();
        let mut row = vec![Value::Integer(covered.agents.into()), Value::Integer(covered.inputs)];
        row.extend((excludes || !is_for_people).then_some(Value::Integer(covered.excluded)));
        row.extend(
            [covered.configurations, covered.transitions, covered.bottoms, covered.silent]
                .map(Value::Integer),
        );
        row.push(silent.map_or(Value::Missing, |one| Value::Text(one.describe(&subject.table))));
        row.push(result.into());
        if !is_for_people {
            row.extend([counterexample, covered.transitions.into(), u64::from(covered.depth).into()]);
        }
        rows.push(row);
    }
    rows
}

fn verdict(subject: &Subject, claim: &Claim, report: &Report) -> String {
    let (inputs, configurations) = (report.inputs(), report.configurations());
    let counts = format!("{inputs} inputs, {configurations} configurations");
    match &report.outcome {
        Outcome::Holds if claim.is_eventual() => {
            format!("holds: from every input every fair execution comes to it for good ({counts})\n")
        }
        Outcome::Holds => {
            format!(
                "holds: from every input every fair execution stabilises to the right output ({counts})\n"
            )
        }
        Outcome::Fails(wrong) => {
            format!("fails ({counts})\n{}", wrong.describe(&subject.table, claim.text()))
        }
        Outcome::Truncated { why, population } => {
            let why = match why {
                Truncated::Interrupted => "stopped".to_owned(),
                other => other.to_string(),
            };
            let complete = match population.checked_sub(1).map(|last| report.covered[last].agents) {
                Some(agents) => format!("complete up to {agents} agents, and nothing wrong there"),
                None => "no size is complete".to_owned(),
            };
            let here = &report.covered[*population];
            let at = format!("{} inputs of {} agents are done", here.inputs, here.agents);
            format!("truncated, {why}: {complete}; {at} ({counts})\n")
        }
    }
}
