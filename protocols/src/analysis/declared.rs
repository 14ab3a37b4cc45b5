//! Checks a claimed conserved quantity against every interaction.

use std::collections::BTreeMap;

use crate::name;
use crate::table::Table;

/// A name that is not a state of the table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown state `{name}` (accepted: {accepted})")]
pub struct UnknownState {
    name: String,
    accepted: name::Accepted,
}

impl UnknownState {
    /// The name, shortened if it is long.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The accepted names of states, as an error message lists them.
    #[must_use]
    pub fn accepted(&self) -> &str {
        &self.accepted.values
    }

    /// A suggestion of a similar name, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.accepted.hint.as_deref()
    }
}

/// Converts weights that are written by name, such as `{"A": 1, "B": -1}`, to one weight per state. States that are not
/// named weigh 0.
///
/// # Errors
///
/// A name that is not a state.
pub fn weights_by_name(table: &Table, written: &BTreeMap<String, i64>) -> Result<Vec<i64>, UnknownState> {
    let mut weights = vec![0; usize::from(table.state_count())];
    for (written_name, &weight) in written {
        let state = table.state(written_name).ok_or_else(|| UnknownState {
            name: name::quoted(written_name),
            accepted: name::Accepted::names(written_name, table.state_names().iter().map(String::as_str)),
        })?;
        weights[usize::from(state)] = weight;
    }
    Ok(weights)
}

/// An interaction that changes a quantity that was claimed to be conserved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} changes the quantity from {value_before} to {value_after}, so it is not conserved")]
pub struct ConservationViolation {
    /// The states of initiator and responder before the interaction.
    pub before: [u16; 2],
    /// The states of initiator and responder after the interaction.
    pub after: [u16; 2],
    /// The sum of the weights of the two states before the interaction.
    pub value_before: i128,
    /// The sum of the weights of the two states after the interaction.
    pub value_after: i128,
    text: String,
}

/// Checks that no interaction of states marked in `among` changes the sum of these weights.
///
/// # Errors
///
/// The first interaction that changes the sum, in the order of the table.
///
/// # Panics
///
/// Panics if `weights` or `among` does not have one entry per state.
pub fn check_conserved(table: &Table, weights: &[i64], among: &[bool]) -> Result<(), ConservationViolation> {
    let count = usize::from(table.state_count());
    assert_eq!((weights.len(), among.len()), (count, count), "one weight and one mark a state");
    let value =
        |pair: [u16; 2]| pair.iter().map(|&state| i128::from(weights[usize::from(state)])).sum::<i128>();
    let marked = || table.states().filter(|&state| among[usize::from(state)]);
    for before in marked().flat_map(|a| marked().map(move |b| [a, b])) {
        for outcome in table.outcomes(before[0], before[1]) {
            let after = [outcome.initiator, outcome.responder];
            let (value_before, value_after) = (value(before), value(after));
            if value_before != value_after {
                let [from, to] =
                    [before, after].map(|pair| pair.map(|state| table.state_name(state)).join(" + "));
                let text = format!("{from} -> {to}");
                return Err(ConservationViolation { before, after, value_before, value_after, text });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{ApproximateMajority, ExactMajority};

    fn declared(table: &Table, written: &[(&str, i64)]) -> Result<Vec<i64>, UnknownState> {
        weights_by_name(table, &written.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect())
    }

    #[test]
    fn the_difference_of_strong_agents_is_conserved() {
        let table = Table::compile(&ExactMajority).unwrap();
        let weights = declared(&table, &[("A", 1), ("B", -1)]).unwrap();
        assert_eq!(check_conserved(&table, &weights, &[true; 4]), Ok(()));
    }

    #[test]
    fn the_interaction_that_breaks_it_is_named() {
        let table = Table::compile(&ApproximateMajority).unwrap();
        let weights = declared(&table, &[("A", 1), ("B", -1)]).unwrap();
        let violation = check_conserved(&table, &weights, &[true; 3]).unwrap_err();
        assert_eq!((violation.before, violation.after), ([0, 2], [0, 0]));
        assert_eq!(
            violation.to_string(),
            "A + U -> A + A changes the quantity from 1 to 2, so it is not conserved"
        );
        // Among agents that never meet an undecided one there is only A + B -> U + U, which keeps the difference.
        assert_eq!(check_conserved(&table, &weights, &[true, true, false]), Ok(()));
    }

    #[test]
    fn extreme_weights_do_not_overflow() {
        let table = Table::compile(&ApproximateMajority).unwrap();
        let violation = check_conserved(&table, &[i64::MAX, i64::MAX, i64::MIN], &[true; 3]).unwrap_err();
        assert_eq!(violation.value_before, 2 * i128::from(i64::MAX));
        assert_eq!(violation.value_after, 2 * i128::from(i64::MIN));
    }

    #[test]
    fn an_unknown_state_is_an_error_with_a_hint() {
        let table = Table::compile(&ExactMajority).unwrap();
        let error = declared(&table, &[("A", 1), ("C", 2)]).unwrap_err();
        assert_eq!(error.name(), "C");
        assert_eq!(error.to_string(), "unknown state `C` (accepted: A, B, a, b)");
    }
}
