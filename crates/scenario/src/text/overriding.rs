//! Overrides: `topology.rows=10` replaces one value, or adds a field that is missing.
//!
//! An override edits the text and its tree alike. Only the new value is parsed, however long the file is.

use super::error::DocumentError;
use super::failure::{ByteSpan, DecodeFailure, quoted};
use super::path::{self, PathStep, Segment};
use super::source::{EffectiveText, Insert};
use super::tree::{Field, GroupBody, SpannedName, SpannedNode, SpannedValue};
use super::{read, refusal};
use crate::limits::{MAX_DEPTH, MAX_FILE_BYTES};

/// Applies one override to the text and to `root`, its tree. Whether the result is a valid scenario is only known after
/// decoding; the errors then point at the override.
///
/// # Errors
///
/// The path or the value cannot be read, the path does not name a field, or the result is too long or too deep. The
/// tree is then invalid.
pub(crate) fn apply(
    source: &mut EffectiveText,
    root: &mut SpannedNode,
    key: &str,
    value: &str,
) -> Result<(), DocumentError> {
    let set = source.add_set(format!("{key}={value}"));
    let edit = edit(root, key, value).map_err(|failure| source.error_in_set(set, failure))?;
    if source.text().len() + edit.length() > MAX_FILE_BYTES {
        let failure = DecodeFailure::new(0..key.len(), "this value makes the scenario too long")
            .accepting(format!("at most {MAX_FILE_BYTES} bytes in all"));
        return Err(source.error_in_set(set, failure));
    }
    source.replace(&edit.span, set, &edit.inserts);
    edit.apply(root, source.text()).map_err(|failure| source.error(failure))
}

/// A change of a text and of its tree: a range of bytes is replaced.
struct Edit {
    /// The replaced bytes; empty where a field is added.
    span: ByteSpan,
    inserts: Vec<Insert>,
    new: New,
}

/// The new part of the tree, with positions in the new text.
enum New {
    /// A value that replaces another one.
    Value(SpannedNode),
    /// A new first field or key of the group or map at this span of the old text.
    First(ByteSpan, SpannedName, SpannedNode),
}

impl Edit {
    /// The length of the new text, in bytes.
    fn length(&self) -> usize {
        self.inserts.iter().map(|insert| insert.text.len()).sum()
    }

    /// Applies the edit to the tree of the old text; `text` is the new text.
    fn apply(self, root: &mut SpannedNode, text: &str) -> Result<(), DecodeFailure> {
        let length = self.length();
        root.move_places(self.span.end, self.span.start + length);
        match self.new {
            New::Value(value) => {
                let is_map = matches!(value.value, SpannedValue::Map(_));
                let place =
                    root.at_span(&value.span).expect("the old value has moved to the place of the new");
                let old = std::mem::replace(place, value);
                // `rest: …` is only valid after a map. Without the map the text may no longer be RON.
                if matches!(old.value, SpannedValue::Map(_)) && !is_map {
                    *root = read::parse(text)?;
                }
            }
            New::First(holder, name, value) => root
                .at_span(&(holder.start..holder.end + length))
                .expect("the end of the group has moved")
                .prepend(name, value),
        }
        match root.bracket_at_depth(MAX_DEPTH) {
            Some(bracket) => Err(refusal::too_deep(bracket)),
            None => Ok(()),
        }
    }
}

impl SpannedNode {
    /// Adds a field to a group, or a key to a map, before all others.
    fn prepend(&mut self, name: SpannedName, value: Self) {
        match &mut self.value {
            SpannedValue::Map(entries) => {
                let key = Self { span: name.span, value: SpannedValue::Text(name.text) };
                entries.insert(0, (key, value));
            }
            SpannedValue::Group { body: GroupBody::Fields(fields), .. } => {
                fields.insert(0, Field { name, value });
            }
            SpannedValue::Group { body, .. } => *body = GroupBody::Fields(vec![Field { name, value }]),
            _ => unreachable!("fields are added to groups and maps"),
        }
    }
}

