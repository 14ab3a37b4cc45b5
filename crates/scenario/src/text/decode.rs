//! Decoding of a tree into a Rust type, through serde.

use serde::Deserializer;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, Error as _, Expected, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::failure::{Failure, Span, listed};
use super::literal::place_in_text;
use super::tree::{Body, Field, Name, Node, Number, Value};
use crate::predicate::Predicate;

/// Newtype name with which a type requests a number as written (`1e6`, `"10^6"`), so that no digit is lost to a float:
/// [`Visitor::visit_str`] receives the literal, [`Visitor::visit_enum`] a word.
pub(crate) const LITERAL: &str = "acrasin::literal";

/// Newtype name with which [`Predicate`] requests to be checked here, where the place of each of its characters in the
/// file is known.
pub(crate) const PREDICATE: &str = "acrasin::predicate";

/// Newtype name with which a type requests a value of any kind as written: [`Visitor::visit_str`] receives the text.
pub(crate) const WRITTEN: &str = "acrasin::written";

/// Decoder of one value of the tree. Every failure that it returns has a place.
#[derive(Clone, Copy)]
pub(crate) struct Decoder<'n> {
    pub(crate) node: &'n Node,
    /// The text that the tree was read from.
    pub(crate) text: &'n str,
    /// Whether the group's name has been used as the name of a variant.
    bare: bool,
}

impl<'n> Decoder<'n> {
    pub(crate) fn new(node: &'n Node, text: &'n str) -> Self {
        Self { node, text, bare: false }
    }

    fn to(self, node: &'n Node) -> Self {
        Self { node, bare: false, ..self }
    }

