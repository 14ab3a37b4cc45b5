//! Molecules in a well-mixed vessel, one reaction after another in continuous time.

use super::error::{MAX_MOLECULES, VesselError};
use super::network::{Reaction, ReactionNetwork};
use super::propensity::Propensities;
use crate::uniform::Condition;
use crate::uniform::draws::{Draws, Purpose};

/// Where a stretch of a run ends.
#[derive(Clone, Copy)]
pub struct Until<'a> {
    /// The latest time.
    pub time: f64,
    /// The most reactions in all.
    pub reactions: u64,
    /// What is asked now and after every reaction.
    pub condition: Option<&'a dyn Condition>,
}

impl Until<'_> {
    /// Up to this time, whatever happens.
    #[must_use]
    pub fn time(time: f64) -> Self {
        Self { time, reactions: u64::MAX, condition: None }
    }
}

/// Why a stretch of a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The condition holds.
    Holds,
    /// The time is reached; no reaction happened since the last one.
    Time,
    /// So many reactions have happened.
    Reactions,
    /// After the last reaction no other can happen any more; the time is that of the last one.
    Silent,
    /// The next reaction would have made more than [`MAX_MOLECULES`] of a species.
    Crowded,
}

/// Molecules that react, by counts.
///
/// The time of the next reaction is drawn once for each (Gillespie's direct method), so a run is a function of network, counts,
/// volume and seed, whatever it is stopped at on the way. Cost of a reaction: for each reaction that shares a changed species the
/// logarithm of the number of reactions.
///
/// ```
/// use acrasin_protocols::reactions::{Halt, ReactionNetwork, Until, Vessel};
///
/// let decay = ReactionNetwork::new(&["A"], &[("A ->", 1.0)])?;
/// let mut vessel = Vessel::new(&decay, &[1000], 1.0, 1)?;
/// assert_eq!(vessel.run(&Until { time: 1e9, reactions: 1000, condition: None }), Halt::Reactions);
/// assert!(vessel.is_silent() && vessel.counts() == [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vessel {
    network: ReactionNetwork,
    /// k · V^(1 - m) of each reaction.
    scales: Vec<f64>,
    /// For each reaction those whose propensity it may change.
    affected: Vec<Vec<u32>>,
    counts: Vec<u64>,
    propensities: Propensities,
    time: f64,
    /// What the time lacks of the sum of all waits, where these are so short that rounding would lose them.
    rest: f64,
    reactions: u64,
    /// When the next reaction happens, if that is drawn, and what that lacks.
    next: Option<(f64, f64)>,
    draws: Draws,
}

/// A wait below this share of the time is added with the rest that rounding leaves (Kahan, "Further remarks on reducing truncation
/// errors", Communications of the ACM 8 (1965)). Rounding of longer ones is at most 2^-13 of each, and without bias.
const SHORT: f64 = 1.0 / (1_u64 << 40) as f64;

/// The time after a wait, and what it lacks.
#[inline]
fn after((time, rest): (f64, f64), wait: f64) -> (f64, f64) {
    let wait_and_rest = wait + rest;
    let sum = time + wait_and_rest;
    (sum, if wait < time * SHORT { wait_and_rest - (sum - time) } else { 0.0 })
}

/// Least and most of a rate constant times V^(1 - m). A time of 10^300 is not reached by 2^53 reactions of the least; 2^20 reactions of the
/// most, each of four different species with 2^53 molecules, stay within the range of `f64`.
pub const SCALES: std::ops::RangeInclusive<f64> = 1e-280..=1e230;

