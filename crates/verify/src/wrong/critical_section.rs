//! Wrong rule sets of local critical sections.

use acrasin_runtime::exclusion::critical_section::{
    Action, LocalSections, Memory, Message, MessageKind, Permission, ProcessPhase, Scheme, SectionNote,
};
use acrasin_runtime::exclusion::{
    ActionEffects, Bounds, Exclusion as _, Identifier, InitialKnowledge, Input, Mutant, Mutation,
};
use acrasin_runtime::{Choices, Port, PortSet};

use super::fault_sample::{FaultSample, FaultSearch};
use crate::properties::dead;

/// Local critical sections with one fault or none.
pub type WrongSections = Mutant<LocalSections, SectionFault>;

/// The faults of local critical sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionFault {
    /// No fault: the shipped rules.
    None,
    /// An arbiter grants one permission more than its capacity.
    OneTooMany,
    /// An arbiter grants one permission fewer than its capacity.
    OneTooFew,
    /// An arbiter does not record to which process it gives a grant.
    GrantNotNoted,
    /// An arbiter without grants left drops a request instead of queueing it.
    DroppedWhenFull,
    /// An arbiter never asks for a grant back.
    NeverAsksBack,
    /// An arbiter that has asked for a grant back never does so again.
    AsksBackOnce,
    /// An arbiter ignores the release of a grant.
    ReleaseIgnored,
    /// An arbiter accepts a released grant, but does not give it to the next process.
    NotGrantedAgain,
    /// An arbiter gives a returned grant to the same process again.
    GrantedBack,
    /// An arbiter forgets a process that returns a grant.
    WaitingForgotten,
    /// A process that is asked to return a grant does so even if it has used the grant. This is the printed rule.
    UsedGivenBack,
    /// A process that is asked to return a grant does not return it.
    NeverGivesBack,
    /// A process that returns a grant still counts it.
    CountedOn,
    /// Grants for the previous request count for the next request.
    OldGrantsCount,
    /// A process changes its state with one grant fewer than required.
    OneGrantLess,
    /// A process enters without waiting.
    EntersAtOnce,
    /// A process does not request a grant from its own arbiter.
    ItselfNotAsked,
    /// A process does not release grants that it no longer needs.
    NotReleased,
    /// The leader raises further requests before the request that it raised is done.
    NeverBusy,
    /// The leader is not informed that the request that it raised is done.
    DoneUnsent,
    /// The leader never raises a request.
    NeverTriggers,
}

/// A small instance: graph, bounds, and the processes inside at the start. Every process enters a fixed number of
/// times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SectionInstance {
    /// The edges of the graph.
    pub edges: &'static [(u32, u32)],
    /// The number of processes.
    pub nodes: u32,
    /// The maximum number of processes inside in each closed neighbourhood.
    pub most: u32,
    /// Whether the scheme is [`Scheme::Home`], with node 0 inside at the start. Otherwise it is [`Scheme::Exclusion`],
    /// with all nodes outside.
    pub home: bool,
    /// The number of entries of each process.
    pub calls: u32,
}

impl SectionInstance {
    /// The shipped rules of this instance.
    #[must_use]
    pub fn sections(&self) -> LocalSections {
        LocalSections::new(if self.home { Scheme::Home } else { Scheme::Exclusion })
    }

    /// The bounds, and the processes inside at the start.
    #[must_use]
    pub fn seating(&self) -> InitialKnowledge {
        let bounds = InitialKnowledge::from_bounds(self.nodes, Bounds { least: 0, most: self.most });
        InitialKnowledge { inside: (0..self.nodes).map(|node| self.home && node == 0).collect(), ..bounds }
    }
}

/// One execution of an action, which a fault can alter.
struct SectionActionRun<'a> {
    sections: &'a LocalSections,
    memory: &'a mut Memory,
    action: Action,
    input: Input<'a, Message>,
    choices: &'a mut dyn Choices,
    effects: &'a mut ActionEffects<Message, SectionNote>,
}

