//! Upper bounds on the expected number of interactions until a true claim is fulfilled permanently.
//!
//! The tree of stages is read forwards. Dead transitions stay dead, empty states stay empty, and occupied states stay
//! occupied. So a run passes the stages of one path of the tree. A rule bounds the time of each step. The bound of a
//! path is the sum of its steps, and the bound of a split is the larger one of its children. A path ends at a leaf at
//! which every configuration is right.
//!
//! n interactions are drawn uniformly from the ordered pairs. Let U be the transitions that die, and w weights that no
//! live transition raises and each member of U lowers. W is the largest weight, H the states with a weight. K is the
//! slowness of U: if two agents enable a member of U and meet, they fire one with probability at least 1 / K. While m
//! pairs of agents enable members of U, an interaction lowers the sum of the weights with probability at least 2 m / (K
//! n (n - 1)). All rules except the last two require that no live transition enables U once it is disabled.
//!
//! | rule | condition | m at least | sum of waiting times |
//! |---|---|---|---|
//! | epidemic | all weights of H are equal; each other state that may be occupied reacts with each state of H by U; one of them is occupied while U is enabled | h (n - h) for h agents in H | K n (ln n + 1) |
//! | pairs | every two agents in H react by U | h (h - 1) / 2 | K (n - 1)^2, for other weights 3/2 K W n^2 |
//! | partners | each agent in H always has a partner to react with by U | h / 2 | K W n^2 (ln(W n) + 1) |
//! | plain | none | 1 | K W n^3 / 2 |
//! | ranks | w₁ falls or stays, where it stays w₂ falls or stays, … | 1 | K n^2 (W₁ n + 1) (W₂ n + 1) … / 2 |
//! | layer | live transitions may raise the weights | 1 | R n (K n^2)^(R n), for weights that differ by R |
//! | else | | | 2^O(n^s log n): at most n^s configurations |

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::bound::{BoundGrowth, BoundTerm, InteractionBound, Ratio, reduced};
use crate::constraints::{CaseCondition, SideSystem};
use crate::layer::Weights;
use crate::prove::ProofLimits;
use crate::search::SideSearch;
use crate::simplex::gcd;
use crate::stage::{Stage, slope};
use crate::system::SizedClaim;
use crate::tree::{NodeSystem, TreeSearch, Unproved};
use crate::work::{GaveUp, ProofWork};

/// The maximum number of nodes of the tree of one side.
const STAGES: u32 = 400;

/// The share of a proof's tableau entries that the search for bounds may use: one in this number.
const WORK_SHARE: u64 = 50;

/// The maximum number of live transitions for which rules are tried. The test whether a set is a layer takes cubic
/// time.
const TIMED_LIVE: usize = 250;

/// The maximum number of ranks of one lexicographic step.
const RANKS: usize = 4;

/// The conditions of the rules that are checked. A test leaves one out, to show that the tests detect it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RuleConditions {
    All,
    /// All but one: an epidemic may begin although no state outside it is occupied.
    #[cfg(test)]
    EpidemicWithoutPartner,
}

/// An upper bound on the expected number of interactions until all agents are correct permanently. For a false claim
/// the result has no meaning. `None` if the caller stopped the search.
///
/// The search uses at most a fiftieth of the tableau entries of the limits. Protocols with more than 250 transitions
/// get the bound that applies to all claims. The result depends only on the claim and the limits.
#[must_use]
pub fn interaction_bound(claim: &SizedClaim, limits: &ProofLimits) -> Option<InteractionBound> {
    bound_with(claim, limits, RuleConditions::All)
}

pub(crate) fn bound_with(
    claim: &SizedClaim,
    limits: &ProofLimits,
    conditions: RuleConditions,
) -> Option<InteractionBound> {
    let claim = Arc::new(claim.clone());
    let mut work = ProofWork::new(limits.entries / WORK_SHARE, Arc::clone(&limits.stop));
    let mut bound = InteractionBound::zero();
    for &value in claim.sides() {
        let of_side = SideSystem::new(&claim, value).map_err(|why| vec![why]).and_then(
            |(system, constraints, shared)| {
                let search = SideSearch::new(system, &mut work, limits.format).of_proved();
                let mut stages = StageTimes {
                    tree: TreeSearch::new(search, shared),
                    conditions,
                    claim: Arc::clone(&claim),
                    stages: 0,
                    partners: BTreeMap::new(),
                };
                stages.bound(Stage::root(&claim), NodeSystem::root(constraints)).map_err(|open| match open {
                    Unproved::Stuck { why, .. } => why,
                    Unproved::WrongInput(_) => Vec::new(),
                })
            },
        );
        match of_side {
            Ok(of_side) => bound = bound.or(&of_side),
            Err(why) if why.contains(&GaveUp::Interrupted) => return None,
            Err(_) => return Some(InteractionBound::of_configurations(claim.occurring.len())),
        }
    }
    Some(bound)
}

