//! [`Recording`]: the file of `--record` during a run.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use acrasin_output::{OutputFile, is_stream};

use crate::Failure;
use crate::checkpoint::{RecordingMark, RecordingPart};
use crate::output::Verbosity;
use crate::stream::{self, RecordingWriter};

/// The file of `--record` during a run.
#[derive(Debug)]
pub(crate) struct Recording {
    output: OutputFile,
    sink: RecordingWriter,
    /// The unfinished recording of a run with checkpoints; `None` for other runs.
    part: Option<RecordingPart>,
}

impl Recording {
    /// Creates the file under a temporary name, or opens a pipe. `limit` is the time limit of the command.
    pub(crate) fn new(target: &Path, limit: Option<Duration>) -> Result<Self, Failure> {
        let output = stream::open(target, limit)?;
        let sink = RecordingWriter::new(&output, limit);
        let sink = sink.map_err(|error| Failure::of_path(target, "written", &error))?;
        Ok(Self { output, sink, part: None })
    }

    /// Creates the recording of a run with checkpoints, or continues it from `resumed`.
    pub(crate) fn saved(target: &Path, resumed: Option<&RecordingMark>) -> Result<Self, Failure> {
        if is_stream(target) {
            let message = format!(
                "a run with checkpoints is recorded into a file, and {} is not a file",
                target.display()
            );
            return Err(Failure::usage(message).accepting("the path of a file"));
        }
        let recording = Self::new(target, None)?;
        Ok(Self { part: Some(RecordingPart::new(target, resumed)?), ..recording })
    }

    /// The unfinished recording of a run with checkpoints; `None` for other runs.
    pub(crate) fn part(&self) -> Option<&RecordingPart> {
        self.part.as_ref()
    }

    /// The sink into which the steps are written.
    pub(crate) fn sink(&mut self) -> &mut dyn Write {
        match &mut self.part {
            Some(part) => part,
            None => &mut self.sink,
        }
    }

    /// Gives the file its name. The recording of a run that was ended early does not replace an earlier recording. The
    /// unfinished recording of a run with checkpoints is kept, so that the run can continue.
    pub(crate) fn publish(self, is_complete: bool, verbosity: Verbosity) -> Result<(), Failure> {
        let Self { output, mut sink, part } = self;
        if let Some(part) = part {
            part.finish().map_err(|error| output.failure(&error))?;
            if !is_complete {
                let path = part.path().display();
                verbosity.say(format_args!(
                    "note: the recording so far is {path}; the continued run completes it"
                ));
                return Ok(());
            }
            if !sink.is_compressed() {
                return Ok(output.publish_instead(part.path())?);
            }
            let copied =
                File::open(part.path()).and_then(|file| io::copy(&mut BufReader::new(file), &mut sink));
            copied.and_then(|_| sink.finish()).map_err(|error| output.failure(&error))?;
            output.publish()?;
            return std::fs::remove_file(part.path())
                .map_err(|error| Failure::of_path(part.path(), "removed", &error));
        }
        if output.replaces() && !is_complete {
            let path = output.target().display();
            verbosity.say(format_args!("note: {path} is unchanged, since this run was ended early"));
            return Ok(());
        }
        sink.finish().map_err(|error| output.failure(&error))?;
        Ok(output.publish()?)
    }
}
