//! Explanations of texts that the `ron` crate refuses.
//!
//! The crate knows what it expected, but not which bracket was never closed, or that `12abc` was meant as one number.
//! This module therefore scans the tokens before the error again. It is not used for valid texts.

use ron::error::{Error, Position, SpannedError};

use super::failure::{ByteSpan, DecodeFailure, quoted};
use crate::limits::MAX_DEPTH;

/// Converts an error of the `ron` crate to a failure that a user understands. Cost: linear in the text.
pub(crate) fn explain(text: &str, error: &SpannedError) -> DecodeFailure {
    let Position { line, col } = error.span.end;
    let at = byte_of(text, line, col);
    match Trail::to(text, at) {
        Ok(trail) => trail.refuse(at, &error.code),
        Err(failure) => failure,
    }
}

/// The failure for a value that is RON of a kind that scenarios do not use. `start` is its first byte.
pub(crate) fn not_used(text: &str, start: usize) -> DecodeFailure {
    let mut trail = Trail::new(text);
    trail.token = trail.next_token(start).unwrap_or(start..start);
    if trail.is_number(&trail.token) { trail.no_number(&trail.token) } else { trail.no_value() }
}

/// The failure for a bracket above the depth limit.
pub(crate) fn too_deep(open: usize) -> DecodeFailure {
    DecodeFailure::new(open..open + 1, format!("more than {MAX_DEPTH} nested brackets"))
        .accepting(format!("at most {MAX_DEPTH} levels"))
}

/// The byte at a line and a column in characters, both from 1; the end of the text if there is no such position.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(length) => start += length + 1,
            None => return text.len(),
        }
    }
    let rest = &text[start..];
    rest.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| start + at)
}

/// The tokens before an error.
struct Trail<'t> {
    text: &'t str,
    /// The open brackets, and whether a colon occurred directly inside each.
    open: Vec<(usize, bool)>,
    /// The two tokens before the token at the error, the nearer one first.
    before: [Option<ByteSpan>; 2],
    /// The token at the error; empty at the end of the text.
    token: ByteSpan,
}

