//! The constraint system of a side: inputs, flow, counts, and the disjunctions in force.

use std::sync::Arc;

use acrasin_protocols::predicate::{Comparison, LinearFormula, LinearSide};

use crate::fault::PlantedFault;
use crate::proof::{Distinction, Introduced, Introduction, SplitForm};
use crate::simplex::{ConstraintLabel, ModularCut, Simplex, Solved};
use crate::system::{MultisetTransition, SizedClaim, SizedGoal};
use crate::work::{GaveUp, ProofWork};

/// A fraction with a positive denominator.
pub(crate) type Fraction = (i128, i128);

/// The constraint that a linear form over labels plus a constant is at least 0.
#[derive(Clone, Debug)]
pub(crate) struct AtLeast {
    pub(crate) terms: Vec<(ConstraintLabel, i128)>,
    pub(crate) constant: i128,
}

/// The counts to which a formula refers: those of the input or of the final configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CountedAgents {
    Inputs,
    Configuration,
}

#[derive(Clone, Debug)]
pub(crate) enum CaseCondition {
    Linear(AtLeast),
    Formula(LinearFormula, CountedAgents),
    /// A fresh variable for a flow, which is at least 0.
    Fresh(ConstraintLabel),
}

/// A disjunction: for at least one alternative, all of its conditions hold.
#[derive(Debug)]
pub(crate) struct Alternatives {
    pub(crate) label: ConstraintLabel,
    pub(crate) of: Vec<Vec<CaseCondition>>,
}

/// The parts that all queries of one side share.
#[derive(Clone, Debug)]
pub(crate) struct SideSystem {
    pub(crate) claim: Arc<SizedClaim>,
    pub(crate) value: bool,
    input_labels: Vec<Option<ConstraintLabel>>,
    first_flow: ConstraintLabel,
    count_labels: Vec<Option<ConstraintLabel>>,
    pub(crate) size: ConstraintLabel,
    next: ConstraintLabel,
}

/// The constraints in force, with the current vertex of the simplex.
#[derive(Clone, Debug)]
pub(crate) struct Constraints {
    pub(crate) simplex: Simplex,
    pub(crate) disjunctions: Vec<Arc<Alternatives>>,
    /// The entry and exit lemmas used on this branch: the set of states of each, and whether it is an exit lemma.
    pub(crate) entered: Vec<(Vec<usize>, bool)>,
    /// The parts of the run that these lemmas distinguish on this branch.
    pub(crate) parts: Vec<Arc<RunPart>>,
    /// The number of cuts on this branch.
    pub(crate) cuts: u32,
    /// The number of splits on this branch.
    pub(crate) splits: u32,
}

/// The part of the run before an entry. For an exit, the part after it, with the run read backwards.
#[derive(Debug)]
pub(crate) struct RunPart {
    pub(crate) name: ConstraintLabel,
    backwards: bool,
    /// The transitions that do not touch the set, in the direction in which the run is read, each with its flow in this
    /// part.
    pub(crate) flow: Vec<(MultisetTransition, ConstraintLabel)>,
}

/// The values of the variables at a vertex of the simplex.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    /// The number of agents that start in each state of the table, 0 for states that are not inputs.
    pub(crate) inputs: Vec<Fraction>,
    pub(crate) flow: Vec<Fraction>,
    pub(crate) counts: Vec<Fraction>,
}

