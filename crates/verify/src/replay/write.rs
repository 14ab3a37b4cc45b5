//! [`Recorder`] and [`ReplayWriter`]: write a replay during a run.

use std::io::{self, Write};
use std::marker::PhantomData;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{CriticalSection, NodeId, Observer, StepOf};

use super::line::RoundLine;
use super::{Header, ReplayEnd};
use crate::words::{StepCodec, write_step};

/// Writes a replay line by line.
#[derive(Debug)]
pub struct ReplayWriter<W: Write, E: Exclusion = Local> {
    sink: W,
    line: String,
    steps: u64,
    spelling: PhantomData<fn(E)>,
}

impl<W: Write> ReplayWriter<W> {
    /// Writes the first line of a run under local mutual exclusion. `sink` should be buffered.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    pub fn new(sink: W, header: &Header) -> io::Result<Self> {
        Self::begin(sink, header)
    }
}

impl<W: Write, E: StepCodec> ReplayWriter<W, E> {
    /// Writes the first line of a run under this algorithm. `sink` should be buffered.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    pub fn under(exclusion: &E, sink: W, header: &Header) -> io::Result<Self> {
        Self::begin(sink, &Header { algorithm: exclusion.rules(), ..header.clone() })
    }

    /// Continues a file that already has its first line and this number of steps.
    pub fn continued(sink: W, steps: u64) -> Self {
        Self { sink, line: String::new(), steps, spelling: PhantomData }
    }

    fn begin(mut sink: W, header: &Header) -> io::Result<Self> {
        writeln!(sink, "{}", header.to_json())?;
        Ok(Self::continued(sink, 0))
    }

    /// Writes a step and the picks made inside it.
    ///
    /// # Errors
    ///
    /// The errors of the sink.
    pub fn step(&mut self, step: &StepOf<E>, picks: &[u32]) -> io::Result<()> {
        self.line.clear();
        write_step::<E>(&mut self.line, step, picks);
        self.line.push('\n');
        self.steps += 1;
        self.sink.write_all(self.line.as_bytes())
    }

    /// Marks the start of a cycle: the steps from here to the end lead back to this configuration, and node `waits`
    /// waits throughout.
    ///
    /// # Errors
    ///
    /// The errors of the sink.
    pub fn round(&mut self, waits: NodeId) -> io::Result<()> {
        writeln!(self.sink, "{}", RoundLine::to_json(waits.0))
    }

    /// Writes the last line with the number of steps written, flushes the sink and returns the sink.
    ///
    /// # Errors
    ///
    /// The errors of the sink.
    pub fn end(mut self, end: &ReplayEnd) -> io::Result<W> {
        let end = ReplayEnd { steps: self.steps, ..end.clone() };
        writeln!(self.sink, "{}", end.to_json())?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}

/// An observer that writes a replay. An error of the sink does not stop the run: nothing more is written, and
/// [`Recorder::end`] returns the error.
#[derive(Debug)]
pub struct Recorder<W: Write, E: Exclusion = Local> {
    writer: ReplayWriter<W, E>,
    error: Option<io::Error>,
}

impl<W: Write> Recorder<W> {
    /// Writes the first line of a run under local mutual exclusion.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    pub fn new(sink: W, header: &Header) -> io::Result<Self> {
        Ok(Self { writer: ReplayWriter::new(sink, header)?, error: None })
    }
}

impl<W: Write, E: StepCodec> Recorder<W, E> {
    /// Writes the first line of a run under this algorithm.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    pub fn under(exclusion: &E, sink: W, header: &Header) -> io::Result<Self> {
        Ok(Self { writer: ReplayWriter::under(exclusion, sink, header)?, error: None })
    }

    /// Continues a file that already has its first line and this number of steps.
    pub fn continued(sink: W, steps: u64) -> Self {
        Self { writer: ReplayWriter::continued(sink, steps), error: None }
    }

    /// The first error of the sink, if any.
    #[must_use]
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Writes the last line, flushes the sink and returns the sink.
    ///
    /// # Errors
    ///
    /// The first error of the sink since the start.
    pub fn end(self, end: &ReplayEnd) -> io::Result<W> {
        match self.error {
            Some(error) => Err(error),
            None => self.writer.end(end),
        }
    }
}

impl<W: Write, E: StepCodec, S: CriticalSection> Observer<E, S> for Recorder<W, E> {
    fn step(&mut self, step: &StepOf<E>, picks: &[u32]) {
        if self.error.is_none() {
            self.error = self.writer.step(step, picks).err();
        }
    }
}
