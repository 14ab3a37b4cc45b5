//! The text for transitions, sums and facts in explanations.

use std::collections::BTreeMap;

use acrasin_protocols::Table;
use acrasin_protocols::predicate::{Comparison, ComparisonSide, Formula};

use crate::cases::Cases;
use crate::format::StatePair;
use crate::net::{ClaimNet, NetTransition};
use crate::system::{CaseFact, ConstraintOrigin, ConstraintSystem, CountFormula, CountsOf, LinearForm};

/// The maximum number of members of a list that are written out.
const LISTED: usize = 8;

/// The maximum number of terms of a sum that are written out.
const TERMS_SHOWN: usize = 6;

/// The protocol whose names of states the sentences use.
pub(crate) struct Words<'t> {
    pub(crate) table: &'t Table,
    pub(crate) net: &'t ClaimNet,
}

/// The members as text, with `last` before the last one. At most [`LISTED`] are written out, the others counted.
pub(crate) fn list(members: &[String], last: &str) -> String {
    let shown = members.len().min(LISTED);
    match members.len() {
        0 => "nothing".to_owned(),
        1 => members[0].clone(),
        count if count > LISTED => format!("{} {last} {} more", members[..shown].join(", "), count - shown),
        count => format!("{} {last} {}", members[..count - 1].join(", "), members[count - 1]),
    }
}

