//! The limit of many agents: shares follow differential equations.
//!
//! For n agents under uniform pairs, and in a vessel of volume V, the shares (counts / n, counts / V) stay within about 1 / sqrt(n)
//! of the solution of the mass-action equations ([`ReactionNetwork::drift`]), for a time that does not grow with n (Kurtz 1970).
//!
//! ```
//! use acrasin_protocols::mean_field::MeanField;
//! use acrasin_protocols::reactions::ReactionNetwork;
//! use acrasin_protocols::{Table, library::TwoWayEpidemic};
//!
//! // Of a thousandth of the agents who are infected at first: x' = 2 x (1 - x) in parallel time.
//! let table = Table::compile(&TwoWayEpidemic)?;
//! let infected = usize::from(table.state("I").unwrap());
//! let mut shares = [0.999, 0.999];
//! shares[infected] = 0.001;
//! let mut limit = MeanField::new(&ReactionNetwork::of_table(&table), &shares, 1e-12);
//! limit.advance(4.0);
//! let exact = 1.0 / (1.0 + 999.0 * (-8.0_f64).exp());
//! assert!((limit.shares()[infected] - exact).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use differential_equations::error::Error;
use differential_equations::linalg::Matrix;
use differential_equations::methods::{BackwardDifferentiationFormula, Ordinary};
use differential_equations::ode::{ODE, OrdinaryNumericalMethod as _};

use crate::reactions::{Moment, ReactionNetwork};

/// The first step, and a bound on how fast steps change.
const FIRST: f64 = 1e-3;
const FASTEST: f64 = 5.0;
const SLOWEST: f64 = 0.2;

/// Steps below this share of the time are no steps any more: what grows beyond all bounds ends there.
const LEAST: f64 = 1e-14;

/// Explicit steps after which the equations are taken for stiff: where some of them are much faster than the solution changes, a step of
/// theirs is as short as the fastest allows.
const PATIENCE: u32 = 5_000;

/// Most steps of either kind.
const MOST_STEPS: u32 = 100_000;

/// Most species of implicit steps. Each solves as many linear equations, perhaps several times: together less than a tenth of a second.
const MOST_IMPLICIT: usize = 150;

/// Terms of drifts between two questions whether to go on.
const TERMS_BETWEEN: usize = 10_000;

/// The coefficients of Dormand and Prince, "A family of embedded Runge-Kutta formulae", Journal of Computational and Applied
/// Mathematics 6 (1980): for each stage the shares of the slopes before it.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    // The last stage is the solution of order 5.
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// The difference of the solutions of order 5 and 4.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// A solution of the mass-action equations, from a start on.
///
/// The step is chosen so that the estimated error of each is below the tolerance, absolutely and relative to the share: the error of
/// the whole is of that size where solutions do not run apart.
///
/// Steps are explicit, and those of backward differentiation formulas (orders 1 to 5) once equations are seen to be stiff, of up to 150
/// species. There are at most 100 000 of both.
pub struct MeanField {
    network: ReactionNetwork,
    volume: f64,
    shares: Vec<f64>,
    time: f64,
    step: f64,
    tolerance: f64,
    steps: u32,
    /// The implicit solution from some time on, and its unit of time.
    implicit: Option<(Box<Implicit>, f64)>,
}

type Implicit = BackwardDifferentiationFormula<Ordinary, f64, Vec<f64>>;

/// The equations as the solver asks for them, with a unit of time: it takes times for numbers about 1.
struct Equations<'a> {
    network: &'a ReactionNetwork,
    unit: f64,
    volume: f64,
}

impl ODE<f64, Vec<f64>> for Equations<'_> {
    fn diff(&self, time: f64, shares: &Vec<f64>, drift: &mut Vec<f64>) {
        // The solver begins with an empty vector.
        drift.resize(shares.len(), 0.0);
        self.network.drift(Moment { time: time * self.unit, volume: self.volume }, shares, drift);
        drift.iter_mut().for_each(|drift| *drift *= self.unit);
    }

    /// By differences, in units of the largest share: of rates that are products of shares no more is lost than rounding takes.
    fn jacobian(&self, time: f64, shares: &Vec<f64>, into: &mut Matrix<f64>) {
        let largest = shares.iter().fold(f64::MIN_POSITIVE, |most, share| most.max(share.abs()));
        let (mut here, mut there) = (vec![0.0; shares.len()], vec![0.0; shares.len()]);
        self.diff(time, shares, &mut here);
        let mut moved = shares.clone();
        for column in 0..shares.len() {
            moved[column] = shares[column] + 1e-8 * shares[column].abs().max(1e-3 * largest);
            let by = moved[column] - shares[column];
            self.diff(time, &moved, &mut there);
            moved[column] = shares[column];
            for row in 0..shares.len() {
                into[(row, column)] = (there[row] - here[row]) / by;
            }
        }
    }
}

