//! A run that can be looked at node by node, and who looks.

use acrasin_report::film::{Happened, Head, Message, Value};

/// A run that can be filmed: what is known of each node now, and who may have changed.
pub trait Filmed {
    /// The description of the nodes, their layout and the name of steps. Title, facts, steps and frames are left open.
    fn head(&self) -> Head;

    /// The number of steps, as films count them.
    fn moment(&self) -> u64;

    /// The smallest useful distance between looks, in steps.
    fn grain(&self) -> u64 {
        1
    }

    /// The current counts of a run without distinct nodes; the head has the names.
    fn counted(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Puts down what is known of a node, its neighbours, and the messages that wait at it.
    fn look(&self, node: u32, into: &mut Look);

    /// Tells who may have changed since the last time, and what happened.
    fn since(&mut self, into: &mut Since);
}

/// The visible state of one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// One for each column of the head.
    pub values: Vec<Value>,
    /// Its neighbours, where edges are shown; each in the look at both ends.
    pub neighbours: Vec<u32>,
    /// Messages on their way to it, with numbers that no other message of the run has.
    pub messages: Vec<(u64, Message)>,
}

impl Look {
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.neighbours.clear();
        self.messages.clear();
    }
}

/// The changes since the last look.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Since {
    /// Nodes of which something may be otherwise.
    pub nodes: Vec<u32>,
    /// It may be any node.
    pub has_walkers: bool,
    /// The event, in words and numbers.
    pub happened: Happened,
}

/// Looks at every step of a run, which does not depend on it.
pub trait Eye: Send {
    /// Called at the start, and whenever [`reach`](Self::reach) says so at the latest.
    fn see(&mut self, run: &mut dyn Filmed);

    /// Called at the end of the run, after the last step was seen.
    fn end(&mut self, run: &mut dyn Filmed) {
        let _ = run;
    }

    /// The largest number of steps before the next look.
    fn reach(&self) -> u64 {
        1
    }

    /// Whether it has seen enough.
    fn is_done(&self) -> bool {
        false
    }
}
