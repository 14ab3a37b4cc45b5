//! The paper's sets of one node, derived from published words and from two private bits per port.

use acrasin_runtime::Port;
use acrasin_runtime::exclusion::local::{Memory, Message, Priority, Registers};
use acrasin_runtime::port::PortSet;

use crate::message::activation::NeighbourBits;
use crate::message::registers::PortLinks;
use crate::message::word::{LOCK, LockCode, NodeWord, SENT, TOGGLE};

/// The maximum number of ports of a node that is one word, including its port to itself.
const PORTS: usize = 17;

/// The words of all nodes at the start of a round.
#[derive(Clone, Copy)]
pub(super) struct ColumnSnapshot<'a, W> {
    pub(super) words: &'a [W],
    pub(super) edges: &'a [W],
    pub(super) private: &'a [W],
    pub(super) links: &'a dyn PortLinks,
}

/// The words of a node and the bits that its neighbours publish.
#[derive(Clone, Debug)]
pub(super) struct NodeSets<W> {
    /// The published word.
    pub(super) word: W,
    /// The edge word.
    pub(super) edges: W,
    /// The ports whose message was received but not yet answered.
    pub(super) seen: W,
    /// The ports whose reply to the last message was received.
    pub(super) replies: W,
    /// The published bits of the neighbours.
    neighbours: NeighbourBits<W>,
    /// The ports to initiators that have this node in their lock set.
    participant: W,
    priorities: [u32; PORTS],
}

/// The private word of a node: received messages, then received replies.
pub(super) fn private<W: NodeWord>(seen: W, replies: W) -> W {
    seen | replies << (W::PORTS + 1)
}

impl<W: NodeWord> NodeSets<W> {
    /// Gathers the view of a node.
    pub(super) fn of(snapshot: &ColumnSnapshot<'_, W>, node: u32) -> Self {
        let ColumnSnapshot { words, edges, private, links } = *snapshot;
        let at = node as usize;
        let ports = W::ports(W::PORTS);
        let none = NeighbourBits { toggle: W::NONE, code: [W::NONE; 3], acked: W::NONE, won: W::NONE };
        let mut view = Self {
            word: words[at],
            edges: edges[at],
            seen: private[at] & ports,
            replies: private[at] >> (W::PORTS + 1) & ports,
            neighbours: none,
            participant: W::ONE,
            priorities: [0; PORTS],
        };
        view.gather(0, words[at], W::NONE, 0);
        for port in 1..=links.room(node) {
            if edges[at].present().has(port.into())
                && let Some((peer, back)) = links.peer(node, port)
            {
                view.gather(port.into(), words[peer as usize], edges[peer as usize], back.into());
            }
        }
        view
    }

    fn gather(&mut self, port: u32, word: W, edges: W, back: u32) {
        let bit = |set: bool| if set { W::ONE << port } else { W::NONE };
        for (index, code) in (0..).zip(&mut self.neighbours.code) {
            *code |= bit(word.has(index));
        }
        self.neighbours.toggle |= bit(word.has(TOGGLE) ^ edges.skipped().has(back));
        self.neighbours.acked |= bit(word.sent().has(back));
        self.neighbours.won |= bit(word.won().has(back));
        if port != 0 {
            self.participant |= bit(edges.members().has(back));
        }
        self.priorities[port as usize] = word.priority();
    }

    fn with_code(&self, code: LockCode) -> W {
        let [low, middle, high] = self.neighbours.code;
        let bits = code as u64;
        let same = |set: W, index: u32| if bits >> index & 1 == 1 { set } else { !set };
        self.participant & same(low, 0) & same(middle, 1) & same(high, 2)
    }

    /// The ports with a message, in transit or received, that is not yet answered.
    fn pending(&self) -> W {
        self.participant & (self.neighbours.toggle ^ self.word.sent())
    }

    fn competing(&self) -> W {
        self.with_code(LockCode::First) | self.with_code(LockCode::Later)
    }

    /// The ports with a message in transit to the participant.
    pub(super) fn asking(&self) -> W {
        self.pending() & !self.seen
    }

    /// `A`: the nodes that were answered ready and do not compete yet.
    pub(super) fn applicants(&self) -> W {
        let ready = self.with_code(LockCode::Prepare) & !self.pending();
        ready | self.with_code(LockCode::First) & self.asking()
    }

    /// `C`: the candidates.
    pub(super) fn candidates(&self) -> W {
        let arrived = self.competing() & !(self.with_code(LockCode::First) & self.asking());
        arrived | self.with_code(LockCode::Win) & self.pending()
    }

    /// `H`: the prepares on hold.
    pub(super) fn on_hold(&self) -> W {
        self.with_code(LockCode::Prepare) & self.pending() & self.seen
    }

    /// The ports of `P`, the received priorities.
    pub(super) fn stored(&self) -> W {
        self.competing() & self.pending() & self.seen
    }

    /// The port to the holder that has locked the node, if any.
    fn owner(&self) -> Option<Port> {
        let (win, unlock) = (self.with_code(LockCode::Win), self.with_code(LockCode::Unlock));
        let owner = win & !self.pending() | self.with_code(LockCode::Locked) | unlock & self.pending();
        ports(owner).next().map(|port| Port(port as u16))
    }

