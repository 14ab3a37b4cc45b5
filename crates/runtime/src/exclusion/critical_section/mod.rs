//! Generalised local critical sections: at least l_i and at most k_i processes of each closed neighbourhood
//! `N[i]` are in their critical sections.
//!
//! S. Kamei, H. Kakugawa, Algorithms 10(2):38 (2017). Each process is also an arbiter. It grants permissions to be out
//! of the critical section (MUTIN) or in it (MUTEX) to as many members of `N[i]` as its bounds allow. A process that
//! changes its state needs the permission of all of `N[i]`.
//!
//! | paper | here |
//! |---|---|
//! | l-mutual inclusion, Algorithms 1 to 3 | [`Scheme::Inclusion`]: leaving waits for permissions, entering is free |
//! | k-mutual exclusion | [`Scheme::Exclusion`]: entering waits for permissions, leaving is free |
//! | LKCS, Algorithms 4 to 6 | [`Scheme::Leader`]: both changes wait; a leader raises a request where all would wait forever |
//! | - | [`Scheme::Home`]: leaving the initial state waits, returning to it is free; no leader |
//! | variables of a process | [`Memory`] |
//! | entry and exit sequences, the wait for permissions | `process.rs` |
//! | an arbiter's handlers | `arbitration.rs`, and with a leader `review.rs` |
//! | the leader | `leader.rs` |
//! | messages | [`Message`] |
//!
//! Each wait is tested in the action that changes its condition: the guard and the change of state are one step. A
//! Preempt is answered only by a process that waits and has that grant. As printed, a Preempt may arrive late, and the
//! process then gives back a grant that it does not have. With a leader an arbiter examines its requests again after
//! every change and never asks for a used grant. It keeps an extra place for the request that the leader has raised.

mod action;
mod arbiter;
mod arbitration;
mod errata;
mod frozen;
mod leader;
mod memory;
mod message;
mod process;
mod review;
mod stamps;

pub use action::Action;
pub use arbiter::{Arbiter, ArbiterRequest, Rank};
pub use errata::SectionErratum;
pub use memory::{Memory, ProcessPhase};
pub use message::{Message, MessageKind, Permission};

use crate::choice::Choices;
use crate::exclusion::{
    ActionEffects, AlgorithmLabels, AssumptionError, Assumptions, AtLeastAtMost, Bounds, BoundsError, Call,
    Channels, Errata, Exclusion, Given, Identifier, InitialKnowledge, Input, NodeInput, NoteLabels,
    RequestOwnerOf, RequiredGraph, Stamps, Status, Transit,
};
use crate::node::NodeId;
use crate::port::Port;
use crate::topology::Topology;

/// The changes of state that wait for permissions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scheme {
    /// l-mutual inclusion: at least l_i inside; k_i is ignored.
    Inclusion,
    /// k-mutual exclusion: at most k_i inside; l_i is ignored.
    Exclusion,
    /// Both bounds, without a leader: leaving the initial state (home) waits for permissions, and returning is free.
    Home,
    /// Both bounds, with a leader. If the initial knowledge names no leader, no request is raised.
    Leader,
}

/// Local critical sections under one of the schemes.
///
/// ```
/// use acrasin_runtime::exclusion::critical_section::{LocalSections, Scheme};
/// use acrasin_runtime::exclusion::{Bounds, InitialKnowledge};
/// use acrasin_runtime::scheduler::Sequential;
/// use acrasin_runtime::{LockLayer, NodeId, Topology};
/// // A ring of four, one process inside; at most two of three neighbours may be.
/// let ring = Topology::from_edges(4, 2, &[(0, 1), (1, 2), (2, 3), (0, 3)])?;
/// let bounds = InitialKnowledge::from_bounds(4, Bounds { least: 0, most: 2 });
/// let knowledge = InitialKnowledge { inside: vec![true, false, false, false], ..bounds };
/// let sections = LocalSections::new(Scheme::Home);
/// let scheduler = Box::new(Sequential::new());
/// let mut layer = LockLayer::with_knowledge(sections, (ring, &knowledge), vec![0; 4], scheduler, 1)?;
/// layer.locked(NodeId(2), |held| *held.own_mut() += 1)?;
/// assert_eq!(layer.states(), [0, 0, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalSections {
    scheme: Scheme,
    holds_neighbours: bool,
    printed: Errata<SectionErratum>,
    stamps: Stamps,
    self_at_once: bool,
    any_safe_start: bool,
}

