//! An exact dual simplex on a tableau of whole numbers.
//!
//! No maintained library offers three things together: exact answers, the Farkas factors of an infeasible system, and
//! copies of a solved tableau to which a row can be added.
//!
//! Each variable of the tableau has a [`ConstraintLabel`]. A variable is the value of a linear constraint, which is at
//! least 0, or a free whole number. A row stands for `divisor · basic = constant + Σ factor · nonbasic`. Rows are
//! shared between copies until a pivot changes them.

use std::collections::BTreeSet;
use std::ops::{DivAssign, Rem};
use std::sync::Arc;

use crate::work::{GaveUp, ProofWork, ReachedLimit};

/// The label of a variable of the tableau: a constraint or a free number.
pub(crate) type ConstraintLabel = u32;

/// The bound below which entries of a narrow tableau stay, so that sums of two products fit in 128 bits.
const NARROW: i128 = 1 << 62;

/// The bound below which the sum of two products must stay, so that rows can be combined in 64 bits.
const FAST: i128 = 1 << 62;

/// The bound above which the entries of a row are divided by their common divisor.
const REDUCED: i128 = 1 << 30;

/// The number of pivots of one solve after which the violated row with the smallest label leaves the basis. That rule
/// cannot cycle.
const PATIENCE: u64 = 400;

#[derive(Clone, Debug)]
struct SimplexRow<N> {
    factors: Vec<N>,
    divisor: N,
    constant: N,
    /// An upper bound of the absolute values in this row.
    bound: i128,
}

trait TableauNumber: Copy + Default + Ord + Rem<Output = Self> + DivAssign + 'static {
    const ZERO: Self;
    const ONE: Self;
    const CHECKED: bool;
    fn wide(self) -> i128;
    fn narrow(value: i128) -> Option<Self>;
    fn combine_fast(_p: i128, _a: &[Self], _q: i128, _b: &[Self]) -> Option<Vec<Self>> {
        None
    }
    /// Adds `q · b` to `a`, where `b` lists its nonzero entries with their positions. The caller ensures that nothing
    /// overflows.
    fn add_at(_a: &mut [Self], _q: i128, _b: &[(usize, Self)]) {
        unreachable!("only for narrow entries");
    }
    /// Replaces `a` by `p · a + q · b`. The caller ensures that nothing overflows.
    fn combine_in_place(_a: &mut [Self], _p: i128, _q: i128, _b: &[Self]) {
        unreachable!("only for narrow entries");
    }
    fn magnitude(self) -> Self;
    fn negated(self) -> Option<Self>;
    /// The greatest common divisor of `start` and the entries.
    fn common(entries: &[Self], start: Self) -> Self {
        let mut common = start.magnitude();
        for &entry in entries {
            if common == Self::ONE {
                break;
            }
            if entry != Self::ZERO && (common == Self::ZERO || entry % common != Self::ZERO) {
                common = common_divisor(common, entry.magnitude());
            }
        }
        common
    }
    /// Divides the entries by a common divisor.
    fn divide(entries: &mut [Self], by: Self) {
        for entry in entries.iter_mut().filter(|entry| **entry != Self::ZERO) {
            *entry /= by;
        }
    }
    /// The largest absolute value of the entries.
    fn largest(entries: &[Self]) -> i128 {
        entries.iter().fold(Self::ZERO, |largest, entry| largest.max(entry.magnitude())).wide()
    }
}

