//! The text of a reaction: `A + B -> C`.
//!
//! ```text
//! reaction = side ( "->" | "<->" ) side
//! side     = nothing | term { "+" term }
//! term     = [ number ] species
//! ```
//!
//! `2 A` is `A + A`. `A <-> B` is `A -> B` and `B -> A`, each with its own rate. A side may be empty: `-> A` creates a
//! molecule, `A ->` removes one.

use super::error::{ReactionError, shown};

/// The maximum length of the text of a reaction, in bytes.
const MAX_TEXT: usize = 2048;

/// The largest number of molecules in one term.
const MAX_TIMES: u64 = 1000;

/// A species as it was written, the number in front of it, and its position, in characters counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term<'a> {
    pub(super) name: &'a str,
    pub(super) times: u64,
    pub(super) column: usize,
}

/// A reaction as it was written, in one direction or both.
#[derive(Debug)]
pub(super) struct ReactionSides<'a> {
    pub(super) sides: [Vec<Term<'a>>; 2],
    /// The column of the arrow `<->`; `None` if the arrow is `->`.
    pub(super) reverse: Option<usize>,
}

/// Parses the reactants and products of a reaction that may be reversible.
pub(super) fn parse(text: &str) -> Result<ReactionSides<'_>, ReactionError> {
    if text.len() > MAX_TEXT {
        let message = format!("the text has {} bytes", text.len());
        return Err(ReactionError::new(message, format!("at most {MAX_TEXT} bytes")));
    }
    let column = |at: usize| text[..at].chars().count() + 1;
    let arrow = text.find("->").ok_or_else(|| {
        // An arrow of another notation, if there is one.
        let other = ["<=>", "=>", "<->", "<-", "\u{21cc}", "\u{2192}"].into_iter().find_map(|other| {
            let at = text.find(other)?;
            let wanted = if matches!(other, "<=>" | "\u{21cc}") { "`<->`" } else { "`->`" };
            Some(ReactionError::new(format!("`{other}` is not an arrow"), wanted).at_column(column(at)))
        });
        let missing =
            || ReactionError::new("`->` is missing here", EXAMPLES).at_column(text.chars().count() + 1);
        other.unwrap_or_else(missing)
    })?;
    let right = arrow + 2;
    let is_reversible = text[..arrow].ends_with('<');
    let left = arrow - usize::from(is_reversible);
    if let Some(second) = text[right..].find("->") {
        let error = ReactionError::new("a reaction has one `->`", EXAMPLES);
        return Err(error.at_column(column(right + second)));
    }
    let sides = [side(text, 0, left)?, side(text, right, text.len())?];
    Ok(ReactionSides { sides, reverse: is_reversible.then(|| column(left)) })
}

const EXAMPLES: &str = "A + B -> C + D, 2 A -> B, A <-> B, -> A, A ->";

fn side(text: &str, from: usize, to: usize) -> Result<Vec<Term<'_>>, ReactionError> {
    if text[from..to].trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut terms = Vec::new();
    let mut start = from;
    for part in text[from..to].split('+') {
        terms.push(term(text, start, part)?);
        start += part.len() + 1;
    }
    Ok(terms)
}

fn term<'a>(text: &str, start: usize, part: &'a str) -> Result<Term<'a>, ReactionError> {
    let at = start + (part.len() - part.trim_start().len());
    let column = |at: usize| text[..at].chars().count() + 1;
    let mut words = part.split_whitespace();
    let refused = |message: String, at: usize| ReactionError::new(message, EXAMPLES).at_column(column(at));
    match (words.next(), words.next(), words.next()) {
        (Some(name), None, _) => Ok(Term { name, times: 1, column: column(at) }),
        (Some(times), Some(name), None) => {
            let number = times.parse::<u64>().ok().filter(|number| (1..=MAX_TIMES).contains(number));
            let number = number.ok_or_else(|| {
                let message = format!("{} stands before a species and is not a number", shown(times));
                ReactionError::new(
                    message,
                    format!("a whole number from 1 to {MAX_TIMES}, or `+` between species"),
                )
                .at_column(column(at))
            })?;
            let inside = part.rfind(name).unwrap_or(0);
            Ok(Term { name, times: number, column: column(start + inside) })
        }
        (Some(_), Some(_), Some(_)) => Err(refused("`+` is missing in this side".to_owned(), at)),
        (None, ..) => Err(refused("the name of a species is missing here".to_owned(), at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> [Vec<(u64, String)>; 2] {
        parse(text)
            .unwrap()
            .sides
            .map(|side| side.into_iter().map(|term| (term.times, term.name.to_owned())).collect())
    }

    #[test]
    fn sides_are_read_in_all_forms() {
        let one = |name: &str| vec![(1, name.to_owned())];
        assert_eq!(read("A+B->C"), [[one("A"), one("B")].concat(), one("C")]);
        assert_eq!(read(" -> A "), [vec![], one("A")]);
        assert_eq!(read("A ->"), [one("A"), vec![]]);
        assert_eq!(read("2 A -> 3 é"), [vec![(2, "A".to_owned())], vec![(3, "é".to_owned())]]);
        assert_eq!(read("0 + 2 -> 2 0"), [[one("0"), one("2")].concat(), vec![(2, "0".to_owned())]]);
        assert_eq!(parse("é + 2 A -> B").unwrap().sides[0][1].column, 7);
        let both = parse("A + B <-> C").unwrap();
        assert_eq!((both.reverse, both.sides[0].len(), both.sides[1][0].column), (Some(7), 2, 11));
    }

    #[test]
    fn a_fault_is_shown_where_it_is() {
        for (text, column, message) in [
            ("A + B", 6, "`->` is missing here"),
            ("A -> B -> C", 8, "a reaction has one `->`"),
            ("A + -> B", 5, "the name of a species is missing here"),
            ("x A -> B", 1, "`x` stands before a species and is not a number"),
            ("0 A -> B", 1, "`0` stands before a species and is not a number"),
            ("A + B <=> C", 7, "`<=>` is not an arrow"),
            ("A => C", 3, "`=>` is not an arrow"),
            ("A -> é B C", 6, "`+` is missing in this side"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.column(), error.message()), (Some(column), message), "{text}");
        }
        assert!(parse(&"A".repeat(MAX_TEXT + 1)).is_err());
    }
}
