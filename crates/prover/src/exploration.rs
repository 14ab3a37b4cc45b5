//! Exhaustive exploration of one input, and backwards from one configuration.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use crate::system::SizedClaim;

/// A hasher without a random start.
type FixedHasher = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;

/// The result of exploring one input.
#[derive(Debug)]
pub(crate) enum Exploration {
    /// A bottom component has a wrong configuration.
    Wrong,
    /// All bottom components are right.
    Right {
        /// Whether each state of the table was ever occupied.
        occupied: Vec<bool>,
        configurations: usize,
    },
    TooLarge,
}

struct Graph {
    numbers: HashMap<Box<[u16]>, u32, FixedHasher>,
    order: Vec<Box<[u16]>>,
    successors: Vec<Vec<u32>>,
}

/// Explores all configurations that an input reaches, at most `limit`.
pub(crate) fn explore(claim: &SizedClaim, input: &[u64], limit: usize) -> Exploration {
    let Some(graph) = reached(claim, input, limit, false) else { return Exploration::TooLarge };
    let value = claim.value(input);
    let is_wrong: Vec<bool> = graph
        .order
        .iter()
        .map(|packed| {
            let counts: Vec<u64> = packed.iter().map(|&count| u64::from(count)).collect();
            !claim.is_right(&counts, value)
        })
        .collect();
    if has_wrong_bottom(&graph.successors, &is_wrong) {
        return Exploration::Wrong;
    }
    let mut occupied = vec![false; claim.names.len()];
    for packed in &graph.order {
        for (mark, &count) in occupied.iter_mut().zip(packed.iter()) {
            *mark |= count > 0;
        }
    }
    Exploration::Right { occupied, configurations: graph.order.len() }
}

/// The states occupied in a configuration that reaches `end`; `None` if there are more than `limit` of them.
pub(crate) fn occupied_before(claim: &SizedClaim, end: &[u64], limit: usize) -> Option<Vec<bool>> {
    let graph = reached(claim, end, limit, true)?;
    let mut occupied = vec![false; claim.names.len()];
    for packed in &graph.order {
        for (mark, &count) in occupied.iter_mut().zip(packed.iter()) {
            *mark |= count > 0;
        }
    }
    Some(occupied)
}

fn reached(claim: &SizedClaim, start: &[u64], limit: usize, backwards: bool) -> Option<Graph> {
    let start: Option<Box<[u16]>> = start.iter().map(|&count| u16::try_from(count).ok()).collect();
    let start = start?;
    let mut graph = Graph { numbers: HashMap::default(), order: vec![start.clone()], successors: Vec::new() };
    graph.numbers.insert(start, 0);
    let mut at = 0;
    while at < graph.order.len() {
        let mut successors = Vec::new();
        let mut next = graph.order[at].clone();
        for transition in &claim.transitions {
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

/// Whether a strongly connected component that nothing leaves has a wrong member: Tarjan's algorithm with a stack of
/// its own.
fn has_wrong_bottom(successors: &[Vec<u32>], is_wrong: &[bool]) -> bool {
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
                    return true;
                }
            }
        }
    }
    false
}

/// The first wrong input of that many agents, in the order of the product's inputs; `None` if all are right, an error
/// if one could not be explored within `limit` configurations.
pub(crate) fn wrong_input(
    claim: &SizedClaim,
    agents: u64,
    limit: &mut usize,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Vec<u64>>, TooLarge> {
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
            if stopped() {
                return Err(TooLarge);
            }
            match explore(claim, &input, *limit) {
                Exploration::Wrong => return Ok(Some(input)),
                Exploration::Right { configurations, .. } => {
                    *limit = limit.saturating_sub(configurations / 4)
                }
                Exploration::TooLarge => return Err(TooLarge),
            }
        }
        let Some(place) = shares[..parts - 1].iter().rposition(|&share| share > 0) else { return Ok(None) };
        shares[place] -= 1;
        let moved = shares[parts - 1] + 1;
        shares[parts - 1] = 0;
        shares[place + 1] = moved;
    }
}

/// An exploration that a limit or the caller ended.
#[derive(Debug)]
pub(crate) struct TooLarge;
