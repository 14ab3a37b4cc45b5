//! The search for a proof that a system has no whole solution, or for a candidate that satisfies it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acrasin_protocols::predicate::MAX_COUNT;

use crate::constraints::{Constraints, Fraction, SideSystem, Vertex, marked};
use crate::exploration::{InputExploration, WrongEnd, explore, occupied_before, realise, simulate};
use crate::fault::PlantedFault;
use crate::format::CertificateFormat;
use crate::proof::{Distinction, Introduced, Refutation, RunPartName, SplitForm};
use crate::simplex::{ConstraintLabel, ModularCut, Solved};
use crate::system::{MultisetTransition, SizedClaim};
use crate::work::{GaveUp, ProofWork, ReachedLimit};

/// The maximum number of sets of entry and exit lemmas per side.
const ENTRIES: usize = 12;

/// The maximum number of distinctions that are compared at a vertex, by the number of cases that stay open.
const LOOK_AHEAD: usize = 10;

/// The largest number of states for which siphons and traps of all transitions are reduced to minimal ones.
const SHRUNK: usize = 120;

/// The maximum number of cuts on a branch before its first distinction with several open cases.
const EARLY_CUTS: u32 = 6;

/// The maximum number of cuts on a branch; [`SPLITS`] is the maximum number of splits.
const CUTS: u32 = 48;
const SPLITS: u32 = 40;

/// The maximum number of configurations explored from one candidate.
const EXPLORED: usize = 60_000;

/// The maximum number of configurations explored from all candidates of a side.
const EXPLORED_IN_ALL: usize = 3_000_000;

/// The maximum number of steps for ordering the flow of a candidate into a run.
const REALISED: usize = 20_000;

/// The maximum number of agents of a candidate that is explored.
const EXPLORED_AGENTS: u64 = 40;

/// The maximum number of agents of a candidate, and of interactions of its flow: predicates take counts up to this
/// number without overflow.
const AGENTS: i128 = MAX_COUNT as i128;

/// A solution in whole numbers. It may be a wrong end that an input reaches, or a spurious solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WholePoint {
    pub(crate) input: Vec<u64>,
    pub(crate) end: Vec<u64>,
}

/// The answer to the query whether the constraints have a solution in whole numbers.
#[derive(Debug)]
pub(crate) enum CaseAnswer {
    Impossible(Arc<Refutation>, BTreeSet<ConstraintLabel>),
    Possible(WholePoint),
    /// An input that reaches a wrong end.
    WrongInput(Box<WrongEnd>),
    Unknown(GaveUp),
}

/// The state of the search on one side.
pub(crate) struct SideSearch<'w> {
    pub(crate) system: SideSystem,
    pub(crate) work: &'w mut ProofWork,
    /// Siphons (`false`) and traps (`true`) that were useful in earlier queries of the side. They are tried at other
    /// nodes.
    lemmas: Vec<(bool, Vec<usize>)>,
    entries: BTreeSet<(Vec<usize>, bool)>,
    explored: BTreeMap<Vec<u64>, KnownInput>,
    configurations: usize,
    simulated: BTreeSet<Vec<u64>>,
    /// Whether candidates are explored for wrong ends.
    is_refuting: bool,
    format: CertificateFormat,
}

#[derive(Clone, Debug)]
enum KnownInput {
    /// The input reaches no wrong end. Holds for each state whether it is ever occupied.
    Right(Vec<bool>),
    TooLarge,
}

/// A case of a distinction, with its system after solving.
struct OpenedCase {
    introduced: Introduced,
    constraints: Constraints,
    solved: Solved,
}

impl<'w> SideSearch<'w> {
    pub(crate) fn new(system: SideSystem, work: &'w mut ProofWork, format: CertificateFormat) -> Self {
        Self {
            system,
            work,
            lemmas: Vec::new(),
            entries: BTreeSet::new(),
            explored: BTreeMap::new(),
            configurations: 0,
            simulated: BTreeSet::new(),
            is_refuting: true,
            format,
        }
    }

    /// Turns off the exploration of candidates, for a claim that is known to hold.
    pub(crate) fn of_proved(self) -> Self {
        Self { is_refuting: false, ..self }
    }

