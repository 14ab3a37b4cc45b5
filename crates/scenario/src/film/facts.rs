//! Facts about a run in the head of its film.

use acrasin_report::record::{Figure, FigureValue, RunRecord};
use acrasin_report::value::TextStyle;

/// Facts about a run for the head of its film: seed, outcome, digest, the meaning of time ("law of time"), and the
/// algorithm. For a replay, `end` is the outcome in the recording.
#[must_use]
pub fn facts(record: &RunRecord, seed: u64, end: Option<String>) -> Vec<(String, String)> {
    let mut facts = vec![("seed".to_owned(), seed.to_string())];
    let outcome = record.outcome();
    let (word, reason) = (&outcome.word, &outcome.reason);
    let said = match reason.strip_prefix(&**word) {
        _ if reason.is_empty() => word.clone(),
        // Some reasons begin with the word.
        Some(rest) if rest.starts_with(':') => reason.clone(),
        _ => format!("{word}: {reason}"),
    };
    facts.push(("outcome".to_owned(), end.unwrap_or(said)));
    for section in record.body() {
        for figure in section.figures() {
            let is_told = match (section.key(), figure.key()) {
                ("digest", "configuration") => Some("digest"),
                (_, "law") => Some("law of time"),
                _ => None,
            };
            if let Some(name) = is_told {
                facts.push((name.to_owned(), told(figure)));
            }
        }
    }
    for figure in &record.manifest().further {
        if ["algorithm", "rung", "exclusion"].contains(&figure.key()) {
            facts.push((figure.key().to_owned(), told(figure)));
        }
    }
    facts
}

fn told(figure: &Figure) -> String {
    match figure.value() {
        FigureValue::One(value) => value.to_text(TextStyle::default()),
        _ => String::new(),
    }
}
