//! The lexical level: blanks and comments, names, numbers, texts.

use super::failure::{Failure, Span, quoted};

/// A cursor over the text.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    /// The byte at which reading goes on; always on a character boundary.
    pub(crate) at: usize,
}

/// What RON counts as blank (the pattern white space of Unicode), so not the no-break space.
fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
}

pub(crate) fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

pub(crate) fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(crate) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    fn eat_while(&mut self, accepts: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !accepts(c)).unwrap_or(rest.len());
    }

    pub(crate) fn slice(&self, span: &Span) -> &'t str {
        &self.text[span.clone()]
    }

    /// Passes blanks, `// line` comments and nested `/* block */` comments.
    pub(crate) fn skip_blanks(&mut self) -> Result<(), Failure> {
        loop {
            self.eat_while(is_blank);
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    fn block_comment(&mut self) -> Result<(), Failure> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else if self.bump().is_none() {
                return Err(Failure::new(start..start + 2, "this comment is never closed").accepting("`*/`"));
            }
        }
    }

    /// A name, if one starts here.
    pub(crate) fn name(&mut self) -> Option<Span> {
        let start = self.at;
        if self.peek().is_some_and(starts_name) {
            self.eat_while(continues_name);
            return Some(start..self.at);
        }
        None
    }

    /// A number; the caller has seen a digit, a sign or a point.
    pub(crate) fn number(&mut self) -> Result<Span, Failure> {
        let start = self.at;
        if self.peek().is_some_and(|c| c == '+' || c == '-') {
            self.at += 1;
        }
        let digits = self.at;
        loop {
            self.eat_while(|c| c == '.' || continues_name(c));
            let so_far = &self.text[digits..self.at];
            let exponent = so_far.ends_with(['e', 'E']) && !so_far.starts_with("0x");
            if !(exponent && self.peek().is_some_and(|c| c == '+' || c == '-')) {
                break;
            }
            self.at += 1;
        }
        let literal = &self.text[start..self.at];
        if is_number(literal) {
            Ok(start..self.at)
        } else {
            Err(Failure::new(start..self.at, format!("{} is not a number", quoted(literal)))
                .accepting("a number such as 12, 1_000_000, 1e6 or 0.25"))
        }
    }

    /// Whether a text starts here: `"…"`, or raw `r"…"` and `r#"…"#`.
    pub(crate) fn at_text(&self) -> bool {
        let rest = self.rest();
        rest.starts_with('"')
            || rest.strip_prefix('r').is_some_and(|rest| rest.trim_start_matches('#').starts_with('"'))
    }

    /// A text, decoded; the caller has seen [`Scanner::at_text`].
    pub(crate) fn text(&mut self) -> Result<String, Failure> {
        let start = self.at;
        let unclosed = || Failure::new(start..start + 1, "this text is never closed").accepting("`\"`");
        if let Some(raw) = self.raw_text() {
            return raw.map(str::to_owned).ok_or_else(unclosed);
        }
        self.at += 1;
        let mut decoded = String::new();
        loop {
            if self.eat('"') {
                return Ok(decoded);
            }
            decoded.push(self.text_char()?.ok_or_else(unclosed)?);
        }
    }

    /// Inside and past a raw text: `None` if none starts here, `Some(None)` if it has no end.
    #[allow(clippy::option_option)]
    fn raw_text(&mut self) -> Option<Option<&'t str>> {
        let after = self.rest().strip_prefix('r')?;
        let hashes = after.len() - after.trim_start_matches('#').len();
        let body = after[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let Some(length) = body.find(&end) else {
            self.at = self.text.len();
            return Some(None);
        };
        self.at += 1 + hashes + 1 + length + end.len();
        Some(Some(&body[..length]))
    }

    /// One character of a text, an escape decoded; `None` at the end of the file.
    pub(crate) fn text_char(&mut self) -> Result<Option<char>, Failure> {
        let start = self.at;
        let Some(c) = self.bump() else { return Ok(None) };
        if c != '\\' {
            return Ok(Some(c));
        }
        let decoded = match self.bump() {
            None => return Ok(None),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('0') => Some('\0'),
            Some(same @ ('"' | '\'' | '\\')) => Some(same),
            Some('x') => {
                let digits: String = self.rest().chars().take(2).collect();
                self.at += digits.len();
                from_hex(&digits).filter(|_| digits.len() == 2)
            }
            Some('u') if self.eat('{') => {
                let digits: String =
                    self.rest().chars().take_while(char::is_ascii_hexdigit).take(6).collect();
                self.at += digits.len();
                from_hex(&digits).filter(|_| self.eat('}'))
            }
            Some(_) => None,
        };
        decoded.map(Some).ok_or_else(|| {
            Failure::new(start..self.at, format!("{} is not an escape", quoted(&self.text[start..self.at])))
                .accepting(r#"\", \', \\, \n, \r, \t, \0, \x41, \u{1F600}"#)
        })
    }

    /// The token that starts here, for "found …" in messages; empty at the end.
    pub(crate) fn token(&self) -> Span {
        let mut ahead = Scanner::new(self.text, self.at);
        if ahead.at_text() && ahead.text().is_ok() {
            return self.at..ahead.at;
        }
        ahead.at = self.at;
        ahead.eat_while(|c| c == '.' || continues_name(c));
        if ahead.at == self.at {
            ahead.bump();
        }
        self.at..ahead.at
    }
}

