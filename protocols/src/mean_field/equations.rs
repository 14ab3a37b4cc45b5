//! The differential equations, and the shared parts of explicit and implicit steps.

use crate::reactions::{EvaluationPoint, ReactionNetwork};

/// The number of terms between two calls of `go_on`.
const TERMS_BETWEEN: usize = 10_000;

/// The reasons why a solution does not reach a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unreached {
    /// The caller stopped the computation.
    CalledOff,
    /// Even the shortest steps fail: a share grows without bound, or a rate is not a number.
    Unbounded,
    /// An event removes more of a species than is present.
    Event {
        /// The number of the event.
        event: usize,
        /// The number of the species that would become negative.
        species: u16,
    },
}

/// Counts computed terms, and regularly asks the caller whether to continue.
pub(super) struct WorkMeter<'a> {
    terms: usize,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl<'a> WorkMeter<'a> {
    pub(super) fn new(go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Self { terms: 0, go_on }
    }

    pub(super) fn spend(&mut self, terms: usize) -> Result<(), Unreached> {
        self.terms += terms;
        if self.terms > TERMS_BETWEEN {
            self.terms = 0;
            if !(self.go_on)() {
                return Err(Unreached::CalledOff);
            }
        }
        Ok(())
    }
}

/// The result of an attempted step.
pub(super) struct Attempt {
    pub(super) shares: Vec<f64>,
    /// The estimated error in units of the tolerance; above 1 the step is too long.
    pub(super) error: f64,
    /// The exponent with which the error grows with the length of the step.
    pub(super) power: f64,
}

/// The differential equations of a reaction network, with the tolerance of their solution.
pub(super) struct Equations<'a> {
    pub(super) network: &'a ReactionNetwork,
    pub(super) volume: f64,
    pub(super) tolerance: f64,
}

impl Equations<'_> {
    pub(super) fn drift(
        &self,
        time: f64,
        shares: &[f64],
        drift: &mut [f64],
        meter: &mut WorkMeter<'_>,
    ) -> Result<(), Unreached> {
        self.network.drift(EvaluationPoint { time, volume: self.volume }, shares, drift);
        meter.spend(self.terms())
    }

    pub(super) fn terms(&self) -> usize {
        self.network.reactions().len() + self.network.species().len()
    }

    /// The derivatives of the speeds of reactions with respect to the shares on which they depend, as (reaction,
    /// species, derivative).
    pub(super) fn slopes(
        &self,
        time: f64,
        shares: &[f64],
        meter: &mut WorkMeter<'_>,
    ) -> Result<Vec<(usize, u16, f64)>, Unreached> {
        let at = EvaluationPoint { time, volume: self.volume };
        let mut slopes = Vec::new();
        for (index, reaction) in self.network.reactions().iter().enumerate() {
            for species in reaction.dependencies() {
                slopes.push((index, species, reaction.speed_slope(shares, at, Some(species))));
                meter.spend(1)?;
            }
        }
        Ok(slopes)
    }

    /// The derivative of the drift with respect to time; `None` if no rate depends on time.
    pub(super) fn time_slopes(&self, time: f64, shares: &[f64]) -> Option<Vec<f64>> {
        let at = EvaluationPoint { time, volume: self.volume };
        let mut slopes = None;
        for reaction in self.network.reactions() {
            if reaction.rate.expression().is_some_and(|expression| expression.depends_on_time()) {
                let slope = reaction.speed_slope(shares, at, None);
                let slopes = slopes.get_or_insert_with(|| vec![0.0; shares.len()]);
                for &(species, by) in &reaction.changes {
                    slopes[usize::from(species)] += by as f64 * slope;
                }
            }
        }
        slopes
    }

    /// The largest of `errors` in units of the tolerance: each is divided by the tolerance times 1 plus the larger
    /// share in `from` and `to`.
    pub(super) fn error(&self, from: &[f64], to: &[f64], errors: impl Iterator<Item = f64>) -> f64 {
        let scaled = errors
            .zip(from.iter().zip(to))
            .map(|(error, (from, to))| (error / (self.tolerance * (1.0 + from.abs().max(to.abs())))).abs());
        scaled.fold(0.0, |most: f64, error| if error.is_nan() { f64::INFINITY } else { most.max(error) })
    }
}
