//! [`Circuits`]: the wiring of all amoebots, its circuits, and what is delivered on them.

use acrasin_amoebot::{Direction, End};
use acrasin_runtime::pack::{pack_list, unpack_list};
use acrasin_runtime::{Pack as _, PackError};

use super::pin::{EMPTY_FIRST, PinSet};
use super::plan::BeepPlan;
use super::rules::CircuitRules;
use crate::structure::{CellMap, CircuitStructure, Occupant, ends};

const NONE: u32 = u32::MAX;

/// A changed fraction of the amoebots, one in this many, above which all circuits are formed again.
const FLOODED_FRACTION: usize = 8;

/// The configurations of all amoebots and their circuits.
///
/// The pins of an amoebot have consecutive numbers. A set is named by its lowest pin, and a circuit by the lowest of
/// its sets. So names do not depend on the order in which circuits are found. If few amoebots change their
/// configuration, only circuits that touch a changed set are dissolved and flooded again.
#[derive(Clone, Debug)]
pub struct Circuits {
    pins: u8,
    /// Pins of an amoebot: 6 or 12 times the pins of an edge.
    stride: usize,
    /// The neighbour at each edge of each amoebot, as its first pin of the common edge.
    linked: Vec<u32>,
    /// The lowest pin of the set of each pin, within its amoebot.
    lowest: Vec<u8>,
    /// The circuit of each set, at its lowest pin.
    circuit: Vec<u32>,
    /// The number of sets without pins of each amoebot; no entries while there are none.
    without_pins: Vec<u8>,
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    all_changed: bool,
    /// Whether a beep is on a circuit, by its name.
    loud: Vec<bool>,
    loud_circuits: Vec<u32>,
    /// Sets without pins that beep, as bits.
    loud_without_pins: Vec<u16>,
    messages: Vec<(u32, i64)>,
    lost: Vec<bool>,
    lost_without_pins: Vec<u16>,
    visited: Vec<u32>,
    visit: u32,
    pub(crate) rules: CircuitRules,
    /// The direction from head to tail of expanded amoebots.
    towards_tail: Vec<Option<Direction>>,
}

/// Figures of one beep half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct BeepCounts {
    /// Circuits, with single pins and sets without pins.
    pub circuits: u64,
    /// Sets and single pins that beep.
    pub sent: u64,
    /// Sets and single pins on which a beep is received.
    pub heard: u64,
}

impl Circuits {
    /// The medium of a structure: all pins are single.
    #[must_use]
    pub(crate) fn new(structure: &CircuitStructure, cells: &CellMap) -> Self {
        let amoebots = structure.amoebots();
        let mut circuits = Self {
            pins: structure.pins(),
            stride: 0,
            linked: Vec::new(),
            lowest: Vec::new(),
            circuit: Vec::new(),
            without_pins: Vec::new(),
            changed: Vec::new(),
            is_changed: vec![false; amoebots],
            all_changed: true,
            loud: Vec::new(),
            loud_circuits: Vec::new(),
            loud_without_pins: Vec::new(),
            messages: Vec::new(),
            lost: Vec::new(),
            lost_without_pins: Vec::new(),
            visited: Vec::new(),
            visit: 0,
            rules: CircuitRules::default(),
            towards_tail: vec![None; amoebots],
        };
        circuits.place(structure, cells, &vec![true; amoebots]);
        circuits
    }

