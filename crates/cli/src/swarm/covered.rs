//! [`UnexpectedCells`]: checks the cells of the coverage table.

use acrasin_verify::swarm::{CoverageColumn, ShippedSwarm, Summary};

/// The minimum number of runs with which an empty cell is a failure. The rarest cells are hit about three times in
/// 2,000 runs, so with fewer runs they may be empty by chance.
pub(super) const RUNS_FOR_EVERY_CELL: u64 = 10_000;

/// The unexpected cells of a coverage table.
#[derive(Debug)]
pub(super) struct UnexpectedCells {
    /// Cells that could be hit but are empty, as `action x column`.
    pub(super) empty: Vec<String>,
    /// Cells that are not empty although the algorithm rules them out, as `action x column`.
    pub(super) impossible: Vec<String>,
    /// Whether the rules are the repaired ones. Only for these rules it is known which cells are possible.
    is_repaired: bool,
    runs: u64,
}

impl UnexpectedCells {
    pub(super) fn of<E: ShippedSwarm>(summary: &Summary, is_repaired: bool) -> Self {
        let named = |(action, column): (E::Action, CoverageColumn)| format!("{action} x {}", column.name());
        Self {
            empty: summary.coverage.empty::<E>().map(named).collect(),
            impossible: summary.coverage.impossible::<E>().map(named).collect(),
            is_repaired,
            runs: summary.runs,
        }
    }

    /// Whether the unexpected cells make the command fail.
    pub(super) fn has_failed(&self) -> bool {
        self.is_empty_a_failure() || self.is_impossible_a_failure()
    }

    fn is_empty_a_failure(&self) -> bool {
        self.is_repaired && self.runs >= RUNS_FOR_EVERY_CELL && !self.empty.is_empty()
    }

    fn is_impossible_a_failure(&self) -> bool {
        self.is_repaired && !self.impossible.is_empty()
    }

    /// The unexpected cells, one line for each kind.
    pub(super) fn complaints(&self) -> Vec<String> {
        let word = |is_failure| if is_failure { "coverage failed" } else { "note" };
        let are = |count: usize| match count {
            1 => "1 cell is".to_owned(),
            count => format!("{count} cells are"),
        };
        let mut lines = Vec::new();
        if !self.empty.is_empty() {
            let cells = self.empty.join(", ");
            let (word, count) = (word(self.is_empty_a_failure()), are(self.empty.len()));
            let so_far = match self.is_repaired && self.runs < RUNS_FOR_EVERY_CELL {
                true => format!(" (a failure in {RUNS_FOR_EVERY_CELL} runs or more)"),
                false => String::new(),
            };
            lines.push(format!("{word}: {count} possible, but empty{so_far}: {cells}"));
        }
        if !self.impossible.is_empty() {
            let cells = self.impossible.join(", ");
            let (word, count) = (word(self.is_impossible_a_failure()), are(self.impossible.len()));
            lines
                .push(format!("{word}: {count} impossible under the repaired rules, but not empty: {cells}"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(empty: bool, impossible: bool, is_repaired: bool, runs: u64) -> UnexpectedCells {
        let one = |is_there: bool| is_there.then(|| "CleanUp x calm".to_owned()).into_iter().collect();
        UnexpectedCells { empty: one(empty), impossible: one(impossible), is_repaired, runs }
    }

    #[test]
    fn an_empty_cell_is_a_failure_of_many_runs_of_the_repaired_rules() {
        let few = RUNS_FOR_EVERY_CELL - 1;
        for (runs, is_repaired, fails) in
            [(RUNS_FOR_EVERY_CELL, true, true), (few, true, false), (RUNS_FOR_EVERY_CELL, false, false)]
        {
            let covered = covered(true, false, is_repaired, runs);
            assert_eq!(covered.has_failed(), fails, "{covered:?}");
            let [line] = &covered.complaints()[..] else { panic!("{covered:?}") };
            assert!(line.starts_with(if fails { "coverage failed: 1" } else { "note: 1" }), "{line}");
            assert!(line.ends_with("CleanUp x calm"), "{line}");
            assert_eq!(line.contains("in 10000 runs or more"), runs == few, "{line}");
        }
    }

    #[test]
    fn an_impossible_cell_that_is_hit_is_a_failure_of_any_run_of_the_repaired_rules() {
        assert!(covered(false, true, true, 1).has_failed());
        assert!(!covered(false, true, false, RUNS_FOR_EVERY_CELL).has_failed());
        let sound = covered(false, false, true, RUNS_FOR_EVERY_CELL);
        assert!(!sound.has_failed() && sound.complaints().is_empty());
    }
}
