//! [`BeepPlan`]: the plan of an amoebot for a beep half.

use acrasin_amoebot::{End, Orientation};

use super::pin::{EMPTY_FIRST, Pin, PinSet, SetBits, WORD, slot};
use super::wiring::SINGLE;

/// The pin configuration and the beeps of one amoebot in one beep half. Without a call of [`reset`](Self::reset) the
/// configuration of the previous half is kept.
#[derive(Debug)]
pub struct BeepPlan<'a> {
    pub(crate) amoebot: u32,
    pub(crate) pins: u8,
    pub(crate) orientation: Orientation,
    pub(crate) expanded: bool,
    /// The configuration of the previous half.
    pub(super) before: &'a [[u8; WORD]],
    pub(super) sketch: &'a mut PlanSketch,
    pub(super) without_pins: u8,
    pub(super) rewired: bool,
    pub(super) beeps: &'a mut Vec<(u32, PinSet)>,
    pub(super) messages: &'a mut Vec<(u32, PinSet, i64)>,
    pub(super) fault: &'a mut Option<(u32, PlanFault)>,
}

/// The mistake of a plan, which ends a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlanFault {
    /// Two sets, or one set twice, name this pin.
    Twice(Pin),
    /// The amoebot does not have this pin.
    NoPin(Pin),
}

/// Buffers for forming plans, which the amoebots of a block share.
#[derive(Clone, Debug)]
pub(crate) struct PlanSketch {
    /// The planned configuration after a reset: for each pin, the lowest pin of its set.
    pub(super) row: [[u8; WORD]; 32],
    /// The pins of the set that is being formed.
    slots: [u8; 256],
    /// The pins that sets of the plan name.
    named: SetBits,
    /// Recently planned configurations, to be used again.
    known: [KnownConfiguration; KNOWN],
}

impl PlanSketch {
    pub(super) const EMPTY: Self =
        Self { row: SINGLE, slots: [0; 256], named: SetBits::NONE, known: [KnownConfiguration::NONE; KNOWN] };
}

/// The number of configurations that a sketch remembers.
const KNOWN: usize = 32;

/// The maximum number of words of a remembered configuration.
const KNOWN_WORDS: usize = 3;

/// A configuration that was formed, for the next amoebot that forms the same one.
#[derive(Clone, Copy, Debug)]
struct KnownConfiguration {
    /// The key of the algorithm, the frame, and the number of words.
    key: Option<(u32, Orientation, usize)>,
    row: [[u8; WORD]; KNOWN_WORDS],
    sets: [PinSet; 2],
}

impl KnownConfiguration {
    const NONE: Self = Self { key: None, row: [[0; WORD]; KNOWN_WORDS], sets: [PinSet(0); 2] };
}

