//! What a list of steps starts from.

use acrasin_runtime::exclusion::local::{Local, SelfMessages};
use acrasin_runtime::exclusion::{Assumptions, Network, Seating};
use acrasin_runtime::{LockSetRule, Topology};

use super::plan::{Drain, SwarmPlan};
use super::swarmed::Swarmed;

/// What a list of steps starts from: all memories initial, and no edges unless the algorithm is one for static graphs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Start {
    /// Of the run that failed; what follows the steps is drawn from it.
    pub seed: u64,
    /// The number of nodes.
    pub nodes: u32,
    /// The edges of a graph that does not change. Each node numbers its ports in this order.
    pub edges: Vec<(u32, u32)>,
    /// Δ.
    pub ports: u16,
    /// K.
    pub priorities: u32,
    /// How a node's messages to itself travel.
    pub self_messages: SelfMessages,
    /// What a Lock asks for that the steps do not make.
    pub lock_set: LockSetRule,
    /// Who acts after the steps; decides when messages leave, too.
    pub drain: Drain,
}

impl Start {
    /// The least there is.
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

    /// With the edges of the plan where they do not change; elsewhere they are steps.
    pub(super) fn of(plan: &SwarmPlan, assumes: &Assumptions) -> Self {
        Self {
            seed: plan.seed,
            nodes: plan.graph.nodes(),
            edges: if assumes.network == Network::Dynamic { Vec::new() } else { plan.edges.clone() },
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
    /// Panics if K is below 2: of a plan, and where a file is read, it is not.
    #[must_use]
    pub fn local(&self) -> Local {
        Local::new(self.ports)
            .with_self_messages(self.self_messages)
            .with_priorities(self.priorities)
            .expect("checked where it was read")
    }
}

/// The graph of a start, and what its nodes are given.
///
/// # Errors
///
/// What of it is not as the algorithm assumes it.
pub(super) fn seated<E: Swarmed>(exclusion: &E, start: &Start) -> Result<(Topology, Seating), String> {
    let topology = Topology::from_edges(start.nodes, start.ports, &start.edges);
    let topology = topology.map_err(|error| error.to_string())?;
    let seating = exclusion.seating(&topology, start.seed);
    exclusion.check_start(&topology, &seating).map_err(|unmet| unmet.to_string())?;
    Ok((topology, seating))
}