impl TableauNumber for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const CHECKED: bool = false;
    fn magnitude(self) -> Self {
        self.abs()
    }
    fn negated(self) -> Option<Self> {
        self.checked_neg()
    }
    fn wide(self) -> i128 {
        i128::from(self)
    }
    fn narrow(value: i128) -> Option<Self> {
        (value.abs() < NARROW).then_some(value as Self)
    }
    fn combine_fast(p: i128, a: &[Self], q: i128, b: &[Self]) -> Option<Vec<Self>> {
        let (p, q) = (p as Self, q as Self);
        // The bounds of both rows exclude an overflow.
        Some(a.iter().zip(b).map(|(x, y)| p.wrapping_mul(*x).wrapping_add(q.wrapping_mul(*y))).collect())
    }
    fn add_at(a: &mut [Self], q: i128, b: &[(usize, Self)]) {
        let q = q as Self;
        for &(place, entry) in b {
            a[place] = a[place].wrapping_add(q.wrapping_mul(entry));
        }
    }
    fn combine_in_place(a: &mut [Self], p: i128, q: i128, b: &[Self]) {
        let (p, q) = (p as Self, q as Self);
        for (x, y) in a.iter_mut().zip(b) {
            *x = p.wrapping_mul(*x).wrapping_add(q.wrapping_mul(*y));
        }
    }
}

impl TableauNumber for i128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const CHECKED: bool = true;
    fn magnitude(self) -> Self {
        self.abs()
    }
    fn negated(self) -> Option<Self> {
        self.checked_neg()
    }
    fn wide(self) -> i128 {
        self
    }
    fn narrow(value: i128) -> Option<Self> {
        Some(value)
    }
}

/// Error: a number does not fit in the type of the tableau's entries.
struct Overflow;

/// `p · x + q · y`, checked if the entries are wide.
fn combined<N: TableauNumber>(p: i128, x: N, q: i128, y: N) -> Result<i128, Overflow> {
    if N::CHECKED {
        let left = p.checked_mul(x.wide()).ok_or(Overflow)?;
        left.checked_add(q.checked_mul(y.wide()).ok_or(Overflow)?).ok_or(Overflow)
    } else {
        Ok(p * x.wide() + q * y.wide())
    }
}

/// The greatest common divisor of two numbers, up to its sign.
pub(crate) fn common_divisor<N: Copy + Default + PartialEq + Rem<Output = N>>(mut a: N, mut b: N) -> N {
    while b != N::default() {
        (a, b) = (b, a % b);
    }
    a
}

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    common_divisor(a, b).abs()
}

impl<N: TableauNumber> SimplexRow<N> {
    /// Creates a row in lowest terms: all entries are divided by their common divisor.
    fn reduced(factors: Vec<i128>, mut divisor: i128, mut constant: i128) -> Result<Self, Overflow> {
        let mut common = gcd(divisor, constant);
        for &factor in &factors {
            if common == 1 {
                break;
            }
            if factor != 0 {
                common = gcd(common, factor);
            }
        }
        let mut bound = 0;
        let mut stored = Vec::with_capacity(factors.len());
        for factor in factors {
            let value = if common == 1 || factor == 0 { factor } else { factor / common };
            bound = bound.max(value.checked_abs().ok_or(Overflow)?);
            stored.push(N::narrow(value).ok_or(Overflow)?);
        }
        divisor /= common;
        constant /= common;
        bound = bound.max(divisor).max(constant.checked_abs().ok_or(Overflow)?);
        Ok(Self {
            factors: stored,
            divisor: N::narrow(divisor).ok_or(Overflow)?,
            constant: N::narrow(constant).ok_or(Overflow)?,
            bound,
        })
    }

    /// `p · self + q · other`, where the divisor of `other` is included in `q`.
    fn plus(&self, p: i128, other: &Self, q: i128, column: usize) -> Result<Self, Overflow> {
        // The entry at `column` is that of the other row alone: the variable there was replaced.
        let constant = combined(p, self.constant, q, other.constant)?;
        let divisor = if N::CHECKED {
            p.checked_mul(self.divisor.wide()).ok_or(Overflow)?
        } else {
            p * self.divisor.wide()
        };
        let total =
            p.checked_mul(self.bound).and_then(|own| own.checked_add(q.abs().checked_mul(other.bound)?));
        if let Some(total) = total
            && total < FAST
            && p < FAST
            && q.abs() < FAST
            && let Some(mut factors) = N::combine_fast(p, &self.factors, q, &other.factors)
        {
            factors[column] = N::narrow(q * other.factors[column].wide()).ok_or(Overflow)?;
            let mut row = Self {
                factors,
                divisor: N::narrow(divisor).ok_or(Overflow)?,
                constant: N::narrow(constant).ok_or(Overflow)?,
                bound: total,
            };
            if total > REDUCED {
                row.reduce();
            }
            return Ok(row);
        }
        let mut factors = Vec::with_capacity(self.factors.len());
        for (&own, &others) in self.factors.iter().zip(&other.factors) {
            factors.push(combined(p, own, q, others)?);
        }
        factors[column] = combined(0, N::ZERO, q, other.factors[column])?;
        Self::reduced(factors, divisor, constant)
    }

