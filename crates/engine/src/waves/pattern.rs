//! Patterns of networks in which most nodes have their neighbours at the same distances: lattices, rings, grids,
//! trees by levels.

use crate::network::PortNetwork;

/// The maximum number of ports of a node.
pub(super) const PORTS_MAX: usize = 8;
/// The maximum number of different lists of distances, so that a byte can store the number of a list.
const CLASSES_MAX: usize = 256;

/// The cyclic distances to the neighbours of the nodes of one class, by port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class {
    /// The distance to the neighbour on each port, from minus half of the number of nodes to half of it.
    pub(super) steps: [i32; PORTS_MAX],
    pub(super) degree: u32,
}

/// A network stored as one byte per node, which is the class of the node's distances. Every node has between 1 and 8
/// neighbours.
///
/// A torus has nine classes: for its corners, its sides, and its middle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    pub(super) nodes: u32,
    /// The class of each node.
    class_of: Vec<u8>,
    /// The classes, one entry for each value of a byte, so that no index is out of range.
    classes: Box<[Class; CLASSES_MAX]>,
    /// The most frequent class.
    usual: Class,
    /// The nodes of other classes, one bit per node. These bits take an eighth of the cache that `class_of` would take.
    unusual: Vec<u64>,
}

impl Pattern {
    /// Finds the pattern of a network; `None` if it has no pattern.
    ///
    /// Cost: O(edges). At most 256 lists are compared per node. For most nodes only few are compared, since the class
    /// of the previous node is tried first.
    pub(super) fn of<N: PortNetwork>(network: &N) -> Option<Self> {
        let nodes = network.nodes();
        let mut classes: Vec<Class> = Vec::new();
        let mut class_of = Vec::with_capacity(nodes as usize);
        let mut latest = 0;
        for node in 0..nodes {
            let class = class(network, node)?;
            if classes.get(latest) != Some(&class) {
                latest = match classes.iter().position(|known| *known == class) {
                    Some(known) => known,
                    None if classes.len() < CLASSES_MAX => {
                        classes.push(class);
                        classes.len() - 1
                    }
                    None => return None,
                };
            }
            class_of.push(latest as u8);
        }
        let none = Class { steps: [0; PORTS_MAX], degree: 0 };
        classes.resize(CLASSES_MAX, none);
        let mut count = [0_u32; CLASSES_MAX];
        for class in &class_of {
            count[usize::from(*class)] += 1;
        }
        let most = (0..CLASSES_MAX).max_by_key(|class| count[*class])?;
        let mut unusual = vec![0; nodes.div_ceil(64) as usize];
        for (node, class) in class_of.iter().enumerate() {
            unusual[node / 64] |= u64::from(usize::from(*class) != most) << (node % 64);
        }
        let usual = classes[most];
        Some(Self { nodes, class_of, classes: classes.into_boxed_slice().try_into().ok()?, usual, unusual })
    }

    /// The class of a node.
    #[inline(always)]
    pub(super) fn class(&self, node: u32) -> &Class {
        if self.unusual[node as usize / 64] >> (node % 64) & 1 == 0 {
            &self.usual
        } else {
            &self.classes[usize::from(self.class_of[node as usize])]
        }
    }

    /// The memory used, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.class_of.capacity() + size_of_val(&*self.classes) + self.unusual.capacity() * 8) as u64
    }
}

/// The distances to the neighbours of a node; `None` if it has no neighbours, or too many.
fn class<N: PortNetwork>(network: &N, node: u32) -> Option<Class> {
    let mut class = Class { steps: [0; PORTS_MAX], degree: 0 };
    let nodes = i64::from(network.nodes());
    for peer in network.peers(node).flatten() {
        let ahead = (i64::from(peer) - i64::from(node)).rem_euclid(nodes);
        let step = if ahead > nodes / 2 { ahead - nodes } else { ahead };
        *class.steps.get_mut(class.degree as usize)? = i32::try_from(step).ok()?;
        class.degree += 1;
    }
    (class.degree > 0).then_some(class)
}

#[cfg(test)]
mod tests {
    use acrasin_runtime::Topology;

    use super::*;
    use crate::network::{Lattice, LatticeKind, PortTable};

    fn classes(pattern: &Pattern) -> usize {
        pattern.classes.iter().filter(|class| class.degree > 0).count()
    }

    #[test]
    fn every_neighbour_is_at_its_distance() {
        let torus = Lattice::new(LatticeKind::Triangular, 7, 5).unwrap().topology().unwrap();
        let path = Topology::from_edges(5, 3, &[(0, 1), (1, 2), (2, 3), (3, 4)]).unwrap();
        for (topology, expected) in [(torus, 9), (path, 3)] {
            let table = PortTable::new(&topology).unwrap();
            let pattern = Pattern::of(&table).unwrap();
            assert!(classes(&pattern) <= expected, "{}", classes(&pattern));
            for node in 0..table.nodes() {
                let class = pattern.class(node);
                let steps = &class.steps[..class.degree as usize];
                let found: Vec<u32> = steps
                    .iter()
                    .map(|step| (i64::from(node) + i64::from(*step)).rem_euclid(table.nodes().into()) as u32)
                    .collect();
                assert_eq!(found, table.peers(node).flatten().collect::<Vec<_>>(), "{node}");
            }
        }
    }

    #[test]
    fn irregular_networks_have_no_pattern() {
        let of = |nodes: u32, ports: u16, edges: &[(u32, u32)]| {
            Pattern::of(&PortTable::new(&Topology::from_edges(nodes, ports, edges).unwrap()).unwrap())
        };
        // A node without neighbours, and one with nine.
        assert_eq!(of(3, 2, &[(0, 1)]), None);
        let star: Vec<(u32, u32)> = (1..=9).map(|leaf| (0, leaf)).collect();
        assert_eq!(of(10, 9, &star), None);
        assert!(of(9, 8, &star[..8]).is_some());
        // Leaves of different distances: 256 classes fit, more do not.
        let comb = |count: u32| {
            let edges: Vec<(u32, u32)> = (0..count).map(|leaf| (leaf, 2 * count - 1 - leaf)).collect();
            of(2 * count, 1, &edges)
        };
        assert!(comb(128).is_some());
        assert!(comb(1000).is_none());
    }
}
