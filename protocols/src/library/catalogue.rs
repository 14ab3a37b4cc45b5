//! The library by name: what ships, what each protocol takes, and how to make one.

use std::collections::BTreeMap;
use std::fmt;

use super::error::{CatalogueError, CatalogueErrorKind, in_range};
use super::{
    ApproximateMajority, ApproximateMajorityOneWay, Averaging, Cyclic, ExactMajority, Fratricide,
    GraphMajority, OneWayEpidemic, TwoWayEpidemic,
};
use crate::name;
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

/// A protocol of the library, by name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    name: &'static str,
    summary: &'static str,
    states: &'static str,
    parameters: &'static [Parameter],
    /// Receives one value for each parameter, in their order, each in its range.
    make: fn(&[i64]) -> Result<Instance, CatalogueError>,
}

/// A protocol made from an [`Entry`]: its table, and a start to try.
pub struct Instance {
    table: Table,
    initial: Box<dyn Fn(u64) -> Vec<u64> + Send + Sync>,
}

impl Instance {
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

/// All protocols of the library, in the order of the catalogue.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let entry = acrasin_protocols::library::find("averaging")?;
/// let averaging = entry.build(&BTreeMap::from([("m".to_owned(), 7)]))?;
/// assert_eq!(averaging.table().state_count(), 8);
/// assert_eq!(averaging.initial_counts(10), [5, 0, 0, 0, 0, 0, 0, 5]);
///
/// let error = acrasin_protocols::library::find("averagin").unwrap_err();
/// assert!(error.accepted().ends_with("did you mean `averaging`?"));
/// # Ok::<(), acrasin_protocols::library::CatalogueError>(())
/// ```
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    CATALOGUE
}

/// The protocol of that name.
///
/// # Errors
///
/// There is none; the error lists the names and the closest one.
pub fn find(wanted: &str) -> Result<&'static Entry, CatalogueError> {
    CATALOGUE.iter().find(|entry| entry.name == wanted).ok_or_else(|| {
        let message = format!("the library has no protocol `{}`", name::quoted(wanted));
        let accepted = name::accepted(wanted, CATALOGUE.iter().map(|entry| entry.name));
        CatalogueError::new(CatalogueErrorKind::UnknownProtocol, wanted, message, accepted)
    })
}

/// An [`Instance`] of a protocol of this module.
macro_rules! instance {
    ($protocol:expr) => {{
        let protocol = $protocol;
        let table = Table::compile(&protocol).expect("the protocols of the library are sound");
        Instance { table, initial: Box::new(move |agents| protocol.initial_counts(agents)) }
    }};
}

/// A value that the range of its parameter keeps in 16 bits.
fn small(value: i64) -> u16 {
    u16::try_from(value).expect("ranges of parameters end below 2^16")
}

static CATALOGUE: &[Entry] = &[
    Entry {
        name: "one-way-epidemic",
        summary: "an infected initiator infects the responder",
        states: "S, I",
        parameters: &[],
        make: |_| Ok(instance!(OneWayEpidemic)),
    },
    Entry {
        name: "two-way-epidemic",
        summary: "both take the maximum: one infected agent is enough",
        states: "S, I",
        parameters: &[],
        make: |_| Ok(instance!(TwoWayEpidemic)),
    },
    Entry {
        name: "fratricide",
        summary: "leader election on complete graphs: of two leaders, the responder gives up",
        states: "L, F",
        parameters: &[],
        make: |_| Ok(instance!(Fratricide)),
    },
    Entry {
        name: "approximate-majority",
        summary: "opposite opinions cancel, undecided agents follow; fast, may err",
        states: "A, B, U",
        parameters: &[],
        make: |_| Ok(instance!(ApproximateMajority)),
    },
    Entry {
        name: "approximate-majority-one-way",
        summary: "approximate majority in which only the responder changes",
        states: "A, B, U",
        parameters: &[],
        make: |_| Ok(instance!(ApproximateMajorityOneWay)),
    },
    Entry {
        name: "exact-majority",
        summary: "four-state majority on complete graphs: never wrong unless the start is tied",
        states: "A, B, a, b",
        parameters: &[],
        make: |_| Ok(instance!(ExactMajority)),
    },
    Entry {
        name: "graph-majority",
        summary: "four-state majority on any connected graph: votes walk until they cancel",
        states: "A, B, a, b",
        parameters: &[],
        make: |_| Ok(instance!(GraphMajority)),
    },
    Entry {
        name: "averaging",
        summary: "two agents share their loads equally; the sum is conserved",
        states: "0 to m",
        parameters: &[Parameter {
            name: "m",
            summary: "the largest load",
            least: 1,
            most: Averaging::MAX_LARGEST as i64,
            default: 10,
        }],
        make: |values| Ok(instance!(Averaging::new(small(values[0]))?)),
    },
    Entry {
        name: "rock-paper-scissors",
        summary: "three species, each of which eats another: cyclic Lotka-Volterra",
        states: "R, P, S",
        parameters: &[],
        make: |_| Ok(instance!(Cyclic::ROCK_PAPER_SCISSORS)),
    },
    Entry {
        name: "cyclic-species",
        summary: "k species in a circle, each of which eats the one before it",
        states: "0 to k-1 (R, P, S if k is 3)",
        parameters: &[Parameter {
            name: "k",
            summary: "how many species",
            least: 3,
            most: Cyclic::MAX_SPECIES as i64,
            default: 5,
        }],
        make: |values| Ok(instance!(Cyclic::new(small(values[0]))?)),
    },
];