/// The implicit solution of the copy begins at its time.
impl Clone for MeanField {
    fn clone(&self) -> Self {
        let Self { ref network, volume, ref shares, time, step, tolerance, steps, .. } = *self;
        Self {
            network: network.clone(),
            volume,
            shares: shares.clone(),
            time,
            step,
            tolerance,
            steps,
            implicit: None,
        }
    }
}

impl std::fmt::Debug for MeanField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { shares, time, tolerance, steps, .. } = self;
        let mut shown = f.debug_struct("MeanField");
        shown.field("shares", shares).field("time", time).field("tolerance", tolerance).field("steps", steps);
        shown.finish_non_exhaustive()
    }
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
            steps: 0,
            implicit: None,
        }
    }

    /// The same in a vessel of this volume: rates that are expressions get counts that are shares times volume.
    #[must_use]
    pub fn in_volume(mut self, volume: f64) -> Self {
        self.volume = volume;
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

    /// Goes on to this time; does nothing if it is past. Tells whether it came there: solutions that grow beyond all bounds do not, nor
    /// do those that need too many steps.
    pub fn advance(&mut self, time: f64) -> bool {
        self.advance_while(time, &mut || true)
    }

    /// The same, for as long as `go_on` says: it is asked once in some microseconds, or between two steps that take longer.
    pub fn advance_while(&mut self, time: f64, go_on: &mut dyn FnMut() -> bool) -> bool {
        let mut terms = 0;
        while self.time < time {
            terms += self.network.reactions().len() + self.shares.len();
            if terms > TERMS_BETWEEN {
                terms = 0;
                if !go_on() {
                    return false;
                }
            }
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return false;
            }
            if self.steps > PATIENCE && self.shares.len() <= MOST_IMPLICIT {
                if self.implicitly(time).is_err() {
                    return false;
                }
                continue;
            }
            let left = time - self.time;
            let step = self.step.min(left);
            let (next, error) = self.tried(step);
            if error <= 1.0 {
                self.shares = next;
                self.time = if step == left { time } else { self.time + step };
            }
            // The error grows with the fifth power of the step.
            let factor = (0.9 * libm::pow(error.max(1e-10), -0.2)).clamp(SLOWEST, FASTEST);
            let wanted = step * if error.is_finite() { factor } else { SLOWEST };
            // A step that was cut short says nothing against a longer one.
            self.step = if error <= 1.0 { wanted.max(self.step.min(FASTEST * step)) } else { wanted };
            if self.step < LEAST * time {
                return false;
            }
        }
        true
    }

    /// One implicit step towards this time.
    fn implicitly(&mut self, time: f64) -> Result<(), Error<f64, Vec<f64>>> {
        let left = time - self.time;
        let (solution, unit) = match &mut self.implicit {
            Some((solution, unit)) => (solution, *unit),
            None => {
                let (unit, step) = (time, self.step.min(left) / time);
                let mut solution = Implicit::adaptive().rtol(self.tolerance).atol(self.tolerance).h0(step);
                let equations = Equations { network: &self.network, unit, volume: self.volume };
                solution.init(&equations, self.time / unit, 1.0, &self.shares)?;
                (&mut self.implicit.insert((Box::new(solution), unit)).0, unit)
            }
        };
        let left = left / unit;
        // To the time itself, without a short step at the end.
        if solution.h() > left * (1.0 + 1e-13) {
            solution.set_h(left);
        } else if solution.h() > left / 2.0 && solution.h() < left * (1.0 - 1e-13) {
            solution.set_h(left / 2.0);
        }
        solution.step(&Equations { network: &self.network, unit, volume: self.volume })?;
        let now = solution.t() * unit;
        self.time = if time - now <= LEAST * time { time } else { now };
        self.shares.clone_from(solution.y());
        Ok(())
    }

    /// The shares after a step, and its error in units of the tolerance.
    fn tried(&self, step: f64) -> (Vec<f64>, f64) {
        let species = self.shares.len();
        let mut slopes = vec![vec![0.0; species]; 7];
        let at = |after: f64| Moment { time: self.time + after, volume: self.volume };
        self.network.drift(at(0.0), &self.shares, &mut slopes[0]);
        let mut there = self.shares.clone();
        for (stage, weights) in STAGES.iter().enumerate() {
            for (place, share) in there.iter_mut().enumerate() {
                let slope: f64 =
                    weights.iter().zip(&slopes).map(|(weight, slope)| weight * slope[place]).sum();
                *share = self.shares[place] + step * slope;
            }
            let (_, rest) = slopes.split_at_mut(stage + 1);
            let after = step * weights.iter().sum::<f64>();
            self.network.drift(at(after), &there, &mut rest[0]);
        }
        let error = (0..species).map(|place| {
            let error: f64 = ERROR.iter().zip(&slopes).map(|(weight, slope)| weight * slope[place]).sum();
            let scale = self.tolerance * (1.0 + self.shares[place].abs().max(there[place].abs()));
            (step * error / scale).abs()
        });
        let error =
            error.fold(0.0, |most: f64, error| if error.is_nan() { f64::INFINITY } else { most.max(error) });
        (there, error)
    }
}
