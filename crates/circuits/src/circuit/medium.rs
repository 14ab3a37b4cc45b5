//! [`Circuits`]: the wiring of all amoebots, its circuits, and the beeps and messages on them.

use std::sync::atomic::{AtomicBool, Ordering};

use acrasin_amoebot::algorithm::synchronous::PinState;
use acrasin_amoebot::{Direction, Orientation};
use acrasin_runtime::{Pack as _, PackError};
use rayon::prelude::*;

use super::names::CircuitNames;
use super::pin::{EMPTY_FIRST, PinSet, WORD};
use super::plan::{BeepPlan, PlanFault, PlanSketch};
use super::rules::CircuitRules;
use super::wiring::Wiring;
use crate::interruption::GoesOn;
use crate::structure::{CellMap, CircuitStructure};

/// The limit of flooding is the number of amoebots divided by this number. If more amoebots have changed, or the
/// circuits to be flooded have more sets, all circuits are formed again.
const FLOODED_FRACTION: usize = 8;

/// The number of sets that flooding may always visit.
const FLOODED_LEAST: usize = 64;

/// The configurations of all amoebots and their circuits.
///
/// A set is identified by its lowest pin, and a circuit by its lowest set. So names do not depend on the order in which
/// circuits are found. If few amoebots change their configuration, only circuits that touch a changed set are dissolved
/// and flooded again; if no configuration changes, the circuits remain.
#[derive(Debug)]
pub struct Circuits {
    wiring: Wiring,
    names: CircuitNames,
    /// The number of sets without pins of each amoebot; empty while every set has pins.
    without_pins: Vec<u8>,
    /// Whether every set had pins before the last delivery.
    had_only_pins: bool,
    changed: Vec<u32>,
    all_changed: bool,
    /// Whether there is a beep on a circuit, by its name. Entries are atomic, because several threads set them at the
    /// same time.
    loud: Vec<AtomicBool>,
    loud_circuits: Vec<u32>,
    /// The sets without pins of each amoebot that beep, as bits.
    loud_without_pins: Vec<u16>,
    messages: Vec<(u32, i64)>,
    lost: Vec<bool>,
    lost_without_pins: Vec<u16>,
    rules: CircuitRules,
}

impl Clone for Circuits {
    fn clone(&self) -> Self {
        let loud = self.loud.iter().map(|loud| AtomicBool::new(loud.load(Ordering::Relaxed)));
        Self {
            wiring: self.wiring.clone(),
            names: self.names.clone(),
            without_pins: self.without_pins.clone(),
            had_only_pins: self.had_only_pins,
            changed: self.changed.clone(),
            all_changed: self.all_changed,
            loud: loud.collect(),
            loud_circuits: self.loud_circuits.clone(),
            loud_without_pins: self.loud_without_pins.clone(),
            messages: self.messages.clone(),
            lost: self.lost.clone(),
            lost_without_pins: self.lost_without_pins.clone(),
            rules: self.rules,
        }
    }
}

/// Counters of one beep half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct BeepCounts {
    /// The number of circuits, including single pins and sets without pins.
    pub circuits: u64,
    /// The number of sets and single pins that beep.
    pub sent: u64,
    /// The number of sets and single pins on which a beep is received.
    pub heard: u64,
}

/// The beeps and messages of a block of amoebots in one half of a round, in the order of the amoebots.
#[derive(Clone, Debug)]
pub(crate) struct SentPlans {
    /// The sets that beep, each once.
    pub(crate) beeps: Vec<(u32, PinSet)>,
    pub(crate) messages: Vec<(u32, PinSet, i64)>,
    /// The amoebots whose sets with pins changed.
    changed: Vec<u32>,
    /// The previous configurations of these amoebots, one after the other.
    replaced: Vec<[u8; WORD]>,
    /// The amoebots whose number of sets without pins changed, with the planned number. Delivery exchanges it for the
    /// previous one.
    without_pins: Vec<(u32, u8)>,
    /// The first amoebot whose plan named a pin twice or out of range.
    pub(crate) fault: Option<(u32, PlanFault)>,
    sketch: PlanSketch,
}

impl SentPlans {
    pub(crate) const EMPTY: Self = Self {
        beeps: Vec::new(),
        messages: Vec::new(),
        changed: Vec::new(),
        replaced: Vec::new(),
        without_pins: Vec::new(),
        fault: None,
        sketch: PlanSketch::EMPTY,
    };