impl SideSystem {
    /// The system of a side with the constraints that all its queries share. Also returns the constraints and variables
    /// that `given` and the side's predicate introduce.
    pub(crate) fn new(
        claim: &Arc<SizedClaim>,
        value: bool,
    ) -> Result<(Self, Constraints, Introduced), GaveUp> {
        let states = claim.names.len();
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        let mut input_labels = vec![None; states];
        for &state in &claim.inputs {
            input_labels[state] = Some(fresh());
        }
        let first_flow = claim.inputs.len() as ConstraintLabel;
        for _ in &claim.transitions {
            fresh();
        }
        let mut count_labels = vec![None; states];
        for &state in &claim.occurring {
            count_labels[state] = Some(fresh());
        }
        let size = fresh();
        let mut system =
            Self { claim: Arc::clone(claim), value, input_labels, first_flow, count_labels, size, next };
        let mut simplex = Simplex::new();
        for label in 0..first_flow + claim.transitions.len() as ConstraintLabel {
            simplex.add_column(label, 1, false);
        }
        simplex.index(next);
        let mut rows: Vec<Vec<(ConstraintLabel, i128)>> = (0..states)
            .map(|state| system.input_labels[state].map(|label| (label, 1)).into_iter().collect())
            .collect();
        for (number, transition) in claim.transitions.iter().enumerate() {
            for (state, change) in transition.changes() {
                rows[state].push((system.flow(number), i128::from(change)));
            }
        }
        for &state in &claim.occurring {
            simplex.add_row(system.count(state), &rows[state], 0, 1)?;
        }
        let sum: Vec<(ConstraintLabel, i128)> =
            claim.inputs.iter().map(|&state| (system.input(state), 1)).collect();
        let least = if claim.has(PlantedFault::ThreeAgents) { -3 } else { -2 };
        simplex.add_row(size, &sum, least, 1)?;
        let mut constraints = Constraints {
            simplex,
            disjunctions: Vec::new(),
            entered: Vec::new(),
            parts: Vec::new(),
            cuts: 0,
            splits: 0,
        };
        let mut introduced = Vec::new();
        if let Some(given) = &claim.given {
            constraints.push_formula(&mut system, given, CountedAgents::Inputs, &mut introduced)?;
        }
        if let SizedGoal::Computes { predicate, .. } = &claim.goal {
            let of_side = if value { predicate.clone() } else { predicate.negated() };
            constraints.push_formula(&mut system, &of_side, CountedAgents::Inputs, &mut introduced)?;
        }
        Ok((system, constraints, introduced))
    }

    pub(crate) fn fresh(&mut self) -> ConstraintLabel {
        self.next += 1;
        self.next - 1
    }

    pub(crate) fn input(&self, state: usize) -> ConstraintLabel {
        self.input_labels[state].expect("an input state")
    }

    pub(crate) fn is_input(&self, state: usize) -> bool {
        self.input_labels[state].is_some()
    }

    pub(crate) fn flow(&self, transition: usize) -> ConstraintLabel {
        self.first_flow + transition as ConstraintLabel
    }

    pub(crate) fn count(&self, state: usize) -> ConstraintLabel {
        self.count_labels[state].expect("a state that can occur")
    }

    fn occurs(&self, state: usize) -> bool {
        self.count_labels[state].is_some()
    }

    pub(crate) fn at_most(&self, state: usize, most: i128) -> CaseCondition {
        CaseCondition::Linear(AtLeast { terms: vec![(self.count(state), -1)], constant: most })
    }

    pub(crate) fn at_least(&self, state: usize, least: i128) -> CaseCondition {
        CaseCondition::Linear(AtLeast { terms: vec![(self.count(state), 1)], constant: -least })
    }

    /// Adds the condition that the final configuration is wrong.
    pub(crate) fn push_wrong(
        &mut self,
        constraints: &mut Constraints,
        introduced: &mut Introduced,
    ) -> Result<(), GaveUp> {
        let claim = Arc::clone(&self.claim);
        match &claim.goal {
            SizedGoal::Eventually(condition) => {
                constraints.push_formula(self, &condition.negated(), CountedAgents::Configuration, introduced)
            }
            SizedGoal::Computes { yes, no, .. } => {
                let right = if self.value { yes } else { no };
                let wrong = claim.occurring.iter().filter(|state| !right.contains(state));
                let most = if claim.has(PlantedFault::FirstWrong) { 1 } else { usize::MAX };
                let of = wrong.take(most).map(|&state| vec![self.at_least(state, 1)]).collect();
                constraints.push_disjunction(self, of, introduced);
                Ok(())
            }
        }
    }

