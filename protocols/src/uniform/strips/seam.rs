//! The second phase: the deferred interactions around each seam, in order.

use super::strip::{Later, Mine, Outcomes, TAINT};

/// A half of a strip: its states and its deferred interactions.
pub(super) struct Half<'a> {
    pub(super) states: &'a mut [u8],
    pub(super) later: &'a [Later],
}

/// Executes the deferred interactions of consecutive halves. Both agents of each interaction are in these halves. If
/// the halves go around the torus, the last and the first half may share interactions.
///
/// The list of each half is in order. An interaction between two halves is in both lists, and is executed once it is
/// the first in both lists. Two neighbouring lists have their shared interactions in the same order.
pub(super) fn finish(halves: &mut [Half<'_>], outcomes: &Outcomes) {
    let count = halves.len();
    loop {
        let mut moved = false;
        for number in 0..count {
            while let Some((Later::Here([i, j]), later)) = halves[number].later.split_first() {
                let states = &mut *halves[number].states;
                let (i, j) = (*i as usize, *j as usize);
                [states[i], states[j]] = outcomes.of(states[i] & !TAINT, states[j] & !TAINT);
                halves[number].later = later;
                moved = true;
            }
            let next = (number + 1) % count;
            if let (Some(&Later::WithAfter(mine)), Some(&Later::WithBefore(other))) =
                (halves[number].later.first(), halves[next].later.first())
            {
                let of = |halves: &[Half<'_>], half: usize, mine: Mine| {
                    halves[half].states[mine.place as usize] & !TAINT
                };
                let (a, b) = (of(halves, number, mine), of(halves, next, other));
                let [a, b] = if mine.is_initiator {
                    outcomes.of(a, b)
                } else {
                    let [b, a] = outcomes.of(b, a);
                    [a, b]
                };
                halves[number].states[mine.place as usize] = a;
                halves[next].states[other.place as usize] = b;
                halves[number].later = &halves[number].later[1..];
                halves[next].later = &halves[next].later[1..];
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    assert!(halves.iter().all(|half| half.later.is_empty()), "interactions wait for each other in a circle");
}
