//! A RON text as a tree in which every value knows its span.

use super::failure::{Failure, Span, quoted};

/// A value and its span.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// The literal and its value: the reader of the number decides whether it must be exact.
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
        name: Option<Name>,
        open: usize,
        body: Body,
    },
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

/// The value of a number, in the type that holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Whole(u64),
    Negative(i64),
    Real(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Fields(Vec<Field>),
    Items(Vec<Node>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) value: Node,
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

impl Node {
    /// The span to underline: the name or opening bracket of a composite value, all of a plain one.
    pub(crate) fn head(&self) -> Span {
        match &self.value {
            Value::Group { name: Some(name), .. } => name.span.clone(),
            Value::Group { .. } | Value::List(_) | Value::Map(_) => self.span.start..self.span.start + 1,
            _ => self.span.clone(),
        }
    }

    /// The values directly inside, in the order of the text.
    pub(crate) fn children_mut(&mut self) -> Box<dyn Iterator<Item = &mut Self> + '_> {
        match &mut self.value {
            Value::List(items) | Value::Group { body: Body::Items(items), .. } => Box::new(items.iter_mut()),
            Value::Group { body: Body::Fields(fields), .. } => {
                Box::new(fields.iter_mut().map(|field| &mut field.value))
            }
            Value::Map(entries) => Box::new(entries.iter_mut().flat_map(|(key, value)| [key, value])),
            Value::Number { .. } | Value::Text(_) | Value::Char(_) | Value::Word(_) => {
                Box::new(std::iter::empty())
            }
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
        let move_span = |span: &mut Span| {
            moved(&mut span.start);
            moved(&mut span.end);
        };
        move_span(&mut self.span);
        if let Value::Group { name, open, body } = &mut self.value {
            moved(open);
            name.iter_mut().for_each(|name| move_span(&mut name.span));
            if let Body::Fields(fields) = body {
                fields.iter_mut().for_each(|field| move_span(&mut field.name.span));
            }
        }
        self.children_mut().for_each(|child| child.move_places(from, to));
    }

    /// The value with exactly this span.
    pub(crate) fn at_span(&mut self, span: &Span) -> Option<&mut Self> {
        if self.span == *span {
            return Some(self);
        }
        let is_around = |child: &&mut Self| child.span.start <= span.start && span.end <= child.span.end;
        self.children_mut().find(is_around)?.at_span(span)
    }

    /// The first bracket that is inside `depth` others or more; `None` if the tree is not that deep.
    pub(crate) fn bracket_at_depth(&mut self, depth: usize) -> Option<usize> {
        let bracket = match &self.value {
            Value::Group { open, .. } => *open,
            Value::List(_) | Value::Map(_) => self.span.start,
            _ => return None,
        };
        match depth {
            0 => Some(bracket),
            _ => self.children_mut().find_map(|child| child.bracket_at_depth(depth - 1)),
        }
    }

    pub(crate) fn describe(&self) -> String {
        match &self.value {
            Value::Number { literal, .. } => format!("the number {}", quoted(literal)),
            Value::Text(text) => format!("the text {}", quoted(&format!("\"{text}\""))),
            Value::Char(c) => format!("the character {}", quoted(&format!("'{c}'"))),
            Value::Word(word) => format!("the word {}", quoted(word)),
            Value::Group { name: Some(name), .. } => format!("{} with values", quoted(&name.text)),
            Value::Group { body: Body::Fields(_), .. } => "a group of fields".to_owned(),
            Value::Group { body: Body::Items(_), .. } => "a group of values".to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a map".to_owned(),
        }
    }
}

impl Failure {
    /// The failure for a value of the wrong kind; `accepted` describes valid ones.
    pub(crate) fn wrong_kind(node: &Node, accepted: impl Into<String>) -> Self {
        Self::new(node.head(), "").accepting(accepted).at_node(node)
    }

    /// Adds the place of a value, and a description of the value if there is no message yet.
    pub(crate) fn at_node(mut self, node: &Node) -> Self {
        if self.message.is_empty() {
            self = self.worded(format!("wrong kind of value: {}", node.describe()));
        }
        self.at(&node.head())
    }
}
