//! A RON text as a tree in which every value knows its span.

use super::failure::{Failure, Span, quoted};

/// A value and the bytes it was written in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// As written, because exactness is up to who reads it, and what it comes to.
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

/// What a number comes to, in the type that holds it.
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
    /// What a caret underlines: the name or opening bracket of a composite value, all of a plain one.
    pub(crate) fn head(&self) -> Span {
        match &self.value {
            Value::Group { name: Some(name), .. } => name.span.clone(),
            Value::Group { .. } | Value::List(_) | Value::Map(_) => self.span.start..self.span.start + 1,
            _ => self.span.clone(),
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
    /// A value of the wrong kind: `node` was found, `accepted` says what could stand there.
    pub(crate) fn wrong_kind(node: &Node, accepted: impl Into<String>) -> Self {
        Self::new(node.head(), "").accepting(accepted).at_node(node)
    }

    /// The place of a value, and what the value is if nothing says yet what is wrong with it.
    pub(crate) fn at_node(mut self, node: &Node) -> Self {
        if self.message.is_empty() {
            self.message = format!("wrong kind of value: {}", node.describe());
        }
        self.at(&node.head())
    }
}
