//! The tree of stages: steps that show which transitions die out, splits, and queries at the leaves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::certificate::{Numbering, object, weights, written};
use crate::constraints::{AtLeast, CaseCondition, Constraints};
use crate::exploration::WrongEnd;
use crate::fault::PlantedFault;
use crate::layer::Layer;
use crate::proof::{Introduced, Introduction, Refutation};
use crate::search::{CaseAnswer, SideSearch, WholePoint};
use crate::simplex::{ConstraintLabel, Solved};
use crate::stage::{Stage, counted};
use crate::system::SizedClaim;
use crate::work::{GaveUp, ReachedLimit};

/// The maximum number of nodes of the tree of one side.
const NODES: u64 = 3000;

/// The number of dead pairs of different states above which a node is split at once, without a query.
const MANY_PAIRS: usize = 6;

/// The maximum number of pivots of a leaf query if the node can be split; [`LONG_QUERY`] if it cannot.
const SHORT_QUERY: u64 = 3_000;
const LONG_QUERY: u64 = 200_000;

/// The maximum number of pivots of a query for disabled transitions or for semantic layers.
const STEP_QUERY: u64 = 5_000;

/// The maximum number of transitions of a sequence in a layer.
const LONGEST: usize = 4;

/// A proved side: the JSON of its tree, and the counts for it.
pub(crate) struct ProvedSide {
    pub(crate) tree: Value,
    pub(crate) tally: TreeTally,
}

/// The numbers of nodes, steps and proof nodes of a proved tree.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct TreeTally {
    pub(crate) nodes: u64,
    pub(crate) steps: u64,
    pub(crate) proof: u64,
    /// The largest number of live transitions at a leaf that does not end in a contradiction.
    pub(crate) live: usize,
}

/// The reason why a side is not proved.
#[derive(Debug)]
pub(crate) enum Unproved {
    WrongInput(Box<WrongEnd>),
    /// No step applies. Holds the live transitions, the candidate if one was found, and the limits that the search
    /// for the next step reached.
    Stuck {
        live: Vec<usize>,
        candidate: Option<WholePoint>,
        why: Vec<GaveUp>,
    },
}

impl Unproved {
    /// Whether the caller stopped the search.
    pub(crate) fn is_interrupted(&self) -> bool {
        matches!(self, Self::Stuck { why, .. } if why.contains(&GaveUp::Interrupted))
    }
}

/// The constraints of a node, with the labels of those that depend on the node.
#[derive(Clone)]
pub(crate) struct NodeSystem {
    constraints: Constraints,
    empty: BTreeMap<usize, ConstraintLabel>,
    occupied: BTreeMap<usize, ConstraintLabel>,
    /// For each dead pair of two equal states, the constraint that at most one agent is in the state.
    single: BTreeMap<usize, ConstraintLabel>,
    pairs: BTreeMap<[usize; 2], ConstraintLabel>,
    /// Transitions whose flow is set to 0, only by a planted fault.
    without_flow: BTreeMap<usize, ConstraintLabel>,
}

impl NodeSystem {
    pub(crate) fn root(constraints: Constraints) -> Self {
        Self {
            constraints,
            empty: BTreeMap::new(),
            occupied: BTreeMap::new(),
            single: BTreeMap::new(),
            pairs: BTreeMap::new(),
            without_flow: BTreeMap::new(),
        }
    }
}

pub(crate) struct TreeSearch<'w> {
    pub(crate) search: SideSearch<'w>,
    claim: Arc<SizedClaim>,
    /// The constraints that `given` and the side's predicate introduce.
    shared: Introduced,
    tally: TreeTally,
}

impl<'w> TreeSearch<'w> {
    pub(crate) fn new(search: SideSearch<'w>, shared: Introduced) -> Self {
        let claim = Arc::clone(&search.system.claim);
        Self { search, claim, shared, tally: TreeTally::default() }
    }

    pub(crate) fn prove(mut self, constraints: Constraints) -> Result<ProvedSide, Unproved> {
        let stage = Stage::root(&self.claim);
        let tree = self.node(stage, NodeSystem::root(constraints))?;
        Ok(ProvedSide { tree, tally: self.tally })
    }