impl SectionActionRun<'_> {
    /// Executes the action under the shipped rules.
    fn right(&mut self) {
        self.sections.execute(self.memory, self.action, self.input, self.choices, self.effects);
    }

    /// Executes the action under the shipped rules, with capacities changed by `change` during the action.
    fn with_capacity(&mut self, change: impl Fn(u32) -> u32) {
        let capacities = [0, 1].map(|which| self.memory.arbiters[which].capacity);
        for arbiter in &mut self.memory.arbiters {
            arbiter.capacity = change(arbiter.capacity);
        }
        self.right();
        for (arbiter, capacity) in self.memory.arbiters.iter_mut().zip(capacities) {
            arbiter.capacity = capacity;
        }
    }

    /// Drops the sent messages of this kind.
    fn unsend(&mut self, kind: MessageKind) {
        self.effects.sends.retain(|(_, message)| message.kind != kind);
    }

    /// The sender, the port and the message, if the action is a receipt.
    fn received(&self) -> Option<(Identifier, Port, Message)> {
        let (port, message) = self.input.message?;
        let &(from, _) = self.memory.members.iter().find(|&&(_, by)| by == port)?;
        Some((from, port, message))
    }

    /// Makes a waiting process enter or leave, regardless of its grants.
    fn change_if_waiting(&mut self) {
        let memory = &mut *self.memory;
        match std::mem::replace(&mut memory.phase, ProcessPhase::Idle) {
            ProcessPhase::Idle | ProcessPhase::Decided => return,
            ProcessPhase::Entering => self.effects.granted = Some(PortSet::from_port(Port::SELF)),
            ProcessPhase::Exiting => self.effects.released = true,
        }
        memory.inside = !memory.inside;
        memory.got.clear();
    }
}

impl SectionFault {
    /// Executes the wrong behaviour of an arbiter. Returns whether this was the complete action; if not, the caller
    /// executes the shipped rules afterwards.
    fn before(
        self,
        doing: &mut SectionActionRun<'_>,
        kind: MessageKind,
        (from, permission): (Identifier, Permission),
    ) -> bool {
        let arbiter = permission as usize;
        match (self, kind) {
            (Self::NeverGivesBack, MessageKind::Preempt)
            | (Self::ReleaseIgnored, MessageKind::Release)
            | (Self::NeverTriggers, MessageKind::Trigger) => {}
            (Self::NotGrantedAgain, MessageKind::Release) => {
                let pending = std::mem::take(&mut doing.memory.arbiters[arbiter].pending);
                doing.right();
                doing.memory.arbiters[arbiter].pending = pending;
            }
            (Self::GrantedBack, MessageKind::Relinquish) => {
                doing.memory.arbiters[arbiter].preempting = None;
                let port = doing.input.message.expect("it is received").0;
                let grant =
                    Message { kind: MessageKind::Grant, permission, stamp: 0, clock: doing.memory.clock };
                doing.effects.sends.push((port, grant));
            }
            (Self::AsksBackOnce, MessageKind::Relinquish | MessageKind::Release) => {
                let preempting = doing.memory.arbiters[arbiter].preempting;
                doing.right();
                doing.memory.arbiters[arbiter].preempting = preempting;
            }
            (Self::UsedGivenBack, MessageKind::Preempt) => {
                doing.right();
                if doing.effects.sends.is_empty() {
                    let (port, asked) = doing.input.message.expect("it is received");
                    let back = Message { kind: MessageKind::Relinquish, clock: doing.memory.clock, ..asked };
                    doing.effects.sends.push((port, back));
                }
            }
            (Self::WaitingForgotten, MessageKind::Relinquish) => {
                doing.right();
                doing.memory.arbiters[arbiter].pending.retain(|entry| entry.owner != from);
            }
            (Self::DroppedWhenFull, MessageKind::Request) => {
                doing.right();
                doing.memory.arbiters[arbiter].pending.retain(|entry| entry.owner != from);
            }
            (Self::GrantNotNoted, MessageKind::Request) => {
                doing.right();
                doing.memory.arbiters[arbiter].granted.retain(|entry| entry.owner != from);
            }
            _ => return false,
        }
        true
    }
}

impl Mutation<LocalSections> for SectionFault {
    fn execute(
        &self,
        sections: &LocalSections,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, SectionNote>,
    ) {
        let mut doing = SectionActionRun { sections, memory, action, input, choices, effects };
        if let Some((from, _, message)) = doing.received()
            && self.before(&mut doing, message.kind, (from, message.permission))
        {
            return;
        }
        let old = doing.memory.got.clone();
        match self {
            Self::OneTooMany => doing.with_capacity(|capacity| capacity + 1),
            Self::OneTooFew => doing.with_capacity(|capacity| capacity.saturating_sub(1)),
            _ => doing.right(),
        }
        match (self, action) {
            (Self::NeverAsksBack, _) => doing.unsend(MessageKind::Preempt),
            (Self::NotReleased, _) => doing.unsend(MessageKind::Release),
            (Self::DoneUnsent, _) => doing.unsend(MessageKind::Done),
            (Self::NeverBusy, _) => doing.memory.busy = false,
            (Self::ItselfNotAsked, _) => {
                doing
                    .effects
                    .sends
                    .retain(|(port, message)| message.kind != MessageKind::Request || !port.is_self());
            }
            (Self::CountedOn, Action::Receive(MessageKind::Preempt)) => doing.memory.got = old,
            // A process that enters with all grants still has them when it asks again.
            (Self::OldGrantsCount, Action::Receive(MessageKind::Grant))
                if doing.memory.phase == ProcessPhase::Idle =>
            {
                doing.memory.got = doing.memory.members.iter().map(|&(_, port)| port).collect();
            }
            (Self::OldGrantsCount, Action::Entry | Action::Exit) => doing.memory.got = old,
            (Self::OneGrantLess, Action::Receive(MessageKind::Grant))
                if doing.memory.got.len() + 1 == doing.memory.members.len() =>
            {
                doing.change_if_waiting();
            }
            (Self::EntersAtOnce, Action::Entry | Action::Exit) => doing.change_if_waiting(),
            _ => {}
        }
    }
}

