//! The record of a run: its results as they are printed and stored.
//!
//! A [`RunRecord`] is a list of [`Section`]s, each a list of [`Figure`]s with a key, a label, a unit and a value. The
//! outcome comes first and the manifest last. Text, CSV and JSON lines are made from this list, so every figure has the
//! same name in all of them. For example, `locks.completed` is the CSV column and the path in the JSON object. Only
//! programs get the parameters of the scenario, such as `scenario.topology.nodes`.

mod manifest;
mod outcome;
mod repetitions;
mod section;
mod text;

pub use acrasin_process::{Ending, Exit, ReplayFinding};
pub use manifest::Manifest;
pub use outcome::Outcome;
pub use repetitions::{
    figures_over_repetitions, outcomes_over_repetitions, record_cells, records_table, render_records,
};
pub use section::{Figure, FigureValue, Section, SectionName};

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::value::Value;

/// The results of one repetition of a run.
///
/// Serialised as one object: `repetition`, then one object for each section, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    repetition: u64,
    manifest: Manifest,
    ending: Ending,
    outcome: Outcome,
    body: Vec<Section>,
}

impl RunRecord {
    /// A record without figures. Repetitions count from 0.
    pub fn new(repetition: u64, manifest: Manifest, ending: Ending) -> Self {
        let outcome = Outcome::of(&ending);
        Self { repetition, manifest, ending, outcome, body: Vec::new() }
    }

    /// Adds a section at the end. If its key is taken, it gets the suffix `_2`, `_3` and so on.
    pub fn push(&mut self, mut section: Section) {
        // The record itself uses these keys.
        const OWN: [&str; 4] = ["repetition", "outcome", "manifest", "scenario"];
        section.evade(|key| OWN.contains(&key) || self.body.iter().any(|other| other.key() == key));
        section.shrink();
        self.body.push(section);
    }

    /// The number of the repetition, from 0.
    pub fn repetition(&self) -> u64 {
        self.repetition
    }

    /// The manifest of the run.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The manifest, so that the caller can add facts that a run does not know, such as the processor.
    pub fn manifest_mut(&mut self) -> &mut Manifest {
        &mut self.manifest
    }

    /// Replaces the ending.
    pub fn set_ending(&mut self, ending: Ending) {
        self.outcome = Outcome::of(&ending);
        self.ending = ending;
    }

    /// The ending of the run.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// The ending as text.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The sections that were [pushed](Self::push).
    pub fn body(&self) -> &[Section] {
        &self.body
    }

    /// The sections for people, in order: outcome, body, manifest.
    pub fn sections(&self) -> impl Iterator<Item = Cow<'_, Section>> {
        let body = self.body.iter().map(Cow::Borrowed);
        let outcome = std::iter::once(Cow::Owned(self.outcome.section()));
        outcome.chain(body).chain(std::iter::once_with(|| Cow::Owned(self.manifest.section())))
    }

    /// The [`sections`](Self::sections), followed by the [parameters](Manifest::parameters). Text omits the parameters
    /// because there may be forty of them; a table of several runs needs those that differ between runs.
    pub fn sections_for_programs(&self) -> impl Iterator<Item = Cow<'_, Section>> {
        let parameters = self.manifest.parameters.as_deref();
        self.sections().chain(parameters.into_iter().map(Cow::Borrowed))
    }

    /// The record as one JSON object on one line, with a line feed.
    pub fn to_json_line(&self) -> String {
        crate::table::json_line(self)
    }
}

impl Serialize for RunRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("repetition", &Value::Integer(self.repetition))?;
        for section in self.sections_for_programs() {
            map.serialize_entry(section.key(), section.as_ref())?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_cannot_take_the_place_of_another() {
        let mut record = RunRecord::new(0, Manifest::new("0.1.0", 1), Ending::Served);
        for _ in 0..2 {
            record.push(Section::new("outcome", "Another outcome"));
        }
        let keys: Vec<String> = record.sections().map(|section| section.key().to_owned()).collect();
        assert_eq!(keys, ["outcome", "outcome_2", "outcome_3", "manifest"]);
    }
}
