//! [`Parameter`]: declared parameters of entries. [`Values`]: the values that a scenario sets.

use std::fmt;

/// A parameter of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name of the field in a scenario.
    pub name: &'static str,
    /// The meaning of the parameter, in one line.
    pub meaning: &'static str,
    /// The values that a scenario can set.
    pub kind: ParameterKind,
    /// Whether a scenario must set the parameter.
    pub is_required: bool,
}

/// The values that a scenario can set for a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// A whole number, 0 or more.
    Count,
    /// A whole number in a range, both ends included, with a default.
    Whole {
        /// The smallest accepted value.
        least: i64,
        /// The largest accepted value.
        most: i64,
        /// The value if the scenario sets none.
        default: i64,
    },
    /// A finite real number above 0.
    Positive,
    /// A real number from 0 to 1.
    Probability,
    /// A string in quotes.
    Text,
    /// A list of whole numbers.
    Counts,
    /// A node of the graph, given by its name in the graph file or by its number from 0. An entry reads the number as a
    /// [`Count`](Self::Count).
    Node,
    /// A list of nodes. An entry reads their numbers as [`Counts`](Self::Counts).
    Nodes,
    /// One of these words. The first one is the default of an optional parameter.
    Word(&'static [&'static str]),
    /// A list of these words; the first `counted` words may be followed by a number: `[Increment(3), TestZero]`.
    Steps {
        /// The accepted words; those that take a number come first.
        words: &'static [&'static str],
        /// The number of words that take a number.
        counted: usize,
    },
}

impl Parameter {
    /// A parameter that a scenario must set.
    #[must_use]
    pub const fn required(name: &'static str, kind: ParameterKind, meaning: &'static str) -> Self {
        Self { name, meaning, kind, is_required: true }
    }

    /// A parameter that a scenario may omit.
    #[must_use]
    pub const fn optional(name: &'static str, kind: ParameterKind, meaning: &'static str) -> Self {
        Self { name, meaning, kind, is_required: false }
    }
}

/// Writes the name as in a list of parameters, with its range or the accepted words.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if let ParameterKind::Whole { least, most, default } = self.kind {
            return write!(f, ": {least} to {most}, default {default}");
        }
        let (true, ParameterKind::Word(words)) = (self.is_required, self.kind) else { return Ok(()) };
        for (at, word) in words.iter().enumerate() {
            let before = match at {
                0 => ": ",
                _ if at + 1 == words.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}{word}")?;
        }
        Ok(())
    }
}

