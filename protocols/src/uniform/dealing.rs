//! The table of pair kinds in a uniformly random matching, by throwing.
//!
//! Each initiator is thrown onto a state of responders independently. A throw takes a few random bits and one counter,
//! independent of the number of states. Throws do not hit a state in exactly the right number, so each state is
//! targeted slightly below its number of responders. An initiator waits if it hits no state, or if it is removed from a
//! state that was hit too often. The remaining responders are dealt to the waiting initiators.
//!
//! The matching is uniform for any targets: throws, the choice of removed initiators, and the dealing do not depend on
//! the initiators' states. So each assignment of initiators to responders is equally likely.

use rayon::prelude::*;

use super::drawn_out::draw_out;
use super::draws::{RandomDraws, StreamPurpose};

/// One more than the maximum number of states. A column is stored in a byte, and one of the 256 values marks a waiting
/// initiator.
const COLUMNS: usize = 256;

/// The number of bits of a throw: a word of 64 bits has `THROWS` of them.
const BITS: u32 = 12;
/// The number of different throws.
const TARGETS: usize = 1 << BITS;
const THROWS: usize = (u64::BITS / BITS) as usize;

/// The number of groups of rows, which have about equally many pairs. Each group is thrown with its own random stream.
/// From `SHARED_FROM` pairs on, the threads of the pool share the groups.
const GROUPS: usize = 8;
const SHARED_FROM: u64 = 1 << 16;

/// The margin of a state's target below its number of responders, in standard deviations of its count. With a smaller
/// margin fewer initiators wait, but more are removed, and each removed initiator must be searched for in its column.
const MARGIN: f64 = 2.0;

/// Buffers of the table, kept for reuse.
#[derive(Clone, Debug)]
pub(super) struct Dealing {
    /// The column of each throw; the column after the last represents waiting initiators.
    targets: Box<[u8; TARGETS]>,
    throwers: Vec<Thrower>,
    /// The number of pairs of each kind, row by row.
    cells: Vec<u32>,
    /// The number of pairs of each column.
    filled: Vec<u32>,
    /// The number of waiting initiators of each row.
    waiting: Vec<u64>,
    /// The columns of the responders that remain after the throws.
    places: Vec<u8>,
}

/// The stream and counters with which a group of rows is thrown.
#[derive(Clone, Debug)]
struct Thrower {
    /// The number of throws of a row onto each column, counted separately for each position in the word, so that
    /// neighbouring throws need not wait for each other.
    meant: Box<[[u32; COLUMNS]; THROWS]>,
    /// The number of pairs of each column within the group.
    filled: Vec<u32>,
}

/// Consecutive rows: the number of initiators of each row, and the results.
struct InitiatorRows<'a> {
    initiators: &'a [u64],
    cells: &'a mut [u32],
    waiting: &'a mut [u64],
    thrower: &'a mut Thrower,
    draws: RandomDraws,
}

