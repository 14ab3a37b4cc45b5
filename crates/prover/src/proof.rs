//! Proofs that a system of constraints has no solution in whole numbers. The proofs refer to constraints by unique
//! labels instead of positions.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::simplex::ConstraintLabel;

/// A proof that the constraints in force have no solution in whole numbers.
#[derive(Clone, Debug)]
pub(crate) enum Refutation {
    /// The sum of the constraints times these factors is a negative constant, which is a contradiction.
    Farkas(Vec<(ConstraintLabel, i128)>),
    /// A rounded sum of constraints is added as constraint `label`, and `then` continues the proof.
    Cut {
        factors: Vec<(ConstraintLabel, i128)>,
        modulus: i128,
        label: ConstraintLabel,
        then: Arc<Refutation>,
    },
    /// A complete distinction of cases, with a proof for each case.
    Cases { distinction: Distinction, of: Vec<(Introduced, Arc<Refutation>)> },
}

/// The constraints, disjunctions and quotients that a case adds, in the order in which they are added.
pub(crate) type Introduced = Vec<Introduction>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Introduction {
    Constraint(ConstraintLabel),
    Disjunction(ConstraintLabel),
    /// A quotient of a remainder, a free whole number.
    Quotient(ConstraintLabel),
}

/// A distinction of cases that is always complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Distinction {
    /// The cases are the alternatives of a disjunction in force.
    Either(ConstraintLabel),
    /// The form is at most `bound`, or at least `bound + 1`.
    Split {
        form: SplitForm,
        bound: i128,
    },
    Siphon(Vec<usize>),
    Trap(Vec<usize>),
    /// An entry or exit of a set of states. `name` identifies its fresh flow.
    Entry {
        set: Vec<usize>,
        name: ConstraintLabel,
    },
    Exit {
        set: Vec<usize>,
        name: ConstraintLabel,
    },
    /// A siphon of the part of the run that the entry or exit `part` distinguishes.
    PartSiphon {
        set: Vec<usize>,
        part: RunPartName,
    },
    /// A trap of such a part.
    PartTrap {
        set: Vec<usize>,
        part: RunPartName,
    },
}

/// The part of a run before an entry or after an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunPartName {
    /// The name of the entry or exit.
    pub(crate) name: ConstraintLabel,
    /// The first fresh flow of the case. Proofs about the part depend on it.
    pub(crate) first: ConstraintLabel,
}

/// The whole number whose value a split distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SplitForm {
    Count(usize),
    Input(usize),
    Flow(usize),
    Quotient(ConstraintLabel),
}

impl Refutation {
    /// The constraints, disjunctions and quotients on which the proof depends and that it does not introduce itself.
    pub(crate) fn used(&self) -> BTreeSet<ConstraintLabel> {
        match self {
            Self::Farkas(factors) => factors.iter().map(|(label, _)| *label).collect(),
            Self::Cut { factors, label, then, .. } => {
                let mut used = then.used();
                used.remove(label);
                used.extend(factors.iter().map(|(label, _)| *label));
                used
            }
            Self::Cases { distinction, of } => {
                let mut used = BTreeSet::new();
                for (introduced, proof) in of {
                    let mut of_case = proof.used();
                    for introduction in introduced {
                        of_case.remove(&introduction.label());
                    }
                    used.extend(of_case);
                }
                match distinction {
                    Distinction::Either(label) => {
                        used.insert(*label);
                    }
                    Distinction::Split { form: SplitForm::Quotient(label), .. } => {
                        used.insert(*label);
                    }
                    Distinction::PartSiphon { part, .. } | Distinction::PartTrap { part, .. } => {
                        used.insert(part.first);
                    }
                    _ => {}
                }
                used
            }
        }
    }

    /// The number of nodes of the proof.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Farkas(_) => 1,
            Self::Cut { then, .. } => 1 + then.size(),
            Self::Cases { of, .. } => 1 + of.iter().map(|(_, proof)| proof.size()).sum::<u64>(),
        }
    }
}

impl Introduction {
    pub(crate) fn label(self) -> ConstraintLabel {
        match self {
            Self::Constraint(label) | Self::Disjunction(label) | Self::Quotient(label) => label,
        }
    }
}
