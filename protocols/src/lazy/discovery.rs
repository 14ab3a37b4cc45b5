//! [`Discovery`]: the states found so far, and the cached results of their pairs.

use acrasin_catalogue::counted;
use std::cell::RefCell;
use std::fmt;

use acrasin_runtime::choice::Choices;
use hashbrown::HashMap;

use super::memory::{Memory, MemoryRows};
use crate::SeedlessHasher;
use crate::protocol::{Protocol, WeightedOutcomes, draw};
use crate::uniform::saved::{SavedError, SavedReader, Writer};

/// A protocol whose states are numbers: the states of another protocol, numbered in the order of discovery.
///
/// Initial states are numbered first, in their order. Other states are numbered as interactions reach them, the
/// initiator's before the responder's. So the numbers are a function of the initial states and the interactions. Of a
/// randomised pair, only the outcomes that were drawn are numbered. Caching results does not change a run.
///
/// Memory: each state once, and 12 bytes per remembered pair, rounded up to rows, for the first 2048 states.
pub struct Discovery<'a, P: Protocol> {
    protocol: &'a P,
    found: RefCell<FoundStates<P::State>>,
}

/// The states found so far.
pub(super) struct FoundStates<S> {
    pub(super) states: Vec<S>,
    /// For each state, the pair whose interaction first produced it; `None` if the caller gave the state.
    origins: Vec<Option<(u32, u32)>>,
    numbers: HashMap<S, u32, SeedlessHasher>,
    rows: MemoryRows,
    lotteries: Vec<WeightedOutcomes<S>>,
}

impl<S: Copy + Eq + std::hash::Hash> FoundStates<S> {
    fn none() -> Self {
        Self {
            states: Vec::new(),
            origins: Vec::new(),
            numbers: HashMap::default(),
            rows: MemoryRows::default(),
            lotteries: Vec::new(),
        }
    }

    fn number(&mut self, state: S, origin: Option<(u32, u32)>) -> u32 {
        let Self { states, origins, numbers, .. } = self;
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            origins.push(origin);
            u32::try_from(states.len() - 1).expect("memory ends before 2^32 states")
        })
    }

    /// The number of states that were given before the first state was found by an interaction.
    fn given(&self) -> usize {
        self.origins.iter().take_while(|origin| origin.is_none()).count()
    }

    /// Numbers the two states of an outcome of the pair `met`, and returns their numbers.
    fn pair(&mut self, met: (u32, u32), (initiator, responder): (S, S)) -> (u32, u32) {
        (self.number(initiator, Some(met)), self.number(responder, Some(met)))
    }

    /// Remembers a pair with these outcomes. If there is only one outcome, its states must have numbers already.
    fn remember(&mut self, (initiator, responder): (u32, u32), outcomes: WeightedOutcomes<S>) {
        let memory = if let [(_, (a, b))] = outcomes[..] {
            Memory::Fixed(self.numbers[&a], self.numbers[&b])
        } else {
            self.lotteries.push(outcomes);
            Memory::Drawn((self.lotteries.len() - 1) as u32)
        };
        self.rows.insert(initiator, responder, memory);
    }
}

impl<'a, P: Protocol> Discovery<'a, P> {
    /// Creates a discovery without numbered states.
    #[must_use]
    pub fn new(protocol: &'a P) -> Self {
        Self { protocol, found: RefCell::new(FoundStates::none()) }
    }