    /// Returns the conditions of each case of a distinction.
    pub(crate) fn alternatives(
        &mut self,
        constraints: &Constraints,
        distinction: &Distinction,
    ) -> Vec<Vec<CaseCondition>> {
        let linear = |terms, constant| vec![CaseCondition::Linear(AtLeast { terms, constant })];
        let negative =
            |terms: Vec<(ConstraintLabel, i128)>| terms.into_iter().map(|(label, k)| (label, -k)).collect();
        match distinction {
            Distinction::Either(label) => {
                let found = constraints.disjunctions.iter().find(|known| known.label == *label);
                found.expect("a disjunction in force").of.clone()
            }
            Distinction::Split { form, bound } => {
                let label = match *form {
                    SplitForm::Count(state) => self.count(state),
                    SplitForm::Input(state) => self.input(state),
                    SplitForm::Flow(transition) => self.flow(transition),
                    SplitForm::Quotient(label) => label,
                };
                vec![linear(vec![(label, -1)], *bound), linear(vec![(label, 1)], -bound - 1)]
            }
            Distinction::Siphon(set) => {
                let (marks, puts, takes) = self.touching(set);
                let mut enters = self.flows(&difference(&puts, &takes));
                if self.claim.has(PlantedFault::SiphonSign) {
                    enters = negative(enters);
                }
                let mut cases = vec![
                    linear(enters, -1),
                    linear(self.inputs_in(&marks), -1),
                    linear(negative(self.flows(&takes)), 0),
                ];
                if self.claim.has(PlantedFault::SiphonStart) {
                    cases.remove(1);
                }
                cases
            }
            Distinction::Trap(set) => {
                let (marks, puts, takes) = self.touching(set);
                let leaves = difference(&takes, &puts);
                let now = set.iter().map(|&state| (self.count(state), 1)).collect();
                let mut before = self.inputs_in(&marks);
                before.extend(self.flows(&puts));
                let mut leaves = self.flows(&leaves);
                if self.claim.has(PlantedFault::TrapSign) {
                    leaves = negative(leaves);
                }
                let mut cases = vec![linear(leaves, -1), linear(now, -1), linear(negative(before), 0)];
                if self.claim.has(PlantedFault::TrapNever) {
                    cases.pop();
                }
                cases
            }
            Distinction::Entry { set, .. } => self.entry(set, false),
            Distinction::Exit { set, .. } => self.entry(set, true),
            Distinction::PartSiphon { set, part } => {
                let (part, marks) = (constraints.part(part.name), marked(set, self.claim.names.len()));
                let puts = |one: &MultisetTransition| one.puts(&marks) && !one.takes(&marks);
                let takes = |one: &MultisetTransition| one.takes(&marks);
                let start = set.iter().flat_map(|&state| self.part_start(part, state)).collect();
                vec![linear(part.fires(puts), -1), linear(start, -1), linear(negative(part.fires(takes)), 0)]
            }
            Distinction::PartTrap { set, part } => {
                let (part, marks) = (constraints.part(part.name), marked(set, self.claim.names.len()));
                let leaves = |one: &MultisetTransition| one.takes(&marks) && !one.puts(&marks);
                let puts = |one: &MultisetTransition| one.puts(&marks);
                let end = set.iter().flat_map(|&state| match self.claim.has(PlantedFault::PartTrapEnd) {
                    true => vec![(self.count(state), 1)],
                    false => self.part_end(part, state),
                });
                let mut before: Vec<_> = set.iter().flat_map(|&state| self.part_start(part, state)).collect();
                before.extend(part.fires(puts));
                let mut cases = vec![
                    linear(part.fires(leaves), -1),
                    linear(end.collect(), -1),
                    linear(negative(before), 0),
                ];
                if self.claim.has(PlantedFault::PartTrapNever) {
                    cases.pop();
                }
                cases
            }
        }
    }

    /// The part of the run that a case of an entry or exit distinguishes. `None` if no transition can occur in it.
    pub(crate) fn part_of_case(
        &self,
        (set, name, backwards): (&[usize], ConstraintLabel, bool),
        case: &[CaseCondition],
    ) -> Option<RunPart> {
        let marks = marked(set, self.claim.names.len());
        let away = self.claim.transitions.iter().filter(|one| !one.puts(&marks) && !one.takes(&marks));
        let labels = case.iter().filter_map(|condition| match condition {
            CaseCondition::Fresh(label) => Some(*label),
            _ => None,
        });
        let directed = |one: &MultisetTransition| if backwards { one.reversed() } else { *one };
        let flow: Vec<_> = away.map(directed).zip(labels).collect();
        (!flow.is_empty()).then_some(RunPart { name, backwards, flow })
    }

