//! Exhaustive exploration: forwards from one input, and backwards from one configuration.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use hashbrown::{HashMap, HashSet};

use crate::system::SizedClaim;

/// A hasher without a random seed, so that every run does the same.
type ConfigurationHasher = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;

/// A run of an input into a wrong end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongEnd {
    /// The number of agents that start in each state, in the order of the table.
    pub input: Vec<u64>,
    /// The numbers of the transitions of a run into a bottom component.
    pub run: Vec<usize>,
    /// The configuration at which the run enters the wrong end.
    pub entered: Vec<u64>,
    /// A wrong configuration of the wrong end.
    pub wrong: Vec<u64>,
    /// The number of configurations of the wrong end.
    pub configurations: u64,
    /// The first few configurations of the wrong end, as examples.
    pub shown: Vec<Vec<u64>>,
}

/// The maximum number of configurations of a wrong end that are shown.
const SHOWN: usize = 6;

/// The result of exploring one input.
#[derive(Debug)]
pub(crate) enum InputExploration {
    /// A bottom component has a wrong configuration.
    Wrong(Box<WrongEnd>),
    /// No reachable bottom component has a wrong configuration.
    Right {
        /// Whether each state of the table was ever occupied.
        occupied: Vec<bool>,
        configurations: usize,
    },
    TooLarge,
}

struct ReachedGraph {
    numbers: HashMap<Box<[u16]>, u32, ConfigurationHasher>,
    order: Vec<Box<[u16]>>,
    successors: Vec<Vec<u32>>,
    /// For each configuration, the configuration from which it was found, and the transition.
    parents: Vec<(u32, u32)>,
}

impl ReachedGraph {
    fn counts(&self, number: u32) -> Vec<u64> {
        self.order[number as usize].iter().map(|&count| u64::from(count)).collect()
    }
}

/// Explores all configurations that an input reaches, at most `limit`.
pub(crate) fn explore(
    claim: &SizedClaim,
    input: &[u64],
    limit: usize,
    stop: &AtomicBool,
) -> InputExploration {
    explore_from(claim, input, claim.value(input), limit, stop)
}

/// Explores all configurations that a configuration of a side reaches. The run to a wrong end begins at this
/// configuration.
fn explore_from(
    claim: &SizedClaim,
    start: &[u64],
    value: bool,
    limit: usize,
    stop: &AtomicBool,
) -> InputExploration {
    let Some(graph) = reached(claim, start, limit, false, stop) else { return InputExploration::TooLarge };
    let all = 0..graph.order.len() as u32;
    let is_wrong: Vec<bool> = all.map(|number| !claim.is_right(&graph.counts(number), value)).collect();
    if let Some(members) = wrong_bottom(&graph.successors, &is_wrong) {
        // Breadth first: the smallest number has a shortest run.
        let entered = *members.iter().min().expect("a component has a member");
        let wrong = members.iter().copied().filter(|&member| is_wrong[member as usize]).min();
        let wrong = if is_wrong[entered as usize] { entered } else { wrong.expect("the component is wrong") };
        let mut run = Vec::new();
        let mut at = entered;
        while at != 0 {
            let (parent, transition) = graph.parents[at as usize];
            run.push(transition as usize);
            at = parent;
        }
        run.reverse();
        return InputExploration::Wrong(Box::new(WrongEnd {
            input: start.to_vec(),
            run,
            entered: graph.counts(entered),
            wrong: graph.counts(wrong),
            configurations: members.len() as u64,
            shown: members.iter().take(SHOWN).map(|&member| graph.counts(member)).collect(),
        }));
    }
    let mut occupied = vec![false; claim.names.len()];
    for packed in &graph.order {
        for (mark, &count) in occupied.iter_mut().zip(packed.iter()) {
            *mark |= count > 0;
        }
    }
    InputExploration::Right { occupied, configurations: graph.order.len() }
}