/// The edit of an override. Spans in failures are bytes of `key=value`.
fn edit(root: &SpannedNode, key: &str, value: &str) -> Result<Edit, DecodeFailure> {
    let segments = path::parse(key)?;
    let (found, used) = path::follow(root, &segments);
    let old = (used == segments.len()).then_some(found);
    let (inserts, mut new) = new_value(old, key.len() + 1, value)?;
    if let Some(SpannedNode { span, .. }) = old {
        new.move_places(new.span.start, span.start);
        return Ok(Edit { span: span.clone(), inserts, new: New::Value(new) });
    }
    addition(found, &segments[used..], inserts, new)
}

/// The text and tree of a value given on a command line. If it replaces a text, a value without quotes becomes a text;
/// `10^6` needs no quotes.
fn new_value(
    old: Option<&SpannedNode>,
    offset: usize,
    value: &str,
) -> Result<(Vec<Insert>, SpannedNode), DecodeFailure> {
    let trimmed = value.trim();
    let at = offset + (value.len() - value.trim_start().len());
    let was_text = old.is_some_and(|node| matches!(node.value, SpannedValue::Text(_)));
    if is_power(trimmed) || (was_text && !trimmed.starts_with('"') && !reads_as_text(trimmed)) {
        let inserts = quoted_inserts(trimmed, at);
        let length = inserts.iter().map(|insert| insert.text.len()).sum();
        return Ok((inserts, SpannedNode { span: 0..length, value: SpannedValue::Text(trimmed.to_owned()) }));
    }
    if trimmed.is_empty() {
        return Err(DecodeFailure::new(offset..offset, "the value is empty").accepting("key=value"));
    }
    let node = read::parse(trimmed).map_err(|failure| failure.moved(at))?;
    // Only the value itself is inserted: a trailing comment would swallow the rest of the line in the file.
    let text = trimmed[node.span.clone()].to_owned();
    Ok((vec![Insert { text, offset: at + node.span.start }], node))
}

/// Whether a value is written as a power such as `10^6`, which is only valid as a text in RON.
fn is_power(value: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    value.split_once('^').is_some_and(|(base, exponent)| digits(base) && digits(exponent))
}

/// Whether a value is a quoted text, which may be raw or follow a comment.
fn reads_as_text(value: &str) -> bool {
    (value.starts_with('/') || refusal::starts_text(value))
        && matches!(read::parse(value), Ok(SpannedNode { value: SpannedValue::Text(_), .. }))
}

/// A quoted literal of `text`, in pieces, each with its position in the override.
fn quoted_inserts(text: &str, at: usize) -> Vec<Insert> {
    let quote = |offset| Insert { text: "\"".to_owned(), offset };
    let mut inserts = vec![quote(at)];
    let mut done = 0;
    for part in text.split_inclusive(['"', '\\']) {
        let offset = at + done;
        done += part.len();
        let plain = part.trim_end_matches(['"', '\\']);
        inserts.push(Insert { text: plain.to_owned(), offset });
        let escaped: String = part[plain.len()..].chars().flat_map(|c| ['\\', c]).collect();
        inserts.push(Insert { text: escaped, offset: offset + plain.len() });
    }
    inserts.push(quote(at + text.len()));
    inserts
}

/// A quoted literal of `text`.
fn literal(text: &str) -> String {
    quoted_inserts(text, 0).into_iter().map(|insert| insert.text).collect()
}