struct StageTimes<'w> {
    tree: TreeSearch<'w>,
    conditions: RuleConditions,
    claim: Arc<SizedClaim>,
    stages: u32,
    /// A cache for the current stage: whether an agent in a state always has a partner in one of these pairs.
    partners: BTreeMap<(usize, Vec<[usize; 2]>), bool>,
}

/// Transitions that die out in one step, and the bound on the time until then.
struct TimedStep {
    bound: InteractionBound,
    dead: Vec<usize>,
}

/// The population size for which bounds of the same growth are compared.
const COMPARED_AT: u64 = 1000;

impl TimedStep {
    /// Whether a step with the bound `bound` that makes `dead` transitions die is better: a smaller bound, or the same
    /// bound for more transitions.
    fn is_slower_than(&self, bound: &InteractionBound, dead: usize) -> bool {
        let [own, others] = [&self.bound, bound].map(|bound| (bound.growth(), bound.at(COMPARED_AT)));
        match others.0.cmp(&own.0).then(others.1.partial_cmp(&own.1).unwrap_or(Ordering::Equal)) {
            Ordering::Equal => dead > self.dead.len(),
            order => order == Ordering::Less,
        }
    }
}

impl StageTimes<'_> {
    /// The bound on the time from a stage until all agents are right.
    fn bound(&mut self, mut stage: Stage, mut system: NodeSystem) -> Result<InteractionBound, Unproved> {
        let claim = Arc::clone(&self.claim);
        let mut spent = InteractionBound::zero();
        self.stages += 1;
        loop {
            if self.stages > STAGES {
                return Ok(InteractionBound::of_configurations(claim.occurring.len()));
            }
            if stage.close(&claim) || self.tree.is_right(&stage, &mut system)? {
                return Ok(spent);
            }
            if stage.live_transitions().len() > TIMED_LIVE {
                return Ok(InteractionBound::of_configurations(claim.occurring.len()));
            }
            let cubic = BoundGrowth::Polynomial { exponent: 3, logarithm: false };
            let fast = self.fastest(&stage, &system)?;
            if let Some(step) = fast.as_ref().filter(|step| step.bound.growth() < cubic) {
                spent = spent.then(&step.bound);
                stage.kill(&claim, &step.dead);
                continue;
            }
            if let Some(state) = self.tree.choice_at(&stage, &vec![0; claim.names.len()]) {
                let mut present = stage.clone();
                present.occupied[state] = true;
                let present = self.bound(present, system.clone())?;
                stage.empty[state] = true;
                return Ok(spent.then(&present.or(&self.bound(stage, system)?)));
            }
            let step = match fast {
                Some(step) => Some(step),
                None => self.slow(&stage, &mut system)?,
            };
            let Some(step) = step else {
                return Ok(InteractionBound::of_configurations(claim.occurring.len()));
            };
            spent = spent.then(&step.bound);
            stage.kill(&claim, &step.dead);
        }
    }

    /// The step with the smallest bound among ranks whose transitions stay dead once they are disabled.
    fn fastest(&mut self, stage: &Stage, system: &NodeSystem) -> Result<Option<TimedStep>, Unproved> {
        let claim = Arc::clone(&self.claim);
        self.partners.clear();
        let live = stage.live_transitions();
        let open: Vec<usize> = claim.occurring.iter().copied().filter(|&state| !stage.empty[state]).collect();
        let mut best: Option<TimedStep> = None;
        let stuck = |why| Unproved::Stuck { live: live.clone(), candidate: None, why: vec![why] };
        // Weights that count the agents of one state, or those of all others.
        for &state in &open {
            let others =
                open.iter().copied().filter(|&other| other != state).map(|other| (other, 1)).collect();
            for weights in [vec![(state, 1)], others] {
                let slopes = || live.iter().map(|&number| slope(&weights, &claim, number));
                if slopes().any(|change| change > 0) {
                    continue;
                }
                let falling: Vec<usize> = live
                    .iter()
                    .zip(slopes())
                    .filter(|(_, change)| *change < 0)
                    .map(|(&number, _)| number)
                    .collect();
                if falling.is_empty() {
                    continue;
                }
                let tests = (live.len() * falling.len()) as u64;
                self.tree.search.work.spend(tests * falling.len() as u64).map_err(stuck)?;
                for dead in stage.layers_within(&claim, &falling) {
                    self.keep_faster(stage, system, &weights, dead, &mut best)?;
                }
            }
        }
        let quadratic = BoundGrowth::Polynomial { exponent: 2, logarithm: true };
        if best.as_ref().is_some_and(|step| step.bound.growth() <= quadratic) {
            return Ok(best);
        }
        if let Some(rank) = stage.rank(&claim, self.tree.search.work).map_err(stuck)?
            && stage.is_layer(&claim, &rank.dead)
        {
            self.keep_faster(stage, system, &rank.weights, rank.dead, &mut best)?;
        }
        for (weights, dead) in stage.ranked_layers(&claim, self.tree.search.work).map_err(stuck)? {
            self.keep_faster(stage, system, &weights, dead, &mut best)?;
        }
        Ok(best)
    }

    fn keep_faster(
        &mut self,
        stage: &Stage,
        system: &NodeSystem,
        weights: &Weights,
        dead: Vec<usize>,
        best: &mut Option<TimedStep>,
    ) -> Result<(), Unproved> {
        if let Some(bound) = self.rule(stage, system, (weights, &dead), best.as_ref())? {
            *best = Some(TimedStep { bound, dead });
        }
        Ok(())
    }

    /// The bound of the best rule for weights that no live transition raises; `None` if it is not smaller than the
    /// bound of the best step so far. The conditions of a rule that cannot be better are not checked.
    fn rule(
        &mut self,
        stage: &Stage,
        system: &NodeSystem,
        (weights, dead): (&Weights, &[usize]),
        best: Option<&TimedStep>,
    ) -> Result<Option<InteractionBound>, Unproved> {
        let claim = Arc::clone(&self.claim);
        let weight_of = normal(&claim, stage, weights);
        let largest = weight_of.values().copied().max().unwrap_or(0);
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            weight_of.keys().partition(|state| weight_of[state] > 0);
        let pairs: BTreeSet<[usize; 2]> =
            dead.iter().map(|&number| claim.transitions[number].before).collect();
        let reacts = |a: usize, b: usize| pairs.contains(&[a.min(b), a.max(b)]);
        let slowness = slowness(&claim, dead);
        let times = |factor: Ratio| reduced((slowness.0 * factor.0, slowness.1 * factor.1));
        let is_better =
            |bound: &InteractionBound| best.is_none_or(|known| known.is_slower_than(bound, dead.len()));
        let is_epidemic =
            largest == 1 && outside.iter().all(|&one| inside.iter().all(|&other| reacts(one, other)));
        if is_epidemic {
            let bound = InteractionBound::of(slowness, BoundTerm::Epidemic);
            if !is_better(&bound) {
                return Ok(None);
            }
            // Unless two agents in H react by U, some agent is outside H while U is enabled.
            let needs_outside = pairs.iter().all(|pair| pair.iter().any(|state| outside.contains(state)));
            if needs_outside || self.is_occupied(stage, system, &outside)? {
                return Ok(Some(bound));
            }
        }
        if (0..inside.len()).all(|at| inside[at..].iter().all(|&other| reacts(inside[at], other))) {
            let is_inside =
                pairs.iter().flatten().all(|state| weight_of.get(state).is_some_and(|&one| one > 0));
            let bound = if largest == 1 && is_inside {
                InteractionBound::of(slowness, BoundTerm::Duels)
            } else {
                InteractionBound::of(times((3 * largest, 2)), BoundTerm::Square)
            };
            return Ok(is_better(&bound).then_some(bound));
        }
        let partners = InteractionBound::of(times((largest, 1)), BoundTerm::Partners { largest });
        if !is_better(&partners) {
            return Ok(None);
        }
        for &state in &inside {
            let own: Vec<[usize; 2]> = pairs.iter().copied().filter(|pair| pair.contains(&state)).collect();
            if !self.has_partner(stage, system, state, own)? {
                let bound = InteractionBound::of(times((largest, 2)), BoundTerm::Cube);
                return Ok(is_better(&bound).then_some(bound));
            }
        }
        Ok(Some(partners))
    }

    /// Whether an agent in `state` has a partner in one of these pairs in every configuration of the stage.
    fn has_partner(
        &mut self,
        stage: &Stage,
        system: &NodeSystem,
        state: usize,
        own: Vec<[usize; 2]>,
    ) -> Result<bool, Unproved> {
        if own.iter().any(|&[a, b]| a != b && stage.occupied[if a == state { b } else { a }]) {
            return Ok(true);
        }
        if own.is_empty() {
            return Ok(false);
        }
        if let Some(&known) = self.partners.get(&(state, own.clone())) {
            return Ok(known);
        }
        let present = self.tree.search.system.at_least(state, 1);
        let is_there = self.tree.refuted(stage, system, &[present], &own)?.is_some();
        self.partners.insert((state, own), is_there);
        Ok(is_there)
    }

    /// Whether one of these states is known to be occupied in every configuration of the stage.
    fn is_occupied(
        &mut self,
        stage: &Stage,
        system: &NodeSystem,
        states: &[usize],
    ) -> Result<bool, Unproved> {
        #[cfg(test)]
        if self.conditions == RuleConditions::EpidemicWithoutPartner {
            return Ok(true);
        }
        debug_assert_eq!(self.conditions, RuleConditions::All);
        if states.iter().any(|&state| stage.occupied[state]) {
            return Ok(true);
        }
        let side = &self.tree.search.system;
        let empty: Vec<CaseCondition> = states.iter().map(|&state| side.at_most(state, 0)).collect();
        Ok(!states.is_empty() && self.tree.refuted(stage, system, &empty, &[])?.is_some())
    }

    /// Steps with large bounds: ranks in lexicographic order, layers, and transitions that are never enabled again.
    fn slow(&mut self, stage: &Stage, system: &mut NodeSystem) -> Result<Option<TimedStep>, Unproved> {
        let claim = Arc::clone(&self.claim);
        let live = stage.live_transitions();
        let stuck = |why| Unproved::Stuck { live: live.clone(), candidate: None, why: vec![why] };
        let mut rest = stage.clone();
        let (mut largest, mut dead) = (Vec::new(), Vec::new());
        while largest.len() < RANKS
            && let Some(rank) = rest.rank(&claim, self.tree.search.work).map_err(stuck)?
        {
            largest.push(normal(&claim, stage, &rank.weights).into_values().max().unwrap_or(0));
            rank.dead.iter().for_each(|&number| rest.live[number] = false);
            dead.extend(rank.dead);
            dead.sort_unstable();
            if stage.is_layer(&claim, &dead) {
                let slowness = slowness(&claim, &dead);
                let half = reduced((slowness.0, 2 * slowness.1));
                return Ok(Some(TimedStep {
                    bound: InteractionBound::of(half, BoundTerm::Ranks(largest)),
                    dead,
                }));
            }
        }
        if let Some((_, dead)) = self.tree.disabled(stage, system)? {
            return Ok(Some(TimedStep { bound: InteractionBound::zero(), dead }));
        }
        for longest in [1, 2] {
            let layer = stage.layer(&claim, longest, self.tree.search.work).map_err(stuck)?;
            if let Some(layer) = layer {
                let range = normal(&claim, stage, &layer.weights).into_values().max().unwrap_or(0);
                // A sequence takes up to `longest` interactions.
                let range = longest as u128 * range;
                let fired: Vec<usize> = if longest > 1 { layer.items.concat() } else { layer.dead.clone() };
                let term = BoundTerm::Restarts { range, slowness: slowness(&claim, &fired) };
                return Ok(Some(TimedStep { bound: InteractionBound::of((1, 1), term), dead: layer.dead }));
            }
        }
        Ok(None)
    }
}

