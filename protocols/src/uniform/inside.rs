//! Configurations inside an epoch, after any number of its interactions. Observing them does not change the run.
//!
//! The log of an epoch contains each collision, and the kinds and numbers of all evaluated pairs. Given the log, every
//! order of the pairs is equally likely. So the order is drawn on demand from separate streams: the epoch is halved
//! repeatedly, and the numbers of interactions of each kind in each half are drawn. Every observation sees the same
//! order.

use hashbrown::HashSet;

use crate::SeedlessHasher;

use super::draws::{RandomDraws, StreamPurpose};
use super::epoch::{EpochCollision, EpochLog, PairEffect};
use super::hypergeometric::take;
use acrasin_process::Condition;

/// Draws the configurations inside an epoch from its log.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    interactions: u64,
    /// The interactions whose position in the epoch is known, sorted by position: collisions, and the pairs evaluated
    /// for them.
    known: Vec<(u64, PairEffect)>,
    /// The kinds of the interactions whose position is not known.
    effects: Vec<PairEffect>,
    /// The number of interactions of each kind.
    often: Vec<u64>,
    key: u64,
}

/// An interval of the epoch, with the number of its interactions of each kind.
struct Stretch {
    from: u64,
    to: u64,
    often: Vec<u64>,
    /// The number of the interval in the binary tree of halves; the root has 1.
    node: u64,
}

impl Inside {
    pub(super) fn new(log: EpochLog, interactions: u64, mut draws: RandomDraws) -> Self {
        let EpochLog { collisions, cells } = log;
        let known = places(&collisions, &mut draws);
        // By kinds instead of pairs: a shuffled epoch lists each pair individually.
        let mut cells = cells;
        cells.sort_by_key(|(effect, _)| (effect.before, effect.after));
        let (mut effects, mut often): (Vec<PairEffect>, Vec<u64>) = (Vec::new(), Vec::new());
        for (effect, times) in cells {
            if effects.last() == Some(&effect) {
                *often.last_mut().expect("as many counts as kinds") += times;
            } else {
                effects.push(effect);
                often.push(times);
            }
        }
        Self { interactions, known, effects, often, key: draws.word() }
    }

    fn root(&self) -> Stretch {
        Stretch { from: 0, to: self.interactions, often: self.often.clone(), node: 1 }
    }

    /// The counts after the first `place` interactions, given the counts at the start.
    pub(super) fn counts_at(&self, start: &[u64], place: u64) -> Vec<u64> {
        let mut counts = start.to_vec();
        let mut stretch = self.root();
        // Signed sums: in this order, a pair may come before the one that produces its states.
        let mut changes = vec![0_i64; counts.len()];
        while stretch.from < place {
            if stretch.to <= place {
                self.add(&stretch, &mut changes);
                break;
            }
            let [first, second] = self.halves(stretch);
            if first.to <= place {
                self.add(&first, &mut changes);
                stretch = second;
            } else {
                stretch = first;
            }
        }
        apply(&mut counts, &changes);
        counts
    }

    /// The first number of interactions above `after` at which `condition` holds, with the counts there; `None` if it
    /// holds nowhere in the epoch.
    pub(super) fn first_after(
        &self,
        start: &[u64],
        after: u64,
        condition: &dyn Condition,
    ) -> Option<(u64, Vec<u64>)> {
        let mut counts = start.to_vec();
        self.search(self.root(), after, &mut counts, condition)
    }

    /// Searches an interval. If the condition holds nowhere in it, returns `None` and moves `counts` to its end.
    fn search(
        &self,
        stretch: Stretch,
        after: u64,
        counts: &mut Vec<u64>,
        condition: &dyn Condition,
    ) -> Option<(u64, Vec<u64>)> {
        let mut changes = vec![0_i64; counts.len()];
        self.add(&stretch, &mut changes);
        if stretch.to <= after || !self.possible(&stretch, counts, condition) {
            apply(counts, &changes);
            return None;
        }
        if stretch.to - stretch.from == 1 {
            apply(counts, &changes);
            return condition.holds(counts).then(|| (stretch.to, counts.clone()));
        }
        let [first, second] = self.halves(stretch);
        self.search(first, after, counts, condition).or_else(|| self.search(second, after, counts, condition))
    }

