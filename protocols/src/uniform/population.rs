//! A population on the complete graph under the uniform scheduler, simulated by the cheapest exact engine.

use std::sync::Arc;

use crate::table::Table;

use super::ahead::Ahead;
use super::array::{Array, MAX_ARRAY};
use super::condition::{calm, calm_for};
use super::cost::{Costs, Mode};
use super::draws::{RandomDraws, StreamPurpose};
use super::epoch::{Epoch, EpochLog, Evaluation};
use super::error::{MAX_AGENTS, SizeError};
use super::inside::Inside;
use super::meetings::LANES;
use super::rules::TransitionRules;
use super::skeleton::{Skeleton, Wanted};
use super::skip::Skip;
use super::small_array::SmallArray;
use super::urn::{UrnRules, UrnStream};
use acrasin_process::Condition;

/// The largest number of agents for which the array engine is chosen automatically. The array takes one or two bytes
/// per agent.
pub(super) const MAX_CHOSEN_ARRAY: u64 = 1 << 27;

/// The number of single interactions before it is computed again how many interactions certainly cannot fulfil the
/// condition.
pub(super) const SINGLE: u64 = 32;

/// The number of watched interactions before it is computed again how many interactions certainly cannot fulfil the
/// condition.
pub(super) const WATCHED: u64 = 256;

/// The number of active interactions before the costs are compared again.
const ACTIVE_STRETCH: u32 = 4096;
/// The maximum number of state-changing interactions in one stretch; these take some milliseconds.
const CHANGES_A_STRETCH: u64 = 1 << 16;

/// A limit on the work of a stretch, so that a call returns soon.
struct StretchBudget {
    /// The mode for which the budget was computed; `None` for all modes.
    mode: Option<Mode>,
    /// The number of state-changing interactions that may still be made one by one.
    changes: u64,
}

impl StretchBudget {
    /// No limit: only the bound of the run ends the stretch.
    const ANY: Self = Self { mode: None, changes: u64::MAX };

    fn of(mode: Mode) -> Self {
        Self { mode: Some(mode), changes: CHANGES_A_STRETCH }
    }

    fn lasts(&self) -> bool {
        self.changes > 0
    }

    /// Returns whether the budget is valid in this mode. If not, the stretch ends.
    fn goes_on(&mut self, mode: Mode) -> bool {
        if self.mode.is_some_and(|measured| measured != mode) {
            self.changes = 0;
        }
        self.lasts()
    }
}

/// A population on the complete graph: agents interact in uniformly random ordered pairs.
///
/// The mode of computation changes with the configuration ([`Mode`]). Interactions are made one after another on an
/// array of states, or in epochs of many at once, or only those that change a state are made. All modes are exact:
/// after any number of interactions the configuration has the distribution of the sequential scheduler. The mode is
/// chosen from counts of operations, never from a clock. So a run is a function of table, counts and seed. It does not
/// depend on where it is stopped or how often it is observed.
///
/// ```
/// use acrasin_protocols::{Table, library::ApproximateMajority, uniform::{Agreed, Population}};
///
/// let table = Table::compile(&ApproximateMajority)?;
/// let mut population = Population::new(&table, &[510_000_000, 490_000_000, 0], 1)?;
/// let agreed = population.run_until(&Agreed::new(&table), 1 << 40);
/// assert!(agreed);
/// assert_eq!(population.counts(), [1_000_000_000, 0, 0]);
/// // Parallel time: interactions an agent.
/// assert!((10.0..60.0).contains(&(population.interactions() as f64 / 1e9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Population {
    pub(super) rules: Arc<TransitionRules>,
    pub(super) seed: u64,
    pub(super) agents: u64,
    /// The number of ordered pairs of agents.
    pub(super) pairs: f64,
    /// The counts after `computed` interactions; out of date while `is_counted` is false.
    pub(super) computed_counts: Vec<u64>,
    /// Whether `computed_counts` agree with the agents in the array. Always true without an array.
    pub(super) is_counted: bool,
    pub(super) computed: u64,
    /// The visible counts, after `shown` interactions.
    pub(super) shown_counts: Vec<u64>,
    pub(super) shown: u64,
    /// The number of interactions at which costs are compared again. Until then the mode is kept.
    pub(super) decide_at: u64,
    pub(super) active_left: u32,
    pub(super) forced: Option<Mode>,
    pub(super) mode: Mode,
    pub(super) array: Option<AgentStore>,
    pub(super) pair_draws: [RandomDraws; LANES],
    pub(super) outcome_draws: RandomDraws,
    pub(super) skip: Skip,
    pub(super) skip_draws: RandomDraws,
    /// The rules in the layout of urns, if the population can run as an urn.
    pub(super) urn: Option<UrnRules>,
    pub(super) urn_stream: UrnStream,
    pub(super) epoch: Epoch,
    pub(super) ahead: Ahead,
    /// The index of the next epoch, which selects its random stream.
    pub(super) epochs: u64,
    /// The last computed epoch, if the visible number of interactions is before its end.
    pub(super) last: Option<LastEpoch>,
}