    /// The count of a state where a part of the run begins.
    pub(crate) fn part_start(&self, part: &RunPart, state: usize) -> Vec<(ConstraintLabel, i128)> {
        match part.backwards {
            true => vec![(self.count(state), 1)],
            false if self.is_input(state) => vec![(self.input(state), 1)],
            false => Vec::new(),
        }
    }

    /// The count of a state where a part of the run ends.
    pub(crate) fn part_end(&self, part: &RunPart, state: usize) -> Vec<(ConstraintLabel, i128)> {
        let changes = part.flow.iter().map(|(one, label)| (*label, i128::from(one.change(state))));
        let mut terms = self.part_start(part, state);
        terms.extend(changes.filter(|(_, change)| *change != 0));
        terms
    }

    fn touching(&self, set: &[usize]) -> (Vec<bool>, Vec<usize>, Vec<usize>) {
        let marks = marked(set, self.claim.names.len());
        let of = |test: &dyn Fn(&MultisetTransition) -> bool| -> Vec<usize> {
            (0..self.claim.transitions.len())
                .filter(|&number| test(&self.claim.transitions[number]))
                .collect()
        };
        let (puts, takes) =
            (of(&|transition| transition.puts(&marks)), of(&|transition| transition.takes(&marks)));
        (marks, puts, takes)
    }

    fn flows(&self, transitions: &[usize]) -> Vec<(ConstraintLabel, i128)> {
        transitions.iter().map(|&transition| (self.flow(transition), 1)).collect()
    }

    fn inputs_in(&self, marks: &[bool]) -> Vec<(ConstraintLabel, i128)> {
        self.claim.inputs.iter().filter(|&&state| marks[state]).map(|&state| (self.input(state), 1)).collect()
    }

    /// The cases of an entry: the set is occupied at the start, or never entered, or entered by a first transition. In
    /// the last case, a part of the flow that does not touch the set enables this transition. If `backwards`, the cases
    /// of an exit: occupied at the end, never left, or left by a last transition.
    fn entry(&mut self, set: &[usize], backwards: bool) -> Vec<Vec<CaseCondition>> {
        let claim = Arc::clone(&self.claim);
        let marks = marked(set, claim.names.len());
        let transitions: Vec<MultisetTransition> = if backwards {
            claim.transitions.iter().map(MultisetTransition::reversed).collect()
        } else {
            claim.transitions.clone()
        };
        let linear = |terms, constant| CaseCondition::Linear(AtLeast { terms, constant });
        let start = |state: usize| -> Vec<(ConstraintLabel, i128)> {
            if backwards {
                vec![(self.count(state), 1)]
            } else if self.is_input(state) {
                vec![(self.input(state), 1)]
            } else {
                Vec::new()
            }
        };
        let there = set.iter().flat_map(|&state| start(state)).collect();
        let puts: Vec<usize> =
            (0..transitions.len()).filter(|&number| transitions[number].puts(&marks)).collect();
        let mut cases = vec![
            vec![linear(there, -1)],
            vec![linear(self.flows(&puts).into_iter().map(|(label, _)| (label, -1)).collect(), 0)],
        ];
        let mut at: Vec<Vec<(ConstraintLabel, i128)>> = vec![Vec::new(); claim.names.len()];
        for &state in &claim.occurring {
            at[state] = start(state);
        }
        let is_away =
            |number: &usize| !transitions[*number].puts(&marks) && !transitions[*number].takes(&marks);
        let away: Vec<usize> = (0..transitions.len()).filter(is_away).collect();
        for &number in &puts {
            if transitions[number].takes(&marks) {
                continue;
            }
            // Each case has its own numbers for the same fresh names.
            let fresh: Vec<ConstraintLabel> = away.iter().map(|_| self.fresh()).collect();
            let mut way: Vec<CaseCondition> =
                fresh.iter().map(|&label| CaseCondition::Fresh(label)).collect();
            let mut here = at.clone();
            for (&other, &label) in away.iter().zip(&fresh) {
                way.push(linear(vec![(self.flow(other), 1), (label, -1)], 0));
                for (state, change) in transitions[other].changes() {
                    here[state].push((label, i128::from(change)));
                }
            }
            for &state in &claim.occurring {
                way.push(linear(here[state].clone(), 0));
            }
            way.push(linear(vec![(self.flow(number), 1)], -1));
            let [first, second] = transitions[number].before;
            if first == second {
                way.push(linear(here[first].clone(), -2));
            } else {
                way.push(linear(here[first].clone(), -1));
                way.push(linear(here[second].clone(), -1));
            }
            cases.push(way);
        }
        let fault = if backwards { PlantedFault::ExitEnd } else { PlantedFault::EntryStart };
        if claim.has(fault) {
            cases.remove(0);
        }
        cases
    }

