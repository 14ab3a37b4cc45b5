//! One step of an explicit method.

use super::equations::{Attempt, Equations, Unreached, WorkMeter};

/// The coefficients of Dormand and Prince: for each stage, the weights of the slopes of the earlier stages. Source: "A
/// family of embedded Runge-Kutta formulae", Journal of Computational and Applied Mathematics 6 (1980).
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    // The last stage is the solution of order 5.
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// The weights of the slopes in the difference of the solutions of order 5 and 4.
const ERROR: [f64; EVALUATIONS] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The number of evaluations of the equations in a step.
pub(super) const EVALUATIONS: usize = 7;

/// The bound on step length times fastest rate above which a step counts as stiff. The limit of stability is about 3.3,
/// so stability rather than accuracy then bounds the step.
const STIFF: f64 = 2.0;

/// Attempts a step. Also returns whether stability, rather than accuracy, bounds its length. Source of that test:
/// Hairer and Wanner, "Solving ordinary differential equations II", section IV.2.
pub(super) fn attempt(
    equations: &Equations<'_>,
    (time, shares): (f64, &[f64]),
    step: f64,
    meter: &mut WorkMeter<'_>,
) -> Result<(Attempt, bool), Unreached> {
    let species = shares.len();
    let mut slopes = vec![vec![0.0; species]; EVALUATIONS];
    equations.drift(time, shares, &mut slopes[0], meter)?;
    let (mut there, mut before) = (shares.to_vec(), Vec::new());
    for (stage, weights) in STAGES.iter().enumerate() {
        before.clone_from(&there);
        for (place, share) in there.iter_mut().enumerate() {
            let slope: f64 = weights.iter().zip(&slopes).map(|(weight, slope)| weight * slope[place]).sum();
            *share = shares[place] + step * slope;
        }
        let after = step * weights.iter().sum::<f64>();
        equations.drift(time + after, &there, &mut slopes[stage + 1], meter)?;
    }
    let error = (0..species).map(|place| {
        step * ERROR.iter().zip(&slopes).map(|(weight, slope)| weight * slope[place]).sum::<f64>()
    });
    let error = equations.error(shares, &there, error);
    // The last two stages are at the same time: their slopes differ by the fastest rate times their distance.
    let distance = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
    };
    let is_stiff = step * distance(&slopes[6], &slopes[5]) > STIFF * distance(&there, &before);
    Ok((Attempt { shares: there, error, power: 5.0 }, is_stiff))
}
