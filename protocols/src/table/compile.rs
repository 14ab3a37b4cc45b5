//! Compilation of a protocol written in Rust to a table.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::HashTable;

use super::build::{check_name, check_states, number_names};
use super::error::{TableError, TableErrorKind};
use super::matrix::{Table, TableParts, WeightedOutcome, normalised};
use super::spec::{MAX_OUTCOMES, MAX_STATES};
use crate::SeedlessHasher;
use crate::group::GroupRule;
use crate::protocol::FiniteProtocol;

impl Table {
    /// The table of a protocol with a known list of states. State `i` of the table is the `i`-th of
    /// [`FiniteProtocol::states`].
    ///
    /// # Errors
    ///
    /// No states, too many, a state listed twice, a refused name, or a transition to a state that is not listed. Or a
    /// weight of a randomised pair is 0, or the sum of its weights does not fit in 32 bits.
    ///
    /// Cost: one call of [`Protocol::outcomes`](crate::Protocol::outcomes) per ordered pair.
    pub fn compile<P: FiniteProtocol>(protocol: &P) -> Result<Self, TableError> {
        Self::of_listed(&ListedProtocol { protocol, states: protocol.states() }, protocol.group_rule())
    }

    fn of_listed(listed: &dyn ListedStates, group: GroupRule) -> Result<Self, TableError> {
        let names: Vec<String> =
            (0..listed.count().min(MAX_STATES + 1)).map(|state| listed.name(state)).collect();
        check_states(&names)?;
        let mut numbers = Numbers::default();
        for state in 0..listed.count() {
            let hash = listed.hash(state);
            if numbers.find(hash, &|number| listed.is_same(number, state)).is_some() {
                return Err(listed_twice(&listed.shown(state)));
            }
            numbers.push(hash);
        }
        let outputs: Vec<String> = (0..listed.count()).map(|state| listed.output(state)).collect();
        for output in &outputs {
            check_name("output", output)?;
        }
        let (outputs, output_of) = number_names(outputs.iter().map(String::as_str));
        let mut table = Self::null(TableParts { names, outputs, output_of, group });
        table.fill(listed, &numbers)?;
        Ok(table)
    }

    /// Fills every cell of the table with the outcomes of its pair.
    fn fill(&mut self, listed: &dyn ListedStates, numbers: &Numbers) -> Result<(), TableError> {
        let mut written = Vec::new();
        let mut drawn = 0;
        for a in self.states() {
            for b in self.states() {
                let pair = [usize::from(a), usize::from(b)];
                written.clear();
                listed.outcomes(pair, numbers, &mut written);
                let outcomes = collect(&written).map_err(|error| {
                    let [initiator, responder] = pair.map(|state| listed.shown(state));
                    error.about(format!("the pair {initiator}, {responder}"))
                })?;
                if outcomes.len() > 1 {
                    drawn += outcomes.len();
                }
                if drawn > MAX_OUTCOMES {
                    let accepted = format!("at most {MAX_OUTCOMES} in all pairs together");
                    let message = "the randomised pairs have too many outcomes";
                    return Err(TableError::new(
                        TableErrorKind::TooMany,
                        &drawn.to_string(),
                        message,
                        accepted,
                    ));
                }
                self.set(a, b, &outcomes);
            }
        }
        Ok(())
    }
}

/// One outcome as the protocol returned it: its weight, and for both agents the number of the new state, or the text of
/// a state that is not listed.
type NumberedOutcome = (u32, [Result<u16, String>; 2]);

/// A protocol whose states are numbers. Only the implementations of this trait are compiled for each protocol type; the
/// code that checks protocols is compiled once.
trait ListedStates {
    fn count(&self) -> usize;

    fn name(&self, state: usize) -> String;

    /// The name of the output of a state.
    fn output(&self, state: usize) -> String;

    /// A state as errors show it.
    fn shown(&self, state: usize) -> String;

    fn hash(&self, state: usize) -> u64;

    fn is_same(&self, a: usize, b: usize) -> bool;

    /// Appends the outcomes of a pair to `into`.
    fn outcomes(&self, pair: [usize; 2], numbers: &Numbers, into: &mut Vec<NumberedOutcome>);
}

