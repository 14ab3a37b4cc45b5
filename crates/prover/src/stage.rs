//! Knowledge about a wrong end: transitions that may be live, empty states, and occupied states.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::PlantedFault;
use crate::layer::{Layer, Weights};
use crate::simplex::{ConstraintLabel, Simplex, Solved};
use crate::system::{MultisetTransition, SizedClaim};
use crate::work::{GaveUp, ProofWork, ReachedLimit};

/// The maximum number of sets of transitions that a search for a layer tries from one transition.
const LAYER_TRIES: u32 = 120;

/// The maximum number of sets that all searches of a step try together.
const LAYER_TRIES_IN_ALL: u32 = 4000;

/// The maximum number of sequences from which layers are chosen, if some have more than two transitions.
const SEQUENCES: usize = 1000;

/// The maximum number of live transitions for which layers are grown from single transitions.
const GROWN_LIVE: usize = 200;

/// The maximum number of ranks that are cached.
const KEPT_RANKS: usize = 1000;

/// Knowledge about a wrong end: live transitions, empty states, occupied states.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) live: Vec<bool>,
    pub(crate) empty: Vec<bool>,
    pub(crate) occupied: Vec<bool>,
    /// Whether a dead transition starts from a pair of states; the pair (a, b) with `a <= b` is at index `a * states +
    /// b`.
    dead: Vec<bool>,
}

/// A member of a layer: the agents that it needs, sorted, and its effect on the counts.
#[derive(Clone, Debug)]
struct LayerItem {
    transitions: Vec<usize>,
    needs: Vec<usize>,
    effect: Vec<(usize, i64)>,
}

/// A way in which a transition outside a layer enables a member of it.
#[derive(Clone, Debug)]
pub(crate) struct LayerConflict {
    pub(crate) transition: usize,
    pub(crate) needs: Vec<usize>,
    /// The smallest configuration in which the transition does so: pairs of a state and a count, without the states
    /// known to be occupied.
    pub(crate) least: Vec<(usize, usize)>,
}

impl Stage {
    pub(crate) fn root(claim: &SizedClaim) -> Self {
        let states = claim.names.len();
        Self {
            live: vec![true; claim.transitions.len()],
            empty: vec![false; states],
            occupied: vec![false; states],
            dead: vec![false; states * states],
        }
    }

    fn states(&self) -> usize {
        self.empty.len()
    }

    fn pair(&self, [a, b]: [usize; 2]) -> usize {
        a.min(b) * self.states() + a.max(b)
    }

    pub(crate) fn is_dead(&self, pair: [usize; 2]) -> bool {
        self.dead[self.pair(pair)]
    }

    /// The pairs of states from which dead transitions start, sorted.
    pub(crate) fn dead_pairs(&self) -> Vec<[usize; 2]> {
        let states = self.states();
        (0..self.dead.len()).filter(|&at| self.dead[at]).map(|at| [at / states, at % states]).collect()
    }

    pub(crate) fn live_transitions(&self) -> Vec<usize> {
        (0..self.live.len()).filter(|&number| self.live[number]).collect()
    }

    pub(crate) fn kill(&mut self, claim: &SizedClaim, transitions: &[usize]) {
        for &number in transitions {
            self.live[number] = false;
            let pair = self.pair(claim.transitions[number].before);
            self.dead[pair] = true;
        }
    }

    /// Draws all conclusions that need no arithmetic. Returns whether the stage is contradictory.
    pub(crate) fn close(&mut self, claim: &SizedClaim) -> bool {
        loop {
            let mut changed = false;
            for (number, transition) in claim.transitions.iter().enumerate() {
                if self.live[number]
                    && (self.is_dead(transition.before)
                        || transition.takes(&self.empty)
                        || transition.puts(&self.empty))
                {
                    self.kill(claim, &[number]);
                    changed = true;
                }
            }
            for [a, b] in self.dead_pairs() {
                if a == b {
                    continue;
                }
                for (state, other) in [(a, b), (b, a)] {
                    if self.occupied[state] || claim.has(PlantedFault::EmptyPair) && state == a {
                        if self.occupied[other] {
                            return true;
                        }
                        changed |= !std::mem::replace(&mut self.empty[other], true);
                    }
                }
            }
            if claim.occurring.iter().any(|&state| self.empty[state] && self.occupied[state])
                || claim.occurring.iter().all(|&state| self.empty[state])
            {
                return true;
            }
            if !changed {
                return false;
            }
        }
    }

