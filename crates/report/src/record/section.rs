//! Figures and sections of records.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::summary::{Distribution, Spread};
use crate::table::untaken_key;
use crate::value::Value;

/// The standard sections in the order of a full record, so that all drivers use the same keys and titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SectionName {
    /// The ending of the run. Every record creates this section itself.
    Outcome,
    /// Interactions, parallel time, rounds, steps.
    Work,
    /// Locks completed; trials, rounds and messages per Lock; late rejections; longest wait; shares of nodes.
    Locks,
    /// Messages by kind.
    Messages,
    /// Connects, disconnects, lost messages, refused contacts.
    Topology,
    /// The bound of weak fairness, the number of forced choices, and how long enabled actions waited.
    Fairness,
    /// Bytes, in total and per node.
    Memory,
    /// Digest of the last configuration.
    Digest,
    /// Nodes by state at the end.
    States,
    /// Nodes by output at the end.
    Outputs,
    /// The manifest. Every record creates this section itself.
    Manifest,
    /// The parameters of the scenario, for programs.
    Scenario,
}

impl SectionName {
    /// Every name, in the order of a full record.
    pub const ALL: [Self; 12] = [
        Self::Outcome,
        Self::Work,
        Self::Locks,
        Self::Messages,
        Self::Topology,
        Self::Fairness,
        Self::Memory,
        Self::Digest,
        Self::States,
        Self::Outputs,
        Self::Manifest,
        Self::Scenario,
    ];

    /// The key in CSV and JSON lines.
    pub fn key(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Work => "work",
            Self::Locks => "locks",
            Self::Messages => "messages",
            Self::Topology => "topology",
            Self::Fairness => "fairness",
            Self::Memory => "memory",
            Self::Digest => "digest",
            Self::States => "states",
            Self::Outputs => "outputs",
            Self::Manifest => "manifest",
            Self::Scenario => "scenario",
        }
    }

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Outcome => "Outcome",
            Self::Work => "Work",
            Self::Locks => "Locks",
            Self::Messages => "Messages",
            Self::Topology => "Topology",
            Self::Fairness => "Weak fairness",
            Self::Memory => "Memory",
            Self::Digest => "Digest",
            Self::States => "Nodes by state at the end",
            Self::Outputs => "Nodes by output at the end",
            Self::Manifest => "Made by",
            Self::Scenario => "Parameters of the scenario",
        }
    }
}

/// The value of a figure.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FigureValue {
    /// One value.
    One(Value),
    /// Statistics of many samples: one line of text, one CSV column for each statistic, an object in JSON.
    Spread(Box<Spread>),
}

/// One figure of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub(super) key: Cow<'static, str>,
    pub(super) label: Cow<'static, str>,
    pub(super) unit: Option<Cow<'static, str>>,
    pub(super) value: FigureValue,
    pub(super) json_only: bool,
    pub(super) ungrouped: bool,
}

impl Figure {
    /// A figure with one value. `key` is for programs and includes the unit if it could be unclear
    /// (`longest_wait_rounds`); `label` is for people.
    pub fn new(
        key: impl Into<Cow<'static, str>>,
        label: impl Into<Cow<'static, str>>,
        value: impl Into<Value>,
    ) -> Self {
        Self::holding(key.into(), label.into(), FigureValue::One(value.into()))
    }

    /// A figure with the statistics of a distribution.
    pub fn spread(
        key: impl Into<Cow<'static, str>>,
        label: impl Into<Cow<'static, str>>,
        samples: &Distribution,
    ) -> Self {
        Self::holding(key.into(), label.into(), FigureValue::Spread(Box::new(samples.spread())))
    }

    fn holding(key: Cow<'static, str>, label: Cow<'static, str>, value: FigureValue) -> Self {
        Self { key, label, unit: None, value, json_only: false, ungrouped: false }
    }

