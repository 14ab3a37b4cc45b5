//! The constraints in force while a proof is checked.
//!
//! Variables are whole numbers; constraints state which are at least 0. There are variables for the number of agents
//! that start in each input state, for the number of firings of each transition, and fresh ones. Counts are sums of
//! these, so they have no variables. Constraints and disjunctions form a stack.

use std::ops::ControlFlow;
use std::rc::Rc;

use acrasin_protocols::predicate::{Comparison, ComparisonSide, Formula};

use crate::format::CaseVariable;
use crate::limits::TERMS_IN_FORCE_MAX;
use crate::net::ClaimNet;

/// A bound predicate, whose names are lists of states.
pub(crate) type CountFormula = Formula<Box<[usize]>>;

/// A callback that tells whether to continue.
pub(crate) type KeepGoing<'a> = dyn FnMut() -> ControlFlow<()> + 'a;

/// A linear sum: the variables with nonzero factors, in increasing order, and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LinearForm {
    pub(crate) terms: Vec<(u32, i128)>,
    pub(crate) constant: i128,
}

impl LinearForm {
    /// Collects terms in any order, in which variables may repeat, into a sum. `None` if a factor exceeds 127 bits.
    pub(crate) fn collected(mut terms: Vec<(u32, i128)>, constant: i128) -> Option<Self> {
        terms.sort_unstable_by_key(|term| term.0);
        let mut sums: Vec<(u32, i128)> = Vec::with_capacity(terms.len());
        for (variable, factor) in terms {
            match sums.last_mut() {
                Some((last, sum)) if *last == variable => *sum = sum.checked_add(factor)?,
                _ => sums.push((variable, factor)),
            }
        }
        sums.retain(|term| term.1 != 0);
        let fits = |number: i128| number.unsigned_abs() < 1 << 126;
        (fits(constant) && sums.iter().all(|term| fits(term.1))).then_some(Self { terms: sums, constant })
    }

    fn negated(&self) -> Self {
        let terms = self.terms.iter().map(|&(variable, factor)| (variable, -factor)).collect();
        Self { terms, constant: -self.constant }
    }

    fn plus(mut self, constant: i128) -> Self {
        self.constant += constant;
        self
    }
}

/// The counts to which a formula refers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CountsOf {
    /// The number of agents that start in each state.
    Start,
    /// The counts of the configuration that the run from the input leads to.
    End,
}

/// A fact that a case of a distinction adds to the constraints in force.
#[derive(Clone, Debug)]
pub(crate) enum CaseFact<'c> {
    /// The linear form is at least 0.
    AtLeastZero(LinearForm),
    /// At least `least` agents are in `state`.
    Occupied { state: u16, least: i128 },
    /// No agent is in the state.
    Empty(u16),
    /// The formula holds, or does not hold.
    Holds { formula: &'c CountFormula, wanted: bool, of: CountsOf },
}

/// A list of cases, at least one of which holds; each case is a list of facts.
pub(crate) type Disjunction<'c> = Rc<[Vec<CaseFact<'c>>]>;

/// The reason why a constraint is in force, for explanations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConstraintOrigin {
    /// A variable or count is not negative.
    Trivial,
    /// There are at least two agents.
    Agents,
    /// At least this many agents are in the state.
    AtLeast(u16, i128),
    /// At most this many agents are in the state.
    AtMost(u16, i128),
    /// A part of the claim's formula holds for these counts.
    Formula(CountsOf),
    /// A fact of a case, or a cut.
    Derived,
}

/// A constraint in force: its terms in [`ConstraintSystem::terms`] plus a constant are at least 0.
#[derive(Clone, Copy, Debug)]
struct LinearConstraint {
    from: usize,
    to: usize,
    constant: i128,
    origin: ConstraintOrigin,
}

/// Fresh variables, stored in the order of their creation.
#[derive(Clone, Debug)]
enum FreshVariables {
    /// The variable for the quotient of a remainder.
    Quotient(u32),
    /// Variables for a part of the run.
    Partial(PartialRun),
}

/// The part of the run before the first entry into a set of states. For an exit, the part after the last exit, read
/// backwards from the end with each transition reversed.
#[derive(Clone, Debug)]
pub(crate) struct PartialRun {
    /// The variable for the number of firings of the first of `transitions` in this part. Those of the others follow.
    pub(crate) first: u32,
    /// The transitions that do not touch the set, in increasing order.
    pub(crate) transitions: Rc<[u32]>,
    pub(crate) is_exit: bool,
}