impl LocalSections {
    /// Creates the algorithm with the repaired rules under this scheme.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
            holds_neighbours: false,
            printed: Errata::NONE,
            stamps: Stamps::Counted,
            self_at_once: false,
            any_safe_start: false,
        }
    }

    /// Accepts every start that satisfies the bounds, without the check that every process can change its state. For
    /// comparison with recorded runs.
    #[must_use]
    pub fn with_any_safe_start(self) -> Self {
        Self { any_safe_start: true, ..self }
    }

    /// Allows sections to touch the neighbours of their node. At most one node of each closed neighbourhood may then be
    /// inside, which is local mutual exclusion.
    #[must_use]
    pub fn with_held_neighbours(self) -> Self {
        Self { holds_neighbours: true, ..self }
    }

    /// Leaves these errors of the printed text unrepaired.
    #[must_use]
    pub fn with_errata(self, printed: Errata<SectionErratum>) -> Self {
        Self { printed, ..self }
    }

    /// Lets a process receive its messages to itself in the action that sends them.
    #[must_use]
    pub fn with_own_messages_at_once(self) -> Self {
        Self { self_at_once: true, ..self }
    }

    /// Whether messages of a process to itself are received in the action that sends them.
    #[must_use]
    pub fn own_messages_at_once(&self) -> bool {
        self.self_at_once
    }

    /// The errors of the printed text that are not repaired.
    #[must_use]
    pub fn printed(&self) -> Errata<SectionErratum> {
        self.printed
    }

    /// The scheme that the algorithm follows.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Sets the capacities of a process's arbiters and the grants at the start.
    fn arbiters(self, input: NodeInput<'_>, memory: &mut Memory) {
        let bounds = input.bounds().expect("bounds are assumed");
        let members = memory.members.clone();
        let (all, inside) = (
            members.len() as u32,
            members.iter().filter(|&&(_, port)| input.starts_inside(port)).count() as u32,
        );
        let (stamp, slack) = match self.scheme {
            Scheme::Leader => (1, u32::from(input.is_near_leader())),
            _ => (0, 0),
        };
        let capacities = match self.scheme {
            Scheme::Inclusion => [0, all - bounds.least],
            Scheme::Exclusion => [bounds.most, 0],
            Scheme::Home => [bounds.most - inside, inside - bounds.least],
            Scheme::Leader => [bounds.most - slack, all - bounds.least - slack],
        };
        for (permission, capacity) in Permission::ALL.into_iter().zip(capacities) {
            let is_kept = match self.scheme {
                Scheme::Inclusion => permission == Permission::Outside,
                Scheme::Exclusion => permission == Permission::Inside,
                Scheme::Home => false,
                Scheme::Leader => true,
            };
            let is_inverted = self.printed.has(SectionErratum::StartInverted);
            let holds = |port| Permission::to_be(input.starts_inside(port) != is_inverted) == permission;
            let granted = members.iter().filter(|&&(_, port)| is_kept && holds(port));
            let granted =
                granted.map(|&(owner, _)| ArbiterRequest { rank: Rank::Ordinary, stamp, owner }).collect();
            *memory.arbiter_mut(permission) = Arbiter { capacity, granted, ..Arbiter::default() };
        }
        (memory.clock, memory.stamp) = (stamp, stamp);
    }

    /// The permission that a process with this memory needs for a change; `None` if the change is free.
    fn guard(self, memory: &Memory, entering: bool) -> Option<Permission> {
        let permission = Permission::to_be(entering);
        let leaves_home = memory.inside == memory.home;
        (self.scheme == Scheme::Leader || leaves_home).then_some(permission)
    }
}

/// Notes of an action besides granted and released.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SectionNote {
    /// A waiting process has given a permission back.
    Relinquished,
    /// The leader has raised a request.
    Triggered,
    /// A process has changed its state with an extra grant.
    Excursion,
}

/// One execution of an action: the process's memory, and the effects to fill.
struct SectionRun<'a> {
    scheme: Scheme,
    sections: LocalSections,
    memory: &'a mut Memory,
    effects: &'a mut ActionEffects<Message, SectionNote>,
}

