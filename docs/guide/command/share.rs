use acrasin::catalogue::parameter::{Parameter, ParameterKind};
use acrasin::process::{Condition, StopCondition};
use acrasin::scenario::stop::StopEntry;

/// The state with this number has this share of all agents.
struct Share {
    state: usize,
    percent: u64,
}

impl Condition for Share {
    fn holds(&self, counts: &[u64]) -> bool {
        100 * counts[self.state] >= self.percent * counts.iter().sum::<u64>()
    }

    /// Whether it can hold for counts between these bounds. `true` is always right; `false` saves work.
    fn possible(&self, least: &[u64], most: &[u64]) -> bool {
        100 * most[self.state] >= self.percent * least.iter().sum::<u64>()
    }
}

pub(crate) const SHARE: StopEntry = StopEntry {
    name: "Share",
    summary: "a state has this share of all agents",
    parameters: &[
        Parameter::required("state", ParameterKind::Text, "the state"),
        Parameter::required("percent", ParameterKind::Count, "its share, in percent"),
    ],
    make: |values, scene| {
        // The error about an unknown state is reported at its place in the scenario.
        let state = scene.state("state", values.text("state").unwrap_or_default())?;
        Ok(StopCondition::of_counts(Share { state, percent: values.count_of("percent") }))
    },
};
