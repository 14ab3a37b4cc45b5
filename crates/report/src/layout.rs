//! Measures, shortens and wraps text in fixed-width columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::value::TextStyle;

/// The number of columns that a one-line text occupies on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The text, cut to at most `limit` columns; an ellipsis marks the cut.
pub(crate) fn shorten(text: &str, limit: usize, style: TextStyle) -> String {
    if columns(text) <= limit {
        return text.to_owned();
    }
    let ellipsis = if style.ascii { "..." } else { "…" };
    let mut kept = prefix(text, limit.saturating_sub(columns(ellipsis))).to_owned();
    kept.push_str(ellipsis);
    kept
}

/// The longest prefix that occupies at most `limit` columns.
fn prefix(text: &str, limit: usize) -> &str {
    let mut used = 0;
    for (index, character) in text.char_indices() {
        used += character.width().unwrap_or(0);
        if used > limit {
            return &text[..index];
        }
    }
    text
}

/// Lines of at most `limit` columns, broken at spaces where possible. Never empty.
///
/// `limit` is at least 2 in every call, so that a character of two columns fits on a line.
pub(crate) fn wrap(text: &str, limit: usize) -> Vec<String> {
    assert!(limit >= 2, "a line must hold a wide character");
    let mut lines = Vec::new();
    let mut rest = text;
    while columns(rest) > limit {
        let fitting = prefix(rest, limit);
        let next_is_space = rest[fitting.len()..].starts_with(' ');
        let cut = if next_is_space { fitting.len() } else { fitting.rfind(' ').unwrap_or(0) };
        // A long word is broken at the end of the line. Text of width zero alone never gets here.
        let cut = if fitting[..cut].trim().is_empty() { fitting.len() } else { cut };
        lines.push(rest[..cut].trim_end().to_owned());
        rest = rest[cut..].trim_start();
    }
    if lines.is_empty() || !rest.is_empty() {
        lines.push(rest.to_owned());
    }
    lines
}

/// Pads the text with spaces on the left, to `width` columns.
pub(crate) fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Pads the text with spaces on the right, to `width` columns.
pub(crate) fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortening_counts_columns_not_bytes() {
        assert_eq!(shorten("abcdef", 6, TextStyle::PLAIN), "abcdef");
        assert_eq!(shorten("abcdefg", 6, TextStyle::PLAIN), "abc...");
        assert_eq!(shorten("abcdefg", 6, TextStyle::default()), "abcde…");
        // Each of these takes two columns.
        assert_eq!(shorten("状態状態", 6, TextStyle::default()), "状態…");
        assert_eq!(shorten("éééé", 4, TextStyle::PLAIN), "éééé");
    }

    #[test]
    fn wrapping_loses_no_word_and_keeps_the_limit() {
        let text = "no action is enabled and the configuration is not one of the expected ones";
        let lines = wrap(text, 20);
        assert!(lines.iter().all(|line| columns(line) <= 20), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("  abcdef", 3), ["  a", "bcd", "ef"]);
        assert_eq!(wrap("状態状態", 3), ["状", "態", "状", "態"]);
    }
}
