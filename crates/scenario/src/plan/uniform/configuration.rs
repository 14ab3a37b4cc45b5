//! The digest of a configuration of agents.

use std::hash::Hasher as _;

use acrasin_runtime::Digest;
use acrasin_runtime::digest::DigestWriter;

/// Agents whose states go into the digest together.
const PIECE: usize = 1 << 12;

/// The digest that a record of uniform pairs says of its last configuration: of how many agents are in each state, then of the state
/// of each of those that are `numbered`, which are none where everybody meets everybody.
///
/// ```
/// use acrasin_scenario::plan::configuration_digest;
///
/// let placed = |states: [u16; 3]| configuration_digest(&[1, 2], 3, |agent| states[agent as usize]);
/// assert_ne!(placed([0, 1, 1]), placed([1, 0, 1]));
/// assert_ne!(placed([0, 1, 1]), configuration_digest(&[1, 2], 0, |_| unreachable!()));
/// ```
#[must_use]
pub fn configuration_digest(counts: &[u64], numbered: u64, state: impl Fn(u64) -> u16) -> Digest {
    let mut writer = DigestWriter::new();
    for &count in counts {
        writer.write_u64(count);
    }
    // The bytes of all states one after another, in pieces: as if each were written by itself.
    for first in (0..numbered).step_by(PIECE) {
        let piece = first..(first + PIECE as u64).min(numbered);
        let bytes: Vec<u8> = piece.flat_map(|agent| state(agent).to_le_bytes()).collect();
        writer.write(&bytes);
    }
    writer.digest()
}
