//! A mutual exclusion algorithm by name: all that is said of it, once.

use std::path::Path;

use acrasin_catalogue::parameter::{Parameter, ParameterError, Values};

use super::chosen::Chosen;

/// A mutual exclusion algorithm as the catalogue has it: by name, with what it takes.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionEntry {
    /// The word in a scenario.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What can be written for it, in order.
    pub parameters: &'static [Parameter],
    /// Makes it of what was written: all that must be is, and everything is of its kind. Paths are relative to the folder.
    pub read: fn(&Values, &Path) -> Result<Chosen, ParameterError>,
}
