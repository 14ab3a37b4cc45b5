//! The driver of rung F3: each node is one published word, [`SingleActions`].
//!
//! All values of a file can be computed from words. The memory of a node follows from its own word, the words of its
//! neighbours, and two private bits per port. Edges may appear and vanish on any port, because the port table has an
//! entry for each of the Δ ports.
//!
//! A word cannot store messages of a node to itself that are handled inside the action. Under `repaired-mem` the driver
//! therefore delivers them one by one right after the action, by the same Receive actions, and counts these as part of
//! the action. Between two steps of a file no such message is in transit.

use acrasin_engine::draw::Priorities;
use acrasin_engine::message::{
    Config, LockCode, LockConfiguration, LockOverlap, NodeLayout, SingleActions, StepRefused, check_node,
};
use acrasin_engine::network::PortTable;
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::{Draws, Wanting};
use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::Anomaly;
use acrasin_runtime::exclusion::local::{Action, Local, Message, Rules, SelfMessages};
use acrasin_runtime::{LockSetRule, NodeId, Port, Step, StepOf, Topology};

use super::super::not_run::NotRun;
use super::driver::{LockLayerDriver, Taken};
use super::text::{LocalNode, LocalSent, PortNumbers};

/// A run on rung F3, for the comparison.
pub(super) struct PublishedRun {
    run: SingleActions<PortTable>,
    self_messages: SelfMessages,
}

impl PublishedRun {
    /// Creates the run at the initial configuration. Fails if the rules are not the repaired ones, or if the ports or
    /// priorities do not fit a node word of rung F3.
    pub(super) fn new(algorithm: Local, topology: &Topology) -> Result<Self, NotRun> {
        if algorithm.rules() != Rules::REPAIRED {
            return Err(NotRun::PublishedRules);
        }
        let layout = |priorities| {
            let priorities = Priorities::new(priorities).expect("K is at least 2");
            (NodeLayout::of(topology.ports(), priorities), priorities)
        };
        let (with_least, _) = layout(2);
        let (with_all, priorities) = layout(algorithm.priorities());
        // Checked before the table is allocated: a word has few ports, so a table that passes is small.
        if with_least == NodeLayout::Registers {
            return Err(NotRun::TooManyPorts);
        }
        if with_all == NodeLayout::Registers {
            return Err(NotRun::TooManyPriorities);
        }
        // No node draws or wants to enter: the file gives every step.
        let config =
            Config { draws: Draws::new(0), priorities, wanting: Wanting::Never, memory: MemoryLimit::NONE };
        let table = PortTable::with_room(topology).expect("the slots of a scenario are limited");
        let run = SingleActions::new(table, config, LockSetRule::Neighbourhood).expect("a word has the bits");
        Ok(Self { run, self_messages: algorithm.self_messages() })
    }

    /// Receives the messages that `node` has sent to itself until none is left; the messages that it sends meanwhile
    /// are added to `sends`.
    fn deliver_to_self(
        &mut self,
        node: NodeId,
        script: &mut Scripted<'_>,
        sends: &mut Vec<(Port, Message)>,
    ) -> Result<(), StepRefused> {
        let own = |run: &SingleActions<PortTable>| {
            run.in_transit(node).into_iter().find(|(port, _)| port.is_self())
        };
        while let Some((port, message)) = own(&self.run) {
            let effects = self.run.apply(&Step::Receive { node, port, message }, script)?;
            sends.extend(effects.sends);
        }
        sends.retain(|(port, _)| !port.is_self());
        Ok(())
    }
}

impl LockLayerDriver for PublishedRun {
    type Refused = StepRefused;

    fn take(&mut self, step: &StepOf<Local>, script: &mut Scripted<'_>) -> Result<Taken, StepRefused> {
        let mut effects = self.run.apply(step, script)?;
        if let Some(node) = step.actor()
            && self.self_messages == SelfMessages::InMemory
        {
            self.deliver_to_self(node, script, &mut effects.sends)?;
        }
        Ok(Taken {
            sends: effects.sends.into_iter().map(|(port, message)| LocalSent(port, message)).collect(),
            returned: effects.granted.as_ref().map(PortNumbers::of),
            ignored: effects.anomaly == Some(Anomaly::IgnoredCall),
        })
    }

    fn nodes(&self) -> u32 {
        self.run.nodes()
    }