/// One state per agent, in either of two layouts. Both make the same interactions from the same draws.
#[derive(Clone, Debug)]
pub(super) enum AgentStore {
    Array(Array),
    /// A small population with few states.
    Crowd(SmallArray),
}

impl AgentStore {
    /// Counts the agents in each state.
    fn count(&self, counts: &mut [u64]) {
        counts.fill(0);
        match self {
            Self::Array(array) => array.count(counts),
            Self::Crowd(crowd) => crowd.count(counts),
        }
    }
}

/// A computed epoch, from which configurations inside it are drawn.
#[derive(Clone, Debug)]
pub(super) struct LastEpoch {
    pub(super) number: u64,
    pub(super) start: u64,
    pub(super) interactions: u64,
    pub(super) before: Vec<u64>,
    pub(super) evaluation: Evaluation,
    pub(super) inside: Option<Inside>,
}

impl Population {
    /// Creates a population with `counts[s]` agents in state `s` of the table.
    ///
    /// # Errors
    ///
    /// The number of counts differs from the number of states; fewer than 2 agents, or more than [`MAX_AGENTS`].
    pub fn new(table: &Table, counts: &[u64], seed: u64) -> Result<Self, SizeError> {
        checked_agents(counts, usize::from(table.state_count()))?;
        Self::with_rules(Arc::new(TransitionRules::new(table)), counts, seed)
    }

    /// Like [`new`](Self::new), with compiled rules.
    pub(super) fn with_rules(
        rules: Arc<TransitionRules>,
        counts: &[u64],
        seed: u64,
    ) -> Result<Self, SizeError> {
        let agents = checked_agents(counts, rules.states())?;
        let skip = Skip::new(&rules);
        Ok(Self {
            seed,
            agents,
            pairs: agents as f64 * (agents - 1) as f64,
            computed_counts: counts.to_vec(),
            is_counted: true,
            computed: 0,
            shown_counts: counts.to_vec(),
            shown: 0,
            decide_at: 0,
            active_left: 0,
            forced: None,
            mode: Mode::Array,
            array: None,
            pair_draws: pair_draws(seed),
            outcome_draws: RandomDraws::new(seed, StreamPurpose::Outcomes, 0),
            skip,
            skip_draws: RandomDraws::new(seed, StreamPurpose::Active, 0),
            urn: urn_of(agents, &rules),
            urn_stream: UrnStream::new(seed),
            epoch: Epoch::default(),
            ahead: Ahead::default(),
            epochs: 0,
            last: None,
            rules,
        })
    }