    /// The only port of `P` with the highest priority, if there is one.
    pub(super) fn unique_highest(&self) -> W {
        let stored = self.stored();
        let highest = ports(stored).map(|port| self.priorities[port as usize]).max();
        let mut top = W::NONE;
        for port in ports(stored).filter(|&port| Some(self.priorities[port as usize]) == highest) {
            top |= W::ONE << port;
        }
        if top.ones() == W::ONE { top } else { W::NONE }
    }

    /// `L`: the lock set. Not meaningful while no Lock is outstanding.
    pub(super) fn members(&self) -> W {
        self.edges.members()
    }

    pub(super) fn code(&self) -> LockCode {
        self.word.code()
    }

    /// The members that have answered the last message of this node.
    fn answered(&self) -> W {
        let toggle = W::when(self.word.has(TOGGLE)) ^ self.edges.skipped();
        self.members() & !(self.neighbours.acked ^ toggle)
    }

    /// The ports with a reply in transit to the initiator.
    pub(super) fn answering(&self) -> W {
        match self.code() {
            LockCode::Idle | LockCode::Locked => W::NONE,
            _ => self.answered() & !self.replies,
        }
    }

    /// The ports of `R`, or of `W` while the node competes.
    pub(super) fn replied(&self) -> W {
        self.replies & self.members()
    }

    /// The ports of the pairs (port, false) in `W`.
    pub(super) fn lost(&self) -> W {
        self.replied() & !self.neighbours.won
    }

    /// The message in transit from the initiator on a port.
    pub(super) fn request(&self, port: u32) -> Message {
        let is = |code: LockCode| self.with_code(code).has(port);
        if is(LockCode::Prepare) {
            Message::Prepare
        } else if is(LockCode::Win) {
            Message::SetLock
        } else if is(LockCode::Unlock) {
            Message::ReleaseLock
        } else {
            Message::RequestLock(Priority(self.priorities[port as usize]))
        }
    }

    /// The reply in transit from the member on a port.
    pub(super) fn reply(&self, port: u32) -> Message {
        match self.code() {
            LockCode::Prepare => Message::Ready,
            LockCode::Win => Message::AckLock,
            LockCode::Unlock => Message::AckUnlock,
            _ => Message::Win(self.neighbours.won.has(port)),
        }
    }

    /// The messages in transit to the node, sorted by port, requests before replies.
    pub(super) fn in_transit(&self) -> Vec<(Port, Message)> {
        let (asking, answering) = (self.asking(), self.answering());
        let mut messages = Vec::new();
        for port in ports(asking | answering) {
            if asking.has(port) {
                messages.push((Port(port as u16), self.request(port)));
            }
            if answering.has(port) {
                messages.push((Port(port as u16), self.reply(port)));
            }
        }
        messages
    }

    /// The whole memory of the node; its detector must have no pending report.
    pub(super) fn memory(&self) -> Memory {
        let code = self.code();
        let competes = matches!(code, LockCode::First | LockCode::Later);
        let waits = matches!(code, LockCode::Prepare | LockCode::Win | LockCode::Unlock);
        let only_if = |condition: bool, set: W| port_set(if condition { set } else { W::NONE });
        let mut memory = Memory::from(Registers {
            lock: self.owner(),
            state: code.state(),
            lock_set: only_if(code != LockCode::Idle, self.members()),
            replied: only_if(waits, self.replied()),
            won: only_if(competes, self.replied() & !self.lost()),
            lost: only_if(competes, self.lost()),
            on_hold: port_set(self.on_hold()),
            applicants: port_set(self.applicants()),
            candidates: port_set(self.candidates()),
            priorities: ports(self.stored())
                .map(|port| (Port(port as u16), Priority(self.priorities[port as usize])))
                .collect(),
            ..Registers::default()
        });
        memory.phase = crate::message::phase(&memory);
        debug_assert_eq!(memory.lock.is_some(), self.word.has(LOCK));
        memory
    }

    /// Sends replies on the ports `answered`, with win(true) on `winner`.
    pub(super) fn reply_to(&mut self, answered: W, winner: W) {
        let won = self.word.won() & !answered | winner;
        let kept = self.word & !(W::ports(W::PORTS) << W::WON);
        self.word = (kept ^ answered << SENT) | won << W::WON;
        self.seen = self.seen & !answered;
    }

    /// Sends a message to the whole lock set, which becomes `members`.
    pub(super) fn send_to_all(&mut self, members: W) {
        self.word = self.word ^ W::ONE << TOGGLE;
        let skipped = self.edges.skipped() ^ !members;
        let detector = self.edges.detector();
        self.edges = self.edges.after(members, skipped) | detector >> 1 << W::DETECTOR;
        self.replies = W::NONE;
    }

    pub(super) fn set_code(&mut self, code: LockCode) {
        self.word = self.word & !W::of(7) | W::of(code as u64);
    }
}

/// The elements of a set, in increasing order.
pub(super) fn ports<W: NodeWord>(set: W) -> impl Iterator<Item = u32> {
    let mut rest = set.number();
    std::iter::from_fn(move || {
        let port = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        port
    })
}

/// A set of ports as the runtime's type.
pub(super) fn port_set<W: NodeWord>(set: W) -> PortSet {
    ports(set).map(|port| Port(port as u16)).collect()
}
