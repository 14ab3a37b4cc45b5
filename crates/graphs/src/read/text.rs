//! Text from bytes, and its lines with their places.

use super::ReadError;
use super::error::Location;

/// The text of a file; refuses an empty file, and one that is not text.
pub(crate) fn text_of<'b>(bytes: &'b [u8], file: &str) -> Result<&'b str, ReadError> {
    if bytes.is_empty() {
        return Err(empty(file, "the file has no bytes"));
    }
    let binary = |at: usize, problem: &str| {
        let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let place = Location { file: file.to_owned(), line: Some(line), column: None };
        ReadError::new(place, format!("binary file: {problem} at byte {at}"), "UTF-8 text, plain or gzip")
    };
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(binary(at, "a NUL"));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| binary(error.valid_up_to(), "invalid UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The error of a file without content.
pub(super) fn empty(file: &str, accepted: &str) -> ReadError {
    ReadError::of_file(file, format!("empty file: {accepted}"), "at least one line of data")
}

/// A line of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line<'t> {
    /// From 1.
    pub(crate) number: u64,
    /// Without its end.
    pub(crate) text: &'t str,
}

impl<'t> Line<'t> {
    /// The lines of a text.
    pub(crate) fn all(text: &'t str) -> impl Iterator<Item = Self> {
        text.lines().zip(1..).map(|(text, number)| Self { number, text })
    }

    /// Whether there is nothing but white space, or a comment that starts with one of `marks`.
    pub(crate) fn is_silent(self, marks: &[char]) -> bool {
        let text = self.text.trim_start();
        text.is_empty() || text.starts_with(marks)
    }

    /// The fields: runs of characters that are not white space, commas or semicolons.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'t str> {
        self.text.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|field| !field.is_empty())
    }

    /// An error about the whole line.
    pub(crate) fn error(
        self,
        file: &str,
        problem: impl Into<String>,
        accepted: impl Into<String>,
    ) -> ReadError {
        let place = Location { file: file.to_owned(), line: Some(self.number), column: None };
        ReadError::new(place, problem, accepted).found_text(self.text)
    }

    /// An error about a field of the line, which must be a slice of it.
    pub(crate) fn field_error(
        self,
        file: &str,
        field: &str,
        problem: impl Into<String>,
        accepted: impl Into<String>,
    ) -> ReadError {
        let offset = (field.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let column = offset.filter(|&offset| offset <= self.text.len()).map(|offset| offset as u64 + 1);
        let place = Location { file: file.to_owned(), line: Some(self.number), column };
        ReadError::new(place, problem, accepted).found_text(field)
    }

    /// A whole number within a range, from a field.
    pub(crate) fn number(
        self,
        file: &str,
        field: &str,
        range: std::ops::RangeInclusive<u64>,
        what: &str,
    ) -> Result<u64, ReadError> {
        field.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let accepted = format!("a whole number from {} to {}", range.start(), range.end());
            self.field_error(file, field, format!("not {what}"), accepted)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_refused_with_its_line() {
        assert!(text_of(b"", "f").unwrap_err().problem().starts_with("empty file"));
        let error = text_of(b"1 2\n3 \x00", "f").unwrap_err();
        assert_eq!((error.line(), error.problem()), (Some(2), "binary file: a NUL at byte 6"));
        let error = text_of(b"1 2\n\n\xff", "f").unwrap_err();
        assert_eq!((error.line(), error.problem()), (Some(3), "binary file: invalid UTF-8 at byte 5"));
        assert_eq!(text_of("\u{feff}1 2".as_bytes(), "f").unwrap(), "1 2");
    }

    #[test]
    fn fields_and_columns() {
        let line = Line::all("# x\r\n 1,\t22 ;3\r\n").nth(1).unwrap();
        let fields: Vec<&str> = line.fields().collect();
        assert_eq!(fields, ["1", "22", "3"]);
        let error = line.field_error("f", fields[1], "p", "q");
        assert_eq!((error.line(), error.column(), error.found()), (Some(2), Some(5), Some("22")));
        assert_eq!(line.number("f", fields[1], 1..=22, "small"), Ok(22));
        let error = line.number("f", fields[1], 1..=21, "small").unwrap_err();
        assert_eq!(error.to_string(), "f:2:5: not small: `22`; accepted: a whole number from 1 to 21");
    }

    #[test]
    fn silent_lines() {
        let silent: Vec<bool> =
            Line::all("\n  \n# a\n % b\n1 # c\n").map(|line| line.is_silent(&['#', '%'])).collect();
        assert_eq!(silent, [true, true, true, true, false]);
    }
}
