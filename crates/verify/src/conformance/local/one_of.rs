//! [`OneOf`]: reads one of several words, each of which represents a value.

use std::fmt;

use serde::de::Visitor;

/// Accepts one of these words. A derived implementation would report a value of another type as a syntax error.
pub(super) struct OneOf<T: 'static>(pub(super) &'static [(&'static str, T)]);

impl<T> OneOf<T> {
    fn words(&self) -> String {
        let words: Vec<String> = self.0.iter().map(|(word, _)| format!("`{word}`")).collect();
        words.join(", ")
    }
}

impl<T: Copy> Visitor<'_> for OneOf<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.words())
    }
    fn visit_str<E: serde::de::Error>(self, found: &str) -> Result<T, E> {
        let meant = self.0.iter().find(|(word, _)| *word == found).map(|&(_, meaning)| meaning);
        meant.ok_or_else(|| {
            E::custom(format_args!("unknown variant `{found}`, expected one of {}", self.words()))
        })
    }
}
