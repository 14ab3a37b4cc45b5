//! Sorting that can be interrupted.

/// The number of items that are sorted between two calls of `has_time`: about a millisecond of work.
pub(crate) const ITEMS_AT_ONCE: usize = 1 << 15;

/// Sorts stably by a key. Returns `None` once `has_time` returns false; that function is called once per part. Parts of
/// [`ITEMS_AT_ONCE`] items are sorted first, then merged into parts of twice the size, until one part is left.
pub(crate) fn sort_while<T, K: Ord>(
    items: &mut [T],
    key: impl Fn(&T) -> K,
    has_time: &dyn Fn() -> bool,
) -> Option<()> {
    let mut width = ITEMS_AT_ONCE;
    loop {
        for part in items.chunks_mut(width) {
            has_time().then_some(())?;
            // The standard sort finds the two sorted halves and merges them.
            part.sort_by_key(&key);
        }
        if width >= items.len() {
            return Some(());
        }
        width *= 2;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn items_are_sorted_and_equal_ones_keep_their_order() {
        for n in [0, 1, ITEMS_AT_ONCE, 5 * ITEMS_AT_ONCE + 7] {
            let mut items: Vec<(u32, usize)> =
                (0..n).map(|at| ((at as u32).wrapping_mul(2_654_435_769) >> 20, at)).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            assert_eq!(sort_while(&mut items, |item| item.0, &|| true), Some(()));
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn sorting_ends_at_every_moment() {
        let mut looks = Vec::new();
        for end in 0.. {
            let count = Cell::new(0);
            let has_time = || count.replace(count.get() + 1) < end;
            let mut items: Vec<usize> = (0..3 * ITEMS_AT_ONCE).rev().collect();
            let is_done = sort_while(&mut items, |item| *item, &has_time).is_some();
            looks.push(count.get());
            if is_done {
                break;
            }
        }
        // Three parts, then two, then one.
        assert_eq!(looks, [1, 2, 3, 4, 5, 6, 6]);
    }
}
