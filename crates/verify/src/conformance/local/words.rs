//! Rung F3: one published word a node, [`SingleActions`].
//!
//! Everything that a file says is there to be read: memories are told from what the neighbours publish and two private
//! bits a port. Edges may come and go on any port, as a port table has room for all Δ of them.
//!
//! A word has no place for a node whose messages to itself are handled inside the action. Under `repaired-mem` the driver
//! hands them over one after the other as soon as the action is done, by the same Receive actions, and counts them to
//! the action: between two steps of a file none is in transit.

use acrasin_engine::draw::Priorities;
use acrasin_engine::message::{
    Code, Config, Configuration, Layout, Overlap, SingleActions, StepRefused, check_node,
};
use acrasin_engine::network::PortTable;
use acrasin_engine::round::MemoryLimit;
use acrasin_engine::{Draws, Wanting};
use acrasin_runtime::choice::Scripted;
use acrasin_runtime::exclusion::Anomaly;
use acrasin_runtime::exclusion::local::{Action, Local, Message, Rules, SelfMessages};
use acrasin_runtime::{LockSetRule, NodeId, Port, Step, StepOf, Topology};

use super::super::not_run::NotRun;
use super::driver::{Driver, Taken};
use super::text::{Node, Ports, Sent};

/// A run on words.
pub(super) struct Words {
    run: SingleActions<PortTable>,
    self_messages: SelfMessages,
}

impl Words {
    /// At the start.
    pub(super) fn new(algorithm: Local, topology: &Topology) -> Result<Self, NotRun> {
        if algorithm.rules() != Rules::REPAIRED {
            return Err(NotRun::PublishedRules);
        }
        let layout = |priorities| {
            let priorities = Priorities::new(priorities).expect("K is at least 2");
            (Layout::of(topology.ports(), priorities), priorities)
        };
        let (with_least, _) = layout(2);
        let (with_all, priorities) = layout(algorithm.priorities());
        // Before a table is made: a word is for few ports, and so the table is small.
        if with_least == Layout::Registers {
            return Err(NotRun::TooManyPorts);
        }
        if with_all == Layout::Registers {
            return Err(NotRun::TooManyPriorities);
        }
        // No node draws or wants anything: every step is given.
        let config =
            Config { draws: Draws::new(0), priorities, wanting: Wanting::Never, memory: MemoryLimit::NONE };
        let table = PortTable::with_room(topology).expect("the slots of a scenario are limited");
        let run = SingleActions::new(table, config, LockSetRule::Neighbourhood).expect("a word has the bits");
        Ok(Self { run, self_messages: algorithm.self_messages() })
    }

    /// Receives what the node has sent to itself, and so on until nothing is left; adds what that sends.
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

impl Driver for Words {
    type Refused = StepRefused;

    fn take(&mut self, step: &StepOf<Local>, script: &mut Scripted<'_>) -> Result<Taken, StepRefused> {
        let mut effects = self.run.apply(step, script)?;
        if let Some(node) = step.actor()
            && self.self_messages == SelfMessages::InMemory
        {
            self.deliver_to_self(node, script, &mut effects.sends)?;
        }
        Ok(Taken {
            sends: effects.sends.into_iter().map(|(port, message)| Sent(port, message)).collect(),
            returned: effects.granted.as_ref().map(Ports::of),
            ignored: effects.anomaly == Some(Anomaly::IgnoredCall),
        })
    }

    fn nodes(&self) -> u32 {
        self.run.nodes()
    }

    fn node(&self, node: NodeId) -> Node {
        Node::of(&self.run.memory(node), &self.run.detector(node.0))
    }

    fn detector(&self, node: NodeId) -> Ports {
        Ports::of(&self.run.detector(node.0))
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

    fn closed_neighbourhood(&self, node: NodeId) -> Ports {
        let there = (0..=self.run.ports()).filter(|&port| self.run.link(node.0, port).is_some());
        Ports::of(&there.map(Port).collect::<acrasin_runtime::PortSet>())
    }

    fn violation(&self, step: &StepOf<Local>) -> Option<String> {
        step.actor().and_then(|node| broken(&self.run, node)).map(|overlap| overlap.to_string())
    }
}

/// The promise that an action of this node has broken: it can at the node and, if that holds its lock set, at the
/// members.
fn broken(configuration: &impl Configuration, node: NodeId) -> Option<Overlap> {
    let holds = configuration.published(node.0).code == Code::Locked;
    let members = (1..=configuration.ports()).filter(|&port| holds && configuration.member(node.0, port));
    let peers = members.filter_map(|port| configuration.link(node.0, port)).map(|(peer, _)| NodeId(peer));
    std::iter::once(node).chain(peers).find_map(|one| check_node(configuration, one).err())
}

#[cfg(test)]
mod tests {
    use acrasin_engine::message::Published;
    use acrasin_runtime::PortSet;

    use super::*;

    /// A ring of so many nodes: port 1 to the next, port 2 to the one before. Some hold, some are locked.
    struct Ring([(Code, bool); 6]);

    impl Configuration for Ring {
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
    fn what_an_action_breaks_is_found_at_the_node_and_at_its_members() {
        let (holder, member, idle) = ((Code::Locked, true), (Code::Idle, true), (Code::Idle, false));
        let kept = Ring([holder, member, member, holder, member, member]);
        assert!((0..6).all(|node| broken(&kept, NodeId(node)).is_none()));
        // Node 0 has unlocked itself for another one, though it is held.
        let unlocked = Ring([idle, holder, member, idle, idle, idle]);
        let overlap = Overlap::NotLocked { node: NodeId(0), holder: NodeId(1) };
        assert_eq!(broken(&unlocked, NodeId(0)), Some(overlap));
        assert_eq!(broken(&unlocked, NodeId(1)), Some(overlap));
        // It is not node 2 that has broken it.
        assert_eq!(broken(&unlocked, NodeId(2)), None);
        // Nodes 0 and 2 hold: node 1 is in both lock sets.
        let common = Ring([holder, member, holder, member, idle, member]);
        let [node, first, second] = [1, 2, 0].map(NodeId);
        assert_eq!(broken(&common, NodeId(2)), Some(Overlap::CommonNode { node, first, second }));
    }
}
