//! Who has an enabled action.

use acrasin_runtime::NodeId;

/// A set of the amoebots 0 to n - 1, to draw from. Every operation costs O(1).
///
/// The order of its members depends on the changes so far, and on nothing else.
#[derive(Clone, Debug)]
pub struct EnabledSet {
    members: Vec<NodeId>,
    places: Vec<Option<u32>>,
}

impl EnabledSet {
    pub(crate) fn none_of(amoebots: usize) -> Self {
        Self { members: Vec::new(), places: vec![None; amoebots] }
    }

    /// How many amoebots there are, enabled or not.
    #[must_use]
    pub fn amoebots(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.members.capacity() * size_of::<NodeId>() + self.places.capacity() * size_of::<Option<u32>>()
    }

    /// Whether nobody is enabled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Those who are enabled.
    #[must_use]
    pub fn ids(&self) -> &[NodeId] {
        &self.members
    }

    /// Whether this one is enabled; false if there is no such amoebot.
    #[must_use]
    pub fn contains(&self, id: NodeId) -> bool {
        self.places.get(id.index()).is_some_and(Option::is_some)
    }

    pub(crate) fn set(&mut self, id: NodeId, member: bool) {
        let place = self.places[id.index()];
        match (place, member) {
            (None, true) => {
                self.places[id.index()] = Some(self.members.len() as u32);
                self.members.push(id);
            }
            (Some(at), false) => {
                self.members.swap_remove(at as usize);
                if let Some(moved) = self.members.get(at as usize) {
                    self.places[moved.index()] = Some(at);
                }
                self.places[id.index()] = None;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_like_a_set(changes in prop::collection::vec((0..10_u32, any::<bool>()), 0..100)) {
            let (mut set, mut model) = (EnabledSet::none_of(10), BTreeSet::new());
            for (id, member) in changes {
                set.set(NodeId(id), member);
                if member { model.insert(id); } else { model.remove(&id); }
                let members: BTreeSet<u32> = set.ids().iter().map(|id| id.0).collect();
                prop_assert_eq!(&members, &model);
                prop_assert_eq!(set.ids().len(), model.len());
                prop_assert_eq!(set.is_empty(), model.is_empty());
                prop_assert!((0..12).all(|id| set.contains(NodeId(id)) == model.contains(&id)));
            }
        }
    }
}
