//! Infinite runs that a weakly fair adversary can enforce, regardless of the outcomes of coins.

use std::collections::BTreeMap;

use crate::MoveId;
use crate::components::{NONE, strongly_connected};
use crate::graph::{ConfigurationGraph, MoveEdge, WAITING};

/// A set of configurations that an adversary can stay inside forever with probability 1, for all outcomes of coins,
/// while it meets every duty of weak fairness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairComponent {
    /// The configurations, in increasing order.
    pub members: Vec<u32>,
    /// Whether the adversary can simply wait, because the set is a single configuration without a duty.
    pub at_rest: bool,
}

/// All sets in which a weakly fair adversary can stay forever without leaving configurations with labels accepted by
/// `within`; see [`fair_component`]. Configurations at rest come first.
#[must_use]
pub fn fair_components(graph: &ConfigurationGraph, within: impl Fn(u32) -> bool) -> Vec<FairComponent> {
    let len = graph.len() as u32;
    let mut found = Vec::new();
    let mut part: Vec<u32> = (0..len).map(|node| if within(graph.label(node)) { 0 } else { NONE }).collect();
    for node in (0..len).filter(|&node| part[node as usize] != NONE) {
        if graph.edges(node).iter().all(|edge| edge.duty == 0) {
            found.push(FairComponent { members: vec![node], at_rest: true });
        }
    }
    stay(graph, &mut part);
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for node in (0..len).filter(|&node| part[node as usize] != NONE) {
        members.entry(part[node as usize]).or_default().push(node);
    }
    found.extend(members.into_values().map(|members| FairComponent { members, at_rest: false }));
    found
}

/// A set of configurations with labels accepted by `within` that an adversary need not leave. `None` if there is no
/// such set: then every fair run leaves `within` with probability 1, even if the adversary sees all past coins and
/// configurations.
///
/// The set is a maximal end component of the graph as a Markov decision process: the adversary chooses the step, coins
/// choose the outcome. Every duty is done somewhere in the set, or is not enabled somewhere in it. Or the set is a
/// single configuration without a duty.
///
/// If a duty is always enabled and never done in a component, the same holds in every part of it. So components that
/// fail are dropped as a whole, until nothing changes (de Alfaro 1997, end components).
///
/// Cost: several passes of O(configurations + moves) each.
#[must_use]
pub fn fair_component(graph: &ConfigurationGraph, within: impl Fn(u32) -> bool) -> Option<FairComponent> {
    fair_components(graph, within).into_iter().next()
}

/// Keeps in `part` only the components in which a fair adversary can stay, each with its own number.
fn stay(graph: &ConfigurationGraph, part: &mut Vec<u32>) {
    let mut parts = 1;
    loop {
        let allowed = Allowed::of(graph, part);
        let (mut next, count) = strongly_connected(
            graph.len(),
            |node| part[node as usize] != NONE,
            |node, index| {
                let edge = graph.edges(node).get(index)?;
                Some(allowed.contains(graph, node, index).then_some(edge.target))
            },
        );
        let kept = drop_unfair(graph, &mut next, count);
        let same =
            kept == parts && next.iter().zip(&*part).all(|(new, old)| (*new == NONE) == (*old == NONE));
        (*part, parts) = (next, kept);
        if same {
            return;
        }
    }
}

/// A bit set of the moves that belong to steps whose outcomes all stay in one part.
struct Allowed(Vec<u64>);

impl Allowed {
    fn of(graph: &ConfigurationGraph, part: &[u32]) -> Self {
        let mut bits = vec![0_u64; graph.moves.len().div_ceil(64)];
        let mut at = 0_usize;
        for node in 0..graph.len() as u32 {
            for step in steps(graph.edges(node)) {
                if stays(step, node, part) {
                    for index in at..at + step.len() {
                        bits[index / 64] |= 1 << (index % 64);
                    }
                }
                at += step.len();
            }
        }
        Self(bits)
    }

