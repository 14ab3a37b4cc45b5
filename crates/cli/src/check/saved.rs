//! [`SavedCheck`]: `acrasin check --checkpoint` and `--resume`.
//!
//! A checkpoint has three parts: `check`, the checked question as JSON; `counts`, the counts of a population protocol
//! so far; and `search`, the current exploration.

#![allow(
    clippy::disallowed_types,
    reason = "the time between two checkpoints needs a clock; no result depends on it"
)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use acrasin_amoebot::check::CheckKeeper;
use acrasin_explore::{SearchControl, SearchProgress};
use acrasin_output::{Generation, Generations, newest_generation};
use acrasin_process::CheckpointParts;
use acrasin_runtime::Digest;
use acrasin_scenario::Proceed;
use acrasin_verify::population::{ClaimControl, ClaimProgress, ClaimState};
use serde_json::{Value, json};

use super::CheckArguments;
use crate::Failure;
use crate::output::Verbosity;
use crate::supervisor::Supervisor;

const CHECK: &str = "check";
const COUNTS: &str = "counts";
const SEARCH: &str = "search";

/// The time between two checkpoints, unless the user sets it.
const EVERY: Duration = Duration::from_secs(600);

/// The supervisor of a check, and the checkpoints of the check if it has any.
pub(super) struct SavedCheck<'a> {
    supervisor: &'a Supervisor,
    /// Shows the progress of an exploration of the lock layer.
    show: &'a (dyn Fn(&SearchProgress) + Sync),
    /// Shows the progress of a check of a population protocol.
    show_claim: &'a (dyn Fn(&ClaimProgress) + Sync),
    question: Question,
    kept: Option<Kept>,
    resumed: Option<ClaimState>,
}

/// The identity of a check: program version, digest of the input, and the flags that change the answer.
struct Question {
    version: &'static str,
    digest: String,
    flags: String,
}

struct Kept {
    target: PathBuf,
    generations: Generations,
    every: Duration,
    last: Instant,
    is_written: bool,
    /// Whether saving failed because a state has no codec.
    is_refused: bool,
    failure: Option<Failure>,
}

impl Question {
    fn to_json(&self) -> Vec<u8> {
        let Self { version, digest, flags } = self;
        json!({ "acrasin": version, "kind": "check", "digest": digest, "flags": flags })
            .to_string()
            .into_bytes()
    }

    /// The first difference from a saved question, as a sentence; `None` if they are equal.
    fn difference(&self, saved: &Value) -> Option<String> {
        if saved["kind"] != "check" {
            return Some("it is not a checkpoint of a check".to_owned());
        }
        let text = |key: &str| saved[key].as_str().unwrap_or_default().to_owned();
        if text("acrasin") != self.version {
            return Some(format!(
                "it was saved by acrasin {}, and this is {}",
                text("acrasin"),
                self.version
            ));
        }
        if text("flags") != self.flags {
            return Some(format!(
                "it was saved with the flags `{}`, but the flags now are `{}`",
                text("flags"),
                self.flags
            ));
        }
        (text("digest") != self.digest).then(|| "the file, or a file that it names, has changed".to_owned())
    }
}

/// A function that shows the progress of a check.
type Show<'a, P> = &'a (dyn Fn(&P) + Sync);

impl<'a> SavedCheck<'a> {
    /// Reads the checkpoint to continue from, and reserves the file for new ones. `input` is everything that is
    /// checked, and `flags` are the flags that change the answer.
    pub(super) fn new(
        arguments: &CheckArguments,
        (input, flags): (&str, String),
        supervisor: &'a Supervisor,
        (show, show_claim): (Show<'a, SearchProgress>, Show<'a, ClaimProgress>),
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        let digest = Digest::of(input.as_bytes()).to_string();
        let question = Question { version: env!("CARGO_PKG_VERSION"), digest, flags };
        let resumed = arguments.resume.as_deref().map(|path| read(path, &question, verbosity)).transpose()?;
        let is_damaged = resumed.as_ref().is_some_and(|(_, is_previous)| *is_previous);
        let target = arguments.checkpoint.as_deref().or(arguments.resume.as_deref());
        let kept = target.map(|target| -> Result<Kept, Failure> {
            let is_own = arguments.resume.as_deref() == Some(target);
            let is_replaced = is_own && is_damaged;
            let mut generations = Generations::new(target, is_replaced, CheckpointParts::are_begun_by)?;
            if is_replaced {
                generations = generations.with_damaged_newest();
            }
            let every = arguments.every.unwrap_or(EVERY);
            let (target, last) = (target.to_owned(), Instant::now());
            let (is_written, is_refused) = (is_own, false);
            Ok(Kept { target, generations, every, last, is_written, is_refused, failure: None })
        });
        let resumed = resumed.map(|(state, _)| state);
        Ok(Self { supervisor, show, show_claim, question, kept: kept.transpose()?, resumed })
    }

    /// Tells the user how to continue a check that was ended early. Returns the error of the last checkpoint.
    pub(super) fn end(self, is_cut: bool, verbosity: Verbosity) -> Result<(), Failure> {
        let Some(Kept { target, is_written, is_refused, failure, .. }) = self.kept else { return Ok(()) };
        if let Some(failure) = failure {
            return Err(failure);
        }
        let path = target.display();
        if is_refused {
            verbosity.say(
                "note: the last states of the check are not saved: the memories of the algorithm cannot be saved, \
                 or the locks have broken a promise",
            );
        }
        match (is_cut, is_written) {
            (true, true) => verbosity.say(format_args!(
                "the check is saved; to continue it: the same command with --resume {path} in place of --checkpoint"
            )),
            (true, false) => verbosity.say("the check was ended before anything was explored: nothing is saved"),
            (false, _) => {}
        }
        Ok(())
    }