    fn node(&mut self, mut stage: Stage, mut system: NodeSystem) -> Result<Value, Unproved> {
        self.tally.nodes += 1;
        let claim = Arc::clone(&self.claim);
        let mut steps: Vec<Value> = Vec::new();
        let mut candidate = None;
        loop {
            let stuck = |why, candidate: &Option<WholePoint>, stage: &Stage| Unproved::Stuck {
                live: stage.live_transitions(),
                candidate: candidate.clone(),
                why: vec![why],
            };
            if self.tally.nodes > NODES {
                return Err(stuck(GaveUp::Limit(ReachedLimit::Nodes), &candidate, &stage));
            }
            self.search.work.check().map_err(|why| stuck(why, &candidate, &stage))?;
            self.search.work.reached.clear();
            if stage.close(&claim) {
                self.tally.steps += steps.len() as u64;
                return Ok(object([("steps", steps.into())]));
            }
            let gave_up = |why, stage: &Stage| stuck(why, &None, stage);
            if let Some(rank) = stage.rank(&claim, self.search.work).map_err(|why| gave_up(why, &stage))? {
                steps.push(json!({ "kind": "rank", "dead": rank.dead, "weights": weights(&rank.weights) }));
                stage.kill(&claim, &rank.dead);
                continue;
            }
            let layer = stage.layer(&claim, 1, self.search.work).map_err(|why| gave_up(why, &stage))?;
            if let Some(Layer { weights: of_layer, dead, .. }) = layer {
                steps.push(json!({ "kind": "layer", "dead": dead, "weights": weights(&of_layer) }));
                stage.kill(&claim, &dead);
                continue;
            }
            let state = match self.leaf(&stage, &mut system)? {
                Leaf::Proved(proof) => {
                    self.tally.live = self.tally.live.max(stage.live_transitions().len());
                    self.tally.steps += steps.len() as u64;
                    return Ok(object([("steps", steps.into()), ("proof", proof)]));
                }
                Leaf::Split(state) => Some(state),
                Leaf::Candidate(point) => {
                    candidate = point;
                    None
                }
            };
            if let Some(state) = state {
                self.tally.steps += steps.len() as u64;
                let mut present = stage.clone();
                present.occupied[state] = true;
                let present = self.node(present, system.clone())?;
                let mut absent = stage;
                absent.empty[state] = true;
                let absent = if claim.has(PlantedFault::SameChild) {
                    present.clone()
                } else {
                    self.node(absent, system)?
                };
                let children = vec![present, absent].into();
                return Ok(object([
                    ("steps", steps.into()),
                    ("split", state.into()),
                    ("children", children),
                ]));
            }
            if let Some((step, dead)) = self.disabled(&stage, &mut system)? {
                steps.push(step);
                stage.kill(&claim, &dead);
                continue;
            }
            let of_sequences = |layer: Layer| {
                let Layer { weights: of_layer, items, dead } = layer;
                let of_layer = weights(&of_layer);
                (json!({ "kind": "macro", "dead": dead, "weights": of_layer, "items": items }), dead)
            };
            let layer = stage.layer(&claim, 2, self.search.work).map_err(|why| gave_up(why, &stage))?;
            let mut found = layer.map(of_sequences);
            if found.is_none() {
                found = self.semantic_layer(&stage, &mut system)?;
            }
            if found.is_none() {
                let layer = stage.layer(&claim, LONGEST, self.search.work);
                found = layer.map_err(|why| gave_up(why, &stage))?.map(of_sequences);
            }
            if let Some((step, dead)) = found {
                steps.push(step);
                stage.kill(&claim, &dead);
                continue;
            }
            let live = stage.live_transitions();
            let why = self.search.work.reached.iter().copied().collect();
            return Err(Unproved::Stuck { live, candidate, why });
        }
    }

