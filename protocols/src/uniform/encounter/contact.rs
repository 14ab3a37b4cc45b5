//! Edges that appear and disappear: recorded contacts, or contacts of walkers.

use std::hash::Hash;
use std::sync::Arc;

use hashbrown::HashMap;

use super::super::draws::RandomDraws;
use super::super::error::SizeError;
use super::super::saved::{SavedError, SavedReader, Writer};
use crate::SeedlessHasher;

/// The start or end of a contact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ContactChange {
    /// The number of complete rounds before the change.
    pub round: u64,
    /// The two agents in contact.
    pub ends: [u32; 2],
    /// Whether the contact begins; otherwise it ends.
    pub begins: bool,
}

/// The distribution of the times at which agents in contact interact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ContactLaw {
    /// One interaction per round, along a uniformly random present edge; no interaction if there is no edge.
    OneARound,
    /// Each present edge interacts at this rate per round, independently (a Poisson process).
    Rate(f64),
}

/// A graph that changes with time, and the distribution of the times of its interactions.
#[derive(Clone, PartialEq, Debug)]
pub struct Contacts {
    /// The changes, in the order of rounds.
    pub changes: Vec<ContactChange>,
    /// The number of rounds after which all contacts have ended.
    pub end: u64,
    /// The distribution of the times at which agents in contact interact.
    pub law: ContactLaw,
}

/// The edges that are present now, and the position in time.
#[derive(Clone, Debug)]
pub(super) struct Present {
    contacts: Arc<Contacts>,
    next: usize,
    edges: Vec<[u32; 2]>,
    place_of: HashMap<[u32; 2], usize, SeedlessHasher>,
    /// The round of the last interaction or change, from whose start times are counted.
    base: u64,
    /// The time since the start of that round. It is below 1, so that short waits are not lost in a large sum.
    time: f64,
    round: u64,
    /// The time of the next interaction from the start of the same round, if it has been drawn.
    pending: Option<f64>,
}

impl Present {
    pub(super) fn new(contacts: Contacts, agents: usize) -> Result<Self, SizeError> {
        let is_sound = |change: &ContactChange| {
            let [u, v] = change.ends;
            u != v && (u as usize) < agents && (v as usize) < agents
        };
        let is_rising = contacts.changes.windows(2).all(|pair| pair[0].round <= pair[1].round);
        let has_law = match contacts.law {
            ContactLaw::OneARound => true,
            ContactLaw::Rate(rate) => rate > 0.0 && rate.is_finite(),
        };
        if !(contacts.changes.iter().all(is_sound) && is_rising && has_law) {
            return Err(SizeError::WrongEdges);
        }
        let place_of = HashMap::default();
        Ok(Self {
            contacts: Arc::new(contacts),
            next: 0,
            edges: Vec::new(),
            place_of,
            time: 0.0,
            base: 0,
            round: 0,
            pending: None,
        })
    }