impl<'t> Trail<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, open: Vec::new(), before: [None, None], token: 0..0 }
    }

    /// Scans all tokens that end at or before a byte. Fails at a token that is never closed.
    fn to(text: &'t str, at: usize) -> Result<Self, DecodeFailure> {
        let mut trail = Self::new(text);
        loop {
            let start = trail.skip_blanks(trail.token.end)?;
            trail.token = trail.next_token(start)?;
            match &text[trail.token.clone()] {
                // No value starts with these characters, and they do not separate values.
                "" | "'" | "/" | "#" => return Ok(trail),
                _ if trail.token.end > at => return Ok(trail),
                "(" | "[" | "{" if trail.open.len() == MAX_DEPTH => return Err(too_deep(start)),
                "(" | "[" | "{" => trail.open.push((start, false)),
                ")" | "]" | "}" => drop(trail.open.pop()),
                ":" => trail.open.iter_mut().rev().take(1).for_each(|(_, has_colon)| *has_colon = true),
                _ => {}
            }
            trail.before = [Some(trail.token.clone()), trail.before[0].take()];
        }
    }

    fn refuse(mut self, at: usize, code: &Error) -> DecodeFailure {
        let found = &self.text[self.token.clone()];
        match code {
            _ if found.is_empty() => self.ended(code),
            _ if found == "'" && matches!(code, Error::ExpectedChar | Error::Eof) => {
                DecodeFailure::new(self.token.clone(), "this character is never closed")
                    .accepting("`'`")
                    .hinting(Some("texts are in double quotes".to_owned()))
            }
            _ if matches!(found, "/" | "#") => self.stray(),
            _ if self.token.start < at && self.is_number(&self.token) => self.no_number(&self.token),
            Error::InvalidEscape(_) => self.no_escape(at),
            Error::TrailingCharacters => self.after_the_end(),
            Error::ExpectedComma if self.is_slip_for_colon() => self.no_colon(),
            Error::ExpectedComma => self.no_comma(),
            Error::ExpectedMapColon => self.no_colon(),
            // Raw names may contain these characters, but scenarios have no raw names.
            Error::SuggestRawIdentifier(_) if found.starts_with(starts_name) => {
                self.token = self.next_token(self.token.end).unwrap_or(self.token);
                self.no_colon()
            }
            Error::ExpectedIdentifier | Error::SuggestRawIdentifier(_) => self.no_name(),
            Error::UnexpectedChar(_) => self.no_value(),
            Error::ExpectedInteger
            | Error::ExpectedFloat
            | Error::FloatUnderscore
            | Error::UnderscoreAtBeginning
            | Error::IntegerOutOfBounds
            | Error::InvalidIntegerDigit { .. } => {
                let last = self.before[0].as_ref().filter(|last| last.end == at && self.is_number(last));
                self.no_number(last.unwrap_or(&self.token))
            }
            Error::ExpectedOptionEnd => self.found("`Some` takes one value", "`)`"),
            _ => self.found("this is not allowed here", "a scenario in RON, see reference.ron"),
        }
    }

    /// The failure for a character that cannot start a token. The message depends on the token that is expected there.
    fn stray(&self) -> DecodeFailure {
        let before = |back: usize| self.before[back].clone().map_or("(", |token| &self.text[token]);
        let has_fields = self
            .open
            .last()
            .is_some_and(|&(open, has_colon)| has_colon && self.text[open..].starts_with('('));
        match (before(0), before(1)) {
            (",", _) if has_fields => self.no_name(),
            (name, "(" | ",") if has_fields && name.starts_with(starts_name) => self.no_colon(),
            ("(" | "[" | "{" | "," | ":", _) if self.text[self.token.clone()] == *"#" => {
                self.found("attributes are not used here", "a value").hinting(Some(
                    "comments begin with //; `Some` may be left out without an attribute".to_owned(),
                ))
            }
            ("(" | "[" | "{" | "," | ":", _) => self.no_value(),
            _ => self.no_comma(),
        }
    }

    /// The failure for a text that ends too early.
    fn ended(&self, code: &Error) -> DecodeFailure {
        let end = self.token.start;
        match (&self.before[0], self.open.last()) {
            (None, _) => {
                DecodeFailure::new(0..0, "the text is empty").accepting("one value: (name: value, …)")
            }
            (Some(last), _) if self.text[last.clone()] == *":" => {
                DecodeFailure::new(end..end, "the text ends where a value is expected")
            }
            _ if *code == Error::ExpectedMapColon => {
                DecodeFailure::new(end..end, "the text ends where `:` is expected")
            }
            (_, Some(&(open, _))) => {
                let message = format!("`{}` is never closed", &self.text[open..=open]);
                DecodeFailure::new(open..open + 1, message).accepting(format!("`{}`", self.closing(open)))
            }
            (Some(last), None) => DecodeFailure::new(last.clone(), "the text cannot be read from here on")
                .accepting("a scenario in RON, see reference.ron"),
        }
    }

    fn found(&self, message: &str, accepted: &str) -> DecodeFailure {
        let start = self.token.start;
        let token = start..self.token.end.max(start + run_length(&self.text[start..]));
        let message = format!("{message}: found {}", quoted(&self.text[token.clone()]));
        DecodeFailure::new(token, message).accepting(accepted)
    }

    fn no_value(&self) -> DecodeFailure {
        let found = &self.text[self.token.clone()];
        let is_curly = matches!(found, "\u{201c}" | "\u{201d}" | "\u{201e}" | "\u{2018}" | "\u{2019}");
        self.found("a value is expected here", "a value")
            .hinting(is_curly.then(|| "texts are in straight double quotes: \"…\"".to_owned()))
    }

    fn no_name(&self) -> DecodeFailure {
        let last = self.before[1].clone().map_or("", |token| &self.text[token]);
        let found = &self.text[self.token.clone()];
        let is_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let hint = match found {
            "," => Some("is this comma one too many?".to_owned()),
            _ if is_digit(found) && is_digit(last) => Some("digits are grouped by `_`: 12_000".to_owned()),
            _ if starts_text(found) => Some("names of fields have no quotes".to_owned()),
            _ => None,
        };
        self.found("a field name is expected here", "a name").hinting(hint)
    }

    fn no_colon(&self) -> DecodeFailure {
        self.found("`:` is expected here", "`:` and a value")
    }

    fn no_comma(&self) -> DecodeFailure {
        let accepted = match self.open.last() {
            Some(&(open, _)) => format!("`,` or `{}`", self.closing(open)),
            None => return self.after_the_end(),
        };
        self.found(&format!("{accepted} is expected here"), &accepted).hinting(Some(self.slip()))
    }

    /// A guess at the mistake if a comma is expected at the error.
    fn slip(&self) -> String {
        let before = |back: usize| self.before[back].clone().map_or("", |token| &self.text[token]);
        let is_name = |text: &str| text.starts_with(starts_name);
        let found = &self.text[self.token.clone()];
        let last = before(0);
        let open = self.open.last().map_or(0, |&(open, _)| open);
        match found.chars().next().unwrap_or(' ') {
            ')' | ']' | '}' => {
                let line = 1 + self.text[..open].matches('\n').count();
                format!("`{}` on line {line} is still open", &self.text[open..=open])
            }
            ';' => "values are separated by commas".to_owned(),
            ':' if last.starts_with('"') => {
                format!("names of fields have no quotes: {}", last.trim_matches('"'))
            }
            ':' | '=' => "fields have parentheses around them: (name: value)".to_owned(),
            '[' | '{' if is_name(last) => format!("values of a name are in parentheses: {last}(…)"),
            '%' => "numbers have no unit and no percent sign: 0.5".to_owned(),
            '"' if last.starts_with('"') => {
                r#"is a comma missing before this? A quote inside a text is \""#.to_owned()
            }
            first
                if starts_name(first) && self.before[0].as_ref().is_some_and(|last| self.is_number(last)) =>
            {
                "is a comma missing before this? Numbers have no unit".to_owned()
            }
            '-' if is_name(last) && matches!(before(1), "(" | ",") => {
                "names have `_` instead of `-`".to_owned()
            }
            // As in `(seed 1`.
            _ if is_name(last) && matches!(before(1), "(" | ",") && self.text[open..].starts_with('(') => {
                "is a colon missing before this?".to_owned()
            }
            first if is_name(last) && (starts_name(first) || matches!(first, '-' | '.')) => {
                "is a comma missing before this? Texts are in double quotes".to_owned()
            }
            _ => "is a comma missing before this?".to_owned(),
        }
    }

    fn after_the_end(&self) -> DecodeFailure {
        let is_word = self.before[1].is_none()
            && self.before[0].clone().is_some_and(|first| self.text[first].starts_with(starts_name));
        self.found("something after the end", "nothing more").hinting(
            is_word.then(|| "a file is one value, its fields in parentheses: (name: value, …)".to_owned()),
        )
    }

    fn no_number(&self, token: &ByteSpan) -> DecodeFailure {
        DecodeFailure::new(token.clone(), format!("{} is not a number", quoted(&self.text[token.clone()])))
            .accepting("a number such as 12, 1_000_000, 1e6 or 0.25")
    }

    fn no_escape(&self, at: usize) -> DecodeFailure {
        let start = self.text[..at].rfind('\\').unwrap_or(self.token.start);
        DecodeFailure::new(start..at, format!("{} is not an escape", quoted(&self.text[start..at])))
            .accepting(r#"\", \', \\, \n, \r, \t, \0, \x41, \u{1F600}"#)
    }

    fn closing(&self, open: usize) -> char {
        match self.text.as_bytes()[open] {
            b'(' => ')',
            b'[' => ']',
            _ => '}',
        }
    }

    /// Whether the error is at the `=` of `(name = value`.
    fn is_slip_for_colon(&self) -> bool {
        let before = |back: usize| self.before[back].clone().map_or("", |token| &self.text[token]);
        before(1) == "(" && before(0).starts_with(starts_name) && self.text[self.token.clone()] == *"="
    }

    fn is_number(&self, token: &ByteSpan) -> bool {
        self.text[token.clone()].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
    }

    /// The position after blanks and comments.
    fn skip_blanks(&self, from: usize) -> Result<usize, DecodeFailure> {
        let mut at = from;
        loop {
            let rest = &self.text[at..];
            at += rest.find(|c| !is_blank(c)).unwrap_or(rest.len());
            let rest = &self.text[at..];
            if rest.starts_with("//") {
                at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                at = self.block_comment(at)?;
            } else {
                return Ok(at);
            }
        }
    }

    /// The position after a block comment, which may contain other block comments.
    fn block_comment(&self, start: usize) -> Result<usize, DecodeFailure> {
        let mut depth = 0_usize;
        let mut at = start;
        while let Some(step) = self.text[at..].find(['/', '*']) {
            at += step;
            match &self.text.as_bytes()[at..] {
                [b'/', b'*', ..] => depth += 1,
                [b'*', b'/', ..] => depth -= 1,
                _ => {
                    at += 1;
                    continue;
                }
            }
            at += 2;
            if depth == 0 {
                return Ok(at);
            }
        }
        Err(DecodeFailure::new(start..start + 2, "this comment is never closed").accepting("`*/`"))
    }

    /// The token that starts at a byte: a text, a character, a name, a number including anything attached to it, or one
    /// sign.
    fn next_token(&self, start: usize) -> Result<ByteSpan, DecodeFailure> {
        let rest = &self.text[start..];
        let length = match rest.chars().next() {
            None => 0,
            Some('"' | 'r') if starts_text(rest) => text_length(rest).ok_or_else(|| {
                DecodeFailure::new(start..start + 1, "this text is never closed").accepting("`\"`")
            })?,
            Some('\'') => char_length(rest).unwrap_or(1),
            Some(first) if starts_name(first) => rest.find(|c| !continues_name(c)).unwrap_or(rest.len()),
            Some(first) => run_length(rest).max(first.len_utf8()),
        };
        Ok(start..start + length)
    }
}

