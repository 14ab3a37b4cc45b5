//! The waits-for graph is acyclic (Lemma 4.6, with the edges E' of the specification, section 3.1).

use std::fmt;

use acrasin_runtime::exclusion::Exclusion;
use acrasin_runtime::exclusion::local::{Memory, Message, State};
use acrasin_runtime::{CriticalSection, NodeId, Port, World};

use super::Property;

/// Competitors and participants do not wait for each other in a cycle.
///
/// Every node counts twice: as an initiator that competes, and as a participant. Let u compete, and let v be in L(u); u
/// itself is such a v. The graph has u → v if v has answered u's current request, and v → u otherwise. Exception: there
/// is no edge v → u while the request is in transit, u ∈ A(v) and |C(v)| ≠ |P(v)|, since v will answer on receipt
/// (repair R1). The graph of Lemma 4.6, without this exception, has cycles even in correct runs (F12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitsAcyclic;

/// A vertex of the waits-for graph: a node as the initiator of its own Lock, or as a participant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waiting {
    Initiator(NodeId),
    Participant(NodeId),
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initiator(node) => write!(f, "initiator {node}"),
            Self::Participant(node) => write!(f, "participant {node}"),
        }
    }
}

/// The status of an initiator's current request at a member of its lock set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestStatus {
    Answered,
    Open,
    /// The request is not answered, but will be rejected on receipt.
    AsGoodAsRejected,
}

/// The status of the request that node u sent through `port` to node v, which receives it on `their_port`.
fn request<E, S>(
    world: &World<E, S>,
    (u, port): (NodeId, Port),
    (v, their_port): (NodeId, Port),
) -> RequestStatus
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    let on_its_way = |from: (NodeId, Port), to: (NodeId, Port), kind: fn(&Message) -> bool| {
        world.in_transit(to.0).iter().any(|envelope| envelope.port == to.1 && kind(&envelope.message))
            || world.unsent(from.0).iter().any(|(port, message)| *port == from.1 && kind(message))
    };
    let (at_u, at_v) = (world.memory(u), world.memory(v));
    let is_win = |message: &Message| matches!(message, Message::Win(_));
    let is_request = |message: &Message| matches!(message, Message::RequestLock(_));
    if at_u.won().contains(port)
        || at_u.lost().contains(port)
        || on_its_way((v, their_port), (u, port), is_win)
    {
        RequestStatus::Answered
    } else if at_v.applicants().contains(their_port)
        && at_v.candidates().len() != at_v.priorities.len()
        && on_its_way((u, port), (v, their_port), is_request)
    {
        RequestStatus::AsGoodAsRejected
    } else {
        RequestStatus::Open
    }
}

/// The edges E' of the waits-for graph, as [`WaitsAcyclic`] defines them.
fn edges<E, S>(world: &World<E, S>) -> Vec<(Waiting, Waiting)>
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    let topology = world.topology();
    let mut edges = Vec::new();
    for u in topology.nodes().filter(|&u| world.memory(u).state == State::Compete) {
        for port in world.memory(u).lock_set() {
            let (v, their_port) = match topology.link(u, port) {
                _ if port.is_self() => (u, port),
                Some(link) if !topology.detector(u).contains(port) => (link.peer, link.peer_port.into()),
                _ => continue,
            };
            let (initiator, participant) = (Waiting::Initiator(u), Waiting::Participant(v));
            match request(world, (u, port), (v, their_port)) {
                RequestStatus::Answered => edges.push((initiator, participant)),
                RequestStatus::Open => edges.push((participant, initiator)),
                RequestStatus::AsGoodAsRejected => {}
            }
        }
    }
    edges
}

impl<E, S> Property<E, S> for WaitsAcyclic
where
    E: Exclusion<Memory = Memory, Message = Message>,
    S: CriticalSection,
{
    fn name(&self) -> &'static str {
        "no cycle of waiting competitors (E')"
    }
    fn source(&self) -> &'static str {
        "Lemma 4.6, erratum F12"
    }
    fn check(&self, world: &World<E, S>) -> Result<(), String> {
        let mut left = edges(world);
        // Removes vertices without incoming edges until none is left, or only cycles and their successors.
        loop {
            let before = left.len();
            let targets: Vec<Waiting> = left.iter().map(|&(_, to)| to).collect();
            left.retain(|(from, _)| targets.contains(from));
            if left.is_empty() {
                return Ok(());
            }
            if left.len() == before {
                let list: Vec<String> = left.iter().map(|(from, to)| format!("{from} -> {to}")).collect();
                return Err(format!("a cycle in E': {}", list.join(", ")));
            }
        }
    }
}
