//! Local mutual exclusion for dynamic, anonymous, bounded-memory message-passing systems.
//!
//! J. J. Daymude, A. W. Richa, C. Scheideler, SAND 2022 (LIPIcs 221, 12:1-12:19), Algorithms 1-3 and Table 1. A node
//! that calls Lock prepares its neighbours, competes with random priorities at each of them until one trial is won
//! everywhere, sets their locks, and later releases them. As published, the algorithm deadlocks on two nodes joined by
//! one edge; [`Rules`] contains the three repairs.
//!
//! | paper | here |
//! |---|---|
//! | Table 1, variables | [`Memory`] |
//! | Algorithm 1, initiator: InitLock, CheckStart, CheckWin, CheckDone, InitUnlock, CheckUnlocked | `initiator.rs` |
//! | Algorithm 1, initiator: ReceiveReady, ReceiveWin, ReceiveAckLock, ReceiveAckUnlock | `initiator.rs` |
//! | Algorithm 2, participant: ReceivePrepare, ReceiveRequest, CheckPriorities | `participant.rs` |
//! | Algorithm 2, participant: ReceiveSetLock, ReceiveRelease | `participant.rs` |
//! | Algorithm 3, CleanUp | `cleanup.rs` |
//! | guards | [`Local::guard`] in `guard.rs` |
//! | messages | [`Message`] |
//!
//! Deviations are marked in the code. R1 rejects late first requests at once, R2 guards CleanUp, and R3 lets ignored
//! calls clean up too. CheckPriorities tests in another order if no candidate is left. Constraint (iii) of the paper
//! holds per role only. `docs/conformance/errata.md` lists them with their tests.

mod action;
mod bids;
mod cleanup;
mod codec;
mod guard;
mod independent;
mod initiator;
mod memory;
mod message;
mod note;
mod pack;
mod participant;
mod rules;

pub use action::Action;
pub use bids::Bids;
pub use codec::Bits;
pub use memory::{Memory, Phase, Registers, State};
pub use message::{Message, Priority};
pub use note::LockNote;
pub use rules::{Rules, SelfMessages};

use crate::choice::Choices;
use crate::exclusion::{
    ActionEffects, AlgorithmLabels, Assumptions, Call, DisjointLockSets, Exclusion, Input, LockSets,
    NodeInput, NoteLabels, Role, Status,
};
use crate::limits::PRIORITIES_MIN;
use crate::port::{Port, PortNames, PortSet, PortsRef};

/// The algorithm of Daymude, Richa and Scheideler with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    rules: Rules,
    self_messages: SelfMessages,
    priorities: u32,
}

impl Local {
    /// Creates the algorithm with the repaired rules and K = Δ² + 1 priorities; messages of a node to itself are sent
    /// like others.
    #[must_use]
    pub fn new(ports: u16) -> Self {
        Self {
            rules: Rules::REPAIRED,
            self_messages: SelfMessages::Sent,
            priorities: Self::auto_priorities(ports),
        }
    }

    /// K = Δ² + 1 (footnote 2 of the paper): O(Δ²) expected open trials with O(log Δ) bits per message; at least 2.
    #[must_use]
    pub fn auto_priorities(ports: u16) -> u32 {
        let delta = u32::from(ports);
        // 65535² + 1 is below 2^32.
        (delta * delta + 1).max(PRIORITIES_MIN)
    }

    /// Sets the rules, published or repaired.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Sets the treatment of a node's messages to itself.
    #[must_use]
    pub fn with_self_messages(self, self_messages: SelfMessages) -> Self {
        Self { self_messages, ..self }
    }

    /// Sets K, the number of priorities; `None` if `priorities` is below 2.
    #[must_use]
    pub fn with_priorities(self, priorities: u32) -> Option<Self> {
        (priorities >= PRIORITIES_MIN).then_some(Self { priorities, ..self })
    }

    /// The rules that the algorithm follows.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The treatment of a node's messages to itself.
    #[must_use]
    pub fn self_messages(&self) -> SelfMessages {
        self.self_messages
    }

    /// K: priorities are drawn uniformly from `0..K`.
    #[must_use]
    pub fn priorities(&self) -> u32 {
        self.priorities
    }