    /// Refutes the constraints, or finds a candidate, with at most `limit` pivots.
    pub(crate) fn query(&mut self, constraints: Constraints, limit: u64) -> CaseAnswer {
        self.work.begin_query(limit);
        self.refute(constraints).unwrap_or_else(|why| {
            self.work.reached.insert(why);
            CaseAnswer::Unknown(why)
        })
    }

    fn refute(&mut self, mut constraints: Constraints) -> Result<CaseAnswer, GaveUp> {
        if let Solved::Infeasible(factors) = constraints.solve(self.work)? {
            return Ok(impossible(Refutation::Farkas(factors)));
        }
        self.refute_solved(constraints)
    }

    fn refute_solved(&mut self, constraints: Constraints) -> Result<CaseAnswer, GaveUp> {
        self.work.check()?;
        let vertex = constraints.vertex(&self.system);
        let is_whole = constraints.simplex.free_values().all(|(_, value)| value.1 == 1);
        let point = if is_whole { whole(&vertex)? } else { None };
        if point.is_none() {
            // A cut that only constraints which stay 0 support ends the case at once.
            let cuts = constraints.simplex.cuts(1);
            if cuts
                .iter()
                .any(|cut| cut.factors.iter().all(|(label, _)| constraints.simplex.stays_zero(*label)))
            {
                return self.cut(constraints, cuts);
            }
        }
        let broken = self.broken(&constraints, &vertex);
        if !broken.is_empty() {
            let mut best: Option<(usize, Distinction, Vec<OpenedCase>)> = None;
            for distinction in broken.into_iter().take(LOOK_AHEAD) {
                let most = best.as_ref().map_or(usize::MAX, |(open, ..)| *open);
                let Some((open, cases)) = self.open(&constraints, &distinction, most)? else { continue };
                best = Some((open, distinction, cases));
                if open <= 1 {
                    break;
                }
            }
            let (open, distinction, cases) = best.expect("the first distinction has no competitor");
            if open > 1 && point.is_none() && constraints.cuts < EARLY_CUTS {
                let cuts = constraints.simplex.cuts(2);
                if !cuts.is_empty() {
                    return self.cut(constraints, cuts);
                }
            }
            return self.decide(distinction, cases);
        }
        if let Some(point) = point {
            return self.judge(&constraints, &vertex, point);
        }
        self.cut_or_split(constraints, &vertex)
    }

    /// Solves the system of each case, and returns the number of open cases with the solved cases. `None` if `most` or
    /// more cases stay open.
    fn open(
        &mut self,
        constraints: &Constraints,
        distinction: &Distinction,
        most: usize,
    ) -> Result<Option<(usize, Vec<OpenedCase>)>, GaveUp> {
        let alternatives = self.system.alternatives(constraints, distinction);
        let mut open = 0;
        let mut cases = Vec::with_capacity(alternatives.len());
        for alternative in &alternatives {
            let mut of_case = constraints.clone();
            let mut introduced = Vec::new();
            for condition in alternative {
                of_case.push(&mut self.system, condition, &mut introduced)?;
            }
            if let Distinction::Entry { set, name } | Distinction::Exit { set, name } = distinction {
                let backwards = matches!(distinction, Distinction::Exit { .. });
                of_case.entered.push((set.clone(), backwards));
                let part = self.system.part_of_case((set, *name, backwards), alternative);
                of_case.parts.extend(part.map(Arc::new));
            }
            let solved = of_case.solve(self.work)?;
            open += usize::from(solved == Solved::Feasible);
            if open >= most {
                return Ok(None);
            }
            cases.push(OpenedCase { introduced, constraints: of_case, solved });
        }
        Ok(Some((open, cases)))
    }

