//! The first phase of one strip: interactions that do not depend on its neighbours are executed, and the others are
//! deferred.

use std::ops::Range;

use acrasin_engine::prefetch;

use super::clock::{EdgeClocks, TICKS};
use super::shape::StripShape;
use super::trace::{FrameCut, FrameTrace};

/// The bit of a state that marks its agent as part of a deferred interaction.
pub(super) const TAINT: u8 = 1 << 7;

/// The number of interactions by which prefetching is ahead of execution. It is small, because a strip nearly fits in
/// the second-level cache.
const AHEAD: usize = 24;

/// The outcomes of deterministic rules of at most 128 states.
#[derive(Clone, Debug)]
pub(super) struct Outcomes {
    cells: Vec<[u8; 2]>,
    /// The binary logarithm of the number of cells in a row.
    shift: u32,
}

impl Outcomes {
    /// Creates the table from `outcomes`, which has one row of `states` cells per initiator state.
    pub(super) fn new(states: usize, outcomes: &[[u16; 2]]) -> Self {
        let stride = states.next_power_of_two();
        let mut cells = vec![[0; 2]; stride * stride];
        for (row, outcomes) in outcomes.chunks(states).enumerate() {
            for (cell, outcome) in cells[row * stride..].iter_mut().zip(outcomes) {
                *cell = outcome.map(|state| state as u8);
            }
        }
        Self { cells, shift: stride.trailing_zeros() }
    }

    #[inline(always)]
    pub(super) fn of(&self, initiator: u8, responder: u8) -> [u8; 2] {
        self.cells[usize::from(initiator) << self.shift | usize::from(responder)]
    }
}

/// A deferred interaction, by positions in a half of a strip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Later {
    /// Both agents are in this half.
    Here([u32; 2]),
    /// The other agent is in the previous half.
    WithBefore(Mine),
    /// The other agent is in the next half.
    WithAfter(Mine),
}

/// The agent of a deferred interaction that is in this half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mine {
    pub(super) place: u32,
    pub(super) is_initiator: bool,
}

/// The deferred interactions of a strip.
#[derive(Clone, Default, Debug)]
pub(super) struct Rest {
    /// The deferred interactions of the upper and the lower half, each in order.
    pub(super) halves: [Vec<Later>; 2],
    /// Whether a deferred interaction has one agent in each half.
    pub(super) is_joined: bool,
}

impl Rest {
    #[cold]
    fn add(&mut self, upper: u32, [i, j]: [u32; 2]) {
        let [above, below] = &mut self.halves;
        match [i < upper, j < upper] {
            [true, true] => above.push(Later::Here([i, j])),
            [false, false] => below.push(Later::Here([i - upper, j - upper])),
            [initiator_is_above, _] => {
                self.is_joined = true;
                let (place, other) = if initiator_is_above { (i, j) } else { (j, i) };
                above.push(Later::WithAfter(Mine { place, is_initiator: initiator_is_above }));
                below.push(Later::WithBefore(Mine {
                    place: other - upper,
                    is_initiator: !initiator_is_above,
                }));
            }
        }
    }
}

/// The part of a trace to execute.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) frames: usize,
    /// The position in the first frame before which all interactions have been executed; `None` for the start of the
    /// frame.
    pub(super) from: Option<FrameCut>,
    /// The position in the last frame up to which the window is executed; `None` for the end of the frame.
    pub(super) to: Option<FrameCut>,
}

/// Buffers for the interactions of a frame.
#[derive(Default)]
pub(super) struct FrameRoom {
    pairs: Vec<[u32; 2]>,
    waits: Vec<(u32, Wait)>,
}

/// An interaction across a seam, as seen from one of the two strips.
#[derive(Clone, Copy)]
struct Wait {
    is_above: bool,
    place: u32,
}

/// A strip during the first phase.
pub(super) struct Strip<'a> {
    pub(super) shape: &'a StripShape,
    pub(super) clock: &'a EdgeClocks,
    pub(super) outcomes: &'a Outcomes,
    pub(super) trace: &'a FrameTrace,
    pub(super) number: usize,
}

