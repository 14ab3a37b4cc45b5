//! Table 1: all that a node has.

use std::fmt;

use super::Priority;
use crate::port::{Port, PortNames, PortSet};

/// The initiator's side: how far this node's own Lock has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum State {
    /// ⊥: no Lock outstanding.
    #[default]
    Idle,
    /// Waits until every participant is ready.
    Prepare,
    /// Competes.
    Compete,
    /// Has won everywhere and sets the locks.
    Win,
    /// Holds its lock set.
    Locked,
    /// Releases it.
    Unlock,
}

/// The participant's side: what this node does for its applicants and candidates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Phase {
    /// ⊥: no node applies.
    #[default]
    Idle,
    /// There are applicants and no candidates.
    Prepare,
    /// There are candidates.
    Compete,
}

/// The memory of a node (Table 1). `N[u]` in the comments is port 0 and the ports in use.
#[derive(PartialEq, Eq, Hash, Default)]
pub struct Memory {
    /// `lock`: the port whose owner has locked this node; ⊥ if none.
    pub lock: Option<Port>,
    /// `state`.
    pub state: State,
    /// `phase`.
    pub phase: Phase,
    /// `L`: the participants of this node's Lock; empty without one.
    pub lock_set: PortSet,
    /// `R`: participants that have answered (ready, ack-lock, ack-unlock).
    pub replied: PortSet,
    /// `W`, the pairs (port, true): participants at which this trial was won.
    pub won: PortSet,
    /// `W`, the pairs (port, false): participants at which this trial was lost.
    pub lost: PortSet,
    /// `H`: initiators on hold, not yet told that they may compete.
    pub on_hold: PortSet,
    /// `A`: applicants, told ready, whose first request has not arrived.
    pub applicants: PortSet,
    /// `C`: candidates, who have sent a request and are not finished here.
    pub candidates: PortSet,
    /// `P`: the priorities of this round, sorted by port.
    pub priorities: Vec<(Port, Priority)>,
}

/// Written out so that `clone_from` uses the room that is there: explorations copy memories by the million.
impl Clone for Memory {
    fn clone(&self) -> Self {
        let mut memory = Self::default();
        memory.clone_from(self);
        memory
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        let Self {
            lock,
            state,
            phase,
            lock_set,
            replied,
            won,
            lost,
            on_hold,
            applicants,
            candidates,
            priorities,
        } = other;
        (self.lock, self.state, self.phase) = (*lock, *state, *phase);
        self.lock_set.clone_from(lock_set);
        self.replied.clone_from(replied);
        self.won.clone_from(won);
        self.lost.clone_from(lost);
        self.on_hold.clone_from(on_hold);
        self.applicants.clone_from(applicants);
        self.candidates.clone_from(candidates);
        self.priorities.clone_from(priorities);
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
    /// `|W|`.
    #[inline]
    #[must_use]
    pub fn results(&self) -> usize {
        self.won.len() + self.lost.len()
    }

    /// `|W| = |L|`.
    #[inline]
    pub(super) fn has_all_results(&self) -> bool {
        // One result a participant and none of others, as in every reachable configuration: counting would say the same,
        // later.
        if self.won.is_disjoint(&self.lost)
            && self.won.is_subset(&self.lock_set)
            && self.lost.is_subset(&self.lock_set)
        {
            return self.lock_set.is_subset_of_either(&self.won, &self.lost);
        }
        self.results() == self.lock_set.len()
    }

    /// Adds (port, priority) to `P`, a set of pairs.
    #[inline]
    pub(super) fn add_priority(&mut self, port: Port, priority: Priority) {
        let pair = (port, priority);
        // Few, so one after the other from the end.
        let place = self.priorities.iter().rposition(|&other| other <= pair).map_or(0, |before| before + 1);
        if place == 0 || self.priorities[place - 1] != pair {
            if self.priorities.len() == self.priorities.capacity() {
                // By one at first: a node has as many as neighbours compete, and never more.
                self.priorities.reserve_exact(1 + self.priorities.len() / 8);
            }
            self.priorities.insert(place, pair);
        }
    }

    /// The port with the unique highest priority of `P`.
    #[must_use]
    pub fn unique_highest(&self) -> Option<Port> {
        let (&(mut holder, mut highest), rest) = self.priorities.split_first()?;
        let mut is_unique = true;
        for &(port, priority) in rest {
            if priority >= highest {
                is_unique = priority > highest;
                (holder, highest) = (port, priority);
            }
        }
        is_unique.then_some(holder)
    }

    #[inline]
    pub(super) fn sets(&self) -> [&PortSet; 7] {
        [
            &self.lock_set,
            &self.replied,
            &self.won,
            &self.lost,
            &self.on_hold,
            &self.applicants,
            &self.candidates,
        ]
    }

    #[inline]
    pub(super) fn sets_mut(&mut self) -> [&mut PortSet; 7] {
        [
            &mut self.lock_set,
            &mut self.replied,
            &mut self.won,
            &mut self.lost,
            &mut self.on_hold,
            &mut self.applicants,
            &mut self.candidates,
        ]
    }

    /// Removes a port from every set and every pair: its edge has ended.
    #[cold]
    pub(super) fn forget(&mut self, port: Port) {
        if self.lock == Some(port) {
            self.lock = None;
        }
        for set in self.sets_mut() {
            set.remove(port);
        }
        self.priorities.retain(|&(from, _)| from != port);
    }

    /// The same with other names for the ports.
    pub(super) fn renamed(&self, ports: PortNames<'_>) -> Self {
        let mut renamed = Self { lock: self.lock.map(|port| ports.port(port)), ..self.clone() };
        for set in renamed.sets_mut().into_iter().filter(|set| !set.is_empty()) {
            *set = ports.set(set);
        }
        renamed.priorities.iter_mut().for_each(|pair| pair.0 = ports.port(pair.0));
        renamed.priorities.sort_unstable();
        renamed
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.sets().iter().map(|set| set.heap_bytes()).sum::<usize>()
            + self.priorities.capacity() * size_of::<(Port, Priority)>()
    }
}

/// `lock=⊥ state=compete phase=prepare L={0,1} ...`, without the sets that are empty.
impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lock {
            None => f.write_str("lock=bot")?,
            Some(port) => write!(f, "lock={port}")?,
        }
        write!(f, " state={} phase={}", self.state, self.phase)?;
        for (letter, set) in [
            ("L", &self.lock_set),
            ("R", &self.replied),
            ("H", &self.on_hold),
            ("A", &self.applicants),
            ("C", &self.candidates),
        ] {
            if !set.is_empty() {
                write!(f, " {letter}={set}")?;
            }
        }
        if self.results() > 0 {
            let mut pairs: Vec<(Port, bool)> = self.won.iter().map(|port| (port, true)).collect();
            pairs.extend(self.lost.iter().map(|port| (port, false)));
            pairs.sort_unstable();
            let pairs: Vec<String> = pairs.iter().map(|(port, won)| format!("({port},{won})")).collect();
            write!(f, " W={{{}}}", pairs.join(","))?;
        }
        if !self.priorities.is_empty() {
            let pairs: Vec<String> =
                self.priorities.iter().map(|&(port, Priority(p))| format!("({port},{p})")).collect();
            write!(f, " P={{{}}}", pairs.join(","))?;
        }
        Ok(())
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
