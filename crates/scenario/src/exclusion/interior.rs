//! Computes which nodes start in their critical sections, if the scenario names none. A local search repairs violated
//! bounds until the start is strictly within all bounds.

use std::collections::BTreeSet;

use acrasin_catalogue::parameter::ParameterError;
use acrasin_runtime::choice::pick_index;
use acrasin_runtime::exclusion::InitialKnowledge;
use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
use acrasin_runtime::{Decision, NodeId, Seeded, Topology};

/// The number of repairs per node that the search tries before it gives up.
const REPAIRS_PER_NODE: u64 = 256;

/// The limit on repairs for large graphs, where more repairs per node do not help: this number in total, plus
/// [`REPAIRS_PER_NODE_LEAST`] per node.
const REPAIRS_LARGE: u64 = 1 << 22;

/// Repairs per node on large graphs; see [`REPAIRS_LARGE`].
const REPAIRS_PER_NODE_LEAST: u64 = 16;

/// One repair out of this number is random.
const NOISE: usize = 12;

/// A start that the scheme accepts, determined by graph and bounds. Cost: O(degree³) per repair.
///
/// # Errors
///
/// The search found no start. If one exists, the scenario has to name it.
pub(super) fn start(
    sections: LocalSections,
    topology: &Topology,
    seating: &InitialKnowledge,
) -> Result<Vec<bool>, ParameterError> {
    let fitting = sections.check_bounds(topology, &seating.bounds);
    fitting.map_err(|unmet| {
        ParameterError::new("least", unmet.to_string()).accepting("bounds that fit this node")
    })?;
    let mut search = Search::new(sections, topology, seating);
    let found = search.without_choice();
    match found.or_else(|| search.run()) {
        None => Ok(search.inside),
        Some(node) => {
            let bounds = seating.bounds[node.index()];
            let message = format!(
                "no start was found that lies between the bounds of every node: node {node} needs more than {} and fewer than {} \
                 of {} inside",
                bounds.least,
                bounds.most,
                members(node, topology)
            );
            Err(ParameterError::new("inside", message)
                .accepting("the nodes that are inside, or wider bounds"))
        }
    }
}

struct Search<'a> {
    topology: &'a Topology,
    seating: &'a InitialKnowledge,
    strictly: bool,
    choices: Seeded,
    inside: Vec<bool>,
    /// For each node, how many nodes of its closed neighbourhood are in their critical sections.
    around: Vec<u32>,
}

/// The size of a closed neighbourhood.
fn members(node: NodeId, topology: &Topology) -> u32 {
    u32::from(topology.degree(node)) + 1
}

fn near(node: NodeId, topology: &Topology) -> impl Iterator<Item = NodeId> + '_ {
    std::iter::once(node).chain(topology.links(node).map(|(_, link)| link.peer))
}

/// The candidate whose change increases the distance from the bounds least. Ties go to the first candidate in cyclic
/// order from index `from`.
fn best(candidates: &[NodeId], from: usize, worsens: impl Fn(NodeId) -> i64) -> NodeId {
    let rotated = candidates[from..].iter().chain(&candidates[..from]);
    *rotated.min_by_key(|&&near| worsens(near)).expect("there are candidates")
}

impl<'a> Search<'a> {
    fn new(sections: LocalSections, topology: &'a Topology, seating: &'a InitialKnowledge) -> Self {
        // Starts with all nodes inside if the bounds allow it, because otherwise more bounds would need repairs.
        let all = topology.nodes().all(|node| seating.bounds[node.index()].most >= members(node, topology));
        let around = topology.nodes().map(|node| if all { members(node, topology) } else { 0 }).collect();
        let inside = vec![all; topology.node_count() as usize];
        Self {
            topology,
            seating,
            strictly: sections.scheme() == Scheme::Home,
            choices: Seeded::new(0),
            inside,
            around,
        }
    }

    /// The signed distance from the bounds of `node` if `inside` nodes of its closed neighbourhood are in their
    /// critical sections; 0 within the bounds.
    fn distance(&self, node: NodeId, inside: u32) -> i64 {
        let (bounds, all) = (self.seating.bounds[node.index()], members(node, self.topology));
        let edge = u32::from(self.strictly);
        // With none or all inside, every member is able to change: the strict margin is not needed.
        let least = if inside == 0 { bounds.least } else { bounds.least.saturating_add(edge) };
        let most = if inside == all { bounds.most } else { bounds.most.saturating_sub(edge) };
        let (inside, least, most) = (i64::from(inside), i64::from(least), i64::from(most));
        if inside < least { inside - least } else { (inside - most).max(0) }
    }

    /// The increase of the total distance from the bounds if `node` enters or leaves.
    fn worsens(&self, node: NodeId) -> i64 {
        let after = |now: u32| if self.inside[node.index()] { now - 1 } else { now + 1 };
        let change = |near: NodeId| {
            let now = self.around[near.index()];
            self.distance(near, after(now)).abs() - self.distance(near, now).abs()
        };
        near(node, self.topology).map(change).sum()
    }

    fn flip(&mut self, node: NodeId) {
        let enters = !self.inside[node.index()];
        self.inside[node.index()] = enters;
        for near in near(node, self.topology) {
            let around = &mut self.around[near.index()];
            *around = if enters { *around + 1 } else { *around - 1 };
        }
    }

    /// The first node whose bounds no number of nodes in its closed neighbourhood can satisfy.
    fn without_choice(&self) -> Option<NodeId> {
        let fits = |node| (0..=members(node, self.topology)).any(|inside| self.distance(node, inside) == 0);
        self.topology.nodes().find(|&node| !fits(node))
    }

    /// Repairs nodes in turn. Returns a node that is still outside its bounds if the search gives up. Selecting nodes
    /// costs O(log n) per repair.
    fn run(&mut self) -> Option<NodeId> {
        let nodes = u64::from(self.topology.node_count());
        let large = REPAIRS_LARGE.saturating_add(nodes.saturating_mul(REPAIRS_PER_NODE_LEAST));
        let mut left = nodes.saturating_mul(REPAIRS_PER_NODE).min(large);
        let is_off = |search: &Self, node: NodeId| search.distance(node, search.around[node.index()]) != 0;
        let mut off: BTreeSet<NodeId> = self.topology.nodes().filter(|&node| is_off(self, node)).collect();
        loop {
            let mut found = None;
            let mut next = NodeId(0);
            // Visits nodes in order, including nodes whose bounds a repair has violated meanwhile.
            while let Some(&node) = off.range(next..).next() {
                next = NodeId(node.0 + 1);
                let distance = self.distance(node, self.around[node.index()]);
                found = Some(node);
                let Some(rest) = left.checked_sub(1) else { return found };
                left = rest;
                let wrong = |near: &NodeId| self.inside[near.index()] == (distance > 0);
                let candidates: Vec<NodeId> = near(node, self.topology).filter(wrong).collect();
                // Sometimes picks a random candidate, because the search can cycle if it only picks the best one.
                let mut pick = |bound| pick_index(&mut self.choices, bound, Decision::Initial);
                let any =
                    pick(candidates.len()).expect("a node that is too far from its bounds can be helped");
                let changed = match pick(NOISE) {
                    Some(0) => candidates[any],
                    _ => best(&candidates, any, |near| self.worsens(near)),
                };
                self.flip(changed);
                for near in near(changed, self.topology) {
                    if is_off(self, near) {
                        off.insert(near);
                    } else {
                        off.remove(&near);
                    }
                }
            }
            found?;
        }
    }
}
