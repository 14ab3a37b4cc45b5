//! Parsing of a text into a tree, through the `ron` crate.
//!
//! The crate does not report the positions of values. But it returns the text of a value ([`RawValue`]) and the
//! position where it stopped. The tree is built from the top: a value is split into the texts of its parts, and then
//! each part is parsed. Only the crate decides what is valid RON.

use std::collections::BTreeMap;
use std::fmt;

use ron::de::Deserializer as Ron;
use ron::value::RawValue;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::counts_with_rest;
use super::failure::{ByteSpan, DecodeFailure, quoted};
use super::refusal;
use super::tree::{Field, GroupBody, Number, SpannedName, SpannedNode, SpannedValue};
use crate::limits::MAX_DEPTH;

#[cfg(test)]
thread_local! {
    /// The texts parsed by this thread, for tests.
    pub(crate) static PARSED: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Parses one value that fills the whole text. Cost: linear in the text, times the depth of the tree.
///
/// # Errors
///
/// The text is not RON; it has attributes, numbers with a suffix, ranges or byte strings; a field or key occurs twice;
/// or it is nested deeper than [`MAX_DEPTH`]. Spans are bytes of `text`.
pub(crate) fn parse(text: &str) -> Result<SpannedNode, DecodeFailure> {
    #[cfg(test)]
    PARSED.with_borrow_mut(|texts| texts.push(text.to_owned()));
    let text = &*counts_with_rest::blanked(text);
    // The crate counts a bracket twice: as a group, and as an element of one.
    let options = ron::Options::default().with_recursion_limit(2 * MAX_DEPTH);
    options.from_str::<IgnoredAny>(text).map_err(|error| refusal::explain(text, &error))?;
    let root = RonReader { text }.value(text, 0)?;
    // Only this reader of the crate refuses attributes; the others skip them.
    RawValue::from_ron(&text[..root.span.end]).map_err(|error| refusal::explain(text, &error))?;
    Ok(root)
}

#[derive(Clone, Copy)]
struct RonReader<'t> {
    text: &'t str,
}

impl<'t> RonReader<'t> {
    /// The position of `piece` in the text, in bytes.
    fn offset(self, piece: &'t str) -> usize {
        piece.as_ptr() as usize - self.text.as_ptr() as usize
    }

    fn span(self, piece: &'t str) -> ByteSpan {
        let start = self.offset(piece);
        start..start + piece.len()
    }

    /// Parses a value inside `depth` brackets; blanks and comments may surround it.
    fn value(self, piece: &'t str, depth: usize) -> Result<SpannedNode, DecodeFailure> {
        if let Some(text) = plain_text(piece) {
            let start = self.offset(text) - 1;
            return Ok(SpannedNode {
                span: start..start + text.len() + 2,
                value: SpannedValue::Text(text.to_owned()),
            });
        }
        let mut ron = Ron::from_str(piece).map_err(|error| refusal::explain(piece, &error))?;
        let rest = ron.remainder();
        let start = self.offset(rest);
        let parts = ron.deserialize_any(ValueVisitor { braces: rest.starts_with('{') });
        let mut span = start..self.offset(ron.remainder());
        let name = name(rest);
        let value = match (parts, name) {
            (Ok(ValueParts::Number(value)), _) if is_plain(&self.text[span.clone()]) => {
                SpannedValue::Number { literal: self.text[span.clone()].to_owned(), value }
            }
            (Ok(ValueParts::Text(text)), _) => SpannedValue::Text(text),
            (Ok(ValueParts::Char(c)), _) => SpannedValue::Char(c),
            (Ok(ValueParts::Unit), Some((word, _))) => {
                span.end = self.span(word).end;
                SpannedValue::Word(word.to_owned())
            }
            (Ok(ValueParts::Unit), None) if rest.starts_with('(') => {
                self.group(rest, None, GroupBody::Items(Vec::new()))
            }
            (Ok(ValueParts::Entries(pairs)), _) => SpannedValue::Map(self.entries(start, pairs, depth)?),
            (Ok(ValueParts::Fields(pairs)), _) => {
                let body = GroupBody::Fields(self.fields(self.open(rest, name), pairs, depth)?);
                self.group(rest, name, body)
            }
            (Ok(ValueParts::Items(items)), _) if rest.starts_with('[') => {
                SpannedValue::List(self.items(start, items, depth)?)
            }
            (Ok(ValueParts::Items(items)), _) => {
                let body = GroupBody::Items(self.items(self.open(rest, name), items, depth)?);
                self.group(rest, name, body)
            }
            _ => return Err(refusal::not_used(self.text, start)),
        };
        Ok(SpannedNode { span, value })
    }

    /// The byte of the opening parenthesis of a group.
    fn open(self, rest: &'t str, name: Option<(&'t str, &'t str)>) -> usize {
        self.offset(name.map_or(rest, |(_, after)| after))
    }

    fn group(self, rest: &'t str, name: Option<(&'t str, &'t str)>, body: GroupBody) -> SpannedValue {
        let open = self.open(rest, name);
        SpannedValue::Group { name: name.map(|(name, _)| self.name(name)), open, body }
    }

    fn name(self, name: &'t str) -> SpannedName {
        SpannedName { text: name.to_owned(), span: self.span(name) }
    }

    /// The depth inside a bracket.
    fn deeper(open: usize, depth: usize) -> Result<usize, DecodeFailure> {
        if depth == MAX_DEPTH { Err(refusal::too_deep(open)) } else { Ok(depth + 1) }
    }

    fn items(
        self,
        open: usize,
        items: Vec<&'t str>,
        depth: usize,
    ) -> Result<Vec<SpannedNode>, DecodeFailure> {
        let depth = Self::deeper(open, depth)?;
        items.into_iter().map(|item| self.value(item, depth)).collect()
    }

