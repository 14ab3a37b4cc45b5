//! `acrasin check` of a population protocol.

use acrasin_catalogue::counted;
use std::path::Path;

use acrasin_explore::{Limits, Truncated};
use acrasin_graphs::family::line;
use acrasin_graphs::read::{self, Loaded};
use acrasin_graphs::{Graph, GraphParameterError};
use acrasin_report::record::Exit;
use acrasin_report::table::{self, Column, Format};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::check::{CheckReport, CheckTruncation, PropertyVerdict, Verdict};
use acrasin_scenario::plan::Initiator;
use acrasin_scenario::{Catalogue, InputFile};
use acrasin_verify::population::{
    self, CheckedPopulation, Claim, ClaimOutcome, ClaimProgress, PopulationReport,
};

use super::arguments::PopulationArguments;
use super::check_target::{CheckTarget, heading, no_input_meets, subject};
use super::conclusion::conclude;
use super::recorded::ClaimViolation;
use super::saved::{self, SavedCheck};
use super::{CheckArguments, every_size, exact, recorded};
use crate::output::Verbosity;
use crate::progress::ProgressLine;
use crate::run::say_notes;
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, output};

/// The default size of the largest population. Protocols with a few states take some seconds.
const UP_TO: u32 = 8;

/// Checks the protocol of `input`, or without a file the protocol of the library that the user named.
pub(crate) fn check(
    arguments: &CheckArguments,
    input: Option<InputFile>,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let subject =
        subject((&arguments.file, &arguments.set), &arguments.population.claim, input, catalogue, verbosity)?;
    let wanted = &arguments.population;
    let supervisor = Supervisor::new(arguments.max_time, ProgressLine::new(1, verbosity));
    let recording = recorded::recording(arguments, &subject)?;
    if wanted.exact_time {
        saved::refuse(arguments, "--exact-time")?;
        interrupt::a_run_begins();
        return exact::exact(arguments, &subject, &supervisor);
    }
    let Some(claim) = &subject.claim else {
        saved::refuse(arguments, "a protocol without a claim")?;
        if let Some(flag) = unused(wanted) {
            return Err(Failure::usage(format_args!("{flag} without a claim"))
                .accepting("--predicate or --eventually as well, or --exact-time"));
        }
        output::print(&heading(&subject))?;
        verbosity.say("there is no claim to check; --predicate, --eventually or --exact-time add one");
        return Ok(Exit::Done);
    };
    if wanted.all {
        saved::refuse(arguments, "--all")?;
        let recorder = (recording, catalogue);
        return every_size::check(arguments, (&subject, claim), recorder, &supervisor, verbosity);
    }
    let (populations, place) = populations(wanted, subject.initiator, verbosity)?;
    interrupt::a_run_begins();
    let (bytes, threads) = arguments.explorers(verbosity)?;
    let limits = Limits::bytes(bytes);
    let last = populations.iter().map(CheckedPopulation::agents).max().unwrap_or(0);
    let show = |at: &ClaimProgress| {
        let fraction = f64::from(at.agents) / f64::from(last.max(1));
        supervisor.progress().show_part(fraction, || {
            format!("{} agents, {} inputs, {} configurations", at.agents, at.inputs, at.configurations)
        });
    };
    let input = format!("{:?} {:?} {claim:?} {populations:?}", subject.table, subject.inputs);
    let flags = format!("{place}; {}", claim.text());
    let mut control =
        SavedCheck::new(arguments, (&input, flags), &supervisor, (&|_: &_| {}, &show), verbosity)?;
    let check = || {
        population::check_with(&subject.table, claim, &subject.inputs, &populations, &limits, &mut control)
    };
    let report = threads.install(check);
    supervisor.progress().finish();
    let report = report.map_err(Failure::usage)?;
    let saved = control.end(matches!(report.outcome, ClaimOutcome::Truncated { .. }), verbosity);
    if let (Some(given), ClaimOutcome::Holds, 0) = (&wanted.claim.given, &report.outcome, report.inputs()) {
        return Err(no_input_meets(given, &place));
    }
    let (verdict, why) = match &report.outcome {
        ClaimOutcome::Holds => (Verdict::Holds, None),
        ClaimOutcome::Fails(found) => {
            // A graph file is not recorded.
            let family = recorded::family(wanted.graph.as_deref().unwrap_or("complete")).unwrap_or_default();
            let run = ClaimViolation { subject: &subject, claim, family, found, catalogue };
            (Verdict::Broken(run), report.truncated)
        }
        ClaimOutcome::Truncated { why, .. } => (Verdict::Open, Some(*why)),
    };
    let property = if claim.is_eventual() { "in the end" } else { "computes" };
    let mut all = CheckReport::new(vec![PropertyVerdict { property, source: "", verdict }]);
    all.states = Some(report.configurations());
    all.truncated = why.map(|why| CheckTruncation::of_search(why, all.states));
    conclude(
        (arguments, verbosity),
        &all,
        (recording, saved),
        |run| {
            let table = rows(&subject, &report, Format::Table).render(Format::Table, TextStyle::default());
            format!("{}{place}\n\n{table}\n{}{run}", heading(&subject), conclusion(claim, &report))
        },
        |_| rows(&subject, &report, arguments.format.0),
    )
}

