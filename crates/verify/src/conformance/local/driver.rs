//! [`LockLayerDriver`]: the interface between the comparison and an implementation of the lock layer.
//!
//! The comparison uses only this interface, so it serves every implementation.

use std::fmt;

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::local::{Action, Local, Message};
use acrasin_runtime::{NodeId, Port, StepOf};

use super::super::comparison::sort;
use super::text::{CheckAction, InTransit, LocalNode, LocalSent, PortNumbers};

/// An implementation of the lock layer that takes one step at a time. The caller checks that nodes and ports are in
/// range.
pub(super) trait LockLayerDriver {
    /// The error for a step that is not possible.
    type Refused: fmt::Display;

    /// Takes one step. On an error nothing has changed.
    fn take(&mut self, step: &StepOf<Local>, script: &mut Scripted<'_>) -> Result<Taken, Self::Refused>;

    /// The number of nodes.
    fn nodes(&self) -> u32;
    /// The memory of a node, and the ports in its detector that it has not read yet.
    fn node(&self, node: NodeId) -> LocalNode;
    /// The ports in a node's detector that it has not read yet.
    fn detector(&self, node: NodeId) -> PortNumbers;
    /// The checks of a node whose guards hold, including CleanUp, in any order.
    fn checks(&self, node: NodeId) -> Vec<Action>;
    /// All messages in transit to a node, in any order.
    fn in_transit(&self, node: NodeId) -> Vec<(Port, Message)>;
    /// The neighbour on a port other than 0, if the port carries an edge.
    fn peer(&self, node: NodeId, port: Port) -> Option<NodeId>;
    /// The ports of a node that carry an edge, plus port 0.
    fn closed_neighbourhood(&self, node: NodeId) -> PortNumbers;

    /// Describes the promise of the lock layer that the last step, `step`, has broken; `None` if it broke none.
    fn violation(&self, step: &StepOf<Local>) -> Option<String>;

    /// The messages that a step would send on ports without an edge. Empty if [`take`](Self::take) already returns
    /// them.
    fn lost_sends(&self, _step: &StepOf<Local>, _picks: &[u32]) -> Vec<LocalSent> {
        Vec::new()
    }
}

/// The visible effects of a step besides the change of a node's memory.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) sends: Vec<LocalSent>,
    /// The lock set that a completed Lock returned.
    pub(super) returned: Option<PortNumbers>,
    /// Whether the step is a call that the rules ignore.
    pub(super) ignored: bool,
}

/// The Check* actions of a node whose guards hold, sorted.
pub(super) fn enabled(driver: &impl LockLayerDriver, node: NodeId) -> Vec<CheckAction> {
    let mut actions = driver.checks(node);
    actions.retain(|&action| action != Action::CleanUp);
    sort(&mut actions);
    actions.into_iter().map(CheckAction).collect()
}

/// All messages in transit, sorted.
pub(super) fn transit(driver: &impl LockLayerDriver) -> Vec<InTransit> {
    let mut all = Vec::new();
    for node in (0..driver.nodes()).map(NodeId) {
        all.extend(driver.in_transit(node).into_iter().map(|(port, message)| InTransit(node, port, message)));
    }
    sort(&mut all);
    all
}
