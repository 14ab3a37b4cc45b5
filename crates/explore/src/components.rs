//! [`Components`]: strongly connected components.

use crate::graph::ConfigurationGraph;

/// The strongly connected components of a configuration graph: sets of configurations that can all reach each other.
///
/// They are numbered so that every move leads to a component with the same or a lower number. The algorithm is that of
/// Tarjan (1972) with an explicit stack. `petgraph` implements it by recursion, which overflows the stack on a path of
/// a million configurations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    of: Vec<u32>,
    count: u32,
    bottom: Vec<bool>,
}

/// The maximum memory of an analysis of infinite runs, in bytes per configuration: Tarjan's three numbers, two stacks
/// that may double, and the partitions of [`fair_component`](crate::fair_component).
pub(crate) const ANALYSIS_BYTES: u64 = 56;

/// The component number of a configuration that is left out.
pub(crate) const NONE: u32 = u32::MAX;

impl Components {
    /// Computes the components of the whole graph. Cost: O(configurations + moves) time, at most 56 bytes per
    /// configuration.
    #[must_use]
    pub fn of(graph: &ConfigurationGraph) -> Self {
        let mut bottom = Vec::new();
        let (of, count) = strongly_connected(
            graph.len(),
            |_| true,
            |node, index| graph.edges(node).get(index).map(|edge| Some(edge.target)),
        );
        bottom.resize(count as usize, true);
        for node in 0..graph.len() {
            if graph.edges(node as u32).iter().any(|edge| of[edge.target as usize] != of[node]) {
                bottom[of[node] as usize] = false;
            }
        }
        Self { of, count, bottom }
    }

    /// The number of components.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The component of a configuration.
    ///
    /// # Panics
    ///
    /// Panics if there is no such configuration.
    #[must_use]
    pub fn of_configuration(&self, configuration: u32) -> u32 {
        self.of[configuration as usize]
    }

    /// Whether no move leaves the component: a run that has entered it never leaves it.
    ///
    /// # Panics
    ///
    /// Panics if there is no such component.
    #[must_use]
    pub fn is_bottom(&self, component: u32) -> bool {
        self.bottom[component as usize]
    }

    /// The configurations of a component, in increasing order. Cost: O(configurations).
    pub fn members(&self, component: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.of.len() as u32).filter(move |&node| self.of[node as usize] == component)
    }
}

/// Tarjan's algorithm on the nodes that `keep` accepts. `next(node, i)` is the i-th successor: `None` past the last,
/// `Some(None)` to skip it. Component numbers are in reverse topological order, or [`NONE`] for nodes that `keep` does
/// not accept.
#[inline]
pub(crate) fn strongly_connected(
    len: usize,
    keep: impl Fn(u32) -> bool,
    next: impl Fn(u32, usize) -> Option<Option<u32>>,
) -> (Vec<u32>, u32) {
    // `order` is the visiting number plus one, 0 before the visit; `low` the lowest number reached.
    let (mut order, mut low) = (vec![0_u32; len], vec![0_u32; len]);
    let mut component = vec![NONE; len];
    let (mut visited, mut count) = (0_u32, 0_u32);
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..len as u32 {
        if order[root as usize] != 0 || !keep(root) {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut index)) = path.last_mut() {
            let at = node as usize;
            if *index == 0 {
                visited += 1;
                (order[at], low[at]) = (visited, visited);
                open.push(node);
            }
            let successor = next(node, *index as usize);
            *index += 1;
            match successor {
                Some(Some(target)) if order[target as usize] == 0 => path.push((target, 0)),
                Some(Some(target)) => {
                    if component[target as usize] == NONE {
                        low[at] = low[at].min(order[target as usize]);
                    }
                }
                Some(None) => {}
                None => {
                    if low[at] == order[at] {
                        while let Some(member) = open.pop() {
                            component[member as usize] = count;
                            if member == node {
                                break;
                            }
                        }
                        count += 1;
                    }
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent as usize] = low[parent as usize].min(low[at]);
                    }
                }
            }
        }
    }
    (component, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Duty, MoveId};
    use proptest::prelude::*;

    fn graph(targets: &[Vec<u32>]) -> ConfigurationGraph {
        let id = MoveId { step: 0, outcome: 0 };
        let moves: Vec<_> =
            targets.iter().map(|list| list.iter().map(|&t| (id, Duty::NONE, t)).collect()).collect();
        ConfigurationGraph::from_moves(vec![0; targets.len()], &moves)
    }

    #[test]
    fn a_long_path_needs_no_stack_of_calls() {
        let targets: Vec<Vec<u32>> = (1..=300_000).map(|next| vec![next % 300_000]).collect();
        assert_eq!(Components::of(&graph(&targets)).count(), 1);
    }

    proptest! {
        /// Compares with the definition: two nodes share a component if each reaches the other.
        #[test]
        fn by_definition(targets in prop::collection::vec(prop::collection::vec(0..8_u32, 0..3), 8)) {
            let components = Components::of(&graph(&targets));
            let mut reach = [[false; 8]; 8];
            for (from, row) in reach.iter_mut().enumerate() {
                row[from] = true;
                for &to in &targets[from] { row[to as usize] = true; }
            }
            for via in 0..8 { for from in 0..8 { for to in 0..8 {
                reach[from][to] |= reach[from][via] && reach[via][to];
            }}}
            for a in 0..8_u32 {
                let own = components.of_configuration(a);
                for b in 0..8_u32 {
                    let mutual = reach[a as usize][b as usize] && reach[b as usize][a as usize];
                    prop_assert_eq!(own == components.of_configuration(b), mutual);
                    if reach[a as usize][b as usize] { prop_assert!(components.of_configuration(b) <= own); }
                }
                let leaves = (0..8_u32).any(|b| reach[a as usize][b as usize] && components.of_configuration(b) != own);
                prop_assert_eq!(components.is_bottom(own), !leaves);
                prop_assert!(components.members(own).any(|member| member == a));
            }
        }
    }
}
