//! The open decisions of a wave: priorities of amoebots, and random draws.

use acrasin_engine::{Draws, Purpose};
use acrasin_runtime::choice::Choices;

use crate::algorithm::Looks;
use crate::model::id::AmoebotId;
use crate::model::system::System;

/// The number of waves after which the claims are cleared: a claim begins with 24 bits that count waves down.
pub(super) const WAVES_PER_AGE: u64 = 1 << 24;

/// The distance within which an amoebot that reads beyond its neighbours locks other amoebots. Such an amoebot reads
/// cells up to two steps away, and another amoebot changes bodies or enters free cells up to two steps away. All
/// amoebots within this distance are in the lock set, so free cells need no locks.
const WITHIN: i32 = 4;

/// Calls `each` for the amoebots that an amoebot locks besides itself, possibly more than once for the same amoebot.
#[inline]
pub(crate) fn each_locked<M>(system: &System<M>, id: AmoebotId, looks: Looks, each: impl FnMut(AmoebotId)) {
    match looks {
        Looks::AtNeighbours => system.each_near(id, each),
        Looks::Beyond => system.each_within(id, WITHIN, each),
    }
}

/// The lock set of an amoebot: first the amoebot itself, then each of the others once.
pub(crate) fn lock_set<M>(system: &System<M>, id: AmoebotId, looks: Looks) -> Vec<AmoebotId> {
    let mut members = vec![id];
    each_locked(system, id, looks, |near| {
        if !members.contains(&near) {
            members.push(near);
        }
    });
    members
}

/// The decisions that a wave does not make itself: priorities, draws, and the extent of lock sets.
pub(crate) trait WaveDecisions: Sync {
    /// The claim of an amoebot. Claims are distinct, and the least claim wins.
    fn claim(&self, id: AmoebotId) -> u64;

    /// The draws that choose among several enabled actions.
    fn action(&self, id: AmoebotId) -> impl Choices;

    /// The draws of the amoebot in its action.
    fn section(&self, id: AmoebotId) -> impl Choices;

    /// Calls `each` for the amoebots that `id` locks besides itself.
    #[inline]
    fn each_locked<M>(&self, system: &System<M>, id: AmoebotId, looks: Looks, each: impl FnMut(AmoebotId)) {
        each_locked(system, id, looks, each);
    }
}

/// Random decisions, as functions of seed, wave and amoebot.
pub(super) struct DrawnDecisions {
    draws: Draws,
    wave: u64,
    order: WavePriorities,
}

impl DrawnDecisions {
    pub(super) fn new(draws: Draws, wave: u64) -> Self {
        Self { draws, wave, order: WavePriorities::new(draws, wave) }
    }
}

impl WaveDecisions for DrawnDecisions {
    #[inline]
    fn claim(&self, id: AmoebotId) -> u64 {
        self.order.claim(id)
    }

    fn action(&self, id: AmoebotId) -> impl Choices {
        self.draws.stream(Purpose::Action, self.wave).of_node(id.0)
    }

    fn section(&self, id: AmoebotId) -> impl Choices {
        self.draws.stream(Purpose::Section, self.wave).of_node(id.0)
    }
}

/// The priorities of a wave, distinct for all amoebots.
#[derive(Clone, Copy)]
struct WavePriorities {
    age: u64,
    keys: [u32; 2],
}

impl WavePriorities {
    fn new(draws: Draws, wave: u64) -> Self {
        let word = draws.stream(Purpose::Order, wave).word(0);
        let age = WAVES_PER_AGE - 1 - wave % WAVES_PER_AGE;
        Self { age, keys: [word as u32, (word >> 32) as u32] }
    }

    /// The claim of an amoebot; the least claim wins. Each step is a bijection of 32 bits, so claims are distinct.
    fn claim(self, id: AmoebotId) -> u64 {
        // The hash lowbias32 (Wellons 2018), continued with a second key.
        let mut x = id.0 ^ self.keys[0];
        x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
        x = (x ^ x >> 15).wrapping_mul(0x846c_a68b).wrapping_add(self.keys[1]);
        x = (x ^ x >> 16).wrapping_mul(0x9e37_79b1);
        x ^= x >> 15;
        self.age << 32 | u64::from(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn claims_differ_and_later_waves_go_first() {
        let draws = Draws::new(3);
        for wave in [0, 1, 77, WAVES_PER_AGE - 2] {
            let order = WavePriorities::new(draws, wave);
            let claims: BTreeSet<u64> = (0..100_000).map(|id| order.claim(AmoebotId(id))).collect();
            assert_eq!(claims.len(), 100_000);
            let next = WavePriorities::new(draws, wave + 1);
            assert!((0..1000).map(|id| next.claim(AmoebotId(id))).max().unwrap() < *claims.first().unwrap());
        }
    }

    #[test]
    fn every_amoebot_is_first_as_often_as_another() {
        let draws = Draws::new(5);
        let mut firsts = [0_u32; 8];
        for wave in 0..8000 {
            let order = WavePriorities::new(draws, wave);
            let first = (0..8).min_by_key(|id| order.claim(AmoebotId(*id))).unwrap();
            firsts[first as usize] += 1;
        }
        let chi_square = |firsts: [u32; 8]| {
            firsts.iter().map(|&first| (f64::from(first) - 1000.0).powi(2) / 1000.0).sum::<f64>()
        };
        // 7 degrees of freedom, probability 1e-4.
        assert!(chi_square(firsts) < 29.9, "{firsts:?}");
        let biased = std::array::from_fn(|id| if id == 0 { firsts[0] + 200 } else { firsts[id] - 25 });
        assert!(chi_square(biased) > 29.9);
    }
}
