//! Configurations that no interaction can change.
//!
//! There are two notions, because a swap changes two agents but not the counts:
//!
//! - **silent**: no two agents that may meet change state;
//! - **settled**: the counts never change again on any graph, because no pair of present states changes them.
//!
//! Silent on the complete graph implies settled. The converse fails for protocols with walking tokens.

use acrasin_runtime::node::NodeId;

use crate::table::Table;

/// Whether no two agents of a population with these counts, in either order, can change state: silent on the
/// complete graph, hence on every graph.
///
/// Two agents in the same state are considered only if at least two agents are in it. Cost: one step per ordered pair
/// of present states.
///
/// # Panics
///
/// Panics if `counts` does not have one entry per state.
#[must_use]
pub fn is_silent(table: &Table, counts: &[u64]) -> bool {
    all_meetings(table, counts, |a, b| table.pair_is_null(a, b))
}

/// Whether no pair of present states can change the counts. The counts, and with them the multiset of outputs, are then
/// final on every graph, though agents may still swap states.
///
/// # Panics
///
/// Panics if `counts` does not have one entry per state.
#[must_use]
pub fn is_settled(table: &Table, counts: &[u64]) -> bool {
    all_meetings(table, counts, |a, b| table.pair_keeps_counts(a, b))
}

/// Whether no two agents that share an edge can change state, in either direction.
///
/// Weaker than [`is_silent`], because pairs of agents that never meet are not considered. If the graph changes, the
/// result holds for the given edges only.
///
/// # Panics
///
/// Panics if an edge names an agent without a state, or the table has no such state.
#[must_use]
pub fn is_silent_on(table: &Table, states: &[u16], edges: impl IntoIterator<Item = [NodeId; 2]>) -> bool {
    edges.into_iter().all(|[u, v]| table.pair_is_null(states[u.index()], states[v.index()]))
}

fn all_meetings(table: &Table, counts: &[u64], holds: impl Fn(u16, u16) -> bool) -> bool {
    assert_eq!(counts.len(), usize::from(table.state_count()), "one count per state");
    let present: Vec<u16> = table.states().filter(|&state| counts[usize::from(state)] > 0).collect();
    present.iter().enumerate().all(|(place, &a)| {
        let alone = counts[usize::from(a)] == 1;
        present[place + usize::from(alone)..].iter().all(|&b| holds(a, b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{Averaging, ExactMajority, Fratricide, GraphMajority};

    #[test]
    fn a_state_meets_itself_only_if_two_agents_have_it() {
        let table = Table::compile(&Fratricide).unwrap();
        assert!(is_silent(&table, &[1, 9]));
        assert!(!is_silent(&table, &[2, 8]));
        assert!(is_silent(&table, &[0, 10]));
        assert!(is_silent(&table, &[0, 0]));
    }

    #[test]
    fn tokens_that_walk_are_settled_but_not_silent() {
        let table = Table::compile(&GraphMajority).unwrap();
        let finished = [2, 0, 5, 0];
        assert!(!is_silent(&table, &finished));
        assert!(is_settled(&table, &finished));
        assert!(!is_settled(&table, &[2, 0, 5, 1]));
        let table = Table::compile(&ExactMajority).unwrap();
        assert!(is_silent(&table, &finished));
        let table = Table::compile(&Averaging::new(2).unwrap()).unwrap();
        assert!(is_settled(&table, &[3, 1, 0]) && !is_silent(&table, &[3, 1, 0]));
        assert!(!is_settled(&table, &[3, 0, 1]));
    }

    #[test]
    fn on_a_graph_only_neighbours_matter() {
        let table = Table::compile(&Fratricide).unwrap();
        let path = [[NodeId(0), NodeId(1)], [NodeId(1), NodeId(2)]];
        assert!(is_silent_on(&table, &[0, 1, 0], path));
        assert!(!is_silent_on(&table, &[0, 0, 1], path));
        assert!(!is_silent(&table, &[2, 1]));
    }
}
