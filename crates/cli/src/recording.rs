//! The file of `--record`, while it is written.

use std::path::Path;

use acrasin_output::OutputFile;
use acrasin_verify::replay::{Sink, sink};

use crate::Failure;
use crate::output::Verbosity;

/// The file of `--record`, while it is written.
#[derive(Debug)]
pub(crate) struct Recording {
    output: OutputFile,
    pub(crate) sink: Sink,
}

impl Recording {
    /// Makes it, under a temporary name.
    pub(crate) fn new(target: &Path) -> Result<Self, Failure> {
        let output = OutputFile::or_stream(target)?;
        let file = output.file().try_clone().map_err(|error| Failure::of_path(target, "written", &error))?;
        Ok(Self { output, sink: sink(file, target) })
    }

    /// Gives it its name. One that was ended before its run was does not replace another.
    pub(crate) fn publish(self, is_complete: bool, verbosity: Verbosity) -> Result<(), Failure> {
        let Self { output, sink } = self;
        if output.replaces() && !is_complete {
            let path = output.target().display();
            verbosity.say(format_args!("note: {path} is left as it was: this run was ended before its end"));
            return Ok(());
        }
        sink.finish().map_err(|error| output.failure(&error))?;
        Ok(output.publish()?)
    }
}