    /// The protocol whose states are discovered.
    pub(super) fn protocol(&self) -> &'a P {
        self.protocol
    }

    /// The number of states found so far.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.found.borrow().states.len()
    }

    /// The state with this number.
    ///
    /// # Panics
    ///
    /// Panics if no state has this number.
    #[must_use]
    pub fn state(&self, number: u32) -> P::State {
        self.found.borrow().states[number as usize]
    }

    /// The number of a state. A state that has no number yet gets the next one.
    pub fn number(&self, state: P::State) -> u32 {
        self.found.borrow_mut().number(state, None)
    }

    /// The remembered pairs as an effective table: see [`MetPairs`].
    #[must_use]
    pub fn met(&self) -> MetPairs<'_, 'a, P> {
        MetPairs { discovery: self, most_lines: usize::MAX }
    }

    fn states_of(&self, initiator: u32, responder: u32) -> (P::State, P::State) {
        let found = self.found.borrow();
        (found.states[initiator as usize], found.states[responder as usize])
    }

    fn memory(&self, initiator: u32, responder: u32) -> Memory {
        self.found.borrow().rows.get(initiator, responder)
    }

    /// Executes an interaction of a pair whose result is not remembered yet, and remembers the result.
    fn meet(&self, initiator: u32, responder: u32, choices: &mut dyn Choices) -> (u32, u32) {
        let (a, b) = self.states_of(initiator, responder);
        let outcomes = self.protocol.outcomes(a, b);
        let after = draw(&outcomes, choices);
        let mut found = self.found.borrow_mut();
        let numbers = found.pair((initiator, responder), after);
        if MemoryRows::holds(initiator, responder) {
            found.remember((initiator, responder), outcomes);
        }
        numbers
    }

    /// Writes the number of given states, the origins of the others in the order of discovery, and the pairs that
    /// interacted. States themselves are not written: each is an outcome of two earlier states. Returns `None` if a
    /// state is not among the [`outcomes`](Protocol::outcomes) of its pair, or if a state was given after others were
    /// found. Size: 24 bytes per state, and four per remembered pair.
    pub(super) fn save(&self, writer: &mut Writer) -> Option<()> {
        let found = self.found.borrow();
        let given = found.given();
        let mut origins = Vec::new();
        for (&state, &origin) in found.states.iter().zip(&found.origins).skip(given) {
            let (a, b) = origin?;
            let outcomes = self.protocol.outcomes(found.states[a as usize], found.states[b as usize]);
            let mut after = outcomes.iter().flat_map(|&(_, (a, b))| [a, b]);
            let place = after.position(|other| other == state)?;
            origins.extend([a.into(), b.into(), place as u64]);
        }
        writer.number(given as u64);
        writer.numbers(&origins);
        let met: Vec<u32> = found.rows.met().map(|(a, b)| a * MemoryRows::STATES + b).collect();
        writer.indices(MEMORIES, met.into_iter());
        Some(())
    }

    /// Reads the states that [`save`](Self::save) wrote, if the states given by the caller are the same here. Pass the
    /// result to [`replace`](Self::replace).
    pub(super) fn read(&self, reader: &mut SavedReader<'_>) -> Result<FoundStates<P::State>, SavedError> {
        let known = self.found.borrow();
        let mut found = FoundStates::none();
        let given = known.given();
        SavedError::unless(reader.number()? == given as u64, "states")?;
        known.states[..given].iter().for_each(|&state| _ = found.number(state, None));
        let origins = reader.numbers()?;
        SavedError::unless(origins.len() % 3 == 0, "states")?;
        for (number, origin) in (given..).zip(origins.chunks_exact(3)) {
            SavedError::unless(origin[..2].iter().all(|&state| state < number as u64), "states")?;
            let [a, b] = [origin[0], origin[1]].map(|state| found.states[state as usize]);
            let outcomes = self.protocol.outcomes(a, b);
            let mut after = outcomes.iter().flat_map(|&(_, (a, b))| [a, b]);
            let state = usize::try_from(origin[2]).ok().and_then(|place| after.nth(place));
            let state = state.ok_or(SavedError::impossible("states"))?;
            let is_new = found.number(state, Some((origin[0] as u32, origin[1] as u32))) as usize == number;
            SavedError::unless(is_new, "states")?;
        }
        let met: Vec<u32> = reader.indices(MEMORIES, "pairs of states")?;
        SavedError::unless(met.is_sorted_by(|one, other| one < other), "pairs of states")?;
        for pair in met {
            let (a, b) = (pair / MemoryRows::STATES, pair % MemoryRows::STATES);
            SavedError::unless((a.max(b) as usize) < found.states.len(), "pairs of states")?;
            let outcomes = self.protocol.outcomes(found.states[a as usize], found.states[b as usize]);
            let mut after = outcomes.iter().flat_map(|&(_, (a, b))| [a, b]);
            let is_known = outcomes.len() > 1 || after.all(|state| found.numbers.contains_key(&state));
            SavedError::unless(is_known, "pairs of states")?;
            found.remember((a, b), outcomes);
        }
        Ok(found)
    }

    /// Replaces all states and remembered pairs by those that [`read`](Self::read) returned.
    pub(super) fn replace(&self, found: FoundStates<P::State>) {
        self.found.replace(found);
    }
}

