//! Catalogue entries of protocols without a table: name, parameters and constructor.

use std::fmt;

use acrasin_catalogue::parameter::{Parameter, ParameterError, ParameterKind, Values};

use super::model::LazyModel;

/// A catalogue entry of a protocol without a table.
#[derive(Clone, Copy)]
pub struct LazyEntry {
    /// The name of the protocol, in kebab case.
    pub name: &'static str,
    /// A one-line summary for lists.
    pub summary: &'static str,
    /// The counted classes of states, as shown in lists.
    pub classes: &'static str,
    /// The parameters; each is a whole number ([`ParameterKind::Whole`]).
    pub parameters: &'static [Parameter],
    /// Constructs the protocol from one value per parameter, in their order, each in its range.
    pub make: MakeLazyModel,
}

/// Constructs a protocol from one value for each parameter, in their order.
pub type MakeLazyModel = fn(&[i64]) -> Result<Box<dyn LazyModel>, ParameterError>;

impl LazyEntry {
    /// Constructs the protocol. Parameters that are not given have their default.
    ///
    /// # Errors
    ///
    /// A parameter that the protocol does not have, a value outside its range, or values that are not accepted
    /// together.
    ///
    /// # Panics
    ///
    /// Panics if the entry has a parameter of another kind than [`ParameterKind::Whole`].
    pub fn build(&self, values: &Values) -> Result<Box<dyn LazyModel>, ParameterError> {
        values.checked(self.parameters)?;
        let value = |parameter: &Parameter| match parameter.kind {
            ParameterKind::Whole { default, .. } => values.whole(parameter.name).unwrap_or(default),
            kind => panic!("{} of {} is {kind:?}: protocols take whole numbers", parameter.name, self.name),
        };
        (self.make)(&self.parameters.iter().map(value).collect::<Vec<_>>())
    }
}

impl fmt::Debug for LazyEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyEntry").field("name", &self.name).finish_non_exhaustive()
    }
}