    /// Discards the records of changes. Then the same beeps and messages can be delivered again with the same
    /// configurations.
    pub(crate) fn forget_changes(&mut self) {
        self.changed.clear();
        self.replaced.clear();
        self.without_pins.clear();
    }

    pub(crate) fn clear(&mut self) {
        self.fault = None;
        self.beeps.clear();
        self.messages.clear();
        self.changed.clear();
        self.replaced.clear();
        self.without_pins.clear();
    }
}

/// Mutable access to the configurations of a block of amoebots, for applying plans.
pub(crate) struct PlanRows<'a> {
    first: usize,
    pins: u8,
    rows: &'a mut [[u8; WORD]],
    width: usize,
    towards_tail: &'a [Option<Direction>],
    without_pins: &'a [u8],
}

impl<'a> PlanRows<'a> {
    /// These rows as blocks of `block` amoebots.
    pub(crate) fn blocks(self, block: usize) -> impl IndexedParallelIterator<Item = PlanRows<'a>> {
        let Self { pins, rows, width, towards_tail, without_pins, .. } = self;
        rows.par_chunks_mut(block * width).enumerate().map(move |(at, rows)| PlanRows {
            first: at * block,
            pins,
            rows,
            width,
            towards_tail,
            without_pins,
        })
    }

    /// Lets an amoebot of the block plan, and applies its plan. A configuration that equals the previous one costs no
    /// further work.
    #[inline(always)]
    pub(crate) fn plan<T>(
        &mut self,
        number: u32,
        orientation: Orientation,
        sent: &mut SentPlans,
        decide: impl FnOnce(&mut BeepPlan<'_>) -> T,
    ) -> T {
        let amoebot = number as usize;
        let row = (amoebot - self.first) * self.width;
        let row = &mut self.rows[row..row + self.width];
        let without_pins = self.without_pins.get(amoebot).copied().unwrap_or(0);
        let beeps = sent.beeps.len();
        let mut plan = BeepPlan {
            amoebot: number,
            pins: self.pins,
            orientation,
            expanded: self.towards_tail[amoebot].is_some(),
            before: row,
            sketch: &mut sent.sketch,
            without_pins,
            rewired: false,
            beeps: &mut sent.beeps,
            messages: &mut sent.messages,
            fault: &mut sent.fault,
        };
        let decided = decide(&mut plan);
        let (rewired, now) = (plan.rewired, plan.without_pins);
        if rewired {
            if replace(row, &sent.sketch.row[..self.width], &mut sent.replaced) {
                sent.changed.push(number);
            }
            if now != without_pins {
                sent.without_pins.push((number, now));
            }
        }
        if sent.beeps.len() > beeps + 1 {
            deduplicate(&mut sent.beeps, beeps);
        }
        decided
    }
}

/// Replaces a row, and returns whether it changed. If so, appends the old row to `replaced`.
#[inline(always)]
fn replace(row: &mut [[u8; WORD]], planned: &[[u8; WORD]], replaced: &mut Vec<[u8; WORD]>) -> bool {
    let mut difference = 0;
    // Rows are short, so loops are cheaper than calls.
    for (word, planned) in row.iter().zip(planned) {
        difference |= u64::from_ne_bytes(*word) ^ u64::from_ne_bytes(*planned);
    }
    if difference == 0 {
        return false;
    }
    for (word, planned) in row.iter_mut().zip(planned) {
        replaced.push(std::mem::replace(word, *planned));
    }
    true
}

/// Sorts the beeps from index `first` on, and removes duplicates.
fn deduplicate(beeps: &mut Vec<(u32, PinSet)>, first: usize) {
    beeps[first..].sort_unstable();
    let mut kept = first + 1;
    for at in first + 1..beeps.len() {
        if beeps[at] != beeps[kept - 1] {
            beeps[kept] = beeps[at];
            kept += 1;
        }
    }
    beeps.truncate(kept);
}

