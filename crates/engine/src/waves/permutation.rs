//! Orders that are computed, not stored: keyed bijections of `0..len`, read in batches.

use std::num::NonZeroU32;

use crate::draw::Stream;
use crate::unchecked::{Kernel, Vectors, run_widest};

/// The number of positions that are read at once.
pub(super) const BATCH: usize = 256;

/// The elements at a batch of positions.
pub(super) type ElementBatch = [u32; BATCH];

/// The length up to which permutations are drawn by exchanges (Fisher, Yates 1938), which makes all of them equally
/// likely. A bijection of so few bits would have too few keys.
const DRAWN: usize = 64;

/// The number of words of a stream that a permutation may use.
pub(super) const WORDS: u64 = DRAWN as u64;

/// A random order of `0..len`.
///
/// Above 64 elements the order is a bijection of the range up to the next power of two; its values from `len` on are
/// skipped. The bijection adds a key. Then, three times, it multiplies by an odd key and folds the high half of the
/// bits into the low half. The first key is independent of the others, so each element is equally likely at every
/// position of the larger range.
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    len: u32,
    kind: PermutationKind,
}

#[derive(Clone, Debug)]
enum PermutationKind {
    Drawn([u8; DRAWN]),
    Keyed(Keys),
}

#[derive(Clone, Copy, Debug)]
struct Keys {
    mask: u32,
    fold: u32,
    add: u32,
    odd: [u32; 3],
}

impl Keys {
    #[inline(always)]
    fn element(self, position: u32) -> u32 {
        let Self { mask, fold, add, odd } = self;
        let mut x = position.wrapping_add(add) & mask;
        for odd in odd {
            x = x.wrapping_mul(odd) & mask;
            x ^= x >> fold;
        }
        x
    }
}

impl Permutation {
    /// Creates the order of `0..len` given by the words `first..first + WORDS` of `stream`.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 2^31 elements, which no graph has as nodes.
    pub(super) fn new(stream: Stream, first: u64, len: u32) -> Self {
        assert!(len <= 1 << 31, "{len} elements: at most 2^31");
        let kind = if len as usize <= DRAWN {
            let mut order: [u8; DRAWN] = std::array::from_fn(|i| i as u8);
            for last in (1..len).rev() {
                let bound = NonZeroU32::new(last + 1).expect("at least 2");
                order.swap(last as usize, stream.below(first + u64::from(last), bound) as usize);
            }
            PermutationKind::Drawn(order)
        } else {
            let bits = u32::BITS - (len - 1).leading_zeros();
            let (a, b) = (stream.word(first), stream.word(first + 1));
            PermutationKind::Keyed(Keys {
                mask: u32::MAX >> (u32::BITS - bits),
                fold: bits.div_ceil(2),
                add: (b >> 32) as u32,
                odd: [a as u32 | 1, (a >> 32) as u32 | 1, b as u32 | 1],
            })
        };
        Self { len, kind }
    }

    /// The number of positions, some of which may have no element.
    pub(super) fn positions(&self) -> u32 {
        match &self.kind {
            PermutationKind::Drawn(_) => self.len,
            PermutationKind::Keyed(keys) => keys.mask + 1,
        }
    }

    /// The element at `position`, if there is one. [`read`](Self::read) computes the elements of a whole batch.
    pub(super) fn element(&self, position: u32) -> Option<u32> {
        match &self.kind {
            PermutationKind::Drawn(order) => {
                (position < self.len).then(|| u32::from(order[position as usize]))
            }
            PermutationKind::Keyed(keys) => {
                Some(keys.element(position)).filter(|&element| element < self.len)
            }
        }
    }

    /// All elements in order.
    pub(super) fn elements(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.positions()).filter_map(|position| self.element(position))
    }

    /// The elements at positions `first..first + BATCH`, in order, and their number. `first` is a multiple of `BATCH`
    /// below [`positions`](Self::positions).
    #[inline]
    pub(super) fn read(&self, first: u32, batch: &mut ElementBatch) -> usize {
        match &self.kind {
            PermutationKind::Drawn(order) => read_drawn(order, self.len, batch),
            PermutationKind::Keyed(keys) => read_keyed(*keys, self.len, first, batch),
        }
    }
}

#[inline(never)]
fn read_drawn(order: &[u8; DRAWN], len: u32, batch: &mut ElementBatch) -> usize {
    for (place, &element) in batch.iter_mut().zip(order) {
        *place = u32::from(element);
    }
    len as usize
}

#[inline(never)]
fn read_keyed(keys: Keys, len: u32, first: u32, batch: &mut ElementBatch) -> usize {
    let count = (keys.mask - first).min(BATCH as u32 - 1) as usize + 1;
    run_widest(Vectors::widest(), Decode { keys, first, batch });
    if keys.mask < len {
        return count;
    }
    let mut kept = 0;
    for place in 0..count {
        let element = batch[place];
        batch[kept] = element;
        kept += usize::from(element < len);
    }
    kept
}

struct Decode<'a> {
    keys: Keys,
    first: u32,
    batch: &'a mut ElementBatch,
}

