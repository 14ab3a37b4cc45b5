//! How a run ended.

use super::section::{Figure, Section, SectionName};

/// What the end of a run means to whoever started it. Usage errors have no record, and so no variant here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// A stop condition of the scenario was met.
    Done,
    /// The run failed or a property was violated: a deadlock, for example.
    Failed,
    /// A budget (time, rounds, interactions) ran out before a stop condition was met.
    BudgetExhausted,
    /// Somebody stopped the run.
    Interrupted,
}

impl Exit {
    /// The exit code of the command: 0, 1, 3 or 130.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::BudgetExhausted => 3,
            Self::Interrupted => 130,
        }
    }

    /// The meaning of the exit code in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed or property violated",
            Self::BudgetExhausted => "budget ran out first",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How a run ended: a word, the reason, and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// One or two words that programs may compare: `silent`, `agreed`, `deadlock`.
    pub word: String,
    /// One sentence for people.
    pub reason: String,
    /// What it means to whoever started the run.
    pub exit: Exit,
}

impl Outcome {
    /// An outcome.
    pub fn new(word: impl Into<String>, reason: impl Into<String>, exit: Exit) -> Self {
        Self { word: word.into(), reason: reason.into(), exit }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_command() {
        let all = [Exit::Done, Exit::Failed, Exit::BudgetExhausted, Exit::Interrupted];
        assert_eq!(all.map(Exit::code), [0, 1, 3, 130]);
    }
}