    /// Adds the parts of the stage's knowledge that the system lacks.
    fn extend(&mut self, stage: &Stage, system: &mut NodeSystem) -> Result<(), GaveUp> {
        let claim = Arc::clone(&self.claim);
        let side = &mut self.search.system;
        for &state in &claim.occurring {
            let mut introduced = Vec::new();
            if stage.empty[state] && !system.empty.contains_key(&state) {
                let condition = side.at_most(state, 0);
                system.constraints.push(side, &condition, &mut introduced)?;
                let label = introduced[0].label();
                system.constraints.simplex.declare_opposite(side.count(state), label);
                system.empty.insert(state, label);
            } else if stage.occupied[state] && !system.occupied.contains_key(&state) {
                let least = if claim.has(PlantedFault::OccupiedTwice) { 2 } else { 1 };
                let condition = side.at_least(state, least);
                system.constraints.push(side, &condition, &mut introduced)?;
                system.occupied.insert(state, introduced[0].label());
            }
        }
        for pair in stage.dead_pairs() {
            let [a, b] = pair;
            if stage.empty[a] || stage.empty[b] {
                continue;
            }
            let mut introduced = Vec::new();
            if a == b {
                if !system.single.contains_key(&a) {
                    let most = if claim.has(PlantedFault::NoSingle) { 0 } else { 1 };
                    let condition = side.at_most(a, most);
                    system.constraints.push(side, &condition, &mut introduced)?;
                    system.single.insert(a, introduced[0].label());
                }
            } else if !system.pairs.contains_key(&pair) {
                let of = vec![vec![side.at_most(a, 0)], vec![side.at_most(b, 0)]];
                let label = system.constraints.push_disjunction(side, of, &mut introduced);
                system.pairs.insert(pair, label);
            }
        }
        if claim.has(PlantedFault::LiveFlow) {
            for number in (0..claim.transitions.len()).filter(|&number| !stage.live[number]) {
                let flow = side.flow(number);
                if !system.without_flow.contains_key(&number) {
                    let condition = CaseCondition::Linear(AtLeast { terms: vec![(flow, -1)], constant: 0 });
                    let mut introduced = Vec::new();
                    system.constraints.push(side, &condition, &mut introduced)?;
                    system.without_flow.insert(number, introduced[0].label());
                }
            }
        }
        // Disjunctions that an empty state decides have no number in certificates.
        let decided: BTreeSet<ConstraintLabel> = system
            .pairs
            .iter()
            .filter(|([a, b], _)| stage.empty[*a] || stage.empty[*b])
            .map(|(_, label)| *label)
            .collect();
        system.constraints.disjunctions.retain(|known| !decided.contains(&known.label));
        Ok(())
    }

    /// The numbers of the constraints of a node, in the order of the checker.
    fn numbering(&self, stage: &Stage, system: &NodeSystem, query: &Introduced) -> Numbering {
        let claim = &self.claim;
        let side = &self.search.system;
        let mut all: Introduced = Vec::new();
        all.extend(claim.inputs.iter().map(|&state| Introduction::Constraint(side.input(state))));
        all.extend((0..claim.transitions.len()).map(|number| Introduction::Constraint(side.flow(number))));
        all.extend(claim.occurring.iter().map(|&state| Introduction::Constraint(side.count(state))));
        all.push(Introduction::Constraint(side.size));
        all.extend(system.empty.values().map(|&label| Introduction::Constraint(label)));
        all.extend(system.occupied.values().map(|&label| Introduction::Constraint(label)));
        all.extend(self.shared.iter().copied());
        for [a, b] in stage.dead_pairs() {
            if stage.empty[a] || stage.empty[b] {
                continue;
            }
            all.push(if a == b {
                Introduction::Constraint(system.single[&a])
            } else {
                Introduction::Disjunction(system.pairs[&[a, b]])
            });
        }
        all.extend(query.iter().copied());
        let mut numbering = Numbering::default();
        if claim.has(PlantedFault::LateNumbers) {
            numbering.introduce(&[Introduction::Constraint(ConstraintLabel::MAX)]);
        }
        numbering.introduce(&all);
        for (&number, &label) in &system.without_flow {
            numbering.replace(label, side.flow(number));
        }
        for (state, &label) in &system.single {
            // An empty state has at most one agent, too: the stronger constraint takes the place.
            if let Some(&stronger) = system.empty.get(state) {
                numbering.replace(label, stronger);
            }
        }
        numbering
    }

    fn proof(&mut self, stage: &Stage, system: &NodeSystem, query: &Introduced, proof: &Refutation) -> Value {
        self.tally.proof += proof.size();
        written(proof, &self.search.system, &mut self.numbering(stage, system, query))
    }

    fn leaf(&mut self, stage: &Stage, system: &mut NodeSystem) -> Result<Leaf, Unproved> {
        let stuck = |why| Unproved::Stuck { live: stage.live_transitions(), candidate: None, why: vec![why] };
        self.extend(stage, system).map_err(stuck)?;
        // The node alone: its vertex chooses the state to split, and warms up the tableaus of the children.
        self.search.work.begin_query(LONG_QUERY);
        let mut introduced = Vec::new();
        if let Solved::Infeasible(factors) = system.constraints.solve(self.search.work).map_err(stuck)? {
            self.search.system.push_wrong(&mut system.constraints, &mut introduced).map_err(stuck)?;
            let proof = Refutation::Farkas(factors);
            return Ok(Leaf::Proved(self.proof(stage, system, &introduced, &proof)));
        }
        let choice = self.choice(stage, system);
        let pairs = stage.dead_pairs();
        let open = pairs.iter().filter(|[a, b]| a != b && !stage.empty[*a] && !stage.empty[*b]).count();
        if let Some(state) = choice
            && open > MANY_PAIRS
        {
            return Ok(Leaf::Split(state));
        }
        let mut query = system.constraints.clone();
        self.search.system.push_wrong(&mut query, &mut introduced).map_err(stuck)?;
        let limit = if choice.is_some() { SHORT_QUERY } else { LONG_QUERY };
        let answered = self.search.query(query, limit);
        match answered {
            CaseAnswer::Impossible(proof, _) => {
                Ok(Leaf::Proved(self.proof(stage, system, &introduced, &proof)))
            }
            CaseAnswer::WrongInput(input) => Err(Unproved::WrongInput(input)),
            CaseAnswer::Unknown(GaveUp::Interrupted) => Err(stuck(GaveUp::Interrupted)),
            CaseAnswer::Possible(point) => match self.choice_at(stage, &point.end).or(choice) {
                Some(state) => Ok(Leaf::Split(state)),
                None => Ok(Leaf::Candidate(Some(point))),
            },
            CaseAnswer::Unknown(_) => Ok(choice.map_or(Leaf::Candidate(None), Leaf::Split)),
        }
    }

