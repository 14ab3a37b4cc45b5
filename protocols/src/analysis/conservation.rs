//! Linear quantities that no interaction changes.
//!
//! An assignment of weights to states is conserved if the weights of the two agents have the same sum before and after
//! every interaction. The conserved assignments form the kernel of the matrix of changes (the stoichiometry of the
//! protocol). This kernel is computed exactly, in integers. The number of agents is always conserved: its weights are
//! all 1.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::Table;

/// The largest number of states for which conserved quantities are computed. Elimination takes cubic time; 512^3 steps
/// are a fraction of a second.
pub const MAX_STATES_FOR_CONSERVATION: usize = 512;

/// A linear quantity that no interaction changes, as one integer weight per state. States outside the examined set have
/// weight 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConservedQuantity {
    weights: Vec<i64>,
}

impl ConservedQuantity {
    /// The weight of each state, by number.
    #[must_use]
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// The value of the quantity for these counts; `None` if it does not fit in 128 bits or `counts` has another
    /// length.
    #[must_use]
    pub fn value(&self, counts: &[u64]) -> Option<i128> {
        if counts.len() != self.weights.len() {
            return None;
        }
        self.weights.iter().zip(counts).try_fold(0_i128, |sum, (&weight, &count)| {
            sum.checked_add(i128::from(weight).checked_mul(i128::from(count))?)
        })
    }

    /// The quantity as a sum of state names, such as `A - B` or `2 x + y`.
    #[must_use]
    pub fn describe(&self, table: &Table) -> String {
        let mut text = String::new();
        for (&weight, name) in
            self.weights.iter().zip(table.state_names()).filter(|(weight, _)| **weight != 0)
        {
            text += match (text.is_empty(), weight < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            if weight.unsigned_abs() != 1 {
                text += &format!("{} ", weight.unsigned_abs());
            }
            text += name;
        }
        text
    }
}

/// Errors of computing conserved quantities.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConservationError {
    /// The table has more than [`MAX_STATES_FOR_CONSERVATION`] states to be examined.
    #[error(
        "{states} states are too many to compute conserved quantities (accepted: at most \
         {MAX_STATES_FOR_CONSERVATION})"
    )]
    TooManyStates {
        /// The number of examined states.
        states: usize,
    },
    /// A number in the elimination does not fit in 128 bits, or a weight of the result does not fit in 64.
    #[error(
        "the conserved quantities of this protocol need weights of more than 64 bits, or more than 128 bits on the way"
    )]
    Overflow,
}

/// A basis of all quantities that interactions among the states marked in `among` conserve. Mark the
/// [`reachable_states`](super::reachable_states); every outcome of a marked pair must be marked.
///
/// The first quantity is the number of agents, with weight 1 for each marked state. The quantities are linearly
/// independent. The weights of each quantity have no common factor, and its first nonzero weight is positive. Every
/// conserved quantity is a rational combination of these quantities. Empty if no state is marked.
///
/// ```
/// use acrasin_protocols::{Table, analysis::conserved_quantities, library::ExactMajority};
///
/// let table = Table::compile(&ExactMajority)?;
/// let basis = conserved_quantities(&table, &[true; 4])?;
/// let described: Vec<String> = basis.iter().map(|quantity| quantity.describe(&table)).collect();
/// assert_eq!(described, ["A + B + a + b", "A - B"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Too many states, or an overflow. A returned result is exact.
///
/// # Panics
///
/// Panics if `among` does not have one entry per state, or is not closed under the transitions of the table.
pub fn conserved_quantities(
    table: &Table,
    among: &[bool],
) -> Result<Vec<ConservedQuantity>, ConservationError> {
    assert_eq!(among.len(), usize::from(table.state_count()), "one mark a state");
    let states: Vec<u16> = table.states().filter(|&state| among[usize::from(state)]).collect();
    if states.len() > MAX_STATES_FOR_CONSERVATION {
        return Err(ConservationError::TooManyStates { states: states.len() });
    }
    let mut column_of = vec![None; among.len()];
    for (column, &state) in states.iter().enumerate() {
        column_of[usize::from(state)] = Some(column);
    }
    let mut echelon = Echelon { columns: states.len(), rows: BTreeMap::new() };
    for change in changes(table, &states, &column_of) {
        // The number of agents is conserved, so the rank is at most one less than the number of states.
        if echelon.rows.len() + 1 == states.len() {
            break;
        }
        echelon.add(&change).ok_or(ConservationError::Overflow)?;
    }
    let kernel = echelon.kernel().ok_or(ConservationError::Overflow)?;
    kernel
        .into_iter()
        .map(|vector| {
            let mut weights = vec![0; among.len()];
            for (&state, value) in states.iter().zip(vector) {
                weights[usize::from(state)] =
                    i64::try_from(value).map_err(|_| ConservationError::Overflow)?;
            }
            Ok(ConservedQuantity { weights })
        })
        .collect()
}

