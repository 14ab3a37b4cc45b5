//! The transition function on tuples of states.

use acrasin_catalogue::counted;
use std::collections::BTreeMap;
use std::fmt;

use crate::name::{self, Accepted};
use crate::uniform::Condition;

/// The accepted numbers of agents in one interaction.
pub const SIZES: std::ops::RangeInclusive<usize> = 2..=8;

/// The maximum number of tuples of states: the table has a cell of four bytes for each tuple.
pub const MAX_CELLS: usize = 1 << 24;

/// A rule as users write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TupleRule {
    /// A rule that applies to exactly this order of the states.
    Ordered(String),
    /// A rule that applies to every order of the states, with the outcome reordered in the same way.
    Symmetric(String),
}

impl TupleRule {
    /// The text of the rule.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Ordered(text) | Self::Symmetric(text) => text,
        }
    }
}

/// The reason for refusing a table of tuples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TupleError {
    /// The rule at fault, counted from 0; `None` if the fault is in the list of states or the size.
    pub rule: Option<usize>,
    /// The fault, in one sentence.
    pub message: String,
    /// The accepted values, as the message lists them.
    pub accepted: String,
}

impl TupleError {
    fn new(message: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { rule: None, message: message.into(), accepted: accepted.into() }
    }
}

impl fmt::Display for TupleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rule) = self.rule {
            write!(f, "rule {}: ", rule + 1)?;
        }
        write!(f, "{} (accepted: {})", self.message, self.accepted)
    }
}

impl std::error::Error for TupleError {}

/// A protocol in which a fixed number of agents interact at a time. Tuples without a rule change nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleTable {
    names: Vec<String>,
    size: usize,
    /// For each tuple, 1 plus the number of its outcome, or 0 if nothing changes.
    cells: Vec<u32>,
    outcomes: Vec<Vec<u16>>,
    /// The tuples that change something, each as the number of agents that it needs in each state.
    active: Vec<Vec<(u16, u64)>>,
}

impl TupleTable {
    /// Parses the rules.
    ///
    /// # Errors
    ///
    /// The first fault found. The size is not in [`SIZES`], the name of a state is invalid or repeated, or there are
    /// more than [`MAX_CELLS`] tuples. Or a rule cannot be parsed, has a wrong number of states or an unknown state, or
    /// contradicts an earlier rule.
    pub fn new<S: AsRef<str>>(states: &[S], size: usize, rules: &[TupleRule]) -> Result<Self, TupleError> {
        if !SIZES.contains(&size) {
            let accepted = format!("{} to {}", SIZES.start(), SIZES.end());
            return Err(TupleError::new(format!("{} at a time", counted(size, "agent")), accepted));
        }
        let names: Vec<String> = states.iter().map(|name| name.as_ref().to_owned()).collect();
        for (index, name) in names.iter().enumerate() {
            if let Some(fault) = name::fault(name) {
                let message = format!("{:?} cannot be the name of a state: {fault}", name::quoted(name));
                return Err(TupleError::new(message, "1 to 64 characters, no white space, no `+`, no `->`"));
            }
            if names[..index].contains(name) {
                return Err(TupleError::new(format!("the state `{name}` is listed twice"), "each name once"));
            }
        }
        let cells = (0..size).try_fold(1_usize, |cells, _| cells.checked_mul(names.len()));
        let cells = cells.filter(|cells| (1..=MAX_CELLS).contains(cells)).ok_or_else(|| {
            let message = format!("{} states make too many tuples of {size}, or none", names.len());
            TupleError::new(message, format!("1 to {MAX_CELLS} tuples"))
        })?;
        let mut table = Self { names, size, cells: vec![0; cells], outcomes: Vec::new(), active: Vec::new() };
        for (index, rule) in rules.iter().enumerate() {
            table.apply(rule).map_err(|error| TupleError { rule: Some(index), ..error })?;
        }
        Ok(table)
    }

