//! Escapes untrusted text for its destination: a terminal, JSON, XML.
//!
//! Everything that a command prints passes through [`visible`] or [`printable`], so that no name in a file can steer
//! a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Characters that change the direction of the following text. With one of them a name could look like another one.
const DIRECTION_MARKS: [char; 12] = [
    '\u{061c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// Characters other than controls that XML forbids.
const NOT_IN_XML: [char; 2] = ['\u{fffe}', '\u{ffff}'];

fn disturbs(character: char) -> bool {
    character.is_control() || DIRECTION_MARKS.contains(&character)
}

/// The text on one line: control characters and direction marks become escapes.
#[must_use]
pub fn visible(text: &str) -> String {
    escaped(text, disturbs)
}

/// Escapes control characters and direction marks as [`visible`] does, but keeps line breaks and tabs.
///
/// ```
/// use acrasin_report::escape::printable;
///
/// assert_eq!(printable("state\t\u{1b}[31m\n"), "state\t\\u{1b}[31m\n");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let steers = |character: char| disturbs(character) && !matches!(character, '\n' | '\t');
    if text.contains(steers) { Cow::Owned(escaped(text, steers)) } else { Cow::Borrowed(text) }
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_escaped(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Escapes control characters and direction marks in JSON strings, for instance as `\u009b`. JSON writers only escape
/// those below U+0020. Line breaks between values stay.
pub(crate) fn json(text: String) -> String {
    let steers = |character: char| disturbs(character) && character != '\n';
    if !text.contains(steers) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() + 5);
    for character in text.chars() {
        if steers(character) {
            let _ = write!(shown, "\\u{:04x}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Escapes text for an XML document: no markup, no control characters, and none that XML forbids.
pub(crate) fn xml(text: &str) -> String {
    visible(text)
        .replace(NOT_IN_XML, "\u{fffd}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_marks_are_shown() {
        assert_eq!(visible("a\u{202e}b"), r"a\u{202e}b");
        assert_eq!(visible("état 状"), "état 状");
    }

    #[test]
    fn every_control_character_is_shown_and_lines_stay_lines() {
        for code in (0..0x20).chain(0x7f..0xa0) {
            let character = char::from_u32(code).unwrap();
            let text = format!("a{character}b\n\tc");
            let shown = printable(&text);
            let kept = matches!(character, '\n' | '\t');
            assert_eq!(shown.contains(character), kept, "{code:x}");
            assert!(shown.ends_with("b\n\tc"), "{shown}");
            assert!(!visible(&text).contains(char::is_control), "{code:x}");
        }
    }

    #[test]
    fn json_stays_the_same_value() {
        let name = "a\u{7f}\u{9b}\u{202e}\u{1b}\n";
        let text = json(serde_json::to_string(name).unwrap());
        assert!(!text.contains(disturbs), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }

    #[test]
    fn xml_has_no_character_that_it_forbids() {
        assert_eq!(xml("<\u{1b}&\u{ffff}\">"), "&lt;\\u{1b}&amp;\u{fffd}&quot;&gt;");
    }
}
