//! Catalogue entries of mutual exclusion algorithms.

use std::path::Path;

use acrasin_catalogue::parameter::{Parameter, ParameterError, Values};

use super::resolved_exclusion::ResolvedExclusion;
use crate::node_names::NodeNames;

/// A catalogue entry of a mutual exclusion algorithm: its name and parameters.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionEntry {
    /// The name in scenarios.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// The parameters, in display order.
    pub parameters: &'static [Parameter],
    /// Makes the algorithm from the values of its parameters. All required parameters are present, each value has the
    /// kind of its parameter, and nodes are given by number.
    pub read: fn(&Values, ExclusionSite<'_>) -> Result<ResolvedExclusion, ParameterError>,
}

/// The graph and folder that a mutual exclusion algorithm is made for.
#[derive(Clone, Copy, Debug)]
pub struct ExclusionSite<'a> {
    /// The folder that relative paths refer to.
    pub folder: &'a Path,
    pub(crate) names: &'a NodeNames<'a>,
}