    fn reduce(&mut self) {
        let common = N::common(&[self.constant], self.divisor);
        let common = N::common(&self.factors, common);
        if common.wide() > 1 {
            N::divide(&mut self.factors, common);
            let mut ends = [self.divisor, self.constant];
            N::divide(&mut ends, common);
            [self.divisor, self.constant] = ends;
        }
        self.bound = N::largest(&self.factors).max(self.divisor.wide()).max(self.constant.wide().abs());
    }
}

/// The rows, whose entries have one width.
#[derive(Clone, Debug)]
struct TableauRows<N> {
    rows: Vec<Arc<SimplexRow<N>>>,
    /// The cost to be minimised, as a row without a label. Minimising it keeps the search short and candidates small.
    cost: Arc<SimplexRow<N>>,
}

#[derive(Clone, Debug)]
enum Width {
    Narrow(TableauRows<i64>),
    Wide(TableauRows<i128>),
}

/// The result of a solve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Solved {
    /// All rows hold at the current vertex.
    Feasible,
    /// The sum of these constraints with these positive factors is a negative constant.
    Infeasible(Vec<(ConstraintLabel, i128)>),
}

/// A cut: the sum of the constraints times `factor / modulus` has whole factors, but its constant is not whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModularCut {
    pub(crate) factors: Vec<(ConstraintLabel, i128)>,
    pub(crate) modulus: i128,
    /// The numerator of the part of the constant that rounding removes.
    pub(crate) rounded: i128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TableauPlace {
    Row(usize),
    Column(usize),
    Nowhere,
}

/// A system of constraints with its current vertex.
#[derive(Clone, Debug)]
pub(crate) struct Simplex {
    columns: Vec<ConstraintLabel>,
    labels: Vec<ConstraintLabel>,
    free: Vec<ConstraintLabel>,
    /// Pairs of opposite constraints, each the negation of the other, so that both are 0.
    opposite: Vec<(ConstraintLabel, ConstraintLabel)>,
    /// For each column, whether its constraint has an opposite and so stays 0.
    is_fixed: Vec<bool>,
    width: Width,
    /// The positions of the labels below `places.len()`. Other labels are searched for.
    places: Vec<TableauPlace>,
}

impl<N: TableauNumber> TableauRows<N> {
    fn wider(&self) -> TableauRows<i128> {
        let wide = |row: &Arc<SimplexRow<N>>| {
            Arc::new(SimplexRow {
                factors: row.factors.iter().map(|factor| factor.wide()).collect(),
                divisor: row.divisor.wide(),
                constant: row.constant.wide(),
                bound: row.bound,
            })
        };
        TableauRows { rows: self.rows.iter().map(wide).collect(), cost: wide(&self.cost) }
    }

    fn push_column(&mut self, cost: i128) {
        for row in &mut self.rows {
            Arc::make_mut(row).factors.push(N::ZERO);
        }
        let divisor = self.cost.divisor.wide();
        let row = Arc::make_mut(&mut self.cost);
        row.factors.push(N::narrow(cost * divisor).expect("costs are small"));
        row.bound = row.bound.max(cost * divisor);
    }

