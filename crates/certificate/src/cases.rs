//! Complete distinctions of cases.
//!
//! Section 4 of the method: facts about firing sequences that do not follow from the flow equations. Each fact is a
//! disjunction that holds for every run from an input to a configuration of the bottom component.

use std::rc::Rc;

use crate::error::CertificateFault;
use crate::format::CaseDistinction;
use crate::net::{ClaimNet, NetTransition, times};
use crate::system::{CaseFact, ConstraintSystem, Disjunction, LinearForm, PartialRun, SystemFault};

/// The cases of a distinction. The cases of an entry are created one by one, because each copies all constraints up to
/// the entry.
pub(crate) enum Cases<'c> {
    Listed(Disjunction<'c>),
    Passage(Box<Passage>),
}

/// The first entry into a set of states, or the last exit from it.
pub(crate) struct Passage {
    set: Vec<bool>,
    /// Whether this is the last exit. If so, the run is read backwards, from the end, with each transition reversed.
    pub(crate) is_exit: bool,
    /// The transitions that put an agent into the set, in the direction in which the run is read.
    entering: Vec<u32>,
    /// The transitions of `entering` that take no agent from the set, so that they can occur while it is empty.
    first: Vec<u32>,
    /// The transitions that do not touch the set.
    free: Rc<[u32]>,
}

impl<'c> Cases<'c> {
    /// Returns the cases of a distinction, whose JSON begins at byte `at`. Fails if the distinction names a
    /// disjunction, variable or state that does not exist here.
    pub(crate) fn of(
        system: &ConstraintSystem<'c>,
        distinction: &CaseDistinction,
        at: u32,
    ) -> Result<Self, CertificateFault> {
        let net = system.net;
        let cases = match distinction {
            CaseDistinction::Either(number) => {
                return system.disjunction(*number).map(|cases| Self::Listed(Rc::clone(cases))).ok_or_else(
                    || {
                        let count = system.disjunction_count();
                        CertificateFault::new(
                            at,
                            format!(
                                "there is no disjunction {number}: {count} are in force here, numbered from 0"
                            ),
                        )
                    },
                );
            }
            CaseDistinction::Split { form, bound } => {
                let mut terms = Vec::new();
                for (name, factor) in form {
                    let Some(variable) = system.named(*name) else {
                        return Err(CertificateFault::new(at, format!("there is no variable {name:?} here")));
                    };
                    terms.push((variable, *factor));
                }
                let range = || CertificateFault::new(at, SystemFault::Range.reason());
                let opposite = terms.iter().map(|&(variable, factor)| (variable, -factor)).collect();
                let at_most = LinearForm::collected(opposite, *bound).ok_or_else(range)?;
                let at_least = LinearForm::collected(terms, -*bound - 1).ok_or_else(range)?;
                vec![vec![CaseFact::AtLeastZero(at_most)], vec![CaseFact::AtLeastZero(at_least)]]
            }
            CaseDistinction::Siphon(states) => siphon(system, &set_of(net, states, at)?),
            CaseDistinction::Trap(states) => trap(system, &set_of(net, states, at)?),
            CaseDistinction::PartSiphon { set, of } => {
                part_siphon(system, part(system, *of, at)?, &set_of(net, set, at)?)
            }
            CaseDistinction::PartTrap { set, of } => {
                part_trap(system, part(system, *of, at)?, &set_of(net, set, at)?)
            }
            CaseDistinction::Entry(states) => {
                return Ok(Self::Passage(Box::new(Passage::new(net, set_of(net, states, at)?, false))));
            }
            CaseDistinction::Exit(states) => {
                return Ok(Self::Passage(Box::new(Passage::new(net, set_of(net, states, at)?, true))));
            }
        };
        Ok(Self::Listed(cases.into()))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Listed(cases) => cases.len(),
            // Occupied from the start, never entered, or entered first by one of these.
            Self::Passage(passage) => 2 + passage.first.len(),
        }
    }

    /// Adds the facts of a case to the system.
    pub(crate) fn assume(&self, system: &mut ConstraintSystem<'c>, case: usize) -> Result<(), SystemFault> {
        match self {
            Self::Listed(cases) => cases[case].iter().try_for_each(|fact| system.add(fact)),
            Self::Passage(passage) => passage.assume(system, case),
        }
    }
}

