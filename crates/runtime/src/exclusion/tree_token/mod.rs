//! The general scheme for mutual exclusion by a token that travels along a tree.
//!
//! J.-M. Hélary, A. Mostefaoui, M. Raynal, INRIA RR-1692 (1992). A request climbs from father to father towards the
//! token. A node that serves a request of another node is *transit* or *proxy*. A transit node forwards the request,
//! and makes the requesting node its father. A proxy sends a request of its own, and passes the token on when it
//! arrives. Known algorithms are instances of the scheme: see [`SchemeRule`].
//!
//! | paper | here |
//! |---|---|
//! | variables of a process | [`Memory`] |
//! | `enter_cs`, `exit_cs` | `client.rs` |
//! | `behaviour` | [`SchemeRule`], read in `reading.rs` |
//! | upon receiving `request(j)` | `request.rs` |
//! | upon receiving `token(l)` | `token.rs` |
//! | `wait(not asked)` | the queue [`Memory::waiting`], drained at the end of every action |
//! | messages | [`Message`] |
//!
//! The rules here differ from the printed text in three places. A proxy without the token stores *which* node asked
//! (line 7 prints the proxy itself, so the asking node is never served). `exit_cs` returns the token only if the lender
//! is *another* node. Local calls and requests share one queue, which is served in the action that ends a wait.
//! `tests/tree_token.rs` of `acrasin-verify` has the counterexamples.

mod action;
mod behaviour;
mod client;
mod errata;
mod memory;
mod message;
mod reading;
mod request;
mod token;

pub use action::Action;
pub use behaviour::{Behaviour, PhysicalLinks, Queue, SchemeRule};
pub use errata::TokenErratum;
pub use memory::{Application, Memory};
pub use message::Message;

use std::sync::Arc;

use crate::choice::Choices;
use crate::exclusion::{
    ActionEffects, AlgorithmLabels, Anomaly, Assumptions, Call, Channels, Errata, Exclusion, Given,
    Identifier, Input, NodeInput, NoteLabels, OneAtATime, RequestOwnerOf, RequiredGraph, Status,
};
use crate::node::NodeId;
use crate::port::Port;

/// The scheme of Hélary, Mostefaoui and Raynal with its parameters.
///
/// ```
/// use acrasin_runtime::exclusion::tree_token::{SchemeRule, TreeToken};
/// use acrasin_runtime::exclusion::{RootedTree, InitialKnowledge};
/// use acrasin_runtime::scheduler::Sequential;
/// use acrasin_runtime::{LockLayer, NodeId, Topology};
/// // The path 0 - 1 - 2 with the token at its end 0.
/// let path = Topology::from_edges(3, 2, &[(0, 1), (1, 2)])?;
/// let knowledge = InitialKnowledge::from_tree(RootedTree::new(&[None, Some(0), Some(1)])?);
/// let raymond = TreeToken::new(SchemeRule::Raymond);
/// let states = vec![0, 10, 20];
/// let mut layer = LockLayer::with_knowledge(raymond, (path, &knowledge), states, Box::new(Sequential::new()), 1)?;
/// layer.locked(NodeId(2), |held| *held.own_mut() += 1)?;
/// assert_eq!(layer.states(), [0, 10, 21]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeToken {
    rule: SchemeRule,
    queue: Queue,
    links: PhysicalLinks,
    proxies: Arc<[Identifier]>,
    printed: Errata<TokenErratum>,
}

impl TreeToken {
    /// Creates the scheme under this rule, in which clients are served first come, first served.
    #[must_use]
    pub fn new(rule: SchemeRule) -> Self {
        Self {
            rule,
            queue: Queue::Fifo,
            links: PhysicalLinks::default(),
            proxies: Arc::default(),
            printed: Errata::NONE,
        }
    }

    /// Sets the order in which a node serves waiting clients.
    #[must_use]
    pub fn with_queue(self, queue: Queue) -> Self {
        Self { queue, ..self }
    }