    /// The count of a state over the variables of certificates: whether it includes an input, and the factor of each
    /// transition.
    pub(crate) fn count_form(&self, state: usize) -> (bool, Vec<(usize, i64)>) {
        let flow = self.claim.transitions.iter().enumerate();
        let flow =
            flow.map(|(number, transition)| (number, transition.change(state))).filter(|term| term.1 != 0);
        (self.is_input(state), flow.collect())
    }
}

pub(crate) fn marked(set: &[usize], states: usize) -> Vec<bool> {
    let mut marks = vec![false; states];
    for &state in set {
        marks[state] = true;
    }
    marks
}

fn difference(left: &[usize], right: &[usize]) -> Vec<usize> {
    left.iter().copied().filter(|member| right.binary_search(member).is_err()).collect()
}

impl RunPart {
    /// The flow of the transitions that satisfy `wanted`.
    fn fires(&self, wanted: impl Fn(&MultisetTransition) -> bool) -> Vec<(ConstraintLabel, i128)> {
        self.flow.iter().filter(|(one, _)| wanted(one)).map(|(_, label)| (*label, 1)).collect()
    }
}

impl Constraints {
    fn part(&self, name: ConstraintLabel) -> &RunPart {
        self.parts.iter().find(|part| part.name == name).expect("a part in force")
    }

    /// The counts where a part of the run begins and ends at the current vertex, and the transitions that occur in it.
    /// `None` if a number exceeds 128 bits.
    pub(crate) fn part_vertex(
        &self,
        system: &SideSystem,
        part: &RunPart,
    ) -> Option<(Vertex, Vec<MultisetTransition>)> {
        let claim = &system.claim;
        let value = |terms: Vec<(ConstraintLabel, i128)>| {
            sum(terms.into_iter().map(|(label, factor)| (self.simplex.value(label), factor)), 0)
        };
        let zero = vec![(0, 1); claim.names.len()];
        let mut vertex = Vertex { inputs: zero.clone(), flow: Vec::new(), counts: zero };
        for &state in &claim.occurring {
            vertex.inputs[state] = value(system.part_start(part, state))?;
            vertex.counts[state] = value(system.part_end(part, state))?;
        }
        let firing = part.flow.iter().filter(|(_, label)| self.simplex.value(*label).0 > 0);
        Some((vertex, firing.map(|(one, _)| *one).collect()))
    }

    pub(crate) fn solve(&mut self, work: &mut ProofWork) -> Result<Solved, GaveUp> {
        self.simplex.solve(work)
    }

    /// Adds a condition, and records the constraints and variables that it introduces.
    pub(crate) fn push(
        &mut self,
        system: &mut SideSystem,
        condition: &CaseCondition,
        introduced: &mut Introduced,
    ) -> Result<(), GaveUp> {
        match condition {
            CaseCondition::Linear(at_least) => {
                let label = system.fresh();
                self.simplex.add_row(label, &at_least.terms, at_least.constant, 1)?;
                introduced.push(Introduction::Constraint(label));
                Ok(())
            }
            CaseCondition::Fresh(label) => {
                self.simplex.add_column(*label, 0, false);
                introduced.push(Introduction::Constraint(*label));
                Ok(())
            }
            CaseCondition::Formula(formula, counted) => {
                self.push_formula(system, formula, *counted, introduced)
            }
        }
    }