    /// Executes an action that does not receive a message.
    fn act(
        &self,
        memory: &mut Memory,
        action: Action,
        (neighbourhood, disconnected): (&PortSet, &PortSet),
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, LockNote>,
    ) {
        let mut run =
            LocalRun { local: self, neighbourhood, disconnected: Some(disconnected), choices, effects };
        match action {
            Action::InitLock => run.init_lock(memory),
            Action::CheckStart => run.check_start(memory),
            Action::CleanUp => run.clean_up(memory),
            Action::CheckPriorities => run.check_priorities(memory),
            Action::CheckWin => run.check_win(memory),
            Action::CheckDone => run.check_done(memory),
            Action::InitUnlock => run.init_unlock(memory),
            Action::CheckUnlocked => run.check_unlocked(memory),
            Action::ReceivePrepare
            | Action::ReceiveReady
            | Action::ReceiveRequest
            | Action::ReceiveWin
            | Action::ReceiveSetLock
            | Action::ReceiveAckLock
            | Action::ReceiveRelease
            | Action::ReceiveAckUnlock => unreachable!("{action} needs a message"),
        }
    }
}

/// One execution of an action: the snapshot read at its start, and the effects to fill.
struct LocalRun<'a> {
    local: &'a Local,
    /// `N[u]` at the start.
    neighbourhood: &'a PortSet,
    /// `d`: the detector's report at the start, which the first CleanUp consumes; `None` after that.
    disconnected: Option<&'a PortSet>,
    choices: &'a mut dyn Choices,
    effects: &'a mut ActionEffects<Message, LockNote>,
}

impl LocalRun<'_> {
    #[inline(always)] // One call less for every message.
    fn receive(&mut self, memory: &mut Memory, port: Port, message: Message) {
        match message {
            Message::Prepare => self.receive_prepare(memory, port),
            Message::Ready => self.receive_ready(memory, port),
            Message::RequestLock(priority) => self.receive_request(memory, port, priority),
            Message::Win(won) => self.receive_win(memory, port, won),
            Message::SetLock => self.receive_set_lock(memory, port),
            Message::AckLock => self.receive_ack_lock(memory, port),
            Message::ReleaseLock => self.receive_release(memory, port),
            Message::AckUnlock => self.receive_ack_unlock(memory, port),
        }
    }

    #[inline]
    fn send(&mut self, message: Message, port: Port) {
        self.effects.sends.push((port, message));
    }

    fn send_to_all(&mut self, message: Message, ports: PortsRef<'_>) {
        self.effects.sends.extend(ports.iter().map(|port| (port, message)));
    }

    /// Handles the messages that the node sent to itself inside the same action, in sending order, until none
    /// is left.
    ///
    /// No Check* action runs, and the detector's report is not processed again, because the outer action has consumed
    /// it. If the report were processed twice, a Lock at a node whose port was reused would remove the new neighbour
    /// from its own lock set.
    fn deliver_to_self(&mut self, memory: &mut Memory) {
        let mut next = 0;
        while next < self.effects.sends.len() {
            if self.effects.sends[next].0.is_self() {
                let (port, message) = self.effects.sends.remove(next);
                self.receive(memory, port, message);
            } else {
                next += 1;
            }
        }
    }
}

impl Exclusion for Local {
    type Memory = Memory;
    type Message = Message;
    type Action = Action;
    type Note = LockNote;
    type Promise = DisjointLockSets;

    #[inline]
    fn assumes(&self) -> Assumptions {
        Assumptions::NONE
    }

    fn initial(&self, _seat: NodeInput<'_>) -> Memory {
        Memory::default()
    }

    fn enabled(&self, memory: &Memory, disconnected: bool, into: &mut Vec<Action>) {
        // At most three: one of the initiator's, CheckPriorities, CleanUp.
        if let Some(action) = Self::initiator_check(memory) {
            into.push(action);
        }
        if self.guard(memory, disconnected, Action::CheckPriorities) {
            into.push(Action::CheckPriorities);
        }
        if self.guard(memory, disconnected, Action::CleanUp) {
            into.push(Action::CleanUp);
        }
    }

    #[inline(always)] // Once a step.
    fn any_enabled(&self, memory: &Memory, disconnected: bool) -> bool {
        Self::initiator_check(memory).is_some()
            || self.guard(memory, disconnected, Action::CheckPriorities)
            || self.guard(memory, disconnected, Action::CleanUp)
    }

