//! The events of several frames: numbers of interactions in the strips, and interactions across seams.

use rayon::prelude::*;

use super::clock::{Crossing, EdgeClocks, TICKS};
use super::shape::StripShape;

/// The data on the interactions of frames `first..first + frames` that more than one strip needs.
#[derive(Debug)]
pub(super) struct FrameTrace {
    pub(super) first: u64,
    pub(super) frames: usize,
    /// For each strip, the number of its interactions in each tick.
    ticks: Vec<Vec<u8>>,
    /// For each seam, its interactions sorted by time, and the index at which each frame starts.
    seams: Vec<(Vec<Crossing>, Vec<u32>)>,
}

/// A position in a frame: the number of executed interactions in each strip and across each seam.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FrameCut {
    pub(super) strips: Vec<u32>,
    pub(super) seams: Vec<u32>,
}

impl FrameTrace {
    pub(super) fn new(shape: &StripShape, clock: &EdgeClocks, first: u64, frames: usize) -> Self {
        let strip = |strip: usize| {
            let mut ticks = Vec::with_capacity(frames * TICKS);
            (first..first + frames as u64).for_each(|frame| {
                clock.ticks(strip, shape.height(strip), frame, &mut ticks);
            });
            ticks
        };
        let seam = |seam: usize| {
            let (mut crossings, mut starts) = (Vec::new(), vec![0]);
            for frame in first..first + frames as u64 {
                clock.crossings(seam, frame, &mut crossings);
                starts.push(crossings.len() as u32);
            }
            (crossings, starts)
        };
        let (ticks, seams) = rayon::join(
            || (0..shape.strips()).into_par_iter().map(strip).collect(),
            || (0..shape.strips()).into_par_iter().map(seam).collect(),
        );
        Self { first, frames, ticks, seams }
    }

    /// The number of interactions of a strip in each tick of a frame.
    pub(super) fn ticks(&self, strip: usize, frame: usize) -> &[u8] {
        &self.ticks[strip][frame * TICKS..(frame + 1) * TICKS]
    }

    /// The interactions across a seam in a frame, by time.
    pub(super) fn crossings(&self, seam: usize, frame: usize) -> &[Crossing] {
        let (crossings, starts) = &self.seams[seam];
        &crossings[starts[frame] as usize..starts[frame + 1] as usize]
    }

    /// The position at the end of a frame.
    pub(super) fn whole(&self, frame: usize) -> FrameCut {
        let strips = (0..self.ticks.len())
            .map(|strip| self.ticks(strip, frame).iter().map(|&count| u32::from(count)).sum());
        let seams = (0..self.seams.len()).map(|seam| self.crossings(seam, frame).len() as u32);
        FrameCut { strips: strips.collect(), seams: seams.collect() }
    }

    /// The position after the first `interactions` interactions of a frame. Panics if the frame has fewer.
    pub(super) fn cut(&self, clock: &EdgeClocks, frame: usize, interactions: u64) -> FrameCut {
        let parts = self.ticks.len();
        let mut cut = FrameCut { strips: vec![0; parts], seams: vec![0; parts] };
        let mut left = interactions;
        for tick in 0..TICKS {
            let here: u64 = (0..parts)
                .map(|part| {
                    u64::from(self.ticks(part, frame)[tick]) + self.of_tick(part, frame, tick).count() as u64
                })
                .sum();
            if here >= left {
                for (part, crosses) in self.order(clock, frame, tick).into_iter().take(left as usize) {
                    let counts = if crosses { &mut cut.seams } else { &mut cut.strips };
                    counts[part] += 1;
                }
                return cut;
            }
            left -= here;
            for part in 0..parts {
                cut.strips[part] += u32::from(self.ticks(part, frame)[tick]);
                cut.seams[part] += self.of_tick(part, frame, tick).count() as u32;
            }
        }
        unreachable!("the frame has {interactions} interactions and more")
    }

    fn of_tick(&self, seam: usize, frame: usize, tick: usize) -> impl Iterator<Item = &Crossing> {
        self.crossings(seam, frame).iter().filter(move |crossing| crossing.tick() == tick)
    }

    /// The strip or seam of each interaction of a tick, in order, with a flag that is true for a seam. At equal times
    /// strips precede seams.
    pub(super) fn order(&self, clock: &EdgeClocks, frame: usize, tick: usize) -> Vec<(usize, bool)> {
        let mut order = Vec::new();
        for part in 0..self.ticks.len() {
            let offsets = clock.times(part).offsets(self.first + frame as u64, tick);
            order.extend(
                (0..self.ticks(part, frame)[tick]).map(|number| (offsets.of(number.into()), false, part)),
            );
            order.extend(self.of_tick(part, frame, tick).map(|crossing| (crossing.offset(), true, part)));
        }
        order.sort_unstable();
        order.into_iter().map(|(_, crosses, part)| (part, crosses)).collect()
    }
}
