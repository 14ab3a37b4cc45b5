//! A RON text as a tree of values with their spans.

use super::failure::{ByteSpan, DecodeFailure, DecodeFailureKind, listed, nearest, quoted};

/// A value and its span.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SpannedNode {
    pub(crate) span: ByteSpan,
    pub(crate) value: SpannedValue,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SpannedValue {
    /// A number: its literal and its value. The type that is decoded determines whether the literal must be an exact
    /// number.
    Number {
        literal: String,
        value: Number,
    },
    Text(String),
    Char(char),
    /// A bare name: `Auto`, `true`, a variant without values.
    Word(String),
    /// `(…)` or `Name(…)`; `open` is the byte of the parenthesis.
    Group {
        name: Option<SpannedName>,
        open: usize,
        body: GroupBody,
    },
    List(Vec<SpannedNode>),
    Map(Vec<(SpannedNode, SpannedNode)>),
}

/// The value of a number: `u64` if it is whole and not negative, `i64` if it is whole and negative, otherwise `f64`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Whole(u64),
    Negative(i64),
    Real(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GroupBody {
    Fields(Vec<Field>),
    Items(Vec<SpannedNode>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SpannedName {
    pub(crate) text: String,
    pub(crate) span: ByteSpan,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: SpannedName,
    pub(crate) value: SpannedNode,
}

impl Number {
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Negative(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}

impl SpannedNode {
    /// The span that errors underline: the name or opening bracket of a composite value, or the whole of a plain value.
    pub(crate) fn head(&self) -> ByteSpan {
        match &self.value {
            SpannedValue::Group { name: Some(name), .. } => name.span.clone(),
            SpannedValue::Group { .. } | SpannedValue::List(_) | SpannedValue::Map(_) => {
                self.span.start..self.span.start + 1
            }
            _ => self.span.clone(),
        }
    }

    /// Whether the value is this text.
    pub(crate) fn is_text(&self, text: &str) -> bool {
        matches!(&self.value, SpannedValue::Text(own) if own == text)
    }

    /// The values directly inside, in the order of the text.
    pub(crate) fn children_mut(&mut self) -> Box<dyn Iterator<Item = &mut Self> + '_> {
        match &mut self.value {
            SpannedValue::List(items) | SpannedValue::Group { body: GroupBody::Items(items), .. } => {
                Box::new(items.iter_mut())
            }
            SpannedValue::Group { body: GroupBody::Fields(fields), .. } => {
                Box::new(fields.iter_mut().map(|field| &mut field.value))
            }
            SpannedValue::Map(entries) => Box::new(entries.iter_mut().flat_map(|(key, value)| [key, value])),
            SpannedValue::Number { .. }
            | SpannedValue::Text(_)
            | SpannedValue::Char(_)
            | SpannedValue::Word(_) => Box::new(std::iter::empty()),
        }
    }

    /// Moves every position from byte `from` on to start at byte `to`, as the text before it grows or shrinks.
    ///
    /// Cost: linear in the tree.
    pub(crate) fn move_places(&mut self, from: usize, to: usize) {
        let moved = |at: &mut usize| {
            if *at >= from {
                *at = *at - from + to;
            }
        };
        let move_span = |span: &mut ByteSpan| {
            moved(&mut span.start);
            moved(&mut span.end);
        };
        move_span(&mut self.span);
        if let SpannedValue::Group { name, open, body } = &mut self.value {
            moved(open);
            name.iter_mut().for_each(|name| move_span(&mut name.span));
            if let GroupBody::Fields(fields) = body {
                fields.iter_mut().for_each(|field| move_span(&mut field.name.span));
            }
        }
        self.children_mut().for_each(|child| child.move_places(from, to));
    }

    /// The value with exactly this span.
    pub(crate) fn at_span(&mut self, span: &ByteSpan) -> Option<&mut Self> {
        if self.span == *span {
            return Some(self);
        }
        let is_around = |child: &&mut Self| child.span.start <= span.start && span.end <= child.span.end;
        self.children_mut().find(is_around)?.at_span(span)
    }

    /// The position of the first bracket that is inside at least `depth` other brackets; `None` if the tree is not that
    /// deep.
    pub(crate) fn bracket_at_depth(&mut self, depth: usize) -> Option<usize> {
        let bracket = match &self.value {
            SpannedValue::Group { open, .. } => *open,
            SpannedValue::List(_) | SpannedValue::Map(_) => self.span.start,
            _ => return None,
        };
        match depth {
            0 => Some(bracket),
            _ => self.children_mut().find_map(|child| child.bracket_at_depth(depth - 1)),
        }
    }

    pub(crate) fn describe(&self) -> String {
        match &self.value {
            SpannedValue::Number { literal, .. } => format!("the number {}", quoted(literal)),
            SpannedValue::Text(text) => format!("the text {}", quoted(&format!("\"{text}\""))),
            SpannedValue::Char(c) => format!("the character {}", quoted(&format!("'{c}'"))),
            SpannedValue::Word(word) => format!("the word {}", quoted(word)),
            SpannedValue::Group { name: Some(name), .. } => format!("{} with values", quoted(&name.text)),
            SpannedValue::Group { body: GroupBody::Fields(_), .. } => "a group of fields".to_owned(),
            SpannedValue::Group { body: GroupBody::Items(_), .. } => "a group of values".to_owned(),
            SpannedValue::List(_) => "a list".to_owned(),
            SpannedValue::Map(_) => "a map".to_owned(),
        }
    }
}

impl DecodeFailure {
    /// The failure for a value that is not one of these names. A text is also compared with the names, because it may
    /// be a name in quotes.
    pub(crate) fn wrong_name(node: &SpannedNode, names: &[&str]) -> Self {
        let hint = match &node.value {
            SpannedValue::Text(text) if names.contains(&text.as_str()) => {
                Some(format!("names have no quotes: {text}"))
            }
            SpannedValue::Text(text) => nearest(text, names.iter().copied()),
            _ => None,
        };
        Self::wrong_kind(node, listed(names)).hinting(hint)
    }

    /// The failure for a value of the wrong kind; `accepted` describes valid ones.
    pub(crate) fn wrong_kind(node: &SpannedNode, accepted: impl Into<String>) -> Self {
        Self::new(node.head(), "").accepting(accepted).at_node(node)
    }

    /// Adds the position of a value, and a description of the value if there is no message yet.
    pub(crate) fn at_node(mut self, node: &SpannedNode) -> Self {
        if self.message.is_empty() {
            let message = format!("wrong kind of value: {}", node.describe());
            self = self.worded(message).of_kind(DecodeFailureKind::WrongKind);
        }
        self.at(&node.head())
    }
}