    #[inline]
    fn is_enabled(&self, memory: &Memory, disconnected: bool, action: Action) -> bool {
        self.guard(memory, disconnected, action)
    }

    #[inline]
    fn receives(&self, message: Message) -> Action {
        message.received_by()
    }

    fn calls(&self, call: Call) -> Action {
        match call {
            Call::Lock => Action::InitLock,
            Call::Unlock => Action::InitUnlock,
        }
    }

    #[inline(always)] // Most steps receive a message: there it pays to be a part of the step.
    fn execute(
        &self,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, LockNote>,
    ) {
        let Input { neighbourhood, disconnected, message } = input;
        match message {
            Some((port, message)) => {
                LocalRun { local: self, neighbourhood, disconnected: Some(disconnected), choices, effects }
                    .receive(memory, port, message);
            }
            None => self.act(memory, action, (neighbourhood, disconnected), choices, effects),
        }
        if self.self_messages == SelfMessages::InMemory {
            LocalRun { local: self, neighbourhood, disconnected: None, choices, effects }
                .deliver_to_self(memory);
        }
    }

    #[inline]
    fn status(&self, memory: &Memory) -> Status {
        // Not one `match`, which would compile to a jump table: most callers ask for one of two states.
        if memory.state == State::Idle {
            Status::Idle
        } else if memory.state == State::Locked {
            Status::Holding
        } else if memory.state == State::Unlock {
            Status::Releasing
        } else {
            Status::Waiting
        }
    }

    fn heap_bytes(&self, memory: &Memory) -> usize {
        memory.heap_bytes()
    }

    fn remark(&self, note: LockNote) -> Option<&'static str> {
        match note {
            LockNote::Trial => None,
            LockNote::LateRejection => Some("rejected as late"),
        }
    }

    fn rename(&self, memory: &Memory, ports: PortNames<'_>) -> Option<Memory> {
        Some(memory.renamed(ports))
    }

    fn commutes(&self, memory: &Memory, port: Port, message: Message) -> bool {
        memory.is_settled() && memory.awaits_reply(port, message)
    }
}

impl LockSets for Local {
    #[inline]
    fn lock_set<'m>(&self, memory: &'m Memory) -> PortsRef<'m> {
        memory.lock_set()
    }

    #[inline]
    fn locked_by(&self, memory: &Memory) -> Option<Port> {
        memory.lock
    }

    #[inline]
    fn role(&self, message: Message) -> Role {
        message.role()
    }

    fn kept_behind<'m>(&self, memory: &'m Memory, port: Port) -> Option<PortsRef<'m>> {
        memory.on_hold().contains(port).then_some(memory.candidates())
    }
}

impl AlgorithmLabels for Local {
    const KINDS: &'static [&'static str] = &Message::KINDS;
    const ACTIONS: &'static [Action] = &Action::ALL;
    const NOTES: &'static [NoteLabels] = &[
        NoteLabels { key: "trials", total: "trials", over_runs: "trials", per_lock: Some("trials per Lock") },
        NoteLabels {
            key: "late_rejections",
            total: "late rejections",
            over_runs: "late requests rejected",
            per_lock: None,
        },
    ];
    const LOCK: Action = Action::InitLock;
    const UNLOCK: Action = Action::InitUnlock;
    const ROLE: Option<fn(Message) -> Role> = Some(Message::role);
    const TRIAL: Option<usize> = Some(LockNote::Trial as usize);

    fn guard(action: Action) -> Option<&'static str> {
        Some(match action {
            Action::CheckStart => "state is prepare and R = L: every participant has answered ready",
            Action::CheckPriorities => {
                "phase is compete and |C| = |P|: every candidate has sent its priority"
            }
            Action::CheckWin => {
                "state is compete and |W| = |L|: every participant has reported whether this trial is won"
            }
            Action::CheckDone => "state is win and R = L: every participant has set its lock",
            Action::CheckUnlocked => "state is unlock and R = L: every participant has released its lock",
            Action::CleanUp => {
                "D is not empty: an edge of the node has vanished (the published rules also require that phase is not bot or that state is unlock)"
            }
            _ => return None,
        })
    }

    #[inline]
    fn kind(message: Message) -> usize {
        message.kind_index()
    }

    #[inline]
    fn action(action: Action) -> usize {
        action as usize
    }

    #[inline]
    fn note(note: LockNote) -> usize {
        note as usize
    }
}
