//! `acrasin check --all`: a claim about every population size.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use acrasin_catalogue::counted;
use acrasin_certificate::limits::DRAWN_NODES_MAX;
use acrasin_certificate::{Certificate, CertificateRefusal, Explanation, explain};
use acrasin_explore::Limits;
use acrasin_output::OutputFile;
use acrasin_protocols::predicate::LinearFormula;
use acrasin_protocols::{Table, analysis};
use acrasin_prover::{
    EverySize, EverySizeProof, EverySizeReport, InteractionBound, OpenQuestion, ProofLimits, SizedClaim,
    SmallerPopulations, WrongPopulation, covers_an_input, interaction_bound, prove,
};
use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::Proceed;
use acrasin_verify::population::{
    self, CheckedPopulation, Claim, ClaimOutcome, PopulationConfiguration, PopulationCounterexample,
};

use super::CheckArguments;
use super::arguments::ClaimArguments;
use super::check_target::{CheckTarget, heading};
use super::facts::listed;
use crate::output::Verbosity;
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, output};

/// The stack of the search, which recurses once for each split and case.
const STACK: usize = 256 << 20;

/// Interval at which the search is asked to stop, if the time is over.
const LOOK: Duration = Duration::from_millis(20);

/// Counterexamples of at most this many agents are searched again for a shortest run.
const SEARCHED_AGAIN: u64 = 9;

/// Live transitions that an open question lists.
const LISTED: usize = 6;

