//! Decoding of a tree into a Rust type, through serde.

use serde::Deserializer;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, Error as _, Expected, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::failure::{ByteSpan, DecodeFailure, in_words, listed};
use super::literal::place_in_text;
use super::tree::{Field, GroupBody, Number, SpannedName, SpannedNode, SpannedValue};
use crate::predicate::Predicate;

/// The newtype name by which a type requests a number as written (`1e6`, `"10^6"`), so that a float does not round it.
/// [`Visitor::visit_str`] receives the literal, [`Visitor::visit_enum`] a word.
pub(crate) const LITERAL: &str = "acrasin::literal";

/// The newtype name by which [`Predicate`] requests that the decoder checks it, because the decoder knows the position
/// of each character in the file.
pub(crate) const PREDICATE: &str = "acrasin::predicate";

/// The newtype name by which a type requests a value of any kind as written: [`Visitor::visit_str`] receives the text.
pub(crate) const WRITTEN: &str = "acrasin::written";

/// The name of an enum to which a catalogue adds entries. For a name that is not one of its variants,
/// [`Visitor::visit_str`] receives the text of the value.
pub(crate) const OPEN: &str = "acrasin::open";

/// Decodes one value of the tree. Every failure has a position in the text.
#[derive(Clone, Copy)]
pub(crate) struct Decoder<'n> {
    pub(crate) node: &'n SpannedNode,
    /// The text that the tree was read from.
    pub(crate) text: &'n str,
    /// Whether the name of the group is already decoded, as the name of a variant.
    bare: bool,
}

impl<'n> Decoder<'n> {
    pub(crate) fn new(node: &'n SpannedNode, text: &'n str) -> Self {
        Self { node, text, bare: false }
    }

    fn to(self, node: &'n SpannedNode) -> Self {
        Self { node, bare: false, ..self }
    }