    fn push_row(
        &mut self,
        terms: &[(TableauPlace, i128)],
        constant: i128,
        divisor: i128,
        width: usize,
    ) -> Result<(), Overflow> {
        let mut common = 1_i128;
        for (place, _) in terms {
            if let TableauPlace::Row(row) = place {
                let of_row = self.rows[*row].divisor.wide();
                common = (common / gcd(common, of_row)).checked_mul(of_row).ok_or(Overflow)?;
            }
        }
        let times = |a: i128, b: i128| a.checked_mul(b).ok_or(Overflow);
        let mut factors = vec![0_i128; width];
        let mut sum = times(constant, common)?;
        for &(place, factor) in terms {
            match place {
                TableauPlace::Column(column) => {
                    factors[column] = factors[column].checked_add(times(factor, common)?).ok_or(Overflow)?;
                }
                TableauPlace::Row(row) => {
                    let row = &self.rows[row];
                    let scale = times(factor, common / row.divisor.wide())?;
                    for (sum, own) in factors.iter_mut().zip(&row.factors) {
                        if *own != N::ZERO {
                            *sum = sum.checked_add(times(scale, own.wide())?).ok_or(Overflow)?;
                        }
                    }
                    sum = sum.checked_add(times(scale, row.constant.wide())?).ok_or(Overflow)?;
                }
                TableauPlace::Nowhere => unreachable!("each label of a term has a place"),
            }
        }
        let row = SimplexRow::reduced(factors, times(divisor, common)?, sum)?;
        self.rows.push(Arc::new(row));
        Ok(())
    }

    /// The row that leaves the basis: the most violated one, or the violated one with the smallest label.
    fn leaving(&self, labels: &[ConstraintLabel], free: &[ConstraintLabel], by_label: bool) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let constant = row.constant.wide();
            if constant >= 0 || free.contains(&labels[index]) {
                continue;
            }
            let Some(known) = best else {
                best = Some(index);
                continue;
            };
            let other = &self.rows[known];
            let is_better = if by_label {
                labels[index] < labels[known]
            } else {
                match compare(constant, row.divisor.wide(), other.constant.wide(), other.divisor.wide()) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Equal => labels[index] < labels[known],
                    std::cmp::Ordering::Greater => false,
                }
            };
            if is_better {
                best = Some(index);
            }
        }
        best
    }

    /// The column that enters the basis: free columns first, then the column with the least ratio of cost to factor,
    /// then the smallest label.
    fn entering(
        &self,
        row: usize,
        columns: &[ConstraintLabel],
        free: &[ConstraintLabel],
        is_fixed: &[bool],
    ) -> Option<usize> {
        let row = &self.rows[row];
        if !free.is_empty() {
            let is_free =
                |column: &usize| row.factors[*column] != N::ZERO && free.contains(&columns[*column]);
            if let Some(column) = (0..columns.len()).find(is_free) {
                return Some(column);
            }
        }
        let mut best: Option<usize> = None;
        for (column, factor) in row.factors.iter().enumerate() {
            let factor = factor.wide();
            if factor <= 0 || is_fixed[column] {
                continue;
            }
            let Some(known) = best else {
                best = Some(column);
                continue;
            };
            let order = compare(
                self.cost.factors[column].wide(),
                factor,
                self.cost.factors[known].wide(),
                row.factors[known].wide(),
            );
            if order.is_lt() || order.is_eq() && columns[column] < columns[known] {
                best = Some(column);
            }
        }
        best
    }

    /// Exchanges the variables of a row and a column. Returns the number of changed entries.
    fn pivot(&mut self, row: usize, column: usize) -> Result<u64, Overflow> {
        // A pivot row without a common divisor keeps the other rows small.
        Arc::make_mut(&mut self.rows[row]).reduce();
        let old = &self.rows[row];
        let pivot = old.factors[column].wide();
        let sign = pivot.signum();
        let turned = |value: N| if sign < 0 { Ok(value) } else { value.negated().ok_or(Overflow) };
        let mut factors = Vec::with_capacity(old.factors.len());
        for &factor in &old.factors {
            factors.push(turned(factor)?);
        }
        factors[column] = N::narrow(sign * old.divisor.wide()).ok_or(Overflow)?;
        let new = SimplexRow {
            factors,
            divisor: N::narrow(pivot.abs()).ok_or(Overflow)?,
            constant: turned(old.constant)?,
            bound: old.bound,
        };
        if let Some(touched) = self.pivot_in_place(row, column, pivot, &new) {
            self.rows[row] = Arc::new(new);
            return Ok(touched);
        }
        let mut changed = Vec::new();
        let others = self.rows.iter().enumerate().filter(|(index, _)| *index != row);
        for (index, other) in others.chain([(usize::MAX, &self.cost)]) {
            let factor = other.factors[column].wide();
            if factor != 0 {
                let common = gcd(factor, pivot);
                let sum = other.plus(pivot.abs() / common, &new, factor / common, column)?;
                changed.push((index, Arc::new(sum)));
            }
        }
        let touched = (changed.len() as u64 + 1) * new.factors.len() as u64;
        for (index, row) in changed {
            if index == usize::MAX {
                self.cost = row;
            } else {
                self.rows[index] = row;
            }
        }
        self.rows[row] = Arc::new(new);
        Ok(touched)
    }
}

