//! A set of nodes with O(1) insertion, removal and access by position.

use std::num::NonZeroU32;

use crate::node::NodeId;
use crate::pack::PackError;

/// A set of nodes. The order of its members depends only on the calls so far, so it is the same in all runs of a plan
/// and seed.
#[derive(Clone, Debug)]
pub(super) struct ActiveSet {
    members: Vec<NodeId>,
    /// Position in `members`, plus one.
    places: Vec<Option<NonZeroU32>>,
    /// Membership bits, 64 nodes per word.
    words: Vec<ActiveWord>,
}

/// Two bits for each of 64 nodes.
#[derive(Clone, Copy, Default, Debug)]
struct ActiveWord {
    /// The nodes that are members.
    active: u64,
    /// The nodes that can act without a message.
    unasked: u64,
}

impl ActiveSet {
    pub(super) fn new(nodes: u32) -> Self {
        let words = vec![ActiveWord::default(); nodes.div_ceil(64) as usize];
        Self { members: Vec::with_capacity(nodes as usize), places: vec![None; nodes as usize], words }
    }

    #[inline]
    pub(super) fn members(&self) -> &[NodeId] {
        &self.members
    }

    #[inline]
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.words[node.index() / 64].active >> (node.0 % 64) & 1 == 1
    }

    /// Whether the node can act without a message, according to the last call of [`set`](Self::set).
    #[inline]
    pub(super) fn acts_unasked(&self, node: NodeId) -> bool {
        self.words[node.index() / 64].unasked >> (node.0 % 64) & 1 == 1
    }

    /// Makes a node a member, because a message is in transit to it.
    #[inline]
    pub(super) fn insert(&mut self, node: NodeId) {
        if !self.contains(node) {
            self.add(node);
        }
    }

    /// Sets whether a node is a member, and whether it can act without a message.
    #[inline]
    pub(super) fn set(&mut self, node: NodeId, active: bool, unasked: bool) {
        let (word, bit) = (&mut self.words[node.index() / 64], node.0 % 64);
        word.unasked = word.unasked & !(1 << bit) | u64::from(unasked) << bit;
        match (word.active >> bit & 1 == 1, active) {
            (false, true) => self.add(node),
            (true, false) => self.remove(node),
            _ => {}
        }
    }

    /// The words of 64 nodes that have members, in increasing order: the first node of each word and its membership
    /// bits. Cost: O(members + nodes / 64). If fewer than 1/8 of the nodes are members it is O(members · log members),
    /// with the buffer `few`.
    #[inline]
    pub(super) fn in_order<'a>(&'a self, few: &'a mut Vec<u32>) -> impl Iterator<Item = (NodeId, u64)> + 'a {
        few.clear();
        let mut all = 0..self.words.len() as u32;
        if self.members.len() < self.places.len() / 8 {
            all = 0..0;
            self.list_words(few);
        }
        let word = |place: u32| (NodeId(64 * place), self.words[place as usize].active);
        all.chain(few.iter().copied()).map(word)
    }

    /// Appends the index of each word with members, in increasing order.
    #[inline(never)] // Compiled here alone, not where worlds are.
    fn list_words(&self, few: &mut Vec<u32>) {
        few.extend(self.members.iter().map(|node| node.0 / 64));
        few.sort_unstable();
        few.dedup();
    }

    /// Removes all members.
    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.places.fill(None);
        self.words.fill(ActiveWord::default());
    }

    /// Sorts the members in this order. After an error the set must be [cleared](Self::clear).
    ///
    /// # Errors
    ///
    /// [`PackError`] unless `order` lists each member exactly once.
    pub(super) fn order(&mut self, order: &[NodeId]) -> Result<(), PackError> {
        if order.len() != self.members.len() {
            return Err(PackError);
        }
        self.places.fill(None);
        for (place, &node) in (1..).zip(order) {
            let is_member = node.index() < self.places.len() && self.contains(node);
            if !is_member || self.places[node.index()].is_some() {
                return Err(PackError);
            }
            self.places[node.index()] = NonZeroU32::new(place);
        }
        self.members.copy_from_slice(order);
        Ok(())
    }

    fn add(&mut self, node: NodeId) {
        self.words[node.index() / 64].active |= 1 << (node.0 % 64);
        self.members.push(node);
        self.places[node.index()] = NonZeroU32::new(self.members.len() as u32);
    }

    fn remove(&mut self, node: NodeId) {
        self.words[node.index() / 64].active &= !(1 << (node.0 % 64));
        let Some(place) = self.places[node.index()].take() else { return };
        let index = place.get() as usize - 1;
        self.members.swap_remove(index);
        if let Some(moved) = self.members.get(index) {
            self.places[moved.index()] = Some(place);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.members.capacity() * size_of::<NodeId>()
            + self.places.capacity() * 4
            + self.words.capacity() * size_of::<ActiveWord>()
    }
}

/// The members of one word of [`ActiveSet::in_order`].
#[inline]
pub(crate) fn nodes_in((first, word): (NodeId, u64)) -> impl Iterator<Item = NodeId> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let place = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(NodeId(first.0 + place))
    })
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
                active.set(NodeId(node), insert, insert);
                if insert { model.insert(node); } else { model.remove(&node); }
                let mut members: Vec<u32> = active.members().iter().map(|node| node.0).collect();
                members.sort_unstable();
                let few = &mut Vec::new();
                let in_order = active.in_order(few).flat_map(nodes_in);
                prop_assert!(in_order.map(|node| node.0).eq(members.iter().copied()));
                prop_assert!(members.iter().eq(model.iter()));
                prop_assert!((0..130).all(|node| active.contains(NodeId(node)) == model.contains(&node)));
            }
        }
    }
}