    /// Refutes the cases one by one. If the refutation of a case does not use the case's own facts, it refutes all
    /// cases.
    fn decide(&mut self, distinction: Distinction, cases: Vec<OpenedCase>) -> Result<CaseAnswer, GaveUp> {
        let mut used = BTreeSet::new();
        let mut of: Vec<(Introduced, Option<Arc<Refutation>>)> = Vec::with_capacity(cases.len());
        let mut open = Vec::new();
        for (index, case) in cases.into_iter().enumerate() {
            match case.solved {
                Solved::Infeasible(factors) => {
                    let labels: BTreeSet<ConstraintLabel> = factors.iter().map(|(label, _)| *label).collect();
                    let proof = Arc::new(Refutation::Farkas(factors));
                    if !depends(&labels, &case.introduced) {
                        return Ok(CaseAnswer::Impossible(proof, labels));
                    }
                    used.extend(without(labels, &case.introduced));
                    of.push((case.introduced, Some(proof)));
                }
                Solved::Feasible => {
                    of.push((case.introduced, None));
                    open.push((index, case.constraints));
                }
            }
        }
        if let Distinction::Siphon(set) = &distinction {
            self.remember(false, set);
        } else if let Distinction::Trap(set) = &distinction {
            self.remember(true, set);
        }
        for (index, constraints) in open {
            match self.refute_solved(constraints)? {
                CaseAnswer::Impossible(proof, labels) => {
                    let introduced = &of[index].0;
                    if !depends(&labels, introduced) {
                        return Ok(CaseAnswer::Impossible(proof, labels));
                    }
                    used.extend(without(labels, introduced));
                    of[index].1 = Some(proof);
                }
                other => return Ok(other),
            }
        }
        match &distinction {
            Distinction::Either(label) | Distinction::Split { form: SplitForm::Quotient(label), .. } => {
                used.insert(*label);
            }
            Distinction::PartSiphon { part, .. } | Distinction::PartTrap { part, .. } => {
                used.insert(part.first);
            }
            _ => {}
        }
        let of = of.into_iter().map(|(introduced, proof)| (introduced, proof.expect("each case is refuted")));
        let proof = Refutation::Cases { distinction, of: of.collect() };
        Ok(CaseAnswer::Impossible(Arc::new(proof), used))
    }

    fn remember(&mut self, is_trap: bool, set: &[usize]) {
        if !self.lemmas.iter().any(|(kind, known)| *kind == is_trap && known == set) {
            self.lemmas.push((is_trap, set.to_vec()));
        }
    }

