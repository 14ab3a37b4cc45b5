//! Dotted paths into a scenario: `scheduler.activation`, `work.protocol.rules[2]`, `initial["A b"]`.

use super::failure::{Failure, Span};
use super::scan::{Scanner, continues_name, starts_name};
use super::tree::{Body, Node, Value};

/// One step of a path and the bytes of the path it was written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) step: Step,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A field of a group, or a key of a map.
    Name(String),
    /// An item of a list or group, from 0.
    Index(usize),
    /// A key of a map that is no name.
    Key(String),
}

/// Reads a path. Places in the failure are bytes of the path.
pub(crate) fn parse(path: &str) -> Result<Vec<Segment>, Failure> {
    let mut scanner = Scanner::new(path, 0);
    let mut segments = Vec::new();
    loop {
        let start = scanner.at;
        let step = if !segments.is_empty() && scanner.eat('[') {
            let step = key_or_index(&mut scanner)?;
            if !scanner.eat(']') {
                return Err(Failure::new(start..start + 1, "`[` is never closed").accepting("`]`"));
            }
            step
        } else {
            if !segments.is_empty() && !scanner.eat('.') {
                return Err(expected(&scanner, "`.` or `[` is expected here"));
            }
            match scanner.name() {
                Some(span) => Step::Name(scanner.slice(&span).to_owned()),
                None => return Err(expected(&scanner, "a field name is expected here")),
            }
        };
        let begin = if path[start..].starts_with('.') { start + 1 } else { start };
        segments.push(Segment { step, span: begin..scanner.at });
        if scanner.peek().is_none() {
            return Ok(segments);
        }
    }
}

/// What stands in brackets.
fn key_or_index(scanner: &mut Scanner<'_>) -> Result<Step, Failure> {
    if scanner.at_text() {
        return scanner.text().map(Step::Key);
    }
    let rest = scanner.rest();
    let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    let index = digits.parse().map_err(|_| expected(scanner, "an index or a quoted key is expected here"))?;
    scanner.at += digits.len();
    Ok(Step::Index(index))
}

fn expected(scanner: &Scanner<'_>, message: &str) -> Failure {
    let length = scanner.peek().map_or(0, char::len_utf8);
    Failure::new(scanner.at..scanner.at + length, message)
        .accepting("a path such as topology.rows, stop[0] or work.initial[\"A\"]")
}

/// Follows a path as far as it goes: the deepest value reached and the number of segments used.
pub(crate) fn follow<'n>(root: &'n Node, segments: &[Segment]) -> (&'n Node, usize) {
    let mut node = root;
    for (used, segment) in segments.iter().enumerate() {
        match child(node, &segment.step) {
            Some(next) => node = next,
            None => return (node, used),
        }
    }
    (node, segments.len())
}

/// The group or map in which a name is looked up: a group of one unnamed item, such as the
/// parentheses of `Table((states: …))` or `Some(…)`, is looked through.
pub(crate) fn holder(node: &Node) -> &Node {
    match &node.value {
        Value::Group { body: Body::Items(items), .. } if items.len() == 1 => match &items[0].value {
            Value::Group { .. } | Value::Map(_) => holder(&items[0]),
            _ => node,
        },
        _ => node,
    }
}

fn child<'n>(node: &'n Node, step: &Step) -> Option<&'n Node> {
    match (step, &node.value) {
        (Step::Index(index), Value::List(items) | Value::Group { body: Body::Items(items), .. }) => {
            items.get(*index)
        }
        (Step::Index(_), _) => None,
        (Step::Name(name) | Step::Key(name), _) => match &holder(node).value {
            Value::Group { body: Body::Fields(fields), .. } => {
                fields.iter().find(|field| field.name.text == *name).map(|field| &field.value)
            }
            Value::Map(entries) => entries
                .iter()
                .find(|(key, _)| matches!(&key.value, Value::Text(text) if text == name))
                .map(|(_, value)| value),
            _ => None,
        },
    }
}

/// Whether a text can stand as a field name.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(starts_name) && text.chars().all(continues_name)
}
