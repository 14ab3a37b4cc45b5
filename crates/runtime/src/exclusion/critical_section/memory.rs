//! The variables of a process, and of the arbiters at it.

use std::hash::{Hash, Hasher};

use super::arbiter::Arbiter;
use super::message::Permission;
use crate::exclusion::{Identifier, NodeInput, Status};
use crate::pack::{Pack, PackError};
use crate::port::{Port, PortSet};

/// The change of state for which a process waits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcessPhase {
    /// The process waits for no change.
    Idle,
    /// The process waits to leave the critical section.
    Exiting,
    /// The process waits to enter the critical section.
    Entering,
    /// The process has all grants, and has not changed yet. Only with
    /// [`SectionErratum::ChangeApart`](super::SectionErratum::ChangeApart).
    Decided,
}

/// The memory of a process: its variables, and those of the arbiters at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// `i`: its identifier.
    pub identifier: Identifier,
    /// The members of `N[i]`, including the process itself, with their ports. They are sorted by identifier, and
    /// broadcasts follow this order.
    pub members: Vec<(Identifier, Port)>,
    /// `state`: whether the process is in the critical section (InCS).
    pub inside: bool,
    /// The home state of the process: the initial state, or a constant of the scheme. Returning to this state needs no
    /// permission.
    pub home: bool,
    /// The change of state for which the process waits.
    pub phase: ProcessPhase,
    /// `clk`: Lamport's clock.
    pub clock: u32,
    /// `ts`: the stamp of the process's request, separate from the clock.
    pub stamp: u32,
    /// `nGrants`: the ports of `N[i]` that have granted the process's request.
    pub got: PortSet,
    /// `nGrants` as a number, only with [`SectionErratum::GrantsAreANumber`](super::SectionErratum::GrantsAreANumber).
    pub count: i32,
    /// The arbiters, indexed by [`Permission`].
    pub arbiters: [Arbiter; 2],
    /// The port to the leader, if the leader is in `N[i]`.
    pub leader: Option<Port>,
    /// Whether the leader has raised the process's request.
    pub triggered: bool,
    /// Whether the process has an extra grant.
    pub over: bool,
    /// Whether the process is on an excursion: it has changed with an extra grant, keeps all permissions, and may
    /// change back without asking.
    pub excursion: bool,
    /// For the leader, whether a request that it raised is still outstanding.
    pub busy: bool,
}

impl Memory {
    /// The variables by name, with their values as text, in the order of the fields.
    #[must_use]
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("identifier", format!("{:?}", self.identifier)),
            ("members", format!("{:?}", self.members)),
            ("inside", format!("{:?}", self.inside)),
            ("home", format!("{:?}", self.home)),
            ("phase", format!("{:?}", self.phase)),
            ("clock", format!("{:?}", self.clock)),
            ("stamp", format!("{:?}", self.stamp)),
            ("got", format!("{:?}", self.got)),
            ("count", format!("{:?}", self.count)),
            ("arbiters", format!("{:?}", self.arbiters)),
            ("leader", format!("{:?}", self.leader)),
            ("triggered", format!("{:?}", self.triggered)),
            ("over", format!("{:?}", self.over)),
            ("excursion", format!("{:?}", self.excursion)),
            ("busy", format!("{:?}", self.busy)),
        ]
    }
}

/// Hashes all fields as a derived implementation would, but skips `count` while it is 0.
impl Hash for Memory {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identifier.hash(state);
        self.members.hash(state);
        (self.inside, self.home).hash(state);
        self.phase.hash(state);
        (self.clock, self.stamp).hash(state);
        self.got.hash(state);
        if self.count != 0 {
            self.count.hash(state);
        }
        self.arbiters.hash(state);
        self.leader.hash(state);
        (self.triggered, self.over, self.excursion, self.busy).hash(state);
    }
}

impl Memory {
    /// The initial memory of a process, with empty arbiters.
    pub(super) fn new(input: NodeInput<'_>, home: bool) -> Self {
        let identifier = input.identifier().expect("identifiers are assumed");
        let mut members: Vec<(Identifier, Port)> = input.neighbours().collect();
        members.push((identifier, Port::SELF));
        members.sort_unstable();
        Self {
            identifier,
            members,
            inside: input.starts_inside(Port::SELF),
            home,
            phase: ProcessPhase::Idle,
            clock: 0,
            stamp: 0,
            got: PortSet::new(),
            count: 0,
            arbiters: [Arbiter::default(), Arbiter::default()],
            leader: input.leader(),
            triggered: false,
            over: false,
            excursion: false,
            busy: false,
        }
    }

