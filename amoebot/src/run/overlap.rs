//! Checks that lock sets held at the same moment are disjoint.

use crate::model::id::AmoebotId;

/// An amoebot that is in two lock sets held at the same moment, which is a fault of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// The number of the window or wave, from 0.
    pub step: u64,
    /// The amoebot in both lock sets.
    pub id: AmoebotId,
}

acrasin_runtime::pack_fields!(Overlap { step, id });

/// An amoebot that is in two of these lists; `None` if the lists are disjoint. O(k log k) for k members in total.
pub(super) fn in_two(lists: impl Iterator<Item = impl IntoIterator<Item = AmoebotId>>) -> Option<AmoebotId> {
    in_two_of(lists.enumerate().flat_map(|(list, ids)| ids.into_iter().map(move |id| (id, list))).collect())
}

fn in_two_of(mut all: Vec<(AmoebotId, usize)>) -> Option<AmoebotId> {
    all.sort_unstable();
    all.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1).map(|pair| pair[0].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amoebots_in_two_lists_are_found() {
        let found = |lists: [&[u32]; 3]| {
            in_two(lists.iter().map(|list| list.iter().map(|id| AmoebotId(*id)))).map(|id| id.0)
        };
        assert_eq!(found([&[3, 1], &[2], &[0]]), None);
        // A tile may list the same amoebot several times.
        assert_eq!(found([&[3, 3], &[], &[0]]), None);
        assert_eq!(found([&[3, 1], &[2], &[0, 3]]), Some(3));
    }
}
