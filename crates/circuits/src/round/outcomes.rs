//! [`explore_outcomes`]: all runs of an algorithm, for all outcomes of coins.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use acrasin_amoebot::Cell;
use acrasin_amoebot::algorithm::synchronous::{
    CoinMoment, CoinOutcomes, CoinRoute, OutcomeBounds, OutcomesError,
};
use acrasin_runtime::Digest;

use super::coins::Coins;
use super::run::{CircuitRun, RunTrouble};
use super::table::RoundTable;

/// The number of rounds between two calls of `is_stopped`.
const ROUNDS_BETWEEN: usize = 64;

/// The change at which values count as solved: relative for values of 1 or more, absolute below 1.
const PRECISION: f64 = 1e-13;

/// A successor of a state.
#[derive(Clone, Copy)]
struct CoinTransition {
    to: usize,
    probability: f64,
}

/// A reached state.
struct ReachedState {
    bytes: Rc<[u8]>,
    /// The preceding state on a shortest run, and the coins of the round between them; `None` at the start.
    before: Option<(usize, Vec<bool>)>,
    depth: usize,
    next: Vec<CoinTransition>,
    end: OutcomeEnd,
    /// A conflict of movements, with the coins that lead to it.
    conflict: Option<(String, Vec<bool>)>,
}

/// Whether a run ends in a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutcomeEnd {
    None,
    Right,
    Wrong,
}

/// Explores all outcomes of coins from the start of a run. `is_right` decides whether the result of a run that has
/// ended is correct. States are kept in packed form. Probabilities are solved by iteration up to an error of about
/// 1e-12.
///
/// # Errors
///
/// A bound is exceeded, or the exploration was stopped.
pub fn explore_outcomes<A: RoundTable + Clone>(
    start: &CircuitRun<A>,
    is_right: impl Fn(&CircuitRun<A>) -> bool,
    bounds: &OutcomeBounds<'_>,
) -> Result<CoinOutcomes, OutcomesError> {
    let mut exploration =
        CoinExploration { start, bounds, states: Vec::new(), numbers: BTreeMap::new(), bytes: 0, rounds: 0 };
    exploration.add(start.state_bytes(), None, 0)?;
    let mut at = 0;
    let mut final_cells = BTreeSet::new();
    while at < exploration.states.len() {
        let run = exploration.run(at);
        if run.rounds().iter().all(Option::is_none) {
            let is_right = is_right(&run);
            exploration.states[at].end = if is_right { OutcomeEnd::Right } else { OutcomeEnd::Wrong };
            if is_right {
                let mut cells: Vec<Cell> =
                    run.structure().bodies().iter().flat_map(|body| body.cells()).collect();
                cells.sort_unstable();
                final_cells.insert(cells);
            }
        } else {
            exploration.follow(at, &run)?;
        }
        at += 1;
    }
    exploration.solved(final_cells)
}

struct CoinExploration<'a, A: RoundTable> {
    start: &'a CircuitRun<A>,
    bounds: &'a OutcomeBounds<'a>,
    states: Vec<ReachedState>,
    numbers: BTreeMap<Rc<[u8]>, usize>,
    bytes: u64,
    rounds: usize,
}

