//! [`Recording`]: the file of `--record` during a run.

use std::path::Path;

use acrasin_output::OutputFile;
use acrasin_verify::replay::{Sink, sink};

use crate::Failure;
use crate::output::Verbosity;

/// The file of `--record` during a run.
#[derive(Debug)]
pub(crate) struct Recording {
    output: OutputFile,
    pub(crate) sink: Sink,
}

impl Recording {
    /// Creates the file under a temporary name.
    pub(crate) fn new(target: &Path) -> Result<Self, Failure> {
        let output = OutputFile::or_stream(target)?;
        let file = output.file().try_clone().map_err(|error| Failure::of_path(target, "written", &error))?;
        Ok(Self { output, sink: sink(file, target) })
    }

    /// Gives the file its name. The recording of a run that was ended early does not replace another one.
    pub(crate) fn publish(self, is_complete: bool, verbosity: Verbosity) -> Result<(), Failure> {
        let Self { output, sink } = self;
        if output.replaces() && !is_complete {
            let path = output.target().display();
            verbosity.say(format_args!("note: {path} is unchanged, since this run was ended early"));
            return Ok(());
        }
        sink.finish().map_err(|error| output.failure(&error))?;
        Ok(output.publish()?)
    }
}
