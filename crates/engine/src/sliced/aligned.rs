//! Aligned memory for vectors.

use crate::pages::Pages;

use super::planes::{LANES, Lanes};

/// Vectors aligned to their size, so that no vector spans two cache lines.
#[derive(Debug)]
pub(super) struct Aligned {
    words: Pages<u64>,
    len: usize,
}

impl Aligned {
    /// Allocates `len` vectors of zeros.
    pub(super) fn zeroed(len: usize) -> Self {
        Self { words: Pages::zeroed((len + 1) * LANES), len }
    }

    fn start(&self) -> usize {
        self.words.as_ptr().align_offset(size_of::<Lanes>()).min(LANES)
    }

    /// All vectors.
    pub(super) fn get(&self) -> &[Lanes] {
        &self.words[self.start()..].as_chunks().0[..self.len]
    }

    /// All vectors, mutably.
    pub(super) fn get_mut(&mut self) -> &mut [Lanes] {
        let start = self.start();
        &mut self.words[start..].as_chunks_mut().0[..self.len]
    }
}

impl Aligned {
    /// The first `len` vectors, with arbitrary content. Allocates more vectors if there are fewer.
    #[inline(always)]
    pub(super) fn at_least(&mut self, len: usize) -> &mut [Lanes] {
        if self.len < len {
            *self = Self::zeroed(len);
        }
        &mut self.get_mut()[..len]
    }
}

impl Default for Aligned {
    fn default() -> Self {
        Self::zeroed(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_vector_is_in_two_cache_lines() {
        for len in [0, 1, 7, 100, 70_000] {
            let mut aligned = Aligned::zeroed(len);
            assert_eq!(aligned.get(), vec![[0; LANES]; len]);
            assert!(aligned.get_mut().as_ptr().addr().is_multiple_of(size_of::<Lanes>()));
            aligned.get_mut().fill([5; LANES]);
            assert_eq!(aligned.get(), vec![[5; LANES]; len]);
        }
    }
}
