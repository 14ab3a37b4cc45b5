//! `work.initial`: the initial states of the nodes.

use std::collections::BTreeMap;

use acrasin_engine::prefetch;
use acrasin_protocols::Table;
use acrasin_runtime::Seeded;
use acrasin_runtime::choice::{Choices, Decision, pick_index};

use crate::document::quantity::{Count, NodeName, Probability};
use crate::document::work::Initial;
use crate::node_names::NodeNames;
use crate::{Document, DocumentError};

const PLACE: &str = "work.initial";

/// The maximum difference between the sum of the shares and 1.
const SHARES_TOLERANCE: f64 = 1e-9;

/// The initial states of a population. Shares can be used with random graphs whose number of nodes depends on the seed.
#[derive(Clone, Debug)]
pub(super) enum PopulationStart {
    /// The number of nodes in each state; the nodes of each state are drawn at random.
    Drawn(Vec<u64>),
    /// The state of each node.
    Fixed(Vec<u16>),
}

impl PopulationStart {
    /// The initial states of a population with these nodes.
    pub(super) fn new(
        document: &Document,
        initial: &Initial,
        table: &Table,
        names: &NodeNames<'_>,
    ) -> Result<Self, DocumentError> {
        let nodes = names.nodes();
        match initial {
            Initial::All(name) => {
                let state = state(document, PLACE, 0, name, table)?;
                Ok(Self::Fixed(vec![state; nodes as usize]))
            }
            Initial::Counts(counts, rest) => {
                counted(document, (counts, rest.as_deref()), table, nodes.into()).map(Self::Drawn)
            }
            Initial::Shares(shares) => shared(document, shares, table, nodes.into()).map(Self::Drawn),
            Initial::Nodes { states, rest } => {
                let rest = state(document, &format!("{PLACE}.rest"), None, rest, table)?;
                numbered(document, states, rest, table, names).map(Self::Fixed)
            }
        }
    }

    /// The number of nodes that start in each state.
    pub(super) fn counts(&self, table: &Table) -> Vec<u64> {
        match self {
            Self::Drawn(counts) => counts.clone(),
            Self::Fixed(states) => {
                let mut counts = vec![0; usize::from(table.state_count())];
                for &state in states {
                    counts[usize::from(state)] += 1;
                }
                counts
            }
        }
    }

    /// The states of a run of uniform pairs with this seed: see [`arrange`].
    pub(super) fn of_run(&self, seed: u64) -> Vec<u16> {
        self.place(&mut Seeded::new(seed))
    }

    /// The state of each node: a uniformly random arrangement of the counts (Fisher and Yates), or the fixed one.
    pub(super) fn place(&self, choices: &mut dyn Choices) -> Vec<u16> {
        match self {
            Self::Fixed(states) => states.clone(),
            Self::Drawn(counts) => {
                let mut states: Vec<u16> = (0_u16..)
                    .zip(counts)
                    .flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize))
                    .collect();
                // If all nodes have the same state, nothing needs to be drawn.
                if counts.iter().filter(|&&count| count > 0).count() > 1 {
                    shuffle(&mut states, choices);
                }
                states
            }
        }
    }
}

/// Shuffles `states` in the same way as a run of uniform pairs with this seed distributes the counts of `work.initial`
/// over the nodes. The input must have the states in the order of their numbers.
///
/// ```
/// let mut states = [0_u16, 0, 0, 1, 1];
/// acrasin_scenario::plan::arrange(&mut states, 7);
/// assert_eq!(states.iter().filter(|&&state| state == 1).count(), 2);
/// ```
pub fn arrange<T>(states: &mut [T], seed: u64) {
    shuffle(states, &mut Seeded::new(seed));
}

/// A uniformly random order (Fisher and Yates). Draws are made several swaps ahead, so that the states of a large
/// population are in the cache when they are swapped.
fn shuffle<T>(states: &mut [T], choices: &mut dyn Choices) {
    const AHEAD: usize = 64;
    let mut others = [0; AHEAD];
    let mut end = states.len();
    while end > 1 {
        let count = AHEAD.min(end - 1);
        for (place, other) in others[..count].iter_mut().enumerate() {
            *other = pick_index(choices, end - place, Decision::Initial).expect("two or more are left");
            prefetch(states, *other);
        }
        for &other in &others[..count] {
            end -= 1;
            states.swap(end, other);
        }
    }
}

/// The number of `agents` without identities that start in each state.
pub(super) fn counts(
    document: &Document,
    initial: &Initial,
    table: &Table,
    agents: u64,
) -> Result<Vec<u64>, DocumentError> {
    match initial {
        Initial::All(name) => {
            let mut counts = vec![0; usize::from(table.state_count())];
            counts[usize::from(state(document, PLACE, 0, name, table)?)] = agents;
            Ok(counts)
        }
        Initial::Counts(written, rest) => counted(document, (written, rest.as_deref()), table, agents),
        Initial::Shares(written) => shared(document, written, table, agents),
        Initial::Nodes { .. } => {
            let message = "under uniform pairs the agents have no numbers: every two agents can interact";
            Err(document
                .error(PLACE, message)
                .accepting("Counts({…}), Counts({…}, rest: \"…\"), Shares({…}) or All(\"…\")"))
        }
    }
}

fn state(
    document: &Document,
    place: &str,
    item: impl Into<Option<usize>>,
    name: &str,
    table: &Table,
) -> Result<u16, DocumentError> {
    table.state(name).ok_or_else(|| {
        let place = item.into().map_or(place.to_owned(), |item| format!("{place}[{item}]"));
        unknown(document, &place, name, table)
    })
}