    /// The largest set of live transitions that lower some weighted sum that no live transition raises. `work` caches
    /// the answer, because both sides start with the same live transitions, and so does the claim restricted to small
    /// populations.
    pub(crate) fn rank(&self, claim: &SizedClaim, work: &mut ProofWork) -> Result<Option<Layer>, GaveUp> {
        if let Some(known) = work.ranks.get(&self.live) {
            return Ok(known.clone());
        }
        let found = self.searched_rank(claim, work)?;
        if work.ranks.len() < KEPT_RANKS {
            work.ranks.insert(self.live.clone(), found.clone());
        }
        Ok(found)
    }

    fn searched_rank(&self, claim: &SizedClaim, work: &mut ProofWork) -> Result<Option<Layer>, GaveUp> {
        let mut live = self.live_transitions();
        if claim.has(PlantedFault::RaisedRank) {
            live.truncate(live.len().div_ceil(2));
        }
        if live.is_empty() {
            return Ok(None);
        }
        let (mut simplex, first) =
            circulation(claim, live.iter().map(|&number| claim.transitions[number].changes()));
        let mut circulates = vec![false; live.len()];
        work.begin_query(u64::MAX);
        let mut next = first;
        loop {
            let rest: Vec<(ConstraintLabel, i128)> =
                (0..live.len()).filter(|&at| !circulates[at]).map(|at| (at as ConstraintLabel, 1)).collect();
            if rest.is_empty() {
                return Ok(None);
            }
            simplex.add_row(next, &rest, -1, 1)?;
            next += 1;
            match simplex.solve(work)? {
                Solved::Infeasible(factors) => {
                    let weights = weights_of(claim, live.len(), &factors);
                    let most = if claim.has(PlantedFault::LevelRank) { 0 } else { -1 };
                    let dead: Vec<usize> = live
                        .iter()
                        .copied()
                        .filter(|&number| slope(&weights, claim, number) <= most)
                        .collect();
                    let is_sound = live.iter().all(|&number| slope(&weights, claim, number) <= 0);
                    return Ok((is_sound && !dead.is_empty()).then_some(Layer {
                        weights,
                        items: Vec::new(),
                        dead,
                    }));
                }
                Solved::Feasible => {
                    for (at, mark) in circulates.iter_mut().enumerate() {
                        *mark |= simplex.value(at as ConstraintLabel).0 > 0;
                    }
                }
            }
        }
    }

