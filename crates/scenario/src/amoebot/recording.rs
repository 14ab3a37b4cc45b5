//! What amoebots did, action by action, in a file: `[amoebot, "label", [draws]?, [lock set]?]`, a line each.

use std::io::{self, Write};

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::run::concurrent::Completed;
use acrasin_verify::replay::{End, Header, StepWriter};
use serde::Deserialize;

/// One line.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Line(u32, String, #[serde(default)] Vec<u32>, #[serde(default)] Option<Vec<u32>>);

impl Line {
    /// `None` of a label that is not one of these.
    pub(super) fn completed(self, labels: &[String]) -> Option<Completed> {
        let Self(id, label, picks, lock_set) = self;
        let action = labels.iter().position(|known| *known == label)?;
        let ids = |numbers: Vec<u32>| numbers.into_iter().map(AmoebotId).collect();
        Some(Completed { id: AmoebotId(id), action, picks, lock_set: lock_set.map(ids) })
    }

    pub(super) fn label(&self) -> &str {
        &self.1
    }
}

/// Writes a recording while amoebots act.
pub(super) struct Recorder<'a> {
    writer: StepWriter<Box<dyn Write + 'a>>,
    labels: Vec<String>,
}

impl<'a> Recorder<'a> {
    /// Writes the first line.
    pub(super) fn new(sink: Box<dyn Write + 'a>, header: &Header, labels: Vec<String>) -> io::Result<Self> {
        Ok(Self { writer: StepWriter::new(sink, header)?, labels })
    }

    pub(super) fn write(&mut self, completed: Completed) -> io::Result<()> {
        let Completed { id, action, picks, lock_set } = completed;
        let (id, label) = (id.0, self.labels[action].as_str());
        match lock_set {
            Some(lock_set) => {
                let numbers: Vec<u32> = lock_set.into_iter().map(|id| id.0).collect();
                self.writer.step(&(id, label, picks, numbers))
            }
            None if picks.is_empty() => self.writer.step(&(id, label)),
            None => self.writer.step(&(id, label, picks)),
        }
    }

    /// Writes the last line.
    pub(super) fn end(self, end: &End) -> io::Result<()> {
        self.writer.end(end)
    }
}
