//! From a protocol written in Rust to a table.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::build::{check_name, check_states, number_names};
use super::error::{TableError, TableErrorKind};
use super::matrix::{Outcome, Parts, Table, normalised};
use super::spec::{MAX_OUTCOMES, MAX_STATES};
use crate::FixedHasher;
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
    /// Cost: one call of [`FiniteProtocol::outcomes`] an ordered pair.
    pub fn compile<P: FiniteProtocol>(protocol: &P) -> Result<Self, TableError> {
        let states = protocol.states();
        let names: Vec<String> =
            states.iter().take(MAX_STATES + 1).map(|&state| protocol.state_name(state)).collect();
        check_states(&names)?;
        let mut numbers: HashMap<P::State, u16, FixedHasher> = HashMap::default();
        for (number, &state) in states.iter().enumerate() {
            if numbers.insert(state, number as u16).is_some() {
                let message = format!("the state {state:?} is listed twice");
                let value = format!("{state:?}");
                return Err(TableError::new(
                    TableErrorKind::DuplicateState,
                    &value,
                    message,
                    "each state once",
                ));
            }
        }
        let answers: Vec<String> =
            states.iter().map(|&state| protocol.output_name(&protocol.output(state))).collect();
        for answer in &answers {
            check_name("output", answer)?;
        }
        let (outputs, output_of) = number_names(answers.iter().map(String::as_str));
        let mut table = Self::null(Parts { names, outputs, output_of, group: protocol.group_rule() });
        let mut drawn = 0;
        for (a, &initiator) in states.iter().enumerate() {
            for (b, &responder) in states.iter().enumerate() {
                let at = |error: TableError| error.about(format!("the pair {initiator:?}, {responder:?}"));
                let outcomes = collect(&protocol.outcomes(initiator, responder), &numbers).map_err(at)?;
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
                table.set(a as u16, b as u16, &outcomes);
            }
        }
        Ok(table)
    }
}

/// The outcomes in normal form; equal ones are added up.
fn collect<S: Copy + Eq + std::hash::Hash + std::fmt::Debug>(
    written: &[(u32, (S, S))],
    numbers: &HashMap<S, u16, FixedHasher>,
) -> Result<Vec<Outcome>, TableError> {
    let number = |state: S| {
        numbers.get(&state).copied().ok_or_else(|| {
            let message = format!("the transition leads to {state:?}, which is not in the list of states");
            let accepted = "a list that is closed under transitions";
            TableError::new(TableErrorKind::UnknownState, &format!("{state:?}"), message, accepted)
        })
    };
    // Nearly every pair of nearly every protocol: no draw, nothing to add up.
    if let &[(1.., (initiator, responder))] = written {
        let (initiator, responder) = (number(initiator)?, number(responder)?);
        return Ok(vec![Outcome { initiator, responder, weight: 1 }]);
    }
    let mut sums: BTreeMap<[u16; 2], u32> = BTreeMap::new();
    let mut total = 0_u32;
    for &(weight, (initiator, responder)) in written {
        let sum = total.checked_add(weight).filter(|_| weight > 0);
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
        .map(|([initiator, responder], weight)| Outcome { initiator, responder, weight })
        .collect();
    Ok(normalised(outcomes))
}