    fn push_formula(
        &mut self,
        system: &mut SideSystem,
        formula: &LinearFormula,
        counted: CountedAgents,
        introduced: &mut Introduced,
    ) -> Result<(), GaveUp> {
        match formula {
            LinearFormula::All(members) => {
                for member in members {
                    self.push_formula(system, member, counted, introduced)?;
                }
            }
            LinearFormula::Any(members) => {
                let of = members
                    .iter()
                    .map(|member| vec![CaseCondition::Formula(member.clone(), counted)])
                    .collect();
                self.push_disjunction(system, of, introduced);
            }
            LinearFormula::Compare(left, comparison, right) => {
                let (mut terms, constant) = self.side(system, left, counted, introduced)?;
                let (others, other) = self.side(system, right, counted, introduced)?;
                terms.extend(others.into_iter().map(|(label, factor)| (label, -factor)));
                let constant = constant - other;
                let opposite: Vec<(ConstraintLabel, i128)> =
                    terms.iter().map(|&(label, factor)| (label, -factor)).collect();
                let strict = if system.claim.has(PlantedFault::StrictTwice) { 2 } else { 1 };
                let greater = |constant| CaseCondition::Linear(AtLeast { terms: terms.clone(), constant });
                let less = |constant| CaseCondition::Linear(AtLeast { terms: opposite.clone(), constant });
                let wanted = match comparison {
                    Comparison::GreaterOrEqual => vec![greater(constant)],
                    Comparison::Greater => vec![greater(constant - strict)],
                    Comparison::LessOrEqual => vec![less(-constant)],
                    Comparison::Less => vec![less(-constant - strict)],
                    Comparison::Equal => vec![greater(constant), less(-constant)],
                    Comparison::NotEqual => {
                        let of = vec![vec![greater(constant - 1)], vec![less(-constant - 1)]];
                        self.push_disjunction(system, of, introduced);
                        Vec::new()
                    }
                };
                for condition in &wanted {
                    self.push(system, condition, introduced)?;
                }
                if *comparison == Comparison::Equal
                    && let [.., one, other] = introduced.as_slice()
                {
                    self.simplex.declare_opposite(one.label(), other.label());
                }
            }
        }
        Ok(())
    }

    /// The sum of a side over labels. A remainder introduces a quotient and two constraints.
    fn side(
        &mut self,
        system: &mut SideSystem,
        side: &LinearSide,
        counted: CountedAgents,
        introduced: &mut Introduced,
    ) -> Result<(Vec<(ConstraintLabel, i128)>, i128), GaveUp> {
        let of = |(&state, &factor): (&usize, &i128)| match counted {
            CountedAgents::Inputs => system.is_input(state).then(|| (system.input(state), factor)),
            CountedAgents::Configuration => system.occurs(state).then(|| (system.count(state), factor)),
        };
        let mut terms: Vec<(ConstraintLabel, i128)> = side.factors.iter().filter_map(of).collect();
        if let Some(modulus) = side.modulus {
            let modulus = i128::from(modulus);
            let quotient = system.fresh();
            self.simplex.add_column(quotient, 0, true);
            introduced.push(Introduction::Quotient(quotient));
            if system.claim.has(PlantedFault::NaturalQuotient) {
                let natural = AtLeast { terms: vec![(quotient, 1)], constant: 0 };
                self.push(system, &CaseCondition::Linear(natural), introduced)?;
            }
            terms.push((quotient, -modulus));
            let least = AtLeast { terms: terms.clone(), constant: side.constant };
            let opposite = terms.iter().map(|&(label, factor)| (label, -factor)).collect();
            let most = AtLeast { terms: opposite, constant: modulus - 1 - side.constant };
            self.push(system, &CaseCondition::Linear(least), introduced)?;
            self.push(system, &CaseCondition::Linear(most), introduced)?;
        }
        Ok((terms, side.constant))
    }