impl SectionRun<'_> {
    fn has(&self, erratum: SectionErratum) -> bool {
        self.sections.printed.has(erratum)
    }

    fn send(&mut self, port: Port, (kind, permission, stamp): (MessageKind, Permission, u32)) {
        let is_left_out = self.sections.stamps == Stamps::Ranked && kind != MessageKind::Request;
        let clock = if is_left_out { 0 } else { self.memory.clock };
        self.effects.sends.push((port, Message { kind, permission, stamp, clock }));
    }

    fn send_to(&mut self, to: Identifier, message: (MessageKind, Permission, u32)) {
        self.send(self.memory.port_to(to), message);
    }

    /// Sends to all of `N[i]`, in the order of identifiers.
    fn broadcast(&mut self, message: (MessageKind, Permission, u32)) {
        for at in 0..self.memory.members.len() {
            self.send(self.memory.members[at].1, message);
        }
    }
}

impl Exclusion for LocalSections {
    type Memory = Memory;
    type Message = Message;
    type Action = Action;
    type Note = SectionNote;
    type Promise = AtLeastAtMost;

    fn assumes(&self) -> Assumptions {
        let leader = self.scheme == Scheme::Leader;
        Assumptions {
            network: RequiredGraph::Static,
            channels: Channels::Fifo,
            given: Given { identifiers: true, bounds: true, start: true, leader, ..Given::NOTHING },
        }
    }

    /// Checks that, from this start, the scheme can keep its bounds and every process can change its state.
    fn check_start(&self, topology: &Topology, knowledge: &InitialKnowledge) -> Result<(), AssumptionError> {
        self.assumes().check_start(topology, knowledge)?;
        self.check_bounds(topology, &knowledge.bounds)?;
        topology.nodes().try_for_each(|node| self.check_inside(node, topology, knowledge))?;
        if self.any_safe_start {
            return Ok(());
        }
        frozen::check(self.scheme, topology, knowledge)
    }

    fn initial(&self, input: NodeInput<'_>) -> Memory {
        let home = match self.scheme {
            Scheme::Inclusion => true,
            Scheme::Exclusion => false,
            Scheme::Home | Scheme::Leader => input.starts_inside(Port::SELF),
        };
        let mut memory = Memory::new(input, home);
        self.arbiters(input, &mut memory);
        memory
    }

    fn enabled(&self, memory: &Memory, disconnected: bool, into: &mut Vec<Action>) {
        if self.any_enabled(memory, disconnected) {
            into.push(Action::Change);
        }
    }

    fn any_enabled(&self, memory: &Memory, _disconnected: bool) -> bool {
        memory.phase == ProcessPhase::Decided
    }

    fn receives(&self, message: Message) -> Action {
        Action::Receive(message.kind)
    }

    fn calls(&self, call: Call) -> Action {
        match call {
            Call::Lock => Action::Entry,
            Call::Unlock => Action::Exit,
        }
    }

    fn execute(
        &self,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, SectionNote>,
    ) {
        let mut run = SectionRun { scheme: self.scheme, sections: *self, memory, effects };
        match (action, input.message) {
            (Action::Entry, _) => run.start(true, choices),
            (Action::Exit, _) => run.start(false, choices),
            (Action::Change, _) => run.change(),
            (Action::Receive(_), Some((port, message))) => run.receive(port, message),
            (action, None) => unreachable!("{action} needs its message"),
        }
        run.settle();
        while self.self_at_once
            && let Some(at) = run.effects.sends.iter().position(|(port, _)| port.is_self())
        {
            let (port, message) = run.effects.sends.remove(at);
            run.receive(port, message);
            run.settle();
        }
    }

    fn status(&self, memory: &Memory) -> Status {
        memory.status()
    }

    fn heap_bytes(&self, memory: &Memory) -> usize {
        memory.heap_bytes()
    }

    fn holds_neighbours(&self) -> bool {
        self.holds_neighbours
    }

    fn with_stamps(self, stamps: Stamps) -> Option<Self> {
        Some(Self { stamps, ..self })
    }

    fn stamps(&self) -> Stamps {
        self.stamps
    }

    fn normalise(&self, memories: &mut [Memory], messages: &mut [Transit<'_, Message>]) {
        stamps::normalise(self.stamps, memories, messages);
    }

    fn remark(&self, note: SectionNote) -> Option<&'static str> {
        Some(match note {
            SectionNote::Relinquished => "gives a permission back",
            SectionNote::Triggered => "raises a request",
            SectionNote::Excursion => "changes with an extra grant",
        })
    }
}

