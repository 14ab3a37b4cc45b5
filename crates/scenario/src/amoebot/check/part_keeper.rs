//! [`PartKeeper`]: checkpoints of checks that consist of several explorations.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use acrasin_amoebot::check::{CheckKeeper, Route};
use acrasin_amoebot::{Cell, Shape};
use acrasin_runtime::Pack;

use super::found::OfStarts;
use super::{AMOEBOT_STATES_TOLD_APART, RunToViolation};

/// Prefixes each checkpoint of the current exploration with the findings of the explorations before it.
pub(super) struct PartKeeper<'k> {
    keeper: &'k dyn CheckKeeper,
    /// The prefix: the packed findings of earlier explorations.
    before: Vec<u8>,
    resumed: Mutex<Option<Vec<u8>>>,
    /// The final state of this exploration, which the next one includes in its checkpoints; `None` if this is the last
    /// one.
    end: Option<Mutex<Vec<u8>>>,
}

/// The first byte of a checkpoint from the first of two explorations.
const FIRST: u8 = 0;

/// The first byte of a checkpoint from the second exploration.
const SECOND: u8 = 1;

/// The number of a start, the findings of the starts before it, and the state of the exploration from this start.
type Resumed<const N: usize> = (usize, OfStarts<N>, Vec<u8>);

impl<'k> PartKeeper<'k> {
    /// A keeper for the first of two explorations of the same starts.
    pub(super) fn of_first(keeper: &'k dyn CheckKeeper, resumed: Option<Vec<u8>>) -> Self {
        let end = Some(Mutex::new(resumed.clone().unwrap_or_default()));
        Self { keeper, before: vec![FIRST], resumed: Mutex::new(resumed), end }
    }

    /// A keeper for the second exploration, whose checkpoints include the final state of this first one.
    pub(super) fn after(self, resumed: Option<Vec<u8>>) -> Self {
        let mut before = vec![SECOND];
        let end = self.end.map(|end| end.into_inner().unwrap_or_else(PoisonError::into_inner));
        end.unwrap_or_default().pack(&mut before);
        Self { keeper: self.keeper, before, resumed: Mutex::new(resumed), end: None }
    }

    /// Splits a checkpoint of two explorations into the state of the first and, if it has begun, that of the second.
    /// `None` if the bytes are not such a checkpoint.
    pub(super) fn resumed_parts(saved: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let (part, mut rest) = saved.split_first()?;
        match *part {
            FIRST => Some((rest.to_vec(), None)),
            SECOND => Some((Pack::unpack(&mut rest).ok()?, Some(rest.to_vec()))),
            _ => None,
        }
    }

    /// A keeper for the exploration from one start. Its checkpoints include the number of the start and the findings of
    /// all earlier starts.
    pub(super) fn of_start<const N: usize>(
        keeper: &'k dyn CheckKeeper,
        (start, sum): (usize, &OfStarts<N>),
        resumed: Option<Vec<u8>>,
    ) -> Self {
        let mut before = Vec::new();
        if keeper.is_keeping() {
            start.pack(&mut before);
            save(sum, &mut before);
        }
        Self { keeper, before, resumed: Mutex::new(resumed), end: None }
    }

    /// Reads a checkpoint of [`of_start`](Self::of_start); `None` if the bytes are not one.
    pub(super) fn resumed_start<const N: usize>(mut saved: &[u8]) -> Option<Resumed<N>> {
        let from = &mut saved;
        let start = usize::unpack(from).ok()?;
        let sum = load(from)?;
        Some((start, sum, from.to_vec()))
    }
}

impl CheckKeeper for PartKeeper<'_> {
    fn is_keeping(&self) -> bool {
        self.keeper.is_keeping()
    }

    fn resumed(&self) -> Option<Vec<u8>> {
        self.resumed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn is_due(&self, is_stopped: bool) -> bool {
        self.keeper.is_due(is_stopped)
    }

    fn keep(&self, state: Option<Vec<u8>>) {
        self.keeper.keep(state.map(|state| [&self.before[..], &state].concat()));
    }

    fn needs_end(&self, states: u64) -> bool {
        self.end.is_some() && self.is_keeping() && states <= AMOEBOT_STATES_TOLD_APART as u64
    }

    fn keep_end(&self, state: Option<Vec<u8>>) {
        if let Some(end) = &self.end {
            *end.lock().unwrap_or_else(PoisonError::into_inner) = state.unwrap_or_default();
        }
    }
}

fn save<const N: usize>(of: &OfStarts<N>, into: &mut Vec<u8>) {
    let OfStarts { states, moves, depth, disconnected, faults, counts, width, way, final_shapes } = of;
    [*states, *moves, *depth, *disconnected, *faults].pack(into);
    counts.pack(into);
    width.pack(into);
    final_shapes.len().pack(into);
    final_shapes.iter().for_each(|shape| save_cells(shape.cells(), into));
    way.is_some().pack(into);
    // Runs are retraced at the end of the check, so the moments are not known yet.
    if let Some(RunToViolation { to, is_shortest, start, steps, end, route, .. }) = way {
        save_text(to, into);
        is_shortest.pack(into);
        save_cells(start, into);
        steps.len().pack(into);
        steps.iter().for_each(|step| save_text(step, into));
        save_cells(end, into);
        (route.start, route.moves.clone()).pack(into);
    }
}

fn load<const N: usize>(from: &mut &[u8]) -> Option<OfStarts<N>> {
    let [states, moves, depth, disconnected, faults] = Pack::unpack(from).ok()?;
    let (counts, width) = (Pack::unpack(from).ok()?, Pack::unpack(from).ok()?);
    let mut final_shapes = BTreeSet::new();
    for _ in 0..usize::unpack(from).ok()? {
        final_shapes.insert(Shape::from_cells(load_cells(from)?).ok()?);
    }
    let way = if bool::unpack(from).ok()? {
        let (to, is_shortest) = (load_text(from)?, bool::unpack(from).ok()?);
        let start = load_cells(from)?;
        let mut steps = Vec::new();
        for _ in 0..usize::unpack(from).ok()? {
            steps.push(load_text(from)?);
        }
        let end = load_cells(from)?;
        let (first, moves) = Pack::unpack(from).ok()?;
        let route = Route { start: first, moves };
        Some(RunToViolation { to, is_shortest, start, steps, end, route, ..RunToViolation::default() })
    } else {
        None
    };
    Some(OfStarts { states, moves, depth, disconnected, faults, counts, width, way, final_shapes })
}

fn save_cells(cells: &[Cell], into: &mut Vec<u8>) {
    cells.iter().map(|cell| (cell.x(), cell.y())).collect::<Vec<_>>().pack(into);
}

fn load_cells(from: &mut &[u8]) -> Option<Vec<Cell>> {
    let cells = Vec::<(i32, i32)>::unpack(from).ok()?;
    cells.into_iter().map(|(x, y)| Cell::new(x, y).ok()).collect()
}

fn save_text(text: &str, into: &mut Vec<u8>) {
    text.as_bytes().to_vec().pack(into);
}

fn load_text(from: &mut &[u8]) -> Option<String> {
    String::from_utf8(Pack::unpack(from).ok()?).ok()
}