    fn fields<V: Visitor<'n>>(self, fields: &'n [Field], visitor: V) -> Result<V::Value, Failure> {
        let access = Fields { fields: fields.iter(), value: None, outer: self };
        visitor.visit_map(access).map_err(|failure| failure.at_node(self.node))
    }

    fn items<V: Visitor<'n>>(self, items: &'n [Node], visitor: V) -> Result<V::Value, Failure> {
        let access = Items { items: items.iter(), outer: self };
        visitor.visit_seq(access).map_err(|failure| failure.at_node(self.node))
    }

    // Failures are created out of line: the methods of `Deserializer` are compiled once for every type that is read.
    #[cold]
    fn wrong(self, accepted: &str) -> Failure {
        Failure::wrong_kind(self.node, accepted)
    }

    #[cold]
    fn wrong_for(self, visitor: &dyn Expected) -> Failure {
        self.wrong(&visitor.to_string())
    }

    #[cold]
    fn wrong_tuple(self, length: usize) -> Failure {
        self.wrong(&format!("{length} values in parentheses"))
    }

    /// The fields of a struct. Fails if the value is not a struct.
    fn fields_of(self, struct_name: &str, names: &[&str]) -> Result<&'n [Field], Failure> {
        match &self.node.value {
            Value::Group { name: Some(name), .. } if !self.bare && name.text != struct_name => {
                Err(self.wrong(&format!("{struct_name}(...), or (...) without a name")))
            }
            Value::Group { body: Body::Fields(fields), .. } => Ok(fields),
            Value::Group { body: Body::Items(items), .. } if items.is_empty() => Ok(&[]),
            _ => Err(self.wrong(&format!("fields in parentheses, each as `name: value`: {}", listed(names)))),
        }
    }

    fn literal<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Number { literal: text, .. } | Value::Text(text) => visitor.visit_str(text),
            Value::Word(_) => visitor.visit_enum(Variant { decoder: self }),
            _ => Err(self.wrong_for(&visitor)),
        }
    }

    fn predicate<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Value::Text(text) = &self.node.value else {
            let accepted = "a predicate on counts as a text, such as \"A == 0 || B >= 2 * C\"";
            return Err(self.wrong(accepted));
        };
        Predicate::parse(text).map_err(|error| {
            let place = |at| place_in_text(self.text, &self.node.span, at);
            let span = place(error.span().start)..place(error.span().end);
            Failure::new(span, error.message()).accepting(error.accepted())
        })?;
        visitor.visit_str(text)
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Number { value: Number::Whole(value), .. } => visitor.visit_u64(*value),
            Value::Number { value: Number::Negative(value), .. } => visitor.visit_i64(*value),
            Value::Number { value: Number::Real(value), .. } => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Char(c) => visitor.visit_char(*c),
            Value::Word(word) if word == "true" => visitor.visit_bool(true),
            Value::Word(word) if word == "false" => visitor.visit_bool(false),
            Value::Group { name: Some(_), .. } if !self.bare => visitor.visit_enum(Variant { decoder: self }),
            Value::Word(_) => visitor.visit_enum(Variant { decoder: self }),
            Value::Group { body: Body::Fields(fields), .. } => self.fields(fields, visitor),
            Value::Group { body: Body::Items(items), .. } => self.items(items, visitor),
            Value::List(items) => self.items(items, visitor),
            Value::Map(entries) => {
                visitor.visit_map(Entries { entries: entries.iter(), value: None, outer: self })
            }
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Word(word) if word == "true" || word == "false" => visitor.visit_bool(word == "true"),
            _ => Err(self.wrong("true or false")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Number { value, .. } => {
                visitor.visit_f64(value.as_f64()).map_err(|failure: Failure| failure.at_node(self.node))
            }
            _ => Err(self.wrong_for(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Text(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.wrong("a text in double quotes")),
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Word(word) if word == "None" => visitor.visit_none(),
            Value::Group { name: Some(Name { text, .. }), body: Body::Items(items), .. }
                if text == "Some" && items.len() == 1 =>
            {
                visitor.visit_some(self.to(&items[0]))
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        match name {
            LITERAL => self.literal(visitor),
            PREDICATE => self.predicate(visitor),
            WRITTEN => visitor.visit_str(&self.text[self.node.span.clone()]),
            _ => visitor.visit_newtype_struct(self),
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::List(items) => self.items(items, visitor),
            _ => Err(self.wrong("a list in brackets: [...]")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Group { name: None, body: Body::Items(items), .. } if items.len() == length => {
                self.items(items, visitor)
            }
            _ => Err(self.wrong_tuple(length)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Map(entries) => visitor
                .visit_map(Entries { entries: entries.iter(), value: None, outer: self })
                .map_err(|failure| failure.at_node(self.node)),
            _ => Err(self.wrong("a map in braces: {...}")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        struct_name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.fields(self.fields_of(struct_name, names)?, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        match &self.node.value {
            Value::Word(_) => visitor.visit_enum(Variant { decoder: self }),
            Value::Group { name: Some(_), .. } if !self.bare => visitor.visit_enum(Variant { decoder: self }),
            _ => Err(self.wrong(&listed(variants))),
        }
        .map_err(|failure| failure.at_node(self.node))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 char bytes byte_buf unit unit_struct
        tuple_struct identifier ignored_any
    }
}

struct Fields<'n> {
    fields: std::slice::Iter<'n, Field>,
    value: Option<&'n Node>,
    outer: Decoder<'n>,
}

impl<'n> MapAccess<'n> for Fields<'n> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'n>>(&mut self, seed: K) -> Result<Option<K::Value>, Failure> {
        let Some(field) = self.fields.next() else { return Ok(None) };
        self.value = Some(&field.value);
        let name = BorrowedStrDeserializer::<Failure>::new(&field.name.text);
        seed.deserialize(name).map(Some).map_err(|failure| failure.at(&field.name.span))
    }

    fn next_value_seed<S: DeserializeSeed<'n>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        next_value(&mut self.value, self.outer, seed)
    }
}

struct Entries<'n> {
    entries: std::slice::Iter<'n, (Node, Node)>,
    value: Option<&'n Node>,
    outer: Decoder<'n>,
}

impl<'n> MapAccess<'n> for Entries<'n> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'n>>(&mut self, seed: K) -> Result<Option<K::Value>, Failure> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(self.outer.to(key)).map(Some).map_err(|failure| failure.at_node(key))
    }

    fn next_value_seed<S: DeserializeSeed<'n>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        next_value(&mut self.value, self.outer, seed)
    }
}