    fn contains(&self, graph: &ConfigurationGraph, node: u32, index: usize) -> bool {
        let start = if node == 0 { 0 } else { graph.ends[node as usize - 1] };
        let at = start as usize + index;
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// The moves of one configuration, grouped by step. Waiting duties and chosen outcomes form groups of one.
pub(crate) fn steps(edges: &[MoveEdge]) -> impl Iterator<Item = &[MoveEdge]> {
    edges.chunk_by(|a, b| a.step == b.step && a.step != WAITING && a.outcome & MoveId::CHOSEN == 0)
}

fn stays(step: &[MoveEdge], node: u32, part: &[u32]) -> bool {
    let own = part[node as usize];
    own != NONE && step[0].step != WAITING && step.iter().all(|edge| part[edge.target as usize] == own)
}

/// Drops the components without a step inside, and those with a duty that is always enabled and never done.
/// Returns the number of components that remain.
fn drop_unfair(graph: &ConfigurationGraph, part: &mut [u32], count: u32) -> u32 {
    let words = graph.duties.len().div_ceil(64);
    // Only components with a step inside get sets of duties: most are single configurations that a run leaves
    // permanently.
    let mut place = vec![NONE; count as usize];
    let mut moving = 0_u32;
    for node in 0..graph.len() as u32 {
        let own = part[node as usize];
        if own != NONE
            && place[own as usize] == NONE
            && steps(graph.edges(node)).any(|step| stays(step, node, part))
        {
            place[own as usize] = moving;
            moving += 1;
        }
    }
    let mut always = vec![u64::MAX; words * moving as usize];
    let mut done = vec![0_u64; words * moving as usize];
    let mut enabled = vec![0_u64; words];
    for node in 0..graph.len() as u32 {
        let own = part[node as usize];
        if own == NONE || place[own as usize] == NONE {
            continue;
        }
        let first = place[own as usize] as usize * words;
        enabled.fill(0);
        for step in steps(graph.edges(node)) {
            let (word, bit) = (usize::from(step[0].duty) / 64, 1_u64 << (step[0].duty % 64));
            enabled[word] |= bit;
            if stays(step, node, part) {
                done[first + word] |= bit;
            }
        }
        for (word, enabled) in enabled.iter().enumerate() {
            always[first + word] &= enabled;
        }
    }
    let fair = |place: u32| {
        (0..words).all(|word| {
            let at = place as usize * words + word;
            // Duty number 0 means no duty.
            let duties = if word == 0 { !1 } else { u64::MAX };
            always[at] & !done[at] & duties == 0
        })
    };
    let kept: Vec<bool> = place.iter().map(|&place| place != NONE && fair(place)).collect();
    for own in part.iter_mut().filter(|own| **own != NONE) {
        if !kept[*own as usize] {
            *own = NONE;
        }
    }
    kept.iter().filter(|&&kept| kept).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Duty;

    const COIN: Duty = Duty(7);
    const OTHER: Duty = Duty(9);

    fn step(step: u16, duty: Duty, targets: &[u32]) -> Vec<(MoveId, Duty, u32)> {
        let outcomes = targets.iter().zip(0..);
        outcomes.map(|(&target, outcome)| (MoveId { step, outcome }, duty, target)).collect()
    }

    fn find(moves: &[Vec<(MoveId, Duty, u32)>]) -> Option<Vec<u32>> {
        let mut labels = vec![1; moves.len()];
        *labels.last_mut().unwrap() = 0;
        fair_component(&ConfigurationGraph::from_moves(labels, moves), |label| label == 1)
            .map(|found| found.members)
    }

    #[test]
    fn a_coin_cannot_be_avoided_but_a_choice_can() {
        // 0 tosses a coin: stay, or go to the end (1).
        assert_eq!(find(&[step(0, COIN, &[0, 1]), vec![]]), None);
        // The same targets as two steps: the adversary never takes the one to the end, and the duty is done
        // anyway.
        assert_eq!(find(&[[step(0, COIN, &[0]), step(1, COIN, &[1])].concat(), vec![]]), Some(vec![0]));
        // With its own duty the step to the end must be taken.
        assert_eq!(find(&[[step(0, COIN, &[0]), step(1, OTHER, &[1])].concat(), vec![]]), None);
    }

    #[test]
    fn an_outcome_that_the_adversary_chooses_is_no_coin() {
        // As the coin above, but the adversary chooses: the end is never chosen, and the duty is done anyway.
        let chosen = |outcome| MoveId { step: 0, outcome: outcome | MoveId::CHOSEN };
        assert_eq!(find(&[vec![(chosen(0), COIN, 0), (chosen(1), COIN, 1)], vec![]]), Some(vec![0]));
    }

    #[test]
    fn a_duty_that_is_disabled_on_the_way_need_not_be_done() {
        let dodging = [[step(0, COIN, &[1]), step(1, OTHER, &[2])].concat(), step(0, COIN, &[0]), vec![]];
        assert_eq!(find(&dodging), Some(vec![0, 1]));
        let cornered = [
            [step(0, COIN, &[1]), step(1, OTHER, &[2])].concat(),
            [step(0, COIN, &[0]), step(1, OTHER, &[2])].concat(),
            vec![],
        ];
        assert_eq!(find(&cornered), None);
    }

    #[test]
    fn a_duty_that_waits_for_a_busy_node_has_to_be_done() {
        // As `dodging`, but at 1 the duty of 0 is also due, and cannot be done because the node is busy.
        let busy = [
            [step(0, COIN, &[1]), step(1, OTHER, &[2])].concat(),
            [step(0, COIN, &[0]), step(WAITING, COIN, &[1]), step(WAITING, OTHER, &[1])].concat(),
            vec![],
        ];
        assert_eq!(find(&busy), None);
    }

    #[test]
    fn parts_that_lose_their_way_back_are_dropped_in_turn() {
        // 0 <-> 1 only through a coin at 1 that may lead to 2, which leads only to the end.
        let leaking = [step(0, COIN, &[1]), step(0, OTHER, &[0, 2]), step(0, COIN, &[3]), vec![]];
        assert_eq!(find(&leaking), None);
    }

    #[test]
    fn without_a_duty_the_adversary_may_wait() {
        let resting = [[step(0, Duty::NONE, &[1])].concat(), vec![]];
        assert_eq!(find(&resting), Some(vec![0]));
        let busy = [[step(0, Duty::NONE, &[0]), step(1, OTHER, &[1])].concat(), vec![]];
        assert_eq!(find(&busy), None);
    }
}
