//! Changes of the graph between rounds.

use acrasin_runtime::exclusion::local::Local;
use acrasin_runtime::{NodeId, Port, Step, StepOf, TopologyError};

use super::change_error::ChangeError;
use super::configuration::{LockCode, LockConfiguration};
use super::network::MessageNetwork;
use super::rounds::{Changing, WordRounds};

impl<N: MessageNetwork> WordRounds<N, Changing> {
    /// Adds an edge between port `a_port` of `a` and port `b_port` of `b`, with nothing in transit. Neither node joins
    /// the other's current lock set; only a new Lock includes the neighbour.
    ///
    /// On a lattice the edge must be one of the lattice's edges; on a port table both nodes must have slots for the
    /// ports. Cost: O(Δ).
    ///
    /// # Errors
    ///
    /// [`ChangeError`].
    pub fn connect(&mut self, a: NodeId, a_port: Port, b: NodeId, b_port: Port) -> Result<(), ChangeError> {
        check_connect(self, [(a, a_port), (b, b_port)])?;
        self.network.place((a, a_port), (b, b_port))?;
        self.rewired = true;
        self.connect_unchecked([(a.0, a_port.0), (b.0, b_port.0)]);
        Ok(())
    }

    /// Adds an edge that the network has, between two open ports.
    pub(super) fn connect_unchecked(&mut self, [a, b]: [(u32, u16); 2]) {
        let toggles = [a, b].map(|(node, port)| self.toggle(node, port));
        self.store.connect(a.0, a.1, toggles[1]);
        self.store.connect(b.0, b.1, toggles[0]);
        for (node, port) in [a, b] {
            self.store.deliver(&self.network, node, port, true);
        }
    }

    /// Removes the edge on a port, with all messages in transit on it. The detectors of both ends report the loss at
    /// the next action of the node. Cost: O(1).
    ///
    /// # Errors
    ///
    /// There is no such node, port or edge.
    pub fn disconnect(&mut self, node: NodeId, port: Port) -> Result<(), ChangeError> {
        let ends = check_disconnect(self, node, port)?;
        self.disconnect_unchecked(ends);
        Ok(())
    }

    /// Removes an edge that exists.
    pub(super) fn disconnect_unchecked(&mut self, ends: [(u32, u16); 2]) {
        let owned = ends.map(|(node, port)| has_locked(self, node, port));
        for ((node, port), owned) in ends.into_iter().zip(owned) {
            self.store.disconnect(node, port, owned);
            self.store.deliver(&self.network, node, port, false);
        }
    }

    /// Applies [`Step::Connect`] or [`Step::Disconnect`] of the runtime.
    ///
    /// # Errors
    ///
    /// [`ChangeError`].
    ///
    /// # Panics
    ///
    /// Panics if the step is not a change of the graph.
    pub fn change(&mut self, step: &StepOf<Local>) -> Result<(), ChangeError> {
        match *step {
            Step::Connect { a, a_port, b, b_port } => self.connect(a, a_port, b, b_port),
            Step::Disconnect { node, port } => self.disconnect(node, port),
            other => panic!("{other} is not a change of the graph"),
        }
    }
}

fn check_port(configuration: &impl LockConfiguration, node: NodeId, port: Port) -> Result<(), TopologyError> {
    let (nodes, ports) = (configuration.nodes(), configuration.ports());
    if node.0 >= nodes {
        Err(TopologyError::NoSuchNode { node, nodes })
    } else if port.is_self() || port.0 > ports {
        Err(TopologyError::NoSuchPort { node, port, ports })
    } else {
        Ok(())
    }
}

/// Whether an edge joins two nodes. Cost: O(Δ).
pub(crate) fn adjacent(configuration: &impl LockConfiguration, a: u32, b: u32) -> bool {
    let joins = |port| configuration.link(a, port).is_some_and(|(peer, _)| peer == b);
    (1..=configuration.ports()).any(joins)
}

/// Checks that an edge between these two ports may be added.
pub(crate) fn check_connect(
    configuration: &impl LockConfiguration,
    ends: [(NodeId, Port); 2],
) -> Result<(), TopologyError> {
    for (node, port) in ends {
        check_port(configuration, node, port)?;
    }
    let [(a, _), (b, _)] = ends;
    if a == b {
        return Err(TopologyError::SelfLoop { node: a });
    }
    for (node, port) in ends {
        if configuration.link(node.0, port.0).is_some() {
            return Err(TopologyError::PortTaken { node, port });
        }
    }
    if adjacent(configuration, a.0, b.0) {
        return Err(TopologyError::Adjacent { a, b });
    }
    Ok(())
}

/// Checks that a port carries an edge, and returns both ends of the edge.
pub(crate) fn check_disconnect(
    configuration: &impl LockConfiguration,
    node: NodeId,
    port: Port,
) -> Result<[(u32, u16); 2], TopologyError> {
    check_port(configuration, node, port)?;
    let link = configuration.link(node.0, port.0).ok_or(TopologyError::PortOpen { node, port })?;
    Ok([(node.0, port.0), link])
}

/// Whether the neighbour on a port holds the node's lock: the neighbour has set the lock and not yet released it.
pub(crate) fn has_locked(configuration: &impl LockConfiguration, node: u32, port: u16) -> bool {
    let Some((peer, back)) = configuration.link(node, port) else { return false };
    let initiator = configuration.published(peer);
    let pending = configuration.toggle(peer, back) != configuration.sent(node, port);
    configuration.member(peer, back)
        && match initiator.code {
            LockCode::Win => !pending,
            LockCode::Locked => true,
            LockCode::Unlock => pending,
            LockCode::Idle | LockCode::Prepare | LockCode::First | LockCode::Later => false,
        }
}