impl PartialRun {
    /// The variables of this part, each with its transition.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (self.first..).zip(self.transitions.iter().copied())
    }

    /// The variable for the number of firings of a transition in this part; `None` if it touches the set.
    pub(crate) fn fired(&self, transition: u32) -> Option<u32> {
        self.transitions.binary_search(&transition).ok().map(|place| self.first + place as u32)
    }

    /// The count of a state where the part begins.
    pub(crate) fn start(&self, system: &ConstraintSystem<'_>, state: u16) -> Vec<(u32, i128)> {
        if self.is_exit {
            system.count(state).to_vec()
        } else {
            system.input(state).map(|variable| (variable, 1)).into_iter().collect()
        }
    }

    /// The count of a state where the part ends.
    pub(crate) fn end(&self, system: &ConstraintSystem<'_>, state: u16) -> Vec<(u32, i128)> {
        let net = system.net;
        let direction = if self.is_exit { -1 } else { 1 };
        let fired = net.changing[usize::from(state)].iter().filter_map(|&number| {
            let change = net.transitions[number as usize].change(state);
            self.fired(number).map(|variable| (variable, direction * change))
        });
        let mut terms = self.start(system, state);
        terms.extend(fired);
        terms
    }
}

/// The lengths of all stacks at one moment, to which [`ConstraintSystem::back_to`] returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemMark {
    constraints: usize,
    terms: usize,
    disjunctions: usize,
    fresh: usize,
    variables: u32,
}

/// A reason why a fact cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SystemFault {
    /// The constraints in force have too many terms.
    Memory,
    /// A factor or constant has more than 126 bits.
    Range,
}

impl SystemFault {
    pub(crate) fn reason(self) -> String {
        match self {
            Self::Memory => format!("the constraints in force have more than {TERMS_IN_FORCE_MAX} terms"),
            Self::Range => "a factor has more than 126 bits".to_owned(),
        }
    }
}

/// The constraints and disjunctions in force, numbered in the order in which they were added.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintSystem<'c> {
    pub(crate) net: &'c ClaimNet,
    constraints: Vec<LinearConstraint>,
    terms: Vec<(u32, i128)>,
    disjunctions: Vec<Disjunction<'c>>,
    fresh: Vec<FreshVariables>,
    variables: u32,
    /// The variable for the number of agents that start in each state; `None` for states that are not inputs.
    input_variable: Vec<Option<u32>>,
    /// The count of each state in the final configuration, as terms.
    counts: Vec<Vec<(u32, i128)>>,
}

impl<'c> ConstraintSystem<'c> {
    /// The system before anything is known about a node: counts and variables are not negative, and there are at least
    /// two agents.
    pub(crate) fn new(net: &'c ClaimNet) -> Result<Self, SystemFault> {
        let mut input_variable = vec![None; net.state_count];
        for (variable, &state) in (0..).zip(&net.inputs) {
            input_variable[usize::from(state)] = Some(variable);
        }
        let first_fired = net.inputs.len() as u32;
        let count = |state: u16| {
            let input = input_variable[usize::from(state)].map(|variable| (variable, 1));
            let fired = net.changing[usize::from(state)]
                .iter()
                .map(|&number| (first_fired + number, net.transitions[number as usize].change(state)));
            input.into_iter().chain(fired).collect()
        };
        let counts = (0..net.state_count as u16).map(count).collect();
        let variables = first_fired + net.transitions.len() as u32;
        let mut system = Self {
            net,
            constraints: Vec::new(),
            terms: Vec::new(),
            disjunctions: Vec::new(),
            fresh: Vec::new(),
            variables,
            input_variable,
            counts,
        };
        for variable in 0..variables {
            system.constrain(&[(variable, 1)], 0, ConstraintOrigin::Trivial)?;
        }
        for &state in &net.occurring {
            system.add(&CaseFact::Occupied { state, least: 0 })?;
        }
        let agents: Vec<(u32, i128)> = (0..first_fired).map(|variable| (variable, 1)).collect();
        system.constrain(&agents, -2, ConstraintOrigin::Agents)?;
        Ok(system)
    }

    pub(crate) fn mark(&self) -> SystemMark {
        SystemMark {
            constraints: self.constraints.len(),
            terms: self.terms.len(),
            disjunctions: self.disjunctions.len(),
            fresh: self.fresh.len(),
            variables: self.variables,
        }
    }

    /// Removes all constraints and disjunctions that were added after the mark.
    pub(crate) fn back_to(&mut self, mark: SystemMark) {
        self.constraints.truncate(mark.constraints);
        self.terms.truncate(mark.terms);
        self.disjunctions.truncate(mark.disjunctions);
        self.fresh.truncate(mark.fresh);
        self.variables = mark.variables;
    }

