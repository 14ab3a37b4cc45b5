//! Large arrays of plain words on huge pages.

use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;

/// The size in bytes from which an array requests huge pages: the size of two huge pages. A smaller array might not
/// contain a whole huge page.
const HUGE_FROM: u64 = 4 << 20;

/// A zeroed array that uses huge pages if it is large.
///
/// From 4 MiB on, the array has its own mapping and requests huge pages from the system. With pages of 4 KiB, random
/// accesses miss the TLB even if the array fits in a cache. If the system grants no huge pages, the array is only
/// slower.
///
/// ```
/// let mut ages = acrasin_engine::Pages::<u16>::zeroed(1000);
/// ages[7] += 3;
/// assert_eq!((ages[7], ages.len()), (3, 1000));
/// ```
#[derive(Debug)]
pub struct Pages<T> {
    storage: Storage<T>,
    len: usize,
}

#[derive(Debug)]
enum Storage<T> {
    Heap(Vec<T>),
    Mapped(MmapMut),
}

impl<T: Pod> Pages<T> {
    /// Allocates an array of `len` zeros.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        let bytes = len * size_of::<T>();
        if bytes as u64 >= HUGE_FROM
            && let Ok(map) = MmapMut::map_anon(bytes)
        {
            // Systems without huge pages refuse; the mapping is then an ordinary one.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Self { storage: Storage::Mapped(map), len };
        }
        Self { storage: Storage::Heap(vec![T::zeroed(); len]), len }
    }
}

/// A clone has a separate mapping.
impl<T: Pod> Clone for Pages<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        match &self.storage {
            Storage::Heap(words) => words,
            Storage::Mapped(map) => &bytemuck::cast_slice(map)[..self.len],
        }
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.storage {
            Storage::Heap(words) => words,
            Storage::Mapped(map) => &mut bytemuck::cast_slice_mut(map)[..self.len],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_arrays_start_with_zeros_and_keep_what_is_written() {
        for (len, mapped) in [(0, false), ((1 << 19) - 1, false), (1 << 19, true), (5 << 20, true)] {
            let mut pages = Pages::<u64>::zeroed(len);
            assert_eq!(matches!(pages.storage, Storage::Mapped(_)), mapped);
            assert_eq!(pages.len(), len);
            assert!(pages.iter().all(|&word| word == 0));
            for (word, value) in pages.iter_mut().zip(7..) {
                *word = value;
            }
            assert!(pages.iter().zip(7..).all(|(&word, value)| word == value));
            assert_eq!(pages.clone()[..], pages[..]);
        }
    }
}
