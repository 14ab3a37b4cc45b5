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

use crate::reactions::ReactionNetwork;

/// The first step, and a bound on how fast steps change.
const FIRST: f64 = 1e-3;
const FASTEST: f64 = 5.0;
const SLOWEST: f64 = 0.2;

/// Steps below this share of the time are no steps any more: what grows beyond all bounds ends there.
const LEAST: f64 = 1e-14;

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
#[derive(Clone, Debug)]
pub struct MeanField {
    network: ReactionNetwork,
    shares: Vec<f64>,
    time: f64,
    step: f64,
    tolerance: f64,
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
        Self { network: network.clone(), shares: shares.to_vec(), time: 0.0, step: FIRST, tolerance }
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

    /// Goes on to this time; does nothing if it is past. Tells whether it came there: solutions that grow beyond all bounds do not.
    pub fn advance(&mut self, time: f64) -> bool {
        while self.time < time {
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
            if self.step < LEAST * self.time.max(1.0) {
                return false;
            }
        }
        true
    }

    /// The shares after a step, and its error in units of the tolerance.
    fn tried(&self, step: f64) -> (Vec<f64>, f64) {
        let species = self.shares.len();
        let mut slopes = vec![vec![0.0; species]; 7];
        self.network.drift(&self.shares, &mut slopes[0]);
        let mut there = self.shares.clone();
        for (stage, weights) in STAGES.iter().enumerate() {
            for (place, share) in there.iter_mut().enumerate() {
                let slope: f64 =
                    weights.iter().zip(&slopes).map(|(weight, slope)| weight * slope[place]).sum();
                *share = self.shares[place] + step * slope;
            }
            let (_, rest) = slopes.split_at_mut(stage + 1);
            self.network.drift(&there, &mut rest[0]);
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