    /// The distinctions all of whose cases the vertex violates, sorted by their number of cases.
    fn broken(&mut self, constraints: &Constraints, vertex: &Vertex) -> Vec<Distinction> {
        let mut found: Vec<(usize, Distinction)> = Vec::new();
        for known in &constraints.disjunctions {
            let holds = |conditions: &Vec<_>| conditions.iter().all(|one| constraints.satisfies(one, vertex));
            if !known.of.iter().any(holds) {
                found.push((known.of.len().max(1), Distinction::Either(known.label)));
            }
        }
        // Stable: among equals the order in which the disjunctions came into force.
        found.sort_by_key(|(cases, _)| *cases);
        let firing: Vec<MultisetTransition> = (self.system.claim.transitions.iter().zip(&vertex.flow))
            .filter(|(_, flow)| flow.0 > 0)
            .map(|(transition, _)| *transition)
            .collect();
        let mut lemmas: Vec<Distinction> = Vec::new();
        for (is_trap, set) in &self.lemmas {
            if is_broken(&self.system.claim, &firing, vertex, set, *is_trap) {
                lemmas.push(if *is_trap {
                    Distinction::Trap(set.clone())
                } else {
                    Distinction::Siphon(set.clone())
                });
            }
        }
        if lemmas.is_empty() {
            let claim = &self.system.claim;
            // Sets that no transition at all leaves or enters have one case less that can stay open.
            let all = &claim.transitions;
            lemmas.extend(smallest(claim, all, &firing, vertex, true).map(Distinction::Trap));
            lemmas.extend(smallest(claim, all, &firing, vertex, false).map(Distinction::Siphon));
            lemmas.extend(smallest(claim, &firing, &firing, vertex, false).map(Distinction::Siphon));
            lemmas.extend(smallest(claim, &firing, &firing, vertex, true).map(Distinction::Trap));
            lemmas.dedup();
        }
        if self.format == CertificateFormat::PartsOfRuns && lemmas.is_empty() {
            lemmas.extend(self.of_parts(constraints));
        }
        lemmas.truncate(4);
        let few = found.iter().take_while(|(cases, _)| *cases <= 1).count();
        let rest = found.split_off(few);
        let mut all: Vec<Distinction> = found.into_iter().map(|(_, one)| one).collect();
        let (small, large): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(cases, _)| *cases <= 3);
        let mut small = small.into_iter().map(|(_, one)| one);
        all.extend(small.by_ref().take(2));
        all.extend(lemmas);
        all.extend(large.into_iter().map(|(_, one)| one).take(2));
        all.extend(small);
        all
    }

    /// Traps and siphons of parts of the run whose lemmas the vertex violates.
    fn of_parts(&self, constraints: &Constraints) -> Vec<Distinction> {
        let claim = &self.system.claim;
        let mut found = Vec::new();
        for part in &constraints.parts {
            let Some((vertex, firing)) = constraints.part_vertex(&self.system, part) else { continue };
            let all: Vec<MultisetTransition> = part.flow.iter().map(|(one, _)| *one).collect();
            let part = RunPartName { name: part.name, first: part.flow[0].1 };
            for closed in [&all, &firing] {
                let smallest = |is_trap| smallest(claim, closed, &firing, &vertex, is_trap);
                found.extend(smallest(true).map(|set| Distinction::PartTrap { set, part }));
                found.extend(smallest(false).map(|set| Distinction::PartSiphon { set, part }));
            }
        }
        found
    }

    fn cut_or_split(&mut self, mut constraints: Constraints, vertex: &Vertex) -> Result<CaseAnswer, GaveUp> {
        if constraints.cuts < CUTS.min(12 + 4 * constraints.splits) {
            let cuts = constraints.simplex.cuts(3);
            if !cuts.is_empty() {
                return self.cut(constraints, cuts);
            }
        }
        if constraints.splits >= SPLITS {
            return Err(GaveUp::Limit(ReachedLimit::Splits));
        }
        constraints.splits += 1;
        let claim = Arc::clone(&self.system.claim);
        let floor = |value: Fraction| value.0.div_euclid(value.1);
        let is_broken = |value: &Fraction| value.1 != 1;
        let counted = claim.occurring.iter().find(|&&state| is_broken(&vertex.counts[state]));
        let (form, bound) = if let Some(&state) = counted {
            (SplitForm::Count(state), floor(vertex.counts[state]))
        } else if let Some((label, value)) = self.fractional_quotient(&constraints) {
            (SplitForm::Quotient(label), floor(value))
        } else if let Some(&state) = claim.inputs.iter().find(|&&state| is_broken(&vertex.inputs[state])) {
            (SplitForm::Input(state), floor(vertex.inputs[state]))
        } else {
            let number = vertex.flow.iter().position(is_broken).expect("a fraction is left");
            (SplitForm::Flow(number), floor(vertex.flow[number]))
        };
        let distinction = Distinction::Split { form, bound };
        let (_, cases) = self.open(&constraints, &distinction, usize::MAX)?.expect("no limit");
        self.decide(distinction, cases)
    }

    /// Adds cuts and continues. The refutation leaves out cuts that it does not use.
    fn cut(&mut self, mut constraints: Constraints, cuts: Vec<ModularCut>) -> Result<CaseAnswer, GaveUp> {
        let mut added = Vec::new();
        for mut cut in cuts {
            if self.system.claim.has(PlantedFault::LoweredCut) {
                cut.rounded += cut.modulus;
            }
            let label = self.system.fresh();
            constraints.push_cut(label, &cut)?;
            constraints.cuts += 1;
            added.push((label, cut));
        }
        Ok(match self.refute(constraints)? {
            CaseAnswer::Impossible(mut proof, mut used) => {
                for (label, cut) in added.into_iter().rev() {
                    if used.remove(&label) {
                        used.extend(cut.factors.iter().map(|(label, _)| *label));
                        let (factors, modulus) = (cut.factors, cut.modulus);
                        proof = Arc::new(Refutation::Cut { factors, modulus, label, then: proof });
                    }
                }
                CaseAnswer::Impossible(proof, used)
            }
            other => other,
        })
    }

    fn fractional_quotient(&self, constraints: &Constraints) -> Option<(ConstraintLabel, Fraction)> {
        let mut quotients = constraints.simplex.free_values();
        quotients.find(|(_, value)| value.1 != 1)
    }

    /// A wrong end that one of a few simulated runs of an input reaches; each input is simulated only once.
    fn simulated(&mut self, input: &[u64]) -> Option<Box<WrongEnd>> {
        self.simulated
            .insert(input.to_vec())
            .then(|| simulate(&self.system.claim, input, self.work.stop()))
            .flatten()
    }

    /// Explores a whole solution forwards from its input and backwards from its end. An input with a wrong end refutes
    /// the claim. A solution whose end cannot be reached may violate an entry or exit lemma.
    fn judge(
        &mut self,
        constraints: &Constraints,
        vertex: &Vertex,
        point: WholePoint,
    ) -> Result<CaseAnswer, GaveUp> {
        if !self.is_refuting {
            return Ok(CaseAnswer::Possible(point));
        }
        let agents: u64 = point.input.iter().sum();
        let claim = Arc::clone(&self.system.claim);
        let flow: Vec<u64> = vertex.flow.iter().map(|value| value.0 as u64).collect();
        if agents > EXPLORED_AGENTS || self.configurations > EXPLORED_IN_ALL {
            let end = realise(&claim, &point.input, &flow, REALISED, self.work.stop())
                .or_else(|| self.simulated(&point.input));
            if end.is_none() {
                self.work.reach(ReachedLimit::Candidates);
            }
            return Ok(end.map_or(CaseAnswer::Possible(point), CaseAnswer::WrongInput));
        }
        if !self.explored.contains_key(&point.input) {
            let result = explore(&claim, &point.input, EXPLORED, self.work.stop());
            let known = match result {
                InputExploration::Wrong(end) => return Ok(CaseAnswer::WrongInput(end)),
                InputExploration::Right { occupied, configurations } => {
                    self.configurations += configurations;
                    KnownInput::Right(occupied)
                }
                InputExploration::TooLarge => {
                    self.configurations += EXPLORED;
                    KnownInput::TooLarge
                }
            };
            self.explored.insert(point.input.clone(), known);
        }
        if matches!(self.explored.get(&point.input), Some(KnownInput::TooLarge)) {
            self.work.reach(ReachedLimit::Candidates);
        }
        let firing =
            || claim.transitions.iter().zip(&vertex.flow).filter(|(_, flow)| flow.0 > 0).map(|(t, _)| t);
        let mut entered: Vec<(Vec<usize>, bool)> = Vec::new();
        if let Some(KnownInput::Right(occupied)) = self.explored.get(&point.input) {
            let set: BTreeSet<usize> =
                firing().flat_map(|transition| transition.after).filter(|&state| !occupied[state]).collect();
            entered.push((set.into_iter().collect(), false));
        }
        if let Some(occupied) = occupied_before(&claim, &point.end, EXPLORED / 4, self.work.stop()) {
            let set: BTreeSet<usize> =
                firing().flat_map(|transition| transition.before).filter(|&state| !occupied[state]).collect();
            entered.push((set.into_iter().collect(), true));
        }
        for lemma in entered {
            if lemma.0.is_empty() || constraints.entered.contains(&lemma) {
                continue;
            }
            if self.entries.len() >= ENTRIES && !self.entries.contains(&lemma) {
                self.work.reach(ReachedLimit::Lemmas);
                continue;
            }
            self.entries.insert(lemma.clone());
            let (set, backwards) = lemma;
            let name = self.system.fresh();
            let distinction =
                if backwards { Distinction::Exit { set, name } } else { Distinction::Entry { set, name } };
            let (_, cases) = self.open(constraints, &distinction, usize::MAX)?.expect("no limit");
            return self.decide(distinction, cases);
        }
        Ok(CaseAnswer::Possible(point))
    }
}

