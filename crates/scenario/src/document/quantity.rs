//! Numbers with a meaning: counts, seeds, probabilities, and "a word or a number".

use std::fmt;
use std::ops::Deref;

use acrasin_protocols::predicate::{NotWhole, whole_number};
use serde::de::{self, Deserialize, Deserializer, EnumAccess, Unexpected, VariantAccess, Visitor};
use serde::{Serialize, Serializer};

use crate::limits::MAX_COUNT;
use crate::text::decode::LITERAL;
use crate::text::failure::{nearest, quoted};

/// A whole number from 0 to [`MAX_COUNT`]. Written `1_000_000`, `1e6`, `"10^6"`, `"1e6"` or `"2^20"`. The number is
/// read digit by digit: a float that is not a whole number is refused, never rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Count(pub u64);

/// A node: by its name in the graph file, otherwise by its number from 0. Written `3` or `"alice"`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeName {
    text: String,
}

impl NodeName {
    /// The name as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name as a number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        whole_number(&self.text, MAX_COUNT).ok()
    }
}

impl From<u64> for NodeName {
    fn from(number: u64) -> Self {
        Self { text: number.to_string() }
    }
}

impl From<&str> for NodeName {
    fn from(name: &str) -> Self {
        Self { text: name.to_owned() }
    }
}

impl Serialize for NodeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number() {
            // A name with leading zeros is not a number.
            Some(number) if self.text == "0" || !self.text.starts_with('0') => {
                serializer.serialize_u64(number)
            }
            _ => serializer.serialize_str(&self.text),
        }
    }
}

impl<'de> Deserialize<'de> for NodeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NodeNameVisitor;
        impl Visitor<'_> for NodeNameVisitor {
            type Value = NodeName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the number of a node, or its name in the graph file")
            }

            fn visit_str<E: de::Error>(self, literal: &str) -> Result<NodeName, E> {
                Ok(NodeName { text: literal.to_owned() })
            }
        }
        deserializer.deserialize_newtype_struct(LITERAL, NodeNameVisitor)
    }
}

/// The seed of all random draws of a run: 0 to 2^64 - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Seed(pub u64);

/// A whole number from -[`MAX_COUNT`] to [`MAX_COUNT`], such as the weight of a state in a conserved sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Integer(pub i64);

/// A probability or share: a real number in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
pub struct Probability(pub f64);

/// A finite real number above 0.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
pub struct Positive(pub f64);

/// A finite real number, 0 or above.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
pub struct NonNegative(pub f64);

/// A finite real number.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
pub struct Real(pub f64);

macro_rules! holds {
    ($($name:ident: $inner:ty),*) => {$(
        impl Deref for $name {
            type Target = $inner;
            fn deref(&self) -> &$inner {
                &self.0
            }
        }
    )*};
}
holds!(Count: u64, Seed: u64, Integer: i64, Probability: f64, Positive: f64, NonNegative: f64, Real: f64);

/// The description of accepted counts, used by the visitors.
fn accepted_count(max: u64) -> String {
    let top = if max == MAX_COUNT { "10^18".to_owned() } else { max.to_string() };
    format!("a whole number from 0 to {top}, such as 1_000_000, 1e6 or \"10^6\"")
}

fn refused_count(literal: &str, why: NotWhole, max: u64) -> String {
    let top = if max == MAX_COUNT { "10^18".to_owned() } else { max.to_string() };
    match why {
        NotWhole::Malformed => format!("{} is not a number", quoted(literal)),
        NotWhole::Negative => format!("{} is negative", quoted(literal)),
        NotWhole::Fractional => format!("{} is not a whole number", quoted(literal)),
        NotWhole::TooLarge => format!("{} is above the limit {top}", quoted(literal)),
    }
}

struct WholeVisitor {
    max: u64,
}

impl Visitor<'_> for WholeVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&accepted_count(self.max))
    }

    fn visit_str<E: de::Error>(self, literal: &str) -> Result<u64, E> {
        whole_number(literal, self.max)
            .map_err(|why| E::invalid_value(Unexpected::Other(&refused_count(literal, why, self.max)), &self))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(LITERAL, WholeVisitor { max: MAX_COUNT }).map(Self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(LITERAL, WholeVisitor { max: u64::MAX }).map(Self)
    }
}

