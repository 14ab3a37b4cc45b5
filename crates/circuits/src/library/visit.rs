//! [`Visit`]: one participant of PASC on a chain, and the visits of an Euler tour.
//!
//! The chain leaves a visit on two lanes and arrives at the next visit on two lanes. The sets P (primary) and S
//! (secondary) contain the leaving pins of lane 0 and lane 1. The arriving pins are crossed where the visit is active:
//! lane 0 in S, lane 1 in P. The first visit has only leaving pins and beeps on P. So a visit hears on S exactly if the
//! number of active visits after the first, up to itself, is odd.

use crate::circuit::{BeepPlan, CircuitView, Pin, PinSet};

/// A participant of PASC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The pins on which lanes 0 and 1 arrive; `None` at the beginning of the chain.
    pub arriving: Option<[Pin; 2]>,
    /// The pins on which lanes 0 and 1 leave; `None` at the end of the chain.
    pub leaving: Option<[Pin; 2]>,
    /// The label of the edge at which the chain arrives.
    pub from: Option<u8>,
    /// The label of the edge at which the chain leaves.
    pub to: Option<u8>,
    /// The sets P and S of the current configuration.
    sets: Option<[PinSet; 2]>,
}

acrasin_runtime::pack_fields!(Visit { arriving, leaving, from, to, sets });

impl Visit {
    /// A visit between two pairs of pins.
    #[must_use]
    pub fn between(arriving: Option<[Pin; 2]>, leaving: Option<[Pin; 2]>) -> Self {
        let label = |pins: Option<[Pin; 2]>| pins.map(|[pin, _]| pin.label);
        Self { arriving, leaving, from: label(arriving), to: label(leaving), sets: None }
    }

    /// Whether the chain begins at this visit.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.arriving.is_none()
    }

    /// Forms P and S. The first visit beeps on P.
    pub(super) fn wire(&mut self, is_active: bool, crossing: LaneCrossing, plan: &mut BeepPlan<'_>) {
        let side = |pins: Option<[Pin; 2]>, lane: usize| pins.map(|pins| pins[lane]);
        let crossed = |at: LaneCrossing| usize::from(is_active && !self.is_first() && crossing == at);
        let sets = [0, 1].map(|lane| {
            let arriving = side(self.arriving, lane ^ crossed(LaneCrossing::Arriving));
            let leaving = side(self.leaving, lane ^ crossed(LaneCrossing::Leaving));
            plan.set(arriving.into_iter().chain(leaving))
        });
        self.sets = Some(sets);
        if self.is_first() {
            plan.beep(sets[0]);
        }
    }

    /// The set S of the current configuration.
    pub(super) fn secondary(&self) -> Option<PinSet> {
        self.sets.map(|[_, secondary]| secondary)
    }

    /// Whether a beep was received on S.
    pub(super) fn bit(&self, heard: &CircuitView<'_>) -> bool {
        self.sets.is_some_and(|[_, secondary]| heard.on(secondary))
    }
}

/// The side at which active visits cross lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LaneCrossing {
    /// At the side where the chain arrives: correct.
    #[default]
    Arriving,
    /// At the side where the chain leaves: wrong, since the number of a visit then does not count the visit itself.
    Leaving,
}

/// The visits of an amoebot in the Euler tour along a tree. An arc arrives on pins 0 and 1 of its edge and leaves on
/// pins `c - 1` and `c - 2`. The arc that arrives from one tree edge leaves on the next tree edge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tour {
    /// The visits. At the root the first visit of the tour comes first; the other visits are sorted by the label of
    /// arrival.
    pub visits: Vec<Visit>,
}

acrasin_runtime::pack_fields!(Tour { visits });

impl Tour {
    /// The visits at an amoebot with these labels of tree edges, which must be in increasing order. The tour begins at
    /// the root with its lowest label.
    #[must_use]
    pub fn at(labels: &[u8], is_root: bool, pins: u8) -> Self {
        let arriving = |label: u8| Some([0, 1].map(|lane| Pin::head(label, lane)));
        let leaving = |label: u8| Some([0, 1].map(|lane| Pin::head(label, pins - 1 - lane)));
        let next = |at: usize| labels[(at + 1) % labels.len()];
        let mut visits = Vec::with_capacity(labels.len() + usize::from(is_root));
        if is_root {
            visits.push(Visit::between(None, labels.first().copied().and_then(leaving)));
        }
        for (at, label) in labels.iter().enumerate() {
            let is_end = is_root && at + 1 == labels.len();
            visits.push(Visit::between(arriving(*label), if is_end { None } else { leaving(next(at)) }));
        }
        Self { visits }
    }

    /// The position of the visit that leaves at a label; `None` if no visit does.
    #[must_use]
    pub fn leaving_at(&self, label: u8) -> Option<usize> {
        self.visits.iter().position(|visit| visit.to == Some(label))
    }

    /// The position of the visit that arrives at a label; `None` if no visit does.
    #[must_use]
    pub fn arriving_at(&self, label: u8) -> Option<usize> {
        self.visits.iter().position(|visit| visit.from == Some(label))
    }
}

/// The label that is `by` steps counter-clockwise of a label, in the amoebot's frame.
pub(super) const fn turned(label: u8, by: u8) -> u8 {
    (label - 1 + by) % 6 + 1
}
