//! Writes a replay while a run happens.

use std::io::{self, Write};

use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{CriticalSection, Observer, StepOf};

use super::{End, Header};
use crate::words::write_step;

/// Writes a replay line by line.
#[derive(Debug)]
pub struct ReplayWriter<W: Write> {
    sink: W,
    line: String,
    steps: u64,
}

impl<W: Write> ReplayWriter<W> {
    /// Writes the first line. `sink` should be buffered.
    ///
    /// # Errors
    ///
    /// Those of `sink`.
    pub fn new(mut sink: W, header: &Header) -> io::Result<Self> {
        writeln!(sink, "{}", header.to_json())?;
        Ok(Self { sink, line: String::new(), steps: 0 })
    }

    /// Writes a step and the picks made inside it.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub fn step(&mut self, step: &StepOf<Local>, picks: &[u32]) -> io::Result<()> {
        self.line.clear();
        write_step(&mut self.line, step, picks);
        self.line.push('\n');
        self.steps += 1;
        self.sink.write_all(self.line.as_bytes())
    }

    /// Writes the last line, flushes the sink and hands it back. The steps counted are those written.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub fn end(mut self, end: &End) -> io::Result<W> {
        let end = End { steps: self.steps, ..end.clone() };
        writeln!(self.sink, "{}", end.to_json())?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}

/// An observer that writes a replay. A run is not stopped by a sink that fails: the first error is kept, nothing more
/// is written, and [`Recorder::end`] reports it.
#[derive(Debug)]
pub struct Recorder<W: Write> {
    writer: ReplayWriter<W>,
    error: Option<io::Error>,
}

impl<W: Write> Recorder<W> {
    /// Writes the first line.
    ///
    /// # Errors
    ///
    /// Those of `sink`.
    pub fn new(sink: W, header: &Header) -> io::Result<Self> {
        Ok(Self { writer: ReplayWriter::new(sink, header)?, error: None })
    }

    /// The first error, if writing has failed.
    #[must_use]
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Writes the last line, flushes the sink and hands it back.
    ///
    /// # Errors
    ///
    /// The first error since the start.
    pub fn end(self, end: &End) -> io::Result<W> {
        match self.error {
            Some(error) => Err(error),
            None => self.writer.end(end),
        }
    }
}

impl<W: Write, S: CriticalSection> Observer<Local, S> for Recorder<W> {
    fn step(&mut self, step: &StepOf<Local>, picks: &[u32]) {
        if self.error.is_none() {
            self.error = self.writer.step(step, picks).err();
        }
    }
}