impl<A: RoundTable + Clone> CoinExploration<'_, A> {
    fn run(&self, state: usize) -> CircuitRun<A> {
        let mut run = self.start.clone();
        run.set_state(&self.states[state].bytes).expect("a reached state can be set");
        run
    }

    fn check_stop(&mut self) -> Result<(), OutcomesError> {
        self.rounds += 1;
        if self.rounds.is_multiple_of(ROUNDS_BETWEEN) && (self.bounds.is_stopped)() {
            return Err(OutcomesError::Stopped { states: self.states.len() });
        }
        Ok(())
    }

    /// The number of a state, which is added if it is new.
    fn add(
        &mut self,
        bytes: Vec<u8>,
        before: Option<(usize, Vec<bool>)>,
        depth: usize,
    ) -> Result<usize, OutcomesError> {
        let next = self.states.len();
        let bytes: Rc<[u8]> = bytes.into();
        let number = *self.numbers.entry(Rc::clone(&bytes)).or_insert(next);
        if number == next {
            if next >= self.bounds.states_max {
                return Err(OutcomesError::States);
            }
            let size = size_of::<ReachedState>() + 4 * size_of::<usize>() + bytes.len();
            self.bytes += size as u64;
            if self.bytes > self.bounds.bytes_max {
                return Err(OutcomesError::Bytes { bytes: self.bytes, states: next + 1 });
            }
            self.states.push(ReachedState {
                bytes,
                before,
                depth,
                next: Vec::new(),
                end: OutcomeEnd::None,
                conflict: None,
            });
        }
        Ok(number)
    }

    /// Executes the next round of a state with all outcomes of its coins. The number of coins does not depend on their
    /// outcomes.
    fn follow(&mut self, state: usize, run: &CircuitRun<A>) -> Result<(), OutcomesError> {
        let with = |coins: &[bool]| {
            let mut run = run.clone().with_coins(Coins::listed(coins.to_vec()));
            run.round().map(|_| run)
        };
        let mut count = 0;
        while let Err(RunTrouble::Coins { .. }) = with(&vec![false; count]) {
            count += 1;
            if count >= usize::BITS as usize || 1 << count > self.bounds.outcomes_max {
                return Err(OutcomesError::Outcomes);
            }
        }
        let probability = 0.5_f64.powi(count as i32);
        let mut next: BTreeMap<usize, f64> = BTreeMap::new();
        for outcome in 0..1_usize << count {
            self.check_stop()?;
            let coins: Vec<bool> = (0..count).map(|coin| outcome >> coin & 1 == 1).collect();
            match with(&coins) {
                Ok(run) => {
                    let depth = self.states[state].depth + 1;
                    let to = self.add(run.state_bytes(), Some((state, coins)), depth)?;
                    *next.entry(to).or_default() += probability;
                }
                Err(trouble) => {
                    let conflict = &mut self.states[state].conflict;
                    conflict.get_or_insert_with(|| (trouble.conflict_text(), coins));
                }
            }
        }
        self.bytes += (next.len() * size_of::<CoinTransition>()) as u64;
        let next = next.into_iter().map(|(to, probability)| CoinTransition { to, probability });
        self.states[state].next = next.collect();
        Ok(())
    }

    /// For each state, whether some run from it ends.
    fn may_end(&self) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.states.len()];
        for (state, reached) in self.states.iter().enumerate() {
            reached.next.iter().for_each(|next| before[next.to].push(state));
        }
        let mut may_end: Vec<bool> = self.states.iter().map(|state| state.end != OutcomeEnd::None).collect();
        let mut left: VecDeque<usize> = (0..self.states.len()).filter(|state| may_end[*state]).collect();
        while let Some(state) = left.pop_front() {
            for &earlier in &before[state] {
                if !std::mem::replace(&mut may_end[earlier], true) {
                    left.push_back(earlier);
                }
            }
        }
        may_end
    }

    /// The value of the start. The value of a state is what `own` returns for it, plus the mean of the values of its
    /// successors.
    fn solve(&self, own: impl Fn(usize) -> f64) -> Result<f64, OutcomesError> {
        let mut values: Vec<f64> = (0..self.states.len()).map(&own).collect();
        loop {
            let mut change = 0.0_f64;
            for (state, reached) in self.states.iter().enumerate().rev() {
                if state.is_multiple_of(4096) && (self.bounds.is_stopped)() {
                    return Err(OutcomesError::Stopped { states: self.states.len() });
                }
                let (mut sum, mut stays) = (own(state), 0.0);
                for next in &reached.next {
                    // If a state may repeat, the equation is solved for its own value.
                    if next.to == state {
                        stays += next.probability;
                    } else {
                        sum += next.probability * values[next.to];
                    }
                }
                let value = if stays < 1.0 { sum / (1.0 - stays) } else { 0.0 };
                change = change.max((value - values[state]).abs() / value.max(1.0));
                values[state] = value;
            }
            if change < PRECISION {
                return Ok(values[0]);
            }
        }
    }

    fn solved(self, final_cells: BTreeSet<Vec<Cell>>) -> Result<CoinOutcomes, OutcomesError> {
        let may_end = self.may_end();
        let of = |end: OutcomeEnd| self.states.iter().filter(move |state| state.end == end);
        let hopeless = may_end.iter().filter(|may_end| !**may_end).count();
        let conflicts = self.states.iter().filter(|state| state.conflict.is_some()).count();
        let probability =
            self.solve(|state| f64::from(u8::from(self.states[state].end == OutcomeEnd::Right)))?;
        let rounds = if hopeless + conflicts == 0 {
            let is_round = |state: usize| self.states[state].end == OutcomeEnd::None;
            Some(self.solve(|state| f64::from(u8::from(is_round(state))))?)
        } else {
            None
        };
        // States are in the order of their distances, so the first one is nearest.
        let conflict = self.states.iter().position(|state| state.conflict.is_some());
        let wrong = self.states.iter().position(|state| state.end == OutcomeEnd::Wrong);
        let endless = may_end.iter().position(|may_end| !may_end);
        let way = match (conflict, wrong, endless) {
            (Some(state), ..) => {
                let what = self.states[state].conflict.as_ref().map(|(what, _)| what.clone());
                Some(self.way(state, what.unwrap_or_default()))
            }
            (None, Some(state), _) => Some(self.way(state, "a wrong end".to_owned())),
            (None, None, Some(state)) => Some(self.way(state, "a state from which no run ends".to_owned())),
            (None, None, None) => None,
        };
        Ok(CoinOutcomes {
            states: self.states.len(),
            moves: self.states.iter().map(|state| state.next.len()).sum(),
            depth: self.states.iter().map(|state| state.depth).max().unwrap_or(0),
            ends: of(OutcomeEnd::Right).count() + of(OutcomeEnd::Wrong).count(),
            wrong_ends: of(OutcomeEnd::Wrong).count(),
            conflicts,
            hopeless,
            probability,
            rounds,
            final_cells,
            way,
        })
    }

    /// The shortest run to a state, and to the conflict after it if there is one.
    fn way(&self, state: usize, to: String) -> CoinRoute {
        let mut path = vec![state];
        while let Some((before, _)) = &self.states[path[path.len() - 1]].before {
            path.push(*before);
        }
        path.reverse();
        let moment = |what: String, run: &CircuitRun<A>| CoinMoment {
            what,
            bodies: run.structure().bodies().to_vec(),
            memories: run.memories().iter().map(|memory| run.algorithm().words(memory)).collect(),
        };
        let mut moments = vec![moment(String::new(), &self.run(path[0]))];
        let round = |state: usize, coins: &[bool]| {
            let run = self.run(state);
            let name = run.rounds().iter().flatten().next().map_or("", |round| run.algorithm().name(*round));
            let faces: String = coins.iter().map(|heads| if *heads { 'H' } else { 'T' }).collect();
            if faces.is_empty() { name.to_owned() } else { format!("{name}, coins {faces}") }
        };
        for &state in &path[1..] {
            if let Some((before, coins)) = &self.states[state].before {
                moments.push(moment(round(*before, coins), &self.run(state)));
            }
        }
        if let Some((conflict, coins)) = &self.states[state].conflict {
            // The round of a conflict has no effect.
            let what = format!("{}: {conflict}", round(state, coins));
            moments.push(moment(what, &self.run(state)));
        }
        let digest = Digest::written(|hasher| std::hash::Hasher::write(hasher, &self.states[state].bytes)).0;
        CoinRoute { to, moments, digest }
    }
}
