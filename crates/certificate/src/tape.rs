//! JSON as a flat list of values, read without recursion: proofs are thousands of levels deep.

use crate::error::CertificateError;
use crate::limits::{CERTIFICATE_VALUES_MAX, NUMBER_DIGITS_MAX};

/// The kinds of JSON values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JsonKind {
    Object,
    Array,
    Text,
    Number,
    /// `true`, `false` or `null`.
    Word,
}

impl JsonKind {
    /// The name of the kind in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::Array => "a list",
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Word => "a word",
        }
    }
}

/// A JSON value; the values inside it follow directly. In an object, each name is a text node before its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JsonNode {
    pub(crate) kind: JsonKind,
    /// The byte offset at which the value begins.
    pub(crate) at: u32,
    /// The number of nodes of this value, including itself and all values inside it.
    pub(crate) span: u32,
}

/// The values of a text in the order in which they begin.
#[derive(Debug)]
pub(crate) struct JsonTape<'t> {
    text: &'t str,
    nodes: Vec<JsonNode>,
}

/// The kinds of tokens that may follow.
#[derive(Clone, Copy)]
enum NextToken {
    Value,
    FirstElement,
    Name,
    FirstName,
    AfterValue,
}

impl<'t> JsonTape<'t> {
    /// Reads a text that consists of one JSON value. Cost: linear; memory: 12 bytes per value.
    ///
    /// # Errors
    ///
    /// The text is not JSON, or exceeds a limit.
    pub(crate) fn read(text: &'t str) -> Result<Self, CertificateError> {
        let mut scanner = JsonScanner { text, bytes: text.as_bytes(), at: 0, nodes: Vec::new() };
        scanner.whole()?;
        Ok(Self { text, nodes: scanner.nodes })
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn node(&self, index: usize) -> JsonNode {
        self.nodes[index]
    }

    /// The indices of the elements of an array, or of the names and values of an object, alternately.
    pub(crate) fn inside(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let end = index + self.nodes[index].span as usize;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let at = (next < end).then_some(next)?;
            next += self.nodes[at].span as usize;
            Some(at)
        })
    }

    /// The characters of a number or word. For a text, the characters between the quotes, with escapes as written.
    pub(crate) fn characters(&self, index: usize) -> &'t str {
        let JsonNode { kind, at, .. } = self.nodes[index];
        let rest = &self.text[at as usize..];
        let bytes = rest.as_bytes();
        if kind == JsonKind::Text {
            return &rest[1..end_of_text(bytes, 1).unwrap_or(bytes.len())];
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        &rest[..bytes.iter().position(|byte| !is_part(byte)).unwrap_or(bytes.len())]
    }
}

/// The position of the closing quote of a text whose first character is at `from`.
fn end_of_text(bytes: &[u8], mut from: usize) -> Option<usize> {
    while *bytes.get(from)? != b'"' {
        from += if bytes[from] == b'\\' { 2 } else { 1 };
    }
    Some(from)
}

struct JsonScanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<JsonNode>,
}

