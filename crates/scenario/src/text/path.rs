//! Dotted paths into a scenario: `scheduler.activation`, `work.protocol.rules[2]`, `initial["A b"]`.

use super::failure::{ByteSpan, DecodeFailure};
use super::literal::text_at_start;
use super::refusal::{continues_name, starts_name, starts_text};
use super::tree::{GroupBody, SpannedNode, SpannedValue};

/// A segment of a path, and the bytes of the path that it takes up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) step: PathStep,
    pub(crate) span: ByteSpan,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathStep {
    /// A field of a group, or a key of a map.
    Name(String),
    /// An item of a list or group, from 0.
    Index(usize),
    /// A key of a map that is not a name.
    Key(String),
}

/// Parses a path. Spans in failures are bytes of the path.
pub(crate) fn parse(path: &str) -> Result<Vec<Segment>, DecodeFailure> {
    let mut segments = Vec::new();
    let mut at = 0;
    loop {
        let start = at;
        let step = if !segments.is_empty() && path[at..].starts_with('[') {
            let (step, length) = key_or_index(path, at + 1)?;
            at += 1 + length;
            if !path[at..].starts_with(']') {
                return Err(DecodeFailure::new(start..start + 1, "`[` is never closed").accepting("`]`"));
            }
            at += 1;
            step
        } else {
            if !segments.is_empty() {
                if !path[at..].starts_with('.') {
                    return Err(expected(path, at, "`.` or `[` is expected here"));
                }
                at += 1;
            }
            let length = name_length(&path[at..]);
            if length == 0 {
                return Err(expected(path, at, "a field name is expected here"));
            }
            at += length;
            PathStep::Name(path[at - length..at].to_owned())
        };
        let begin = if path[start..].starts_with('.') { start + 1 } else { start };
        segments.push(Segment { step, span: begin..at });
        if at == path.len() {
            return Ok(segments);
        }
    }
}

/// The length of the name at the start of a text.
fn name_length(text: &str) -> usize {
    if !text.starts_with(starts_name) {
        return 0;
    }
    text.find(|c| !continues_name(c)).unwrap_or(text.len())
}

/// The key or index in brackets, and its length.
fn key_or_index(path: &str, at: usize) -> Result<(PathStep, usize), DecodeFailure> {
    let rest = &path[at..];
    if starts_text(rest) {
        return match text_at_start(rest) {
            Ok((key, length)) => Ok((PathStep::Key(key), length)),
            Err(failure) => Err(failure.moved(at)),
        };
    }
    let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let index = rest[..length]
        .parse()
        .map_err(|_| expected(path, at, "an index or a quoted key is expected here"))?;
    Ok((PathStep::Index(index), length))
}

fn expected(path: &str, at: usize, message: &str) -> DecodeFailure {
    let length = path[at..].chars().next().map_or(0, char::len_utf8);
    DecodeFailure::new(at..at + length, message)
        .accepting("a path such as topology.rows, stop[0] or work.initial[\"A\"]")
}

/// Follows a path to the deepest existing value. Returns this value and the number of segments used.
pub(crate) fn follow<'n>(root: &'n SpannedNode, segments: &[Segment]) -> (&'n SpannedNode, usize) {
    let mut node = root;
    for (used, segment) in segments.iter().enumerate() {
        match child(node, &segment.step) {
            Some(next) => node = next,
            None => return (node, used),
        }
    }
    (node, segments.len())
}

/// The group or map in which a name is looked up. Groups of one unnamed item, such as the parentheses of
/// `Table((states: …))` or `Some(…)`, are skipped, and so is the group of a map with `rest: …`.
pub(crate) fn holder(node: &SpannedNode) -> &SpannedNode {
    match &node.value {
        SpannedValue::Group { body: GroupBody::Items(items), .. } => {
            match items.first().map(|item| &item.value) {
                Some(SpannedValue::Map(_)) if items.len() <= 2 => &items[0],
                Some(SpannedValue::Group { .. }) if items.len() == 1 => holder(&items[0]),
                _ => node,
            }
        }
        _ => node,
    }
}

/// The key of the map entry at a path; `None` if there is no such entry.
pub(crate) fn key<'n>(root: &'n SpannedNode, segments: &[Segment]) -> Option<&'n SpannedNode> {
    let (last, before) = segments.split_last()?;
    let (node, used) = follow(root, before);
    match (&last.step, &holder(node).value) {
        (PathStep::Name(name) | PathStep::Key(name), SpannedValue::Map(entries)) if used == before.len() => {
            entries.iter().map(|(key, _)| key).find(|key| key.is_text(name))
        }
        _ => None,
    }
}

fn child<'n>(node: &'n SpannedNode, step: &PathStep) -> Option<&'n SpannedNode> {
    match (step, &node.value) {
        (
            PathStep::Index(index),
            SpannedValue::List(items) | SpannedValue::Group { body: GroupBody::Items(items), .. },
        ) => items.get(*index),
        (PathStep::Index(_), _) => None,
        (PathStep::Name(name) | PathStep::Key(name), _) => match &holder(node).value {
            SpannedValue::Group { body: GroupBody::Fields(fields), .. } => {
                fields.iter().find(|field| field.name.text == *name).map(|field| &field.value)
            }
            SpannedValue::Map(entries) => {
                entries.iter().find(|(key, _)| key.is_text(name)).map(|(_, value)| value)
            }
            _ => None,
        },
    }
}

/// Whether a text is a valid field name.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}
