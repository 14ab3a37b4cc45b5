//! The text of a rule: `A + B -> C + D`.
//!
//! ```text
//! rule = pair "->" pair
//! pair = state "+" state
//! ```
//!
//! A state is a run of characters other than white space and `+` that ends before `->`.

use super::error::{TableError, TableErrorKind};
use crate::name::quoted;

/// The maximum length of the text of a rule, in bytes: four names of maximum length in four-byte characters, and room
/// for the signs.
const MAX_TEXT: usize = 2048;

/// A state as it was written, with its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WrittenState<'a> {
    pub(super) name: &'a str,
    /// The position in the text, in characters, counted from 1.
    pub(super) column: usize,
}

/// Two states as they were written.
pub(super) type WrittenPair<'a> = [WrittenState<'a>; 2];

/// Reads `A + B -> C + D`.
pub(super) fn parse_rule(text: &str) -> Result<[WrittenPair<'_>; 2], TableError> {
    let mut reader = RuleReader::new(text)?;
    let before = reader.pair()?;
    reader.expect(RuleToken::Arrow, "`->`")?;
    let after = reader.pair()?;
    reader.end()?;
    Ok([before, after])
}

/// Reads `A + B`.
pub(super) fn parse_pair(text: &str) -> Result<WrittenPair<'_>, TableError> {
    let mut reader = RuleReader::new(text)?;
    let pair = reader.pair()?;
    reader.end()?;
    Ok(pair)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RuleToken<'a> {
    Plus,
    Arrow,
    State(&'a str),
}

struct RuleReader<'a> {
    text: &'a str,
    rest: &'a str,
    column: usize,
}

impl<'a> RuleReader<'a> {
    fn new(text: &'a str) -> Result<Self, TableError> {
        if text.len() > MAX_TEXT {
            let message = format!("the text has {} bytes", text.len());
            let accepted = format!("at most {MAX_TEXT} bytes");
            return Err(TableError::new(TableErrorKind::Syntax, text, message, accepted));
        }
        Ok(Self { text, rest: text, column: 1 })
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    /// The next token and its column; `None` at the end.
    fn next(&mut self) -> (Option<RuleToken<'a>>, usize) {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        self.take(blanks);
        let column = self.column;
        let token = if self.rest.is_empty() {
            None
        } else if self.rest.starts_with('+') {
            self.take(1);
            Some(RuleToken::Plus)
        } else if self.rest.starts_with("->") {
            self.take(2);
            Some(RuleToken::Arrow)
        } else {
            let ends = |c: char| c.is_whitespace() || c == '+';
            let word = self.rest.split(ends).next().unwrap_or(self.rest);
            let length = word.find("->").unwrap_or(word.len());
            Some(RuleToken::State(self.take(length)))
        };
        (token, column)
    }

    fn state(&mut self) -> Result<WrittenState<'a>, TableError> {
        match self.next() {
            (Some(RuleToken::State(name)), column) => Ok(WrittenState { name, column }),
            (found, column) => Err(self.unexpected(found, column, "the name of a state")),
        }
    }

    fn expect(&mut self, token: RuleToken<'_>, described: &str) -> Result<(), TableError> {
        let (found, column) = self.next();
        if found == Some(token) { Ok(()) } else { Err(self.unexpected(found, column, described)) }
    }

    fn pair(&mut self) -> Result<WrittenPair<'a>, TableError> {
        let first = self.state()?;
        self.expect(RuleToken::Plus, "`+`")?;
        Ok([first, self.state()?])
    }

    fn end(&mut self) -> Result<(), TableError> {
        match self.next() {
            (None, _) => Ok(()),
            (found, column) => Err(self.unexpected(found, column, "the end")),
        }
    }

    fn unexpected(&self, found: Option<RuleToken<'_>>, column: usize, wanted: &str) -> TableError {
        let found = match found {
            None => "the text ends".to_owned(),
            Some(RuleToken::Plus) => "found `+`".to_owned(),
            Some(RuleToken::Arrow) => "found `->`".to_owned(),
            Some(RuleToken::State(name)) => format!("found `{}`", quoted(name)),
        };
        let message = format!("{wanted} is missing here, {found}");
        TableError::new(TableErrorKind::Syntax, self.text, message, "A + B -> C + D; outcomes: C + D")
            .at_column(self.text, column)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(text: &str) -> [[&str; 2]; 2] {
        parse_rule(text).unwrap().map(|pair| pair.map(|written| written.name))
    }

    #[test]
    fn white_space_does_not_matter() {
        for text in ["A + B -> U + U", "A+B->U+U", "  A  +B ->\tU+ U\n"] {
            assert_eq!(names(text), [["A", "B"], ["U", "U"]]);
        }
        assert_eq!(names("A- + é->A-+é"), [["A-", "é"], ["A-", "é"]]);
        assert_eq!(names("A+B-->0+0x"), [["A", "B-"], ["0", "0x"]]);
    }

    #[test]
    fn a_fault_is_shown_where_it_is() {
        let cases = [
            ("", 1, "the name of a state is missing here, the text ends"),
            ("A B -> U + U", 3, "`+` is missing here, found `B`"),
            ("A + -> U + U", 5, "the name of a state is missing here, found `->`"),
            ("A + B > U + U", 7, "`->` is missing here, found `>`"),
            ("A + B -> U", 11, "`+` is missing here, the text ends"),
            ("é + B -> U + U + U", 16, "the end is missing here, found `+`"),
            ("A + B -> U + U x", 16, "the end is missing here, found `x`"),
            ("A + B - > U + U", 7, "`->` is missing here, found `-`"),
        ];
        for (text, column, message) in cases {
            let error = parse_rule(text).unwrap_err();
            assert_eq!((error.kind(), error.column()), (TableErrorKind::Syntax, Some(column)), "{text}");
            assert!(error.to_string().starts_with(message), "{text}: {error}");
        }
        assert_eq!(parse_pair("A + B -> C + D").unwrap_err().column(), Some(7));
    }

    #[test]
    fn the_length_is_limited() {
        let rule = |length: usize| format!("{}A + B -> C + D", " ".repeat(length - 14));
        assert!(parse_rule(&rule(MAX_TEXT)).is_ok());
        assert_eq!(parse_rule(&rule(MAX_TEXT + 1)).unwrap_err().kind(), TableErrorKind::Syntax);
    }

    proptest! {
        #[test]
        fn any_text_is_a_rule_or_an_error(text in "[AB+>é -]{0,20}|\\PC{0,40}") {
            if let Err(error) = parse_rule(&text) {
                let column = error.column().unwrap();
                prop_assert!((1..=text.chars().count() + 1).contains(&column));
            }
        }

        #[test]
        fn what_is_written_is_read(names in proptest::array::uniform4("[a-zA-Z0-9é_.'-]{0,8}[a-z]")) {
            let [a, b, c, d] = &names;
            let text = format!("{a} + {b} -> {c} + {d}");
            let read = parse_rule(&text).unwrap().map(|pair| pair.map(|written| written.name.to_owned()));
            prop_assert_eq!(read.concat(), names);
        }
    }
}
