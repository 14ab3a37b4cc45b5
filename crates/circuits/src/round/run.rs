//! [`CircuitRun`]: the execution of an algorithm in synchronous rounds.

use std::sync::atomic::{AtomicBool, Ordering};

use acrasin_amoebot::algorithm::synchronous::PinState;
use acrasin_amoebot::{Body, Cell, Direction, Orientation};
use acrasin_runtime::PackError;
use acrasin_runtime::pack::{Pack, Saved, unpack_list};
use rayon::prelude::*;

use super::coins::{CoinToss, CoinTrouble, Coins, HalfCoins};
use super::losses::Losses;
use super::table::{Halves, RoundTable, Seat};
use crate::circuit::{
    BeepCounts, CircuitRules, CircuitView, Circuits, ConfigurationError, PinSet, PlanFault, PlanRows,
    SentPlans,
};
use crate::interruption::{GoesOn, is_time};
use crate::joint::{
    Anchor, BondSides, JointConflict, JointFigures, JointPlan, MovementRules, bonds_after, move_with,
};
use crate::structure::{CellMap, CircuitStructure, StructureError};

/// The reason why a run ends early. The round in which it occurs has no effect.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunTrouble {
    /// The movements of a round are not possible.
    #[error("round {round}: {conflict}")]
    Conflict {
        /// The round, from 1.
        round: u64,
        /// The first class of conflict that applies, with its offenders.
        conflict: JointConflict,
    },
    /// A list of coins is too short.
    #[error("round {round}: {trouble}")]
    Coins {
        /// The round, from 1.
        round: u64,
        /// The reason why the list does not match the run.
        trouble: CoinTrouble,
    },
    /// The algorithm names a pin twice, or a pin that an amoebot does not have.
    #[error("round {round}: {error}")]
    Configuration {
        /// The round, from 1.
        round: u64,
        /// The mistake, with the cell.
        error: ConfigurationError,
    },
}

impl RunTrouble {
    /// The description of the trouble, without the number of the round.
    pub(super) fn conflict_text(&self) -> String {
        match self {
            Self::Conflict { conflict, .. } => conflict.to_string(),
            Self::Coins { trouble, .. } => trouble.to_string(),
            Self::Configuration { error, .. } => error.to_string(),
        }
    }
}

/// Counters of the last round.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HalfFigures {
    /// The name of the round.
    pub name: &'static str,
    /// Whether the round had a beep half.
    pub has_beeps: bool,
    /// The number of sets that beeped.
    pub sent: u64,
    /// The counters of the movement half, if the round had one.
    pub movement: Option<JointFigures>,
}

/// An execution of an algorithm.
#[derive(Clone, Debug)]
pub struct CircuitRun<A: RoundTable> {
    algorithm: A,
    structure: CircuitStructure,
    circuits: Circuits,
    neighbours: Vec<u16>,
    memories: Vec<A::Memory>,
    rounds: Vec<Option<A::RoundName>>,
    coins: Coins,
    losses: Losses,
    anchor: Anchor,
    rules: MovementRules,
    done: u64,
    figures: HalfFigures,
    /// The next round of the first amoebot that has one, and the halves of all next rounds.
    next: NextHalves<A::RoundName>,
    /// The owners of cells after the last movement half.
    cells: Option<CellMap>,
    /// The beeps and messages of each block of amoebots in the last half.
    sent: Vec<SentPlans>,
    /// The beeps and messages of the half before the last one, kept while the structure is [shown](Self::is_shown).
    sent_before: Vec<SentPlans>,
    /// The memories before the last half, and the next rounds of the amoebots before the last round, for undoing both.
    before: (Vec<A::Memory>, Vec<Option<A::RoundName>>),
    /// The movement half of the last round, if it had one.
    moved: Option<LastMovement>,
    /// The bonds of the last round of a run that continues from a checkpoint.
    loaded_bonds: Vec<BondSides>,
}

/// A movement half that has been executed, for pictures of its bonds.
#[derive(Clone, Debug)]
struct LastMovement {
    bodies: Vec<Body>,
    objects: Vec<Vec<Cell>>,
    plans: Vec<JointPlan>,
}

