//! Decodes text, and splits it into numbered lines and their fields.

use super::ReadError;
use super::error::Location;

/// The error for bytes that are not UTF-8 text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotText {
    at: usize,
    line: u64,
    problem: String,
    encoding: Option<&'static str>,
}

impl NotText {
    /// The number of bytes before the first one that is not text.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The line of the first byte that is not text, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The fault: the byte, its position, and the likely encoding if one is recognised.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// The accepted encoding, and the command that converts the file if its encoding is known.
    #[must_use]
    pub fn accepted(&self) -> String {
        let convert = |encoding| format!(" (`iconv -f {encoding} -t utf-8 FILE` converts it)");
        format!("UTF-8 text{}", self.encoding.map(convert).unwrap_or_default())
    }
}

/// The text without the byte order mark that some editors put at the start.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Decodes UTF-8 and removes a byte order mark. All text files that this program reads are decoded here.
///
/// # Errors
///
/// Refuses a NUL, UTF-16 and anything else that is not UTF-8. The error names the first invalid byte and, if
/// recognised, the encoding (UTF-16, UTF-32, Latin-1, Windows-1252).
///
/// ```
/// use acrasin_graphs::read::utf8;
///
/// assert_eq!(utf8("\u{feff}a".as_bytes()), Ok("a"));
/// let error = utf8(b"x\ncaf\xe9").unwrap_err();
/// let problem = "byte 5 is 0xE9, not UTF-8: the file is likely Latin-1, where it is `é`";
/// assert_eq!((error.line(), error.problem()), (2, problem));
/// ```
pub fn utf8(bytes: &[u8]) -> Result<&str, NotText> {
    let refuse_as = |at: usize, problem: String, encoding: Option<&'static str>| {
        let line = 1 + line_ends(&bytes[..at]);
        Err(NotText { at, line, problem, encoding })
    };
    let refuse = |at: usize, problem: String| refuse_as(at, problem, None);
    // The little-endian mark of UTF-32 begins with that of UTF-16, so it is tested first.
    if bytes.starts_with(&[0xff, 0xfe, 0, 0]) || bytes.starts_with(&[0, 0, 0xfe, 0xff]) {
        return refuse_as(0, "the file is UTF-32, by its first four bytes".to_owned(), Some("utf-32"));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return refuse_as(0, "the file is UTF-16, by its first two bytes".to_owned(), Some("utf-16"));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return refuse(at, format!("binary or compressed file: a NUL at byte {at}"));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(text)),
        Err(error) => {
            let at = error.valid_up_to();
            let byte = bytes[at];
            let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
            if bytes.iter().any(is_control) {
                return refuse(at, format!("binary file: byte {at} is 0x{byte:02X}, not UTF-8"));
            }
            if !bytes[..at].is_ascii() {
                return refuse(
                    at,
                    format!("byte {at} is 0x{byte:02X}, which is not UTF-8; the text before it is"),
                );
            }
            // From 0x80 to 0x9F Latin-1 has control characters, but Windows-1252 has quotes and dashes.
            let (encoding, said) = if bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) {
                ("windows-1252", "Windows-1252".to_owned())
            } else {
                ("latin1", format!("Latin-1, where it is `{}`", char::from(byte)))
            };
            let problem = format!("byte {at} is 0x{byte:02X}, not UTF-8: the file is likely {said}");
            refuse_as(at, problem, Some(encoding))
        }
    }
}

