//! [`ReplayReader`]: reads a replay line by line.

use std::fmt;
use std::io::BufRead;
use std::marker::PhantomData;

use acrasin_catalogue::counted;
use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{LockSetRequest, NodeId, Step, StepOf};

use super::line::{EndLine, HeaderText, OtherFile, RoundLine};
use super::{Header, ReplayEnd};
use crate::file::{FileError, Lines};
use crate::limits::REPLAY_LINE_BYTES_MAX;
use crate::words::{StepCodec, WrittenCall, WrittenLockSet, WrittenStep};

/// One step of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplayStep<E: Exclusion = Local> {
    /// The line of the file, counted from 1.
    pub line: u64,
    /// The recorded step.
    pub step: StepOf<E>,
    /// The picks made inside the step.
    pub picks: Vec<u32>,
}

/// Reads a replay: the header when it is opened, then the steps as an iterator, then the end.
///
/// One line of at most [`REPLAY_LINE_BYTES_MAX`] bytes is in memory at a time.
pub struct ReplayReader<'r, E: Exclusion = Local> {
    lines: Lines<'r>,
    header: Header,
    steps: u64,
    round: Option<RoundBegins>,
    end: Option<ReplayEnd>,
    failed: bool,
    entries: PhantomData<fn() -> ReplayStep<E>>,
}

/// The start of the cycle of an infinite run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RoundBegins {
    /// The number of steps before the cycle.
    pub after: u64,
    /// The node that waits throughout the cycle.
    pub waits: NodeId,
}

/// A replay of which only the first line has been read. That line names the algorithm of the steps.
pub struct ReplayFile<'r> {
    pub(super) lines: Lines<'r>,
    pub(super) header: Header,
}

impl<'r> ReplayFile<'r> {
    /// Reads the first line. Errors call the file `name`.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the file cannot be read, or its first line is not that of a replay of this format.
    pub fn open(name: &str, reader: impl BufRead + 'r) -> Result<Self, FileError> {
        let mut lines = Lines::new(name, reader, REPLAY_LINE_BYTES_MAX);
        if !lines.advance()? {
            return Err(lines.error("the file is empty: a replay starts with {\"acrasin\":\"replay\",...}"));
        }
        lines.text()?;
        let kind = lines.parse::<OtherFile>().ok().map(|OtherFile { acrasin }| acrasin);
        if lines.bytes().first() != Some(&b'{') || kind.is_some_and(|kind| kind != "replay") {
            return Err(lines.error("not a replay: the first line must be {\"acrasin\":\"replay\",...}"));
        }
        let header = lines.parse::<HeaderText>()?.check().map_err(|what| lines.error(what))?;
        Ok(Self { lines, header })
    }

    /// The first line, with the recorded scenario.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Continues with the steps, of a run under this algorithm.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the run was recorded under another algorithm or other rules.
    pub fn under<E: StepCodec>(self, exclusion: &E) -> Result<ReplayReader<'r, E>, FileError> {
        self.of_rules(exclusion.rules())
    }

    fn of_rules<E: Exclusion>(self, rules: Option<String>) -> Result<ReplayReader<'r, E>, FileError> {
        let Self { lines, header } = self;
        if header.algorithm != rules {
            let words = |rules: Option<String>| rules.unwrap_or("local mutual exclusion".to_owned());
            let (recorded, accepted) = (words(header.algorithm), words(rules));
            return Err(lines.error(format!("recorded under {recorded}: {accepted} is accepted")));
        }
        Ok(ReplayReader {
            lines,
            header,
            steps: 0,
            round: None,
            end: None,
            failed: false,
            entries: PhantomData,
        })
    }
}

impl fmt::Debug for ReplayFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplayFile {}", self.lines.file())
    }
}

impl<'r> ReplayReader<'r> {
    /// Opens a replay of local mutual exclusion and reads its first line. Errors call the file `name`.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the file cannot be read, or its first line is not that of such a replay of this format.
    pub fn open(name: &str, reader: impl BufRead + 'r) -> Result<Self, FileError> {
        ReplayFile::open(name, reader)?.of_rules(None)
    }
}

impl<'r, E: StepCodec> ReplayReader<'r, E> {
    /// Opens a replay of this algorithm and reads its first line. Errors call the file `name`.
    ///
    /// # Errors
    ///
    /// Errors of [`open`](ReplayReader::open), and one if the run was recorded under another algorithm or other
    /// rules.
    pub fn under(exclusion: &E, name: &str, reader: impl BufRead + 'r) -> Result<Self, FileError> {
        ReplayFile::open(name, reader)?.under(exclusion)
    }

    /// The first line, with the recorded scenario.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The cycle with which the run ends, if any. Known once a step of the cycle, or the end of the file, has been
    /// read.
    #[must_use]
    pub fn round(&self) -> Option<RoundBegins> {
        self.round
    }

    /// The recorded end, after all steps have been read.
    #[must_use]
    pub fn end(&self) -> Option<&ReplayEnd> {
        self.end.as_ref()
    }

    /// The number of steps read so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The name of the file, as the caller gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.lines.file()
    }

    /// The number of the line read last.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.lines.number()
    }

    fn read(&mut self) -> Result<Option<ReplayStep<E>>, FileError> {
        if !self.lines.advance()? {
            return Err(self.lines.error("the file is cut off: its last line is not {\"end\":..}"));
        }
        if self.lines.bytes().starts_with(b"{\"round\"") {
            let RoundLine { round } = self.lines.parse()?;
            if self.round.is_some() {
                return Err(self.lines.error("a second cycle: one is accepted, up to the end"));
            }
            self.round = Some(RoundBegins { after: self.steps, waits: NodeId(round.waits) });
            return self.read();
        }
        if self.lines.bytes().first() == Some(&b'{') {
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
            return Ok(None);
        }
        let WrittenStep { call, picks, .. } = self.lines.parse::<WrittenStep<E>>()?;
        let step = match call {
            WrittenCall::Other(step) => step,
            WrittenCall::Lock { node, lock_set } => {
                let claim = match lock_set {
                    WrittenLockSet::Nothing => Ok(LockSetRequest::Neighbourhood),
                    WrittenLockSet::Null => {
                        Err("null is not a lock set (accepted: [\"lock\",u] or [\"lock\",u,[0,port]])"
                            .to_owned())
                    }
                    WrittenLockSet::Ports(ports) => WrittenLockSet::pair(&ports),
                };
                Step::Lock { node, claim: claim.map_err(|what| self.lines.error(what))? }
            }
        };
        self.steps += 1;
        Ok(Some(ReplayStep { line: self.lines.number(), step, picks }))
    }
}

impl<E: StepCodec> fmt::Debug for ReplayReader<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplayReader at {}:{}", self.name(), self.line())
    }
}

impl<E: StepCodec> Iterator for ReplayReader<'_, E> {
    type Item = Result<ReplayStep<E>, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.end.is_some() {
            return None;
        }
        let next = self.read();
        self.failed = next.is_err();
        next.transpose()
    }
}
