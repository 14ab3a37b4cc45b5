//! [`Contact`] and [`ContactTrace`].

use acrasin_catalogue::counted;
use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;

use xxhash_rust::xxh3::Xxh3;

use crate::graph::NodeLabels;
use crate::limits::{CONTACTS_MAX, NODES_MAX, SECONDS_MAX};

/// Two nodes in contact during the half-open interval `(start, end]`, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Contact {
    /// The start, exclusive. It is the first field, so that contacts are ordered by start, then by nodes.
    pub start: i64,
    /// The smaller node.
    pub a: u32,
    /// The larger node.
    pub b: u32,
    /// The end, inclusive; after the start.
    pub end: i64,
}

/// A contact trace.
///
/// Contacts are sorted by (start, a, b) and lie between [`begin`](Self::begin) and [`end`](Self::end). Contacts of
/// one pair neither overlap nor touch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContactTrace {
    parts: TraceParts,
}

/// The data of a trace, which [`ContactTrace::new`] checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceParts {
    /// The number of nodes.
    pub nodes: u32,
    /// The names of the nodes in their file; `None` if they are named by their numbers.
    pub labels: Option<NodeLabels>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// The start of the trace, in seconds.
    pub begin: i64,
    /// The end of the trace, in seconds.
    pub end: i64,
    /// The length of a step, in seconds: the resolution of the observation.
    pub resolution: NonZeroU32,
    /// The number of records (lines of a file, pairs in range at a sample) that the contacts stand for.
    pub records: u64,
    /// The number of records of a node with itself, which are ignored.
    pub self_contacts: u64,
    /// The number of records that overlap an earlier record of their pair, beyond what the format implies.
    pub overlaps: u64,
}

impl ContactTrace {
    /// Creates a trace from its parts. O(contacts log contacts).
    ///
    /// # Errors
    ///
    /// Refuses parts that do not have the properties of a [`ContactTrace`], and sizes and times beyond the limits.
    pub fn new(parts: TraceParts) -> Result<Self, TraceError> {
        let refuse = |problem: String| Err(TraceError(problem));
        if !(1..=NODES_MAX).contains(&parts.nodes) {
            return refuse(format!("a trace of {} nodes; accepted: 1 to {NODES_MAX}", parts.nodes));
        }
        if let Some(labels) = parts.labels.as_ref().filter(|labels| labels.len() != parts.nodes as usize) {
            return refuse(format!(
                "{} for {}; accepted: one name per node",
                counted(labels.len(), "name"),
                counted(parts.nodes, "node")
            ));
        }
        if parts.contacts.len() as u64 > CONTACTS_MAX {
            return refuse(format!("{} contacts; accepted: up to {CONTACTS_MAX}", parts.contacts.len()));
        }
        if !(-SECONDS_MAX <= parts.begin && parts.begin < parts.end && parts.end <= SECONDS_MAX) {
            let (begin, end) = (parts.begin, parts.end);
            return refuse(format!(
                "a trace from {begin} s to {end} s; accepted: begin < end, both within {SECONDS_MAX} s of 0"
            ));
        }
        for contact in &parts.contacts {
            let Contact { start, a, b, end } = *contact;
            if a >= b || b >= parts.nodes {
                return refuse(format!("contact of {a} and {b}; accepted: a < b < {} nodes", parts.nodes));
            }
            if start >= end || start < parts.begin || end > parts.end {
                return refuse(format!(
                    "contact of {a} and {b} from {start} s to {end} s; accepted: start < end, within the trace"
                ));
            }
        }
        if let Some(pair) = parts.contacts.windows(2).find(|pair| pair[0] >= pair[1]) {
            let Contact { start, a, b, .. } = pair[1];
            return refuse(format!(
                "contact of {a} and {b} from {start} s is out of order; accepted: increasing by (start, a, b)"
            ));
        }
        let mut by_pair: Vec<Contact> = parts.contacts.clone();
        by_pair.sort_unstable_by_key(|contact| (contact.a, contact.b, contact.start));
        let touch = |pair: &&[Contact]| {
            (pair[0].a, pair[0].b) == (pair[1].a, pair[1].b) && pair[0].end >= pair[1].start
        };
        if let Some(pair) = by_pair.windows(2).find(touch) {
            let Contact { start, a, b, .. } = pair[1];
            return refuse(format!(
                "contact of {a} and {b} from {start} s begins before the last one ends; accepted: one contact"
            ));
        }
        Ok(Self { parts })
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.parts.nodes
    }

    /// The names of the nodes in their file; `None` if they are named by their numbers.
    #[must_use]
    pub fn labels(&self) -> Option<&NodeLabels> {
        self.parts.labels.as_ref()
    }

