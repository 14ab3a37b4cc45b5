//! [`Arbiter`]: stores the members of the closed neighbourhood that have its permission, and the members that wait for
//! it.

use crate::exclusion::Identifier;
use crate::pack::{Pack, PackError};

/// The class of a request; lower classes go first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rank {
    /// Class 0: requests that the leader has raised.
    Triggered,
    /// Class 1: all other requests.
    Ordinary,
}

/// A request at an arbiter: (class, stamp, owner), compared in this order. The smallest goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArbiterRequest {
    /// The class of the request.
    pub rank: Rank,
    /// The stamp: the clock of the process when it made the request.
    pub stamp: u32,
    /// The process that asks.
    pub owner: Identifier,
}

/// The state of an arbiter for one permission: its grants and pending requests.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Arbiter {
    /// The number of processes that may have the permission at once: the places of the arbiter.
    pub capacity: u32,
    /// The sorted requests that hold a grant, `grantedTo` in the paper.
    pub granted: Vec<ArbiterRequest>,
    /// The sorted requests that wait for a grant, `pendingReq` in the paper.
    pub pending: Vec<ArbiterRequest>,
    /// `preemptingNow`: the process that was asked to return the permission, if any.
    pub preempting: Option<Identifier>,
}

impl Arbiter {
    pub(super) fn is_free(&self) -> bool {
        self.granted.len() < self.capacity as usize
    }

    /// Whether more than `capacity` processes have the permission. At most one extra grant may exist.
    pub(super) fn is_over(&self) -> bool {
        self.granted.len() > self.capacity as usize
    }

    pub(super) fn ask(&mut self, entry: ArbiterRequest) {
        insert(&mut self.pending, entry);
    }

    /// The pending request that goes next, if any.
    pub(super) fn next(&self) -> Option<ArbiterRequest> {
        self.pending.first().copied()
    }

    /// Moves the next pending request to the granted ones.
    pub(super) fn grant_next(&mut self) {
        let entry = self.pending.remove(0);
        insert(&mut self.granted, entry);
    }

    /// Removes the grant of a process and returns its request; `None` if the process has no grant.
    pub(super) fn withdraw(&mut self, owner: Identifier) -> Option<ArbiterRequest> {
        let at = self.granted.iter().position(|entry| entry.owner == owner)?;
        Some(self.granted.remove(at))
    }

    /// Removes the pending request of a process.
    pub(super) fn forget(&mut self, owner: Identifier) {
        self.pending.retain(|entry| entry.owner != owner);
    }

    /// Clears the record that this process was asked to return the permission.
    pub(super) fn settle(&mut self, owner: Identifier) {
        self.preempting = self.preempting.filter(|&other| other != owner);
    }

    pub(super) fn grant_of(&self, owner: Identifier) -> Option<ArbiterRequest> {
        self.granted.iter().copied().find(|entry| entry.owner == owner)
    }

    pub(super) fn request_of(&self, owner: Identifier) -> Option<ArbiterRequest> {
        self.pending.iter().copied().find(|entry| entry.owner == owner)
    }

    /// Raises the request of a process, granted or pending, to class 0.
    pub(super) fn raise(&mut self, owner: Identifier) {
        for entries in [&mut self.granted, &mut self.pending] {
            if let Some(at) = entries.iter().position(|entry| entry.owner == owner) {
                let entry = entries.remove(at);
                insert(entries, ArbiterRequest { rank: Rank::Triggered, ..entry });
            }
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.granted.capacity() + self.pending.capacity()) * size_of::<ArbiterRequest>()
    }
}

/// Inserts an entry into a sorted list.
fn insert(entries: &mut Vec<ArbiterRequest>, entry: ArbiterRequest) {
    let at = entries.partition_point(|other| *other < entry);
    entries.insert(at, entry);
}

impl Pack for ArbiterRequest {
    fn pack(&self, into: &mut Vec<u8>) {
        (u64::from(self.stamp) * 2 + self.rank as u64).pack(into);
        self.owner.0.pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let number = u64::unpack(from)?;
        let rank = if number % 2 == 0 { Rank::Triggered } else { Rank::Ordinary };
        let stamp = u32::try_from(number / 2).map_err(|_| PackError)?;
        Ok(Self { rank, stamp, owner: Identifier(u32::unpack(from)?) })
    }
}

impl Pack for Arbiter {
    fn pack(&self, into: &mut Vec<u8>) {
        self.capacity.pack(into);
        for entries in [&self.granted, &self.pending] {
            (entries.len() as u64).pack(into);
            for entry in entries {
                entry.pack(into);
            }
        }
        self.preempting.map_or(0, |owner| u64::from(owner.0) + 1).pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Result<Self, PackError> {
        let capacity = u32::unpack(from)?;
        let entries = |from: &mut &[u8]| -> Result<Vec<ArbiterRequest>, PackError> {
            let count = u64::unpack(from)?;
            (0..count).map(|_| ArbiterRequest::unpack(from)).collect()
        };
        let (granted, pending) = (entries(from)?, entries(from)?);
        let preempting = u64::unpack(from)?.checked_sub(1).map(u32::try_from);
        let preempting = preempting.transpose().map_err(|_| PackError)?.map(Identifier);
        Ok(Self { capacity, granted, pending, preempting })
    }
}