    fn fields<V: Visitor<'n>>(self, fields: &'n [Field], visitor: V) -> Result<V::Value, DecodeFailure> {
        let access = StructFields { fields: fields.iter(), value: None, outer: self };
        visitor.visit_map(access).map_err(|failure| failure.at_node(self.node))
    }

    fn items<V: Visitor<'n>>(self, items: &'n [SpannedNode], visitor: V) -> Result<V::Value, DecodeFailure> {
        let access = Items { items: items.iter(), outer: self };
        visitor.visit_seq(access).map_err(|failure| failure.at_node(self.node))
    }

    // Failures are created out of line: the methods of `Deserializer` are compiled once for every type that is read.
    #[cold]
    fn wrong(self, accepted: &str) -> DecodeFailure {
        DecodeFailure::wrong_kind(self.node, accepted)
    }

    #[cold]
    fn wrong_for(self, visitor: &dyn Expected) -> DecodeFailure {
        self.wrong(&in_words(visitor))
    }

    #[cold]
    fn wrong_tuple(self, length: usize) -> DecodeFailure {
        self.wrong(&format!("{length} values in parentheses"))
    }

    /// The fields of a struct. Fails if the value is not a struct.
    fn fields_of(self, struct_name: &str, names: &[&str]) -> Result<&'n [Field], DecodeFailure> {
        match &self.node.value {
            SpannedValue::Group { name: Some(name), .. } if !self.bare && name.text != struct_name => {
                Err(self.wrong(&format!("{struct_name}(...), or (...) without a name")))
            }
            SpannedValue::Group { body: GroupBody::Fields(fields), .. } => Ok(fields),
            SpannedValue::Group { body: GroupBody::Items(items), .. } if items.is_empty() => Ok(&[]),
            _ => Err(self.wrong(&format!("fields in parentheses, each as `name: value`: {}", listed(names)))),
        }
    }

    fn literal<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Number { literal: text, .. } | SpannedValue::Text(text) => visitor.visit_str(text),
            SpannedValue::Word(_) => visitor.visit_enum(WrittenVariant { decoder: self }),
            _ => Err(self.wrong_for(&visitor)),
        }
    }

    fn predicate<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        let SpannedValue::Text(text) = &self.node.value else {
            let accepted = "a predicate on counts as a text, such as \"A == 0 || B >= 2 * C\"";
            return Err(self.wrong(accepted));
        };
        Predicate::parse_strict(text).map_err(|error| {
            let place = |at| place_in_text(self.text, &self.node.span, at);
            let span = place(error.span().start)..place(error.span().end);
            DecodeFailure::new(span, error.message()).accepting(error.accepted())
        })?;
        visitor.visit_str(text)
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = DecodeFailure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Number { value: Number::Whole(value), .. } => visitor.visit_u64(*value),
            SpannedValue::Number { value: Number::Negative(value), .. } => visitor.visit_i64(*value),
            SpannedValue::Number { value: Number::Real(value), .. } => visitor.visit_f64(*value),
            SpannedValue::Text(text) => visitor.visit_borrowed_str(text),
            SpannedValue::Char(c) => visitor.visit_char(*c),
            SpannedValue::Word(word) if word == "true" => visitor.visit_bool(true),
            SpannedValue::Word(word) if word == "false" => visitor.visit_bool(false),
            SpannedValue::Group { name: Some(_), .. } if !self.bare => {
                visitor.visit_enum(WrittenVariant { decoder: self })
            }
            SpannedValue::Word(_) => visitor.visit_enum(WrittenVariant { decoder: self }),
            SpannedValue::Group { body: GroupBody::Fields(fields), .. } => self.fields(fields, visitor),
            SpannedValue::Group { body: GroupBody::Items(items), .. } => self.items(items, visitor),
            SpannedValue::List(items) => self.items(items, visitor),
            SpannedValue::Map(entries) => {
                visitor.visit_map(MapEntries { entries: entries.iter(), value: None, outer: self })
            }
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Word(word) if word == "true" || word == "false" => {
                visitor.visit_bool(word == "true")
            }
            _ => Err(self.wrong("true or false")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Number { value, .. } => {
                visitor.visit_f64(value.as_f64()).map_err(|failure: DecodeFailure| failure.at_node(self.node))
            }
            _ => Err(self.wrong_for(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Text(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.wrong("a text in double quotes")),
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Word(word) if word == "None" => visitor.visit_none(),
            SpannedValue::Group {
                name: Some(SpannedName { text, .. }),
                body: GroupBody::Items(items),
                ..
            } if text == "Some" && items.len() == 1 => visitor.visit_some(self.to(&items[0])),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeFailure> {
        match name {
            LITERAL => self.literal(visitor),
            PREDICATE => self.predicate(visitor),
            WRITTEN => visitor.visit_str(&self.text[self.node.span.clone()]),
            _ => visitor.visit_newtype_struct(self),
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::List(items) => self.items(items, visitor),
            value => {
                let written = self.text.get(self.node.span.clone()).unwrap_or_default();
                let is_one =
                    matches!(value, SpannedValue::Word(_) | SpannedValue::Group { name: Some(_), .. });
                // A long value, or one of several lines, is not repeated.
                let is_short = (1..=40).contains(&written.len()) && !written.contains('\n');
                let hint = (is_one && is_short).then(|| format!("a list of one: [{written}]"));
                Err(self.wrong("a list in brackets: [...]").hinting(hint))
            }
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Group { name: None, body: GroupBody::Items(items), .. }
                if items.len() == length =>
            {
                self.items(items, visitor)
            }
            _ => Err(self.wrong_tuple(length)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Map(entries) => visitor
                .visit_map(MapEntries { entries: entries.iter(), value: None, outer: self })
                .map_err(|failure| failure.at_node(self.node)),
            _ => Err(self.wrong("a map in braces: {...}")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        struct_name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeFailure> {
        self.fields(self.fields_of(struct_name, names)?, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeFailure> {
        match &self.node.value {
            SpannedValue::Word(word)
            | SpannedValue::Group { name: Some(SpannedName { text: word, .. }), .. }
                if name == OPEN && !variants.contains(&&**word) =>
            {
                visitor.visit_str(&self.text[self.node.span.clone()])
            }
            SpannedValue::Word(_) => visitor.visit_enum(WrittenVariant { decoder: self }),
            SpannedValue::Group { name: Some(_), .. } if !self.bare => {
                visitor.visit_enum(WrittenVariant { decoder: self })
            }
            _ => Err(DecodeFailure::wrong_name(self.node, variants)),
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 char bytes byte_buf unit unit_struct
        tuple_struct identifier ignored_any
    }
}

struct StructFields<'n> {
    fields: std::slice::Iter<'n, Field>,
    value: Option<&'n SpannedNode>,
    outer: Decoder<'n>,
}

impl<'n> MapAccess<'n> for StructFields<'n> {
    type Error = DecodeFailure;

    fn next_key_seed<K: DeserializeSeed<'n>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeFailure> {
        let Some(field) = self.fields.next() else { return Ok(None) };
        self.value = Some(&field.value);
        let name = BorrowedStrDeserializer::<DecodeFailure>::new(&field.name.text);
        seed.deserialize(name).map(Some).map_err(|failure| failure.at(&field.name.span))
    }

    fn next_value_seed<S: DeserializeSeed<'n>>(&mut self, seed: S) -> Result<S::Value, DecodeFailure> {
        next_value(&mut self.value, self.outer, seed)
    }
}

struct MapEntries<'n> {
    entries: std::slice::Iter<'n, (SpannedNode, SpannedNode)>,
    value: Option<&'n SpannedNode>,
    outer: Decoder<'n>,
}

impl<'n> MapAccess<'n> for MapEntries<'n> {
    type Error = DecodeFailure;

    fn next_key_seed<K: DeserializeSeed<'n>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeFailure> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(self.outer.to(key)).map(Some).map_err(|failure| failure.at_node(key))
    }

    fn next_value_seed<S: DeserializeSeed<'n>>(&mut self, seed: S) -> Result<S::Value, DecodeFailure> {
        next_value(&mut self.value, self.outer, seed)
    }
}

fn next_value<'n, S: DeserializeSeed<'n>>(
    value: &mut Option<&'n SpannedNode>,
    outer: Decoder<'n>,
    seed: S,
) -> Result<S::Value, DecodeFailure> {
    let node = value.take().ok_or_else(|| DecodeFailure::custom("a value was asked for before its key"))?;
    seed.deserialize(outer.to(node)).map_err(|failure| failure.at_node(node))
}

struct Items<'n> {
    items: std::slice::Iter<'n, SpannedNode>,
    outer: Decoder<'n>,
}