/// The distinct changes of the counts by one interaction, each as a sparse row without zeros.
fn changes(table: &Table, states: &[u16], column_of: &[Option<usize>]) -> BTreeSet<Vec<(usize, i128)>> {
    let column = |state: u16| column_of[usize::from(state)].expect("marked states lead to marked states");
    let mut rows = BTreeSet::new();
    for (&a, &b) in states.iter().flat_map(|a| states.iter().map(move |b| (a, b))) {
        for outcome in table.outcomes(a, b) {
            let mut row: BTreeMap<usize, i128> = BTreeMap::new();
            for (state, by) in [(a, -1), (b, -1), (outcome.initiator, 1), (outcome.responder, 1)] {
                *row.entry(column(state)).or_insert(0) += by;
            }
            row.retain(|_, by| *by != 0);
            if !row.is_empty() {
                rows.insert(row.into_iter().collect());
            }
        }
    }
    rows
}

/// Rows in reduced echelon form: each has a pivot column in which every other row is 0.
struct Echelon {
    columns: usize,
    rows: BTreeMap<usize, Vec<i128>>,
}

impl Echelon {
    /// Adds a row to the span; `None` on overflow.
    fn add(&mut self, sparse: &[(usize, i128)]) -> Option<()> {
        let mut row = vec![0_i128; self.columns];
        for &(column, by) in sparse {
            row[column] = by;
        }
        // Reduced form: a step for one pivot leaves the other pivot columns alone.
        for &(pivot, _) in sparse {
            if let Some(known) = self.rows.get(&pivot) {
                eliminate(&mut row, known, pivot)?;
            }
        }
        let Some(pivot) = row.iter().position(|&value| value != 0) else { return Some(()) };
        divide_by_common_factor(&mut row);
        for known in self.rows.values_mut() {
            eliminate(known, &row, pivot)?;
        }
        self.rows.insert(pivot, row);
        Some(())
    }

    /// An integer basis of the vectors that are orthogonal to all rows; `None` on overflow.
    fn kernel(&self) -> Option<Vec<Vec<i128>>> {
        let mut basis = Vec::new();
        for free in (0..self.columns).filter(|column| !self.rows.contains_key(column)) {
            let mut scale = 1_i128;
            for (pivot, row) in self.rows.iter().filter(|(_, row)| row[free] != 0) {
                let denominator = row[*pivot] / greatest_common_divisor(row[*pivot], row[free]);
                scale = (scale / greatest_common_divisor(scale, denominator))
                    .checked_mul(denominator.checked_abs()?)?;
            }
            let mut vector = vec![0_i128; self.columns];
            vector[free] = scale;
            for (&pivot, row) in &self.rows {
                vector[pivot] = row[free].checked_mul(scale)?.checked_neg()? / row[pivot];
            }
            divide_by_common_factor(&mut vector);
            basis.push(vector);
        }
        // The all-ones vector is the sum of these vectors, each divided by its free entry. So it can replace any of
        // them: the one with the largest numbers.
        let size = |vector: &Vec<i128>| {
            vector.iter().map(|value| value.unsigned_abs()).fold(0_u128, u128::saturating_add)
        };
        if let Some(bulkiest) = (0..basis.len()).max_by_key(|&index| size(&basis[index])) {
            basis.remove(bulkiest);
            basis.insert(0, vec![1; self.columns]);
        }
        Some(basis)
    }
}

/// Subtracts a multiple of `by` from a multiple of `row`, so that `row[pivot]` becomes 0; `None` on overflow.
fn eliminate(row: &mut [i128], by: &[i128], pivot: usize) -> Option<()> {
    if row[pivot] == 0 {
        return Some(());
    }
    let divisor = greatest_common_divisor(row[pivot], by[pivot]);
    let (keep, take) = (by[pivot] / divisor, row[pivot] / divisor);
    for (value, &other) in row.iter_mut().zip(by) {
        *value = value.checked_mul(keep)?.checked_sub(other.checked_mul(take)?)?;
    }
    divide_by_common_factor(row);
    Some(())
}

/// Divides a row by its greatest common divisor, and makes its first nonzero entry positive.
fn divide_by_common_factor(row: &mut [i128]) {
    let divisor = row.iter().fold(0, |divisor, &value| greatest_common_divisor(divisor, value));
    let sign = row.iter().find(|value| **value != 0).map_or(1, |value| value.signum());
    if divisor * sign != 1 && divisor != 0 {
        for value in row {
            *value /= divisor * sign;
        }
    }
}

