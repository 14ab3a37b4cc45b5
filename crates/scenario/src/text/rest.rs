//! `Counts({"L": 1}, rest: "F")`: a value without a name and then one with a name, which RON does not have.
//!
//! The name is blanked, so that what is left is RON, `Counts({"L": 1},       "F")`, with every byte at its place.

use std::borrow::Cow;

const NAME: &str = "rest";

/// The text without the names `rest:` that stand after an unnamed map in parentheses.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    if !text.contains(NAME) {
        return Cow::Borrowed(text);
    }
    let mut found: Vec<u8> = Vec::new();
    let bytes = text.as_bytes();
    // For each brace that is open: whether it stands first in parentheses.
    let mut braces = Vec::new();
    // Whether the last three tokens are `(`, such a map, and a comma.
    let (mut last, mut is_after_map, mut is_due) = (0, false, false);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        let length = skipped(rest);
        if length > 0 {
            at += length;
            continue;
        }
        let is_named = is_due && rest.starts_with(NAME) && rest[NAME.len()..].trim_start().starts_with(':');
        if is_named {
            let end = at + rest.find(':').unwrap_or(0) + 1;
            found = if found.is_empty() { bytes.to_vec() } else { found };
            found[at..end].fill(b' ');
            (at, is_due) = (end, false);
            continue;
        }
        is_due = byte == b',' && is_after_map;
        is_after_map = false;
        match byte {
            b'{' => braces.push(last == b'('),
            b'}' => is_after_map = braces.pop().unwrap_or(false),
            _ => {}
        }
        let length = text_length(rest);
        last = if length > 0 { b'"' } else { byte };
        at += length.max(rest.chars().next().map_or(1, char::len_utf8));
    }
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    // Names are replaced by as many blanks.
    String::from_utf8(found).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The bytes of a blank or a comment.
fn skipped(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    rest.chars().next().filter(|letter| letter.is_whitespace()).map_or(0, char::len_utf8)
}

/// The bytes of a text in quotes, also of a raw one.
fn text_length(rest: &str) -> usize {
    let hashes = rest.strip_prefix('r').map(|raw| raw.len() - raw.trim_start_matches('#').len());
    if let Some(hashes) = hashes.filter(|hashes| rest[1 + hashes..].starts_with('"')) {
        let close = format!("\"{}", "#".repeat(hashes));
        let start = hashes + 2;
        return rest[start..].find(&close).map_or(rest.len(), |end| start + end + close.len());
    }
    if !rest.starts_with('"') {
        return 0;
    }
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_after_an_unnamed_map_is_blanked() {
        for (text, expected) in [
            (r#"Counts({"L": 1}, rest: "F")"#, r#"Counts({"L": 1},       "F")"#),
            (
                "Counts( // rest:\n {\"a)\": 1} /* , */ , rest :\"ü\")",
                "Counts( // rest:\n {\"a)\": 1} /* , */ ,       \"ü\")",
            ),
            (r##"(Counts({r#"x"}"#: 1}, rest: "F"))"##, r##"(Counts({r#"x"}"#: 1},       "F"))"##),
        ] {
            assert_eq!(blanked(text), expected);
            assert_eq!(blanked(text).len(), text.len());
        }
        for text in [
            r#"Nodes(states: {"I": [0]}, rest: "S")"#,
            r#"(title: "({}, rest: ", rest: 1)"#,
            r#"Counts({"L": 1}, "rest: x")"#,
            "(a: 1, rest: 2)",
            "// ({}, rest: 1)",
            "({}, rest",
            "\"({}, rest: ",
        ] {
            assert_eq!(blanked(text), text);
        }
    }
}
