//! [`CircuitRun`]: the execution of an algorithm in synchronous rounds.

use acrasin_amoebot::{AmoebotPort, Body, Cell, End};
use acrasin_runtime::pack::{Saved, pack_list, unpack_list};
use acrasin_runtime::{Pack as _, PackError};

use super::coins::{CoinToss, CoinTrouble, Coins, HalfCoins};
use super::losses::Losses;
use super::table::{Halves, RoundTable, Seat};
use crate::circuit::{BeepCounts, BeepPlan, CircuitRules, CircuitView, Circuits, PinSet};
use crate::joint::{Anchor, JointConflict, JointFigures, JointPlan, MovementRules, move_with};
use crate::structure::{CellMap, CircuitStructure, Occupant, StructureError};

/// The reason why a run ends early. The round has no effect.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunTrouble {
    /// The movements of a round are not possible.
    #[error("round {round}: {conflict}")]
    Conflict {
        /// The round, from 1.
        round: u64,
        /// The conflict.
        conflict: JointConflict,
    },
    /// A list of coins is too short.
    #[error("round {round}: {trouble}")]
    Coins {
        /// The round, from 1.
        round: u64,
        /// The fault of the list.
        trouble: CoinTrouble,
    },
}

/// Figures of the last round.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HalfFigures {
    /// The name of the round.
    pub name: &'static str,
    /// Whether the round had a beep half.
    pub has_beeps: bool,
    /// Sets that beeped.
    pub sent: u64,
    /// Figures of the movement half.
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
    beeps: Vec<(u32, PinSet)>,
}