/// The first token from a byte on; `None` at the end of the text, and where a comment or a text is never closed.
pub(super) fn token_from(text: &str, from: usize) -> Option<ByteSpan> {
    let trail = Trail::new(text);
    let token = trail.skip_blanks(from).and_then(|start| trail.next_token(start)).ok()?;
    (!token.is_empty()).then_some(token)
}

/// Whether RON treats a character as blank (the pattern white space of Unicode, without the no-break space).
fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
}

/// Whether a name can start with a character.
pub(crate) fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a name can continue with a character.
pub(crate) fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether a text starts here: `"…"`, or raw `r"…"` and `r#"…"#`.
pub(crate) fn starts_text(rest: &str) -> bool {
    rest.starts_with('"')
        || rest.strip_prefix('r').is_some_and(|rest| rest.trim_start_matches('#').starts_with('"'))
}

/// The length of a text with its quotes; `None` if it is never closed.
fn text_length(rest: &str) -> Option<usize> {
    if let Some(raw) = rest.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let opened = 1 + hashes + 1;
        let closing = format!("\"{}", "#".repeat(hashes));
        return rest[opened..].find(&closing).map(|length| opened + length + closing.len());
    }
    let mut escaped = false;
    rest.bytes().enumerate().skip(1).find_map(|(at, byte)| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes.then_some(at + 1)
    })
}