    fn apply(&mut self, rule: &TupleRule) -> Result<(), TupleError> {
        let example = vec!["A"; self.size].join(" + ");
        let accepted = format!("{example} -> {example}, {} states on each side", self.size);
        let sides: Vec<&str> = rule.text().split("->").collect();
        let [before, after] = sides[..] else {
            return Err(TupleError::new("a rule has one `->`", accepted));
        };
        let side = |text: &str| -> Result<Vec<u16>, TupleError> {
            let words: Vec<&str> = text.split('+').map(str::trim).collect();
            if words.len() != self.size {
                let message = format!(
                    "{} on one side, but {} agents interact",
                    counted(words.len(), "state"),
                    self.size
                );
                return Err(TupleError::new(message, accepted.clone()));
            }
            let state = |word: &&str| {
                self.names.iter().position(|name| name == word).map(|place| place as u16).ok_or_else(|| {
                    let accepted = Accepted::names(word, self.names.iter().map(String::as_str)).to_string();
                    TupleError::new(format!("unknown state `{}`", name::quoted(word)), accepted)
                })
            };
            words.iter().map(state).collect()
        };
        let (before, after) = (side(before)?, side(after)?);
        let mut orders: BTreeMap<Vec<u16>, Vec<u16>> = BTreeMap::new();
        match rule {
            TupleRule::Ordered(_) => {
                orders.insert(before, after);
            }
            // Orders that differ only in equal states have the same result: one of them suffices.
            TupleRule::Symmetric(_) => permutations(self.size, |order| {
                let reordered = |states: &[u16]| order.iter().map(|&place| states[place]).collect::<Vec<_>>();
                orders.entry(reordered(&before)).or_insert_with(|| reordered(&after));
            }),
        }
        for (before, after) in orders {
            self.set(&before, after)?;
        }
        Ok(())
    }

    fn set(&mut self, before: &[u16], after: Vec<u16>) -> Result<(), TupleError> {
        let cell = self.cell(before);
        let named = |states: &[u16]| {
            states
                .iter()
                .map(|&state| self.names[usize::from(state)].as_str())
                .collect::<Vec<_>>()
                .join(" + ")
        };
        if let Some(earlier) = self.cells[cell].checked_sub(1) {
            let earlier = &self.outcomes[earlier as usize];
            if *earlier == after {
                return Ok(());
            }
            let message = format!(
                "{} becomes {}, and by an earlier rule {}",
                named(before),
                named(&after),
                named(earlier)
            );
            return Err(TupleError::new(message, "one outcome for each tuple"));
        }
        let mut needs: BTreeMap<u16, u64> = BTreeMap::new();
        before.iter().for_each(|&state| *needs.entry(state).or_default() += 1);
        if after != before {
            self.active.push(needs.into_iter().collect());
        }
        self.outcomes.push(after);
        self.cells[cell] = self.outcomes.len() as u32;
        Ok(())
    }

    fn cell(&self, states: &[u16]) -> usize {
        states.iter().fold(0, |cell, &state| cell * self.names.len() + usize::from(state))
    }

    /// The names of the states, by number.
    #[must_use]
    pub fn state_names(&self) -> &[String] {
        &self.names
    }

    /// The number of agents in one interaction.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of tuples of states with a rule.
    #[must_use]
    pub fn rule_count(&self) -> usize {
        self.outcomes.len()
    }

    /// The result of an interaction of a tuple of states; `None` if nothing changes.
    ///
    /// # Panics
    ///
    /// Panics if a state does not exist, or if the number of states is not the size of a tuple.
    #[must_use]
    pub fn outcome(&self, states: &[u16]) -> Option<&[u16]> {
        assert_eq!(states.len(), self.size, "one state an agent");
        let number = self.cells[self.cell(states)].checked_sub(1)?;
        Some(&self.outcomes[number as usize])
    }

    /// The condition that no interaction can change a state.
    #[must_use]
    pub fn silent(&self) -> SilentTuples {
        let mut active = self.active.clone();
        active.sort();
        active.dedup();
        SilentTuples(active)
    }
}