/// The halves that the next round uses.
#[derive(Clone, Copy, Debug)]
struct NextHalves<N> {
    first: Option<N>,
    last: Option<N>,
    moves: bool,
    beeps: bool,
}

impl<N: Copy + PartialEq> NextHalves<N> {
    const NONE: Self = Self { first: None, last: None, moves: false, beeps: false };

    /// Adds the next round of one amoebot. This round is nearly always the same as that of the previous amoebot.
    #[inline]
    fn add(&mut self, round: N, algorithm: &impl RoundTable<RoundName = N>) {
        if self.last == Some(round) {
            return;
        }
        self.first = self.first.or(Some(round));
        self.last = Some(round);
        let halves = algorithm.halves(round);
        self.moves |= halves != Halves::Beep;
        self.beeps |= halves != Halves::Movement;
    }

    /// Joins the next rounds of this block of amoebots and a later block.
    fn and(self, later: Self) -> Self {
        Self {
            first: self.first.or(later.first),
            last: later.last.or(self.last),
            moves: self.moves | later.moves,
            beeps: self.beeps | later.beeps,
        }
    }
}

/// The maximum number of amoebots of pictures and films.
const SHOWN_MAX: usize = 1 << 18;

/// The minimum number of amoebots in a block. With fewer, starting threads takes longer than their work.
const BLOCK: usize = 8192;

/// The number of blocks per thread. There are several blocks, because some take longer than others.
const BLOCKS_PER_THREAD: usize = 4;

/// The number of amoebots in a block: all amoebots if there is one thread. Results do not depend on this number.
fn block(amoebots: usize) -> usize {
    match rayon::current_num_threads() {
        1 => amoebots,
        threads => amoebots.div_ceil(threads * BLOCKS_PER_THREAD).max(BLOCK),
    }
}

impl<A: RoundTable> CircuitRun<A> {
    /// Starts an algorithm. The anchor of movements is amoebot 0.
    ///
    /// # Errors
    ///
    /// The structure is not connected, or does not satisfy the [demands](RoundTable::demands) of the algorithm.
    pub fn new(structure: CircuitStructure, algorithm: A, coins: Coins) -> Result<Self, StructureError> {
        structure.fulfils(algorithm.demands())?;
        let structure = structure.connected()?;
        let cells = CellMap::new(&structure)?;
        let circuits = Circuits::new(&structure, &cells);
        let neighbours = neighbours(&structure, &cells);
        let mut run = Self {
            algorithm,
            circuits,
            neighbours,
            memories: Vec::with_capacity(structure.amoebots()),
            rounds: Vec::with_capacity(structure.amoebots()),
            structure,
            coins,
            losses: Losses::None,
            anchor: Anchor::Amoebot(0),
            rules: MovementRules::default(),
            done: 0,
            figures: HalfFigures::default(),
            next: NextHalves::NONE,
            cells: None,
            sent: Vec::new(),
            sent_before: Vec::new(),
            before: (Vec::new(), Vec::new()),
            moved: None,
            loaded_bonds: Vec::new(),
        };
        for amoebot in 0..run.structure.amoebots() {
            let (memory, round) = run.algorithm.start(&run.seat(amoebot));
            run.memories.push(memory);
            run.rounds.push(round);
        }
        run.look_ahead();
        Ok(run)
    }

    /// This run with lost beeps.
    #[must_use]
    pub fn with_losses(mut self, losses: Losses) -> Self {
        self.losses = losses;
        self
    }

    /// This run with other coins from now on.
    #[must_use]
    pub fn with_coins(mut self, coins: Coins) -> Self {
        self.coins = coins;
        self
    }

    /// This run under other rules, to show that checks can fail.
    #[must_use]
    pub fn with_rules(mut self, circuits: CircuitRules, movements: MovementRules) -> Self {
        self.circuits.set_rules(circuits);
        self.rules = movements;
        self
    }

