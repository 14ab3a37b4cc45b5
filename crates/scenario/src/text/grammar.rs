//! The grammar of RON, as the `ron` crate has it.

use serde::de::IgnoredAny;

use super::failure::Failure;
use crate::limits::MAX_DEPTH;

/// Refuses what the `ron` crate refuses, at its place. Linear in the text.
pub(crate) fn check(text: &str) -> Result<(), Failure> {
    // A value inside a variant counts twice there; the reader of this crate counts brackets.
    let options = ron::Options::default().with_recursion_limit(4 * MAX_DEPTH);
    options.from_str::<IgnoredAny>(text).map(drop).map_err(|error| {
        let place = |position: ron::error::Position| byte_of(text, position.line, position.col);
        let (start, end) = (place(error.span.start), place(error.span.end));
        Failure::new(start..end.max(start), format!("this is not RON: {}", error.code))
            .accepting("a scenario in RON, see reference.ron")
    })
}

/// The byte of a line and a column in characters, both from 1; the end of the text if there is no such place.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_ron_is_refused_at_its_place() {
        assert_eq!(check("(a: 1, b: [Auto, Foo(c: \"x\")])"), Ok(()));
        for (text, line) in
            [("(a: 1\n b: 2)", 2), ("(a: [1, 2)", 1), ("(a: 1))", 1), ("", 1), ("(\n\"é\n", 2)]
        {
            let failure = check(text).unwrap_err();
            let span = failure.span.unwrap();
            assert!(failure.message.starts_with("this is not RON: "), "{}", failure.message);
            assert_eq!(1 + text[..span.start].matches('\n').count(), line, "{text:?} {span:?}");
        }
    }

    #[test]
    fn places_outside_the_text_are_its_end() {
        assert_eq!(byte_of("ab\néf", 2, 2), 5);
        assert_eq!(byte_of("ab\n", 9, 1), 3);
        assert_eq!(byte_of("ab\n", 1, 9), 3);
    }

    #[test]
    fn the_deepest_scenario_is_within_the_limit_and_an_endless_one_is_not() {
        let nested = |depth: usize| "Some(".repeat(depth) + "1" + &")".repeat(depth);
        assert_eq!(check(&nested(MAX_DEPTH)), Ok(()));
        assert!(check(&nested(100_000)).is_err());
    }
}