impl<'n> SeqAccess<'n> for Items<'n> {
    type Error = DecodeFailure;

    fn next_element_seed<S: DeserializeSeed<'n>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeFailure> {
        let Some(node) = self.items.next() else { return Ok(None) };
        seed.deserialize(self.outer.to(node)).map(Some).map_err(|failure| failure.at_node(node))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// A variant: `Word`, `Name(values)` or `Name(field: value)`.
struct WrittenVariant<'n> {
    decoder: Decoder<'n>,
}

impl<'n> WrittenVariant<'n> {
    fn name(&self) -> (&'n str, ByteSpan) {
        let node = self.decoder.node;
        match &node.value {
            SpannedValue::Group { name: Some(name), .. } => (&name.text, name.span.clone()),
            SpannedValue::Word(word) => (word, node.span.clone()),
            _ => ("", node.head()),
        }
    }

    /// The values in parentheses; `None` for a bare word.
    fn body(&self) -> Option<&'n GroupBody> {
        match &self.decoder.node.value {
            SpannedValue::Group { body, .. } => Some(body),
            _ => None,
        }
    }

    #[cold]
    fn refuse(&self, message: &str, accepted: String) -> DecodeFailure {
        let (name, span) = self.name();
        DecodeFailure::new(span, format!("`{name}` {message}")).accepting(accepted)
    }

    /// The values in parentheses; the last one may be missing if it has a default.
    fn values(&self, length: usize) -> Result<&'n [SpannedNode], DecodeFailure> {
        match self.body() {
            Some(GroupBody::Items(items)) if items.len() == length || items.len() + 1 == length => Ok(items),
            _ => Err(self.refuse(
                &format!("takes {length} values in parentheses"),
                format!("`{}(...)` with {length} values", self.name().0),
            )),
        }
    }

    /// The fields in parentheses; empty for a bare word.
    fn fields(&self, names: &[&str]) -> Result<&'n [Field], DecodeFailure> {
        match self.body() {
            None => Ok(&[]),
            Some(GroupBody::Fields(fields)) => Ok(fields),
            Some(GroupBody::Items(items)) if items.is_empty() => Ok(&[]),
            Some(GroupBody::Items(_)) => {
                Err(self.refuse("takes fields, each as `name: value`", format!("fields {}", listed(names))))
            }
        }
    }

    /// The decoder of the single value in parentheses, or of the whole group if it has fields.
    fn value(&self) -> Result<Decoder<'n>, DecodeFailure> {
        match self.body() {
            Some(GroupBody::Fields(_)) => Ok(Decoder { bare: true, ..self.decoder }),
            Some(GroupBody::Items(items)) if items.len() == 1 => Ok(self.decoder.to(&items[0])),
            _ => Err(self.refuse("takes one value in parentheses", format!("`{}(...)`", self.name().0))),
        }
    }
}

impl<'n> EnumAccess<'n> for WrittenVariant<'n> {
    type Error = DecodeFailure;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'n>>(self, seed: S) -> Result<(S::Value, Self), DecodeFailure> {
        let (name, span) = self.name();
        let value = seed.deserialize(BorrowedStrDeserializer::<DecodeFailure>::new(name));
        Ok((value.map_err(|failure| failure.at(&span))?, self))
    }
}

impl<'n> VariantAccess<'n> for WrittenVariant<'n> {
    type Error = DecodeFailure;

    fn unit_variant(self) -> Result<(), DecodeFailure> {
        match self.body() {
            None => Ok(()),
            Some(GroupBody::Items(items)) if items.is_empty() => Ok(()),
            Some(_) => Err(self.refuse("takes no values", format!("`{}`", self.name().0))),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'n>>(self, seed: S) -> Result<S::Value, DecodeFailure> {
        seed.deserialize(self.value()?)
    }

    fn tuple_variant<V: Visitor<'n>>(self, length: usize, visitor: V) -> Result<V::Value, DecodeFailure> {
        self.decoder.items(self.values(length)?, visitor)
    }

    fn struct_variant<V: Visitor<'n>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeFailure> {
        self.decoder.fields(self.fields(names)?, visitor)
    }
}