impl Vessel {
    /// A vessel of this volume with `counts[s]` molecules of species `s`, at time 0.
    ///
    /// # Errors
    ///
    /// Not one count a species, more than [`MAX_MOLECULES`], a volume that is not a finite number above 0, or a rate that is 0 or
    /// outside of [`SCALES`] in this volume though it is written as another.
    pub fn new(
        network: &ReactionNetwork,
        counts: &[u64],
        volume: f64,
        seed: u64,
    ) -> Result<Self, VesselError> {
        let species = network.species().len();
        if counts.len() != species {
            return Err(VesselError::WrongLength { given: counts.len(), species });
        }
        let molecules: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        if molecules > MAX_MOLECULES.into() {
            return Err(VesselError::TooMany { molecules });
        }
        if !(volume > 0.0 && volume.is_finite()) {
            return Err(VesselError::WrongVolume { volume });
        }
        let reactions = network.reactions();
        // x^(1 - m) without a power function: m is 0 to 3.
        let scale = |reaction: &Reaction| match reaction.order() {
            // What changes nothing does not happen.
            _ if reaction.changes.is_empty() => 0.0,
            0 => reaction.rate * volume,
            order => (1..order).fold(reaction.rate, |scale, _| scale / volume),
        };
        let scales: Vec<f64> = reactions.iter().map(scale).collect();
        for (reaction, (&scale, it)) in scales.iter().zip(reactions).enumerate() {
            let is_null = it.rate == 0.0 || it.changes.is_empty();
            if !is_null && !SCALES.contains(&scale) {
                return Err(VesselError::RateOutOfRange { reaction, scale });
            }
        }
        let mut takers: Vec<Vec<u32>> = vec![Vec::new(); species];
        for (index, reaction) in reactions.iter().enumerate() {
            for &(species, _) in &reaction.reactants {
                takers[usize::from(species)].push(index as u32);
            }
        }
        let affected = |reaction: &Reaction| {
            let mut affected: Vec<u32> = reaction
                .changes
                .iter()
                .flat_map(|&(species, _)| takers[usize::from(species)].iter().copied())
                .collect();
            affected.sort_unstable();
            affected.dedup();
            affected
        };
        let mut vessel = Self {
            scales,
            affected: reactions.iter().map(affected).collect(),
            propensities: Propensities::new(reactions.len()),
            network: network.clone(),
            counts: counts.to_vec(),
            time: 0.0,
            rest: 0.0,
            reactions: 0,
            next: None,
            draws: Draws::new(seed, Purpose::Reactions, 0),
        };
        for index in 0..reactions.len() {
            vessel.refresh(index);
        }
        Ok(vessel)
    }

    /// The time, in units of the rates.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many reactions have happened.
    #[must_use]
    pub fn reactions(&self) -> u64 {
        self.reactions
    }

    /// How many molecules there are of each species.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether no reaction can happen any more.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.propensities.total() == 0.0
    }

    /// Goes on to the first end of `until`, or to the reaction after which the vessel is silent; one that is silent already goes to the
    /// time of `until`, if that is finite.
    pub fn run(&mut self, until: &Until<'_>) -> Halt {
        if until.condition.is_some_and(|condition| condition.holds(&self.counts)) {
            return Halt::Holds;
        }
        if self.is_silent() && until.time.is_finite() {
            self.pass(until.time);
            return Halt::Time;
        }
        loop {
            if self.reactions >= until.reactions {
                return Halt::Reactions;
            }
            let total = self.propensities.total();
            if total == 0.0 {
                return Halt::Silent;
            }
            let next = *self
                .next
                .get_or_insert_with(|| after((self.time, self.rest), self.draws.exponential() / total));
            if next.0 > until.time {
                self.pass(until.time);
                return Halt::Time;
            }
            let mut draws = self.draws.clone();
            let index = self.propensities.find(draws.unit() * total);
            if !self.fits(index) {
                return Halt::Crowded;
            }
            self.draws = draws;
            (self.time, self.rest) = next;
            self.next = None;
            self.fire(index);
            if until.condition.is_some_and(|condition| condition.holds(&self.counts)) {
                return Halt::Holds;
            }
        }
    }

    /// Lets time pass without a reaction.
    fn pass(&mut self, time: f64) {
        if time > self.time {
            (self.time, self.rest) = (time, 0.0);
        }
    }

    fn fits(&self, index: usize) -> bool {
        self.network.reactions()[index].changes.iter().all(|&(species, by)| {
            self.counts[usize::from(species)].saturating_add_signed(by) <= MAX_MOLECULES
        })
    }

    fn fire(&mut self, index: usize) {
        for &(species, by) in &self.network.reactions()[index].changes {
            let count = &mut self.counts[usize::from(species)];
            *count = count.checked_add_signed(by).expect("a reaction takes what is there");
        }
        self.reactions += 1;
        for place in 0..self.affected[index].len() {
            self.refresh(self.affected[index][place] as usize);
        }
    }

    /// Computes a propensity anew.
    #[inline]
    fn refresh(&mut self, index: usize) {
        let mut ways = self.scales[index];
        for &(species, times) in &self.network.reactions()[index].reactants {
            let there = self.counts[usize::from(species)];
            for taken in 0..u64::from(times) {
                ways *= there.saturating_sub(taken) as f64 / (taken + 1) as f64;
            }
        }
        self.propensities.set(index, ways);
    }
}
