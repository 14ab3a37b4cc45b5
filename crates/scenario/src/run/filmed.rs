//! Observation of runs node by node.

use acrasin_report::film::{FrameEvents, Head, Message, NodeValue};

/// A run that can be filmed: the visible state of each node, and the changes since the last observation.
pub trait Filmed {
    /// The description of the nodes, their layout and the name of steps. Title, facts, steps and frames are added
    /// later.
    fn head(&self) -> Head;

    /// The number of steps, as films count them.
    fn moment(&self) -> u64;

    /// The smallest useful distance between observations, in steps.
    fn grain(&self) -> u64 {
        1
    }

    /// The current counts of a run without distinct nodes; their names are in the head.
    fn counted(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Writes the visible state of a node, its neighbours, and the messages that wait at it to `into`.
    fn look(&self, node: u32, into: &mut NodeView);

    /// Writes to `into` the nodes that may have changed since the last call, and the last event.
    fn since(&mut self, into: &mut Changes);
}

/// The visible state of one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeView {
    /// One value for each column of the head.
    pub values: Vec<NodeValue>,
    /// The neighbours of the node, if edges are shown. Each edge is listed at both ends.
    pub neighbours: Vec<u32>,
    /// Messages in transit to the node, each with a number that is unique in the run.
    pub messages: Vec<(u64, Message)>,
}

impl NodeView {
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.neighbours.clear();
        self.messages.clear();
    }
}

/// The changes since the last observation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// The nodes that may have changed.
    pub nodes: Vec<u32>,
    /// Whether nodes walk, so that every node may have changed.
    pub has_walkers: bool,
    /// The last event since the previous observation.
    pub happened: FrameEvents,
}

/// An observer of every step of a run. Observation does not change the run.
pub trait TraceObserver: Send {
    /// Called at the start, and then after at most [`reach`](Self::reach) steps.
    fn see(&mut self, run: &mut dyn Filmed);

    /// Called at the end of the run, after the last step was observed.
    fn end(&mut self, run: &mut dyn Filmed) {
        let _ = run;
    }

    /// The maximum number of steps before the next observation.
    fn reach(&self) -> u64 {
        1
    }

    /// Whether the observer needs no further steps.
    fn is_done(&self) -> bool {
        false
    }
}