    pub(crate) fn constraint_count(&self) -> usize {
        self.constraints.len()
    }

    /// The terms and the constant of a constraint.
    pub(crate) fn constraint(&self, number: usize) -> (&[(u32, i128)], i128) {
        let LinearConstraint { from, to, constant, .. } = self.constraints[number];
        (&self.terms[from..to], constant)
    }

    pub(crate) fn origin(&self, number: usize) -> ConstraintOrigin {
        self.constraints[number].origin
    }

    /// Whether a constraint is a fact of a case, or a cut.
    pub(crate) fn is_derived(&self, number: usize) -> bool {
        self.origin(number) == ConstraintOrigin::Derived
    }

    pub(crate) fn disjunction(&self, number: u32) -> Option<&Disjunction<'c>> {
        self.disjunctions.get(number as usize)
    }

    pub(crate) fn disjunction_count(&self) -> usize {
        self.disjunctions.len()
    }

    pub(crate) fn variable_count(&self) -> usize {
        self.variables as usize
    }

    /// The terms of a state's count in the final configuration.
    pub(crate) fn count(&self, state: u16) -> &[(u32, i128)] {
        &self.counts[usize::from(state)]
    }

    /// The variable of an input state; `None` if no agent starts in it.
    pub(crate) fn input(&self, state: u16) -> Option<u32> {
        self.input_variable[usize::from(state)]
    }

    /// The variable for the number of firings of a transition.
    pub(crate) fn fired(&self, transition: u32) -> u32 {
        self.net.inputs.len() as u32 + transition
    }

    /// The variable with a name, if it exists at present.
    pub(crate) fn named(&self, name: CaseVariable) -> Option<u32> {
        let fresh = |number: u32| self.fresh.get((number as usize).checked_sub(1)?);
        match name {
            CaseVariable::Input(state) => self.input_variable.get(usize::from(state)).copied().flatten(),
            CaseVariable::Fired(transition) => {
                ((transition as usize) < self.net.transitions.len()).then(|| self.fired(transition))
            }
            CaseVariable::Quotient(number) => match fresh(number)? {
                FreshVariables::Quotient(variable) => Some(*variable),
                FreshVariables::Partial(..) => None,
            },
            CaseVariable::Partial(number, transition) => match fresh(number)? {
                FreshVariables::Partial(part) => part.fired(transition),
                FreshVariables::Quotient(_) => None,
            },
        }
    }

    /// The part of a run whose distinction has this number; `None` if there is none at present.
    pub(crate) fn part(&self, number: u32) -> Option<&PartialRun> {
        match self.fresh.get((number as usize).checked_sub(1)?)? {
            FreshVariables::Partial(part) => Some(part),
            FreshVariables::Quotient(_) => None,
        }
    }

    /// Adds the constraint `form >= 0`.
    pub(crate) fn at_least_zero(&mut self, form: &LinearForm) -> Result<(), SystemFault> {
        self.constrain(&form.terms, form.constant, ConstraintOrigin::Derived)
    }

    /// Adds the constraint `form >= 0`, as a part of a formula of the claim.
    fn of_formula(&mut self, form: &LinearForm, of: CountsOf) -> Result<(), SystemFault> {
        self.constrain(&form.terms, form.constant, ConstraintOrigin::Formula(of))
    }

    fn constrain(
        &mut self,
        terms: &[(u32, i128)],
        constant: i128,
        origin: ConstraintOrigin,
    ) -> Result<(), SystemFault> {
        let from = self.terms.len();
        if from + terms.len() > TERMS_IN_FORCE_MAX {
            return Err(SystemFault::Memory);
        }
        self.terms.extend_from_slice(terms);
        self.constraints.push(LinearConstraint { from, to: self.terms.len(), constant, origin });
        Ok(())
    }

    /// Adds the disjunction that at least one of the cases holds.
    pub(crate) fn one_of(&mut self, cases: Vec<Vec<CaseFact<'c>>>) {
        self.disjunctions.push(cases.into());
    }

    /// Creates a fresh variable for each of these transitions, in increasing order.
    pub(crate) fn fresh_partial(&mut self, transitions: Rc<[u32]>, is_exit: bool) -> PartialRun {
        let part = PartialRun { first: self.variables, transitions, is_exit };
        self.variables += part.transitions.len() as u32;
        self.fresh.push(FreshVariables::Partial(part.clone()));
        part
    }

    /// Adds a fact of a case.
    pub(crate) fn add(&mut self, fact: &CaseFact<'c>) -> Result<(), SystemFault> {
        match *fact {
            CaseFact::AtLeastZero(ref form) => self.at_least_zero(form),
            CaseFact::Occupied { state, least } => {
                let terms = std::mem::take(&mut self.counts[usize::from(state)]);
                let origin = match least {
                    0 => ConstraintOrigin::Trivial,
                    _ => ConstraintOrigin::AtLeast(state, least),
                };
                let added = self.constrain(&terms, -least, origin);
                self.counts[usize::from(state)] = terms;
                added
            }
            CaseFact::Empty(state) => self.at_most(state, 0),
            CaseFact::Holds { formula, wanted, of } => self.holds(formula, wanted, of),
        }
    }

    /// Adds the constraint that at most `most` agents are in the state.
    pub(crate) fn at_most(&mut self, state: u16, most: i128) -> Result<(), SystemFault> {
        let terms: Vec<(u32, i128)> =
            self.counts[usize::from(state)].iter().map(|&(variable, factor)| (variable, -factor)).collect();
        self.constrain(&terms, most, ConstraintOrigin::AtMost(state, most))
    }

    fn holds(&mut self, formula: &'c CountFormula, wanted: bool, of: CountsOf) -> Result<(), SystemFault> {
        match (formula, wanted) {
            (Formula::Not(inner), _) => self.holds(inner, !wanted, of),
            (Formula::All(members), true) | (Formula::Any(members), false) => {
                members.iter().try_for_each(|member| self.holds(member, wanted, of))
            }
            (Formula::Any(members), true) | (Formula::All(members), false) => {
                let case = |formula| vec![CaseFact::Holds { formula, wanted, of }];
                self.one_of(members.iter().map(case).collect());
                Ok(())
            }
            (Formula::Compare(left, comparison, right), _) => {
                let (left, right) = (self.side(left, of)?, self.side(right, of)?.negated());
                let terms = [left.terms, right.terms].concat();
                let difference =
                    LinearForm::collected(terms, left.constant + right.constant).ok_or(SystemFault::Range)?;
                self.compared(&difference, (*comparison, wanted), of)
            }
        }
    }

    /// Adds constraints for a comparison of two sides, or for its negation. The difference of the sides is compared
    /// with 0.
    fn compared(
        &mut self,
        difference: &LinearForm,
        (comparison, wanted): (Comparison, bool),
        of: CountsOf,
    ) -> Result<(), SystemFault> {
        let opposite = difference.negated();
        match (comparison, wanted) {
            (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => self.of_formula(difference, of),
            (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => {
                self.of_formula(&difference.clone().plus(-1), of)
            }
            (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => self.of_formula(&opposite, of),
            (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => {
                self.of_formula(&opposite.plus(-1), of)
            }
            (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
                self.of_formula(difference, of)?;
                self.of_formula(&opposite, of)
            }
            (Comparison::NotEqual, true) | (Comparison::Equal, false) => {
                let case = |form: LinearForm| vec![CaseFact::AtLeastZero(form.plus(-1))];
                self.one_of(vec![case(difference.clone()), case(opposite)]);
                Ok(())
            }
        }
    }

    /// The linear form of a side of a comparison. A remainder s mod m becomes s - m k with a fresh variable k, and is
    /// constrained to 0 to m - 1.
    fn side(&mut self, side: &ComparisonSide<Box<[usize]>>, of: CountsOf) -> Result<LinearForm, SystemFault> {
        let mut terms = Vec::new();
        for (states, factor) in &side.sum.terms {
            for &state in states {
                match of {
                    CountsOf::Start => {
                        terms.extend(self.input(state as u16).map(|variable| (variable, *factor)));
                    }
                    // States that cannot occur have no terms.
                    CountsOf::End => {
                        terms.extend(
                            self.count(state as u16)
                                .iter()
                                .map(|&(variable, change)| (variable, change * factor)),
                        );
                    }
                }
            }
        }
        let constant = side.sum.constant;
        let Some(modulus) = side.modulus else {
            return LinearForm::collected(terms, constant).ok_or(SystemFault::Range);
        };
        let modulus = i128::from(modulus.get());
        let quotient = self.variables;
        self.variables += 1;
        self.fresh.push(FreshVariables::Quotient(quotient));
        terms.push((quotient, -modulus));
        let remainder = LinearForm::collected(terms, constant).ok_or(SystemFault::Range)?;
        self.of_formula(&remainder, of)?;
        self.of_formula(&remainder.negated().plus(modulus - 1), of)?;
        Ok(remainder)
    }
}