impl AlgorithmLabels for LocalSections {
    const KINDS: &'static [&'static str] =
        &["request", "grant", "release", "preempt", "relinquish", "trigger", "request by trigger", "done"];
    const ACTIONS: &'static [Action] = &Action::ALL;
    const REQUEST_OWNER: Option<RequestOwnerOf<Message>> = Some(Message::request_owner);
    const NOTES: &'static [NoteLabels] = &[
        NoteLabels {
            key: "relinquished",
            total: "permissions given back",
            over_runs: "permissions given back",
            per_lock: None,
        },
        NoteLabels {
            key: "triggered",
            total: "requests raised by the leader",
            over_runs: "requests raised by the leader",
            per_lock: None,
        },
        NoteLabels { key: "excursions", total: "excursions", over_runs: "excursions", per_lock: None },
    ];
    const LOCK: Action = Action::Entry;
    const UNLOCK: Action = Action::Exit;

    fn guard(action: Action) -> Option<&'static str> {
        let guard = "the node has all grants and has not changed its state yet";
        (action == Action::Change).then_some(guard)
    }

    fn kind(message: Message) -> usize {
        message.kind as usize
    }

    fn action(action: Action) -> usize {
        match action {
            Action::Entry => 0,
            Action::Exit => 1,
            Action::Receive(kind) => 2 + kind as usize,
            Action::Change => 10,
        }
    }

    fn note(note: SectionNote) -> usize {
        note as usize
    }
}

impl LocalSections {
    /// Checks the bounds alone, without a start: one pair (l, k) per node.
    ///
    /// # Errors
    ///
    /// [`AssumptionError::Bounds`] of the first node whose bounds fit neither its neighbourhood nor the scheme.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer bounds than nodes.
    pub fn check_bounds(&self, topology: &Topology, bounds: &[Bounds]) -> Result<(), AssumptionError> {
        let misfits = topology.nodes().map(|node| {
            let members = u32::from(topology.degree(node)) + 1;
            let bounds = bounds[node.index()];
            let misfit = self.misfit(bounds, members);
            misfit.map_or(Ok(()), |why| Err(AssumptionError::Bounds { node, bounds, members, why }))
        });
        misfits.collect()
    }

    fn misfit(self, bounds: Bounds, all: u32) -> Option<BoundsError> {
        let (looks_at_least, looks_at_most) =
            (self.scheme != Scheme::Exclusion, self.scheme != Scheme::Inclusion);
        if looks_at_least && looks_at_most && bounds.least > bounds.most {
            Some(BoundsError::Crossed)
        } else if !looks_at_least && bounds.least > 0 || !looks_at_most && bounds.most < all {
            Some(BoundsError::NotKept)
        } else if bounds.most > all {
            Some(BoundsError::MostTooLarge)
        } else if looks_at_least && bounds.least >= all {
            Some(BoundsError::LeastTooLarge)
        } else if self.holds_neighbours && bounds.most > 1 {
            Some(BoundsError::NotAlone)
        } else if looks_at_most && bounds.most == 0 {
            Some(BoundsError::NoneMayEnter)
        } else if self.scheme == Scheme::Leader && bounds.most == bounds.least && !self.any_safe_start {
            Some(BoundsError::NoRoom)
        } else {
            None
        }
    }

    /// Checks that the start satisfies the bounds of a node, as strictly as the scheme requires.
    fn check_inside(
        self,
        node: NodeId,
        topology: &Topology,
        knowledge: &InitialKnowledge,
    ) -> Result<(), AssumptionError> {
        let all = u32::from(topology.degree(node)) + 1;
        let bounds = knowledge.bounds[node.index()];
        let refused = |why| Err(AssumptionError::Bounds { node, bounds, members: all, why });
        let (looks_at_least, looks_at_most) =
            (self.scheme != Scheme::Exclusion, self.scheme != Scheme::Inclusion);
        let input = NodeInput::new(node, self.assumes().given, (topology, knowledge));
        let near = topology.links(node).filter(|&(port, _)| input.starts_inside(port.into())).count() as u32;
        let inside = near + u32::from(input.starts_inside(Port::SELF));
        if looks_at_least && inside < bounds.least || looks_at_most && inside > bounds.most {
            return refused(BoundsError::UnsafeStart { inside });
        }
        if self.any_safe_start {
            return Ok(());
        }
        if self.scheme == Scheme::Home {
            let (lowest, highest) =
                (inside == bounds.least && inside > 0, inside == bounds.most && inside < all);
            if lowest || highest {
                return refused(BoundsError::NotStrictlyInside { inside });
            }
        }
        if input.is_near_leader() && bounds.most - bounds.least < 3 {
            return refused(BoundsError::NoRoomNearLeader);
        }
        Ok(())
    }
}
