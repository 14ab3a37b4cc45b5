//! What replays a scenario: takes a step, and shows what is there afterwards.
//!
//! The comparison asks these questions and no others, so one comparison does for every implementation.

use std::fmt;

use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::local::{Action, Local, Message};
use acrasin_runtime::{NodeId, Port, StepOf};

use super::text::{Check, InTransit, Node, Ports, Sent};

/// An implementation of the lock layer, one step at a time. Nodes and ports are in range.
pub(super) trait Driver {
    /// Why a step cannot happen.
    type Refused: fmt::Display;

    /// Takes one step. Nothing has changed if it cannot happen.
    fn take(&mut self, step: &StepOf<Local>, script: &mut Scripted<'_>) -> Result<Taken, Self::Refused>;

    /// The number of nodes.
    fn nodes(&self) -> u32;
    /// A node's memory, and its unread detector.
    fn node(&self, node: NodeId) -> Node;
    /// What a node's detector has not yet reported.
    fn detector(&self, node: NodeId) -> Ports;
    /// The checks of a node whose guards hold, CleanUp among them, in any order.
    fn checks(&self, node: NodeId) -> Vec<Action>;
    /// Everything in transit to a node, in any order.
    fn in_transit(&self, node: NodeId) -> Vec<(Port, Message)>;
    /// The neighbour on a port other than 0.
    fn peer(&self, node: NodeId, port: Port) -> Option<NodeId>;
    /// The ports of a node that carry an edge, and port 0.
    fn closed_neighbourhood(&self, node: NodeId) -> Ports;

    /// A promise of the lock layer that is broken after this step.
    fn violation(&self, step: &StepOf<Local>) -> Option<String>;

    /// What the step would send on ports without an edge, if that is not among what [`take`](Self::take) returns.
    fn lost_sends(&self, _step: &StepOf<Local>, _picks: &[u32]) -> Vec<Sent> {
        Vec::new()
    }
}

/// What a step did besides changing a node's memory.
#[derive(Default)]
pub(super) struct Taken {
    /// Messages by the ports that they left by.
    pub(super) sends: Vec<Sent>,
    /// What a completed Lock returned.
    pub(super) returned: Option<Ports>,
    /// A call that the rules ignore.
    pub(super) ignored: bool,
}

/// The Check* actions of a node whose guards hold, sorted.
pub(super) fn enabled(driver: &impl Driver, node: NodeId) -> Vec<Check> {
    let mut actions = driver.checks(node);
    actions.retain(|&action| action != Action::CleanUp);
    actions.sort_unstable();
    actions.into_iter().map(Check).collect()
}

/// Everything in transit, sorted.
pub(super) fn transit(driver: &impl Driver) -> Vec<InTransit> {
    let mut all = Vec::new();
    for node in (0..driver.nodes()).map(NodeId) {
        all.extend(driver.in_transit(node).into_iter().map(|(port, message)| InTransit(node, port, message)));
    }
    all.sort_unstable();
    all
}
