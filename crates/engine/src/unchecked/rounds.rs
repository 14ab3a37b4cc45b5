//! Rounds of disjoint sets of elements; the sets of a round can be used at the same time.
//!
//! This module contains no unchecked code, but unchecked code relies on [`DisjointRounds`]. No other module can access
//! its fields.

use super::prefetch;

/// Sets of elements, sorted into rounds. The sets of one round are disjoint; of two sets that share an element, the
/// earlier set is in an earlier round.
///
/// So running the rounds one after another, each in any order or in parallel, gives the result of running the sets in
/// order.
///
/// The round of a set is the first one after the rounds of all earlier sets that share an element with it.
#[derive(Debug)]
pub(crate) struct DisjointRounds {
    /// The members of all sets, one set after another, with [`Self::EMPTY`] at empty positions.
    members: Vec<u32>,
    /// The index in `members` at which each set begins, and the end of the last set.
    bounds: Vec<u32>,
    /// The round of each set, from 1.
    round_of: Vec<u16>,
    /// The sets by round, in order within each round. Valid after `sort`.
    sorted: Vec<u32>,
    /// The end of each round in `sorted`.
    ends: Vec<u32>,
    /// For each element, in the low 16 bits the last round of a set that contains it, and above them the generation of
    /// the sets. Words of earlier generations count as 0, so `clear` need not reset them.
    latest: Vec<u32>,
    generation: u32,
    /// The shift of the multiplicative hash that maps an element to its word; 0 if each element has a separate word.
    hash_shift: u32,
    /// A planted fault for tests: ignores the last member of each set.
    #[cfg(test)]
    pub(crate) blind: bool,
}

impl DisjointRounds {
    /// The value of an empty position in a set.
    pub(crate) const EMPTY: u32 = u32::MAX;
    /// The largest number of words that fit in the second-level cache. With more words, accesses are prefetched.
    const SECOND_CACHE: usize = 1 << 18;
    /// The maximum number of sets.
    pub(crate) const SETS_MAX: usize = u16::MAX as usize;

    /// Creates rounds for elements in `0..elements`, with one word each.
    pub(crate) fn with_word_each(elements: u32) -> Self {
        Self::new(elements as usize, 0)
    }

    /// Creates rounds for any elements, with `2^bits` words; `bits` is in `1..=31`. Elements that share a word may
    /// cause disjoint sets to be in different rounds.
    pub(crate) fn hashed(bits: u32) -> Self {
        assert!((1..32).contains(&bits), "2^{bits} words");
        Self::new(1 << bits, u32::BITS - bits)
    }

    fn new(words: usize, hash_shift: u32) -> Self {
        Self {
            members: Vec::new(),
            bounds: vec![0],
            round_of: Vec::new(),
            sorted: Vec::new(),
            ends: Vec::new(),
            latest: vec![0; words],
            generation: 0,
            hash_shift,
            #[cfg(test)]
            blind: false,
        }
    }

