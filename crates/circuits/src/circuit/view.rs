//! [`CircuitView`]: the beeps and messages that an amoebot receives in a beep half.

use acrasin_amoebot::Orientation;

use super::medium::Circuits;
use super::pin::{Pin, PinSet, slot};

/// The beeps and messages that one amoebot receives. Lost beeps and messages have been removed.
#[derive(Clone, Copy, Debug)]
pub struct CircuitView<'a> {
    pub(crate) circuits: &'a Circuits,
    pub(crate) amoebot: usize,
    pub(crate) orientation: Orientation,
}

impl CircuitView<'_> {
    /// Whether a beep is received on a set.
    #[must_use]
    #[inline(always)]
    pub fn on(&self, set: PinSet) -> bool {
        self.circuits.hears(self.amoebot, set)
    }

    /// Whether a beep is received on the set that contains this pin.
    #[must_use]
    #[inline(always)]
    pub fn pin(&self, pin: Pin) -> bool {
        self.on(self.circuits.set_of(self.amoebot, slot(pin, self.orientation, self.circuits.pins())))
    }

    /// The message that is received on a set; `None` if no message is received.
    #[must_use]
    pub fn message(&self, set: PinSet) -> Option<i64> {
        self.circuits.message(self.amoebot, set)
    }
}
