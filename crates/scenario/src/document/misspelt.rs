//! A misspelt word of a document whose refusal would be about a missing field.
//!
//! A missing field is seen when everything before it is read, and what stands after it has not been looked at then. Who has
//! misspelt a word there is helped by its name, not by the field.

use serde::de::DeserializeOwned;

use crate::text::decode::Decoder;
use crate::text::failure::{Failure, Span};
use crate::text::tree::{Body, Node, Value};

/// Most values that are left out to look behind them.
const LEFT_OUT: usize = 64;

/// Whether a refusal is about a missing field.
pub(crate) fn is_masking(message: &str) -> bool {
    message.starts_with("missing field `")
}

/// The refusal of a word that is nearly one that is known, outside of the group whose head is at `group`.
pub(super) fn outside<S: DeserializeOwned>(root: &Node, text: &str, group: &Span) -> Option<Failure> {
    let mut pruned = root.clone();
    let mut group = group.clone();
    for _ in 0..LEFT_OUT {
        let around = leave_out(&mut pruned, &group)?;
        let failure = S::deserialize(Decoder::new(&pruned, text)).err()?;
        if is_misspelt(&failure) {
            return Some(failure);
        }
        group = failure.span.clone().filter(|_| is_masking(&failure.message)).unwrap_or(around);
    }
    None
}

/// Whether a refusal is that of a word that is nearly a known one.
pub(crate) fn is_misspelt(failure: &Failure) -> bool {
    failure.message.starts_with("unknown ") && failure.hint.is_some()
}

/// Removes the value whose head is at a place from what is directly around it, and returns the head of that.
fn leave_out(node: &mut Node, head: &Span) -> Option<Span> {
    let around = node.head();
    let is_it = |child: &Node| matches!(child.value, Value::Group { .. }) && child.head() == *head;
    let removed = match &mut node.value {
        Value::List(items) | Value::Group { body: Body::Items(items), .. } => {
            items.iter().position(is_it).map(|at| drop(items.remove(at)))
        }
        Value::Group { body: Body::Fields(fields), .. } => {
            fields.iter().position(|field| is_it(&field.value)).map(|at| drop(fields.remove(at)))
        }
        Value::Map(entries) => {
            entries.iter().position(|(_, value)| is_it(value)).map(|at| drop(entries.remove(at)))
        }
        Value::Number { .. } | Value::Text(_) | Value::Char(_) | Value::Word(_) => None,
    };
    match removed {
        Some(()) => Some(around),
        None => node.children_mut().find_map(|child| leave_out(child, head)),
    }
}