/// Proves or refutes the claim for every population of 2 and more agents.
pub(super) fn check(
    arguments: &CheckArguments,
    subject: &CheckTarget,
    claim: &Claim,
    supervisor: &Supervisor,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let wanted = &arguments.population;
    if wanted.graph.as_deref().is_some_and(|graph| graph != "complete") || wanted.direction.is_some() {
        return Err(Failure::usage("--all is about the complete graph").accepting("--all without --graph"));
    }
    let sized = SizedClaim::of(&subject.table, &subject.inputs, claim);
    refuse_constants(&wanted.claim, subject, claim)?;
    let path = wanted.certificate.as_deref();
    let file = path.map(|path| OutputFile::new(path, true)).transpose()?;
    interrupt::a_run_begins();
    let (report, bound) = searched(&sized, supervisor, wanted.claim.given.as_deref())?;
    supervisor.progress().finish();
    let mut keep_going = || match supervisor.verdict() {
        Proceed::Continue => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let (exit, text) = match &report.verdict {
        EverySize::Proved(proof) => {
            let text = proof.certificate.to_string();
            let parsed = Certificate::parse(&text);
            let inputs = &subject.inputs;
            let checked = match &parsed {
                Err(error) => Err(format!("{}: {}", error.place(), error.message())),
                Ok(certificate) if wanted.explain || wanted.picture.is_some() => {
                    explain(certificate, &subject.table, inputs, claim, &mut keep_going)
                        .map(Some)
                        .map_err(|refusal| refused(&refusal))
                }
                Ok(certificate) => {
                    acrasin_certificate::check(certificate, &subject.table, inputs, claim, &mut keep_going)
                        .map(|_| None)
                        .map_err(|refusal| refused(&refusal))
                }
            };
            match checked {
                Err(_) if keep_going().is_break() => return Ok(ended(verbosity)),
                Err(why) => (
                    Exit::BudgetExhausted,
                    format!(
                        "UNKNOWN  the certificate of the search was refused, an error of acrasin: {why}\n"
                    ),
                ),
                Ok(explanation) => {
                    let mut said = proved(proof, bound.as_ref());
                    if let (Some(file), Some(path)) = (file, path) {
                        file.write(format!("{text}\n").as_bytes())?;
                        said += &format!("certificate: {}\n", path.display());
                    }
                    if let (Some(picture), Some(explanation)) = (&wanted.picture, &explanation) {
                        draw(picture, explanation)?;
                    }
                    if let Some(explanation) = explanation.filter(|_| wanted.explain) {
                        said += &format!("\n{}", explanation.text());
                    }
                    (Exit::Done, said)
                }
            }
        }
        EverySize::Refuted(wrong) => {
            let counterexample =
                counterexample(arguments, subject, claim, &sized, wrong, supervisor, verbosity)?;
            (Exit::Failed, refuted(subject, claim, wrong, &counterexample))
        }
        EverySize::Unknown(open) => (Exit::BudgetExhausted, unknown(&subject.table, &sized, open)),
        EverySize::Interrupted if interrupt::is_asked_to_stop() => return Ok(ended(verbosity)),
        EverySize::Interrupted => {
            let text =
                "UNKNOWN  the time was over before the search had an answer: the claim may hold or fail\n";
            (Exit::BudgetExhausted, text.to_owned())
        }
    };
    let text = match arguments.format.0 {
        Format::Table => format!("{}complete graph, 2 and more agents\n\n{text}", heading(subject)),
        format => rows(&report, bound.as_ref(), &text).render(format, TextStyle::PLAIN),
    };
    output::print(&text)?;
    Ok(exit)
}

fn refused(refusal: &CertificateRefusal) -> String {
    format!("{}: {}", refusal.place(), refusal.reason())
}

/// Writes the tree of stages as SVG.
pub(super) fn draw(path: &Path, explanation: &Explanation) -> Result<(), Failure> {
    let Some(svg) = explanation.svg() else {
        let nodes = counted(explanation.summary().nodes(), "node");
        return Err(Failure::usage(format_args!("the tree has {nodes}"))
            .accepting(format_args!("--picture for trees of at most {DRAWN_NODES_MAX} nodes")));
    };
    OutputFile::or_stream(path)?.write(svg.as_bytes())?;
    Ok(())
}

/// The end of a search that was stopped.
fn ended(verbosity: Verbosity) -> Exit {
    verbosity.say("stopped before the search had an answer: the claim may hold or fail");
    if interrupt::is_asked_to_stop() { Exit::Interrupted } else { Exit::BudgetExhausted }
}

/// Refuses predicates that are constant because they count no state that can have agents: people write `1 >= 4` and
/// mean a state called 1.
pub(super) fn refuse_constants(
    wanted: &ClaimArguments,
    subject: &CheckTarget,
    claim: &Claim,
) -> Result<(), Failure> {
    let table = &subject.table;
    let inputs: BTreeSet<usize> = subject.inputs.iter().map(|&state| usize::from(state)).collect();
    let reached = analysis::reachable_states(table, &subject.inputs);
    let occurring: BTreeSet<usize> = (0..reached.len()).filter(|&state| reached[state]).collect();
    let names = |states: &BTreeSet<usize>| listed(states.iter().map(|&state| table.state_name(state as u16)));
    let of_predicate = match (&wanted.predicate, &wanted.eventually) {
        (Some(text), _) => Some(("--predicate", text, &inputs, "input state")),
        (None, Some(text)) => Some(("--eventually", text, &occurring, "state that can occur")),
        (None, None) => None,
    };
    let of_given = wanted.given.as_ref().map(|text| ("--given", text, &inputs, "input state"));
    let formulas = [Some(claim.predicate()), claim.condition()];
    for (about, formula) in [of_predicate, of_given].into_iter().zip(formulas) {
        let (Some((flag, text, states, kind)), Some(formula)) = (about, formula) else { continue };
        let mut counts = BTreeSet::new();
        counted_states(&formula.linear(), &mut counts);
        if counts.is_disjoint(states) {
            return Err(Failure::usage(format_args!("{flag} {text:?} counts no {kind} of the claim"))
                .accepting(format_args!(
                    "a predicate about {}; a state whose name is a number is written in quotes: '1' >= 4",
                    names(states)
                )));
        }
    }
    Ok(())
}

fn counted_states(formula: &LinearFormula, into: &mut BTreeSet<usize>) {
    match formula {
        LinearFormula::All(members) | LinearFormula::Any(members) => {
            for member in members {
                counted_states(member, into);
            }
        }
        LinearFormula::Compare(left, _, right) => {
            into.extend(left.factors.keys().chain(right.factors.keys()));
        }
    }
}

/// Searches in a thread with a large stack, until the supervisor ends it.
fn searched(
    sized: &SizedClaim,
    supervisor: &Supervisor,
    given: Option<&str>,
) -> Result<(EverySizeReport, Option<InteractionBound>), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let limits = ProofLimits { stop: Arc::clone(&stop), ..ProofLimits::default() };
    let (send, receive) = mpsc::channel();
    let search = || {
        let report = covers_an_input(sized, &limits).then(|| {
            let report = prove(sized, &limits);
            let is_proved = matches!(report.verdict, EverySize::Proved(_));
            let bound = is_proved.then(|| interaction_bound(sized, &limits)).flatten();
            (report, bound)
        });
        // The other end waits for exactly this.
        let _ = send.send(report);
    };
    let report = thread::scope(|scope| {
        let search =
            thread::Builder::new().name("proof".to_owned()).stack_size(STACK).spawn_scoped(scope, search);
        search.map_err(|error| Failure::of_machine(format_args!("no thread for the search: {error}")))?;
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(report) => return Ok(report),
                Err(RecvTimeoutError::Timeout) => {
                    if !matches!(supervisor.verdict(), Proceed::Continue) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::of_machine("the search ended without an answer"));
                }
            }
        }
    })?;
    report.ok_or_else(|| no_input(given.unwrap_or_default()))
}

