//! Replays of runs without a world: first and last line are as in other replays, and each step is a JSON list.

use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;

use acrasin_catalogue::counted;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::line::EndLine;
use super::read::ReplayFile;
use super::{Header, ReplayEnd};
use crate::file::{FileError, Lines};

/// Writes a replay of a run without a world.
#[derive(Debug)]
pub struct StepWriter<W: Write> {
    sink: W,
    steps: u64,
}

impl<W: Write> StepWriter<W> {
    /// Writes the first line. `sink` should be buffered.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    pub fn new(mut sink: W, header: &Header) -> io::Result<Self> {
        writeln!(sink, "{}", header.to_json())?;
        Ok(Self::continued(sink, 0))
    }

    /// Continues a file that already has the first line and this number of steps.
    pub fn continued(sink: W, steps: u64) -> Self {
        Self { sink, steps }
    }

    /// The number of steps in the file.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Writes a step: a tuple, or any other value that serialises to a JSON list.
    ///
    /// # Errors
    ///
    /// The errors of the sink.
    pub fn step(&mut self, step: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.sink, step)?;
        self.steps += 1;
        self.sink.write_all(b"\n")
    }

    /// Writes the last line with the number of steps written, and flushes the sink.
    ///
    /// # Errors
    ///
    /// The errors of the sink.
    pub fn end(mut self, end: &ReplayEnd) -> io::Result<()> {
        let end = ReplayEnd { steps: self.steps, ..end.clone() };
        writeln!(self.sink, "{}", end.to_json())?;
        self.sink.flush()
    }
}

/// Reads a replay of a run without a world: an iterator over the steps, then the end.
pub struct StepReader<'r, T> {
    lines: Lines<'r>,
    steps: u64,
    end: Option<ReplayEnd>,
    failed: bool,
    kind: PhantomData<fn() -> T>,
}

impl<'r> ReplayFile<'r> {
    /// Continues with the steps, of a run without a world.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the run was recorded under an algorithm of the lock layer.
    pub fn steps<T>(self) -> Result<StepReader<'r, T>, FileError> {
        let Self { lines, header } = self;
        match header.algorithm {
            Some(algorithm) => Err(lines.error(format!(
                "the run was recorded under {algorithm} (accepted: a run without a lock algorithm)"
            ))),
            None => Ok(StepReader { lines, steps: 0, end: None, failed: false, kind: PhantomData }),
        }
    }
}

impl<T: DeserializeOwned> StepReader<'_, T> {
    /// The recorded end, after all steps have been read.
    #[must_use]
    pub fn end(&self) -> Option<&ReplayEnd> {
        self.end.as_ref()
    }

    /// The position of the line read last, as `FILE:LINE`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.lines.file(), self.lines.number())
    }

    /// An error at the line read last.
    #[must_use]
    pub fn error(&self, what: impl Into<String>) -> FileError {
        self.lines.error(what)
    }

    fn read(&mut self) -> Result<Option<T>, FileError> {
        if !self.lines.advance()? {
            return Err(self.lines.error("the file is cut off: its last line is not {\"end\":..}"));
        }
        if self.lines.bytes().first() != Some(&b'{') {
            let step = self.lines.parse()?;
            self.steps += 1;
            return Ok(Some(step));
        }
        let end = self.lines.parse::<EndLine>()?.check().map_err(|what| self.lines.error(what))?;
        if end.steps != self.steps {
            let what =
                format!("the file has {}, but its end says {}", counted(self.steps, "step"), end.steps);
            return Err(self.lines.error(what));
        }
        if self.lines.advance()? {
            return Err(self.lines.error("there is something after the end"));
        }
        self.end = Some(end);
        Ok(None)
    }
}

impl<T> fmt::Debug for StepReader<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StepReader at {}:{}", self.lines.file(), self.lines.number())
    }
}

impl<T: DeserializeOwned> Iterator for StepReader<'_, T> {
    type Item = Result<T, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.end.is_some() {
            return None;
        }
        let next = self.read();
        self.failed = next.is_err();
        next.transpose()
    }
}