    /// Starts again with these counts and this seed, as [`Population::new`] with the same table would. So the table is
    /// compiled only once for consecutive runs. The mode is chosen again.
    ///
    /// # Errors
    ///
    /// The errors of [`Population::new`]; the population is unchanged then.
    pub fn restart(&mut self, counts: &[u64], seed: u64) -> Result<(), SizeError> {
        let agents = checked_agents(counts, self.rules.states())?;
        if agents != self.agents {
            self.urn = urn_of(agents, &self.rules);
        }
        self.agents = agents;
        self.seed = seed;
        self.urn_stream = UrnStream::new(seed);
        self.pairs = self.agents as f64 * (self.agents - 1) as f64;
        self.computed_counts.copy_from_slice(counts);
        self.shown_counts.copy_from_slice(counts);
        self.is_counted = true;
        (self.computed, self.shown, self.decide_at, self.active_left) = (0, 0, 0, 0);
        (self.forced, self.mode, self.array) = (None, Mode::Array, None);
        self.pair_draws = pair_draws(seed);
        self.outcome_draws = RandomDraws::new(seed, StreamPurpose::Outcomes, 0);
        self.skip_draws = RandomDraws::new(seed, StreamPurpose::Active, 0);
        self.skip.next = None;
        (self.epochs, self.last) = (0, None);
        self.ahead.clear();
        Ok(())
    }

