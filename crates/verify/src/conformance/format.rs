//! The formats of conformance files, and how each is recognised.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::object::JsonObject;
use super::report::ConformanceReport;
use super::{circuits, critical_section, local, tree_token};
use crate::file::{FileError, Lines};

/// A conformance format: a predicate that recognises its scenarios, and the function that replays them.
#[derive(Clone, Copy)]
pub(super) struct ConformanceFormat {
    has: fn(&FormatFields) -> bool,
    /// Replays the scenario in the line read last.
    pub(super) scenario: fn(&Lines<'_>, &mut ConformanceReport) -> Result<(), FileError>,
}

/// All formats. The first format that recognises a scenario replays it. The last format accepts all scenarios.
const FORMATS: [ConformanceFormat; 4] = [
    ConformanceFormat { has: |fields| fields.kind.is_some(), scenario: circuits::scenario },
    ConformanceFormat { has: |fields| fields.father.is_some(), scenario: tree_token::scenario },
    ConformanceFormat { has: |fields| fields.alg.is_some(), scenario: critical_section::scenario },
    ConformanceFormat { has: |_| true, scenario: local::scenario },
];

/// The fields by which formats are recognised: each occurs in only one format.
#[derive(Deserialize, Default)]
struct FormatFields {
    #[serde(default)]
    father: Option<IgnoredAny>,
    #[serde(default)]
    alg: Option<IgnoredAny>,
    #[serde(default)]
    kind: Option<IgnoredAny>,
}

impl ConformanceFormat {
    /// The format of the line read last. Lines without a JSON object go to local mutual exclusion, which reports the
    /// error.
    pub(super) fn of(lines: &Lines<'_>) -> Self {
        let fields = lines
            .parse::<JsonObject<FormatFields>>()
            .map_or_else(|_| FormatFields::default(), |JsonObject(fields)| fields);
        *FORMATS.iter().find(|format| (format.has)(&fields)).expect("the last is for everything else")
    }
}
