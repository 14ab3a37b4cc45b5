//! Compilation of a protocol written in Rust to a table.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::HashTable;

use super::build::{check_name, check_states, number_names};
use super::error::{TableError, TableErrorKind};
use super::matrix::{Table, TableParts, WeightedOutcome, normalised};
use super::spec::{MAX_OUTCOMES, MAX_STATES};
use crate::SeedlessHasher;
use crate::protocol::FiniteProtocol;

impl Table {
    /// The table of a protocol with a known list of states. State `i` of the table is the `i`-th of
    /// [`FiniteProtocol::states`].
    ///
    /// # Errors
    ///
    /// An empty list of states, too many, one listed twice, names that are refused, a transition that leaves the
    /// list, or weights of a randomised pair that are 0 or whose sum does not fit in 32 bits.
    ///
    /// Cost: one call of [`Protocol::outcomes`](crate::Protocol::outcomes) per ordered pair.
    pub fn compile<P: FiniteProtocol>(protocol: &P) -> Result<Self, TableError> {
        let states = protocol.states();
        let names: Vec<String> =
            states.iter().take(MAX_STATES + 1).map(|&state| protocol.state_name(state)).collect();
        check_states(&names)?;
        let mut numbers = Numbers::default();
        let find = |numbers: &Numbers, state: P::State| {
            numbers.find(SeedlessHasher::default().hash_one(state), &|number| states[number] == state)
        };
        for &state in &states {
            if find(&numbers, state).is_some() {
                return Err(listed_twice(&format!("{state:?}")));
            }
            numbers.push(SeedlessHasher::default().hash_one(state));
        }
        let listed = ListedProtocol {
            outputs: states.iter().map(|&state| protocol.output_name(&protocol.output(state))).collect(),
            shown: &|number| format!("{:?}", states[number]),
            outcomes: &|[a, b], outcomes| {
                for (weight, (initiator, responder)) in protocol.outcomes(states[a], states[b]) {
                    let number = |state| find(&numbers, state).ok_or_else(|| format!("{state:?}"));
                    outcomes.push((weight, [number(initiator), number(responder)]));
                }
            },
        };
        let (outputs, output_of) = listed.outputs()?;
        let mut table = Self::null(TableParts { names, outputs, output_of, group: protocol.group_rule() });
        table.fill(&listed)?;
        Ok(table)
    }

    /// Fills every cell.
    fn fill(&mut self, listed: &ListedProtocol<'_>) -> Result<(), TableError> {
        let mut written = Vec::new();
        let mut drawn = 0;
        for a in self.states() {
            for b in self.states() {
                let pair = [usize::from(a), usize::from(b)];
                written.clear();
                (listed.outcomes)(pair, &mut written);
                let outcomes = collect(&written).map_err(|error| {
                    let [initiator, responder] = pair.map(listed.shown);
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

/// One outcome as the protocol gave it: its weight, and the numbers of the two states, or a state that is not listed.
type NumberedOutcome = (u32, [Result<u16, String>; 2]);

/// A protocol whose states are numbers. It is not generic, so that the code that checks it is compiled once, not once
/// per protocol.
struct ListedProtocol<'a> {
    /// The name of each state's output.
    outputs: Vec<String>,
    /// A state as errors show it.
    shown: &'a dyn Fn(usize) -> String,
    /// Adds the outcomes of a pair.
    outcomes: &'a dyn Fn([usize; 2], &mut Vec<NumberedOutcome>),
}

impl ListedProtocol<'_> {
    /// The names of the outputs, and the output of each state.
    fn outputs(&self) -> Result<(Vec<String>, Vec<u16>), TableError> {
        for output in &self.outputs {
            check_name("output", output)?;
        }
        Ok(number_names(self.outputs.iter().map(String::as_str)))
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

    /// The number of the state with this hash for which `is` returns true.
    fn find(&self, hash: u64, is: &dyn Fn(usize) -> bool) -> Option<u16> {
        self.numbers.find(hash, |&number| is(usize::from(number))).copied()
    }
}

fn listed_twice(state: &str) -> TableError {
    let message = format!("the state {state} is listed twice");
    TableError::new(TableErrorKind::DuplicateState, state, message, "each state once")
}

/// The outcomes in normal form, with the weights of equal ones added up.
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
