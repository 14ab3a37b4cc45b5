//! Errors of bit-sliced rounds.

use std::fmt;

use crate::round::TooLarge;

/// Errors of constructing bit-sliced rounds. [`WordRounds`](crate::message::WordRounds) accepts any lattice and any
/// number of priorities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SlicedError {
    /// The width is not a multiple of 64.
    Width {
        /// The number of cells in a row.
        width: u32,
    },
    /// The number of priorities is not a power of two from 2 to 512.
    Priorities {
        /// K, the number of priorities.
        bound: u32,
    },
    /// The run would need more memory than the limit; nothing was allocated.
    TooLarge(TooLarge),
}

impl fmt::Display for SlicedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Width { width } => {
                let below = width / 64 * 64;
                write!(
                    f,
                    "bit-sliced rounds (F2) take 64 nodes of a row at a time, and {width} is not a multiple of 64: "
                )?;
                match below {
                    0 => write!(f, "take a width of 64")?,
                    _ => write!(f, "take a width of {below} or {}", below + 64)?,
                }
                write!(f, ", or message rounds (F3), which take any width")
            }
            Self::Priorities { bound } => write!(
                f,
                "bit-sliced rounds (F2) draw priorities bit by bit, and K = {bound} is not a power of two from 2 to 512: \
                 take a power of two, or message rounds (F3), which take any K"
            ),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SlicedError {}
