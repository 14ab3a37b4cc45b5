//! Recordings of amoebot actions: one `[amoebot, "label", [draws]?, [lock set]?, "movement" or "writes"?]` per line.
//! The last part is written if the run stopped in the middle of the action, and says which part of the action was
//! executed.

use std::io::{self, Write};

use acrasin_amoebot::AmoebotId;
use acrasin_amoebot::algorithm::Portion;
use acrasin_amoebot::run::concurrent::Completed;
use acrasin_verify::replay::{Header, ReplayEnd, StepWriter};
use serde::{Deserialize, Serialize};

/// A line of a recording of actions.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename = "Line")]
pub(super) struct RecordingLine(
    u32,
    String,
    #[serde(default)] Vec<u32>,
    #[serde(default)] Option<Vec<u32>>,
    #[serde(default)] Option<HalfDone>,
);

/// The executed part of an action that was not completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum HalfDone {
    Movement,
    Writes,
}

impl RecordingLine {
    /// The completed action of this line; `None` if `labels` does not contain its label.
    pub(super) fn completed(self, labels: &[String]) -> Option<Completed> {
        let Self(id, label, picks, lock_set, part) = self;
        let action = labels.iter().position(|known| *known == label)?;
        let ids = |numbers: Vec<u32>| numbers.into_iter().map(AmoebotId).collect();
        let portion = match part {
            None => Portion::Whole,
            Some(HalfDone::Movement) => Portion::Movement,
            Some(HalfDone::Writes) => Portion::Writes,
        };
        Some(Completed { id: AmoebotId(id), action, picks, lock_set: lock_set.map(ids), portion })
    }

    pub(super) fn label(&self) -> &str {
        &self.1
    }
}

/// Writes a recording while amoebots act.
pub(super) struct ActionRecorder<'a> {
    writer: StepWriter<Box<dyn Write + 'a>>,
    labels: Vec<String>,
}

impl<'a> ActionRecorder<'a> {
    /// Begins a recording: writes its first line.
    pub(super) fn new(sink: Box<dyn Write + 'a>, header: &Header, labels: Vec<String>) -> io::Result<Self> {
        Ok(Self { writer: StepWriter::new(sink, header)?, labels })
    }

    /// Continues a recording that already has this number of steps.
    pub(super) fn continued(sink: Box<dyn Write + 'a>, steps: u64, labels: Vec<String>) -> Self {
        Self { writer: StepWriter::continued(sink, steps), labels }
    }

    /// The number of actions in the recording.
    pub(super) fn steps(&self) -> u64 {
        self.writer.steps()
    }

    pub(super) fn write(&mut self, completed: Completed) -> io::Result<()> {
        let Completed { id, action, picks, lock_set, portion } = completed;
        let part = match portion {
            Portion::Whole => None,
            Portion::Movement => Some(HalfDone::Movement),
            Portion::Writes => Some(HalfDone::Writes),
        };
        let (id, label) = (id.0, self.labels[action].as_str());
        match lock_set {
            Some(lock_set) => {
                let numbers: Vec<u32> = lock_set.into_iter().map(|id| id.0).collect();
                match part {
                    None => self.writer.step(&(id, label, picks, numbers)),
                    Some(part) => self.writer.step(&(id, label, picks, numbers, part)),
                }
            }
            None if picks.is_empty() => self.writer.step(&(id, label)),
            None => self.writer.step(&(id, label, picks)),
        }
    }

    /// Completes the recording: writes its last line.
    pub(super) fn end(self, end: &ReplayEnd) -> io::Result<()> {
        self.writer.end(end)
    }
}
