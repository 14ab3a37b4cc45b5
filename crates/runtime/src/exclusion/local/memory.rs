//! [`Memory`]: the variables of a node (Table 1).

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Bids, Priority};
use crate::port::{Port, PortNames, PortSet, PortSets, PortsMut, PortsRef};

/// The initiator's side: the progress of this node's own Lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum State {
    /// ⊥: no Lock outstanding.
    #[default]
    Idle,
    /// Waiting until every participant is ready.
    Prepare,
    /// Candidates compete.
    Compete,
    /// Has won everywhere, and is setting the locks.
    Win,
    /// Holding its lock set.
    Locked,
    /// Releasing its lock set.
    Unlock,
}

/// The participant's side: the stage of the competition among this node's applicants and candidates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Phase {
    /// ⊥: there are no applicants and no candidates.
    #[default]
    Idle,
    /// There are applicants and no candidates.
    Prepare,
    /// There are candidates.
    Compete,
}

/// The memory of a node (Table 1). `N[u]` in the comments is port 0 and the ports in use.
///
/// It takes 48 bytes while all ports are below 16 and `P` is stored [inline](Bids). [`Registers`] has each
/// variable as a field.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Memory {
    /// `lock`: the port of the neighbour that has locked this node (0: the node itself); ⊥ if none.
    pub lock: Option<Port>,
    /// The paper's variable `state`.
    pub state: State,
    /// The paper's variable `phase`.
    pub phase: Phase,
    /// The sets of ports, by index; see `set_registers!`.
    sets: PortSets<SETS>,
    /// `P`: the priorities of this round.
    pub priorities: Bids,
}

/// The number of sets of ports in a memory.
pub(super) const SETS: usize = 7;

/// Defines the methods that read and change the sets of a memory, and [`Registers`].
macro_rules! set_registers {
    ($($place:ident = $number:literal: $name:ident, $name_mut:ident, $doc:literal;)*) => {
        $(const $place: usize = $number;)*

        impl Memory {
            $(
                #[doc = $doc]
                #[inline]
                #[must_use]
                pub fn $name(&self) -> PortsRef<'_> {
                    self.sets.get($place)
                }

                #[doc = concat!("Mutable access to ", $doc)]
                #[inline]
                pub fn $name_mut(&mut self) -> PortsMut<'_, SETS> {
                    self.sets.get_mut($place)
                }
            )*
        }

        /// A memory with each of its sets and pairs as a field.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct Registers {
            /// `lock`: the port of the neighbour that has locked this node (0: the node itself); ⊥ if none.
            pub lock: Option<Port>,
            /// The paper's variable `state`.
            pub state: State,
            /// The paper's variable `phase`.
            pub phase: Phase,
            $(#[doc = $doc] pub $name: PortSet,)*
            /// `P`: the priorities of this round.
            pub priorities: Vec<(Port, Priority)>,
        }

        impl From<Registers> for Memory {
            fn from(registers: Registers) -> Self {
                let Registers { lock, state, phase, $($name,)* priorities } = registers;
                let priorities = priorities.into_iter().collect();
                let mut memory = Self { lock, state, phase, sets: PortSets::new(), priorities };
                $(memory.$name_mut().assign($name.as_ports());)*
                memory
            }
        }
    };
}

// In the order in which they are hashed, packed and encoded.
set_registers! {
    LOCK_SET = 0: lock_set, lock_set_mut, "`L`: the participants of this node's Lock; empty without one.";
    REPLIED = 1: replied, replied_mut, "`R`: participants that have answered (ready, ack-lock, ack-unlock).";
    WON = 2: won, won_mut, "`W`, the pairs (port, true): participants at which this trial was won.";
    LOST = 3: lost, lost_mut, "`W`, the pairs (port, false): participants at which this trial was lost.";
    ON_HOLD = 4: on_hold, on_hold_mut, "`H`: initiators on hold, which have not received a ready yet.";
    APPLICANTS = 5: applicants, applicants_mut, "`A`: applicants, which have received a ready, but whose first request has not arrived.";
    CANDIDATES = 6: candidates, candidates_mut,
        "`C`: candidates, who have sent a request and are not finished here.";
}

/// Hashes sets and pairs independently of their storage: the digest of a memory is that of its registers.
impl Hash for Memory {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.lock.hash(state);
        self.state.hash(state);
        self.phase.hash(state);
        self.sets.iter().for_each(|set| set.hash(state));
        self.priorities.hash(state);
    }
}

impl State {
    #[inline]
    pub(super) fn from_number(number: u16) -> Option<Self> {
        match number {
            0 => Some(Self::Idle),
            1 => Some(Self::Prepare),
            2 => Some(Self::Compete),
            3 => Some(Self::Win),
            4 => Some(Self::Locked),
            5 => Some(Self::Unlock),
            _ => None,
        }
    }
}

