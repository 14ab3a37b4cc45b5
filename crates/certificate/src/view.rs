//! Knowledge of a wrong bottom component at a node of the tree.

use crate::format::StatePair;
use crate::net::ClaimNet;

/// The knowledge at a node: transitions that may occur in the component, states that are empty in all its
/// configurations, and states that are occupied in all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StageView {
    /// For each transition, whether it may occur in the component.
    pub(crate) live: Vec<bool>,
    /// For each state, whether it is empty in every configuration of the component.
    pub(crate) empty: Vec<bool>,
    /// For each state, whether it is occupied in every configuration of the component.
    pub(crate) occupied: Vec<bool>,
}

impl StageView {
    /// The view without knowledge: all transitions may occur.
    pub(crate) fn new(net: &ClaimNet) -> Self {
        let none = vec![false; net.state_count];
        Self { live: vec![true; net.transitions.len()], empty: none.clone(), occupied: none }
    }

    /// The number of bytes of the view in memory.
    pub(crate) fn size(&self) -> usize {
        self.live.len() + 2 * self.empty.len()
    }

    pub(crate) fn is_live(&self, transition: u32) -> bool {
        self.live.get(transition as usize).is_some_and(|live| *live)
    }

    /// The live transitions.
    pub(crate) fn live(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.live).filter(|(_, live)| **live).map(|(number, _)| number)
    }

    /// For each pair in [`ClaimNet::pres`], whether one of its transitions is dead, so that the pair is never present
    /// in the component.
    pub(crate) fn dead_pres(&self, net: &ClaimNet) -> Vec<bool> {
        let mut dead = vec![false; net.pres.len()];
        for (&pre, live) in net.pre_of.iter().zip(&self.live) {
            dead[pre as usize] |= !live;
        }
        dead
    }

    /// Draws all conclusions that need no arithmetic. Returns whether they contradict each other, so that no such
    /// component exists.
    pub(crate) fn close(&mut self, net: &ClaimNet) -> bool {
        loop {
            let mut is_changed = false;
            let dead = self.dead_pres(net);
            for (number, transition) in net.transitions.iter().enumerate() {
                // A transition dies with its pair, and if it needs or makes an agent in a state that stays empty.
                if self.live[number]
                    && (dead[net.pre_of[number] as usize]
                        || transition.takes_from(&self.empty)
                        || transition.puts_into(&self.empty))
                {
                    self.live[number] = false;
                    is_changed = true;
                }
            }
            for (&pair, _) in net.pres.iter().zip(self.dead_pres(net)).filter(|(_, dead)| *dead) {
                let [a, b] = pair.map(usize::from);
                // Of a dead pair {a, a} one agent may be there, so it says nothing about a.
                if a == b {
                    continue;
                }
                match (self.occupied[a], self.occupied[b]) {
                    (true, true) => return true,
                    (true, false) => is_changed |= !std::mem::replace(&mut self.empty[b], true),
                    (false, true) => is_changed |= !std::mem::replace(&mut self.empty[a], true),
                    (false, false) => {}
                }
            }
            let all_empty = net.occurring.iter().all(|&state| self.empty[usize::from(state)]);
            if all_empty || self.empty.iter().zip(&self.occupied).any(|(empty, occupied)| *empty && *occupied)
            {
                return true;
            }
            if !is_changed {
                return false;
            }
        }
    }

    /// Whether a live transition changes the count of the state.
    pub(crate) fn changes(&self, net: &ClaimNet, state: u16) -> bool {
        net.changing[usize::from(state)].iter().any(|&number| self.live[number as usize])
    }
}

/// A multiset of a few agents: the states in increasing order, each with its nonzero count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FewAgents(pub(crate) Vec<(u16, u32)>);

impl FewAgents {
    pub(crate) fn new(states: impl IntoIterator<Item = u16>) -> Self {
        let mut agents: Vec<(u16, u32)> = Vec::new();
        for state in states {
            match agents.binary_search_by_key(&state, |(known, _)| *known) {
                Ok(place) => agents[place].1 += 1,
                Err(place) => agents.insert(place, (state, 1)),
            }
        }
        Self(agents)
    }

    pub(crate) fn of_pair(pair: StatePair) -> Self {
        Self::new(pair)
    }

    pub(crate) fn count(&self, state: u16) -> u32 {
        self.0.binary_search_by_key(&state, |(known, _)| *known).map_or(0, |place| self.0[place].1)
    }

    /// The agents of `self` that are missing in `other`.
    pub(crate) fn beyond(&self, other: &Self) -> Self {
        let rest = self.0.iter().map(|&(state, count)| (state, count.saturating_sub(other.count(state))));
        Self(rest.filter(|(_, count)| *count > 0).collect())
    }

    pub(crate) fn with(&self, other: &Self) -> Self {
        let of = |agents: &Self| agents.0.clone().into_iter();
        let mut sum: Vec<(u16, u32)> = of(self).collect();
        for (state, count) in of(other) {
            match sum.binary_search_by_key(&state, |(known, _)| *known) {
                Ok(place) => sum[place].1 += count,
                Err(place) => sum.insert(place, (state, count)),
            }
        }
        Self(sum)
    }

    /// Adds one agent to each occupied state that has none.
    pub(crate) fn and_occupied(&self, occupied: &[bool]) -> Self {
        let missing = (0..).zip(occupied).filter(|(state, is)| **is && self.count(*state) == 0);
        self.with(&Self(missing.map(|(state, _)| (state, 1)).collect()))
    }

    pub(crate) fn covers(&self, other: &Self) -> bool {
        other.0.iter().all(|&(state, count)| self.count(state) >= count)
    }

    /// Whether the multiset contains one of the marked pairs.
    pub(crate) fn covers_pair(&self, net: &ClaimNet, marked: &[bool]) -> bool {
        self.0.iter().enumerate().any(|(place, &(a, count))| {
            let partners = self.0[place + 1..].iter().map(|(b, _)| *b);
            let own = (count > 1).then_some(a);
            own.into_iter()
                .chain(partners)
                .any(|b| net.pre_number([a, b]).is_some_and(|number| marked[number as usize]))
        })
    }

    pub(crate) fn touches(&self, set: &[bool]) -> bool {
        self.0.iter().any(|(state, _)| set[usize::from(*state)])
    }
}
