//! A set of nodes with O(1) insertion, removal and access by position.

use std::num::NonZeroU32;

use crate::node::NodeId;

/// The order of the members depends on the history of the set only, so it is the same in every run of a plan.
#[derive(Clone, Debug)]
pub(super) struct ActiveSet {
    members: Vec<NodeId>,
    /// Position in `members`, plus one.
    places: Vec<Option<NonZeroU32>>,
    /// Who is a member, 64 nodes a word.
    words: Vec<u64>,
}

impl ActiveSet {
    pub(super) fn new(nodes: u32) -> Self {
        let words = vec![0; nodes.div_ceil(64) as usize];
        Self { members: Vec::with_capacity(nodes as usize), places: vec![None; nodes as usize], words }
    }

    #[inline]
    pub(super) fn members(&self) -> &[NodeId] {
        &self.members
    }

    #[inline]
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.words[node.index() / 64] >> (node.0 % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn set(&mut self, node: NodeId, active: bool) {
        if self.contains(node) != active {
            self.change(node, active);
        }
    }

    /// Appends all members in the order of their numbers. Cost: O(members + nodes / 64).
    pub(super) fn in_order(&self, into: &mut Vec<NodeId>) {
        into.reserve(self.members.len());
        for (&word, first) in self.words.iter().zip((0..).step_by(64)) {
            let mut rest = word;
            while rest != 0 {
                into.push(NodeId(first + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
    }

    fn change(&mut self, node: NodeId, active: bool) {
        self.words[node.index() / 64] ^= 1 << (node.0 % 64);
        match (self.places[node.index()], active) {
            (None, true) => {
                self.members.push(node);
                self.places[node.index()] = NonZeroU32::new(self.members.len() as u32);
            }
            (Some(place), false) => {
                let place = place.get() as usize - 1;
                self.members.swap_remove(place);
                self.places[node.index()] = None;
                if let Some(moved) = self.members.get(place) {
                    self.places[moved.index()] = NonZeroU32::new(place as u32 + 1);
                }
            }
            _ => {}
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.members.capacity() * size_of::<NodeId>() + self.places.capacity() * 4 + self.words.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn agrees_with_a_set(history in prop::collection::vec((0..130_u32, any::<bool>()), 0..100)) {
            let (mut active, mut model) = (ActiveSet::new(130), BTreeSet::new());
            for (node, insert) in history {
                active.set(NodeId(node), insert);
                if insert { model.insert(node); } else { model.remove(&node); }
                let mut members: Vec<u32> = active.members().iter().map(|node| node.0).collect();
                members.sort_unstable();
                let mut in_order = Vec::new();
                active.in_order(&mut in_order);
                prop_assert!(in_order.iter().map(|node| node.0).eq(members.iter().copied()));
                prop_assert!(members.iter().eq(model.iter()));
                prop_assert!((0..130).all(|node| active.contains(NodeId(node)) == model.contains(&node)));
            }
        }
    }
}
