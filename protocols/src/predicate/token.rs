//! Splits a predicate into tokens.

use std::ops::Range;

use super::MAX_COUNT;
use super::error::{PredicateError, quoted};
use super::number::{NotWhole, whole_number};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PredicateToken {
    Number(u64),
    Word(String),
    /// A name that was in single quotes, with each doubled quote replaced by one quote.
    Quoted(String),
    Symbol(&'static str),
}

/// The symbols. Symbols of two characters come first, so that `<=` is not read as `<`.
const SYMBOLS: [&str; 16] =
    ["==", "!=", "<=", ">=", "&&", "||", "=", "<", ">", "+", "-", "*", "!", "(", ")", ","];

/// Splits a text into tokens with their byte ranges.
pub(super) fn tokens(text: &str) -> Result<Vec<(PredicateToken, Range<usize>)>, PredicateError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (token, length) = if c.is_ascii_digit() {
            number(rest, at)?
        } else if c == '\'' {
            quoted_name(rest, at)?
        } else if c == '_' || c.is_alphabetic() {
            let length = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
            (PredicateToken::Word(rest[..length].to_owned()), length)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (PredicateToken::Symbol(symbol), symbol.len())
        } else {
            let accepted = match c {
                '&' => "`&&`",
                '|' => "`||`",
                '"' => "a name in single quotes: 'a name'",
                _ => "names, numbers, + - * mod == != < <= > >= && || ! ( )",
            };
            let message = format!("{} is not used in predicates", quoted(&c.to_string()));
            return Err(PredicateError::new(at..at + c.len_utf8(), message, accepted));
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

fn number(rest: &str, at: usize) -> Result<(PredicateToken, usize), PredicateError> {
    let length = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '^')))
        .unwrap_or(rest.len());
    let literal = &rest[..length];
    match whole_number(literal, MAX_COUNT) {
        Ok(value) => Ok((PredicateToken::Number(value), length)),
        Err(why) => {
            let what = match why {
                NotWhole::TooLarge => "is above the limit 10^18",
                NotWhole::Fractional => "is not a whole number",
                NotWhole::Malformed | NotWhole::Negative => "is not a number",
            };
            let message = format!("{} {what}", quoted(literal));
            let accepted = "a whole number from 0 to 10^18, such as 1_000_000, 1e6 or 10^6";
            Err(PredicateError::new(at..at + length, message, accepted))
        }
    }
}

fn quoted_name(rest: &str, at: usize) -> Result<(PredicateToken, usize), PredicateError> {
    let mut name = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((index, c)) = chars.next() {
        if c != '\'' {
            name.push(c);
        } else if chars.next_if(|&(_, next)| next == '\'').is_some() {
            name.push('\'');
        } else {
            return Ok((PredicateToken::Quoted(name), index + 1));
        }
    }
    Err(PredicateError::new(at..at + 1, "this name is never closed", "`'`"))
}