    /// Removes all sets.
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.bounds.truncate(1);
        self.round_of.clear();
        self.sorted.clear();
        self.ends.clear();
        self.generation += 1;
        if self.generation > u32::from(u16::MAX) {
            self.latest.fill(0);
            self.generation = 1;
        }
    }

    /// Adds a set after all others: its first member and the others, with [`EMPTY`](Self::EMPTY) at empty positions.
    ///
    /// [`settle`](Self::settle) determines the round of the set later, after prefetching.
    ///
    /// # Panics
    ///
    /// Panics if there are [`SETS_MAX`](Self::SETS_MAX) sets already.
    #[inline]
    pub(crate) fn push(&mut self, first: u32, others: impl Iterator<Item = u32>) {
        assert!(self.bounds.len() <= Self::SETS_MAX, "at most {} sets", Self::SETS_MAX);
        // Removes members that an earlier call pushed before it panicked.
        let begin = self.bounds[self.bounds.len() - 1] as usize;
        self.members.truncate(begin);
        self.members.push(first);
        self.members.extend(others);
        self.bounds.push(u32::try_from(self.members.len()).expect("fewer than 2^32 members"));
        if self.latest.len() > Self::SECOND_CACHE {
            for &member in &self.members[begin..] {
                prefetch(&self.latest, word_of(member, self.hash_shift));
            }
        }
    }

    /// Determines the rounds of all sets added so far except the last `but`.
    ///
    /// # Panics
    ///
    /// Panics if an element has no word.
    pub(crate) fn settle(&mut self, but: usize) {
        let (shift, generation, latest) = (self.hash_shift, self.generation << 16, &mut *self.latest);
        let settled = self.round_of.len();
        let sets = self.bounds.windows(2).take((self.bounds.len() - 1).saturating_sub(but)).skip(settled);
        for set in sets {
            let members = &self.members[set[0] as usize..set[1] as usize];
            let mut highest = 0;
            for &member in members.iter().filter(|&&member| member != Self::EMPTY) {
                // Words of earlier generations are lower than all words of this one.
                highest = highest.max(latest[word_of(member, shift)]);
            }
            // The round of a set is at most its own number, so rounds fit in 16 bits.
            let round = highest.max(generation) + 1;
            #[cfg(test)]
            let members = if self.blind { &members[..(members.len() - 1).max(1)] } else { members };
            for &member in members.iter().filter(|&&member| member != Self::EMPTY) {
                latest[word_of(member, shift)] = round;
            }
            self.round_of.push(round as u16);
        }
    }

    /// Sorts the sets by round. Sets added later belong to no round.
    ///
    /// # Panics
    ///
    /// As for [`settle`](Self::settle).
    pub(crate) fn sort(&mut self) {
        self.settle(0);
        let rounds = self.round_of.iter().copied().max().unwrap_or(0);
        self.ends.clear();
        self.ends.resize(usize::from(rounds) + 1, 0);
        for &round in &self.round_of {
            self.ends[usize::from(round)] += 1;
        }
        let mut begin = 0;
        for end in &mut self.ends {
            (*end, begin) = (begin, begin + *end);
        }
        self.sorted.clear();
        self.sorted.resize(self.round_of.len(), 0);
        for (set, &round) in self.round_of.iter().enumerate() {
            let place = &mut self.ends[usize::from(round)];
            self.sorted[*place as usize] = set as u32;
            *place += 1;
        }
    }

    /// The number of rounds.
    pub(crate) fn count(&self) -> usize {
        self.ends.len().saturating_sub(1)
    }

    /// The sets of a round in `0..count()`.
    pub(crate) fn sets(&self, round: usize) -> &[u32] {
        &self.sorted[self.ends[round] as usize..self.ends[round + 1] as usize]
    }

    /// The members of a set, with [`EMPTY`](Self::EMPTY) at empty positions.
    pub(crate) fn members(&self, set: u32) -> &[u32] {
        &self.members[self.bounds[set as usize] as usize..self.bounds[set as usize + 1] as usize]
    }

    /// The memory used, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let words = self.members.capacity()
            + self.bounds.capacity()
            + self.sorted.capacity()
            + self.ends.capacity()
            + self.latest.capacity();
        (words * size_of::<u32>() + self.round_of.capacity() * size_of::<u16>()) as u64
    }
}

