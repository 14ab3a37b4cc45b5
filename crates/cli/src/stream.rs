//! Output into pipes, which can wait for its reader: before it opens the pipe, and while it reads nothing.
//!
//! No wait is deaf. A pipe that no process opens for reading is refused by name within [`WAIT`]. A write that waits
//! ends the program with its exit code when a stop is requested or the time limit is over.

#![allow(
    clippy::disallowed_types,
    reason = "a reader that does nothing is waited for until the limit: the clock decides only when the command ends"
)]

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use acrasin_output::{OutputFile, is_stream, unfinished};
use acrasin_report::record::Exit;
use acrasin_verify::replay::{Sink, sink};

use crate::pending_write::{guarded, pending};
use crate::{Failure, output, setup};

/// The time in which a reader must open a pipe. A shell starts the reader at the same time as this program.
const WAIT: Duration = Duration::from_secs(1);

/// The time in which a reader that reads takes a few kilobytes, on a busy machine too.
const STUCK: Duration = Duration::from_millis(100);

/// The interval between two looks at a pipe.
const LOOK: Duration = Duration::from_millis(20);

/// Opens an output file, or a pipe or terminal to write into it directly. Waits for the reader of a pipe for a second,
/// and not longer than `limit`.
///
/// # Errors
///
/// The errors of [`OutputFile::or_stream`]; and no process has opened the pipe for reading in time.
pub(crate) fn open(target: &Path, limit: Option<Duration>) -> Result<OutputFile, Failure> {
    if !is_stream(target) {
        return Ok(OutputFile::new(target, true)?);
    }
    let begun = Instant::now();
    let (sender, opened) = mpsc::channel();
    let path = target.to_owned();
    let _waits = setup::ReaderWait::new(format!("no process reads the pipe {}", target.display()));
    // Opening a pipe waits for its reader. If none comes, the thread waits until the program ends.
    let open = move || drop(sender.send(OutputFile::or_stream(&path)));
    let thread = std::thread::Builder::new().name("pipe".to_owned()).spawn(open);
    thread.map_err(|error| Failure::of_path(target, "opened", &error))?;
    loop {
        match opened.recv_timeout(LOOK) {
            Ok(opened) => return Ok(opened?),
            Err(RecvTimeoutError::Timeout) if begun.elapsed() < WAIT.min(limit.unwrap_or(WAIT)) => {}
            Err(_) => break,
        }
    }
    Err(Failure::usage(format_args!("no process reads the pipe {}", target.display()))
        .accepting("a file, or a pipe that a process has opened for reading"))
}

/// Writes a whole output file, or into a pipe or terminal.
///
/// # Errors
///
/// The errors of [`open`], and those of writing.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let output = open(target, None)?;
    let stream = is_stream(target).then(|| Arc::from(target.to_string_lossy()));
    Ok(guarded(stream.as_ref(), || output.write(bytes))?)
}

/// The writer of a recording. If it is a pipe or a terminal, the program can be ended while a write waits.
#[derive(Debug)]
pub(crate) struct RecordingWriter {
    sink: Sink,
    /// The name of the pipe or terminal; `None` for a file.
    stream: Option<Arc<str>>,
}

impl RecordingWriter {
    /// The writer into an opened output. `limit` is the time limit of the command, from now on.
    pub(crate) fn new(output: &OutputFile, limit: Option<Duration>) -> io::Result<Self> {
        let target = output.target();
        let sink = sink(output.file().try_clone()?, target);
        let stream = is_stream(target).then(|| Arc::from(target.to_string_lossy()));
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        if let Some(deadline) = deadline.filter(|_| stream.is_some()) {
            let watch = move || {
                let why = "the time (--max-time) ran out";
                end_if_blocked(deadline + setup::GRACE, why, Exit::BudgetExhausted);
            };
            // Without this thread, the limit ends the command only when the reader reads.
            let _ = std::thread::Builder::new().name("pipe".to_owned()).spawn(watch);
        }
        Ok(Self { sink, stream })
    }

    /// Whether the recording is compressed.
    pub(crate) fn is_compressed(&self) -> bool {
        self.sink.is_compressed()
    }

    /// Writes all buffered bytes.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { sink, stream } = self;
        guarded(stream.as_ref(), || sink.finish())
    }
}

impl Write for RecordingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        guarded(self.stream.as_ref(), || self.sink.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        guarded(self.stream.as_ref(), || self.sink.flush())
    }
}

/// Ends the program when a stop was requested and a write waits for its reader.
pub(crate) fn interrupted() {
    end_if_blocked(Instant::now() + setup::GRACE, "interrupted", Exit::Interrupted);
}

/// Ends the program if a write is under way at `deadline` or later, and its reader has read nothing for [`STUCK`].
/// Never returns.
fn end_if_blocked(deadline: Instant, why: &str, exit: Exit) {
    let first_look = deadline.checked_sub(STUCK).unwrap_or(deadline);
    std::thread::sleep(first_look.saturating_duration_since(Instant::now()));
    let mut since = (None, Instant::now());
    loop {
        let (name, number) = pending();
        let now = Instant::now();
        match &*name {
            Some(name) if since.0 == Some(number) => {
                if now >= deadline && now.duration_since(since.1) >= STUCK {
                    unfinished::remove_all();
                    let message =
                        format!("{why}: the reader of {name} reads nothing, and the output is incomplete");
                    output::fail(&Failure::of_machine(message));
                    // The lock is held to the end, so no write is completed any more.
                    std::process::exit(exit.code().into());
                }
            }
            found => since = (found.as_ref().map(|_| number), now),
        }
        drop(name);
        std::thread::sleep(LOOK);
    }
}