    /// This run with another anchor.
    #[must_use]
    pub fn with_anchor(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    /// The amoebots and objects.
    #[must_use]
    pub fn structure(&self) -> &CircuitStructure {
        &self.structure
    }

    /// The memories of all amoebots, by number.
    #[must_use]
    pub fn memories(&self) -> &[A::Memory] {
        &self.memories
    }

    /// The algorithm that the run executes.
    #[must_use]
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// The round that each amoebot executes next; `None` for amoebots that have ended.
    #[must_use]
    pub fn rounds(&self) -> &[Option<A::RoundName>] {
        &self.rounds
    }

    /// The source of the coins, including how many listed coins are used.
    #[must_use]
    pub fn coins(&self) -> &Coins {
        &self.coins
    }

    /// The number of rounds so far.
    #[must_use]
    pub fn rounds_done(&self) -> u64 {
        self.done
    }

    /// The counters of the last round.
    #[must_use]
    pub fn figures(&self) -> HalfFigures {
        self.figures
    }

    /// The number of amoebots in each [class](RoundTable::classes).
    #[must_use]
    pub fn class_counts(&self) -> Vec<u64> {
        let Self { algorithm, memories, rounds, .. } = self;
        let classes = algorithm.classes().len();
        let count = |memories: &[A::Memory], rounds: &[Option<A::RoundName>]| {
            let mut counts = vec![0; classes];
            for (memory, round) in memories.iter().zip(rounds) {
                counts[algorithm.class(memory, round.is_some())] += 1;
            }
            counts
        };
        let block = block(memories.len());
        if block >= memories.len() {
            return count(memories, rounds);
        }
        let blocks = memories.par_chunks(block).zip(rounds.par_chunks(block));
        let add = |mut sum: Vec<u64>, counts: Vec<u64>| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            sum
        };
        blocks.map(|(memories, rounds)| count(memories, rounds)).reduce(|| vec![0; classes], add)
    }

    /// The numbers of circuits, sent beeps and heard beeps in the last beep half. O(pins).
    #[must_use]
    pub fn counts(&self) -> BeepCounts {
        self.circuits.counts(self.figures.sent)
    }

    /// Appends the beeps and bonds of the last round, which pictures show but later rounds do not need.
    pub(crate) fn save_shown(&self, into: &mut Vec<u8>) {
        self.figures.has_beeps.pack(into);
        let sent = if self.figures.has_beeps { &self.sent[..] } else { &[] };
        let beeps: Vec<(u32, u8)> =
            sent.iter().flat_map(|block| &block.beeps).map(|&(amoebot, set)| (amoebot, set.0)).collect();
        beeps.pack(into);
        self.bonds().into_iter().map(BondSides::bits).collect::<Vec<u16>>().pack(into);
    }

    /// Sets the beeps and bonds that [`save_shown`](Self::save_shown) wrote in the same state.
    ///
    /// # Errors
    ///
    /// [`PackError`] if no such beeps and bonds begin there.
    pub(crate) fn load_shown(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.figures.has_beeps = bool::unpack(from)?;
        let beeps = Vec::<(u32, u8)>::unpack(from)?;
        let beeps: Vec<(u32, PinSet)> =
            beeps.into_iter().map(|(amoebot, set)| (amoebot, PinSet(set))).collect();
        let bonds = Vec::<u16>::unpack(from)?;
        let amoebots = self.memories.len();
        let fits = |&(amoebot, set): &(u32, PinSet)| self.circuits.has_set(amoebot as usize, set);
        if !beeps.is_sorted() || !beeps.iter().all(fits) || ![0, amoebots].contains(&bonds.len()) {
            return Err(PackError);
        }
        self.loaded_bonds = bonds.into_iter().map(BondSides::of_bits).collect();
        let mut sent = SentPlans::EMPTY;
        sent.beeps = beeps;
        self.sent = vec![sent];
        if self.figures.has_beeps {
            let is_delivered = self.circuits.deliver(&mut self.sent, amoebots, &|| true);
            debug_assert!(is_delivered);
        }
        Ok(())
    }