/// A protocol with its list of states.
struct ListedProtocol<'a, P: FiniteProtocol> {
    protocol: &'a P,
    states: Vec<P::State>,
}

impl<P: FiniteProtocol> ListedStates for ListedProtocol<'_, P> {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn name(&self, state: usize) -> String {
        self.protocol.state_name(self.states[state])
    }

    fn output(&self, state: usize) -> String {
        self.protocol.output_name(&self.protocol.output(self.states[state]))
    }

    fn shown(&self, state: usize) -> String {
        format!("{:?}", self.states[state])
    }

    fn hash(&self, state: usize) -> u64 {
        SeedlessHasher::default().hash_one(self.states[state])
    }

    fn is_same(&self, a: usize, b: usize) -> bool {
        self.states[a] == self.states[b]
    }

    fn outcomes(&self, [a, b]: [usize; 2], numbers: &Numbers, into: &mut Vec<NumberedOutcome>) {
        let number = |state: P::State| {
            let hash = SeedlessHasher::default().hash_one(state);
            let found = numbers.find(hash, &|number| self.states[number] == state);
            found.ok_or_else(|| format!("{state:?}"))
        };
        for (weight, (initiator, responder)) in self.protocol.outcomes(self.states[a], self.states[b]) {
            into.push((weight, [number(initiator), number(responder)]));
        }
    }
}

/// Finds the number of a state by its hash.
#[derive(Default)]
struct Numbers {
    hashes: Vec<u64>,
    numbers: HashTable<u16>,
}

impl Numbers {
    /// Adds the next number, for a state with this hash.
    fn push(&mut self, hash: u64) {
        let number = self.hashes.len() as u16;
        self.hashes.push(hash);
        self.numbers.insert_unique(hash, number, |&number| self.hashes[usize::from(number)]);
    }

    /// The number of the state with this hash for which `is` returns true; `None` if there is no such state.
    fn find(&self, hash: u64, is: &dyn Fn(usize) -> bool) -> Option<u16> {
        self.numbers.find(hash, |&number| is(usize::from(number))).copied()
    }
}

fn listed_twice(state: &str) -> TableError {
    let message = format!("the state {state} is listed twice");
    TableError::new(TableErrorKind::DuplicateState, state, message, "each state once")
}

/// The outcomes in normal form, with the weights of equal outcomes added.
fn collect(written: &[NumberedOutcome]) -> Result<Vec<WeightedOutcome>, TableError> {
    let number = |state: &Result<u16, String>| {
        state.as_ref().copied().map_err(|state| {
            let message = format!("the transition leads to {state}, which is not in the list of states");
            let accepted = "a list that is closed under transitions";
            TableError::new(TableErrorKind::UnknownState, state, message, accepted)
        })
    };
    // The usual case: no draw, and nothing to add up.
    if let [(1.., [initiator, responder])] = written {
        let (initiator, responder) = (number(initiator)?, number(responder)?);
        return Ok(vec![WeightedOutcome { initiator, responder, weight: 1 }]);
    }
    let mut sums: BTreeMap<[u16; 2], u32> = BTreeMap::new();
    let mut total = 0_u32;
    for (weight, [initiator, responder]) in written {
        let sum = total.checked_add(*weight).filter(|_| *weight > 0);
        total = sum.ok_or_else(|| {
            let message = format!("the weight {weight} is 0 or makes the sum too large");
            let accepted = "weights from 1 whose sum is at most 4294967295";
            TableError::new(TableErrorKind::BadWeight, &weight.to_string(), message, accepted)
        })?;
        *sums.entry([number(initiator)?, number(responder)?]).or_insert(0) += weight;
    }
    if sums.is_empty() {
        let message = "the list of outcomes is empty";
        return Err(TableError::new(TableErrorKind::NoOutcome, "", message, "at least one outcome"));
    }
    let outcomes = sums
        .into_iter()
        .map(|([initiator, responder], weight)| WeightedOutcome { initiator, responder, weight })
        .collect();
    Ok(normalised(outcomes))
}
