//! Checks one step of a node: that the transitions in the step occur nowhere in the component.

use std::collections::BTreeMap;

use crate::error::CertificateFault;
use crate::format::{ProofNumber, StageKind, StageStep, StatePair};
use crate::net::{ClaimNet, NetTransition};
use crate::proof::check_proof;
use crate::read::Certificate;
use crate::system::{CaseFact, ConstraintSystem, CountFormula, CountsOf, KeepGoing, SystemFault};
use crate::view::{FewAgents, StageView};
use crate::visitor::StageVisitor;

/// The goal of a claim for one value of its predicate: the final configurations that count as right.
#[derive(Clone, Debug)]
pub(crate) enum SideGoal<'c> {
    /// Every agent must give the right answer. `is_right` tells for each state whether its output is right; `value` is
    /// the value of the predicate for the input.
    Answer { is_right: Vec<bool>, predicate: &'c CountFormula, value: bool },
    /// The formula must hold for the configuration.
    End { formula: &'c CountFormula },
}

/// The claim for one value of the predicate.
#[derive(Clone, Debug)]
pub(crate) struct ClaimSide<'c> {
    pub(crate) given: Option<&'c CountFormula>,
    pub(crate) goal: SideGoal<'c>,
}

/// The state of the check of one side: the certificate, the claim, the constraints in force, and the counters.
pub(crate) struct NodeCheck<'c, 'k> {
    pub(crate) certificate: &'c Certificate,
    pub(crate) net: &'c ClaimNet,
    pub(crate) side: &'c ClaimSide<'c>,
    /// The constraint system. Between two queries only the constraints that hold at every node of every side are in
    /// force.
    pub(crate) system: ConstraintSystem<'c>,
    pub(crate) keep_going: &'c mut KeepGoing<'k>,
    pub(crate) visitor: &'c mut dyn StageVisitor,
    pub(crate) inferences: u64,
}

