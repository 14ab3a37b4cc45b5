//! [`Gillespie`]: molecules in a well-mixed vessel, simulated reaction by reaction in continuous time.

use super::error::{MAX_MOLECULES, SCALES, VesselError};
use super::expression::{EvaluationPoint, Expression};
use super::interval::Interval;
use super::network::{Rate, Reaction, ReactionNetwork};
use super::propensity::Propensities;
use super::schedule::{TimedParts, VesselFault};
use crate::uniform::Condition;
use crate::uniform::draws::{RandomDraws, StreamPurpose};
use crate::uniform::saved::{SavedError, SavedKind, SavedReader, Writer, plan_digest};
use acrasin_runtime::Digest;

/// The bounds up to which a run advances.
#[derive(Clone, Copy)]
pub struct RunEnd<'a> {
    /// The time at which the run ends.
    pub time: f64,
    /// The maximum total number of reactions.
    pub reactions: u64,
    /// The condition that ends the run, evaluated at the start and after every reaction; `None` for no condition.
    pub condition: Option<&'a dyn Condition>,
}

impl RunEnd<'_> {
    /// Advances up to this time, without other bounds.
    #[must_use]
    pub fn time(time: f64) -> Self {
        Self { time, reactions: u64::MAX, condition: None }
    }
}

/// The reasons why a run stopped advancing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The condition of [`RunEnd`] holds.
    Holds,
    /// The time of [`RunEnd`] is reached.
    Time,
    /// The maximum number of reactions of [`RunEnd`] is reached.
    Reactions,
    /// No further reaction is possible. The time is that of the last reaction.
    Silent,
    /// The next reaction would produce more than [`MAX_MOLECULES`] molecules of a species.
    Crowded,
    /// A rate or an event is invalid: [`Gillespie::fault`] tells which.
    Fault,
}

/// A well-mixed vessel of reacting molecules, represented by the count of each species.
///
/// Exact: the waiting time of each reaction event is drawn (Gillespie's direct method). A run is a function of network,
/// counts, volume and seed. It does not depend on where it is stopped. Cost of a reaction: O(log R) for each reaction
/// whose rate depends on a changed count, with R reactions in total. Rates that depend on time are simulated exactly by
/// thinning, which costs one evaluation of each such rate per reaction.
///
/// ```
/// use acrasin_protocols::reactions::{StopReason, ReactionNetwork, RunEnd, Gillespie};
///
/// let decay = ReactionNetwork::new(&["A"], &[("A ->", 1.0)])?;
/// let mut vessel = Gillespie::new(&decay, &[1000], 1.0, 1)?;
/// assert_eq!(vessel.run(&RunEnd { time: 1e9, reactions: 1000, condition: None }), StopReason::Reactions);
/// assert!(vessel.is_silent() && vessel.counts() == [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gillespie {
    network: ReactionNetwork,
    volume: f64,
    seed: u64,
    /// The factor k · V^(1 - m) of each reaction; k is 1 if the rate is an expression.
    scales: Vec<f64>,
    /// For each reaction, the reactions of constant rate whose propensities may change when that reaction happens.
    affected: Vec<Vec<u32>>,
    /// For each reaction, the reactions whose rate is an expression of a count that the reaction changes.
    affected_expressions: Vec<Vec<u32>>,
    pub(super) counts: Vec<u64>,
    /// The propensity of each reaction; 0 if it depends on time.
    pub(super) propensities: Propensities,
    pub(super) timed: TimedParts,
    pub(super) fault: Option<VesselFault>,
    pub(super) time: f64,
    /// The part of the sum of all waits that is missing in `time` because of rounding.
    pub(super) rest: f64,
    pub(super) reactions: u64,
    /// The time of the next reaction with its rounding error, if it has been drawn.
    pub(super) next: Option<(f64, f64)>,
    pub(super) draws: RandomDraws,
}

/// A wait below this share of the time is added with compensated summation (Kahan, "Further remarks on reducing
/// truncation errors", Communications of the ACM 8 (1965)). For a longer wait the rounding error is at most 2^-13 of
/// the wait, and unbiased.
const SHORT: f64 = 1.0 / (1_u64 << 40) as f64;

/// The time after a wait, with its rounding error.
#[inline]
pub(super) fn after((time, rest): (f64, f64), wait: f64) -> (f64, f64) {
    let wait_and_rest = wait + rest;
    let sum = time + wait_and_rest;
    (sum, if wait < time * SHORT { wait_and_rest - (sum - time) } else { 0.0 })
}

