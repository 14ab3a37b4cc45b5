//! `Counts({"L": 1}, rest: "F")`: an unnamed value followed by a named one, which RON does not allow.
//!
//! The name is replaced by blanks. The result is RON, `Counts({"L": 1}, "F")`, and every other byte keeps its position.

use std::borrow::Cow;

use super::refusal::token_from;

const NAME: &str = "rest";

/// The text with each name `rest:` replaced by blanks if it follows an unnamed map in parentheses.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    if !text.contains(NAME) {
        return Cow::Borrowed(text);
    }
    let mut found = Vec::new();
    // For each open brace: whether it is the first token in parentheses.
    let mut braces = Vec::new();
    // The last token, and whether the last three are `(`, such a map, and a comma.
    let (mut last, mut is_after_map, mut is_due) = ("", false, false);
    let mut at = 0;
    while let Some(token) = token_from(text, at) {
        let word = &text[token.clone()];
        at = token.end;
        if is_due && word == NAME && text[at..].trim_start().starts_with(':') {
            at += text[at..].find(':').unwrap_or(0) + 1;
            found.push(token.start..at);
        }
        is_due = word == "," && is_after_map;
        is_after_map = word == "}" && braces.pop().unwrap_or(false);
        if word == "{" {
            braces.push(last == "(");
        }
        last = word;
    }
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut blanked = text.to_owned();
    for name in found {
        let blanks = " ".repeat(name.len());
        blanked.replace_range(name, &blanks);
    }
    Cow::Owned(blanked)
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
            ("('\"', /* /* */ \" */ {}, ({}, rest: 1))", "('\"', /* /* */ \" */ {}, ({},       1))"),
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
