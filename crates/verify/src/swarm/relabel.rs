//! Reduces the numbers in a list of steps: nodes, ports, priorities.

use std::collections::BTreeMap;

use acrasin_runtime::exclusion::Given;
use acrasin_runtime::{LockSetRequest, LockSetRule, NodeId, Port, Step};

use super::{Counterexample, SwarmStart, Swarmed, Traced};

/// Variants of a counterexample with smaller node and port numbers, in the order in which to try them; the last is the
/// best.
///
/// Empty for algorithms whose nodes have initial knowledge, because that knowledge refers to the numbers.
pub(super) fn relabel<E: Swarmed>(
    found: &Counterexample<E>,
    given: Given,
) -> Vec<(SwarmStart, Vec<Traced<E>>)> {
    if given != Given::NOTHING {
        return Vec::new();
    }
    let plain = SwarmStart { lock_set: lock_set(&found.steps), ..found.start.clone() };
    let (fewer, steps) = renumbered(plain.clone(), &found.steps);
    let all = (SwarmStart { priorities: fewest_priorities(&steps), ..fewer.clone() }, steps.clone());
    let priorities = (SwarmStart { priorities: fewest_priorities(&steps), ..plain }, found.steps.clone());
    // From the least to the best: each that fails in the same way replaces the one before.
    vec![priorities, (fewer, steps), all]
}

fn lock_set<E: Swarmed>(steps: &[Traced<E>]) -> LockSetRule {
    let is_pair = |traced: &Traced<E>| {
        matches!(traced.step, Step::Lock { claim: LockSetRequest::Pair(_) | LockSetRequest::Alone, .. })
    };
    if steps.iter().any(is_pair) { LockSetRule::Pair } else { LockSetRule::Neighbourhood }
}

fn fewest_priorities<E: Swarmed>(steps: &[Traced<E>]) -> u32 {
    let most = steps.iter().flat_map(|traced| &traced.picks).max();
    most.map_or(2, |most| most.saturating_add(1).max(2))
}

/// Renumbers the nodes that occur in the order of their old numbers, and the ports of each in the order of first use.
fn renumbered<E: Swarmed>(start: SwarmStart, steps: &[Traced<E>]) -> (SwarmStart, Vec<Traced<E>>) {
    let mut labels = Labels::default();
    let mut nodes: Vec<NodeId> = steps.iter().flat_map(|traced| named(&traced.step)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    for (number, node) in (0..).zip(nodes) {
        labels.nodes.insert(node, NodeId(number));
    }
    let steps: Vec<Traced<E>> = steps
        .iter()
        .map(|traced| Traced { step: labels.step(traced.step), picks: traced.picks.clone() })
        .collect();
    let ports = labels.ports.values().map(|ports| ports.len() as u16).max();
    let nodes = (labels.nodes.len() as u32).max(1);
    (SwarmStart { nodes, ports: ports.unwrap_or(0).max(1), ..start }, steps)
}

fn named<A, M>(step: &Step<A, M>) -> Vec<NodeId> {
    match *step {
        Step::Connect { a, b, .. } => vec![a, b],
        Step::Disconnect { node, .. } => vec![node],
        _ => step.actor().into_iter().collect(),
    }
}

#[derive(Default)]
struct Labels {
    nodes: BTreeMap<NodeId, NodeId>,
    ports: BTreeMap<NodeId, BTreeMap<Port, Port>>,
}

impl Labels {
    fn node(&self, node: NodeId) -> NodeId {
        self.nodes[&node]
    }

    fn port(&mut self, node: NodeId, port: Port) -> Port {
        if port.is_self() {
            return port;
        }
        let ports = self.ports.entry(node).or_default();
        let next = Port(ports.len() as u16 + 1);
        *ports.entry(port).or_insert(next)
    }

    fn step<A, M>(&mut self, step: Step<A, M>) -> Step<A, M> {
        match step {
            Step::Lock { node, claim } => {
                let claim = match claim {
                    LockSetRequest::Pair(port) => LockSetRequest::Pair(self.port(node, port)),
                    claim => claim,
                };
                Step::Lock { node: self.node(node), claim }
            }
            Step::Unlock { node } => Step::Unlock { node: self.node(node) },
            Step::Act { node, action } => Step::Act { node: self.node(node), action },
            Step::Receive { node, port, message } => {
                Step::Receive { port: self.port(node, port), node: self.node(node), message }
            }
            Step::Leave { node, port, message } => {
                Step::Leave { port: self.port(node, port), node: self.node(node), message }
            }
            Step::Connect { a, a_port, b, b_port } => {
                let (a_port, b_port) = (self.port(a, a_port), self.port(b, b_port));
                Step::Connect { a: self.node(a), a_port, b: self.node(b), b_port }
            }
            Step::Disconnect { node, port } => {
                Step::Disconnect { port: self.port(node, port), node: self.node(node) }
            }
        }
    }
}
