//! Names of pins and sets, and their numbers in flat arrays.

use acrasin_amoebot::{Chirality, End, Orientation};

/// A pin in the frame of its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pin {
    /// The end of the body; always the head for a contracted amoebot.
    pub end: End,
    /// The label of the edge, 1 to 6.
    pub label: u8,
    /// The number of the pin on the edge, from 0.
    pub index: u8,
}

acrasin_runtime::pack_fields!(Pin { end, label, index });

impl Pin {
    /// A pin at the head.
    #[must_use]
    pub const fn head(label: u8, index: u8) -> Self {
        Self { end: End::Head, label, index }
    }
}

/// A set of pins of one amoebot in one configuration. Sets without pins are numbered separately. Only the amoebot
/// itself hears its beeps on a set without pins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PinSet(pub(crate) u8);

acrasin_runtime::pack_fields!(PinSet { 0 });

/// The first number of a set without pins.
pub(crate) const EMPTY_FIRST: u8 = 240;

impl PinSet {
    /// The number of the set without pins; `None` for a set with pins.
    pub(crate) const fn without_pins(self) -> Option<u8> {
        if self.0 >= EMPTY_FIRST { Some(self.0 - EMPTY_FIRST) } else { None }
    }
}

/// The number of a pin at its amoebot. Pins are sorted by end, then by direction of the lattice, then
/// counter-clockwise.
#[inline]
pub(crate) const fn slot(pin: Pin, orientation: Orientation, pins: u8) -> u8 {
    let direction = orientation.direction(pin.label).index();
    let turned = match orientation.chirality {
        Chirality::Standard => pin.index,
        Chirality::Mirrored => pins - 1 - pin.index,
    };
    let end = match pin.end {
        End::Head => 0,
        End::Tail => 6,
    };
    (end + direction) * pins + turned
}

/// The number of bytes of a word, by which rows are compared and copied.
pub(super) const WORD: usize = 8;

/// A set of slots, or of numbers below 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SetBits([u64; 4]);

impl SetBits {
    pub(super) const NONE: Self = Self([0; 4]);

    #[inline]
    pub(super) fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn add(&mut self, slot: usize) {
        self.0[slot / 64] |= 1 << (slot % 64);
    }

    pub(super) fn add_all(&mut self, others: Self) {
        self.0.iter_mut().zip(others.0).for_each(|(bits, others)| *bits |= others);
    }

    /// The members, in increasing order.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..256).filter(move |slot| self.0[slot / 64] >> (slot % 64) & 1 == 1)
    }
}