/// The refusal of a condition that no input meets.
pub(super) fn no_input(given: &str) -> Failure {
    Failure::usage(format_args!("--given {given:?}: no input of 2 and more agents meets it"))
        .accepting("a condition that some input meets; --inputs says in which states agents start")
}

fn proved(proof: &EverySizeProof, bound: Option<&InteractionBound>) -> String {
    let [nodes, steps] = [counted(proof.nodes, "node"), counted(proof.steps, "step")];
    let inferences = counted(proof.proof_nodes, "inference");
    let end = match proof.live {
        0 => "every fair execution becomes silent".to_owned(),
        live => format!("never silent: {} live at the end", counted(live as u64, "transition")),
    };
    let bound = bound.map_or_else(String::new, |bound| {
        format!("mean number of interactions until it is right for good: {bound}\n")
    });
    format!(
        "PROVED  for every population of 2 and more agents\n{nodes}, {steps}, {inferences}; {end}\n{bound}"
    )
}

fn refuted(
    subject: &CheckTarget,
    claim: &Claim,
    wrong: &WrongPopulation,
    counterexample: &PopulationCounterexample,
) -> String {
    let agents: u64 = counterexample.input.iter().sum();
    let smaller = match &wrong.smaller {
        SmallerPopulations::Explored => "no smaller population is wrong: all were explored".to_owned(),
        SmallerPopulations::Proved(_) => {
            "no smaller population is wrong: the claim is proved for them".to_owned()
        }
        SmallerPopulations::Unknown(size) => {
            format!("populations of up to {size} agents are right; smaller counterexamples may exist above")
        }
    };
    let text = counterexample.describe(&subject.table, claim.text());
    format!("REFUTED  by a population of {}\n{text}{smaller}\n", counted(agents, "agent"))
}