/// Decodes the text of a file. Refuses an empty file and one that is not text.
pub(crate) fn text_of<'b>(bytes: &'b [u8], file: &str) -> Result<&'b str, ReadError> {
    if bytes.is_empty() {
        return Err(empty(file, "the file has no bytes"));
    }
    let text = utf8(bytes).map_err(|error| {
        let place = Location { file: file.to_owned(), line: Some(error.line), column: None };
        let accepted = error.accepted();
        ReadError::new(place, error.problem, accepted)
    })?;
    // An HTML page saved under the name of a graph file would otherwise be read as a list of edges between its words.
    let start: String = text.trim_start().chars().take(9).collect::<String>().to_ascii_lowercase();
    if ["<!doctype", "<html", "<?xml", "<graphml", "<gexf"].iter().any(|tag| start.starts_with(tag)) {
        let accepted = "an edge list, METIS, Matrix Market, graph6, DOT, or a list of contacts";
        return Err(ReadError::of_file(file, "an HTML or XML document", accepted));
    }
    Ok(text)
}

/// The number of line ends in these bytes: LF, CR LF or CR.
pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    let ends = |(at, &byte): (usize, &u8)| {
        byte == b'\n' || (byte == b'\r' && bytes.get(at + 1).is_none_or(|&next| next != b'\n'))
    };
    bytes.iter().enumerate().filter(|&byte| ends(byte)).count() as u64
}

/// The error of a file without content.
pub(super) fn empty(file: &str, accepted: &str) -> ReadError {
    ReadError::of_file(file, format!("empty file: {accepted}"), "at least one line of data")
}

/// A line of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TextLine<'t> {
    /// The line number, from 1.
    pub(crate) number: u64,
    /// The text, without the line end.
    pub(crate) text: &'t str,
}

/// The separator between two fields of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Separator {
    /// Blanks, tabs, commas and semicolons, any number of them.
    Any,
    /// Blanks and tabs, any number of them.
    Blanks,
    /// One comma, semicolon or tab; blanks around it are ignored.
    Sign(char),
}

impl Separator {
    fn separates(self, c: char) -> bool {
        match self {
            Self::Any => c.is_whitespace() || c == ',' || c == ';',
            Self::Blanks => c.is_whitespace(),
            Self::Sign(sign) => c == sign,
        }
    }

    /// The name of the separator in messages.
    fn words(self) -> &'static str {
        match self {
            Self::Any => "blanks, commas or semicolons",
            Self::Blanks => "blanks",
            Self::Sign(',') => "commas",
            Self::Sign(';') => "semicolons",
            Self::Sign(_) => "tabs",
        }
    }

    /// The separator that a line uses: a semicolon, a comma or a tab outside quotes, else blanks. Text after a brace
    /// (attributes, as NetworkX writes them) or after a `#` (comments) is ignored.
    pub(crate) fn of(line: &str) -> Self {
        let mut is_quoted = false;
        let end = [" #", "\t#", "{"].iter().filter_map(|&sign| line.find(sign)).min().unwrap_or(line.len());
        let outside: String = line[..end]
            .chars()
            .filter(|&c| {
                is_quoted ^= c == '"';
                !is_quoted
            })
            .collect();
        let signs = [';', ',', '\t'];
        signs.into_iter().find(|&sign| outside.trim().contains(sign)).map_or(Self::Blanks, Self::Sign)
    }
}

