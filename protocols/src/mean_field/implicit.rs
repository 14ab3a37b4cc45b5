//! One step of an implicit method, for stiff equations.

use super::elimination::{CoupledUnknowns, Elimination};
use super::equations::{Attempt, Equations, Unreached, WorkMeter};

/// The coefficients of RODAS, a Rosenbrock method of order 4 with an estimate of order 3: Hairer and Wanner, "Solving
/// ordinary differential equations II", section IV.7. It is L-stable, keeps every linear invariant, and needs one
/// factorisation per step.
const GAMMA: f64 = 0.25;
const TIMES: [f64; 6] = [0.0, 0.386, 0.21, 0.63, 1.0, 1.0];
const STAGES: [&[f64]; 6] = [
    &[],
    &[1.544],
    &[0.946_678_528_081_582_6, 0.255_701_169_898_328_4],
    &[3.314_825_187_068_521, 2.896_124_015_972_201, 0.998_641_913_997_781_7],
    FIFTH,
    // The sixth stage is at the fifth plus its increment, and so is the solution at the sixth.
    &[FIFTH[0], FIFTH[1], FIFTH[2], FIFTH[3], 1.0],
];
const FIFTH: &[f64; 4] =
    &[1.221_224_509_226_641, 6.019_134_481_288_629, 12.537_083_329_320_87, -0.687_886_036_105_895];
const COUPLINGS: [&[f64]; 6] = [
    &[],
    &[-5.6688],
    &[-2.430_093_356_833_875, -0.206_359_915_709_191_5],
    &[-0.107_352_905_815_137_5, -9.594_562_251_023_355, -20.470_286_148_096_16],
    &[7.496_443_313_967_647, -10.246_804_314_643_52, -33.999_903_528_199_05, 11.708_908_932_061_6],
    &[
        8.083_246_795_921_522,
        -7.981_132_988_064_893,
        -31.521_594_328_743_71,
        16.319_305_431_231_36,
        -6.058_818_238_834_054,
    ],
];
const TIME_SLOPES: [f64; 6] = [0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0];

/// The exponent with which the estimated error grows with the step.
const POWER: f64 = 4.0;

/// The largest accepted residual of the linear equations, as a share of their right-hand sides. The residual can be
/// larger, because pivots are not chosen by size. In that case a shorter step is tried, for which the diagonal is
/// larger.
const RESIDUAL: f64 = 1e-6;

/// The state that implicit steps keep between them.
#[derive(Clone, Debug)]
pub(super) struct Implicit {
    elimination: Elimination,
    /// The entries of `1 / (step · GAMMA) - J`, row by row; allocated with the first step.
    matrix: Vec<f64>,
}

impl Implicit {
    /// Chooses an order of elimination for the equations of the implicit steps.
    pub(super) fn new(equations: &Equations<'_>, meter: &mut WorkMeter<'_>) -> Result<Self, Unreached> {
        let mut pairs = CoupledUnknowns::none(equations.network.species().len());
        for reaction in equations.network.reactions() {
            let named = reaction.dependencies();
            for &(row, _) in &reaction.changes {
                named.clone().for_each(|column| pairs.insert(row.into(), column.into()));
            }
            meter.spend(4)?;
        }
        Ok(Self { elimination: Elimination::new(pairs, meter)?, matrix: Vec::new() })
    }

    /// The number of terms that one step computes.
    pub(super) fn cost(&self) -> usize {
        self.elimination.cost()
    }

    pub(super) fn attempt(
        &mut self,
        equations: &Equations<'_>,
        (time, shares): (f64, &[f64]),
        step: f64,
        meter: &mut WorkMeter<'_>,
    ) -> Result<Attempt, Unreached> {
        let species = shares.len();
        let failed = || Attempt { shares: shares.to_vec(), error: f64::INFINITY, power: POWER };
        // All stages use the matrix 1 / (step GAMMA) - J, with the Jacobian J, so it is factorised once.
        let diagonal = 1.0 / (step * GAMMA);
        let slopes = equations.slopes(time, shares, meter)?;
        self.matrix.resize(species * species, 0.0);
        self.elimination.clear(&mut self.matrix);
        (0..species).for_each(|one| self.matrix[one * (species + 1)] = diagonal);
        for &(reaction, column, slope) in &slopes {
            for &(row, by) in &equations.network.reactions()[reaction].changes {
                self.matrix[usize::from(row) * species + usize::from(column)] -= by as f64 * slope;
            }
        }
        if !self.elimination.factorise(&mut self.matrix, meter)? {
            return Ok(failed());
        }
        let by_time = equations.time_slopes(time, shares);
        let mut increments: Vec<Vec<f64>> = Vec::new();
        let mut there = shares.to_vec();
        for stage in 0..6 {
            for (place, share) in there.iter_mut().enumerate() {
                let moved = STAGES[stage].iter().zip(&increments).map(|(weight, by)| weight * by[place]);
                *share = shares[place] + moved.sum::<f64>();
            }
            let mut sides = vec![0.0; species];
            equations.drift(time + TIMES[stage] * step, &there, &mut sides, meter)?;
            for (place, side) in sides.iter_mut().enumerate() {
                let coupled = COUPLINGS[stage].iter().zip(&increments).map(|(weight, by)| weight * by[place]);
                *side += coupled.sum::<f64>() / step;
                *side += by_time.as_ref().map_or(0.0, |slopes| step * TIME_SLOPES[stage] * slopes[place]);
            }
            let wanted = sides.clone();
            self.elimination.solve(&self.matrix, &mut sides);
            meter.spend(species)?;
            if stage == 0 && !is_solved(equations, &slopes, diagonal, &sides, wanted) {
                return Ok(failed());
            }
            increments.push(sides);
        }
        let last = &increments[5];
        there.iter_mut().zip(last).for_each(|(share, by)| *share += by);
        let error = equations.error(shares, &there, last.iter().copied());
        Ok(Attempt { shares: there, error, power: POWER })
    }
}

/// Whether the residual of this solution of the linear equations is small enough.
fn is_solved(
    equations: &Equations<'_>,
    slopes: &[(usize, u16, f64)],
    diagonal: f64,
    solution: &[f64],
    mut sides: Vec<f64>,
) -> bool {
    let mut largest = sides.iter().fold(0.0, |most: f64, side| most.max(side.abs()));
    for (side, value) in sides.iter_mut().zip(solution) {
        *side -= diagonal * value;
        largest = largest.max((diagonal * value).abs());
    }
    for &(reaction, column, slope) in slopes {
        for &(row, by) in &equations.network.reactions()[reaction].changes {
            let term = by as f64 * slope * solution[usize::from(column)];
            sides[usize::from(row)] += term;
            largest = largest.max(term.abs());
        }
    }
    sides.iter().all(|residual| residual.abs() <= RESIDUAL * largest)
}
