//! States that can occur from a given start.

use crate::table::Table;

/// Whether each state of the table can occur in a population that starts with agents in the states `initial`.
///
/// The closure of `initial` under all outcomes of all pairs, in which agents in any two reachable states may meet, also
/// two agents in the same state. A state outside the closure never occurs under any schedule. A state in the closure
/// may still be unreachable from a particular configuration (a single leader never meets another leader).
///
/// Cost: one step per ordered pair of reachable states.
///
/// ```
/// use acrasin_protocols::{Table, analysis::reachable_states, library::ApproximateMajority};
///
/// let table = Table::compile(&ApproximateMajority)?;
/// assert_eq!(reachable_states(&table, &[0]), [true, false, false]);
/// assert_eq!(reachable_states(&table, &[0, 1]), [true, true, true]);
/// # Ok::<(), acrasin_protocols::TableError>(())
/// ```
///
/// # Panics
///
/// Panics if the table has no such states.
#[must_use]
pub fn reachable_states(table: &Table, initial: &[u16]) -> Vec<bool> {
    let mut reached = vec![false; usize::from(table.state_count())];
    let mut found: Vec<u16> = Vec::new();
    let mut add = |state: u16, found: &mut Vec<u16>| {
        if !std::mem::replace(&mut reached[usize::from(state)], true) {
            found.push(state);
        }
    };
    for &state in initial {
        add(state, &mut found);
    }
    let mut next = 0;
    while next < found.len() {
        let state = found[next];
        next += 1;
        // A pair is examined with the later of its states: `found` up to and including `state`.
        for earlier in 0..next {
            let other = found[earlier];
            for (a, b) in [(state, other), (other, state)] {
                for outcome in table.outcomes(a, b) {
                    add(outcome.initiator, &mut found);
                    add(outcome.responder, &mut found);
                }
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Missing, Rule, TableSpec};

    #[test]
    fn the_closure_follows_chains_and_draws() {
        let rules = vec![
            Rule::Ordered("A + A -> A + B".into()),
            Rule::Randomised("B + A".into(), vec![(1, "B + A".into()), (1, "C + A".into())]),
            Rule::Ordered("D + A -> E + E".into()),
        ];
        let states = ["A", "B", "C", "D", "E"].map(String::from).to_vec();
        let spec = TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() };
        let table = spec.build().unwrap();
        assert_eq!(reachable_states(&table, &[0]), [true, true, true, false, false]);
        assert_eq!(reachable_states(&table, &[1]), [false, true, false, false, false]);
        assert_eq!(reachable_states(&table, &[3, 0]), [true; 5]);
        assert_eq!(reachable_states(&table, &[]), [false; 5]);
    }
}