/// The weights of the states that may be occupied, shifted so that the least is 0.
fn normal(claim: &SizedClaim, stage: &Stage, weights: &Weights) -> BTreeMap<usize, u128> {
    let open = claim.occurring.iter().copied().filter(|&state| !stage.empty[state]);
    let weight =
        |state: usize| weights.iter().find(|(known, _)| *known == state).map_or(0, |(_, weight)| *weight);
    let of_state: Vec<(usize, i128)> = open.map(|state| (state, weight(state))).collect();
    let least = of_state.iter().map(|(_, weight)| *weight).min().unwrap_or(0);
    let common = of_state.iter().fold(0, |common, (_, weight)| gcd(common, weight - least)).max(1);
    of_state.into_iter().map(|(state, weight)| (state, ((weight - least) / common) as u128)).collect()
}

/// The mean number of meetings until one of these transitions fires, for the slowest pair of states that enables one.
fn slowness(claim: &SizedClaim, transitions: &[usize]) -> Ratio {
    let mut chances: BTreeMap<[usize; 2], Ratio> = BTreeMap::new();
    for &number in transitions {
        let chance = claim.chances[number];
        let sum = chances.entry(claim.transitions[number].before).or_insert((0, 1));
        *sum = reduced((sum.0 * chance.1 + chance.0 * sum.1, sum.1 * chance.1));
    }
    let slower = |one: Ratio, other: Ratio| if one.0 * other.1 >= other.0 * one.1 { one } else { other };
    chances.into_values().map(|(numerator, denominator)| (denominator, numerator)).fold((1, 1), slower)
}