fn impossible(proof: Refutation) -> CaseAnswer {
    let used = proof.used();
    CaseAnswer::Impossible(Arc::new(proof), used)
}

fn depends(used: &BTreeSet<ConstraintLabel>, introduced: &Introduced) -> bool {
    introduced.iter().any(|one| used.contains(&one.label()))
}

fn without(mut used: BTreeSet<ConstraintLabel>, introduced: &Introduced) -> BTreeSet<ConstraintLabel> {
    for one in introduced {
        used.remove(&one.label());
    }
    used
}

/// The vertex as a candidate, if all its values are whole. Fails for more than [`AGENTS`] agents or interactions.
fn whole(vertex: &Vertex) -> Result<Option<WholePoint>, GaveUp> {
    let is_whole = |values: &[Fraction]| values.iter().all(|value| value.1 == 1);
    if !is_whole(&vertex.inputs) || !is_whole(&vertex.counts) || !is_whole(&vertex.flow) {
        return Ok(None);
    }
    // Checked one by one first, so that the sums do not overflow.
    let is_large = |values: &[Fraction]| {
        values.iter().any(|value| value.0 > AGENTS)
            || values.iter().map(|value| value.0).sum::<i128>() > AGENTS
    };
    if is_large(&vertex.inputs) || is_large(&vertex.flow) {
        return Err(GaveUp::Limit(ReachedLimit::Candidates));
    }
    let numbers = |values: &[Fraction]| values.iter().map(|value| value.0 as u64).collect();
    Ok(Some(WholePoint { input: numbers(&vertex.inputs), end: numbers(&vertex.counts) }))
}