impl Phase {
    #[inline]
    pub(super) fn from_number(number: u16) -> Option<Self> {
        match number {
            0 => Some(Self::Idle),
            1 => Some(Self::Prepare),
            2 => Some(Self::Compete),
            _ => None,
        }
    }
}

impl Memory {
    /// The number of results that have arrived, `|W|`.
    #[inline]
    #[must_use]
    pub fn results(&self) -> usize {
        self.won().len() + self.lost().len()
    }

    /// Whether every participant has answered: `R = L`.
    #[inline(always)] // Asked twice a step.
    pub(super) fn has_all_replies(&self) -> bool {
        match self.sets.words() {
            Some(words) => words[REPLIED] == words[LOCK_SET],
            None => self.replied() == self.lock_set(),
        }
    }

    /// Whether every participant has reported a result: `|W| = |L|`.
    #[inline(always)] // Once a step.
    pub(super) fn has_all_results(&self) -> bool {
        // In every reachable configuration each participant has at most one result, and other ports have none.
        // Then this test equals the comparison of counts, and is faster.
        if let Some(words) = self.sets.words() {
            let (members, won, lost) = (words[LOCK_SET], words[WON], words[LOST]);
            if won & lost == 0 && (won | lost) & !members == 0 {
                return won | lost == members;
            }
        }
        self.results() == self.lock_set().len()
    }

    /// All sets of ports as words; `None` unless all ports are below 16.
    #[inline]
    pub(super) fn words(&self) -> Option<&[u16; SETS]> {
        self.sets.words()
    }

    /// All sets of ports.
    pub(super) fn sets(&self) -> impl Iterator<Item = PortsRef<'_>> {
        self.sets.iter()
    }

    /// Mutable access to the set at this index.
    #[inline]
    pub(super) fn set_mut(&mut self, place: usize) -> PortsMut<'_, SETS> {
        self.sets.get_mut(place)
    }

    /// Removes a port whose edge has vanished from every set, and its pair from `P`.
    #[cold]
    pub(super) fn forget(&mut self, port: Port) {
        if self.lock == Some(port) {
            self.lock = None;
        }
        for place in 0..SETS {
            self.sets.get_mut(place).remove(port);
        }
        self.priorities.retain(|from| from != port);
    }

    /// The memory after renaming its ports.
    pub(super) fn renamed(&self, ports: PortNames<'_>) -> Self {
        let mut renamed = Self { lock: self.lock.map(|port| ports.port(port)), ..self.clone() };
        for place in 0..SETS {
            renamed.sets.get_mut(place).assign(ports.set(self.sets.get(place)).as_ports());
        }
        renamed.priorities = self.priorities.iter().map(|(port, bid)| (ports.port(port), bid)).collect();
        renamed
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.sets.heap_bytes() + self.priorities.heap_bytes()
    }
}

impl Memory {
    /// The variables by name, with their values as text; an empty variable has the empty string.
    #[must_use]
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let lock = self.lock.map_or_else(|| "bot".to_owned(), |port| port.to_string());
        let set = |set: PortsRef<'_>| if set.is_empty() { String::new() } else { set.to_string() };
        let pairs = |pairs: Vec<String>| {
            if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(",")) }
        };
        let mut results: Vec<(Port, bool)> = self.won().iter().map(|port| (port, true)).collect();
        results.extend(self.lost().iter().map(|port| (port, false)));
        results.sort_unstable();
        let results = results.iter().map(|(port, won)| format!("({port},{won})")).collect();
        let priorities = self.priorities.iter().map(|(port, Priority(p))| format!("({port},{p})")).collect();
        vec![
            ("lock", lock),
            ("state", self.state.to_string()),
            ("phase", self.phase.to_string()),
            ("L", set(self.lock_set())),
            ("R", set(self.replied())),
            ("H", set(self.on_hold())),
            ("A", set(self.applicants())),
            ("C", set(self.candidates())),
            ("W", pairs(results)),
            ("P", pairs(priorities)),
        ]
    }
}

/// Written as `lock=⊥ state=compete phase=prepare L={0,1} ...`, without empty variables.
impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.variables().into_iter().filter(|(_, value)| !value.is_empty());
        let written: Vec<String> = written.map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&written.join(" "))
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Idle => "bot",
            Self::Prepare => "prepare",
            Self::Compete => "compete",
            Self::Win => "win",
            Self::Locked => "locked",
            Self::Unlock => "unlock",
        })
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Idle => "bot",
            Self::Prepare => "prepare",
            Self::Compete => "compete",
        })
    }
}