/// The part of a run whose distinction has this number.
fn part<'s>(system: &'s ConstraintSystem<'_>, of: u32, at: u32) -> Result<&'s PartialRun, CertificateFault> {
    let fault = || CertificateFault::new(at, format!("there is no entry or exit {of} here"));
    system.part(of).ok_or_else(fault)
}

fn set_of(net: &ClaimNet, states: &[u16], at: u32) -> Result<Vec<bool>, CertificateFault> {
    match states.iter().find(|state| net.occurring.binary_search(state).is_err()) {
        Some(state) => {
            Err(CertificateFault::new(at, format!("the state {state} cannot occur, or does not exist")))
        }
        None => Ok(net.set(states.iter().copied())),
    }
}

fn numbers<'n>(
    net: &'n ClaimNet,
    wanted: impl Fn(&NetTransition) -> bool + 'n,
) -> impl Iterator<Item = u32> + 'n {
    (0..).zip(&net.transitions).filter(move |(_, transition)| wanted(transition)).map(|(number, _)| number)
}

fn members(set: &[bool]) -> impl Iterator<Item = u16> + '_ {
    (0..).zip(set).filter(|(_, is_member)| **is_member).map(|(state, _)| state)
}

/// The case in which at least one of the transitions fires.
fn fires<'c>(system: &ConstraintSystem<'_>, transitions: impl Iterator<Item = u32>) -> Vec<CaseFact<'c>> {
    let terms = transitions.map(|number| (system.fired(number), 1)).collect();
    vec![CaseFact::AtLeastZero(LinearForm { terms, constant: -1 })]
}

/// The variables for the agents that start in the set, one per input state, each with this factor.
fn starts<'s>(
    system: &'s ConstraintSystem<'_>,
    set: &'s [bool],
    factor: i128,
) -> impl Iterator<Item = (u32, i128)> + 's {
    members(set).filter_map(|state| system.input(state)).map(move |variable| (variable, factor))
}

/// Collects terms whose factors are too small to overflow.
fn small(terms: Vec<(u32, i128)>, constant: i128) -> LinearForm {
    LinearForm::collected(terms, constant).expect("factors are at most the number of transitions")
}

/// The cases of a siphon: a transition enters the set from outside, or the set is occupied at the start, or no
/// transition takes an agent from it. They are complete: without the first two the set is always empty.
fn siphon<'c>(system: &ConstraintSystem<'c>, set: &[bool]) -> Vec<Vec<CaseFact<'c>>> {
    let net = system.net;
    let enter = numbers(net, |transition| transition.puts_into(set) && !transition.takes_from(set));
    let taking = numbers(net, |transition| transition.takes_from(set));
    let none = taking.map(|number| (system.fired(number), -1)).collect();
    vec![
        fires(system, enter),
        vec![CaseFact::AtLeastZero(small(starts(system, set, 1).collect(), -1))],
        vec![CaseFact::AtLeastZero(small(none, 0))],
    ]
}

/// The cases of a trap: a transition leaves the set, or the set is occupied at the end, or it was never occupied. They
/// are complete: an occupied set that no transition leaves stays occupied.
fn trap<'c>(system: &ConstraintSystem<'c>, set: &[bool]) -> Vec<Vec<CaseFact<'c>>> {
    let net = system.net;
    let leave = numbers(net, |transition| transition.takes_from(set) && !transition.puts_into(set));
    let putting = numbers(net, |transition| transition.puts_into(set));
    let at_end = members(set).flat_map(|state| system.count(state).iter().copied()).collect();
    let never = starts(system, set, -1).chain(putting.map(|number| (system.fired(number), -1))).collect();
    vec![
        fires(system, leave),
        vec![CaseFact::AtLeastZero(small(at_end, -1))],
        vec![CaseFact::AtLeastZero(small(never, 0))],
    ]
}

/// The firings in a part of the run of the transitions that satisfy `wanted`, each variable with this factor. For an
/// exit, `wanted` receives reversed transitions.
fn part_fires(
    system: &ConstraintSystem<'_>,
    part: &PartialRun,
    factor: i128,
    wanted: impl Fn(&NetTransition) -> bool,
) -> Vec<(u32, i128)> {
    let directed = |number: u32| {
        let transition = system.net.transitions[number as usize];
        if part.is_exit { transition.reversed() } else { transition }
    };
    let fired = part.variables().filter(|(_, number)| wanted(&directed(*number)));
    fired.map(|(variable, _)| (variable, factor)).collect()
}

