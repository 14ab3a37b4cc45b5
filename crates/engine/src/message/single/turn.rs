//! What all nodes share in a round of single actions.

use std::collections::BTreeMap;

use acrasin_runtime::exclusion::local::{Local, Memory};

use crate::draw::Stream;
use crate::message::inputs::RoundInputs;

/// The memories of nodes whose detector has something to report, as they were before: an action forgets the neighbours
/// that have gone, but whether it is enabled is a question about the memory that still has them.
pub(super) type Frozen = BTreeMap<u32, Memory>;

/// What a round of single actions is made of.
pub(super) struct Turn<'a> {
    pub(super) inputs: &'a RoundInputs<'a>,
    /// The draws of [`Purpose::Action`](crate::Purpose::Action).
    pub(super) actions: Stream,
    /// For guards.
    pub(super) local: Local,
    /// Memories whose detector has something to report.
    pub(super) frozen: &'a Frozen,
}