impl Strip<'_> {
    /// Executes the interactions of a window that do not depend on other strips. An interaction across a seam taints
    /// its agent in this strip, and an interaction with a tainted agent taints both agents. These interactions are
    /// deferred.
    pub(super) fn run(&self, window: &Window, states: &mut [u8], rest: &mut Rest, room: &mut FrameRoom) {
        let FrameRoom { pairs: pair_room, waits } = room;
        let upper = self.shape.upper(self.number) as u32;
        let last_row = states.len() as u32 - self.shape.width;
        for frame in 0..window.frames {
            let [from, to] = self.bounds(window, frame, |cut| cut.strips[self.number]);
            let to = to.unwrap_or_else(|| {
                self.trace.ticks(self.number, frame).iter().map(|&count| u32::from(count)).sum()
            });
            self.find_waits(window, frame, waits);
            let pairs = self.clock.pairs(
                self.shape,
                self.number,
                self.trace.first + frame as u64,
                [from.unwrap_or(0), to],
                pair_room,
            );
            let mut done = 0;
            for &(before, Wait { is_above, place }) in &*waits {
                let before = (before - from.unwrap_or(0)) as usize;
                self.interact(pairs, done..before, upper, states, rest);
                done = before;
                let column = place >> 1;
                let starts_below = place & 1 == 1;
                if is_above {
                    states[column as usize] |= TAINT;
                    rest.halves[0]
                        .push(Later::WithBefore(Mine { place: column, is_initiator: starts_below }));
                } else {
                    states[(last_row + column) as usize] |= TAINT;
                    let place = last_row + column - upper;
                    rest.halves[1].push(Later::WithAfter(Mine { place, is_initiator: !starts_below }));
                }
            }
            self.interact(pairs, done..pairs.len(), upper, states, rest);
        }
    }

    /// The start and end of a frame in a window, as numbers of interactions; `count` reads them from a position. `None`
    /// means the start or end of the frame.
    fn bounds(&self, window: &Window, frame: usize, count: impl Fn(&FrameCut) -> u32) -> [Option<u32>; 2] {
        let from = window.from.as_ref().filter(|_| frame == 0).map(&count);
        let to = window.to.as_ref().filter(|_| frame + 1 == window.frames).map(&count);
        [from, to]
    }

    /// Finds the interactions across both seams in a frame, each with the number of the strip's own interactions before
    /// it.
    fn find_waits(&self, window: &Window, frame: usize, waits: &mut Vec<(u32, Wait)>) {
        waits.clear();
        let below = (self.number + 1) % self.shape.strips();
        let times = self.clock.times(self.number);
        let ticks = self.trace.ticks(self.number, frame);
        let mut before = [0; TICKS + 1];
        for tick in 0..TICKS {
            before[tick + 1] = before[tick] + u32::from(ticks[tick]);
        }
        for (seam, is_above) in [(self.number, true), (below, false)] {
            let all = self.trace.crossings(seam, frame);
            let [from, to] = self.bounds(window, frame, |cut| cut.seams[seam]);
            let [from, to] = [from.unwrap_or(0) as usize, to.map_or(all.len(), |to| to as usize)];
            waits.extend(all[from..to].iter().map(|crossing| {
                let tick = crossing.tick();
                let offsets = times.offsets(self.trace.first + frame as u64, tick);
                let earlier = offsets.until(crossing.offset(), ticks[tick]);
                (before[tick] + earlier, Wait { is_above, place: crossing.place })
            }));
        }
        // Two seams have no agent in common. So only the order of each with the strip's own interactions matters, and
        // the order within a seam, which a stable sort keeps.
        waits.sort_by_key(|&(before, _)| before);
    }

    /// Executes some interactions. Prefetches the states of later interactions as well, since there are only few at a
    /// time.
    #[inline(never)]
    fn interact(
        &self,
        pairs: &[[u32; 2]],
        stretch: Range<usize>,
        upper: u32,
        states: &mut [u8],
        rest: &mut Rest,
    ) {
        // Copies, so that they stay in registers while states are written.
        let Outcomes { cells, shift } = self.outcomes;
        let (cells, shift) = (&cells[..], *shift);
        let mut ahead = pairs.get(stretch.start + AHEAD..).unwrap_or_default().iter();
        for &[i, j] in &pairs[stretch] {
            if let Some(&[soon, other]) = ahead.next() {
                prefetch(states, soon as usize);
                prefetch(states, other as usize);
            }
            let (a, b) = (states[i as usize], states[j as usize]);
            if (a | b) & TAINT != 0 {
                states[i as usize] = a | TAINT;
                states[j as usize] = b | TAINT;
                rest.add(upper, [i, j]);
            } else {
                [states[i as usize], states[j as usize]] = cells[usize::from(a) << shift | usize::from(b)];
            }
        }
    }
}