    /// A layer: a set of live transitions that cannot occur forever without other transitions, and that no other live
    /// transition enables again. With `longest` above 1, a layer of sequences of at most so many transitions. Above 2,
    /// the search starts from the sequences of three and more.
    pub(crate) fn layer(
        &self,
        claim: &SizedClaim,
        longest: usize,
        work: &mut ProofWork,
    ) -> Result<Option<Layer>, GaveUp> {
        let live = self.live_transitions();
        let mut items = single_items(claim, &live);
        let mut seeds = 0..items.len();
        if longest > 1 {
            if live.len() > 60 {
                work.reach(ReachedLimit::Layers);
                return Ok(None);
            }
            let of_item = |item: &LayerItem| (item.needs.clone(), item.effect.clone());
            let mut known: BTreeSet<_> = items.iter().map(of_item).collect();
            let mut last = items.clone();
            for length in 2..=longest {
                let followed = last.iter().flat_map(|item| {
                    live.iter().filter_map(move |&next| item.followed_by(&claim.transitions, next))
                });
                let is_new = |item: &LayerItem| known.insert(of_item(item)) || length == 2;
                let longer: Vec<LayerItem> = followed.filter(is_new).collect();
                if length > 2 && items.len() + longer.len() > SEQUENCES {
                    work.reach(ReachedLimit::Layers);
                    break;
                }
                seeds = if length == 3 { items.len() } else { seeds.start }..items.len() + longer.len();
                items.extend(longer.iter().cloned());
                last = longer;
            }
            if longest > 2 && seeds.start == 0 {
                return Ok(None);
            }
        }
        let mut finder =
            LayerFinder { stage: self, claim, live: &live, items: &items, ranked: None, tries: 0, work };
        let mut spent = 0;
        for seed in seeds {
            finder.tries = 0;
            if let Some((members, weights)) = finder.grow(vec![seed])? {
                let chosen: Vec<&LayerItem> = members.iter().map(|&member| &items[member]).collect();
                let dead = if longest > 1 {
                    let covers = |number: &usize| {
                        chosen.iter().any(|item| {
                            covers(&counted(&claim.transitions[*number].before), &item.needs, &[])
                        })
                    };
                    live.iter().copied().filter(covers).collect()
                } else {
                    let mut dead: Vec<usize> = chosen.iter().map(|item| item.transitions[0]).collect();
                    dead.sort_unstable();
                    dead
                };
                let items = chosen.iter().map(|item| item.transitions.clone()).collect();
                if Vec::is_empty(&dead) {
                    continue;
                }
                return Ok(Some(Layer { weights, items, dead }));
            }
            spent += finder.tries;
            if spent > LAYER_TRIES_IN_ALL {
                finder.work.reach(ReachedLimit::Layers);
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Layers whose weights no live transition raises, grown from each single transition.
    pub(crate) fn ranked_layers(
        &self,
        claim: &SizedClaim,
        work: &mut ProofWork,
    ) -> Result<Vec<(Weights, Vec<usize>)>, GaveUp> {
        let mut found: Vec<(Weights, Vec<usize>)> = Vec::new();
        let Some(rank) = self.rank(claim, work)? else { return Ok(found) };
        let live = self.live_transitions();
        let items = single_items(claim, &live);
        let ranked = Some(live.iter().map(|number| rank.dead.contains(number)).collect());
        let mut finder =
            LayerFinder { stage: self, claim, live: &live, items: &items, ranked, tries: 0, work };
        let mut spent = 0;
        for seed in 0..items.len() {
            finder.tries = 0;
            if let Some((members, weights)) = finder.grow(vec![seed])? {
                let mut dead: Vec<usize> = members.iter().map(|&member| live[member]).collect();
                dead.sort_unstable();
                if !found.iter().any(|(_, known)| *known == dead) {
                    found.push((weights, dead));
                }
            }
            spent += finder.tries;
            if spent > LAYER_TRIES_IN_ALL {
                break;
            }
        }
        Ok(found)
    }

    /// Whether no live transition outside a set enables a member of it again.
    pub(crate) fn is_layer(&self, claim: &SizedClaim, members: &[usize]) -> bool {
        self.enabling(claim, &self.live_transitions(), members, needs_of(claim, members)).is_none()
    }

    /// Layers within a set of transitions: the whole set if it is a layer, and the layers grown from each member.
    pub(crate) fn layers_within(&self, claim: &SizedClaim, set: &[usize]) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        if self.is_layer(claim, set) {
            found.push(set.to_vec());
        }
        let live = self.live_transitions();
        if live.len() > GROWN_LIVE {
            return found;
        }
        for &seed in set {
            let mut members = vec![seed];
            loop {
                let Some(least) = self.enabling(claim, &live, &members, needs_of(claim, &members)) else {
                    members.sort_unstable();
                    if !found.contains(&members) {
                        found.push(members);
                    }
                    break;
                };
                let more = set.iter().copied().find(|number| {
                    !members.contains(number)
                        && covers(&least, &claim.transitions[*number].before, &self.occupied)
                });
                let Some(more) = more else { break };
                members.push(more);
            }
        }
        found
    }

    /// The smallest configuration that contains none of `needs` and from which a live transition outside `exempt` leads
    /// to a configuration that contains some of them.
    fn enabling(
        &self,
        claim: &SizedClaim,
        live: &[usize],
        exempt: &[usize],
        needs: Vec<&[usize]>,
    ) -> Option<Vec<(usize, usize)>> {
        let needs = LayerNeeds::new(self, needs);
        if needs.is_always_covered && !claim.has(PlantedFault::OneIsPair) {
            return None;
        }
        let mut is_exempt = vec![false; self.live.len()];
        exempt.iter().for_each(|&number| is_exempt[number] = true);
        for &number in live.iter().filter(|&&number| !is_exempt[number]) {
            // Needs without a state of `after` are covered by the least configuration already.
            for wanted in needs.touching(claim.transitions[number].after) {
                let Some(least) = self.least(claim, number, wanted) else { continue };
                let is_enabled = if claim.has(PlantedFault::OneIsPair) {
                    needs.sorted.iter().any(|other| covers(least.counts(), &other[..1], &self.occupied))
                } else {
                    needs.are_covered(least.counts(), &self.occupied)
                };
                if !is_enabled {
                    return Some(least.counts().to_vec());
                }
            }
        }
        None
    }

    /// The ways to enable a single transition again, if it cannot occur forever alone.
    pub(crate) fn conflicts_of(
        &self,
        claim: &SizedClaim,
        number: usize,
        work: &mut ProofWork,
    ) -> Result<Option<(Weights, Vec<LayerConflict>)>, GaveUp> {
        let Some(weights) = running_out(claim, &[claim.transitions[number].changes()], work)? else {
            return Ok(None);
        };
        let needs = claim.transitions[number].before.to_vec();
        let conflicts = self
            .live_transitions()
            .into_iter()
            .filter(|&other| other != number)
            .filter_map(|other| self.conflict(claim, other, &needs))
            .filter(|conflict| !self.covers_with_occupied(&conflict.least, &needs))
            .collect();
        Ok(Some((weights, conflicts)))
    }

    fn covers_with_occupied(&self, least: &[(usize, usize)], needs: &[usize]) -> bool {
        covers(least, needs, &self.occupied)
    }

    /// The way in which a transition leads to a configuration that covers `needs`; `None` if the transition cannot do
    /// so.
    fn conflict(&self, claim: &SizedClaim, number: usize, needs: &[usize]) -> Option<LayerConflict> {
        let least = self.least(claim, number, needs)?.counts().to_vec();
        Some(LayerConflict { transition: number, needs: needs.to_vec(), least })
    }

    /// The least configuration from which a transition leads to one that covers `needs`; `None` if the transition
    /// cannot do so.
    fn least(&self, claim: &SizedClaim, number: usize, needs: &[usize]) -> Option<LeastAgents> {
        let transition = &claim.transitions[number];
        let mut agents = LeastAgents::default();
        transition.before.iter().for_each(|&state| agents.add(state));
        let mut given = transition.after.map(Some);
        for &state in needs {
            match given.iter_mut().find(|known| **known == Some(state)) {
                Some(known) => *known = None,
                None => agents.add(state),
            }
        }
        let counts = agents.counts();
        if counts.iter().any(|(state, _)| self.empty[*state]) {
            return None;
        }
        for (at, &(state, count)) in counts.iter().enumerate() {
            if count > 1 && self.is_dead([state, state]) {
                return None;
            }
            if counts[at + 1..].iter().any(|(other, _)| self.is_dead([state, *other])) {
                return None;
            }
        }
        Some(agents)
    }
}

/// The maximum number of agents that a transition and the needs of a layer member have together.
const FEW: usize = 5;

/// The states of at most [`FEW`] agents with their counts, sorted.
#[derive(Clone, Copy, Default)]
struct LeastAgents {
    counts: [(usize, usize); FEW],
    states: usize,
}

impl LeastAgents {
    fn add(&mut self, state: usize) {
        let place = self.counts().partition_point(|&(known, _)| known < state);
        if self.counts().get(place).is_none_or(|&(known, _)| known != state) {
            self.counts.copy_within(place..self.states, place + 1);
            self.counts[place] = (state, 0);
            self.states += 1;
        }
        self.counts[place].1 += 1;
    }

    fn counts(&self) -> &[(usize, usize)] {
        &self.counts[..self.states]
    }
}

/// The needs of the members of a layer, found by their states.
struct LayerNeeds<'a> {
    sorted: Vec<&'a [usize]>,
    /// For each state, the indices in `sorted` of the needs that contain the state, in increasing order.
    of_state: Vec<Vec<usize>>,
    states: usize,
    /// Whether a pair of states is a need; the pair (a, b) with `a <= b` is at index `a * states + b`.
    is_pair: Vec<bool>,
    /// Needs of more than two agents.
    longer: Vec<&'a [usize]>,
    occupied: Vec<usize>,
    /// Whether some need is a pair of occupied states, so that every configuration covers it.
    is_always_covered: bool,
}

impl<'a> LayerNeeds<'a> {
    fn new(stage: &Stage, mut sorted: Vec<&'a [usize]>) -> Self {
        sorted.sort_unstable();
        sorted.dedup();
        let states = stage.states();
        let mut of_state = vec![Vec::new(); states];
        let mut is_pair = vec![false; states * states];
        let mut longer = Vec::new();
        for (number, needs) in sorted.iter().enumerate() {
            for (at, &state) in needs.iter().enumerate() {
                if !needs[..at].contains(&state) {
                    of_state[state].push(number);
                }
            }
            match **needs {
                [a, b] => is_pair[a * states + b] = true,
                _ => longer.push(*needs),
            }
        }
        let occupied: Vec<usize> = (0..states).filter(|&state| stage.occupied[state]).collect();
        let of_pair = |a: usize, b: usize| is_pair[a * states + b];
        let is_always_covered = (0..occupied.len())
            .any(|at| occupied[at + 1..].iter().any(|&other| of_pair(occupied[at], other)));
        Self { sorted, of_state, states, is_pair, longer, occupied, is_always_covered }
    }

