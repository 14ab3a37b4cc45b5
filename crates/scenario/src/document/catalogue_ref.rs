//! References to catalogue entries: a name and its parameters.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::text::decode::WRITTEN;

/// A catalogue reference as written: `Hexagon`, `ForestWalk(path: "12")`, `Compression(lambda: 4)`.
///
/// The valid names and parameters are not known while a file is read: only the plan has the catalogue. A field of this
/// type therefore accepts any value at first. The plan then asks `Document::choice` for the value at the path of the
/// field, looks up the name and reads the parameters. Errors of the plan have a line, a column and a caret, like those
/// of reading.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogueRef {
    text: String,
}

impl CatalogueRef {
    /// A reference that is not read from a file.
    pub(crate) fn unwritten(text: &str) -> Self {
        Self { text: text.to_owned() }
    }

    /// The text from the first to the last character of the value.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Serialize for CatalogueRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for CatalogueRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;
        impl Visitor<'_> for Whole {
            type Value = CatalogueRef;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name, with its parameters in parentheses")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<CatalogueRef, E> {
                Ok(CatalogueRef::unwritten(text))
            }
        }
        deserializer.deserialize_newtype_struct(WRITTEN, Whole)
    }
}
