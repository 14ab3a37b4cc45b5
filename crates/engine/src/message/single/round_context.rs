//! The data that all nodes share in a round of single actions.

use std::collections::BTreeMap;

use acrasin_runtime::exclusion::local::{Local, Memory};

use crate::draw::Stream;
use crate::message::inputs::RoundInputs;

/// Memories of nodes whose detector has something to report, from before the edge vanished.
///
/// An action forgets the neighbours that are gone. But guards are evaluated on the memory that still has them.
pub(super) type Frozen = BTreeMap<u32, Memory>;

/// The inputs of a round of single actions.
pub(super) struct RoundContext<'a> {
    pub(super) inputs: &'a RoundInputs<'a>,
    /// The draws of [`Purpose::Action`](crate::Purpose::Action).
    pub(super) actions: Stream,
    /// The rules, whose guards are evaluated.
    pub(super) local: Local,
    /// Memories of nodes whose detector has something to report.
    pub(super) frozen: &'a Frozen,
}