struct IntegerVisitor;

impl Visitor<'_> for IntegerVisitor {
    type Value = Integer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from -10^18 to 10^18")
    }

    fn visit_str<E: de::Error>(self, literal: &str) -> Result<Integer, E> {
        let (negative, magnitude) = match literal.strip_prefix('-') {
            Some(rest) if !rest.starts_with(['-', '+']) => (true, rest),
            _ => (false, literal),
        };
        // At most 10^18: the conversion keeps the value.
        match whole_number(magnitude, MAX_COUNT) {
            Ok(value) => Ok(Integer(if negative { -(value as i64) } else { value as i64 })),
            Err(why) => {
                Err(E::invalid_value(Unexpected::Other(&refused_count(literal, why, MAX_COUNT)), &self))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(LITERAL, IntegerVisitor)
    }
}

struct RealVisitor {
    holds: fn(f64) -> bool,
    accepted: &'static str,
}

impl Visitor<'_> for RealVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.accepted)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<f64, E> {
        if (self.holds)(value) {
            return Ok(value);
        }
        Err(E::invalid_value(Unexpected::Other(&format!("`{value}` is out of range")), &self))
    }
}

macro_rules! real {
    ($name:ident, $holds:expr, $accepted:literal) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_f64(RealVisitor { holds: $holds, accepted: $accepted }).map(Self)
            }
        }
    };
}
real!(Probability, |value| (0.0..=1.0).contains(&value), "a real number from 0 to 1");
real!(Positive, |value| value > 0.0 && value.is_finite(), "a finite real number above 0");
real!(NonNegative, |value| value >= 0.0 && value.is_finite(), "a finite real number, 0 or above");
real!(Real, f64::is_finite, "a finite real number");

/// Reads `word` as `None`, or a whole number from `min` to [`MAX_COUNT`] as `Some`.
///
/// `why` is the text of the error for a number below `min`.
pub(crate) fn word_or_count<'de, D: Deserializer<'de>>(
    deserializer: D,
    word: &'static str,
    min: u64,
    why: &'static str,
) -> Result<Option<u64>, D::Error> {
    deserializer.deserialize_newtype_struct(LITERAL, WordVisitor { word, min, why })
}

/// Implements reading and writing of an enum that is either a word or a number of at least `$min`, with
/// [`word_or_count`].
macro_rules! written_as_word_or_count {
    ($name:ident: $word:ident or $number:ident from $min:literal, $why:literal) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    Self::$word => serializer.serialize_unit_variant(stringify!($word), 0, stringify!($word)),
                    Self::$number(number) => serializer.serialize_u64(*number),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number =
                    $crate::document::quantity::word_or_count(deserializer, stringify!($word), $min, $why)?;
                Ok(number.map_or(Self::$word, Self::$number))
            }
        }
    };
}
pub(super) use written_as_word_or_count;

struct WordVisitor {
    word: &'static str,
    min: u64,
    why: &'static str,
}

impl<'de> Visitor<'de> for WordVisitor {
    type Value = Option<u64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, or a whole number from {} to 10^18", self.word, self.min)
    }

    fn visit_str<E: de::Error>(self, literal: &str) -> Result<Self::Value, E> {
        match whole_number(literal, MAX_COUNT) {
            Ok(value) if value >= self.min => Ok(Some(value)),
            Ok(_) => {
                let message = format!("{} is too small: {}", quoted(literal), self.why);
                Err(E::invalid_value(Unexpected::Other(&message), &self))
            }
            Err(why) => {
                Err(E::invalid_value(Unexpected::Other(&refused_count(literal, why, MAX_COUNT)), &self))
            }
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
        let (word, variant) = access.variant::<String>()?;
        variant.unit_variant()?;
        if word == self.word {
            return Ok(None);
        }
        let mut message = format!("unknown word {}", quoted(&word));
        if let Some(hint) = nearest(&word, [self.word]) {
            message += &format!("; {hint}");
        }
        Err(de::Error::invalid_value(Unexpected::Other(&message), &self))
    }
}
