//! Short JSON arrays that represent steps and messages.

use std::borrow::Cow;
use std::fmt;

use acrasin_runtime::{NodeId, Port};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// The maximum number of elements of an array. The longest step has seven elements and its picks.
const ELEMENTS_MAX: usize = 8;

/// One element of an array, of the kinds that steps contain.
#[derive(Debug)]
pub(crate) enum Element<'a> {
    Null,
    Bool(bool),
    Number(u64),
    Word(Cow<'a, str>),
    Ports(Vec<u16>),
    Picks(Vec<u32>),
}

impl fmt::Display for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Word(word) => write!(f, "{word:?}"),
            Self::Ports(_) => f.write_str("an array"),
            Self::Picks(_) => f.write_str("the picks"),
        }
    }
}

impl<'de> Deserialize<'de> for Element<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneElement;
        impl<'de> Visitor<'de> for OneElement {
            type Value = Element<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word, a number from 0, true, false, null, ports or {\"picks\":[..]}")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Element::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Element::Bool(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Element::Number(value))
            }
            fn visit_borrowed_str<E>(self, word: &'de str) -> Result<Self::Value, E> {
                Ok(Element::Word(Cow::Borrowed(word)))
            }
            fn visit_str<E>(self, word: &str) -> Result<Self::Value, E> {
                Ok(Element::Word(Cow::Owned(word.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut ports = Vec::new();
                while let Some(port) = seq.next_element()? {
                    ports.push(port);
                }
                Ok(Element::Ports(ports))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut picks = None;
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    if key != "picks" {
                        return Err(A::Error::unknown_field(&key, &["picks"]));
                    }
                    if picks.replace(map.next_value()?).is_some() {
                        return Err(A::Error::duplicate_field("picks"));
                    }
                }
                picks.map(Element::Picks).ok_or_else(|| A::Error::missing_field("picks"))
            }
        }
        deserializer.deserialize_any(OneElement)
    }
}

/// A JSON array of at most [`ELEMENTS_MAX`] elements.
#[derive(Debug)]
pub(crate) struct Elements<'a>(Vec<Element<'a>>);

impl<'de> Deserialize<'de> for Elements<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Short;
        impl<'de> Visitor<'de> for Short {
            type Value = Elements<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of words")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::with_capacity(ELEMENTS_MAX);
                while let Some(element) = seq.next_element()? {
                    if elements.len() == ELEMENTS_MAX {
                        return Err(A::Error::custom(format_args!("more than {ELEMENTS_MAX} elements")));
                    }
                    elements.push(element);
                }
                Ok(Elements(elements))
            }
        }
        deserializer.deserialize_seq(Short)
    }
}

/// Reads the elements of an array from the front.
pub struct Reading<'a>(std::vec::IntoIter<Element<'a>>);

impl<'a> Reading<'a> {
    pub(crate) fn new(elements: Elements<'a>) -> Self {
        Self(elements.0.into_iter())
    }

    /// Takes the next element, which must be a number from 0 to `max`.
    ///
    /// # Errors
    ///
    /// An error message that calls the element `what`, if it is missing or not such a number.
    pub fn number(&mut self, what: &str, max: u32) -> Result<u32, String> {
        match self.0.next() {
            Some(Element::Number(number)) if number <= u64::from(max) => Ok(number as u32),
            Some(other) => {
                Err(format!("{other} is not a valid {what}: a number from 0 to {max} is accepted"))
            }
            None => Err(format!("the {what} is missing")),
        }
    }

    /// Takes the next element. Returns its value; `None` if it is neither true nor false.
    pub fn flag(&mut self) -> Option<bool> {
        match self.0.next() {
            Some(Element::Bool(flag)) => Some(flag),
            _ => None,
        }
    }

    /// Whether all elements have been read.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.as_slice().is_empty()
    }

    pub(super) fn next(&mut self) -> Option<Element<'a>> {
        self.0.next()
    }

    /// Takes the picks at the end, if the last element is `{"picks":[..]}`.
    pub(super) fn take_picks(&mut self) -> Option<Vec<u32>> {
        if !matches!(self.0.as_slice().last(), Some(Element::Picks(_))) {
            return None;
        }
        match self.0.next_back() {
            Some(Element::Picks(picks)) => Some(picks),
            _ => None,
        }
    }

    pub(crate) fn node(&mut self) -> Result<NodeId, String> {
        self.number("node", u32::MAX).map(NodeId)
    }

    pub(crate) fn port(&mut self) -> Result<Port, String> {
        self.number("port", u32::from(u16::MAX)).map(|port| Port(port as u16))
    }

    pub(super) fn word(&mut self, what: &str, accepted: &str) -> Result<Cow<'a, str>, String> {
        match self.0.next() {
            Some(Element::Word(word)) => Ok(word),
            Some(other) => Err(format!("{other} is not a valid {what}: {accepted} are accepted")),
            None => Err(format!("the {what} is missing: {accepted} are accepted")),
        }
    }

    pub(crate) fn end(mut self) -> Result<(), String> {
        self.0.next().map_or(Ok(()), |extra| Err(format!("{extra} is one element too many")))
    }
}
