//! Questions about infinite runs: success stays reachable, and no node is locked out.

use acrasin_runtime::NodeId;

use super::duty::{is_holding, is_waiting};
use acrasin_explore::{Components, ConfigurationGraph, fair_components};

/// Success is reachable: from every configuration with an outstanding Lock, some schedule and draws lead to its success
/// (Theorem 4.1). This property is weaker than lockout freedom; it fails if some Lock can never succeed.
pub const SUCCESS_REACHABLE: &str = "success reachable while a Lock is outstanding";

/// Lockout freedom: no weakly fair adversary can prevent the success of a Lock with positive probability, even if it
/// adapts to all coin flips. This is Theorem 4.1 in the strong form of the specification, section 3.7. If messages
/// leave one by one, the steps of a node that is still sending count as enabled. So the adversary may not postpone
/// these steps forever by keeping the node busy.
pub const LOCKOUT_FREE: &str = "lockout freedom against an adaptive weakly fair adversary";

/// A Lock that cannot succeed, or whose success the adversary can prevent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starving {
    /// The node that waits.
    pub node: NodeId,
    /// The configurations from which the Lock cannot succeed, or in which the adversary can stay forever. No other node
    /// starves in a configuration nearer to the start.
    pub configurations: Vec<u32>,
    /// The number of configurations in which this node starves.
    pub count: u64,
    /// Whether the node starves although nothing happens: no receipt, action or Unlock is due.
    pub at_rest: bool,
}

/// A node whose outstanding Lock can never succeed, if there is one. If there are several, returns the node that
/// starves nearest to the start. `depths` are the distances of all configurations from the start.
///
/// Components are numbered so that moves lead to lower numbers. One pass over them therefore finds all nodes that can
/// still succeed.
#[must_use]
pub fn success_unreachable(graph: &ConfigurationGraph, nodes: u32, depths: &[u32]) -> Option<Starving> {
    let components = Components::of(graph);
    // Bit u: in some configuration reachable from here, u holds its lock set.
    let mut succeeds = vec![0_u32; components.count() as usize];
    let mut by_component: Vec<u32> = (0..graph.len() as u32).collect();
    by_component.sort_by_key(|&configuration| components.of_configuration(configuration));
    for &configuration in &by_component {
        let own = components.of_configuration(configuration) as usize;
        let holding = (0..nodes).filter(|&node| is_holding(graph.label(configuration), node));
        let mut bits = holding.fold(succeeds[own], |bits, node| bits | 1 << node);
        for (_, _, target) in graph.moves(configuration) {
            bits |= succeeds[components.of_configuration(target) as usize];
        }
        succeeds[own] = bits;
    }
    let starving = (0..nodes).filter_map(|node| {
        let stuck = |&configuration: &u32| {
            is_waiting(graph.label(configuration), node)
                && succeeds[components.of_configuration(configuration) as usize] >> node & 1 == 0
        };
        let configurations: Vec<u32> = (0..graph.len() as u32).filter(stuck).collect();
        let count = configurations.len() as u64;
        (count > 0).then_some(Starving { node: NodeId(node), configurations, count, at_rest: false })
    });
    starving.min_by_key(|starving| nearest(starving, depths))
}

/// The smallest distance of these configurations from the start.
fn nearest(starving: &Starving, depths: &[u32]) -> u32 {
    let depths = starving.configurations.iter().map(|&configuration| depths[configuration as usize]);
    depths.min().unwrap_or(u32::MAX)
}

/// A node that a weakly fair adversary can keep from success forever, if there is one. If there are several, returns
/// the node that starves nearest to the start.
#[must_use]
pub fn lockout(graph: &ConfigurationGraph, nodes: u32, depths: &[u32]) -> Option<Starving> {
    let starving = (0..nodes).flat_map(|node| {
        let found = fair_components(graph, |label| is_waiting(label, node));
        let count = found.iter().map(|component| component.members.len() as u64).sum();
        found.into_iter().map(move |component| Starving {
            node: NodeId(node),
            configurations: component.members,
            count,
            at_rest: component.at_rest,
        })
    });
    starving.min_by_key(|starving| nearest(starving, depths))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_explore::{Duty, MoveId};

    const WAITING: u32 = 1;
    const HOLDING: u32 = 1 << 16;

    fn graph(labels: &[u32], moves: &[(u32, u32)]) -> ConfigurationGraph {
        let mut lists = vec![Vec::new(); labels.len()];
        for &(from, to) in moves {
            let list: &mut Vec<_> = &mut lists[from as usize];
            list.push((MoveId { step: list.len() as u16, outcome: 0 }, Duty(1 + to), to));
        }
        ConfigurationGraph::from_moves(labels.to_vec(), &lists)
    }

    #[test]
    fn one_of_two_ways_leads_to_success() {
        // 0 -> 1 -> 2 (holds), 0 -> 3, a dead end.
        let dead_end = graph(&[WAITING, WAITING, HOLDING, WAITING], &[(0, 1), (1, 2), (0, 3)]);
        let stuck = success_unreachable(&dead_end, 1, &[0, 1, 2, 1]).unwrap();
        assert_eq!((stuck.node, &stuck.configurations[..]), (NodeId(0), &[3][..]));
        // At 0 the move onwards is always due, so the adversary has to take it.
        let idling = graph(&[WAITING, WAITING, HOLDING], &[(0, 0), (0, 1), (1, 2)]);
        assert_eq!(
            (success_unreachable(&idling, 1, &[0, 1, 2]), lockout(&idling, 1, &[0, 1, 2])),
            (None, None)
        );
    }

    #[test]
    fn success_that_is_reachable_and_never_due_is_a_lockout() {
        // 0 <-> 1, and each has a move to success that the other lacks: a duty that is disabled in between.
        let dodging = graph(&[WAITING, WAITING, HOLDING, HOLDING], &[(0, 1), (1, 0), (0, 2), (1, 3)]);
        assert_eq!(success_unreachable(&dodging, 1, &[0, 1, 1, 2]), None);
        assert_eq!(lockout(&dodging, 1, &[0, 1, 1, 2]).unwrap().configurations, [0, 1]);
    }
}