    fn fields(
        self,
        open: usize,
        pairs: Vec<(&'t str, &'t str)>,
        depth: usize,
    ) -> Result<Vec<Field>, DecodeFailure> {
        let depth = Self::deeper(open, depth)?;
        let mut seen = BTreeMap::new();
        let mut fields = Vec::with_capacity(pairs.len());
        for (name, value) in pairs {
            let name = self.name(name);
            if let Some(first) = seen.insert(name.text.clone(), name.span.start) {
                return Err(self.twice("field", &name.text, name.span, first));
            }
            fields.push(Field { name, value: self.value(value, depth)? });
        }
        Ok(fields)
    }

    fn entries(
        self,
        open: usize,
        pairs: Vec<(&'t str, &'t str)>,
        depth: usize,
    ) -> Result<Vec<(SpannedNode, SpannedNode)>, DecodeFailure> {
        let depth = Self::deeper(open, depth)?;
        let mut seen = BTreeMap::new();
        let mut entries = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let key = self.value(key, depth)?;
            if let SpannedValue::Text(text) = &key.value
                && let Some(first) = seen.insert(text.clone(), key.span.start)
            {
                return Err(self.twice("key", text, key.span.clone(), first));
            }
            entries.push((key, self.value(value, depth)?));
        }
        Ok(entries)
    }

    fn twice(self, what: &str, name: &str, span: ByteSpan, first: usize) -> DecodeFailure {
        let line = 1 + self.text[..first].matches('\n').count();
        DecodeFailure::new(span, format!("{what} {} is written twice", quoted(name)))
            .accepting(format!("each {what} once; it is already on line {line}"))
    }
}

/// The content of a text literal without escapes. This fast path covers most of a large file, such as the rules of a
/// transition table. The `ron` crate reads all other texts.
fn plain_text(piece: &str) -> Option<&str> {
    let inner = piece.trim_matches([' ', '\n']).strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains(['"', '\\', '\r'])).then_some(inner)
}

/// Whether a number has no type suffix (`1u8`) and is not a byte (`b'a'`), which scenarios do not allow.
fn is_plain(literal: &str) -> bool {
    let unsigned = literal.trim_start_matches(['+', '-']);
    let suffixes: &[char] = if unsigned.starts_with("0x") { &['i', 'u'] } else { &['i', 'u', 'f'] };
    matches!(unsigned, "inf" | "NaN") || !unsigned.starts_with("b'") && !unsigned.contains(suffixes)
}

/// The name at the start of a value, and the text that starts with the next token.
fn name(value: &str) -> Option<(&str, &str)> {
    let mut ron = Ron::from_str(value).ok()?;
    let name = ron.deserialize_identifier(NameVisitor).ok()?;
    // The result is irrelevant: the call skips blanks.
    let _ = ron.end();
    Some((name, ron.remainder()))
}

/// A name as written.
struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = &'de str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<&'de str, E> {
        Ok(name)
    }
}

impl<'de> DeserializeSeed<'de> for NameVisitor {
    type Value = &'de str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'de str, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

/// The parts of a value, as texts that are not parsed yet.
enum ValueParts<'t> {
    Number(Number),
    Text(String),
    Char(char),
    /// A bare word, or `()`.
    Unit,
    Items(Vec<&'t str>),
    Fields(Vec<(&'t str, &'t str)>),
    Entries(Vec<(&'t str, &'t str)>),
}

/// A visitor that splits a value into its parts.
struct ValueVisitor {
    /// Whether the value is in braces: then it is a map, whose keys are values instead of names.
    braces: bool,
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = ValueParts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Unit)
    }

    fn visit_unit<E>(self) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Unit)
    }

    fn visit_none<E>(self) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Unit)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<ValueParts<'de>, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|value| ValueParts::Items(vec![value.get_ron()]))
    }

    fn visit_u64<E>(self, value: u64) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Number(Number::Whole(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Number(Number::Negative(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Number(Number::Real(value)))
    }

    fn visit_char<E>(self, c: char) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Char(c))
    }

    fn visit_str<E>(self, text: &str) -> Result<ValueParts<'de>, E> {
        Ok(ValueParts::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<ValueParts<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element::<&RawValue>()? {
            items.push(item.get_ron());
        }
        Ok(ValueParts::Items(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<ValueParts<'de>, A::Error> {
        let mut pairs = Vec::new();
        if self.braces {
            while let Some((key, value)) = access.next_entry::<&RawValue, &RawValue>()? {
                pairs.push((key.get_ron(), value.get_ron()));
            }
            return Ok(ValueParts::Entries(pairs));
        }
        while let Some(name) = access.next_key_seed(NameVisitor)? {
            pairs.push((name, access.next_value::<&RawValue>()?.get_ron()));
        }
        Ok(ValueParts::Fields(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::{RonReader, plain_text};

    /// The fast path gives the same results as the crate. A text with a trailing comment is left to the crate.
    #[test]
    fn plain_texts_are_what_the_crate_makes_of_them() {
        for text in [r#""A + B -> U + U""#, r#""""#, "\" a\nb \"", r#""ü ( ] , //""#, "\n \"a\" "] {
            assert!(plain_text(text).is_some(), "{text}");
            let commented = format!("{text}/**/");
            assert!(plain_text(&commented).is_none());
            let [own, known] = [text, &commented].map(|text| RonReader { text }.value(text, 0).unwrap());
            assert_eq!(own, known, "{text}");
        }
        for text in [r#""a\n""#, "\"a\r\n\"", r#""a" "b""#, "\"", r##"r#"a"#"##, "a"] {
            assert!(plain_text(text).is_none(), "{text}");
        }
    }
}
