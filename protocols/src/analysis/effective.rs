//! The effective transitions of a table as text.

use std::fmt;

use super::classification::PairClass;
use crate::table::{Table, WeightedOutcome};

/// All ordered pairs of a table that change something: one line per outcome, in aligned columns, and a last line with
/// totals. Created by [`Table::effective`], printed by [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug)]
pub struct EffectiveTable<'a> {
    table: &'a Table,
    most_lines: usize,
}

impl Table {
    /// The effective transitions of the table, as text.
    #[must_use]
    pub fn effective(&self) -> EffectiveTable<'_> {
        EffectiveTable { table: self, most_lines: usize::MAX }
    }
}

impl EffectiveTable<'_> {
    /// Shows at most this many outcomes, followed by the number of omitted ones.
    #[must_use]
    pub fn with_line_limit(self, lines: usize) -> Self {
        Self { most_lines: lines, ..self }
    }
}

impl fmt::Display for EffectiveTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.table;
        let longest = table.state_names().iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let wide = longest.max("initiator".len());
        let head = ["initiator", "responder"];
        writeln!(f, "{:wide$}  {:wide$}      {:wide$}  {:wide$}  class", head[0], head[1], head[0], head[1])?;
        let (mut changing, mut lines) = (0_usize, 0_usize);
        for a in table.states() {
            for b in table.states() {
                let class = PairClass::new(table, a, b);
                if class == PairClass::Null {
                    continue;
                }
                changing += 1;
                let total: u64 = table.outcomes(a, b).map(|outcome| u64::from(outcome.weight)).sum();
                for WeightedOutcome { initiator, responder, weight } in table.outcomes(a, b) {
                    lines += 1;
                    if lines > self.most_lines {
                        continue;
                    }
                    let [a, b, c, d] = [a, b, initiator, responder].map(|state| table.state_name(state));
                    write!(f, "{a:wide$}  {b:wide$}  ->  {c:wide$}  {d:wide$}  {class}")?;
                    if class == PairClass::Randomised {
                        write!(f, " {weight}/{total}")?;
                    }
                    writeln!(f)?;
                }
            }
        }
        if let Some(hidden @ 1..) = lines.checked_sub(self.most_lines) {
            writeln!(f, "... and {hidden} more")?;
        }
        let count = usize::from(table.state_count());
        let all = count * count;
        writeln!(f, "{changing} of {all} ordered pairs change something, {} are null", all - changing)
    }
}
