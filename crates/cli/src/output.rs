//! Standard output and standard error. Text from files reaches the terminal only through this module.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use acrasin_report::escape::printable;

use crate::{Failure, pending_write};

/// The maximum size of a message, in bytes. Names in messages come from files, and may be megabytes long.
const MESSAGE_BYTES_MAX: usize = 1000;

/// The maximum size of one line of an error, in bytes. The middle of a longer line is omitted, so that the accepted
/// values at its end remain.
const LINE_BYTES_MAX: usize = 700;

/// The number of bytes that are written to standard output at once.
const PIECE_BYTES: usize = 4096;

/// Writes results to standard output. A closed pipe is not an error: the reader needs no further output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let text = printable(text);
    // In pieces, so that a reader that reads slowly is not taken for one that reads nothing.
    for piece in text.as_bytes().chunks(PIECE_BYTES) {
        let result = pending_write::to_standard_output(|| out.write_all(piece).and_then(|()| out.flush()));
        if result.is_err() {
            return written(result);
        }
    }
    Ok(())
}

/// Converts the result of writing to standard output.
pub(crate) fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::of_machine(format_args!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes an error to standard error.
pub(crate) fn fail(failure: &Failure) {
    let _ = writeln!(io::stderr(), "{}", message(&failure.to_string()));
}

/// Prints an error of the command line as clap writes it, unless the error contains an argument that is too long or has
/// control characters.
pub(crate) fn fail_arguments(error: &clap::Error) {
    let text = error.render().to_string();
    let text = text.trim_end();
    let shown = message(text);
    let _ = if shown == text { error.print() } else { writeln!(io::stderr(), "{shown}") };
}

/// Prepares an error for display: escapes control characters, and omits the middle of lines and texts that are too
/// long.
fn message(text: &str) -> String {
    without_middle(&lines(text, LINE_BYTES_MAX), MESSAGE_BYTES_MAX)
}

/// Prepares lines for display, each shortened to at most `most` bytes.
fn lines(text: &str, most: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| without_middle(&printable(line), most)).collect();
    lines.join("\n")
}

/// Shortens a text to at most `most` bytes. The middle is omitted, because the beginning says what is wrong and the end
/// what is accepted.
pub(crate) fn without_middle(text: &str, most: usize) -> String {
    const CUT: &str = " ... ";
    if text.len() <= most {
        return text.to_owned();
    }
    let half = (most - CUT.len()) / 2;
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let begin = (0..=half).rev().find(is_boundary).unwrap_or(0);
    let end = (text.len() - half..text.len()).find(is_boundary).unwrap_or(text.len());
    format!("{}{CUT}{}", &text[..begin], &text[end..])
}

/// The amount of output on standard error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Errors, and notes for the user.
    Normal,
    /// Errors, notes, and the resolved parameters of the scenario.
    Verbose,
}

impl Verbosity {
    /// Prints a note, unless quiet. Errors of writing to standard error are ignored.
    pub(crate) fn say(self, line: impl fmt::Display) {
        if self >= Self::Normal {
            let _ = writeln!(io::stderr(), "{}", lines(&line.to_string(), MESSAGE_BYTES_MAX));
        }
    }

    /// Prints a note if verbose.
    pub(crate) fn explain(self, line: impl fmt::Display) {
        if self >= Self::Verbose {
            self.say(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_leaves_what_is_wrong_and_what_is_accepted() {
        let text = format!("error: there is no state `{}`\n = accepted: A, B", "é".repeat(5000));
        let shown = message(&text);
        assert!(shown.len() <= LINE_BYTES_MAX + 30, "{}", shown.len());
        assert!(shown.starts_with("error: there is no state `é") && shown.ends_with("`\n = accepted: A, B"));
        assert!(shown.contains("é ... é"), "{shown}");
        for length in [MESSAGE_BYTES_MAX, MESSAGE_BYTES_MAX + 1] {
            let lines = format!("{}z", "y\n".repeat(length / 2));
            let shown = message(&lines[lines.len() - length..]);
            assert!(shown.len() <= MESSAGE_BYTES_MAX && shown.ends_with('z'), "{length}");
            assert_eq!(shown.contains(" ... "), length > MESSAGE_BYTES_MAX, "{length}");
        }
        assert_eq!(message("note: \u{1b}]0;x\u{7}\n\tb"), "note: \\u{1b}]0;x\\u{7}\n\tb");
    }
}
