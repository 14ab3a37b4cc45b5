//! Errors about missing fields, with the accepted values.

use serde::de::DeserializeOwned;

use super::misspelt;
use crate::text::decode::Decoder;
use crate::text::failure::{ByteSpan, DecodeFailure, DecodeFailureKind};
use crate::text::tree::{Field, GroupBody, SpannedName, SpannedNode, SpannedValue};

/// Decodes a tree. The error about a missing field lists its accepted values, unless a word elsewhere is misspelt.
pub(super) fn read_as<S: DeserializeOwned>(root: &SpannedNode, text: &str) -> Result<S, DecodeFailure> {
    let read = |root: &SpannedNode| S::deserialize(Decoder::new(root, text));
    read(root).map_err(|failure| explained(failure, root, &|root| read(root).err()))
}

/// Adds the accepted values to the error about a missing field. `refused` decodes a changed tree and returns its error.
fn explained(
    failure: DecodeFailure,
    root: &SpannedNode,
    refused: &dyn Fn(&SpannedNode) -> Option<DecodeFailure>,
) -> DecodeFailure {
    let (DecodeFailureKind::MissingField(field), None, Some(span)) =
        (&failure.kind, &failure.accepted, &failure.span)
    else {
        return failure;
    };
    if let Some(misspelt) = misspelt::outside(root, refused, span) {
        return misspelt;
    }
    let accepted = of_a_catalogue(field).or_else(|| accepted_by(root, refused, field, span));
    match accepted {
        Some(accepted) => failure.accepting(accepted),
        None => failure,
    }
}

/// The accepted values of a type, taken from the error message for a value that the type never accepts.
pub(super) fn accepted_in_place<T: DeserializeOwned>() -> Option<String> {
    let value = SpannedNode { span: 0..0, value: SpannedValue::Char(NO_VALUE) };
    T::deserialize(Decoder::new(&value, "")).err()?.into_parts().accepted
}

/// The accepted values of a missing field, taken from the error message for an invalid value inserted in its place.
fn accepted_by(
    root: &SpannedNode,
    refused: &dyn Fn(&SpannedNode) -> Option<DecodeFailure>,
    field: &str,
    group: &ByteSpan,
) -> Option<String> {
    let mut probed = root.clone();
    let SpannedValue::Group { body, .. } = &mut group_at(&mut probed, group)? else { return None };
    if let GroupBody::Items(_) = body {
        *body = GroupBody::Fields(Vec::new());
    }
    let GroupBody::Fields(fields) = body else { return None };
    let value = SpannedNode { span: group.clone(), value: SpannedValue::Char(NO_VALUE) };
    fields.push(Field { name: SpannedName { text: field.to_owned(), span: group.clone() }, value });
    let failure = refused(&probed)?;
    // Some fields accept any value, and a second field may be missing. In these cases the error is about something
    // else.
    let is_about_it = failure.kind == DecodeFailureKind::WrongKind && failure.span.as_ref() == Some(group);
    failure.into_parts().accepted.filter(|_| is_about_it)
}

/// A character that no scenario uses.
const NO_VALUE: char = '\u{0}';

/// The group whose head is at a span of the text. A name without fields is turned into a group.
fn group_at<'n>(node: &'n mut SpannedNode, head: &ByteSpan) -> Option<&'n mut SpannedValue> {
    if node.head() == *head {
        if let SpannedValue::Word(word) = &node.value {
            let name = Some(SpannedName { text: word.clone(), span: head.clone() });
            node.value = SpannedValue::Group { name, open: head.end, body: GroupBody::Fields(Vec::new()) };
        }
        if matches!(node.value, SpannedValue::Group { .. }) {
            return Some(&mut node.value);
        }
    }
    node.children_mut().find_map(|child| group_at(child, head))
}

/// The names that a catalogue accepts in a field; its entries are not known while a file is read.
fn of_a_catalogue(field: &str) -> Option<String> {
    let (examples, kind) = match field {
        "scheduler" => (SCHEDULERS, "schedulers"),
        "topology" => {
            ("such as Complete(nodes: 100), Ring(nodes: 100) or Torus(rows: 10, columns: 10)", "graphs")
        }
        "algorithm" => ("such as Hexagon, ForestWalk(path: \"12\") or Compression(lambda: 4)", "amoebots"),
        _ => return None,
    };
    Some(format!("{examples}; `acrasin list {kind}` lists their parameters"))
}

/// The schedulers of the catalogue.
const SCHEDULERS: &str =
    "Sequential, RoundRobin, SemiSynchronous, Asynchronous, Waves, UniformPairs, RandomMatchings";
