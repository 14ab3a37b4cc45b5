//! [`Outcome`]: the ending of a run as text.

use acrasin_process::{Ending, Exit};

use super::section::{Figure, Section, SectionName};

/// The ending of a run: a word, the reason, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// One or two words that programs may compare: `silent`, `agreed`, `deadlock`.
    pub word: String,
    /// One sentence for people.
    pub reason: String,
    /// The exit code.
    pub exit: Exit,
}

impl Outcome {
    /// The word, sentence and exit code of an ending.
    #[must_use]
    pub fn of(ending: &Ending) -> Self {
        Self { word: ending.word().to_owned(), reason: ending.to_string(), exit: ending.exit() }
    }

    /// The outcome as the first section of a record.
    pub fn section(&self) -> Section {
        let mut section = Section::of(SectionName::Outcome);
        section.push(Figure::new("word", "ended as", self.word.as_str()));
        section.push(Figure::new("reason", "reason", self.reason.as_str()));
        section.push(Figure::new("exit_code", "exit code", u64::from(self.exit.code())));
        section.push(Figure::new("exit_meaning", "exit meaning", self.exit.meaning()));
        section
    }
}