/// The greatest common divisor, never negative. The arguments are never `i128::MIN`, whose absolute value does not fit,
/// because the preceding step would have failed.
fn greatest_common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::{check_conserved, reachable_states};
    use crate::library::{Averaging, ExactMajority, Fratricide};
    use crate::table::{Missing, Rule, TableSpec};

    #[test]
    fn averaging_conserves_the_sum_and_nothing_else() {
        for largest in [1, 2, 7, 40] {
            let table = Table::compile(&Averaging::new(largest).unwrap()).unwrap();
            let all = vec![true; usize::from(table.state_count())];
            let basis = conserved_quantities(&table, &all).unwrap();
            assert_eq!(basis.len(), 2);
            assert!(basis[0].weights().iter().all(|&weight| weight == 1));
            // The second quantity is independent of the first and linear in the load: its steps are equal and not 0.
            let steps: Vec<i64> = basis[1].weights().windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(steps[0] != 0 && steps.iter().all(|&step| step == steps[0]), "{steps:?}");
        }
    }

    #[test]
    fn an_epidemic_of_leaders_conserves_only_the_number_of_agents() {
        let table = Table::compile(&Fratricide).unwrap();
        let basis = conserved_quantities(&table, &[true, true]).unwrap();
        assert_eq!(basis.iter().map(ConservedQuantity::weights).collect::<Vec<_>>(), [[1, 1]]);
        assert_eq!(basis[0].value(&[u64::MAX, u64::MAX]), Some(2 * i128::from(u64::MAX)));
        assert_eq!(basis[0].value(&[1]), None);
    }

    #[test]
    fn only_the_marked_states_take_part() {
        let table = Table::compile(&ExactMajority).unwrap();
        let only_a = reachable_states(&table, &[0, 2]);
        let basis = conserved_quantities(&table, &only_a).unwrap();
        let weights: Vec<&[i64]> = basis.iter().map(ConservedQuantity::weights).collect();
        assert_eq!(weights.len(), 2);
        assert!(weights.iter().all(|weights| weights[1] == 0 && weights[3] == 0));
        assert_eq!(conserved_quantities(&table, &[false; 4]).unwrap(), []);
    }

    #[test]
    fn too_many_states_are_an_error_and_the_limit_is_not() {
        let table = |states: usize| {
            let states = (0..states).map(|i| format!("s{i}")).collect();
            TableSpec { states, default: Some(Missing::Null), ..TableSpec::default() }.build().unwrap()
        };
        let most = MAX_STATES_FOR_CONSERVATION;
        let at = conserved_quantities(&table(most), &vec![true; most]).unwrap();
        assert_eq!(at.len(), most);
        let past = conserved_quantities(&table(most + 1), &vec![true; most + 1]);
        assert_eq!(past, Err(ConservationError::TooManyStates { states: most + 1 }));
    }

    #[test]
    fn numbers_that_do_not_fit_are_an_error() {
        // x0 + x0 -> x1 + z and x1 + x1 -> x2 + z, ...: with z = 0 weights double at every step.
        let last = 70;
        let mut states: Vec<String> = (0..=last).map(|i| format!("x{i}")).collect();
        states.push("z".into());
        let rules = (0..last).map(|i| Rule::Ordered(format!("x{i} + x{i} -> x{} + z", i + 1))).collect();
        let spec = TableSpec { states, rules, default: Some(Missing::Null), ..TableSpec::default() };
        let table = spec.build().unwrap();
        let all = vec![true; last + 2];
        assert_eq!(conserved_quantities(&table, &all), Err(ConservationError::Overflow));
    }

    proptest! {
        /// For any table each quantity found is conserved; with one weight changed it usually is not.
        #[test]
        fn quantities_found_are_conserved(cells in proptest::collection::vec((0_u16..5, 0_u16..5), 25)) {
            let states: Vec<String> = (0..5).map(|i| format!("q{i}")).collect();
            let rules = cells
                .iter()
                .enumerate()
                .map(|(cell, (c, d))| Rule::Ordered(format!("q{} + q{} -> q{c} + q{d}", cell / 5, cell % 5)))
                .collect();
            let table = TableSpec { states, rules, ..TableSpec::default() }.build().unwrap();
            let basis = conserved_quantities(&table, &[true; 5]).unwrap();
            prop_assert!(!basis.is_empty());
            for quantity in &basis {
                prop_assert!(check_conserved(&table, quantity.weights(), &[true; 5]).is_ok());
            }
            // Completeness: small conserved weights lie in the span, so adding them does not raise its rank.
            for code in 0..3_i64.pow(5) {
                let weights: Vec<i64> = (0..5).map(|place| code / 3_i64.pow(place) % 3 - 1).collect();
                if check_conserved(&table, &weights, &[true; 5]).is_ok() {
                    let mut span = Echelon { columns: 5, rows: BTreeMap::new() };
                    for row in basis.iter().map(ConservedQuantity::weights).chain([&weights[..]]) {
                        let sparse: Vec<_> = row.iter().map(|&w| i128::from(w)).enumerate().filter(|(_, w)| *w != 0).collect();
                        span.add(&sparse).unwrap();
                    }
                    prop_assert_eq!(span.rows.len(), basis.len());
                }
            }
        }
    }
}
