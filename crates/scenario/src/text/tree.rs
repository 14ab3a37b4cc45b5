//! A RON text as a tree in which every value knows its span.

use std::collections::BTreeMap;

use super::failure::{Failure, Span, quoted};
use super::scan::{Scanner, is_number, starts_name};
use crate::limits::MAX_DEPTH;

/// A value and the bytes it was written in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// As written: exactness is up to who reads it.
    Number(String),
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
            Value::Number(literal) => format!("the number {}", quoted(literal)),
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

/// Reads one value that fills the whole text.
pub(crate) fn parse(text: &str) -> Result<Node, Failure> {
    let mut parser = Parser { scanner: Scanner::new(text, 0), depth: 0 };
    parser.scanner.skip_blanks()?;
    if parser.scanner.peek().is_none() {
        return Err(Failure::new(0..0, "the text is empty").accepting("one value"));
    }
    let node = parser.value()?;
    parser.scanner.skip_blanks()?;
    if parser.scanner.peek().is_some() {
        return Err(parser.found("something after the end", "nothing more"));
    }
    Ok(node)
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    depth: usize,
}

impl Parser<'_> {
    fn found(&self, message: &str, accepted: &str) -> Failure {
        let token = self.scanner.token();
        let message = format!("{message}: found {}", quoted(self.scanner.slice(&token)));
        Failure::new(token, message).accepting(accepted)
    }

    /// One value; blanks before it are passed already.
    fn value(&mut self) -> Result<Node, Failure> {
        let start = self.scanner.at;
        if self.scanner.at_text() {
            let text = self.scanner.text()?;
            return Ok(self.node(start, Value::Text(text)));
        }
        let value = match self.scanner.peek() {
            None => return Err(Failure::new(start..start, "the text ends where a value is expected")),
            Some('(') => Value::Group { name: None, open: start, body: self.group()? },
            Some('[') => Value::List(self.list()?),
            Some('{') => Value::Map(self.map()?),
            Some('\'') => Value::Char(self.char()?),
            Some('0'..='9' | '+' | '-' | '.') => {
                let literal = self.scanner.number()?;
                Value::Number(self.scanner.slice(&literal).to_owned())
            }
            Some('#') => {
                return Err(self
                    .found("attributes are not used here", "a value")
                    .hinting(Some("`Some` and inner parentheses may be left out without one".to_owned())));
            }
            Some(c) if starts_name(c) => self.word()?,
            Some(_) => return Err(self.found("a value is expected here", "a value")),
        };
        Ok(self.node(start, value))
    }

    fn node(&self, start: usize, value: Value) -> Node {
        Node { span: start..self.scanner.at, value }
    }

    fn word(&mut self) -> Result<Value, Failure> {
        let name = self.name()?;
        if is_number(&name.text) {
            return Ok(Value::Number(name.text));
        }
        let after_name = self.scanner.at;
        self.scanner.skip_blanks()?;
        if self.scanner.peek() == Some('(') {
            let open = self.scanner.at;
            return Ok(Value::Group { name: Some(name), open, body: self.group()? });
        }
        self.scanner.at = after_name;
        Ok(Value::Word(name.text))
    }

    fn name(&mut self) -> Result<Name, Failure> {
        match self.scanner.name() {
            Some(span) => Ok(Name { text: self.scanner.slice(&span).to_owned(), span }),
            None => Err(self.found("a field name is expected here", "a name")),
        }
    }

    fn char(&mut self) -> Result<char, Failure> {
        let start = self.scanner.at;
        self.scanner.at += 1;
        let c = self.scanner.text_char()?;
        match c {
            Some(c) if self.scanner.eat('\'') => Ok(c),
            _ => Err(Failure::new(start..start + 1, "this character is never closed").accepting("`'`")),
        }
    }

    /// Whether the group that starts behind the cursor has fields: a name and a colon come first, or an equals
    /// sign, which is a slip for a colon.
    fn has_fields(&mut self) -> Result<bool, Failure> {
        let start = self.scanner.at;
        let mut fields = false;
        if !self.scanner.at_text() && self.scanner.name().is_some() {
            self.scanner.skip_blanks()?;
            fields = matches!(self.scanner.peek(), Some(':' | '='));
        }
        self.scanner.at = start;
        Ok(fields)
    }

    fn group(&mut self) -> Result<Body, Failure> {
        let open = self.open()?;
        if !self.has_fields()? {
            return Ok(Body::Items(self.items(open, ')')?));
        }
        let mut fields = Vec::new();
        let mut seen = BTreeMap::new();
        while self.more(open, ')')? {
            let name = self.name()?;
            if let Some(first) = seen.insert(name.text.clone(), name.span.start) {
                return Err(self.twice("field", &name.text, name.span, first));
            }
            let value = self.after_colon()?;
            fields.push(Field { name, value });
            self.separator(open, ')')?;
        }
        Ok(Body::Fields(fields))
    }

    fn list(&mut self) -> Result<Vec<Node>, Failure> {
        let open = self.open()?;
        self.items(open, ']')
    }

    fn items(&mut self, open: usize, close: char) -> Result<Vec<Node>, Failure> {
        let mut items = Vec::new();
        while self.more(open, close)? {
            items.push(self.value()?);
            self.separator(open, close)?;
        }
        Ok(items)
    }

    fn map(&mut self) -> Result<Vec<(Node, Node)>, Failure> {
        let open = self.open()?;
        let mut entries: Vec<(Node, Node)> = Vec::new();
        let mut seen = BTreeMap::new();
        while self.more(open, '}')? {
            let key = self.value()?;
            if let Value::Text(text) = &key.value
                && let Some(first) = seen.insert(text.clone(), key.span.start)
            {
                return Err(self.twice("key", text, key.span.clone(), first));
            }
            let value = self.after_colon()?;
            entries.push((key, value));
            self.separator(open, '}')?;
        }
        Ok(entries)
    }

    fn twice(&self, what: &str, name: &str, span: Span, first: usize) -> Failure {
        let line = 1 + self.scanner.slice(&(0..first)).matches('\n').count();
        Failure::new(span, format!("{what} {} is written twice", quoted(name)))
            .accepting(format!("each {what} once; it stands on line {line} already"))
    }

    fn after_colon(&mut self) -> Result<Node, Failure> {
        self.scanner.skip_blanks()?;
        if !self.scanner.eat(':') {
            return Err(if self.scanner.peek().is_none() {
                Failure::new(self.scanner.at..self.scanner.at, "the text ends where `:` is expected")
            } else {
                self.found("`:` is expected here", "`:` and a value")
            });
        }
        self.scanner.skip_blanks()?;
        self.value()
    }

    /// Passes the opening bracket and tells where it is.
    fn open(&mut self) -> Result<usize, Failure> {
        let open = self.scanner.at;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Failure::new(open..open + 1, format!("more than {MAX_DEPTH} nested brackets"))
                .accepting(format!("at most {MAX_DEPTH} levels")));
        }
        self.scanner.bump();
        self.scanner.skip_blanks()?;
        Ok(open)
    }

    /// Whether another entry follows; passes the closing bracket if not.
    fn more(&mut self, open: usize, close: char) -> Result<bool, Failure> {
        if self.scanner.peek().is_none() {
            return Err(self.unclosed(open, close));
        }
        let closed = self.scanner.eat(close);
        if closed {
            self.depth -= 1;
        }
        Ok(!closed)
    }

    /// After an entry: a comma, or the closing bracket (left for [`Parser::more`]).
    fn separator(&mut self, open: usize, close: char) -> Result<(), Failure> {
        self.scanner.skip_blanks()?;
        if self.scanner.eat(',') {
            return self.scanner.skip_blanks();
        }
        match self.scanner.peek() {
            None => Err(self.unclosed(open, close)),
            Some(c) if c == close => Ok(()),
            Some(_) => Err(self
                .found(&format!("`,` or `{close}` is expected here"), &format!("`,` or `{close}`"))
                .hinting(Some("is a comma missing before this?".to_owned()))),
        }
    }

    fn unclosed(&self, open: usize, close: char) -> Failure {
        let bracket = self.scanner.slice(&(open..open + 1));
        Failure::new(open..open + 1, format!("`{bracket}` is never closed")).accepting(format!("`{close}`"))
    }
}
