//! All sets of amoebots that may act in one isolated round.

use crate::model::id::AmoebotId;

use super::limits::{ExploreError, Meter};

/// Lists every maximal set of amoebots in which no two are near each other. Each set is listed once. A random order
/// leads to one of these sets, and there are far fewer sets than orders.
///
/// Source: Bron, Kerbosch, "Algorithm 457: finding all cliques of an undirected graph", CACM 1973, with the choice of a
/// pivot by Tomita, Tanaka, Takahashi, 2006, here for independent sets.
pub(super) struct MaximalSets {
    ids: Vec<AmoebotId>,
    /// For each of `ids`, the sorted positions of the amoebots near it, itself included.
    near: Vec<Vec<usize>>,
    chosen: Vec<usize>,
    stack: Vec<SetFrame>,
}

/// A node of the search: all maximal sets that contain the chosen amoebots.
struct SetFrame {
    /// The amoebots that may be added.
    left: Vec<usize>,
    /// The amoebots that could be added, but whose maximal sets have already been listed.
    listed: Vec<usize>,
    /// The amoebots to try next, from the end of the list. Each maximal set not yet listed contains at least one of
    /// them.
    branches: Vec<usize>,
    bytes: usize,
}

impl SetFrame {
    fn new(left: Vec<usize>, listed: Vec<usize>, near: &[Vec<usize>]) -> Self {
        // A maximal set contains the pivot or an amoebot near it.
        let left_near =
            |pivot: usize| near[pivot].iter().copied().filter(|at| left.binary_search(at).is_ok());
        let pivot = left.iter().chain(&listed).copied().min_by_key(|pivot| left_near(*pivot).count());
        let mut branches: Vec<usize> = pivot.map(|pivot| left_near(pivot).collect()).unwrap_or_default();
        branches.reverse();
        let positions = left.len() + listed.len() + branches.len();
        let bytes = size_of::<Self>() + positions * size_of::<usize>();
        Self { left, listed, branches, bytes }
    }
}

impl MaximalSets {
    /// Prepares the enumeration. `ids` must be sorted; `within` returns the amoebots near a given one, in any order.
    /// Amoebots that are not in `ids` are ignored.
    pub(super) fn new(ids: Vec<AmoebotId>, within: impl Fn(AmoebotId) -> Vec<AmoebotId>) -> Self {
        let near = |id: &AmoebotId| {
            let known = within(*id).into_iter().filter_map(|near| ids.binary_search(&near).ok());
            let mut near: Vec<usize> = known.collect();
            near.sort_unstable();
            near
        };
        let near: Vec<Vec<usize>> = ids.iter().map(near).collect();
        let all = SetFrame::new((0..ids.len()).collect(), Vec::new(), &near);
        Self { ids, near, chosen: Vec::new(), stack: vec![all] }
    }

    /// The next set, sorted. The meter counts the memory of the search.
    pub(super) fn next(
        &mut self,
        meter: &mut Meter,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<AmoebotId>>, ExploreError> {
        while let Some(frame) = self.stack.last_mut() {
            if is_stopped() {
                return Err(ExploreError::Stopped { states: 0 });
            }
            let Some(added) = frame.branches.pop() else {
                // The root frame was not taken: no amoebot was added for it.
                if self.chosen.pop().is_some() {
                    meter.give_back(frame.bytes);
                }
                self.stack.pop();
                continue;
            };
            let is_far = |at: &usize| self.near[added].binary_search(at).is_err();
            let left: Vec<usize> = frame.left.iter().copied().filter(is_far).collect();
            let listed: Vec<usize> = frame.listed.iter().copied().filter(is_far).collect();
            frame.left.retain(|at| *at != added);
            frame.listed.push(added);
            if !left.is_empty() {
                let frame = SetFrame::new(left, listed, &self.near);
                meter.take(frame.bytes)?;
                self.stack.push(frame);
                self.chosen.push(added);
            } else if listed.is_empty() {
                let mut set: Vec<AmoebotId> =
                    self.chosen.iter().chain([&added]).map(|at| self.ids[*at]).collect();
                set.sort_unstable();
                return Ok(Some(set));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::check::CheckLimits;

    fn listed(near: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let ids = (0..near.len() as u32).map(AmoebotId).collect();
        let mut sets = MaximalSets::new(ids, |id| {
            near[id.index()].iter().copied().chain([id.0]).map(AmoebotId).collect()
        });
        let mut meter = Meter::new(CheckLimits::default());
        let mut all = Vec::new();
        while let Some(set) = sets.next(&mut meter, &|| false).unwrap() {
            all.push(set.into_iter().map(|id| id.0).collect());
        }
        all
    }

    /// All maximal sets, found by trying every subset.
    fn by_definition(near: &[Vec<u32>]) -> BTreeSet<Vec<u32>> {
        let n = near.len() as u32;
        let is_apart = |set: u32| {
            (0..n).all(|a| set >> a & 1 == 0 || near[a as usize].iter().all(|b| *b == a || set >> b & 1 == 0))
        };
        let is_maximal = |set: &u32| {
            is_apart(*set) && (0..n).all(|more| set >> more & 1 == 1 || !is_apart(set | 1 << more))
        };
        let members = |set: u32| (0..n).filter(|a| set >> a & 1 == 1).collect();
        (0..1 << n).filter(is_maximal).map(members).collect()
    }

    #[test]
    fn every_maximal_set_once() {
        // Every graph of five nodes.
        let pairs: Vec<(u32, u32)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
        for graph in 0_u32..1 << pairs.len() {
            let mut near = vec![Vec::new(); 5];
            for (_, &(a, b)) in pairs.iter().enumerate().filter(|(at, _)| graph >> at & 1 == 1) {
                near[a as usize].push(b);
                near[b as usize].push(a);
            }
            let found = listed(&near);
            let expected = by_definition(&near);
            assert_eq!(found.len(), expected.len(), "{near:?}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{near:?}");
        }
    }

    #[test]
    fn amoebots_far_apart_have_one_maximal_set() {
        assert_eq!(listed(&vec![Vec::new(); 2000]).len(), 1);
        // Amoebots in a row, each near the next: the Padovan numbers.
        let row = |n: u32| {
            (0..n).map(move |at| [at.wrapping_sub(1), at + 1].into_iter().filter(|b| *b < n).collect())
        };
        let counts = [1, 2, 3, 4, 5, 6, 7, 8].map(|n| listed(&row(n).collect::<Vec<_>>()).len());
        assert_eq!(counts, [1, 2, 2, 3, 4, 5, 7, 9]);
    }

    #[test]
    fn the_stack_counts() {
        let near = vec![Vec::new(); 100];
        let mut sets = MaximalSets::new((0..100).map(AmoebotId).collect(), |id| {
            near[id.index()].iter().copied().chain([id]).collect()
        });
        let mut meter = Meter::new(CheckLimits { bytes_max: 10_000, ..CheckLimits::default() });
        let error = sets.next(&mut meter, &|| false).unwrap_err();
        assert!(matches!(error, ExploreError::TooManyBytes { limit: 10_000, .. }), "{error}");
        let mut meter = Meter::new(CheckLimits::default());
        assert_eq!(sets.next(&mut meter, &|| true), Err(ExploreError::Stopped { states: 0 }));
    }
}
