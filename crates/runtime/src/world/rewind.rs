//! Copies configurations between worlds. An exploration uses it to return to a configuration before it tries the next
//! step.

use super::World;
use crate::exclusion::{Exclusion, Promise};
use crate::node::NodeId;
use crate::section::CriticalSection;

impl<E: Exclusion, S: CriticalSection> World<E, S> {
    /// Copies the configuration of another world of the same plan, reusing the buffers of this one. Only the
    /// order of [`active`](Self::active) may differ. Cost: O(nodes + edges).
    ///
    /// # Panics
    ///
    /// Panics unless both have the same number of nodes.
    pub fn assume(&mut self, other: &Self) {
        assert_eq!(self.memories.len(), other.memories.len(), "worlds of one plan");
        for node in self.topology.nodes() {
            self.assume_own(node, other);
            self.assume_transit(node, other);
        }
        self.assume_rest(other);
    }

    /// Undoes the last step. Like [`assume`](Self::assume) for the world before the step, but copies only the
    /// nodes that it touched.
    pub fn rewind(&mut self, before: &Self) {
        if let Some(node) = self.scratch.acted {
            self.assume_own(node, before);
            self.assume_transit(node, before);
        }
        for index in 0..self.scratch.changed {
            self.assume_own(self.scratch.beside[index], before);
        }
        for index in 0..self.scratch.beside.len() {
            self.assume_transit(self.scratch.beside[index], before);
        }
        self.assume_rest(before);
    }

    #[inline]
    fn assume_own(&mut self, node: NodeId, other: &Self) {
        let index = node.index();
        self.memories[index].clone_from(&other.memories[index]);
        self.states[index].clone_from(&other.states[index]);
        self.topology.assume_detector(node, &other.topology);
        self.monitor.assume_node(node, &other.monitor);
    }

    #[inline]
    fn assume_transit(&mut self, node: NodeId, other: &Self) {
        let index = node.index();
        self.inboxes[index].clone_from(&other.inboxes[index]);
        if let Some(outbox) = self.outboxes.get_mut(index) {
            outbox.clone_from(&other.outboxes[index]);
        }
        self.active.set(node, other.active.contains(node), other.active.acts_unasked(node));
    }

    fn assume_rest(&mut self, other: &Self) {
        self.topology.assume_links(&other.topology);
        self.monitor.assume_rest(&other.monitor);
        (self.sequence, self.steps) = (other.sequence, other.steps);
        self.scratch.clear_touched();
    }
}