    /// The state in packed form, without the number of rounds so far.
    pub(super) fn state_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save(&mut bytes);
        let mut done = Vec::new();
        self.done.pack(&mut done);
        bytes.drain(..done.len());
        bytes
    }

    /// Sets a state that [`state_bytes`](Self::state_bytes) returned. The number of rounds so far becomes 0.
    pub(super) fn set_state(&mut self, state: &[u8]) -> Result<(), PackError> {
        let mut bytes = Vec::new();
        0_u64.pack(&mut bytes);
        bytes.extend_from_slice(state);
        self.load(&mut &bytes[..])
    }

    /// Appends the pins of an amoebot after the last round, by direction of the lattice.
    pub fn pins(&self, amoebot: usize, into: &mut Vec<PinState>) {
        let number = amoebot as u32;
        let blocks = if self.figures.has_beeps { &self.sent[..] } else { &[] };
        let of_block = |block: &SentPlans| {
            let first = block.beeps.partition_point(|&(other, _)| other < number);
            let beeps = block.beeps[first..].iter().take_while(|&&(other, _)| other == number);
            beeps.map(|&(_, set)| set).collect::<Vec<_>>()
        };
        let beeping: Vec<PinSet> = blocks.iter().flat_map(of_block).collect();
        self.circuits.pin_states(amoebot, &beeping, into);
    }

    /// For each amoebot the bonds that it kept in the movement half of the last round, at its position after the half.
    /// Empty if the round had no movement half. Each bond is listed at one owner. O(amoebots).
    #[must_use]
    pub fn bonds(&self) -> Vec<BondSides> {
        let Some(LastMovement { bodies, objects, plans }) = &self.moved else {
            return self.loaded_bonds.clone();
        };
        let mut before = self.structure.clone();
        before.place(bodies.clone(), objects.clone());
        bonds_after(&before, plans, self.rules)
    }

    /// The states at the beginning of the next round, in the notation of conformance files; `None` if these files do
    /// not list them, or the run has ended.
    #[must_use]
    pub fn states(&self) -> Option<String> {
        let round = self.rounds.iter().flatten().next()?;
        self.algorithm.states(*round, &self.memories)
    }

    fn seat(&self, amoebot: usize) -> Seat {
        seat(&self.structure, &self.neighbours, amoebot)
    }

    /// Determines the halves that the next round uses.
    fn look_ahead(&mut self) {
        self.next = NextHalves::NONE;
        for round in self.rounds.iter().flatten() {
            self.next.add(*round, &self.algorithm);
        }
    }

    /// Executes one round; returns false if the run has already ended. The threads of the current pool share the work;
    /// results do not depend on their number.
    ///
    /// # Errors
    ///
    /// Movements are in conflict, a list of coins is too short, or the algorithm names a pin wrongly.
    pub fn round(&mut self) -> Result<bool, RunTrouble> {
        self.round_while(&|| true)
    }

    /// Like [`round`](Self::round), but also returns false, with the round undone, once `goes_on` returns false.
    /// Several threads call `goes_on`, about once per 4096 amoebots. A round that has moved amoebots, or that takes its
    /// coins from a list, is always completed.
    ///
    /// # Errors
    ///
    /// As for [`round`](Self::round).
    pub fn round_while(&mut self, goes_on: &(dyn Fn() -> bool + Sync)) -> Result<bool, RunTrouble> {
        let NextHalves { first: Some(first), moves, beeps, .. } = self.next else { return Ok(false) };
        let name = self.algorithm.name(first);
        let figures = HalfFigures { name, has_beeps: beeps, ..HalfFigures::default() };
        let before = std::mem::replace(&mut self.figures, figures);
        if self.is_shown() {
            std::mem::swap(&mut self.sent, &mut self.sent_before);
        }
        let moved = self.moved.take();
        let loaded_bonds = std::mem::take(&mut self.loaded_bonds);
        if moves {
            self.movement_half()?;
        }
        let is_completed = moves || matches!(self.coins, Coins::Listed { .. });
        let goes_on: &GoesOn<'_> = if is_completed { &|| true } else { goes_on };
        if beeps && !self.beep_half(goes_on)? || !self.receive(goes_on) {
            self.figures = before;
            (self.moved, self.loaded_bonds) = (moved, loaded_bonds);
            self.show_again();
            return Ok(false);
        }
        self.done += 1;
        Ok(true)
    }

    /// Whether the structure is small enough for pictures and films, which show the last beeps and bonds.
    pub(crate) fn is_shown(&self) -> bool {
        self.memories.len() <= SHOWN_MAX
    }

    /// Restores the beeps of the last completed round, after the round that followed it was undone.
    fn show_again(&mut self) {
        if !self.is_shown() {
            self.figures.has_beeps = false;
            return;
        }
        std::mem::swap(&mut self.sent, &mut self.sent_before);
        if self.figures.has_beeps {
            self.sent.iter_mut().for_each(SentPlans::forget_changes);
            let is_delivered = self.circuits.deliver(&mut self.sent, block(self.memories.len()), &|| true);
            debug_assert!(is_delivered);
        }
    }

    /// Undoes the last beep half: restores the memories and the pin configurations.
    fn undo(&mut self) {
        std::mem::swap(&mut self.memories, &mut self.before.0);
        self.circuits.undo(&self.sent);
    }

    /// Lets all amoebots process their received beeps and messages. Returns false, with the round undone, once
    /// `goes_on` returns false.
    fn receive(&mut self, goes_on: &GoesOn<'_>) -> bool {
        keep_previous(&mut self.before.1, &mut self.rounds);
        let is_cut = AtomicBool::new(false);
        let Self { algorithm, structure, circuits, neighbours, memories, rounds, before, .. } = self;
        let previous = &before.1[..];
        let receive_block =
            |first: usize, memories: &mut [A::Memory], rounds: &mut [Option<A::RoundName>]| {
                let mut next = NextHalves::NONE;
                for (at, (memory, round)) in memories.iter_mut().zip(rounds).enumerate() {
                    if !is_time(at, goes_on) {
                        is_cut.store(true, Ordering::Relaxed);
                        break;
                    }
                    *round = previous[first + at];
                    let Some(now) = *round else { continue };
                    let amoebot = first + at;
                    let seat = seat(structure, neighbours, amoebot);
                    let heard = CircuitView { circuits, amoebot, orientation: seat.orientation };
                    *round = algorithm.receive(now, &seat, memory, &heard);
                    if let Some(round) = *round {
                        next.add(round, algorithm);
                    }
                }
                next
            };
        let block = block(memories.len());
        let next = if block >= memories.len() {
            receive_block(0, memories, rounds)
        } else {
            let blocks = memories.par_chunks_mut(block).zip(rounds.par_chunks_mut(block)).enumerate();
            let next: Vec<NextHalves<A::RoundName>> =
                blocks.map(|(at, (memories, rounds))| receive_block(at * block, memories, rounds)).collect();
            next.into_iter().fold(NextHalves::NONE, NextHalves::and)
        };
        if is_cut.into_inner() {
            std::mem::swap(&mut self.rounds, &mut self.before.1);
            self.undo();
            return false;
        }
        self.next = next;
        true
    }

    fn movement_half(&mut self) -> Result<(), RunTrouble> {
        let mut plans = Vec::with_capacity(self.memories.len());
        // Memory before the half: a conflict undoes the round.
        self.before.0.clone_from(&self.memories);
        for amoebot in 0..self.memories.len() {
            plans.push(match self.rounds[amoebot] {
                Some(round) => {
                    let seat = self.seat(amoebot);
                    self.algorithm.plan(round, &seat, &mut self.memories[amoebot])
                }
                None => JointPlan::STILL,
            });
        }
        let cells = self.cells.take().map_or_else(|| CellMap::new(&self.structure), Ok);
        let cells = cells.expect("a structure has one owner per cell");
        let moved = match move_with(&self.structure, &cells, &plans, self.anchor, self.rules) {
            Ok(moved) => moved,
            Err(conflict) => {
                std::mem::swap(&mut self.memories, &mut self.before.0);
                self.figures.has_beeps = false;
                return Err(RunTrouble::Conflict { round: self.done + 1, conflict });
            }
        };
        let form = |body: &Body| body.head().direction_to(body.tail());
        let reformed: Vec<bool> = self
            .structure
            .bodies()
            .iter()
            .zip(&moved.bodies)
            .zip(&plans)
            .map(|((old, new), plan)| plan.action.is_some() || form(old) != form(new))
            .collect();
        let objects = self.structure.objects().iter().zip(&moved.objects);
        let objects = objects.map(|(cells, &(dx, dy))| {
            let shifted = cells.iter().filter_map(|cell| cell.translated(dx, dy));
            shifted.collect::<Vec<Cell>>()
        });
        let objects = objects.collect();
        let (bodies, objects) = self.structure.place(moved.bodies, objects);
        self.moved = Some(LastMovement { bodies, objects, plans });
        let cells =
            CellMap::new(&self.structure).expect("movements without a conflict end on different cells");
        self.neighbours = neighbours(&self.structure, &cells);
        self.circuits.place(&self.structure, &cells, &reformed);
        self.cells = Some(cells);
        self.figures.movement = Some(moved.figures);
        Ok(())
    }

    /// Executes a beep half. Returns false, with the half undone, once `goes_on` returns false.
    fn beep_half(&mut self, goes_on: &GoesOn<'_>) -> Result<bool, RunTrouble> {
        // Coins from a list may run out, and a stop request may arrive. Both undo the half.
        keep_previous(&mut self.before.0, &mut self.memories);
        let Self {
            algorithm, structure, circuits, neighbours, memories, rounds, coins, sent, before, ..
        } = self;
        let (amoebots, previous) = (memories.len(), &before.0[..]);
        let is_cut = AtomicBool::new(false);
        let send_block = |first: usize,
                          memories: &mut [A::Memory],
                          mut rows: PlanRows<'_>,
                          sent: &mut SentPlans,
                          coins: HalfCoins<'_>| {
            sent.clear();
            let mut coins = CoinToss { coins, amoebot: 0, tossed: 0 };
            for (at, memory) in memories.iter_mut().enumerate() {
                if !is_time(at, goes_on) {
                    is_cut.store(true, Ordering::Relaxed);
                    return;
                }
                memory.clone_from(&previous[first + at]);
                let Some(round) = rounds[first + at] else { continue };
                let seat = seat(structure, neighbours, first + at);
                (coins.amoebot, coins.tossed) = (seat.number, 0);
                rows.plan(seat.number, seat.orientation, sent, |plan| {
                    algorithm.send(round, &seat, memory, &mut coins, plan);
                });
            }
        };
        let mut block = block(amoebots);
        match HalfCoins::of(coins, self.done) {
            HalfCoins::Keyed(stream) if block < amoebots => {
                sent.resize(amoebots.div_ceil(block), SentPlans::EMPTY);
                let rows = circuits.plan_rows().blocks(block);
                let blocks = memories.par_chunks_mut(block).zip(rows).zip(&mut *sent).enumerate();
                blocks.for_each(|(at, ((memories, rows), sent))| {
                    send_block(at * block, memories, rows, sent, HalfCoins::Keyed(stream));
                });
            }
            // A list of coins is used up in the order of amoebots.
            coins => {
                block = amoebots;
                sent.resize(1, SentPlans::EMPTY);
                send_block(0, memories, circuits.plan_rows(), &mut sent[0], coins);
            }
        }
        if self.coins.is_exhausted() {
            std::mem::swap(&mut self.memories, &mut self.before.0);
            return Err(RunTrouble::Coins { round: self.done + 1, trouble: CoinTrouble::TooFew });
        }
        let fault = self.sent.iter().find_map(|sent| sent.fault);
        let goes_on: &GoesOn<'_> = if is_cut.into_inner() || fault.is_some() { &|| false } else { goes_on };
        if !self.circuits.deliver(&mut self.sent, block, goes_on) {
            self.undo();
            let Some((amoebot, fault)) = fault else { return Ok(false) };
            let amoebot = amoebot as usize;
            let cell = self.structure.bodies()[amoebot].head();
            let error = match fault {
                PlanFault::Twice(pin) => ConfigurationError::Twice { cell, amoebot, pin },
                PlanFault::NoPin(pin) => ConfigurationError::NoPin { cell, amoebot, pin },
            };
            return Err(RunTrouble::Configuration { round: self.done + 1, error });
        }
        self.losses.take(self.done, self.memories.len(), &mut self.circuits);
        self.figures.sent = self.sent.iter().map(|sent| sent.beeps.len() as u64).sum();
        Ok(true)
    }
}

