//! Reads untrusted JSON lines: errors carry file and line, and lines have a length limit.

use acrasin_graphs::read::utf8;
use std::fmt;
use std::io::{self, BufRead, Read as _};

use serde::Deserialize;
use serde::de::IgnoredAny;

use acrasin_protocols::predicate::disturbs;

use crate::json_error;
use crate::json_field::field_at;
use crate::limits::MESSAGE_CHARS_MAX;

/// An error in the content of a file, or in reading the file.
#[derive(Debug)]
pub struct FileError {
    file: String,
    line: Option<u64>,
    column: Option<usize>,
    what: String,
    io: Option<io::Error>,
}

impl FileError {
    pub(crate) fn new(file: &str, line: u64, what: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::of_file(file, what) }
    }

    /// An error about the file as a whole, without a line.
    pub(crate) fn of_file(file: &str, what: impl Into<String>) -> Self {
        let what = shortened(clean(what.into()));
        Self { file: file.to_owned(), line: None, column: None, what, io: None }
    }

    fn reading(file: &str, line: u64, error: io::Error) -> Self {
        let what = format!("cannot be read: {error}");
        Self { io: Some(error), ..Self::new(file, line, what) }
    }

    /// The name of the file, as the caller gave it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The faulty line, counted from 1; `None` if the error is about the whole file.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// The byte of the line at which the parser stopped, counted from 1; `None` for errors of other kinds.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// The message: what is wrong, and what is accepted.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

/// Writes `FILE:LINE:COLUMN: message`.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        for number in self.line.into_iter().chain(self.column.map(|column| column as u64)) {
            write!(f, "{number}:")?;
        }
        write!(f, " {}", self.what)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.io.as_ref().map(|error| error as _)
    }
}

/// Reads a file line by line, with a length limit.
pub(crate) struct Lines<'r> {
    reader: Box<dyn BufRead + 'r>,
    file: String,
    number: u64,
    buffer: Vec<u8>,
    bytes_max: usize,
}

