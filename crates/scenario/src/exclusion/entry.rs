//! A mutual exclusion algorithm by name: all that is said of it, once.

use std::path::Path;

use acrasin_catalogue::parameter::{Parameter, ParameterError, Values};

use super::chosen::Chosen;
use crate::node_names::NodeNames;

/// A mutual exclusion algorithm as the catalogue has it: by name, with what it takes.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionEntry {
    /// The word in a scenario.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What can be written for it, in order.
    pub parameters: &'static [Parameter],
    /// Makes it of what was written: all that must be is, everything is of its kind, and nodes are numbers.
    pub read: fn(&Values, ExclusionSite<'_>) -> Result<Chosen, ParameterError>,
}

/// Where a mutual exclusion algorithm is to run.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionSite<'a> {
    /// The folder that paths are relative to.
    pub folder: &'a Path,
    pub(crate) names: &'a NodeNames<'a>,
}
