//! [`CircuitNames`]: the circuit of each set.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::pin::{SetBits, WORD};
use super::wiring::Wiring;
use crate::interruption::{GoesOn, is_time};

/// The circuits as a forest over the numbers of sets. The root of a tree is the name of its circuit. Parents have lower
/// numbers, and the lowest set of a circuit is its root. So names depend neither on the order in which sets are joined
/// nor on the number of threads.
///
/// Entries are atomic, because readers shorten paths. Every value of an entry is an ancestor of its set in the same
/// forest, so the order of accesses does not matter.
#[derive(Debug, Default)]
pub(super) struct CircuitNames {
    parents: Vec<AtomicU32>,
    /// The slots of sets that may have a parent other than themselves.
    joined: SetBits,
    visited: Vec<u32>,
    visit: u32,
}

/// The slots of sets that were joined to lower sets.
#[derive(Default)]
struct JoinedSlots {
    slots: SetBits,
    /// The numbers of all sets with the slot that was added last. The next set nearly always has the same slot, which
    /// saves a division.
    last: Range<usize>,
}

impl JoinedSlots {
    #[inline]
    fn add(&mut self, set: usize, amoebots: usize) {
        if !self.last.contains(&set) {
            let slot = set / amoebots;
            self.last = slot * amoebots..(slot + 1) * amoebots;
            self.slots.add(slot);
        }
    }
}

/// The result of joining the sets of a block of amoebots.
struct JoinedBlock {
    /// The slots with joined sets.
    slots: SetBits,
    /// The links to earlier blocks.
    between: Vec<(u32, u32)>,
    /// Whether time ran out before all amoebots of the block were joined.
    is_cut: bool,
}

impl Clone for CircuitNames {
    fn clone(&self) -> Self {
        let parents = self.parents.iter().map(|parent| AtomicU32::new(parent.load(Ordering::Relaxed)));
        Self {
            parents: parents.collect(),
            joined: self.joined,
            visited: self.visited.clone(),
            visit: self.visit,
        }
    }
}

impl CircuitNames {
    /// Makes each set a separate circuit.
    pub(super) fn reset(&mut self, wiring: &Wiring) {
        let (amoebots, sets) = (wiring.amoebots, wiring.amoebots * wiring.stride);
        if self.parents.len() == sets {
            for set in self.joined.iter().flat_map(|slot| slot * amoebots..(slot + 1) * amoebots) {
                *self.parents[set].get_mut() = set as u32;
            }
        } else {
            self.parents = (0..sets as u32).map(AtomicU32::new).collect();
            self.visited.clear();
        }
        self.joined = SetBits::default();
    }

    /// Joins all sets over all links. Blocks of amoebots are joined in parallel, then the links between them. Returns
    /// `false`, with circuits unknown, once `goes_on` returns false.
    #[must_use]
    pub(super) fn join_all(&mut self, wiring: &Wiring, block: usize, goes_on: &GoesOn<'_>) -> bool {
        if wiring.stride == 0 {
            return true;
        }
        let amoebots = wiring.amoebots;
        let starts = (0..amoebots).step_by(block);
        let blocks: Vec<Range<usize>> = starts.map(|start| start..amoebots.min(start + block)).collect();
        let join_block = |range: &Range<usize>| self.join_block(wiring, range.clone(), goes_on);
        let outcomes: Vec<JoinedBlock> = match &blocks[..] {
            [all] => vec![join_block(all)],
            _ => blocks.par_iter().map(join_block).collect(),
        };
        let mut joined = JoinedSlots::default();
        if outcomes.iter().any(|block| block.is_cut) {
            // Sets that this call has not reached still have their earlier parents.
            outcomes.iter().for_each(|block| self.joined.add_all(block.slots));
            return false;
        }
        for JoinedBlock { slots, between, .. } in outcomes {
            joined.slots.add_all(slots);
            for (a, b) in between {
                join(&self.parents, (a, b), wiring.amoebots, &mut joined);
            }
        }
        self.joined = joined.slots;
        true
    }

