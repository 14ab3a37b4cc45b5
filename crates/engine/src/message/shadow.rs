//! Reconstructs memories and messages in transit from the words.
//!
//! The words tell which messages are unanswered. They do not tell which of these messages were received, since this
//! does not affect a run. A [`Shadow`] records this with two bits per port: the neighbour's bits when the node last
//! acted.

use acrasin_runtime::Port;
use acrasin_runtime::exclusion::local::{Memory, Message, Phase, Priority, Registers};

use super::configuration::{LockCode, LockConfiguration};
use crate::round::ActiveBlocks;

/// A record of which messages every node has received.
///
/// Call [`observe`](Self::observe) before every round, and [`connect`](Self::connect) for both ends of every edge
/// that appears.
#[derive(Clone, Debug)]
pub struct Shadow {
    /// The number of ports per node, including its own.
    stride: usize,
    /// The toggle of the neighbour when the node last acted.
    received: Vec<bool>,
    /// The neighbour's reply bit when the node last acted.
    replied: Vec<bool>,
}

impl Shadow {
    /// Creates the record at the start of a run, when no message was sent.
    #[must_use]
    pub fn new(configuration: &impl LockConfiguration) -> Self {
        let stride = usize::from(configuration.ports()) + 1;
        let bits = vec![false; stride * configuration.nodes() as usize];
        Self { stride, received: bits.clone(), replied: bits }
    }

    fn at(&self, node: u32, port: u16) -> usize {
        node as usize * self.stride + usize::from(port)
    }

    /// Records that these nodes act in the next round and receive everything in transit.
    pub fn observe(&mut self, configuration: &impl LockConfiguration, active: &ActiveBlocks<'_>) {
        for node in 0..configuration.nodes() {
            if active.block(u64::from(node) / 64) >> (node % 64) & 1 == 1 {
                for port in 0..=configuration.ports() {
                    if let Some((peer, back)) = configuration.link(node, port) {
                        let at = self.at(node, port);
                        self.received[at] = configuration.toggle(peer, back);
                        self.replied[at] = configuration.sent(peer, back);
                    }
                }
            }
        }
    }

    /// Records that an edge has appeared on a port of `node`, with nothing in transit. Call it for both ends.
    pub fn connect(&mut self, configuration: &impl LockConfiguration, node: u32, port: u16) {
        let (peer, back) = configuration.link(node, port).expect("the edge is there");
        let at = self.at(node, port);
        self.received[at] = configuration.toggle(peer, back);
        self.replied[at] = configuration.sent(peer, back);
    }

    /// The memory of a node, and the messages in transit to it, sorted by port and message. Pending reports of the
    /// detector are not part of this memory.
    #[must_use]
    pub fn node(&self, configuration: &impl LockConfiguration, node: u32) -> (Memory, Vec<(Port, Message)>) {
        let own = configuration.published(node);
        let mut memory = Memory::from(Registers { state: own.code.state(), ..Registers::default() });
        let mut inbox = Vec::new();
        for number in 0..=configuration.ports() {
            let Some((peer, back)) = configuration.link(node, number) else { continue };
            let port = Port(number);
            let at = self.at(node, number);
            if configuration.member(peer, back) {
                let initiator = configuration.published(peer);
                let toggle = configuration.toggle(peer, back);
                let pending = toggle != configuration.sent(node, number);
                let in_transit = toggle != self.received[at];
                if in_transit {
                    inbox.push((port, broadcast(initiator.code, initiator.priority)));
                }
                participant(&mut memory, port, initiator.code, initiator.priority, pending, in_transit);
            }
            if configuration.member(node, number) && own.code != LockCode::Idle {
                memory.lock_set_mut().insert(port);
                let reply = configuration.sent(peer, back);
                let won = configuration.won(peer, back);
                if reply == configuration.toggle(node, number) {
                    if self.replied[at] == reply {
                        match own.code {
                            LockCode::Prepare | LockCode::Win | LockCode::Unlock => {
                                memory.replied_mut().insert(port);
                            }
                            LockCode::First | LockCode::Later if won => {
                                memory.won_mut().insert(port);
                            }
                            LockCode::First | LockCode::Later => {
                                memory.lost_mut().insert(port);
                            }
                            LockCode::Idle | LockCode::Locked => {}
                        }
                    } else {
                        inbox.push((port, answer(own.code, won)));
                    }
                }
            }
        }
        memory.phase = phase(&memory);
        inbox.sort_unstable();
        (memory, inbox)
    }
}

/// The phase between two actions of a node whose memory has these sets.
#[must_use]
pub fn phase(memory: &Memory) -> Phase {
    if !memory.candidates().is_empty() {
        Phase::Compete
    } else if !memory.applicants().is_empty() || !memory.on_hold().is_empty() {
        Phase::Prepare
    } else {
        Phase::Idle
    }
}

/// The last message of an initiator with this code to its whole lock set.
fn broadcast(code: LockCode, priority: u32) -> Message {
    match code {
        LockCode::Prepare => Message::Prepare,
        LockCode::First | LockCode::Later => Message::RequestLock(Priority(priority)),
        LockCode::Win => Message::SetLock,
        LockCode::Unlock => Message::ReleaseLock,
        LockCode::Idle | LockCode::Locked => unreachable!("every message to the lock set was answered"),
    }
}

/// The reply of a participant to an initiator with this code.
fn answer(code: LockCode, won: bool) -> Message {
    match code {
        LockCode::Prepare => Message::Ready,
        LockCode::First | LockCode::Later => Message::Win(won),
        LockCode::Win => Message::AckLock,
        LockCode::Unlock => Message::AckUnlock,
        LockCode::Idle | LockCode::Locked => unreachable!("every reply was received"),
    }
}

/// Adds an initiator to those sets of a participant that the initiator's code implies.
fn participant(
    memory: &mut Memory,
    port: Port,
    code: LockCode,
    priority: u32,
    pending: bool,
    in_transit: bool,
) {
    match code {
        LockCode::Idle => {}
        LockCode::Prepare if pending => {
            if !in_transit {
                memory.on_hold_mut().insert(port);
            }
        }
        LockCode::First if pending => {
            memory.applicants_mut().insert(port);
        }
        LockCode::Prepare => {
            memory.applicants_mut().insert(port);
        }
        LockCode::First | LockCode::Later => {
            memory.candidates_mut().insert(port);
            if pending && !in_transit {
                memory.priorities.insert((port, Priority(priority)));
            }
        }
        LockCode::Win if pending => {
            memory.candidates_mut().insert(port);
        }
        LockCode::Win | LockCode::Locked => memory.lock = Some(port),
        LockCode::Unlock => {
            if pending {
                memory.lock = Some(port);
            }
        }
    }
}
