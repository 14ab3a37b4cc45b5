//! The set of enabled amoebots, and its changes.

use acrasin_runtime::pack::{Pack, PackError, Saved, pack_bits, unpack_bits};
use acrasin_runtime::pack_fields;

use crate::model::id::AmoebotId;

/// A subset of the amoebots 0 to n - 1 from which members can be drawn. Every operation costs O(1).
///
/// The order of its members depends only on the sequence of changes.
#[derive(Debug)]
pub struct EnabledSet {
    members: Vec<AmoebotId>,
    places: Vec<Option<u32>>,
    stamp: Stamp,
    /// The latest changes: for each the stamp before it, and the changed amoebot. A new change overwrites the oldest
    /// one.
    recent: [(Stamp, AmoebotId); RECENT],
    next: usize,
}

/// A digest of all changes so far. Two sets over the same amoebots with equal stamps have the same members.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stamp(u64);

pack_fields!(Stamp { 0 });

impl Stamp {
    fn after(self, id: AmoebotId, member: bool) -> Self {
        let change = u64::from(id.0) << 1 | u64::from(member);
        // Two different histories have equal digests with probability 2^-64.
        Self((self.0.rotate_left(23) ^ (change + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// The number of changes that are kept. One action enables or disables only a few amoebots, so a reader rarely needs
/// more.
const RECENT: usize = 32;

impl Clone for EnabledSet {
    fn clone(&self) -> Self {
        Self { members: self.members.clone(), places: self.places.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Self) {
        self.members.clone_from(&other.members);
        self.places.clone_from(&other.places);
        (self.stamp, self.recent, self.next) = (other.stamp, other.recent, other.next);
    }
}

impl EnabledSet {
    pub(crate) fn none_of(amoebots: usize) -> Self {
        Self {
            members: Vec::new(),
            places: vec![None; amoebots],
            stamp: Stamp::default(),
            recent: [(Stamp::default(), AmoebotId(0)); RECENT],
            next: 0,
        }
    }

    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// The amoebots added or removed since the set had this stamp, in order and possibly repeated. `None` if the set
    /// never had this stamp, or has changed too often since then. O(1).
    pub(crate) fn changed_since(&self, stamp: Stamp) -> Option<impl Iterator<Item = AmoebotId> + '_> {
        let back = |steps: usize| self.recent[(self.next + RECENT - steps) % RECENT];
        let steps = if stamp == self.stamp { 0 } else { (1..=RECENT).find(|at| back(*at).0 == stamp)? };
        Some((1..=steps).rev().map(move |at| back(at).1))
    }

    /// The number of amoebots, enabled or not.
    #[must_use]
    pub fn amoebots(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.members.capacity() * size_of::<AmoebotId>() + self.places.capacity() * size_of::<Option<u32>>()
    }

    /// Whether no amoebot is enabled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The enabled amoebots.
    #[must_use]
    pub fn ids(&self) -> &[AmoebotId] {
        &self.members
    }

    /// Whether this amoebot is enabled; false if there is no such amoebot.
    #[must_use]
    pub fn contains(&self, id: AmoebotId) -> bool {
        self.places.get(id.index()).is_some_and(Option::is_some)
    }

    pub(crate) fn set(&mut self, id: AmoebotId, member: bool) {
        let place = self.places[id.index()];
        match (place, member) {
            (None, true) => {
                self.note(id, member);
                self.places[id.index()] = Some(self.members.len() as u32);
                self.members.push(id);
            }
            (Some(at), false) => {
                self.note(id, member);
                self.members.swap_remove(at as usize);
                if let Some(moved) = self.members.get(at as usize) {
                    self.places[moved.index()] = Some(at);
                }
                self.places[id.index()] = None;
            }
            _ => {}
        }
    }

    fn note(&mut self, id: AmoebotId, member: bool) {
        self.recent[self.next] = (self.stamp, id);
        self.next = (self.next + 1) % RECENT;
        self.stamp = self.stamp.after(id, member);
    }
}

/// Saves the members in their order, and the data for observers of changes: the stamp and the latest changes.
impl Saved for EnabledSet {
    fn save(&self, into: &mut Vec<u8>) {
        self.members.pack(into);
        (self.stamp, self.recent, self.next).pack(into);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.members.unpack_into(from)?;
        (self.stamp, self.recent, self.next) = Pack::unpack(from)?;
        self.places.fill(None);
        for (place, id) in (0..).zip(&self.members) {
            let free = self.places.get_mut(id.index()).filter(|place| place.is_none());
            *free.ok_or(PackError)? = Some(place);
        }
        let is_recent = |(_, id): &(Stamp, AmoebotId)| id.index() < self.places.len() || *id == AmoebotId(0);
        if self.next < RECENT && self.recent.iter().all(is_recent) { Ok(()) } else { Err(PackError) }
    }
}

/// An observer of the changes of a set: it stores the members at its last look.
#[derive(Clone, Debug, Default)]
pub(crate) struct EnabledWatch {
    stamp: Stamp,
    was: Vec<bool>,
}

impl EnabledWatch {
    pub(crate) fn save(&self, into: &mut Vec<u8>) {
        (self.stamp, self.was.len()).pack(into);
        pack_bits(&self.was, into);
    }

    /// Loads the members at the last look, which must be below `amoebots`; before the first look there are none.
    pub(crate) fn load(&mut self, amoebots: usize, from: &mut &[u8]) -> Result<(), PackError> {
        let length: usize;
        (self.stamp, length) = Pack::unpack(from)?;
        if length != 0 && length != amoebots {
            return Err(PackError);
        }
        self.was = vec![false; length];
        unpack_bits(&mut self.was, from)
    }

    /// Reports every amoebot added (true) or removed (false) since the last look, each once. O(1) after an action; O(n)
    /// after many changes and at the first look. If the set has another number of amoebots than before, all old members
    /// are reported as removed, and all new members as added.
    pub(crate) fn look(&mut self, set: &EnabledSet, mut tell: impl FnMut(AmoebotId, bool)) {
        let n = set.amoebots();
        let is_of_as_many = self.was.len() == n;
        if !is_of_as_many {
            let were = (0..).map(AmoebotId).zip(&self.was).filter(|(_, was)| **was);
            were.for_each(|(id, _)| tell(id, false));
            self.was = vec![false; n];
        }
        let was = &mut self.was;
        let mut compare = |id: AmoebotId| {
            let is = set.contains(id);
            if std::mem::replace(&mut was[id.index()], is) != is {
                tell(id, is);
            }
        };
        match is_of_as_many.then(|| set.changed_since(self.stamp)).flatten() {
            Some(changed) => changed.for_each(compare),
            None => (0..n as u32).for_each(|id| compare(AmoebotId(id))),
        }
        self.stamp = set.stamp();
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
                set.set(AmoebotId(id), member);
                if member { model.insert(id); } else { model.remove(&id); }
                let members: BTreeSet<u32> = set.ids().iter().map(|id| id.0).collect();
                prop_assert_eq!(&members, &model);
                prop_assert_eq!(set.ids().len(), model.len());
                prop_assert_eq!(set.is_empty(), model.is_empty());
                prop_assert!((0..12).all(|id| set.contains(AmoebotId(id)) == model.contains(&id)));
            }
        }

        /// The watch looks after few changes, after many changes, and at another set in between.
        #[test]
        fn a_watch_knows_the_members_at_each_look(
            changes in prop::collection::vec((0..10_u32, any::<bool>(), 0..12_u8), 0..400),
        ) {
            let (mut sets, mut watch) = (
                [EnabledSet::none_of(10), EnabledSet::none_of(10), EnabledSet::none_of(7)],
                EnabledWatch::default(),
            );
            let mut known = BTreeSet::new();
            for (id, member, look) in changes {
                sets[0].set(AmoebotId(id), member);
                sets[1].set(AmoebotId((id * 3) % 10), member);
                sets[2].set(AmoebotId(id % 7), member);
                let Some(set) = sets.get(match look { 0..6 => 0, 6 => 1, 7 => 2, _ => 3 }) else { continue };
                let mut told = BTreeSet::new();
                watch.look(set, |id, came| {
                    assert!(told.insert((id, came)), "told twice of {id}");
                    assert!(if came { known.insert(id) } else { known.remove(&id) });
                });
                prop_assert_eq!(&known, &set.ids().iter().copied().collect::<BTreeSet<AmoebotId>>());
            }
        }
    }

    #[test]
    fn changes_are_remembered_for_a_while() {
        let mut set = EnabledSet::none_of(3);
        let start = set.stamp();
        set.set(AmoebotId(2), true);
        set.set(AmoebotId(2), true); // no change
        let then = set.stamp();
        for i in 0..RECENT - 1 {
            set.set(AmoebotId((i % 2) as u32), i % 4 < 2);
        }
        let since =
            |stamp| set.changed_since(stamp).map(|changed| changed.map(|id| id.0).collect::<Vec<_>>());
        assert_eq!(since(set.stamp()), Some(vec![]));
        assert_eq!(since(then).expect("known")[..3], [0, 1, 0]);
        assert_eq!((since(start).map(|all| all.len()), since(start).expect("known")[0]), (Some(RECENT), 2));
        set.set(AmoebotId(2), false);
        assert!(set.changed_since(start).is_none() && set.changed_since(then).is_some());
        assert!(set.changed_since(Stamp(1)).is_none());
    }
}