    /// Joins sets over the links inside a block of amoebots.
    fn join_block(&self, wiring: &Wiring, block: Range<usize>, goes_on: &GoesOn<'_>) -> JoinedBlock {
        let joined_before: Vec<usize> = self.joined.iter().map(|slot| slot * wiring.amoebots).collect();
        let (mut joined, mut between) = (JoinedSlots::default(), Vec::new());
        let Wiring { pins, amoebots, width, .. } = *wiring;
        let (rows, parents, bytes) = (wiring.rows.as_flattened(), &self.parents[..], width * WORD);
        let mirror = if wiring.same_numbers_are_linked { 0 } else { pins - 1 };
        for amoebot in block.clone() {
            if !is_time(amoebot, goes_on) {
                return JoinedBlock { slots: joined.slots, between, is_cut: true };
            }
            // Only later amoebots read these entries.
            for first in &joined_before {
                let set = first + amoebot;
                parents[set].store(set as u32, Ordering::Relaxed);
            }
            let mut edges = wiring.earlier[amoebot];
            while edges != 0 {
                let edge = edges.trailing_zeros() as usize;
                edges &= edges - 1;
                let Some((other, opposite)) = wiring.across(amoebot, edge) else { continue };
                let near = &rows[amoebot * bytes + edge * pins..][..pins];
                let far = &rows[other * bytes + opposite * pins..][..pins];
                // Most pairs are known from the previous pin.
                let mut last = (u8::MAX, u8::MAX);
                for (index, &own) in near.iter().enumerate() {
                    // The last pin less the index, or the index itself.
                    let pair = (own, far[mirror.abs_diff(index)]);
                    if std::mem::replace(&mut last, pair) == pair {
                        continue;
                    }
                    let own = (usize::from(pair.0) * amoebots + amoebot) as u32;
                    let far = (usize::from(pair.1) * amoebots + other) as u32;
                    if other >= block.start {
                        join(parents, (own, far), amoebots, &mut joined);
                    } else {
                        between.push((own, far));
                    }
                }
            }
        }
        JoinedBlock { slots: joined.slots, between, is_cut: false }
    }

    /// The name of the circuit of a set.
    #[inline(always)]
    pub(super) fn of(&self, set: u32) -> u32 {
        root(&self.parents, set)
    }

    /// Floods the circuits that touch a changed configuration. Every part of a dissolved circuit has a link to a
    /// changed amoebot, since sets were separated only there. Returns `false`, with circuits unknown, if these circuits
    /// have more than `most` sets: joining all sets is then faster.
    pub(super) fn flood(&mut self, wiring: &Wiring, changed: &[u32], most: usize) -> bool {
        if self.visited.len() != self.parents.len() {
            self.visited = vec![0; self.parents.len()];
            self.visit = 0;
        }
        self.visit += 1;
        let (mut found, mut left): (Vec<(u32, u8)>, usize) = (Vec::new(), most);
        for amoebot in changed {
            let amoebot = *amoebot as usize;
            for slot in 0..wiring.stride {
                // Pins that left a set have names of circuits from earlier; so every pin is reset.
                let own = (amoebot, wiring.lowest(amoebot, slot));
                let single = (amoebot, slot as u8);
                for (amoebot, set) in [own, wiring.linked_set(amoebot, slot).unwrap_or(single)] {
                    if wiring.lowest(amoebot, set.into()) == set
                        && !self.flood_from(wiring, (amoebot as u32, set), &mut found, &mut left)
                    {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Floods the circuit of one set, unless this call of [`flood`](Self::flood) has flooded it before. Returns `false`
    /// if the circuit has more than `left` sets.
    fn flood_from(
        &mut self,
        wiring: &Wiring,
        seed: (u32, u8),
        found: &mut Vec<(u32, u8)>,
        left: &mut usize,
    ) -> bool {
        let number = |&(amoebot, set): &(u32, u8)| wiring.number(amoebot as usize, set);
        if self.visited[number(&seed)] == self.visit {
            return true;
        }
        self.visited[number(&seed)] = self.visit;
        found.clear();
        found.push(seed);
        let mut name = number(&seed);
        let mut next = 0;
        while let Some(&(amoebot, set)) = found.get(next) {
            next += 1;
            let amoebot = amoebot as usize;
            name = name.min(wiring.number(amoebot, set));
            for slot in usize::from(set)..wiring.stride {
                if wiring.lowest(amoebot, slot) == set
                    && let Some((other, far)) = wiring.linked_set(amoebot, slot)
                {
                    let there = &mut self.visited[wiring.number(other, far)];
                    if std::mem::replace(there, self.visit) != self.visit {
                        found.push((other as u32, far));
                    }
                }
            }
            if found.len() > *left {
                return false;
            }
        }
        *left -= found.len();
        for set in found.iter() {
            *self.parents[number(set)].get_mut() = name as u32;
            self.joined.add(set.1.into());
        }
        true
    }
}

/// Joins the circuits of two sets.
#[inline(always)]
fn join(parents: &[AtomicU32], (a, b): (u32, u32), amoebots: usize, joined: &mut JoinedSlots) {
    let (a, b) = (root(parents, a), root(parents, b));
    if a != b {
        let upper = a.max(b) as usize;
        parents[upper].store(a.min(b), Ordering::Relaxed);
        joined.add(upper, amoebots);
    }
}

/// The root of a set. Shortens the path to the root by path halving.
#[inline(always)]
fn root(parents: &[AtomicU32], set: u32) -> u32 {
    let mut at = set;
    loop {
        let up = parents[at as usize].load(Ordering::Relaxed);
        if up == at {
            return at;
        }
        let above = parents[up as usize].load(Ordering::Relaxed);
        if above == up {
            return up;
        }
        parents[at as usize].store(above, Ordering::Relaxed);
        at = above;
    }
}
