//! One protocol of a catalogue: its name, what it takes, and how to make it.

use std::collections::BTreeMap;
use std::fmt;

use super::error::{CatalogueError, CatalogueErrorKind, in_range};
use crate::name;
use crate::protocol::FiniteProtocol;
use crate::table::Table;

/// A whole number that a protocol takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it means, in one line.
    pub summary: &'static str,
    /// The least value.
    pub least: i64,
    /// The largest value.
    pub most: i64,
    /// The value if none is given.
    pub default: i64,
}

/// A protocol of the library, by name: it stands in the protocol's own file, and a list of entries names it.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use acrasin_protocols::library::{Entry, Fratricide, Instance};
///
/// const DUEL: Entry = Entry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     Ok(Instance::of(&Fratricide, |agents| vec![agents, 0]))
/// });
/// assert_eq!(DUEL.build(&BTreeMap::new()).unwrap().table().state_names(), ["L", "F"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    name: &'static str,
    summary: &'static str,
    states: &'static str,
    parameters: &'static [Parameter],
    make: Make,
}

/// Makes a protocol of one value for each parameter, in their order, each in its range.
pub type Make = fn(&[i64]) -> Result<Instance, CatalogueError>;

/// A protocol made from an [`Entry`]: its table, and a start to try.
pub struct Instance {
    table: Table,
    initial: Box<dyn Fn(u64) -> Vec<u64> + Send + Sync>,
}

impl Instance {
    /// A protocol and how agents start in it: of a number of agents, one count for each state, in the order of the
    /// states, which add up to that number.
    ///
    /// # Panics
    ///
    /// Panics if the protocol has no table: see [`Table::compile`].
    #[must_use]
    pub fn of<P: FiniteProtocol>(
        protocol: &P,
        initial: impl Fn(u64) -> Vec<u64> + Send + Sync + 'static,
    ) -> Self {
        let table = Table::compile(protocol).unwrap_or_else(|error| panic!("{error}"));
        Self { table, initial: Box::new(initial) }
    }

    /// The protocol.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The protocol, by value.
    #[must_use]
    pub fn into_table(self) -> Table {
        self.table
    }

    /// A start to try: how many of `agents` agents begin in which state, one count a state. The sum is `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        (self.initial)(agents)
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance").field("table", &self.table).finish_non_exhaustive()
    }
}

impl Entry {
    /// A protocol without parameters: its name in kebab case, what it does, its states as a person would list them.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str, states: &'static str, make: Make) -> Self {
        Self { name, summary, states, parameters: &[], make }
    }

    /// The same with parameters.
    #[must_use]
    pub const fn taking(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    /// Its name, in kebab case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it does, in one line.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Its states, as a person would list them.
    #[must_use]
    pub fn states(&self) -> &'static str {
        self.states
    }

    /// The parameters that it takes.
    #[must_use]
    pub fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    /// Makes the protocol. Parameters that are not given have their default.
    ///
    /// # Errors
    ///
    /// A parameter that the protocol does not take, or a value outside its range.
    pub fn build(&self, given: &BTreeMap<String, i64>) -> Result<Instance, CatalogueError> {
        let known = self.parameters.iter().map(|parameter| parameter.name);
        if let Some(unknown) = given.keys().find(|given| !known.clone().any(|name| name == given.as_str())) {
            let accepted = match self.parameters {
                [] => format!("{} takes no parameters", self.name),
                _ => name::accepted(unknown, known),
            };
            let message = format!("{} has no parameter `{}`", self.name, name::quoted(unknown));
            return Err(CatalogueError::new(
                CatalogueErrorKind::UnknownParameter,
                unknown,
                message,
                accepted,
            ));
        }
        let value = |parameter: &Parameter| {
            let value = given.get(parameter.name).copied().unwrap_or(parameter.default);
            in_range(self.name, parameter.name, value, parameter.least..=parameter.most)
        };
        let values: Vec<i64> = self.parameters.iter().map(value).collect::<Result<_, _>>()?;
        (self.make)(&values)
    }
}

/// A value that the range of its parameter keeps in 16 bits.
pub(super) fn small(value: i64) -> u16 {
    u16::try_from(value).expect("ranges of parameters end below 2^16")
}