    /// Always uses this mode, even if it is not the cheapest. Only for tests and comparisons.
    ///
    /// # Panics
    ///
    /// Panics as [`Population::force`] does, and after the first interaction.
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        assert_eq!(self.shown, 0, "the mode is set before the first interaction");
        self.force(mode);
        self
    }

    /// Uses this mode from now on, even if it is not the cheapest; a computed epoch is finished first. Only for tests
    /// and comparisons: the run then differs, but has the same distribution.
    ///
    /// # Panics
    ///
    /// Panics if the population does not [allow](Self::allows) this mode.
    pub fn force(&mut self, mode: Mode) {
        assert!(self.allows(mode), "{mode:?} of {} agents with these rules", self.agents);
        self.forced = Some(mode);
        self.decide_at = self.computed;
        self.active_left = 0;
    }

    /// Whether the mode is possible. [`Mode::Array`] needs at most 2^32 agents. [`Mode::Urn`] needs at most 4096
    /// agents, at most 4 states, and deterministic rules.
    #[must_use]
    pub fn allows(&self, mode: Mode) -> bool {
        match mode {
            Mode::Array => self.agents <= MAX_ARRAY,
            Mode::Urn => self.urn.is_some(),
            Mode::Epochs | Mode::ShuffledEpochs | Mode::Active => true,
        }
    }

    /// Whether the mode may be chosen automatically: an array must not take too much memory.
    pub(super) fn is_chosen(&self, mode: Mode) -> bool {
        self.allows(mode) && (mode != Mode::Array || self.agents <= MAX_CHOSEN_ARRAY)
    }

    /// The number of agents.
    #[must_use]
    pub fn agents(&self) -> u64 {
        self.agents
    }

    /// The number of interactions so far.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.shown
    }

    /// The number of agents in each state.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.shown_counts
    }

    /// The mode in which the next interactions are made.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// An estimate of the total number of interactions that is reached in some milliseconds, for callers that report
    /// progress. In epochs it is the end of an epoch, since observing inside an epoch costs about two more epochs. The
    /// result of a run does not depend on when it is observed.
    #[must_use]
    pub fn stretch(&self) -> u64 {
        const NANOSECONDS: f64 = 5e6;
        let costs = Costs::new(self.agents, &self.shown_counts, &self.rules);
        let each = match self.mode {
            Mode::Active => {
                let mut skip = self.skip.clone();
                skip.begin(&self.shown_counts);
                costs.of(self.mode) * (skip.active(&self.shown_counts) as f64 / self.pairs)
            }
            mode => costs.of(mode),
        };
        let wanted = ((NANOSECONDS / each) as u64).max(1);
        let evaluation = match self.mode {
            Mode::Array | Mode::Active | Mode::Urn => return wanted,
            Mode::Epochs => Evaluation::Table,
            Mode::ShuffledEpochs => Evaluation::Shuffle,
        };
        // The length of an epoch stays the same as long as the set of present states does.
        let epoch = costs.epoch(evaluation);
        (self.computed - self.shown).saturating_add(wanted.div_ceil(epoch).saturating_mul(epoch))
    }

    /// Advances to a total of `limit` interactions, usually the end of a [stretch](Self::stretch), or until `condition`
    /// first holds; returns whether it holds. Stops earlier if another mode becomes the cheapest, or if more
    /// interactions change a state than the stretch allows. So a call takes some milliseconds. The result of a run does
    /// not depend on its division into stretches.
    pub fn run_stretch(&mut self, condition: Option<&dyn Condition>, limit: u64) -> bool {
        let pace = StretchBudget::of(self.mode);
        match condition {
            Some(condition) => self.run_until_at(condition, limit, pace),
            None => {
                self.run_to_at(limit, pace);
                false
            }
        }
    }

    /// Advances to a total of `interactions`; does nothing if at least that many were already made.
    ///
    /// Cost: see [`Mode`]; observing a configuration inside an epoch costs about two epochs.
    pub fn run_to(&mut self, interactions: u64) {
        self.run_to_at(interactions, StretchBudget::ANY);
    }

    fn run_to_at(&mut self, interactions: u64, mut pace: StretchBudget) {
        while self.computed < interactions && pace.lasts() {
            self.compute(interactions, &mut pace);
        }
        self.show(interactions.min(self.computed).max(self.shown));
    }

    /// Makes `interactions` more interactions.
    pub fn run(&mut self, interactions: u64) {
        self.run_to(self.shown.saturating_add(interactions));
    }

    /// Advances until `condition` first holds, or to a total of `limit` interactions; returns whether it holds. The
    /// condition is evaluated at once and after every interaction that changes a count.
    pub fn run_until(&mut self, condition: &dyn Condition, limit: u64) -> bool {
        self.run_until_at(condition, limit, StretchBudget::ANY)
    }

    fn run_until_at(&mut self, condition: &dyn Condition, limit: u64, mut pace: StretchBudget) -> bool {
        let mut singles = 0;
        loop {
            if condition.holds(&self.shown_counts) {
                return true;
            }
            if self.shown >= limit || !pace.lasts() {
                return false;
            }
            if self.shown < self.computed {
                // The rest of a computed epoch. It is often too short for the condition to hold in it.
                let rest = self.computed - self.shown;
                if calm_for(condition, &self.shown_counts, rest) {
                    self.show(self.computed.min(limit));
                    continue;
                }
                if let Some((place, counts)) = self.first_within(condition, limit) {
                    self.shown = place;
                    self.shown_counts = counts;
                    return true;
                }
                self.show(self.computed.min(limit));
                continue;
            }
            self.decide();
            if !pace.goes_on(self.mode) {
                continue;
            }
            match self.mode {
                Mode::Array => {
                    if self.array_until(condition, limit) {
                        return true;
                    }
                }
                Mode::Active => {
                    let mut most = 1;
                    if singles > 0 {
                        singles -= 1;
                    } else {
                        most = calm(condition, &self.shown_counts, self.active_left.into()) as u32;
                        if most == 0 {
                            (most, singles) = (1, SINGLE);
                        }
                    }
                    self.next_active(limit, most, &mut pace);
                    self.show(self.computed);
                }
                Mode::Urn => {
                    if self.urn_until(condition, limit) {
                        return true;
                    }
                }
                Mode::Epochs | Mode::ShuffledEpochs => self.compute(limit, &mut pace),
            }
        }
    }

    /// Chooses the mode again if the costs are due for comparison.
    pub(super) fn decide(&mut self) {
        if self.computed < self.decide_at || (self.mode == Mode::Active && self.active_left > 0) {
            return;
        }
        self.settle();
        let mode = self.forced.unwrap_or_else(|| {
            self.skip.begin(&self.computed_counts);
            let active = self.skip.active(&self.computed_counts) as f64 / self.pairs;
            let costs = Costs::new(self.agents, &self.computed_counts, &self.rules);
            costs.cheapest(active, |mode| self.is_chosen(mode))
        });
        if mode == Mode::Active {
            self.skip.begin(&self.computed_counts);
            self.active_left = ACTIVE_STRETCH;
        }
        if mode != Mode::Array {
            if let Some(AgentStore::Crowd(crowd)) = self.array.take() {
                crowd.leave(&mut self.pair_draws);
            }
        } else if self.array.is_none() {
            self.array = Some(if SmallArray::fits(self.agents, &self.rules) {
                AgentStore::Crowd(SmallArray::new(&self.computed_counts, &self.rules))
            } else {
                AgentStore::Array(Array::new(&self.computed_counts, &self.rules))
            });
        }
        self.mode = mode;
        self.decide_at = match mode {
            // Several times the work of counting the agents.
            Mode::Array => self.computed.saturating_add(2 * self.agents.max(4096)),
            Mode::Urn => self.computed.saturating_add(self.agents.max(4096)),
            Mode::Epochs | Mode::ShuffledEpochs => {
                let costs = Costs::new(self.agents, &self.computed_counts, &self.rules);
                self.computed.saturating_add(costs.comparison(mode, &self.rules))
            }
            Mode::Active => self.computed,
        };
    }

    /// The up-to-date counts after the computed interactions.
    pub(super) fn settled_counts(&self) -> Vec<u64> {
        let mut counts = self.computed_counts.clone();
        if let Some(line) = self.array.as_ref().filter(|_| !self.is_counted) {
            line.count(&mut counts);
        }
        counts
    }

    /// Updates `computed_counts` from the array, if necessary.
    pub(super) fn settle(&mut self) {
        if let Some(line) = self.array.as_ref().filter(|_| !self.is_counted) {
            self.is_counted = true;
            line.count(&mut self.computed_counts);
        }
    }

    /// Computes some interactions, usually up to a total of at most `limit`. An epoch is computed as a whole and may
    /// exceed the limit.
    fn compute(&mut self, limit: u64, pace: &mut StretchBudget) {
        self.decide();
        if !pace.goes_on(self.mode) {
            return;
        }
        match self.mode {
            Mode::Array => {
                let interactions = limit.min(self.decide_at) - self.computed;
                let (draws, outcomes) = (&mut self.pair_draws, &mut self.outcome_draws);
                match self.array.as_mut().expect("the mode is the array") {
                    AgentStore::Array(array) => array.run(interactions, &self.rules, draws, outcomes),
                    AgentStore::Crowd(crowd) => crowd.run(interactions, draws),
                }
                self.is_counted = false;
                self.computed += interactions;
                self.last = None;
            }
            Mode::Active => self.next_active(limit, u32::MAX, pace),
            Mode::Urn => {
                let interactions = limit.min(self.decide_at) - self.computed;
                let urn = self.urn.as_ref().expect("the mode is the urn");
                urn.run(interactions, &mut self.computed_counts, &mut self.urn_stream);
                self.computed += interactions;
                self.last = None;
            }
            Mode::Epochs => self.next_epoch(Evaluation::Table, limit),
            Mode::ShuffledEpochs => self.next_epoch(Evaluation::Shuffle, limit),
        }
    }

    /// Advances to the limit, to the next comparison of costs, or until `most` interactions have changed a state,
    /// whichever comes first.
    fn next_active(&mut self, limit: u64, most: u32, pace: &mut StretchBudget) {
        self.last = None;
        let Self { skip, skip_draws, computed_counts, rules, pairs, .. } = self;
        for _ in 0..most.min(self.active_left) {
            let at = match skip.next {
                Some(at) => at,
                None => {
                    let gap = skip.gap(computed_counts, *pairs, skip_draws);
                    let at = gap.map_or(u64::MAX, |gap| self.computed.saturating_add(gap));
                    skip.next = Some(at);
                    at
                }
            };
            if at >= limit {
                self.computed = limit;
                return;
            }
            skip.interact(computed_counts, rules, skip_draws);
            skip.next = None;
            self.computed = at + 1;
            self.active_left -= 1;
            pace.changes = pace.changes.saturating_sub(1);
        }
    }

    /// The arguments of the skeleton of the next epoch.
    pub(super) fn wanted(&self, interactions: u64) -> Wanted {
        Wanted { seed: self.seed, agents: self.agents, number: self.epochs, interactions }
    }

    /// Draws and evaluates the next epoch, in a run that continues at least to `limit` interactions.
    fn next_epoch(&mut self, evaluation: Evaluation, limit: u64) {
        let costs = Costs::new(self.agents, &self.computed_counts, &self.rules);
        let interactions = costs.epoch(evaluation);
        let last = self.last.get_or_insert_with(|| LastEpoch {
            number: 0,
            start: 0,
            interactions: 0,
            before: Vec::new(),
            evaluation,
            inside: None,
        });
        last.before.clone_from(&self.computed_counts);
        last.inside = None;
        (last.number, last.start, last.interactions, last.evaluation) =
            (self.epochs, self.computed, interactions, evaluation);
        let mut draws = RandomDraws::new(self.seed, StreamPurpose::Epoch, self.epochs);
        let skeleton = self.ahead.next(self.wanted(interactions));
        let (counts, rules) = (&mut self.computed_counts, &self.rules);
        let pairs = self.epoch.begin(counts, &skeleton, rules, evaluation, &mut draws, None);
        self.ahead.give_back(skeleton);
        // After the work that several threads share: it would find them busy otherwise.
        self.order_ahead(&costs, self.mode, interactions, limit);
        self.epoch.end(&mut self.computed_counts, pairs, &self.rules, &mut draws, None);
        self.epochs += 1;
        self.computed += interactions;
    }

    /// Makes the counts after `interactions` visible; that many must have been computed.
    pub(super) fn show(&mut self, interactions: u64) {
        self.shown = interactions;
        if interactions == self.computed {
            self.settle();
            self.shown_counts.clone_from(&self.computed_counts);
            return;
        }
        let place = interactions - self.last.as_ref().expect("only epochs are computed ahead").start;
        let (inside, before) = self.inside();
        self.shown_counts = inside.counts_at(before, place);
    }

    /// The first number of interactions within the computed epoch, later than the visible number, at which the
    /// condition holds, with the counts there. `None` if there is none up to `limit`.
    fn first_within(&mut self, condition: &dyn Condition, limit: u64) -> Option<(u64, Vec<u64>)> {
        let shown = self.shown;
        let start = self.last.as_ref().expect("only epochs are computed ahead").start;
        let (inside, before) = self.inside();
        let (place, counts) = inside.first_after(before, shown - start, condition)?;
        (start + place <= limit).then(|| (start + place, counts))
    }

    /// The configurations inside the last epoch, and the counts at its start. The epoch is computed again, with a log.
    fn inside(&mut self) -> (&Inside, &[u64]) {
        let last = self.last.as_mut().expect("only epochs are computed ahead");
        let (rules, epoch, seed, agents) = (&self.rules, &mut self.epoch, self.seed, self.agents);
        let inside = last.inside.get_or_insert_with(|| {
            let mut log = EpochLog::default();
            let mut counts = last.before.clone();
            let mut draws = RandomDraws::new(seed, StreamPurpose::Epoch, last.number);
            let mut skeleton = Skeleton::default();
            skeleton.draw(Wanted { seed, agents, number: last.number, interactions: last.interactions });
            let pairs =
                epoch.begin(&mut counts, &skeleton, rules, last.evaluation, &mut draws, Some(&mut log));
            epoch.end(&mut counts, pairs, rules, &mut draws, Some(&mut log));
            Inside::new(log, last.interactions, RandomDraws::new(seed, StreamPurpose::Inside, last.number))
        });
        (inside, &last.before)
    }
}

/// Checks the numbers of states and agents, and returns the number of agents.
fn checked_agents(counts: &[u64], states: usize) -> Result<u64, SizeError> {
    if counts.len() != states {
        return Err(SizeError::WrongLength { given: counts.len(), states });
    }
    let agents: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if !(2..=u128::from(MAX_AGENTS)).contains(&agents) {
        return Err(SizeError::WrongSize { agents });
    }
    Ok(agents as u64)
}

/// The rules in the layout of urns, if this many agents with these rules can run as an urn.
fn urn_of(agents: u64, rules: &TransitionRules) -> Option<UrnRules> {
    UrnRules::fits(agents, rules).then(|| UrnRules::new(agents, rules))
}

/// The random streams of pairs in an array.
fn pair_draws(seed: u64) -> [RandomDraws; LANES] {
    std::array::from_fn(|lane| RandomDraws::new(seed, StreamPurpose::Pairs, lane as u64))
}
