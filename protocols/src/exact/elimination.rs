//! Elimination of configurations without subtraction.

/// A substochastic matrix over the transient configurations, after elimination, so that any number of right-hand sides
/// can be solved.
///
/// Configuration 0 is eliminated last.
pub(super) struct Eliminated {
    size: usize,
    /// The matrix, row-major. Left of the diagonal are the entries of each row at its elimination. Right of it are the
    /// factors by which later rows were added to the row.
    matrix: Vec<f64>,
    /// The probability of leaving each configuration for another configuration, at its elimination.
    leaving: Vec<f64>,
}

impl Eliminated {
    /// Eliminates a matrix: `inside[i]` lists the steps from i to other transient configurations, and `exit[i]` is the
    /// probability of leaving all of them. Returns `None` if the transient configurations cannot be left from one of
    /// them.
    pub(super) fn new(inside: &[Vec<(usize, f64)>], mut exit: Vec<f64>) -> Option<Self> {
        let size = inside.len();
        let mut matrix = vec![0.0; size * size];
        for (from, row) in inside.iter().enumerate() {
            for &(to, probability) in row {
                matrix[from * size + to] = probability;
            }
        }
        let mut leaving = vec![0.0; size];
        for gone in (0..size).rev() {
            let (above, below) = matrix.split_at_mut(gone * size);
            let row = &below[..gone];
            let reached: Vec<usize> = (0..gone).filter(|&to| row[to] > 0.0).collect();
            leaving[gone] = reached.iter().map(|&to| row[to]).sum::<f64>() + exit[gone];
            if leaving[gone] <= 0.0 {
                return None;
            }
            for from in 0..gone {
                let line = &mut above[from * size..(from + 1) * size];
                if line[gone] == 0.0 {
                    continue;
                }
                line[gone] /= leaving[gone];
                let factor = line[gone];
                exit[from] += factor * exit[gone];
                for &to in &reached {
                    // Returning to `from` prolongs the stay there: `leaving` counts only steps to other places.
                    if to != from {
                        line[to] += factor * row[to];
                    }
                }
            }
        }
        Some(Self { size, matrix, leaving })
    }

    /// Returns x with x_i = gain_i + sum over j of P_ij x_j, where P includes the probability of staying. No gain may
    /// be negative.
    pub(super) fn solve(&self, gain: &[f64]) -> Vec<f64> {
        let mut gain = gain.to_vec();
        for gone in (0..self.size).rev() {
            for from in 0..gone {
                gain[from] += self.matrix[from * self.size + gone] * gain[gone];
            }
        }
        let mut solution: Vec<f64> = Vec::with_capacity(self.size);
        for (place, leaving) in self.leaving.iter().enumerate() {
            let row = &self.matrix[place * self.size..][..place];
            let later: f64 = row.iter().zip(&solution).map(|(probability, value)| probability * value).sum();
            solution.push((gain[place] + later) / leaving);
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gamblers_ruin_is_exact() {
        // Fair steps on 1..=9 between 0 and 10, from 3: mean duration 3 * 7; absorption at 10 with probability 3/10.
        let order = [3, 1, 2, 4, 5, 6, 7, 8, 9];
        let place = |at: i32| order.iter().position(|&other| other == at);
        let inside: Vec<Vec<(usize, f64)>> = order
            .iter()
            .map(|&at| [at - 1, at + 1].into_iter().filter_map(place).map(|to| (to, 0.5)).collect())
            .collect();
        let exit: Vec<f64> = order.iter().map(|&at| if at == 1 || at == 9 { 0.5 } else { 0.0 }).collect();
        let eliminated = Eliminated::new(&inside, exit).unwrap();
        let times = eliminated.solve(&[1.0; 9]);
        let wins = eliminated.solve(&order.map(|at| if at == 9 { 0.5 } else { 0.0 }));
        for (index, &at) in order.iter().enumerate() {
            assert!((times[index] - f64::from(at * (10 - at))).abs() < 1e-12);
            assert!((wins[index] - f64::from(at) / 10.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_place_without_a_way_out_is_noticed() {
        let inside = [vec![(1, 0.5)], vec![(2, 0.1)], vec![(1, 0.9)]];
        assert!(Eliminated::new(&inside, vec![0.5, 0.0, 0.0]).is_none());
        assert!(Eliminated::new(&inside, vec![0.5, 0.0, 1e-300]).is_some());
    }
}