impl<'c> NodeCheck<'c, '_> {
    /// Checks a step; `view` is the closed view before it.
    pub(crate) fn step(&mut self, step: &StageStep, view: &StageView) -> Result<(), CertificateFault> {
        if let Some((at, number)) = step.dead.iter().find(|(_, number)| !view.is_live(*number)) {
            return Err(CertificateFault::new(*at, format!("the transition {number} is not live here")));
        }
        match &step.kind {
            StageKind::Rank { weights } => {
                let slope = self.slopes(weights, step.at)?;
                self.lowered(step, &slope)?;
                for number in view.live() {
                    if slope(&self.net.transitions[number as usize])? > 0 {
                        let reason = format!("the live transition {number} raises the rank");
                        return Err(CertificateFault::new(step.at, reason));
                    }
                }
                Ok(())
            }
            StageKind::Layer { weights, proofs } => {
                let slope = self.slopes(weights, step.at)?;
                self.lowered(step, &slope)?;
                self.layer_is_closed(step, proofs, view)
            }
            StageKind::Macro { weights, items } => {
                let slope = self.slopes(weights, step.at)?;
                for (at, item) in items {
                    let mut sum = 0_i128;
                    for &number in item {
                        if !view.is_live(number) {
                            return Err(CertificateFault::new(
                                *at,
                                format!("the transition {number} is not live here"),
                            ));
                        }
                        sum = sum
                            .checked_add(slope(&self.net.transitions[number as usize])?)
                            .ok_or_else(|| CertificateFault::new(*at, SystemFault::Range.reason()))?;
                    }
                    if sum >= 0 {
                        return Err(CertificateFault::new(*at, "this sequence does not lower the rank"));
                    }
                }
                if items.is_empty() {
                    return Err(CertificateFault::new(step.at, "the step has no sequences"));
                }
                self.macro_is_closed(step, items, view)
            }
            StageKind::Disabled { proofs } => {
                for &(at, number) in &step.dead {
                    let Some(&proof) = proofs.get(&number) else {
                        let reason = format!("there is no proof that the transition {number} is disabled");
                        return Err(CertificateFault::new(at, reason));
                    };
                    let pre = FewAgents::of_pair(self.net.transitions[number as usize].pre);
                    self.query(view, proof, |system| at_least(system, &pre))?;
                }
                Ok(())
            }
        }
    }

    /// Returns a function that computes by how much a transition changes the weighted sum.
    fn slopes<'w>(
        &self,
        weights: &'w BTreeMap<u16, i128>,
        at: u32,
    ) -> Result<impl Fn(&NetTransition) -> Result<i128, CertificateFault> + use<'w>, CertificateFault> {
        let states = self.net.state_count;
        if let Some((&state, _)) =
            weights.last_key_value().filter(|(state, _)| usize::from(**state) >= states)
        {
            return Err(CertificateFault::new(
                at,
                format!(
                    "the state {state} has a weight but does not exist: there are {states} states, numbered from 0"
                ),
            ));
        }
        Ok(move |transition: &NetTransition| {
            let weight = |state: &u16| weights.get(state).copied().unwrap_or(0);
            let sum = |pair: StatePair| weight(&pair[0]).checked_add(weight(&pair[1]));
            let slope = sum(transition.post).zip(sum(transition.pre));
            let slope = slope.and_then(|(after, before)| after.checked_sub(before));
            slope.ok_or_else(|| CertificateFault::new(at, SystemFault::Range.reason()))
        })
    }

    /// Checks that each dead transition lowers the rank.
    fn lowered(
        &self,
        step: &StageStep,
        slope: &impl Fn(&NetTransition) -> Result<i128, CertificateFault>,
    ) -> Result<(), CertificateFault> {
        for &(at, number) in &step.dead {
            if slope(&self.net.transitions[number as usize])? >= 0 {
                return Err(CertificateFault::new(
                    at,
                    format!("the transition {number} does not lower the rank"),
                ));
            }
        }
        Ok(())
    }

    /// Checks that once no member of the layer is enabled, no member becomes enabled again.
    fn layer_is_closed(
        &mut self,
        step: &StageStep,
        proofs: &BTreeMap<(u32, StatePair), ProofNumber>,
        view: &StageView,
    ) -> Result<(), CertificateFault> {
        let net = self.net;
        let mut is_member = vec![false; net.transitions.len()];
        let mut excluded = view.dead_pres(net);
        let mut pres: Vec<u32> = Vec::new();
        for &(_, number) in &step.dead {
            is_member[number as usize] = true;
            excluded[net.pre_of[number as usize] as usize] = true;
            pres.push(net.pre_of[number as usize]);
        }
        pres.sort_unstable();
        pres.dedup();
        let is_in_pres = {
            let mut marks = vec![false; net.pres.len()];
            pres.iter().for_each(|&number| marks[number as usize] = true);
            marks
        };
        for number in view.live().filter(|number| !is_member[*number as usize]) {
            if (self.keep_going)().is_break() {
                return Err(CertificateFault::Interrupted);
            }
            let transition = net.transitions[number as usize];
            // A pair that shares nothing with `post` is covered before the transition, too.
            let near = transition.states().flat_map(|state| &net.partners[usize::from(state)]);
            let mut near: Vec<u32> =
                near.map(|(_, pre)| *pre).filter(|pre| is_in_pres[*pre as usize]).collect();
            near.sort_unstable();
            near.dedup();
            for pre in near {
                let pair = net.pres[pre as usize];
                let least = least_before(&transition, &FewAgents::of_pair(pair), view);
                if least.touches(&view.empty) || least.covers_pair(net, &excluded) {
                    continue;
                }
                let Some(&proof) = proofs.get(&(number, pair)) else {
                    let [a, b] = pair;
                    let reason = format!(
                        "the live transition {number} can enable the pair {a}, {b} again, and there is no proof \"{number}:{a},{b}\""
                    );
                    return Err(CertificateFault::new(step.at, reason));
                };
                self.query(view, proof, |system| {
                    at_least(system, &least)?;
                    disabled(system, &pres, view)
                })?;
            }
        }
        Ok(())
    }

    /// Checks that once no sequence is enabled, no sequence becomes enabled again. Also checks that each dead
    /// transition needs the agents of some sequence.
    fn macro_is_closed(
        &mut self,
        step: &StageStep,
        items: &[(u32, Vec<u32>)],
        view: &StageView,
    ) -> Result<(), CertificateFault> {
        let net = self.net;
        let mut is_single = vec![false; net.transitions.len()];
        let mut pres: Vec<FewAgents> = Vec::new();
        for (_, item) in items {
            if let [number] = item[..] {
                is_single[number as usize] = true;
            }
            let (mut needed, mut there) = (FewAgents(Vec::new()), FewAgents(Vec::new()));
            for &number in item {
                let transition = net.transitions[number as usize];
                let pre = FewAgents::of_pair(transition.pre);
                let missing = pre.beyond(&there);
                there = there.with(&missing).beyond(&pre).with(&FewAgents::of_pair(transition.post));
                needed = needed.with(&missing);
            }
            pres.push(needed);
        }
        let gone = view.dead_pres(net);
        for number in view.live().filter(|number| !is_single[*number as usize]) {
            if (self.keep_going)().is_break() {
                return Err(CertificateFault::Interrupted);
            }
            let transition = net.transitions[number as usize];
            for ((at, _), needed) in items.iter().zip(&pres) {
                let least = least_before(&transition, needed, view);
                let is_excluded = least.touches(&view.empty)
                    || pres.iter().any(|other| least.covers(other))
                    || least.covers_pair(net, &gone);
                if !is_excluded {
                    let reason = format!("the live transition {number} can enable this sequence again");
                    return Err(CertificateFault::new(*at, reason));
                }
            }
        }
        for &(at, number) in &step.dead {
            let pre = FewAgents::of_pair(net.transitions[number as usize].pre);
            if !pres.iter().any(|needed| pre.covers(needed)) {
                return Err(CertificateFault::new(
                    at,
                    format!(
                        "the transition {number} is listed as dead, but its agents do not enable any of the sequences"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Checks a proof that no configuration that fits the node satisfies the additional constraints.
    pub(crate) fn query(
        &mut self,
        view: &StageView,
        proof: ProofNumber,
        further: impl FnOnce(&mut ConstraintSystem<'c>) -> Result<(), SystemFault>,
    ) -> Result<(), CertificateFault> {
        let before = self.system.mark();
        let added = self.side.fits(&mut self.system, view).and_then(|()| further(&mut self.system));
        if let Err(fault) = added {
            let at = self.certificate.proofs[proof as usize].at;
            return Err(CertificateFault::new(at, fault.reason()));
        }
        self.inferences +=
            check_proof(&mut self.system, self.certificate, proof, self.visitor, self.keep_going)?;
        self.system.back_to(before);
        Ok(())
    }
}

impl<'c> ClaimSide<'c> {
    /// Adds the constraints that the configuration fits the node (section 4 of the method), in the order in which
    /// certificates number them.
    fn fits(&self, system: &mut ConstraintSystem<'c>, view: &StageView) -> Result<(), SystemFault> {
        let net = system.net;
        for &state in net.occurring.iter().filter(|state| view.empty[usize::from(**state)]) {
            system.add(&CaseFact::Empty(state))?;
        }
        for &state in net.occurring.iter().filter(|state| view.occupied[usize::from(**state)]) {
            system.add(&CaseFact::Occupied { state, least: 1 })?;
        }
        if let Some(formula) = self.given {
            system.add(&CaseFact::Holds { formula, wanted: true, of: CountsOf::Start })?;
        }
        if let SideGoal::Answer { predicate, value, .. } = self.goal {
            system.add(&CaseFact::Holds { formula: predicate, wanted: value, of: CountsOf::Start })?;
        }
        let dead = view.dead_pres(net);
        let dead: Vec<u32> = (0..).zip(&dead).filter(|(_, dead)| **dead).map(|(number, _)| number).collect();
        disabled(system, &dead, view)
    }

    /// Adds the constraints that the configuration is wrong.
    pub(crate) fn wrong(&self, system: &mut ConstraintSystem<'c>) -> Result<(), SystemFault> {
        match self.goal {
            SideGoal::End { formula } => {
                system.add(&CaseFact::Holds { formula, wanted: false, of: CountsOf::End })
            }
            SideGoal::Answer { ref is_right, .. } => {
                let wrong = system.net.occurring.iter().filter(|state| !is_right[usize::from(**state)]);
                let cases = wrong.map(|&state| vec![CaseFact::Occupied { state, least: 1 }]).collect();
                system.one_of(cases);
                Ok(())
            }
        }
    }
}

/// The smallest configuration in which the transition is enabled and after which the agents `needed` are present.
fn least_before(transition: &NetTransition, needed: &FewAgents, view: &StageView) -> FewAgents {
    let missing = needed.beyond(&FewAgents::of_pair(transition.post));
    FewAgents::of_pair(transition.pre).with(&missing).and_occupied(&view.occupied)
}

fn at_least(system: &mut ConstraintSystem<'_>, agents: &FewAgents) -> Result<(), SystemFault> {
    agents
        .0
        .iter()
        .try_for_each(|&(state, count)| system.add(&CaseFact::Occupied { state, least: i128::from(count) }))
}

/// Adds the constraints that none of the pairs is present. `pres` are the indices of the pairs, in increasing order.
fn disabled(system: &mut ConstraintSystem<'_>, pres: &[u32], view: &StageView) -> Result<(), SystemFault> {
    for &number in pres {
        let [a, b] = system.net.pres[number as usize];
        if view.empty[usize::from(a)] || view.empty[usize::from(b)] {
            continue;
        }
        if a == b {
            // A pair of equal states needs two agents, so one may be there.
            system.at_most(a, 1)?;
        } else {
            system.one_of(vec![vec![CaseFact::Empty(a)], vec![CaseFact::Empty(b)]]);
        }
    }
    Ok(())
}
