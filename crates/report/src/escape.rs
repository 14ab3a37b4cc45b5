//! Text that shows what it holds.

/// Characters that turn the direction of what follows; a name with one could show another text than it holds.
const DIRECTION_MARKS: [char; 12] = [
    '\u{061c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// The text on one line: control characters and direction marks are written as escapes.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || DIRECTION_MARKS.contains(&character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_marks_are_shown() {
        assert_eq!(visible("a\u{202e}b"), r"a\u{202e}b");
        assert_eq!(visible("état 状"), "état 状");
    }
}
