//! [`BeepPlan`]: what an amoebot decides in a beep half.

use acrasin_amoebot::{End, Orientation};

use super::pin::{EMPTY_FIRST, Pin, PinSet, slot};

/// The pin configuration and the beeps of one amoebot in one beep half. Without a call of [`reset`](Self::reset) the
/// configuration of the previous half stays.
#[derive(Debug)]
pub struct BeepPlan<'a> {
    pub(crate) pins: u8,
    pub(crate) orientation: Orientation,
    pub(crate) expanded: bool,
    /// The lowest pin of the set of each pin.
    pub(crate) lowest: &'a mut [u8],
    pub(crate) without_pins: u8,
    pub(crate) rewired: bool,
    pub(crate) beeps: &'a mut Vec<u8>,
    pub(crate) messages: &'a mut Vec<(u8, i64)>,
}

impl BeepPlan<'_> {
    /// The number of pins on each side of an edge.
    #[must_use]
    pub fn pins(&self) -> u8 {
        self.pins
    }

    /// Makes every pin a set by itself.
    pub fn reset(&mut self) {
        for (slot, lowest) in self.lowest.iter_mut().enumerate() {
            *lowest = slot as u8;
        }
        self.without_pins = 0;
        self.rewired = true;
    }

    /// Joins pins into one set. A pin belongs to at most one set: a later set takes it from an earlier one only if that
    /// has no other pins.
    ///
    /// # Panics
    ///
    /// A label or an index is out of range, or the configuration was not [`reset`](Self::reset) before.
    pub fn set(&mut self, pins: impl IntoIterator<Item = Pin>) -> PinSet {
        assert!(self.rewired, "sets are formed after a reset");
        let mut slots = [0_u8; 256];
        let mut count = 0;
        for pin in pins {
            slots[count] = self.slot(pin);
            count += 1;
        }
        self.join(&slots[..count])
    }

    fn join(&mut self, slots: &[u8]) -> PinSet {
        let Some(lowest) = slots.iter().copied().min() else {
            assert!(self.without_pins < u8::MAX - EMPTY_FIRST, "too many sets without pins");
            self.without_pins += 1;
            return PinSet(EMPTY_FIRST + self.without_pins - 1);
        };
        for slot in slots {
            self.lowest[usize::from(*slot)] = lowest;
        }
        PinSet(lowest)
    }

    /// Joins the pins `lane` and `c - 1 - lane` of all edges into one set. The lanes 0 to `ceil(c / 2) - 1` of all
    /// amoebots are separate circuits, whatever their frames are.
    ///
    /// # Panics
    ///
    /// The lane is out of range, or the configuration was not reset before.
    pub fn lane(&mut self, lane: u8) -> PinSet {
        assert!(self.rewired && lane < self.pins.div_ceil(2), "lanes go up to half the number of pins");
        let other = self.pins - 1 - lane;
        let mut slots = [0_u8; 256];
        let mut count = 0;
        for edge in 0..if self.expanded { 12 } else { 6 } {
            for index in [lane, other] {
                slots[count] = edge * self.pins + index;
                count += 1;
            }
        }
        self.join(&slots[..count])
    }

    /// Beeps on a set of this configuration.
    pub fn beep(&mut self, set: PinSet) {
        self.beeps.push(set.0);
    }

    /// Beeps on the set that contains this pin.
    ///
    /// # Panics
    ///
    /// A label or an index is out of range.
    pub fn beep_pin(&mut self, pin: Pin) {
        let slot = self.slot(pin);
        self.beeps.push(self.lowest[usize::from(slot)]);
    }

    /// Sends a message on a set. The greatest message of a circuit is received on every set of it.
    pub fn message(&mut self, set: PinSet, value: i64) {
        self.messages.push((set.0, value));
    }

    /// The set that contains this pin.
    ///
    /// # Panics
    ///
    /// A label or an index is out of range.
    #[must_use]
    pub fn set_of(&self, pin: Pin) -> PinSet {
        PinSet(self.lowest[usize::from(self.slot(pin))])
    }

    fn slot(&self, pin: Pin) -> u8 {
        assert!(pin.index < self.pins, "pin {} of an edge with {} pins", pin.index, self.pins);
        assert!(self.expanded || pin.end == End::Head, "a contracted amoebot has no pins at its tail");
        slot(pin, self.orientation, self.pins)
    }
}