    /// Links pins by the places of all amoebots. Amoebots whose form changed get single pins, the others keep their
    /// sets. What was received is lost for the former; the driver has read it before.
    pub(crate) fn place(&mut self, structure: &CircuitStructure, cells: &CellMap, reformed: &[bool]) {
        let amoebots = structure.amoebots();
        let pins = usize::from(self.pins);
        let towards_tail = structure.bodies().iter().map(|body| body.head().direction_to(body.tail()));
        self.towards_tail = towards_tail.collect();
        let edges = if self.towards_tail.iter().any(Option::is_some) { 12 } else { 6 };
        let stride = edges * pins;
        let mut lowest = vec![0_u8; amoebots * stride];
        if stride > 0 {
            for (amoebot, row) in lowest.chunks_exact_mut(stride).enumerate() {
                let is_new = reformed[amoebot] && !self.rules.sets_survive_movements;
                if is_new || self.lowest.is_empty() {
                    for (slot, lowest) in row.iter_mut().enumerate() {
                        *lowest = slot as u8;
                    }
                } else {
                    let kept = self.stride.min(stride);
                    row[..kept].copy_from_slice(&self.lowest[amoebot * self.stride..][..kept]);
                    for (slot, lowest) in row.iter_mut().enumerate().skip(kept) {
                        *lowest = slot as u8;
                    }
                }
            }
        }
        for (amoebot, reformed) in reformed.iter().enumerate() {
            if *reformed && let Some(count) = self.without_pins.get_mut(amoebot) {
                *count = 0;
            }
        }
        (self.lowest, self.stride) = (lowest, stride);
        self.linked = vec![NONE; amoebots * edges];
        for (amoebot, body) in structure.bodies().iter().enumerate() {
            for (end, cell) in ends(*body) {
                for direction in Direction::ALL {
                    let (other, tail) = match cells.next(cell, direction) {
                        Some(Occupant::Head(other)) => (other, 0),
                        Some(Occupant::Tail(other)) => (other, 6),
                        Some(Occupant::Object(_)) | None => continue,
                    };
                    if other as usize == amoebot {
                        continue;
                    }
                    let edge = usize::from(direction.index()) + if end == End::Head { 0 } else { 6 };
                    let opposite = tail + usize::from(direction.opposite().index());
                    self.linked[amoebot * edges + edge] = (other as usize * stride + opposite * pins) as u32;
                }
            }
        }
        self.all_changed = true;
        // Until circuits are formed, each set is by itself and silent.
        self.circuit = (0..(amoebots * stride) as u32).collect();
        self.loud = vec![false; amoebots * stride];
        self.loud_circuits.clear();
        self.visited.clear();
        self.loud_without_pins.iter_mut().for_each(|bits| *bits = 0);
        self.messages.clear();
    }

    /// The number of pins on each side of an edge.
    #[must_use]
    pub fn pins(&self) -> u8 {
        self.pins
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    pub(crate) fn is_expanded(&self, amoebot: usize) -> bool {
        self.towards_tail[amoebot].is_some()
    }

    /// The configuration of an amoebot, to be changed in a plan.
    pub(crate) fn wiring(&self, amoebot: usize) -> (&[u8], u8) {
        let row = &self.lowest[amoebot * self.stride..(amoebot + 1) * self.stride];
        (row, self.without_pins.get(amoebot).copied().unwrap_or(0))
    }

    /// Applies the plan of an amoebot. A configuration that equals the previous one costs no further work.
    pub(crate) fn apply(&mut self, amoebot: usize, plan: &BeepPlan<'_>) {
        if plan.rewired {
            let row = &mut self.lowest[amoebot * self.stride..(amoebot + 1) * self.stride];
            if row != plan.lowest {
                row.copy_from_slice(plan.lowest);
                if !std::mem::replace(&mut self.is_changed[amoebot], true) {
                    self.changed.push(amoebot as u32);
                }
            }
            if self.without_pins.is_empty() && plan.without_pins > 0 {
                self.without_pins = vec![0; self.is_changed.len()];
                self.loud_without_pins = vec![0; self.is_changed.len()];
            }
            if let Some(count) = self.without_pins.get_mut(amoebot) {
                *count = plan.without_pins;
            }
        }
    }

    /// Appends the configurations.
    pub(crate) fn save(&self, into: &mut Vec<u8>) {
        pack_list(self.lowest.iter(), into);
        self.without_pins.pack(into);
    }

    /// Sets configurations that [`save`](Self::save) wrote for the same structure. Nothing is received until circuits
    /// are formed.
    ///
    /// # Errors
    ///
    /// [`PackError`] if no such configurations begin there.
    pub(crate) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        unpack_list(&mut self.lowest, from)?;
        self.without_pins.unpack_into(from)?;
        let fits = [0, self.is_changed.len()].contains(&self.without_pins.len());
        if !fits || self.lowest.iter().any(|lowest| usize::from(*lowest) >= self.stride) {
            return Err(PackError);
        }
        self.loud_without_pins = vec![0; self.without_pins.len()];
        self.all_changed = true;
        Ok(())
    }

    /// Forms the circuits of the current configurations.
    pub(crate) fn form(&mut self) {
        for circuit in self.loud_circuits.drain(..) {
            self.loud[circuit as usize] = false;
        }
        self.loud_without_pins.iter_mut().for_each(|bits| *bits = 0);
        self.messages.clear();
        self.lost.clear();
        self.lost_without_pins.clear();
        if self.all_changed || self.changed.len() * FLOODED_FRACTION > self.is_changed.len() {
            self.join_all();
        } else if !self.changed.is_empty() {
            self.flood_changed();
        }
        for amoebot in self.changed.drain(..) {
            self.is_changed[amoebot as usize] = false;
        }
        self.all_changed = false;
    }