/// The length of a character in quotes, such as `'a'` or `'\u{e4}'`; `None` if it is never closed.
fn char_length(rest: &str) -> Option<usize> {
    let content = rest[1..].chars().next()?;
    let behind = if content == '\\' { 3 } else { 1 + content.len_utf8() };
    let length = rest.get(behind..)?.find('\'')?;
    (length == 0 || content == '\\' && length < 10).then_some(behind + length + 1)
}

/// The length of a number or a name, including anything attached to it.
fn run_length(rest: &str) -> usize {
    let run = |from: usize| {
        let more = &rest[from..];
        from + more.find(|c| !(c == '.' || continues_name(c))).unwrap_or(more.len())
    };
    let sign = usize::from(rest.starts_with(['+', '-']));
    let mut end = run(sign);
    while rest[sign..].starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && !rest[sign..].starts_with("0x")
        && rest[..end].ends_with(['e', 'E'])
        && rest[end..].starts_with(['+', '-'])
    {
        end = run(end + 1);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::super::read::parse;
    use super::*;

    #[test]
    fn places_outside_the_text_are_its_end() {
        assert_eq!(byte_of("ab\néf", 2, 2), 5);
        assert_eq!(byte_of("ab\n", 9, 1), 3);
        assert_eq!(byte_of("ab\n", 1, 9), 3);
    }

    #[test]
    fn the_deepest_text_is_read_and_a_deeper_one_is_not() {
        for (open, close) in [("Some(", ")"), ("Foo(", ")"), ("[", "]"), ("(a:", ")"), ("{1:", "}")] {
            let nested = |depth: usize| open.repeat(depth) + "1" + &close.repeat(depth);
            assert!(parse(&nested(MAX_DEPTH)).is_ok(), "{open}");
            for depth in [MAX_DEPTH + 1, 2 * MAX_DEPTH, 100_000] {
                let failure = parse(&nested(depth)).unwrap_err();
                let bracket = open.len() * MAX_DEPTH + open.find(['(', '[', '{']).unwrap();
                assert_eq!(failure, too_deep(bracket), "{open} {depth}");
            }
        }
    }

    /// Unsupported RON, and mistakes for which the crate has other messages.
    #[test]
    fn the_words_are_those_of_a_scenario() {
        for (text, message, span) in [
            ("(a: 1u8)", "`1u8` is not a number", 4..7),
            ("(a: 1.5f64)", "`1.5f64` is not a number", 4..10),
            ("(a: 1..2)", "`1..2` is not a number", 4..8),
            ("(a: ..)", "`..` is not a number", 4..6),
            ("(a: b\"x\")", "a value is expected here: found `b`", 4..5),
            ("(a: b'x')", "a value is expected here: found `b`", 4..5),
            ("(a: 0b12)", "`0b12` is not a number", 4..8),
            ("(a: -)", "`-` is not a number", 4..5),
            ("(a: 0xffffffffffffffffffff)", "`0xffffffffffffffffffff` is not a number", 4..26),
            ("(a: 1.2.3)", "`1.2.3` is not a number", 4..9),
            ("(a: 'ab')", "this character is never closed", 4..5),
            ("(a: '", "this character is never closed", 4..5),
            ("(a: 1, b", "the text ends where `:` is expected", 8..8),
            ("(a:", "the text ends where a value is expected", 3..3),
            ("(a: 1, b-c: 2)", "`:` is expected here: found `-c`", 8..10),
            ("(a: 1, b.c: 2)", "`:` is expected here: found `.c`", 8..10),
            ("(a: / 1)", "a value is expected here: found `/`", 4..5),
            ("(a: 1 / 2)", "`,` or `)` is expected here: found `/`", 6..7),
            ("(a: 1, / b: 2)", "a field name is expected here: found `/`", 7..8),
            ("(a: 1, #[b] c: 2)", "a field name is expected here: found `#`", 7..8),
            ("[#[b] 2]", "attributes are not used here: found `#`", 1..2),
            ("#![type = \"a\"] 1", "attributes are not used here: found `#`", 0..1),
            ("Some(1, 2)", "`Some` takes one value: found `2`", 8..9),
            ("'a' // \n 'b'", "something after the end: found `'b'`", 9..12),
        ] {
            let failure = parse(text).unwrap_err();
            assert_eq!((&*failure.message, failure.span.clone()), (message, Some(span)), "{text}");
        }
    }
}