impl Circuits {
    /// The medium of a structure, in which all pins are single.
    #[must_use]
    pub(crate) fn new(structure: &CircuitStructure, cells: &CellMap) -> Self {
        let mut circuits = Self {
            wiring: Wiring::new(structure.amoebots(), structure.pins()),
            names: CircuitNames::default(),
            without_pins: Vec::new(),
            had_only_pins: true,
            changed: Vec::new(),
            all_changed: true,
            loud: Vec::new(),
            loud_circuits: Vec::new(),
            loud_without_pins: Vec::new(),
            messages: Vec::new(),
            lost: Vec::new(),
            lost_without_pins: Vec::new(),
            rules: CircuitRules::default(),
        };
        circuits.place(structure, cells, &[]);
        circuits
    }

    /// Sets deviating rules from now on.
    pub(crate) fn set_rules(&mut self, rules: CircuitRules) {
        self.rules = rules;
        self.wiring.same_numbers_are_linked = rules.same_numbers_are_linked;
        self.all_changed = true;
    }

    pub(crate) fn rules(&self) -> CircuitRules {
        self.rules
    }

    /// Links pins according to the positions of all amoebots. Amoebots whose form changed get single pins, and lose the
    /// beeps and messages that they have received. So the driver reads these before the call. The other amoebots keep
    /// their sets.
    pub(crate) fn place(&mut self, structure: &CircuitStructure, cells: &CellMap, reformed: &[bool]) {
        let survive = self.rules.sets_survive_movements;
        let is_new = |amoebot: usize| !survive && reformed.get(amoebot).copied().unwrap_or(false);
        self.wiring.place(structure, cells, is_new);
        for (count, reformed) in self.without_pins.iter_mut().zip(reformed) {
            if *reformed {
                *count = 0;
            }
        }
        self.all_changed = true;
        // Until circuits are formed, each set is a separate, silent circuit.
        self.names.reset(&self.wiring);
        self.silence();
        self.loud.resize_with(self.wiring.amoebots * self.wiring.stride, || AtomicBool::new(false));
    }

    /// Removes all beeps and messages.
    fn silence(&mut self) {
        for circuit in self.loud_circuits.drain(..) {
            *self.loud[circuit as usize].get_mut() = false;
        }
        self.loud_without_pins.iter_mut().for_each(|bits| *bits = 0);
        self.messages.clear();
        self.lost.clear();
        self.lost_without_pins.clear();
    }

    /// The number of pins on each side of an edge.
    #[must_use]
    pub fn pins(&self) -> u8 {
        self.wiring.pins as u8
    }