/// A value of a parameter. Its variant is the [`ParameterKind`] of the parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterValue {
    /// A value of [`ParameterKind::Count`].
    Count(u64),
    /// A value of [`ParameterKind::Whole`].
    Whole(i64),
    /// A value of [`ParameterKind::Positive`].
    Positive(f64),
    /// A value of [`ParameterKind::Probability`].
    Probability(f64),
    /// A value of [`ParameterKind::Text`].
    Text(String),
    /// A value of [`ParameterKind::Counts`].
    Counts(Vec<u64>),
    /// [`ParameterKind::Node`]: the name as written, before the graph is known.
    Node(String),
    /// [`ParameterKind::Nodes`]: the names as written, before the graph is known.
    Nodes(Vec<String>),
    /// [`ParameterKind::Word`]: one of the words of the parameter.
    Word(&'static str),
    /// [`ParameterKind::Steps`]: words of the parameter with their numbers; 1 for a word without a number.
    Steps(Vec<(&'static str, u64)>),
}

impl ParameterValue {
    fn is_of(&self, kind: ParameterKind) -> bool {
        match (self, kind) {
            (Self::Count(_), ParameterKind::Count | ParameterKind::Node)
            | (Self::Counts(_), ParameterKind::Counts | ParameterKind::Nodes)
            | (Self::Node(_), ParameterKind::Node)
            | (Self::Nodes(_), ParameterKind::Nodes)
            | (Self::Text(_), ParameterKind::Text) => true,
            (Self::Whole(value), ParameterKind::Whole { least, most, .. }) => (least..=most).contains(value),
            (Self::Positive(value), ParameterKind::Positive) => value.is_finite() && *value > 0.0,
            (Self::Probability(value), ParameterKind::Probability) => (0.0..=1.0).contains(value),
            (Self::Word(word), ParameterKind::Word(words)) => words.contains(word),
            (Self::Steps(steps), ParameterKind::Steps { words, .. }) => {
                steps.iter().all(|(word, _)| words.contains(word))
            }
            _ => false,
        }
    }
}

/// Values of parameters, by the names of the parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values(Vec<(&'static str, ParameterValue)>);

impl Values {
    /// Adds the value of a parameter.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: ParameterValue) -> Self {
        self.insert(name, value);
        self
    }

    /// Adds the value of a parameter.
    pub fn insert(&mut self, name: &'static str, value: ParameterValue) {
        self.0.push((name, value));
    }

    /// Checks the values against the parameters, and returns them.
    ///
    /// # Errors
    ///
    /// A parameter that is missing, of another kind, or unknown.
    pub fn checked(&self, parameters: &[Parameter]) -> Result<&Self, ParameterError> {
        for (name, value) in &self.0 {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == *name) else {
                let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                return Err(ParameterError::new(name, format!("there is no parameter {name}"))
                    .accepting(names.join(", ")));
            };
            if !value.is_of(parameter.kind) {
                return Err(ParameterError::new(name, format!("{name} is {value:?}"))
                    .accepting(format!("{:?}", parameter.kind)));
            }
        }
        let missing = parameters.iter().find(|parameter| parameter.is_required && !self.has(parameter.name));
        missing.map_or(Ok(self), |parameter| {
            Err(ParameterError::new(parameter.name, format!("missing field `{}`", parameter.name)))
        })
    }

    /// All nodes in the values, in order. Each has the parameter, the position if the value is a list, and the name.
    pub fn nodes(&self) -> impl Iterator<Item = (&'static str, Option<usize>, &str)> {
        self.0.iter().flat_map(|(parameter, value)| {
            let (names, is_list) = match value {
                ParameterValue::Node(name) => (std::slice::from_ref(name), false),
                ParameterValue::Nodes(names) => (&names[..], true),
                _ => (&[][..], false),
            };
            let places = names.iter().enumerate();
            places.map(move |(at, name)| (*parameter, is_list.then_some(at), name.as_str()))
        })
    }

    /// Replaces the names of nodes by numbers, in the order of [`nodes`](Self::nodes).
    ///
    /// # Panics
    ///
    /// Panics if there are fewer numbers than nodes.
    #[must_use]
    pub fn with_numbers(mut self, numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().expect("a number of each node");
        for (_, value) in &mut self.0 {
            match value {
                ParameterValue::Node(_) => *value = ParameterValue::Count(next()),
                ParameterValue::Nodes(names) => {
                    *value = ParameterValue::Counts(names.iter().map(|_| next()).collect());
                }
                _ => {}
            }
        }
        self
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of a parameter, if it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ParameterValue> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The whole number of a parameter; `None` if it is not set.
    ///
    /// # Panics
    ///
    /// This method and the following ones panic if the parameter is of another kind: an entry must read the kind that
    /// it declares.
    #[must_use]
    pub fn count(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            ParameterValue::Count(count) => Some(*count),
            other => unlike(name, other),
        }
    }

    /// The whole number of a required parameter.
    ///
    /// # Panics
    ///
    /// Panics if the parameter is not set, or is of another kind.
    #[must_use]
    pub fn count_of(&self, name: &str) -> u64 {
        self.count(name).unwrap_or_else(|| {
            panic!("the entry reads the parameter `{name}`, which it does not declare as required")
        })
    }

    /// The value of a parameter of kind [`ParameterKind::Whole`]; `None` if it is not set.
    #[must_use]
    pub fn whole(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            ParameterValue::Whole(value) => Some(*value),
            other => unlike(name, other),
        }
    }

    /// The value of a parameter of kind [`ParameterKind::Positive`]; `None` if it is not set.
    #[must_use]
    pub fn positive(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            ParameterValue::Positive(value) => Some(*value),
            other => unlike(name, other),
        }
    }

    /// The value of a parameter of kind [`ParameterKind::Probability`]; `None` if it is not set.
    #[must_use]
    pub fn probability(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            ParameterValue::Probability(value) => Some(*value),
            other => unlike(name, other),
        }
    }

    /// The value of a parameter of kind [`ParameterKind::Text`]; `None` if it is not set.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            ParameterValue::Text(text) => Some(text),
            other => unlike(name, other),
        }
    }

    /// The values of a parameter of kind [`ParameterKind::Counts`]; `None` if it is not set.
    #[must_use]
    pub fn counts(&self, name: &str) -> Option<&[u64]> {
        match self.get(name)? {
            ParameterValue::Counts(counts) => Some(counts),
            other => unlike(name, other),
        }
    }

    /// The value of a parameter of kind [`ParameterKind::Word`]; `None` if it is not set.
    #[must_use]
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.get(name)? {
            ParameterValue::Word(word) => Some(word),
            other => unlike(name, other),
        }
    }

    /// The words and their numbers of a parameter of kind [`ParameterKind::Steps`]; `None` if it is not set.
    #[must_use]
    pub fn steps(&self, name: &str) -> Option<&[(&'static str, u64)]> {
        match self.get(name)? {
            ParameterValue::Steps(steps) => Some(steps),
            other => unlike(name, other),
        }
    }
}

fn unlike(name: &str, value: &ParameterValue) -> ! {
    panic!("the entry reads the parameter `{name}` as another kind than it declares: {value:?}")
}

/// Errors of parameter values: the parameter, the message, and the accepted values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterError {
    parameter: &'static str,
    message: String,
    accepted: Option<String>,
}

impl ParameterError {
    /// An error about one of the parameters.
    #[must_use]
    pub fn new(parameter: &'static str, message: impl Into<String>) -> Self {
        Self { parameter, message: message.into(), accepted: None }
    }

    /// Adds the accepted values.
    #[must_use]
    pub fn accepting(mut self, accepted: impl Into<String>) -> Self {
        self.accepted = Some(accepted.into());
        self
    }

    /// The name of the parameter.
    #[must_use]
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// The fault, without the parameter and the accepted values.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The accepted values, if known.
    #[must_use]
    pub fn accepted(&self) -> Option<&str> {
        self.accepted.as_deref()
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.accepted.as_ref().map_or(Ok(()), |accepted| write!(f, " (accepted: {accepted})"))
    }
}

impl std::error::Error for ParameterError {}
