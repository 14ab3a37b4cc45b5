//! Catalogue entries: the name, the parameters and the constructor of a protocol.

use std::fmt;

use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind, Values};

use super::proved::ProvedClaim;
use crate::protocol::FiniteProtocol;
use crate::table::Table;

/// A named protocol of the library. It is defined in the protocol's file, and the catalogue lists it.
///
/// ```
/// use acrasin_catalogue::parameter::Values;
/// use acrasin_protocols::library::{ProtocolEntry, Fratricide, ProtocolInstance};
///
/// const DUEL: ProtocolEntry = ProtocolEntry::new("duel", "of two leaders, one gives up", "L, F", |_| {
///     ProtocolInstance::of(&Fratricide, |agents| vec![agents, 0])
/// });
/// assert_eq!(DUEL.build(&Values::default()).unwrap().table().state_names(), ["L", "F"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ProtocolEntry {
    /// The name of the protocol, in kebab case.
    pub name: &'static str,
    /// A one-line summary for lists.
    pub summary: &'static str,
    /// The states, as shown to users.
    pub states: &'static str,
    /// The parameters; each is a whole number ([`ParameterKind::Whole`]).
    pub parameters: &'static [Parameter],
    /// Constructs the protocol from one value per parameter.
    pub make: MakeProtocol,
    /// A claim that holds for every population size with the default parameters; `None` if no claim is proved.
    pub proved: Option<ProvedClaim>,
}

/// Constructs a protocol from one value for each parameter, in their order, each in its range.
pub type MakeProtocol = fn(&[i64]) -> ProtocolInstance;

/// A protocol constructed from a [`ProtocolEntry`]: its table, and example initial counts.
pub struct ProtocolInstance {
    table: Table,
    initial: Box<dyn Fn(u64) -> Vec<u64> + Send + Sync>,
}

impl ProtocolInstance {
    /// Compiles a protocol. `initial` returns example counts for a number of agents: one per state, in their order.
    /// They sum to that number.
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

    /// The protocol's table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the protocol's table by value.
    #[must_use]
    pub fn into_table(self) -> Table {
        self.table
    }

    /// Example initial counts: one count per state. They sum to `agents`.
    #[must_use]
    pub fn initial_counts(&self, agents: u64) -> Vec<u64> {
        (self.initial)(agents)
    }
}

impl fmt::Debug for ProtocolInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProtocolInstance").field("table", &self.table).finish_non_exhaustive()
    }
}

impl ProtocolEntry {
    /// Creates an entry without parameters from its name in kebab case, a one-line summary, and its states as shown to
    /// users.
    #[must_use]
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        states: &'static str,
        make: MakeProtocol,
    ) -> Self {
        Self { name, summary, states, parameters: &[], make, proved: None }
    }

    /// States a claim that is proved for every population size.
    #[must_use]
    pub const fn with_proved(self, claim: ProvedClaim) -> Self {
        Self { proved: Some(claim), ..self }
    }

    /// Sets the parameters of the protocol.
    #[must_use]
    pub const fn with_parameters(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    /// Makes the protocol. Parameters that are not given have their default.
    ///
    /// # Errors
    ///
    /// A parameter that the protocol does not have, or a value outside its range.
    ///
    /// # Panics
    ///
    /// Panics if the entry has a parameter of another kind than [`ParameterKind::Whole`].
    pub fn build(&self, values: &Values) -> Result<ProtocolInstance, ParameterError> {
        values.checked(self.parameters)?;
        let value = |parameter: &Parameter| match parameter.kind {
            ParameterKind::Whole { default, .. } => values.whole(parameter.name).unwrap_or(default),
            kind => panic!("{} of {} is {kind:?}: protocols take whole numbers", parameter.name, self.name),
        };
        Ok((self.make)(&self.parameters.iter().map(value).collect::<Vec<_>>()))
    }
}

/// Declares a parameter of the library: an optional whole number.
pub(super) const fn whole(
    name: &'static str,
    meaning: &'static str,
    least: i64,
    most: i64,
    default: i64,
) -> Parameter {
    Parameter::optional(name, ParameterKind::Whole { least, most, default }, meaning)
}

/// Converts a parameter's value to 16 bits. The range of the parameter ensures that the value fits.
pub(super) fn small(value: i64) -> u16 {
    u16::try_from(value).expect("ranges of parameters end below 2^16")
}

/// One count per state, for `states` states: the agents are split equally among the states in `among`. If there is a
/// remainder, the first states get one agent more.
pub(super) fn spread(agents: u64, states: usize, among: std::ops::Range<usize>) -> Vec<u64> {
    let shares = among.len() as u64;
    let mut counts = vec![0; states];
    for (place, count) in (0..).zip(&mut counts[among]) {
        *count = agents / shares + u64::from(place < agents % shares);
    }
    counts
}

/// One count per state: three fifths of the agents, rounded up, in the state `first`, the rest in `second`, and no
/// agent in other states.
pub(super) fn three_fifths_at(agents: u64, states: usize, [first, second]: [usize; 2]) -> Vec<u64> {
    let mut counts = vec![0; states];
    // Two fifths, rounded down, without a product that overflows.
    let rest = agents / 5 * 2 + agents % 5 * 2 / 5;
    counts[second] += rest;
    counts[first] += agents - rest;
    counts
}

/// Returns the value if it is in the range, otherwise an error. For protocols constructed from Rust.
pub(super) fn in_range(
    protocol: &str,
    parameter: &'static str,
    value: u16,
    least: u16,
    most: u16,
) -> Result<u16, ParameterError> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(ParameterError::new(parameter, format!("{protocol}: the parameter `{parameter}` is {value}"))
        .accepting(format!("{least} to {most}")))
}
