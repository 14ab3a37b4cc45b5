//! Runs a scenario given as text, and returns its results.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use acrasin_report::film::{Head, in_base64};
use acrasin_report::record::{FigureValue, RunRecord};
use acrasin_report::value::TextStyle;
use acrasin_scenario::film::{Live, ObservingControl, TraceRecorder, facts};
use acrasin_scenario::plan::Job;
use acrasin_scenario::{Catalogue, DocumentError, Proceed, Progress, RunControl, Runnable, ScenarioFile};
use serde::{Deserialize, Serialize};

/// The memory limit of a run in a page, in bytes. WebAssembly has at most 4 GiB, and the page needs a part of it.
const MEMORY: u64 = 1 << 30;

/// Maximum frames of a film; [`BYTES_MAX`] is the maximum number of its bytes.
const FRAMES_MAX: u64 = 200_001;
const BYTES_MAX: usize = 19_000_000;

/// A request of the page: a scenario to run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The text of the scenario.
    pub text: String,
    /// The name of the scenario in diagnostics.
    #[serde(default = "unnamed")]
    pub name: String,
    /// The seed in decimal digits. By default the seed of the scenario, or else 1.
    #[serde(default)]
    pub seed: Option<String>,
}

fn unnamed() -> String {
    "scenario.ron".to_owned()
}

/// The answer to a request. Fields that do not apply are `None`.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Answer {
    /// The exit code of `acrasin run`.
    pub exit: u8,
    /// The error in the scenario, with its position and a caret, as `acrasin run` prints it.
    pub diagnostic: Option<String>,
    /// The line of the error, from 1.
    pub line: Option<u32>,
    /// The column of the error, from 1, in characters.
    pub column: Option<u32>,
    /// The record as `acrasin run` prints it, without facts about the machine.
    pub record: Option<String>,
    /// The digest of the last configuration.
    pub digest: Option<String>,
    /// The seed of the run.
    pub seed: Option<String>,
    /// The film to play; `None` for runs that have only counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub film: Option<Shown>,
}

/// A film for the page: the head, and the chunks from number `first` on. Earlier chunks were already sent.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Shown {
    /// The head of the film so far.
    pub head: Head,
    /// The number of the first chunk.
    pub first: usize,
    /// The chunks, in base 64.
    pub chunks: Vec<String>,
}

/// A message to the page during a run.
#[derive(Clone, Debug, Serialize, PartialEq)]
#[serde(untagged)]
pub enum More {
    /// The film so far.
    Film(Box<Shown>),
    /// The progress of a run that has no film yet, because its steps are recorded first and filmed afterwards.
    Doing {
        /// The progress as text.
        doing: String,
    },
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

    /// The answer after an internal error.
    pub(crate) fn of_fault(what: &str) -> Self {
        Self { exit: 1, diagnostic: Some(format!("error: {what}")), ..Self::NONE }
    }

    fn of_document(error: &DocumentError) -> Self {
        let place = (error.line(), error.column());
        Self { exit: 2, diagnostic: Some(error.to_string()), line: place.0, column: place.1, ..Self::NONE }
    }
}

/// Runs a scenario to its end. The record and the digest are those of `acrasin run` for this text and seed. During the
/// run, `show` receives the film whenever a chunk is complete, and before that the progress. `show` does not affect the
/// run.
#[must_use]
pub fn answer(asked: &Request, show: impl FnMut(&More) + Send + 'static) -> Answer {
    let plan = match planned(asked) {
        Ok(plan) => plan,
        Err(error) => return Answer::of_document(&error),
    };
    let seed = match asked.seed.as_deref().map(str::parse::<u64>) {
        Some(Err(_)) => {
            return Answer {
                exit: 2,
                ..Answer::of_fault("the seed is not a whole number from 0 to 2^64 - 1")
            };
        }
        Some(Ok(seed)) => seed,
        None => plan.header().seed.unwrap_or(1),
    };
    let page = Arc::new(Mutex::new(PageLink { show, has_film: false }));
    let shows = FilmSender { title: plan.header().title.as_str().to_owned(), page: Arc::clone(&page) };
    let camera = TraceRecorder::within(FRAMES_MAX, BYTES_MAX).with_live(shows);
    let watch = ProgressReporter(page);
    let filming = ObservingControl::new(&watch, camera);
    let job = Job { seed, repetition: 0, watch: &filming, record: None };
    let finished = match plan.run_seen(job) {
        Err(error) => return Answer::of_fault(&error.to_string()),
        Ok(finished) => finished,
    };
    let record = &finished.record;
    let film = filming.into_eye().develop().map(|mut film| {
        plan.header().title.as_str().clone_into(&mut film.head.title);
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

/// The callback to the page, and whether the page has received a part of the film.
struct PageLink<F> {
    show: F,
    has_film: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reports the progress of a run until a part of the film is shown.
struct ProgressReporter<F>(Arc<Mutex<PageLink<F>>>);

impl<F: FnMut(&More) + Send> RunControl for ProgressReporter<F> {
    fn look(&self, at: &Progress) -> Proceed {
        let mut page = locked(&self.0);
        if !page.has_film {
            let share = at.fraction.map(|fraction| format!(", {:.0} % of its bounds", 100.0 * fraction));
            let doing = format!("{} steps{}", at.steps, share.unwrap_or_default());
            (page.show)(&More::Doing { doing });
        }
        Proceed::Continue
    }
}

/// Sends the film to the page while the run records it.
struct FilmSender<F> {
    title: String,
    page: Arc<Mutex<PageLink<F>>>,
}

impl<F: FnMut(&More) + Send> Live for FilmSender<F> {
    fn more(&mut self, head: &Head, first: usize, chunks: &[Vec<u8>]) {
        let head = Head { title: self.title.clone(), ..head.clone() };
        let chunks = chunks.iter().map(|chunk| in_base64(chunk)).collect();
        let mut page = locked(&self.page);
        page.has_film = true;
        (page.show)(&More::Film(Box::new(Shown { head, first, chunks })));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The page receives the film in parts while the run is made.
    #[test]
    fn a_run_over_messages_is_shown_while_it_is_made() {
        let text = "(seed: 1, topology: Torus(rows: 8, columns: 8), scheduler: SemiSynchronous(activation: Random(0.5)), \
                    work: Locks(each: 4))";
        let asked = Request { text: text.to_owned(), name: unnamed(), seed: None };
        let told = Arc::new(Mutex::new(Vec::new()));
        let page = Arc::clone(&told);
        let answered = answer(&asked, move |more| locked(&page).push(more.clone()));
        assert_eq!(answered.exit, 0, "{answered:?}");
        let told = locked(&told);
        let films = told.iter().filter(|more| matches!(more, More::Film(_))).count();
        assert!(films >= 2, "{films} parts of {}", told.len());
    }
}