    /// Joins all sets over all links: union-find in which the lower number always wins.
    fn join_all(&mut self) {
        let (pins, stride) = (usize::from(self.pins), self.stride);
        for (set, circuit) in self.circuit.iter_mut().enumerate() {
            *circuit = set as u32;
        }
        if stride == 0 {
            return;
        }
        let edges = stride / pins;
        let straight = self.rules.same_numbers_are_linked;
        let (circuit, lowest) = (&mut self.circuit, &self.lowest);
        for (amoebot, links) in self.linked.chunks_exact(edges).enumerate() {
            for (edge, &link) in links.iter().enumerate() {
                let own = amoebot * stride + edge * pins;
                let link = link as usize;
                // Each link is seen from both sides; the higher one joins.
                if link >= own {
                    continue;
                }
                let row = link / stride * stride;
                let mut joined = (usize::MAX, usize::MAX);
                for index in 0..pins {
                    let a = amoebot * stride + usize::from(lowest[own + index]);
                    let other = if straight { index } else { pins - 1 - index };
                    let b = row + usize::from(lowest[link + other]);
                    // Most pairs are known from the pin or the edge before.
                    if joined != (a, b) && circuit[a] != circuit[b] {
                        joined = (a, b);
                        join(circuit, a, b);
                    }
                }
            }
        }
        // Parents have lower numbers, so one pass in order suffices.
        for set in 0..self.circuit.len() {
            self.circuit[set] = self.circuit[self.circuit[set] as usize];
        }
    }

    /// Floods the circuits that touch a changed configuration. Every part of a dissolved circuit has a link to a
    /// changed amoebot, since only there sets were separated.
    fn flood_changed(&mut self) {
        let stride = self.stride;
        if self.visited.len() != self.circuit.len() {
            self.visited = vec![0; self.circuit.len()];
            self.visit = 0;
        }
        self.visit += 1;
        let mut found: Vec<u32> = Vec::new();
        for at in 0..self.changed.len() {
            let first = self.changed[at] as usize * stride;
            for slot in first..first + stride {
                // Pins that left a set have names of circuits from earlier; so every pin is reset.
                let seeds = [first + usize::from(self.lowest[slot]), self.linked_set(slot).unwrap_or(slot)];
                for seed in seeds {
                    if self.visited[seed] == self.visit || usize::from(self.lowest[seed]) != seed % stride {
                        continue;
                    }
                    found.clear();
                    found.push(seed as u32);
                    self.visited[seed] = self.visit;
                    let mut name = seed as u32;
                    let mut next = 0;
                    while let Some(&set) = found.get(next) {
                        next += 1;
                        name = name.min(set);
                        let (row, own) = (set as usize / stride * stride, (set as usize % stride) as u8);
                        for slot in row..row + stride {
                            if self.lowest[slot] == own
                                && let Some(other) = self.linked_set(slot)
                                && self.visited[other] != self.visit
                            {
                                self.visited[other] = self.visit;
                                found.push(other as u32);
                            }
                        }
                    }
                    for set in &found {
                        self.circuit[*set as usize] = name;
                    }
                }
            }
        }
    }

    /// The set that a pin is linked with.
    fn linked_set(&self, slot: usize) -> Option<usize> {
        let pins = usize::from(self.pins);
        let link = self.linked[slot / pins];
        (link != NONE).then(|| {
            let index = slot % pins;
            let other = if self.rules.same_numbers_are_linked { index } else { pins - 1 - index };
            let link = link as usize + other;
            link / self.stride * self.stride + usize::from(self.lowest[link])
        })
    }

    /// Puts a beep of an amoebot on a set.
    pub(crate) fn beep(&mut self, amoebot: usize, set: PinSet) {
        if let Some(number) = set.without_pins() {
            if let Some(bits) = self.loud_without_pins.get_mut(amoebot) {
                *bits |= 1 << number;
            }
            return;
        }
        let circuit = self.circuit[amoebot * self.stride + usize::from(set.0)];
        if !std::mem::replace(&mut self.loud[circuit as usize], true) {
            self.loud_circuits.push(circuit);
        }
    }

    /// Puts a message of an amoebot on a set.
    pub(crate) fn send(&mut self, amoebot: usize, set: PinSet, value: i64) {
        let name = self.message_name(amoebot, set);
        self.messages.push((name, value));
    }