/// Orders the transitions of a flow into a run from its input, and looks for a wrong end after it. `None` if none is
/// found within `limit` steps.
pub(crate) fn realise(
    claim: &SizedClaim,
    input: &[u64],
    flow: &[u64],
    limit: usize,
    stop: &AtomicBool,
) -> Option<Box<WrongEnd>> {
    let total: u64 = flow.iter().sum();
    if total > limit as u64 {
        return None;
    }
    let mut left: Vec<u64> = flow.to_vec();
    let mut counts = input.to_vec();
    let mut seen: HashSet<Vec<u64>, ConfigurationHasher> = HashSet::default();
    let mut run: Vec<usize> = Vec::new();
    let next = |left: &[u64], counts: &[u64]| -> Vec<usize> {
        let is_enabled = |number: &usize| {
            let [a, b] = claim.transitions[*number].before;
            left[*number] > 0 && counts[a] > 0 && counts[b] > 0 && (a != b || counts[a] > 1)
        };
        // Taken from the back: the transition with most firings left comes first.
        let mut enabled: Vec<usize> = (0..left.len()).filter(is_enabled).collect();
        enabled.sort_by_key(|&number| left[number]);
        enabled
    };
    let fire = |counts: &mut [u64], number: usize, forwards: bool| {
        let transition = claim.transitions[number];
        let (from, to) = if forwards {
            (transition.before, transition.after)
        } else {
            (transition.after, transition.before)
        };
        for state in from {
            counts[state] -= 1;
        }
        for state in to {
            counts[state] += 1;
        }
    };
    let mut open = vec![next(&left, &counts)];
    let mut steps = 0;
    while run.len() as u64 != total {
        let Some(number) = open.last_mut()?.pop() else {
            open.pop();
            let last = run.pop()?;
            fire(&mut counts, last, false);
            left[last] += 1;
            continue;
        };
        steps += 1;
        if steps > limit || steps % 256 == 0 && stop.load(Ordering::Relaxed) {
            return None;
        }
        left[number] -= 1;
        if seen.insert(left.clone()) {
            fire(&mut counts, number, true);
            run.push(number);
            open.push(next(&left, &counts));
        } else {
            left[number] += 1;
        }
    }
    match explore_from(claim, &counts, claim.value(input), limit, stop) {
        InputExploration::Wrong(mut end) => {
            run.append(&mut end.run);
            Some(Box::new(WrongEnd { input: input.to_vec(), run, ..*end }))
        }
        _ => None,
    }
}

/// The maximum number of steps of one simulated run.
const SIMULATED_STEPS: usize = 20_000;

/// The maximum number of configurations explored after a simulated run.
const SIMULATED_END: usize = 3_000;

/// Looks for a wrong end after a few simulated runs: two runs prefer transitions by their numbers, and the others are
/// random with a fixed seed.
pub(crate) fn simulate(claim: &SizedClaim, input: &[u64], stop: &AtomicBool) -> Option<Box<WrongEnd>> {
    let steps = SIMULATED_STEPS.min(4_000_000 / claim.transitions.len().max(1));
    for attempt in 0..6_u64 {
        let mut counts = input.to_vec();
        let mut run = Vec::new();
        let mut random = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(attempt + 1);
        for step in 0..steps {
            if step % 256 == 0 && stop.load(Ordering::Relaxed) {
                return None;
            }
            let enabled = claim.transitions.iter().enumerate().filter(|(_, transition)| {
                let [a, b] = transition.before;
                counts[a] > 0 && counts[b] > 0 && (a != b || counts[a] > 1)
            });
            let enabled: Vec<usize> = enabled.map(|(number, _)| number).collect();
            let Some(&first) = enabled.first() else { break };
            let number = match attempt {
                0 => first,
                1 => enabled[enabled.len() - 1],
                _ => {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    enabled[(random % enabled.len() as u64) as usize]
                }
            };
            let transition = claim.transitions[number];
            for state in transition.before {
                counts[state] -= 1;
            }
            for state in transition.after {
                counts[state] += 1;
            }
            run.push(number);
        }
        if let InputExploration::Wrong(mut end) =
            explore_from(claim, &counts, claim.value(input), SIMULATED_END, stop)
        {
            run.append(&mut end.run);
            return Some(Box::new(WrongEnd { input: input.to_vec(), run, ..*end }));
        }
    }
    None
}

/// Whether each state is occupied in some configuration that reaches `end`; `None` if more than `limit` configurations
/// reach it.
pub(crate) fn occupied_before(
    claim: &SizedClaim,
    end: &[u64],
    limit: usize,
    stop: &AtomicBool,
) -> Option<Vec<bool>> {
    let graph = reached(claim, end, limit, true, stop)?;
    let mut occupied = vec![false; claim.names.len()];
    for packed in &graph.order {
        for (mark, &count) in occupied.iter_mut().zip(packed.iter()) {
            *mark |= count > 0;
        }
    }
    Some(occupied)
}

