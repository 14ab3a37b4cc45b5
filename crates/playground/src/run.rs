//! A scenario as text in, what came of it out.

use std::path::Path;
use std::sync::Arc;

use acrasin_report::film::{Head, in_base64};
use acrasin_report::record::{FigureValue, RunRecord};
use acrasin_report::value::TextStyle;
use acrasin_scenario::film::{Camera, Filming, Live, facts};
use acrasin_scenario::plan::Job;
use acrasin_scenario::{Catalogue, DocumentError, Runnable, ScenarioFile, Unwatched};
use serde::{Deserialize, Serialize};

/// What a run in a page may take: WebAssembly has four gigabytes, and the page needs some of them.
const MEMORY: u64 = 1 << 30;

/// Frames and bytes that a film has at most.
const FRAMES_MAX: u64 = 200_001;
const BYTES_MAX: usize = 19_000_000;

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
#[derive(Clone, Debug, Serialize, PartialEq)]
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
    /// What the page plays; nothing of a run that keeps counts alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub film: Option<Shown>,
}

/// A film as the page takes it: the head, and chunks in base64, from number `first` on; those before it were shown earlier.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Shown {
    /// The head of all that is there.
    pub head: Head,
    /// The number of the first chunk.
    pub first: usize,
    /// The chunks.
    pub chunks: Vec<String>,
}

impl Answer {
    const NONE: Self = Self {
        exit: 0,
        diagnostic: None,
        line: None,
        column: None,
        record: None,
        digest: None,
        seed: None,
        film: None,
    };

    /// The program itself is at fault.
    pub(crate) fn of_fault(what: &str) -> Self {
        Self { exit: 1, diagnostic: Some(format!("error: {what}")), ..Self::NONE }
    }

    fn of_document(error: &DocumentError) -> Self {
        let place = (error.line(), error.column());
        Self { exit: 2, diagnostic: Some(error.to_string()), line: place.0, column: place.1, ..Self::NONE }
    }
}

/// Runs a scenario to its end: the same record and digest as `acrasin run` has for this text and seed. What there is of the film is
/// shown while it runs, whenever a chunk is complete; that changes nothing.
#[must_use]
pub fn answer(asked: &Request, show: impl FnMut(&Shown) + Send + 'static) -> Answer {
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
    let camera = Camera::within(FRAMES_MAX, BYTES_MAX).live(Shows { title: plan.title().to_owned(), show });
    let filming = Filming::new(&Unwatched, camera);
    let job = Job { seed, repetition: 0, watch: &filming, record: None };
    let finished = match plan.run_seen(job) {
        Err(error) => return Answer::of_fault(&error.to_string()),
        Ok(finished) => finished,
    };
    let record = &finished.record;
    let film = filming.into_eye().develop().map(|mut film| {
        plan.title().clone_into(&mut film.head.title);
        film.head.facts = facts(record, seed, None);
        Shown { chunks: film.in_base64(), first: 0, head: film.head }
    });
    Answer {
        exit: record.outcome().exit.code(),
        record: Some(record.to_text(TextStyle::default())),
        digest: digest(record),
        seed: Some(seed.to_string()),
        film,
        ..Answer::NONE
    }
}

/// Shows a film while it is made.
struct Shows<F> {
    title: String,
    show: F,
}

impl<F: FnMut(&Shown) + Send> Live for Shows<F> {
    fn more(&mut self, head: &Head, first: usize, chunks: &[Vec<u8>]) {
        let head = Head { title: self.title.clone(), ..head.clone() };
        let chunks = chunks.iter().map(|chunk| in_base64(chunk)).collect();
        (self.show)(&Shown { head, first, chunks });
    }
}

fn planned(asked: &Request) -> Result<Arc<dyn Runnable + Send>, DocumentError> {
    let (catalogue, base) = (Catalogue::default(), Path::new(""));
    ScenarioFile::parse(&asked.text, &asked.name, &[])?.plan(&catalogue, base, MEMORY)
}

fn digest(record: &RunRecord) -> Option<String> {
    let section = record.body().iter().find(|section| section.key() == "digest")?;
    let figure = section.figures().iter().find(|figure| figure.key() == "configuration")?;
    match figure.value() {
        FigureValue::One(value) => Some(value.to_text(TextStyle::default())),
        _ => None,
    }
}
