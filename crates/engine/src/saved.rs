//! Arrays of words in checkpoints.

use acrasin_runtime::{Pack as _, PackError};

/// A word of fixed width, stored in little-endian order on every platform.
pub(crate) trait SavedWord: Copy {
    fn append(self, into: &mut Vec<u8>);
    /// A word from its bytes, whose number must be the size of a word.
    fn of_bytes(bytes: &[u8]) -> Self;
}

macro_rules! saved_word {
    ($($word:ty)*) => {
        $(impl SavedWord for $word {
            fn append(self, into: &mut Vec<u8>) {
                into.extend_from_slice(&self.to_le_bytes());
            }
            fn of_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("the bytes of a word"))
            }
        })*
    };
}

saved_word!(u8 u16 u32 u64);

/// Appends the words, with their number first.
pub(crate) fn save_words<W: SavedWord>(words: &[W], into: &mut Vec<u8>) {
    words.len().pack(into);
    into.reserve(size_of_val(words));
    words.iter().for_each(|word| word.append(into));
}

/// Replaces the words by the same number of saved words.
///
/// # Errors
///
/// [`PackError`] if `from` does not begin with an array of this length.
pub(crate) fn load_words<W: SavedWord>(words: &mut [W], from: &mut &[u8]) -> Result<(), PackError> {
    if usize::unpack(from)? != words.len() {
        return Err(PackError);
    }
    let (bytes, rest) = from.split_at_checked(size_of_val(words)).ok_or(PackError)?;
    *from = rest;
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(size_of::<W>())) {
        *word = W::of_bytes(bytes);
    }
    Ok(())
}
