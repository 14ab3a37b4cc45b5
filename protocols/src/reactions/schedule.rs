//! Events at given times, and the random state of a run whose rates change with time.

use super::clock::CompensatedTime;
use crate::uniform::saved::{SavedError, SavedReader, Writer};

/// The largest accepted propensity of one reaction. With this limit sums stay finite.
pub(super) const MAX_PROPENSITY: f64 = 1e300;

/// A change of counts at a given time.
#[derive(Clone, PartialEq, Debug)]
pub struct ScheduledChange {
    /// The time of the event: 0 or later.
    pub at: f64,
    /// The period of a repeated event; `None` for a single event.
    pub every: Option<f64>,
    /// The changes of counts, in the order in which they are applied.
    pub changes: Vec<(u16, CountChange)>,
}

/// A change of the states of nodes at a given time.
///
/// The named nodes change first, then the counts. From each state whose count falls, the required number of nodes is
/// drawn at random. The drawn nodes change in random order to the states whose counts rise.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphEvent {
    /// The time, and the changes of counts. Nodes neither appear nor vanish: without `rest` the changes add up to 0.
    pub event: ScheduledChange,
    /// The state that compensates for the sum of the changes, so that the number of nodes is unchanged; `None` if the
    /// sum is 0.
    pub rest: Option<u16>,
    /// The nodes that change, each with its new state.
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

/// The reasons why a run cannot continue.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum VesselFault {
    /// The rate of a reaction is negative, not a number or above 10^300.
    Rate {
        /// The number of the reaction.
        reaction: usize,
        /// The invalid value: the propensity of the reaction.
        value: f64,
    },
    /// No upper bound of the rate of a reaction was found, even over very short periods of time.
    Unbounded {
        /// The number of the reaction.
        reaction: usize,
    },
    /// An event would make a count negative, or more than [`MAX_MOLECULES`](super::MAX_MOLECULES).
    Event {
        /// The number of the event.
        event: usize,
        /// The number of the species.
        species: u16,
    },
    /// An event would change the number of nodes of a graph.
    Unbalanced {
        /// The number of the event.
        event: usize,
        /// The number of nodes that the event would add; negative if it would remove nodes.
        by: i128,
    },
}

impl VesselFault {
    pub(super) fn save(fault: Option<Self>, writer: &mut Writer) {
        let (kind, index, value) = match fault {
            None => (0, 0, 0),
            Some(Self::Rate { reaction, value }) => (1, reaction, value.to_bits().into()),
            Some(Self::Unbounded { reaction }) => (2, reaction, 0),
            Some(Self::Event { event, species }) => (3, event, species.into()),
            Some(Self::Unbalanced { event, by }) => (4, event, by as u128),
        };
        writer.byte(kind);
        writer.number(index as u64);
        writer.wide(value);
    }

    /// Reads a fault of a run with these numbers of reactions, events and species.
    pub(super) fn restored(
        reader: &mut SavedReader<'_>,
        [reactions, events, species]: [usize; 3],
    ) -> Result<Option<Self>, SavedError> {
        let kind = reader.byte()?;
        let bounds = [1, reactions, reactions, events, events];
        let bound = *bounds.get(usize::from(kind)).ok_or(SavedError::impossible("faults"))?;
        let (index, value) = (reader.index(bound, "faults")?, reader.wide()?);
        // Changes of counts have at most 64 bits.
        let by = value as i128;
        let is_possible = match kind {
            1 => value < 1 << 64,
            3 => value < species as u128,
            4 => by.unsigned_abs() < 1 << 80,
            _ => value == 0,
        };
        SavedError::unless(is_possible, "faults")?;
        Ok(match kind {
            0 => None,
            1 => Some(Self::Rate { reaction: index, value: f64::from_bits(value as u64) }),
            2 => Some(Self::Unbounded { reaction: index }),
            3 => Some(Self::Event { event: index, species: value as u16 }),
            _ => Some(Self::Unbalanced { event: index, by }),
        })
    }
}

/// The time-dependent part of a run: events, reactions and the random values drawn so far.
#[derive(Clone, Debug)]
pub(super) struct TimedParts {
    /// The reactions whose propensity depends on the time.
    pub(super) reactions: Vec<u32>,
    pub(super) events: Vec<ScheduledChange>,
    /// The number of times that each event has happened.
    pub(super) happened: Vec<u64>,
    /// The time up to which reactions and events have been drawn.
    pub(super) from: CompensatedTime,
    /// The length of the next window of thinning.
    pub(super) window: f64,
    pub(super) pending: Option<Pending>,
}

/// The next event or candidate reaction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) at: CompensatedTime,
    pub(super) what: NextEvent,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum NextEvent {
    /// A candidate for a reaction, drawn from a Poisson process of this rate.
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

    pub(super) fn save(&self, writer: &mut Writer) {
        writer.numbers(&self.happened);
        self.from.save(writer);
        writer.float(self.window);
        let Some(Pending { at, what }) = self.pending else { return writer.byte(0) };
        let (kind, number) = match what {
            NextEvent::Candidate(rate) => (1, rate.to_bits()),
            NextEvent::EndOfWindow => (2, 0),
            NextEvent::Event(event) => (3, event as u64),
        };
        writer.byte(kind);
        writer.number(number);
        at.save(writer);
    }

    /// Reads the saved random state of a run with these reactions and events.
    pub(super) fn restored(&self, reader: &mut SavedReader<'_>) -> Result<Self, SavedError> {
        let happened = reader.numbers()?;
        let is_possible =
            happened.len() == self.events.len() && happened.iter().all(|&times| times < 1 << 62);
        SavedError::unless(is_possible, "events")?;
        let (from, window) = (CompensatedTime::restored(reader)?, reader.float()?);
        // From an infinite time, or by windows of length 0, time would not advance.
        SavedError::unless(from.time.is_finite() && window > 0.0, "times")?;
        let kind = reader.byte()?;
        let pending = if kind == 0 {
            None
        } else {
            let (number, at) = (reader.number()?, CompensatedTime::restored(reader)?);
            let rate = f64::from_bits(number);
            let what = match kind {
                1 if rate > 0.0 && rate.is_finite() => NextEvent::Candidate(rate),
                2 if number == 0 => NextEvent::EndOfWindow,
                3 if number < self.events.len() as u64 => NextEvent::Event(number as usize),
                _ => return Err(SavedError::impossible("events")),
            };
            Some(Pending { at, what })
        };
        let (reactions, events) = (self.reactions.clone(), self.events.clone());
        Ok(Self { reactions, events, happened, from, window, pending })
    }

    /// Whether the run has events, or reactions whose propensity depends on time.
    pub(super) fn is_needed(&self) -> bool {
        !self.reactions.is_empty() || !self.events.is_empty()
    }

    /// The next event and its time; `None` if no event is left.
    pub(super) fn next_event(&self) -> Option<(usize, f64)> {
        next_event(&self.events, &self.happened)
    }
}

/// The next of these events and its time, given the number of times that each has happened; `None` if no event is left.
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
