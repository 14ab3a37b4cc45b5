//! The cost of an interaction of a population.

use super::cost::{Costs, Mode};
use super::population::Population;

impl Population {
    /// An estimate of the processor time of an interaction in nanoseconds, in the cheapest mode for the current counts.
    /// The estimate changes with the counts. It is computed from counts of operations and from costs that were once
    /// measured on a busy machine; the call itself measures nothing.
    ///
    /// ```
    /// use acrasin_protocols::{Table, library::ApproximateMajority, uniform::Population};
    ///
    /// let table = Table::compile(&ApproximateMajority)?;
    /// let nanoseconds = |agents: u64| {
    ///     Population::new(&table, &[agents, agents, 0], 1).map(|population| population.nanoseconds())
    /// };
    /// assert!(nanoseconds(1 << 40)? < nanoseconds(1 << 30)? && nanoseconds(1 << 30)? < nanoseconds(500)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nanoseconds(&self) -> f64 {
        let mut skip = self.skip.clone();
        skip.begin(&self.shown_counts);
        let active = skip.active(&self.shown_counts) as f64 / self.pairs;
        let costs = Costs::new(self.agents, &self.shown_counts, &self.rules);
        let mode = costs.cheapest(active, |mode| self.is_chosen(mode));
        costs.of(mode) * if mode == Mode::Active { active } else { 1.0 }
    }
}