fn from_hex(digits: &str) -> Option<char> {
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// The byte of the text at which the character `decoded` bytes into the text value stands.
///
/// `span` is the span of the text value, quotes included; past the end gives the closing quote.
pub(crate) fn place_in_text(text: &str, span: &Span, decoded: usize) -> usize {
    let mut scanner = Scanner::new(text, span.start);
    if let Some(Some(body)) = scanner.raw_text() {
        let start = span.start + text[span.clone()].find('"').map_or(0, |quote| quote + 1);
        return start + decoded.min(body.len());
    }
    scanner.at = span.start + 1;
    let mut length = 0;
    while length < decoded && scanner.at + 1 < span.end {
        match scanner.text_char() {
            Ok(Some(c)) => length += c.len_utf8(),
            _ => break,
        }
    }
    scanner.at
}

/// Whether a literal is a number of RON: decimal, `0x`, `0o`, `0b`, a float, `inf` or `NaN`.
pub(crate) fn is_number(literal: &str) -> bool {
    let unsigned = literal.strip_prefix(['+', '-']).unwrap_or(literal);
    if unsigned == "inf" || unsigned == "NaN" {
        return true;
    }
    if whole(literal).is_some() {
        return true;
    }
    let plain: String = unsigned.chars().filter(|&c| c != '_').collect();
    plain.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
        && !unsigned.starts_with('_')
        // Underscores group digits; `1._000` is no number of RON.
        && !["._", "e_", "E_", "+_", "-_"].iter().any(|misplaced| unsigned.contains(misplaced))
        && plain.parse::<f64>().is_ok()
}

/// The value of a whole-number literal; `None` if it is none or beyond 128 bits.
pub(crate) fn whole(literal: &str) -> Option<i128> {
    let (negative, unsigned) = match literal.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, literal.strip_prefix('+').unwrap_or(literal)),
    };
    let (radix, digits) = match unsigned.get(..2) {
        Some("0x") => (16, &unsigned[2..]),
        Some("0o") => (8, &unsigned[2..]),
        Some("0b") => (2, &unsigned[2..]),
        _ => (10, unsigned),
    };
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    if digits.starts_with('_') || plain.starts_with(['+', '-']) {
        return None;
    }
    let value = i128::from_str_radix(&plain, radix).ok()?;
    Some(if negative { -value } else { value })
}

/// The value of a number literal as a real.
pub(crate) fn real(literal: &str) -> f64 {
    if let Some(value) = whole(literal) {
        return value as f64;
    }
    let plain: String = literal.chars().filter(|&c| c != '_').collect();
    plain.parse().unwrap_or(f64::NAN)
}