impl Kernel for Decode<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (place, offset) in self.batch.iter_mut().zip(0..) {
            *place = self.keys.element(self.first.wrapping_add(offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Draws, Purpose};

    fn stream(wave: u64) -> Stream {
        Draws::new(11).stream(Purpose::Order, wave)
    }

    fn read_all(permutation: &Permutation) -> Vec<u32> {
        let (mut all, mut batch) = (Vec::new(), [0; BATCH]);
        for first in (0..permutation.positions()).step_by(BATCH) {
            let count = permutation.read(first, &mut batch);
            all.extend_from_slice(&batch[..count]);
        }
        all
    }

    #[test]
    fn every_length_is_permuted_and_batches_are_the_elements() {
        let lengths = (1..=300).chain([511, 512, 513, 1000, 4095, 4096, 4097, 30_720, 100_003]);
        for len in lengths {
            let permutation = Permutation::new(stream(u64::from(len)), 3, len);
            let all = read_all(&permutation);
            assert_eq!(all, permutation.elements().collect::<Vec<_>>(), "{len}");
            let mut sorted = all;
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..len), "{len}");
        }
        assert_eq!(Permutation::new(stream(0), 0, 0).elements().count(), 0);
    }

    #[test]
    fn golden_values() {
        let first = |len| Permutation::new(stream(1), 0, len).elements().take(6).collect::<Vec<_>>();
        assert_eq!(first(10), GOLDEN_DRAWN);
        assert_eq!(first(1000), GOLDEN_KEYED);
    }

    const GOLDEN_DRAWN: [u32; 6] = [3, 7, 5, 6, 1, 4];
    const GOLDEN_KEYED: [u32; 6] = [392, 687, 822, 139, 37, 220];

    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    /// The accepted maximum of a chi-square statistic over `cells` cells: its mean plus five standard deviations and a
    /// margin.
    fn limit(cells: usize) -> f64 {
        let degrees = cells as f64 - 1.0;
        degrees + 5.0 * (2.0 * degrees).sqrt() + 10.0
    }

    #[test]
    fn all_orders_of_four_are_equally_frequent_and_a_wrong_exchange_is_noticed() {
        let mut counts = vec![0; 256];
        let mut naive = vec![0; 256];
        for wave in 0..24_000 {
            let stream = stream(wave);
            let code = |order: &[u32]| order.iter().fold(0, |code, &i| code * 4 + i as usize);
            counts[code(&Permutation::new(stream, 0, 4).elements().collect::<Vec<_>>())] += 1;
            // Exchanges every element with any element: 4^4 outcomes do not spread evenly over 24 orders.
            let mut order = [0, 1, 2, 3];
            for i in 0..4 {
                order.swap(i, stream.below(i as u64, NonZeroU32::new(4).unwrap()) as usize);
            }
            naive[code(&order)] += 1;
        }
        for counts in [&mut counts, &mut naive] {
            counts.retain(|&count| count > 0);
            assert_eq!(counts.len(), 24);
        }
        assert!(chi_square(&counts) < limit(24), "{}", chi_square(&counts));
        assert!(chi_square(&naive) > limit(24), "{}", chi_square(&naive));
    }

    /// Counts of the chosen elements over many keys: in each sixteenth of the order, and before the next chosen
    /// element.
    fn positions(len: u32, order: impl Fn(u64) -> Vec<u32>) -> (Vec<Vec<u32>>, Vec<u32>) {
        let chosen: Vec<u32> = [0, 1, 2, 7, len / 2, len / 2 + 1, len - 1].into();
        let (mut places, mut before) = (vec![vec![0; 16]; chosen.len()], vec![0; chosen.len()]);
        let mut place_of = vec![0; len as usize];
        for wave in 0..4000 {
            for (place, element) in order(wave).into_iter().enumerate() {
                place_of[element as usize] = place;
            }
            let place = |i: usize| place_of[chosen[i % chosen.len()] as usize];
            for i in 0..chosen.len() {
                places[i][place(i) * 16 / len as usize] += 1;
                before[i] += u32::from(place(i) < place(i + 1));
            }
        }
        (places, before)
    }

    #[test]
    fn keyed_orders_are_fair_and_one_without_the_first_key_is_rejected() {
        for len in [80, 96, 128, 400, 512] {
            let (places, before) =
                positions(len, |wave| Permutation::new(stream(wave), 0, len).elements().collect());
            for (places, before) in places.iter().zip(before) {
                assert!(chi_square(places) < limit(16), "{len}: {places:?}");
                // 4000 fair coins: standard deviation 32.
                assert!(before.abs_diff(2000) < 160, "{len}: {before}");
            }
        }
        let (places, _) = positions(128, |wave| {
            let mut permutation = Permutation::new(stream(wave), 0, 128);
            let PermutationKind::Keyed(keys) = &mut permutation.kind else { unreachable!() };
            keys.add = 0;
            permutation.elements().collect()
        });
        assert!(chi_square(&places[0]) > limit(16), "element 0 is always first: {:?}", places[0]);
    }
}