impl<'t> TextLine<'t> {
    /// The lines of a text, ended by LF, CR LF or CR.
    pub(crate) fn all(text: &'t str) -> impl Iterator<Item = Self> {
        let mut rest = text;
        let mut number = 0;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            number += 1;
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let (text, after) = rest.split_at(end);
            rest = after.strip_prefix("\r\n").unwrap_or_else(|| after.get(1..).unwrap_or(""));
            Some(Self { number, text })
        })
    }

    /// Whether the line is blank, or a comment that starts with one of `marks`.
    pub(crate) fn is_silent(self, marks: &[char]) -> bool {
        let text = self.text.trim_start();
        text.is_empty() || text.starts_with(marks)
    }

    /// Puts the first `most` fields into `fields`. Returns whether more follow.
    ///
    /// A field may be quoted, with quotes in it doubled. It is returned without the outer quotes and otherwise as
    /// written. With a single sign as separator, fields may be empty.
    ///
    /// # Errors
    ///
    /// Refuses ambiguous text: a quote that does not end on its line, and text before or after a quoted field. Also
    /// refuses another separator in an unquoted field, and several numbers in one field.
    pub(crate) fn fields(
        self,
        file: &str,
        separator: Separator,
        most: usize,
        fields: &mut Vec<&'t str>,
    ) -> Result<bool, ReadError> {
        let is_blank = |c: char| c.is_whitespace() && separator != Separator::Sign(c);
        let start = |text: &'t str| match separator {
            Separator::Sign(_) => text.trim_start_matches(is_blank),
            _ => text.trim_start_matches(|c| separator.separates(c)),
        };
        fields.clear();
        let mut rest = start(self.text);
        loop {
            if rest.is_empty() && !matches!(separator, Separator::Sign(_)) {
                return Ok(false);
            }
            if fields.len() == most {
                return Ok(!rest.trim().is_empty());
            }
            let after = match rest.strip_prefix('"') {
                Some(quoted) => {
                    let end = closing_quote(quoted).ok_or_else(|| {
                        let problem = "a quote that is not closed on its line";
                        self.field_error(file, rest, problem, "`\"…\"` around the whole field")
                    })?;
                    fields.push(&quoted[..end]);
                    let behind = &quoted[end + 1..];
                    let (after, is_clear) = match separator {
                        Separator::Sign(sign) => {
                            let after = behind.trim_start_matches(is_blank);
                            (after, after.is_empty() || after.starts_with(sign))
                        }
                        _ => (behind, behind.is_empty() || behind.starts_with(|c| separator.separates(c))),
                    };
                    if !is_clear {
                        let accepted = "`\"…\"` around the whole field, and a quote in it written twice";
                        return Err(self.field_error(file, rest, "text after a closing quote", accepted));
                    }
                    after
                }
                None => {
                    let end = rest.find(|c| separator.separates(c)).unwrap_or(rest.len());
                    let field = rest[..end].trim_end();
                    self.is_clear(file, separator, field)?;
                    fields.push(field);
                    &rest[end..]
                }
            };
            rest = match separator {
                Separator::Sign(sign) => match after.strip_prefix(sign) {
                    Some(after) => start(after),
                    None => return Ok(false),
                },
                _ => start(after),
            };
        }
    }

    /// Refuses an ambiguous unquoted field.
    fn is_clear(self, file: &str, separator: Separator, field: &'t str) -> Result<(), ReadError> {
        let refuse = |problem: String, accepted: &str| Err(self.field_error(file, field, problem, accepted));
        if field.contains('"') {
            return refuse("a quote inside a field".to_owned(), "`\"…\"` around the whole field");
        }
        let one = "one separator in the whole file, or the field in quotes";
        if separator != Separator::Any && (field.contains(" #") || field.contains("\t#")) {
            return refuse(
                "a comment after a field".to_owned(),
                "comments on separate lines, or the field in quotes",
            );
        }
        if separator != Separator::Any
            && let Some(sign) =
                field.chars().find(|&c| matches!(c, ',' | ';' | '\t') && !separator.separates(c))
        {
            return refuse(
                format!("a {sign:?} inside a field of a file whose separators are {}", separator.words()),
                one,
            );
        }
        let mut words = field.split_whitespace();
        if words.clone().nth(1).is_some() && words.all(is_number) {
            return refuse(
                format!(
                    "several numbers inside a field of a file whose separators are {}",
                    separator.words()
                ),
                one,
            );
        }
        Ok(())
    }

    /// An error for the whole line.
    pub(crate) fn error(
        self,
        file: &str,
        problem: impl Into<String>,
        accepted: impl Into<String>,
    ) -> ReadError {
        let place = Location { file: file.to_owned(), line: Some(self.number), column: None };
        ReadError::new(place, problem, accepted).found_text(self.text)
    }

    /// An error for a field of the line. `field` must be a slice of the line, so that the column is known.
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

    /// The weight of an edge, from a field.
    pub(super) fn weight(self, file: &str, field: &str) -> Result<f64, ReadError> {
        weight(field).ok_or_else(|| self.field_error(file, field, "not a weight", WEIGHT))
    }
}