/// Collects the reached configurations; `None` if there are more than `limit`, or if the caller asks to stop.
fn reached(
    claim: &SizedClaim,
    start: &[u64],
    limit: usize,
    backwards: bool,
    stop: &AtomicBool,
) -> Option<ReachedGraph> {
    let start: Option<Box<[u16]>> = start.iter().map(|&count| u16::try_from(count).ok()).collect();
    let start = start?;
    let mut graph = ReachedGraph {
        numbers: HashMap::default(),
        order: vec![start.clone()],
        successors: Vec::new(),
        parents: vec![(0, 0)],
    };
    graph.numbers.insert(start, 0);
    let mut at = 0;
    while at < graph.order.len() {
        if at % 256 == 0 && stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut successors = Vec::new();
        let mut next = graph.order[at].clone();
        for (index, transition) in claim.transitions.iter().enumerate() {
            let (before, after) = if backwards {
                (transition.after, transition.before)
            } else {
                (transition.before, transition.after)
            };
            let [a, b] = before;
            if next[a] == 0 || next[b] == 0 || a == b && next[a] < 2 {
                continue;
            }
            next[a] -= 1;
            next[b] -= 1;
            next[after[0]] += 1;
            next[after[1]] += 1;
            let number = match graph.numbers.get(&next) {
                Some(&number) => number,
                None => {
                    if graph.order.len() >= limit {
                        return None;
                    }
                    let number = graph.order.len() as u32;
                    graph.numbers.insert(next.clone(), number);
                    graph.order.push(next.clone());
                    graph.parents.push((at as u32, index as u32));
                    number
                }
            };
            successors.push(number);
            next[a] += 1;
            next[b] += 1;
            next[after[0]] -= 1;
            next[after[1]] -= 1;
        }
        graph.successors.push(successors);
        at += 1;
    }
    Some(graph)
}

/// A strongly connected component that no transition leaves and that contains a wrong configuration, by Tarjan's
/// algorithm.
fn wrong_bottom(successors: &[Vec<u32>], is_wrong: &[bool]) -> Option<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let count = successors.len();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0_u32; count];
    let mut component = vec![UNSEEN; count];
    let (mut time, mut components) = (0_u32, 0_u32);
    let mut open: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    for root in 0..count as u32 {
        if index[root as usize] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some(&mut (node, ref mut next)) = calls.last_mut() {
            let here = node as usize;
            if *next == 0 {
                index[here] = time;
                low[here] = time;
                time += 1;
                open.push(node);
            }
            if let Some(&successor) = successors[here].get(*next) {
                *next += 1;
                let there = successor as usize;
                if index[there] == UNSEEN {
                    calls.push((successor, 0));
                } else if component[there] == UNSEEN {
                    low[here] = low[here].min(index[there]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[here]);
            }
            if low[here] == index[here] {
                let mut members = Vec::new();
                loop {
                    let member = open.pop().expect("the component is on the stack");
                    component[member as usize] = components;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                components += 1;
                let stays = |member: &u32| {
                    successors[*member as usize]
                        .iter()
                        .all(|&next| component[next as usize] == components - 1)
                };
                if members.iter().any(|&member| is_wrong[member as usize]) && members.iter().all(stays) {
                    members.sort_unstable();
                    return Some(members);
                }
            }
        }
    }
    None
}

/// The first input of this number of agents that reaches a wrong end, in decreasing lexicographic order of the counts.
/// `None` if no input does. Fails if an input cannot be explored within `limit` configurations.
pub(crate) fn wrong_input(
    claim: &SizedClaim,
    agents: u64,
    limit: &mut usize,
    stop: &AtomicBool,
) -> Result<Option<Box<WrongEnd>>, UnexploredInput> {
    let parts = claim.inputs.len();
    let mut shares = vec![0_u64; parts];
    shares[0] = agents;
    let mut seen = BTreeSet::new();
    loop {
        let mut input = vec![0; claim.names.len()];
        for (&state, &share) in claim.inputs.iter().zip(&shares) {
            input[state] = share;
        }
        if claim.covers(&input) && seen.insert(input.clone()) {
            match explore(claim, &input, *limit, stop) {
                InputExploration::Wrong(end) => return Ok(Some(end)),
                InputExploration::Right { configurations, .. } => {
                    *limit = limit.saturating_sub(configurations / 4);
                }
                InputExploration::TooLarge => return Err(UnexploredInput),
            }
        }
        let Some(place) = shares[..parts - 1].iter().rposition(|&share| share > 0) else { return Ok(None) };
        shares[place] -= 1;
        let moved = shares[parts - 1] + 1;
        shares[parts - 1] = 0;
        shares[place + 1] = moved;
    }
}

/// The error that a limit or the caller ended an exploration.
#[derive(Debug)]
pub(crate) struct UnexploredInput;