#[cfg(test)]
mod tests {
    use acrasin_protocols::exact::ExactChain;

    use super::{RuleConditions, bound_with};
    use crate::bound::BoundGrowth;
    use crate::prove::ProofLimits;
    use crate::rows::{CorpusRow, claim, rows, table};
    use crate::system::SizedClaim;

    /// Claims of the corpus and further families.
    const TIMED: [&str; 2] = [include_str!("../tests/claims.jsonl"), include_str!("../tests/timed.jsonl")];

    /// The rows with true claims, without families that are too large for exact times.
    fn timed() -> Vec<CorpusRow> {
        let all = TIMED.into_iter().flat_map(rows);
        all.filter(|row| row.expect == "PROVED" && row.family != "large" && row.family != "hard").collect()
    }

    /// The exact mean time until all agents are correct, for the worst input of this number of agents.
    fn worst(row: &CorpusRow, sized: &SizedClaim, agents: u64) -> f64 {
        let (table, _) = table(&row.protocol);
        let mut worst = 0.0_f64;
        for shares in compositions(agents, sized.inputs.len()) {
            let mut input = vec![0; sized.names.len()];
            for (&state, share) in sized.inputs.iter().zip(shares) {
                input[state] = share;
            }
            if !sized.covers(&input) {
                continue;
            }
            let value = sized.value(&input);
            let start: Vec<u32> = input.iter().map(|&count| count as u32).collect();
            let chain = ExactChain::explore(&table, &start).unwrap();
            let wide = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).collect::<Vec<_>>();
            let right = chain.forever(|counts| sized.is_right(&wide(counts), value));
            worst = worst.max(chain.hitting_marked(&right).unwrap().mean);
        }
        worst
    }

    fn compositions(agents: u64, parts: usize) -> Vec<Vec<u64>> {
        if parts == 1 {
            return vec![vec![agents]];
        }
        let mut all = Vec::new();
        for first in 0..=agents {
            all.extend(
                compositions(agents - first, parts - 1).into_iter().map(|rest| [vec![first], rest].concat()),
            );
        }
        all
    }

    /// Sizes from 4 to 10 agents at which the bound of a claim is below the exact worst case.
    fn violations(row: &CorpusRow, conditions: RuleConditions) -> Vec<String> {
        let sized = claim(row);
        let bound = bound_with(&sized, &ProofLimits::default(), conditions).unwrap();
        let mut found = Vec::new();
        for agents in 4..=10 {
            let worst = worst(row, &sized, agents);
            if let Some(most) = bound.at(agents).filter(|most| *most < worst * (1.0 - 1e-9)) {
                found.push(format!("{}: {bound}: {most} for {agents} agents, in truth {worst}", row.name));
            }
        }
        found
    }

    #[test]
    fn bounds_are_at_least_the_exact_worst_case() {
        let all = timed();
        assert!(all.len() >= 56, "{}", all.len());
        for row in &all {
            let found = violations(row, RuleConditions::All);
            assert!(found.is_empty(), "{found:#?}");
        }
    }

    #[test]
    fn an_epidemic_without_an_occupied_partner_is_noticed() {
        let faulty = RuleConditions::EpidemicWithoutPartner;
        assert!(timed().iter().any(|row| !violations(row, faulty).is_empty()));
    }

    #[test]
    fn bounds_of_known_protocols_grow_as_expected() {
        let growth = |name: &str| {
            let row = timed().into_iter().find(|row| row.name == name).unwrap();
            bound_with(&claim(&row), &ProofLimits::default(), RuleConditions::All).unwrap()
        };
        let polynomial = |exponent, logarithm| BoundGrowth::Polynomial { exponent, logarithm };
        for (name, expected) in [
            ("broadcast", polynomial(1, true)),
            ("blinking", polynomial(1, true)),
            ("rps-idle", polynomial(1, true)),
            ("fratricide", polynomial(2, false)),
            ("cancel", polynomial(3, false)),
            ("flock-basic-5", polynomial(2, true)),
            ("remainder-2-1", polynomial(2, true)),
            ("average-and-conquer-3-1", polynomial(2, true)),
        ] {
            let bound = growth(name);
            assert_eq!(bound.growth(), expected, "{name}: {bound}");
        }
        assert_eq!(growth("fratricide").formula().unwrap(), "(n - 1)^2");
        assert_eq!(growth("broadcast").formula().unwrap(), "n (ln n + 1)");
    }
}
