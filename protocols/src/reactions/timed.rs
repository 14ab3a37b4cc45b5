//! Rates that change with time, and events at given times: exact, by thinning.
//!
//! Interval arithmetic computes an upper bound of the time-dependent propensities over a window of time, for the
//! present counts. Candidates are drawn at the rate of this bound. A candidate at time s becomes a reaction with
//! probability (sum of the propensities at s) / bound. A window ends at the next event at the latest. A candidate
//! beyond the end of its window is discarded and drawn again, because waiting times are memoryless. Source: Lewis and
//! Shedler, "Simulation of nonhomogeneous Poisson processes by thinning", Naval Research Logistics Quarterly 26 (1979).
//!
//! The next window is longer after a window without a candidate, and shorter after a rejected candidate. The length of
//! windows does not change the distribution.

use super::clock::CompensatedTime;
use super::error::{MAX_MOLECULES, VesselError};
use super::gillespie::{Gillespie, RunEnd, StopReason, after};
use super::interval::Interval;
use super::schedule::{
    CountChange, MAX_PROPENSITY, NextEvent, Pending, ScheduledChange, TimedParts, VesselFault,
};
use crate::uniform::draws::RandomDraws;

/// The largest number of times that a window is halved to find a bound.
const MAX_HALVINGS: u32 = 200;

impl Gillespie {
    /// Adds these events. Events at time 0 are performed at once.
    ///
    /// # Errors
    ///
    /// A time or period is negative or not finite, a period is 0, or a species is unknown. Or an event at time 0 would
    /// make a count negative or too large.
    pub fn with_events(mut self, events: Vec<ScheduledChange>) -> Result<Self, VesselError> {
        let species = self.counts().len();
        for (event, ScheduledChange { at, every, changes }) in events.iter().enumerate() {
            let is_wrong = |&(number, change): &(u16, CountChange)| {
                usize::from(number) >= species || matches!(change, CountChange::Set(to) if to > MAX_MOLECULES)
            };
            let is_time =
                (0.0..=f64::MAX).contains(at) && every.is_none_or(|every| every > 0.0 && every.is_finite());
            if !is_time || changes.iter().any(is_wrong) {
                return Err(VesselError::WrongEvent { event });
            }
        }
        self.timed.happened = vec![0; events.len()];
        self.timed.events = events;
        while let Some((event, 0.0)) = self.timed.next_event() {
            self.change_counts(event).map_err(|_| VesselError::WrongEvent { event })?;
        }
        Ok(self)
    }
}

/// The reaction that an accepted candidate becomes.
#[derive(Clone, Copy, Debug)]
pub(super) enum AcceptedCandidate {
    /// One of the reactions that do not depend on time, selected by a ticket from 0 to the sum of their propensities.
    Steady(f64),
    /// A reaction that depends on time, by its number in [`TimedParts`].
    Timed(usize),
}