/// Whether a set is a siphon or trap of the transitions that fire, and the vertex violates the lemma of this set.
fn is_broken(
    claim: &SizedClaim,
    firing: &[MultisetTransition],
    vertex: &Vertex,
    set: &[usize],
    is_trap: bool,
) -> bool {
    let marks = marked(set, claim.names.len());
    let empty = if is_trap { &vertex.counts } else { &vertex.inputs };
    if set.iter().any(|&state| empty[state].0 > 0) {
        return false;
    }
    let keeps = |transition: &MultisetTransition| {
        let (from, to) = if is_trap {
            (transition.takes(&marks), transition.puts(&marks))
        } else {
            (transition.puts(&marks), transition.takes(&marks))
        };
        !from || to
    };
    firing.iter().all(keeps) && is_touched(firing, vertex, &marks, is_trap)
}

fn is_touched(firing: &[MultisetTransition], vertex: &Vertex, marks: &[bool], is_trap: bool) -> bool {
    if is_trap {
        firing.iter().any(|transition| transition.puts(marks))
            || marks.iter().zip(&vertex.inputs).any(|(mark, value)| *mark && value.0 > 0)
    } else {
        firing.iter().any(|transition| transition.takes(marks))
    }
}

/// The largest siphon or trap within the marked states.
fn largest(firing: &[MultisetTransition], marks: &mut [bool], is_trap: bool) {
    loop {
        let mut changed = false;
        for transition in firing {
            let (from, to) = if is_trap {
                (transition.before, transition.puts(marks))
            } else {
                (transition.after, transition.takes(marks))
            };
            if !to {
                for state in from {
                    changed |= std::mem::replace(&mut marks[state], false);
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// A minimal siphon or trap whose lemma the vertex violates: no state can be left out. It is a siphon or trap under the
/// transitions `closed`.
fn smallest(
    claim: &SizedClaim,
    closed: &[MultisetTransition],
    firing: &[MultisetTransition],
    vertex: &Vertex,
    is_trap: bool,
) -> Option<Vec<usize>> {
    let empty = if is_trap { &vertex.counts } else { &vertex.inputs };
    let mut marks = vec![false; claim.names.len()];
    for &state in &claim.occurring {
        marks[state] = empty[state].0 == 0;
    }
    largest(closed, &mut marks, is_trap);
    if !is_touched(firing, vertex, &marks, is_trap) {
        return None;
    }
    let shrinks = closed.len() <= firing.len() || claim.occurring.len() <= SHRUNK;
    for &state in claim.occurring.iter().filter(|_| shrinks) {
        if marks[state] {
            let mut fewer = marks.clone();
            fewer[state] = false;
            largest(closed, &mut fewer, is_trap);
            if is_touched(firing, vertex, &fewer, is_trap) {
                marks = fewer;
            }
        }
    }
    Some((0..marks.len()).filter(|&state| marks[state]).collect())
}
