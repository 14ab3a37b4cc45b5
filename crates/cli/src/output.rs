//! Standard output and standard error: the one door to a terminal for text that comes from files.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use acrasin_report::escape::printable;

use crate::Failure;

/// Bytes of a message, at most: names that it repeats come from files, and may have megabytes.
const MESSAGE_BYTES_MAX: usize = 4000;

/// Bytes of one line of an error, at most: a line too long loses its middle, not what is accepted.
const LINE_BYTES_MAX: usize = 1000;

/// Writes results to standard output. A reader who has closed the pipe wanted no more: that is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(out.write_all(printable(text).as_bytes()).and_then(|()| out.flush()))
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

/// Writes an error to standard error.
pub(crate) fn fail(failure: &Failure) {
    let _ = writeln!(io::stderr(), "{}", message(&failure.to_string()));
}

/// An error as it is shown: without control characters, each line and the whole cut in the middle if it is too long.
fn message(text: &str) -> String {
    without_middle(&lines(text, LINE_BYTES_MAX), MESSAGE_BYTES_MAX)
}

/// Lines as they are shown, each of at most so many bytes.
fn lines(text: &str, most: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| without_middle(&printable(line), most)).collect();
    lines.join("\n")
}

/// A text of at most so many bytes: what is wrong stands at its beginning, what is accepted at its end.
fn without_middle(text: &str, most: usize) -> String {
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
            let _ = writeln!(io::stderr(), "{}", lines(&line.to_string(), MESSAGE_BYTES_MAX));
        }
    }

    /// A line for people who asked for more.
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