/// A process in which some reactions depend on time. These are identified by their numbers in [`TimedParts`].
pub(super) trait TimedProcess {
    fn timed(&self) -> &TimedParts;
    fn timed_mut(&mut self) -> &mut TimedParts;
    fn draws(&mut self) -> &mut RandomDraws;
    fn has_fault(&self) -> bool;
    fn set_fault(&mut self, fault: VesselFault);
    /// The number of reactions that have happened, and the counts.
    fn happened(&self) -> (u64, &[u64]);
    /// Advances the time to `time` without a reaction; does nothing if the time is already later.
    fn pass(&mut self, time: f64);
    /// Like [`Gillespie::run`], for a process in which nothing depends on time.
    fn run_steady(&mut self, until: &RunEnd<'_>) -> StopReason;
    /// The sum of the propensities that do not depend on time.
    fn steady(&self) -> f64;
    /// The propensity of a reaction at a time.
    fn checked(&self, reaction: usize, time: f64) -> Result<f64, VesselFault>;
    /// An upper bound of the propensity over a period of time, 0 or above.
    fn bound(&self, reaction: usize, time: Interval) -> f64;
    /// Whether the propensity is certainly 0 over a period of time, and not negative, since a negative propensity would
    /// end the run.
    fn stays_null(&self, reaction: usize, time: Interval) -> bool;
    /// The number among all reactions of a reaction of [`TimedParts`].
    fn number(&self, reaction: usize) -> usize {
        reaction
    }
    /// Performs a reaction, or returns the reason why it cannot happen.
    fn perform(&mut self, chosen: AcceptedCandidate) -> Result<(), StopReason>;
    /// Performs an event. Returns the number of steps that it costs in addition to one.
    fn happen(&mut self, event: usize) -> Result<u64, VesselFault>;

    /// Whether no further reaction is possible, and no event is left.
    fn is_at_rest(&self) -> bool {
        self.steady() == 0.0 && !self.has_fault() && (!self.timed().is_needed() || self.is_over())
    }

    /// Advances like [`Gillespie::run_for`].
    fn advance(&mut self, until: &RunEnd<'_>, steps: u64) -> Option<StopReason> {
        let (happened, counts) = self.happened();
        if until.condition.is_some_and(|condition| condition.holds(counts)) {
            return Some(StopReason::Holds);
        }
        if self.is_at_rest() && until.time.is_finite() {
            self.pass(until.time);
            return Some(StopReason::Time);
        }
        if self.timed().is_needed() {
            return self.run_timed(until, steps);
        }
        let reactions = until.reactions.min(happened.saturating_add(steps));
        match self.run_steady(&RunEnd { reactions, ..*until }) {
            StopReason::Reactions if reactions < until.reactions => None,
            halt => Some(halt),
        }
    }

    /// Whether no event is left, and no rate that depends on time can rise above 0.
    fn is_over(&self) -> bool {
        let ahead = Interval::new(self.timed().from.time, f64::INFINITY);
        self.timed().next_event().is_none()
            && self.timed().reactions.iter().all(|&index| self.stays_null(index as usize, ahead))
    }

    /// Like [`advance`](Self::advance), for rates that depend on time. Makes at most `steps` steps: candidates, windows
    /// or events.
    fn run_timed(&mut self, until: &RunEnd<'_>, mut steps: u64) -> Option<StopReason> {
        loop {
            if self.happened().0 >= until.reactions {
                return Some(StopReason::Reactions);
            }
            if self.has_fault() {
                return Some(StopReason::Fault);
            }
            let from = self.timed().from.time;
            let pending = match self.timed().pending {
                Some(pending) => pending,
                None if self.is_at_rest() => return Some(StopReason::Silent),
                None => match self.next_pending() {
                    Ok(pending) => *self.timed_mut().pending.insert(pending),
                    Err(fault) => return Some(self.fail(fault, from)),
                },
            };
            if pending.at.time > until.time || pending.at.time.is_infinite() {
                self.pass(until.time.min(f64::MAX));
                return Some(StopReason::Time);
            }
            steps = steps.checked_sub(1)?;
            let happened = match pending.what {
                NextEvent::EndOfWindow => {
                    self.timed_mut().window *= 2.0;
                    false
                }
                NextEvent::Event(event) => match self.happen(event) {
                    Ok(cost) => {
                        steps = steps.saturating_sub(cost);
                        true
                    }
                    Err(fault) => return Some(self.fail(fault, pending.at.time)),
                },
                NextEvent::Candidate(bound) => match self.candidate(pending.at.time, bound) {
                    Ok(is_reaction) => is_reaction,
                    Err(halt) => return Some(halt),
                },
            };
            self.timed_mut().from = pending.at;
            self.timed_mut().pending = None;
            if happened {
                self.pass(pending.at.time);
                if until.condition.is_some_and(|condition| condition.holds(self.happened().1)) {
                    return Some(StopReason::Holds);
                }
            }
        }
    }

    /// Ends the run with a fault that occurred at a time.
    fn fail(&mut self, fault: VesselFault, time: f64) -> StopReason {
        self.set_fault(fault);
        self.pass(time);
        StopReason::Fault
    }

    /// The next event or candidate reaction after the time up to which the run has been drawn.
    fn next_pending(&mut self) -> Result<Pending, VesselFault> {
        let from = self.timed().from;
        let event = self.timed().next_event();
        if let Some((event, due)) = event
            && due <= from.time
        {
            return Ok(Pending { at: from, what: NextEvent::Event(event) });
        }
        // An invalid value is detected here, even if no candidate would evaluate it.
        for &index in &self.timed().reactions {
            self.checked(index as usize, from.time)?;
        }
        let mut halvings = 0;
        loop {
            let mut end = from.time + self.timed().window;
            while end == from.time {
                self.timed_mut().window *= 2.0;
                end = from.time + self.timed().window;
            }
            let window_event = event.filter(|&(_, due)| due <= end);
            end = window_event.map_or(end, |(_, due)| due);
            let over = Interval::new(from.time, end);
            let mut bound = self.steady();
            let mut unbounded = None;
            for &index in &self.timed().reactions {
                let most = self.bound(index as usize, over);
                bound += most;
                if most > MAX_PROPENSITY {
                    unbounded = Some(index as usize);
                }
            }
            if let Some(reaction) = unbounded {
                halvings += 1;
                let half = (end - from.time) / 2.0;
                if halvings > MAX_HALVINGS || from.time + half == from.time {
                    return Err(VesselFault::Unbounded { reaction: self.number(reaction) });
                }
                self.timed_mut().window = half;
                continue;
            }
            let at_end = Pending {
                at: CompensatedTime::at(end),
                what: window_event.map_or(NextEvent::EndOfWindow, |(event, _)| NextEvent::Event(event)),
            };
            if bound == 0.0 {
                return Ok(at_end);
            }
            let at = from.after(self.draws().exponential() / bound);
            return Ok(if at.time < end {
                Pending { at, what: NextEvent::Candidate(bound) }
            } else {
                at_end
            });
        }
    }

    /// Decides whether a candidate is accepted, and if so performs the reaction.
    fn candidate(&mut self, time: f64, bound: f64) -> Result<bool, StopReason> {
        let steady = self.steady();
        let before = self.draws().clone();
        let mut ticket = self.draws().unit() * bound;
        let mut chosen = (ticket < steady).then_some(AcceptedCandidate::Steady(ticket));
        ticket -= steady;
        for place in 0..self.timed().reactions.len() {
            let index = self.timed().reactions[place] as usize;
            // All are evaluated, whatever the ticket: whether an invalid value is detected must not depend on chance.
            let value = match self.checked(index, time) {
                Ok(value) => value,
                Err(fault) => {
                    *self.draws() = before;
                    return Err(self.fail(fault, time));
                }
            };
            if chosen.is_none() && ticket < value {
                chosen = Some(AcceptedCandidate::Timed(index));
            }
            ticket -= value;
        }
        match chosen {
            Some(chosen) => {
                if let Err(halt) = self.perform(chosen) {
                    *self.draws() = before;
                    return Err(halt);
                }
            }
            None => {
                let timed = self.timed_mut();
                timed.window = (timed.window / 2.0).max(f64::MIN_POSITIVE);
            }
        }
        Ok(chosen.is_some())
    }
}

impl Gillespie {
    /// Whether no further reaction is possible, and no event is left.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.is_at_rest()
    }

