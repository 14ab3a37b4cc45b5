//! [`MeanField`]: the shares of the states over time.

use super::equations::{Attempt, Equations, Unreached, WorkMeter};
use super::explicit;
use super::implicit::Implicit;
use crate::reactions::{CountChange, ReactionNetwork, ScheduledChange, next_event};

/// The length of the first step, in units of time.
const FIRST: f64 = 1e-3;
/// The largest ratio of a step to the previous one.
const FASTEST: f64 = 5.0;
/// The smallest ratio of a step to the previous one.
const SLOWEST: f64 = 0.2;

/// The smallest accepted step, as a share of the elapsed time. Shorter steps would not advance the time. A solution
/// that grows without bound ends because its steps become shorter than this.
const LEAST: f64 = 1e-14;

/// The solution also ends after this number of very short steps. A step is very short if 10^10 such steps would be
/// needed to reach the target time.
const SHORT_STEPS: u32 = 100_000;
const SHORT: f64 = 1e-10;

/// The number of stiff steps before an order of elimination is chosen.
const STIFF_STEPS: u32 = 100;
/// The number of consecutive non-stiff steps that reset the count of stiff steps.
const CALM_STEPS: u32 = 6;

/// Explicit steps continue until stiff explicit steps have cost as much as this number of implicit steps. The better
/// method is not known in advance; this rule costs at most about twice as much as the better one.
const IMPLICIT_STEPS: usize = 20;

/// The tolerance by which an event may remove more than is present, because the error of the solution is of that size.
const ROUNDING: f64 = 1e-6;

/// A solution of the mass-action equations from an initial state.
///
/// The step is chosen so that its estimated error is below the tolerance, absolutely and relative to the share. The
/// error of the whole solution is of that size unless neighbouring solutions diverge.
///
/// Steps are explicit until the equations are found to be stiff, then implicit. Cost of an explicit step: six times the
/// number of reactions and species. Cost of an implicit step: one elimination with an unknown per species, which is
/// cheap if each species reacts with few others. Implicit steps need at most 8 bytes of memory per pair of species.
#[derive(Clone, Debug)]
pub struct MeanField {
    network: ReactionNetwork,
    volume: f64,
    shares: Vec<f64>,
    time: f64,
    step: f64,
    tolerance: f64,
    events: Vec<ScheduledChange>,
    /// The number of times that each event has happened.
    happened: Vec<u64>,
    /// The number of explicit steps whose length was bounded by stability. `calm` counts the latest consecutive steps
    /// whose length was not.
    stiff: u32,
    calm: u32,
    implicit: Option<Box<Implicit>>,
}

impl MeanField {
    /// Creates a solution that starts from these shares at time 0.
    ///
    /// # Panics
    ///
    /// Panics unless there is one share per species and the tolerance is above 0.
    #[must_use]
    pub fn new(network: &ReactionNetwork, shares: &[f64], tolerance: f64) -> Self {
        assert_eq!(shares.len(), network.species().len(), "one share a species");
        assert!(tolerance > 0.0, "a tolerance of {tolerance}");
        Self {
            network: network.clone(),
            volume: 1.0,
            shares: shares.to_vec(),
            time: 0.0,
            step: FIRST,
            tolerance,
            events: Vec::new(),
            happened: Vec::new(),
            stiff: 0,
            calm: 0,
            implicit: None,
        }
    }

    /// Sets the volume: expressions of rates are evaluated at counts equal to shares times volume.
    #[must_use]
    pub fn with_volume(mut self, volume: f64) -> Self {
        self.volume = volume;
        self
    }

    /// Adds events. They change counts, which are shares times volume.
    #[must_use]
    pub fn with_events(mut self, events: &[ScheduledChange]) -> Self {
        self.events = events.to_vec();
        self.happened = vec![0; events.len()];
        self
    }

    /// The time that the solution has reached.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The share of each species at [`time`](Self::time).
    #[must_use]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Advances to this time, and performs the events up to it; does nothing if the solution is already later. Returns
    /// whether the time is reached. The time is not reached if the solution grows without bound, or if an event removes
    /// more than is present.
    pub fn advance(&mut self, time: f64) -> bool {
        self.advance_while(time, &mut || true).is_ok()
    }