/// The first given flag that has no effect without a claim.
fn unused(wanted: &PopulationArguments) -> Option<&'static str> {
    [
        (wanted.claim.given.is_some(), "--given"),
        (wanted.up_to.is_some(), "--up-to"),
        (wanted.graph.is_some(), "--graph"),
        (wanted.all, "--all"),
    ]
    .into_iter()
    .find_map(|(given, flag)| given.then_some(flag))
}

/// All requested populations, smallest first, and a description of the interaction graph.
fn populations(
    wanted: &PopulationArguments,
    initiator: Initiator,
    verbosity: Verbosity,
) -> Result<(Vec<CheckedPopulation>, String), Failure> {
    let initiator = wanted.direction.unwrap_or(initiator);
    let up_to = wanted.up_to.unwrap_or(UP_TO);
    let family: fn(u64) -> Result<Graph, GraphParameterError> = match wanted.graph.as_deref() {
        Some("complete") if wanted.direction.is_some() => {
            return Err(Failure::usage(
                "--direction does not apply to the complete graph, where all ordered pairs are equally likely",
            )
            .accepting("--graph ring, path, star or the path of a graph file with --direction"));
        }
        None | Some("complete") => {
            let sizes = (2..=up_to).map(CheckedPopulation::complete).collect::<Result<_, _>>();
            let place = format!("complete graph, 2 to {up_to} agents");
            return Ok((sizes.map_err(Failure::usage)?, place));
        }
        Some("ring") => line::ring,
        Some("path") => line::path,
        Some("star") => line::star,
        Some(path) if wanted.up_to.is_none() => return graph_file(path, initiator, verbosity),
        Some(path) => {
            return Err(Failure::usage(format_args!(
                "--up-to does not apply to the graph {path:?}, which has a fixed size"
            ))
            .accepting("--graph complete, ring, path or star with --up-to"));
        }
    };
    // The least size depends on the family: a ring has at least three nodes.
    let graphs: Vec<Graph> = (2..=u64::from(up_to)).filter_map(|nodes| family(nodes).ok()).collect();
    let populations = graphs.iter().map(|graph| on_graph(graph, initiator));
    let populations: Vec<CheckedPopulation> = populations.collect::<Result<_, _>>()?;
    let least = populations.first().map(CheckedPopulation::agents);
    let least = least.ok_or_else(|| Failure::usage("--up-to is below the smallest size of such a graph"))?;
    let name = wanted.graph.as_deref().unwrap_or_default();
    let words = words(initiator);
    Ok((populations, format!("{name}, {least} to {up_to} agents, {words}every placement of each input")))
}

/// The words that begin the description of a graph and say which end of an edge is the initiator.
fn words(initiator: Initiator) -> &'static str {
    match initiator {
        Initiator::Either => "",
        Initiator::Tail => "the first end of each edge as initiator, ",
        Initiator::Head => "the second end of each edge as initiator, ",
    }
}

