//! The choice of the cheapest engine. Costs are computed from counts of operations, never from a clock, so that runs
//! are reproducible.

use super::dealing::Dealing;
use super::epoch::Evaluation;
use super::rules::TransitionRules;

/// The methods by which a population computes interactions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// One by one on an array of states: each interaction takes one look-up and two stores at random positions in
    /// memory.
    Array,
    /// In epochs, whose pairs are drawn as a table of A cells: about 2 sqrt(2 A / n) draws of counts per interaction,
    /// with n agents.
    Epochs,
    /// In epochs, whose pairs are drawn one by one: for many states, for which tables are large. The pairs of an epoch
    /// are dealt if there are more pairs than kinds of pairs, otherwise shuffled.
    ShuffledEpochs,
    /// Only interactions that change a state; the number of skipped interactions in between is drawn.
    Active,
    /// One by one, using only counts: for up to 4096 agents, up to 4 states, and deterministic rules. Many such runs
    /// advance side by side ([`Population::run_until_together`](super::Population::run_until_together)).
    Urn,
}

// Costs are in nanoseconds of a busy machine. Only ratios matter.
/// The cost of drawing a count without replacement. All costs here are in nanoseconds.
const DRAW: f64 = 80.0;
/// The cost of a collision: drawing a run length, about three agents, their positions and states. We measured 45 on one
/// thread. The constant is lower because about half of that is spent on the skeleton, which other threads draw in
/// advance. So epochs are slightly longer than optimal for one thread.
const COLLISION: f64 = 27.0;
/// The cost of a pair that is shuffled and tallied.
const SHUFFLED: f64 = 1.5;
/// The cost of a pair that is dealt.
const DEALT: f64 = 0.8;
/// The cost of evaluating a kind of pairs.
const TALLIED: f64 = 4.0;
/// The cost of an active interaction.
const ACTIVE: f64 = 35.0;
/// The cost of examining one state for an active interaction.
const LOOK: f64 = 1.5;
/// The cost of an interaction of an urn: 0.7 in a vector lane, 4 alone. One value is used for both, because both must
/// choose the same modes.
const URN: f64 = 1.0;
/// The cost of an interaction on an array, by its size in bytes: in the first-, second- and third-level cache, and in
/// memory.
const ARRAY: [(u64, f64); 5] =
    [(1 << 16, 3.0), (1 << 19, 3.5), (1 << 21, 4.2), (1 << 24, 6.0), (u64::MAX, 20.0)];
/// The cost of examining a pair of states when costs are compared.
const SHARE: f64 = 0.7;
/// Costs are compared again when the interactions since the last comparison have cost this many times as much as a
/// comparison.
const RARELY: f64 = 20.0;
/// The maximum number of draws that the choice of an epoch's length takes into account. It limits the number of agents
/// that an epoch lists.
const MOST_DRAWS: f64 = (1 << 24) as f64;

/// The cost of each mode for one configuration.
pub(super) struct Costs {
    agents: f64,
    array: f64,
    /// The number of present states.
    present: usize,
    /// The number of draws of counts per epoch, without the draws of the table.
    margins: f64,
    /// The number of draws of the table.
    cells: f64,
    active: f64,
}

impl Costs {
    pub(super) fn new(agents: u64, counts: &[u64], rules: &TransitionRules) -> Self {
        let present = counts.iter().filter(|&&count| count > 0).count();
        // At least one: if all agents are in one state, the first interaction that changes something adds another.
        let others = (present as f64 - 1.0).max(1.0);
        let array = ARRAY.iter().find(|&&(most, _)| agents <= most).map_or(20.0, |&(_, cost)| cost);
        Self {
            agents: agents as f64,
            array,
            present,
            margins: 3.0 * others,
            cells: others * others,
            active: ACTIVE + LOOK * rules.states() as f64,
        }
    }

    /// The length of an epoch in interactions at which collisions cost as much as all draws of counts. The number of
    /// collisions grows with the square of the length; the number of draws does not depend on it.
    pub(super) fn epoch(&self, evaluation: Evaluation) -> u64 {
        let balanced = |nanoseconds: f64| {
            let best = (self.agents * nanoseconds.min(MOST_DRAWS * DRAW) / (2.0 * COLLISION)).sqrt();
            (best.min(self.agents / 4.0) as u64).max(1)
        };
        match evaluation {
            Evaluation::Table => balanced((self.margins + self.cells) * DRAW),
            Evaluation::Shuffle => {
                let listed = balanced(self.margins * DRAW);
                if Dealing::fits(listed, self.present) {
                    balanced(self.margins * DRAW + self.cells * TALLIED)
                } else {
                    listed
                }
            }
        }
    }

    /// The cost per interaction in epochs, in nanoseconds.
    fn epochs(&self, evaluation: Evaluation) -> f64 {
        let interactions = self.epoch(evaluation) as f64;
        let collisions = 2.0 * interactions * interactions / self.agents + 1.0;
        match evaluation {
            Evaluation::Table => (collisions * COLLISION + (self.margins + self.cells) * DRAW) / interactions,
            Evaluation::Shuffle => {
                let evaluated = collisions * COLLISION + self.margins * DRAW + self.cells * TALLIED;
                evaluated / interactions
                    + if Dealing::fits(interactions as u64, self.present) { DEALT } else { SHUFFLED }
            }
        }
    }

    /// The cost in nanoseconds per interaction; for [`Mode::Active`], per interaction that changes a state.
    pub(super) fn of(&self, mode: Mode) -> f64 {
        match mode {
            Mode::Array => self.array,
            Mode::Epochs => self.epochs(Evaluation::Table),
            Mode::ShuffledEpochs => self.epochs(Evaluation::Shuffle),
            Mode::Active => self.active,
            Mode::Urn => URN,
        }
    }

    /// The number of interactions after which costs are compared again.
    pub(super) fn comparison(&self, mode: Mode, rules: &TransitionRules) -> u64 {
        (RARELY * SHARE * rules.active().len() as f64 / self.of(mode)) as u64
    }

    /// The cheapest mode for which `fits` holds, if the fraction `active` of ordered pairs may change a state.
    pub(super) fn cheapest(&self, active: f64, fits: impl Fn(Mode) -> bool) -> Mode {
        let cost = |mode| match mode {
            Mode::Active => self.active * active,
            mode => self.of(mode),
        };
        let modes = [Mode::Active, Mode::Epochs, Mode::ShuffledEpochs, Mode::Urn, Mode::Array];
        modes
            .into_iter()
            .filter(|&mode| fits(mode))
            .min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
            .unwrap_or(Mode::Epochs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use crate::library::Fratricide;

    /// Regression: with all agents in one state the estimated length of an epoch was one interaction, so a large
    /// population was laid out as an array. Fratricide of 10^8 leaders took seconds before its first epoch.
    #[test]
    fn many_agents_of_one_state_are_no_reason_for_an_array() {
        let rules = TransitionRules::new(&Table::compile(&Fratricide).expect("a table"));
        for agents in [1 << 20, 100_000_000] {
            let costs = Costs::new(agents, &[agents, 0], &rules);
            let mode = costs.cheapest(1.0, |_| true);
            assert!(matches!(mode, Mode::Epochs | Mode::ShuffledEpochs), "{mode:?}");
            assert!(costs.epoch(Evaluation::Table) > 500);
        }
        let few = Costs::new(1000, &[1000, 0], &rules);
        assert_eq!(few.cheapest(1.0, |mode| mode != Mode::Urn), Mode::Array);
    }
}