impl<N: TableauNumber> TableauRows<N> {
    /// Replaces the variable at `column` in all rows except one, without overflow checks, if the bounds of the rows
    /// exclude an overflow.
    fn pivot_in_place(
        &mut self,
        pivot_row: usize,
        column: usize,
        pivot: i128,
        new: &SimplexRow<N>,
    ) -> Option<u64> {
        if N::CHECKED || pivot.abs() >= FAST {
            return None;
        }
        // The rows that change, each with its scale, that of the pivot row, and the bound of the sum.
        let mut changes: Vec<(usize, i128, i128, i128)> = Vec::new();
        let others = self.rows.iter().enumerate().filter(|(index, _)| *index != pivot_row);
        for (index, row) in others.chain([(usize::MAX, &self.cost)]) {
            let factor = row.factors[column];
            if factor == N::ZERO {
                continue;
            }
            // Most pivots are units, and division is slow.
            let (p, q) = if pivot.abs() == 1 {
                (1, factor.wide())
            } else {
                let common = N::common(&[factor], new.divisor);
                (new.divisor.wide() / common.wide(), factor.wide() / common.wide())
            };
            let bound =
                p.checked_mul(row.bound).and_then(|own| own.checked_add(q.abs().checked_mul(new.bound)?));
            changes.push((index, p, q, bound.filter(|&bound| bound < FAST)?));
        }
        // Without a branch on the entry, which no processor predicts.
        let mut entries = vec![(0, N::ZERO); new.factors.len() + 1];
        let mut count = 0;
        for (place, &entry) in new.factors.iter().enumerate() {
            entries[count] = (place, entry);
            count += usize::from(entry != N::ZERO);
        }
        entries.truncate(count);
        let mut touched = new.factors.len() as u64;
        for (index, p, q, bound) in changes {
            let row = if index == usize::MAX { &mut self.cost } else { &mut self.rows[index] };
            let row = Arc::make_mut(row);
            row.factors[column] = N::ZERO;
            if p == 1 {
                // Only the entries of the pivot row change.
                N::add_at(&mut row.factors, q, &entries);
                touched += entries.len() as u64;
            } else {
                N::combine_in_place(&mut row.factors, p, q, &new.factors);
                touched += row.factors.len() as u64;
            }
            let small = |value: i128| N::narrow(value).expect("within the bound");
            row.constant = small(p * row.constant.wide() + q * new.constant.wide());
            row.divisor = small(p * row.divisor.wide());
            row.bound = bound;
            if row.bound > REDUCED {
                row.reduce();
            }
        }
        Some(touched)
    }
}