    /// The needs that contain one of these states, in order.
    fn touching(&self, [a, b]: [usize; 2]) -> impl Iterator<Item = &'a [usize]> {
        let (mut left, mut right) = (&self.of_state[a][..], &self.of_state[b][..]);
        std::iter::from_fn(move || {
            let next = match (left.first(), right.first()) {
                (Some(&one), Some(&other)) => one.min(other),
                (one, other) => *one.or(other)?,
            };
            for side in [&mut left, &mut right] {
                if side.first() == Some(&next) {
                    *side = &side[1..];
                }
            }
            Some(self.sorted[next])
        })
    }

    /// Whether a configuration of at least these counts, with one agent at least in each occupied state, covers one
    /// of the needs.
    fn are_covered(&self, least: &[(usize, usize)], occupied: &[bool]) -> bool {
        let is_pair = |a: usize, b: usize| self.is_pair[a.min(b) * self.states + a.max(b)];
        self.is_always_covered
            || least.iter().enumerate().any(|(at, &(state, count))| {
                count > 1 && is_pair(state, state)
                    || least[at + 1..].iter().any(|&(other, _)| is_pair(state, other))
                    || self.occupied.iter().any(|&other| other != state && is_pair(state, other))
            })
            || self.longer.iter().any(|needs| covers(least, needs, occupied))
    }
}