/// The index of the word of an element.
#[inline(always)]
fn word_of(element: u32, hash_shift: u32) -> usize {
    match hash_shift {
        0 => element as usize,
        shift => (element.wrapping_mul(0x9e37_79b1) >> shift) as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unchecked::SetShare;

    /// Random sets of up to four out of 40 elements, with empty positions.
    fn some_sets(count: u64) -> Vec<Vec<u32>> {
        let draw = |i: u64| crate::draw::mix(i);
        let member = |i: u64| {
            if draw(i) % 7 == 0 { DisjointRounds::EMPTY } else { (draw(i + 1_000_000) % 40) as u32 }
        };
        (0..count).map(|set| (0..1 + draw(set) % 4).map(|place| member(10 * set + place)).collect()).collect()
    }

    fn filled(mut rounds: DisjointRounds, sets: &[Vec<u32>]) -> DisjointRounds {
        // An earlier generation, whose words must be ignored.
        (0..40).for_each(|element| rounds.push(element, [0].into_iter()));
        rounds.clear();
        for set in sets {
            rounds.push(set[0], set[1..].iter().copied());
        }
        rounds.sort();
        rounds
    }

    /// The values of its elements when each set ran, and the values of all elements at the end.
    fn run_in_rounds(rounds: &DisjointRounds, threads: bool) -> (Vec<Vec<u64>>, Vec<u64>) {
        fn run(mut share: SetShare<'_, u64>, threads: bool) -> Vec<(u32, Vec<u64>)> {
            if threads && share.len() > 1 {
                let (first, second) = share.halves();
                return std::thread::scope(|scope| {
                    let other = scope.spawn(move || run(second, true));
                    let mut seen = run(first, true);
                    seen.extend(other.join().expect("no panic"));
                    seen
                });
            }
            let mut seen = Vec::new();
            while let Some((set, mut taken)) = share.next() {
                let places = 0..taken.members().len();
                seen.push((set, places.clone().filter_map(|place| taken.get(place).copied()).collect()));
                for place in places {
                    if let Some(element) = taken.get_mut(place) {
                        *element = element.wrapping_mul(31) + u64::from(set);
                    }
                }
            }
            seen
        }
        let mut elements: Vec<u64> = (0..40).collect();
        let mut seen = Vec::new();
        for round in 0..rounds.count() {
            seen.extend(run(SetShare::new(rounds, round, &mut elements), threads));
        }
        seen.sort_unstable_by_key(|&(set, _)| set);
        (seen.into_iter().map(|(_, seen)| seen).collect(), elements)
    }

    #[test]
    fn rounds_equal_the_order_of_the_sets_and_the_wrong_order_does_not() {
        let sets = some_sets(if cfg!(miri) { 40 } else { 300 });
        let in_order = |sets: &mut dyn Iterator<Item = (u64, &Vec<u32>)>| {
            let mut elements: Vec<u64> = (0..40).collect();
            for (set, members) in sets {
                for &member in members.iter().filter(|&&member| member != DisjointRounds::EMPTY) {
                    let element = &mut elements[member as usize];
                    *element = element.wrapping_mul(31) + set;
                }
            }
            elements
        };
        let expected = in_order(&mut (0..).zip(&sets));
        assert_ne!(in_order(&mut (0..).zip(&sets).collect::<Vec<_>>().into_iter().rev()), expected);
        for empty in
            [DisjointRounds::with_word_each(40), DisjointRounds::hashed(3), DisjointRounds::hashed(20)]
        {
            let rounds = filled(empty, &sets);
            assert!(rounds.bytes() > 0);
            let mut all: Vec<u32> =
                (0..rounds.count()).flat_map(|round| rounds.sets(round).to_vec()).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..sets.len() as u32), "each set is in one round");
            let alone = run_in_rounds(&rounds, false);
            assert_eq!(alone.1, expected);
            // One thread per set is slow, and slower under Miri.
            assert_eq!(run_in_rounds(&rounds, true), alone);
        }
    }

    #[test]
    fn words_for_each_element_give_the_fewest_rounds() {
        let sets = some_sets(300);
        let count = |empty| filled(empty, &sets).count();
        let exact = count(DisjointRounds::with_word_each(40));
        let mut last = vec![0; 40];
        for set in &sets {
            let members = || set.iter().filter(|&&member| member != DisjointRounds::EMPTY);
            let round = members().map(|&member| last[member as usize]).max().unwrap_or(0) + 1;
            members().for_each(|&member| last[member as usize] = round);
        }
        assert_eq!(exact, last.into_iter().max().unwrap());
        assert!(count(DisjointRounds::hashed(1)) > exact);
    }

    #[test]
    fn a_set_that_has_no_room_leaves_nothing_behind() {
        let mut rounds = DisjointRounds::with_word_each(4);
        rounds.push(0, [1].into_iter());
        let failing = [2, 3].into_iter().inspect(|&member| assert!(member != 3));
        let refused = std::panic::AssertUnwindSafe(|| rounds.push(1, failing));
        assert!(std::panic::catch_unwind(refused).is_err());
        rounds.push(1, [3].into_iter());
        rounds.sort();
        assert_eq!((rounds.count(), rounds.members(0), rounds.members(1)), (2, &[0, 1][..], &[1, 3][..]));
        rounds.generation = u32::from(u16::MAX);
        rounds.clear();
        rounds.push(0, [].into_iter());
        rounds.sort();
        assert_eq!((rounds.generation, rounds.count()), (1, 1), "generations restart");
        rounds.push(4, [].into_iter());
        let refused = std::panic::AssertUnwindSafe(|| rounds.sort());
        assert!(std::panic::catch_unwind(refused).is_err(), "element 4 has no word");
        assert_eq!(rounds.count(), 1);
    }
}
