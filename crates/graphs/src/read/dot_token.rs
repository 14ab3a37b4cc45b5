//! The tokens of a DOT file.

use std::borrow::Cow;

use super::ReadError;
use super::error::Location;
use super::text::line_ends;

const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// A token and the byte at which it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DotToken<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) at: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind<'t> {
    /// A name or number.
    Id(Id<'t>),
    /// An unquoted name that the language reserves, in lower case.
    Keyword(&'static str),
    /// A sign of one or two characters.
    Sign(&'static str),
    End,
}

/// A name, compared as in the language: the string `"<x>"` differs from the HTML string `<x>`, and both differ from
/// `x`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Id<'t> {
    /// The text, without the quotes of a string but with the outer brackets of an HTML string.
    pub(super) text: Cow<'t, str>,
    pub(super) is_html: bool,
}

impl<'t, T: Into<Cow<'t, str>>> From<T> for Id<'t> {
    fn from(text: T) -> Self {
        Self { text: text.into(), is_html: false }
    }
}

const KEYWORDS: [&str; 6] = ["strict", "graph", "digraph", "node", "edge", "subgraph"];
const SIGNS: [&str; 11] = ["--", "->", "{", "}", "[", "]", ";", ",", "=", ":", "+"];

/// Splits the text of a DOT file into tokens.
pub(super) struct Tokens<'t> {
    text: &'t str,
    file: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, file: &'t str) -> Self {
        Self { text, file, at: 0 }
    }

    /// An error at a byte of the text, showing the text from there to the end of the line.
    pub(super) fn error(
        &self,
        at: usize,
        problem: impl Into<String>,
        accepted: impl Into<String>,
    ) -> ReadError {
        let before = &self.text[..at];
        let start = before.rfind(LINE_ENDS).map_or(0, |end| end + 1);
        let line = line_ends(before.as_bytes()) + 1;
        let place =
            Location { file: self.file.to_owned(), line: Some(line), column: Some((at - start) as u64 + 1) };
        let rest = self.text[at..].split(LINE_ENDS).next().unwrap_or("");
        let error = ReadError::new(place, problem, accepted);
        if rest.is_empty() { error } else { error.found_text(rest) }
    }

    pub(super) fn next(&mut self) -> Result<DotToken<'t>, ReadError> {
        self.skip_silence()?;
        let at = self.at;
        let rest = &self.text[at..];
        let token = |kind| Ok(DotToken { kind, at });
        let Some(first) = rest.chars().next() else { return token(TokenKind::End) };
        if first == '"' {
            return self.quoted().map(|text| DotToken { kind: TokenKind::Id(text.into()), at });
        }
        if first == '<' {
            let id = |text: &'t str| Id { text: text.into(), is_html: true };
            return self.html().map(|text| DotToken { kind: TokenKind::Id(id(text)), at });
        }
        let numeral = numeral_length(rest);
        if numeral > 0 {
            if rest[numeral..].starts_with(|c| is_name_character(c) || c == '.') {
                return Err(self.error(
                    at,
                    "a number directly followed by a name",
                    "a number, or the name in quotes",
                ));
            }
            self.at += numeral;
            return token(TokenKind::Id(rest[..numeral].into()));
        }
        if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            self.at += sign.len();
            return token(TokenKind::Sign(sign));
        }
        let length = rest.find(|c: char| !is_name_character(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error(
                at,
                "a character without meaning in DOT",
                "names, numbers, strings, signs",
            ));
        }
        self.at += length;
        let name = &rest[..length];
        match KEYWORDS.into_iter().find(|keyword| name.eq_ignore_ascii_case(keyword)) {
            Some(keyword) => token(TokenKind::Keyword(keyword)),
            None => token(TokenKind::Id(name.into())),
        }
    }

    /// Skips white space, comments, and lines that start with `#`.
    fn skip_silence(&mut self) -> Result<(), ReadError> {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let line_start = self.at == 0 || self.text[..self.at].ends_with(LINE_ENDS);
            if trimmed.starts_with("//") || (line_start && trimmed.starts_with('#')) {
                self.at += trimmed.find(LINE_ENDS).unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let Some(length) = comment.find("*/") else {
                    return Err(self.error(self.at, "a comment that is never closed", "`/*` closed by `*/`"));
                };
                self.at += length + 4;
            } else {
                return Ok(());
            }
        }
    }

    /// A quoted string. `\"` is a quote, and a backslash before the end of a line joins lines. Any other backslash is
    /// kept.
    fn quoted(&mut self) -> Result<Cow<'t, str>, ReadError> {
        let start = self.at + 1;
        let mut id = Cow::Borrowed("");
        let mut from = start;
        let bytes = self.text.as_bytes();
        let mut at = start;
        while at < bytes.len() {
            match bytes[at] {
                b'"' => {
                    id += &self.text[from..at];
                    self.at = at + 1;
                    return Ok(id);
                }
                b'\\' if matches!(bytes.get(at + 1), Some(b'"')) => {
                    id += &self.text[from..at];
                    from = at + 1;
                    at += 2;
                }
                b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => {
                    id += &self.text[from..at];
                    at += if bytes[at + 1..].starts_with(b"\r\n") { 3 } else { 2 };
                    from = at;
                }
                b'\\' if matches!(bytes.get(at + 1), Some(b'\\')) => at += 2,
                _ => at += 1,
            }
        }
        Err(self.error(start - 1, "a string that is never closed", "a string closed by `\"`"))
    }

    /// An HTML string: balanced angle brackets.
    fn html(&mut self) -> Result<&'t str, ReadError> {
        let start = self.at;
        let mut depth = 0u64;
        for (at, byte) in self.text.bytes().enumerate().skip(start) {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = at + 1;
                return Ok(&self.text[start..self.at]);
            }
        }
        Err(self.error(start, "an HTML string that is never closed", "as many `>` as `<`"))
    }
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// The length of the number at the start: `[-] ( .digits | digits [ . [digits] ] )`; 0 if there is none.
fn numeral_length(text: &str) -> usize {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(unsigned);
    let point = usize::from(unsigned[whole..].starts_with('.'));
    let fraction = if point == 1 { digits(&unsigned[whole + 1..]) } else { 0 };
    if whole + fraction == 0 { 0 } else { text.len() - unsigned.len() + whole + point + fraction }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &'static str) -> Result<Vec<TokenKind<'static>>, ReadError> {
        let mut tokens = Tokens::new(text, "f");
        let mut kinds = Vec::new();
        loop {
            match tokens.next()?.kind {
                TokenKind::End => return Ok(kinds),
                kind => kinds.push(kind),
            }
        }
    }

    fn ids(text: &'static str) -> Vec<String> {
        let id = |kind| match kind {
            TokenKind::Id(id) => id.text.into_owned(),
            other => panic!("{other:?}"),
        };
        kinds(text).unwrap().into_iter().map(id).collect()
    }

    #[test]
    fn names_numbers_and_strings() {
        assert_eq!(ids("a _b9 été -1 .5 -2.25 3."), ["a", "_b9", "été", "-1", ".5", "-2.25", "3."]);
        assert_eq!(ids(r#" "a b" "say \"x\"" "back\\" "n\l" "#), ["a b", "say \"x\"", "back\\\\", "n\\l"]);
        assert_eq!(ids("\"jo\\\nin\" <a <b>c</b>>"), ["join", "<a <b>c</b>>"]);
        assert_eq!(ids("\"jo\\\r\ni\\\rn\" // x\ra # b".split(" # ").next().unwrap()), ["join", "a"]);
        assert_ne!(kinds("<a>").unwrap(), kinds("\"<a>\"").unwrap());
        assert_eq!(ids("# line\na // b\n/* c\nd */ e # f".split(" # f").next().unwrap()), ["a", "e"]);
    }

    #[test]
    fn keywords_and_signs() {
        use TokenKind::{Keyword, Sign};
        assert_eq!(kinds("Strict GRAPH {").unwrap(), [Keyword("strict"), Keyword("graph"), Sign("{")]);
        assert_eq!(ids("\"graph\" nodes"), ["graph", "nodes"]);
        let signs = kinds("1--2->-3--4").unwrap();
        assert_eq!(signs[1], Sign("--"));
        assert_eq!(signs[3], Sign("->"));
        assert_eq!(signs[4], TokenKind::Id("-3".into()));
        assert_eq!(signs[5], Sign("--"));
    }

    #[test]
    fn refused_with_line_and_column() {
        for (text, message) in [
            ("a\r /* b", "f:2:2: a comment that is never closed: `/* b`"),
            ("a \"b\nc", "f:1:3: a string that is never closed: `\"b`"),
            ("<a<b>", "f:1:1: an HTML string that is never closed"),
            ("a 10b", "f:1:3: a number directly followed by a name: `10b`"),
            ("1.2.3", "f:1:1: a number directly followed by a name"),
            ("a ?", "f:1:3: a character without meaning in DOT: `?`"),
            ("a # no comment inside a line", "f:1:3: a character without meaning in DOT"),
        ] {
            let error = kinds(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