    fn node(&self, node: NodeId) -> LocalNode {
        LocalNode::of(&self.run.memory(node), &self.run.detector(node.0))
    }

    fn detector(&self, node: NodeId) -> PortNumbers {
        PortNumbers::of(&self.run.detector(node.0))
    }

    fn checks(&self, node: NodeId) -> Vec<Action> {
        self.run.enabled(node)
    }

    fn in_transit(&self, node: NodeId) -> Vec<(Port, Message)> {
        self.run.in_transit(node)
    }

    fn peer(&self, node: NodeId, port: Port) -> Option<NodeId> {
        self.run.link(node.0, port.0).map(|(peer, _)| NodeId(peer))
    }

    fn closed_neighbourhood(&self, node: NodeId) -> PortNumbers {
        let there = (0..=self.run.ports()).filter(|&port| self.run.link(node.0, port).is_some());
        PortNumbers::of(&there.map(Port).collect::<acrasin_runtime::PortSet>())
    }

    fn violation(&self, step: &StepOf<Local>) -> Option<String> {
        step.actor().and_then(|node| broken(&self.run, node)).map(|overlap| overlap.to_string())
    }
}

/// The promise that an action of this node has broken, if any. Only the node itself, and its members if it is a holder,
/// can be affected.
fn broken(configuration: &impl LockConfiguration, node: NodeId) -> Option<LockOverlap> {
    let holds = configuration.published(node.0).code == LockCode::Locked;
    let members = (1..=configuration.ports()).filter(|&port| holds && configuration.member(node.0, port));
    let peers = members.filter_map(|port| configuration.link(node.0, port)).map(|(peer, _)| NodeId(peer));
    std::iter::once(node).chain(peers).find_map(|one| check_node(configuration, one).err())
}

#[cfg(test)]
mod tests {
    use acrasin_engine::message::Published;
    use acrasin_runtime::PortSet;

    use super::*;

    /// A ring of six nodes, each with its code and whether it is locked. Port 1 leads to the next, port 2 to the
    /// previous one.
    struct Ring([(LockCode, bool); 6]);

    impl LockConfiguration for Ring {
        fn nodes(&self) -> u32 {
            6
        }
        fn ports(&self) -> u16 {
            2
        }
        fn published(&self, node: u32) -> Published {
            let (code, locked) = self.0[node as usize];
            Published { code, toggle: false, locked, priority: 0 }
        }
        fn toggle(&self, _node: u32, _port: u16) -> bool {
            false
        }
        fn sent(&self, _node: u32, _port: u16) -> bool {
            false
        }
        fn won(&self, _node: u32, _port: u16) -> bool {
            false
        }
        fn link(&self, node: u32, port: u16) -> Option<(u32, u16)> {
            Some(match port {
                0 => (node, 0),
                1 => ((node + 1) % 6, 2),
                _ => ((node + 5) % 6, 1),
            })
        }
        fn member(&self, _node: u32, _port: u16) -> bool {
            true
        }
        fn detector(&self, _node: u32) -> PortSet {
            PortSet::new()
        }
    }

    #[test]
    fn faults_of_an_action_are_found_at_the_node_and_at_its_members() {
        let (holder, member, idle) =
            ((LockCode::Locked, true), (LockCode::Idle, true), (LockCode::Idle, false));
        let kept = Ring([holder, member, member, holder, member, member]);
        assert!((0..6).all(|node| broken(&kept, NodeId(node)).is_none()));
        // Node 0 is held by node 1, but is no longer locked.
        let unlocked = Ring([idle, holder, member, idle, idle, idle]);
        let overlap = LockOverlap::NotLocked { node: NodeId(0), holder: NodeId(1) };
        assert_eq!(broken(&unlocked, NodeId(0)), Some(overlap));
        assert_eq!(broken(&unlocked, NodeId(1)), Some(overlap));
        // Node 2 is not involved.
        assert_eq!(broken(&unlocked, NodeId(2)), None);
        // Nodes 0 and 2 both hold, and node 1 is in both lock sets.
        let common = Ring([holder, member, holder, member, idle, member]);
        let [node, first, second] = [1, 2, 0].map(NodeId);
        assert_eq!(broken(&common, NodeId(2)), Some(LockOverlap::CommonNode { node, first, second }));
    }
}