    /// Sets the physical links, which [`SchemeRule::Topology`] needs.
    #[must_use]
    pub fn with_links(self, links: PhysicalLinks) -> Self {
        Self { links, ..self }
    }

    /// Sets the proxies under [`SchemeRule::Given`], in any order. All other nodes are transit.
    #[must_use]
    pub fn with_proxies(self, proxies: impl IntoIterator<Item = u32>) -> Self {
        let mut proxies: Vec<Identifier> = proxies.into_iter().map(Identifier).collect();
        proxies.sort_unstable();
        Self { proxies: proxies.into(), ..self }
    }

    /// Leaves these errors of the printed text unrepaired.
    #[must_use]
    pub fn with_errata(self, printed: Errata<TokenErratum>) -> Self {
        Self { printed, ..self }
    }

    /// The errors of the printed text that are not repaired.
    #[must_use]
    pub fn printed(&self) -> Errata<TokenErratum> {
        self.printed
    }

    /// Whether a node is among the [given proxies](Self::with_proxies).
    #[must_use]
    pub fn is_proxy(&self, node: Identifier) -> bool {
        self.proxies.binary_search(&node).is_ok()
    }

    /// The [given proxies](Self::with_proxies), sorted.
    #[must_use]
    pub fn proxies(&self) -> &[Identifier] {
        &self.proxies
    }

    /// The physical links under the messages.
    #[must_use]
    pub fn links(&self) -> &PhysicalLinks {
        &self.links
    }

    /// The rule that makes nodes transit or proxy.
    #[must_use]
    pub fn rule(&self) -> SchemeRule {
        self.rule
    }

    /// The order in which waiting clients are served.
    #[must_use]
    pub fn queue(&self) -> Queue {
        self.queue
    }
}

/// Notes of an action besides granted and released.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenNote {
    /// The node has lent the token, which must return.
    Loan,
    /// The node asks its father for the token, on behalf of this client: itself, or a node for which it is proxy.
    Asks(Identifier),
}

/// One execution of an action: the node's memory, and the effects to fill.
struct TokenRun<'a> {
    scheme: &'a TreeToken,
    memory: &'a mut Memory,
    choices: &'a mut dyn Choices,
    effects: &'a mut ActionEffects<Message, TokenNote>,
}

impl TokenRun<'_> {
    fn has(&self, erratum: TokenErratum) -> bool {
        self.scheme.printed.has(erratum)
    }

    /// Sends a request or the outgoing token. Under the topology rule these travel over physical links only.
    fn send_out(&mut self, message: Message, to: Identifier) {
        if matches!(self.scheme.rule, SchemeRule::Topology { .. })
            && !self.scheme.links.join(self.memory.identifier, to)
        {
            self.effects.anomaly = Some(Anomaly::OffLink);
        }
        self.send(message, to);
    }

    fn send(&mut self, message: Message, to: Identifier) {
        let port =
            self.memory.port_to(to).expect("the scheme sends to neighbours: the network is as assumed");
        self.effects.sends.push((port, message));
    }

    /// Passes the token on for another node's section. `lender` is the node that lends it, this one or another; `None`
    /// gives it permanently.
    fn pass_token(&mut self, lender: Option<Identifier>, to: Identifier) {
        self.memory.token = false;
        if lender == Some(self.memory.identifier) {
            self.effects.announce(TokenNote::Loan);
        }
        self.send_out(Message::Token(lender), to);
    }
}

impl Exclusion for TreeToken {
    type Memory = Memory;
    type Message = Message;
    type Action = Action;
    type Note = TokenNote;
    type Promise = OneAtATime;

    /// Assumes a tree, identifiers and a static graph. Under Raymond's rule all messages travel on edges of the tree;
    /// otherwise the graph must be complete, because the token may be sent to any node.
    fn assumes(&self) -> Assumptions {
        Assumptions {
            network: if self.rule == SchemeRule::Raymond {
                RequiredGraph::Static
            } else {
                RequiredGraph::Complete
            },
            channels: Channels::Unordered,
            given: Given { identifiers: true, tree: true, ..Given::NOTHING },
        }
    }

