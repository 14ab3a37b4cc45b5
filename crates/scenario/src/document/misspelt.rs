//! Detection of a misspelt word in a document that would otherwise be refused for a missing field.
//!
//! The decoder reports a missing field before it looks at the text after it. If a word there is misspelt, the
//! misspelling explains the mistake better than the field.

use crate::text::failure::{ByteSpan, DecodeFailure};
use crate::text::tree::{GroupBody, SpannedNode, SpannedValue};

/// The maximum number of values that are removed to find errors after them.
const LEFT_OUT: usize = 64;

/// The error about a misspelt word outside of the group whose head is at `group`, if there is one.
pub(super) fn outside(
    root: &SpannedNode,
    refused: &dyn Fn(&SpannedNode) -> Option<DecodeFailure>,
    group: &ByteSpan,
) -> Option<DecodeFailure> {
    let mut pruned = root.clone();
    let mut group = group.clone();
    for _ in 0..LEFT_OUT {
        let around = leave_out(&mut pruned, &group)?;
        let failure = refused(&pruned)?;
        if failure.is_misspelt() {
            return Some(failure);
        }
        group = failure.span.clone().filter(|_| failure.is_masking()).unwrap_or(around);
    }
    None
}

/// Removes the group whose head is at a span from its parent, and returns the head of the parent.
fn leave_out(node: &mut SpannedNode, head: &ByteSpan) -> Option<ByteSpan> {
    let around = node.head();
    let is_it =
        |child: &SpannedNode| matches!(child.value, SpannedValue::Group { .. }) && child.head() == *head;
    let removed = match &mut node.value {
        SpannedValue::List(items) | SpannedValue::Group { body: GroupBody::Items(items), .. } => {
            items.iter().position(is_it).map(|at| drop(items.remove(at)))
        }
        SpannedValue::Group { body: GroupBody::Fields(fields), .. } => {
            fields.iter().position(|field| is_it(&field.value)).map(|at| drop(fields.remove(at)))
        }
        SpannedValue::Map(entries) => {
            entries.iter().position(|(_, value)| is_it(value)).map(|at| drop(entries.remove(at)))
        }
        SpannedValue::Number { .. }
        | SpannedValue::Text(_)
        | SpannedValue::Char(_)
        | SpannedValue::Word(_) => None,
    };
    match removed {
        Some(()) => Some(around),
        None => node.children_mut().find_map(|child| leave_out(child, head)),
    }
}