impl Default for Dealing {
    fn default() -> Self {
        Self {
            targets: Box::new([0; TARGETS]),
            throwers: vec![Thrower { meant: Box::new([[0; COLUMNS]; THROWS]), filled: Vec::new() }; GROUPS],
            cells: Vec::new(),
            filled: Vec::new(),
            waiting: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl Dealing {
    /// Whether this number of pairs, with this number of states, is dealt. Dealing scans the whole table, so there must
    /// be enough pairs, and a column must fit in a byte.
    pub(super) fn fits(pairs: u64, states: usize) -> bool {
        states < COLUMNS && pairs >= (states * states) as u64 && pairs < 1 << 32
    }

    /// Throws `initiators` onto `responders`, both as counts by state with equal sums. They must [fit](Self::fits).
    ///
    /// Cost: about 0.6 ns per pair, including [`deal_out`](Self::deal_out).
    pub(super) fn throw(&mut self, initiators: &[u64], responders: &[u64], draws: &mut RandomDraws) {
        self.throw_aimed(initiators, responders, MARGIN, draws);
    }

    /// Throws with this margin. The distribution is the same for any `margin`.
    fn throw_aimed(&mut self, initiators: &[u64], responders: &[u64], margin: f64, draws: &mut RandomDraws) {
        self.aim(responders, margin);
        self.throw_rows(initiators, responders.len(), draws);
    }

    /// The number of pairs of each kind after a [throw](Self::throw): row by row, with one row per state of initiators.
    pub(super) fn deal_out(&mut self, responders: &[u64], draws: &mut RandomDraws) -> &[u32] {
        self.put_out(responders, draws);
        self.give_places(responders, draws);
        &self.cells
    }

    /// Gives each column its share of the targets, reduced by the margin.
    fn aim(&mut self, responders: &[u64], margin: f64) {
        let pairs = responders.iter().sum::<u64>().max(1) as f64;
        let mut left = &mut self.targets[..];
        for (column, &places) in responders.iter().enumerate() {
            let places = places as f64;
            let aimed = (places - margin * places.sqrt()).max(0.0);
            let share = (aimed / pairs * TARGETS as f64) as usize;
            let (here, rest) = left.split_at_mut(share.min(left.len()));
            here.fill(column as u8);
            left = rest;
        }
        left.fill(responders.len() as u8);
    }

    fn throw_rows(&mut self, initiators: &[u64], columns: usize, draws: &mut RandomDraws) {
        let Self { targets, throwers, cells, filled, waiting, .. } = self;
        cells.resize(initiators.len() * columns, 0);
        waiting.resize(initiators.len(), 0);
        let pairs = initiators.iter().sum::<u64>();
        let key = draws.word();
        let (mut rows, mut cells, mut waiting) = (initiators, &mut cells[..], &mut waiting[..]);
        let mut given = 0;
        let mut groups: Vec<InitiatorRows<'_>> = Vec::with_capacity(GROUPS);
        for (number, thrower) in (1_u64..).zip(&mut *throwers) {
            let mut here = 0;
            while here < rows.len() && (given < pairs * number / GROUPS as u64 || number == GROUPS as u64) {
                given += rows[here];
                here += 1;
            }
            let (initiators, later) = rows.split_at(here);
            let (its_cells, later_cells) = cells.split_at_mut(here * columns);
            let (its_waiting, later_waiting) = waiting.split_at_mut(here);
            (rows, cells, waiting) = (later, later_cells, later_waiting);
            groups.push(InitiatorRows {
                initiators,
                cells: its_cells,
                waiting: its_waiting,
                thrower,
                draws: RandomDraws::new(key, StreamPurpose::Throws, number),
            });
        }
        if pairs >= SHARED_FROM && rayon::current_num_threads() > 1 {
            groups.par_iter_mut().with_max_len(1).for_each(|group| group.throw(targets, columns));
        } else {
            groups.iter_mut().for_each(|group| group.throw(targets, columns));
        }
        filled.clear();
        filled.resize(columns, 0);
        for thrower in throwers {
            filled.iter_mut().zip(&thrower.filled).for_each(|(filled, &more)| *filled += more);
        }
    }

    /// Removes uniformly random initiators from columns that were hit too often; they wait.
    fn put_out(&mut self, responders: &[u64], draws: &mut RandomDraws) {
        let columns = responders.len();
        for (column, (filled, &places)) in self.filled.iter_mut().zip(responders).enumerate() {
            while u64::from(*filled) > places {
                let mut ticket = draws.below((*filled).into());
                let mut rows = self.cells.chunks_exact_mut(columns).zip(&mut self.waiting);
                let (cell, waiting) = rows
                    .find_map(|(row, waiting)| {
                        let cell = &mut row[column];
                        match ticket.checked_sub(u64::from(*cell)) {
                            None => Some((cell, waiting)),
                            Some(rest) => {
                                ticket = rest;
                                None
                            }
                        }
                    })
                    .expect("the column has that many");
                *cell -= 1;
                *waiting += 1;
                *filled -= 1;
            }
        }
    }

    /// Deals the remaining responders to the waiting initiators, uniformly at random.
    fn give_places(&mut self, responders: &[u64], draws: &mut RandomDraws) {
        self.places.clear();
        for (column, (&filled, &places)) in self.filled.iter().zip(responders).enumerate() {
            self.places.extend(std::iter::repeat_n(column as u8, (places - u64::from(filled)) as usize));
        }
        let mut left = &mut self.places[..];
        for (row, &often) in self.cells.chunks_exact_mut(responders.len()).zip(&self.waiting) {
            draw_out(left, often as usize, draws, |column, _| row[column] += 1);
            let now = left.len() - often as usize;
            left = &mut left[..now];
        }
    }
}

impl InitiatorRows<'_> {
    fn throw(&mut self, targets: &[u8; TARGETS], columns: usize) {
        let Self { initiators, cells, waiting, thrower, draws } = self;
        let Thrower { meant, filled } = &mut **thrower;
        // A copy: the generators of other threads are on the same cache lines.
        let mut draws = draws.clone();
        filled.clear();
        filled.resize(columns, 0);
        for ((&often, row), waiting) in
            initiators.iter().zip(cells.chunks_exact_mut(columns)).zip(&mut **waiting)
        {
            let mut throw = |word: u64, number: usize| {
                let target = targets[(word >> (number as u32 * BITS)) as usize % TARGETS];
                meant[number][usize::from(target)] += 1;
            };
            for _ in 0..often / THROWS as u64 {
                let word = draws.word();
                for number in 0..THROWS {
                    throw(word, number);
                }
            }
            let word = draws.word();
            for number in 0..(often % THROWS as u64) as usize {
                throw(word, number);
            }
            let [a, b, c, d, e] = &mut **meant;
            let sum = |column: usize| a[column] + b[column] + c[column] + d[column] + e[column];
            *waiting = sum(columns).into();
            for (column, (cell, filled)) in row.iter_mut().zip(&mut *filled).enumerate() {
                *cell = sum(column);
                *filled += *cell;
            }
            for meant in &mut **meant {
                meant[..=columns].fill(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::draws::{RandomDraws, StreamPurpose};
    use super::{Dealing, MARGIN};

    impl Dealing {
        fn deal(&mut self, initiators: &[u64], responders: &[u64], draws: &mut RandomDraws) -> &[u32] {
            self.deal_aimed(initiators, responders, MARGIN, draws)
        }

        fn deal_aimed(
            &mut self,
            initiators: &[u64],
            responders: &[u64],
            margin: f64,
            draws: &mut RandomDraws,
        ) -> &[u32] {
            self.throw_aimed(initiators, responders, margin, draws);
            self.deal_out(responders, draws)
        }
    }

    const INITIATORS: [u64; 3] = [3, 2, 1];
    const RESPONDERS: [u64; 3] = [1, 3, 2];
    const TRIALS: u64 = 200_000;

    fn factorial(of: u64) -> f64 {
        (1..=of).map(|factor| factor as f64).product()
    }

    /// Each table with these sums, and its probability: the product of the factorials of the sums, divided by the
    /// factorial of the total and by those of the cells.
    fn law() -> Vec<([u32; 9], f64)> {
        let mut law = Vec::new();
        for number in 0..4_u32.pow(4) {
            let free: [u32; 4] = std::array::from_fn(|digit| number / 4_u32.pow(digit as u32) % 4);
            let rest = |sum: u64, cells: &[u32]| (sum as u32).checked_sub(cells.iter().sum());
            let table = || {
                let [a, b, d, e] = free;
                let (c, f) = (rest(INITIATORS[0], &[a, b])?, rest(INITIATORS[1], &[d, e])?);
                let (g, h) = (rest(RESPONDERS[0], &[a, d])?, rest(RESPONDERS[1], &[b, e])?);
                Some([a, b, c, d, e, f, g, h, rest(INITIATORS[2], &[g, h])?])
            };
            if let Some(table) = table() {
                let sums: f64 = INITIATORS.iter().chain(&RESPONDERS).map(|&sum| factorial(sum)).product();
                let cells: f64 = table.iter().map(|&cell| factorial(cell.into())).product();
                law.push((table, sums / factorial(6) / cells));
            }
        }
        law
    }

    /// Pearson's statistic in standard deviations. With a `bias`, one in `bias` trials returns the table of an extra
    /// first trial.
    fn deviation(margin: f64, bias: u64) -> f64 {
        let law = law();
        let mut seen = vec![0_u64; law.len()];
        let mut dealing = Dealing::default();
        let mut draws = RandomDraws::new(9, StreamPurpose::Epoch, 0);
        let first = dealing.deal(&INITIATORS, &RESPONDERS, &mut draws).to_vec();
        for trial in 0..TRIALS {
            let table = dealing.deal_aimed(&INITIATORS, &RESPONDERS, margin, &mut draws);
            let table = if bias > 0 && trial % bias == 0 { &first[..] } else { table };
            seen[law.iter().position(|(of, _)| of == table).expect("a table of these sums")] += 1;
        }
        let cells = law.iter().zip(&seen).map(|((_, probability), &seen)| {
            let wanted = probability * TRIALS as f64;
            (seen as f64 - wanted).powi(2) / wanted
        });
        (cells.sum::<f64>() - law.len() as f64) / (2.0 * law.len() as f64).sqrt()
    }

    /// The distribution is right for any margin: if all initiators hit a state, if more hit it than there are places,
    /// or if none does. With so few initiators the usual margin throws none.
    #[test]
    fn tables_are_those_of_a_random_matching_wherever_is_aimed() {
        assert!((law().iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-12);
        for margin in [-2.0, -1.0, 0.0, 0.3, MARGIN] {
            let found = deviation(margin, 0);
            assert!(found < 6.0, "{margin}: {found} deviations");
        }
        let biased = deviation(0.3, 100);
        assert!(biased > 6.0, "{biased}");
    }

    /// With many pairs and the usual margin, a cell has the mean and variance of the hypergeometric distribution.
    #[test]
    fn cells_of_many_pairs_vary_as_they_must() {
        let (initiators, responders) = ([700, 0, 250, 50], [600, 300, 100, 0]);
        let mut dealing = Dealing::default();
        let mut draws = RandomDraws::new(10, StreamPurpose::Epoch, 0);
        let trials = 20_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..trials {
            let cell = f64::from(dealing.deal(&initiators, &responders, &mut draws)[1]);
            sum += cell;
            squares += cell * cell;
        }
        let (n, mean) = (f64::from(trials), 700.0 * 0.3);
        let variance = mean * 0.7 * 300.0 / 999.0;
        let (found, spread) = (sum / n, squares / n - (sum / n).powi(2));
        assert!((found - mean).abs() < 6.0 * (variance / n).sqrt(), "{found}");
        assert!((spread / variance - 1.0).abs() < 6.0 * (2.0 / n).sqrt(), "{spread} for {variance}");
    }

    #[test]
    fn rows_and_columns_have_their_sums() {
        let mut dealing = Dealing::default();
        let mut draws = RandomDraws::new(11, StreamPurpose::Epoch, 0);
        for states in [1, 2, 7, 40, 255] {
            for largest in [1, 9, 3000] {
                let side =
                    |draws: &mut RandomDraws| (0..states).map(|_| draws.below(largest)).collect::<Vec<_>>();
                let (mut initiators, mut responders) = (side(&mut draws), side(&mut draws));
                let [few, many] = [&initiators, &responders].map(|side| side.iter().sum::<u64>());
                initiators[0] += many.saturating_sub(few);
                responders[states - 1] += few.saturating_sub(many);
                let cells = dealing.deal(&initiators, &responders, &mut draws);
                for (row, &often) in cells.chunks_exact(states).zip(&initiators) {
                    assert_eq!(row.iter().map(|&cell| u64::from(cell)).sum::<u64>(), often);
                }
                for (column, &often) in responders.iter().enumerate() {
                    let here = cells[column..].iter().step_by(states);
                    assert_eq!(here.map(|&cell| u64::from(cell)).sum::<u64>(), often);
                }
            }
        }
    }

    /// With enough pairs for several threads, the result does not depend on which thread throws a group, because each
    /// group has its own stream.
    #[test]
    fn groups_are_thrown_by_any_thread() {
        let side: Vec<u64> = (0..40).map(|state| 400 * (state + 1)).collect();
        assert!(side.iter().sum::<u64>() >= super::SHARED_FROM);
        let on_threads = |threads, seed| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut dealing = Dealing::default();
            let mut draws = RandomDraws::new(seed, StreamPurpose::Epoch, 0);
            pool.install(|| [0; 3].map(|_| dealing.deal(&side, &side, &mut draws).to_vec()))
        };
        let alone = on_threads(1, 12);
        for threads in [2, 3, 7] {
            assert!(on_threads(threads, 12) == alone, "{threads} threads");
        }
        assert!(on_threads(2, 13) != alone);
        let [first, second, _] = alone;
        assert_ne!(first, second);
        assert_ne!(first[..40], first[39 * 40..]);
    }
}
