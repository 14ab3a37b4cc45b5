//! A scenario as text in, what came of it out.

use std::path::Path;
use std::sync::Arc;

use acrasin_report::record::{FigureValue, RunRecord};
use acrasin_report::value::TextStyle;
use acrasin_scenario::plan::Job;
use acrasin_scenario::{
    AmoebotPlan, Catalogue, DocumentError, Plan, ReactionPlan, Runnable, ScenarioFile, UniformPlan,
    UntabledPlan, Unwatched,
};
use serde::{Deserialize, Serialize};

/// What a run in a page may take: WebAssembly has four gigabytes, and the page needs some of them.
const MEMORY: u64 = 1 << 30;

/// What a page asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The scenario.
    pub text: String,
    /// What diagnostics call it.
    #[serde(default = "unnamed")]
    pub name: String,
    /// The seed in decimal digits; that of the scenario, or 1, if there is none.
    #[serde(default)]
    pub seed: Option<String>,
}

fn unnamed() -> String {
    "scenario.ron".to_owned()
}

/// What it is told.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Answer {
    /// The exit code that `acrasin run` has.
    pub exit: u8,
    /// What is wrong with the scenario, with its place and a caret, as `acrasin run` prints it.
    pub diagnostic: Option<String>,
    /// The line that is wrong, from 1.
    pub line: Option<u32>,
    /// The column, from 1, in characters.
    pub column: Option<u32>,
    /// The record as `acrasin run` prints it, without the machine.
    pub record: Option<String>,
    /// The digest of the last configuration.
    pub digest: Option<String>,
    /// The seed of the run.
    pub seed: Option<String>,
}

impl Answer {
    const NONE: Self =
        Self { exit: 0, diagnostic: None, line: None, column: None, record: None, digest: None, seed: None };

    /// The program itself is at fault.
    pub(crate) fn of_fault(what: &str) -> Self {
        Self { exit: 1, diagnostic: Some(format!("error: {what}")), ..Self::NONE }
    }

    fn of_document(error: &DocumentError) -> Self {
        let place = (error.line(), error.column());
        Self { exit: 2, diagnostic: Some(error.to_string()), line: place.0, column: place.1, ..Self::NONE }
    }
}

/// Runs a scenario to its end: the same record and digest as `acrasin run` has for this text and seed.
#[must_use]
pub fn answer(asked: &Request) -> Answer {
    let plan = match planned(asked) {
        Ok(plan) => plan,
        Err(error) => return Answer::of_document(&error),
    };
    let seed = match asked.seed.as_deref().map(str::parse::<u64>) {
        Some(Err(_)) => {
            return Answer { exit: 2, ..Answer::of_fault("the seed is no number from 0 to 2^64 - 1") };
        }
        Some(Ok(seed)) => seed,
        None => plan.seed().unwrap_or(1),
    };
    let job = Job { seed, repetition: 0, watch: &Unwatched, record: None };
    match plan.run(job) {
        Err(error) => Answer::of_fault(&error.to_string()),
        Ok(finished) => {
            let record = &finished.record;
            Answer {
                exit: record.outcome().exit.code(),
                record: Some(record.to_text(TextStyle::default())),
                digest: digest(record),
                seed: Some(seed.to_string()),
                ..Answer::NONE
            }
        }
    }
}

fn planned(asked: &Request) -> Result<Arc<dyn Runnable>, DocumentError> {
    let (catalogue, base) = (Catalogue::default(), Path::new(""));
    Ok(match ScenarioFile::parse(&asked.text, &asked.name, &[])? {
        ScenarioFile::Population(document) if UntabledPlan::is_meant(&catalogue, &document) => {
            Arc::new(UntabledPlan::within(&catalogue, &document, base, MEMORY)?)
        }
        ScenarioFile::Population(document) if UniformPlan::is_meant(&document) => {
            Arc::new(UniformPlan::within(&catalogue, &document, base, MEMORY)?)
        }
        ScenarioFile::Population(document) => Arc::new(Plan::within(&catalogue, &document, base, MEMORY)?),
        ScenarioFile::Amoebots(document) => {
            Arc::new(AmoebotPlan::within(&catalogue, &document, base, MEMORY)?)
        }
        ScenarioFile::Reactions(document) => Arc::new(ReactionPlan::new(&document)?),
    })
}

fn digest(record: &RunRecord) -> Option<String> {
    let section = record.body().iter().find(|section| section.key() == "digest")?;
    let figure = section.figures().iter().find(|figure| figure.key() == "configuration")?;
    match figure.value() {
        FigureValue::One(value) => Some(value.to_text(TextStyle::default())),
        _ => None,
    }
}