    /// Mutable access to the configurations of all amoebots, for applying plans.
    pub(crate) fn plan_rows(&mut self) -> PlanRows<'_> {
        let Wiring { pins, rows, width, towards_tail, .. } = &mut self.wiring;
        let (pins, without_pins) = (*pins as u8, &self.without_pins[..]);
        PlanRows { first: 0, pins, rows, width: *width, towards_tail, without_pins }
    }

    /// Appends the configurations.
    pub(crate) fn save(&self, into: &mut Vec<u8>) {
        self.wiring.save(into);
        self.without_pins.pack(into);
    }

    /// Restores configurations that [`save`](Self::save) wrote for the same structure. Nothing is received until
    /// circuits are formed.
    ///
    /// # Errors
    ///
    /// [`PackError`] if `from` does not begin with such configurations.
    pub(crate) fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.wiring.load(from)?;
        self.without_pins.unpack_into(from)?;
        if ![0, self.wiring.amoebots].contains(&self.without_pins.len()) {
            return Err(PackError);
        }
        self.loud_without_pins = vec![0; self.without_pins.len()];
        self.all_changed = true;
        Ok(())
    }

    /// Restores the configurations that these plans have replaced. [`deliver`](Self::deliver) was called with the same
    /// plans.
    pub(crate) fn undo(&mut self, sent: &[SentPlans]) {
        let Wiring { rows, width, .. } = &mut self.wiring;
        for of_block in sent {
            for (amoebot, row) in of_block.changed.iter().zip(of_block.replaced.chunks_exact(*width)) {
                let first = *amoebot as usize * *width;
                rows[first..first + *width].copy_from_slice(row);
            }
            for &(amoebot, count) in &of_block.without_pins {
                self.without_pins[amoebot as usize] = count;
            }
        }
        self.silence();
        if self.had_only_pins {
            self.without_pins.clear();
            self.loud_without_pins.clear();
        }
        self.changed.clear();
        self.all_changed = true;
    }

    /// Forms the circuits of the current configurations, and delivers the beeps and messages that were sent. The blocks
    /// of `sent` have `block` amoebots each. Returns `false` once `goes_on` returns false; nothing is then received,
    /// and the plans can be [undone](Self::undo).
    #[must_use]
    pub(crate) fn deliver(&mut self, sent: &mut [SentPlans], block: usize, goes_on: &GoesOn<'_>) -> bool {
        self.silence();
        let amoebots = self.wiring.amoebots;
        self.had_only_pins = self.without_pins.is_empty();
        for of_block in &mut *sent {
            self.changed.extend_from_slice(&of_block.changed);
            for (amoebot, count) in &mut of_block.without_pins {
                if self.without_pins.is_empty() {
                    self.without_pins = vec![0; amoebots];
                    self.loud_without_pins = vec![0; amoebots];
                }
                std::mem::swap(&mut self.without_pins[*amoebot as usize], count);
            }
        }
        if !goes_on() {
            return false;
        }
        let most = amoebots / FLOODED_FRACTION;
        let is_flooded = !self.all_changed
            && self.changed.len() <= most
            && (self.changed.is_empty()
                || self.names.flood(&self.wiring, &self.changed, most.max(FLOODED_LEAST)));
        self.changed.clear();
        if !is_flooded && !self.names.join_all(&self.wiring, block, goes_on) {
            return false;
        }
        self.all_changed = false;
        match &*sent {
            [all] => {
                let mut loud = std::mem::take(&mut self.loud_circuits);
                self.beep(&all.beeps, &mut loud);
                self.loud_circuits = loud;
            }
            blocks => {
                let beep = |of_block: &SentPlans| {
                    let mut loud = Vec::new();
                    self.beep(&of_block.beeps, &mut loud);
                    loud
                };
                self.loud_circuits = blocks.par_iter().flat_map_iter(beep).collect();
            }
        }
        for of_block in sent {
            for &(amoebot, set) in &of_block.beeps {
                if set.0 < EMPTY_FIRST || self.loud_without_pins.is_empty() {
                    continue;
                }
                self.loud_without_pins[amoebot as usize] |= 1 << (set.0 - EMPTY_FIRST);
            }
            for (amoebot, set, value) in of_block.messages.drain(..) {
                let name = self.message_name(amoebot as usize, set);
                self.messages.push((name, value));
            }
        }
        self.sort_messages();
        true
    }

    /// Marks the circuits of these beeps as loud. Appends the circuits that were silent before to `loud_circuits`.
    fn beep(&self, beeps: &[(u32, PinSet)], loud_circuits: &mut Vec<u32>) {
        for &(amoebot, set) in beeps.iter().filter(|(_, set)| set.without_pins().is_none()) {
            let circuit = self.circuit(amoebot as usize, set);
            let loud = &self.loud[circuit as usize];
            // Most circuits are loud already, and reading is cheaper than writing.
            if !loud.load(Ordering::Relaxed) && !loud.swap(true, Ordering::Relaxed) {
                loud_circuits.push(circuit);
            }
        }
    }

    #[inline(always)]
    fn circuit(&self, amoebot: usize, set: PinSet) -> u32 {
        self.names.of(self.wiring.number(amoebot, set.0) as u32)
    }

    /// Sorts messages, so that the greatest message of each circuit can be found.
    fn sort_messages(&mut self) {
        self.messages.sort_unstable_by_key(|&(name, value)| (name, std::cmp::Reverse(value)));
        if self.rules.least_message_wins {
            self.messages.reverse();
            self.messages.sort_by_key(|&(name, _)| name);
        }
        self.messages.dedup_by_key(|&mut (name, _)| name);
    }

    fn message_name(&self, amoebot: usize, set: PinSet) -> u32 {
        match set.without_pins() {
            // A number above those of all pins, which fit because the size of a structure is limited.
            Some(number) => u32::MAX - (amoebot as u32 * 16 + u32::from(number)),
            None => self.circuit(amoebot, set),
        }
    }

    /// Removes the beep and the message that an amoebot receives on a set.
    pub(crate) fn lose(&mut self, amoebot: usize, set: PinSet) {
        if let Some(number) = set.without_pins() {
            self.lost_without_pins.resize(self.wiring.amoebots, 0);
            self.lost_without_pins[amoebot] |= 1 << number;
            return;
        }
        self.lost.resize(self.wiring.amoebots * self.wiring.stride, false);
        self.lost[self.wiring.number(amoebot, set.0)] = true;
    }

    /// The set of a pin by its number.
    #[inline(always)]
    pub(crate) fn set_of(&self, amoebot: usize, slot: u8) -> PinSet {
        PinSet(self.wiring.lowest(amoebot, slot.into()))
    }

    #[inline(always)]
    pub(crate) fn hears(&self, amoebot: usize, set: PinSet) -> bool {
        if usize::from(set.0) >= self.wiring.stride {
            return self.hears_without_pins(amoebot, set);
        }
        let is_loud = self.loud[self.circuit(amoebot, set) as usize].load(Ordering::Relaxed);
        is_loud && (self.lost.is_empty() || !self.lost[self.wiring.number(amoebot, set.0)])
    }

    /// Whether a beep is received on a set without pins. Nothing is received on sets that were formed when the body had
    /// another form.
    #[inline(never)]
    fn hears_without_pins(&self, amoebot: usize, set: PinSet) -> bool {
        let Some(number) = set.without_pins() else { return false };
        let bits = self.loud_without_pins.get(amoebot).copied().unwrap_or(0);
        let lost = self.lost_without_pins.get(amoebot).copied().unwrap_or(0);
        (bits & !lost) >> number & 1 == 1
    }

    pub(crate) fn message(&self, amoebot: usize, set: PinSet) -> Option<i64> {
        if self.messages.is_empty() {
            return None;
        }
        let name = self.message_name(amoebot, set);
        let found = self.messages.binary_search_by_key(&name, |&(name, _)| name).ok()?;
        let lost = match set.without_pins() {
            Some(number) => self.lost_without_pins.get(amoebot).is_some_and(|bits| bits >> number & 1 == 1),
            None => self.lost.get(self.wiring.number(amoebot, set.0)).copied().unwrap_or(false),
        };
        (!lost).then(|| self.messages[found].1)
    }

    /// The sets of an amoebot: sets with pins by their lowest pin, then sets without pins.
    pub(crate) fn sets(&self, amoebot: usize) -> impl Iterator<Item = PinSet> + '_ {
        let without_pins = self.without_pins.get(amoebot).copied().unwrap_or(0);
        let with_pins = self.wiring.row(amoebot).iter().enumerate().filter(move |&(slot, lowest)| {
            usize::from(*lowest) == slot && self.wiring.has_edge(amoebot, slot / self.wiring.pins)
        });
        with_pins
            .map(|(slot, _)| PinSet(slot as u8))
            .chain((0..without_pins).map(|number| PinSet(EMPTY_FIRST + number)))
    }

    /// Whether a set exists in the configuration of an amoebot.
    pub(crate) fn has_set(&self, amoebot: usize, set: PinSet) -> bool {
        amoebot < self.wiring.amoebots && self.sets(amoebot).any(|other| other == set)
    }

    /// Appends the pins of an amoebot, which beeps on the sets `beeping`.
    pub(crate) fn pin_states(&self, amoebot: usize, beeping: &[PinSet], into: &mut Vec<PinState>) {
        let ends = if self.wiring.towards_tail[amoebot].is_none() { 1 } else { 2 };
        let row = &self.wiring.row(amoebot)[..6 * ends * self.wiring.pins];
        into.extend(row.iter().map(|&set| {
            let circuit = self.circuit(amoebot, PinSet(set));
            let is_loud = self.loud[circuit as usize].load(Ordering::Relaxed);
            PinState { set, circuit, is_loud, beeps: beeping.contains(&PinSet(set)) }
        }));
    }

    /// The counters of the last beep half, in which `sent` sets beeped. O(pins).
    #[must_use]
    pub fn counts(&self, sent: u64) -> BeepCounts {
        let mut counts = BeepCounts { sent, ..BeepCounts::default() };
        for amoebot in 0..self.wiring.amoebots {
            for set in self.sets(amoebot) {
                let named = set.without_pins().is_some()
                    || self.circuit(amoebot, set) as usize == self.wiring.number(amoebot, set.0);
                counts.circuits += u64::from(named);
                counts.heard += u64::from(self.hears(amoebot, set));
            }
        }
        counts
    }
}