fn next_value<'n, S: DeserializeSeed<'n>>(
    value: &mut Option<&'n Node>,
    outer: Decoder<'n>,
    seed: S,
) -> Result<S::Value, Failure> {
    let node = value.take().ok_or_else(|| Failure::custom("a value was asked for before its key"))?;
    seed.deserialize(outer.to(node)).map_err(|failure| failure.at_node(node))
}

struct Items<'n> {
    items: std::slice::Iter<'n, Node>,
    outer: Decoder<'n>,
}

impl<'n> SeqAccess<'n> for Items<'n> {
    type Error = Failure;

    fn next_element_seed<S: DeserializeSeed<'n>>(&mut self, seed: S) -> Result<Option<S::Value>, Failure> {
        let Some(node) = self.items.next() else { return Ok(None) };
        seed.deserialize(self.outer.to(node)).map(Some).map_err(|failure| failure.at_node(node))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// A variant: `Word`, `Name(values)` or `Name(field: value)`.
struct Variant<'n> {
    decoder: Decoder<'n>,
}

impl<'n> Variant<'n> {
    fn name(&self) -> (&'n str, Span) {
        let node = self.decoder.node;
        match &node.value {
            Value::Group { name: Some(name), .. } => (&name.text, name.span.clone()),
            Value::Word(word) => (word, node.span.clone()),
            _ => ("", node.head()),
        }
    }

    /// The values in parentheses; `None` for a bare word.
    fn body(&self) -> Option<&'n Body> {
        match &self.decoder.node.value {
            Value::Group { body, .. } => Some(body),
            _ => None,
        }
    }

    #[cold]
    fn refuse(&self, message: &str, accepted: String) -> Failure {
        let (name, span) = self.name();
        Failure::new(span, format!("`{name}` {message}")).accepting(accepted)
    }

    /// The values in parentheses; the last one may be missing if it has a default.
    fn values(&self, length: usize) -> Result<&'n [Node], Failure> {
        match self.body() {
            Some(Body::Items(items)) if items.len() == length || items.len() + 1 == length => Ok(items),
            _ => Err(self.refuse(
                &format!("takes {length} values in parentheses"),
                format!("`{}(...)` with {length} values", self.name().0),
            )),
        }
    }

    /// The fields in parentheses; empty for a bare word.
    fn fields(&self, names: &[&str]) -> Result<&'n [Field], Failure> {
        match self.body() {
            None => Ok(&[]),
            Some(Body::Fields(fields)) => Ok(fields),
            Some(Body::Items(items)) if items.is_empty() => Ok(&[]),
            Some(Body::Items(_)) => {
                Err(self.refuse("takes fields, each as `name: value`", format!("fields {}", listed(names))))
            }
        }
    }

    /// The decoder of the single value in parentheses, or of the whole group if it has fields.
    fn value(&self) -> Result<Decoder<'n>, Failure> {
        match self.body() {
            Some(Body::Fields(_)) => Ok(Decoder { bare: true, ..self.decoder }),
            Some(Body::Items(items)) if items.len() == 1 => Ok(self.decoder.to(&items[0])),
            _ => Err(self.refuse("takes one value in parentheses", format!("`{}(...)`", self.name().0))),
        }
    }
}

impl<'n> EnumAccess<'n> for Variant<'n> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'n>>(self, seed: S) -> Result<(S::Value, Self), Failure> {
        let (name, span) = self.name();
        let value = seed.deserialize(BorrowedStrDeserializer::<Failure>::new(name));
        Ok((value.map_err(|failure| failure.at(&span))?, self))
    }
}

impl<'n> VariantAccess<'n> for Variant<'n> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        match self.body() {
            None => Ok(()),
            Some(Body::Items(items)) if items.is_empty() => Ok(()),
            Some(_) => Err(self.refuse("takes no values", format!("`{}`", self.name().0))),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'n>>(self, seed: S) -> Result<S::Value, Failure> {
        seed.deserialize(self.value()?)
    }

    fn tuple_variant<V: Visitor<'n>>(self, length: usize, visitor: V) -> Result<V::Value, Failure> {
        self.decoder.items(self.values(length)?, visitor)
    }

    fn struct_variant<V: Visitor<'n>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.decoder.fields(self.fields(names)?, visitor)
    }
}
