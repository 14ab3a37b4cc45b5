//! `acrasin check --all`: a claim about every population size.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use acrasin_catalogue::counted;
use acrasin_certificate::limits::DRAWN_NODES_MAX;
use acrasin_certificate::{Certificate, CertificateRefusal, Explanation, explain};
use acrasin_explore::Limits;
use acrasin_output::OutputFile;
use acrasin_protocols::Table;
use acrasin_prover::{
    CertificateFormat, ClaimPart, EverySize, EverySizeProof, EverySizeReport, InteractionBound, OpenQuestion,
    ProofLimits, SizedClaim, SmallerPopulations, WrongPopulation, covers_an_input, interaction_bound,
    on_large_stack, prove,
};
use acrasin_report::record::Exit;
use acrasin_report::table::{Column, Format, ResultTable};
use acrasin_report::value::{TextStyle, Value};
use acrasin_scenario::check::{CheckReport, PropertyVerdict, Verdict};
use acrasin_scenario::{Catalogue, Proceed};
use acrasin_verify::population::{self, CheckedPopulation, Claim, ClaimOutcome, PopulationCounterexample};

use super::CheckArguments;
use super::arguments::ClaimArguments;
use super::check_target::{CheckTarget, heading};
use super::conclusion::record;
use super::facts::listed;
use super::recorded::ClaimViolation;
use crate::output::Verbosity;
use crate::recording::Recording;
use crate::run::refuse_to_replace_input;
use crate::supervisor::Supervisor;
use crate::{Failure, interrupt, output, stream};

/// The maximum number of agents of a counterexample for which a shortest run is searched.
const SEARCHED_AGAIN: u64 = 9;

/// Proves or refutes the claim for every population of two or more agents.
pub(super) fn check(
    arguments: &CheckArguments,
    (subject, claim): (&CheckTarget, &Claim),
    (recording, catalogue): (Option<Recording>, &Catalogue),
    supervisor: &Supervisor,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let wanted = &arguments.population;
    if wanted.graph.as_deref().is_some_and(|graph| graph != "complete") || wanted.direction.is_some() {
        return Err(Failure::usage("--all cannot be combined with --graph or --direction")
            .accepting("--all on the complete graph, without these flags"));
    }
    let sized = SizedClaim::of(&subject.table, &subject.inputs, claim);
    refuse_constants(&wanted.claim, &subject.table, &sized)?;
    let path = wanted.certificate.as_deref();
    let inputs: Vec<PathBuf> = std::fs::canonicalize(&arguments.file).into_iter().collect();
    refuse_to_replace_input("--certificate", path, &inputs)?;
    refuse_to_replace_input("--picture", wanted.picture.as_deref(), &inputs)?;
    let file = path.map(|path| OutputFile::new(path, true)).transpose()?;
    interrupt::a_run_begins();
    let format = wanted.certificate_format.unwrap_or_default();
    let (answer, bound) = searched(&sized, format, supervisor, wanted.claim.given.as_deref())?;
    supervisor.progress().finish();
    let mut keep_going = || going(supervisor);
    let mut found = None;
    let (exit, text) = match &answer.verdict {
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
                        "UNKNOWN  the checker refused the certificate of the search, a bug in acrasin: {why}\n"
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
            let text = refuted(subject, claim, wrong, &counterexample);
            found = Some(counterexample);
            (Exit::Failed, text)
        }
        EverySize::Unknown(open) => (Exit::BudgetExhausted, unknown(&subject.table, &sized, open, format)),
        EverySize::Interrupted if interrupt::is_asked_to_stop() => return Ok(ended(verbosity)),
        EverySize::Interrupted => {
            let text =
                "UNKNOWN  the time was over before the search had an answer: the claim may hold or fail\n";
            (Exit::BudgetExhausted, text.to_owned())
        }
    };
    let text = match arguments.format.0 {
        Format::Table => format!("{}complete graph, two or more agents\n\n{text}", heading(subject)),
        format => rows(&answer, bound.as_ref(), &text).render(format, TextStyle::PLAIN),
    };
    output::print(&text)?;
    let run =
        found.as_ref().map(|found| ClaimViolation { subject, claim, family: "Complete", found, catalogue });
    let verdict = run.map_or(Verdict::Open, Verdict::Broken);
    let report = CheckReport::new(vec![PropertyVerdict { property: "", source: "", verdict }]);
    record(recording, &report, verbosity)?;
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
    stream::write(path, svg.as_bytes())?;
    Ok(())
}

/// The exit status of a search that was stopped.
fn ended(verbosity: Verbosity) -> Exit {
    verbosity.say("stopped before the search had an answer: the claim may hold or fail");
    if interrupt::is_asked_to_stop() { Exit::Interrupted } else { Exit::BudgetExhausted }
}