    /// Whether the condition can hold somewhere in the interval. The bounds on the counts follow from all losses and
    /// all gains in it.
    fn possible(&self, stretch: &Stretch, counts: &[u64], condition: &dyn Condition) -> bool {
        let (mut least, mut most) = (counts.to_vec(), counts.to_vec());
        let mut move_by = |effect: PairEffect, times: u64| {
            let mut change = |state: u16, lost: u64, won: u64| {
                let state = usize::from(state);
                least[state] = least[state].saturating_sub(lost);
                most[state] += won;
            };
            for (state, lost, won) in net(effect) {
                change(state, lost * times, won * times);
            }
        };
        for (&effect, &times) in self.effects.iter().zip(&stretch.often) {
            move_by(effect, times);
        }
        for &(_, effect) in self.known_within(stretch.from, stretch.to) {
            move_by(effect, 1);
        }
        condition.possible(&least, &most)
    }

    fn known_within(&self, from: u64, to: u64) -> &[(u64, PairEffect)] {
        let first = self.known.partition_point(|&(place, _)| place < from);
        let end = self.known.partition_point(|&(place, _)| place < to);
        &self.known[first..end]
    }

    /// Adds the changes of counts in an interval to `changes`.
    fn add(&self, stretch: &Stretch, changes: &mut [i64]) {
        let mut add = |effect: PairEffect, times: i64| {
            for (before, after) in effect.before.into_iter().zip(effect.after) {
                changes[usize::from(before)] -= times;
                changes[usize::from(after)] += times;
            }
        };
        for (&effect, &times) in self.effects.iter().zip(&stretch.often) {
            add(effect, times as i64);
        }
        for &(_, effect) in self.known_within(stretch.from, stretch.to) {
            add(effect, 1);
        }
    }

    /// Draws the two halves of an interval: every choice of the interactions in the first half is equally likely.
    fn halves(&self, stretch: Stretch) -> [Stretch; 2] {
        let Stretch { from, to, often: mut second, node } = stretch;
        let middle = from + (to - from) / 2;
        let unknown = (middle - from) - self.known_within(from, middle).len() as u64;
        let mut first = vec![0; second.len()];
        let left = second.iter().sum();
        take(
            &mut second,
            &mut first,
            left,
            unknown,
            &mut RandomDraws::new(self.key, StreamPurpose::Inside, node),
        );
        [
            Stretch { from, to: middle, often: first, node: 2 * node },
            Stretch { from: middle, to, often: second, node: 2 * node + 1 },
        ]
    }
}

/// The states that an effect changes, each with the numbers of agents that leave and enter it.
fn net(effect: PairEffect) -> impl Iterator<Item = (u16, u64, u64)> {
    let PairEffect { before, after } = effect;
    let swapped = before == [after[1], after[0]];
    (0..2)
        .filter(move |&role| !swapped && before[role] != after[role])
        .flat_map(move |role| [(before[role], 1, 0), (after[role], 0, 1)])
}

fn apply(counts: &mut [u64], changes: &[i64]) {
    for (count, &change) in counts.iter_mut().zip(changes) {
        *count = count.checked_add_signed(change).expect("a count is never negative");
    }
}

/// Collisions and the pairs evaluated for them, sorted by position. Such a pair is uniformly random among the delayed
/// pairs.
fn places(collisions: &[EpochCollision], draws: &mut RandomDraws) -> Vec<(u64, PairEffect)> {
    let pairs_before: Vec<u64> =
        collisions.iter().enumerate().map(|(number, collision)| collision.place - number as u64).collect();
    let mut taken: HashSet<u64, SeedlessHasher> = HashSet::default();
    let mut known = Vec::with_capacity(3 * collisions.len());
    for (number, collision) in collisions.iter().enumerate() {
        known.push((collision.place, collision.effect));
        for &effect in collision.earlier.iter().flatten() {
            let pair = loop {
                let pair = draws.below(pairs_before[number]);
                if taken.insert(pair) {
                    break pair;
                }
            };
            // Pair number p comes after the collisions before which at most p pairs were recorded.
            let before = pairs_before.partition_point(|&pairs| pairs <= pair);
            known.push((pair + before as u64, effect));
        }
    }
    known.sort_by_key(|&(place, _)| place);
    known
}
