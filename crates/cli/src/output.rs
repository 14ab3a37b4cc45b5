//! Standard output and standard error.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use crate::Failure;

/// Writes results to standard output. A reader who has closed the pipe wanted no more: that is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// What came of writing to standard output.
pub(crate) fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::of_machine(format_args!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes an error to standard error, before the program ends at once.
pub(crate) fn fail(failure: &Failure) {
    let _ = writeln!(io::stderr(), "{failure}");
}

/// How much is said on standard error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Verbosity {
    /// Errors alone.
    Quiet,
    /// What the user should know.
    Normal,
    /// What the words of the scenario came to.
    Verbose,
}

impl Verbosity {
    /// A line for people, unless they asked for silence. If standard error is closed, nobody is there to tell.
    pub(crate) fn say(self, line: impl fmt::Display) {
        if self >= Self::Normal {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// A line for people who asked for more.
    pub(crate) fn explain(self, line: impl fmt::Display) {
        if self >= Self::Verbose {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}
