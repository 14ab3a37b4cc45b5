//! Counterexamples of population protocols, and their recordings.

use std::borrow::Cow;
use std::path::PathBuf;
use std::{fs, io};

use acrasin_catalogue::counted;
use acrasin_scenario::Catalogue;
use acrasin_scenario::check::ViolatingRun;
use acrasin_scenario::plan::{Initiator, InteractionRun};
use acrasin_verify::population::{Claim, PopulationCounterexample};

use super::CheckArguments;
use super::check_target::CheckTarget;
use crate::Failure;
use crate::recording::Recording;
use crate::run::refuse_to_replace_input;

/// The file of `--record`, if one is requested.
pub(super) fn recording(
    arguments: &CheckArguments,
    subject: &CheckTarget,
) -> Result<Option<Recording>, Failure> {
    let Some(path) = arguments.locks.record.as_deref() else { return Ok(None) };
    let wanted = &arguments.population;
    if wanted.exact_time || subject.claim.is_none() {
        let without =
            if wanted.exact_time { "be combined with --exact-time" } else { "be used without a claim" };
        return Err(Failure::usage(format_args!("--record cannot {without}"))
            .accepting("--record with --predicate or --eventually"));
    }
    let graph = wanted.graph.as_deref().unwrap_or("complete");
    if family(graph).is_none() {
        return Err(Failure::usage(format_args!("--record cannot be combined with --graph {graph}"))
            .accepting("--record with --graph complete, ring, path or star"));
    }
    if graph != "complete" && wanted.direction.unwrap_or(subject.initiator) != Initiator::Either {
        return Err(Failure::usage("--record cannot be combined with a direction of the edges")
            .accepting("--record with --direction either"));
    }
    let inputs: Vec<PathBuf> = fs::canonicalize(&arguments.file).into_iter().collect();
    refuse_to_replace_input("--record", Some(path), &inputs)?;
    Recording::new(path, arguments.max_time).map(Some)
}

/// The family of graphs that scenarios know, for a name of `--graph`.
pub(super) fn family(graph: &str) -> Option<&'static str> {
    let families = [("complete", "Complete"), ("ring", "Ring"), ("path", "Path"), ("star", "Star")];
    families.into_iter().find(|(name, _)| *name == graph).map(|(_, family)| family)
}

/// A counterexample to a claim about a population protocol.
pub(super) struct ClaimViolation<'a> {
    pub(super) subject: &'a CheckTarget,
    pub(super) claim: &'a Claim,
    /// The family of the interaction graph, as scenarios name it.
    pub(super) family: &'static str,
    pub(super) found: &'a PopulationCounterexample,
    pub(super) catalogue: &'a Catalogue,
}

impl ViolatingRun for ClaimViolation<'_> {
    const KIND: &'static str = "counterexample";

    fn steps(&self) -> usize {
        self.found.run.len()
    }

    fn text(&self, _: [&str; 2]) -> String {
        self.found.describe(&self.subject.table, self.claim.text())
    }

    fn recording(&self) -> io::Result<Option<Cow<'_, [u8]>>> {
        let Self { subject: CheckTarget { table, .. }, claim, found, catalogue, .. } = self;
        let entered = &found.bottom.entered;
        let kind = if claim.is_eventual() { "eventually" } else { "computes" };
        let nodes: u64 = found.input.iter().sum();
        let topology = format!("{}(nodes: {nodes})", self.family);
        let run = InteractionRun {
            table,
            topology: &topology,
            start: &found.start,
            interactions: &found.run,
            title: &format!("Counterexample to the claim: {kind} {}", claim.text()),
            end: &format!(
                "a wrong end that stays, {} with the outputs {}",
                entered.describe(table),
                entered.describe_outputs(table)
            ),
        };
        let mut recording = Vec::new();
        run.record(catalogue, &mut recording)?;
        Ok(Some(recording.into()))
    }

    fn recorded(&self, _: &str) -> String {
        format!("--record: a counterexample, {}", counted(self.found.run.len(), "interaction"))
    }

    fn offer(&self) -> Option<&'static str> {
        None
    }
}