/// The states before each of these transitions.
fn needs_of<'c>(claim: &'c SizedClaim, members: &[usize]) -> Vec<&'c [usize]> {
    members.iter().map(|&number| &claim.transitions[number].before[..]).collect()
}

/// One layer item per transition.
fn single_items(claim: &SizedClaim, live: &[usize]) -> Vec<LayerItem> {
    let item = |&number: &usize| LayerItem {
        transitions: vec![number],
        needs: claim.transitions[number].before.to_vec(),
        effect: claim.transitions[number].changes(),
    };
    live.iter().map(item).collect()
}

impl LayerItem {
    /// This sequence and then the transition `next`, if they need at most three agents and change some count.
    fn followed_by(&self, transitions: &[MultisetTransition], next: usize) -> Option<Self> {
        let transition = &transitions[next];
        let mut there: BTreeMap<usize, i64> = self.effect.iter().copied().collect();
        for &state in &self.needs {
            *there.entry(state).or_default() += 1;
        }
        let mut needs = self.needs.clone();
        for (state, count) in counted(&transition.before) {
            let lacking = count as i64 - there.get(&state).copied().unwrap_or(0);
            needs.extend((0..lacking).map(|_| state));
        }
        needs.sort_unstable();
        if needs.len() > 3 {
            return None;
        }
        let mut effect: BTreeMap<usize, i64> = self.effect.iter().copied().collect();
        for (state, change) in transition.changes() {
            *effect.entry(state).or_default() += change;
        }
        let effect: Vec<(usize, i64)> = effect.into_iter().filter(|(_, change)| *change != 0).collect();
        let sequence = [&self.transitions[..], &[next]].concat();
        (!effect.is_empty()).then_some(Self { transitions: sequence, needs, effect })
    }
}

