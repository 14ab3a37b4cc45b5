//! [`ColumnTitle`]: a column in words, for the axis of a plot.

use std::fmt;

/// The words for a column of rows, and its unit if that is known.
///
/// ```
/// use acrasin_report::rows::ColumnTitle;
///
/// let title = |column: &str| ColumnTitle::of(column).to_string();
/// assert_eq!(title("work.parallel_time"), "parallel time (interactions per node)");
/// assert_eq!(title("locks.messages.mean"), "mean messages of a Lock");
/// assert_eq!(title("manifest.wall_time_seconds"), "wall time (seconds)");
/// // Columns of other programs, by their names.
/// assert_eq!(title("work time_s"), "work time (seconds)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnTitle {
    name: String,
    unit: Option<&'static str>,
}

/// Columns whose names are not clear by themselves: the column, its words, and its unit. The unit is empty if the words
/// contain it.
const KNOWN: [(&str, &str, &str); 45] = [
    ("work.parallel_time", "parallel time", "interactions per node"),
    ("work.time", "time", "time unit of the rates"),
    ("work.width", "most actions at the same time", ""),
    ("work.mean_width", "mean number of actions at the same time", ""),
    ("work.states_met", "states that occurred", ""),
    ("work.amoebot_steps", "steps of amoebots", ""),
    ("work.expand_failures", "expansions that failed", ""),
    ("work.invalid", "invalid actions", ""),
    ("work.changes", "interactions that changed a state", ""),
    ("locks.completed", "completed Locks", ""),
    ("locks.released", "completed Unlocks", ""),
    ("locks.trials", "trials of a Lock", ""),
    ("locks.rounds", "rounds of a Lock", ""),
    ("locks.messages", "messages of a Lock", ""),
    ("locks.members", "nodes of a lock set", ""),
    ("locks.trials_begun", "trials", ""),
    ("locks.trials_ratio", "trials per Lock", ""),
    ("locks.messages_ratio", "messages per Lock", ""),
    ("locks.late_rejections", "requests refused by repair R1", ""),
    ("locks.holding", "nodes that hold a lock set", "share"),
    ("locks.held", "nodes in a lock set", "share"),
    ("locks.longest_wait", "longest wait", "rounds"),
    ("locks.waiting", "nodes that wait at the end", ""),
    ("locks.failures", "failed Locks", ""),
    ("locks.waits", "steps of waiting", ""),
    ("entries.by_node", "entries of a node", ""),
    ("entries.wait_to_enter", "wait to enter", "rounds"),
    ("entries.wait_to_leave", "wait to leave", "rounds"),
    ("entries.messages", "messages per entry", ""),
    ("entries.pair", "messages of an entry and its exit", ""),
    ("entries.hops", "edges that a request travels", ""),
    ("entries.share_least", "entries of the node with the fewest", "share"),
    ("entries.share_most", "entries of the node with the most", "share"),
    ("messages.to_neighbours", "messages to neighbours", ""),
    ("messages.to_self", "messages of nodes to themselves", ""),
    ("messages.sent", "messages of the locks", ""),
    ("messages.steps", "steps of the lock algorithm", ""),
    ("topology.connected", "edges that appeared", ""),
    ("topology.disconnected", "edges that vanished", ""),
    ("topology.lost", "messages lost with their edges", ""),
    ("topology.step_seconds", "length of a step", "seconds"),
    ("memory.bytes", "memory", "bytes"),
    ("memory.bytes_per_node", "memory per node", "bytes"),
    ("fairness.forced", "steps forced by fairness", "turns"),
    ("fairness.longest_turns", "longest wait of an enabled action", "turns"),
];

/// The statistics of a distribution: the end of the column name, and its words.
const STATISTICS: [(&str, &str); 6] = [
    (".count", "samples of "),
    (".mean", "mean "),
    (".median", "median "),
    (".percentile_95", "95th percentile of "),
    (".min", "least "),
    (".max", "greatest "),
];