/// The number of pairs that can be remembered.
const MEMORIES: usize = (MemoryRows::STATES * MemoryRows::STATES) as usize;

/// The states are numbers of the discovery. Methods panic if a number has not been assigned yet.
impl<P: Protocol> Protocol for Discovery<'_, P> {
    type State = u32;
    type Output = P::Output;

    fn transition(&self, initiator: u32, responder: u32) -> (u32, u32) {
        let (a, b) = self.states_of(initiator, responder);
        self.found.borrow_mut().pair((initiator, responder), self.protocol.transition(a, b))
    }

    fn output(&self, state: u32) -> P::Output {
        self.protocol.output(self.state(state))
    }

    fn outcomes(&self, initiator: u32, responder: u32) -> WeightedOutcomes<u32> {
        let (a, b) = self.states_of(initiator, responder);
        let outcomes = self.protocol.outcomes(a, b);
        let mut found = self.found.borrow_mut();
        outcomes
            .into_iter()
            .map(|(weight, after)| (weight, found.pair((initiator, responder), after)))
            .collect()
    }

    fn interact(&self, initiator: u32, responder: u32, choices: &mut dyn Choices) -> (u32, u32) {
        match self.memory(initiator, responder) {
            Memory::Fixed(a, b) => (a, b),
            Memory::Drawn(list) => {
                let after = draw(&self.found.borrow().lotteries[list as usize], choices);
                self.found.borrow_mut().pair((initiator, responder), after)
            }
            Memory::Unmet => self.meet(initiator, responder, choices),
        }
    }
}

impl<P: Protocol> fmt::Debug for Discovery<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Discovery").field("states", &self.state_count()).finish_non_exhaustive()
    }
}

/// The pairs that interacted and changed something, one line per outcome, by state numbers: the part of the effective
/// table that the run needed. Printed by [`Display`](fmt::Display).
#[derive(Debug)]
pub struct MetPairs<'d, 'a, P: Protocol> {
    discovery: &'d Discovery<'a, P>,
    most_lines: usize,
}

impl<P: Protocol> MetPairs<'_, '_, P> {
    /// Shows at most this many outcomes, followed by the number of omitted ones.
    #[must_use]
    pub fn with_line_limit(self, lines: usize) -> Self {
        Self { most_lines: lines, ..self }
    }
}

impl<P: Protocol> fmt::Display for MetPairs<'_, '_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.discovery.found.borrow();
        let (mut met, mut lines) = (0, 0);
        for (a, b) in found.rows.met() {
            met += 1;
            let (a, b) = (found.states[a as usize], found.states[b as usize]);
            let outcomes = self.discovery.protocol.outcomes(a, b);
            let total: u64 = outcomes.iter().map(|&(weight, _)| u64::from(weight)).sum();
            for &(weight, (c, d)) in outcomes.iter().filter(|&&(_, after)| after != (a, b)) {
                lines += 1;
                if lines > self.most_lines {
                    continue;
                }
                write!(f, "{a:?} + {b:?} -> {c:?} + {d:?}")?;
                if outcomes.len() > 1 {
                    write!(f, " {weight}/{total}")?;
                }
                writeln!(f)?;
            }
        }
        if let Some(hidden @ 1..) = lines.checked_sub(self.most_lines) {
            writeln!(f, "... and {hidden} more")?;
        }
        writeln!(f, "{} of {} met", counted(met, "ordered pair"), counted(found.states.len(), "state"))
    }
}