    /// Sets the unit for people.
    #[must_use]
    pub fn with_unit(mut self, unit: impl Into<Cow<'static, str>>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Leaves the figure out of text and CSV. Use this for long texts.
    #[must_use]
    pub fn json_only(mut self) -> Self {
        self.json_only = true;
        self
    }

    /// Never groups digits. Use this for numbers that people copy, such as seeds.
    #[must_use]
    pub fn ungrouped(mut self) -> Self {
        self.ungrouped = true;
        self
    }

    /// The key in CSV and JSON lines.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The label for people.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The value: one number or text, or the statistics of many samples.
    pub fn value(&self) -> &FigureValue {
        &self.value
    }

    /// Calls `visit` for each value of the figure, with the suffixes of its key and label.
    pub(super) fn each_part(&self, mut visit: impl FnMut(FigurePart)) {
        match &self.value {
            FigureValue::One(value) => visit(FigurePart { key: "", label: "", value: value.clone() }),
            FigureValue::Spread(spread) => spread_parts(spread).into_iter().for_each(visit),
        }
    }
}

/// A value of a figure, with the suffixes of its key and label.
#[derive(Debug)]
pub(super) struct FigurePart {
    /// The suffix of the key; empty for the only value of a figure.
    pub(super) key: &'static str,
    /// The suffix of the label; empty for the only value of a figure.
    pub(super) label: &'static str,
    pub(super) value: Value,
}

/// The statistics of a spread, in the order in which every output format lists them.
fn spread_parts(spread: &Spread) -> [FigurePart; 6] {
    [
        FigurePart { key: "count", label: "samples", value: spread.count.into() },
        FigurePart { key: "mean", label: "mean", value: spread.mean.into() },
        FigurePart { key: "median", label: "median", value: spread.median.into() },
        FigurePart { key: "percentile_95", label: "95 %", value: spread.percentile_95.into() },
        FigurePart { key: "min", label: "min", value: spread.min.into() },
        FigurePart { key: "max", label: "max", value: spread.max.into() },
    ]
}

impl Serialize for FigureValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(value) => value.serialize(serializer),
            Self::Spread(spread) => {
                serializer.collect_map(spread_parts(spread).map(|part| (part.key, part.value)))
            }
        }
    }
}

/// Figures under a heading, in order. Serialised as one object.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    key: Cow<'static, str>,
    title: Cow<'static, str>,
    figures: Vec<Figure>,
    /// The keys of the figures; kept only if there are more than [`LOOKED_AT`].
    taken: Option<BTreeSet<Cow<'static, str>>>,
}

/// Up to this number of figures, keys are compared one by one; above it, they are kept in a set.
const LOOKED_AT: usize = 24;

impl Section {
    /// An empty section.
    pub fn new(key: impl Into<Cow<'static, str>>, title: impl Into<Cow<'static, str>>) -> Self {
        Self { key: key.into(), title: title.into(), figures: Vec::new(), taken: None }
    }

    /// An empty section with a standard key and title.
    pub fn of(name: SectionName) -> Self {
        Self::new(name.key(), name.title())
    }

    /// Adds a figure at the end. If its key is taken, it gets the suffix `_2`, `_3` and so on: keys may be names that
    /// users chose.
    pub fn push(&mut self, mut figure: Figure) {
        let Self { figures, taken, .. } = self;
        if figures.len() == LOOKED_AT {
            *taken = Some(figures.iter().map(|other| other.key.clone()).collect());
        }
        figure.key = untaken_key(figure.key, |key| match &*taken {
            Some(taken) => taken.contains(key),
            None => figures.iter().any(|other| other.key == key),
        });
        if let Some(taken) = taken {
            taken.insert(figure.key.clone());
        }
        figures.push(figure);
    }

    /// The key in CSV and JSON lines.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The heading.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The figures, in order.
    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// Frees unused memory, since records of many repetitions are kept.
    pub(super) fn shrink(&mut self) {
        self.figures.shrink_to_fit();
    }

    /// Appends `_2`, `_3` and so on to the key if `is_taken(key)` is true.
    pub(super) fn evade(&mut self, is_taken: impl Fn(&str) -> bool) {
        self.key = untaken_key(std::mem::take(&mut self.key), is_taken);
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.figures.len()))?;
        for figure in &self.figures {
            map.serialize_entry(&figure.key, &figure.value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_equal_key_are_all_kept() {
        let mut section = Section::of(SectionName::States);
        for count in 1..=3_u64 {
            section.push(Figure::new("A", "A", count));
        }
        assert_eq!(serde_json::to_string(&section).expect("serializes"), r#"{"A":1,"A_2":2,"A_3":3}"#);
    }

    /// Comparing keys and looking them up in a set give the same keys.
    #[test]
    fn keys_of_many_figures_are_taken_as_those_of_few() {
        let mut section = Section::of(SectionName::States);
        for count in 0..3 * LOOKED_AT {
            section.push(Figure::new("A", "A", count as u64));
        }
        let keys: Vec<String> = section.figures().iter().map(|figure| figure.key().to_owned()).collect();
        let numbered = (2..=3 * LOOKED_AT).map(|number| format!("A_{number}"));
        assert_eq!(keys, ["A".to_owned()].into_iter().chain(numbered).collect::<Vec<_>>());
    }

    #[test]
    fn section_names_have_different_keys_and_titles() {
        let keys: BTreeSet<_> = SectionName::ALL.map(SectionName::key).into();
        let titles: BTreeSet<_> = SectionName::ALL.map(SectionName::title).into();
        assert_eq!((keys.len(), titles.len()), (12, 12));
        assert!(SectionName::ALL.is_sorted());
    }

    #[test]
    fn a_spread_without_samples_is_null() {
        let figure = Figure::spread("trials", "trials", &Distribution::new());
        let expected = r#"{"count":0,"mean":null,"median":null,"percentile_95":null,"min":null,"max":null}"#;
        assert_eq!(serde_json::to_string(figure.value()).expect("serializes"), expected);
    }
}