fn unknown(table: &Table, sized: &SizedClaim, open: &OpenQuestion) -> String {
    let mut text = "UNKNOWN  neither a proof nor a counterexample was found".to_owned();
    text += if open.limited { " within the limits of the search\n" } else { "\n" };
    let name = |state: usize| table.state_name(state as u16);
    let side =
        if open.value { "for which the predicate holds" } else { "for which the predicate does not hold" };
    let _ = writeln!(text, "open: inputs {side}");
    if !open.live.is_empty() {
        let shown = open.live.iter().take(LISTED).map(|&number| {
            let transition = sized.transitions()[number];
            let [[a, b], [c, d]] = [transition.before.map(name), transition.after.map(name)];
            format!("{a} + {b} -> {c} + {d}")
        });
        let more = open.live.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ =
            writeln!(text, "transitions that may stay live: {}{more}", shown.collect::<Vec<_>>().join("; "));
    }
    if let Some((input, end)) = &open.candidate {
        let described = |counts: &[u64]| configuration(counts).describe(table);
        let _ = writeln!(text, "{} might be a wrong end of the input {}", described(end), described(input));
    }
    let _ = writeln!(text, "no wrong input up to {}", counted(open.explored, "agent"));
    text
}

fn configuration(counts: &[u64]) -> PopulationConfiguration {
    PopulationConfiguration { counts: counts.to_vec(), nodes: None }
}

/// The counterexample with a shortest run, as without `--all`, if the population is small; otherwise the run of the
/// search, replayed.
fn counterexample(
    arguments: &CheckArguments,
    subject: &CheckTarget,
    claim: &Claim,
    sized: &SizedClaim,
    wrong: &WrongPopulation,
    supervisor: &Supervisor,
    verbosity: Verbosity,
) -> Result<PopulationCounterexample, Failure> {
    let agents: u64 = wrong.end.input.iter().sum();
    if agents <= SEARCHED_AGAIN {
        let (bytes, threads) = arguments.explorers(verbosity)?;
        let population = CheckedPopulation::complete(agents as u32).map_err(Failure::usage)?;
        let search = || {
            population::check(
                &subject.table,
                claim,
                &subject.inputs,
                std::slice::from_ref(&population),
                &Limits::bytes(bytes),
                |_| match supervisor.verdict() {
                    Proceed::Continue => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                },
            )
        };
        if let ClaimOutcome::Fails(found) = threads.install(search).outcome {
            return Ok(*found);
        }
    }
    wrong
        .end
        .replayed(&subject.table, claim, sized)
        .ok_or_else(|| Failure::of_machine("the run of the search cannot be replayed, an error of acrasin"))
}

/// One row for programs.
fn rows(report: &EverySizeReport, bound: Option<&InteractionBound>, text: &str) -> ResultTable {
    let columns =
        ["result", "agents", "nodes", "steps", "inferences", "live transitions", "pivots", "queries"];
    let columns = columns.into_iter().map(Column::new).chain([
        Column::new("growth").with_key("right_mean_growth"),
        Column::new("bound").with_key("right_mean_bound"),
        Column::new("text"),
    ]);
    let mut rows = ResultTable::new(columns);
    let missing = || Value::Missing;
    let (result, agents, of_proof) = match &report.verdict {
        EverySize::Proved(proof) => {
            let counts = [proof.nodes, proof.steps, proof.proof_nodes, proof.live as u64];
            ("proved", missing(), counts.map(Value::Integer))
        }
        EverySize::Refuted(wrong) => {
            let agents = Value::Integer(wrong.end.input.iter().sum());
            ("refuted", agents, std::array::from_fn(|_| Value::Missing))
        }
        EverySize::Unknown(_) | EverySize::Interrupted => {
            ("unknown", missing(), std::array::from_fn(|_| Value::Missing))
        }
    };
    let mut row = vec![result.into(), agents];
    row.extend(of_proof);
    row.extend([Value::Integer(report.pivots), Value::Integer(report.queries)]);
    let growth = bound.map(|bound| bound.growth().to_string());
    let formula = bound.and_then(InteractionBound::formula);
    row.extend([growth, formula].map(|text| text.map_or(Value::Missing, Value::Text)));
    row.push(Value::Text(text.to_owned()));
    rows.push(row);
    rows
}
