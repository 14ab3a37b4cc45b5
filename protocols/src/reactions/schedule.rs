//! Events at given times, and the drawn state of a run whose rates change with time.

use super::clock::CompensatedTime;

/// Largest propensity of one reaction: sums of them stay finite.
pub(super) const MAX_PROPENSITY: f64 = 1e300;

/// A change of counts at a given time.
#[derive(Clone, PartialEq, Debug)]
pub struct ScheduledChange {
    /// The time of the event: 0 or later.
    pub at: f64,
    /// The time after which it repeats; `None` for a single event.
    pub every: Option<f64>,
    /// The changes, in this order.
    pub changes: Vec<(u16, CountChange)>,
}

/// A change of the states of nodes at a given time.
///
/// The named nodes change first, then the counts. From each state that loses nodes, that many are drawn; they go in
/// random order to the states that gain nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphEvent {
    /// The time, and the changes of counts. Nodes neither appear nor vanish: without `rest` the changes add up to 0.
    pub event: ScheduledChange,
    /// The state that gains or loses the difference.
    pub rest: Option<u16>,
    /// Nodes, each with its state afterwards.
    pub nodes: Vec<(u32, u16)>,
}

/// The effect of an event on the count of a species.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountChange {
    /// Sets the count to this number.
    Set(u64),
    /// Adds this number of molecules; a negative number removes them.
    Add(i64),
}

/// The reason why a run cannot continue.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum VesselFault {
    /// The rate of a reaction is negative, not a number or above 10^300.
    Rate {
        /// The reaction.
        reaction: usize,
        /// The value of its propensity.
        value: f64,
    },
    /// The rate of a reaction has no bound, however short the period of time.
    Unbounded {
        /// The reaction.
        reaction: usize,
    },
    /// An event would make a count negative, or more than [`MAX_MOLECULES`](super::MAX_MOLECULES).
    Event {
        /// The event.
        event: usize,
        /// The species.
        species: u16,
    },
    /// An event would change the number of nodes of a graph.
    Unbalanced {
        /// The event.
        event: usize,
        /// The number of nodes that it would add.
        by: i128,
    },
}

/// The parts of a run that depend on time, with the values drawn so far.
#[derive(Clone, Debug)]
pub(super) struct TimedParts {
    /// The reactions whose propensity depends on the time.
    pub(super) reactions: Vec<u32>,
    pub(super) events: Vec<ScheduledChange>,
    /// The number of occurrences of each event.
    pub(super) happened: Vec<u64>,
    /// The time up to which everything is decided.
    pub(super) from: CompensatedTime,
    /// The length of the next window.
    pub(super) window: f64,
    pub(super) pending: Option<Pending>,
}

/// The next event or reaction, unless the run is stopped before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) at: CompensatedTime,
    pub(super) what: NextEvent,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum NextEvent {
    /// A candidate for a reaction; candidates come at this rate.
    Candidate(f64),
    EndOfWindow,
    Event(usize),
}

impl TimedParts {
    pub(super) fn new(reactions: Vec<u32>) -> Self {
        Self {
            reactions,
            events: Vec::new(),
            happened: Vec::new(),
            from: CompensatedTime::at(0.0),
            window: 1.0,
            pending: None,
        }
    }

    /// Whether anything depends on time.
    pub(super) fn is_needed(&self) -> bool {
        !self.reactions.is_empty() || !self.events.is_empty()
    }

    /// The next event and its time.
    pub(super) fn next_event(&self) -> Option<(usize, f64)> {
        next_event(&self.events, &self.happened)
    }
}

/// The next of these events and its time, given the number of occurrences of each.
pub(crate) fn next_event(events: &[ScheduledChange], happened: &[u64]) -> Option<(usize, f64)> {
    let due = events.iter().zip(happened).enumerate().filter_map(|(index, (event, &happened))| {
        let due = match event.every {
            None if happened > 0 => return None,
            None => event.at,
            Some(every) => event.at + happened as f64 * every,
        };
        Some((index, due))
    });
    // Of two at the same time, the first.
    due.min_by(|a, b| a.1.total_cmp(&b.1))
}
