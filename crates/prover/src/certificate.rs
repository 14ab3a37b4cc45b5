//! Writes proofs as JSON certificates, in which constraints have the numbers that the checker gives them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::constraints::SideSystem;
use crate::format::CertificateFormat;
use crate::layer::Weights;
use crate::proof::{Distinction, Introduced, Introduction, Refutation, SplitForm};
use crate::simplex::{ConstraintLabel, gcd};
use crate::system::SizedClaim;

/// The numbers that the checker gives to the constraints, disjunctions and quotients in force, by label.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbering {
    constraints: BTreeMap<ConstraintLabel, usize>,
    disjunctions: BTreeMap<ConstraintLabel, usize>,
    quotients: BTreeMap<ConstraintLabel, usize>,
    next_constraint: usize,
    next_disjunction: usize,
    next_quotient: usize,
}

impl Numbering {
    pub(crate) fn introduce(&mut self, introduced: &[Introduction]) {
        for one in introduced {
            match *one {
                Introduction::Constraint(label) => {
                    self.constraints.insert(label, self.next_constraint);
                    self.next_constraint += 1;
                }
                Introduction::Disjunction(label) => {
                    self.disjunctions.insert(label, self.next_disjunction);
                    self.next_disjunction += 1;
                }
                Introduction::Quotient(label) => {
                    // A checker counts quotients and fresh flows from 1.
                    self.next_quotient += 1;
                    self.quotients.insert(label, self.next_quotient);
                }
            }
        }
    }

    /// Gives `label` the number of the constraint `by`, which implies the constraint `label`.
    pub(crate) fn replace(&mut self, label: ConstraintLabel, by: ConstraintLabel) {
        if let Some(&number) = self.constraints.get(&by) {
            self.constraints.insert(label, number);
        }
    }

    fn sum(&self, factors: &[(ConstraintLabel, i128)], divisor: i128) -> Value {
        let mut sums: BTreeMap<usize, i128> = BTreeMap::new();
        for (label, factor) in factors {
            *sums.entry(self.constraints[label]).or_default() += factor;
        }
        let text = |factor: i128| {
            let common = gcd(factor, divisor);
            let (numerator, denominator) = (factor / common, divisor / common);
            if denominator == 1 { numerator.to_string() } else { format!("{numerator}/{denominator}") }
        };
        sums.into_iter().map(|(number, factor)| json!([number, text(factor)])).collect()
    }

    /// Calls `make` while the introduced parts are numbered, and removes their numbers afterwards.
    fn with<T>(&mut self, introduced: &[Introduction], make: impl FnOnce(&mut Self) -> T) -> T {
        let next = (self.next_constraint, self.next_disjunction, self.next_quotient);
        self.introduce(introduced);
        let made = make(self);
        for one in introduced {
            match one {
                Introduction::Constraint(label) => self.constraints.remove(label),
                Introduction::Disjunction(label) => self.disjunctions.remove(label),
                Introduction::Quotient(label) => self.quotients.remove(label),
            };
        }
        (self.next_constraint, self.next_disjunction, self.next_quotient) = next;
        made
    }
}

/// A JSON object of these parts. The macro `json!` would copy the parts, and at a node of a deep tree a part is a whole
/// subtree.
pub(crate) fn object<const N: usize>(parts: [(&str, Value); N]) -> Value {
    Value::Object(parts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Converts a proof to JSON, with the constraints numbered as in the certificate.
pub(crate) fn written(proof: &Refutation, system: &SideSystem, numbering: &mut Numbering) -> Value {
    match proof {
        Refutation::Farkas(factors) => object([("farkas", numbering.sum(factors, 1))]),
        Refutation::Cut { factors, modulus, label, then } => {
            let cut = numbering.sum(factors, *modulus);
            let rest = |inner: &mut Numbering| written(then, system, inner);
            let then = numbering.with(&[Introduction::Constraint(*label)], rest);
            object([("cut", cut), ("then", then)])
        }
        Refutation::Cases { distinction, of } => {
            let mut name = None;
            let cases = match distinction {
                Distinction::Either(label) => json!(["either", numbering.disjunctions[label]]),
                Distinction::Split { form, bound } => {
                    json!(["split", form_of(*form, system, numbering), integer(*bound)])
                }
                Distinction::Siphon(set) => json!(["siphon", set]),
                Distinction::Trap(set) => json!(["trap", set]),
                Distinction::Entry { set, name: of_set } => {
                    name = Some(Introduction::Quotient(*of_set));
                    json!(["entry", set])
                }
                Distinction::Exit { set, name: of_set } => {
                    name = Some(Introduction::Quotient(*of_set));
                    json!(["exit", set])
                }
                Distinction::PartSiphon { set, part } => {
                    json!(["part-siphon", set, numbering.quotients[&part.name]])
                }
                Distinction::PartTrap { set, part } => {
                    json!(["part-trap", set, numbering.quotients[&part.name]])
                }
            };
            let of = numbering.with(name.as_slice(), |outer| {
                let one = |(introduced, proof): &(Introduced, Arc<Refutation>)| {
                    outer.with(introduced, |inner| written(proof, system, inner))
                };
                of.iter().map(one).collect()
            });
            object([("cases", cases), ("of", of)])
        }
    }
}

fn form_of(form: SplitForm, system: &SideSystem, numbering: &Numbering) -> Value {
    match form {
        SplitForm::Count(state) => {
            let (is_input, flow) = system.count_form(state);
            let mut terms: Vec<Value> = Vec::new();
            if is_input {
                terms.push(json!([["a", state], 1]));
            }
            terms.extend(flow.into_iter().map(|(number, change)| json!([["x", number], change])));
            Value::Array(terms)
        }
        SplitForm::Input(state) => json!([[["a", state], 1]]),
        SplitForm::Flow(number) => json!([[["x", number], 1]]),
        SplitForm::Quotient(label) => json!([[["k", numbering.quotients[&label]], 1]]),
    }
}

/// A whole number as JSON. Readers of the format accept numbers of any size.
pub(crate) fn integer(value: i128) -> Value {
    i64::try_from(value).map_or_else(|_| json!(value), |value| json!(value))
}

pub(crate) fn weights(weights: &Weights) -> Value {
    let pairs = weights.iter().map(|&(state, weight)| (state.to_string(), integer(weight)));
    Value::Object(pairs.collect())
}

/// The certificate in a format, with the trees of its sides.
pub(crate) fn certificate(claim: &SizedClaim, format: CertificateFormat, sides: Vec<(bool, Value)>) -> Value {
    let transitions: Vec<Value> =
        claim.transitions.iter().map(|transition| json!([transition.before, transition.after])).collect();
    let sides: Vec<Value> =
        sides.into_iter().map(|(value, tree)| object([("value", value.into()), ("tree", tree)])).collect();
    object([
        ("format", format.name().into()),
        ("states", json!(claim.names)),
        ("transitions", transitions.into()),
        ("sides", sides.into()),
    ])
}
