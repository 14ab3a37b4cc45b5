//! The shares over time.

use super::equations::{Attempt, Equations, Unreached, WorkMeter};
use super::explicit;
use super::implicit::Implicit;
use crate::reactions::{CountChange, Event, ReactionNetwork, next_event};

/// The first step, and a bound on how fast steps change.
const FIRST: f64 = 1e-3;
const FASTEST: f64 = 5.0;
const SLOWEST: f64 = 0.2;

/// Steps below this share of the time that is over do not advance it: a solution that grows beyond all bounds ends
/// there.
const LEAST: f64 = 1e-14;

/// It ends as well after this number of steps below this share of the time to reach: that would take 10^10 of them.
const SHORT_STEPS: u32 = 100_000;
const SHORT: f64 = 1e-10;

/// Stiff steps before an order of elimination is chosen, and steps in a row that say the contrary.
const STIFF_STEPS: u32 = 100;
const CALM_STEPS: u32 = 6;

/// Explicit steps go on until stiff ones have cost as much as this many implicit ones: where the cost of both is not
/// known before, the whole is then at most about twice that of the better way.
const IMPLICIT_STEPS: usize = 20;

/// The share by which an event may take more than is there: that much is the error of the solution.
const ROUNDING: f64 = 1e-6;

/// A solution of the mass-action equations, from a start on.
///
/// The step is chosen so that the estimated error of each is below the tolerance, absolutely and relative to the share:
/// the error of the whole is of that size where solutions do not run apart.
///
/// Steps are explicit, and implicit once the equations are seen to be stiff. Cost of an explicit step: six times the
/// reactions and species. Cost of an implicit one: that of eliminating as many unknowns as species, which is small
/// where each reacts with few others; memory then is 8 bytes for each pair of species at most.
#[derive(Clone, Debug)]
pub struct MeanField {
    network: ReactionNetwork,
    volume: f64,
    shares: Vec<f64>,
    time: f64,
    step: f64,
    tolerance: f64,
    events: Vec<Event>,
    /// The number of occurrences of each event.
    happened: Vec<u64>,
    /// Explicit steps whose length stability bounded, and those in a row that it did not.
    stiff: u32,
    calm: u32,
    implicit: Option<Box<Implicit>>,
}

impl MeanField {
    /// From these shares at time 0.
    ///
    /// # Panics
    ///
    /// Panics if there is not one share a species, or if the tolerance is not above 0.
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

    /// Sets the volume: rates that are expressions get counts that are shares times volume.
    #[must_use]
    pub fn in_volume(mut self, volume: f64) -> Self {
        self.volume = volume;
        self
    }

    /// Adds events, which change counts: shares times volume.
    #[must_use]
    pub fn with_events(mut self, events: &[Event]) -> Self {
        self.events = events.to_vec();
        self.happened = vec![0; events.len()];
        self
    }

    /// The time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The shares at this time.
    #[must_use]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Advances to this time, events at it included; does nothing if it is past. Returns whether it is reached:
    /// solutions that grow beyond all bounds are not, nor are those of which an event takes more than there is.
    pub fn advance(&mut self, time: f64) -> bool {
        self.advance_while(time, &mut || true).is_ok()
    }

    /// Advances for as long as `go_on` returns true: it is asked once in some microseconds.
    ///
    /// # Errors
    ///
    /// The reason why the time is not reached; the solution is then at the last time that is.
    pub fn advance_while(&mut self, time: f64, go_on: &mut dyn FnMut() -> bool) -> Result<(), Unreached> {
        while self.advance_to_event(time, go_on)? {
            // Events may follow each other without any time between them.
            if !go_on() {
                return Err(Unreached::CalledOff);
            }
            self.happen()?;
        }
        Ok(())
    }

    /// Advances to this time, or to that of the next event if it is not later, which has not [happened](Self::happen)
    /// yet. Returns whether an event is next.
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
            // A step that was cut short says nothing against a longer one.
            self.step = if is_good { wanted.max(self.step) } else { wanted };
            short += u32::from(step < SHORT * time);
            if self.step <= LEAST * self.time || short > SHORT_STEPS {
                return Err(Unreached::Unbounded);
            }
        }
        Ok(event.is_some())
    }

    /// Lets the next event happen.
    ///
    /// # Errors
    ///
    /// It takes more of a species than there is: it has not happened then.
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
