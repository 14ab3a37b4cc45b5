//! Validates a written protocol and builds its table.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::error::{TableError, TableErrorKind};
use super::matrix::{Table, TableParts, WeightedOutcome, normalised};
use super::rule_text::{WrittenPair, WrittenState, parse_pair, parse_rule};
use super::spec::{MAX_OUTCOMES, MAX_RULES, MAX_STATES, Missing, Rule, TableSpec};
use crate::SeedlessHasher;
use crate::name::{self, Accepted};

/// The maximum number of missing pairs that an error names.
const MISSING_SHOWN: usize = 5;

impl TableSpec {
    /// Validates the specification and creates the table.
    ///
    /// # Errors
    ///
    /// The first fault. The order of the checks is: the list of states; outputs of unknown states; the rules; and pairs
    /// without a rule, if there is no default. Faults of a rule are its syntax, unknown states, weights, a one-way rule
    /// that changes the initiator, and a contradiction to an earlier rule for the same ordered pair. Two rules that
    /// agree on a pair are accepted.
    ///
    /// Cost: one step per ordered pair and one per rule.
    pub fn build(&self) -> Result<Table, TableError> {
        let numbers = check_states(&self.states)?;
        let (outputs, output_of) = self.number_outputs(&numbers)?;
        let names = self.states.clone();
        let mut filling = Filling {
            table: Table::null(TableParts { names, outputs, output_of, group: self.group }),
            numbers,
            set_by: HashMap::default(),
            outcomes: 0,
        };
        let rules = self.rules.len();
        if rules > MAX_RULES {
            let accepted = format!("at most {MAX_RULES} rules");
            let message = format!("the protocol has {rules} rules");
            return Err(TableError::new(TableErrorKind::TooMany, &rules.to_string(), message, accepted));
        }
        for (index, rule) in self.rules.iter().enumerate() {
            filling.apply(index, rule, &self.rules).map_err(|error| error.in_rule(index, rule))?;
        }
        match self.default {
            Some(Missing::Null) => {}
            None => filling.check_total()?,
        }
        Ok(filling.table)
    }

    /// The names of the outputs, and the output of each state. Outputs are numbered in the order in which the states
    /// first have them.
    fn number_outputs(&self, numbers: &BTreeMap<&str, u16>) -> Result<(Vec<String>, Vec<u16>), TableError> {
        for (state, output) in &self.outputs {
            if !numbers.contains_key(state.as_str()) {
                let message = format!("an output is given for the unknown state `{}`", name::quoted(state));
                return Err(unknown_state(state, message, &self.states));
            }
            check_name("output", output)?;
        }
        let wanted = self.states.iter().map(|state| self.outputs.get(state).unwrap_or(state).as_str());
        Ok(number_names(wanted))
    }
}

/// Numbers names in the order in which they first appear.
pub(super) fn number_names<'a>(wanted: impl Iterator<Item = &'a str>) -> (Vec<String>, Vec<u16>) {
    let mut known: BTreeMap<&str, u16> = BTreeMap::new();
    let mut names = Vec::new();
    let mut number_of = Vec::new();
    for name in wanted {
        let number = *known.entry(name).or_insert_with(|| {
            names.push(name.to_owned());
            // There are at most as many names as states, and fewer than 2^16 states.
            (names.len() - 1) as u16
        });
        number_of.push(number);
    }
    (names, number_of)
}

/// Checks the list of states, and returns the number of each state.
pub(super) fn check_states(states: &[String]) -> Result<BTreeMap<&str, u16>, TableError> {
    let count = states.len();
    if count == 0 {
        return Err(TableError::new(
            TableErrorKind::NoStates,
            "",
            "the protocol has no states",
            "at least one state",
        ));
    }
    if count > MAX_STATES {
        let message = format!("the protocol has {count} states");
        let accepted = format!("at most {MAX_STATES} states");
        return Err(TableError::new(TableErrorKind::TooMany, &count.to_string(), message, accepted));
    }
    let mut numbers = BTreeMap::new();
    for (number, state) in states.iter().enumerate() {
        check_name("state", state)?;
        if let Some(first) = numbers.insert(state.as_str(), number as u16) {
            let message = format!("states {} and {} have the same name `{state}`", first + 1, number + 1);
            return Err(TableError::new(TableErrorKind::DuplicateState, state, message, "each name once"));
        }
    }
    Ok(numbers)
}