impl Gillespie {
    /// Creates a vessel of this volume with `counts[s]` molecules of species `s`, at time 0.
    ///
    /// # Errors
    ///
    /// The number of counts differs from the number of species; there are more than [`MAX_MOLECULES`]; or the volume is
    /// not a finite number above 0. Or a rate above 0, converted to this volume, is 0 or outside [`SCALES`].
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
        // x^(1 - m) without a power function: m is 0 to 4.
        let scale = |reaction: &Reaction| {
            let rate = if let Rate::Constant(rate) = reaction.rate { rate } else { 1.0 };
            match reaction.order() {
                // A reaction that changes nothing is never performed.
                _ if reaction.changes.is_empty() => 0.0,
                _ if matches!(reaction.rate, Rate::Propensity(_)) => 1.0,
                0 => rate * volume,
                order => (1..order).fold(rate, |scale, _| scale / volume),
            }
        };
        let scales: Vec<f64> = reactions.iter().map(scale).collect();
        for (reaction, (&scale, it)) in scales.iter().zip(reactions).enumerate() {
            let is_null = it.rate == Rate::Constant(0.0) || it.changes.is_empty();
            if !is_null && !SCALES.contains(&scale) {
                return Err(VesselError::RateOutOfRange { reaction, scale });
            }
        }
        // For each species, the reactions of constant rate that depend on its count, and those whose rate is an
        // expression.
        let mut takers: Vec<[Vec<u32>; 2]> = vec![Default::default(); species];
        let mut timed = Vec::new();
        for (index, reaction) in reactions.iter().enumerate() {
            let expression = reaction.rate.expression().filter(|_| !reaction.changes.is_empty());
            if expression.is_some_and(Expression::depends_on_time) {
                timed.push(index as u32);
                continue;
            }
            let kind = usize::from(expression.is_some());
            let named = expression.map_or(&[][..], Expression::species).iter().copied();
            for species in named.chain(reaction.reactants.iter().map(|&(species, _)| species)) {
                takers[usize::from(species)][kind].push(index as u32);
            }
        }
        let affected = |kind: usize| {
            let of = |reaction: &Reaction| {
                let of = |&(species, _): &(u16, i64)| takers[usize::from(species)][kind].iter().copied();
                let mut affected: Vec<u32> = reaction.changes.iter().flat_map(of).collect();
                affected.sort_unstable();
                affected.dedup();
                affected
            };
            reactions.iter().map(of).collect()
        };
        let mut vessel = Self {
            volume,
            seed,
            scales,
            affected: affected(0),
            affected_expressions: affected(1),
            propensities: Propensities::new(reactions.len()),
            timed: TimedParts::new(timed),
            fault: None,
            network: network.clone(),
            counts: counts.to_vec(),
            time: 0.0,
            rest: 0.0,
            reactions: 0,
            next: None,
            draws: RandomDraws::new(seed, StreamPurpose::Reactions, 0),
        };
        vessel.refresh_all();
        Ok(vessel)
    }

    /// The reactions of the vessel.
    #[must_use]
    pub fn network(&self) -> &ReactionNetwork {
        &self.network
    }

    /// The time, in units of the rates.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The number of reactions so far.
    #[must_use]
    pub fn reactions(&self) -> u64 {
        self.reactions
    }

    /// The number of molecules of each species.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The reason why the run cannot continue, after it stopped with [`StopReason::Fault`]; otherwise `None`.
    #[must_use]
    pub fn fault(&self) -> Option<VesselFault> {
        self.fault
    }

    /// Advances until the first bound of `until` is reached, or to the reaction after which the vessel is silent. If
    /// the vessel is silent already, advances to the time of `until` if that is finite.
    pub fn run(&mut self, until: &RunEnd<'_>) -> StopReason {
        loop {
            if let Some(halt) = self.run_for(until, u64::MAX) {
                return halt;
            }
        }
    }

    /// The complete state of the run as bytes: 8 per species and per event.
    pub(super) fn saved(&self) -> Vec<u8> {
        let mut writer = Writer::new(SavedKind::Gillespie, self.plan());
        writer.numbers(&self.counts);
        writer.number(self.reactions);
        writer.float(self.time);
        writer.float(self.rest);
        writer.byte(self.next.is_some().into());
        if let Some((next, rest)) = self.next {
            writer.float(next);
            writer.float(rest);
        }
        writer.stream(&self.draws);
        self.timed.save(&mut writer);
        VesselFault::save(self.fault, &mut writer);
        writer.finish()
    }

    /// Continues from saved bytes of a run of this network, start and seed.
    pub(super) fn continue_from(&mut self, bytes: &[u8]) -> Result<(), SavedError> {
        let mut reader = SavedReader::new(bytes, SavedKind::Gillespie, self.plan())?;
        let counts = reader.numbers()?;
        let is_possible =
            counts.len() == self.counts.len() && counts.iter().all(|&count| count <= MAX_MOLECULES);
        SavedError::unless(is_possible, "counts")?;
        let reactions = reader.counter()?;
        let (time, rest) = (reader.float()?, reader.float()?);
        let next = if reader.flag()? { Some((reader.float()?, reader.float()?)) } else { None };
        let is_next = next.is_none_or(|(next, rest)| next >= 0.0 && rest.is_finite());
        let is_possible = time >= 0.0 && time.is_finite() && rest.is_finite() && is_next;
        SavedError::unless(is_possible, "times")?;
        let draws = reader.stream()?;
        let timed = self.timed.restored(&mut reader)?;
        let sizes = [self.network.reactions().len(), timed.events.len(), counts.len()];
        let fault = VesselFault::restored(&mut reader, sizes)?;
        reader.finish()?;
        (self.counts, self.reactions, self.timed, self.draws) = (counts, reactions, timed, draws);
        (self.time, self.rest, self.next) = (time, rest, next);
        self.fault = fault;
        self.refresh_all();
        Ok(())
    }

    fn plan(&self) -> Digest {
        plan_digest(&self.seed, &(&self.network, self.volume, &self.timed.events, self.counts.len()))
    }

    pub(super) fn fits(&self, index: usize) -> bool {
        self.network.reactions()[index].changes.iter().all(|&(species, by)| {
            self.counts[usize::from(species)].saturating_add_signed(by) <= MAX_MOLECULES
        })
    }

    pub(super) fn fire(&mut self, index: usize) {
        for &(species, by) in &self.network.reactions()[index].changes {
            let count = &mut self.counts[usize::from(species)];
            *count = count.checked_add_signed(by).expect("a reaction takes what is there");
        }
        self.reactions += 1;
        for place in 0..self.affected[index].len() {
            self.refresh(self.affected[index][place] as usize);
        }
        for place in 0..self.affected_expressions[index].len() {
            self.refresh_expression(self.affected_expressions[index][place] as usize);
        }
    }

    /// Recomputes all propensities that do not depend on time.
    pub(super) fn refresh_all(&mut self) {
        for index in 0..self.network.reactions().len() {
            match self.network.reactions()[index].rate.expression() {
                None => self.refresh(index),
                Some(expression) if !expression.depends_on_time() => self.refresh_expression(index),
                Some(_) => {}
            }
        }
    }

    fn refresh_expression(&mut self, index: usize) {
        match self.checked_value(index, self.time) {
            Ok(value) => self.propensities.set(index, value),
            Err(fault) => self.fault = self.fault.or(Some(fault)),
        }
    }

    /// The propensity of a reaction whose rate is an expression, at a time.
    pub(super) fn propensity(&self, index: usize, time: f64) -> f64 {
        let ways = self.ways(index);
        let expression = self.network.reactions()[index].rate.expression();
        match expression {
            // Without its reactants a reaction cannot happen, whatever the value of the expression.
            Some(expression) if ways > 0.0 => {
                let count = |species: u16| self.counts[usize::from(species)] as f64;
                ways * expression.evaluate(count, EvaluationPoint { time, volume: self.volume })
            }
            _ => 0.0,
        }
    }

    /// The best known upper bound of the propensity over a period of time, 0 or above.
    pub(super) fn upper_bound(&self, index: usize, time: Interval) -> f64 {
        let ways = self.ways(index);
        let expression = self.network.reactions()[index].rate.expression();
        match expression {
            Some(expression) if ways > 0.0 => {
                (ways * expression.bounds(&self.counts, time, self.volume).high).max(0.0)
            }
            _ => 0.0,
        }
    }

    /// Whether the propensity is certainly 0 over a period of time, and not negative, since a negative propensity would
    /// end the run.
    pub(super) fn is_null_over(&self, index: usize, time: Interval) -> bool {
        let expression = self.network.reactions()[index].rate.expression();
        self.ways(index) == 0.0
            || expression.is_some_and(|expression| {
                let bounds = expression.bounds(&self.counts, time, self.volume);
                bounds.low >= 0.0 && bounds.high <= 0.0
            })
    }

    /// The factor between rate expression and propensity: the scale and, for mass action, the number of combinations of
    /// reactants. 0 if reactants are missing.
    fn ways(&self, index: usize) -> f64 {
        let reaction = &self.network.reactions()[index];
        let is_mass_action = matches!(reaction.rate, Rate::MassAction(_));
        let mut ways = self.scales[index];
        for &(species, times) in &reaction.reactants {
            let there = self.counts[usize::from(species)];
            if there < u64::from(times) {
                return 0.0;
            }
            if is_mass_action {
                for taken in 0..u64::from(times) {
                    ways *= (there - taken) as f64 / (taken + 1) as f64;
                }
            }
        }
        ways
    }

    /// Recomputes a propensity from scratch.
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