/// The condition that no interaction can change a state.
#[derive(Clone, Debug)]
pub struct SilentTuples(Vec<Vec<(u16, u64)>>);

impl Condition for SilentTuples {
    fn holds(&self, counts: &[u64]) -> bool {
        self.0.iter().all(|needs| needs.iter().any(|&(state, least)| counts[usize::from(state)] < least))
    }
}

/// Calls `each` with every order of `0..size`, by Heap's algorithm.
fn permutations(size: usize, mut each: impl FnMut(&[usize])) {
    let mut order: Vec<usize> = (0..size).collect();
    let mut turns = vec![0; size];
    each(&order);
    let mut level = 1;
    while level < size {
        if turns[level] < level {
            let other = if level.is_multiple_of(2) { 0 } else { turns[level] };
            order.swap(other, level);
            each(&order);
            turns[level] += 1;
            level = 1;
        } else {
            turns[level] = 0;
            level += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_order_comes_once() {
        for (size, number) in [(2, 2), (3, 6), (5, 120)] {
            let (mut seen, mut calls) = (BTreeSet::new(), 0);
            permutations(size, |order| {
                seen.insert(order.to_vec());
                calls += 1;
            });
            assert_eq!((seen.len(), calls), (number, number));
        }
    }

    #[test]
    fn outcomes_are_reordered_with_their_tuple() {
        let table =
            TupleTable::new(&["A", "B", "C"], 3, &[TupleRule::Symmetric("A + B + C -> B + B + A".into())])
                .unwrap();
        assert_eq!(table.outcome(&[0, 1, 2]), Some(&[1, 1, 0][..]));
        assert_eq!(table.outcome(&[2, 0, 1]), Some(&[0, 1, 1][..]));
        assert_eq!((table.outcome(&[0, 0, 1]), table.rule_count()), (None, 6));
        let ordered =
            TupleTable::new(&["A", "B"], 3, &[TupleRule::Ordered("A + B + B -> A + A + B".into())]).unwrap();
        assert_eq!((ordered.outcome(&[0, 1, 1]), ordered.outcome(&[1, 0, 1])), (Some(&[0, 0, 1][..]), None));
        // Equal agents cannot be told apart: one of three gives up.
        let duel = TupleTable::new(&["L", "F"], 3, &[TupleRule::Symmetric("L + L + L -> L + F + F".into())])
            .unwrap();
        assert_eq!(duel.rule_count(), 1);
        assert!(duel.silent().holds(&[2, 5]) && !duel.silent().holds(&[3, 0]));
    }

    #[test]
    fn faults_are_named() {
        let refused = |states: &[&str], size, texts: &[&str]| {
            let rules: Vec<TupleRule> =
                texts.iter().map(|text| TupleRule::Symmetric((*text).into())).collect();
            TupleTable::new(states, size, &rules).unwrap_err()
        };
        for (error, rule, message) in [
            (refused(&["A"], 1, &[]), None, "1 agent at a time"),
            (refused(&["A", "A"], 2, &[]), None, "the state `A` is listed twice"),
            (
                refused(&["A+"], 2, &[]),
                None,
                "\"A+\" cannot be the name of a state: it contains `+` or `->`, which have a meaning in rules",
            ),
            (
                refused(&["A"], 3, &["A + A + A -> A + A + A", "A + A -> A + A"]),
                Some(1),
                "2 states on one side, but 3 agents interact",
            ),
            (refused(&["A"], 2, &["A + A"]), Some(0), "a rule has one `->`"),
            (refused(&["A"], 2, &["A + B -> A + A"]), Some(0), "unknown state `B`"),
            (
                refused(&["A", "B"], 2, &["A + B -> A + A", "B + A -> B + B"]),
                Some(1),
                "A + B becomes B + B, and by an earlier rule A + A",
            ),
        ] {
            assert_eq!((error.rule, error.message.as_str()), (rule, message));
        }
        let names: Vec<String> = (0..100).map(|state| state.to_string()).collect();
        assert!(TupleTable::new(&names, 4, &[]).is_err());
    }
}