/// Parses the weight of an edge; `None` if it is not [valid](WEIGHT).
pub(super) fn weight(field: &str) -> Option<f64> {
    field.parse().ok().filter(|weight| (0.0..=1e18).contains(weight))
}

/// A description of valid weights.
pub(super) const WEIGHT: &str = "a number from 0 to 1e18";

/// Whether a field is written as a number.
pub(super) fn is_number(field: &str) -> bool {
    field.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        && field.parse::<f64>().is_ok()
}

/// The end of a quoted field, given the text after its first quote. Two quotes in it stand for one. `None` if the field
/// does not end.
fn closing_quote(quoted: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + quoted[from..].find('"')?;
        if !quoted[at + 1..].starts_with('"') {
            return Some(at);
        }
        from = at + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_are_refused_with_their_line() {
        assert!(text_of(b"", "f").unwrap_err().problem().starts_with("empty file"));
        let refused = |bytes: &[u8]| {
            let error = text_of(bytes, "f").unwrap_err();
            (error.line(), error.problem().to_owned())
        };
        assert_eq!(
            refused(b"1 2\n3 \x00"),
            (Some(2), "binary or compressed file: a NUL at byte 6".to_owned())
        );
        assert_eq!(refused(b"1 2\r\r\n\n\x01\xff"), {
            (Some(4), "binary file: byte 8 is 0xFF, not UTF-8".to_owned())
        });
        assert_eq!(refused(b"a b\n\ncaf\xe9 b\n"), {
            let problem = "byte 8 is 0xE9, not UTF-8: the file is likely Latin-1, where it is `é`";
            (Some(3), problem.to_owned())
        });
        assert_eq!(refused(b"a\x93b\xe9"), {
            (Some(1), "byte 1 is 0x93, not UTF-8: the file is likely Windows-1252".to_owned())
        });
        assert_eq!(refused(b"\xc3\xa4 \xe9"), {
            (Some(1), "byte 3 is 0xE9, which is not UTF-8; the text before it is".to_owned())
        });
        assert_eq!(refused(b"\xff\xfea\x00"), {
            (Some(1), "the file is UTF-16, by its first two bytes".to_owned())
        });
        for (bytes, accepted) in [
            (&b"\xff\xfea\0"[..], "UTF-8 text (`iconv -f utf-16 -t utf-8 FILE` converts it)"),
            (b"\xfe\xff\0a", "UTF-8 text (`iconv -f utf-16 -t utf-8 FILE` converts it)"),
            (b"\xff\xfe\0\0a\0\0\0", "UTF-8 text (`iconv -f utf-32 -t utf-8 FILE` converts it)"),
            (b"caf\xe9", "UTF-8 text (`iconv -f latin1 -t utf-8 FILE` converts it)"),
            (b"a\x93b", "UTF-8 text (`iconv -f windows-1252 -t utf-8 FILE` converts it)"),
            (b"a\0", "UTF-8 text"),
            (b"\xc3\xa4 \xe9", "UTF-8 text"),
        ] {
            assert_eq!(text_of(bytes, "f").unwrap_err().accepted(), accepted);
        }
        assert_eq!(text_of("\u{feff}1 2".as_bytes(), "f").unwrap(), "1 2");
    }

    #[test]
    fn lines_end_by_any_of_the_three_ends() {
        let lines: Vec<(u64, &str)> =
            TextLine::all("a\rb\r\n\r\rc\n\nd").map(|line| (line.number, line.text)).collect();
        assert_eq!(lines, [(1, "a"), (2, "b"), (3, ""), (4, ""), (5, "c"), (6, ""), (7, "d")]);
        assert_eq!(TextLine::all("a\r").count(), 1);
        assert_eq!(line_ends(b"a\rb\r\n\r\rc\n\nd"), 6);
    }

    fn split(text: &str, separator: Separator) -> Result<Vec<&str>, String> {
        let mut fields = Vec::new();
        let line = TextLine { number: 1, text };
        line.fields("f", separator, 9, &mut fields).map_err(|error| error.to_string())?;
        Ok(fields)
    }

    #[test]
    fn fields_and_columns() {
        let line = TextLine::all("# x\r\n 1,\t22 ;3\r\n").nth(1).unwrap();
        let mut fields = Vec::new();
        assert_eq!(line.fields("f", Separator::Any, 2, &mut fields), Ok(true));
        assert_eq!(fields, ["1", "22"]);
        let error = line.field_error("f", fields[1], "p", "q");
        assert_eq!((error.line(), error.column(), error.found()), (Some(2), Some(5), Some("22")));
        assert_eq!(line.number("f", fields[1], 1..=22, "small"), Ok(22));
        let error = line.number("f", fields[1], 1..=21, "small").unwrap_err();
        assert_eq!(error.to_string(), "f:2:5: not small: `22`; accepted: a whole number from 1 to 21");
    }

    #[test]
    fn quotes_and_separators() {
        use Separator::{Any, Blanks, Sign};
        let (comma, tab) = (Sign(','), Sign('\t'));
        for (text, separator, fields) in [
            ("\"a b\",\"c\"", comma, &["a b", "c"][..]),
            (" \"a b\" , \"c,d\" ,", comma, &["a b", "c,d", ""]),
            ("New York, Rome", comma, &["New York", "Rome"]),
            (",b", comma, &["", "b"]),
            ("a\t\"b\tc\"\t 1", tab, &["a", "b\tc", "1"]),
            ("a\t\tb", tab, &["a", "", "b"]),
            ("\"a \"\"b\"\"\"  c", Blanks, &["a \"\"b\"\"", "c"]),
            ("@ \"a b\" 1,2", Any, &["@", "a b", "1", "2"]),
        ] {
            assert_eq!(split(text, separator).unwrap(), fields, "{text}");
        }
        for (text, separator, message) in [
            ("a,\"b", comma, "f:1:3: a quote that is not closed on its line: `\"b`"),
            ("\"a\"b,c", comma, "f:1:1: text after a closing quote"),
            ("\"a\" b,c", comma, "f:1:1: text after a closing quote"),
            ("\"a\"b c", Blanks, "f:1:1: text after a closing quote"),
            ("a\"b\",c", comma, "f:1:1: a quote inside a field: `a\"b\"`"),
            (
                "1 2,3",
                comma,
                "f:1:1: several numbers inside a field of a file whose separators are commas: `1 2`; accepted: one",
            ),
            ("a;b,c", comma, "f:1:1: a ';' inside a field of a file whose separators are commas: `a;b`"),
            (
                "a,b # c",
                comma,
                "f:1:3: a comment after a field: `b # c`; accepted: comments on separate lines",
            ),
            ("a, b", Blanks, "f:1:1: a ',' inside a field of a file whose separators are blanks: `a,`"),
        ] {
            let error = split(text, separator).unwrap_err();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
        for (line, separator) in [
            ("1 2 {'a': 1, 'b': 2}", Blanks),
            ("\"a,b\" c", Blanks),
            ("1;2;0,5", Sign(';')),
            ("1,\t2", comma),
            ("1 2 # a, b", Blanks),
            ("C#,D # x", comma),
            ("1 \t2", tab),
        ] {
            assert_eq!(Separator::of(line), separator, "{line}");
        }
    }

    #[test]
    fn silent_lines() {
        let silent: Vec<bool> =
            TextLine::all("\n  \n# a\n % b\n1 # c\n").map(|line| line.is_silent(&['#', '%'])).collect();
        assert_eq!(silent, [true, true, true, true, false]);
    }
}