/// Compares the fractions a / b and c / d, whose denominators are positive.
fn compare(a: i128, b: i128, c: i128, d: i128) -> std::cmp::Ordering {
    if a == 0 || c == 0 {
        return a.cmp(&c);
    }
    match (a.checked_mul(d), c.checked_mul(b)) {
        (Some(left), Some(right)) => left.cmp(&right),
        // By continued fractions: whole parts first.
        _ => {
            let (whole, other) = (a.div_euclid(b), c.div_euclid(d));
            let (rest, others) = (a.rem_euclid(b), c.rem_euclid(d));
            whole.cmp(&other).then_with(|| match (rest, others) {
                (0, 0) => std::cmp::Ordering::Equal,
                (0, _) => std::cmp::Ordering::Less,
                (_, 0) => std::cmp::Ordering::Greater,
                _ => compare(d, others, b, rest),
            })
        }
    }
}

macro_rules! rows {
    ($simplex:expr, $rows:ident => $body:expr) => {
        match &$simplex.width {
            Width::Narrow($rows) => $body,
            Width::Wide($rows) => $body,
        }
    };
}

impl Simplex {
    pub(crate) fn new() -> Self {
        let cost = SimplexRow { factors: Vec::new(), divisor: 1, constant: 0, bound: 1 };
        Self {
            columns: Vec::new(),
            labels: Vec::new(),
            free: Vec::new(),
            opposite: Vec::new(),
            is_fixed: Vec::new(),
            width: Width::Narrow(TableauRows { rows: Vec::new(), cost: Arc::new(cost) }),
            places: Vec::new(),
        }
    }

    /// Keeps a table of the positions of the labels below `count`, which are looked up often.
    pub(crate) fn index(&mut self, count: ConstraintLabel) {
        self.places = (0..count).map(|label| self.search(label)).collect();
    }

    /// Declares that two constraints in force are each other's negation. The columns of both never enter the basis
    /// again, because a positive value of one would violate the other.
    pub(crate) fn declare_opposite(&mut self, one: ConstraintLabel, other: ConstraintLabel) {
        self.opposite.push((one, other));
        for label in [one, other] {
            if let TableauPlace::Column(column) = self.place(label) {
                self.is_fixed[column] = true;
            }
        }
    }

    /// Whether the constraint has an opposite in force.
    pub(crate) fn stays_zero(&self, label: ConstraintLabel) -> bool {
        self.opposite_of(label).is_some()
    }

    fn opposite_of(&self, label: ConstraintLabel) -> Option<ConstraintLabel> {
        self.opposite.iter().find_map(|&(one, other)| match label {
            _ if label == one => Some(other),
            _ if label == other => Some(one),
            _ => None,
        })
    }

    fn search(&self, label: ConstraintLabel) -> TableauPlace {
        if let Some(row) = self.labels.iter().position(|&known| known == label) {
            return TableauPlace::Row(row);
        }
        self.columns
            .iter()
            .position(|&known| known == label)
            .map_or(TableauPlace::Nowhere, TableauPlace::Column)
    }

    fn place(&self, label: ConstraintLabel) -> TableauPlace {
        match self.places.get(label as usize) {
            Some(TableauPlace::Nowhere) | None => self.search(label),
            Some(&place) => place,
        }
    }

    fn put(&mut self, label: ConstraintLabel, place: TableauPlace) {
        if let Some(known) = self.places.get_mut(label as usize) {
            *known = place;
        }
    }

    /// Adds a variable with its cost. A variable that is not free is at least 0.
    pub(crate) fn add_column(&mut self, label: ConstraintLabel, cost: i128, is_free: bool) {
        self.columns.push(label);
        self.is_fixed.push(false);
        self.put(label, TableauPlace::Column(self.columns.len() - 1));
        match &mut self.width {
            Width::Narrow(rows) => rows.push_column(cost),
            Width::Wide(rows) => rows.push_column(cost),
        }
        if is_free {
            self.free.push(label);
        }
    }