    /// Like [`run`](Self::run), but returns `None` after `steps` steps if no bound is reached before. A step is a
    /// reaction. If rates depend on time, a candidate for a reaction, a window of time and an event are steps as well.
    /// The run does not depend on where it was interrupted.
    pub fn run_for(&mut self, until: &RunEnd<'_>, steps: u64) -> Option<StopReason> {
        self.advance(until, steps)
    }

    /// The propensity of a reaction at a time.
    pub(super) fn checked_value(&self, reaction: usize, time: f64) -> Result<f64, VesselFault> {
        let value = self.propensity(reaction, time);
        if (0.0..=MAX_PROPENSITY).contains(&value) {
            return Ok(value);
        }
        Err(VesselFault::Rate { reaction, value })
    }

    pub(super) fn change_counts(&mut self, index: usize) -> Result<(), VesselFault> {
        let mut counts = self.counts.clone();
        for &(species, change) in &self.timed.events[index].changes {
            let count = &mut counts[usize::from(species)];
            let changed = match change {
                CountChange::Set(to) => Some(to),
                CountChange::Add(by) => count.checked_add_signed(by),
            };
            let changed = changed.filter(|&count| count <= MAX_MOLECULES);
            *count = changed.ok_or(VesselFault::Event { event: index, species })?;
        }
        self.counts = counts;
        self.timed.happened[index] += 1;
        self.refresh_all();
        Ok(())
    }
}

impl TimedProcess for Gillespie {
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
        if time > self.time {
            (self.time, self.rest) = (time, 0.0);
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
            let total = self.propensities.total();
            if total == 0.0 {
                return StopReason::Silent;
            }
            let next = *self
                .next
                .get_or_insert_with(|| after((self.time, self.rest), self.draws.exponential() / total));
            if next.0 > until.time {
                self.pass(until.time);
                return StopReason::Time;
            }
            let mut draws = self.draws.clone();
            let index = self.propensities.find(draws.unit() * total);
            if !self.fits(index) {
                return StopReason::Crowded;
            }
            self.draws = draws;
            (self.time, self.rest) = next;
            self.next = None;
            self.fire(index);
            if until.condition.is_some_and(|condition| condition.holds(&self.counts)) {
                return StopReason::Holds;
            }
        }
    }

    fn steady(&self) -> f64 {
        self.propensities.total()
    }

    fn checked(&self, reaction: usize, time: f64) -> Result<f64, VesselFault> {
        self.checked_value(reaction, time)
    }

    fn bound(&self, reaction: usize, time: Interval) -> f64 {
        self.upper_bound(reaction, time)
    }

    fn stays_null(&self, reaction: usize, time: Interval) -> bool {
        self.is_null_over(reaction, time)
    }

    fn perform(&mut self, chosen: AcceptedCandidate) -> Result<(), StopReason> {
        let index = match chosen {
            AcceptedCandidate::Steady(ticket) => self.propensities.find(ticket),
            AcceptedCandidate::Timed(index) => index,
        };
        if !self.fits(index) {
            return Err(StopReason::Crowded);
        }
        self.fire(index);
        Ok(())
    }

    fn happen(&mut self, event: usize) -> Result<u64, VesselFault> {
        self.change_counts(event).map(|()| 0)
    }
}