/// The edit that adds the fields of a path that are missing below `node`.
fn addition(
    node: &SpannedNode,
    missing: &[Segment],
    new: Vec<Insert>,
    mut value: SpannedNode,
) -> Result<Edit, DecodeFailure> {
    let first = &missing[0];
    if let PathStep::Index(index) = first.step {
        return Err(no_entry(first, index));
    }
    let holder = path::holder(node);
    let (start, is_map) = match &holder.value {
        SpannedValue::Group { open, body: GroupBody::Fields(_), .. } => (open + 1, false),
        SpannedValue::Group { open, body: GroupBody::Items(items), .. } if items.is_empty() => {
            (open + 1, false)
        }
        SpannedValue::Map(_) => (holder.span.start + 1, true),
        _ => {
            return Err(DecodeFailure::new(
                first.span.clone(),
                "there is no field or entry of this name to set",
            )
            .accepting(format!("the path of the whole value, which is {}", node.describe())));
        }
    };
    let (mut inserts, mut names) = (Vec::new(), Vec::new());
    let mut at = start;
    for (depth, segment) in missing.iter().enumerate() {
        let (key, name) = match &segment.step {
            PathStep::Name(name) if !(is_map && depth == 0) && path::is_name(name) => (name.clone(), name),
            PathStep::Name(name) | PathStep::Key(name) if is_map && depth == 0 => (literal(name), name),
            PathStep::Name(name) | PathStep::Key(name) => {
                let message = format!("{} is a key, but no map is written here", quoted(name));
                return Err(DecodeFailure::new(segment.span.clone(), message).accepting("a field name"));
            }
            PathStep::Index(index) => return Err(no_entry(segment, *index)),
        };
        let open = if depth > 0 { "(" } else { "" };
        let name = SpannedName { text: name.clone(), span: at + open.len()..at + open.len() + key.len() };
        for (text, offset) in
            [(open, segment.span.start), (&key, segment.span.start), (": ", segment.span.end)]
        {
            at += text.len();
            inserts.push(Insert { text: text.to_owned(), offset });
        }
        names.push(name);
    }
    let end = new.last().map_or(0, |insert| insert.offset);
    inserts.extend(new);
    let close = format!("{}, ", ")".repeat(missing.len() - 1));
    inserts.push(Insert { text: close, offset: end });
    value.move_places(value.span.start, at);
    while let Some(name) = names.pop() {
        if names.is_empty() {
            let new = New::First(holder.span.clone(), name, value);
            return Ok(Edit { span: start..start, inserts, new });
        }
        let open = name.span.start - 1;
        let span = open..value.span.end + 1;
        let body = GroupBody::Fields(vec![Field { name, value }]);
        value = SpannedNode { span, value: SpannedValue::Group { name: None, open, body } };
    }
    unreachable!("a path has a last segment")
}

fn no_entry(segment: &Segment, index: usize) -> DecodeFailure {
    DecodeFailure::new(segment.span.clone(), format!("there is no entry number {index}"))
        .accepting("the index, from 0, of an entry that is written in the file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_that_nests_too_deep_is_refused() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        for (levels, fits) in [(MAX_DEPTH - 1, true), (MAX_DEPTH, false)] {
            let (mut source, mut root) = (EffectiveText::new("f", "(a: 1)"), read::parse("(a: 1)").unwrap());
            let applied = apply(&mut source, &mut root, "a", &deep(levels));
            assert_eq!(applied.is_ok(), fits, "{levels}");
            assert_eq!(read::parse(source.text()).is_ok(), fits, "{levels}");
        }
        // Each override alone is within the depth limit.
        let (mut source, mut root) = (EffectiveText::new("f", "(a: ())"), read::parse("(a: ())").unwrap());
        let names = vec!["b"; MAX_DEPTH - 2].join(".");
        apply(&mut source, &mut root, &format!("a.{names}"), "()").unwrap();
        let error = apply(&mut source, &mut root, &format!("a.{names}.c"), "()").unwrap_err();
        assert!(error.message().contains("nested brackets"), "{error}");
    }

    /// A map that `rest: …` follows can only be replaced by a map.
    #[test]
    fn a_name_without_its_map_is_refused_as_in_a_file() {
        let text = r#"(work: Counts({"L": 1}, rest: "F"))"#;
        for (value, fits) in [("{}", true), ("7", false), ("Some({})", false)] {
            let (mut source, mut root) = (EffectiveText::new("f", text), read::parse(text).unwrap());
            let applied = apply(&mut source, &mut root, "work[0]", value);
            let expected = read::parse(source.text()).map_err(|failure| source.error(failure).to_string());
            assert_eq!(applied.is_ok(), fits, "{value}");
            assert_eq!(applied.map(|()| root).map_err(|error| error.to_string()), expected, "{value}");
        }
    }
}