pub(super) fn check_name(what: &str, text: &str) -> Result<(), TableError> {
    let Some(fault) = name::fault(text) else { return Ok(()) };
    let message = format!("{:?} cannot be the name of a {what}: {fault}", name::quoted(text));
    let accepted = "1 to 64 characters, no white space, no `+`, no `->`";
    Err(TableError::new(TableErrorKind::BadName, text, message, accepted))
}

fn unknown_state(state: &str, message: String, states: &[String]) -> TableError {
    let accepted = Accepted::names(state, states.iter().map(String::as_str));
    TableError::new(TableErrorKind::UnknownState, state, message, accepted)
}

/// A table under construction, with the rule that filled each cell.
struct Filling<'a> {
    table: Table,
    numbers: BTreeMap<&'a str, u16>,
    set_by: HashMap<[u16; 2], usize, SeedlessHasher>,
    outcomes: usize,
}

impl Filling<'_> {
    fn apply(&mut self, index: usize, rule: &Rule, rules: &[Rule]) -> Result<(), TableError> {
        let (pair, outcomes) = match rule {
            Rule::Ordered(text) | Rule::OneWay(text) | Rule::Symmetric(text) => {
                let [before, after] = parse_rule(text)?;
                let pair = self.pair(text, before)?;
                let [initiator, responder] = self.pair(text, after)?;
                if matches!(rule, Rule::OneWay(_)) && initiator != pair[0] {
                    return Err(initiator_changes(text, before[0], after[0]));
                }
                (pair, vec![WeightedOutcome { initiator, responder, weight: 1 }])
            }
            Rule::Randomised(text, written) | Rule::SymmetricRandomised(text, written) => {
                (self.pair(text, parse_pair(text)?)?, self.weighted(text, written)?)
            }
        };
        let mirrored = rule.is_mirrored() && pair[0] != pair[1];
        if mirrored {
            let swapped = outcomes
                .iter()
                .map(|o| WeightedOutcome { initiator: o.responder, responder: o.initiator, weight: o.weight })
                .collect();
            self.set(index, rules, [pair[1], pair[0]], swapped)?;
        }
        self.set(index, rules, pair, outcomes)
    }

    /// The outcomes of a randomised rule. Weights must be at least 1 and their sum below 2^32, and no outcome may be
    /// listed twice.
    fn weighted(
        &mut self,
        pair: &str,
        written: &[(u64, String)],
    ) -> Result<Vec<WeightedOutcome>, TableError> {
        if written.is_empty() {
            let accepted = "a list such as [(1, \"A + A\"), (3, \"A + B\")]";
            return Err(TableError::new(
                TableErrorKind::NoOutcome,
                pair,
                "the rule has no outcome",
                accepted,
            ));
        }
        self.outcomes = self.outcomes.saturating_add(written.len());
        if self.outcomes > MAX_OUTCOMES {
            let message = "the randomised rules have too many outcomes";
            let accepted = format!("at most {MAX_OUTCOMES} in all rules together");
            return Err(TableError::new(
                TableErrorKind::TooMany,
                &self.outcomes.to_string(),
                message,
                accepted,
            ));
        }
        let mut total = 0_u32;
        let mut outcomes: Vec<WeightedOutcome> = Vec::with_capacity(written.len());
        let mut seen = BTreeMap::new();
        for (weight, text) in written {
            let [initiator, responder] = self.pair(text, parse_pair(text)?)?;
            let sum = u32::try_from(*weight).ok().and_then(|weight| total.checked_add(weight));
            let (Some(sum), 1..) = (sum, *weight) else {
                let message = match weight {
                    0 => format!("the outcome `{text}` has weight 0"),
                    _ => format!("with the weight {weight} of `{text}` the sum does not fit in 32 bits"),
                };
                let accepted = "whole weights from 1 whose sum is at most 4294967295";
                return Err(TableError::new(
                    TableErrorKind::BadWeight,
                    &weight.to_string(),
                    message,
                    accepted,
                ));
            };
            total = sum;
            if seen.insert([initiator, responder], ()).is_some() {
                let message = format!("the outcome `{text}` is listed twice");
                let accepted = "each outcome once, with the sum of its weights";
                return Err(TableError::new(TableErrorKind::DuplicateOutcome, text, message, accepted));
            }
            // The sum fits in 32 bits, so each weight does.
            outcomes.push(WeightedOutcome { initiator, responder, weight: *weight as u32 });
        }
        Ok(outcomes)
    }

    fn pair(&self, text: &str, written: WrittenPair<'_>) -> Result<[u16; 2], TableError> {
        Ok([self.number(text, written[0])?, self.number(text, written[1])?])
    }

    fn number(&self, text: &str, state: WrittenState<'_>) -> Result<u16, TableError> {
        self.numbers.get(state.name).copied().ok_or_else(|| {
            let message = format!("unknown state `{}`", name::quoted(state.name));
            unknown_state(state.name, message, self.table.state_names()).at_column(text, state.column)
        })
    }

    fn set(
        &mut self,
        index: usize,
        rules: &[Rule],
        [a, b]: [u16; 2],
        outcomes: Vec<WeightedOutcome>,
    ) -> Result<(), TableError> {
        let outcomes = normalised(outcomes);
        match self.set_by.insert([a, b], index) {
            None => self.table.set(a, b, &outcomes),
            Some(first) if self.table.outcomes(a, b).eq(outcomes.iter().copied()) => {
                self.set_by.insert([a, b], first);
            }
            Some(first) => {
                let [x, y] = [a, b].map(|state| self.table.state_name(state));
                let message = format!(
                    "initiator {x} and responder {y} already have another outcome by rule {} {}",
                    first + 1,
                    rules[first]
                );
                let accepted = "one outcome for each ordered pair";
                return Err(TableError::new(
                    TableErrorKind::Conflict,
                    &format!("{x} + {y}"),
                    message,
                    accepted,
                )
                .with_other_rule(first));
            }
        }
        Ok(())
    }

    fn check_total(&self) -> Result<(), TableError> {
        let count = usize::from(self.table.state_count());
        let missing = count * count - self.set_by.len();
        if missing == 0 {
            return Ok(());
        }
        let pairs = self.table.states().flat_map(|a| self.table.states().map(move |b| [a, b]));
        let mut shown: Vec<String> = pairs
            .filter(|pair| !self.set_by.contains_key(pair))
            .take(MISSING_SHOWN)
            .map(|pair| pair.map(|state| self.table.state_name(state)).join(" + "))
            .collect();
        let first = shown[0].clone();
        if missing > MISSING_SHOWN {
            shown.push("...".to_owned());
        }
        let message =
            format!("{missing} of {} ordered pairs have no rule: {}", count * count, shown.join(", "));
        let accepted = "a rule for each ordered pair, or `default: Null`";
        Err(TableError::new(TableErrorKind::NotTotal, &first, message, accepted))
    }
}

fn initiator_changes(text: &str, before: WrittenState<'_>, after: WrittenState<'_>) -> TableError {
    let message =
        format!("a one-way rule keeps the initiator, but `{}` becomes `{}`", before.name, after.name);
    let accepted = format!("`{}` here, or the word Ordered", before.name);
    TableError::new(TableErrorKind::InitiatorChanges, text, message, accepted).at_column(text, after.column)
}