    /// The contacts, sorted by (start, a, b).
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.parts.contacts
    }

    /// The start of the trace, in seconds.
    #[must_use]
    pub fn begin(&self) -> i64 {
        self.parts.begin
    }

    /// The end of the trace, in seconds; after the start.
    #[must_use]
    pub fn end(&self) -> i64 {
        self.parts.end
    }

    /// The length of a step, in seconds.
    #[must_use]
    pub fn resolution(&self) -> NonZeroU32 {
        self.parts.resolution
    }

    /// The number of records that the contacts stand for: lines of a file, or pairs in range at a sample. Consecutive
    /// records of a pair are one contact.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.parts.records
    }

    /// The number of records of a node with itself, which are ignored.
    #[must_use]
    pub fn self_contacts(&self) -> u64 {
        self.parts.self_contacts
    }

    /// The number of records that overlap an earlier record of their pair, beyond what the format implies.
    #[must_use]
    pub fn overlaps(&self) -> u64 {
        self.parts.overlaps
    }

    /// The number of contacts that begin or end inside a step instead of at its end, and the time of the first such
    /// contact. `None` if there are none.
    #[must_use]
    pub fn off_steps(&self) -> Option<(u64, i64)> {
        let step = u64::from(self.parts.resolution.get());
        let is_off = |time: i64| !time.abs_diff(self.parts.begin).is_multiple_of(step);
        let time = |contact: &Contact| [contact.start, contact.end].into_iter().find(|&time| is_off(time));
        let mut off = self.contacts().iter().filter_map(time);
        let first = off.next()?;
        Some((1 + off.count() as u64, first))
    }

    /// The number of different pairs of nodes that have a contact. O(contacts log contacts).
    #[must_use]
    pub fn pairs(&self) -> usize {
        let mut pairs: Vec<(u32, u32)> =
            self.contacts().iter().map(|contact| (contact.a, contact.b)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    }

    /// A 128-bit digest (XXH3) of everything but names and records. The same on every platform.
    #[must_use]
    pub fn digest(&self) -> u128 {
        let mut hasher = Xxh3::new();
        hasher.update(&self.parts.nodes.to_le_bytes());
        hasher.update(&self.parts.begin.to_le_bytes());
        hasher.update(&self.parts.end.to_le_bytes());
        hasher.update(&self.parts.resolution.get().to_le_bytes());
        for contact in self.contacts() {
            hasher.update(&contact.start.to_le_bytes());
            hasher.update(&contact.end.to_le_bytes());
            hasher.update(&contact.a.to_le_bytes());
            hasher.update(&contact.b.to_le_bytes());
        }
        hasher.digest128()
    }
}

/// Errors of constructing a [`ContactTrace`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError(String);

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for TraceError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> TraceParts {
        let contact = |start, a, b, end| Contact { start, a, b, end };
        TraceParts {
            nodes: 3,
            labels: None,
            contacts: vec![contact(0, 0, 1, 20), contact(0, 1, 2, 40), contact(40, 0, 1, 60)],
            begin: 0,
            end: 60,
            resolution: NonZeroU32::new(20).unwrap(),
            records: 4,
            self_contacts: 0,
            overlaps: 0,
        }
    }

    #[test]
    fn invalid_traces_are_refused() {
        let trace = ContactTrace::new(parts()).unwrap();
        assert_eq!((trace.pairs(), trace.records()), (2, 4));
        type Spoil = fn(&mut TraceParts);
        let faults: [(Spoil, &str); 11] = [
            (|parts| parts.nodes = 0, "a trace of 0 nodes"),
            (|parts| parts.nodes = 2, "contact of 1 and 2; accepted: a < b < 2 nodes"),
            (
                |parts| parts.labels = Some(NodeLabels::Numbers(vec![1])),
                "1 name for 3 nodes; accepted: one name per node",
            ),
            (|parts| parts.end = 0, "a trace from 0 s to 0 s"),
            (|parts| parts.begin = i64::MIN, "a trace from -9223372036854775808 s"),
            (|parts| parts.end = SECONDS_MAX + 1, "a trace from 0 s to 9007199254740993 s"),
            (|parts| parts.contacts[1].a = 2, "contact of 2 and 2"),
            (|parts| parts.contacts[0].end = 0, "contact of 0 and 1 from 0 s to 0 s"),
            (|parts| parts.begin = 1, "contact of 0 and 1 from 0 s to 20 s"),
            (|parts| parts.contacts.swap(0, 1), "contact of 0 and 1 from 0 s is out of order"),
            (|parts| parts.contacts[0].end = 40, "contact of 0 and 1 from 40 s begins before"),
        ];
        for (spoil, message) in faults {
            let mut spoilt = parts();
            spoil(&mut spoilt);
            let error = ContactTrace::new(spoilt).unwrap_err().to_string();
            assert!(error.starts_with(message) && error.contains("accepted"), "{error}");
        }
    }

    #[test]
    fn contacts_within_a_step_are_counted() {
        let off = |change: fn(&mut TraceParts)| {
            let mut changed = parts();
            change(&mut changed);
            ContactTrace::new(changed).unwrap().off_steps()
        };
        assert_eq!(off(|_| {}), None);
        assert_eq!(off(|parts| parts.contacts[1].end = 39), Some((1, 39)));
        // The steps count from the begin.
        assert_eq!(off(|parts| parts.begin = -5), Some((3, 0)));
        assert_eq!(off(|parts| parts.begin = -40), None);
    }

    #[test]
    fn the_digest_sees_contacts_and_times_but_not_records() {
        let digest = |change: fn(&mut TraceParts)| {
            let mut changed = parts();
            change(&mut changed);
            ContactTrace::new(changed).unwrap().digest()
        };
        let plain = digest(|_| {});
        assert_eq!(plain, digest(|parts| parts.records = 9));
        assert_ne!(plain, digest(|parts| parts.contacts[2].end = 59));
        assert_ne!(plain, digest(|parts| parts.end = 80));
        assert_ne!(plain, digest(|parts| parts.nodes = 4));
    }
}
