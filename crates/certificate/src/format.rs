//! The parts of a certificate, as read.
//!
//! Trees and proofs are stored in lists and refer to each other by index, so that no function recurses over thousands
//! of levels. Each part stores the byte at which it begins.

use std::collections::BTreeMap;

use num_bigint::BigInt;

/// The number of a tree node in its certificate.
pub(crate) type TreeNumber = u32;

/// The number of a proof in its certificate.
pub(crate) type ProofNumber = u32;

/// A multiset of two states, the lesser first.
pub(crate) type StatePair = [u16; 2];

/// A proof for one value of the predicate.
#[derive(Clone, Debug)]
pub(crate) struct CertifiedSide {
    pub(crate) at: u32,
    pub(crate) value: bool,
    pub(crate) tree: TreeNumber,
}

/// A node of the stage tree: steps that extend the knowledge about a wrong bottom component, and the end of the node.
#[derive(Clone, Debug)]
pub(crate) struct StageTree {
    pub(crate) at: u32,
    pub(crate) steps: Vec<StageStep>,
    pub(crate) end: StageEnd,
}

/// The end of a node, after its steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StageEnd {
    /// The steps lead to a contradiction, so no such component exists.
    Contradiction,
    /// A split on a state whose count is constant: the state is occupied in the whole component, or empty in the whole
    /// component.
    Split { at: u32, state: u16, present: TreeNumber, empty: TreeNumber },
    /// A proof that no configuration that fits the node is wrong.
    Proof(ProofNumber),
}

/// A step, which shows that some transitions occur nowhere in the bottom component.
#[derive(Clone, Debug)]
pub(crate) struct StageStep {
    pub(crate) at: u32,
    pub(crate) kind: StageKind,
    /// The transitions that the step shows to be dead, each with its byte offset in the file.
    pub(crate) dead: Vec<(u32, u32)>,
}

/// The argument by which a step shows that its transitions are dead.
#[derive(Clone, Debug)]
pub(crate) enum StageKind {
    /// No live transition raises the weighted sum of the counts, and the transitions of the step lower it.
    Rank { weights: BTreeMap<u16, i128> },
    /// The transitions of the step lower the weighted sum, and no other transition enables one of them again.
    Layer { weights: BTreeMap<u16, i128>, proofs: BTreeMap<(u32, StatePair), ProofNumber> },
    /// A layer whose members are sequences of transitions.
    Macro { weights: BTreeMap<u16, i128>, items: Vec<(u32, Vec<u32>)> },
    /// No configuration that fits the node enables the transitions of the step.
    Disabled { proofs: BTreeMap<u32, ProofNumber> },
}

/// A proof that the constraints in force have no solution in whole numbers.
#[derive(Clone, Debug)]
pub(crate) struct ProofTree {
    pub(crate) at: u32,
    pub(crate) rule: ProofRule,
}

/// The first inference of a proof, with the proofs that follow it.
#[derive(Clone, Debug)]
pub(crate) enum ProofRule {
    /// The sum of these constraints is a negative constant, which is a contradiction.
    Farkas(Vec<ProofFactor>),
    /// The sum has whole factors, so its constant may be rounded down. The result is added as a constraint.
    Cut { sum: Vec<ProofFactor>, then: ProofNumber },
    /// One proof for each case of a complete distinction.
    Cases { distinction: CaseDistinction, of: Vec<ProofNumber> },
}

/// A constraint in force, times a positive factor.
#[derive(Clone, Debug)]
pub(crate) struct ProofFactor {
    pub(crate) at: u32,
    pub(crate) constraint: u32,
    pub(crate) factor: ProofFraction,
}

/// A positive fraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProofFraction {
    /// A fraction of small numbers, the usual case, stored without allocation.
    Small { numerator: i64, denominator: i64 },
    /// Numerator and denominator of any other fraction.
    Large(Box<[BigInt; 2]>),
}

/// A distinction of cases that is always complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CaseDistinction {
    /// The alternatives of the disjunction with this number, which must be in force.
    Either(u32),
    /// Either the sum `form` is at most `bound`, or it is at least `bound + 1`.
    Split { form: Vec<(CaseVariable, i128)>, bound: i128 },
    /// An empty set of states that no transition enters from outside stays empty.
    Siphon(Vec<u16>),
    /// An occupied set of states that no transition leaves stays occupied.
    Trap(Vec<u16>),
    /// A set of states is entered by a first transition, or never, or is occupied at the start.
    Entry(Vec<u16>),
    /// A set of states is left by a last transition, or never, or is occupied at the end.
    Exit(Vec<u16>),
    /// A siphon of the part of the run before an entry, or after an exit, whose distinction has the number `of`.
    PartSiphon { set: Vec<u16>, of: u32 },
    /// A trap of such a part.
    PartTrap { set: Vec<u16>, of: u32 },
}

/// A variable, as certificates name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CaseVariable {
    /// The number of agents that start in a state.
    Input(u16),
    /// The number of times that a transition fires.
    Fired(u32),
    /// The quotient of the remainder with this number.
    Quotient(u32),
    /// The number of times that a transition fires before the entry, or after the exit, of a distinction.
    Partial(u32, u32),
}