/// Refuses predicates that are constant because they only count states that never have agents.
pub(super) fn refuse_constants(
    wanted: &ClaimArguments,
    table: &Table,
    sized: &SizedClaim,
) -> Result<(), Failure> {
    let Some((part, states)) = sized.constant_part() else { return Ok(()) };
    let (flag, text, kind) = match (part, &wanted.predicate, &wanted.eventually) {
        (ClaimPart::Given, ..) => ("--given", &wanted.given, "input state"),
        (ClaimPart::Goal, Some(_), _) => ("--predicate", &wanted.predicate, "input state"),
        (ClaimPart::Goal, None, _) => ("--eventually", &wanted.eventually, "state that can occur"),
    };
    let text = text.as_deref().unwrap_or_default();
    let names = listed(states.iter().map(|&state| table.state_name(state as u16)));
    Err(Failure::usage(format_args!("{flag} {text:?} counts no {kind} in a comparison")).accepting(
        format_args!(
            "a predicate about {names}; a state whose name is a number is written in quotes: '1' >= 4"
        ),
    ))
}

/// Runs the search in a thread with a large stack, until it ends or the supervisor stops it.
fn searched(
    sized: &SizedClaim,
    format: CertificateFormat,
    supervisor: &Supervisor,
    given: Option<&str>,
) -> Result<(EverySizeReport, Option<InteractionBound>), Failure> {
    let keep_going = || going(supervisor);
    let report = on_large_stack(keep_going, |limits| {
        let limits = &ProofLimits { format, ..limits.clone() };
        covers_an_input(sized, limits).then(|| {
            let report = prove(sized, limits);
            let is_proved = matches!(report.verdict, EverySize::Proved(_));
            let bound = is_proved.then(|| interaction_bound(sized, limits)).flatten();
            (report, bound)
        })
    });
    report
        .map_err(|error| Failure::of_machine(format_args!("the search cannot start a thread: {error}")))?
        .ok_or_else(|| no_input(given.unwrap_or_default()))
}

/// Returns `Break` once the supervisor ends the search.
pub(super) fn going(supervisor: &Supervisor) -> ControlFlow<()> {
    match supervisor.verdict() {
        Proceed::Continue => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}

/// The error for a condition `--given` that no input satisfies.
pub(super) fn no_input(given: &str) -> Failure {
    Failure::usage(format_args!("--given {given:?}: no input of two or more agents meets it"))
        .accepting("a condition that some input meets; --inputs says in which states agents start")
}

fn proved(proof: &EverySizeProof, bound: Option<&InteractionBound>) -> String {
    let [nodes, steps] = [counted(proof.nodes, "tree node"), counted(proof.steps, "step")];
    let inferences = counted(proof.proof_nodes, "inference");
    let end = match proof.live {
        0 => "every fair execution becomes silent".to_owned(),
        live => {
            format!("silence is not proved: up to {} may occur forever", counted(live as u64, "transition"))
        }
    };
    let bound = bound.map_or_else(String::new, |bound| {
        format!(
            "bound on the expected number of interactions until all agents are correct permanently: {bound}\n"
        )
    });
    format!(
        "PROVED  for every population of two or more agents\nproof: {nodes}, {steps}, {inferences}; {end}\n{bound}"
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
        SmallerPopulations::Explored => {
            "no smaller population is a counterexample: all were explored".to_owned()
        }
        SmallerPopulations::Proved(_) => {
            "no smaller population is a counterexample: the claim is proved for them".to_owned()
        }
        SmallerPopulations::Unknown(size) => {
            format!(
                "populations of up to {size} agents are correct; there may be smaller counterexamples above that size"
            )
        }
    };
    let text = counterexample.describe(&subject.table, claim.text());
    format!("REFUTED  by a population of {}\n{text}{smaller}\n", counted(agents, "agent"))
}

fn unknown(table: &Table, sized: &SizedClaim, open: &OpenQuestion, format: CertificateFormat) -> String {
    let further = match format {
        CertificateFormat::WholeRuns => "--certificate-format all-n/2 allows further lemmas\n",
        CertificateFormat::PartsOfRuns => "",
    };
    let open = open.describe(table, sized);
    format!("UNKNOWN  neither a proof nor a counterexample was found\n{open}{further}")
}

/// The counterexample with a run to it. In a small population it is a shortest run, as without `--all`; otherwise it is
/// the run that the search found, after a replay.
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
                |_| going(supervisor),
            )
        };
        if let ClaimOutcome::Fails(found) = threads.install(search).outcome {
            return Ok(*found);
        }
    }
    wrong
        .end
        .replayed(&subject.table, claim, sized)
        .ok_or_else(|| Failure::of_machine("the run of the search cannot be replayed, a bug in acrasin"))
}

/// The result as one row for programs.
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