/// Makes the current values the previous ones, for undoing a half. The half sets each current value from the previous
/// one: this reads and writes less memory than a copy of the whole list, and threads share the work.
fn keep_previous<T: Clone>(previous: &mut Vec<T>, current: &mut Vec<T>) {
    std::mem::swap(previous, current);
    if current.len() != previous.len() {
        current.clone_from(previous);
    }
}

fn seat(structure: &CircuitStructure, neighbours: &[u16], amoebot: usize) -> Seat {
    Seat {
        number: amoebot as u32,
        neighbours: neighbours[amoebot],
        pins: structure.pins(),
        orientation: structure.orientations()[amoebot],
    }
}

impl<A: RoundTable> CircuitRun<A> {
    /// Saves the state, or returns `None` once `has_time`, which is called every few milliseconds, returns false.
    pub fn save_while(&self, into: &mut Vec<u8>, has_time: &dyn Fn() -> bool) -> Option<()> {
        self.done.pack(into);
        pack_while(self.structure.bodies(), into, has_time)?;
        for cell in self.structure.objects().iter().flatten() {
            (cell.x(), cell.y()).pack(into);
        }
        pack_while(&self.memories, into, has_time)?;
        pack_while(&self.rounds, into, has_time)?;
        has_time().then(|| self.circuits.save(into))
    }
}