/// Sections whose columns are named after states, outputs or kinds of messages.
const OF_EACH: [(&str, &str); 4] = [
    ("states.", "agents in state "),
    ("outputs.", "agents with output "),
    ("messages.", "messages of kind "),
    ("entries.", "messages per entry of kind "),
];

/// Sections whose names are omitted, because they add nothing to the names of their columns.
const SECTIONS: [&str; 9] =
    ["work.", "locks.", "topology.", "memory.", "fairness.", "shape.", "faults.", "manifest.", "measures."];

/// The ends of column names that stand for a unit.
const UNITS: [(&str, &str); 7] = [
    ("_seconds", "seconds"),
    ("_s", "seconds"),
    ("_ms", "milliseconds"),
    ("_us", "microseconds"),
    ("_ns", "nanoseconds"),
    ("_bytes", "bytes"),
    ("_turns", "turns"),
];

impl ColumnTitle {
    /// The words for the column with this name, as in [`Rows::names`](super::Rows::names).
    #[must_use]
    pub fn of(column: &str) -> Self {
        let settings = ["sweep.", "scenario."].iter().find_map(|section| column.strip_prefix(section));
        let column = settings.unwrap_or(column);
        let known = |column: &str| KNOWN.iter().find(|(name, ..)| *name == column);
        if let Some((_, words, unit)) = known(column) {
            return Self { name: (*words).to_owned(), unit: Some(*unit).filter(|unit| !unit.is_empty()) };
        }
        let of_distribution =
            STATISTICS.iter().find_map(|(end, words)| Some((column.strip_suffix(end)?, words)));
        if let Some((base, words)) = of_distribution.filter(|(base, _)| base.contains('.')) {
            let Self { name, unit } = Self::of(base);
            return Self { name: format!("{words}{name}"), unit };
        }
        if let Some((rest, words)) =
            OF_EACH.iter().find_map(|(section, words)| Some((column.strip_prefix(section)?, words)))
        {
            return Self { name: format!("{words}{}", rest.replace('_', " ")), unit: None };
        }
        let own = SECTIONS.iter().find_map(|section| column.strip_prefix(section)).unwrap_or(column);
        let of_unit = UNITS.iter().find_map(|(end, unit)| Some((own.strip_suffix(end)?, *unit)));
        let (own, unit) = of_unit.map_or((own, None), |(own, unit)| (own, Some(unit)));
        Self { name: own.replace(['_', '.'], " "), unit }
    }

    /// The words without the unit.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for ColumnTitle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            Some(unit) => write!(f, "{} ({unit})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_words_and_units() {
        for (column, title) in [
            ("sweep.topology.nodes", "nodes"),
            ("scenario.topology.nodes", "nodes"),
            ("locks.trials.percentile_95", "95th percentile of trials of a Lock"),
            ("entries.wait_to_enter.mean", "mean wait to enter (rounds)"),
            ("work.rounds", "rounds"),
            ("states.A", "agents in state A"),
            ("messages.request_lock", "messages of kind request lock"),
            ("messages.sent", "messages of the locks"),
            ("fairness.bound_turns", "bound (turns)"),
            ("manifest.peak_bytes", "peak (bytes)"),
            ("sweep.initial.A", "initial A"),
            ("sweep.scheduler.activation", "scheduler activation"),
            // Columns of other programs: they have no section, and no word is taken for a unit.
            ("time_ms", "time (milliseconds)"),
            ("s", "s"),
            ("items", "items"),
            ("mean", "mean"),
            ("", ""),
        ] {
            assert_eq!(ColumnTitle::of(column).to_string(), title, "{column}");
        }
    }

    #[test]
    fn each_known_column_is_known_once() {
        for (at, (column, ..)) in KNOWN.iter().enumerate() {
            assert!(KNOWN[..at].iter().all(|(other, ..)| other != column), "{column}");
        }
    }
}
