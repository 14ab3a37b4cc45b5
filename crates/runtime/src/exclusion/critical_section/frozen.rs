//! Finds nodes that can never change their state under any algorithm (finding B-15).

use super::Scheme;
use crate::exclusion::{AssumptionError, Bounds, BoundsError, InitialKnowledge};
use crate::node::NodeId;
use crate::topology::Topology;

/// Refuses a start from which some node is frozen, and reports the first such node.
///
/// Nodes are marked movable one after another. A node is marked if it could change its state in a configuration in
/// which the unmarked nodes are as at the start. The marked nodes may be inside or outside there, as the change
/// requires. No unmarked node can be the first unmarked node to change, so all unmarked nodes are frozen. A marked node
/// need not be able to change, because not every such configuration is reachable. Cost: O(nodes · degree²).
pub(super) fn check(
    scheme: Scheme,
    topology: &Topology,
    knowledge: &InitialKnowledge,
) -> Result<(), AssumptionError> {
    let mut starts = FrozenSearch { scheme, topology, knowledge, moves: vec![false; knowledge.bounds.len()] };
    let mut border: Vec<NodeId> = topology.nodes().collect();
    border.reverse();
    while let Some(node) = border.pop() {
        if !starts.moves[node.index()] && starts.hinders(node).is_none() {
            starts.moves[node.index()] = true;
            // Nodes at most two edges away share a neighbourhood with it.
            for near in starts.around(node) {
                border.extend(starts.around(near).filter(|other| !starts.moves[other.index()]));
            }
        }
    }
    match topology.nodes().find_map(|node| Some((node, starts.hinders(node)?))) {
        None => Ok(()),
        Some((node, of)) => Err(AssumptionError::Bounds {
            node,
            bounds: knowledge.bounds[node.index()],
            members: u32::from(topology.degree(node)) + 1,
            why: BoundsError::Frozen { inside: starts.inside(node), of },
        }),
    }
}

struct FrozenSearch<'a> {
    scheme: Scheme,
    topology: &'a Topology,
    knowledge: &'a InitialKnowledge,
    moves: Vec<bool>,
}

impl<'a> FrozenSearch<'a> {
    fn around(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        std::iter::once(node).chain(self.topology.links(node).map(|(_, link)| link.peer))
    }

    fn inside(&self, node: NodeId) -> bool {
        self.knowledge.inside.get(node.index()).copied().unwrap_or(false)
    }