    /// The state on which to split. Preferred are states occupied at the current vertex, then states used by live
    /// transitions, then states with most partners.
    fn choice(&self, stage: &Stage, system: &NodeSystem) -> Option<usize> {
        let counts: Vec<u64> = (0..stage.empty.len())
            .map(|state| {
                u64::from(
                    self.claim.occurring.binary_search(&state).is_ok()
                        && system.constraints.simplex.value(self.search.system.count(state)).0 > 0,
                )
            })
            .collect();
        self.choice_at(stage, &counts)
    }

    pub(crate) fn choice_at(&self, stage: &Stage, counts: &[u64]) -> Option<usize> {
        let claim = &self.claim;
        let live = stage.live_transitions();
        let is_constant = |state: usize| {
            claim.has(PlantedFault::ChangingSplit)
                || live.iter().all(|&number| claim.transitions[number].change(state) == 0)
        };
        let mut partners = vec![0_usize; stage.empty.len()];
        for [a, b] in stage.dead_pairs() {
            if a != b && !stage.empty[a] && !stage.empty[b] {
                partners[a] += 1;
                partners[b] += 1;
            }
        }
        let uses =
            |state: usize| live.iter().any(|&number| claim.transitions[number].before.contains(&state));
        let open =
            claim.occurring.iter().copied().filter(|&state| !stage.empty[state] && !stage.occupied[state]);
        open.filter(|&state| is_constant(state) && (partners[state] > 0 || uses(state)))
            .max_by_key(|&state| (counts[state] > 0, uses(state), partners[state], std::cmp::Reverse(state)))
    }

    /// Finds transitions that no configuration of the stage enables, each with a proof.
    pub(crate) fn disabled(
        &mut self,
        stage: &Stage,
        system: &mut NodeSystem,
    ) -> Result<Option<(Value, Vec<usize>)>, Unproved> {
        let claim = Arc::clone(&self.claim);
        let live = stage.live_transitions();
        let stuck = |why| Unproved::Stuck { live: live.clone(), candidate: None, why: vec![why] };
        self.extend(stage, system).map_err(stuck)?;
        let mut asked: Vec<[usize; 2]> = Vec::new();
        for &number in &live {
            let pair = claim.transitions[number].before;
            if asked.contains(&pair) {
                continue;
            }
            asked.push(pair);
            let mut least = counted(&pair);
            if claim.has(PlantedFault::DisabledLate) {
                least.iter_mut().for_each(|(_, count)| *count += 1);
            }
            match self.at_least(stage, system, &least, &[])? {
                None => {}
                Some(proof) => {
                    let dead: Vec<usize> = live
                        .iter()
                        .copied()
                        .filter(|&other| claim.transitions[other].before == pair)
                        .collect();
                    let proofs: serde_json::Map<String, Value> =
                        dead.iter().map(|number| (number.to_string(), proof.clone())).collect();
                    let of_step = json!(dead);
                    let step =
                        object([("kind", "disabled".into()), ("dead", of_step), ("proofs", proofs.into())]);
                    return Ok(Some((step, dead)));
                }
            }
        }
        Ok(None)
    }