/// A sum as text, such as `2 A - B`. A positive first term has no sign.
fn sum(terms: impl IntoIterator<Item = (String, i128)>, constant: i128) -> String {
    let mut text = String::new();
    let mut add = |factor: i128, name: &str| {
        let sign = match (text.is_empty(), factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += sign;
        match (factor.unsigned_abs(), name) {
            (1, name) if !name.is_empty() => text += name,
            (factor, "") => text += &factor.to_string(),
            (factor, name) => text += &format!("{factor} {name}"),
        }
    };
    for (name, factor) in terms {
        add(factor, &name);
    }
    if constant != 0 {
        add(constant, "");
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

impl Words<'_> {
    pub(crate) fn state(&self, state: u16) -> String {
        self.table.state_name(state).to_owned()
    }

    pub(crate) fn states(&self, states: impl IntoIterator<Item = u16>, last: &str) -> String {
        list(&states.into_iter().map(|state| self.state(state)).collect::<Vec<_>>(), last)
    }

    fn pair(&self, [a, b]: StatePair) -> String {
        format!("{} + {}", self.state(a), self.state(b))
    }

    pub(crate) fn transition(&self, NetTransition { pre, post }: NetTransition) -> String {
        format!("{} -> {}", self.pair(pre), self.pair(post))
    }

    pub(crate) fn transitions(&self, numbers: impl IntoIterator<Item = u32>) -> String {
        let name = |number: u32| self.transition(self.net.transitions[number as usize]);
        list(&numbers.into_iter().map(name).collect::<Vec<_>>(), "and")
    }

    /// The text for a step that lowers a weighted sum: `lowers A + 2 B`, or `raises A` if no weight is positive.
    pub(crate) fn lowers(&self, weights: &BTreeMap<u16, i128>) -> (&'static str, String) {
        let sign = if weights.values().all(|weight| *weight <= 0) { -1 } else { 1 };
        let terms = weights.iter().filter(|(_, weight)| **weight != 0);
        let terms =
            terms.map(|(&state, weight)| (self.state(state), weight.checked_mul(sign).unwrap_or(*weight)));
        (if sign < 0 { "raises" } else { "lowers" }, sum(terms, 0))
    }

    /// The name of a variable of the system.
    fn variable(&self, variable: u32) -> String {
        let inputs = self.net.inputs.len();
        let number = variable as usize;
        if let Some(&state) = self.net.inputs.get(number) {
            return format!("[{} at the start]", self.state(state));
        }
        match self.net.transitions.get(number - inputs) {
            Some(transition) => format!("[firings of {}]", self.transition(*transition)),
            None => format!("[number {}]", number - inputs - self.net.transitions.len() + 1),
        }
    }

    /// The text of the constraint form >= 0, with the constant on the other side.
    fn at_least_zero(&self, terms: &[(u32, i128)], constant: i128) -> String {
        if terms.len() > TERMS_SHOWN {
            return format!("a sum of {} numbers >= {}", terms.len(), -constant);
        }
        let terms = terms.iter().map(|&(variable, factor)| (self.variable(variable), factor));
        format!("{} >= {}", sum(terms, 0), -constant)
    }

    pub(crate) fn form(&self, form: &LinearForm) -> String {
        self.at_least_zero(&form.terms, form.constant)
    }

    fn side(&self, side: &ComparisonSide<Box<[usize]>>) -> String {
        let terms = side.sum.terms.iter().map(|(states, factor)| {
            let name = match states.len() {
                1 => self.state(states[0] as u16),
                count if count == self.net.state_count => "n".to_owned(),
                _ => format!("({})", self.states(states.iter().map(|&state| state as u16), "+")),
            };
            (name, *factor)
        });
        let text = sum(terms, side.sum.constant);
        side.modulus.map_or_else(|| text.clone(), |modulus| format!("{text} mod {modulus}"))
    }

    pub(crate) fn formula(&self, formula: &CountFormula, wanted: bool) -> String {
        let all = |members: &[CountFormula], word: &str| {
            let members: Vec<String> = members.iter().map(|member| self.formula(member, wanted)).collect();
            format!("({})", members.join(word))
        };
        match (formula, wanted) {
            (Formula::Not(inner), _) => self.formula(inner, !wanted),
            (Formula::All(members), true) | (Formula::Any(members), false) => all(members, " and "),
            (Formula::Any(members), true) | (Formula::All(members), false) => all(members, " or "),
            (Formula::Compare(left, comparison, right), _) => {
                let sign = match (comparison, wanted) {
                    (Comparison::Equal, true) | (Comparison::NotEqual, false) => "=",
                    (Comparison::NotEqual, true) | (Comparison::Equal, false) => "!=",
                    (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => "<",
                    (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => "<=",
                    (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => ">",
                    (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => ">=",
                };
                format!("{} {sign} {}", self.side(left), self.side(right))
            }
        }
    }

    fn fact(&self, fact: &CaseFact<'_>) -> String {
        match fact {
            CaseFact::AtLeastZero(form) => self.form(form),
            CaseFact::Occupied { state, least: 1 } => format!("an agent is in {}", self.state(*state)),
            CaseFact::Occupied { state, least } => format!("{least} agents are in {}", self.state(*state)),
            CaseFact::Empty(state) => format!("no agent is in {}", self.state(*state)),
            CaseFact::Holds { formula, wanted, of } => {
                let when = if *of == CountsOf::Start { "at the start " } else { "" };
                format!("{when}{}", self.formula(formula, *wanted))
            }
        }
    }

    /// The text for the part of a run whose distinction has this number.
    pub(crate) fn part(&self, system: &ConstraintSystem<'_>, of: u32) -> &'static str {
        match system.part(of) {
            Some(part) if part.is_exit => "In the part after the last exit, read backwards",
            _ => "In the part before the first entry",
        }
    }

    /// The text of a case of a distinction.
    pub(crate) fn case(&self, cases: &Cases<'_>, case: usize) -> String {
        match cases {
            Cases::Listed(cases) => {
                let facts: Vec<String> = cases[case].iter().map(|fact| self.fact(fact)).collect();
                facts.join(", and ")
            }
            Cases::Passage(passage) => match (case, passage.passing(case)) {
                (_, Some(number)) => {
                    format!("{} does so", self.transition(self.net.transitions[number as usize]))
                }
                (0, None) if passage.is_exit => "an agent is in these states at the end".to_owned(),
                (0, None) => "an agent is in these states at the start".to_owned(),
                _ => "no transition ever does so".to_owned(),
            },
        }
    }

    /// The text of a constraint in force; `None` if it only states that a variable or count is not negative.
    pub(crate) fn constraint(&self, system: &ConstraintSystem<'_>, number: usize) -> Option<String> {
        let (terms, constant) = system.constraint(number);
        Some(match system.origin(number) {
            ConstraintOrigin::Trivial => return None,
            ConstraintOrigin::Agents => "there are at least two agents".to_owned(),
            ConstraintOrigin::AtLeast(state, 1) => format!("an agent is in {}", self.state(state)),
            ConstraintOrigin::AtLeast(state, least) => {
                format!("{least} agents are in {}", self.state(state))
            }
            ConstraintOrigin::AtMost(state, 0) => format!("no agent is in {}", self.state(state)),
            ConstraintOrigin::AtMost(state, most) => {
                format!("at most {most} agent is in {}", self.state(state))
            }
            ConstraintOrigin::Formula(CountsOf::Start) => self.at_least_zero(terms, constant),
            ConstraintOrigin::Formula(CountsOf::End) => "the claim is not met".to_owned(),
            ConstraintOrigin::Derived => self.at_least_zero(terms, constant),
        })
    }
}
