//! The data that all nodes share in a round of single actions.

use std::collections::BTreeMap;

use acrasin_runtime::exclusion::local::{Local, Memory};

use crate::draw::Stream;
use crate::message::inputs::RoundInputs;

/// The memories of nodes whose detector has a pending report, as they were before the edge vanished.
///
/// The words no longer contain the lost neighbours, but guards are evaluated on the memory that still contains them.
pub(super) type Frozen = BTreeMap<u32, Memory>;

/// The inputs of a round of single actions.
pub(super) struct RoundContext<'a> {
    pub(super) inputs: &'a RoundInputs<'a>,
    /// The draws of [`Purpose::Action`](crate::Purpose::Action).
    pub(super) actions: Stream,
    /// The rules that define the guards.
    pub(super) local: Local,
    /// The memories of nodes whose detector has a pending report.
    pub(super) frozen: &'a Frozen,
}