    /// Sorts messages, so that the greatest of each circuit is found.
    pub(crate) fn deliver_messages(&mut self) {
        self.messages.sort_unstable_by_key(|&(name, value)| (name, std::cmp::Reverse(value)));
        if self.rules.least_message_wins {
            self.messages.reverse();
            self.messages.sort_by_key(|&(name, _)| name);
        }
        self.messages.dedup_by_key(|&mut (name, _)| name);
    }

    fn message_name(&self, amoebot: usize, set: PinSet) -> u32 {
        match set.without_pins() {
            // Above all pins: numbers of pins fit by the limit of a structure.
            Some(number) => u32::MAX - (amoebot as u32 * 16 + u32::from(number)),
            None => self.circuit[amoebot * self.stride + usize::from(set.0)],
        }
    }

    /// Takes away what an amoebot receives on a set.
    pub(crate) fn lose(&mut self, amoebot: usize, set: PinSet) {
        if let Some(number) = set.without_pins() {
            self.lost_without_pins.resize(self.is_changed.len(), 0);
            self.lost_without_pins[amoebot] |= 1 << number;
            return;
        }
        self.lost.resize(self.circuit.len(), false);
        self.lost[amoebot * self.stride + usize::from(set.0)] = true;
    }

    /// The set of a pin by its number.
    #[inline]
    pub(crate) fn set_of(&self, amoebot: usize, slot: u8) -> PinSet {
        PinSet(self.lowest[amoebot * self.stride + usize::from(slot)])
    }

    #[inline]
    pub(crate) fn hears(&self, amoebot: usize, set: PinSet) -> bool {
        if let Some(number) = set.without_pins() {
            let bits = self.loud_without_pins.get(amoebot).copied().unwrap_or(0);
            let lost = self.lost_without_pins.get(amoebot).copied().unwrap_or(0);
            return (bits & !lost) >> number & 1 == 1;
        }
        let at = amoebot * self.stride + usize::from(set.0);
        self.loud[self.circuit[at] as usize] && !self.lost.get(at).copied().unwrap_or(false)
    }

    pub(crate) fn message(&self, amoebot: usize, set: PinSet) -> Option<i64> {
        let name = self.message_name(amoebot, set);
        let found = self.messages.binary_search_by_key(&name, |&(name, _)| name).ok()?;
        let at = amoebot * self.stride + usize::from(set.0);
        let lost = match set.without_pins() {
            Some(number) => self.lost_without_pins.get(amoebot).is_some_and(|bits| bits >> number & 1 == 1),
            None => self.lost.get(at).copied().unwrap_or(false),
        };
        (!lost).then(|| self.messages[found].1)
    }

    /// The sets of an amoebot: sets with pins by their lowest pin, then sets without pins.
    pub(crate) fn sets(&self, amoebot: usize) -> impl Iterator<Item = PinSet> + '_ {
        let (row, without_pins) = self.wiring(amoebot);
        let edges = if self.stride == 0 { 0 } else { usize::from(self.pins) };
        let with_pins = row.iter().enumerate().filter(move |&(slot, lowest)| {
            usize::from(*lowest) == slot && self.has_edge(amoebot, slot / edges)
        });
        with_pins
            .map(|(slot, _)| PinSet(slot as u8))
            .chain((0..without_pins).map(|number| PinSet(EMPTY_FIRST + number)))
    }

    /// Whether an edge leaves the body of the amoebot. The tail of a contracted one and the edge between head and tail
    /// have no pins.
    fn has_edge(&self, amoebot: usize, edge: usize) -> bool {
        match self.towards_tail[amoebot] {
            None => edge < 6,
            Some(inner) => {
                edge != usize::from(inner.index()) && edge != 6 + usize::from(inner.opposite().index())
            }
        }
    }

    /// The figures of this half. Cost: O(pins).
    #[must_use]
    pub fn counts(&self, sent: u64) -> BeepCounts {
        let mut counts = BeepCounts { sent, ..BeepCounts::default() };
        for amoebot in 0..self.is_changed.len() {
            for set in self.sets(amoebot) {
                let at = amoebot * self.stride + usize::from(set.0);
                let named = set.without_pins().is_some() || self.circuit[at] as usize == at;
                counts.circuits += u64::from(named);
                counts.heard += u64::from(self.hears(amoebot, set));
            }
        }
        counts
    }
}

/// Joins the circuits of two sets.
#[inline]
fn join(parent: &mut [u32], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

#[inline]
fn find(parent: &mut [u32], at: usize) -> u32 {
    let mut at = at as u32;
    loop {
        let up = parent[at as usize];
        if up == at {
            return at;
        }
        let above = parent[up as usize];
        parent[at as usize] = above;
        at = above;
    }
}