    /// Adds the constraint `(constant + Σ factor · label) / divisor >= 0`.
    ///
    /// # Errors
    ///
    /// A number does not fit in 128 bits.
    pub(crate) fn add_row(
        &mut self,
        label: ConstraintLabel,
        terms: &[(ConstraintLabel, i128)],
        constant: i128,
        divisor: i128,
    ) -> Result<(), GaveUp> {
        let placed: Vec<(TableauPlace, i128)> =
            terms.iter().map(|&(label, factor)| (self.place(label), factor)).collect();
        let count = self.columns.len();
        if let Width::Narrow(rows) = &mut self.width
            && rows.push_row(&placed, constant, divisor, count).is_err()
        {
            self.width = Width::Wide(rows.wider());
            if let Width::Wide(rows) = &mut self.width {
                rows.push_row(&placed, constant, divisor, count)
                    .map_err(|Overflow| GaveUp::Limit(ReachedLimit::Numbers))?;
            }
        } else if let Width::Wide(rows) = &mut self.width {
            rows.push_row(&placed, constant, divisor, count)
                .map_err(|Overflow| GaveUp::Limit(ReachedLimit::Numbers))?;
        }
        self.labels.push(label);
        self.put(label, TableauPlace::Row(self.labels.len() - 1));
        // A free variable enters the basis with its first constraint and never leaves it.
        if !self.free.is_empty() {
            let row = self.labels.len() - 1;
            let column = rows!(self, rows => {
                let row = &rows.rows[row];
                (0..self.columns.len()).find(|&column| {
                    row.factors[column].wide() != 0 && self.free.contains(&self.columns[column])
                })
            });
            if let Some(column) = column {
                self.pivot(row, column)?;
            }
        }
        Ok(())
    }

    fn pivot(&mut self, row: usize, column: usize) -> Result<u64, GaveUp> {
        let done = match &mut self.width {
            Width::Narrow(rows) => rows.pivot(row, column),
            Width::Wide(rows) => rows.pivot(row, column),
        };
        let touched = match done {
            Ok(touched) => touched,
            Err(Overflow) => {
                let Width::Narrow(rows) = &self.width else {
                    return Err(GaveUp::Limit(ReachedLimit::Numbers));
                };
                let mut wide = rows.wider();
                let touched =
                    wide.pivot(row, column).map_err(|Overflow| GaveUp::Limit(ReachedLimit::Numbers))?;
                self.width = Width::Wide(wide);
                touched
            }
        };
        std::mem::swap(&mut self.labels[row], &mut self.columns[column]);
        self.is_fixed[column] = self.opposite_of(self.columns[column]).is_some();
        self.put(self.labels[row], TableauPlace::Row(row));
        self.put(self.columns[column], TableauPlace::Column(column));
        Ok(touched)
    }

    /// Restores feasibility by dual pivots.
    ///
    /// # Errors
    ///
    /// The work limit is reached, or a number does not fit in 128 bits.
    pub(crate) fn solve(&mut self, work: &mut ProofWork) -> Result<Solved, GaveUp> {
        let mut pivots = 0;
        loop {
            let leaving = rows!(self, rows => rows.leaving(&self.labels, &self.free, pivots > PATIENCE));
            let Some(row) = leaving else { return Ok(Solved::Feasible) };
            let entering = rows!(self, rows => rows.entering(row, &self.columns, &self.free, &self.is_fixed));
            let Some(column) = entering else { return Ok(Solved::Infeasible(self.contradiction(row))) };
            pivots += 1;
            let touched = self.pivot(row, column)?;
            work.pivot(touched)?;
        }
    }

    fn contradiction(&self, row: usize) -> Vec<(ConstraintLabel, i128)> {
        rows!(self, rows => {
            let row_entries = &rows.rows[row];
            let mut factors = vec![(self.labels[row], row_entries.divisor.wide())];
            let others = self.columns.iter().zip(&row_entries.factors);
            // A positive factor is that of the opposite constraint.
            factors.extend(others.filter(|(_, f)| f.wide() != 0).map(|(&label, f)| match f.wide() {
                factor if factor < 0 => (label, -factor),
                factor => (self.opposite_of(label).expect("other columns could enter"), factor),
            }));
            let common = factors.iter().fold(0, |common, (_, factor)| gcd(common, *factor));
            for (_, factor) in &mut factors {
                *factor /= common;
            }
            factors
        })
    }