impl<'r> Lines<'r> {
    pub(crate) fn new(file: &str, reader: impl BufRead + 'r, bytes_max: usize) -> Self {
        Self { reader: Box::new(reader), file: file.to_owned(), number: 0, buffer: Vec::new(), bytes_max }
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// The number of the line read last.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// An error at the line read last.
    pub(crate) fn error(&self, what: impl Into<String>) -> FileError {
        FileError::new(&self.file, self.number.max(1), what)
    }

    /// Reads the next line that is not blank; `false` at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, FileError> {
        loop {
            self.buffer.clear();
            self.number += 1;
            // One byte more than the limit, to notice longer lines, and the line feed.
            let limit = self.bytes_max as u64 + 2;
            let read = (&mut self.reader).take(limit).read_until(b'\n', &mut self.buffer);
            let read = read.map_err(|error| FileError::reading(&self.file, self.number, error))?;
            if read == 0 {
                self.number -= 1;
                return Ok(false);
            }
            if self.buffer.last() == Some(&b'\n') {
                self.buffer.pop();
            }
            // UTF-8 needs no byte order mark, but editors write it.
            if self.number == 1 && self.buffer.starts_with(b"\xef\xbb\xbf") {
                self.buffer.drain(..3);
            }
            if self.buffer.len() > self.bytes_max {
                return Err(self.error(format!("the line is longer than {} bytes", self.bytes_max)));
            }
            if !self.buffer.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// The bytes of the line read last, without white space around them.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.buffer.trim_ascii()
    }

    /// The line read last as text. Fails if the line is not UTF-8.
    pub(crate) fn text(&self) -> Result<&str, FileError> {
        utf8(&self.buffer)
            .map_err(|error| self.error(format!("{} (accepted: {})", error.problem(), error.accepted())))
    }

    /// Parses the line read last as one JSON value.
    pub(crate) fn parse<'de, T: Deserialize<'de>>(&'de self) -> Result<T, FileError> {
        let text = self.text()?;
        // A byte order mark is the first character of a file, not of a later line.
        let text = if self.number > 1 { std::str::from_utf8(&self.buffer).unwrap_or(text) } else { text };
        serde_json::from_str(text).map_err(|error| {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let what = error.to_string().replace(&place, "");
            let what = if error.is_eof() {
                "the line ends in the middle of a value".to_owned()
            } else if error.is_data() || serde_json::from_str::<IgnoredAny>(text).is_ok() {
                let what = json_error::of_data(&what);
                // The parser may already see the comma after the value.
                let seen = error.column();
                let at =
                    if text.as_bytes().get(seen.wrapping_sub(1)) == Some(&b',') { seen - 1 } else { seen };
                match field_at(text, at) {
                    whole if whole.is_empty() => what,
                    field => format!("{field}: {what}"),
                }
            } else {
                format!("not JSON: {}", json_error::of_syntax(&what))
            };
            // The parser reports the number of bytes that it has consumed.
            FileError { column: Some(error.column().max(1)), ..self.error(what) }
        })
    }
}

/// Escapes characters from the file that would control a terminal or break the line.
fn clean(what: String) -> String {
    if !what.contains(disturbs) {
        return what;
    }
    what.chars().fold(String::with_capacity(what.len()), |mut shown, character| {
        if disturbs(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
        shown
    })
}

/// Cuts the middle out of a message above [`MESSAGE_CHARS_MAX`]: its beginning states what is wrong, its end what is
/// accepted.
fn shortened(what: String) -> String {
    const END: usize = MESSAGE_CHARS_MAX / 2;
    let Some((cut, _)) = what.char_indices().nth(MESSAGE_CHARS_MAX) else { return what };
    let begin: String = what[..cut].chars().take(MESSAGE_CHARS_MAX - END).collect();
    let left: Vec<char> = what.chars().rev().take(END).collect();
    let end: String = left.into_iter().rev().collect();
    format!("{begin} ... {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], bytes_max: usize) -> Lines<'_> {
        Lines::new("x.jsonl", text, bytes_max)
    }

    #[test]
    fn a_line_may_be_exactly_as_long_as_the_limit() {
        for (text, fits) in [("12345\n", true), ("12345", true), ("123456\n", false), ("123456", false)] {
            let mut lines = lines(text.as_bytes(), 5);
            assert_eq!(lines.advance().is_ok(), fits, "{text:?}");
        }
    }

    #[test]
    fn errors_count_lines_and_blank_ones_are_skipped() {
        let mut lines = lines(b"1\n\n \r\n{\"a\n", 100);
        assert!(lines.advance().unwrap());
        assert_eq!(lines.parse::<u8>().unwrap(), 1);
        assert!(lines.advance().unwrap());
        let error = lines.parse::<u8>().unwrap_err();
        assert_eq!((error.file(), error.line()), ("x.jsonl", Some(4)));
        assert!(error.to_string().starts_with("x.jsonl:4:"), "{error}");
        assert!(!lines.advance().unwrap());
    }

    #[test]
    fn a_byte_order_mark_is_passed_over_on_the_first_line_only() {
        let mut lines = lines(b"\xef\xbb\xbf1\n\xef\xbb\xbf2\n", 100);
        assert!(lines.advance().unwrap());
        assert_eq!(lines.parse::<u8>().unwrap(), 1);
        assert!(lines.advance().unwrap());
        assert!(lines.parse::<u8>().is_err());
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error() {
        let mut lines = lines(b"\"\xff\"\n", 100);
        assert!(lines.advance().unwrap());
        assert!(lines.parse::<String>().unwrap_err().what().contains("byte"));
    }

    #[test]
    fn a_message_is_as_long_as_the_limit_or_loses_its_middle() {
        let message = |chars| format!("a{}z", "é".repeat(chars - 2));
        assert_eq!(shortened(message(MESSAGE_CHARS_MAX)), message(MESSAGE_CHARS_MAX));
        let cut = shortened(message(MESSAGE_CHARS_MAX + 1));
        assert!(cut.starts_with("aé") && cut.ends_with("éz") && cut.contains("é ... é"), "{cut}");
        assert!(shortened(message(5_000_000)).chars().count() < MESSAGE_CHARS_MAX + 10);
    }
}