    pub(crate) fn push_disjunction(
        &mut self,
        system: &mut SideSystem,
        of: Vec<Vec<CaseCondition>>,
        introduced: &mut Introduced,
    ) -> ConstraintLabel {
        let label = system.fresh();
        self.disjunctions.push(Arc::new(Alternatives { label, of }));
        introduced.push(Introduction::Disjunction(label));
        label
    }

    /// Adds a cut as the constraint with this label.
    pub(crate) fn push_cut(&mut self, label: ConstraintLabel, cut: &ModularCut) -> Result<(), GaveUp> {
        self.simplex.add_row(label, &cut.factors, -cut.rounded, cut.modulus)
    }

    pub(crate) fn vertex(&self, system: &SideSystem) -> Vertex {
        let claim = &system.claim;
        let mut vertex = Vertex {
            inputs: vec![(0, 1); claim.names.len()],
            flow: (0..claim.transitions.len())
                .map(|number| self.simplex.value(system.flow(number)))
                .collect(),
            counts: vec![(0, 1); claim.names.len()],
        };
        for &state in &claim.inputs {
            vertex.inputs[state] = self.simplex.value(system.input(state));
        }
        for &state in &claim.occurring {
            vertex.counts[state] = self.simplex.value(system.count(state));
        }
        vertex
    }

    /// Whether the current vertex satisfies a condition. A condition on a remainder counts as violated if the value is
    /// a fraction.
    pub(crate) fn satisfies(&self, condition: &CaseCondition, vertex: &Vertex) -> bool {
        match condition {
            CaseCondition::Linear(at_least) => {
                let terms = at_least.terms.iter().map(|&(label, factor)| (self.simplex.value(label), factor));
                sum(terms, at_least.constant).is_some_and(|(value, _)| value >= 0)
            }
            CaseCondition::Fresh(_) => true,
            CaseCondition::Formula(formula, CountedAgents::Inputs) => satisfies(formula, &vertex.inputs),
            CaseCondition::Formula(formula, CountedAgents::Configuration) => {
                satisfies(formula, &vertex.counts)
            }
        }
    }
}

fn satisfies(formula: &LinearFormula, values: &[Fraction]) -> bool {
    match formula {
        LinearFormula::All(members) => members.iter().all(|member| satisfies(member, values)),
        LinearFormula::Any(members) => members.iter().any(|member| satisfies(member, values)),
        LinearFormula::Compare(left, comparison, right) => {
            let (Some(left), Some(right)) = (side_value(left, values), side_value(right, values)) else {
                return false;
            };
            let difference = sum([(left, 1), (right, -1)].into_iter(), 0);
            difference.is_some_and(|(value, divisor)| {
                // Strict comparisons of whole forms leave a gap of 1.
                match comparison {
                    Comparison::Greater => value >= divisor,
                    Comparison::Less => value <= -divisor,
                    Comparison::NotEqual => value.abs() >= divisor,
                    other => other.accepts(value.cmp(&0)),
                }
            })
        }
    }
}

fn side_value(side: &LinearSide, values: &[Fraction]) -> Option<Fraction> {
    let (value, divisor) =
        sum(side.factors.iter().map(|(&state, &factor)| (values[state], factor)), side.constant)?;
    let Some(modulus) = side.modulus else { return Some((value, divisor)) };
    (value % divisor == 0).then(|| ((value / divisor).rem_euclid(i128::from(modulus)), 1))
}

fn sum(terms: impl Iterator<Item = (Fraction, i128)>, constant: i128) -> Option<Fraction> {
    let (mut value, mut divisor) = (constant, 1_i128);
    for ((numerator, denominator), factor) in terms {
        let common = crate::simplex::gcd(divisor, denominator);
        let scale = denominator / common;
        let term = numerator.checked_mul(factor)?.checked_mul(divisor / common)?;
        value = value.checked_mul(scale)?.checked_add(term)?;
        divisor = divisor.checked_mul(scale)?;
    }
    Some((value, divisor))
}
