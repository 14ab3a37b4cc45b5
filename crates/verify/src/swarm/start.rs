//! [`SwarmStart`]: the initial configuration of a list of steps.

use acrasin_runtime::exclusion::local::{Local, SelfMessages};
use acrasin_runtime::exclusion::{Assumptions, InitialKnowledge, RequiredGraph};
use acrasin_runtime::{LockSetRule, Topology};

use super::plan::{Drain, SwarmPlan};
use super::swarmed::Swarmed;

/// The initial configuration of a list of steps: all memories initial, and no edges unless the algorithm is for
/// static graphs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SwarmStart {
    /// The seed of the failed run; the second phase after the steps is drawn from it.
    pub seed: u64,
    /// The number of nodes.
    pub nodes: u32,
    /// The edges of a static graph. Each node numbers its ports in this order.
    pub edges: Vec<(u32, u32)>,
    /// The number of ports of each node, Δ.
    pub ports: u16,
    /// The number of priorities, K.
    pub priorities: u32,
    /// The treatment of a node's messages to itself.
    pub self_messages: SelfMessages,
    /// The lock set that a Lock asks for after the listed steps.
    pub lock_set: LockSetRule,
    /// The scheduler after the listed steps. It also determines whether messages leave at once or one by one.
    pub drain: Drain,
}

impl SwarmStart {
    /// The smallest possible start, with the smallest value of each field.
    pub(super) const LEAST: Self = Self {
        seed: 0,
        nodes: 2,
        edges: Vec::new(),
        ports: 1,
        priorities: 2,
        self_messages: SelfMessages::Sent,
        lock_set: LockSetRule::Neighbourhood,
        drain: Drain::Sequential,
    };

    /// The start of a plan. It has the plan's edges if the graph is static; otherwise the edges are added by steps.
    pub(super) fn of(plan: &SwarmPlan, assumes: &Assumptions) -> Self {
        Self {
            seed: plan.seed,
            nodes: plan.graph.nodes(),
            edges: if assumes.network == RequiredGraph::Dynamic { Vec::new() } else { plan.edges.clone() },
            ports: plan.ports,
            priorities: plan.priorities,
            self_messages: plan.self_messages,
            lock_set: plan.lock_set,
            drain: plan.drain,
        }
    }

    /// The shipped algorithm with the repaired rules.
    ///
    /// # Panics
    ///
    /// Panics if K is below 2, which plans and files exclude.
    #[must_use]
    pub fn local(&self) -> Local {
        Local::new(self.ports)
            .with_self_messages(self.self_messages)
            .with_priorities(self.priorities)
            .expect("checked where it was read")
    }
}

/// The graph of a start, and the initial knowledge of its nodes.
///
/// # Errors
///
/// A message naming the violated assumption of the algorithm.
pub(super) fn seated<E: Swarmed>(
    exclusion: &E,
    start: &SwarmStart,
) -> Result<(Topology, InitialKnowledge), String> {
    let topology = Topology::from_edges(start.nodes, start.ports, &start.edges);
    let topology = topology.map_err(|error| error.to_string())?;
    let seating = exclusion.seating(&topology, start.seed);
    exclusion.check_start(&topology, &seating).map_err(|unmet| unmet.to_string())?;
    Ok((topology, seating))
}