    /// The value of a variable at the current vertex, as numerator and positive denominator in lowest terms.
    pub(crate) fn value(&self, label: ConstraintLabel) -> (i128, i128) {
        match self.place(label) {
            TableauPlace::Row(row) => rows!(self, rows => {
                let row = &rows.rows[row];
                let (constant, divisor) = (row.constant.wide(), row.divisor.wide());
                let common = gcd(constant, divisor);
                (constant / common, divisor / common)
            }),
            _ => (0, 1),
        }
    }

    /// The labels of the free variables with their values at the current vertex.
    pub(crate) fn free_values(&self) -> impl Iterator<Item = (ConstraintLabel, (i128, i128))> + '_ {
        self.free.iter().map(|&label| (label, self.value(label)))
    }

    /// At most `most` cuts modulo prime powers that the current vertex violates, sorted by their number of constraints.
    pub(crate) fn cuts(&self, most: usize) -> Vec<ModularCut> {
        let mut cuts = rows!(self, rows => {
            let fractional = rows.rows.iter().filter(|row| row.constant.wide() % row.divisor.wide() != 0);
            let mut cuts = Vec::new();
            for row in fractional.take(64) {
                let divisor = row.divisor.wide();
                for prime in primes(divisor / gcd(divisor, row.constant.wide())) {
                    cuts.extend(self.cut(row, prime));
                }
            }
            cuts
        });
        // Constraints that stay 0 do not weaken a cut.
        let fixed: BTreeSet<ConstraintLabel> =
            self.opposite.iter().flat_map(|&(one, other)| [one, other]).collect();
        let open = |cut: &ModularCut| cut.factors.iter().filter(|(label, _)| !fixed.contains(label)).count();
        cuts.sort_by_cached_key(|cut: &ModularCut| (open(cut), cut.modulus, cut.factors.clone()));
        cuts.dedup();
        cuts.truncate(most);
        cuts
    }

    fn cut<N: TableauNumber>(&self, row: &SimplexRow<N>, prime: i128) -> Option<ModularCut> {
        let constant = row.constant.wide();
        // The row times a whole number is a form with denominators that divide `modulus`, a power of the prime.
        let mut modulus = prime;
        while constant % modulus == 0 {
            modulus = modulus.checked_mul(prime)?;
        }
        if modulus > 1 << 40 {
            return None;
        }
        // With this unit the part to round off is as large as it can be: (prime - 1) / prime.
        let part = (constant.rem_euclid(modulus)) / (modulus / prime);
        let unit = inverse(part, prime)?;
        let factors: Vec<(ConstraintLabel, i128)> = self
            .columns
            .iter()
            .zip(&row.factors)
            .map(|(&label, factor)| (label, (unit * factor.wide().rem_euclid(modulus)).rem_euclid(modulus)))
            .filter(|(_, factor)| *factor != 0)
            .collect();
        let rounded = (-unit * constant.rem_euclid(modulus)).rem_euclid(modulus);
        let is_sound = rounded != 0 && factors.iter().all(|(label, _)| !self.free.contains(label));
        is_sound.then_some(ModularCut { factors, modulus, rounded })
    }
}

/// The primes below 2^16 that divide a number.
fn primes(mut number: i128) -> Vec<i128> {
    let mut found = Vec::new();
    let mut prime = 2;
    while number > 1 && prime < 1 << 16 {
        if number % prime == 0 {
            found.push(prime);
            while number % prime == 0 {
                number /= prime;
            }
        }
        prime += 1;
        if prime * prime > number && number > 1 {
            found.push(number);
            break;
        }
    }
    found
}

fn inverse(value: i128, modulus: i128) -> Option<i128> {
    let (mut a, mut b, mut u, mut v) = (value.rem_euclid(modulus), modulus, 1, 0);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (u, v) = (v, u - quotient * v);
    }
    (a == 1).then(|| u.rem_euclid(modulus))
}