    /// The node whose bounds keep `node` in its initial state; `None` if the nodes marked so far suffice to move
    /// `node`.
    fn hinders(&self, node: NodeId) -> Option<NodeId> {
        if self.moves[node.index()] {
            return None;
        }
        let leaves = self.inside(node);
        self.around(node).find(|&near| {
            let Bounds { least, most } = self.knowledge.bounds[near.index()];
            let others = self.around(near).filter(|&other| other != node);
            // All movable nodes are in when it leaves, and out when it enters.
            let count =
                others.filter(|&other| if self.moves[other.index()] { leaves } else { self.inside(other) });
            let count = count.count() as u32;
            match leaves {
                true => self.scheme != Scheme::Exclusion && count < least,
                false => self.scheme != Scheme::Inclusion && count >= most,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wheel of five nodes with hub 0, which is the leader, and a path of three attached to its rim (finding
    /// B-15).
    const TAILED_WHEEL: &[(u32, u32)] =
        &[(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (1, 4), (1, 5), (5, 6), (6, 7)];

    fn tailed_wheel(of_six: Bounds) -> (Topology, InitialKnowledge) {
        let bounds = |least, most| Bounds { least, most };
        let mut all = vec![bounds(0, 3); 6];
        all.extend([of_six, bounds(0, 1)]);
        let inside = [true, false, false, false, false, true, true, false].to_vec();
        let topology = Topology::from_edges(8, 5, TAILED_WHEEL).unwrap();
        (
            topology,
            InitialKnowledge { bounds: all, inside, leader: Some(NodeId(0)), ..InitialKnowledge::default() },
        )
    }

    /// Every configuration reachable from the start by single changes that keep the bounds, as bit sets.
    fn reached(topology: &Topology, knowledge: &InitialKnowledge) -> Vec<u32> {
        let around = |node: NodeId| {
            let near = topology.links(node).map(|(_, link)| link.peer.0);
            near.fold(1_u32 << node.0, |bits, peer| bits | 1 << peer)
        };
        let is_safe = |inside: u32| {
            topology.nodes().all(|node| {
                let Bounds { least, most } = knowledge.bounds[node.index()];
                (least..=most).contains(&(inside & around(node)).count_ones())
            })
        };
        let bits = |(node, inside): (usize, &bool)| u32::from(*inside) << node;
        let start = knowledge.inside.iter().enumerate().map(bits).sum::<u32>();
        assert!(is_safe(start));
        let mut reached = vec![start];
        let mut at = 0;
        while let Some(&inside) = reached.get(at) {
            at += 1;
            for node in topology.nodes() {
                let next = inside ^ 1 << node.0;
                if is_safe(next) && !reached.contains(&next) {
                    reached.push(next);
                }
            }
        }
        reached
    }

    fn never_change(topology: &Topology, reached: &[u32]) -> Vec<NodeId> {
        let is_frozen = |node: &NodeId| reached.iter().all(|inside| (inside ^ reached[0]) >> node.0 & 1 == 0);
        topology.nodes().filter(is_frozen).collect()
    }

    /// B-15: 22 configurations, in all of which nodes 5, 6 and 7 (numbered 6, 7, 8 in the finding) are as at
    /// the start. All preconditions of the paper hold: within two edges of the leader the bounds differ by 3,
    /// elsewhere by 1.
    #[test]
    fn unsolvable_starts_are_refused_with_their_first_frozen_node() {
        let (topology, knowledge) = tailed_wheel(Bounds { least: 2, most: 3 });
        let reached_from_it = reached(&topology, &knowledge);
        assert_eq!(reached_from_it.len(), 22);
        assert_eq!(never_change(&topology, &reached_from_it), [NodeId(5), NodeId(6), NodeId(7)]);
        let refused = check(Scheme::Leader, &topology, &knowledge).unwrap_err();
        let why = BoundsError::Frozen { inside: true, of: NodeId(6) };
        assert!(
            matches!(refused, AssumptionError::Bounds { node: NodeId(5), why: found, .. } if found == why)
        );
        assert!(refused.to_string().contains("node 5, with bounds"), "{refused}");
        assert!(refused.to_string().contains("never leave") && refused.to_string().contains("of node 6"));
    }

    /// With one node fewer required inside near node 6, every node can move.
    #[test]
    fn wider_bounds_set_them_free() {
        let (topology, knowledge) = tailed_wheel(Bounds { least: 1, most: 3 });
        assert_eq!(never_change(&topology, &reached(&topology, &knowledge)), []);
        assert_eq!(check(Scheme::Leader, &topology, &knowledge), Ok(()));
    }

    /// A refused node never changes in any reachable configuration, for all bounds and starts of a path and a
    /// triangle.
    #[test]
    fn nodes_that_can_move_are_not_refused() {
        let (mut refused, mut accepted) = (0, 0);
        for edges in [&[(0, 1), (1, 2)][..], &[(0, 1), (1, 2), (0, 2)]] {
            let topology = Topology::from_edges(3, 2, edges).unwrap();
            let pairs: Vec<Bounds> =
                (0..3).flat_map(|least| (least + 1..=3).map(move |most| Bounds { least, most })).collect();
            for number in 0..pairs.len().pow(3) * 8 {
                let pick = |power: u32| pairs[number / 8 / pairs.len().pow(power) % pairs.len()];
                let inside: Vec<bool> = (0..3).map(|node| number >> node & 1 == 1).collect();
                let knowledge = InitialKnowledge {
                    bounds: vec![pick(0), pick(1), pick(2)],
                    inside,
                    ..InitialKnowledge::default()
                };
                let is_safe = topology.nodes().all(|node| {
                    let count = std::iter::once(node).chain(topology.links(node).map(|(_, link)| link.peer));
                    let count = count.filter(|near| knowledge.inside[near.index()]).count() as u32;
                    let Bounds { least, most } = knowledge.bounds[node.index()];
                    (least..=most).contains(&count)
                });
                if !is_safe {
                    continue;
                }
                let frozen = never_change(&topology, &reached(&topology, &knowledge));
                match check(Scheme::Leader, &topology, &knowledge) {
                    Ok(()) => accepted += 1,
                    Err(AssumptionError::Bounds { node, .. }) => {
                        refused += 1;
                        assert!(frozen.contains(&node), "{knowledge:?}");
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
        assert!(refused > 20 && accepted > 20, "{refused} refused, {accepted} accepted");
    }
}
