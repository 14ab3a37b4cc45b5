//! Compares the run of an algorithm with the file.

use std::collections::BTreeMap;

use acrasin_circuits::CoinTrouble;
use acrasin_circuits::circuit::BeepCounts;
use serde_json::Value;

use super::super::comparison::ScenarioComparison;
use super::super::report::{ConformanceReport, ScenarioPoint};
use super::text::CircuitRunCase;

/// The rounds and results of a run, to be compared with the file.
#[derive(Default)]
pub(super) struct ExecutedRun {
    pub(super) rounds: Vec<ExecutedRound>,
    /// The reason why the run ended early; `None` if it did not.
    pub(super) trouble: Option<String>,
    pub(super) coins: Option<CoinTrouble>,
    pub(super) result: BTreeMap<String, Value>,
    /// An unknown name in the file: field, name, accepted names.
    pub(super) unknown: Option<[String; 3]>,
}

impl ExecutedRun {
    /// An empty run that reports an unknown name.
    pub(super) fn unknown(field: &str, name: &str, accepted: &str) -> Self {
        Self { unknown: Some([field, name, accepted].map(str::to_owned)), ..Self::default() }
    }
}

/// The communication half of one executed round.
pub(super) struct ExecutedRound {
    pub(super) name: &'static str,
    pub(super) counts: BeepCounts,
    pub(super) state: Option<String>,
}

/// Compares the rounds, coins and results of a run with the file.
pub(super) fn compare(case: &CircuitRunCase, run: &ExecutedRun, line: u64, report: &mut ConformanceReport) {
    let mut comparison = ScenarioComparison::new(&case.id, line, report);
    if let Some([field, name, accepted]) = &run.unknown {
        return comparison.differs(field, name, &format!("not known (accepted: {accepted})"));
    }
    for (number, (expected, actual)) in case.rounds.iter().zip(&run.rounds).enumerate() {
        comparison.step(number + 1);
        comparison.compare("round", expected.round.as_str(), actual.name, str::to_owned);
        let BeepCounts { circuits, sent, heard } = actual.counts;
        for (field, expected, actual) in [
            ("circuits", expected.circuits, circuits),
            ("sent", expected.sent, sent),
            ("heard", expected.heard, heard),
        ] {
            comparison.compare(field, &expected, &actual, u64::to_string);
        }
        // A file lists the states of some rounds only.
        if expected.state.is_some() {
            comparison.compare("state", &expected.state, &actual.state, |state| format!("{state:?}"));
        }
    }
    comparison.place = ScenarioPoint::Final;
    if let Some(trouble) = &run.trouble {
        comparison.differs("rounds", "a complete run", trouble);
    }
    comparison.compare("rounds", &case.rounds.len(), &run.rounds.len(), usize::to_string);
    if let Some(trouble) = run.coins {
        comparison.differs("coins", "exactly those that are used", &trouble.to_string());
    }
    let names = case.result.keys().chain(run.result.keys().filter(|name| !case.result.contains_key(*name)));
    for name in names {
        let show = |value: &Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
        let (expected, actual) = (case.result.get(name), run.result.get(name));
        comparison.compare(&format!("result.{name}"), &expected, &actual, show);
    }
}
