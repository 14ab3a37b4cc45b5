//! What is written without its types: any document as words, values, lists and fields.

use std::fmt;

use acrasin_report::value::Value;
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// What is written, without its types.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Written {
    /// A number, a text, a flag, or nothing.
    Value(Value),
    /// A variant without content.
    Word(&'static str),
    /// Unnamed values in parentheses, after the name of a variant if they are of one.
    Group(&'static str, Vec<Written>),
    List(Vec<Written>),
    /// Named values, after the name of a variant if they are of one.
    Fields(&'static str, Vec<(String, Written)>),
}

impl Written {
    /// A name with its fields: a word if there are none.
    pub(crate) fn named(name: &'static str, fields: Vec<(&'static str, Self)>) -> Self {
        if fields.is_empty() {
            return Self::Word(name);
        }
        Self::Fields(name, fields.into_iter().map(|(name, field)| (name.to_owned(), field)).collect())
    }

    /// Nothing is written.
    pub(crate) fn missing() -> Self {
        Self::Value(Value::Missing)
    }

    /// Anything.
    pub(crate) fn of(value: &impl Serialize) -> Self {
        value.serialize(Writer).expect("what can be written is plain data")
    }

    /// The same with another value for the field at a dotted path, which is there.
    pub(crate) fn with(mut self, path: &str, value: Self) -> Self {
        let found = path.split('.').fold(&mut self, |at, name| match at {
            Self::Fields(_, fields) => {
                let field = fields.iter_mut().find(|(key, _)| key == name);
                &mut field.unwrap_or_else(|| panic!("there is no field {path}")).1
            }
            _ => panic!("there are no fields at {path}"),
        });
        *found = value;
        self
    }

    /// Whether no field in it has a name of its own.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Value(_) | Self::Word(_) => true,
            Self::Group(_, items) | Self::List(items) => items.iter().all(Self::is_plain),
            Self::Fields(..) => false,
        }
    }

    /// As it is written in a file, if it is plain.
    pub(super) fn text(&self) -> String {
        let listed = |items: &[Self]| items.iter().map(Self::text).collect::<Vec<_>>().join(", ");
        match self {
            Self::Value(Value::Text(text)) => format!("{text:?}"),
            Self::Value(value) => value.to_plain().unwrap_or_else(|| "None".to_owned()),
            Self::Word(word) => (*word).to_owned(),
            Self::Group(name, items) => format!("{name}({})", listed(items)),
            Self::List(items) => format!("[{}]", listed(items)),
            Self::Fields(name, _) => (*name).to_owned(),
        }
    }
}

/// Makes [`Written`] of anything.
pub(crate) struct Writer;

/// The entries so far of a list, group, map or struct.
pub(crate) struct Entries {
    is_list: bool,
    name: &'static str,
    keys: Vec<String>,
    items: Vec<Written>,
}

impl Entries {
    fn new(is_list: bool, name: &'static str) -> Self {
        Self { is_list, name, keys: Vec::new(), items: Vec::new() }
    }

    fn push(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), fmt::Error> {
        self.items.push(value.serialize(Writer)?);
        Ok(())
    }

    fn unnamed(self) -> Written {
        if self.is_list { Written::List(self.items) } else { Written::Group(self.name, self.items) }
    }

    fn named(self) -> Written {
        Written::Fields(self.name, self.keys.into_iter().zip(self.items).collect())
    }
}

macro_rules! values {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Written, fmt::Error> {
            Ok(Written::Value(value.into()))
        }
    )*};
}

macro_rules! whole_numbers {
    ($($method:ident: $type:ty => $wide:ty),*) => {$(
        fn $method(self, value: $type) -> Result<Written, fmt::Error> {
            Ok(Written::Value(<$wide>::from(value).into()))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Written;
    type Error = fmt::Error;
    type SerializeSeq = Entries;
    type SerializeTuple = Entries;
    type SerializeTupleStruct = Entries;
    type SerializeTupleVariant = Entries;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    values!(serialize_bool: bool, serialize_u64: u64, serialize_i64: i64, serialize_f64: f64, serialize_str: &str);
    whole_numbers!(
        serialize_u8: u8 => u64, serialize_u16: u16 => u64, serialize_u32: u32 => u64,
        serialize_i8: i8 => i64, serialize_i16: i16 => i64, serialize_i32: i32 => i64
    );

    fn serialize_f32(self, value: f32) -> Result<Written, fmt::Error> {
        self.serialize_f64(value.into())
    }

    fn serialize_char(self, value: char) -> Result<Written, fmt::Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Written, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<Written, fmt::Error> {
        Ok(Written::Value(Value::Missing))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Written, fmt::Error> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Written, fmt::Error> {
        self.serialize_none()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Written, fmt::Error> {
        Ok(Written::Word(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Written, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written, fmt::Error> {
        Ok(Written::Group(variant, vec![value.serialize(Self)?]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(true, ""))
    }

    fn serialize_tuple(self, _: usize) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, ""))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, fmt::Error> {
        Ok(Entries::new(false, variant))
    }
}

macro_rules! unnamed {
    ($($kind:ident: $method:ident),*) => {$(
        impl $kind for Entries {
            type Ok = Written;
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
                self.push(value)
            }

            fn end(self) -> Result<Written, fmt::Error> {
                Ok(self.unnamed())
            }
        }
    )*};
}
unnamed!(
    SerializeSeq: serialize_element, SerializeTuple: serialize_element, SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
);

macro_rules! named {
    ($($kind:ident),*) => {$(
        impl $kind for Entries {
            type Ok = Written;
            type Error = fmt::Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), fmt::Error> {
                self.keys.push(key.to_owned());
                self.push(value)
            }

            fn end(self) -> Result<Written, fmt::Error> {
                Ok(self.named())
            }
        }
    )*};
}
named!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Entries {
    type Ok = Written;
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), fmt::Error> {
        let key = match key.serialize(Writer)? {
            Written::Value(Value::Text(key)) => key,
            other => other.text(),
        };
        self.keys.push(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
        self.push(value)
    }

    fn end(self) -> Result<Written, fmt::Error> {
        Ok(self.named())
    }
}
