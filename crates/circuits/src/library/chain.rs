//! [`NumberChain`]: binary numbers along a chain of amoebots, the lowest bit first.
//!
//! At each amoebot, lane `k` leaves towards the higher bit by pin `k`, and arrives from the lower bit at pin `c - 1 -
//! k`. A lane is joined at an amoebot if both of its pins are in one set; otherwise it is split.

use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};
use crate::round::Seat;
use crate::structure::{CircuitStructure, StructureError};

/// A chain with two numbers; bit `i` is at amoebot `i`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberChain {
    labels: Vec<(Option<u8>, Option<u8>)>,
    a: Vec<bool>,
    b: Vec<bool>,
}

impl NumberChain {
    /// The chain of all amoebots of a structure in the order of their numbers. Missing bits are 0.
    ///
    /// # Errors
    ///
    /// The cell of an amoebot that is not adjacent to the previous one.
    pub fn new(structure: &CircuitStructure, a: Vec<bool>, b: Vec<bool>) -> Result<Self, StructureError> {
        let bodies = structure.bodies();
        let label = |from: usize, to: usize| {
            let direction = bodies[from].head().direction_to(bodies[to].head());
            let disconnected = StructureError::Disconnected { cell: bodies[from.max(to)].head() };
            direction.map(|direction| structure.orientations()[from].label(direction)).ok_or(disconnected)
        };
        let mut labels = vec![(None, None); bodies.len()];
        for at in 1..bodies.len() {
            labels[at - 1].1 = Some(label(at - 1, at)?);
            labels[at].0 = Some(label(at, at - 1)?);
        }
        Ok(Self { labels, a, b })
    }

    /// A copy of the chain that holds the numbers `a` and `b`.
    #[must_use]
    pub fn with(&self, a: Vec<bool>, b: Vec<bool>) -> Self {
        Self { labels: self.labels.clone(), a, b }
    }

    pub(super) fn bit(&self, seat: &Seat) -> ChainBit {
        let at = seat.number as usize;
        let (before, after) = self.labels[at];
        let bit = |bits: &[bool]| bits.get(at).copied().unwrap_or(false);
        ChainBit { before, after, a: bit(&self.a), b: bit(&self.b), inward: None, outward: None }
    }
}

/// The wiring of an amoebot of the chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChainBit {
    before: Option<u8>,
    after: Option<u8>,
    pub(super) a: bool,
    pub(super) b: bool,
    inward: Option<[PinSet; 2]>,
    outward: Option<[PinSet; 2]>,
}

acrasin_runtime::pack_fields!(ChainBit { before, after, a, b, inward, outward });

impl ChainBit {
    /// Whether the amoebot has the lowest bit.
    pub(super) fn is_lowest(&self) -> bool {
        self.before.is_none()
    }

    /// Whether the amoebot has the highest bit.
    pub(super) fn is_top(&self) -> bool {
        self.after.is_none()
    }

    /// Wires both lanes, each joined or split.
    pub(super) fn wire(&mut self, joined: [bool; 2], plan: &mut BeepPlan<'_>) {
        plan.reset();
        let pins = plan.pins();
        let (before, after) = (self.before, self.after);
        let lanes = [0, 1].map(|lane: u8| {
            let arriving = before.map(|label| Pin::head(label, pins - 1 - lane));
            let leaving = after.map(|label| Pin::head(label, lane));
            if joined[usize::from(lane)] {
                // The second set remains without pins, so that there are always four sets.
                let set = plan.set(arriving.into_iter().chain(leaving));
                let _ = plan.set([]);
                (set, set)
            } else {
                (plan.set(arriving), plan.set(leaving))
            }
        });
        self.inward = Some(lanes.map(|(inward, _)| inward));
        self.outward = Some(lanes.map(|(_, outward)| outward));
    }

    /// Beeps on a lane towards the lower bit.
    pub(super) fn beep_inward(&self, lane: usize, plan: &mut BeepPlan<'_>) {
        if let Some(sets) = self.inward {
            plan.beep(sets[lane]);
        }
    }

    /// Beeps on a lane towards the higher bit.
    pub(super) fn beep_outward(&self, lane: usize, plan: &mut BeepPlan<'_>) {
        if let Some(sets) = self.outward {
            plan.beep(sets[lane]);
        }
    }

    /// Whether a beep is received on a lane, on the side of the lower bit.
    pub(super) fn hears_inward(&self, lane: usize, heard: &CircuitView<'_>) -> bool {
        self.inward.is_some_and(|sets| heard.on(sets[lane]))
    }

    /// Whether a beep is received on a lane, on the side of the higher bit.
    pub(super) fn hears_outward(&self, lane: usize, heard: &CircuitView<'_>) -> bool {
        self.outward.is_some_and(|sets| heard.on(sets[lane]))
    }
}
