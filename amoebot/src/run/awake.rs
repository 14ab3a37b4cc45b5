//! Reads the awake amoebots of a multi-threaded run from its checkpoint.

use acrasin_runtime::pack::{Pack, PackError, unpack_bits};

use crate::model::id::AmoebotId;

/// Loads the awake amoebots with their marks in `is_awake`, and the marks of the amoebots for which the round waits.
///
/// # Errors
///
/// [`PackError`] if `from` does not begin with such lists, or if the round does not wait for exactly `pending`
/// amoebots.
pub(super) fn load_awake(
    (awake, is_awake): (&mut Vec<AmoebotId>, &mut [bool]),
    (pending, is_pending): (usize, &mut [bool]),
    from: &mut &[u8],
) -> Result<(), PackError> {
    awake.unpack_into(from)?;
    is_awake.fill(false);
    for id in awake.iter() {
        let is_in = is_awake.get_mut(id.index()).filter(|is_in| !**is_in);
        *is_in.ok_or(PackError)? = true;
    }
    unpack_bits(is_pending, from)?;
    if is_pending.iter().filter(|is_pending| **is_pending).count() == pending {
        Ok(())
    } else {
        Err(PackError)
    }
}