fn graph_file(
    path: &str,
    initiator: Initiator,
    verbosity: Verbosity,
) -> Result<(Vec<CheckedPopulation>, String), Failure> {
    if !Path::new(path).exists() {
        return Err(Failure::usage(format_args!("there is no graph {path:?}"))
            .accepting("complete, ring, path, star, or the path of a graph file"));
    }
    let (population, nodes, edges, sentences) = if initiator == Initiator::Either {
        let Loaded { graph, notes, .. } = read::from_path(path.as_ref(), None).map_err(Failure::usage)?;
        (on_graph(&graph, initiator)?, graph.nodes(), graph.edges().len(), notes.sentences())
    } else {
        let listed = read::listed_from_path(path.as_ref(), None, false).map_err(Failure::usage)?;
        let nodes = u32::try_from(listed.nodes()).unwrap_or(u32::MAX);
        let mut arcs: Vec<[u32; 2]> =
            listed.arcs(true).into_iter().map(|(ends, _)| initiator.ends(ends)).collect();
        arcs.sort_unstable();
        arcs.dedup();
        let edges = arcs.len();
        let population = CheckedPopulation::directed(nodes, arcs).map_err(Failure::usage)?;
        (population, nodes, edges, listed.sentences_of_distinct(true))
    };
    let notes: Vec<String> = sentences.into_iter().map(|sentence| format!("{path}: {sentence}")).collect();
    say_notes(&notes, verbosity);
    let words = words(initiator);
    let [nodes, edges] = [counted(nodes, "node"), counted(edges, "edge")];
    let place = format!("{path}: {nodes}, {edges}, {words}every placement of each input");
    Ok((vec![population], place))
}

fn on_graph(graph: &Graph, initiator: Initiator) -> Result<CheckedPopulation, Failure> {
    let edges = graph.edges().iter().map(|&(u, v)| initiator.ends([u, v])).collect();
    let population = match initiator {
        Initiator::Either => CheckedPopulation::graph(graph.nodes(), edges),
        Initiator::Tail | Initiator::Head => CheckedPopulation::directed(graph.nodes(), edges),
    };
    population.map_err(Failure::usage)
}

/// One row for each population. The column of interactions is called `moves`, as in all checks. In text output, empty
/// columns are omitted, and the counterexample follows after the table.
fn rows(subject: &CheckTarget, report: &PopulationReport, format: Format) -> table::ResultTable {
    let is_for_people = format == Format::Table;
    let excludes = report.covered.iter().any(|covered| covered.excluded > 0);
    let mut columns = vec!["agents", "inputs"];
    columns.extend((excludes || !is_for_people).then_some("not asked for"));
    columns.extend(["configurations", "interactions", "bottom components", "silent"]);
    columns.extend(["one that is silent", "result"]);
    if !is_for_people {
        columns.extend(["counterexample", "moves", "depth"]);
    }
    let mut rows = table::ResultTable::new(columns.into_iter().map(Column::new));
    for (index, covered) in report.covered.iter().enumerate() {
        let is_last = index + 1 == report.covered.len();
        let (result, counterexample) = match &report.outcome {
            ClaimOutcome::Fails(wrong) if is_last => {
                let claim = subject.claim.as_ref().map_or("", Claim::text);
                ("fails", Value::Text(wrong.describe(&subject.table, claim)))
            }
            ClaimOutcome::Truncated { .. } if is_last => ("truncated", Value::Missing),
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

/// The reason why some inputs were not explored, as text.
fn words_of(why: Truncated) -> String {
    match why {
        Truncated::Interrupted => "stopped".to_owned(),
        other => other.to_string(),
    }
}

fn conclusion(claim: &Claim, report: &PopulationReport) -> String {
    let (inputs, configurations) = (report.inputs(), report.configurations());
    let counts = format!("{}, {}", counted(inputs, "input"), counted(configurations, "configuration"));
    match &report.outcome {
        ClaimOutcome::Holds if claim.is_eventual() => {
            format!("holds: from every input every fair execution reaches it permanently ({counts})\n")
        }
        ClaimOutcome::Holds => {
            format!(
                "holds: from every input every fair execution stabilises to the right output ({counts})\n"
            )
        }
        ClaimOutcome::Fails(_) => {
            let cut = report.truncated.map_or_else(String::new, |why| {
                let agents = report.covered.last().map_or(0, |last| last.agents);
                format!(
                    "; truncated, {}: other inputs of {agents} agents, which may have shorter runs, were not explored",
                    words_of(why)
                )
            });
            format!("fails ({counts}{cut})\n")
        }
        ClaimOutcome::Truncated { why, population } => {
            let why = words_of(*why);
            let complete = match population.checked_sub(1).map(|last| report.covered[last].agents) {
                Some(agents) => format!("complete up to {agents} agents, without a counterexample"),
                None => "no population size was explored completely".to_owned(),
            };
            let here = &report.covered[*population];
            let at = format!("done: {} of {}", counted(here.inputs, "input"), counted(here.agents, "agent"));
            format!("truncated, {why}: {complete}; {at} ({counts})\n")
        }
    }
}
