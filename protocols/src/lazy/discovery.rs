//! The states found so far, and the results of pairs of them.

use acrasin_catalogue::counted;
use std::cell::RefCell;
use std::fmt;

use acrasin_runtime::choice::Choices;
use hashbrown::HashMap;

use super::memory::{Memory, MemoryRows};
use crate::SeedlessHasher;
use crate::protocol::{Protocol, WeightedOutcomes, draw};

/// A protocol on numbers of states: the states of another protocol, numbered in the order of discovery.
///
/// Initial states are numbered first, in their order. Other states are numbered as interactions reach them, the
/// initiator's before the responder's. So the numbers are a function of the initial states and the interactions. Of a
/// randomised pair, only drawn outcomes are numbered. Cached results do not change a run.
///
/// Memory: each state once, and 12 bytes per remembered pair, rounded up to rows, for the first 2048 states.
pub struct Discovery<'a, P: Protocol> {
    protocol: &'a P,
    found: RefCell<FoundStates<P::State>>,
}

/// The states found so far.
struct FoundStates<S> {
    states: Vec<S>,
    numbers: HashMap<S, u32, SeedlessHasher>,
    rows: MemoryRows,
    lotteries: Vec<WeightedOutcomes<S>>,
}

impl<S: Copy + Eq + std::hash::Hash> FoundStates<S> {
    fn number(&mut self, state: S) -> u32 {
        let Self { states, numbers, .. } = self;
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            u32::try_from(states.len() - 1).expect("memory ends before 2^32 states")
        })
    }

    fn pair(&mut self, (initiator, responder): (S, S)) -> (u32, u32) {
        (self.number(initiator), self.number(responder))
    }
}

impl<'a, P: Protocol> Discovery<'a, P> {
    /// Creates a discovery without numbered states.
    #[must_use]
    pub fn new(protocol: &'a P) -> Self {
        let found = FoundStates {
            states: Vec::new(),
            numbers: HashMap::default(),
            rows: MemoryRows::default(),
            lotteries: Vec::new(),
        };
        Self { protocol, found: RefCell::new(found) }
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

    /// The number of a state. A new state gets the next number.
    pub fn number(&self, state: P::State) -> u32 {
        self.found.borrow_mut().number(state)
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

    /// Lets a pair interact whose result is not remembered yet, and remembers it.
    fn meet(&self, initiator: u32, responder: u32, choices: &mut dyn Choices) -> (u32, u32) {
        let (a, b) = self.states_of(initiator, responder);
        let outcomes = self.protocol.outcomes(a, b);
        let after = draw(&outcomes, choices);
        let mut found = self.found.borrow_mut();
        let numbers = found.pair(after);
        if MemoryRows::holds(initiator, responder) {
            let memory = if outcomes.len() == 1 {
                Memory::Fixed(numbers.0, numbers.1)
            } else {
                found.lotteries.push(outcomes);
                Memory::Drawn((found.lotteries.len() - 1) as u32)
            };
            found.rows.insert(initiator, responder, memory);
        }
        numbers
    }
}

/// The states are numbers of the discovery. Methods that take a number panic if it is not one of them.
impl<P: Protocol> Protocol for Discovery<'_, P> {
    type State = u32;
    type Output = P::Output;

    fn transition(&self, initiator: u32, responder: u32) -> (u32, u32) {
        let (a, b) = self.states_of(initiator, responder);
        self.found.borrow_mut().pair(self.protocol.transition(a, b))
    }

    fn output(&self, state: u32) -> P::Output {
        self.protocol.output(self.state(state))
    }

    fn outcomes(&self, initiator: u32, responder: u32) -> WeightedOutcomes<u32> {
        let (a, b) = self.states_of(initiator, responder);
        let outcomes = self.protocol.outcomes(a, b);
        let mut found = self.found.borrow_mut();
        outcomes.into_iter().map(|(weight, pair)| (weight, found.pair(pair))).collect()
    }

    fn interact(&self, initiator: u32, responder: u32, choices: &mut dyn Choices) -> (u32, u32) {
        match self.memory(initiator, responder) {
            Memory::Fixed(a, b) => (a, b),
            Memory::Drawn(list) => {
                let after = draw(&self.found.borrow().lotteries[list as usize], choices);
                self.found.borrow_mut().pair(after)
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

/// The pairs that met and changed something, one line per outcome, by state numbers: the effective table as far as it
/// was needed. Printed by [`Display`](fmt::Display).
#[derive(Debug)]
pub struct MetPairs<'d, 'a, P: Protocol> {
    discovery: &'d Discovery<'a, P>,
    most_lines: usize,
}

impl<P: Protocol> MetPairs<'_, '_, P> {
    /// Shows at most this many outcomes, followed by the number of those left out.
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
