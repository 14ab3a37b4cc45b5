//! Stop requests that interrupt a round of many amoebots.

/// A callback during a round: once the callback returns false, the round is cancelled. Several threads may call it.
pub(crate) type GoesOn<'a> = dyn Fn() -> bool + Sync + 'a;

/// The number of amoebots between two calls of the callback, which may cost as much as several amoebots.
const BETWEEN: usize = 4096;

/// Whether the loop over many amoebots may continue at this amoebot. Calls `goes_on` once per 4096 amoebots.
#[inline(always)]
pub(crate) fn is_time(amoebot: usize, goes_on: &GoesOn<'_>) -> bool {
    amoebot % BETWEEN != BETWEEN - 1 || goes_on()
}
