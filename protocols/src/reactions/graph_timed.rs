//! Time-dependent parts of graph runs: rates that depend on time, by thinning, and events.

use super::clock::CompensatedTime;
use super::error::VesselError;
use super::gillespie::{RunEnd, StopReason};
use super::graph::GraphVessel;
use super::interval::Interval;
use super::schedule::{CountChange, GraphEvent, ScheduledChange, TimedParts, VesselFault};
use super::timed::{AcceptedCandidate, TimedProcess};
use crate::uniform::draws::RandomDraws;

impl GraphVessel {
    /// Adds these events. Events at time 0 are performed at once.
    ///
    /// # Errors
    ///
    /// A time or period that is negative or not finite, a period of 0, an unknown state or node, or an event at time 0
    /// that cannot happen.
    pub fn with_events(mut self, events: Vec<GraphEvent>) -> Result<Self, VesselError> {
        let (states, nodes) = (self.counts().len(), self.states().len());
        for (event, GraphEvent { event: ScheduledChange { at, every, changes }, rest, nodes: named }) in
            events.iter().enumerate()
        {
            let mut numbers = changes
                .iter()
                .map(|&(state, _)| state)
                .chain(*rest)
                .chain(named.iter().map(|&(_, state)| state));
            let is_time =
                (0.0..=f64::MAX).contains(at) && every.is_none_or(|every| every > 0.0 && every.is_finite());
            let is_node = named.iter().all(|&(node, _)| (node as usize) < nodes);
            if !is_time || !is_node || numbers.any(|state| usize::from(state) >= states) {
                return Err(VesselError::WrongEvent { event });
            }
        }
        self.timed.happened = vec![0; events.len()];
        self.timed.events = events.iter().map(|event| event.event.clone()).collect();
        self.events = events;
        while let Some((event, 0.0)) = self.timed.next_event() {
            self.happen_at_nodes(event).map_err(|_| VesselError::WrongEvent { event })?;
        }
        Ok(self)
    }

    /// Performs an event at the nodes: its named nodes first, then its changes of counts.
    pub(super) fn happen_at_nodes(&mut self, index: usize) -> Result<(), VesselFault> {
        let GraphEvent { event, rest, nodes } = self.events[index].clone();
        let mut counts = self.counts.clone();
        for (place, &(node, to)) in nodes.iter().enumerate() {
            // A node that is named twice gets its last state.
            if nodes[place + 1..].iter().all(|&(other, _)| other != node) {
                counts[usize::from(self.states[node as usize])] -= 1;
                counts[usize::from(to)] += 1;
            }
        }
        let before = counts.clone();
        for &(state, change) in &event.changes {
            let count = &mut counts[usize::from(state)];
            let changed = match change {
                CountChange::Set(to) => Some(to),
                CountChange::Add(by) => count.checked_add_signed(by),
            };
            *count = changed.ok_or(VesselFault::Event { event: index, species: state })?;
        }
        let total = |counts: &[u64]| counts.iter().map(|&count| i128::from(count)).sum::<i128>();
        let surplus = total(&counts) - total(&before);
        if surplus != 0 {
            let state = rest.ok_or(VesselFault::Unbalanced { event: index, by: surplus })?;
            let left = i128::from(counts[usize::from(state)]) - surplus;
            let left = u64::try_from(left);
            counts[usize::from(state)] =
                left.map_err(|_| VesselFault::Event { event: index, species: state })?;
        }
        for &(node, to) in &nodes {
            self.change(node, to);
        }
        self.deal(&before, &counts);
        self.timed.happened[index] += 1;
        self.refresh_all();
        Ok(())
    }

    /// Assigns randomly drawn nodes of the states whose counts fall to the states whose counts rise.
    fn deal(&mut self, before: &[u64], after: &[u64]) {
        let mut leaving = Vec::new();
        for (state, (&before, &after)) in (0_u16..).zip(before.iter().zip(after)) {
            let Some(lost) = before.checked_sub(after).filter(|&lost| lost > 0) else { continue };
            let all = (0_u32..).zip(&self.states).filter(|&(_, &other)| other == state);
            let mut all: Vec<u32> = all.map(|(node, _)| node).collect();
            for place in 0..lost as usize {
                let other = place + self.draws.below((all.len() - place) as u64) as usize;
                all.swap(place, other);
            }
            leaving.extend_from_slice(&all[..lost as usize]);
        }
        for place in 0..leaving.len() {
            let other = place + self.draws.below((leaving.len() - place) as u64) as usize;
            leaving.swap(place, other);
        }
        let mut leaving = leaving.into_iter();
        for (state, (&before, &after)) in (0_u16..).zip(before.iter().zip(after)) {
            for node in leaving.by_ref().take(after.saturating_sub(before) as usize) {
                self.change(node, state);
            }
        }
    }
}

impl TimedProcess for GraphVessel {
    fn timed(&self) -> &TimedParts {
        &self.timed
    }

    fn timed_mut(&mut self) -> &mut TimedParts {
        &mut self.timed
    }

    fn draws(&mut self) -> &mut RandomDraws {
        &mut self.draws
    }

    fn has_fault(&self) -> bool {
        self.fault.is_some()
    }

    fn set_fault(&mut self, fault: VesselFault) {
        self.fault = Some(fault);
    }

    fn happened(&self) -> (u64, &[u64]) {
        (self.reactions, &self.counts)
    }

    fn pass(&mut self, time: f64) {
        if time > self.clock.time {
            self.clock = CompensatedTime::at(time);
        }
    }

    fn run_steady(&mut self, until: &RunEnd<'_>) -> StopReason {
        loop {
            if self.reactions >= until.reactions {
                return StopReason::Reactions;
            }
            if self.fault.is_some() {
                return StopReason::Fault;
            }
            let total = self.steady();
            if total == 0.0 {
                return StopReason::Silent;
            }
            let next = match self.next {
                Some(next) => next,
                None => *self.next.insert(self.clock.after(self.draws.exponential() / total)),
            };
            if next.time > until.time {
                self.pass(until.time);
                return StopReason::Time;
            }
            let ticket = self.draws.unit() * total;
            (self.clock, self.next) = (next, None);
            self.fire_steady(ticket);
            if until.condition.is_some_and(|condition| condition.holds(&self.counts)) {
                return StopReason::Holds;
            }
        }
    }

    fn steady(&self) -> f64 {
        self.steady()
    }

    fn checked(&self, reaction: usize, time: f64) -> Result<f64, VesselFault> {
        self.varying.checked(reaction, &self.counts, time)
    }

    fn bound(&self, reaction: usize, time: Interval) -> f64 {
        self.varying.bound(reaction, &self.counts, time)
    }

    fn stays_null(&self, reaction: usize, time: Interval) -> bool {
        self.varying.stays_null(reaction, &self.counts, time)
    }

    fn number(&self, reaction: usize) -> usize {
        self.varying.reaction(reaction)
    }

    fn perform(&mut self, chosen: AcceptedCandidate) -> Result<(), StopReason> {
        match chosen {
            AcceptedCandidate::Steady(ticket) => self.fire_steady(ticket),
            AcceptedCandidate::Timed(index) => self.fire_varying(index),
        }
        Ok(())
    }

    fn happen(&mut self, event: usize) -> Result<u64, VesselFault> {
        self.happen_at_nodes(event)?;
        // An event may examine every node and edge.
        Ok((self.states.len() + self.ends.len()) as u64 / 64)
    }
}