/// The cases of a siphon of a part of the run, by the argument of [`siphon`]. The part is a run itself. In a case
/// without a part, the empty run satisfies them.
fn part_siphon<'c>(system: &ConstraintSystem<'c>, part: &PartialRun, set: &[bool]) -> Vec<Vec<CaseFact<'c>>> {
    let enter =
        part_fires(system, part, 1, |transition| transition.puts_into(set) && !transition.takes_from(set));
    let begin = members(set).flat_map(|state| part.start(system, state)).collect();
    let taken = part_fires(system, part, -1, |transition| transition.takes_from(set));
    [(enter, -1), (begin, -1), (taken, 0)].map(|(terms, constant)| only(terms, constant)).into()
}

/// The cases of a trap of a part of the run, by the argument of [`trap`].
fn part_trap<'c>(system: &ConstraintSystem<'c>, part: &PartialRun, set: &[bool]) -> Vec<Vec<CaseFact<'c>>> {
    let leave =
        part_fires(system, part, 1, |transition| transition.takes_from(set) && !transition.puts_into(set));
    let end = members(set).flat_map(|state| part.end(system, state)).collect();
    let mut never = part_fires(system, part, -1, |transition| transition.puts_into(set));
    let begin = members(set).flat_map(|state| part.start(system, state));
    never.extend(begin.map(|(variable, factor)| (variable, -factor)));
    [(leave, -1), (end, -1), (never, 0)].map(|(terms, constant)| only(terms, constant)).into()
}

/// The case of the single constraint that this sum is at least 0.
fn only<'c>(terms: Vec<(u32, i128)>, constant: i128) -> Vec<CaseFact<'c>> {
    vec![CaseFact::AtLeastZero(small(terms, constant))]
}

impl Passage {
    fn new(net: &ClaimNet, set: Vec<bool>, is_exit: bool) -> Self {
        let directed = |transition: &NetTransition| if is_exit { transition.reversed() } else { *transition };
        let entering: Vec<u32> = numbers(net, |transition| directed(transition).puts_into(&set)).collect();
        let first = numbers(net, |transition| {
            directed(transition).puts_into(&set) && !directed(transition).takes_from(&set)
        })
        .collect();
        let free = numbers(net, |transition| !transition.puts_into(&set) && !transition.takes_from(&set));
        let free: Rc<[u32]> = free.collect();
        Self { is_exit, entering, first, free, set }
    }

    /// The transition that enters the set first, or leaves it last, in a case.
    pub(crate) fn passing(&self, case: usize) -> Option<u32> {
        self.first.get(case.checked_sub(2)?).copied()
    }

    fn assume(&self, system: &mut ConstraintSystem<'_>, case: usize) -> Result<(), SystemFault> {
        // Every case names the variables on the way, though only some use them: all cases number alike.
        let part = system.fresh_partial(Rc::clone(&self.free), self.is_exit);
        match case.checked_sub(2) {
            None if case == 0 => {
                let terms = members(&self.set).flat_map(|state| part.start(system, state)).collect();
                system.at_least_zero(&small(terms, -1))
            }
            None => {
                let terms = self.entering.iter().map(|&number| (system.fired(number), -1)).collect();
                system.at_least_zero(&small(terms, 0))
            }
            Some(place) => self.on_the_way(system, self.first[place], &part),
        }
    }

    /// Adds the case in which `passing` is the first transition into the set. Before it, only transitions that do not
    /// touch the set fire.
    fn on_the_way(
        &self,
        system: &mut ConstraintSystem<'_>,
        passing: u32,
        part: &PartialRun,
    ) -> Result<(), SystemFault> {
        let net = system.net;
        for (variable, _) in part.variables() {
            system.at_least_zero(&small(vec![(variable, 1)], 0))?;
        }
        for (variable, number) in part.variables() {
            system.at_least_zero(&small(vec![(system.fired(number), 1), (variable, -1)], 0))?;
        }
        for &state in &net.occurring {
            let terms = part.end(system, state);
            system.at_least_zero(&small(terms, 0))?;
        }
        let fires = system.fired(passing);
        system.at_least_zero(&small(vec![(fires, 1)], -1))?;
        let transition = net.transitions[passing as usize];
        let needed = if self.is_exit { transition.post } else { transition.pre };
        for state in [needed[0], needed[1]].into_iter().take(if needed[0] == needed[1] { 1 } else { 2 }) {
            let terms = part.end(system, state);
            system.at_least_zero(&small(terms, -times(needed, state)))?;
        }
        Ok(())
    }
}
