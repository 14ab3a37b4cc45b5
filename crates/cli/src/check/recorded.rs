//! `--record` for population protocols: the run to a counterexample.

use std::fs;
use std::path::PathBuf;

use acrasin_catalogue::counted;
use acrasin_scenario::Catalogue;
use acrasin_scenario::plan::InteractionRun;
use acrasin_verify::population::{Claim, PopulationCounterexample};

use super::CheckArguments;
use super::check_target::CheckTarget;
use crate::Failure;
use crate::output::Verbosity;
use crate::recording::Recording;
use crate::run::refuse_to_replace_input;

/// The file of `--record`, if one is requested.
pub(super) fn recording(arguments: &CheckArguments, has_claim: bool) -> Result<Option<Recording>, Failure> {
    let Some(path) = arguments.locks.record.as_deref() else { return Ok(None) };
    let wanted = &arguments.population;
    if wanted.exact_time || !has_claim {
        let without =
            if wanted.exact_time { "be combined with --exact-time" } else { "be used without a claim" };
        return Err(Failure::usage(format_args!("--record cannot {without}"))
            .accepting("--record with --predicate or --eventually"));
    }
    if let Some(graph) = wanted.graph.as_deref().filter(|&graph| graph != "complete") {
        return Err(Failure::usage(format_args!("--record cannot be combined with --graph {graph}"))
            .accepting("--record without --graph"));
    }
    let inputs: Vec<PathBuf> = fs::canonicalize(&arguments.file).into_iter().collect();
    refuse_to_replace_input("--record", Some(path), &inputs)?;
    Recording::new(path).map(Some)
}

/// Records the run to the counterexample, if one is requested.
pub(super) fn record(
    recording: Option<Recording>,
    (subject, claim): (&CheckTarget, &Claim),
    found: Option<&PopulationCounterexample>,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    let Some(mut recording) = recording else { return Ok(()) };
    let Some(found) = found else {
        verbosity.say("no counterexample was found: no run is recorded");
        return Ok(());
    };
    let table = &subject.table;
    let entered = &found.bottom.entered;
    let interactions: Vec<[[u16; 2]; 2]> = found.run.iter().map(|one| [one.before, one.after]).collect();
    let kind = if claim.is_eventual() { "eventually" } else { "computes" };
    let run = InteractionRun {
        table,
        start: &found.input,
        interactions: &interactions,
        title: &format!("Counterexample to the claim: {kind} {}", claim.text()),
        end: &format!(
            "a wrong end that stays, {} with the outputs {}",
            entered.describe(table),
            entered.describe_outputs(table)
        ),
    };
    run.record(catalogue, recording.sink()).map_err(Failure::of_machine)?;
    recording.publish(true, verbosity)?;
    verbosity.say(format_args!("--record: a counterexample, {}", counted(interactions.len(), "interaction")));
    Ok(())
}
