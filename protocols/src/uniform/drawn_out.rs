//! Draws without replacement from short lists.

use super::draws::RandomDraws;

/// Removes `often` elements from a list of fewer than 2^32, each from a uniformly random position; the last element
/// fills the gap. Calls `each` with every removed element and with 0 or 1 in turn, so that the caller can use two
/// counters, whose increments need not wait for each other.
#[inline]
pub(super) fn draw_out<S: ListPosition>(
    list: &mut [S],
    often: usize,
    draws: &mut RandomDraws,
    mut each: impl FnMut(usize, usize),
) {
    let mut local = draws.clone();
    let mut length = list.len();
    let mut take = |half: u32, turn: usize, local: &mut RandomDraws| {
        let place = below_half(half, length as u32, local) as usize;
        length -= 1;
        let drawn = list[place];
        list[place] = list[length];
        each(drawn.get(), turn);
    };
    for _ in 0..often / 2 {
        let word = local.word();
        take(word as u32, 0, &mut local);
        take((word >> 32) as u32, 1, &mut local);
    }
    if often % 2 == 1 {
        take(local.word() as u32, 0, &mut local);
    }
    *draws = local;
}

/// A uniform number in `0..bound` from half a word, or from another word if that half must be rejected for uniformity.
#[inline(always)]
fn below_half(half: u32, bound: u32, draws: &mut RandomDraws) -> u32 {
    let product = u64::from(half) * u64::from(bound);
    if (product as u32) < bound && is_uneven(product as u32, bound) {
        return draws.below(bound.into()) as u32;
    }
    (product >> 32) as u32
}

/// Whether the lower half of a product is one of the few that must be rejected, so that all numbers are equally likely
/// (Lemire 2019).
#[cold]
fn is_uneven(rest: u32, bound: u32) -> bool {
    rest < bound.wrapping_neg() % bound
}

/// The integer type that stores a position in a short list.
pub(super) trait ListPosition: Copy {
    fn new(place: usize) -> Self;
    fn get(self) -> usize;
}

impl ListPosition for u8 {
    fn new(place: usize) -> Self {
        place as u8
    }
    fn get(self) -> usize {
        usize::from(self)
    }
}

impl ListPosition for u16 {
    fn new(place: usize) -> Self {
        place as u16
    }
    fn get(self) -> usize {
        usize::from(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::{RandomDraws, StreamPurpose};
    use super::below_half;

    /// Half a word cannot give each of 3 * 2^30 positions equally often: without rejection every third number would
    /// occur twice as often as the others.
    #[test]
    fn places_from_half_a_word_are_uniform() {
        const BOUND: u32 = 3 << 30;
        let mut draws = RandomDraws::new(1, StreamPurpose::Epoch, 0);
        let (mut seen, mut uneven) = ([0_u32; 3], [0_u32; 3]);
        for _ in 0..30_000 {
            let half = draws.word() as u32;
            uneven[((u64::from(half) * u64::from(BOUND)) >> 32) as usize % 3] += 1;
            seen[below_half(half, BOUND, &mut draws) as usize % 3] += 1;
        }
        let is_even = |seen: [u32; 3]| seen.iter().all(|&count| count.abs_diff(10_000) < 500);
        assert!(is_even(seen), "{seen:?}");
        assert!(!is_even(uneven), "{uneven:?}");
    }
}
