//! [`Wiring`]: the links of pins, and the pin configurations of all amoebots.

use acrasin_amoebot::{Body, Direction, End};
use acrasin_runtime::{Pack as _, PackError};

use super::pin::WORD;
use crate::structure::{CellMap, CircuitStructure, Occupant, ends};

/// The entry of `links` for an edge without a neighbour.
const NONE: u32 = u32::MAX;

/// Configurations and links, in flat arrays. The pins of an amoebot have slots, sorted by end, then by direction, then
/// counter-clockwise.
#[derive(Clone, Debug)]
pub(super) struct Wiring {
    pub(super) pins: usize,
    pub(super) amoebots: usize,
    /// The number of slots per amoebot: 6 or 12 times the number of pins per edge.
    pub(super) stride: usize,
    /// The number of words per row.
    pub(super) width: usize,
    /// For each slot the lowest slot of its set, one row per amoebot. Each slot after the last pin is a separate set.
    pub(super) rows: Vec<[u8; WORD]>,
    /// The neighbour at each edge, edge by edge: twice the neighbour's number, plus 1 if the edge leads to its tail.
    links: Vec<u32>,
    /// The edges of each amoebot whose other side has a lower number, as bits. With these bits each link is visited
    /// once.
    pub(super) earlier: Vec<u16>,
    /// The direction from head to tail of expanded amoebots.
    pub(super) towards_tail: Vec<Option<Direction>>,
    /// Whether pin `g` of one side is linked with pin `g` of the other side: a wrong rule.
    pub(super) same_numbers_are_linked: bool,
}

/// For each edge, the opposite edge of a neighbour's head.
const OPPOSITE: [usize; 12] = [3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2];

/// The rows in which each slot is a separate set.
pub(super) const SINGLE: [[u8; WORD]; 32] = {
    let mut rows = [[0; WORD]; 32];
    let mut slot = 0;
    while slot < 32 * WORD {
        rows[slot / WORD][slot % WORD] = slot as u8;
        slot += 1;
    }
    rows
};

impl Wiring {
    /// The wiring before the first call of [`place`](Self::place).
    pub(super) fn new(amoebots: usize, pins: u8) -> Self {
        Self {
            pins: pins.into(),
            amoebots,
            stride: 0,
            width: 1,
            rows: Vec::new(),
            links: Vec::new(),
            earlier: Vec::new(),
            towards_tail: Vec::new(),
            same_numbers_are_linked: false,
        }
    }

    /// Links pins according to the positions of all amoebots. Amoebots whose form changed get single pins; the others
    /// keep their sets.
    pub(super) fn place(
        &mut self,
        structure: &CircuitStructure,
        cells: &CellMap,
        is_new: impl Fn(usize) -> bool,
    ) {
        let form = |body: &Body| body.head().direction_to(body.tail());
        self.towards_tail.clear();
        self.towards_tail.extend(structure.bodies().iter().map(form));
        let edges = if self.towards_tail.iter().any(Option::is_some) { 12 } else { 6 };
        let stride = edges * self.pins;
        let width = stride.div_ceil(WORD).max(1);
        if self.rows.is_empty() || width != self.width {
            let kept = self.stride.min(stride);
            let mut rows = SINGLE[..width].repeat(self.amoebots);
            for amoebot in (0..self.amoebots).filter(|_| !self.rows.is_empty()) {
                let row = rows[amoebot * width..(amoebot + 1) * width].as_flattened_mut();
                row[..kept].copy_from_slice(&self.row(amoebot)[..kept]);
            }
            self.rows = rows;
        }
        (self.stride, self.width) = (stride, width);
        if self.pins == 0 {
            return;
        }
        for (amoebot, row) in self.rows.chunks_exact_mut(width).enumerate() {
            if is_new(amoebot) {
                row.copy_from_slice(&SINGLE[..width]);
            }
        }
        self.link(structure, cells, edges);
    }