    /// Finds single transitions that die out because no configuration of the stage enables them again.
    pub(crate) fn semantic_layer(
        &mut self,
        stage: &Stage,
        system: &mut NodeSystem,
    ) -> Result<Option<(Value, Vec<usize>)>, Unproved> {
        let claim = Arc::clone(&self.claim);
        let live = stage.live_transitions();
        let stuck = |why| Unproved::Stuck { live: live.clone(), candidate: None, why: vec![why] };
        'transitions: for &number in &live {
            let found = stage.conflicts_of(&claim, number, self.search.work).map_err(stuck)?;
            let Some((of_layer, mut conflicts)) = found else { continue };
            if claim.has(PlantedFault::UnprovedLayer) {
                conflicts.clear();
            }
            if conflicts.len() > 40 {
                self.search.work.reach(ReachedLimit::Layers);
                continue;
            }
            let pair = claim.transitions[number].before;
            let mut proofs = serde_json::Map::new();
            for conflict in conflicts {
                let mut least = conflict.least.clone();
                for &state in claim.occurring.iter().filter(|&&state| stage.occupied[state]) {
                    if !least.iter().any(|(known, _)| *known == state) {
                        least.push((state, 1));
                    }
                }
                least.sort_unstable();
                let Some(proof) = self.at_least(stage, system, &least, &[pair])? else {
                    continue 'transitions;
                };
                let [a, b] = [conflict.needs[0], conflict.needs[1]];
                proofs.insert(format!("{}:{a},{b}", conflict.transition), proof);
            }
            let of_layer = weights(&of_layer);
            let kind = ("kind", "layer".into());
            let step = object([
                kind,
                ("dead", vec![number].into()),
                ("weights", of_layer),
                ("proofs", proofs.into()),
            ]);
            return Ok(Some((step, vec![number])));
        }
        Ok(None)
    }

    /// Refutes that a configuration of the stage has at least these counts while `disabled` pairs are disabled.
    fn at_least(
        &mut self,
        stage: &Stage,
        system: &NodeSystem,
        least: &[(usize, usize)],
        disabled: &[[usize; 2]],
    ) -> Result<Option<Value>, Unproved> {
        let side = &self.search.system;
        let conditions: Vec<CaseCondition> =
            least.iter().map(|&(state, count)| side.at_least(state, count as i128)).collect();
        let refuted = self.refuted(stage, system, &conditions, disabled)?;
        Ok(refuted.map(|(introduced, proof)| self.proof(stage, system, &introduced, &proof)))
    }

    /// Refutes that a configuration of the stage satisfies these conditions while `disabled` pairs are disabled.
    pub(crate) fn refuted(
        &mut self,
        stage: &Stage,
        system: &NodeSystem,
        conditions: &[CaseCondition],
        disabled: &[[usize; 2]],
    ) -> Result<Option<(Introduced, Arc<Refutation>)>, Unproved> {
        let stuck = |why| Unproved::Stuck { live: stage.live_transitions(), candidate: None, why: vec![why] };
        let mut query = system.constraints.clone();
        let mut introduced = Vec::new();
        let side = &mut self.search.system;
        for condition in conditions {
            query.push(side, condition, &mut introduced).map_err(stuck)?;
        }
        for &[a, b] in disabled {
            if stage.empty[a] || stage.empty[b] {
                continue;
            }
            if a == b {
                let condition = side.at_most(a, 1);
                query.push(side, &condition, &mut introduced).map_err(stuck)?;
            } else {
                let of = vec![vec![side.at_most(a, 0)], vec![side.at_most(b, 0)]];
                query.push_disjunction(side, of, &mut introduced);
            }
        }
        match self.search.query(query, STEP_QUERY) {
            CaseAnswer::Impossible(proof, _) => Ok(Some((introduced, proof))),
            CaseAnswer::WrongInput(input) => Err(Unproved::WrongInput(input)),
            CaseAnswer::Unknown(GaveUp::Interrupted) => Err(stuck(GaveUp::Interrupted)),
            CaseAnswer::Possible(_) | CaseAnswer::Unknown(_) => Ok(None),
        }
    }

    /// Whether it is proved that every configuration of the stage is right.
    pub(crate) fn is_right(&mut self, stage: &Stage, system: &mut NodeSystem) -> Result<bool, Unproved> {
        let stuck = |why| Unproved::Stuck { live: stage.live_transitions(), candidate: None, why: vec![why] };
        self.extend(stage, system).map_err(stuck)?;
        let mut query = system.constraints.clone();
        self.search.system.push_wrong(&mut query, &mut Vec::new()).map_err(stuck)?;
        match self.search.query(query, SHORT_QUERY) {
            CaseAnswer::Impossible(..) => Ok(true),
            CaseAnswer::WrongInput(input) => Err(Unproved::WrongInput(input)),
            CaseAnswer::Unknown(GaveUp::Interrupted) => Err(stuck(GaveUp::Interrupted)),
            CaseAnswer::Possible(_) | CaseAnswer::Unknown(_) => Ok(false),
        }
    }
}

enum Leaf {
    Proved(Value),
    Split(usize),
    Candidate(Option<WholePoint>),
}