    /// The process's own arbiter for a permission.
    #[must_use]
    pub fn arbiter(&self, permission: Permission) -> &Arbiter {
        &self.arbiters[permission as usize]
    }

    pub(super) fn arbiter_mut(&mut self, permission: Permission) -> &mut Arbiter {
        &mut self.arbiters[permission as usize]
    }

    /// The permission for which the process waits, if it waits.
    #[must_use]
    pub fn awaited(&self) -> Option<Permission> {
        match self.phase {
            ProcessPhase::Idle => None,
            ProcessPhase::Exiting => Some(Permission::Outside),
            ProcessPhase::Entering => Some(Permission::Inside),
            ProcessPhase::Decided => Some(Permission::to_be(!self.inside)),
        }
    }

    /// Whether all of `N[i]` have granted the process's request.
    pub(super) fn has_all(&self) -> bool {
        self.got.len() == self.members.len()
    }

    /// The lock status of the process.
    pub(super) fn status(&self) -> Status {
        match (self.inside, self.phase) {
            (false, ProcessPhase::Idle) => Status::Idle,
            (false, _) => Status::Waiting,
            (true, ProcessPhase::Idle) => Status::Holding,
            (true, _) => Status::Releasing,
        }
    }

    pub(super) fn port_to(&self, to: Identifier) -> Port {
        let found = self.members.binary_search_by_key(&to, |&(name, _)| name);
        self.members[found.expect("requests come from N[i]")].1
    }

    pub(super) fn name_of(&self, port: Port) -> Identifier {
        let found = self.members.iter().find(|&&(_, by)| by == port);
        found.expect("messages come from N[i]: the graph is static").0
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let arbiters: usize = self.arbiters.iter().map(Arbiter::heap_bytes).sum();
        self.members.capacity() * size_of::<(Identifier, Port)>() + arbiters
    }
}

/// The number of flags in the low bits of a packed byte; the phase is above them.
const FLAGS: u8 = 6;

impl Pack for Memory {
    fn pack(&self, into: &mut Vec<u8>) {
        self.identifier.0.pack(into);
        (self.members.len() as u64).pack(into);
        for (name, port) in &self.members {
            name.0.pack(into);
            port.pack(into);
        }
        let flags = [self.inside, self.home, self.triggered, self.over, self.excursion, self.busy];
        let byte = flags.iter().rev().fold(self.phase as u8, |byte, &flag| byte * 2 + u8::from(flag));
        into.push(byte);
        self.clock.pack(into);
        self.stamp.pack(into);
        self.got.pack(into);
        self.count.cast_unsigned().pack(into);
        for arbiter in &self.arbiters {
            arbiter.pack(into);
        }
        self.leader.map_or(0, |port| u64::from(port.0) + 1).pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let identifier = Identifier(u32::unpack(from)?);
        let mut members = Vec::new();
        for _ in 0..u64::unpack(from)? {
            members.push((Identifier(u32::unpack(from)?), Port::unpack(from)?));
        }
        let byte = u8::unpack(from)?;
        let phase = match byte >> FLAGS {
            0 => ProcessPhase::Idle,
            1 => ProcessPhase::Exiting,
            2 => ProcessPhase::Entering,
            _ => ProcessPhase::Decided,
        };
        let flag = |place: u8| byte >> place & 1 == 1;
        let (clock, stamp) = (u32::unpack(from)?, u32::unpack(from)?);
        let got = PortSet::unpack(from)?;
        let count = u32::unpack(from)?.cast_signed();
        let arbiters = [Arbiter::unpack(from)?, Arbiter::unpack(from)?];
        let leader = match u64::unpack(from)?.checked_sub(1) {
            Some(port) => Some(Port(u16::try_from(port).map_err(|_| PackError)?)),
            None => None,
        };
        Ok(Self {
            identifier,
            members,
            inside: flag(0),
            home: flag(1),
            phase,
            clock,
            stamp,
            got,
            count,
            arbiters,
            leader,
            triggered: flag(2),
            over: flag(3),
            excursion: flag(4),
            busy: flag(5),
        })
    }
}
