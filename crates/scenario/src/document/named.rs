//! What is chosen from a catalogue: a name, and what is written for it.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, SerializeStructVariant as _, Serializer};

use super::Document;
use crate::DocumentError;
use crate::text::decode::{Decoder, WRITTEN};
use crate::text::failure::{Failure, Span, listed, nearest, quoted};
use crate::text::tree::{Body, Field, Node, Value};

/// A thing of a catalogue as it is written: `Hexagon`, `ForestWalk(path: "12")`, `Compression(lambda: 4)`.
///
/// Which names there are and what each takes is not known while a file is read: the plan knows, which has the catalogue. So
/// a field of a document has this type, and whatever is written there is accepted at first. The plan then asks
/// `Document::choice` for the value at the path of the field, looks up the name (`Choice::find`) and reads the values
/// of the fields (`Choice::fields`); what is refused has its line, column and caret as if it had been refused at once.
/// Once it is looked up, the value can be spelled out with all fields, defaults too, for the record of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    text: String,
    spelled: Option<Spelled>,
}

/// A value with everything that could have been written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Spelled {
    Missing,
    Count(u64),
    Real(f64),
    Text(String),
    Word(&'static str),
    Counted(&'static str, u64),
    List(Vec<Spelled>),
    Fields(&'static str, Vec<(&'static str, Spelled)>),
}

impl Named {
    /// The text, from the first to the last character of the value.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same, spelled out.
    pub(crate) fn spelled_out(&self, spelled: Spelled) -> Self {
        Self { text: self.text.clone(), spelled: Some(spelled) }
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.spelled {
            Some(spelled) => spelled.serialize(serializer),
            None => serializer.serialize_str(&self.text),
        }
    }
}

impl Serialize for Spelled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Missing => serializer.serialize_none(),
            Self::Count(count) => serializer.serialize_u64(*count),
            Self::Real(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Word(word) => serializer.serialize_unit_variant("", 0, word),
            Self::Counted(word, count) => serializer.serialize_newtype_variant("", 0, word, count),
            Self::List(items) => serializer.collect_seq(items),
            Self::Fields(name, fields) if fields.is_empty() => serializer.serialize_unit_variant("", 0, name),
            Self::Fields(name, fields) => {
                let mut variant = serializer.serialize_struct_variant("", 0, name, fields.len())?;
                for (name, field) in fields {
                    variant.serialize_field(name, field)?;
                }
                variant.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;
        impl Visitor<'_> for Whole {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name, with what it takes in parentheses")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Named, E> {
                Ok(Named { text: text.to_owned(), spelled: None })
            }
        }
        deserializer.deserialize_newtype_struct(WRITTEN, Whole)
    }
}

/// What is written in the place of a [`Named`], with its places.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'d> {
    node: &'d Node,
    /// The text that the tree was read from.
    text: &'d str,
}

impl<S> Document<S> {
    /// What is written at the path of a [`Named`].
    pub(crate) fn choice(&self, path: &str) -> Choice<'_> {
        Choice { node: self.nearest(path), text: self.text() }
    }

    /// The error that something was refused for.
    pub(crate) fn refused(&self, failure: Failure) -> DocumentError {
        self.source.error(failure)
    }
}

impl<'d> Choice<'d> {
    /// The name, and where it is.
    fn name(self) -> Option<(&'d str, Span)> {
        match &self.node.value {
            Value::Word(word) => Some((word, self.node.span.clone())),
            Value::Group { name: Some(name), .. } => Some((&name.text, name.span.clone())),
            _ => None,
        }
    }

    /// The one of `known` whose name is written; the error says all of them, and the nearest.
    pub(crate) fn find<'c, T>(
        self,
        known: &'c [T],
        name_of: impl Fn(&T) -> &'static str,
    ) -> Result<&'c T, Failure> {
        let names: Vec<&str> = known.iter().map(&name_of).collect();
        let Some((name, span)) = self.name() else {
            return Err(Failure::wrong_kind(self.node, listed(&names)));
        };
        known.iter().find(|candidate| name_of(candidate) == name).ok_or_else(|| {
            Failure::new(span, format!("unknown name {}", quoted(name)))
                .accepting(listed(&names))
                .hinting(nearest(name, names.iter().copied()))
        })
    }

    /// The fields in the order of the text, each with the position of its name among `names`.
    pub(crate) fn fields(self, names: &[&str]) -> Result<Vec<(usize, Decoder<'d>)>, Failure> {
        let mut fields = Vec::new();
        for field in self.written(names)? {
            let position = names.iter().position(|name| *name == field.name.text).ok_or_else(|| {
                Failure::new(field.name.span.clone(), format!("unknown field {}", quoted(&field.name.text)))
                    .accepting(listed(names))
                    .hinting(nearest(&field.name.text, names.iter().copied()))
            })?;
            fields.push((position, Decoder::new(&field.value, self.text)));
        }
        Ok(fields)
    }

    fn written(self, names: &[&str]) -> Result<&'d [Field], Failure> {
        let Value::Group { body, .. } = &self.node.value else { return Ok(&[]) };
        let (name, span) = self.name().unwrap_or_else(|| ("", self.node.head()));
        match body {
            Body::Items(items) if items.is_empty() => Ok(&[]),
            _ if names.is_empty() => {
                Err(Failure::new(span, format!("`{name}` takes no values")).accepting(format!("`{name}`")))
            }
            Body::Fields(fields) => Ok(fields),
            Body::Items(_) => {
                Err(Failure::new(span, format!("`{name}` takes fields, each as `name: value`"))
                    .accepting(format!("fields {}", listed(names))))
            }
        }
    }

    /// A field that must be written is not.
    pub(crate) fn missing(self, name: &str) -> Failure {
        Failure::new(self.node.head(), format!("missing field `{name}`"))
    }
}
