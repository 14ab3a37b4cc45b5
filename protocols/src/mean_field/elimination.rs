//! Sparse linear equations.
//!
//! The order of elimination is that of minimum degree: the next unknown is one that shares equations with the fewest
//! other unknowns. The order is chosen once, for all matrices with nonzero coefficients at the same positions. Diagonal
//! entries are the pivots. Source: George and Liu, "The evolution of the minimum degree ordering algorithm", SIAM
//! Review 31 (1989).

use super::equations::{Unreached, WorkMeter};

/// The order of elimination of the unknowns, and for each of them the later unknowns that its elimination changes.
#[derive(Clone, Debug)]
pub(super) struct Elimination {
    /// The unknowns in the order of elimination.
    order: Vec<usize>,
    /// For each position in the order, the later unknowns that share an equation with the unknown when it is
    /// eliminated, in increasing order.
    later: Vec<Vec<usize>>,
}

/// The pairs of coupled unknowns, as bits. Two unknowns are coupled if one has a coefficient in the equation of the
/// other.
#[derive(Debug)]
pub(super) struct CoupledUnknowns {
    unknowns: usize,
    bits: Vec<u64>,
}

impl CoupledUnknowns {
    pub(super) fn none(unknowns: usize) -> Self {
        Self { unknowns, bits: vec![0; unknowns * unknowns.div_ceil(64)] }
    }

    fn row(&self, unknown: usize) -> std::ops::Range<usize> {
        let words = self.unknowns.div_ceil(64);
        unknown * words..(unknown + 1) * words
    }

    pub(super) fn insert(&mut self, one: usize, other: usize) {
        for (one, other) in [(one, other), (other, one)] {
            let row = self.row(one);
            self.bits[row][other / 64] |= 1 << (other % 64);
        }
    }

    fn remove(&mut self, one: usize, other: usize) {
        let row = self.row(one);
        self.bits[row][other / 64] &= !(1 << (other % 64));
    }

    /// The partners of an unknown, in increasing order.
    fn of(&self, unknown: usize) -> Vec<usize> {
        let words = self.bits[self.row(unknown)].iter().enumerate();
        let ones = |(place, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * place + bit)
        };
        words.flat_map(ones).collect()
    }
}

impl Elimination {
    /// Chooses the order of elimination, by minimum degree.
    pub(super) fn new(mut pairs: CoupledUnknowns, meter: &mut WorkMeter<'_>) -> Result<Self, Unreached> {
        let unknowns = pairs.unknowns;
        let words = unknowns.div_ceil(64);
        (0..unknowns).for_each(|unknown| pairs.remove(unknown, unknown));
        let mut degrees: Vec<usize> = (0..unknowns).map(|unknown| pairs.of(unknown).len()).collect();
        let mut left: Vec<usize> = (0..unknowns).collect();
        let (mut order, mut later) = (Vec::new(), Vec::new());
        while let Some(place) = (0..left.len()).min_by_key(|&place| (degrees[left[place]], left[place])) {
            let next = left.swap_remove(place);
            let partners = pairs.of(next);
            let row = pairs.bits[pairs.row(next)].to_vec();
            for &partner in &partners {
                // All partners of an unknown that is eliminated become partners of each other.
                let place = pairs.row(partner);
                pairs.bits[place].iter_mut().zip(&row).for_each(|(bits, new)| *bits |= new);
                pairs.remove(partner, partner);
                pairs.remove(partner, next);
                let place = pairs.row(partner);
                degrees[partner] = pairs.bits[place].iter().map(|word| word.count_ones() as usize).sum();
            }
            meter.spend(left.len() + 2 * words * partners.len())?;
            order.push(next);
            later.push(partners);
        }
        Ok(Self { order, later })
    }

    /// The number of terms that a factorisation computes.
    pub(super) fn cost(&self) -> usize {
        self.later.iter().map(|later| later.len() * (later.len() + 4) + 1).sum()
    }

