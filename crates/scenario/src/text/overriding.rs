//! Overrides: `topology.rows=10` replaces one value, or adds a field that is not written.

use super::error::DocumentError;
use super::failure::{Failure, quoted};
use super::path::{self, Segment, Step};
use super::read;
use super::source::{Insert, Source};
use super::tree::{Body, Node, Value};
use crate::limits::MAX_FILE_BYTES;

/// Applies one override to the text, of which `root` is the tree. Whether it still is a scenario shows when it is
/// decoded, and a complaint then finds its way back to the override.
pub(crate) fn apply(source: &mut Source, root: &Node, key: &str, value: &str) -> Result<(), DocumentError> {
    let set = source.add_set(format!("{key}={value}"));
    let (span, inserts) = edit(root, key, value).map_err(|failure| source.error_in_set(set, failure))?;
    let added: usize = inserts.iter().map(|insert| insert.text.len()).sum();
    if source.text().len() + added > MAX_FILE_BYTES {
        let failure = Failure::new(0..key.len(), "the scenario gets too long with this value")
            .accepting(format!("at most {MAX_FILE_BYTES} bytes in all"));
        return Err(source.error_in_set(set, failure));
    }
    source.replace(&span, set, &inserts);
    Ok(())
}

type Edit = (std::ops::Range<usize>, Vec<Insert>);

/// The bytes of the text to replace, and by what. Places in the failure are bytes of `key=value`.
fn edit(root: &Node, key: &str, value: &str) -> Result<Edit, Failure> {
    let segments = path::parse(key)?;
    let (found, used) = path::follow(root, &segments);
    let old = (used == segments.len()).then_some(found);
    let new = new_value(old, key.len() + 1, value)?;
    if let Some(old) = old {
        return Ok((old.span.clone(), new));
    }
    addition(found, &segments[used..], new)
}

/// The text to write for a value given on a command line. Where a text stands now, a value that
/// is not quoted is taken as that text; `10^6` need not be quoted.
fn new_value(old: Option<&Node>, offset: usize, value: &str) -> Result<Vec<Insert>, Failure> {
    let trimmed = value.trim();
    let at = offset + (value.len() - value.trim_start().len());
    let was_text = old.is_some_and(|node| matches!(node.value, Value::Text(_)));
    if is_power(trimmed) || (was_text && !trimmed.starts_with('"') && !reads_as_text(trimmed)) {
        return Ok(quoted_inserts(trimmed, at));
    }
    if trimmed.is_empty() {
        return Err(Failure::new(offset..offset, "the value is empty").accepting("key=value"));
    }
    match read::parse(trimmed) {
        // Only the value itself: a comment behind it would swallow what follows in the file.
        Ok(node) => {
            Ok(vec![Insert { text: trimmed[node.span.clone()].to_owned(), offset: at + node.span.start }])
        }
        Err(failure) => Err(failure.moved(at)),
    }
}

/// Whether a value is written as a power such as `10^6`, which RON knows only as a text.
fn is_power(value: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    value.split_once('^').is_some_and(|(base, exponent)| digits(base) && digits(exponent))
}

fn reads_as_text(value: &str) -> bool {
    matches!(read::parse(value), Ok(Node { value: Value::Text(_), .. }))
}

/// A text literal that reads as `text`, character by character where it stands in the override.
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

/// A text literal that reads as `text`.
fn literal(text: &str) -> String {
    quoted_inserts(text, 0).into_iter().map(|insert| insert.text).collect()
}

/// Adds what the path names below `node`, where its first segment was not found.
fn addition(node: &Node, missing: &[Segment], new: Vec<Insert>) -> Result<Edit, Failure> {
    let first = &missing[0];
    if let Step::Index(index) = first.step {
        return Err(no_entry(first, index));
    }
    let holder = path::holder(node);
    let (open, is_map) = match &holder.value {
        Value::Group { open, body: Body::Fields(_), .. } => (open + 1, false),
        Value::Group { open, body: Body::Items(items), .. } if items.is_empty() => (open + 1, false),
        Value::Map(_) => (holder.span.start + 1, true),
        _ => {
            return Err(Failure::new(first.span.clone(), "there is nothing of this name to set")
                .accepting(format!("what is written there is {}; set all of it", node.describe())));
        }
    };
    let mut inserts = Vec::new();
    for (depth, segment) in missing.iter().enumerate() {
        let key = match &segment.step {
            Step::Name(name) if !(is_map && depth == 0) && path::is_name(name) => name.clone(),
            Step::Name(name) | Step::Key(name) if is_map && depth == 0 => literal(name),
            Step::Name(name) | Step::Key(name) => {
                let message = format!("{} is a key, but no map is written here", quoted(name));
                return Err(Failure::new(segment.span.clone(), message).accepting("a field name"));
            }
            Step::Index(index) => return Err(no_entry(segment, *index)),
        };
        if depth > 0 {
            inserts.push(Insert { text: "(".to_owned(), offset: segment.span.start });
        }
        inserts.push(Insert { text: key, offset: segment.span.start });
        inserts.push(Insert { text: ": ".to_owned(), offset: segment.span.end });
    }
    let end = new.last().map_or(0, |insert| insert.offset);
    inserts.extend(new);
    let close = format!("{}, ", ")".repeat(missing.len() - 1));
    inserts.push(Insert { text: close, offset: end });
    Ok((open..open, inserts))
}

fn no_entry(segment: &Segment, index: usize) -> Failure {
    Failure::new(segment.span.clone(), format!("there is no entry number {index}"))
        .accepting("the index, from 0, of an entry that is written in the file")
}
