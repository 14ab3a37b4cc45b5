//! The sum of the propensities, kept up to date: a tree of partial sums.
//!
//! A changed propensity costs time logarithmic in the number of reactions, and so does a draw. Each inner node is
//! recomputed as the sum of its two children, so rounding errors do not grow with the length of a run.

/// The propensities of all reactions, with a tree of partial sums.
#[derive(Clone, Debug)]
pub(super) struct Propensities {
    /// The nodes of the tree: node 1 is the root, and the second half of the list are the leaves.
    sums: Vec<f64>,
    leaves: usize,
}

impl Propensities {
    /// Creates `count` propensities of 0.
    pub(super) fn new(count: usize) -> Self {
        let leaves = count.max(1).next_power_of_two();
        Self { sums: vec![0.0; 2 * leaves], leaves }
    }

    /// Builds the tree of partial sums for `values`; reaction i has propensity `values[i]`. O(reactions).
    pub(super) fn of(values: &[f64]) -> Self {
        let mut all = Self::new(values.len());
        all.sums[all.leaves..][..values.len()].copy_from_slice(values);
        for node in (1..all.leaves).rev() {
            all.sums[node] = all.sums[2 * node] + all.sums[2 * node + 1];
        }
        all
    }

    #[inline]
    pub(super) fn set(&mut self, place: usize, propensity: f64) {
        let mut node = self.leaves + place;
        self.sums[node] = propensity;
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }

    #[inline]
    pub(super) fn total(&self) -> f64 {
        self.sums[1]
    }

    /// The index of the reaction that a ticket between 0 and the total selects. The propensity of this reaction is
    /// never 0.
    #[inline]
    pub(super) fn find(&self, mut ticket: f64) -> usize {
        let mut node = 1;
        while node < self.leaves {
            let left = self.sums[2 * node];
            // Rounding can enlarge a ticket: never descend into a subtree whose sum is 0.
            if ticket < left || self.sums[2 * node + 1] == 0.0 {
                node *= 2;
            } else {
                ticket -= left;
                node = 2 * node + 1;
            }
        }
        node - self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::Propensities;

    #[test]
    fn tickets_belong_to_their_shares() {
        let mut propensities = Propensities::new(5);
        for (place, value) in [0.0, 2.0, 0.0, 3.0, 0.0].into_iter().enumerate() {
            propensities.set(place, value);
        }
        assert_eq!(propensities.total(), 5.0);
        assert_eq!(Propensities::of(&[0.0, 2.0, 0.0, 3.0, 0.0]).sums, propensities.sums);
        let found: Vec<usize> =
            [0.0, 1.9, 2.0, 4.9, 5.0, 7.0].map(|ticket| propensities.find(ticket)).to_vec();
        assert_eq!(found, [1, 1, 3, 3, 3, 3]);
        propensities.set(3, 0.0);
        assert_eq!((propensities.total(), propensities.find(1.99), propensities.find(2.5)), (2.0, 1, 1));
    }
}