    fn link(&mut self, structure: &CircuitStructure, cells: &CellMap, edges: usize) {
        self.links.clear();
        self.links.resize(self.amoebots * edges, NONE);
        self.earlier.clear();
        self.earlier.resize(self.amoebots, 0);
        for (amoebot, body) in structure.bodies().iter().enumerate() {
            for (end, cell) in ends(*body) {
                let around = cells.around(cell);
                for direction in Direction::ALL {
                    let (other, tail) = match around.owner(direction) {
                        Some(Occupant::Head(other)) => (other, 0),
                        Some(Occupant::Tail(other)) => (other, 1),
                        Some(Occupant::Object(_)) | None => continue,
                    };
                    if other as usize == amoebot {
                        continue;
                    }
                    let edge = usize::from(direction.index()) + if end == End::Head { 0 } else { 6 };
                    self.links[edge * self.amoebots + amoebot] = 2 * other + tail;
                    self.earlier[amoebot] |= u16::from((other as usize) < amoebot) << edge;
                }
            }
        }
    }

    /// For each slot of an amoebot, the lowest slot of its set.
    #[inline(always)]
    pub(super) fn row(&self, amoebot: usize) -> &[u8] {
        &self.rows[amoebot * self.width..(amoebot + 1) * self.width].as_flattened()[..self.stride]
    }

    /// The lowest slot of the set to which a slot belongs.
    #[inline(always)]
    pub(super) fn lowest(&self, amoebot: usize, slot: usize) -> u8 {
        self.rows[amoebot * self.width + slot / WORD][slot % WORD]
    }

    /// The number of a set. Numbers are assigned slot by slot, so the same set of consecutive amoebots has consecutive
    /// numbers.
    #[inline(always)]
    pub(super) fn number(&self, amoebot: usize, set: u8) -> usize {
        usize::from(set) * self.amoebots + amoebot
    }

    /// The amoebot on the other side of an edge, and the number of the edge at that amoebot; `None` if no amoebot is
    /// there.
    #[inline(always)]
    pub(super) fn across(&self, amoebot: usize, edge: usize) -> Option<(usize, usize)> {
        let link = self.links[edge * self.amoebots + amoebot];
        let tail = if link & 1 == 1 { 6 } else { 0 };
        (link != NONE).then(|| ((link >> 1) as usize, tail + OPPOSITE[edge]))
    }

    /// The number of the pin with which a pin is linked, on the other side of the edge.
    #[inline(always)]
    pub(super) fn opposite(&self, index: usize) -> usize {
        if self.same_numbers_are_linked { index } else { self.pins - 1 - index }
    }

    /// The set with which a pin is linked, as its amoebot and lowest slot.
    pub(super) fn linked_set(&self, amoebot: usize, slot: usize) -> Option<(usize, u8)> {
        let (other, edge) = self.across(amoebot, slot / self.pins)?;
        Some((other, self.lowest(other, edge * self.pins + self.opposite(slot % self.pins))))
    }

    /// Whether an edge leaves the body of the amoebot. The tail of a contracted amoebot and the edge between head and
    /// tail have no pins.
    pub(super) fn has_edge(&self, amoebot: usize, edge: usize) -> bool {
        match self.towards_tail[amoebot] {
            None => edge < 6,
            Some(inner) => {
                edge != usize::from(inner.index()) && edge != 6 + usize::from(inner.opposite().index())
            }
        }
    }

    /// Appends the configurations.
    pub(super) fn save(&self, into: &mut Vec<u8>) {
        ((self.amoebots * self.stride) as u64).pack(into);
        into.reserve(self.amoebots * self.stride);
        for amoebot in 0..self.amoebots {
            into.extend_from_slice(self.row(amoebot));
        }
    }

    /// Restores configurations that [`save`](Self::save) wrote for the same structure.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such configurations.
    pub(super) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        let count = self.amoebots * self.stride;
        if u64::unpack(from)? != count as u64 {
            return Err(PackError);
        }
        let (lowest, rest) = from.split_at_checked(count).ok_or(PackError)?;
        *from = rest;
        if lowest.iter().any(|lowest| usize::from(*lowest) >= self.stride) {
            return Err(PackError);
        }
        if self.stride > 0 {
            let rows = self.rows.chunks_exact_mut(self.width).zip(lowest.chunks_exact(self.stride));
            rows.for_each(|(row, saved)| row.as_flattened_mut()[..saved.len()].copy_from_slice(saved));
        }
        Ok(())
    }
}