impl BeepPlan<'_> {
    /// The number of pins on each side of an edge.
    #[must_use]
    pub fn pins(&self) -> u8 {
        self.pins
    }

    /// Makes every pin a separate set.
    #[inline]
    pub fn reset(&mut self) {
        // Copies of known length need no call.
        match self.before.len() {
            1 => self.sketch.row[0] = SINGLE[0],
            2 => self.sketch.row[..2].copy_from_slice(&SINGLE[..2]),
            words => self.sketch.row[..words].copy_from_slice(&SINGLE[..words]),
        }
        self.without_pins = 0;
        self.sketch.named = SetBits::NONE;
        self.rewired = true;
    }

    /// Joins pins into one set. Each pin is named at most once, by one set. A pin that is named again, or that the
    /// amoebot does not have, ends the run with the cell of the amoebot.
    ///
    /// # Panics
    ///
    /// The plan was not [`reset`](Self::reset).
    #[inline]
    pub fn set(&mut self, pins: impl IntoIterator<Item = Pin>) -> PinSet {
        assert!(self.rewired, "sets are formed after a reset");
        let mut count = 0;
        for pin in pins {
            let fault = if !self.has(pin) {
                Some(PlanFault::NoPin(pin))
            } else {
                let slot = slot(pin, self.orientation, self.pins);
                self.sketch.slots[count] = slot;
                let is_named = self.sketch.named.contains(slot.into());
                self.sketch.named.add(slot.into());
                is_named.then_some(PlanFault::Twice(pin))
            };
            match fault {
                None => count += 1,
                Some(fault) => {
                    self.fault.get_or_insert((self.amoebot, fault));
                }
            }
        }
        self.join(count)
    }

    fn has(&self, pin: Pin) -> bool {
        let is_on_edge = (1..=6).contains(&pin.label) && pin.index < self.pins;
        is_on_edge && (self.expanded || pin.end == End::Head)
    }

    /// Resets the configuration and calls `form`, which joins pins into two sets. The result must depend only on the
    /// key, the frame and the number of pins, because it is reused: `form` is not called for every amoebot.
    #[inline(always)]
    pub fn form(&mut self, key: u32, form: impl Fn(&mut Self) -> [PinSet; 2]) -> [PinSet; 2] {
        let words = self.before.len();
        let place = (key ^ u32::from(self.orientation.first.index())).wrapping_mul(0x9e37_79b9) >> 27;
        let known = &self.sketch.known[place as usize];
        if !self.expanded && known.key == Some((key, self.orientation, words)) {
            let sets = known.sets;
            match words {
                1 => self.sketch.row[0] = known.row[0],
                2 => self.sketch.row[..2].copy_from_slice(&known.row[..2]),
                _ => self.sketch.row[..words].copy_from_slice(&known.row[..words]),
            }
            self.without_pins = 0;
            self.rewired = true;
            return sets;
        }
        self.form_new(key, place as usize, form)
    }

    #[inline(never)]
    fn form_new(&mut self, key: u32, place: usize, form: impl Fn(&mut Self) -> [PinSet; 2]) -> [PinSet; 2] {
        self.reset();
        let sets = form(self);
        let words = self.before.len();
        if words <= KNOWN_WORDS && self.without_pins == 0 && !self.expanded {
            let mut row = [[0; WORD]; KNOWN_WORDS];
            row[..words].copy_from_slice(&self.sketch.row[..words]);
            self.sketch.known[place] =
                KnownConfiguration { key: Some((key, self.orientation, words)), row, sets };
        }
        sets
    }

    /// Joins the first `count` slots of the sketch into a set.
    #[inline]
    fn join(&mut self, count: usize) -> PinSet {
        let PlanSketch { row, slots, .. } = &mut *self.sketch;
        let slots = &slots[..count];
        let Some(lowest) = slots.iter().copied().min() else {
            assert!(self.without_pins < u8::MAX - EMPTY_FIRST, "too many sets without pins");
            self.without_pins += 1;
            return PinSet(EMPTY_FIRST + self.without_pins - 1);
        };
        let row = row.as_flattened_mut();
        for slot in slots {
            row[usize::from(*slot)] = lowest;
        }
        PinSet(lowest)
    }

    /// Joins the pins `lane` and `c - 1 - lane` of all edges into one set. The lanes 0 to `ceil(c / 2) - 1` of all
    /// amoebots are separate circuits, for any frames.
    ///
    /// # Panics
    ///
    /// The lane is out of range, or the plan was not [`reset`](Self::reset).
    pub fn lane(&mut self, lane: u8) -> PinSet {
        assert!(self.rewired && lane < self.pins.div_ceil(2), "lanes go up to half the number of pins");
        let other = self.pins - 1 - lane;
        let mut count = 0;
        for edge in 0..if self.expanded { 12 } else { 6 } {
            for index in [lane, other] {
                self.sketch.slots[count] = edge * self.pins + index;
                count += 1;
            }
        }
        self.join(count)
    }

    /// Beeps on a set of this configuration.
    #[inline]
    pub fn beep(&mut self, set: PinSet) {
        self.beeps.push((self.amoebot, set));
    }

    /// Beeps on the set that contains this pin.
    ///
    /// # Panics
    ///
    /// A label or an index is out of range.
    #[inline]
    pub fn beep_pin(&mut self, pin: Pin) {
        let set = self.set_of(pin);
        self.beep(set);
    }

    /// Sends a message on a set. The greatest message of a circuit is received on every set of it.
    pub fn message(&mut self, set: PinSet, value: i64) {
        self.messages.push((self.amoebot, set, value));
    }

    /// The set that contains this pin.
    ///
    /// # Panics
    ///
    /// A label or an index is out of range.
    #[must_use]
    #[inline]
    pub fn set_of(&self, pin: Pin) -> PinSet {
        PinSet(self.row().as_flattened()[usize::from(self.slot(pin))])
    }

    /// The configuration as planned so far.
    #[inline]
    pub(super) fn row(&self) -> &[[u8; WORD]] {
        if self.rewired { &self.sketch.row[..self.before.len()] } else { self.before }
    }

    #[inline]
    fn slot(&self, pin: Pin) -> u8 {
        assert!(pin.index < self.pins, "pin {} of an edge with {} pins", pin.index, self.pins);
        assert!(self.expanded || pin.end == End::Head, "a contracted amoebot has no pins at its tail");
        slot(pin, self.orientation, self.pins)
    }
}