/// Packs a list in the format of [`unpack_list`], or returns `None` once `has_time` returns false.
fn pack_while<T: Pack>(list: &[T], into: &mut Vec<u8>, has_time: &dyn Fn() -> bool) -> Option<()> {
    const AT_ONCE: usize = 1 << 15;
    (list.len() as u64).pack(into);
    for part in list.chunks(AT_ONCE) {
        has_time().then_some(())?;
        part.iter().for_each(|element| element.pack(into));
    }
    Some(())
}

/// Saves the state of a run whose coins are keyed. The anchor and the division of cells into objects are not saved,
/// because they are part of the start.
impl<A: RoundTable> Saved for CircuitRun<A> {
    fn save(&self, into: &mut Vec<u8>) {
        self.save_while(into, &|| true).expect("there is time for it");
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), PackError> {
        self.done.unpack_into(from)?;
        let mut bodies = self.structure.bodies().to_vec();
        unpack_list(&mut bodies, from)?;
        let mut objects = self.structure.objects().to_vec();
        for cell in objects.iter_mut().flatten() {
            let (x, y) = <(i32, i32)>::unpack(from)?;
            *cell = Cell::new(x, y).map_err(|_| PackError)?;
        }
        self.structure.place(bodies, objects);
        self.cells = None;
        unpack_list(&mut self.memories, from)?;
        unpack_list(&mut self.rounds, from)?;
        let cells = CellMap::new(&self.structure).map_err(|_| PackError)?;
        self.neighbours = neighbours(&self.structure, &cells);
        let rules = self.circuits.rules();
        self.circuits = Circuits::new(&self.structure, &cells);
        self.circuits.set_rules(rules);
        self.figures = HalfFigures::default();
        self.moved = None;
        self.loaded_bonds.clear();
        self.look_ahead();
        self.circuits.load(from)
    }
}

/// For each amoebot, the labels at which amoebots are adjacent.
fn neighbours(structure: &CircuitStructure, cells: &CellMap) -> Vec<u16> {
    let seats = structure.bodies().iter().zip(structure.orientations());
    let labels = seats.map(|(body, &orientation)| {
        // The edge inside the body does not count.
        let at = |cell: Cell, inner: Option<Direction>| {
            let directions = cells.around(cell).amoebots();
            let directions = inner.map_or(directions, |inner| directions & !(1 << inner.index()));
            if orientation == Orientation::COMMON {
                return directions;
            }
            (1..=6).fold(0, |labels, label| {
                labels | (directions >> orientation.direction(label).index() & 1) << (label - 1)
            })
        };
        match body.head().direction_to(body.tail()) {
            None => at(body.head(), None),
            Some(inner) => at(body.head(), Some(inner)) | at(body.tail(), Some(inner.opposite())) << 6,
        }
    });
    labels.collect()
}
