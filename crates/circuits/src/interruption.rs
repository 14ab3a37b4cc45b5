//! Rounds of many amoebots that a stop request interrupts.

/// Called while a round is computed; the round is given up once it returns false. Several threads may call it.
pub(crate) type GoesOn<'a> = dyn Fn() -> bool + Sync + 'a;

/// The number of amoebots between two calls. One call costs as much as some amoebots.
const BETWEEN: usize = 4096;

/// Whether there is time for the next of many amoebots. Calls `goes_on` once per 4096 amoebots.
#[inline(always)]
pub(crate) fn is_time(amoebot: usize, goes_on: &GoesOn<'_>) -> bool {
    amoebot % BETWEEN != BETWEEN - 1 || goes_on()
}