    fn initial(&self, input: NodeInput<'_>) -> Memory {
        Memory::initial(input, self.rule.initial())
    }

    fn enabled(&self, memory: &Memory, disconnected: bool, into: &mut Vec<Action>) {
        if self.any_enabled(memory, disconnected) {
            into.push(Action::Wake);
        }
    }

    fn any_enabled(&self, memory: &Memory, _disconnected: bool) -> bool {
        self.printed.has(TokenErratum::DrainedApart) && !memory.asked && !memory.waiting.is_empty()
    }

    fn receives(&self, message: Message) -> Action {
        match message {
            Message::Request(_) => Action::ReceiveRequest,
            Message::Token(_) => Action::ReceiveToken,
        }
    }

    fn calls(&self, call: Call) -> Action {
        match call {
            Call::Lock => Action::EnterCs,
            Call::Unlock => Action::ExitCs,
        }
    }

    fn execute(
        &self,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, TokenNote>,
    ) {
        let mut run = TokenRun { scheme: self, memory, choices, effects };
        match (action, input.message) {
            (Action::EnterCs, _) => run.enter_cs(),
            (Action::ExitCs, _) => run.exit_cs(),
            (Action::Wake, _) => run.wake(),
            (Action::ReceiveRequest, Some((_, Message::Request(client)))) => run.receive_request(client),
            (Action::ReceiveToken, Some((port, Message::Token(lender)))) => run.receive_token(port, lender),
            (action, _) => unreachable!("{action} needs its message"),
        }
    }

    fn status(&self, memory: &Memory) -> Status {
        match memory.application {
            Application::Idle => Status::Idle,
            Application::Wants => Status::Waiting,
            Application::Inside => Status::Holding,
        }
    }

    fn heap_bytes(&self, memory: &Memory) -> usize {
        memory.neighbours.capacity() * size_of::<(Identifier, Port)>()
            + memory.waiting.capacity() * size_of::<Identifier>()
    }

    /// Requests of several nodes may wait on one edge. Each node has its own class, so that none of them waits forever.
    fn fairness_class(&self, message: Message) -> u8 {
        match message {
            Message::Request(client) => (client.0 % 32) as u8,
            Message::Token(_) => 0,
        }
    }

    fn remark(&self, note: TokenNote) -> Option<&'static str> {
        match note {
            TokenNote::Loan => Some("lends the token"),
            TokenNote::Asks(_) => None,
        }
    }
}

impl AlgorithmLabels for TreeToken {
    const KINDS: &'static [&'static str] = &["request", "token"];
    const ACTIONS: &'static [Action] = &Action::ALL;
    const NOTES: &'static [NoteLabels] = &[
        NoteLabels {
            key: "loans",
            total: "loans of the token",
            over_runs: "loans of the token",
            per_lock: None,
        },
        NoteLabels {
            key: "asked",
            total: "requests that nodes started, for themselves or as proxies",
            over_runs: "requests that nodes started, for themselves or as proxies",
            per_lock: None,
        },
    ];
    const LOCK: Action = Action::EnterCs;
    const UNLOCK: Action = Action::ExitCs;
    const REQUEST_OWNER: Option<RequestOwnerOf<Message>> = Some(Message::request_owner);
    const FORWARDS: bool = true;

    fn guard(action: Action) -> Option<&'static str> {
        let guard = "the node no longer waits: asked is false and a process waits";
        (action == Action::Wake).then_some(guard)
    }

    fn kind(message: Message) -> usize {
        usize::from(matches!(message, Message::Token(_)))
    }

    fn action(action: Action) -> usize {
        action as usize
    }

    fn note(note: TokenNote) -> usize {
        usize::from(matches!(note, TokenNote::Asks(_)))
    }

    fn asks_for(note: TokenNote) -> Option<NodeId> {
        match note {
            TokenNote::Loan => None,
            TokenNote::Asks(client) => Some(NodeId(client.0)),
        }
    }
}