fn unknown(document: &Document, place: &str, name: &str, table: &Table) -> DocumentError {
    /// The maximum number of names that are listed.
    const SHOWN: usize = 20;
    let names = table.state_names();
    let mut listed = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        listed += &format!(", … ({} names)", names.len());
    }
    document
        .error_about_name(place, name, format!("unknown state `{name}`"))
        .accepting(listed)
        .suggesting(name, names.iter().map(String::as_str))
}

fn key(name: &str) -> String {
    format!("{PLACE}[0][{name:?}]")
}

fn counted(
    document: &Document,
    (written, rest): (&BTreeMap<String, Count>, Option<&str>),
    table: &Table,
    nodes: u64,
) -> Result<Vec<u64>, DocumentError> {
    let mut counts = vec![0; usize::from(table.state_count())];
    let mut sum = 0_u128;
    for (name, count) in written {
        counts[usize::from(state(document, &key(name), None, name, table)?)] = count.0;
        sum += u128::from(count.0);
    }
    if let Some(rest) = rest {
        let rest_state = state(document, PLACE, 1, rest, table)?;
        if written.contains_key(rest) {
            let message = format!("state `{rest}` has a count, but is also the state of all others");
            return Err(document.error(&key(rest), message).accepting("another state, or no rest"));
        }
        if sum > u128::from(nodes) {
            let message = format!("the counts add up to {sum}, but there are {nodes} nodes");
            return Err(document
                .error(PLACE, message)
                .accepting(format!("counts that add up to at most {nodes}")));
        }
        counts[usize::from(rest_state)] = nodes - sum as u64;
        return Ok(counts);
    }
    if sum != u128::from(nodes) {
        let message = format!("the counts add up to {sum}, but there are {nodes} nodes");
        return Err(document.error(PLACE, message).accepting(format!(
            "counts that add up to {nodes}; or rest: \"…\" after them, the state of all others"
        )));
    }
    Ok(counts)
}

/// Whole numbers in proportion to the shares, by largest remainder. Each state gets its share rounded down. Each
/// remaining node goes to the state with the next largest fractional part; of equal ones the earlier state comes first.
fn shared(
    document: &Document,
    written: &BTreeMap<String, Probability>,
    table: &Table,
    nodes: u64,
) -> Result<Vec<u64>, DocumentError> {
    let mut shares = vec![0.0; usize::from(table.state_count())];
    for (name, share) in written {
        shares[usize::from(state(document, &key(name), None, name, table)?)] = share.0;
    }
    let sum: f64 = shares.iter().sum();
    if (sum - 1.0).abs() > SHARES_TOLERANCE {
        let message = format!("the shares add up to {sum}");
        return Err(document.error(PLACE, message).accepting("shares that add up to 1"));
    }
    Ok(largest_remainder(&shares, nodes))
}

fn largest_remainder(shares: &[f64], nodes: u64) -> Vec<u64> {
    let quotas: Vec<f64> = shares.iter().map(|share| share * nodes as f64).collect();
    let mut counts: Vec<u64> = quotas.iter().map(|quota| quota.floor() as u64).collect();
    let mut order: Vec<usize> = (0..quotas.len()).filter(|&state| shares[state] > 0.0).collect();
    // A stable sort keeps states with equal fractions in their order.
    order.sort_by(|&a, &b| quotas[b].fract().total_cmp(&quotas[a].fract()));
    let given: u64 = counts.iter().sum();
    for &state in order.iter().cycle().take(nodes.saturating_sub(given) as usize) {
        counts[state] += 1;
    }
    // Shares that add up to slightly more than 1 can give one node too many.
    let mut excess = counts.iter().sum::<u64>().saturating_sub(nodes);
    for &state in order.iter().rev() {
        let taken = excess.min(counts[state]);
        counts[state] -= taken;
        excess -= taken;
    }
    counts
}

fn numbered(
    document: &Document,
    written: &BTreeMap<String, Vec<NodeName>>,
    rest: u16,
    table: &Table,
    names: &NodeNames<'_>,
) -> Result<Vec<u16>, DocumentError> {
    let mut given: Vec<Option<u16>> = vec![None; names.nodes() as usize];
    let (mut listed, mut states) = (Vec::new(), Vec::new());
    for (name, members) in written {
        let place = format!("{PLACE}.states[{name:?}]");
        states.extend(std::iter::repeat_n(state(document, &place, None, name, table)?, members.len()));
        listed.extend(members.iter().enumerate().map(|(index, node)| (format!("{place}[{index}]"), node)));
    }
    let numbers = names.numbers(document, &listed)?;
    for (((place, node), number), state) in listed.iter().zip(numbers).zip(states) {
        let slot = &mut given[number as usize];
        if slot.is_some_and(|before| before != state) {
            let message = format!("node {} is given two states", node.text());
            return Err(document.error(place, message).accepting("each node once"));
        }
        *slot = Some(state);
    }
    Ok(given.into_iter().map(|state| state.unwrap_or(rest)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_go_to_the_largest_fractions_and_then_to_the_earlier_states() {
        assert_eq!(largest_remainder(&[0.6, 0.4], 36), [22, 14]);
        assert_eq!(largest_remainder(&[0.5, 0.5], 7), [4, 3]);
        assert_eq!(largest_remainder(&[0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], 8), [0, 3, 3, 2]);
        assert_eq!(largest_remainder(&[1.0], 1 << 26), [1 << 26]);
        for nodes in 1..200 {
            let shares = [0.1; 10];
            assert_eq!(largest_remainder(&shares, nodes).iter().sum::<u64>(), nodes);
        }
        assert_eq!(largest_remainder(&[0.5 + 4e-10, 0.5 + 4e-10], 2), [1, 1]);
    }
}