    /// Advances to this time while `go_on` returns true. `go_on` is called every few microseconds.
    ///
    /// # Errors
    ///
    /// The reason why the time is not reached; the solution is then at the last time that was reached.
    pub fn advance_while(&mut self, time: f64, go_on: &mut dyn FnMut() -> bool) -> Result<(), Unreached> {
        while self.advance_to_event(time, go_on)? {
            // Events may follow each other without any time between them, so ask here as well.
            if !go_on() {
                return Err(Unreached::CalledOff);
            }
            self.happen()?;
        }
        Ok(())
    }

    /// Advances to this time, or to the time of the next event if that is not later. The event itself is not performed:
    /// call [`happen`](Self::happen) for it. Returns whether an event is due.
    ///
    /// # Errors
    ///
    /// As of [`advance_while`](Self::advance_while).
    pub fn advance_to_event(
        &mut self,
        time: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Unreached> {
        let event = next_event(&self.events, &self.happened).filter(|&(_, due)| due <= time);
        let time = event.map_or(time, |(_, due)| due);
        let mut meter = WorkMeter::new(go_on);
        let mut short = 0;
        while self.time < time {
            let left = time - self.time;
            let step = self.step.min(left);
            let Attempt { shares, error, power } = self.attempt(step, &mut meter)?;
            let is_good = error <= 1.0;
            if is_good {
                self.shares = shares;
                self.time = if step == left { time } else { self.time + step };
            }
            let factor = (0.9 * libm::pow(error.max(1e-10), -1.0 / power)).clamp(SLOWEST, FASTEST);
            let wanted = step * if error.is_finite() { factor } else { SLOWEST };
            // A shortened step is no evidence against a longer one.
            self.step = if is_good { wanted.max(self.step) } else { wanted };
            short += u32::from(step < SHORT * time);
            if self.step <= LEAST * self.time || short > SHORT_STEPS {
                return Err(Unreached::Unbounded);
            }
        }
        Ok(event.is_some())
    }

    /// Performs the next event.
    ///
    /// # Errors
    ///
    /// The event removes more of a species than is present; then it is not performed.
    pub fn happen(&mut self) -> Result<(), Unreached> {
        let Some((event, _)) = next_event(&self.events, &self.happened) else { return Ok(()) };
        let mut shares = self.shares.clone();
        for &(species, change) in &self.events[event].changes {
            let share = &mut shares[usize::from(species)];
            let slack = ROUNDING * share.max(1.0);
            *share = match change {
                CountChange::Set(to) => to as f64 / self.volume,
                CountChange::Add(by) => *share + by as f64 / self.volume,
            };
            if *share < -slack {
                return Err(Unreached::Event { event, species });
            }
            *share = share.max(0.0);
        }
        self.shares = shares;
        self.happened[event] += 1;
        Ok(())
    }

    fn attempt(&mut self, step: f64, meter: &mut WorkMeter<'_>) -> Result<Attempt, Unreached> {
        let equations = Equations { network: &self.network, volume: self.volume, tolerance: self.tolerance };
        let now = (self.time, &self.shares[..]);
        if self.stiff >= STIFF_STEPS {
            let implicit = match &mut self.implicit {
                Some(implicit) => implicit,
                None => self.implicit.insert(Box::new(Implicit::new(&equations, meter)?)),
            };
            let spent = self.stiff as usize * explicit::EVALUATIONS * equations.terms();
            if spent >= IMPLICIT_STEPS * implicit.cost() {
                return implicit.attempt(&equations, now, step, meter);
            }
        }
        let (attempt, is_stiff) = explicit::attempt(&equations, now, step, meter)?;
        if is_stiff {
            (self.stiff, self.calm) = (self.stiff + 1, 0);
        } else {
            self.calm += 1;
            if self.calm >= CALM_STEPS {
                self.stiff = 0;
            }
        }
        Ok(attempt)
    }
}