struct LayerFinder<'a, 'w> {
    stage: &'a Stage,
    claim: &'a SizedClaim,
    live: &'a [usize],
    items: &'a [LayerItem],
    /// The items of the largest rank, if no live transition may raise the weights. Sums of weights are weights too, so
    /// exactly the subsets of these items have weights.
    ranked: Option<Vec<bool>>,
    tries: u32,
    work: &'w mut ProofWork,
}

impl LayerFinder<'_, '_> {
    /// Extends a set until no live transition outside it enables a member again.
    fn grow(&mut self, members: Vec<usize>) -> Result<Option<(Vec<usize>, Weights)>, GaveUp> {
        self.tries += 1;
        self.work.check()?;
        let effect = |member: usize| self.items[member].effect.clone();
        let weights = match &self.ranked {
            Some(ranked) if !members.iter().all(|&member| ranked[member]) => return Ok(None),
            Some(_) => None,
            None => {
                let effects: Vec<Vec<(usize, i64)>> = members.iter().map(|&member| effect(member)).collect();
                let weights = running_out(self.claim, &effects, self.work)?;
                if weights.is_none() {
                    return Ok(None);
                }
                weights
            }
        };
        let open = self.claim.has(PlantedFault::OpenLayer);
        let Some(least) = self.first_conflict(&members).filter(|_| !open) else {
            if weights.is_some() {
                return Ok(weights.map(|weights| (members, weights)));
            }
            let effects: Vec<Vec<(usize, i64)>> = (0..self.items.len()).map(effect).collect();
            let weights = falling(self.claim, &effects, &members, self.work)?;
            return Ok(weights.map(|weights| (members, weights)));
        };
        for item in 0..self.items.len() {
            if self.tries >= LAYER_TRIES {
                self.work.reach(ReachedLimit::Layers);
                return Ok(None);
            }
            if !members.contains(&item) && covers(&least, &self.items[item].needs, &self.stage.occupied) {
                let mut more = members.clone();
                more.push(item);
                if let Some(found) = self.grow(more)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn first_conflict(&self, members: &[usize]) -> Option<Vec<(usize, usize)>> {
        let alone: Vec<usize> = members
            .iter()
            .filter(|&&member| self.items[member].transitions.len() == 1)
            .map(|&member| self.items[member].transitions[0])
            .collect();
        let needs = members.iter().map(|&member| &self.items[member].needs[..]).collect();
        self.stage.enabling(self.claim, self.live, &alone, needs)
    }
}

/// The states of agents with their counts, sorted.
pub(crate) fn counted(agents: &[usize]) -> Vec<(usize, usize)> {
    let mut sorted = agents.to_vec();
    sorted.sort_unstable();
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for state in sorted {
        match counts.last_mut() {
            Some((last, count)) if *last == state => *count += 1,
            _ => counts.push((state, 1)),
        }
    }
    counts
}

/// Whether every configuration with at least these counts, and at least one agent in each occupied state, contains the
/// agents of `needs`. `needs` is sorted.
fn covers(least: &[(usize, usize)], needs: &[usize], occupied: &[bool]) -> bool {
    needs.chunk_by(|one, other| one == other).all(|of_state| {
        let state = of_state[0];
        let there = least.iter().find(|(known, _)| *known == state).map_or(0, |(_, count)| *count);
        let raised = occupied.get(state).is_some_and(|&mark| mark);
        of_state.len() <= there.max(usize::from(raised))
    })
}

pub(crate) fn slope(weights: &Weights, claim: &SizedClaim, number: usize) -> i128 {
    effect_slope(weights, &claim.transitions[number].changes())
}

fn effect_slope(weights: &Weights, effect: &[(usize, i64)]) -> i128 {
    let weight =
        |state: usize| weights.iter().find(|(known, _)| *known == state).map_or(0, |(_, weight)| *weight);
    effect.iter().map(|&(state, change)| weight(state) * i128::from(change)).sum()
}

/// Weights that each effect lowers; `None` if there are none, because some combination of the effects changes no count.
fn running_out(
    claim: &SizedClaim,
    effects: &[Vec<(usize, i64)>],
    work: &mut ProofWork,
) -> Result<Option<Weights>, GaveUp> {
    let all: Vec<usize> = (0..effects.len()).collect();
    falling(claim, effects, &all, work)
}

/// Weights that no effect raises and each member lowers; `None` if there are none, because some combination with a
/// member changes no count.
fn falling(
    claim: &SizedClaim,
    effects: &[Vec<(usize, i64)>],
    members: &[usize],
    work: &mut ProofWork,
) -> Result<Option<Weights>, GaveUp> {
    let (mut simplex, next) = circulation(claim, effects.iter().cloned());
    let all: Vec<(ConstraintLabel, i128)> = members.iter().map(|&at| (at as ConstraintLabel, 1)).collect();
    simplex.add_row(next, &all, -1, 1)?;
    work.begin_query(u64::MAX);
    Ok(match simplex.solve(work)? {
        Solved::Infeasible(factors) => {
            let weights = weights_of(claim, effects.len(), &factors);
            let falls = members.iter().all(|&member| effect_slope(&weights, &effects[member]) < 0);
            let is_raised = effects.iter().any(|effect| effect_slope(&weights, effect) > 0);
            (falls && !is_raised).then_some(weights)
        }
        Solved::Feasible => None,
    })
}

/// The system Σ y · effect >= 0 for all states, y >= 0, and the next label. The number of agents is constant, so in
/// every solution all these sums are 0.
fn circulation(
    claim: &SizedClaim,
    effects: impl ExactSizeIterator<Item = Vec<(usize, i64)>>,
) -> (Simplex, ConstraintLabel) {
    let mut simplex = Simplex::new();
    let columns = effects.len() as ConstraintLabel;
    let mut rows: Vec<Vec<(ConstraintLabel, i128)>> = vec![Vec::new(); claim.names.len()];
    for label in 0..columns {
        simplex.add_column(label, 1, false);
    }
    for (label, effect) in (0..).zip(effects) {
        for (state, change) in effect {
            rows[state].push((label, i128::from(change)));
        }
    }
    // Each column has its place at first, so that long rows are added in linear time.
    simplex.index(columns);
    for (state, row) in rows.iter().enumerate() {
        if !row.is_empty() {
            simplex.add_row(columns + state as ConstraintLabel, row, 0, 1).expect("effects are small");
        }
    }
    (simplex, columns + claim.names.len() as ConstraintLabel)
}

fn weights_of(claim: &SizedClaim, columns: usize, factors: &[(ConstraintLabel, i128)]) -> Weights {
    let states = columns..columns + claim.names.len();
    let mut weights: Weights = factors
        .iter()
        .filter(|(label, _)| states.contains(&(*label as usize)))
        .map(|&(label, factor)| (label as usize - columns, factor))
        .collect();
    weights.sort_unstable();
    weights
}
