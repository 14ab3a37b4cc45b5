//! Texts in quotes, and positions inside them.

use serde::Deserialize as _;

use super::failure::{ByteSpan, DecodeFailure};
use super::refusal;

/// Decodes the quoted text at the start of `rest`. Returns it with the length of the literal in bytes.
pub(crate) fn text_at_start(rest: &str) -> Result<(String, usize), DecodeFailure> {
    let not_read = |error: &_| refusal::explain(rest, error);
    let mut ron = ron::Deserializer::from_str(rest).map_err(|error| not_read(&error))?;
    match String::deserialize(&mut ron) {
        Ok(text) => Ok((text, rest.len() - ron.remainder().len())),
        Err(code) => Err(not_read(&ron.span_error(code))),
    }
}

/// The position in the source of a character of a text value, given by its byte `decoded` in the decoded text.
///
/// `span` is the span of the literal, quotes included. A position past the end gives the closing quote. Cost: n log n
/// in the length of the literal.
pub(crate) fn place_in_text(text: &str, span: &ByteSpan, decoded: usize) -> usize {
    let literal = &text[span.clone()];
    let opened = literal.find('"').map_or(0, |quote| quote + 1);
    let closing = literal.len().saturating_sub(opened - usize::from(literal.starts_with('r'))).max(opened);
    if literal.starts_with('r') {
        return span.start + opened + decoded.min(closing - opened);
    }
    // The first position before which `decoded` bytes are written.
    let (mut low, mut high) = (opened, closing);
    while low < high {
        let middle = low + (high - low) / 2;
        if decoded_before(literal, middle) < decoded {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    span.start + low
}

/// The number of decoded bytes before a byte of the literal. An escape that ends after this byte is not counted.
fn decoded_before(literal: &str, end: usize) -> usize {
    let mut end = end;
    while !literal.is_char_boundary(end) {
        end -= 1;
    }
    loop {
        if let Ok(decoded) = ron::from_str::<String>(&format!("{}\"", &literal[..end])) {
            return decoded.len();
        }
        // A character of several bytes may be written as several escapes.
        match literal[..end].rfind('\\') {
            Some(escape) => end = escape,
            None => return 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_inside_texts() {
        // (text, decoded bytes, byte in the text)
        for (text, decoded, place) in [
            ("\"abc\"", 0, 1),
            ("\"abc\"", 2, 3),
            ("\"abc\"", 3, 4),
            ("\"abc\"", 99, 4),
            ("\"\\nb\"", 1, 3),
            ("\"\\u{e4}b\"", 2, 7),
            ("\"\\xc3\\xa4b\"", 2, 9),
            ("\"\\\\b\"", 1, 3),
            ("\"a\\\n  b\"", 1, 2),
            ("\"äb\"", 2, 3),
            ("r#\"a\"b\"#", 2, 5),
            ("r#\"a\"b\"#", 99, 6),
            ("r\"ab\"", 99, 4),
        ] {
            assert_eq!(place_in_text(text, &(0..text.len()), decoded), place, "{text} {decoded}");
        }
    }

    #[test]
    fn a_text_ends_at_its_quote() {
        assert_eq!(text_at_start("\"a b\"]=1"), Ok(("a b".to_owned(), 5)));
        assert_eq!(text_at_start("r#\"a\"b\"#"), Ok(("a\"b".to_owned(), 8)));
        assert_eq!(text_at_start("\"a").unwrap_err().message, "this text is never closed");
    }
}