impl JsonScanner<'_> {
    fn whole(&mut self) -> Result<(), CertificateError> {
        let mut open: Vec<usize> = Vec::new();
        let mut expected = NextToken::Value;
        loop {
            self.skip_blanks();
            let byte = self.bytes.get(self.at).copied();
            let is_object = open.last().is_some_and(|&index| self.nodes[index].kind == JsonKind::Object);
            expected = match (expected, byte) {
                (NextToken::FirstElement, Some(b']')) | (NextToken::FirstName, Some(b'}')) => {
                    self.close(&mut open);
                    NextToken::AfterValue
                }
                (NextToken::Value | NextToken::FirstElement, _) => self.value(byte, &mut open)?,
                (NextToken::Name | NextToken::FirstName, Some(b'"')) => {
                    self.text_value()?;
                    self.skip_blanks();
                    if self.bytes.get(self.at) != Some(&b':') {
                        return Err(self.unexpected("`:`"));
                    }
                    self.at += 1;
                    NextToken::Value
                }
                (NextToken::Name | NextToken::FirstName, _) => {
                    return Err(self.unexpected("a name in double quotes"));
                }
                (NextToken::AfterValue, None) if open.is_empty() => return Ok(()),
                (NextToken::AfterValue, _) if open.is_empty() => {
                    return Err(self.unexpected("the end of the file"));
                }
                (NextToken::AfterValue, Some(b',')) => {
                    self.at += 1;
                    if is_object { NextToken::Name } else { NextToken::Value }
                }
                (NextToken::AfterValue, Some(b'}')) if is_object => {
                    self.close(&mut open);
                    NextToken::AfterValue
                }
                (NextToken::AfterValue, Some(b']')) if !is_object => {
                    self.close(&mut open);
                    NextToken::AfterValue
                }
                (NextToken::AfterValue, _) => {
                    return Err(self.unexpected(if is_object { "`,` or `}`" } else { "`,` or `]`" }));
                }
            };
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn push(&mut self, kind: JsonKind) -> Result<(), CertificateError> {
        if self.nodes.len() == CERTIFICATE_VALUES_MAX {
            return Err(CertificateError::new(self.text, self.at, "too many values")
                .accepting(format!("at most {CERTIFICATE_VALUES_MAX} values")));
        }
        // Texts have at most 2^26 bytes.
        self.nodes.push(JsonNode { kind, at: self.at as u32, span: 1 });
        Ok(())
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        let index = open.pop().expect("only called inside an object or a list");
        self.nodes[index].span = (self.nodes.len() - index) as u32;
        self.at += 1;
    }

    fn value(&mut self, byte: Option<u8>, open: &mut Vec<usize>) -> Result<NextToken, CertificateError> {
        match byte {
            Some(b'{') => {
                open.push(self.nodes.len());
                self.push(JsonKind::Object)?;
                self.at += 1;
                return Ok(NextToken::FirstName);
            }
            Some(b'[') => {
                open.push(self.nodes.len());
                self.push(JsonKind::Array)?;
                self.at += 1;
                return Ok(NextToken::FirstElement);
            }
            Some(b'"') => self.text_value()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => {
                let rest = &self.text[self.at..];
                let Some(word) = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word))
                else {
                    return Err(self.unexpected("a value"));
                };
                self.push(JsonKind::Word)?;
                self.at += word.len();
            }
        }
        Ok(NextToken::AfterValue)
    }

    fn text_value(&mut self) -> Result<(), CertificateError> {
        let Some(end) = end_of_text(self.bytes, self.at + 1) else {
            return Err(
                CertificateError::new(self.text, self.at, "this text is never closed").accepting("`\"`")
            );
        };
        if let Some(control) = self.bytes[self.at..end].iter().position(|byte| *byte < 0x20) {
            return Err(CertificateError::new(
                self.text,
                self.at + control,
                "a control character inside a text",
            )
            .accepting(r"an escape such as \n or \u0007"));
        }
        self.push(JsonKind::Text)?;
        self.at = end + 1;
        Ok(())
    }

    fn number(&mut self) -> Result<(), CertificateError> {
        self.push(JsonKind::Number)?;
        let start = self.at;
        let digits = |this: &mut Self| {
            let from = this.at;
            while this.bytes.get(this.at).is_some_and(u8::is_ascii_digit) {
                this.at += 1;
            }
            this.at - from
        };
        self.at += usize::from(self.bytes[self.at] == b'-');
        let leading_zero = self.bytes.get(self.at) == Some(&b'0');
        let whole = digits(self);
        let mut is_number = whole == 1 || (whole > 1 && !leading_zero);
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            is_number &= digits(self) > 0;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.bytes.get(self.at), Some(b'+' | b'-')));
            is_number &= digits(self) > 0;
        }
        let error = |what| CertificateError::new(self.text, start, what);
        if !is_number {
            return Err(error("this is not a number").accepting("a whole number"));
        }
        if self.at - start > NUMBER_DIGITS_MAX {
            return Err(
                error("this number is too long").accepting(format!("at most {NUMBER_DIGITS_MAX} digits"))
            );
        }
        Ok(())
    }

    fn unexpected(&self, accepted: &str) -> CertificateError {
        let what = match self.text[self.at..].chars().next() {
            None => "the file ends too early".to_owned(),
            Some(c) => format!("`{}` cannot stand here", c.escape_debug()),
        };
        CertificateError::new(self.text, self.at, what).accepting(accepted)
    }
}