impl<A: RoundTable> CircuitRun<A> {
    /// The start of an algorithm. The anchor of movements is amoebot 0.
    ///
    /// # Errors
    ///
    /// The structure is not connected, or not as the algorithm [demands](RoundTable::demands).
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
            beeps: Vec::new(),
        };
        for amoebot in 0..run.structure.amoebots() {
            let (memory, round) = run.algorithm.start(&run.seat(amoebot));
            run.memories.push(memory);
            run.rounds.push(round);
        }
        Ok(run)
    }

    /// This run with lost beeps.
    #[must_use]
    pub fn with_losses(mut self, losses: Losses) -> Self {
        self.losses = losses;
        self
    }

    /// This run with other coins from here on.
    #[must_use]
    pub fn with_coins(mut self, coins: Coins) -> Self {
        self.coins = coins;
        self
    }

    /// This run under other rules, to show that checks can fail.
    #[must_use]
    pub fn with_rules(mut self, circuits: CircuitRules, movements: MovementRules) -> Self {
        self.circuits.rules = circuits;
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

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// The round that each amoebot executes next; none for those that have ended.
    #[must_use]
    pub fn rounds(&self) -> &[Option<A::RoundName>] {
        &self.rounds
    }

    /// The coins, with the number that is used.
    #[must_use]
    pub fn coins(&self) -> &Coins {
        &self.coins
    }

    /// The number of rounds so far.
    #[must_use]
    pub fn rounds_done(&self) -> u64 {
        self.done
    }

    /// Figures of the last round.
    #[must_use]
    pub fn figures(&self) -> HalfFigures {
        self.figures
    }

    /// Circuits, sent and heard beeps of the last beep half. Cost: O(pins).
    #[must_use]
    pub fn counts(&self) -> BeepCounts {
        self.circuits.counts(self.figures.sent)
    }

    /// The states at the beginning of the next round, as conformance files write them.
    #[must_use]
    pub fn states(&self) -> Option<String> {
        let round = self.rounds.iter().flatten().next()?;
        self.algorithm.states(*round, &self.memories)
    }

    fn seat(&self, amoebot: usize) -> Seat {
        Seat {
            number: amoebot as u32,
            neighbours: self.neighbours[amoebot],
            pins: self.structure.pins(),
            orientation: self.structure.orientations()[amoebot],
        }
    }

    /// Executes one round: whether there was one.
    ///
    /// # Errors
    ///
    /// A conflict of movements, or a list of coins that is too short.
    pub fn round(&mut self) -> Result<bool, RunTrouble> {
        let Some(first) = self.rounds.iter().flatten().next() else { return Ok(false) };
        let name = self.algorithm.name(*first);
        let halves = |half| {
            let uses = |round: &A::RoundName| {
                let halves = self.algorithm.halves(*round);
                halves == half || halves == Halves::Both
            };
            self.rounds.iter().flatten().any(uses)
        };
        let (moves, beeps) = (halves(Halves::Movement), halves(Halves::Beep));
        self.figures = HalfFigures { name, has_beeps: beeps, ..HalfFigures::default() };
        if moves {
            self.movement_half()?;
        }
        if beeps {
            self.beep_half()?;
        }
        for amoebot in 0..self.memories.len() {
            if let Some(round) = self.rounds[amoebot] {
                let seat = self.seat(amoebot);
                let orientation = seat.orientation;
                let heard = CircuitView { circuits: &self.circuits, amoebot, orientation };
                self.rounds[amoebot] =
                    self.algorithm.receive(round, &seat, &mut self.memories[amoebot], &heard);
            }
        }
        self.done += 1;
        Ok(true)
    }

    fn movement_half(&mut self) -> Result<(), RunTrouble> {
        let mut plans = Vec::with_capacity(self.memories.len());
        // Memory before the half: a conflict undoes the round.
        let before = self.memories.clone();
        for amoebot in 0..self.memories.len() {
            plans.push(match self.rounds[amoebot] {
                Some(round) => {
                    let seat = self.seat(amoebot);
                    self.algorithm.plan(round, &seat, &mut self.memories[amoebot])
                }
                None => JointPlan::STILL,
            });
        }
        let cells = CellMap::new(&self.structure).expect("a structure has one owner per cell");
        let moved = match move_with(&self.structure, &cells, &plans, self.anchor, self.rules) {
            Ok(moved) => moved,
            Err(conflict) => {
                self.memories = before;
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
        self.structure.place(moved.bodies, objects);
        let cells =
            CellMap::new(&self.structure).expect("movements without a conflict end on different cells");
        self.neighbours = neighbours(&self.structure, &cells);
        self.circuits.place(&self.structure, &cells, &reformed);
        self.figures.movement = Some(moved.figures);
        Ok(())
    }

    fn beep_half(&mut self) -> Result<(), RunTrouble> {
        // Coins from a list may run out, which undoes the half.
        let before =
            if matches!(self.coins, Coins::Listed { .. }) { self.memories.clone() } else { Vec::new() };
        self.beeps.clear();
        let stride = self.circuits.stride();
        let mut wiring = vec![0_u8; stride];
        let mut source = std::mem::replace(&mut self.coins, Coins::keyed(0));
        let mut coins = CoinToss { coins: HalfCoins::of(&mut source, self.done), amoebot: 0, tossed: 0 };
        let mut beeps = Vec::new();
        let mut sent_messages = Vec::new();
        let mut messages = Vec::new();
        for amoebot in 0..self.memories.len() {
            let Some(round) = self.rounds[amoebot] else { continue };
            let seat = self.seat(amoebot);
            let (row, without_pins) = self.circuits.wiring(amoebot);
            wiring.copy_from_slice(row);
            beeps.clear();
            sent_messages.clear();
            let mut plan = BeepPlan {
                pins: seat.pins,
                orientation: seat.orientation,
                expanded: self.circuits.is_expanded(amoebot),
                lowest: &mut wiring,
                without_pins,
                rewired: false,
                beeps: &mut beeps,
                messages: &mut sent_messages,
            };
            (coins.amoebot, coins.tossed) = (seat.number, 0);
            self.algorithm.send(round, &seat, &mut self.memories[amoebot], &mut coins, &mut plan);
            self.circuits.apply(amoebot, &plan);
            if beeps.len() > 1 {
                beeps.sort_unstable();
                beeps.dedup();
            }
            self.beeps.extend(beeps.iter().map(|set| (seat.number, PinSet(*set))));
            messages.extend(sent_messages.iter().map(|&(set, value)| (seat.number, PinSet(set), value)));
        }
        self.coins = source;
        if self.coins.is_exhausted() {
            self.memories = before;
            return Err(RunTrouble::Coins { round: self.done + 1, trouble: CoinTrouble::TooFew });
        }
        self.circuits.form();
        for &(amoebot, set) in &self.beeps {
            self.circuits.beep(amoebot as usize, set);
        }
        for (amoebot, set, value) in messages {
            self.circuits.send(amoebot as usize, set, value);
        }
        self.circuits.deliver_messages();
        self.losses.take(self.done, self.memories.len(), &mut self.circuits);
        self.figures.sent = self.beeps.len() as u64;
        Ok(())
    }
}

/// The state of a run whose coins are keyed. Objects and the anchor are not saved with their numbers: they belong to
/// the plan of the run.
impl<A: RoundTable> Saved for CircuitRun<A> {
    fn save(&self, into: &mut Vec<u8>) {
        self.done.pack(into);
        pack_list(self.structure.bodies().iter(), into);
        for cell in self.structure.objects().iter().flatten() {
            (cell.x(), cell.y()).pack(into);
        }
        pack_list(self.memories.iter(), into);
        pack_list(self.rounds.iter(), into);
        self.circuits.save(into);
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
        unpack_list(&mut self.memories, from)?;
        unpack_list(&mut self.rounds, from)?;
        let cells = CellMap::new(&self.structure).map_err(|_| PackError)?;
        self.neighbours = neighbours(&self.structure, &cells);
        let rules = self.circuits.rules;
        self.circuits = Circuits::new(&self.structure, &cells);
        self.circuits.rules = rules;
        self.figures = HalfFigures::default();
        self.circuits.load(from)
    }
}

/// The labels of each amoebot at which amoebots are adjacent.
fn neighbours(structure: &CircuitStructure, cells: &CellMap) -> Vec<u16> {
    let seats = structure.bodies().iter().zip(structure.orientations());
    let labels = seats.map(|(body, &orientation)| {
        let adjacent = |port: &AmoebotPort| {
            let cell = body.leads_to(*port, orientation);
            let occupant = cell.and_then(|cell| cells.get(cell));
            matches!(occupant, Some(Occupant::Head(_) | Occupant::Tail(_)))
        };
        let bit =
            |port: AmoebotPort| 1_u16 << (port.label() - 1 + if port.end() == End::Head { 0 } else { 6 });
        AmoebotPort::all().filter(adjacent).fold(0, |bits, port| bits | bit(port))
    });
    labels.collect()
}