    fn verdict(&self) -> ControlFlow<()> {
        let has_failed = self.kept.as_ref().is_some_and(|kept| kept.failure.is_some());
        match self.supervisor.verdict() {
            Proceed::Continue if !has_failed => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    fn is_due(&self, is_stopped: bool) -> bool {
        let is_due =
            |kept: &Kept| kept.failure.is_none() && (is_stopped || kept.last.elapsed() >= kept.every);
        self.kept.as_ref().is_some_and(is_due)
    }

    fn keep(&mut self, ClaimState { counts, search }: ClaimState) {
        let Some(kept) = &mut self.kept else { return };
        let mut parts = CheckpointParts::default();
        parts.push(CHECK, self.question.to_json());
        parts.push(COUNTS, counts);
        if let Some(search) = search {
            parts.push(SEARCH, search);
        }
        let head = parts.head();
        match kept.generations.keep(std::iter::once(&head[..]).chain(parts.bodies())) {
            Ok(()) => kept.is_written = true,
            Err(error) => kept.failure = Some(error.into()),
        }
        kept.last = Instant::now();
    }
}

/// Reads the state of a check from its checkpoint. Also returns whether the previous checkpoint was read, because the
/// newest one is damaged.
fn read(path: &Path, question: &Question, verbosity: Verbosity) -> Result<(ClaimState, bool), Failure> {
    let decode = |file: &mut std::fs::File, length: u64| {
        let mut parts = CheckpointParts::read(file, length).map_err(|error| error.to_string())?;
        let saved = parts.part(CHECK).and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok());
        let saved = saved.zip(parts.take(COUNTS)).ok_or("it is not a checkpoint of a check".to_owned())?;
        Ok((saved, parts.take(SEARCH)))
    };
    let Generation { value: ((saved, counts), search), passed_over } = newest_generation(path, decode)?;
    if let Some(sentence) = &passed_over {
        verbosity.say(format_args!("note: {sentence}"));
    }
    if let Some(difference) = question.difference(&saved) {
        let path = path.display();
        return Err(Failure::usage(format_args!("{path} is a checkpoint of another check: {difference}"))
            .accepting("the file and flags of the saved check; or no --resume"));
    }
    Ok((ClaimState { counts, search }, passed_over.is_some()))
}

impl SearchControl for SavedCheck<'_> {
    fn proceed(&mut self, at: &SearchProgress) -> ControlFlow<()> {
        (self.show)(at);
        self.verdict()
    }

    fn resumed(&mut self) -> Option<Vec<u8>> {
        self.resumed.take()?.search
    }

    fn is_due(&mut self, is_stopped: bool) -> bool {
        Self::is_due(self, is_stopped)
    }

    fn keep(&mut self, state: Vec<u8>) {
        Self::keep(self, ClaimState { counts: Vec::new(), search: Some(state) });
    }
}

/// The checkpoints of a check of amoebots, shared by its threads.
pub(super) struct SavedAmoebotCheck<'a>(Mutex<SavedCheck<'a>>);

impl<'a> SavedAmoebotCheck<'a> {
    pub(super) fn new(check: SavedCheck<'a>) -> Self {
        Self(Mutex::new(check))
    }

    /// Ends the check as [`SavedCheck::end`] does.
    pub(super) fn end(self, is_cut: bool, verbosity: Verbosity) -> Result<(), Failure> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).end(is_cut, verbosity)
    }

    /// Whether the check must stop, because a checkpoint could not be written.
    pub(super) fn has_failed(&self) -> bool {
        self.with(|check| check.kept.as_ref().is_some_and(|kept| kept.failure.is_some()))
    }

    fn with<T>(&self, ask: impl FnOnce(&mut SavedCheck<'a>) -> T) -> T {
        ask(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl CheckKeeper for SavedAmoebotCheck<'_> {
    fn is_keeping(&self) -> bool {
        self.with(|check| check.kept.is_some())
    }

    fn resumed(&self) -> Option<Vec<u8>> {
        self.with(|check| check.resumed.take()?.search)
    }

    fn is_due(&self, is_stopped: bool) -> bool {
        self.with(|check| SavedCheck::is_due(check, is_stopped))
    }

    fn keep(&self, state: Option<Vec<u8>>) {
        self.with(|check| match (state, &mut check.kept) {
            (Some(state), _) => {
                SavedCheck::keep(check, ClaimState { counts: Vec::new(), search: Some(state) });
            }
            (None, Some(kept)) => (kept.is_refused, kept.last) = (true, Instant::now()),
            (None, None) => {}
        });
    }
}

impl ClaimControl for SavedCheck<'_> {
    fn proceed(&mut self, at: &ClaimProgress) -> ControlFlow<()> {
        (self.show_claim)(at);
        self.verdict()
    }

    fn resumed(&mut self) -> Option<ClaimState> {
        self.resumed.take()
    }

    fn is_due(&mut self, is_stopped: bool) -> bool {
        Self::is_due(self, is_stopped)
    }

    fn keep(&mut self, state: ClaimState) {
        Self::keep(self, state);
    }
}

/// Refuses the flags of checkpoints for a check that cannot be saved.
pub(super) fn refuse(arguments: &CheckArguments, what: &str) -> Result<(), Failure> {
    let flag = match arguments {
        CheckArguments { resume: Some(_), .. } => "--resume",
        CheckArguments { checkpoint: Some(_), .. } => "--checkpoint",
        _ => return Ok(()),
    };
    Err(Failure::usage(format_args!("{flag} does not apply to {what}"))
        .accepting("an exploration: of the lock layer, of a population protocol with a claim, of amoebots"))
}
