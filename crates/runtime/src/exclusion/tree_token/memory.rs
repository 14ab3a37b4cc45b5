//! [`Memory`]: the variables of a process.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use super::Behaviour;
use crate::exclusion::{Identifier, NodeInput};
use crate::pack::{Pack, PackError};
use crate::port::Port;

/// The state of the node's application: idle, waiting for the token, or in its critical section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Application {
    /// The application does not need the token.
    Idle,
    /// The application has called `enter_cs` and waits.
    Wants,
    /// The application is in its critical section.
    Inside,
}

/// The memory of a node i.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// `i`: the node's identifier.
    pub identifier: Identifier,
    /// The nodes to which this node can send, with their ports; sorted.
    pub neighbours: Vec<(Identifier, Port)>,
    /// `token`: the token is here.
    pub token: bool,
    /// `asked`: the node is serving a client, which is itself or another node. Other clients wait.
    pub asked: bool,
    /// `father`: the node to which this node sends requests; `None` (`nil`) at a root.
    pub father: Option<Identifier>,
    /// `lender`: the node to which the token returns, which is the node itself if the token was given permanently.
    /// `None` (`nil`) after the token was passed on permanently. Stale at a node that neither has the token nor has
    /// lent it.
    pub lender: Option<Identifier>,
    /// `mandator`: the client for which the node has asked; `None` (`nil`) if it has not asked.
    pub mandator: Option<Identifier>,
    /// The waiting clients, including the node itself for its own call: the paper's `wait(not asked)`.
    pub waiting: VecDeque<Identifier>,
    /// The state of the node's application.
    pub application: Application,
    /// The node's behaviour under [`SchemeRule::Topology`](super::SchemeRule::Topology); `None` under other rules,
    /// which store none.
    pub behaviour: Option<Behaviour>,
}

impl Memory {
    /// The variables by name, with their values as text, in the order of the fields.
    #[must_use]
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("identifier", format!("{:?}", self.identifier)),
            ("neighbours", format!("{:?}", self.neighbours)),
            ("token", format!("{:?}", self.token)),
            ("asked", format!("{:?}", self.asked)),
            ("father", format!("{:?}", self.father)),
            ("lender", format!("{:?}", self.lender)),
            ("mandator", format!("{:?}", self.mandator)),
            ("waiting", format!("{:?}", self.waiting)),
            ("application", format!("{:?}", self.application)),
            ("behaviour", format!("{:?}", self.behaviour)),
        ]
    }
}

/// Hashes all fields as a derived implementation would, but skips `behaviour` if it is `None`.
impl Hash for Memory {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identifier.hash(state);
        self.neighbours.hash(state);
        self.token.hash(state);
        self.asked.hash(state);
        self.father.hash(state);
        self.lender.hash(state);
        self.mandator.hash(state);
        self.waiting.hash(state);
        self.application.hash(state);
        if let Some(behaviour) = self.behaviour {
            behaviour.hash(state);
        }
    }
}

impl Memory {
    /// The memory at the start: the father of the given tree, and the token at its root.
    pub(super) fn initial(input: NodeInput<'_>, behaviour: Option<Behaviour>) -> Self {
        let identifier = input.identifier().expect("identifiers are assumed");
        let mut neighbours: Vec<(Identifier, Port)> = input.neighbours().collect();
        neighbours.sort_unstable();
        let name = |port: Port| neighbours.iter().find(|&&(_, by)| by == port).map(|&(name, _)| name);
        Self {
            identifier,
            token: input.is_root(),
            asked: false,
            father: input.father().and_then(name),
            lender: input.is_root().then_some(identifier),
            mandator: None,
            waiting: VecDeque::new(),
            application: Application::Idle,
            behaviour,
            neighbours,
        }
    }

    /// The port that leads to a node; port 0 for the node itself, `None` without a port to it.
    pub(super) fn port_to(&self, to: Identifier) -> Option<Port> {
        if to == self.identifier {
            return Some(Port::SELF);
        }
        let found = self.neighbours.binary_search_by_key(&to, |&(name, _)| name).ok()?;
        Some(self.neighbours[found].1)
    }

    /// The identifier of the node to which a port leads.
    pub(super) fn name_of(&self, port: Port) -> Identifier {
        let found = self.neighbours.iter().find(|&&(_, by)| by == port);
        found.map_or(self.identifier, |&(name, _)| name)
    }
}

const TOKEN: u8 = 1;
const ASKED: u8 = 2;
const APPLICATION: u8 = 4;
const BEHAVIOUR: u8 = 12;

impl Pack for Memory {
    fn pack(&self, into: &mut Vec<u8>) {
        self.identifier.0.pack(into);
        (self.neighbours.len() as u64).pack(into);
        for (name, port) in &self.neighbours {
            name.0.pack(into);
            port.pack(into);
        }
        into.push(
            u8::from(self.token) * TOKEN
                + u8::from(self.asked) * ASKED
                + self.application as u8 * APPLICATION
                + self.behaviour.map_or(0, |behaviour| 1 + behaviour as u8) * BEHAVIOUR,
        );
        for name in [self.father, self.lender, self.mandator] {
            name.map_or(0, |name| u64::from(name.0) + 1).pack(into);
        }
        (self.waiting.len() as u64).pack(into);
        for name in &self.waiting {
            name.0.pack(into);
        }
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let name = |from: &mut &[u8]| u32::unpack(from).map(Identifier);
        let identifier = name(from)?;
        let mut neighbours = Vec::new();
        for _ in 0..u64::unpack(from)? {
            neighbours.push((name(from)?, Port::unpack(from)?));
        }
        let flags = u8::unpack(from)?;
        let application = match flags % BEHAVIOUR / APPLICATION {
            0 => Application::Idle,
            1 => Application::Wants,
            _ => Application::Inside,
        };
        let behaviour = match flags / BEHAVIOUR {
            0 => None,
            1 => Some(Behaviour::Transit),
            2 => Some(Behaviour::Proxy),
            _ => return Err(PackError),
        };
        let mut pointers = [None; 3];
        for pointer in &mut pointers {
            let number = u64::unpack(from)?.checked_sub(1).map(u32::try_from);
            *pointer = number.transpose().map_err(|_| PackError)?.map(Identifier);
        }
        let mut waiting = VecDeque::new();
        for _ in 0..u64::unpack(from)? {
            waiting.push_back(name(from)?);
        }
        let [father, lender, mandator] = pointers;
        let (token, asked) = (flags & TOKEN != 0, flags & ASKED != 0);
        Ok(Self {
            identifier,
            neighbours,
            token,
            asked,
            father,
            lender,
            mandator,
            waiting,
            application,
            behaviour,
        })
    }
}
