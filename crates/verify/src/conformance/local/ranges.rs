//! Range checks of a scenario's nodes, ports and priorities.

use acrasin_runtime::exclusion::local::{Local, Message};
use acrasin_runtime::{Port, Step, StepOf};

use super::super::object::JsonObject;
use super::text::{Final, InTransit, LocalNode, PortNumbers};

pub(super) struct Ranges {
    pub(super) nodes: u32,
    pub(super) ports: u16,
    pub(super) priorities: u32,
}

/// The outcome of a range check; the error is a message.
type RangeCheck = Result<(), String>;

fn below(what: &str, value: u32, end: u32) -> RangeCheck {
    if value < end {
        Ok(())
    } else {
        Err(format!("there is no {what} {value}: 0 to {} are accepted", end - 1))
    }
}

impl Ranges {
    pub(super) fn node(&self, node: u32) -> RangeCheck {
        below("node", node, self.nodes)
    }

    pub(super) fn port(&self, port: u16) -> RangeCheck {
        below("port", u32::from(port), u32::from(self.ports) + 1)
    }

    /// Checks the port of an edge: in range and not 0.
    fn link_port(&self, port: u16) -> RangeCheck {
        if port == 0 {
            Err("port 0 is the node itself and carries no edge".to_owned())
        } else {
            self.port(port)
        }
    }

    pub(super) fn priority(&self, priority: u32) -> RangeCheck {
        below("priority", priority, self.priorities)
    }

    pub(super) fn list(&self, ports: &[u16]) -> RangeCheck {
        ports.iter().try_for_each(|&port| self.port(port))
    }

    pub(super) fn message(&self, port: Port, message: Message) -> RangeCheck {
        self.port(port.0)?;
        if let Message::RequestLock(priority) = message { self.priority(priority.0) } else { Ok(()) }
    }

    /// Checks the nodes and ports of a step; the ports of a Lock are checked elsewhere.
    pub(super) fn step(&self, step: &StepOf<Local>) -> RangeCheck {
        match *step {
            Step::Lock { node, .. } | Step::Unlock { node } | Step::Act { node, .. } => self.node(node.0),
            Step::Receive { node, port, message } | Step::Leave { node, port, message } => {
                self.node(node.0)?;
                self.message(port, message)
            }
            Step::Connect { a, a_port, b, b_port } => {
                self.node(a.0)?;
                self.link_port(a_port.0)?;
                self.node(b.0)?;
                self.link_port(b_port.0)
            }
            Step::Disconnect { node, port } => {
                self.node(node.0)?;
                self.link_port(port.0)
            }
        }
    }

    pub(super) fn memory(&self, node: &LocalNode) -> RangeCheck {
        let named = |letter: &str, check: RangeCheck| check.map_err(|what| format!("{letter}: {what}"));
        if let Some(port) = node.lock {
            named("lock", self.port(port))?;
        }
        let sets: [(&str, &PortNumbers); 6] =
            [("L", &node.L), ("R", &node.R), ("H", &node.H), ("A", &node.A), ("C", &node.C), ("D", &node.D)];
        for (letter, ports) in sets {
            named(letter, self.list(ports.elements()))?;
        }
        for &(port, _) in node.W.elements() {
            named("W", self.port(port))?;
        }
        for &(port, priority) in node.P.elements() {
            named("P", self.port(port).and_then(|()| self.priority(priority)))?;
        }
        Ok(())
    }

    pub(super) fn end(&self, end: &Final) -> RangeCheck {
        for (index, JsonObject(node)) in end.nodes.iter().enumerate() {
            self.memory(node).map_err(|what| format!("final.nodes[{index}].{what}"))?;
        }
        for (index, &InTransit(node, port, message)) in end.transit.iter().enumerate() {
            let check = self.node(node.0).and_then(|()| self.message(port, message));
            check.map_err(|what| format!("final.transit[{index}]: {what}"))?;
        }
        Ok(())
    }
}