    /// Sets every coefficient that can be nonzero to 0. The matrix is stored in full, row by row.
    pub(super) fn clear(&self, matrix: &mut [f64]) {
        let unknowns = self.order.len();
        for (&one, later) in self.order.iter().zip(&self.later) {
            matrix[one * unknowns + one] = 0.0;
            for &other in later {
                matrix[one * unknowns + other] = 0.0;
                matrix[other * unknowns + one] = 0.0;
            }
        }
    }

    /// Replaces a matrix by its factors. Returns `false` if a pivot is 0 or not finite.
    pub(super) fn factorise(&self, matrix: &mut [f64], meter: &mut WorkMeter<'_>) -> Result<bool, Unreached> {
        let unknowns = self.order.len();
        let mut row = Vec::new();
        for (&one, later) in self.order.iter().zip(&self.later) {
            let pivot = matrix[one * unknowns + one];
            if !pivot.is_normal() {
                return Ok(false);
            }
            row.clear();
            row.extend(later.iter().map(|&column| matrix[one * unknowns + column]));
            for &other in later {
                let target = &mut matrix[other * unknowns..][..unknowns];
                let factor = target[one] / pivot;
                target[one] = factor;
                if factor != 0.0 {
                    for (&column, value) in later.iter().zip(&row) {
                        target[column] -= factor * value;
                    }
                }
            }
            meter.spend(later.len() * (later.len() + 4) + 1)?;
        }
        Ok(true)
    }

    /// Replaces right-hand sides by the solution, with the factors of [`factorise`](Self::factorise).
    pub(super) fn solve(&self, factors: &[f64], sides: &mut [f64]) {
        let unknowns = self.order.len();
        for (&one, later) in self.order.iter().zip(&self.later) {
            let side = sides[one];
            for &other in later {
                sides[other] -= factors[other * unknowns + one] * side;
            }
        }
        for (&one, later) in self.order.iter().zip(&self.later).rev() {
            let known: f64 = later.iter().map(|&other| factors[one * unknowns + other] * sides[other]).sum();
            sides[one] = (sides[one] - known) / factors[one * unknowns + one];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a chain and a star the fill is as small as possible, and the solution satisfies the equations.
    #[test]
    fn sparse_equations_stay_sparse_and_are_solved() {
        let chain: Vec<(usize, usize)> = (1..200).map(|one| (one - 1, one)).collect();
        let star: Vec<(usize, usize)> = (1..200).map(|leaf| (0, leaf)).collect();
        let ring: Vec<(usize, usize)> = (0..200).map(|one| (one, (one + 7) % 200)).collect();
        for (pairs, fill) in [(&chain, 199), (&star, 199), (&ring, 397)] {
            let mut all = CoupledUnknowns::none(200);
            pairs.iter().for_each(|&(one, other)| all.insert(one, other));
            let mut go_on = || true;
            let mut meter = WorkMeter::new(&mut go_on);
            let elimination = Elimination::new(all, &mut meter).unwrap();
            assert_eq!(elimination.later.iter().map(Vec::len).sum::<usize>(), fill);
            let mut matrix = vec![0.0; 200 * 200];
            for (place, &(one, other)) in pairs.iter().enumerate() {
                matrix[one * 200 + other] = 1.0 + place as f64 / 100.0;
                matrix[other * 200 + one] = -2.0;
            }
            (0..200).for_each(|one| matrix[one * 201] = 3.0 + (one % 7) as f64);
            let wanted: Vec<f64> = (0..200).map(|one| f64::from(one).sin()).collect();
            let mut sides: Vec<f64> = matrix
                .chunks(200)
                .map(|row| row.iter().zip(&wanted).map(|(value, wanted)| value * wanted).sum())
                .collect();
            assert!(elimination.factorise(&mut matrix, &mut meter).unwrap());
            elimination.solve(&matrix, &mut sides);
            for (found, wanted) in sides.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-9, "{found} where {wanted} was expected");
            }
            elimination.clear(&mut matrix);
            assert!(matrix.iter().all(|&value| value == 0.0));
            assert!(!elimination.factorise(&mut matrix, &mut meter).unwrap());
        }
    }
}