const BOUNDS: &str = "between l and k of each closed neighbourhood inside";
const GRANTS: &str = "grants within capacity, and kept";

const fn edge(calls: u32, within: u64) -> FaultSearch<SectionInstance> {
    FaultSearch::Explored(SectionInstance { edges: &[(0, 1)], nodes: 2, most: 1, home: false, calls }, within)
}

/// All wrong rule sets of local critical sections.
pub const SECTION_FAULTS: &[FaultSample<SectionFault, SectionInstance>] = &[
    FaultSample {
        name: "one-too-many",
        what: "An arbiter grants to one process too many.",
        fault: SectionFault::OneTooMany,
        shows: BOUNDS,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "one-too-few",
        what: "An arbiter grants to one process too few: with k = 1 to none.",
        fault: SectionFault::OneTooFew,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "grant-not-noted",
        what: "An arbiter that grants at once does not record the process.",
        fault: SectionFault::GrantNotNoted,
        shows: BOUNDS,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "dropped-when-full",
        what: "A full arbiter drops a request.",
        fault: SectionFault::DroppedWhenFull,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "never-asks-back",
        what: "An arbiter never asks for a grant back: two processes wait for each other.",
        fault: SectionFault::NeverAsksBack,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "asks-back-once",
        what: "An arbiter that has asked for a grant back never does so again.",
        fault: SectionFault::AsksBackOnce,
        shows: dead::NAME,
        found: edge(2, 20_000),
    },
    FaultSample {
        name: "release-ignored",
        what: "An arbiter does not take back released grants.",
        fault: SectionFault::ReleaseIgnored,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "not-granted-again",
        what: "An arbiter takes back released grants, but does not grant them to waiting processes.",
        fault: SectionFault::NotGrantedAgain,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "granted-back",
        what: "An arbiter grants a returned grant to the same process again.",
        fault: SectionFault::GrantedBack,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "waiting-forgotten",
        what: "An arbiter forgets the request of a process that returns a grant.",
        fault: SectionFault::WaitingForgotten,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "used-given-back",
        what: "A process asked for a grant returns it even if it has used it: as printed.",
        fault: SectionFault::UsedGivenBack,
        shows: BOUNDS,
        found: edge(2, 20_000),
    },
    FaultSample {
        name: "never-gives-back",
        what: "A process asked for an unused grant keeps it.",
        fault: SectionFault::NeverGivesBack,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "counted-on",
        what: "A process that returns a grant still counts it.",
        fault: SectionFault::CountedOn,
        shows: GRANTS,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "old-grants-count",
        what: "The grants of one request count for the next.",
        fault: SectionFault::OldGrantsCount,
        shows: BOUNDS,
        found: edge(2, 20_000),
    },
    FaultSample {
        name: "one-grant-less",
        what: "A process that misses one grant does not wait for it.",
        fault: SectionFault::OneGrantLess,
        shows: BOUNDS,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "enters-without-grants",
        what: "A process enters without waiting.",
        fault: SectionFault::EntersAtOnce,
        shows: BOUNDS,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "itself-not-asked",
        what: "A process does not ask its own arbiter, although it waits for its grant.",
        fault: SectionFault::ItselfNotAsked,
        shows: dead::NAME,
        found: edge(1, 5_000),
    },
    FaultSample {
        name: "not-released",
        what: "A process that returns home keeps the permissions to be away.",
        fault: SectionFault::NotReleased,
        shows: dead::NAME,
        found: FaultSearch::Explored(
            SectionInstance { edges: &[(0, 1)], nodes: 2, most: 2, home: true, calls: 2 },
            20_000,
        ),
    },
    FaultSample {
        name: "leader-never-busy",
        what: "The leader raises a request while another one that it raised is outstanding.",
        fault: SectionFault::NeverBusy,
        shows: "dead configuration",
        found: FaultSearch::InRuns(400),
    },
    FaultSample {
        name: "done-unsent",
        what: "The leader is not informed that the request that it raised is done.",
        fault: SectionFault::DoneUnsent,
        shows: "dead configuration",
        found: FaultSearch::InRuns(400),
    },
    FaultSample {
        name: "never-triggers",
        what: "A process that the leader asks to raise its request does not.",
        fault: SectionFault::NeverTriggers,
        shows: "dead configuration",
        found: FaultSearch::InRuns(400),
    },
];