    /// The contacts, to be hashed as a part of the plan.
    pub(super) fn plan(&self) -> impl Hash + '_ {
        let law = match self.contacts.law {
            ContactLaw::OneARound => None,
            ContactLaw::Rate(rate) => Some(rate.to_bits()),
        };
        (&self.contacts.changes, self.contacts.end, law)
    }

    pub(super) fn save(&self, writer: &mut Writer) {
        writer.number(self.next as u64);
        writer.pairs(self.edges.iter().copied());
        writer.number(self.base);
        writer.number(self.round);
        writer.float(self.time);
        writer.byte(self.pending.is_some().into());
        self.pending.iter().for_each(|&at| writer.float(at));
    }

    /// Reads the saved present edges for these contacts, between `agents` agents.
    pub(super) fn restored(&self, reader: &mut SavedReader<'_>, agents: usize) -> Result<Self, SavedError> {
        let next = reader.index(self.contacts.changes.len() + 1, "contacts")?;
        let edges = reader.pairs(agents as u64)?;
        let place_of: HashMap<_, _, _> = edges.iter().copied().zip(0..).collect();
        let is_sound = edges.iter().all(|[u, v]| u < v) && place_of.len() == edges.len();
        SavedError::unless(is_sound, "contacts")?;
        let (base, round, time) = (reader.number()?, reader.number()?, reader.float()?);
        let is_reached = self.contacts.changes[..next].iter().all(|change| change.round <= round);
        let is_sound = base <= round && round <= self.contacts.end && (0.0..1.0).contains(&time);
        SavedError::unless(is_reached && is_sound, "rounds")?;
        let pending = reader.flag()?.then(|| reader.float()).transpose()?;
        SavedError::unless(pending.is_none_or(|at| at >= 0.0), "times")?;
        let contacts = Arc::clone(&self.contacts);
        Ok(Self { contacts, next, edges, place_of, base, time, round, pending })
    }

    pub(super) fn round(&self) -> u64 {
        self.round
    }

    pub(super) fn is_over(&self) -> bool {
        self.round >= self.contacts.end
    }

    /// Applies the changes of edges that are due.
    fn change(&mut self) {
        while let Some(change) =
            self.contacts.changes.get(self.next).filter(|change| change.round <= self.round)
        {
            let [u, v] = change.ends;
            let ends = [u.min(v), u.max(v)];
            if !change.begins {
                self.remove(ends);
            } else if !self.place_of.contains_key(&ends) {
                self.place_of.insert(ends, self.edges.len());
                self.edges.push(ends);
            }
            self.next += 1;
        }
    }

    fn remove(&mut self, ends: [u32; 2]) {
        let Some(place) = self.place_of.remove(&ends) else { return };
        self.edges.swap_remove(place);
        if let Some(&moved) = self.edges.get(place) {
            self.place_of.insert(moved, place);
        }
    }

    /// The round of the next change, or of the end.
    fn next_change(&self) -> u64 {
        self.contacts
            .changes
            .get(self.next)
            .map_or(self.contacts.end, |change| change.round.min(self.contacts.end))
    }

    /// Advances to the next interaction, but not beyond a total of `rounds` complete rounds. Returns its agents,
    /// initiator first; `None` if that total is reached first.
    pub(super) fn draw(
        &mut self,
        is_there: &[bool],
        rounds: u64,
        draws: &mut RandomDraws,
    ) -> Option<[u32; 2]> {
        let rounds = rounds.min(self.contacts.end);
        while self.round < rounds {
            self.change();
            match self.contacts.law {
                _ if self.edges.is_empty() => {
                    self.round = self.next_change().min(rounds);
                    (self.base, self.time) = (self.round, 0.0);
                }
                ContactLaw::OneARound => {
                    let pair = self.pair(draws);
                    if is_there[pair[0] as usize] && is_there[pair[1] as usize] {
                        self.round += 1;
                        return Some(pair);
                    }
                    // An absent agent has no edges: the next draw is among the others.
                    self.remove([pair[0].min(pair[1]), pair[0].max(pair[1])]);
                }
                ContactLaw::Rate(rate) => {
                    let (time, edges) = (self.time, self.edges.len() as f64);
                    // Drawn once, wherever a run is stopped. Discarded when the edges change: the process is
                    // memoryless.
                    let at = *self.pending.get_or_insert_with(|| time + draws.exponential() / (rate * edges));
                    let change = self.next_change();
                    if at >= (change - self.base) as f64 && change <= rounds {
                        self.pending = None;
                        self.round = change;
                        (self.base, self.time) = (change, 0.0);
                        continue;
                    }
                    if at >= (rounds - self.base) as f64 {
                        self.round = rounds;
                        return None;
                    }
                    self.pending = None;
                    self.base += at as u64;
                    self.time = at.fract();
                    self.round = self.base;
                    let pair = self.pair(draws);
                    if is_there[pair[0] as usize] && is_there[pair[1] as usize] {
                        return Some(pair);
                    }
                    self.remove([pair[0].min(pair[1]), pair[0].max(pair[1])]);
                }
            }
        }
        None
    }

    fn pair(&self, draws: &mut RandomDraws) -> [u32; 2] {
        let drawn = draws.below(2 * self.edges.len() as u64);
        let [u, v] = self.edges[(drawn >> 1) as usize];
        if drawn & 1 == 0 { [u, v] } else { [v, u] }
    }
}
