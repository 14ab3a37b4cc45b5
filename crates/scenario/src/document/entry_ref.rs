//! [`EntryRef`]: the text of a catalogue reference, with positions.

use acrasin_catalogue::Entry;
use serde::de::DeserializeOwned;

use super::missing::{accepted_in_place, read_as};
use crate::text::decode::Decoder;
use crate::text::failure::{ByteSpan, DecodeFailure, listed};
use crate::text::tree::{Field, GroupBody, SpannedNode, SpannedValue};

/// The value written for a [`CatalogueRef`](super::CatalogueRef), with the positions of its parts.
#[derive(Clone, Copy)]
pub(crate) struct EntryRef<'d> {
    node: &'d SpannedNode,
    /// The text that the tree was read from.
    text: &'d str,
}

impl<'d> EntryRef<'d> {
    /// The value at a node of the tree.
    pub(crate) fn of(node: &'d SpannedNode, text: &'d str) -> Self {
        Self { node, text }
    }

    /// The written name and its position in the text.
    fn name(self) -> Option<(&'d str, ByteSpan)> {
        match &self.node.value {
            SpannedValue::Word(word) => Some((word, self.node.span.clone())),
            SpannedValue::Group { name: Some(name), .. } => Some((&name.text, name.span.clone())),
            _ => None,
        }
    }

    /// Whether the name is one of `names`.
    pub(crate) fn is_one_of(self, names: &[&str]) -> bool {
        self.name().is_some_and(|(name, _)| names.contains(&name))
    }

    /// Decodes the value as a type that does not depend on the catalogue.
    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<T, DecodeFailure> {
        read_as(self.node, self.text).map_err(|failure| failure.at_node(self.node))
    }

    /// The value of an optional field; `None` if the field says `None`.
    pub(crate) fn optional(field: Decoder<'d>) -> Option<Self> {
        let inner = match &field.node.value {
            SpannedValue::Word(word) if word == "None" => return None,
            SpannedValue::Group { name: Some(name), body: GroupBody::Items(items), .. }
                if name.text == "Some" && items.len() == 1 =>
            {
                &items[0]
            }
            _ => field.node,
        };
        Some(Self { node: inner, text: field.text })
    }

    /// The entry with the written name. The error lists all names, including `others`, and suggests the nearest.
    pub(crate) fn find<E: Entry>(self, known: &[E], others: &[&'static str]) -> Result<E, DecodeFailure> {
        let names: Vec<&str> = known.iter().map(Entry::name).chain(others.iter().copied()).collect();
        let Some((name, span)) = self.name() else {
            return Err(DecodeFailure::wrong_name(self.node, &names));
        };
        known
            .iter()
            .find(|entry| entry.name() == name)
            .copied()
            .ok_or_else(|| DecodeFailure::unknown("name", name, &names).at(&span))
    }

    /// The written fields in the order of the text, each with the index of its name in `names`.
    pub(super) fn fields(self, names: &[&str]) -> Result<Vec<(usize, Decoder<'d>)>, DecodeFailure> {
        let mut fields = Vec::new();
        for field in self.written(names)? {
            let position = names.iter().position(|name| *name == field.name.text).ok_or_else(|| {
                DecodeFailure::unknown("field", &field.name.text, names).at(&field.name.span)
            })?;
            fields.push((position, Decoder::new(&field.value, self.text)));
        }
        Ok(fields)
    }

    fn written(self, names: &[&str]) -> Result<&'d [Field], DecodeFailure> {
        let SpannedValue::Group { body, .. } = &self.node.value else { return Ok(&[]) };
        let (name, span) = self.name().unwrap_or_else(|| ("", self.node.head()));
        match body {
            GroupBody::Items(items) if items.is_empty() => Ok(&[]),
            _ if names.is_empty() => {
                Err(DecodeFailure::new(span, format!("`{name}` takes no values"))
                    .accepting(format!("`{name}`")))
            }
            GroupBody::Fields(fields) => Ok(fields),
            GroupBody::Items(_) => {
                Err(DecodeFailure::new(span, format!("`{name}` takes fields, each as `name: value`"))
                    .accepting(format!("fields {}", listed(names))))
            }
        }
    }

    /// The error about a missing required field.
    pub(super) fn missing(self, name: &str) -> DecodeFailure {
        DecodeFailure::missing(name).at(&self.node.head())
    }

    /// The error about a missing field of type `T`, with the values that `T` accepts.
    pub(crate) fn missing_as<T: DeserializeOwned>(self, name: &str) -> DecodeFailure {
        let failure = self.missing(name);
        match accepted_in_place::<T>() {
            Some(accepted) => failure.accepting(accepted),
            None => failure,
        }
    }
}
